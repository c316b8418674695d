"""Events of Continuum's craft: how they fly beside others and fly on, whom they attack, what shoots
at them.

Rules: Continuum "Flight operations" 8 [pc.fighter-move]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.core.ids import NO_GROUP, NO_SHIP, ShipId
from engine.core.phrase import phrase
from engine.core.state import BattleState
from engine.events.event import (
    Audience,
    Cause,
    Event,
    GroupRef,
    Open,
    Own,
    ShipRef,
    UnitRef,
    UnitRefs,
    require_value,
)
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.weapons.ordnance import SALVO


@dataclass(frozen=True, slots=True)
class GroupAccompanied(Event):
    """A group keeps beside a ship or group of its side, or after a ship that it attacked last
    turn.
    """

    kind: ClassVar[str] = "accompanied"
    text: ClassVar[str] = phrase("{group} stays beside {unit}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    unit: UnitRef
    pursues: Open[bool]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).accompany(self.unit, pursues=self.pursues)


@dataclass(frozen=True, slots=True)
class GroupFollowed(Event):
    """A group has moved with the ship or group that it keeps beside."""

    kind: ClassVar[str] = "followed"
    text: ClassVar[str] = phrase("{group} keeps up")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    at: Open[tuple[float, float]]
    course: Open[int]

    def apply(self, state: BattleState) -> None:
        group = state.piece(Group, self.group)
        (group.x, group.y), group.course = self.at, self.course


@dataclass(frozen=True, slots=True)
class EvasionOrdered(Event):
    """A group is told from how many weapons of one ship it evades."""

    kind: ClassVar[str] = "evasion-ordered"
    text: ClassVar[str] = phrase("{group} evades {weapons:weapon} or more")
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    group: GroupRef
    weapons: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).set_turn(evades_at=self.weapons)


@dataclass(frozen=True, slots=True)
class SecondaryMove(Event):
    """A group's secondary move, which takes of its endurance."""

    kind: ClassVar[str] = "flown-on"
    text: ClassVar[str] = phrase("{group} flies on")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    path: Open[tuple[tuple[float, float], ...]]
    course: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).fly_on(state, self.path[-1], self.course)


@dataclass(frozen=True, slots=True)
class AttackDeclared(Event):
    """A group attacks ships or groups, or markers: with what, and how."""

    kind: ClassVar[str] = "attack-declared"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    targets: UnitRefs
    meets: Open[tuple[str, ...]]
    using: Open[tuple[str, ...]]
    presses: Own[bool | None]
    splits: Own[bool | None]
    count: Own[int | None]
    system: Own[str | None]
    marines: Own[int | None]
    parties: Own[int | None]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).attack(state, self)


@dataclass(frozen=True, slots=True)
class AssistanceOrdered(Event):
    """A group that attacks a ship is told to help another there, and to fire nothing itself."""

    kind: ClassVar[str] = "assistance-ordered"
    text: ClassVar[str] = phrase("{group} is to help {other}")
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    group: GroupRef
    other: GroupRef

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).set_turn(assists=self.other)


@dataclass(frozen=True, slots=True)
class GroupIntercepted(Event):
    """A group fights craft that meet it, in the place of what it was told to attack."""

    kind: ClassVar[str] = "intercepted"
    text: ClassVar[str] = phrase("{group} has to fight {target}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: GroupRef

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).fight_group(state, self.target)


@dataclass(frozen=True, slots=True)
class PointDefenceAtCraft(Event):
    """A weapon of point defence fired at craft for a ship (`guarded`, MU away): its dice, and the
    craft they hit.
    """

    kind: ClassVar[str] = "craft-met"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    group: GroupRef
    guarded: ShipRef
    range: Open[float]
    dice: Open[tuple[int, ...]]
    hits: Open[int]


