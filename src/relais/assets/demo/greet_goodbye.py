def greet(name: str = "world") -> str:
    return "Goodbye, " + name
