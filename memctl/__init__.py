"""memctl: git for an agent's memory."""

__version__ = "0.1.0"
