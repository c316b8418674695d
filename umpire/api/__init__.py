"""The API for umpires."""
