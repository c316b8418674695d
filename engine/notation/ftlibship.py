"""The JSON of the ftLibShip ship builder, read and written. Its names stand in ftlibship_names.py."""

from __future__ import annotations

from engine.notation.ftlibship_read import from_ftlibship
from engine.notation.ftlibship_write import to_ftlibship

__all__ = ["from_ftlibship", "to_ftlibship"]
