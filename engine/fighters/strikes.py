"""Fighters' attacks on ships and on other groups: whom each attacks this turn, and when it fires.

Rules: 2E "Fighter attacks" [2e.fighters]; 2E "Sequence of play" [2e.sequence]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.combat.lines import arc_by_die
from engine.core.geometry import ARC_NAMES, FORE, arcs_of
from engine.core.kinds import FIGHTING
from engine.core.orders import FireOrders
from engine.core.ship import BERTHED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.fire import ShotRefused
from engine.fighters.craft import contacts_of, hostile, in_sight, separation
from engine.fighters.dogfights import shoot_at_group
from engine.pieces.group import FightersFired, Group
from engine.second_edition.damage import mark_damage

NO_TARGET = "no target in range, in its fore arc and in sight"
HAS_FIRED = "it has fired this turn"
EXHAUSTED = "its endurance is spent"


@dataclass(slots=True)
class Attack:
    """A group's attack of the turn: on a ship, or on another group. `done`: it has fired."""

    group: Group
    ship: ShipState | None
    prey: Group | None
    done: bool = False

    @property
    def open(self) -> bool:
        """Whether it is still to come."""
        return not self.done and self.group.craft > 0


def declare(table: Table, orders: Mapping[int, FireOrders]) -> list[Attack]:
    """The attacks of the turn, each at the first of its targets that is legal now; in the order of the orders.

    Rules: 2E "Fighter attacks" [2e.fighters]
    """
    state = table.state
    flying = {group.id: group for group in state.of(Group)}
    found: list[Attack] = []
    for side in range(len(state.sides)):
        for name, fires in orders.get(side, ()):
            group = flying.get(name)
            if group is None or not fires or contacts_of(state, group):
                continue
            names = fires[0].targets
            why = HAS_FIRED if group.fired else (EXHAUSTED if group.exhausted else "")
            attack = None if why else _aimed(table, group, names)
            if attack is not None:
                found.append(attack)
            else:
                table.tell(ShotRefused, name, fires[0].weapon, names, why or NO_TARGET)
            if table.listens:
                for fire in fires[1:]:
                    table.tell(ShotRefused, name, fire.weapon, fire.targets, "all its craft must fire at one target")
    return found


def _aimed(table: Table, group: Group, names: tuple[str, ...]) -> Attack | None:
    state = table.state
    pieces: list[Group | ShipState] = [*state.ships, *state.of(Group)]
    for name in names:
        for piece in pieces:
            if piece.id == name and _legal(state, group, piece) and _bears(table, group, piece):
                return Attack(group, piece, None) if isinstance(piece, ShipState) else Attack(group, None, piece)
    return None


def _legal(state: BattleState, group: Group, piece: Group | ShipState) -> bool:
    """Whether a group may fire at a piece, its arc apart: hostile, identified, in range, in sight, in no dogfight."""
    if isinstance(piece, ShipState):
        if piece.status != FIGHTING or piece.bogey or piece.docking == BERTHED:
            return False
    elif contacts_of(state, piece):
        return False
    return hostile(state, group, piece) and in_sight(state, group, piece, group.row.reach)


def _bears(table: Table, group: Group, piece: Group | ShipState) -> bool:
    """Whether a piece is in a group's fore arc; on its edge a die decides, odd the arc first in the list.

    Rules: 2E "Fire arcs" [2e.arcs]
    """
    bits = arcs_of(piece.x - group.x, piece.y - group.y, group.course)
    if not bits & (bits - 1):
        return bits == FORE
    return arc_by_die(table, bits, group.id, piece.id, ARC_NAMES) == FORE


def attackers_of(attacks: list[Attack], ship: ShipState) -> list[Group]:
    """The groups that are attacking a ship and have not fired yet."""
    return [attack.group for attack in attacks if attack.ship is ship and attack.open]


def strike(table: Table, attacks: list[Attack], ship: ShipState) -> None:
    """The attacks on a ship that has taken its firing turn: a die a craft, read as a beam's against its screens.

    Rules: 2E "Fighter attacks" [2e.fighters]; 2E "Sequence of play" [2e.sequence]
    """
    for attack in attacks:
        if attack.ship is not ship or not attack.open or ship.status != FIGHTING:
            continue
        group = attack.group
        attack.done = True
        group.fight()
        subject = f"{group.id}>{ship.id}"
        effects = [group.row.at_ships(table.dice, "fighter", subject, ship.screens) for _ in range(group.craft)]
        thrown = tuple(die for effect in effects for die in effect.dice)
        points = sum(typed.points for effect in effects for typed in effect.damage_types)
        if table.listens:
            away = separation(group, ship)
            table.tell(FightersFired, group.id, ship.id, "strike", away, ship.screens, thrown, points)
        mark_damage(table, ship, points, f"fire:{group.id}", 0)


def remaining(table: Table, attacks: list[Attack]) -> None:
    """The end of the firing: attacks on ships that took no firing turn, then fighters' fire at fighters, all at once.

    Rules: 2E "Sequence of play" [2e.sequence]; 2E "Fighter-to-fighter combat" [2e.dogfights]
    """
    for attack in attacks:
        if attack.ship is not None and attack.open:
            strike(table, attacks, attack.ship)
            if not attack.done and table.listens:
                table.tell(ShotRefused, attack.group.id, "fighters", (attack.ship.id,), "its target is gone")
    _duels(table, attacks)


def _duels(table: Table, attacks: list[Attack]) -> None:
    """Fire between groups at range. Who is shot at shoots back where it has no attack of its own and its arc bears.

    Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]
    """
    shots = [(a.group, a.prey) for a in attacks if a.prey is not None and a.open and a.prey.craft > 0]
    busy = [group.id for group, _ in shots]
    for group, prey in tuple(shots):
        if prey.id not in busy and not prey.fired and not prey.exhausted and _bears(table, prey, group):
            shots.append((prey, group))
            busy.append(prey.id)
    hits = [(one, other, shoot_at_group(table, one, other, "range", "fighter")) for one, other in shots]
    for one, other, craft in hits:
        if other.craft > 0:
            other.take(table, craft, f"fire:{one.id}")
