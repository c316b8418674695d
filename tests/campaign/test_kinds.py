"""Enumerations of what is stored: their members look like their text, and nobody writes the text beside them."""

from __future__ import annotations

import ast
import json
from typing import get_args

from campaign import kinds
from campaign.kinds import BattleMode, BattleStatus, CallState, Role, Source, StageKind, StageStatus
from tests.test_house import our_modules

EVERY = (BattleMode, BattleStatus, CallState, Role, Source, StageKind, StageStatus)
TEXTS = frozenset(member.value for kind in EVERY for member in kind)
NAMED = frozenset({"kind", "mode", "role", "source", "stage", "state", "status"})
# module and comparison -> why its text is no member of an enumeration
OTHERWISE: dict[tuple[str, str], str] = {}


def test_a_member_looks_like_its_text_in_keys_and_json() -> None:
    for kind in EVERY:
        for member in kind:
            text = str(member.value)
            assert (member, hash(member), repr(member), f"{member}") == (text, hash(text), repr(text), text)
            assert json.dumps({member: member}) == json.dumps({text: text})


def test_types_of_text_hold_the_values_of_their_enumerations() -> None:
    pairs = (("Call", CallState), ("Role", Role), ("Source", Source), ("Stage", StageKind), ("Status", StageStatus))
    for name, kind in pairs:
        assert get_args(getattr(kinds, f"{name}Text")) == kinds.values_of(kind)


def test_text_compared_is_found() -> None:
    tree = ast.parse("a.kind == 'orders' or b.mode in ('table', 'x') or c['kind'] == 'orders' or d.status != 'gone'")
    assert compared(tree) == ["a.kind == 'orders'", "b.mode in ('table', 'x')"]


def test_what_is_stored_is_compared_with_members() -> None:
    found = {
        (name, words)
        for name, tree in our_modules("campaign", "umpire")
        if "/migrations/" not in name
        for words in compared(tree)
    }
    assert found == set(OTHERWISE)


def compared(tree: ast.Module) -> list[str]:
    """Comparisons of an attribute named for an enumeration with the text of a member."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and all(
            isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for op in node.ops
        ):
            sides = (node.left, *node.comparators)
            named = any(isinstance(side, ast.Attribute) and side.attr in NAMED for side in sides)
            if named and any(text in TEXTS for side in sides for text in _texts(side)):
                found.append(ast.unparse(node))
    return found


def _texts(node: ast.expr) -> list[str]:
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
