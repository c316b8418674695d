"""Computer admirals: turn a View, a character and dice into orders, never seeing the World."""

from umpire.admirals.admiral import orders_for

__all__ = ["orders_for"]
