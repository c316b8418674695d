"""Faults in a user's input are shown in their language: messages are texts of the catalogues."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.sources import nodes_of, source_trees
from tools.catalogue import UNTRANSLATED_FILES

# The position of the message among the arguments
MESSAGE = {"Violation": 2, "fault": 2, "Refused": 0, "NotFound": 0}
# English only, because programs read it: answers of the API, the command line, battle files.
PROGRAMS = (
    "campaign/api/",
    "umpire/api/",
    "engine/cli/",
    "umpire/cli/",
    "engine/captains/common/doctrine.py",
    "engine/__main__.py",
)
# Readers of players' input, whose ValueErrors explain the fault.
READERS = ("engine/order_requests/", "engine/notation/orders.py", "engine/continuum/")


def _messages(name: str, tree: ast.Module) -> Iterator[ast.expr]:
    for node in nodes_of(tree):
        if not isinstance(node, ast.Call):
            continue
        function_name = (
            node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        )
        at = (
            0
            if function_name == "ValueError" and name.startswith(READERS)
            else MESSAGE.get(function_name)
        )
        if at is not None and len(node.args) > at:
            yield node.args[at]


def _plain(message: ast.expr) -> bool:
    """Return whether it is built from plain English, or is a literal."""
    if isinstance(message, ast.IfExp):
        return _plain(message.body) or _plain(message.orelse)
    if isinstance(message, ast.Constant):
        return message.value != ""
    if isinstance(message, ast.Call):
        return isinstance(message.func, ast.Attribute) and message.func.attr == "join"
    return isinstance(message, ast.JoinedStr)


def _stand_ins(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield what is shown for an empty list: `", ".join(names) or "none"`."""
    for node in nodes_of(tree):
        if (
            isinstance(node, ast.BoolOp)
            and isinstance(node.op, ast.Or)
            and isinstance(node.values[-1], ast.Constant)
        ):
            first, last = node.values[0], node.values[-1]
            joins = (
                isinstance(first, ast.Call)
                and isinstance(first.func, ast.Attribute)
                and first.func.attr == "join"
            )
            if joins and re.search("[a-z]{2}", str(last.value)):
                yield node


def test_faults_are_translated() -> None:
    faults = []
    for name, tree in source_trees().items():
        if UNTRANSLATED_FILES.fullmatch(name) or name.startswith(PROGRAMS):
            continue
        plain = [*(node for node in _messages(name, tree) if _plain(node)), *_stand_ins(tree)]
        faults += [f"{name}:{node.lineno}: {ast.unparse(node)}" for node in plain]
    assert faults == []


def test_page_errors_are_translated() -> None:
    """`str(error)` is English, also in placeholders; `error.words` can be translated."""
    faults = []
    for name, tree in source_trees().items():
        if name.startswith(("campaign/pages/", "umpire/pages/")):
            for handler in nodes_of(tree):
                if isinstance(handler, ast.ExceptHandler) and handler.name:
                    faults += [f"{name}:{at}" for at in _plain_error_lines(handler)]
    assert faults == []


def _plain_error_lines(handler: ast.ExceptHandler) -> Iterator[int]:
    for node in ast.walk(handler):
        if isinstance(node, ast.FormattedValue):
            values: list[ast.expr] = [node.value]
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("str", "phrase")
        ):
            values = node.args
        else:
            continue
        if any(isinstance(value, ast.Name) and value.id == handler.name for value in values):
            yield node.lineno


def test_untranslated_text_is_found() -> None:
    source = 'reader.fault(at, "x", f"{name}: {why}" if why else "")\nRefused("no")\nRefused(phrase("no"))'
    assert [_plain(node) for node in _messages("", ast.parse(source))] == [True, True, False]
    assert list(_stand_ins(ast.parse('", ".join(names) or "none"')))
