"""Write the client's table of typed orders from the kinds of orders.

The client is a separate package and imports nothing of the site.

Run `.venv/bin/python -m tools.order_lines`.
"""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

from campaign.orders import registry
from campaign.orders.line import Line, Word

PAGE = Path(__file__).resolve().parent.parent / "clients/blindjump/src/blindjump/lines.py"

HEADING = '''"""The lines in which orders are typed; written by `tools.order_lines`."""

from __future__ import annotations

from blindjump.line import Line, Word

LINES = (
'''


def page() -> str:
    """Return the source of the module."""
    rows = [_line(order.key, line) for order in registry.ORDERS for line in order.lines]
    return HEADING + "".join(rows) + ")\n"


def _line(part: str, line: Line) -> str:
    line_words = (Word(word) if isinstance(word, str) else word for word in line.words)
    words = [f"Word({', '.join(_changed(word))})," for word in line_words]
    rows = [f"        verb={_text(line.verb)},", f"        form={_text(line.form)},"]
    rows.append(f"        part={_text(part)},")
    if len(words) == 1:
        rows.append(f"        words=({words[0]}),")
    else:
        rows += ["        words=(", *(f"            {word}" for word in words), "        ),"]
    options = ("hint", "is_merged", "inside", "is_repeated")
    rows += [f"        {text}," for text in _changed(line) if text.startswith(options)]
    return "    Line(\n" + "\n".join(rows) + "\n    ),\n"


def _changed(value: Line | Word) -> list[str]:
    """Return `name=value` for each field that is not at its default."""
    texts = []
    for field in fields(value):
        content = getattr(value, field.name)
        if content != field.default:
            texts.append(f"{field.name}={_text(content)}")
    return texts


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
