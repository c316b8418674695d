"""Django app without models that resolves the weeks of wars."""
