"""Who flies, an option: groups with an ace among them, and groups of raw pilots.

What is written down of a bay (`ShipRecord.pilots`) lasts as long as somebody of the group does,
from battle to battle; a group in flight has it, too. The others learn of it when it shows.
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

ACE_ALONE = "ace"  # what orders call an ace who picks a target of his own
SHOWN_BY: tuple[str, ...] = (
    "",
    TURKEY,
    AVERAGE,
    AVERAGE,
    AVERAGE,
    AVERAGE,
    ACE,
)  # the die of a group
RAW = -1  # to the dice of raw pilots at craft and ordnance
NO_ACE = reason("no-ace", "no ace flies with it")
ACE_WITH_GUNS = reason(
    "beside-guns",
    "an ace picks a target beside the fire of his group's guns, at the same ship or group",
)
NOT_AT_ORDNANCE = reason("not-at-ordnance", "an ace picks systems of ships, and other aces")
NAMES_SYSTEM = reason("names-system", "an ace who picks a target on a ship names a system of it")


def roll_pilots(table: Table) -> None:
    """A die for each group of fighters of whose pilots nothing is known yet, in canonical order, as
    a battle begins.

    Rules: Continuum "Fighter pilot quality" 8.18 [pc.aces]
    """
    if ACES not in table.state.terms.options:
        return
    flying = {(group.ship, group.bay): group.craft for group in table.state.pieces_of(Group)}
    for ship in table.state.ships:
        for index in ship.profile.bays:
            bay = ship.sheet.fits[index].id
            there = ship.stock[index] or flying.get((ship.id, bay), 0)
            if (
                there
                and is_piloted(craft_type(ship.profile.craft[index]))
                and not ship.record.pilots.get(bay)
            ):
                die = table.dice.roll("ace", f"{ship.id}/{bay}")
                table.carry_out(PilotsRolled(table.turn, ship.id, bay, die, SHOWN_BY[die]))


def ace_fault(group: Group, group_attack: Attack | None, attack: Attack) -> str:
    """Why a group's ace does not pick a target of his own as he is told to, whatever that target
    is; "" where he may.

    `beside`: what its group attacks. Rules: Continuum "Fighter pilot quality" 8.18 [pc.aces]
    """
    if group.pilots != ACE:
        return NO_ACE
    same_target = (
        group_attack is not None
        and group_attack.weapon == group.row.guns.name
        and group_attack.targets == attack.targets
    )
    return "" if same_target else ACE_WITH_GUNS


def ace_target(target: object, attack: Attack) -> tuple[str, str]:
    """What an ace goes for on the target of his group: a system of a ship, or RIVAL; else why he
    goes for nothing.
    """
    if isinstance(target, ShipState):
        return attack.system, "" if attack.system else NAMES_SYSTEM
    return (RIVAL, "") if isinstance(target, Group) else ("", NOT_AT_ORDNANCE)


def more_dice(group: Group, armament: Armament, *, ace_duels: bool = False) -> int:
    """The dice that an ace adds to those of his group's guns: one; where he is `apart`, neither
    that nor his own.

    Rules: Continuum "Fighter pilot quality" 8.18 [pc.aces]
    """
    if group.pilots != ACE or armament.rounds:
        return 0
    return -1 if ace_duels else 1


def pilot_modifier(group: Group) -> int:
    """What is added to a group's dice at craft and ordnance. Rules: Continuum 8.18 [pc.aces]"""
    return RAW if group.pilots == TURKEY else 0


def ace_picks_system(group: Group) -> bool:
    """Whether a group's ace picks a system of the ship that it attacks."""
    return group.pilots == ACE and group.this_turn.system not in ("", RIVAL)


def reveal_pilots(table: Table, group: Group, *, at_ship: bool) -> None:
    """Tell everybody what pilots a group has, where its dice show it: an ace in any fight, raw ones
    but at ships.
    """
    shows = group.pilots == ACE or (group.pilots == TURKEY and not at_ship)
    if shows and not group.known_pilots:
        table.carry_out(PilotsRevealed(table.turn, group.id, group.pilots))


def as_needle(shot: Shot, dice: Dice) -> Effect:
    """An ace's die as a needle beam: a point on 4 or more, on a 6 the system too.

    No screen helps, and no holofield so near.

    Rules: Continuum "Fighter pilot quality" 8.18, "Needle beams" 5.13 [pc.aces]
    """
    die = dice.roll(shot.purpose, shot.subject)
    if die < HITS_ON:
        return Effect((die,), needed=HITS_ON)
    hits_system = die >= KILLS_ON and not shot.no_sensors
    return Effect((die,), damage_types=(TypedDamage(1),), needed=HITS_ON, needled=hits_system)


def ace_fire(table: Table, group: Group, ship: ShipState, shot: Shot) -> tuple[int | None, bool]:
    """A group's ace fires at a system of a ship, in place: by how many points more than it took he
    has destroyed it, None where he has not, and whether he hit the system.

    Rules: Continuum "Fighter pilot quality" 8.18 [pc.aces]
    """
    shot.purpose = "fighter"
    shot.no_sensors = not has_system(ship, group.this_turn.system)
    effect = as_needle(shot, table.dice)
    points = len(effect.damage_types)
    table.tell(
        AceFired,
        group.id,
        ship.id,
        group.this_turn.system,
        shot.distance,
        effect.dice,
        points,
        effect.needled,
    )
    excess = excess_of(table.state, ship, effect.damage_types)
    if points:
        mark_damage(table, ship, effect.damage_types, f"fire:{group.id}")
    return excess, effect.needled


def destroy_aced_systems(table: Table, ship: ShipState, hits: Sequence[tuple[str, Group]]) -> None:
    """The systems that aces have hit in their runs on a ship are out for good, each told by whose
    shot.

    Rules: Continuum "Needle beams" 5.13 [pc.aces]
    """
    for system, group in hits:
        index = ship.profile.index_of.get(system, -1)
        if ship.status == FIGHTING and not is_wrecked(ship) and index >= 0 and ship.alive[index]:
            lose_for_good(table, ship, index, f"fire:{group.id}")
            release_charges(table, ship, (system,))


def rival(group: Group, foes: Sequence[Group]) -> Group | None:
    """The group whose ace a group's own ace goes for, None where he is not told to, or there is
    none.

    Rules: Continuum "Fighter pilot quality" 8.18 [pc.aces]
    """
    if group.pilots != ACE or group.this_turn.system != RIVAL or group.is_exhausted:
        return None
    return next((foe for foe in foes if foe.pilots == ACE), None)


def duel(table: Table, group: Group, foe: Group, shot: Shot) -> bool:
    """An ace's die at another ace: whether he shoots him down. Rules: Continuum 8.18 [pc.aces]"""
    effect = group.row.guns.at_craft(shot, table.dice, 1)
    table.tell(AceDuel, group.id, foe.id, shot.distance, effect.dice, effect.craft > 0)
    return effect.craft > 0
