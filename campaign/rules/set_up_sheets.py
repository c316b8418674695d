"""The set-up of a battle as one faction knows it: the zones, and its own ships in their places.

Faults of a set-up follow from this alone, so they reveal nothing about ships of others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from itertools import chain
from typing import Any, cast

from campaign.rules.battle_entries import ship_entry
from campaign.rules.queries import ship_classes, with_known_designs
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.view import SetUpSheet, View
from engine.battle import begin
from engine.core.errors import RuleViolations, Violation
from engine.core.kinds import INBOUND, HullKind
from engine.core.ship import ShipState
from engine.notation.battle_file import BattleFileDocument, ShipEntry, SideEntry
from engine.notation.battles import BattleFile, read_battle
from engine.notation.laid_bodies import with_laid_bodies
from engine.notation.open_bodies import body_owners
from engine.notation.reading import join_place
from engine.notation.terms import laid_asteroids

# What every side may know of a battle file before it sets up. Everything else is left out.
PUBLIC_KEYS = (
    *("edition", "rules", "options", "table", "hostile", "bogeys", "deployment"),
    *("terrain", "gates", "asteroids", "drift", "mines"),
)
RANKS = "ranks"  # the formation of a doctrine that names none but has a reserve
ENTRY = re.compile(r"sides\[(\d+)\]\.ships\[(\d+)\](.*)")  # the place of a fault at a ship
PLACE = "set_up."  # the beginning of the place of a fault in a battle file's set-up


# Of an ally's station: what is needed to see the ships that are docked at it.
STATION_KEYS = ("id", "design", "class", "at", "course", "velocity", "berths", "fixed", "damage")


def sheet_of_side(
    file: BattleFileDocument, hex_: str, side: str, ids: Collection[str]
) -> SetUpSheet:
    """Return what a faction knows of a battle before it sets up.

    Args:
        file: The battle file with all ships in the places that captains propose.
        side: The name of the faction's side.
        ids: The ids of the faction's ships and decoys in the battle.
    """
    file = cast(BattleFileDocument, with_laid_bodies(file))
    sides = []
    for entry in file["sides"]:
        ships = []
        for ship in entry["ships"] if entry["name"] == side else ():
            if ship["id"] in ids:
                hidden_keys = ("contact",) if ship.get("dummy") else ("contact", "design")
                ships.append(_without(ship, hidden_keys))
            elif ship.get("fixed"):
                station: Mapping[str, Any] = ship
                ships.append({key: station[key] for key in STATION_KEYS if key in station})
        sides.append({"name": entry["name"], "ships": ships})
    public_part: dict[str, Any] = {key: value for key, value in file.items() if key in PUBLIC_KEYS}
    if "gates" in file:
        public_part["gates"] = _gates_without_ships(file)
    if "asteroids" in file:
        public_part["asteroids"] = laid_asteroids(file)
    return SetUpSheet(hex_, side, json.dumps({**public_part, "sides": sides}, sort_keys=True))


def _gates_without_ships(file: BattleFileDocument) -> list[dict[str, Any]]:
    """Return the gates of a battle, those on stations only by their place, which is public."""
    places = {}
    for side in file["sides"]:
        for ship in side["ships"]:
            places[ship["id"]] = ship["at"]
    gates = []
    for gate in file["gates"]:
        if "ship" in gate:
            gate = {**_without(gate, ("ship",)), "at": places[gate["ship"]]}
        gates.append(gate)
    return gates


def _without(entry: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in keys}


def sheet_at(view: View, hex_: str) -> SetUpSheet | None:
    """Return what a faction knows of its battle in a hex before it sets up; None without one."""
    return next((sheet for sheet in view.set_ups if sheet.hex == hex_), None)


def known_file(scenario: Scenario, view: View, sheet: SetUpSheet) -> BattleFileDocument:
    """Return the battle file of a sheet, with the designs of the faction's ships."""
    file: dict[str, Any] = json.loads(sheet.file)
    classes = ship_classes(with_known_designs(scenario, view))
    ships = {ship.key: ship for ship in view.ships}
    for side in file["sides"]:
        for entry in side["ships"]:
            ship = ships.get(entry["id"])
            if ship is not None and not (is_skirmish(scenario) and "class" in entry):
                whole_entry: Mapping[str, Any] = ship_entry(scenario, classes, ship)
                for key in ("design", "class"):
                    if key in whole_entry:
                        entry[key] = whole_entry[key]
    return cast(BattleFileDocument, file)


def own_entries(file: BattleFileDocument, sheet: SetUpSheet) -> list[ShipEntry]:
    """Return the entries of a faction's own ships in the battle file of its sheet."""
    return next(side["ships"] for side in file["sides"] if side["name"] == sheet.side)


