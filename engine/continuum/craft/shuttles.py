"""Phase 10: assault shuttles land boarders on a ship.

Rules: Continuum "Assault shuttles" 8.15 [pc.assault-shuttles]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.continuum.boarders import lose_marine
from engine.continuum.boarding import is_boarding_allowed, send_aboard
from engine.continuum.craft.moves import in_order
from engine.continuum.defences import protection_of
from engine.core.kinds import FIGHTING
from engine.core.notes import write_fact
from engine.core.reason import reason
from engine.core.rolls import clamp_die
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.craft.craft_type import Armament
from engine.events.fire import ShotRefused
from engine.pieces.craft_events import ShuttlesLanded
from engine.pieces.group import Group
from engine.systems.outfit import marines_of, parties_of

LANDS_ON = 3  # the lowest die on which a passenger lands
MARINE_MODIFIER = 1  # added to the die of marines
NOT_AGREED = reason("not-agreed", "shuttles cannot board: boarding is not allowed in this battle")
SCREENED = reason("advanced-screens-let-no", "its advanced screens keep shuttles from landing")
NOBODY_ABOARD = reason("ship-nobody-left-carry", "its ship has no marines or parties left to send")


def passengers(table: Table, group: Group) -> tuple[int, int]:
    """Return the marines and parties that a group carries, limited to those its ship still has."""
    home = table.state.ship(group.ship)
    if home.status != FIGHTING or home.commander != group.commander:
        return 0, 0
    marines = min(group.this_turn.marines, len(marines_of(home)))
    parties = min(group.this_turn.parties, parties_of(home))
    return marines, parties


def land(table: Table, group: Group, armament: Armament, ship: ShipState) -> None:
    """Land the passengers of the surviving shuttles, with a die for each, marines first.

    The shuttles are used up. Passengers who fail their roll are lost, and so are those in shuttles
    that were shot down; there parties fall before marines.

    Rules: Continuum "Assault shuttles" 8.15 [pc.assault-shuttles]
    """
    marines, parties = passengers(table, group)
    if fault := _boarding_fault(table, ship, marines + parties):
        table.tell(
            ShotRefused, ship=group.id, weapon=armament.name, targets=(ship.id,), reason=fault
        )
        return
    arriving_marines = min(marines, group.craft)
    arriving_parties = min(parties, max(group.craft - marines, 0))
    marine_dice = _roll_landings(table, group, arriving_marines)
    party_dice = _roll_landings(table, group, arriving_parties)
    landed_marines = sum(clamp_die(die, MARINE_MODIFIER) >= LANDS_ON for die in marine_dice)
    landed_parties = sum(die >= LANDS_ON for die in party_dice)
    event = ShuttlesLanded(
        table.turn,
        group.id,
        ship.id,
        marine_dice=marine_dice,
        party_dice=party_dice,
        marines=landed_marines,
        parties=landed_parties,
    )
    home = table.state.ship(group.ship)
    table.carry_out(event)
    _lose_boarders(table, home, marines - landed_marines, parties - landed_parties)
    if landed_marines + landed_parties:
        send_aboard(table, sender=home, ship=ship, marines=landed_marines, parties=landed_parties)


def _boarding_fault(table: Table, ship: ShipState, passenger_count: int) -> str:
    """Return the reason why no passengers can land on a ship, or ""."""
    if not is_boarding_allowed(table.state):
        return NOT_AGREED
    if protection_of(table.state, ship).advanced:
        return SCREENED
    if not passenger_count:
        return NOBODY_ABOARD
    return ""


def _roll_landings(table: Table, group: Group, number: int) -> tuple[int, ...]:
    """Roll a die for each of a number of passengers who land."""
    return tuple(table.dice.roll("boarding", group.id) for _ in range(number))


def passenger_groups(state: BattleState) -> list[Group]:
    """Return the groups that carry marines or parties to a ship this turn."""
    groups: list[Group] = []
    for group in in_order(state):
        if group.this_turn.marines or group.this_turn.parties:
            groups.append(group)
    return groups


def lose_passengers(table: Table, groups: Sequence[Group]) -> None:
    """Lose the passengers of groups that were shot down completely.

    Rules: Continuum "Assault shuttles" 8.15 [pc.assault-shuttles]
    """
    for group in groups:
        if group.craft <= 0:
            _lose_boarders(table, table.state.ship(group.ship), *passengers(table, group))


def _lose_boarders(table: Table, home: ShipState, marines: int, parties: int) -> None:
    """Record the loss of marines and damage control parties of a ship."""
    for place in marines_of(home)[:marines]:
        lose_marine(table, home, home.sheet.fits[place].id)
    if parties:
        write_fact(table, home, "parties-away", home.record.parties_away + parties)
