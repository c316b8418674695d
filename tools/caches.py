"""List what the program caches: module, name, mechanism, and the largest number of values.

`python -m tools.caches` reads the sources and imports nothing. docs/reference/caches.md says what
each cache saves.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("engine", "campaign", "umpire", "config", "jobs")
DECORATORS = ("cache", "lru_cache", "cached_property", "rules_cache")
CLASS = "Cache"  # of engine.core.cache
HOME = "engine.core.cache"


class CachedValue(NamedTuple):
    """Something that is cached.

    Attributes:
        most: The largest number of values, as written in the source; "" if there is no limit.
    """

    module: str
    name: str
    mechanism: str
    most: str


def cached_in(module: str, tree: ast.AST, outer: str = "") -> Iterator[CachedValue]:
    """Yield what a module caches.

    Args:
        outer: The class that is read, with a dot.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                name, most = _call_parts(decorator)
                if name in DECORATORS:
                    yield CachedValue(module, outer + node.name, name, most)
        elif isinstance(node, ast.AnnAssign | ast.Assign) and isinstance(node.value, ast.Call):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            name, most = _call_parts(node.value)
            if name == CLASS or _is_lru(node.value):
                yield CachedValue(module, outer + ast.unparse(target), name or "lru_cache", most)
        inner = f"{outer}{node.name}." if isinstance(node, ast.ClassDef) else outer
        yield from cached_in(module, node, inner)


def _call_parts(node: ast.expr) -> tuple[str, str]:
    """Return the last name of a call or name, and its first argument as text."""
    most = ""
    if isinstance(node, ast.Call):
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        most = ast.unparse(arguments[0]) if arguments else ""
        node = node.func
    name = (
        node.attr
        if isinstance(node, ast.Attribute)
        else node.id
        if isinstance(node, ast.Name)
        else ""
    )
    return name, most


def _is_lru(call: ast.Call) -> bool:
    """Return whether a call wraps a function in `lru_cache(...)`."""
    return isinstance(call.func, ast.Call) and _call_parts(call.func)[0] == "lru_cache"


def all_cached(root: Path = ROOT) -> list[CachedValue]:
    """Return everything that the program caches, by module."""
    values: list[CachedValue] = []
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            module = path.relative_to(root).with_suffix("").as_posix().replace("/", ".")
            if module != HOME:
                values += cached_in(module, ast.parse(path.read_text(encoding="utf-8")))
    return values


def main() -> None:
    values = all_cached()
    for value in values:
        print(f"{value.module:45} {value.name:28} {value.mechanism:16} {value.most}")
    for mechanism, count in Counter(value.mechanism for value in values).most_common():
        print(f"{count:4} {mechanism}")
    print(f"{len(values):4} altogether")


if __name__ == "__main__":
    main()
