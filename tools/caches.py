"""List what the program caches: module, name, mechanism, and how many values at most.

`python -m tools.caches` reads the sources; nothing is imported. docs/reference/caches.md says what
each gains.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("engine", "campaign", "umpire", "config", "jobs")
DECORATORS = ("cache", "lru_cache", "cached_property", "derived")
CLASS = "Cache"  # of engine.core.cache
HOME = "engine.core.cache"


class Cached(NamedTuple):
    """Something that is cached.

    `most`: how many values, as the source says it; empty where nothing limits it.
    """

    module: str
    name: str
    mechanism: str
    most: str


def cached_in(module: str, tree: ast.AST, outer: str = "") -> Iterator[Cached]:
    """Yield what a module caches. `outer`: the class that is read, with a dot."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                name, most = _called(decorator)
                if name in DECORATORS:
                    yield Cached(module, outer + node.name, name, most)
        elif isinstance(node, ast.AnnAssign | ast.Assign) and isinstance(node.value, ast.Call):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            name, most = _called(node.value)
            if name == CLASS or _is_lru(node.value):
                yield Cached(module, outer + ast.unparse(target), name or "lru_cache", most)
        inner = f"{outer}{node.name}." if isinstance(node, ast.ClassDef) else outer
        yield from cached_in(module, node, inner)


def _called(node: ast.expr) -> tuple[str, str]:
    """Return the last name of what is called or named, and its first argument as text."""
    most = ""
    if isinstance(node, ast.Call):
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        most = ast.unparse(given[0]) if given else ""
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
    """Whether a call wraps a function in `lru_cache(...)`."""
    return isinstance(call.func, ast.Call) and _called(call.func)[0] == "lru_cache"


def all_cached(root: Path = ROOT) -> list[Cached]:
    """Return everything the program caches, by module."""
    found: list[Cached] = []
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            module = path.relative_to(root).with_suffix("").as_posix().replace("/", ".")
            if module != HOME:
                found += cached_in(module, ast.parse(path.read_text(encoding="utf-8")))
    return found


def main() -> None:
    found = all_cached()
    for one in found:
        print(f"{one.module:45} {one.name:28} {one.mechanism:16} {one.most}")
    for mechanism, count in Counter(one.mechanism for one in found).most_common():
        print(f"{count:4} {mechanism}")
    print(f"{len(found):4} altogether")


if __name__ == "__main__":
    main()
