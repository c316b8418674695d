"""The kinds of documents a war stores, and one step for each of their versions that was raised
(`engine.core.schemas`).

A step takes the body of a document of its version and gives a new one of the next; the old one is
left as it is.
"""

from __future__ import annotations

from engine.core.kinds import FtlDrive
from engine.core.phrase import phrase
from engine.core.schemas import RULES_OF_THE_FIRST, Body, DocumentKind
from engine.core.sheet import Sheet
from engine.notation.designs import load_sheet
from engine.ship_profiles import full_stock


def _ship(ship: Body) -> Body:
    """What was `spent`, once and for all, has nothing left in `stock`."""
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
    """The full stock of a class from its design; one without a design has one of each
    expendable.
    """
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
    """Hangars of Continuum are part of the full stock of their classes; before, they held
    nothing.
    """
    return {**body, "catalogue": [_stocked(cls) for cls in body.get("catalogue", ())]}


def _stocked(cls: Body) -> Body:
    if not cls.get("design"):
        return cls
    return {**cls, "stock": _full(load_sheet(cls["design"]))}


def _with_terrain(body: Body) -> Body:
    """Systems say what lies on the table of battles there; before, nothing did."""
    return {**body, "systems": [{**system, "terrain": []} for system in body.get("systems", ())]}


def _with_nerve(body: Body) -> Body:
    """Factions say when they withdraw, whose yards built their ships, and to whom they never
    strike; before, nobody.
    """
    nerve = {"withdraws_at": 50, "navy": "", "no_quarter": []}
    return {**body, "factions": [{**faction, **nerve} for faction in body.get("factions", ())]}


def _with_ground(body: Body) -> Body:
    """Systems say what is on their planets, and conditions of victory count ruins; before, there
    was nothing there.
    """
    systems = [{**system, "ground": []} for system in body.get("systems", ())]
    return {
        **body,
        "systems": systems,
        "victory": [{**condition, "ruins": ""} for condition in body.get("victory", ())],
    }


def _with_sources(body: Body) -> Body:
    """Sightings say how they were made; before, all were long range scans."""
    sightings = [{**item, "source": "scan"} for item in body.get("sightings", ())]
    return {**body, "sightings": sightings}


def _with_rules(sheet: Body) -> Body:
    """The sheet of a table says by which rules its battle is fought."""
    return {**sheet, "rules": RULES_OF_THE_FIRST}


def _without_sides(report: Body) -> Body:
    """The report of a battle names its sides in the order of their numbers; before, it did not
    say.
    """
    return {**report, "sides": []}


def _with_reasons(body: Body) -> Body:
    """Reasons are a code and values; an older document keeps their English texts, which readers
    find again.
    """
    return body


WORLD = DocumentKind("world", 2, {1: _world})
VIEW = DocumentKind("view", 4, {1: _ships, 2: _with_sources, 3: _with_reasons})
SCENARIO = DocumentKind(
    "scenario", 6, {1: _scenario, 2: _with_craft, 3: _with_terrain, 4: _with_nerve, 5: _with_ground}
)

# What factions hand in: the orders of a week, and those at a stop of a battle.
ORDERS = DocumentKind("orders", 1, {})
STOP_ORDERS = DocumentKind(phrase("orders at a stop"), 1, {})

# A stop of a battle as it was played: {inputs, events, views}; its number stands in the column
# beside it.
BATTLE_STOP = DocumentKind(phrase("battle stop"), 2, {1: _with_reasons})

# What is handed to factions (`campaign.models.knowledge`), by kind; its number stands in the column
# beside it.
REPORTS: dict[str, DocumentKind] = {
    "stage": DocumentKind(phrase("stage report"), 2, {1: _with_reasons}),
    "battle": DocumentKind(phrase("battle report"), 3, {1: _without_sides, 2: _with_reasons}),
    "table": DocumentKind(phrase("table sheet"), 2, {1: _with_rules}),
    "table-check": DocumentKind(phrase("table check"), 2, {1: _with_reasons}),
    "stop": DocumentKind(phrase("stop sheet"), 2, {1: _with_reasons}),
}
