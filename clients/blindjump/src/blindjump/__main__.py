"""`python -m blindjump`: the command line, where the script is not installed."""

from blindjump.cli import entry

entry()
