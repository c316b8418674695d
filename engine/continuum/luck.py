"""What dice of Continuum do, for the luck account.

Only what follows from the event, from events before it and from the designs of the battle is
counted (`engine.continuum.luck_facts`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from engine.continuum.luck_facts import NOTICED, BattleFacts, type_of
from engine.core.edition import Edition
from engine.core.luck import (
    COMMON,
    Counting,
    Event,
    Outcome,
    Outcomes,
    Part,
    Pmf,
    at_least,
    compound,
    hit_or_miss,
    plain_dice,
    pmf_of_faces,
    pmf_of_hit,
    pmf_of_success,
    pmf_with_rerolls,
    times,
)
from engine.core.rolls import BEAM_HITS, D3, D6, NO_REROLL_LEVEL, clamp_die
from engine.core.terms import SCATTERGUN_FOUR
from engine.events.damage import ExplosionDamage
from engine.events.fire import GunFired
from engine.pieces.craft_events import PointDefenceAtCraft
from engine.pieces.group_events import FightersFired
from engine.pieces.marker import OrdnanceStruck, PointDefenceAtOrdnance
from engine.weapons import (
    beams,
    fusion,
    grasers,
    kinetics,
    missiles,
    needles,
    phasers,
    plasma,
    point_defence,
    torpedoes,
)
from engine.weapons.guard import REROLLED, Guard, PointDefenceTarget
from engine.weapons.ordnance import Ordnance
from engine.weapons.plasma import PLASMA_HITS
from engine.weapons.registry import weapons_of

BEAM_TYPES = frozenset(weapon.type for weapon in beams.CONTINUUM)
TORPEDO_TYPES = frozenset(weapon.type for weapon in torpedoes.CONTINUUM)
GRASER, HEAVY_GRASER = (weapon.type for weapon in grasers.CONTINUUM)
(PHASER,) = (weapon.type for weapon in phasers.CONTINUUM)
(NEEDLE,) = (weapon.type for weapon in needles.CONTINUUM)
(FUSION_ARRAY,) = (weapon.type for weapon in fusion.CONTINUUM)
PACK = next(weapon.type for weapon in missiles.CONTINUUM if weapon.fire is missiles.fire_pack)
PLASMA_CANNON, _PLASMA_BOLT = (weapon.type for weapon in plasma.CONTINUUM)
K_GUN, PENETRATOR = (weapon.type for weapon in kinetics.CONTINUUM)
PDS, ADS, SCATTERGUN, GRAPESHOT = (weapon.type for weapon in point_defence.CONTINUUM)
GUN_TYPES = frozenset({K_GUN, PENETRATOR})
DEFENCE_TYPES = frozenset({PDS, ADS, GRAPESHOT})  # a 6 is a point at ships
DEFENCE_POINTS = (0, 0, 0, 0, 0, 0, 1)
DOUBLING_FACES = 5  # a 6 never doubles a K-gun's points
STRIKE = "strike"  # armament of fighters that fire at a ship
DOGFIGHT = "dogfight"  # armament of fighters in a dogfight
# Where a scattergun does not shoot down as many as its die shows: by the die.
SCATTERED = {PointDefenceTarget.PLASMA_BOLT: point_defence.KILLS}
# Beam dice of a fusion array that hits, by the number that it needs; the same in both settings.
FUSION_DICE = {needed: dice for row in fusion.SETTINGS.values() for needed, dice in row}


def counted_dice(start: Mapping[str, Any]) -> Mapping[str, Counting]:
    """Return the functions that count dice, by the kind of event.

    They must be called for all events of the battle in order, because some dice depend on what
    happened before. Fire is not counted in battles in which something may have changed its dice
    unseen.
    """
    facts = BattleFacts(start)
    if facts.has_hidden_modifiers:
        return COMMON
    return _CountedBattle(facts).functions()


class _CountedBattle:
    """The functions that count the dice of a battle."""

    def __init__(self, facts: BattleFacts) -> None:
        self._facts = facts

    def functions(self) -> Mapping[str, Counting]:
        """Return them by the kind of event."""
        counted: dict[str, Counting] = {
            **COMMON,
            **dict.fromkeys(NOTICED, self._notice),
            GunFired.kind: self._gun,
            OrdnanceStruck.kind: _struck,
            ExplosionDamage.kind: _blast,
            PointDefenceAtOrdnance.kind: self._defence_at_ordnance,
        }
        if self._facts.has_only_standard_craft:
            counted[PointDefenceAtCraft.kind] = self._defence_at_craft
            counted[FightersFired.kind] = self._fighters
        return counted

    def _notice(self, event: Event) -> Outcomes | None:
        """Learn from an event whose own dice are not counted."""
        self._facts.notice(event)
        return None

    def _gun(self, event: Event) -> Outcomes | None:
        """Return the outcome of a weapon of a ship; None for weapons that are not counted."""
        type_ = type_of(event["weapon"])
        if type_ == HEAVY_GRASER:
            return self._heavy_graser(event)
        if type_ in (PACK, FUSION_ARRAY):
            advanced = self._facts.advanced_levels(event)
            if advanced is None:
                return None
            return _pack(advanced, event) if type_ == PACK else _fusion(advanced, event)
        return _gun(type_, event)

    def _heavy_graser(self, event: Event) -> Outcomes | None:
        """Return the points of a heavy graser, which rolls again only with high intensity."""
        model = self._facts.model_of(event["ship"], event["weapon"])
        if model is None:
            return None
        level = event["screens"]
        if model == grasers.HIGH_INTENSITY:
            return _rerolled(Part.GRASERS, event["ship"], heavy_graser_pmf(level), event)
        count = len(event["dice"])
        pmf = single_graser_pmf(level)
        return (Outcome(Part.GRASERS, event["ship"], pmf, count, event["hits"], count),)

    def _defence_at_ordnance(self, event: Event) -> Outcomes | None:
        """Return the missiles that point defence shot down, or the classes that bolts lost."""
        ordnance = _ordnance_of(self._facts.launcher_of(event["marker"]))
        if ordnance is None:
            return None
        return self._defence(Part.ORDNANCE_DEFENCE, ordnance.defence_target, event)

    def _defence_at_craft(self, event: Event) -> Outcomes | None:
        """Return the fighters that point defence shot down."""
        return self._defence(Part.POINT_DEFENCE, PointDefenceTarget.FIGHTERS, event)

    def _defence(self, part: Part, target: PointDefenceTarget, event: Event) -> Outcomes | None:
        """Return what point defence shot down; None for weapons that are not counted."""
        weapon = type_of(event["weapon"])
        dice = event["dice"]
        count = len(dice)
        guard = weapons_of(Edition.CONTINUUM)[weapon].guard
        if weapon == SCATTERGUN and self._fires_pellets(target):
            guard = point_defence.FOUR_PELLETS
        elif weapon == SCATTERGUN:
            pmf = pmf_of_faces(SCATTERED.get(target, D6))
            return (Outcome(part, event["ship"], pmf, count, event["hits"], count),)
        if guard is None or target not in guard.kills:
            return None
        if rolls_again(guard, target):
            count -= dice.count(6)
        pmf = defence_pmf(guard, target)
        return (Outcome(part, event["ship"], pmf, count, event["hits"], len(dice)),)

    def _fires_pellets(self, target: PointDefenceTarget) -> bool:
        """Return whether scatterguns fire four point defence dice at a target, by an option."""
        return SCATTERGUN_FOUR in self._facts.options and target not in SCATTERED

    def _fighters(self, event: Event) -> Outcomes | None:
        """Return the damage of fighters to a ship, or the fighters that they shot down."""
        group = event["group"]
        is_exhausted = self._facts.may_be_exhausted(group)
        self._facts.notice(event)
        if event["armament"] == STRIKE:
            return _rerolled(Part.FIGHTERS, group, _beam_pmf(event["screens"]), event)
        if event["armament"] != DOGFIGHT or is_exhausted or not self._facts.has_known_endurance:
            return None
        kills = point_defence.KILLS
        return _rerolled(Part.DOGFIGHTS, group, pmf_with_rerolls(kills, kills), event)


def _gun(type_: str, event: Event) -> Outcomes | None:
    """Return the outcome of a weapon whose dice depend on its event alone."""
    ship = event["ship"]
    if type_ in TORPEDO_TYPES:
        # Damage depends on screens that the event does not name, so only hits are counted.
        return _hit(Part.TORPEDO_HITS, event)
    if type_ in GUN_TYPES:
        return _projectile(event, has_second_die=type_ == K_GUN)
    if type_ == NEEDLE or (type_ == PHASER and event["mode"] == phasers.NEEDLE):
        return _needle(event)
    if type_ in DEFENCE_TYPES:
        return plain_dice(Part.DEFENCE_GUNS, ship, DEFENCE_POINTS, event)
    if type_ in BY_BEAM_DICE:
        part, pmf_at = BY_BEAM_DICE[type_]
        return _rerolled(part, ship, pmf_at(event["screens"]), event)
    return None


def _needle(event: Event) -> Outcomes:
    """Return the points of a needle beam. Events do not say whether its sensors find the system."""
    count = len(event["dice"])
    pmf = pmf_of_success(at_least(event["needed"]))
    return (Outcome(Part.NEEDLE_POINTS, event["ship"], pmf, count, event["hits"], count),)


def _pack(advanced: int, event: Event) -> Outcomes:
    """Return the points of a submunition pack, whose re-rolls no screens prevent."""
    dice = event["dice"]
    count = len(dice) - dice.count(6)
    pmf = _beam_pmf(advanced)
    return (Outcome(Part.SUBMUNITIONS, event["ship"], pmf, count, event["hits"], len(dice)),)


def _fusion(advanced: int, event: Event) -> Outcomes:
    """Return the points of a fusion array: a die to hit, and beam dice."""
    needed = event["needed"]
    points = times(_beam_pmf(advanced), FUSION_DICE[needed])
    pmf = pmf_of_hit(at_least(needed), points)
    dice = len(event["dice"]) + len(event["damage"])
    return (Outcome(Part.FUSION, event["ship"], pmf, 1, event["hits"], dice),)


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
def heavy_graser_pmf(level: int) -> Pmf:
    """Return the distribution of the points of a high intensity graser's die."""
    return compound(_beam_pmf(level), pmf_of_faces(D6))


