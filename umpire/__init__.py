"""Django app without models: makes the weeks pass."""
