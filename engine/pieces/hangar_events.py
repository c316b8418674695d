"""Events of Continuum's hangars: rearming, scrambling, and explosions of hangars that are hit.

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
    """A hangar was knocked out: its die, and the dice and points of an explosion.

    Attributes:
        explodes_to: The highest die on which it explodes. It reveals decks fouled by a combat
            landing, which only its own side may know (8.4).
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
    """A group came aboard: its die, and the turn from which its bay may launch again.

    `die` is 0 after a combat landing; `ready` is 0 for never.
    """

    kind: ClassVar[str] = "rearmed"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    group: GroupRef
    die: Open[int]
    ready: Open[int]


@dataclass(frozen=True, slots=True)
class GroupsScrambled(Event):
    """A ship scrambled groups: its die, and how many groups got away.

    The groups that got away have events of their own.

    Attributes:
        wrecked: The bay that a mishap put out of action, or ""; its craft stay inside.
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
            craft_inside = ship.stock[index]
            ship.lose_systems((self.wrecked,))
            ship.stock[index] = craft_inside  # they can fly again once the bay is repaired


@dataclass(frozen=True, slots=True)
class GroupHalfFuelled(Event):
    """A group took off while rearming, with this much endurance used and its loads empty."""

    kind: ClassVar[str] = "half-fuelled"
    text: ClassVar[str] = phrase(
        "{group} have half their fuel and none of the ammunition that must be reloaded"
    )
    plural_text: ClassVar[str] = text
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    used_endurance: Open[int]

    def apply(self, state: BattleState) -> None:
        group = state.piece(Group, self.group)
        group.used_endurance = self.used_endurance
        group.loads = {load.name: 0 for load in group.row.loads}
