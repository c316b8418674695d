"""Events of dogfights by actions: orders to groups, and what they do in turn.

Rules: Dogfight actions [dog.actions]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.core.phrase import phrase
from engine.core.state import BattleState
from engine.events.event import Audience, Event, GroupRef, Open
from engine.pieces.group import Group


@dataclass(frozen=True, slots=True)
class ActionsOrdered(Event):
    """A group got its actions for a dogfight, and the place where it flies afterwards."""

    kind: ClassVar[str] = "actions-ordered"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    group: GroupRef
    actions: Open[tuple[str, ...]]
    leaves_to: Open[tuple[float, ...]]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).plan(self.actions, self.leaves_to)


@dataclass(frozen=True, slots=True)
class DogfightAction(Event):
    """A group's action in a dogfight against another group.

    Attributes:
        cost: Endurance.
        weapons: The number of dice of each weapon.
        points: Damage to the other group.
        succeeded: Whether an attempt to break off succeeded.
    """

    kind: ClassVar[str] = "dogfight-action"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: GroupRef
    action: Open[str]
    cost: Open[int]
    dice: Open[tuple[int, ...]]
    weapons: Open[tuple[int, ...]]
    points: Open[int]
    succeeded: Open[bool]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).pay_for_action(self.cost)


@dataclass(frozen=True, slots=True)
class SquadronHurt(Event):
    """A group has taken this much of the damage that destroys it; only its own side knows."""

    kind: ClassVar[str] = "squadron-hurt"
    text: ClassVar[str] = phrase(
        "{group} have taken {damage_taken} of the {most} points that destroy them"
    )
    plural_text: ClassVar[str] = text
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    group: GroupRef
    damage_taken: Open[int]
    most: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).craft_damage = self.damage_taken
