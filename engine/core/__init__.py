"""Foundations of every rule: dice, geometry, ships, the table, orders, options."""
