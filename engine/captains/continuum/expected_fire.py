"""The expected effect of a ship's fire for players, by arc and range, and by weapon and target.

It uses the captains' means, and the battle as a side knows it.

Rules: 2E "Fire arcs" [2e.arcs]; Continuum "Fire control systems" 4.4 [pc.fire-control]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from typing_extensions import override

from engine.captains.common.expected_damage import (
    STEP,
    STEPS,
    THROWS,
    DefenceProfile,
    EvenDice,
    mean_effects,
)
from engine.captains.common.range_tables import (
    Mount,
    compass_of,
    is_usable,
    mounts_of,
    relevant_defence,
    step_of,
)
from engine.captains.continuum.targets import SPEED_STEP, armament_of
from engine.captains.continuum.weapon_targets import can_fire
from engine.core.dice import Dice
from engine.core.rolls import Shot
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import BOARDING
from engine.ruleset import rules_of
from engine.weapons.weapon import Trait, Weapon

BAND = 12.0  # MU
STEPS_OF_BAND = int(BAND / STEP)
UNDEFENDED = DefenceProfile()


class ExpectedShot(NamedTuple):
    """A weapon at a target.

    Attributes:
        weapon: The id of the weapon.
        target: The id of the target.
        dice: The number of dice it rolls.
        points: Mean points.
        bare: Mean points without the target's screens.
        people: Mean number of people it lands there.
    """

    weapon: str
    target: str
    dice: int
    points: float
    bare: float
    people: float = 0.0


def arc_coverage(ship: ShipState) -> dict[str, tuple[float, ...]]:
    """Return the mean points of all working weapons at an undefended target, by arc and band.

    Bands are 12 MU wide, nearest first; arcs and bands in which nothing bears are left out.
    """
    rows = armament_of(ship).table(UNDEFENDED, 0.0).rows
    bits = compass_of(ship.sheet.edition).bits
    bands_by_arc: dict[str, tuple[float, ...]] = {}
    for name, bit in zip(rules_of(ship.sheet.edition).arcs, dict.fromkeys(bits), strict=True):
        place = bits.index(bit) * STEPS
        steps = rows[place : place + STEPS]
        bands = []
        for start in range(0, STEPS, STEPS_OF_BAND):
            bands.append(max(steps[start : start + STEPS_OF_BAND]))
        while bands and not bands[-1]:
            bands.pop()
        if bands:
            bands_by_arc[name] = tuple(bands)
    return bands_by_arc


def expected_shots(
    state: BattleState, ship: ShipState, targets: Iterable[ShipState]
) -> list[ExpectedShot]:
    """Return the shot of each working weapon at each of these ships in arc and range.

    Weapons that are not predictable are left out.
    """
    if ship.armed or not can_fire(state, ship):
        return []
    shot_at = rules_of(ship.sheet.edition).shot_at
    loaded = []
    for mount in mounts_of(ship.profile, ship.sheet):
        if is_usable(ship, mount.place, mount.fit.type, ()):
            loaded.append(mount)
    targets = tuple(targets)
    shots: list[ExpectedShot] = []
    for mount in loaded:
        if not is_predictable(mount):
            continue
        for target in targets:
            shot = shot_at(state, ship, mount.place, target)
            if shot is not None:
                shots.append(_prospect(ship, mount, target, shot, options=state.terms.options))
    return shots


def is_predictable(mount: Mount) -> bool:
    """Return whether the target alone decides a weapon's effect.

    It does not if the weapon sweeps a line or is always aimed at a system.
    """
    return not mount.kind.along and mount.kind.fire is not None and "" not in mount.kind.at_system


def _prospect(
    ship: ShipState, mount: Mount, target: ShipState, shot: Shot, options: Collection[str]
) -> ExpectedShot:
    """Return the mean effect of a shot, and what it would be without the target's screens."""
    defence = DefenceProfile(
        shot.screens,
        shot.advanced,
        shot.modifier,
        shot.rerolls_modified,
        holofield=shot.holofield,
        mass=shot.mass,
        velocity=shot.velocity // SPEED_STEP * SPEED_STEP,
    )
    step = step_of(shot.distance)
    people = 0.0
    if Trait.SHIPS_ALONE in mount.kind.traits and BOARDING in options:
        people = _people(mount.kind, mount.fit, step, defence)
    return ExpectedShot(
        weapon=ship.sheet.fits[mount.place].id,
        target=target.id,
        dice=dice_count(mount.kind, mount.fit, shot.mode, step),
        points=round(_points(mount, shot, defence), 2),
        bare=round(_points(mount, shot, defence._replace(screens=0, advanced=0)), 2),
        people=people,
    )


def _people(weapon: Weapon, fit: Fit, step: int, defence: DefenceProfile) -> float:
    """Return the mean number of people that a shot lands on a ship at a step of range.

    Rules: Continuum "Transporter beams" 5.9 [pc.transporters]; "Boarding torpedoes" 5.18
    [pc.boarding-torpedoes]
    """
    assert weapon.fire is not None
    distance = (step + 0.5) * STEP
    dice = EvenDice()
    shot = Shot(
        subject=fit.type,
        distance=distance,
        true_distance=distance,
        size=fit.size,
        variant=fit.variant,
        flags=fit.flags,
        mode="",
        screens=defence.screens,
        advanced=defence.advanced,
        modifier=defence.modifier,
        rerolls_modified=defence.rerolls_modified,
        holofield=defence.holofield,
    )
    effects = [weapon.fire(shot, dice) for _ in range(THROWS)]
    return round(sum(effect.units_landed + effect.marines_landed for effect in effects) / THROWS, 2)


def _points(mount: Mount, shot: Shot, defence: DefenceProfile) -> float:
    """Return the mean damage points of a shot at a target behind such defences."""
    row = mean_effects(mount.kind, mount.fit, shot.mode, relevant_defence(mount.kind, defence))
    if not row:
        return 0.0
    mean = row[min(step_of(shot.distance), len(row) - 1)]
    return mean.plain + mean.semi + mean.piercing


class _CountingDice(Dice):
    """Dice that always show 1 and are counted, which gives the number before rerolls."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        super().__init__("ones")
        self.count = 0

    @override
    def roll(self, purpose: str, subject: str, sides: int = 6) -> int:
        """Count the die and show 1."""
        self.count += 1
        return 1


def dice_count(weapon: Weapon, fit: Fit, mode: str, step: int) -> int:
    """Return the dice that a weapon rolls at a step of range, before rerolls."""
    assert weapon.fire is not None
    distance = (step + 0.5) * STEP
    dice = _CountingDice()
    weapon.fire(
        Shot(
            subject=fit.type,
            distance=distance,
            true_distance=distance,
            size=fit.size,
            variant=fit.variant,
            flags=fit.flags,
            mode=mode,
        ),
        dice,
    )
    return dice.count
