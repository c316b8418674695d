"""Anti-fighter weapons in a ship's firing turn: their legal targets, their fire and its results.

Rules: 2E "Anti-fighter defences" [2e.anti-fighter]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.combat.detection import reveal_ship
from engine.combat.q_ships import may_be_known
from engine.core.kinds import FIGHTING
from engine.core.orders import Fire
from engine.core.reason import reason
from engine.core.rolls import Shot
from engine.core.ship import DOCKED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.fire import ShotRefused
from engine.fighters.strikes import (
    Attack,
    are_hostile,
    attackers_of,
    clear_line,
    contacts_of,
    in_sight,
    separation,
)
from engine.pieces.group import Group
from engine.weapons.point_defence import AREA_RANGE
from engine.weapons.weapon import Trait

NO_GROUP = reason("no-group", "there are no fighters that it can fire at")

ANTI_FIGHTER = Trait.ANTI_FIGHTER

# The index of each weapon that fires, with its target.
Shots = list[tuple[int, Group]]


def working_defences(ship: ShipState) -> tuple[int, ...]:
    """Return the indexes of a ship's working anti-fighter weapons; none if its nova is armed.

    They need no FireCon, and can fire while the FTL drive warms up.

    Rules: 2E "Fire control systems" [2e.fire-control]
    """
    if ship.status != FIGHTING or ship.armed or ship.dummy or ship.docking >= DOCKED:
        return ()
    defences: list[int] = []
    for index in ship.profile.having.get(ANTI_FIGHTER, ()):
        if ship.alive[index]:
            defences.append(index)
    return tuple(defences)


def may_shoot_at(
    state: BattleState, ship: ShipState, index: int, group: Group, attacks: list[Attack]
) -> bool:
    """Return whether an anti-fighter weapon may fire at a group; never into a dogfight.

    Point defence fires at attackers of its own ship. Area defence fires at any hostile group within
    6 MU, or one that attacks a friend within 6 MU, with no asteroid in the way.

    Rules: 2E "Anti-fighter defences" [2e.anti-fighter]
    """
    if group.craft <= 0 or not are_hostile(state, ship, group) or contacts_of(state, group):
        return False
    attacked_ship = next((attack.ship for attack in attacks if attack.group is group), None)
    if attacked_ship is ship:
        return True
    if Trait.AREA_DEFENCE not in ship.profile.weapons[index].traits:
        return False
    if in_sight(state, ship, group, AREA_RANGE):
        return True
    return attacked_ship is not None and _may_cover(state, ship, attacked_ship, group)


def _may_cover(state: BattleState, ship: ShipState, attacked_ship: ShipState, group: Group) -> bool:
    """Return whether area defence may fire at a group that attacks a friend within 6 MU."""
    if are_hostile(state, ship, attacked_ship):
        return False
    return in_sight(state, ship, attacked_ship, AREA_RANGE) and clear_line(state, ship, group)


def may_defend(
    state: BattleState, ship: ShipState, fires: tuple[Fire, ...], attacks: list[Attack]
) -> bool:
    """Return whether any of a ship's anti-fighter weapons has a target now."""
    working = working_defences(ship)
    if not working:
        return False
    if attackers_of(attacks, ship):
        for index in working:
            if may_be_known(ship, ship.sheet.fits[index].id):
                return True
    for fire in fires:
        index = ship.profile.index_of.get(fire.weapon, -1)
        if index not in working:
            continue
        if _ordered_target(state, ship, index=index, fire=fire, attacks=attacks) is not None:
            return True
    return False


def _ordered_target(
    state: BattleState, ship: ShipState, index: int, fire: Fire, attacks: list[Attack]
) -> Group | None:
    """Return the first group of an order that the weapon may fire at."""
    for name in fire.targets:
        for group in state.pieces_of(Group):
            if group.id == name and may_shoot_at(
                state, ship, index=index, group=group, attacks=attacks
            ):
                return group
    return None


def assign_shots(
    table: Table, ship: ShipState, fires: tuple[Fire, ...], attacks: list[Attack]
) -> Shots:
    """Return the group that each anti-fighter weapon fires at.

    Weapons without orders fire at the ship's attackers, spread evenly. Hidden weapons of a Q ship
    fire only when ordered.
    Rules: 2E "Anti-fighter defences" [2e.anti-fighter]
    """
    shots: Shots = []
    working = working_defences(ship)
    for fire in fires:
        index = ship.profile.index_of[fire.weapon]
        if ANTI_FIGHTER not in ship.profile.weapons[index].traits:
            continue
        group = None
        if index in working and all(index != used for used, _ in shots):
            group = _ordered_target(table.state, ship, index=index, fire=fire, attacks=attacks)
        if group is not None:
            shots.append((index, group))
        else:
            table.tell(
                ShotRefused, ship=ship.id, weapon=fire.weapon, targets=fire.targets, reason=NO_GROUP
            )
    attackers = attackers_of(attacks, ship)
    if attackers:
        _spread_unused_weapons(ship, working, attackers, shots)
    return shots


def _spread_unused_weapons(
    ship: ShipState, working: Sequence[int], attackers: Sequence[Group], shots: Shots
) -> None:
    """Add to `shots` the weapons without orders, each at the attacker with the fewest shots."""

    def shots_at(group: Group) -> int:
        return sum(group is target for _, target in shots)

    used = [index for index, _ in shots]
    for index in working:
        if index not in used and may_be_known(ship, ship.sheet.fits[index].id):
            shots.append((index, min(attackers, key=shots_at)))


def defend(table: Table, ship: ShipState, shots: Shots) -> None:
    """Roll a die for each weapon, then remove the craft that were hit.

    Firing identifies a bogey.

    Rules: 2E "Anti-fighter defences" [2e.anti-fighter]
    """
    hits: list[tuple[Group, int]] = []
    for index, group in shots:
        weapon = ship.sheet.fits[index].id
        reveal_ship(table, ship, weapon)
        row = ship.profile.weapons[index]
        distance = separation(ship, group)
        shot = Shot(f"{ship.id}/{weapon}", distance, distance, modifier=group.row.modifier)
        assert row.fire is not None
        effect = row.fire(shot, table.dice)
        hits.append((group, effect.craft))
        if table.listens:
            table.tell(
                row.make_event, ship.id, Fire(weapon, (group.id,)), group.id, "", shot, effect
            )
    for group, craft in hits:
        if group.craft > 0:
            group.take_damage(table, craft, f"fire:{ship.id}")
