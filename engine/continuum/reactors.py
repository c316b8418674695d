"""Core systems at the end of a turn: exploding power cores, failing air, restored command.

Rules: Continuum "Core systems" 10.3 [pc.core-systems]
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from engine.continuum.cores import BRIDGE, CREWED, make_hulk
from engine.continuum.damage import apply_damage, check_after_damage, mark_damage
from engine.continuum.defences import protection_of
from engine.continuum.explosions import burn_craft_and_pieces, ships_exposed
from engine.continuum.orbits import fly_leg
from engine.continuum.sections import adjacent_sections
from engine.core.geometry import NEAR, is_within, squared_length
from engine.core.ids import ShipId
from engine.core.kinds import (
    CLOAKED,
    DERELICT_STATUSES,
    DESTROYED,
    FIGHTING,
    HULK,
    HULL,
    LEFT_TABLE,
    ON_TABLE,
    PIERCING,
    SEMI,
    DerelictCause,
)
from engine.core.notes import tell_fact
from engine.core.orders import HOLD
from engine.core.rolls import TypedDamage
from engine.core.ship import BERTHED, ShipState
from engine.core.ship_facts import blank_record
from engine.core.table import Table
from engine.core.terms import REACTOR_BREACH
from engine.core.versions import ABANDONED_CORES
from engine.events.damage import ExplosionDamage, ReactorRolled, RepairRolled, ShipDestroyed
from engine.events.movement import LeftTable
from engine.movement.edges import edge_crossed

BLAST_RADIUS = 3.0  # MU
MASS_PER_DIE = 25
CHAIN_DICE = 3  # to a section next to one that explodes
MAY_EXPLODE = (FIGHTING, HULK, CLOAKED)  # the statuses of ships whose power core may explode
EXPLODED = "reactor"


def end_of_turn(table: Table) -> None:
    """Resolve phase 15: power cores out of control, blasts and checks, life support, then bridges.

    Cores hit by these blasts roll from the next turn on, after parties had a chance to repair them.

    Rules: Continuum "Sequence of play" 2.6 [pc.sequence]; Continuum "Core systems" 10.3
    [pc.core-systems]
    """
    state = table.state
    ships = []
    for ship in state.ships:
        if ship.record is not blank_record() and ship.status in MAY_EXPLODE:
            ships.append(ship)
    exploding = [ship for ship in ships if ship.record.reactor and _explodes(table, ship)]
    on_table = [ship for ship in exploding if ship.status in ON_TABLE]
    for ship in exploding:
        ship.destroy()
        table.tell(ShipDestroyed, ship.id, EXPLODED)
    if on_table and REACTOR_BREACH in state.terms.options:
        _explode_cores(table, on_table)
    _explode_sections(table, exploding)
    for ship in ships:
        if ship.status in CREWED:
            _check_air_and_command(table, ship)


def explode_hulks(table: Table) -> bool:
    """Explode the uncontrolled power cores of hulks when the battle is over.

    Dice are rolled as in further turns, until a core explodes. Other ships are no longer near.

    Returns:
        Whether any ship is lost.

    Rules: Continuum "Core systems" 10.3 [pc.core-systems]
    """
    state = table.state
    is_any_lost = False
    for ship in state.ships:
        if ship.status == HULK and ship.record.reactor:
            if state.terms.follows(ABANDONED_CORES):
                while not _explodes(table, ship):
                    pass
            ship.destroy()
            table.tell(ShipDestroyed, ship.id, EXPLODED)
            is_any_lost = True
    return is_any_lost


def _explodes(table: Table, ship: ShipState) -> bool:
    """Roll for a power core and return whether it explodes, on a 5 or 6.

    On a hulk it needs one less each turn.
    """
    needed = ship.record.reactor
    die = table.dice.roll("reactor", ship.id)
    table.tell(ReactorRolled, ship=ship.id, needed=needed, die=die)
    if die >= needed:
        return True
    if ship.status == HULK:
        least = max(needed - 1, 1)
        ship.write_fact("reactor", least)
        tell_fact(table, ship, "reactor", least)
    return False


def _explode_cores(table: Table, sources: list[ShipState]) -> None:
    """Resolve reactor breaches on everything within 3 MU.

    Each ship takes a die of semi-piercing damage for each 25 MASS of the source. Standard screens
    do not help; each level of advanced screens subtracts one from each die. A ship in several
    blasts makes one check for all. Decoys and missiles in flight are destroyed. Craft lose one for
    each point.

    Rules: Continuum "Core systems" 10.3, reactor breaches [pc.core-systems]
    """
    state = table.state
    before = {ship.id: ship.damage for ship in state.ships}
    cause_by_ship: dict[ShipId, str] = {}
    for source in sources:
        dice_count = source.sheet.mass // MASS_PER_DIE
        if not dice_count:
            continue
        cause = f"{EXPLODED}:{source.id}"
        for ship in ships_exposed(state):
            if is_within(squared_length(source.x - ship.x, source.y - ship.y), BLAST_RADIUS):
                _damage_by_core(table, source, ship, dice_count)
                cause_by_ship[ship.id] = cause
        if source.docking != BERTHED:
            burn_craft_and_pieces(
                table,
                (source.x, source.y),
                number=partial(_dice_in_blast, dice_count),
                of=source.id,
                cause=cause,
                mines=False,
                past_standard=True,
            )
    for name, cause in cause_by_ship.items():
        check_after_damage(table, state.ship(name), before[name], cause)


def _damage_by_core(table: Table, source: ShipState, ship: ShipState, dice_count: int) -> None:
    """Roll the damage of a power core to one ship and mark it; a decoy is destroyed."""
    subject = f"{source.id}>{ship.id}"
    rolls = tuple(table.dice.roll("damage", subject) for _ in range(dice_count))
    advanced = protection_of(table.state, ship).advanced
    points = sum(max(die - advanced, 0) for die in rolls)
    cause = f"{EXPLODED}:{source.id}"
    table.tell(
        ExplosionDamage, ship=ship.id, cause=cause, dice=rolls, screens=advanced, points=points
    )
    if ship.dummy:
        damage = TypedDamage(ship.sheet.boxes, HULL)
    else:
        damage = TypedDamage(points, SEMI)
    mark_damage(table, ship, (damage,), cause)


def _dice_in_blast(dice_count: int, distance: float) -> int:
    """Return the number of dice for a unit within 3 MU, else 0."""
    if distance <= BLAST_RADIUS + NEAR:
        return dice_count
    return 0


def _explode_sections(table: Table, exploded: list[ShipState]) -> None:
    """Damage the sections next to one whose power core exploded, by three piercing dice.

    Sections destroyed by this do the same to their neighbours.

    Rules: Continuum "Starbases" 13.15 [pc.starbases]
    """
    sources = [ship for ship in exploded if ship.record.section]
    for source in sources:  # grows as sections explode
        for ship in adjacent_sections(table.state, source):
            subject = f"{source.id}>{ship.id}"
            rolls = tuple(table.dice.roll("damage", subject) for _ in range(CHAIN_DICE))
            cause = f"{EXPLODED}:{source.id}"
            table.tell(
                ExplosionDamage, ship=ship.id, cause=cause, dice=rolls, screens=0, points=sum(rolls)
            )
            apply_damage(table, ship, (TypedDamage(sum(rolls), PIERCING),), cause)
            if ship.status == DESTROYED:
                sources.append(ship)


def _check_air_and_command(table: Table, ship: ShipState) -> None:
    """Make a ship without life support a hulk, or restore its bridge when its time is over.

    Rules: Continuum "Core systems" 10.3 [pc.core-systems]
    """
    if 0 < ship.record.air_fails <= table.turn:
        make_hulk(table, ship, DerelictCause.NO_AIR)
    elif 0 < ship.record.out_of_control <= table.turn:
        ship.restore(BRIDGE)
        table.tell(RepairRolled, ship=ship.id, system=BRIDGE, parties=0, die=0, succeeded=True)


def drift_hulks(table: Table, moved_ids: Collection[ShipId]) -> None:
    """Move hulks on after all other ships, and off the table for good.

    Args:
        moved_ids: The ships that have already moved.

    Rules: Continuum "Core systems" 10.3 [pc.core-systems]
    """
    state = table.state
    for ship in state.ships:
        if ship.status not in DERELICT_STATUSES or ship.id in moved_ids:
            continue
        start = ship.x, ship.y
        fly_leg(table, ship, HOLD)
        crossed = edge_crossed(start, (ship.x, ship.y), state.table)
        if crossed is not None:
            ship.leave(*crossed, LEFT_TABLE)
            table.tell(LeftTable, ship=ship.id, edge=ship.edge, at=crossed[1], die=0, due=0)
