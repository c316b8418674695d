"""Orders in files: JSON, YAML if PyYAML is installed, or lines as people type them.

`-` is standard input.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blindjump import notation
from blindjump.errors import UsageError

PLACE = re.compile(r"(?:orders\.)?(?P<place>\w+\[\d+\])")


@dataclass(frozen=True, slots=True)
class OrdersFile:
    """The orders of a file, and the line of the file in which each place of them begins."""

    orders: dict[str, Any]
    lines: Mapping[str, int]

    def with_lines(self, violations: Sequence[dict[str, str]]) -> list[dict[str, Any]]:
        """Return faults with the `line` of the file to which each belongs, where known."""
        result = []
        for violation in violations:
            place = PLACE.match(violation["where"])
            line = self.lines.get(place["place"]) if place else None
            result.append(violation if line is None else {**violation, "line": line})
        return result


def orders_file(name: str, *, typed: bool = True) -> OrdersFile:
    """Return the orders of a file; its format follows from its suffix or its beginning.

    A sheet, a default or a receipt from the site is accepted too.

    Args:
        typed: Whether a file of typed lines is accepted.

    Raises:
        UsageError: If the file cannot be read.
    """
    text = _text(name)
    source_name = "standard input" if name == "-" else name
    suffix = Path(name).suffix.lower()
    looks_like_json = text.lstrip().startswith(("{", "["))
    if suffix in (".yaml", ".yml"):
        document = _yaml(name, text)
    elif suffix == ".json" or looks_like_json or not typed:
        try:
            document = json.loads(text)
        except ValueError as error:
            raise UsageError(f"{source_name} is not JSON: {error}") from error
    else:
        try:
            orders, line_of = notation.parse_orders(text)
        except UsageError as error:
            raise UsageError(f"{source_name}:\n{error}") from error
        return OrdersFile(orders, line_of)
    if not isinstance(document, dict):
        raise UsageError(f"{source_name} must contain an object with orders")
    inner = document.get("orders")  # a sheet or receipt has more entries beside them
    return OrdersFile(inner if isinstance(inner, dict) else document, {})


def _text(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {name}: {error}") from error


def _yaml(name: str, text: str) -> Any:
    try:
        import yaml
    except ImportError as error:
        raise UsageError(
            "YAML needs PyYAML: pip install 'blindjump[yaml]', or write the file as JSON"
        ) from error
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise UsageError(f"{name} is not YAML: {error}") from error
