"""Ships that leave point defence to their officers as a battle begins, in a battle file:
`"officers": true` of a side for all its ships, or the ids of some. Rules: Continuum "Point defense"
8.8 [pc.point-defence]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.asks.officers import OFFICERS
from engine.core.errors import place
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.notation.reading import Reader
from engine.ruleset import ruleset


def read_officers(
    reader: Reader, document: Mapping[object, object], edition: str, ships: Sequence[ShipState]
) -> None:
    """Write down in place which ships leave point defence to their officers; every fault goes to
    the reader.
    """
    sides = document.get("sides")
    for number, side in enumerate(sides if isinstance(sides, list) else ()):
        if not isinstance(side, Mapping) or OFFICERS not in side:
            continue
        where, said = f"{place('sides', number)}.{OFFICERS}", side[OFFICERS]
        own = {str(ship.id): ship for ship in ships if ship.owner == number}
        if not _has_officers(edition):
            reader.fault(
                where,
                OFFICERS,
                phrase(
                    "by this edition nobody is asked for point defence: there is nothing to leave"
                ),
            )
        elif isinstance(said, bool):
            for ship in own.values() if said else ():
                ship.note(OFFICERS, 1)
        elif not isinstance(said, list):
            reader.fault(
                where, OFFICERS, phrase("officers is true, false or a list of the side's ships")
            )
        else:
            for row, name in enumerate(said):
                if isinstance(name, str) and name in own:
                    own[name].note(OFFICERS, 1)
                else:
                    reader.fault(
                        place(where, row),
                        "unknown-ship",
                        phrase("no ship of this side has the id {!r}", name),
                    )


def _has_officers(edition: str) -> bool:
    """Whether ships of an edition are asked for point defence at a stop."""
    return any(
        ask.key == OFFICERS for phase in ruleset(edition, ()).sequence.phases for ask in phase.asks
    )
