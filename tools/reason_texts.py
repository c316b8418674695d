"""The table of reasons (engine/core/reason_texts.py): the text of each code that `reason(code,
text)`
declares.

bin/catalogue writes and checks the table. A text may be reworded if its placeholders keep their
order and meaning, because stored reasons contain their values; a sentence with other values needs a
new code. A code that is no longer declared keeps its last text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from string import Formatter

from engine.core.reason import FREE_TEXT

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "engine" / "core" / "reason_texts.py"
CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
BEGINNING = '''"""The text of each reason by its code; written by bin/catalogue (`tools/reason_texts.py`).

A code that no rule declares any more stays here, because stored documents name it.
"""

REASON_TEXTS: dict[str, str] = {
'''


def declarations_in(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    """Yield the reasons that the nodes of a module declare, as (code, text).

    Raises:
        ValueError: A code or text is no literal.
    """
    for node in nodes:
        if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "reason":
            continue
        code, text = (literal(argument) for argument in node.args[:2])
        if code is None or text is None:
            raise ValueError(f"a reason needs a code and a text of its own: {ast.unparse(node)}")
        yield code, text


def literal(node: ast.expr) -> str | None:
    """Return the text of a literal expression, or None for other expressions."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def reason_texts(
    declared: Iterable[tuple[str, str]], earlier: Mapping[str, str]
) -> tuple[dict[str, str], list[str]]:
    """Return the current table, and the faults of the declarations.

    Args:
        declared: Codes and texts, with repetitions.
        kept: The table as last written.
    """
    declared_texts = {FREE_TEXT: "{}"}
    faults = []
    for code, text in declared:
        if not CODE.fullmatch(code):
            faults.append(f"reason '{code}': a code has small letters, digits and hyphens")
        if declared_texts.setdefault(code, text) != text:
            faults.append(f"reason '{code}': two texts, {declared_texts[code]!r} and {text!r}")
        if code in earlier and places(earlier[code]) != places(text):
            faults.append(
                f"reason '{code}': other places than before; a new sentence needs a new code"
            )
    codes: dict[str, str] = {}
    for code, text in declared_texts.items():
        if codes.setdefault(text, code) != code:
            faults.append(f"reasons '{codes[text]}' and '{code}': one text, {text!r}")
    return dict(sorted({**earlier, **declared_texts}.items())), faults


def places(text: str) -> list[str]:
    """Return the names of a text's placeholders, numbers for those without a name, sorted."""
    names = [name for _, name, _, _ in Formatter().parse(text) if name is not None]
    return sorted(name or str(number) for number, name in enumerate(names))


def file_bytes(texts: Mapping[str, str]) -> bytes:
    """Return the source of the module with the table."""
    lines = [f"    {code!r}: {text!r},\n" for code, text in texts.items()]
    return (BEGINNING + "".join(lines) + "}\n").encode()
