"""Groups of craft in flight, and what happens to them.

Rules: 2E "Fighters" [2e.fighters]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar

from engine.core.geometry import Point
from engine.core.ids import NO_GROUP, NO_SHIP, GroupId, ShipId
from engine.core.kinds import ACE, AVERAGE, PILOTS
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import DOGFIGHT_ACTIONS, REFUSE_DOGFIGHTS
from engine.craft.craft_type import Armament, CraftType, no_fire
from engine.craft.dogfight_figures import figure
from engine.craft.fighters import STANDARD
from engine.craft.registry import craft_type
from engine.craft.roles import role_of, row_for_role
from engine.events.event import (
    Audience,
    Cause,
    Event,
    GroupRef,
    Open,
    Own,
    OwnShipRef,
    ShipRef,
    UnitRef,
    require_value,
)
from engine.pieces.craft_turn import CraftTurn, blank_craft_turn
from engine.pieces.piece import Piece, PieceDrawing, Visibility

if TYPE_CHECKING:
    from engine.pieces.craft_events import AttackDeclared

EXHAUSTED = reason("endurance-spent", "its endurance is used up")
RIVAL = "ace"  # in place of a system: the ace aims at another ace
ROCKETS_HARDER = 1  # added to the number that a rocket needs against gunboats
# Fields that documents store as lists.
TUPLE_FIELDS = ("targets", "engaged_markers", "using", "actions", "leaves_to")
STRIKE = "strike"  # `how` of guns fired at a ship


def rocket_modifier_at(group: Group) -> int:
    """Return how much more a rocket's die needs against these gunboats.

    Rules: Continuum "Rocket pods" 6.7, "Rocket gunboat", "Heavy or screened gunboat" 9.2
    [pc.rocket-pods]
    """
    return ROCKETS_HARDER - group.row.modifier


def group_id(ship: ShipState, bay: str) -> GroupId:
    """Return the id of the group from a ship's bay."""
    return GroupId(f"{ship.call_sign}/{bay}")


def groups_from(ship: ShipState) -> Iterator[tuple[GroupId, int]]:
    """Yield the ids of a ship's groups, in flight or not, with their bays' places in `fits`."""
    for index in ship.profile.bays:
        yield group_id(ship, ship.sheet.fits[index].id), index


