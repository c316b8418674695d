"""The API of the umpire."""
