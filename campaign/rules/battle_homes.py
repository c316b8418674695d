"""Where a war says what a battle file can say: one row for every key of battle files.

A key that nobody can set in a war would make a rule of the books unreachable there, so a new key
needs a row here. docs/reference/battle-homes.md is written from these tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Any

from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.system_terrain import has_breakable_asteroids
from engine.core.kinds import GateShape
from engine.core.terms import (
    ASTEROID_DESTRUCTION,
    FIRE_BY_SHIP,
    FIXED_TABLE,
    JUMP_POINTS,
    MIXED_MOVEMENT,
)


class HomeKind(StrEnum):
    """Who decides a key of a battle file in a war."""

    SCENARIO = "scenario"
    SET_UP = "set-up"
    ORDERS = "orders"
    WORLD = "world"
    UMPIRE = "umpire"
    NONE = "none"


# What each kind of home means, for the reference page.
KIND_WORDS = {
    HomeKind.SCENARIO: "a key of the scenario file",
    HomeKind.SET_UP: "the set-up of a battle",
    HomeKind.ORDERS: "the orders of a week",
    HomeKind.WORLD: "kept from week to week",
    HomeKind.UMPIRE: "made by the program",
    HomeKind.NONE: "not in wars",
}


@dataclass(frozen=True, slots=True)
class BattleHome:
    """Who decides a key of a battle file in a war.

    Attributes:
        words: The key of the scenario or of the orders; for other kinds, where it comes from or why
            wars do not have it.
    """

    key: str
    kind: HomeKind
    words: str


def _scenario(key: str, home: str) -> BattleHome:
    return BattleHome(key, HomeKind.SCENARIO, home)


def _set_up(key: str) -> BattleHome:
    return BattleHome(key, HomeKind.SET_UP, "set_up[].ships")


def _orders(key: str, home: str) -> BattleHome:
    return BattleHome(key, HomeKind.ORDERS, home)


def _world(key: str, words: str) -> BattleHome:
    return BattleHome(key, HomeKind.WORLD, words)


def _umpire(key: str, words: str) -> BattleHome:
    return BattleHome(key, HomeKind.UMPIRE, words)


def _none(key: str, words: str) -> BattleHome:
    return BattleHome(key, HomeKind.NONE, words)


FILE_HOMES = (
    _scenario("edition", "edition"),
    _scenario("options", "options"),
    _scenario("table", "table"),
    _umpire("sides", "the hostile factions in a hex; allies are one side"),
    _umpire("hostile", "factions that decided to fight"),
    _umpire("bogeys", "all contacts, unless the option `known-contacts` is in use"),
    _none("turns", "players give orders stage by stage, or captains do"),
    _none("dice", "the dice of a war come from its seed"),
    _umpire("seed", "from the secret of the war"),
    _umpire("captains", "by the way in which the war fights its battles"),
    _scenario("max_turns", "battles.max_turns"),
    _scenario("deployment", "set_up"),
    _set_up("set_up"),
    _none("victory", "a battle serves the war's own results"),
    _none("jump_edge", "ships leave by disengaging and by FTL"),
    _scenario("no_quarter", "factions[].no_quarter"),
    _scenario("asteroids", "systems[].terrain"),
    _scenario("drift", "systems[].drift"),
    _scenario("terrain", "systems[].terrain"),
    _scenario("flares", "systems[].terrain"),
    _scenario("mines", "systems[].mines"),
    _scenario("ground", "systems[].ground"),
    _scenario("gates", "links[]"),
    _none("scoring", "a battle serves the war's own results"),
    _umpire("rules", "the version of the rules of the war"),
    _none("points", "the budgets of the scenario limit forces"),
    _none("value", "the budgets of the scenario limit forces"),
    _none("limits", "the budgets of the scenario limit forces"),
    _none("without_ftl", "the budgets of the scenario say which ships need FTL drives"),
    _none("identical", "the budgets of the scenario limit forces"),
    _scenario("multi_role", "multi_role"),
    _scenario("barred", "barred"),
    _scenario("allowed", "allowed"),
)
SIDE_HOMES = (
    _umpire("name", "the factions of the side"),
    _umpire("ships", "the ships in the hex that can fight"),
    _none("muster", "forces are chosen at the deployment"),
    _none("based", "fighters fly from the ships and stations of the war"),
    _orders("doctrine", "settings[].doctrine"),
    _scenario("ram_on", "factions[].ram_on"),
    _scenario("withdraws_at", "factions[].withdraws_at"),
    _scenario("navy", "factions[].navy"),
    _none("officers", "players set automatic point defence in the battle"),
)
SHIP_HOMES = (
    _umpire("id", "the id of the ship in the war"),
    _umpire("class", "used only for classes whose design is not known"),
    _orders("design", "deploy[].ships"),
    _set_up("at"),
    _set_up("course"),
    _set_up("velocity"),
    _scenario("movement", "factions[].movement"),
    _set_up("facing"),
    _world("damage", "damage of earlier battles"),
    _world("lost", "systems lost in earlier battles"),
    _world("stock", "what is left of craft, missiles and mines"),
    _orders("settings", "refit[].setting"),
    _world("notes", "what earlier battles left on the record sheet"),
    _umpire("label", "the class of the ship, or what its weasel shows"),
    _umpire("contact", "from the secret of the war"),
    _umpire("dummy", "the decoys that the fleet has deployed"),
    _umpire("thrust", "`decoy_thrust` of the fleet, or that of its fastest look-alike"),
    _umpire("cover", "a Q ship passes for an ordinary freighter"),
    _set_up("ftl_entry"),
    _set_up("gate"),
    _umpire("gates", "the gates of the link by which the fleet came"),
    _orders("carried", "tow[].ships"),
    _scenario("berths", "systems[].stations[].berths"),
    _orders("docked", "dock[].ship"),
    _none("apart", "stations stand where the scenario has them"),
    _umpire("fixed", "stations stand where the scenario has them"),
    _none("boarders", "no fight aboard outlasts a battle"),
    _none("crew", "marines are those of the design"),
    _umpire("section", "from the design"),
    _none("groups", "craft begin in their bays"),
    _umpire("pilots", "rolled or bought at the deployment (`deploy[].pilots`); part of `notes`"),
    _scenario("squadrons", "factions[].dogfights"),
    _set_up("stand"),
    _set_up("orbit"),
)
_NO_CONDITIONS = "a battle serves the war's own results"
CONDITION_HOMES = (
    _none("winner", _NO_CONDITIONS),
    _none("ships", _NO_CONDITIONS),
    _none("fate", _NO_CONDITIONS),
    _none("least", _NO_CONDITIONS),
    _none("at_end", _NO_CONDITIONS),
    _none("reason", _NO_CONDITIONS),
)
ASTEROID_HOMES = (
    _scenario("at", "systems[].terrain"),
    _scenario("radius", "systems[].terrain"),
    _scenario("boxes", "systems[].terrain"),
    _scenario("roll", "systems[].terrain"),
    _scenario("count", "systems[].terrain"),
    _scenario("apart", "systems[].terrain"),
)
TERRAIN_HOMES = (
    _scenario("cloud", "systems[].terrain"),
    _scenario("field", "systems[].terrain"),
    _scenario("debris", "systems[].terrain"),
    _scenario("flares", "systems[].terrain"),
    _scenario("planet", "systems[].terrain"),
)
# The tables by the title that the reference page gives them.
TABLES: dict[str, tuple[BattleHome, ...]] = {
    "The file": FILE_HOMES,
    "Sides": SIDE_HOMES,
    "Ships": SHIP_HOMES,
    "Conditions of victory": CONDITION_HOMES,
    "Asteroids": ASTEROID_HOMES,
    "Terrain": TERRAIN_HOMES,
}

# Options that change nothing unless the battle has something that not every battle has.
OPTION_NEEDS = {
    ASTEROID_DESTRUCTION: "asteroids",
    JUMP_POINTS: "gates",
    MIXED_MOVEMENT: "movement",
}
# Options that change nothing in single battles: their tables are fixed anyway.
OPTIONS_OF_WARS = (FIXED_TABLE,)
# Options that only single battles may have.
OPTIONS_OF_SINGLE_BATTLES = (FIRE_BY_SHIP,)


def options_without_effect(scenario: Scenario) -> tuple[str, ...]:
    """Return the options that would change nothing in any battle of a scenario, or are refused."""
    names = []
    for option, need in OPTION_NEEDS.items():
        if not _has(scenario, need):
            names.append(option)
    if is_skirmish(scenario):
        names += OPTIONS_OF_WARS
    else:
        names += OPTIONS_OF_SINGLE_BATTLES
    return tuple(names)


def _has(scenario: Scenario, key: str) -> bool:
    """Return whether battles of a scenario can have a key of OPTION_NEEDS."""
    if key == "movement":
        return _moves_by_vectors(scenario)
    if is_skirmish(scenario):
        return _battle_has(scenario.battle, key)
    if key == "asteroids":
        return any(map(has_breakable_asteroids, scenario.systems))
    if key == "gates":
        return any(link.kind == GateShape.JUMP_POINT for link in scenario.links)
    return False


def _battle_has(battle: Mapping[str, Any], key: str) -> bool:
    """Return whether a battle has asteroids that fire can break, or jump points."""
    entries = battle.get(key) or ()
    rows = [entries] if isinstance(entries, Mapping) else entries
    if key == "gates":
        return any(row.get("kind") == GateShape.JUMP_POINT for row in rows)
    return any(row.get("boxes") for row in rows)


def _moves_by_vectors(scenario: Scenario) -> bool:
    """Return whether the scenario lets some of its ships move by vectors."""
    if scenario.class_movement or any(faction.movement for faction in scenario.factions):
        return True
    sides: Sequence[dict[str, list[dict[str, str]]]] = scenario.battle.get("sides", ())
    ships = chain.from_iterable(side.get("ships", ()) for side in sides)
    return any("movement" in ship for ship in ships)
