"""Phase 13 of a Continuum turn: the effects of fire and boarders on systems, all at once.

Rules: Continuum "Sequence of play" 2.6 [pc.sequence]; Continuum "Threshold points" 4.11
[pc.thresholds]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.continuum.damage import check_after_damage, is_wrecked, release_charges, rows_ended
from engine.continuum.fire_control import Aftermath, lose_for_good
from engine.core.kinds import FIGHTING, HULK, SHIP_SURRENDERED
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.events.damage import MountPicked, SystemChecked
from engine.pieces.debris import break_up_ship

# The electronic systems that EMP hits can test, in the order used without orders.
ELECTRONIC = (
    *("advanced-firecon", "firecon", "drive"),
    *("advanced-area-screen", "area-screen", "advanced-screen", "screen"),
    *(
        "reflex-field",
        "holofield",
        "stealth-field",
        "cloaking-field",
        "tuffley-cloak",
        "cloaking-device",
    ),
    *("area-ecm", "ecm", "turret", "ftl"),
)
# The lowest die that loses a system, for no hit, one, two, and three or more.
EMP_LOSES_ON = (7, 6, 5, 4)


def checks_phase(table: Table, aftermath: Aftermath) -> None:
    """Destroy ships without hull boxes, and check the systems of the others.

    Systems picked out by needle beams and commandos are lost first. Then electronics are tested.
    Then ships check for the rows that ended in phases 11 and 12.

    Rules: Continuum "Threshold points" 4.11 [pc.thresholds]; Continuum "EMP projectors" 5.4
    [pc.emp]
    """
    for ship in table.state.ships:
        if ship.status not in (FIGHTING, HULK, SHIP_SURRENDERED):
            continue
        before = aftermath.before[ship.id]
        if not is_wrecked(ship):
            if aftermath.needled:
                _destroy_picked_systems(table, ship, aftermath)
            if aftermath.emp:
                hits = [(hit, systems) for id_, hit, systems, _ in aftermath.emp if id_ == ship.id]
                check_electronics(table, ship, hits, len(rows_ended(ship, before)))
        check_after_damage(table, ship, before, "fire", phase_13=True)
        if ship.id in aftermath.excess:
            break_up_ship(table, ship, aftermath.excess[ship.id])


def _destroy_picked_systems(table: Table, ship: ShipState, aftermath: Aftermath) -> None:
    """Destroy the systems hit by needle beams and commandos, beyond repair in this battle.

    Rules: Continuum "Needle beams" 5.13 [pc.needle-beams]; Continuum "Transporter beams" 5.9
    [pc.transporters]
    """
    for target, system, by in aftermath.needled:
        if target != ship.id:
            continue
        index = ship.profile.index_of.get(system, -1)
        if index < 0:
            index = _pick_mount(table, ship, system)
        if index >= 0 and ship.alive[index]:
            lose_for_good(table, ship, index, f"fire:{by}")
            release_charges(table, ship, (ship.sheet.fits[index].id,))


def _pick_mount(table: Table, ship: ShipState, type_: str) -> int:
    """Roll which working weapon of a type a needle beam hits; return its place, or -1.

    Rules: Continuum "Needle beams" 5.13 [pc.random-mount]
    """
    places = ship.profile.indexes_by_type.get(type_, ())
    working = [place for place in places if ship.alive[place]]
    if not working:
        return -1
    die = table.dice.roll("mount", f"{ship.id}/{type_}", len(working))
    place = working[die - 1]
    table.tell(
        MountPicked, ship=ship.id, mount=ship.sheet.fits[place].id, faces=len(working), die=die
    )
    return place


def check_electronics(
    table: Table, ship: ShipState, hits: Sequence[tuple[int, tuple[str, ...]]], rows: int
) -> None:
    """Roll a die for each EMP hit on a ship.

    The total of hits sets the die that loses a system; each row that ended lowers it.

    Args:
        hits: Of each weapon: its hits, and the systems they are assigned to.

    Rules: Continuum "EMP projectors" 5.4 [pc.emp]
    """
    tested: list[str] = []
    total = 0
    for number, systems in hits:
        tested += systems_tested(ship, number, systems)
        total += number
    if not tested:
        return
    loses_on = EMP_LOSES_ON[min(total, len(EMP_LOSES_ON) - 1)] - rows
    rolls: list[tuple[str, int]] = []
    lost_ids: list[str] = []
    for system in tested:
        die = table.dice.roll("threshold", f"{ship.id}/{system}")
        rolls.append((system, die))
        index = ship.profile.index_of[system]
        if die >= loses_on and ship.alive[index]:
            ship.knock_out(index)
            lost_ids.append(system)
    if lost_ids:
        ship.recompute()
    if table.listens:
        table.tell(
            SystemChecked,
            ship=ship.id,
            cause="emp",
            loses_on=loses_on,
            rolls=tuple(rolls),
            lost=tuple(lost_ids),
        )


def systems_tested(ship: ShipState, hits: int, named_systems: tuple[str, ...]) -> tuple[str, ...]:
    """Return the systems that EMP hits test: those named in turn, else all electronics in turn.

    Lost and non-electronic systems are skipped. If no named system is left, all count.

    Rules: Continuum "EMP projectors" 5.4 [pc.emp]
    """
    fits = ship.sheet.fits
    working: list[str] = []
    for type_ in ELECTRONIC:
        for place in ship.profile.indexes_by_type.get(type_, ()):
            if ship.alive[place]:
                working.append(fits[place].id)
    targets = [name for name in named_systems if name in working] or working
    if targets:
        return tuple(targets[number % len(targets)] for number in range(hits))
    return ()
