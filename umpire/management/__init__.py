"""Commands of the umpire."""
