"""Checks a finished war from one file, its archive, without the server, Django or a database."""
