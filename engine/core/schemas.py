"""The shapes of stored documents: each kind with its number, and what brings an older one up to
date.

A document says its shape by `schema`. One that says nothing is of the first shape: so were those
stored before they were numbered. A step takes a document of its number and gives one of the next;
the old one is left as it is. What cannot be read is refused whole: a newer shape, an unknown one,
or one that no step leads on from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.errors import RuleViolations, Violation
from engine.core.reason import reason

Body = dict[str, Any]
Step = Callable[[Body], Body]

FIRST = 1
RULES_OF_THE_FIRST = (
    "0.4"  # the last rules by which battles were fought whose documents did not say their version
)


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """A kind of stored document: its name, the shape it is written in today, and the step on from
    each older one.
    """

    name: str
    schema: int
    steps: Mapping[int, Step]

    def upgrade(self, document: Mapping[str, Any]) -> Mapping[str, Any]:
        """A document in today's shape; one that is in it already as it is.

        Raises RuleViolations.
        """
        number = document.get("schema", FIRST)
        if type(number) is int and number == self.schema:
            return document
        return {**self.upgrade_body(number, dict(document)), "schema": self.schema}

    def upgrade_body(self, number: object, body: Body) -> Body:
        """The body of a document of shape `number` in today's shape. Raises RuleViolations."""
        at = number if type(number) is int else 0
        while at != self.schema:
            step = self.steps.get(at)
            if step is None:
                raise RuleViolations([Violation("schema", "unknown-schema", self._unread(number))])
            at, body = at + 1, step(body)
        return body

    def _unread(self, number: object) -> str:
        return reason(
            "version-cannot-read-release",
            "version {} of '{}' cannot be read; this release reads up to version {}",
            number,
            self.name,
            self.schema,
        )


def _terms(battle: Body) -> Body:
    """Its terms say by which rules it is fought; edition and scoring, notes and drift are always
    there.

    Its ships are in the order of the table they stand in; `umpire.services.records` knows better.
    """
    terms = {
        "edition": "second-edition",
        "scoring": "",
        **battle["terms"],
        "rules": RULES_OF_THE_FIRST,
    }
    ships = {name: {"notes": {}, "drift": None, **ship} for name, ship in battle["ships"].items()}
    return {**battle, "terms": terms, "ships": ships, "order": list(ships)}


def _pieces(battle: Body) -> Body:
    """All pieces stand in one list, each with the name of its kind."""
    lists = {"group": "groups", "rock": "rocks", "mine": "mines", "nova": "novas"}
    rest = {key: value for key, value in battle.items() if key not in lists.values()}
    pieces = [{"kind": kind, **piece} for kind, key in lists.items() for piece in battle[key]]
    return {**rest, "pieces": pieces}


def _leaders(battle: Body) -> Body:
    """A ship in a squadron has the name of its leader on its sheet; it had his place among the
    ships of its side.
    """
    ships: Body = {}
    names_by_side: dict[int, list[str]] = {}
    for name in battle["order"]:
        names_by_side.setdefault(battle["ships"][name]["side"], []).append(name)
    for name, ship in battle["ships"].items():
        ships[name] = {**ship, "notes": with_leader(ship["notes"], names_by_side[ship["side"]])}
    return {**battle, "ships": ships}


def _morale(battle: Body) -> Body:
    """Its terms say when commanders withdraw, who strikes to whom, and whose yards built the ships:
    nothing yet.
    """
    return {
        **battle,
        "terms": {**battle["terms"], "withdraws_at": [], "navies": [], "no_quarter": []},
    }


def with_leader(notes: Mapping[str, int], side_names: Sequence[str]) -> dict[str, int]:
    """The facts on a ship's sheet with the name of its squadron's leader for his place among the
    ships of its side.

    `own`: these ships in their order; where they are not known nothing is left of the squadron.
    """
    rest = {name: number for name, number in notes.items() if name != "squadron"}
    if side_names and "squadron" in notes:
        rest[f"squadron:{side_names[notes['squadron'] - 1]}"] = 1
    return rest


# A battle in progress, whole or as one side knows it: `engine.battle.Battle.to_json`.
BATTLE = DocumentKind("battle", 5, {1: _terms, 2: _pieces, 3: _leaders, 4: _morale})

# What people enter of a battle at a table: `engine.table_results.validation`. Nothing of it has ever
# changed.
RESULT = DocumentKind("result", 1, {})
