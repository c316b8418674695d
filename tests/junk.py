"""Documents with something wrong in one place, for tests that readers answer with faults only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

# Values of every kind in JSON and YAML, and some that readers may confuse.
JUNK: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**9,
    1.5,
    "",
    "x",
    [],
    [-1],
    [[]],
    {},
    {"a": -1},
    {5: [6]},
)
SHORT_JUNK: tuple[Any, ...] = (None, -1, "x", [[]], {5: [6]})  # where reading is slower


def with_junk(document: Any, junk: tuple[Any, ...] = JUNK) -> Iterator[tuple[str, Any]]:
    """Yield a place and the document with each kind of junk there.

    The first item stands for a whole list. Equal places below different items are tried once.
    """
    shapes: set[tuple[str, ...]] = set()
    for path in _paths(document, ()):
        shape = tuple("*" if isinstance(step, int) else step for step in path)
        if shape in shapes:
            continue
        shapes.add(shape)
        for value in junk:
            yield f"{'.'.join(map(str, path))} = {value!r}", _replace_at(document, path, value)


def _paths(document: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(document, dict):
        for key, value in document.items():
            yield from _paths(value, (*path, key))
    elif isinstance(document, list):
        for number, value in enumerate(document):
            yield from _paths(value, (*path, number))


def _replace_at(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    step, rest = path[0], path[1:]
    changed = dict(document) if isinstance(document, dict) else list(document)
    changed[step] = _replace_at(document[step], rest, value)
    return changed