@dataclass(frozen=True, slots=True)
class CraftCovered(Event):
    """Area screens cover craft that are fired at: their levels, and how many of them are
    advanced.
    """

    kind: ClassVar[str] = "craft-covered"
    text: ClassVar[str] = phrase("Area screens cover {group}: level {screens}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    screens: Open[int]
    advanced: Open[int]


@dataclass(frozen=True, slots=True)
class DefenceLevelAtCraft(Event):
    """What a group's run meets at a ship by point defence level: the level, what the ship's screens
    add to it for such craft, and how many bands lower they read their dice.
    """

    kind: ClassVar[str] = "run-met"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    ship: ShipRef
    level: Open[int]
    screens: Open[int]
    lower: Open[int]


@dataclass(frozen=True, slots=True)
class GroupAssisted(Event):
    """A group helps another that attacks a ship, by drawing the fire of its point defence on
    itself.
    """

    kind: ClassVar[str] = "assisted"
    text: ClassVar[str] = phrase("{group} draws the point defence of {ship} off {other}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    other: GroupRef
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        group = state.piece(Group, self.group)
        group.fight(at_ship=True)


@dataclass(frozen=True, slots=True)
class GroupFiredAtOrdnance(Event):
    """A group fired at ordnance: its dice, and how much of it they take."""

    kind: ClassVar[str] = "marker-met"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    marker: Open[str]
    range: Open[float]
    dice: Open[tuple[int, ...]]
    hits: Open[int]

    def apply(self, state: BattleState) -> None:
        group = state.piece(Group, self.group)
        if not (
            group.this_turn.fired and group.row.guns.rounds
        ):  # its rounds are gone once, at however many markers
            group.fight()
        state.piece(Marker, self.marker).killed += self.hits


@dataclass(frozen=True, slots=True)
class GroupEvaded(Event):
    """A group evades all fire of ships for the rest of the turn; that takes of its endurance."""

    kind: ClassVar[str] = "evaded"
    text: ClassVar[str] = phrase("{group} evades")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).evade()


@dataclass(frozen=True, slots=True)
class GroupShotAt(Event):
    """A ship's weapon fired at a group (MU away): its dice, and the craft they hit."""

    kind: ClassVar[str] = "group-shot-at"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    group: GroupRef
    range: Open[float]
    dice: Open[tuple[int, ...]]
    hits: Open[int]


@dataclass(frozen=True, slots=True)
class BoatsFired(Event):
    """A squadron of gunboats fired at a ship (MU away, behind so many screens) with what it
    carries: its dice, those of damage, and the points that do. `system`: what it was aimed at. It
    may have been shot down in the same fire.
    """

    kind: ClassVar[str] = "boats-fired"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: ShipRef
    how: Open[str]
    system: Open[str]
    range: Open[float]
    screens: Open[int]
    dice: Open[tuple[int, ...]]
    damage: Open[tuple[int, ...]]
    hits: Open[int]

    def apply(self, state: BattleState) -> None:
        group = state.find(Group, self.group)
        if group is not None:
            group.fight(group.row.armament(self.how), at_ship=True)


@dataclass(frozen=True, slots=True)
class CraftLaunched(Event):
    """A group launched rounds of a load: missiles at a point, bombs where it is, or rockets at a
    ship or gunboats (`target`) with their dice. `marker`: what flies on of them, "" where no rocket
    hits; `bearing`: from which of the twelve directions of its target's bow rockets come in.
    """

    kind: ClassVar[str] = "craft-launched"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    how: Open[str]
    rounds: Open[int]
    marker: Open[str]
    at: Open[tuple[float, float]]
    strength: Open[int]
    target: UnitRef
    bearing: Open[int]
    dice: Open[tuple[int, ...]]
    grade: Own[str | None]

    def apply(self, state: BattleState) -> None:
        group = state.piece(Group, self.group)
        load = group.row.armament(self.how)
        assert load is not None
        group.launch_rounds(load, self.rounds)
        if self.marker:
            x, y = self.at
            rating = self.strength if load.dropped else 1
            full = max(group.row.full, SALVO) if load.grade else SALVO
            boats = state.find(Group, self.target) if self.target else None
            state.pieces.append(
                Marker(
                    self.marker,
                    group.commander,
                    group.id,
                    load.launches,
                    rating,
                    x,
                    y,
                    self.strength,
                    self.turn,
                    require_value(self.grade),
                    course=self.bearing,
                    target=NO_SHIP if boats else ShipId(self.target),
                    full=full,
                    prey=boats.id if boats else NO_GROUP,
                )
            )
            state.launch_count += 1


@dataclass(frozen=True, slots=True)
class ShuttlesLanded(Event):
    """Assault shuttles set people down on a ship, and are used up: a die for each marine and each
    party, and how many of either came aboard.
    """

    kind: ClassVar[str] = "shuttles-landed"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: ShipRef
    marine_dice: Open[tuple[int, ...]]
    party_dice: Open[tuple[int, ...]]
    marines: Open[int]
    parties: Open[int]

    def apply(self, state: BattleState) -> None:
        group = state.piece(Group, self.group)
        group.set_turn(marines=0, parties=0)
        group.lose_craft(state, group.craft)


@dataclass(frozen=True, slots=True)
class CraftReflected(Event):
    """A reflex field under fire of craft: its die, the points they made, those taken, and the craft
    that burn in what comes back.
    """

    kind: ClassVar[str] = "craft-reflected"
    text: ClassVar[str] = phrase("The reflex field of {ship} meets the fire of {group}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    group: GroupRef
    die: Open[int]
    points: Open[int]
    taken: Open[int]
    burned: Open[int]


@dataclass(frozen=True, slots=True)
class CraftBurned(Event):
    """A blast caught a group: its dice, and the craft that are lost."""

    kind: ClassVar[str] = "craft-burned"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    cause: Cause
    dice: Open[tuple[int, ...]]
    craft: Open[int]
