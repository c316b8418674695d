"""What dice of Continuum do, for the luck account.

Only what follows from the event and from the designs of the battle is counted. Not counted are
weapons whose dice depend on advanced screens or on settings that events do not name (submunitions,
heavy grasers, fusion arrays, phasers), dogfights (a group may have been exhausted), and fire of and
at craft in battles with any other craft than standard fighters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from engine.continuum.aiming import STERN_REACH
from engine.core.luck import (
    COMMON,
    Counting,
    Event,
    Outcome,
    Outcomes,
    Part,
    Pmf,
    compound,
    hit_or_miss,
    plain_dice,
    pmf_of_faces,
    pmf_of_success,
    pmf_with_rerolls,
)
from engine.core.rolls import BEAM_HITS, D3, D6, NO_REROLL_LEVEL
from engine.core.terms import CIVIL_WAR
from engine.events.damage import ExplosionDamage
from engine.events.fire import GunFired
from engine.pieces.craft_events import PointDefenceAtCraft
from engine.pieces.group_events import FightersFired
from engine.pieces.marker import OrdnanceStruck
from engine.systems.defences import CLOAKS
from engine.weapons import beams, grasers, kinetics, plasma, point_defence, torpedoes
from engine.weapons.guard import BY_PDS, PointDefenceTarget
from engine.weapons.plasma import PLASMA_HITS

# Systems that change dice without a trace in the event, as civil wars do.
CHANGES_DICE = frozenset({*CLOAKS, *STERN_REACH, "holofield"})
BEAM_TYPES = frozenset(weapon.type for weapon in beams.CONTINUUM)
TORPEDO_TYPES = frozenset(weapon.type for weapon in torpedoes.CONTINUUM)
GRASER, _HEAVY_GRASER = (weapon.type for weapon in grasers.CONTINUUM)
PLASMA_CANNON, _PLASMA_BOLT = (weapon.type for weapon in plasma.CONTINUUM)
K_GUN, PENETRATOR = (weapon.type for weapon in kinetics.CONTINUUM)
PDS, ADS, _SCATTERGUN, GRAPESHOT = (weapon.type for weapon in point_defence.CONTINUUM)
GUN_TYPES = frozenset({K_GUN, PENETRATOR})
DEFENCE_TYPES = frozenset({PDS, ADS, GRAPESHOT})  # a 6 is a point at ships
DEFENCE_POINTS = (0, 0, 0, 0, 0, 0, 1)
DOUBLING_FACES = 5  # a 6 never doubles a K-gun's points
CRAFT_DEFENCES = frozenset({PDS, ADS})
# Bays of craft, and systems that cover craft.
BAYS = frozenset({"hangar", "combined-hangar", "fighter-rack", "gunboat-rack", "boat-bay"})
COVERS = frozenset({"area-screen", "advanced-area-screen"})
STANDARD = "standard"  # craft whose dice have no modifier
STRIKE = "strike"  # armament of fighters that fire at a ship


def counted_dice(start: Mapping[str, Any]) -> Mapping[str, Counting]:
    """Return the functions that count dice, by the kind of event.

    Fire is not counted in battles in which something may have changed its dice unseen.
    """
    if _has_hidden_modifiers(start):
        return COMMON
    return {**COUNTED, **CRAFT} if _has_only_standard_craft(start) else COUNTED


def _gun(event: Event) -> Outcomes | None:
    """Return the outcome of a weapon of a ship; None for weapons that are not counted."""
    type_ = event["weapon"].rpartition("-")[0]
    if type_ in BEAM_TYPES:
        return _beam_dice(Part.BEAMS, event["ship"], event)
    if type_ in TORPEDO_TYPES:
        # Damage depends on screens that the event does not name, so only hits are counted.
        return _hit(Part.TORPEDO_HITS, event)
    if type_ in GUN_TYPES:
        return _projectile(event, has_second_die=type_ == K_GUN)
    if type_ == GRASER:
        return _rerolled(Part.GRASERS, event["ship"], graser_pmf(event["screens"]), event)
    if type_ == PLASMA_CANNON:
        return _rerolled(Part.PLASMA, event["ship"], plasma_pmf(event["screens"]), event)
    if type_ in DEFENCE_TYPES:
        return plain_dice(Part.DEFENCE_GUNS, event["ship"], DEFENCE_POINTS, event)
    return None


def _beam_dice(part: Part, subject: str, event: Event) -> Outcomes:
    """Return the outcome of beam dice."""
    level = event["screens"]
    return _rerolled(part, subject, _beam_pmf(level), event)


def _rerolled(part: Part, subject: str, pmf: Pmf, event: Event) -> Outcomes:
    """Return the outcome of dice of which each 6 is rolled again, below level 3 of screens."""
    dice = event["dice"]
    count = len(dice)
    if event.get("screens", 0) < NO_REROLL_LEVEL:
        count -= dice.count(6)  # each 6 is followed by one more die
    return (Outcome(part, subject, pmf, count, event["hits"], len(dice)),)


@cache
def _beam_pmf(level: int) -> Pmf:
    """Return the distribution of the hits of a beam die with its re-rolls."""
    if level >= NO_REROLL_LEVEL:
        return pmf_of_faces(BEAM_HITS[level])
    return pmf_with_rerolls(BEAM_HITS[level], BEAM_HITS[0])


@cache
def graser_pmf(level: int) -> Pmf:
    """Return the distribution of the points of a graser's die: a D3 for each hit."""
    return compound(_beam_pmf(level), pmf_of_faces(D3))


