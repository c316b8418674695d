"""Enumerations of stored values: members equal their text, and no code repeats the text."""

from __future__ import annotations

import ast
import json
from typing import get_args

from campaign import kinds
from campaign.events.battles import LossCause
from campaign.kinds import (
    BattleMode,
    BattleStatus,
    FactionBattleState,
    Role,
    Source,
    StageKind,
    StageStatus,
)
from engine.core import kinds as engine_kinds
from engine.core.kinds import LabelledEnum
from tests.sources import nodes_of
from tests.test_code_rules import our_modules

ENGINE: tuple[type[LabelledEnum], ...] = tuple(
    kind
    for kind in vars(engine_kinds).values()
    if isinstance(kind, type) and issubclass(kind, LabelledEnum)
)
STORED_NAMES = (
    BattleMode,
    BattleStatus,
    FactionBattleState,
    LossCause,
    Role,
    Source,
    StageKind,
    StageStatus,
)
EVERY: tuple[type[LabelledEnum], ...] = (*STORED_NAMES, *ENGINE)
TEXTS = frozenset(member.value for kind in EVERY for member in kind)
NAMED_KINDS = frozenset(
    {
        *("kind", "mode", "role", "source", "stage", "state", "status"),
        *("armament", "cause", "cloak", "edge", "fate", "ftl", "how", "outcome"),
    }
)
# module and comparison: why its text is no member of an enumeration
BUDGET = (
    "what a budget asks of FTL drives is a `Literal` of its own, which the type checker compares"
)
PATCH_STATE = (
    "which contact a patch sets is a `Literal` of its own, which the type checker compares"
)
HELD_REASON = "how a system is held is a `Literal` of its own, which the type checker compares"
OTHERWISE = {
    ("campaign/belief/forces.py", "budget.ftl != 'none'"): BUDGET,
    ("campaign/belief/forces.py", "budgets[pick.budget].ftl == 'none'"): BUDGET,
    ("campaign/pages/week/encounters.py", "budget.ftl == 'none'"): BUDGET,
    ("campaign/pages/week/deploy.py", "budget.ftl != 'none'"): BUDGET,
    ("campaign/rules/forces.py", "budget.ftl == 'none'"): BUDGET,
    ("campaign/rules/forces.py", "budget.ftl != 'none'"): BUDGET,
    ("umpire/admirals/admiral.py", "budget.ftl != 'none'"): BUDGET,
    ("umpire/admirals/feints.py", "budget.ftl == 'none'"): BUDGET,
    ("umpire/admirals/situation.py", "budget.ftl == 'none'"): BUDGET,
    ("umpire/admirals/situation.py", "budget.ftl != 'none'"): BUDGET,
    ("campaign/pages/ships/ships.py", "system_state.state == 'held'"): HELD_REASON,
    ("campaign/rules/world.py", "self.state == 'held'"): HELD_REASON,
    ("campaign/rules/yards.py", "holding.state == 'held'"): HELD_REASON,
    ("umpire/admirals/situation.py", "system_view.state != 'held'"): HELD_REASON,
    ("umpire/adjudication/patches.py", "self.state != 'none'"): PATCH_STATE,
    ("umpire/handicap.py", "budgets[f\"{faction}/{fleet['budget']}\"].ftl != 'none'"): BUDGET,
}


def test_member_looks_like_its_text_in_keys_and_json() -> None:
    for kind in EVERY:
        for member in kind:
            text = str(member.value)
            assert (member, hash(member), repr(member), f"{member}") == (
                text,
                hash(text),
                repr(text),
                text,
            )
            assert json.dumps({member: member}) == json.dumps({text: text})


def test_text_types_hold_the_values_of_their_enumerations() -> None:
    pairs = (
        ("FactionBattle", FactionBattleState),
        ("Role", Role),
        ("Source", Source),
        ("Stage", StageKind),
        ("Status", StageStatus),
    )
    for name, kind in pairs:
        assert get_args(getattr(kinds, f"{name}Text")) == kinds.values_of(kind)


def test_text_comparison_is_found() -> None:
    tree = ast.parse(
        "a.kind == 'orders' or mode in ('table', 'x') or c['edge'] != 'left' or d.status != 'gone'"
    )
    assert compared(tree) == ["a.kind == 'orders'", "mode in ('table', 'x')", "c['edge'] != 'left'"]


def test_stored_values_are_compared_with_members() -> None:
    comparisons = {
        (name, words)
        for name, tree in our_modules("engine", "campaign", "umpire")
        if "/migrations/" not in name
        for words in compared(tree)
    }
    assert comparisons == set(OTHERWISE)


def compared(tree: ast.Module) -> list[str]:
    """Yield comparisons of something named like an enumeration with the text of a member."""
    comparisons = []
    for node in nodes_of(tree):
        if isinstance(node, ast.Compare) and all(
            isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for op in node.ops
        ):
            sides = (node.left, *node.comparators)
            has_kind = any(_name(side) in NAMED_KINDS for side in sides)
            if has_kind and any(text in TEXTS for side in sides for text in _texts(side)):
                comparisons.append(ast.unparse(node))
    return comparisons


def _name(node: ast.expr) -> str:
    """Return the name that is compared: `status` of `status`, `ship.status` and `ship["status"]`."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    return (
        node.attr
        if isinstance(node, ast.Attribute)
        else node.id
        if isinstance(node, ast.Name)
        else ""
    )


def _texts(node: ast.expr) -> list[str]:
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return [
        part.value
        for part in parts
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]
