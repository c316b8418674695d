"""The kinds of stored documents, and an upgrade step for each older version of their shapes.

A step takes the body of a document of its version and returns a new one of the next version
(`engine.core.schemas`); it does not change the old one.
"""

from __future__ import annotations

from engine.core.kinds import FtlDrive
from engine.core.phrase import phrase
from engine.core.schemas import RULES_OF_THE_FIRST, Body, DocumentKind
from engine.core.sheet import Sheet
from engine.notation.designs import load_sheet
from engine.ship_profiles import full_stock


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


def _with_reasons(body: Body) -> Body:
    """Return the body unchanged: readers recognise the English texts of older reasons."""
    return body


WORLD = DocumentKind("world", 2, {1: _world})
VIEW = DocumentKind("view", 4, {1: _ships, 2: _with_sources, 3: _with_reasons})
SCENARIO = DocumentKind(
    "scenario", 6, {1: _scenario, 2: _with_craft, 3: _with_terrain, 4: _with_nerve, 5: _with_ground}
)

# What factions submit: the orders of a week, and those at a stop of a battle.
ORDERS = DocumentKind("orders", 1, {})
STOP_ORDERS = DocumentKind(phrase("orders at a stop"), 1, {})

# A stop of a battle as it was played: {inputs, events, views}; the column beside it has its
# version.
BATTLE_STOP = DocumentKind(phrase("battle stop"), 2, {1: _with_reasons})

# Reports to factions (`campaign.models.knowledge`), by kind; the column beside them has the
# version.
REPORTS: dict[str, DocumentKind] = {
    "stage": DocumentKind(phrase("stage report"), 2, {1: _with_reasons}),
    "battle": DocumentKind(phrase("battle report"), 3, {1: _without_sides, 2: _with_reasons}),
    "table": DocumentKind(phrase("table sheet"), 2, {1: _with_rules}),
    "table-check": DocumentKind(phrase("table check"), 2, {1: _with_reasons}),
    "stop": DocumentKind(phrase("stop sheet"), 2, {1: _with_reasons}),
}
