"""From how many lines on pages fold a list to one, which opens it: large wars have hundreds of fleets and systems."""

from __future__ import annotations

MANY = 40  # lines
