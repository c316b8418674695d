"""Fighters' attacks on ships and on other groups: whom each attacks this turn, and when it fires.

Rules: 2E "Fighter attacks" [2e.fighters]; 2E "Sequence of play" [2e.sequence]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.combat.lines import arc_by_die
from engine.core.geometry import ARC_NAMES, FORE, arcs_of
from engine.core.kinds import FIGHTING
from engine.core.orders import Fire, FireOrders
from engine.core.rolls import Shot
from engine.core.ship import BERTHED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.craft.craft_type import Armament
from engine.events.fire import ShotRefused
from engine.fighters.craft import contacts_of, hostile, in_sight, separation
from engine.fighters.dogfights import shoot_at_group
from engine.pieces.group import EXHAUSTED, STRIKE, FightersFired, Group
from engine.second_edition.damage import mark_damage
from engine.weapons.weapon import points_of

NO_TARGET = "no target in range, in its fore arc and in sight"
HAS_FIRED = "it has fired this turn"
ONE_TARGET = "all its craft must fire at one target"


@dataclass(slots=True)
class Attack:
    """A group's attack of the turn: on a ship, or on another group. `with_`: what it fires, `done`: it has fired."""

    group: Group
    ship: ShipState | None
    prey: Group | None
    with_: tuple[Armament, ...]
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
            first = fires[0]
            attack, why = (None, HAS_FIRED) if group.fired else _aimed(table, group, first)
            if attack is not None:
                found.append(attack)
            else:
                table.tell(ShotRefused, name, first.weapon, first.targets, why or NO_TARGET)
            for fire in fires[1:]:
                why = ONE_TARGET if attack is None else _beside(attack, fire)
                if why:
                    table.tell(ShotRefused, name, fire.weapon, fire.targets, why)
    return found


def _beside(attack: Attack, fire: Fire) -> str:
    """Fire what may be fired beside the rest of an attack, at the same target; or why not.

    Rules: Continuum "MKP fighter" 8.15 [pc.fighter-types]
    """
    more = attack.group.row.armament(fire.weapon)
    target = attack.ship or attack.prey
    assert target is not None
    if more is None or target.id not in fire.targets or more in attack.with_:
        return ONE_TARGET
    if not all(more.beside or one.beside for one in attack.with_):
        return f"its {more.name} are not fired beside {attack.with_[0].name}"
    why = attack.group.why_not(more, at_ship=attack.ship is not None)
    if not why:
        attack.with_ = (*attack.with_, more)
    return why


def _aimed(table: Table, group: Group, fire: Fire) -> tuple[Attack | None, str]:
    """A group's attack as ordered, or why it cannot fire that at anything; "" where nothing is before its guns."""
    state = table.state
    armament = group.row.armament(fire.weapon)
    if armament is None:
        return None, f"it has no {fire.weapon}"
    if group.exhausted:
        return None, EXHAUSTED
    pieces: list[Group | ShipState] = [*state.ships, *state.of(Group)]
    why = ""
    for name in fire.targets:
        for piece in pieces:
            if piece.id != name:
                continue
            at_ship = isinstance(piece, ShipState)
            wrong = group.why_not(armament, at_ship=at_ship)
            why = why or wrong
            if wrong or not _legal(state, group, piece, armament.reach) or not _bears(table, group, piece):
                continue
            if isinstance(piece, ShipState):
                return Attack(group, piece, None, (armament,)), ""
            return Attack(group, None, piece, (armament,)), ""
    return None, why


def _legal(state: BattleState, group: Group, piece: Group | ShipState, reach: float) -> bool:
    """Whether a group may fire at a piece, its arc apart: hostile, identified, in range, in sight, in no dogfight."""
    if isinstance(piece, ShipState):
        if piece.status != FIGHTING or piece.bogey or piece.docking == BERTHED:
            return False
    elif contacts_of(state, piece):
        return False
    return hostile(state, group, piece) and in_sight(state, group, piece, reach)


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
    """The attacks on a ship that has taken its firing turn, by the dice of what the groups fire, against its screens.

    Rules: 2E "Fighter attacks" [2e.fighters]; 2E "Sequence of play" [2e.sequence]
    """
    for attack in attacks:
        if attack.ship is not ship or not attack.open or ship.status != FIGHTING:
            continue
        group = attack.group
        attack.done = True
        for armament in attack.with_:
            craft = group.rounds(armament) if armament.rounds else group.craft
            away = separation(group, ship)
            shot = Shot(
                f"{group.id}>{ship.id}", away, away, screens=ship.screens, mass=ship.sheet.mass,
                velocity=ship.velocity, purpose="fighter",
            )  # fmt: skip
            effect = armament.at_ships(shot, table.dice, craft)
            group.fight(armament, at_ship=True)
            points = points_of(effect)
            if table.listens:
                how = armament.name if armament.rounds else STRIKE
                table.tell(FightersFired, group.id, ship.id, how, away, ship.screens, effect.dice, points)
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
    hits = []
    for one, other in shots:
        with_ = next(
            (attack.with_ for attack in attacks if attack.group is one and attack.prey is other), (one.row.guns,)
        )
        hits += [(one, other, shoot_at_group(table, one, other, "range", "fighter", armament)) for armament in with_]
    for one, other, craft in hits:
        if other.craft > 0:
            other.take(table, craft, f"fire:{one.id}")
