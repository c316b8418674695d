"""The commands of `python -m umpire`, without a database."""
