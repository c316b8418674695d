"""The systems of a foe that a captain picks for needle beams, commandos and EMP hits."""

from __future__ import annotations

from engine.continuum.aiming import has_system
from engine.continuum.checks import ELECTRONIC
from engine.continuum.fire_control import working_count_of
from engine.core.geometry import NEAR
from engine.core.ship import ShipState
from engine.systems.sensors import suites_in_use
from engine.weapons.needles import ENHANCED_SIGHT, PLAIN_SIGHT

# Worth of destroying a system of each type; it is divided by the number of that type still working.
# The last FireCon silences a ship, any hit slows its drive. Weapons count by their class.
SYSTEM_WORTH: dict[str, float] = {
    "firecon": 10.0,
    "advanced-firecon": 12.0,
    "drive": 7.0,
    "screen": 5.0,
    "advanced-screen": 6.0,
    "area-screen": 8.0,
    "advanced-area-screen": 9.0,
    "holofield": 7.0,
    "cloaking-device": 4.0,
    "cloaking-field": 4.0,
    "tuffley-cloak": 4.0,
    "reflex-field": 5.0,
    "turret": 4.0,
    "area-ecm": 2.0,
    "ecm": 1.0,
    "stealth-field": 4.0,
}
WEAPON = 1.0
BY_CLASS = 1.2  # in addition, per class of a weapon
MAX_SYSTEMS = 6  # systems named for EMP hits


def best_system(ship: ShipState, *, by_commandos: bool = False) -> str:
    """Return the system of a foe that is most worth destroying, or "".

    Args:
        by_commandos: Whether commandos attack it, who can be fought off.
    """
    ranked = _rank_systems(ship, tuple(fit.type for fit in ship.sheet.fits))
    return next((name for name in ranked if has_system(ship, name, by_commandos=by_commandos)), "")


def emp_targets(ship: ShipState, number: int) -> tuple[str, ...]:
    """Return the systems for EMP hits in turn, the most wanted first; twice if they take two hits.

    Args:
        number: The number of the projector, from 0; each begins with another system.
    """
    targets: list[str] = []
    for name in _rank_systems(ship, ELECTRONIC):
        targets += [name] * min(ship.alive[ship.profile.index_of[name]], 2)
    targets = targets[:MAX_SYSTEMS]
    begin = number % len(targets) if targets else 0
    return (*targets[begin:], *targets[:begin])


def _rank_systems(ship: ShipState, types: tuple[str, ...]) -> list[str]:
    """Return the working systems of these types, the most wanted first.

    The fewer of a type are left, the more each counts.
    """
    working_counts = {type_: working_count_of(ship, type_) for type_ in dict.fromkeys(types)}
    rows = []
    for place, fit in enumerate(ship.sheet.fits):
        if fit.type not in types or not ship.alive[place]:
            continue
        worth = 0.0
        if fit.type in SYSTEM_WORTH:
            worth = SYSTEM_WORTH[fit.type] / max(working_counts[fit.type], 1)
        elif fit.offensive:
            worth = WEAPON + BY_CLASS * max(fit.size, 1)
        rows.append((-worth, place, fit.id))
    return [name for _, _, name in sorted(rows)]


def can_find_systems(ship: ShipState, distance: float) -> bool:
    """Return whether a ship's sensors can pick out a single system at a range.

    Rules: Continuum "Needle beams" 5.13 [pc.needle-beams]
    """
    if distance <= PLAIN_SIGHT + NEAR:
        return True
    enhanced = suites_in_use(ship, "enhanced-sensors")
    superior = suites_in_use(ship, "superior-sensors")
    return superior > 0 or enhanced >= (1 if distance <= ENHANCED_SIGHT + NEAR else 2)