def own_ids(sheet: SetUpSheet) -> list[str]:
    """Return the ids of a faction's own ships and decoys in the battle of its sheet."""
    sides = json.loads(sheet.file)["sides"]
    own_side = next(side for side in sides if side["name"] == sheet.side)
    return [ship["id"] for ship in own_side["ships"]]


def place_faults(
    file: BattleFileDocument, places: Mapping[str, Any], where: str
) -> list[Violation]:
    """Return every fault of places that a faction chose for its ships.

    Args:
        file: The battle file as the faction knows it, from `known_file`.
        places: The place of each ship by its id, as in a battle file's `set_up`.
        where: Where these places are in their document.
    """
    try:
        read_battle({**file, "set_up": dict(places)}, {})
    except RuleViolations as refused:
        faults = []
        for fault in refused.violations:
            spot = _spot_of(file, fault.where)
            faults.append(Violation(join_place(where, spot), fault.code, fault.message))
        return faults
    return []


def _spot_of(file: BattleFileDocument, where: str) -> str:
    """Return the place of a fault of a battle file among the places of ships; "" for all of them.

    A ship without a place of its own has a fault too if another one no longer fits it, such as the
    station at which it is docked.
    """
    if where.startswith(PLACE):
        return where.removeprefix(PLACE)
    match = ENTRY.match(where)
    if match is None:
        return ""
    ship = file["sides"][int(match[1])]["ships"][int(match[2])]
    return f"{ship['id']}{match[3]}"


def side_with_doctrine(
    side: SideEntry,
    doctrine: Mapping[str, Any],
    formation: str,
    places: Collection[str],
) -> SideEntry:
    """Return a side whose captain places its ships as a doctrine says.

    Args:
        formation: The formation that was ordered for this battle; "": that of the doctrine.
        places: The ids of the ships that were placed one by one.
    """
    chosen = {key: doctrine[key] for key in ("formation", "reserve") if doctrine.get(key)}
    if doctrine.get("speed") is not None:
        chosen["speed"] = doctrine["speed"]
    if formation:
        chosen["formation"] = formation
    if "reserve" in chosen:
        chosen.setdefault("formation", RANKS)
    if not chosen:
        return side
    ships = []
    for ship in side["ships"]:
        entry: dict[str, Any] = dict(ship)
        if "formation" in chosen and not _has_fixed_place(ship, places):
            entry.pop("at", None)
            entry.pop("course", None)
        if "speed" in chosen and not _is_installation(ship):
            entry.pop("velocity", None)
        ships.append(entry)
    return cast(SideEntry, {**side, "ships": ships, "doctrine": chosen})


def _has_fixed_place(ship: ShipEntry, places: Collection[str]) -> bool:
    """Return whether a formation does not decide a ship's place.

    It was chosen, follows from the other sections of its starbase, or the ship is a station, docked
    or aboard another.
    """
    if ship["id"] in places:
        return True
    return any(key in ship for key in ("section", "carried", "docked", "fixed"))


def _is_installation(ship: ShipEntry) -> bool:
    design = ship.get("design")
    return design is not None and design.get("kind") == HullKind.INSTALLATION


def settle_places(file: BattleFileDocument) -> BattleFileDocument:
    """Return a battle file in which the places that captains choose are written out.

    Raises:
        RuleViolations: The battle cannot begin as its file says.
    """
    file = cast(BattleFileDocument, with_laid_bodies(file))
    return with_settled_places(file, read_battle(file, {}))


def with_every_place(file: BattleFileDocument) -> BattleFileDocument:
    """Return a battle file in which captains have placed each ship and body that had no place.

    Raises:
        RuleViolations: The battle cannot begin as its file says.
    """
    ships = chain.from_iterable(side["ships"] for side in file["sides"])
    has_places = all("at" in ship for ship in ships)
    if has_places and not body_owners(file):
        return file
    return settle_places(file)


def with_settled_places(file: BattleFileDocument, battle_file: BattleFile) -> BattleFileDocument:
    """Return a battle file, which was read, with the places that captains choose written out."""
    ships = {str(ship.id): ship for ship in begin(battle_file).state.ships}
    sides = []
    for side in file["sides"]:
        entries = [_settled_entry(entry, ships[entry["id"]]) for entry in side["ships"]]
        sides.append({**_without(side, ("doctrine",)), "ships": entries})
    return cast(BattleFileDocument, {**file, "sides": sides})


def _settled_entry(entry: ShipEntry, ship: ShipState) -> ShipEntry:
    """Return a ship's entry with the place, course and velocity at which it begins."""
    result: dict[str, Any] = {"course": ship.course, "velocity": ship.velocity, **entry}
    if "at" not in entry:
        result["at"] = [ship.x, ship.y]
        if ship.status == INBOUND:
            result["ftl_entry"] = ship.due
    return cast(ShipEntry, result)
