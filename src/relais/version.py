"""Which relais this is."""

__version__ = "0.3.0"
