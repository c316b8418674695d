"""The weapons of both editions, one module for each family.

`weapon.py` defines the row of a weapon, and `registry.py` finds rows.
"""
