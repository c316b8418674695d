"""HTML pages of the umpire."""
