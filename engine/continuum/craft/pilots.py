"""Pilot quality, an option: aces, and green pilots (turkeys).

A bay's entry in `ShipRecord.pilots` lasts as long as any craft of its group.

Rules: Continuum "Fighter pilot quality" 8.18 [pc.aces]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.continuum.aiming import has_system
from engine.continuum.craft.morale import is_piloted
from engine.continuum.damage import excess_of, is_wrecked, mark_damage, release_charges
from engine.continuum.fire_control import lose_for_good
from engine.core.dice import Dice
from engine.core.kinds import ACE, AVERAGE, FIGHTING, TURKEY
from engine.core.orders import Attack
from engine.core.reason import reason
from engine.core.rolls import Effect, Shot, TypedDamage
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.core.terms import ACES
from engine.craft.craft_type import Armament
from engine.craft.registry import craft_type
from engine.pieces.group import RIVAL, Group
from engine.pieces.pilot_events import AceDuel, AceFired, PilotsRevealed, PilotsRolled
from engine.weapons.needles import HITS_ON, KILLS_ON

ACE_ALONE = "ace"  # the word in orders for an ace who picks a target of their own
# The quality of a fighter group's pilots, by its die; index 0 is unused.
PILOTS_BY_DIE: tuple[str, ...] = (
    "",
    TURKEY,
    AVERAGE,
    AVERAGE,
    AVERAGE,
    AVERAGE,
    ACE,
)
TURKEY_MODIFIER = -1  # die modifier of turkeys against craft and ordnance
NO_ACE = reason("no-ace", "it has no ace")
ACE_WITH_GUNS = reason(
    "beside-guns",
    "an ace picks one target on the ship or group that the guns of the ace's group attack",
)
GROUP_AIMS = reason("whole-group-aims", "all craft of its group fire at systems, its ace too")
NOT_AT_ORDNANCE = reason("not-at-ordnance", "an ace can pick only systems of ships and other aces")
NAMES_SYSTEM = reason(
    "names-system", "an ace who picks a target on a ship must name one of its systems"
)


def roll_pilots(table: Table) -> None:
    """Roll the pilot quality of each fighter group without one, at the start of a battle.

    Rules: Continuum "Fighter pilot quality" 8.18 [pc.aces]
    """
    if ACES not in table.state.terms.options:
        return
    craft_in_flight = {}
    for group in table.state.pieces_of(Group):
        craft_in_flight[(group.ship, group.bay)] = group.craft
    for ship in table.state.ships:
        for index in ship.profile.bays:
            bay = ship.sheet.fits[index].id
            craft = ship.stock[index] or craft_in_flight.get((ship.id, bay), 0)
            if not craft or ship.record.pilots.get(bay):
                continue
            if is_piloted(craft_type(ship.profile.craft[index])):
                die = table.dice.roll("ace", f"{ship.id}/{bay}")
                table.carry_out(
                    PilotsRolled(table.turn, ship.id, bay=bay, die=die, pilots=PILOTS_BY_DIE[die])
                )


def ace_fault(group: Group, group_attack: Attack | None, attack: Attack) -> str:
    """Return the reason why a group's ace cannot pick a target of their own, or "".

    The target itself is not checked.

    Args:
        group_attack: The attack of the ace's group.

    Rules: Continuum "Fighter pilot quality" 8.18 [pc.aces]
    """
    if group.pilots != ACE:
        return NO_ACE
    if attack.system and whole_group_aims(group):
        return GROUP_AIMS
    same_target = (
        group_attack is not None
        and group_attack.weapon == group.row.guns.name
        and group_attack.targets == attack.targets
    )
    if same_target:
        return ""
    return ACE_WITH_GUNS


def ace_target(target: object, attack: Attack) -> tuple[str, str]:
    """Return the ace's target, a system's id or RIVAL, and a fault or ""."""
    if isinstance(target, ShipState):
        return attack.system, "" if attack.system else NAMES_SYSTEM
    if isinstance(target, Group):
        return (RIVAL, "")
    return ("", NOT_AT_ORDNANCE)


def more_dice(group: Group, armament: Armament, *, ace_duels: bool = False) -> int:
    """Return how many dice an ace adds to those of the group's guns.

    This is one, or minus one if the ace fights or picks a target alone (`ace_duels`).

    Rules: Continuum "Fighter pilot quality" 8.18 [pc.aces]
    """
    if group.pilots != ACE or armament.rounds:
        return 0
    if ace_duels:
        return -1
    return 1


def pilot_modifier(group: Group) -> int:
    """Return the die modifier of a group's pilots against craft and ordnance.

    Rules: Continuum 8.18 [pc.aces]
    """
    if group.pilots == TURKEY:
        return TURKEY_MODIFIER
    return 0


def ace_picks_system(group: Group) -> bool:
    """Return whether a group's ace alone fires at a system of the ship it attacks."""
    if whole_group_aims(group):
        return False
    return group.pilots == ACE and group.this_turn.system not in ("", RIVAL)


