"""The schema versions of stored documents, and the steps that upgrade older ones.

A document states its version as `schema`. One without it has version 1, like all documents that
were stored before versions existed. A step takes a document of its version and returns one of the
next; the old document is not changed. Documents of a newer or unknown version, or of one without a
step, are refused as a whole.
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
RULES_OF_THE_FIRST = "0.4"  # the last rules of battles whose documents did not state their version


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """A kind of stored document.

    Attributes:
        schema: The version that is written today.
        steps: The upgrade to the next version, by older version.
    """

    name: str
    schema: int
    steps: Mapping[int, Step]

    def upgrade(self, document: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a document in today's version; one that has it already is returned as it is.

        Raises:
            RuleViolations: This release cannot read the version.
        """
        number = document.get("schema", FIRST)
        if type(number) is int and number == self.schema:
            return document
        return {**self.upgrade_body(number, dict(document)), "schema": self.schema}

    def upgrade_body(self, number: object, body: Body) -> Body:
        """Return the body of a document of version `number` in today's version.

        Raises:
            RuleViolations: This release cannot read the version.
        """
        at = number if type(number) is int else 0
        while at != self.schema:
            step = self.steps.get(at)
            if step is None:
                raise RuleViolations([Violation("schema", "unknown-schema", self._unread(number))])
            at += 1
            body = step(body)
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
    """Add the version of the rules, edition and scoring to the terms, and notes and drift to ships.

    The ships get the order of their table; `umpire.services.records` knows the true one.
    """
    terms = {
        "edition": "second-edition",
        "scoring": "",
        **battle["terms"],
        "rules": RULES_OF_THE_FIRST,
    }
    ships = {}
    for name, ship in battle["ships"].items():
        ships[name] = {"notes": {}, "drift": None, **ship}
    return {**battle, "terms": terms, "ships": ships, "order": list(ships)}


def _pieces(battle: Body) -> Body:
    """Put all pieces into one list, each with the name of its kind."""
    lists = {"group": "groups", "rock": "rocks", "mine": "mines", "nova": "novas"}
    rest = {key: value for key, value in battle.items() if key not in lists.values()}
    pieces: list[Body] = []
    for kind, key in lists.items():
        pieces += [{"kind": kind, **piece} for piece in battle[key]]
    return {**rest, "pieces": pieces}


def _leaders(battle: Body) -> Body:
    """Store the name of a ship's squadron leader instead of the leader's place in its side."""
    ships: Body = {}
    names_by_side: dict[int, list[str]] = {}
    for name in battle["order"]:
        names_by_side.setdefault(battle["ships"][name]["side"], []).append(name)
    for name, ship in battle["ships"].items():
        ships[name] = {**ship, "notes": with_leader(ship["notes"], names_by_side[ship["side"]])}
    return {**battle, "ships": ships}


def _morale(battle: Body) -> Body:
    """Add empty terms for withdrawal, quarter and navies."""
    return {
        **battle,
        "terms": {**battle["terms"], "withdraws_at": [], "navies": [], "no_quarter": []},
    }


def with_leader(notes: Mapping[str, int], side_names: Sequence[str]) -> dict[str, int]:
    """Return a ship's facts with the name of its squadron leader instead of the leader's place.

    Args:
        side_names: The ships of its side in order. If it is empty, the squadron is dropped.
    """
    rest = {name: number for name, number in notes.items() if name != "squadron"}
    if side_names and "squadron" in notes:
        rest[f"squadron:{side_names[notes['squadron'] - 1]}"] = 1
    return rest


# A battle in progress, complete or as one side knows it: `engine.battle.Battle.to_json`.
BATTLE = DocumentKind("battle", 5, {1: _terms, 2: _pieces, 3: _leaders, 4: _morale})

# The result of a battle at a table: `engine.table_results.validation`. Its schema has never
# changed.
RESULT = DocumentKind("result", 1, {})
