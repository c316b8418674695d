"""Single battles by points, in which sides choose their ships before the battle.

The battle file of such a scenario has sides with `muster` instead of ships. The fleets that the
players seal in the deployment take their places (`battle_with_fleets`).

Rules: Continuum "Tournament fleets" 18.2 [camp.one-off]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.rules.queries import ship_classes
from campaign.rules.scenario import Scenario
from engine.core.errors import RuleViolations, Violation
from engine.core.kinds import Edge, HullKind
from engine.core.reason import reason
from engine.core.sheet import Sheet
from engine.core.terms import CPV
from engine.design.fleets import CAPITAL, CRUISER, ESCORT
from engine.design.restrictions import system_groups
from engine.notation.battles import read_battle
from engine.notation.designs import sheet_once
from engine.notation.fleet_limits import (
    BY_POINTS,
    JUDGED_KEYS,
    MUSTER,
    VALUE,
    Fleet,
    FleetLimits,
    fleet_faults,
    read_fleet_limits,
)
from engine.notation.reading import Reader, is_pair
from engine.notation.restrictions import RESTRICTION_KEYS
from engine.prices.system_price import MINES
from engine.ruleset import rules_of

MAX_SHIPS = 60  # of a side, decoys included, so that a battle can be computed in seconds
MAX_PROPOSED = 20  # ships of a proposed fleet
DEAREST_SHARE = 4  # the dearest ship of a proposed fleet costs at most this part of the points
USUAL_TABLE = (72, 48)  # MU
DEEP = 6  # MU from the edge of the table
EDGES = (Edge.LEFT, Edge.RIGHT, Edge.BOTTOM, Edge.TOP)  # in the order of sides

FLEET_KEYS = (*JUDGED_KEYS, *RESTRICTION_KEYS)  # keys of battle files that limit fleets

Battle = Mapping[Any, Any]  # the document of a battle file


def mustering_sides(battle: Battle) -> list[str]:
    """Return the names of the sides that choose their ships before the battle."""
    return [name_of(side) for side in battle["sides"] if MUSTER in side]


def name_of(side: Mapping[str, Any]) -> str:
    """Return the name of a side, which may be missing in a file with faults."""
    return str(side.get("name"))


def deployment_of(battle: Battle) -> dict[str, Any]:
    """Return a deployment as a table, so that ships need no course and no velocity.

    Without one, two sides meet, and more have zones along the edges, as in wars.
    """
    deployment = battle.get("deployment")
    if isinstance(deployment, str):
        return {"kind": deployment}
    if isinstance(deployment, dict):
        return deployment
    names = [name_of(side) for side in battle["sides"]]
    if len(names) == 2:
        return {"kind": "meeting"}
    return {"zones": edge_zones(names, _table_size(battle))}


def _table_size(battle: Battle) -> tuple[int, int]:
    """Return the width and height of the table in MU; the usual ones if they have faults."""
    table = battle.get("table")
    if is_pair(table) and all(isinstance(length, (int, float)) for length in table):
        return int(table[0]), int(table[1])
    return USUAL_TABLE


def edge_zones(names: Sequence[str], table: tuple[int, int]) -> dict[str, dict[str, Any]]:
    """Return zones along the edges of the table; more than four sides share the left and right."""
    if len(names) <= len(EDGES):
        zones = {}
        for name, edge in zip(names, EDGES, strict=False):
            zones[name] = {"edge": str(edge), "deep": DEEP, "ftl": True}
        return zones
    width, height = table
    rows = (len(names) + 1) // 2
    zones = {}
    for number, name in enumerate(names):
        bottom = height * (number // 2) // rows
        top = height * (number // 2 + 1) // rows
        left = 0 if number % 2 == 0 else width - DEEP
        zones[name] = {"box": [left, bottom, left + DEEP, top], "ftl": True}
    return zones


def battle_with_fleets(
    battle: Battle, ships_by_side: Mapping[str, Sequence[Any]]
) -> dict[str, Any]:
    """Return a battle file in which the sides have these ships instead of `muster`."""
    sides = []
    for side in battle["sides"]:
        if MUSTER in side:
            side = {key: value for key, value in side.items() if key != MUSTER}
            side["ships"] = list(ships_by_side[name_of(side)])
        sides.append(side)
    return {**battle, "sides": sides}


def most_ships(battle: Battle) -> int:
    """Return the greatest number of ships that can take part in a battle."""
    total = 0
    for side in battle["sides"]:
        total += MAX_SHIPS if MUSTER in side else len(side["ships"])
    return total


def example_battle(scenario: Scenario) -> dict[str, Any]:
    """Return the battle of a scenario, with the proposed fleets of sides that choose their own."""
    designs = {cls.name: cls.design for cls in scenario.catalogue}
    ships_by_side = {}
    for faction, fleets in scenario.defaults:
        counts = {cls: count for fleet in fleets for cls, count in fleet.ships}
        ships_by_side[faction] = _entries(f"{faction}/s", counts, designs)
    return battle_with_fleets(scenario.battle, ships_by_side)


def proposed_entries(
    prefix: str, counts: Mapping[str, int], sheets: Mapping[str, Sheet]
) -> list[dict[str, Any]]:
    """Return the ships of a proposed fleet as entries of a battle file.

    Args:
        prefix: Of the ships' ids.
    """
    designs = {cls: sheets[cls].design for cls in counts}
    return _entries(prefix, counts, designs)


def _entries(
    prefix: str, counts: Mapping[str, int], designs: Mapping[str, Any]
) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    for cls, count in counts.items():
        for _ in range(count):
            entries.append({"id": f"{prefix}{len(entries) + 1}", "design": designs[cls]})
    return entries


def limits_of(battle: Battle) -> FleetLimits:
    """Return the limits of the fleets of a battle file without faults."""
    return read_fleet_limits(Reader(), battle)


def muster_options(battle: Battle, options: Sequence[str]) -> tuple[str, ...]:
    """Return the options of a battle; with fleets by combat points, all prices are these."""
    if battle.get(VALUE) == CPV and mustering_sides(battle):
        return tuple(dict.fromkeys((*options, CPV)))
    return tuple(options)


def proposed_fleet(
    sheets: Iterable[Sheet], limits: FleetLimits, options: Sequence[str]
) -> dict[str, int]:
    """Return a valid fleet of warships, as numbers of ships by class; empty if there is none.

    It adds in turn the dearest escort, cruiser and capital ship that the limits still allow. No
    ship costs more than a quarter of the points, unless the catalogue has no cheaper one.
    """
    candidates = [sheet for sheet in sheets if _is_proposable(sheet, limits)]
    candidates.sort(key=lambda sheet: (-sheet.points, sheet.cls))
    points = limits.points or 0
    dearest = points // DEAREST_SHARE
    chosen: list[Sheet] = []
    is_growing = True
    while is_growing and len(chosen) < MAX_PROPOSED:
        is_growing = False
        for kind in (ESCORT, CRUISER, CAPITAL):
            of_kind = [sheet for sheet in candidates if sheet.classification == kind]
            affordable = [sheet for sheet in of_kind if sheet.points <= dearest]
            sheet = _first_allowed(affordable or of_kind[-1:], chosen, limits, options)
            if sheet is not None:
                chosen.append(sheet)
                is_growing = True
    counts: dict[str, int] = {}
    for sheet in chosen:
        counts[sheet.cls] = counts.get(sheet.cls, 0) + 1
    return counts


def _first_allowed(
    sheets: Iterable[Sheet], chosen: Sequence[Sheet], limits: FleetLimits, options: Sequence[str]
) -> Sheet | None:
    """Return the first ship that a fleet may add under its limits; None if it may add none."""
    for sheet in sheets:
        if not any(fleet_faults(Fleet((*chosen, sheet)), limits, options)):
            return sheet
    return None


def _is_proposable(sheet: Sheet, limits: FleetLimits) -> bool:
    """Return whether a ship fights on its own: no merchant, station or part of a larger ship.

    Ships for mine warfare are left out, because they have hardly any guns.
    """
    if sheet.kind != HullKind.WARSHIP or sheet.points < 1 or sheet.design.get("section"):
        return False
    mine_warfare = system_groups(rules_of(sheet.edition)).get(MINES, ())
    if any(fit.type in mine_warfare for fit in sheet.fits):
        return False
    has_ftl = not any(fleet_faults(Fleet((sheet,)), FleetLimits(are_judged=True), ()))
    return has_ftl or limits.without_ftl


def muster_faults(
    scenario: Scenario, faction: str, ships: Sequence[tuple[str, str]], decoys: int, where: str
) -> list[Violation]:
    """Return the faults of the fleets of a side under the limits of its battle.

    Points and FTL drives are judged by the side's budget.

    Args:
        ships: The class of each ship, and where it is named.
        where: The place of faults of the fleets as a whole.
    """
    if not ships:
        return []  # the side gets the proposed fleet
    if len(ships) + decoys > MAX_SHIPS:
        words = reason("too-many-mustered", "a side can have at most {} ships", MAX_SHIPS)
        return [Violation(where, "too-many-ships", words)]
    classes = ship_classes(scenario)
    known_ships = [(name, spot) for name, spot in ships if name in classes]
    designs = [classes[name].design for name, _ in known_ships]
    fleet = Fleet(
        tuple(sheet_once(repr(design), design, scenario.options) for design in designs),
        places=tuple(spot for _, spot in known_ships),
    )
    limits = replace(limits_of(scenario.battle), points=None, without_ftl=True, value=BY_POINTS)
    faults = []
    for fault in fleet_faults(fleet, limits, scenario.options):
        faults.append(Violation(fault.where or where, fault.code, fault.message))
    for fault in _battle_faults(scenario, faction, designs):
        faults.append(Violation(where, fault.code, fault.message))
    return faults


def _battle_faults(
    scenario: Scenario, faction: str, designs: Sequence[Mapping[str, Any]]
) -> tuple[Violation, ...]:
    """Return the faults of the battle file with these ships of a side, so that it can begin."""
    example = example_battle(scenario)
    entries = []
    for number, design in enumerate(designs, start=1):
        entries.append({"id": f"{faction}/s{number}", "design": design})
    sides = []
    for side in example["sides"]:
        sides.append({**side, "ships": entries} if name_of(side) == faction else side)
    document = {key: value for key, value in example.items() if key not in FLEET_KEYS}
    try:
        read_battle({**document, "options": list(scenario.options), "sides": sides}, {})
    except RuleViolations as refused:
        return refused.violations
    return ()
