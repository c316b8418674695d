"""Events of Continuum's craft: escorts, secondary moves, attacks, and fire at them.

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
    """A group screens a unit of its side, or pursues a ship that it attacked last turn."""

    kind: ClassVar[str] = "accompanied"
    text: ClassVar[str] = phrase("{group} stay with {unit}")
    plural_text: ClassVar[str] = text
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    unit: UnitRef
    pursues: Open[bool]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).accompany(self.unit, pursues=self.pursues)


@dataclass(frozen=True, slots=True)
class GroupFollowed(Event):
    """A group moved along with the ship or group that it accompanies."""

    kind: ClassVar[str] = "followed"
    text: ClassVar[str] = phrase("{group} keep up")
    plural_text: ClassVar[str] = text
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    at: Open[tuple[float, float]]
    course: Open[int]

    def apply(self, state: BattleState) -> None:
        group = state.piece(Group, self.group)
        (group.x, group.y), group.course = self.at, self.course


@dataclass(frozen=True, slots=True)
class EvasionOrdered(Event):
    """A group was ordered to evade this many or more weapons of one ship."""

    kind: ClassVar[str] = "evasion-ordered"
    text: ClassVar[str] = phrase("{group} evade if {weapons:weapon} or more fire")
    plural_text: ClassVar[str] = text
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    group: GroupRef
    weapons: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).set_turn(evades_at=self.weapons)


@dataclass(frozen=True, slots=True)
class SecondaryMove(Event):
    """A group's secondary move, which costs endurance."""

    kind: ClassVar[str] = "secondary-move"
    text: ClassVar[str] = phrase("{group} fly on")
    plural_text: ClassVar[str] = text
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    path: Open[tuple[tuple[float, float], ...]]
    course: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).fly_on(state, self.path[-1], self.course)


@dataclass(frozen=True, slots=True)
class AttackDeclared(Event):
    """A group attacks ships or groups (`targets`), or ordnance (`engaged_markers`).

    `using` names the weapons.
    """

    kind: ClassVar[str] = "attack-declared"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    targets: UnitRefs
    engaged_markers: Open[tuple[str, ...]]
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
    """A group that attacks a ship was ordered to help another there and fire nothing."""

    kind: ClassVar[str] = "assistance-ordered"
    text: ClassVar[str] = phrase("{group} help {other}")
    plural_text: ClassVar[str] = text
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    group: GroupRef
    other: GroupRef

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).set_turn(assists=self.other)


@dataclass(frozen=True, slots=True)
class LossesOrdered(Event):
    """A group was given its place in the order in which groups of its type take losses."""

    kind: ClassVar[str] = "losses-ordered"
    text: ClassVar[str] = phrase("{group} takes losses of its type in place {place}")
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    group: GroupRef
    place: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).set_turn(falls=self.place)


@dataclass(frozen=True, slots=True)
class GroupIntercepted(Event):
    """A group fights craft that intercept it instead of its ordered target."""

    kind: ClassVar[str] = "intercepted"
    text: ClassVar[str] = phrase("{group} have to fight {target}")
    plural_text: ClassVar[str] = text
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: GroupRef

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).fight_group(state, self.target)


