"""The space of a section of a starbase or monster ship: it blocks sight, fire and ships.

Rules: Continuum "Starbases", "Monster ships" 13.15 [pc.starbases]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.combat.collisions import BLIND, crosses, die_needed, evading_thrust
from engine.continuum.damage import apply_damage
from engine.core.geometry import NEAR, Point, dist, distance_to_path
from engine.core.kinds import FIGHTING, ON_TABLE
from engine.core.phrase import phrase
from engine.core.rolls import TypedDamage
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import Terms
from engine.events.damage import ShipDestroyed
from engine.events.event import Audience, Event, LogOrder, Open, PieceRefs, ShipRef
from engine.pieces.piece import Encounters, Harm, Piece, PieceDrawing, Visibility

RADIUS = 1.0  # MU
ADJACENT = 3.0  # MU between the centres of adjacent sections
LEAST_SPACING = 2.0  # MU, the least distance between the centres of two sections
MARGIN = 0.5  # MU that captains keep from a starbase


@dataclass(slots=True)
class Section(Piece):
    """The space around a ship that is a section of something larger.

    Attributes:
        fixed: It belongs to a starbase; ships do not collide with monster ships.

    Rules: Continuum "Starbases" 13.15 [pc.starbases]
    """

    kind: ClassVar[str] = "section"
    word: ClassVar[str] = phrase("section")
    order: ClassVar[int] = 8
    body: ClassVar[bool] = True
    solid: ClassVar[bool] = False  # its ship already counts for jumps
    view_keys: ClassVar[tuple[str, ...]] = ("sections",)
    listed_empty: ClassVar[bool] = False
    visibility: ClassVar[Visibility] = Visibility.BY_EVERYBODY
    in_table_order: ClassVar[bool] = True

    id: Open[str]
    ship: ShipRef
    x: Open[float]
    y: Open[float]
    fixed: Open[bool] = False
    radius: Open[float] = RADIUS

    @classmethod
    def drift(cls, table: Table, encounters: Encounters) -> None:
        """Remove sections destroyed in the last turn."""
        _follow_ships(table)

    @classmethod
    def after_moves(cls, table: Table) -> None:
        """Move sections to their ships."""
        _follow_ships(table)

    @classmethod
    def before_fire(cls, table: Table, harm: Harm | None) -> None:
        """Remove destroyed sections."""
        _follow_ships(table)

    @classmethod
    def meet_on_path(
        cls, table: Table, ship: ShipState, path: tuple[Point, ...], encounters: Encounters
    ) -> None:
        """Test a ship against a starbase like against an asteroid, once a turn for each starbase.

        A ship that collides is lost, and the section takes a die times the ship's remaining boxes.

        Rules: Continuum "Movement and starbases" 13.15 [pc.starbases]
        """
        state = table.state
        for section in state.pieces_of(cls):
            base_ship = state.ship(section.ship)
            if ship.status != FIGHTING or not section.is_obstacle_for(ship, base_ship):
                continue
            base = f"base-{base_ship.owner}-{base_ship.record.section}"
            at = base_ship.x, base_ship.y
            starts_inside = dist(path[0], at) < section.radius - NEAR  # it was docked there
            if starts_inside or (ship.id, base) in encounters:
                continue
            if crosses(at, section.radius, path):
                encounters.append((ship.id, base))
                _collide_or_pass(table, ship, base_ship)

    def is_obstacle_for(self, ship: ShipState, base_ship: ShipState) -> bool:
        """Return whether a ship could collide with it: it belongs to another, standing starbase.

        Args:
            base_ship: The ship whose space it is.
        """
        if not self.fixed or base_ship is ship or base_ship.status not in ON_TABLE:
            return False
        is_same_base = (
            ship.owner == base_ship.owner and ship.record.section == base_ship.record.section
        )
        return not is_same_base

    def loss_chance(
        self, terms: Terms, path: tuple[Point, ...], velocity: int, thrust: int, turns: int
    ) -> float:
        """Return the chance of a collision with a starbase."""
        needs = die_needed(velocity, thrust)
        if not self.fixed or needs <= 1:
            return 0.0
        if crosses((self.x, self.y), self.radius + MARGIN, path):
            return min(needs - 1, 6) / 6
        return 0.0

    def blocks(self, a: Point, b: Point) -> bool:
        """Return whether it blocks a line; it does not at the ends of the line, nor at its rim.

        Rules: Continuum "Starbases" 13.15 [pc.starbases]
        """
        here = self.x, self.y
        if dist(here, a) <= NEAR or dist(here, b) <= NEAR:
            return False
        return distance_to_path(*here, a, b) < self.radius - NEAR

    def is_off_table(self, table: Point) -> bool:
        """Return False: it goes only with its ship."""
        return False

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """Return a circle with the name of its ship."""
        return PieceDrawing(
            (document["x"], document["y"]),
            phrase("section {}", name_of(document["ship"])),
            radius=document["radius"],
        )


def _follow_ships(table: Table) -> None:
    """Move every section to its ship, and remove those whose ships are gone."""
    state = table.state
    moved: list[tuple[str, float, float]] = []
    removed: list[str] = []
    for section in state.pieces_of(Section):
        ship = state.ship(section.ship)
        if ship.status not in ON_TABLE:
            removed.append(section.id)
        elif (ship.x, ship.y) != (section.x, section.y):
            section.x, section.y = ship.x, ship.y
            moved.append((section.id, ship.x, ship.y))
    if moved or removed:
        state.remove(removed)
        table.tell(SectionsShifted, tuple(moved), tuple(removed))


def _collide_or_pass(table: Table, ship: ShipState, base: ShipState) -> None:
    """Roll whether a ship gets past a section of a starbase, or is lost and damages it.

    Rules: Continuum "Movement and starbases" 13.15 [pc.starbases]
    """
    if ship.record.concealed:
        needs = BLIND
    else:
        needs = die_needed(ship.velocity, evading_thrust(table.state.terms, ship))
    if 1 < needs <= 6:
        die = table.dice.roll("collision", f"{ship.id}>{base.id}")
    else:
        die = 0
    if needs <= 1 or die >= needs:
        table.tell(PassedBase, ship=ship.id, section=base.id, die=die, needs=needs)
        return
    boxes_left = ship.sheet.boxes - ship.damage
    blow = table.dice.roll("damage", f"{ship.id}>{base.id}")
    ship.destroy()
    table.tell(
        StruckBase,
        ship=ship.id,
        section=base.id,
        die=die,
        needs=needs,
        blow=blow,
        points=blow * boxes_left,
    )
    table.tell(ShipDestroyed, ship.id, f"base:{base.id}")
    apply_damage(table, base, (TypedDamage(blow * boxes_left),), f"ram:{ship.id}")


@dataclass(frozen=True, slots=True)
class SectionsShifted(Event):
    """Sections moved: their new places (name, x, y), and the names of those that are gone."""

    kind: ClassVar[str] = "sections-shifted"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    places: Open[tuple[tuple[str, float, float], ...]]
    removed: PieceRefs

    def apply(self, state: BattleState) -> None:
        places = {name: (x, y) for name, x, y in self.places}
        for section in state.pieces_of(Section):
            section.x, section.y = places.get(section.id, (section.x, section.y))
        state.remove(self.removed)


@dataclass(frozen=True, slots=True)
class PassedBase(Event):
    """A ship got past a starbase section: its die (0: none was needed) and the number it needed."""

    kind: ClassVar[str] = "base-passed"
    text: ClassVar[str] = phrase("{ship} gets past {section}")
    plural_text: ClassVar[str] = phrase("{ship} get past {section}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    section: ShipRef
    die: Open[int]
    needs: Open[int]


@dataclass(frozen=True, slots=True)
class StruckBase(Event):
    """A ship collided with a section of a starbase.

    Attributes:
        die: The die to get past; 0: no die could have saved it.
        needs: The number it needed.
        blow: The die of damage.
        points: The damage to the section.
    """

    kind: ClassVar[str] = "base-struck"
    text: ClassVar[str] = phrase("{ship} runs into {section}: {points:point}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    section: ShipRef
    die: Open[int]
    needs: Open[int]
    blow: Open[int]
    points: Open[int]


def make_section(name: str, ship: ShipState, *, fixed: bool) -> Section:
    """Return the section around a ship."""
    return Section(name, ship=ship.id, x=ship.x, y=ship.y, fixed=fixed)
