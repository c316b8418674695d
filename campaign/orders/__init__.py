"""The orders of a week: one file for each kind, and functions over all kinds."""
