"""Clouds of dust or gas: they damage ships that are too fast, hide ships in them, and dim beams.

Rules: Continuum "Dust or nebula clouds" 17.2 [pc.clouds]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self

from engine.continuum.damage import apply_damage
from engine.continuum.defences import protection_of
from engine.core.geometry import NEAR, Point, dist, distance_to_path
from engine.core.kinds import FIGHTING
from engine.core.phrase import phrase
from engine.core.rolls import Shot, beam_damage, roll_beams
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.core.terms import Terms
from engine.events.event import Audience, Event, LogOrder, Open, PieceRef, ShipRef
from engine.pieces.piece import Encounters, Piece, Visibility

if TYPE_CHECKING:
    from engine.notation.reading import Reader

SAFE_VELOCITY = 12  # the highest velocity at which dust does no damage
FOUND_ON = 4
DUST = "dust"  # purpose of the dice, and the entry in `Encounters`
LARGEST = 60.0  # MU of radius
EXPECTED_LOSS = 0.02  # share of a ship expected to be lost when it is too fast


@dataclass(slots=True)
class Cloud(Piece):
    """A round cloud that does not move.

    Rules: Continuum "Dust or nebula clouds" 17.2 [pc.clouds]
    """

    kind: ClassVar[str] = "cloud"
    word: ClassVar[str] = phrase("cloud")
    order: ClassVar[int] = 5
    body: ClassVar[bool] = True
    solid: ClassVar[bool] = False
    view_keys: ClassVar[tuple[str, ...]] = ("clouds",)
    listed_empty: ClassVar[bool] = False
    visibility: ClassVar[Visibility] = Visibility.BY_EVERYBODY
    in_table_order: ClassVar[bool] = True
    file_kinds: ClassVar[tuple[str, ...]] = ("cloud",)

    id: Open[str]
    x: Open[float]
    y: Open[float]
    radius: Open[float]

    @classmethod
    def from_entry(
        cls, reader: Reader, item: Mapping[object, object], where: str, name: str, at: Point
    ) -> Self:
        """Return the cloud of a battle file: `{"kind": "cloud", "at": [20, 30], "radius": 6}`."""
        reader.keys(item, ("kind", "at", "radius"), where)
        return cls(name, *at, reader.measure(item, "radius", where, LARGEST))

    def to_entry(self) -> dict[str, Any]:
        """Return its entry in a battle file."""
        return {"kind": "cloud", "at": [self.x, self.y], "radius": self.radius}

    @classmethod
    def meet_on_path(
        cls, table: Table, ship: ShipState, path: tuple[Point, ...], encounters: Encounters
    ) -> None:
        """Roll a beam die, once a turn, for a ship that touches a cloud faster than velocity 12.

        Standard screens do not help, advanced ones do.

        Rules: Continuum "Dust or nebula clouds" 17.2 [pc.clouds]
        """
        if (
            ship.velocity <= SAFE_VELOCITY
            or (ship.id, DUST) in encounters
            or ship.status != FIGHTING
        ):
            return
        if any(cloud.touches(path) for cloud in table.state.pieces_of(cls)):
            encounters.append((ship.id, DUST))
            advanced = protection_of(table.state, ship).advanced
            shot = Shot(ship.id, 0.0, 0.0, screens=advanced, advanced=advanced, purpose=DUST)
            rolled, hits = roll_beams(1, shot, table.dice)
            table.tell(CloudDamage, ship.id, rolled, sum(hits))
            apply_damage(table, ship, beam_damage(hits), DUST)

    def loss_chance(
        self, terms: Terms, path: tuple[Point, ...], velocity: int, thrust: int, turns: int
    ) -> float:
        """Return a small chance for a ship that flies through it too fast."""
        if velocity > SAFE_VELOCITY and self.touches(path):
            return EXPECTED_LOSS
        return 0.0

    def hide_chance(self, a: Point, b: Point) -> float:
        """Return one half if either point is in the cloud.

        Rules: Continuum 17.2 [pc.clouds]
        """
        if self.contains(a) or self.contains(b):
            return 0.5
        return 0.0

    def roll_to_find(self, table: Table, ship: ShipState, target: ShipState) -> bool:
        """Roll a die; 4 or more finds the target.

        Rules: Continuum "Dust or nebula clouds" 17.2 [pc.clouds]
        """
        die = table.dice.roll(DUST, f"{ship.id}>{target.id}")
        table.tell(CloudSearch, ship=ship.id, target=target.id, cloud=self.id, die=die)
        return die >= FOUND_ON

    def dimming_levels(self, a: Point, b: Point) -> int:
        """Return one more level of screens against beams if either point is in the cloud.

        Rules: Continuum 17.2 [pc.clouds]
        """
        if self.contains(a) or self.contains(b):
            return 1
        return 0

    def contains(self, at: Point) -> bool:
        """Return whether a point is in the cloud or on its rim."""
        return dist((self.x, self.y), at) <= self.radius + NEAR

    def touches(self, path: tuple[Point, ...]) -> bool:
        """Return whether a path enters the cloud."""
        return any(
            distance_to_path(self.x, self.y, a, b) <= self.radius + NEAR for a, b in pairwise(path)
        )


@dataclass(frozen=True, slots=True)
class CloudDamage(Event):
    """A ship flew too fast through a cloud: the dice and the damage points."""

    kind: ClassVar[str] = "cloud-damage"
    text: ClassVar[str] = phrase("{ship} flies too fast through a cloud")
    plural_text: ClassVar[str] = phrase("{ship} fly too fast through a cloud")
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    outward: ClassVar[bool] = True
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    dice: Open[tuple[int, ...]]
    hits: Open[int]


@dataclass(frozen=True, slots=True)
class CloudSearch(Event):
    """A ship about to fire looked for its target in a cloud: its die; 4 or more finds it."""

    kind: ClassVar[str] = "cloud-searched"
    text: ClassVar[str] = phrase("{ship} searches for {target} in the dust: {die}")
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    outward: ClassVar[bool] = True
    ship: ShipRef
    target: ShipRef
    cloud: PieceRef
    die: Open[int]