@cache
def single_graser_pmf(level: int) -> Pmf:
    """Return the distribution of the points of a heavy graser's die, without re-rolls."""
    return compound(pmf_of_faces(BEAM_HITS[level]), pmf_of_faces(D6))


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


def _ordnance_of(launcher: str) -> Ordnance | None:
    """Return what a type of weapon launches; None for "", if no ship launched it."""
    return weapons_of(Edition.CONTINUUM)[launcher].ordnance if launcher else None


def rolls_again(guard: Guard, target: PointDefenceTarget) -> bool:
    """Return whether each 6 of a weapon's point defence dice earns another die."""
    return guard.rerolls and target in REROLLED


def defence_pmf(guard: Guard, target: PointDefenceTarget) -> Pmf:
    """Return the distribution of what a point defence die shoots down, with its re-rolls."""
    kills = guard.kills[target]
    first = [kills[clamp_die(face, guard.modifier)] for face in D6]
    return pmf_with_rerolls(first, kills) if rolls_again(guard, target) else pmf_of_faces(first)


# Weapons whose dice are beam dice or like them: the part, and the points of a die by screens.
BY_BEAM_DICE: Mapping[str, tuple[Part, Callable[[int], Pmf]]] = {
    **dict.fromkeys(BEAM_TYPES, (Part.BEAMS, _beam_pmf)),
    SCATTERGUN: (Part.DEFENCE_GUNS, _beam_pmf),
    GRASER: (Part.GRASERS, graser_pmf),
    PHASER: (Part.PHASERS, graser_pmf),
    PLASMA_CANNON: (Part.PLASMA, plasma_pmf),
}
