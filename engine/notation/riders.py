"""The ships of a battle file that begin aboard another: `carried: m1`.

Rules: Continuum "FTL tugs and tenders", "Battleriders and motherships" 11.6, 11.7 [pc.tugs]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.edition import Edition
from engine.core.kinds import CARRIED, FIGHTING, INBOUND
from engine.core.phrase import phrase
from engine.core.ship import FREE, ShipState
from engine.core.transport import rooms_of, without_room
from engine.notation.reading import Reader, ship_entries


def read_riders(
    reader: Reader, document: Mapping[object, object], edition: str, ships: Sequence[ShipState]
) -> None:
    """Put ships aboard those that carry them, in place; faults go to the reader.

    Rules: Continuum "Battleriders and motherships" 11.7 [pc.tugs]
    """
    riders_of: dict[str, list[ShipState]] = {}
    for where, ship, carrier in _rider_entries(reader, document, edition, ships):
        riders = riders_of.setdefault(carrier.id, [])
        riders.append(ship)
        masses = [rider.sheet.mass for rider in riders]
        if without_room(masses, rooms_of(carrier.sheet, carrier.lost_systems())):
            reader.fault(
                where,
                "no-room",
                phrase(
                    "{} has no room for it: its total capacity is mass {}", carrier.id, sum(masses)
                ),
            )
        ship.status, ship.dock = CARRIED, carrier.id
        ship.record = ship.record.with_values(rider=True)


def _rider_entries(
    reader: Reader, document: Mapping[object, object], edition: str, ships: Sequence[ShipState]
) -> list[tuple[str, ShipState, ShipState]]:
    """Return the ships that may begin aboard others: the place in the file, ship and carrier."""
    by_id: dict[str, ShipState] = {ship.id: ship for ship in ships}
    entries: list[tuple[str, ShipState, ShipState]] = []
    for spot, item in ship_entries(document):
        if "carried" not in item:
            continue
        where = f"{spot}.carried"
        ship = by_id.get(str(item.get("id")))
        carrier = by_id.get(str(item["carried"]))
        if edition != Edition.CONTINUUM:
            reader.fault(
                where, "carried", phrase("tenders and motherships need the Continuum edition")
            )
        elif ship is None:
            continue
        elif carrier is None or not _may_carry(carrier, ship, document):
            words = phrase("expected another ship of its side that is not itself aboard a ship")
            reader.fault(where, "carried", words)
        elif fault := _rider_fault(ship, carrier):
            reader.fault(where, "carried", fault)
        else:
            entries.append((where, ship, carrier))
    return entries


def _may_carry(carrier: ShipState, ship: ShipState, document: Mapping[object, object]) -> bool:
    """Return whether a ship is another of the same side, and not aboard a ship itself."""
    if carrier is ship or carrier.owner != ship.owner:
        return False
    entries = (item for _, item in ship_entries(document) if item.get("id") == carrier.id)
    return "carried" not in next(entries, {})


def _rider_fault(ship: ShipState, carrier: ShipState) -> str:
    """Return the reason why a ship cannot begin aboard another, "" if it can."""
    is_by_itself = ship.status == FIGHTING and ship.docking == FREE and not ship.dummy
    if not is_by_itself or ship.record.section or ship.record.stand:
        return phrase(
            "only a ship that could start on the table by itself can start aboard another"
        )
    if ship.record.squadron or ship.cover is not None:
        return phrase("a ship in a squadron or in disguise cannot start aboard another")
    if carrier.status not in (FIGHTING, INBOUND) or carrier.dummy:
        return phrase("the ship that carries it must start on the table or in FTL")
    return ""
