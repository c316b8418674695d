"""Pilots of fighter groups in a war: who is piloted, and aces that a faction buys.

Rules: Continuum "Fighter pilot quality" 8.18 [pc.bought-aces]
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from campaign.rules.scenario import ACES_BOUGHT, Scenario, ShipClass
from campaign.rules.world import Ship
from engine.continuum.craft.morale import is_piloted
from engine.continuum.craft.pilots import PILOTS_BY_DIE
from engine.core.dice import Dice
from engine.core.errors import Violation
from engine.core.kinds import ACE, AVERAGE, PILOTS
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.terms import ACES
from engine.core.versions import PILOTS_AT_DEPLOYMENT, follows
from engine.craft.registry import craft_type
from engine.notation.designs import unchecked_sheet
from engine.notation.reading import Reader
from engine.ship_profiles import profile_of

ACE_POINTS = 18  # ours: as much as a group of standard fighters
ACES_BY_DICE = "dice"
Pilots = Mapping[str, Mapping[str, str]]


def read_aces(reader: Reader, data: Mapping[object, object], options: Sequence[str]) -> str:
    """Return how pilots of a scenario become aces: `bought`, or "" for dice.

    Rules: Continuum "Fighter pilot quality" 8.18 [pc.bought-aces]
    """
    if "aces" not in data:
        return ""
    value = reader.choice(data, "aces", (ACES_BY_DICE, ACES_BOUGHT))
    if value == ACES_BOUGHT and ACES not in options:
        words = phrase("this needs the optional rule '{}'", ACES)
        reader.fault("aces", "no-pilots", words)
    return ACES_BOUGHT if value == ACES_BOUGHT else ""


def piloted_bays(cls: ShipClass) -> tuple[str, ...]:
    """Return the bays of a class that hold fighters with pilots, in the order of its sheet."""
    if not cls.design:
        return ()
    return _piloted_bays(json.dumps(cls.design, sort_keys=True))


@lru_cache(maxsize=512)
def _piloted_bays(design: str) -> tuple[str, ...]:
    """Return the bays of a design, given as JSON, that hold fighters with pilots."""
    sheet = unchecked_sheet(json.loads(design))
    profile = profile_of(sheet)
    bays = []
    for index in profile.bays:
        if profile.craft[index] and is_piloted(craft_type(profile.craft[index])):
            bays.append(sheet.fits[index].id)
    return tuple(bays)


def count_aces(pilots: object) -> int:
    """Return how many aces a stored deployment of a fleet buys; its form may be wrong."""
    if not isinstance(pilots, Mapping):
        return 0
    return sum(len(bays) for bays in pilots.values() if isinstance(bays, Mapping))


def first_aces(
    classes: Mapping[str, ShipClass], ships: Sequence[Sequence[str]], count: int
) -> dict[str, dict[str, str]]:
    """Return the pilots of a fleet whose first groups have aces.

    Args:
        ships: The class and name of each ship of the fleet.
        count: How many aces it has; those for which there is no group are left out.
    """
    pilots: dict[str, dict[str, str]] = {}
    for cls, name in ships:
        for bay in piloted_bays(classes[cls]) if cls in classes else ():
            if count <= 0:
                return pilots
            pilots.setdefault(name, {})[bay] = ACE
            count -= 1
    return pilots


def pilot_faults(
    scenario: Scenario,
    classes: Mapping[str, ShipClass],
    ships: Sequence[tuple[str, str]],
    pilots: Pilots,
    where: str,
) -> Iterator[Violation]:
    """Yield the faults of the aces that a fleet buys.

    Args:
        ships: The class and name of each ship of the fleet.
    """
    if not pilots:
        return
    if scenario.aces != ACES_BOUGHT:
        words = reason("aces-not-for-sale", "aces cannot be bought in this war")
        yield Violation(where, "no-pilots", words)
        return
    class_of = {name: classes.get(cls) for cls, name in ships}
    for ship, bays in pilots.items():
        spot = f"{where}.{ship}"
        if ship not in class_of:
            words = reason("no-such-ship-in-fleet", "the fleet has no ship '{}'", ship)
            yield Violation(spot, "unknown-ship", words)
            continue
        cls = class_of[ship]
        known_bays = () if cls is None else piloted_bays(cls)
        for bay, quality in bays.items():
            if bay not in known_bays:
                words = reason(
                    "no-piloted-bay", "{} has no fighters with pilots in '{}'", ship, bay
                )
                yield Violation(f"{spot}.{bay}", "pilots", words)
            elif quality != ACE:
                words = reason("only-aces-for-sale", "only an ace can be bought, not '{}'", quality)
                yield Violation(f"{spot}.{bay}", "pilots", words)


def with_aces(ship: Ship, pilots: Pilots) -> Ship:
    """Return a ship with the aces that were bought for its bays."""
    notes = dict(ship.notes)
    for bay, quality in pilots.get(ship.name, {}).items():
        notes[f"pilots:{bay}"] = PILOTS.index(quality)
    return replace(ship, notes=tuple(sorted(notes.items())))


def roll_pilots(
    scenario: Scenario,
    classes: Mapping[str, ShipClass],
    ships: Sequence[Ship],
    dice: Dice,
    rules: str,
) -> list[Ship]:
    """Return the ships of a deployment with the quality of their pilots, by dice.

    In wars of older rules, and for ships that come later, the dice are rolled in the first battle.

    Rules: Continuum "Fighter pilot quality" 8.18 [pc.bought-aces]
    """
    is_known_early = ACES in scenario.options and follows(rules, PILOTS_AT_DEPLOYMENT)
    if not is_known_early or scenario.aces == ACES_BOUGHT:
        return list(ships)
    result = []
    for ship in ships:
        notes = dict(ship.notes)
        for bay in piloted_bays(classes[ship.cls]):
            die = dice.roll("ace", f"{ship.key}/{bay}")
            notes[f"pilots:{bay}"] = PILOTS.index(PILOTS_BY_DIE[die])
        result.append(replace(ship, notes=tuple(sorted(notes.items()))))
    return result


def average_pilots(
    scenario: Scenario, cls: ShipClass | None, notes: Mapping[str, int]
) -> dict[str, int]:
    """Return the notes of a ship in which groups without a bought ace have average pilots."""
    result = dict(notes)
    if scenario.aces != ACES_BOUGHT or cls is None:
        return result
    for bay in piloted_bays(cls):
        result.setdefault(f"pilots:{bay}", PILOTS.index(AVERAGE))
    return result
