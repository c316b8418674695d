"""The orders of a week: one file for each kind, and what goes through the list of kinds."""
