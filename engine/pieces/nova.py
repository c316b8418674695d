"""Templates of the nova cannon: they burn for three turns, move on, and damage what they sweep.

Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]; Continuum "Nova cannon" 7.23 [pc.nova-cannon]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.combat.line_of_sight import Path, is_in_sweep, path_ahead
from engine.core.kinds import ON_TABLE
from engine.core.phrase import phrase
from engine.core.ship import BERTHED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.event import Audience, Event, Listener, Open, PieceRef, ShipRef, require_value
from engine.pieces.piece import Harm, Piece, PieceDrawing, Sweep, Visibility, by_kind
from engine.second_edition.damage import mark_damage
from engine.weapons.nova import ARMED_AT, FLARES, MEAN_DIE, Flare, roll_burn


@dataclass(slots=True)
class Nova(Piece):
    """The template of a nova cannon between its moves.

    Attributes:
        ship: The ship that fired it.
        age: The turns it has moved, 1 to 3; after the third it burns out.

    Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]
    """

    kind: ClassVar[str] = "nova"
    order: ClassVar[int] = 3
    view_keys: ClassVar[tuple[str, ...]] = ("novas",)
    visibility: ClassVar[Visibility] = Visibility.BY_EVERYBODY
    in_table_order: ClassVar[bool] = True

    id: Open[str]
    side: Open[int]
    ship: ShipRef
    x: Open[float]
    y: Open[float]
    course: Open[int]
    age: Open[int]

    @classmethod
    def fire(cls, table: Table, ship: ShipState, weapon: str, harm: Harm | None) -> None:
        """Fire a cannon along the bow: the template starts 6 MU ahead and sweeps 18 MU outwards.

        Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]
        """
        state, flare = table.state, FLARES[0]
        path = path_ahead(ship.x, ship.y, ship.course, ahead=ARMED_AT, move=flare.move)
        x, y = path[1]
        number = 1 + sum(nova.age == 1 for nova in state.pieces_of(Nova))
        nova = cls(
            f"nova-{table.turn}-{number}",
            side=ship.commander,
            ship=ship.id,
            x=x,
            y=y,
            course=ship.course,
            age=1,
        )
        state.pieces.append(nova)
        table.tell(
            NovaFired,
            ship=ship.id,
            weapon=weapon,
            template=nova.id,
            path=path,
            radius=flare.radius,
            course=ship.course,
        )
        _sweep(table, nova=nova, flare=flare, path=path, harm=harm)

    @classmethod
    def before_fire(cls, table: Table, harm: Harm | None) -> None:
        """Enlarge, move and burn the templates of earlier turns; remove them after the third turn.

        Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]
        """
        for nova in table.state.pieces_of(Nova):
            nova.age += 1
            flare = FLARES[nova.age - 1]
            path = path_ahead(nova.x, nova.y, nova.course, ahead=0.0, move=flare.move)
            nova.x, nova.y = path[1]
            table.tell(NovaMoved, template=nova.id, path=path, radius=flare.radius, age=nova.age)
            _sweep(table, nova=nova, flare=flare, path=path, harm=harm)
        table.state.remove(
            [nova.id for nova in table.state.pieces_of(Nova) if nova.age >= len(FLARES)]
        )

    def next_sweep(self) -> Sweep:
        """Return what it will sweep at the start of the next fire, and its mean damage."""
        flare = FLARES[self.age]
        return (
            path_ahead(self.x, self.y, self.course, ahead=0.0, move=flare.move),
            flare.radius,
            flare.dice * MEAN_DIE,
        )

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """Return a circle of its size."""
        flare = FLARES[min(max(document["age"], 1), len(FLARES)) - 1]
        return PieceDrawing(
            (document["x"], document["y"]),
            phrase("nova burst of {}", name_of(document["ship"])),
            radius=flare.radius,
        )


@dataclass(frozen=True, slots=True)
class NovaFired(Event):
    """A nova cannon fired; `template` sweeps `path` at a `radius` in MU."""

    kind: ClassVar[str] = "nova-fired"
    text: ClassVar[str] = phrase("{ship} fires its nova cannon along course {course}")
    plural_text: ClassVar[str] = phrase("{ship} fire their nova cannons along course {course}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    template: PieceRef
    path: Open[tuple[tuple[float, float], ...]]
    radius: Open[float]
    course: Open[int]

    def apply(self, state: BattleState) -> None:
        x, y = self.path[-1]
        state.pieces.append(
            Nova(
                require_value(self.template),
                side=state.ship(self.ship).commander,
                ship=self.ship,
                x=x,
                y=y,
                course=self.course,
                age=1,
            )
        )

    def notice(self, listener: Listener) -> None:
        template = require_value(self.template)
        listener.pieces[template] = template


@dataclass(frozen=True, slots=True)
class NovaMoved(Event):
    """A template grew and moved on; `age` is its turn (2 or 3; after the third it is removed)."""

    kind: ClassVar[str] = "nova-moved"
    text: ClassVar[str] = phrase("The nova burst moves on, {radius:.0f} MU wide to each side")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    template: PieceRef
    path: Open[tuple[tuple[float, float], ...]]
    radius: Open[float]
    age: Open[int]

    def apply(self, state: BattleState) -> None:
        nova = state.piece(Nova, require_value(self.template))
        nova.x, nova.y = self.path[-1]
        nova.age = self.age
        if nova.age == len(FLARES):
            state.take_off(nova)


@dataclass(frozen=True, slots=True)
class NovaStruck(Event):
    """A template swept a ship; the sum of the dice is the damage."""

    kind: ClassVar[str] = "nova-struck"
    text: ClassVar[str] = phrase("{ship} is caught in the nova burst")
    plural_text: ClassVar[str] = phrase("{ship} are caught in the nova burst")
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    outward: ClassVar[bool] = True
    ship: ShipRef
    by: ShipRef
    template: PieceRef
    dice: Open[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class NovaAtRock(Event):
    """A template swept a breakable asteroid; the sum of the dice is the damage."""

    kind: ClassVar[str] = "nova-at-rock"
    text: ClassVar[str] = phrase("The nova burst strikes an asteroid")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    rock: Open[str]
    by: ShipRef
    template: PieceRef
    dice: Open[tuple[int, ...]]


def _sweep(table: Table, nova: Nova, flare: Flare, path: Path, harm: Harm | None) -> None:
    """Damage everything that the template touches on its path, friend or foe.

    All dice for ships are rolled in file order before any damage to them; pieces follow.

    Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]; 2E "Movement of asteroids" [2e.asteroids]
    """
    cause = f"nova:{nova.ship}"
    for ship, points in _roll_at_ships(table, nova, flare, path):
        if harm is None:
            mark_damage(table, ship, points=points, cause=cause, die=0)
        else:
            harm(ship, points, cause)
    for piece in by_kind(table.state.pieces):
        if not is_in_sweep(piece.x, piece.y, path, flare.radius + piece.size):
            continue
        if piece.has_boxes:
            rolled = roll_burn(flare, table.dice, f"{nova.ship}>{piece.id}")
            table.tell(NovaAtRock, rock=piece.id, by=nova.ship, template=nova.id, dice=rolled)
            piece.take_damage(table, sum(rolled), cause)
        else:
            piece.destroy(table, cause)


def _roll_at_ships(
    table: Table, nova: Nova, flare: Flare, path: Path
) -> list[tuple[ShipState, int]]:
    """Roll the dice for each ship that the template touches, and return the damage points.

    A decoy loses all its boxes whatever the dice.
    """
    hits: list[tuple[ShipState, int]] = []
    for ship in table.state.ships:
        if ship.status not in ON_TABLE or ship.docking == BERTHED:
            continue
        if is_in_sweep(ship.x, ship.y, path, flare.radius):
            rolled = roll_burn(flare, table.dice, f"{nova.ship}>{ship.id}")
            hits.append((ship, ship.sheet.boxes if ship.dummy else sum(rolled)))
            table.tell(NovaStruck, ship=ship.id, by=nova.ship, template=nova.id, dice=rolled)
    return hits
