"""HTML pages of players."""
