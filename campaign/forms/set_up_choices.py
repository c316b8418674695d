"""What a ship can be attached to when it begins a battle, as choices of both set-up forms. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from campaign.forms.field import Option
from engine.core.deployment import Zones
from engine.core.edition import Edition
from engine.core.kinds import INBOUND, INSTALLATION
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.transport import rooms_of
from engine.notation.stands import unfit_for_stand
from engine.pieces.planet import Planet
from engine.ruleset import rules_of

# The zones of a war (`umpire.adjudication.battle_zones`).
ZONE_RULE = phrase(
    "Who held the system alone, or has its inner part in a stand-off, sets up in half of the table "
    "(a third with more than two sides); who was caught fleeing, in the middle third; all others, "
    "along their edge."
)

ATTACHMENTS = ("docked", "carried", "orbit", "gate")  # keys of a place that name something else
STANDS = ("A", "B", "C")


def begin_options(
    state: BattleState,
    ship: ShipState,
    zones: Zones,
    gates: Iterable[str],
    name_of: Callable[[str], str],
) -> list[Option]:
    """Return the docks, carriers, planets and gates at which a ship could begin.

    Args:
        zones: The parts of the zone of its side.
        gates: The gates through which it may come.
        name_of: Returns the name of a ship or body.
    """
    if ship.sheet.kind == INSTALLATION or ship.dummy:
        return []
    options = _ship_options(state, ship, zones, name_of)
    if any(zone.orbit for zone in zones):
        for planet in state.pieces_of(Planet):
            if planet.speeds:
                words = phrase("in orbit of {}", name_of(planet.id))
                options.append((f"orbit:{planet.id}", words))
    for gate in gates:
        words = phrase("out of the gate {} in its FTL turn", gate)
        options.append((f"gate:{gate}", words))
    return options


def _ship_options(
    state: BattleState, ship: ShipState, zones: Zones, name_of: Callable[[str], str]
) -> list[Option]:
    """Return the ships of its side at which a ship could be docked, or in whose holds it fits."""
    may_dock = any(zone.docked for zone in zones)
    docks_at_ships = rules_of(ship.sheet.edition).docking.at_ships
    options: list[Option] = []
    for other in state.ships:
        is_there = other.status != INBOUND and not other.dummy
        if other is ship or other.owner != ship.owner or not is_there:
            continue
        name = name_of(other.id)
        if may_dock and (docks_at_ships or other.sheet.kind == INSTALLATION):
            options.append((f"docked:{other.id}", phrase("docked at {}", name)))
        if rooms_of(other.sheet, other.lost_systems()):
            options.append((f"carried:{other.id}", phrase("aboard {}", name)))
    return options


def stand_options(ships: Sequence[ShipState], ship: ShipState) -> list[Option]:
    """Return the stands on which a ship could begin with others; none if it cannot share one."""
    if ship.sheet.edition != Edition.CONTINUUM or unfit_for_stand(ship):
        return []
    others = [other for other in ships if other is not ship and not unfit_for_stand(other)]
    return [(stand, phrase("stand {}", stand)) for stand in STANDS] if others else []


def attachment_of(place: Mapping[str, Any]) -> str:
    """Return the value of the choice for what a ship is attached to, such as `docked:base`."""
    for key in ATTACHMENTS:
        if key in place:
            return f"{key}:{place[key]}"
    return ""


def attachment_from(value: str) -> dict[str, str]:
    """Return the key of a place that a value of the choice stands for; nothing for the table."""
    key, _, target = value.partition(":")
    return {key: target} if key in ATTACHMENTS and target else {}
