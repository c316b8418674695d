"""`python -m blindjump`: the command line without the installed script."""

from blindjump.cli import entry

entry()
