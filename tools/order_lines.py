"""Writes the lines of orders that the client types and reads, from the list of kinds of orders.

The client is a package of its own and imports nothing of the site. Orders whose lines are more than
a word for each entry are read and written in `blindjump.notation` itself.

Use: .venv/bin/python -m tools.order_lines
"""

from __future__ import annotations

from pathlib import Path

from campaign.orders import registry

PAGE = Path(__file__).resolve().parent.parent / "clients/blindjump/src/blindjump/lines.py"

HEADING = '''"""Lines of orders that are a verb and a word for each entry; written by `tools.order_lines`."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """How an order is typed. Without `names` the order is the one word after the verb."""

    verb: str
    form: str
    part: str
    names: tuple[str, ...] = ()


LINES = (
'''


def page() -> str:
    """Return the module as it should be."""
    rows = []
    for order in registry.ORDERS:
        for line in order.lines:
            names = f", {_tuple(line.names)}" if line.names else ""
            rows.append(f'    Line("{line.verb}", "{line.form}", "{order.key}"{names}),\n')
    return HEADING + "".join(rows) + ")\n"


def _tuple(names: tuple[str, ...]) -> str:
    quoted = ", ".join(f'"{name}"' for name in names)
    return f"({quoted},)" if len(names) == 1 else f"({quoted})"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