@dataclass(slots=True)
class Group(Piece):
    """Fighters in flight, named by their ship and bay (`n1/fighter-bay-1`).

    Rules: 2E "Fighters" [2e.fighters]; 2E "Fighter-to-fighter combat" [2e.dogfights]; Continuum
    "Screens and pursuits" 8.6 [pc.fighter-screens]; Continuum "Target selection" 8.7
    [pc.fighter-targets]
    """

    kind: ClassVar[str] = "group"
    order: ClassVar[int] = 0
    view_keys: ClassVar[tuple[str, ...]] = ("groups", "flyers")
    visibility: ClassVar[Visibility] = Visibility.BY_EVERYBODY
    commanded: ClassVar[bool] = True
    flies_along: ClassVar[bool] = True
    omitted_defaults: ClassVar[tuple[str, ...]] = (
        "type",
        "used_endurance",
        "loads",
        "paid_endurance",
        "escorts",
        "pursues",
        "last_target",
        "targets",
        "engaged_markers",
        "using",
        "presses",
        "splits",
        "count",
        "system",
        "marines",
        "parties",
        "evades_at",
        "evading",
        "pilots",
        "known_pilots",
        "role",
        "assists",
        "falls",
        "fuel",
        "craft_damage",
        "has_moved_again",
        "actions",
        "leaves_to",
    )

    id: GroupRef  # its ship and bay
    side: Open[int]  # the side that flies it
    contact: Open[str]  # its contact code for other sides
    ship: OwnShipRef  # the ship that launched it
    bay: Own[str]  # the bay of that ship
    craft: Open[int]  # craft left; every side can count the models
    x: Open[float]  # MU
    y: Open[float]  # MU
    course: Open[int]  # 1 to 12, as on a clock: its facing
    # The turn of its launch; 0: before the battle, or it came under its own drives.
    launched_turn: Own[int] = 0
    dogfight: GroupRef = NO_GROUP  # the hostile group in its dogfight
    type: Open[str] = STANDARD.id  # the id of its type (`engine.craft`)
    used_endurance: Open[int] = 0  # points of endurance used
    # Rounds left by load, for loads that are not full.
    loads: Own[Mapping[str, int]] = field(default_factory=dict)
    escorts: UnitRef = ""  # the ship or group that it screens
    last_target: ShipRef = NO_SHIP  # the ship that it attacked last turn
    pilots: Own[str] = ""  # their quality, with the option for it
    # As far as other sides have seen it; set when an ace or raw pilots fight
    known_pilots: Open[str] = ""
    role: Own[str] = ""  # its mission, from the outfit of its bay
    fuel: Own[int] = 0  # its own endurance points; 0: those of its type
    craft_damage: Own[int] = 0  # damage points on its first craft, in dogfights by actions
    this_turn: CraftTurn = field(default_factory=blank_craft_turn)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Group:
        """Return the group that `to_json` wrote.

        Raises:
            TypeError: The document has other keys.
        """
        values = dict(document)
        for key in TUPLE_FIELDS:
            if key in values:
                values[key] = tuple(values[key])
        turn_values = {}
        for declared in fields(CraftTurn):
            if declared.name in values:
                turn_values[declared.name] = values.pop(declared.name)
        this_turn = CraftTurn(**turn_values)
        if this_turn == blank_craft_turn():
            this_turn = blank_craft_turn()  # the one that all groups share
        return cls(**values, this_turn=this_turn)

    def set_turn(self, **changes: Any) -> None:
        """Change fields of its `CraftTurn`."""
        self.this_turn = replace(self.this_turn, **changes)

    @property
    def commander(self) -> int:
        """The side whose orders it takes."""
        return self.side

    @property
    def row(self) -> CraftType:
        """The row of its type, modified by its role."""
        return row_for_role(self.type, self.role)

    @property
    def endurance(self) -> int:
        """How often it can fight before it must rearm; 0: without limit."""
        return self.fuel or self.row.endurance

    @property
    def owner(self) -> int:
        """The number of its side."""
        return self.side

    @property
    def is_exhausted(self) -> bool:
        """Whether its endurance is used up, so that it cannot attack.

        Rules: Continuum "Endurance" 8.13 [pc.endurance]
        """
        return 0 < self.endurance <= self.used_endurance

    def has_endurance_for(self, drain: int) -> bool:
        """Return whether it has this much endurance left.

        Rules: Continuum "Endurance" 8.13 [pc.endurance]
        """
        return not self.endurance or self.used_endurance + drain <= self.endurance

    def rounds(self, load: Armament, craft: int = 0) -> int:
        """Return the rounds it has left of a load, at most what its craft can carry.

        Args:
            craft: Count the rounds of this many craft; 0: of those it has.
        """
        most = load.carriers(craft or self.craft) * load.rounds
        return min(self.loads.get(load.name, most), most)

    def fire_fault(self, armament: Armament, *, at_ship: bool) -> str:
        """Return the reason why it cannot fire an armament at a ship or at craft, or "".

        Rules: Continuum "Endurance" 8.13 [pc.endurance]; Continuum "Fighter types" 8.15
        [pc.fighter-types]
        """
        if self.is_exhausted or not self.has_endurance_for(armament.cost(at_ship=at_ship)):
            return EXHAUSTED
        if armament.rounds and not self.rounds(armament):
            return reason("craft-has-none-left", "it has no {} left", armament.name)
        fire = armament.at_ships if at_ship else armament.at_craft
        lands_troops = at_ship and armament.lands
        if fire is no_fire and not lands_troops:
            return reason(
                "nothing-against",
                "its {} have no effect on {}",
                armament.name,
                "ships" if at_ship else "craft",
            )
        return ""

    def fight(self, armament: Armament | None = None, *, at_ship: bool = False) -> None:
        """Fire its guns, or the ordered rounds of a load, and pay the endurance."""
        used = armament or self.row.guns
        self.set_turn(has_fired=True)
        self.pay(used.cost(at_ship=at_ship))
        if used.rounds:
            rounds_fired = used.carriers(self.craft) * (self.this_turn.count or used.rounds)
            self.loads = {**self.loads, used.name: max(self.rounds(used) - rounds_fired, 0)}

    def guard(self, rounds: int) -> None:
        """Fire as point defence for other ships, with this many rounds of its packs.

        Rules: Continuum "Gunboat types" 9.2 [pc.gunboats]
        """
        guns = self.row.guns
        self.set_turn(has_fired=True)
        self.pay(guns.drain_at_craft)
        if rounds:
            packs = [armament for armament in (guns, *guns.type_weapons) if armament.guards]
            self.launch_rounds(next(armament for armament in packs if armament.rounds), rounds)

    def launch_rounds(self, load: Armament, rounds: int) -> None:
        """Launch rounds of a load and pay the endurance.

        Rules: Continuum "Missile fighters" 8.15 [pc.fighter-types]
        """
        self.loads = {**self.loads, load.name: max(self.rounds(load) - rounds, 0)}
        self.pay(load.drain)

    def pay(self, cost: int) -> None:
        """Pay for combat; a turn costs only what its most expensive weapon costs.

        Rules: Continuum "Endurance" 8.13 [pc.endurance]
        """
        paid = self.this_turn.paid_endurance
        extra = max(cost - paid, 0)
        if self.endurance and extra:
            self.set_turn(paid_endurance=paid + extra)
            self.used_endurance = min(self.used_endurance + extra, self.endurance)

    def fly(self, to: Point, course: int) -> None:
        """Make its move and leave the unit that it accompanied.

        Rules: Continuum "Movement" 8.5 [pc.fighter-move]
        """
        self.x, self.y = to
        self.course = course
        self.escorts = ""
        self.set_turn(has_moved=True, pursues=NO_SHIP)

    def accompany(self, unit: str, *, pursues: bool) -> None:
        """Move with a ship or group from now on.

        Rules: Continuum "Screens and pursuits" 8.6 [pc.fighter-screens]
        """
        self.escorts = "" if pursues else unit
        self.set_turn(pursues=ShipId(unit) if pursues else NO_SHIP)

    def _remember_target(self, state: BattleState) -> None:
        """Remember the ship it attacks, or whose screen it attacks, for a pursuit next turn."""
        ship_ids = [ship.id for ship in state.ships]
        screened_by = {group.id: group.escorts for group in state.pieces_of(Group)}
        self.last_target = NO_SHIP
        for target in self.this_turn.targets:
            ship_id = ShipId(screened_by.get(GroupId(target), target))
            if ship_id in ship_ids:
                self.last_target = ship_id
                return

    def fly_on(self, state: BattleState, to: Point, course: int) -> None:
        """Make its secondary move.

        Rules: Continuum "Movement" 8.5 [pc.fighter-move]
        """
        options = state.terms.options
        boosted = DOGFIGHT_ACTIONS in options or REFUSE_DOGFIGHTS in options
        self.x, self.y = to
        self.course = course
        self.escorts = ""
        self.set_turn(has_moved_again=boosted, pursues=NO_SHIP)
        self.used_endurance = min(self.used_endurance + 1, self.endurance)

    def attack(self, state: BattleState, attack: AttackDeclared) -> None:
        """Set its targets and weapons for this turn.

        Rules: Continuum 8.7 [pc.fighter-targets]
        """
        self.set_turn(
            targets=attack.targets,
            engaged_markers=attack.engaged_markers,
            using=attack.using,
            presses=require_value(attack.presses),
            splits=require_value(attack.splits),
            count=require_value(attack.count),
            system=require_value(attack.system),
            marines=require_value(attack.marines),
            parties=require_value(attack.parties),
        )
        self._remember_target(state)

    def fight_group(self, state: BattleState, target: GroupId) -> None:
        """Make it fight a group instead of its ordered target.

        Rules: Continuum 8.6, 8.9 [pc.fighter-screens]
        """
        guns = self.row.guns.name
        self.set_turn(
            targets=(target,), engaged_markers=(), using=(guns,), splits=False, assists="", falls=0
        )
        # A group that has fired made its attack run before it was intercepted.
        if not self.this_turn.has_fired:
            self._remember_target(state)

    def plan(self, actions: tuple[str, ...], leaves_to: tuple[float, ...]) -> None:
        """Set its actions in a dogfight, and where it flies afterwards.

        Rules: Dogfight actions [dog.actions]
        """
        self.set_turn(actions=actions, leaves_to=leaves_to)

    def pay_for_action(self, cost: int) -> None:
        """Pay endurance for an action in a dogfight.

        Rules: Dogfight actions [dog.actions]
        """
        self.set_turn(has_fired=True)
        self.used_endurance += cost

    def give_up_attack(self) -> None:
        """Cancel its attack: it fires at no ordnance and has no ship to pursue.

        Rules: Continuum "Fighter morale" 8.17 [pc.fighter-morale]
        """
        self.set_turn(engaged_markers=())
        self.last_target = NO_SHIP

    def evade(self) -> None:
        """Evade the fire of ships.

        Rules: Continuum "Ship fire against fighters" 8.6 [pc.fire-at-fighters]
        """
        self.set_turn(evading=True)
        self.used_endurance = min(self.used_endurance + 1, self.endurance)

    @classmethod
    def launch(
        cls,
        state: BattleState,
        ship: ShipState,
        bay: str,
        contact: str,
        at: Point,
        course: int,
        turn: int,
    ) -> None:
        """Launch a group from a ship's bay.

        All sides see its ship, and its type if there are several.

        Rules: 2E "Fighters" [2e.fighters]; Continuum "Information" 2.6 [pc.open-book]
        """
        cls.put_in_flight(
            state, ship=ship, bay=bay, contact=contact, at=at, course=course, turn=turn
        )
        if ship.sheet.fits[ship.profile.index_of[bay]].load:
            ship.write_fact("revealed-bays", 1, bay)

    @classmethod
    def put_in_flight(
        cls,
        state: BattleState,
        ship: ShipState,
        bay: str,
        contact: str,
        at: Point,
        course: int,
        turn: int,
    ) -> None:
        """Make a group of the craft in a ship's bay."""
        index = ship.profile.index_of[bay]
        state.pieces.append(
            cls.aboard(ship, index=index, contact=contact, at=at, course=course, turn=turn)
        )
        ship.stock[index] = 0
        state.flight_count = int(contact.removeprefix("flight-"))

    @classmethod
    def aboard(
        cls, ship: ShipState, index: int, contact: str, at: Point, course: int, turn: int
    ) -> Group:
        """Return the group that the craft in a ship's bay will be once in flight.

        Craft that arrive under their own drives count as not launched and have their full move, but
        fighters among them have used one point of endurance.

        Args:
            index: The place of the bay in `fits`.
        """
        bay = ship.sheet.fits[index].id
        type_ = ship.profile.craft[index]
        row = craft_type(type_)
        is_flying = row.arrives_in_flight(turn)
        return cls(
            group_id(ship, bay),
            side=ship.commander,
            contact=contact,
            ship=ship.id,
            bay=bay,
            craft=ship.stock[index],
            x=at[0],
            y=at[1],
            course=course,
            launched_turn=0 if is_flying else turn,
            type=type_,
            used_endurance=int(is_flying and not row.berth),
            pilots=ship.record.pilots_of(bay),
            role=role_of(ship, index),
            fuel=figure(ship.record, bay, "fuel"),
        )

    def come_aboard(self, state: BattleState, ship: ShipState, craft: int) -> None:
        """Recover craft on a ship, first into the bay they came from; an ace is among the first."""
        stock_before = list(ship.stock)
        ship.stow_craft(craft, self.bay if ship.id == self.ship else "", self.type)
        if self.pilots:
            self._mix_pilots(ship, stock_before)
        self.lose_craft(state, craft)

    def lose_craft(self, state: BattleState, craft: int) -> None:
        """Reduce its craft, lost or recovered; without craft the group is removed."""
        self.craft -= craft
        if self.craft <= 0:
            state.take_off(self)
            self.leave_dogfight(state)
            if self.pilots:
                self._leave_in_bay(state, "")  # the next group from there has other pilots

    def _mix_pilots(self, ship: ShipState, stock_before: list[int]) -> None:
        """Mix its pilots with those in the bays that recovered its craft.

        Only raw pilots among raw pilots stay raw.
        """
        for index in ship.profile.bays:
            if ship.stock[index] <= stock_before[index]:
                continue
            bay = ship.sheet.fits[index].id
            if stock_before[index]:
                pilots_there = ship.record.pilots_of(bay)
            else:
                pilots_there = self.pilots
            if pilots_there in ("", self.pilots):
                mixed = self.pilots
            else:
                mixed = ACE if ACE in (pilots_there, self.pilots) else AVERAGE
            ship.write_fact("pilots", PILOTS.index(mixed), bay)
            if self.pilots == ACE:
                self.pilots = AVERAGE

    def carrier(self, state: BattleState) -> ShipState | None:
        """Return the ship that launched it, or None if it is not in the battle or not known."""
        return next((ship for ship in state.ships if ship.id == self.ship), None)

    def _leave_in_bay(self, state: BattleState, pilots: str) -> None:
        """Set the pilots of its bay if the bay is empty."""
        home = self.carrier(state)
        if home is not None and not home.stock[home.profile.index_of[self.bay]]:
            home.write_fact("pilots", PILOTS.index(pilots), self.bay)

    def lose_ace(self, state: BattleState) -> None:
        """Remove its ace, shot down by another ace.

        Rules: Continuum "Fighter pilot quality" 8.18 [pc.aces]
        """
        self.pilots = AVERAGE
        self._leave_in_bay(state, AVERAGE)

    def leave_dogfight(self, state: BattleState) -> None:
        """End its dogfight.

        Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]
        """
        self.dogfight = NO_GROUP
        for other in state.pieces_of(Group):
            if other.dogfight == self.id:
                other.dogfight = NO_GROUP

    def take_damage(self, table: Table, points: int, cause: str, die: int = 0) -> None:
        """Lose this many craft, at most all; without craft it is gone.

        Rules: 2E "Anti-fighter defences" [2e.anti-fighter]
        """
        craft = min(points, self.craft)
        if craft > 0:
            table.tell(
                CraftLost,
                group=self.id,
                cause=cause,
                craft=craft,
                remaining=self.craft - craft,
                die=die,
            )
            self.lose_craft(table.state, craft)

    def destroy(self, table: Table, cause: str) -> None:
        """Lose all its craft."""
        self.take_damage(table, self.craft, cause)

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """Return an arrow with its name and the number of its craft."""
        name = name_of(document["id"])
        craft = document["craft"]
        if "at" in document:
            at = document["at"]
        else:
            at = (document["x"], document["y"])
        if "type" in document:
            word = craft_type(document["type"]).word
        else:
            word = ""
        kind = phrase(word) if word else phrase("craft")
        words = phrase("{}, {} {}", name, craft, kind)
        label = phrase("{} ({})", name, craft)
        return PieceDrawing(
            (at[0], at[1]),
            words,
            course=document["course"],
            label=label,
            look=key.removesuffix("s"),
        )

    def end_turn(self) -> None:
        """Clear what it did this turn.

        Rules: 2E "Sequence of play" [2e.sequence]
        """
        if not self.this_turn.targets:
            self.last_target = NO_SHIP
        self.this_turn = blank_craft_turn()

    def document_for(self, side: int) -> dict[str, Any]:
        """Return its document for a side; other sides see neither its ship nor most of its turn."""
        if self.side == side:
            return Piece.document_for(self, side)
        document: dict[str, Any] = {
            "id": self.id,
            "side": self.side,
            "at": [self.x, self.y],
            "course": self.course,
            "craft": self.craft,
            "dogfight": self.dogfight,
        }
        all_fields = self.to_json()
        for name in self.omitted_defaults:
            if name in all_fields:
                document[name] = all_fields[name]
        return document


@dataclass(frozen=True, slots=True)
class CraftLost(Event):
    """A group lost craft, and how many it has left.

    `die` is the die that destroyed them, 0 if there was none.
    """

    kind: ClassVar[str] = "craft-lost"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    cause: Cause
    craft: Open[int]
    remaining: Open[int]
    die: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).lose_craft(state, self.craft)