@dataclass(frozen=True, slots=True)
class PointDefenceAtCraft(Event):
    """A point defence weapon fired at craft for a ship (`guarded`, MU away): its dice and hits."""

    kind: ClassVar[str] = "point-defence-at-craft"
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
    """Area screens cover craft under fire: their levels, and how many of these are advanced."""

    kind: ClassVar[str] = "craft-covered"
    text: ClassVar[str] = phrase("Area screens cover {group}: level {screens}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    screens: Open[int]
    advanced: Open[int]


@dataclass(frozen=True, slots=True)
class DefenceLevelAtCraft(Event):
    """The point defence level that a group meets at a ship.

    Attributes:
        screens: What the ship's screens add to the level against such craft.
        lower: By how many bands the dice are lowered.
    """

    kind: ClassVar[str] = "defence-level-at-craft"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    ship: ShipRef
    level: Open[int]
    screens: Open[int]
    lower: Open[int]


@dataclass(frozen=True, slots=True)
class GroupAssisted(Event):
    """A group draws the point defence of a ship away from another group that attacks it."""

    kind: ClassVar[str] = "assisted"
    text: ClassVar[str] = phrase("{group} draw the point defence of {ship} off {other}")
    plural_text: ClassVar[str] = text
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    other: GroupRef
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        group = state.piece(Group, self.group)
        group.fight(at_ship=True)


@dataclass(frozen=True, slots=True)
class GroupFiredAtOrdnance(Event):
    """A group fired at ordnance: its dice, and how much of it they destroy."""

    kind: ClassVar[str] = "craft-fired-at-ordnance"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    marker: Open[str]
    range: Open[float]
    dice: Open[tuple[int, ...]]
    hits: Open[int]

    def apply(self, state: BattleState) -> None:
        group = state.piece(Group, self.group)
        # It spends its rounds once, at however many markers.
        if not (group.this_turn.has_fired and group.row.guns.rounds):
            group.fight()
        state.piece(Marker, self.marker).destroyed += self.hits


@dataclass(frozen=True, slots=True)
class GroupEvaded(Event):
    """A group evades all fire of ships for the rest of the turn, at the cost of endurance."""

    kind: ClassVar[str] = "evaded"
    text: ClassVar[str] = phrase("{group} evade")
    plural_text: ClassVar[str] = text
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
    """A squadron of gunboats fired at a ship; it may have been shot down in the same fire.

    Attributes:
        armament: The armament.
        system: The system it aimed at, or "".
        range: In MU.
        screens: Levels of the target's screens.
        damage: Dice of damage.
        hits: Points of damage.
    """

    kind: ClassVar[str] = "boats-fired"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: ShipRef
    armament: Open[str]
    system: Open[str]
    range: Open[float]
    screens: Open[int]
    dice: Open[tuple[int, ...]]
    damage: Open[tuple[int, ...]]
    hits: Open[int]

    def apply(self, state: BattleState) -> None:
        group = state.find(Group, self.group)
        if group is not None:
            group.fight(group.row.armament(self.armament), at_ship=True)


@dataclass(frozen=True, slots=True)
class CraftEmpFired(Event):
    """A group fired EMP projectors at a ship; gunboats may have been shot down in the same fire.

    Attributes:
        armament: The armament.
        system: The system it aimed at, or "".
        range: In MU.
        hits: Hits on electronics.
    """

    kind: ClassVar[str] = "craft-emp-fired"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: ShipRef
    armament: Open[str]
    system: Open[str]
    range: Open[float]
    dice: Open[tuple[int, ...]]
    hits: Open[int]

    def apply(self, state: BattleState) -> None:
        group = state.find(Group, self.group)
        if group is not None:
            group.fight(group.row.armament(self.armament), at_ship=True)


@dataclass(frozen=True, slots=True)
class CraftLaunched(Event):
    """A group launched rounds: missiles at a point, bombs at its place, or rockets at a unit.

    Attributes:
        armament: The load.
        marker: The marker of what flies on; "" if no rocket hits.
        target: The ship or gunboats at which rockets were fired.
        bearing: The direction from which rockets come in, as a clock point from their target's bow.
        dice: The dice of rockets.
    """

    kind: ClassVar[str] = "craft-launched"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    armament: Open[str]
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
        load = group.row.armament(self.armament)
        assert load is not None
        group.launch_rounds(load, self.rounds)
        if self.marker:
            x, y = self.at
            rating = self.strength if load.dropped else 1
            if load.grade:
                full = max(group.row.full, SALVO)
            else:
                full = SALVO
            boats = state.find(Group, self.target) if self.target else None
            state.pieces.append(
                Marker(
                    self.marker,
                    side=group.commander,
                    ship=group.id,
                    type=load.launches,
                    rating=rating,
                    x=x,
                    y=y,
                    strength=self.strength,
                    launched_turn=self.turn,
                    grade=require_value(self.grade),
                    course=self.bearing,
                    target=NO_SHIP if boats else ShipId(self.target),
                    full_strength=full,
                    target_boats=boats.id if boats else NO_GROUP,
                )
            )
            state.launch_count += 1


@dataclass(frozen=True, slots=True)
class ShuttlesLanded(Event):
    """Assault shuttles landed marines and parties on a ship, and are used up.

    There is a die for each marine and party; `marines` and `parties` came aboard.
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
    """A reflex field met the fire of craft.

    Attributes:
        points: Points of the fire.
        damage_taken: Points that the ship took.
        burned: Craft destroyed by what was reflected.
    """

    kind: ClassVar[str] = "craft-reflected"
    text: ClassVar[str] = phrase("The reflex field of {ship} meets the fire of {group}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    group: GroupRef
    die: Open[int]
    points: Open[int]
    damage_taken: Open[int]
    burned: Open[int]


@dataclass(frozen=True, slots=True)
class CraftBurned(Event):
    """A blast hit a group: its dice, and the craft lost."""

    kind: ClassVar[str] = "craft-burned"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    cause: Cause
    dice: Open[tuple[int, ...]]
    craft: Open[int]
