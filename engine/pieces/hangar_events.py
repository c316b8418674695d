"""Events of Continuum's hangars: groups that are rearmed or scramble, and what explodes when one is
knocked out.

Rules: Continuum "Scrambling fighter groups" 8.3 [pc.scramble]; Continuum "Re-arming" 8.16
[pc.rearming]; Continuum "Critical hits on hangar bays" 10.2 [pc.hangar-criticals]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.core.phrase import phrase
from engine.core.state import BattleState
from engine.events.event import Audience, Event, GroupRef, Open, Own, ShipRef
from engine.pieces.group import Group


@dataclass(frozen=True, slots=True)
class HangarChecked(Event):
    """A hangar that was knocked out: its die, up to which it explodes, the die of that and the
    points of damage.

    Up to what it explodes tells of decks that a combat landing has fouled: its own side's business
    (8.4).
    """

    kind: ClassVar[str] = "hangar-checked"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    ship: ShipRef
    bay: Open[str]
    die: Open[int]
    explodes_to: Own[int | None]
    dice: Open[tuple[int, ...]]
    points: Open[int]


@dataclass(frozen=True, slots=True)
class GroupRearmed(Event):
    """The die of a group that came aboard, none after a combat landing, and the turn from which
    what is in its bay may fly again, 0 for never.
    """

    kind: ClassVar[str] = "rearmed"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    group: GroupRef
    die: Open[int]
    ready: Open[int]


@dataclass(frozen=True, slots=True)
class GroupsScrambled(Event):
    """The die of a ship that scrambles groups: the bay that a mishap puts out of action with the
    craft in it, "" where none does, and how many groups get away.
    """

    kind: ClassVar[str] = "scrambled"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    ship: ShipRef
    die: Open[int]
    wrecked: Open[str]
    groups: Open[int]

    def apply(self, state: BattleState) -> None:
        if self.wrecked:
            ship = state.ship(self.ship)
            index = ship.profile.index_of[self.wrecked]
            inside = ship.stock[index]
            ship.lose_systems((self.wrecked,))
            ship.stock[index] = inside  # whoever repairs it has them back


@dataclass(frozen=True, slots=True)
class GroupHalfFuelled(Event):
    """A group took off while it was being rearmed: what of its endurance it lacks; it has nothing
    that is reloaded.
    """

    kind: ClassVar[str] = "half-fuelled"
    text: ClassVar[str] = phrase("{group} has half its fuel, and nothing that it has to reload")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    spent: Open[int]

    def apply(self, state: BattleState) -> None:
        group = state.piece(Group, self.group)
        group.spent = self.spent
        group.loads = {load.name: 0 for load in group.row.loads}
