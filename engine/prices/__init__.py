"""Price lists: the rows (system_price.py), and what Continuum sells besides weapons."""
