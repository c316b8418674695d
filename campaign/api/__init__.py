"""The API for players."""
