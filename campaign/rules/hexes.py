"""Hexes of the star map: flat top, labelled CCRR (column, row, from 01), odd columns up.

One hex is one light year. Calculations use axial coordinates (q, r): q counts columns to the right,
r rows down along a column.
"""

from __future__ import annotations

from functools import lru_cache

Axial = tuple[int, int]

MAX_COLUMNS = 99
MAX_ROWS = 99

# In the order of the labels of the neighbours: left column (upper, lower), same column (up, down),
# right column.
DIRECTIONS: tuple[Axial, ...] = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


def axial(label: str) -> Axial:
    """Return the axial coordinates of a label. Raises ValueError if the text is no label.

    Rules: 2E "The campaign map" [camp.map]
    """
    if len(label) != 4 or not (label.isascii() and label.isdigit()):
        raise ValueError(f"'{label}' is not a hex: use four digits, column and row")
    column = int(label[:2])
    row = int(label[2:])
    if column < 1 or row < 1:
        raise ValueError(f"'{label}' is not a hex: columns and rows count from 01")
    q = column - 1
    return q, row - 1 - q // 2


@lru_cache(maxsize=MAX_COLUMNS * MAX_ROWS * 2)
def label_at(q: int, r: int) -> str | None:
    """Return the label of axial coordinates; None outside the range of labels."""
    row = r + q // 2 + 1
    if not (0 <= q < MAX_COLUMNS and 1 <= row <= MAX_ROWS):
        return None
    return f"{q + 1:02d}{row:02d}"


def distance(a: str, b: str) -> int:
    """Return the hexes from a to b in a straight line, ignoring links and closed hexes."""
    aq, ar = axial(a)
    bq, br = axial(b)
    dq = bq - aq
    dr = br - ar
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def is_label(text: str) -> bool:
    """Return whether the text is a label of any map."""
    if len(text) != 4 or not (text.isascii() and text.isdigit()):
        return False
    return text[:2] != "00" and text[2:] != "00"


def on_map(label: str, columns: int, rows: int) -> bool:
    """Return whether the text is a label of a map of this size."""
    return is_label(label) and int(label[:2]) <= columns and int(label[2:]) <= rows


def neighbours(label: str, columns: int, rows: int) -> tuple[str, ...]:
    """Return the labels next to a hex on a map of this size, in the order of labels."""
    q, r = axial(label)
    result: list[str] = []
    for dq, dr in DIRECTIONS:
        candidate = label_at(q + dq, r + dr)
        if candidate is not None and on_map(candidate, columns, rows):
            result.append(candidate)
    return tuple(result)


def labels(columns: int, rows: int) -> tuple[str, ...]:
    """Return every label of a map, in order."""
    result: list[str] = []
    for column in range(1, columns + 1):
        for row in range(1, rows + 1):
            result.append(f"{column:02d}{row:02d}")
    return tuple(result)
