"""Price lists: how systems are sold (ware.py), and what Continuum sells besides weapons, in the
book's own tables.
"""
