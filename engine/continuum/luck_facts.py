"""What a battle's file and its events so far say about dice, for the luck account of Continuum.

Events do not name advanced screens, models of mounts, kinds of ordnance or used endurance. Where
the file and earlier events do not say them either, dice are not counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.continuum.aiming import STERN_REACH
from engine.core.luck import Event
from engine.core.terms import ACES, CIVIL_WAR, DOGFIGHT_ACTIONS
from engine.craft.fighters import ENDURANCE
from engine.pieces.craft_events import (
    GroupAssisted,
    GroupEvaded,
    GroupFiredAtOrdnance,
    SecondaryMove,
)
from engine.pieces.group_events import FightersFired, GroupLaunched
from engine.pieces.hangar_events import GroupHalfFuelled
from engine.pieces.marker import OrdnanceLaunched, RocketsLaunched, ShapedBolt
from engine.systems.defences import ADVANCED_AREA, ADVANCED_SCREEN, CLOAKS, MAX_ADVANCED, PLAIN_AREA

# Systems that change dice without a trace in the event, as civil wars do.
CHANGES_DICE = frozenset({*CLOAKS, *STERN_REACH, "holofield"})
# Bays of craft, and systems that cover craft.
BAYS = frozenset({"hangar", "combined-hangar", "fighter-rack", "gunboat-rack", "boat-bay"})
COVERS = frozenset({PLAIN_AREA, ADVANCED_AREA})
PLAIN_SCREEN = "screen"
ADVANCED = frozenset({ADVANCED_SCREEN, ADVANCED_AREA})
STANDARD = "standard"  # craft whose dice have no modifier
LAUNCHES = frozenset({OrdnanceLaunched.kind, RocketsLaunched.kind, ShapedBolt.kind})
# Events that cost a group endurance: those that cost it once in a turn, and those that cost it each
# time.
PAID_ONCE = frozenset({FightersFired.kind, GroupFiredAtOrdnance.kind, GroupAssisted.kind})
PAID_EACH_TIME = frozenset({SecondaryMove.kind, GroupEvaded.kind})
# All events that `BattleFacts.notice` learns from.
NOTICED = LAUNCHES | PAID_ONCE | PAID_EACH_TIME | {GroupLaunched.kind, GroupHalfFuelled.kind}


class BattleFacts:
    """What is known about the dice of a battle; `notice` learns from its events in order.

    Attributes:
        has_hidden_modifiers: Its dice may be changed without a trace in its events.
        has_only_standard_craft: All its craft are standard fighters, which nothing covers.
        has_known_endurance: The endurance of all its groups follows from its events.
        options: The agreed options.
    """

    def __init__(self, start: Mapping[str, Any]) -> None:
        self.options = frozenset(start.get("options", ()))
        ships = list(_ships(start))
        systems = [system for ship in ships for system in _systems(ship)]
        types = frozenset(system["type"] for system in systems)
        has_designs = all("design" in ship for ship in ships)
        self._designs = {ship["id"]: _systems(ship) for ship in ships if "design" in ship}
        self._area_types = types & COVERS if has_designs else None
        self.has_hidden_modifiers = CIVIL_WAR in self.options or bool(types & CHANGES_DICE)
        self.has_only_standard_craft = has_designs and all(map(_is_standard, systems))
        self.has_known_endurance = not (
            self.options & {ACES, DOGFIGHT_ACTIONS}
            or any(ship.get("groups") or ship.get("craft_figures") for ship in ships)
        )
        self._launchers: dict[str, str] = {}
        self._used_endurance: dict[str, int] = {}
        self._paid: set[tuple[str, int]] = set()

    def notice(self, event: Event) -> None:
        """Learn from an event which weapon launched ordnance, and what endurance a group used."""
        kind = event["event"]
        if kind in LAUNCHES:
            self._launchers[event["marker"]] = type_of(event["weapon"])
        elif kind == GroupLaunched.kind:
            self._used_endurance[event["group"]] = 0
            self._paid.discard((event["group"], event["turn"]))
        elif kind == GroupHalfFuelled.kind:
            self._used_endurance[event["group"]] = event["used_endurance"]
        elif kind in PAID_EACH_TIME:
            self._pay(event["group"])
        elif kind in PAID_ONCE and (event["group"], event["turn"]) not in self._paid:
            self._paid.add((event["group"], event["turn"]))
            self._pay(event["group"])

    def _pay(self, group: str) -> None:
        """Count a point of endurance of a group."""
        self._used_endurance[group] = self._used_endurance.get(group, 0) + 1

    def may_be_exhausted(self, group: str) -> bool:
        """Return whether a group of standard fighters may have used up its endurance."""
        return self._used_endurance.get(group, 0) >= ENDURANCE

    def launcher_of(self, marker: str) -> str:
        """Return the type of the weapon that launched a marker; "" if no ship did."""
        return self._launchers.get(marker, "")

    def advanced_levels(self, event: Event) -> int | None:
        """Return how many levels of the screens that a shot met are advanced; None if unknown."""
        levels: int = event["screens"]
        if not levels:
            return 0
        own = self._designs.get(event["target"])
        if own is None or self._area_types is None:
            return None
        kinds = {system["type"] for system in own} & {PLAIN_SCREEN, ADVANCED_SCREEN}
        kinds |= self._area_types
        if not kinds & ADVANCED:
            return 0
        return min(levels, MAX_ADVANCED) if kinds <= ADVANCED else None

    def model_of(self, ship: str, weapon: str) -> str | None:
        """Return the model of a ship's mount, such as `heavy-graser-2`; None if it is unknown."""
        type_, _, number = weapon.rpartition("-")
        place = int(number)
        for system in self._designs.get(ship, ()):
            if system["type"] == type_:
                place -= system.get("count", 1)
                if place <= 0:
                    model: str = system.get("model", "")
                    return model
        return None


def type_of(weapon: str) -> str:
    """Return the type of a weapon from its id, such as `k-gun-1`."""
    return weapon.rpartition("-")[0]


def _ships(start: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the ships of a battle's file."""
    for side in start["sides"]:
        yield from side["ships"]


def _systems(ship: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """Return the systems of a ship's design."""
    return tuple(ship.get("design", {}).get("systems", ()))


def _is_standard(system: Mapping[str, Any]) -> bool:
    """Return whether a system holds no craft but standard fighters, and covers none."""
    if system["type"] not in BAYS:
        return system["type"] not in COVERS
    return set(system.get("load") or {"": 0}) == {STANDARD} and not system.get("mods")
