"""Where pages fold long lists: large wars have hundreds of fleets and systems."""

from __future__ import annotations

FOLD_FROM = 40  # lines: from so many a list is folded
ROWS_OPEN = 12  # rows of a folded report that stand open
