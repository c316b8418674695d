"""Limits for folding long lists: large wars have hundreds of fleets and systems."""

from __future__ import annotations

FOLD_FROM = 40  # lists of at least this many lines are folded
ROWS_OPEN = 12  # rows of a folded report that stay visible