@cache
def plasma_pmf(level: int) -> Pmf:
    """Return the distribution of the points of a plasma cannon's die."""
    if level >= NO_REROLL_LEVEL:
        return pmf_of_faces(PLASMA_HITS[level])
    return pmf_with_rerolls(PLASMA_HITS[level], PLASMA_HITS[0])


def _hit(part: Part, event: Event) -> Outcomes:
    """Return whether a projectile hit."""
    return hit_or_miss(part, event["ship"], event["needed"], event["dice"][0])


def _projectile(event: Event, *, has_second_die: bool) -> Outcomes:
    """Return whether a gun hit, and whether the second die of a K-gun doubled the points.

    The class of the gun follows from the points and the second die.
    """
    outcomes = _hit(Part.GUN_HITS, event)
    if not (has_second_die and event["damage"]):
        return outcomes
    (second,) = event["damage"]
    is_doubled = second <= DOUBLING_FACES and 2 * second <= event["hits"]
    size = event["hits"] // 2 if is_doubled else event["hits"]
    pmf = pmf_of_success(min(size, DOUBLING_FACES) / 6)
    doubled = Outcome(Part.DOUBLED_HITS, event["ship"], pmf, 1, int(is_doubled), 1)
    return (*outcomes, doubled)


def _struck(event: Event) -> Outcomes:
    """Return the die for the missiles on target, and the sum of the damage dice, as rolled."""
    pmf = pmf_of_faces(D6)
    outcomes = []
    if event["die"]:
        outcomes.append(Outcome(Part.SALVOES, event["ship"], pmf, 1, event["die"], 1))
    dice = event["dice"]
    if dice:
        outcomes.append(Outcome(Part.MISSILES, event["ship"], pmf, len(dice), sum(dice), len(dice)))
    return tuple(outcomes)


def _blast(event: Event) -> Outcomes:
    """Return the points of an explosion or plasma bolt at a ship."""
    count = len(event["dice"])
    effects = [max(face - event["screens"], 0) for face in D6]
    pmf = pmf_of_faces(effects)
    return (Outcome(Part.BLASTS, event["ship"], pmf, count, event["points"], count),)


def _point_defence(event: Event) -> Outcomes | None:
    """Return the fighters that point defence shot down."""
    if event["weapon"].rpartition("-")[0] not in CRAFT_DEFENCES:
        return None
    kills = BY_PDS[PointDefenceTarget.FIGHTERS]
    pmf = pmf_with_rerolls(kills, kills)
    return _rerolled(Part.POINT_DEFENCE, event["ship"], pmf, event)


def _strike(event: Event) -> Outcomes | None:
    """Return the damage of fighters to a ship; None for their fire at craft."""
    if event["armament"] != STRIKE:
        return None
    return _beam_dice(Part.FIGHTERS, event["group"], event)


def _systems(start: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the systems of all ships of a battle."""
    for side in start["sides"]:
        for ship in side["ships"]:
            yield from ship.get("design", {}).get("systems", ())


def _has_hidden_modifiers(start: Mapping[str, Any]) -> bool:
    """Return whether dice of a battle may be changed without a trace in its events."""
    if CIVIL_WAR in start.get("options", ()):
        return True
    return any(system["type"] in CHANGES_DICE for system in _systems(start))


def _has_only_standard_craft(start: Mapping[str, Any]) -> bool:
    """Return whether all craft are standard fighters, which nothing covers."""
    for side in start["sides"]:
        if any("design" not in ship for ship in side["ships"]):
            return False
    for system in _systems(start):
        if system["type"] in COVERS or (system["type"] in BAYS and not _has_standard_load(system)):
            return False
    return True


def _has_standard_load(bay: Mapping[str, Any]) -> bool:
    """Return whether a bay has only standard fighters without modifications."""
    return set(bay.get("load") or {"": 0}) == {STANDARD} and not bay.get("mods")


COUNTED: Mapping[str, Counting] = {
    **COMMON,
    GunFired.kind: _gun,
    OrdnanceStruck.kind: _struck,
    ExplosionDamage.kind: _blast,
}
# In battles in which all craft are standard fighters.
CRAFT: Mapping[str, Counting] = {
    PointDefenceAtCraft.kind: _point_defence,
    FightersFired.kind: _strike,
}
