"""Critical hits on hangars, an option: stored craft may explode when a hangar is lost.

Rules: Continuum "Critical hits on hangar bays" 10.2 [pc.hangar-criticals]
"""

from __future__ import annotations

from engine.core.kinds import HANGARS
from engine.core.rolls import D3
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import HANGAR_CRITICALS
from engine.craft.roles import row_in
from engine.events.damage import SystemChecked
from engine.pieces.hangar_events import HangarChecked

HANGAR = "hangar"  # the purpose of the die and the cause of its damage
EXPLODES_ON = 2  # on this die or less
WITH_ORDNANCE = 2  # damage multiplier for a hangar of craft that carry ordnance


def can_hangars_explode(state: BattleState) -> bool:
    """Return whether this battle uses the option."""
    return HANGAR_CRITICALS in state.terms.options


def hangars_of(ship: ShipState) -> list[int]:
    """Return the indexes in `fits` of a ship's working hangars, in the order of their checks."""
    result: list[int] = []
    for type_ in HANGARS:
        for place in ship.profile.indexes_by_type.get(type_, ()):
            if ship.alive[place]:
                result.append(place)
    return result


def check_hangars(
    table: Table, ship: ShipState, hangars: list[int], loses_on: int, extra: int
) -> int:
    """Check a ship's hangars and roll for an explosion in each lost one.

    Args:
        hangars: The hangars' places in `fits`.
        loses_on: The lowest die that loses a hangar.
        extra: The rows that ended beside the last one. Each makes an explosion likelier, as fouled
            decks do.

    Returns:
        The damage points of the explosions.

    Rules: Continuum "Critical hits on hangar bays" 10.2, "Combat landings" 8.4
    [pc.hangar-criticals]
    """
    fits = ship.sheet.fits
    rolls: list[tuple[str, int]] = []
    lost_places: list[int] = []
    for place in hangars:
        die = table.dice.roll("threshold", f"{ship.id}/{fits[place].id}")
        rolls.append((fits[place].id, die))
        if die >= loses_on:
            lost_places.append(place)
    # The craft are lost with their hangar, so what they carry is looked up first.
    with_ordnance = [place for place in lost_places if _holds_ordnance(ship, place)]
    names = tuple(fits[place].id for place in lost_places)
    ship.lose_systems(names)
    table.tell(
        SystemChecked, ship=ship.id, cause=HANGAR, loses_on=loses_on, rolls=tuple(rolls), lost=names
    )
    explodes_to = EXPLODES_ON + extra + ship.record.fouled
    points = 0
    for place in lost_places:
        subject = f"{ship.id}/{fits[place].id}"
        die = table.dice.roll(HANGAR, subject)
        damage_dice = (table.dice.roll("damage", subject),) if die <= explodes_to else ()
        multiplier = WITH_ORDNANCE if place in with_ordnance else 1
        damage = sum(D3[damage_die] for damage_die in damage_dice) * multiplier
        table.tell(
            HangarChecked,
            ship=ship.id,
            bay=fits[place].id,
            die=die,
            explodes_to=explodes_to,
            dice=damage_dice,
            points=damage,
        )
        points += damage
    return points


def _holds_ordnance(ship: ShipState, place: int) -> bool:
    """Return whether the craft in a bay carry ordnance or torpedoes."""
    return bool(ship.stock[place]) and any(not load.lands for load in row_in(ship, place).loads)
