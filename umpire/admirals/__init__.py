"""Computer admirals: (View, character, dice) to orders. They never see a World."""

from umpire.admirals.admiral import orders_for

__all__ = ["orders_for"]
