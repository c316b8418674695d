"""Orders in files: JSON, YAML where PyYAML is installed, or lines as people type them. `-` is what is piped in."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from blindjump import notation
from blindjump.errors import Misused


def orders_read(name: str, *, typed: bool = True) -> dict[str, Any]:
    """The orders of a file, told by its ending or by how it begins. `typed`: lines are taken, too. Raises Misused."""
    text = _text(name)
    called = "what was piped in" if name == "-" else name
    ending = Path(name).suffix.lower()
    if ending in (".yaml", ".yml"):
        found = _yaml(name, text)
    elif ending == ".json" or text.lstrip().startswith(("{", "[")) or not typed:
        try:
            found = json.loads(text)
        except ValueError as error:
            raise Misused(f"{called} is not JSON: {error}") from error
    else:
        try:
            return notation.read(text)
        except Misused as error:
            raise Misused(f"{called}:\n{error}") from error
    if not isinstance(found, dict):
        raise Misused(f"{called} must hold a table of orders")
    return found


def _text(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Misused(f"cannot read {name}: {error}") from error


def _yaml(name: str, text: str) -> Any:
    try:
        import yaml
    except ImportError as error:
        raise Misused("YAML needs PyYAML: pip install 'blindjump[yaml]', or write the file as JSON") from error
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise Misused(f"{name} is not YAML: {error}") from error
