"""The space that a section of a starbase or a monster ship takes up: nobody sees, fires or launches
through it, and who flies into a starbase may be lost.

Rules: Continuum "Starbases", "Monster ships" 13.15 [pc.starbases]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import dist
from typing import Any, ClassVar

from engine.combat.collisions import BLIND, crosses, die_needed, evading_thrust
from engine.continuum.damage import apply_damage
from engine.core.geometry import NEAR, Point, distance_to_path
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
ADJACENT = 3.0  # MU from the middle of a section to those right beside it
LEAST_SPACING = 2.0  # MU between the middles of two sections at least
MARGIN = 0.5  # MU that captains keep from a starbase


@dataclass(slots=True)
class Section(Piece):
    """A section of something larger, about its ship.

    `fixed`: it is a starbase's; monster ships run nobody down.

    Rules: Continuum "Starbases" 13.15 [pc.starbases]
    """

    kind: ClassVar[str] = "section"
    word: ClassVar[str] = phrase("section")
    order: ClassVar[int] = 8
    body: ClassVar[bool] = True
    solid: ClassVar[bool] = False  # its ship is near enough by itself
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
        """What was destroyed in the last turn takes up no space any more."""
        _renew(table)

    @classmethod
    def after_moves(cls, table: Table) -> None:
        """It is where its ship is now."""
        _renew(table)

    @classmethod
    def before_fire(cls, table: Table, harm: Harm | None) -> None:
        """What is destroyed takes up no space any more."""
        _renew(table)

    @classmethod
    def meet_on_path(
        cls, table: Table, ship: ShipState, path: tuple[Point, ...], encounters: Encounters
    ) -> None:
        """A ship meets a starbase as it would an asteroid, once a turn whatever the number of
        sections in its way.

        One that does not get by is lost, and the section it met takes a die times its hull boxes.
        Rules: Continuum "Movement and starbases" 13.15 [pc.starbases]
        """
        state = table.state
        for section in state.pieces_of(cls):
            base_ship = state.ship(section.ship)
            at = base_ship.x, base_ship.y
            if (
                not section.fixed
                or base_ship.status not in ON_TABLE
                or ship.status != FIGHTING
                or base_ship is ship
            ):
                continue
            base = f"base-{base_ship.owner}-{base_ship.record.section}"
            is_same_base = (
                ship.owner == base_ship.owner and ship.record.section == base_ship.record.section
            )
            if (
                is_same_base
                or (ship.id, base) in encounters
                or dist(path[0], at) < section.radius - NEAR
            ):
                continue  # who begins within it was docked there
            if crosses(at, section.radius, path):
                encounters.append((ship.id, base))
                _meet(table, ship, base_ship)

    def loss_chance(
        self, terms: Terms, path: tuple[Point, ...], velocity: int, thrust: int, turns: int
    ) -> float:
        """The chance not to get by a starbase."""
        needs = die_needed(velocity, thrust)
        if (
            not self.fixed
            or needs <= 1
            or not crosses((self.x, self.y), self.radius + MARGIN, path)
        ):
            return 0.0
        return min(needs - 1, 6) / 6

    def blocks(self, a: Point, b: Point) -> bool:
        """It lies across a line that begins and ends elsewhere; grazing it does not block.

        Rules: Continuum "Starbases" 13.15 [pc.starbases]
        """
        here = self.x, self.y
        if dist(here, a) <= NEAR or dist(here, b) <= NEAR:
            return False
        return distance_to_path(*here, a, b) < self.radius - NEAR

    def is_off_table(self, table: Point) -> bool:
        """Never by itself."""
        return False

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """A circle about its ship, with that one's name."""
        return PieceDrawing(
            (document["x"], document["y"]),
            phrase("section {}", name_of(document["ship"])),
            radius=document["radius"],
        )


def _renew(table: Table) -> None:
    """Put every section's space where its ship is, and take away those of ships that are there no
    more.
    """
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


def _meet(table: Table, ship: ShipState, base: ShipState) -> None:
    needs = (
        BLIND
        if ship.record.veiled
        else die_needed(ship.velocity, evading_thrust(table.state.terms, ship))
    )
    die = table.dice.roll("collision", f"{ship.id}>{base.id}") if 1 < needs <= 6 else 0
    if needs <= 1 or die >= needs:
        table.tell(PassedBase, ship.id, base.id, die, needs)
        return
    boxes_left = ship.sheet.boxes - ship.damage
    blow = table.dice.roll("damage", f"{ship.id}>{base.id}")
    ship.destroy()
    table.tell(StruckBase, ship.id, base.id, die, needs, blow, blow * boxes_left)
    table.tell(ShipDestroyed, ship.id, f"base:{base.id}")
    apply_damage(table, base, (TypedDamage(blow * boxes_left),), f"ram:{ship.id}")


@dataclass(frozen=True, slots=True)
class SectionsShifted(Event):
    """Where sections are now that moved, (name, x, y), and the names of those that are no more."""

    kind: ClassVar[str] = "sections-shifted"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    places: Open[tuple[tuple[str, float, float], ...]]
    gone: PieceRefs

    def apply(self, state: BattleState) -> None:
        places = {name: (x, y) for name, x, y in self.places}
        for section in state.pieces_of(Section):
            section.x, section.y = places.get(section.id, (section.x, section.y))
        state.remove(self.gone)


@dataclass(frozen=True, slots=True)
class PassedBase(Event):
    """A ship met a section of a starbase and got by: the die (0: none was needed) and what it had
    to reach.
    """

    kind: ClassVar[str] = "base-passed"
    text: ClassVar[str] = phrase("{ship} gets past {section}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    section: ShipRef
    die: Open[int]
    needs: Open[int]


@dataclass(frozen=True, slots=True)
class StruckBase(Event):
    """A ship ran into a section of a starbase: the die (0: none could have saved it), what it had
    to reach, the die of the blow and the damage points it makes.
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
    """The space about a ship that is a section."""
    return Section(name, ship.id, ship.x, ship.y, fixed)
