"""The upgrade steps of stored documents from before release 1.0.0.

A step takes the body of a document of its version and returns one of the next version; it does not
change the old one. The last version of a kind has the shape of release 1.0.0, apart from names
(`tools.prerelease.renames`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.core.kinds import FtlDrive
from engine.core.sheet import Sheet
from engine.notation.designs import load_sheet
from engine.ship_profiles import full_stock

Body = dict[str, Any]
Step = Callable[[Body], Body]

FIRST = 1
RULES_OF_THE_FIRST = "0.4"  # the last rules of battles whose documents did not state their version


class UnknownVersion(Exception):
    """A document has a version that the last commit before release 1.0.0 did not write."""


def upgrade(kind: str, number: object, body: Body) -> Body:
    """Return the body of a document of version `number` in the last version of its kind.

    Raises:
        UnknownVersion: There is no such version.
    """
    steps = STEPS.get(kind, ())
    if type(number) is not int or not FIRST <= number <= len(steps) + FIRST:
        raise UnknownVersion(f"version {number} of {kind}")
    for step in steps[number - FIRST :]:
        body = step(body)
    return body


def _ship(ship: Body) -> Body:
    """Replace the `spent` systems by an empty `stock` of each."""
    after = {key: value for key, value in ship.items() if key != "spent"}
    return {**after, "stock": [[system, 0] for system in sorted(ship.get("spent", ()))]}


def _ships(body: Body) -> Body:
    return {**body, "ships": [_ship(ship) for ship in body.get("ships", ())]}


def _world(body: Body) -> Body:
    losses = [{**loss, "ship": _ship(loss["ship"])} for loss in body.get("losses", ())]
    return _ships({**body, "losses": losses})


def _scenario(body: Body) -> Body:
    return {**body, "catalogue": [_class(cls) for cls in body.get("catalogue", ())]}


def _class(cls: Body) -> Body:
    """Add the full stock by the design; a class without a design has one of each expendable."""
    after = {key: value for key, value in cls.items() if key != "expendables"}
    if not cls.get("design"):
        return {
            **after,
            "stock": [[system, 1] for system in sorted(cls.get("expendables", ()))],
            "tug": False,
        }
    sheet = load_sheet(cls["design"])
    return {
        **after,
        "stock": _full(sheet),
        "tug": sheet.ftl == FtlDrive.TUG,
    }


def _full(sheet: Sheet) -> list[list[object]]:
    return [list(item) for item in sorted(full_stock(sheet).items())]


def _with_craft(body: Body) -> Body:
    """Add the craft in hangars of Continuum to the full stock of classes."""
    return {**body, "catalogue": [_stocked(cls) for cls in body.get("catalogue", ())]}


def _stocked(cls: Body) -> Body:
    if not cls.get("design"):
        return cls
    return {**cls, "stock": _full(load_sheet(cls["design"]))}


def _with_terrain(body: Body) -> Body:
    """Add empty terrain to systems."""
    return {**body, "systems": [{**system, "terrain": []} for system in body.get("systems", ())]}


def _with_nerve(body: Body) -> Body:
    """Add the factions' withdrawal threshold, navy and refusals of quarter, with defaults."""
    nerve = {"withdraws_at": 50, "navy": "", "no_quarter": []}
    return {**body, "factions": [{**faction, **nerve} for faction in body.get("factions", ())]}


def _with_ground(body: Body) -> Body:
    """Add ground targets to systems, and ruins to victory conditions, both empty."""
    systems = [{**system, "ground": []} for system in body.get("systems", ())]
    return {
        **body,
        "systems": systems,
        "victory": [{**condition, "ruins": ""} for condition in body.get("victory", ())],
    }


def _with_sources(body: Body) -> Body:
    """Add the source of sightings, which was always a long range scan."""
    sightings = [{**item, "source": "scan"} for item in body.get("sightings", ())]
    return {**body, "sightings": sightings}


def _with_rules(sheet: Body) -> Body:
    """Add the version of the rules to the sheet of a battle at a table."""
    return {**sheet, "rules": RULES_OF_THE_FIRST}


def _without_sides(report: Body) -> Body:
    """Add the list of sides to a battle report, empty because older reports did not name them."""
    return {**report, "sides": []}


def _unchanged(body: Body) -> Body:
    """Return the body: `tools.prerelease.stored_reasons` converts its English reasons."""
    return body


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


def _with_release(row: Body) -> Body:
    """Add the release to the body of a ledger row: it used the rules of the row."""
    return {**row, "release": row["rules_version"]}


# By kind (`tools.prerelease.documents`): the steps from version 1, 2 and so on.
STEPS: Mapping[str, tuple[Step, ...]] = {
    "world": (_world,),
    "view": (_ships, _with_sources, _unchanged),
    "scenario": (_scenario, _with_craft, _with_terrain, _with_nerve, _with_ground),
    "battle": (_terms, _pieces, _leaders, _morale),
    "battle-file": (_unchanged,),
    "stop-inputs": (_unchanged,),
    "stop-events": (_unchanged,),
    "stop-views": (_unchanged,),
    "report-stage": (_unchanged,),
    "report-battle": (_without_sides, _unchanged),
    "report-table": (_with_rules,),
    "report-table-check": (_unchanged,),
    "report-stop": (_unchanged,),
    "ledger-row": (_with_release,),
}
