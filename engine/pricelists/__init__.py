"""The price lists of editions that sell systems by mass: one module for each family, in tables like the rulebook's.

A row is a Ware (pricelists/ware.py). What a wing of fighters or a squadron of gunboats costs stands in craft.py.
"""
