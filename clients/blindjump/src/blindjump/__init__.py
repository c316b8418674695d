"""Blind Jump from the command line: a client that uses only the site's public API."""

__version__ = "1.0.0"
