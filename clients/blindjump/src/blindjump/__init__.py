"""Blind Jump from the command line: a client of its API that knows what the API tells, and nothing
else.
"""

__version__ = "0.1.0"
