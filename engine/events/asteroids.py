"""Asteroids: drift, collisions, fire at them, chunks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.core.state import BattleState
from engine.events.event import Audience, Cause, Event, Listener, LogOrder, Open, PieceRefs, ShipRef
from engine.pieces.asteroid import Rock


@dataclass(frozen=True, slots=True)
class Drifted(Event):
    """The asteroids drifted: where each is now (name, x, y), and the names of those that left the table."""

    kind: ClassVar[str] = "drifted"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    rocks: Open[tuple[tuple[str, float, float], ...]]
    gone: PieceRefs

    def apply(self, state: BattleState) -> None:
        places = {name: (x, y) for name, x, y in self.rocks}
        for rock in state.of(Rock):
            rock.x, rock.y = places.get(rock.id, (rock.x, rock.y))
        state.remove(self.gone)


@dataclass(frozen=True, slots=True)
class Avoided(Event):
    """A ship met an asteroid and got by: the die (0: none was needed) and what it had to reach."""

    kind: ClassVar[str] = "avoided"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    rock: Open[str]
    die: Open[int]
    needs: Open[int]


@dataclass(frozen=True, slots=True)
class Crashed(Event):
    """A ship met an asteroid and did not get by; its end follows. `die` is 0 where none could have saved it."""

    kind: ClassVar[str] = "crashed"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    rock: Open[str]
    die: Open[int]
    needs: Open[int]


@dataclass(frozen=True, slots=True)
class RockShot(Event):
    """A weapon's fire at an asteroid: the range in MU, its dice and the damage points they made."""

    kind: ClassVar[str] = "rock-shot"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    rock: Open[str]
    range: Open[float]
    dice: Open[tuple[int, ...]]
    hits: Open[int]


@dataclass(frozen=True, slots=True)
class RockDamaged(Event):
    """Damage points marked off an asteroid: `points` of them, `total` marked now."""

    kind: ClassVar[str] = "rock-damaged"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    rock: Open[str]
    cause: Cause
    points: Open[int]
    total: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Rock, self.rock).damage = self.total


@dataclass(frozen=True, slots=True)
class RockBroken(Event):
    """An asteroid fell to pieces: each chunk's name, radius in MU, course and speed."""

    kind: ClassVar[str] = "rock-broken"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    rock: Open[str]
    chunks: Open[tuple[tuple[str, float, int, int], ...]]

    def apply(self, state: BattleState) -> None:
        state.piece(Rock, self.rock).break_up(state, self.chunks)

    def notice(self, listener: Listener) -> None:
        for name, *_ in self.chunks:
            listener.pieces[name] = name
