import sys

sys.path.insert(0, "src")
from greet import greet

assert greet("you") == "Hello, you", greet("you")
print("1 passed")