def whole_group_aims(group: Group) -> bool:
    """Return whether all craft of a group fire at systems of ships."""
    guns = group.row.guns
    return guns.snipes or guns.jams


def reveal_pilots(table: Table, group: Group, *, at_ship: bool) -> None:
    """Reveal a group's pilot quality to all sides if its dice show it.

    Aces show in any fight, turkeys in all but attacks on ships.
    """
    shows = group.pilots == ACE or (group.pilots == TURKEY and not at_ship)
    if shows and not group.known_pilots:
        table.carry_out(PilotsRevealed(table.turn, group.id, group.pilots))


def as_needle(shot: Shot, dice: Dice) -> Effect:
    """Roll an ace's die like that of a needle beam: one point on 4 or more, and the system on a 6.

    Screens do not help, nor do holofields at this range.

    Rules: Continuum "Fighter pilot quality" 8.18, "Needle beams" 5.13 [pc.aces]
    """
    die = dice.roll(shot.purpose, shot.subject)
    if die < HITS_ON:
        return Effect((die,), needed=HITS_ON)
    hits_system = die >= KILLS_ON and not shot.no_sensors
    return Effect((die,), damage_types=(TypedDamage(1),), needed=HITS_ON, needled=hits_system)


def ace_fire(table: Table, group: Group, ship: ShipState, shot: Shot) -> tuple[int | None, bool]:
    """Fire a group's ace at a system of a ship.

    Returns:
        The points beyond those needed to destroy the ship, or None if it survived; and whether the
        ace hit the system.

    Rules: Continuum "Fighter pilot quality" 8.18 [pc.aces]
    """
    shot.purpose = "fighter"
    shot.no_sensors = not has_system(ship, group.this_turn.system)
    effect = as_needle(shot, table.dice)
    points = len(effect.damage_types)
    table.tell(
        AceFired,
        group=group.id,
        target=ship.id,
        system=group.this_turn.system,
        range=shot.distance,
        dice=effect.dice,
        hits=points,
        needled=effect.needled,
    )
    excess = excess_of(table.state, ship, effect.damage_types)
    if points:
        mark_damage(table, ship, effect.damage_types, f"fire:{group.id}")
    return excess, effect.needled


def destroy_aced_systems(table: Table, ship: ShipState, hits: Sequence[tuple[str, Group]]) -> None:
    """Destroy the systems that aces and needle fighters hit, and report each one's group.

    Rules: Continuum "Needle beams" 5.13 [pc.aces]
    """
    for system, group in hits:
        index = ship.profile.index_of.get(system, -1)
        if ship.status == FIGHTING and not is_wrecked(ship) and index >= 0 and ship.alive[index]:
            lose_for_good(table, ship, index, f"fire:{group.id}")
            release_charges(table, ship, (system,))


def rival(group: Group, foes: Sequence[Group]) -> Group | None:
    """Return the group whose ace a group's own ace was ordered to fight, if any.

    Rules: Continuum "Fighter pilot quality" 8.18 [pc.aces]
    """
    if group.pilots != ACE or group.this_turn.system != RIVAL or group.is_exhausted:
        return None
    return next((foe for foe in foes if foe.pilots == ACE), None)


def duel(table: Table, group: Group, foe: Group, shot: Shot) -> bool:
    """Roll an ace's die and return whether it shoots down another ace.

    Rules: Continuum 8.18 [pc.aces]
    """
    effect = group.row.guns.at_craft(shot, table.dice, 1)
    table.tell(
        AceDuel,
        group=group.id,
        target=foe.id,
        range=shot.distance,
        dice=effect.dice,
        succeeded=effect.craft > 0,
    )
    return effect.craft > 0
