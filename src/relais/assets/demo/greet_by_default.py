def greet(name: str = "world") -> str:
    return "Hello, " + name
