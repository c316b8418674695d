"""The orders that each phase of a battle asks sides for, one module per kind of orders."""
