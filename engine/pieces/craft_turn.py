"""What a group of craft does in one turn."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.ids import NO_SHIP
from engine.events.event import Open, Own, ShipRef, UnitRefs
from engine.pieces.piece import PieceTurn


@dataclass(frozen=True, slots=True)
class CraftTurn(PieceTurn):
    """What a group of craft does in one turn: its end wipes it out.

    Rules: Continuum "Target selection" 8.7 [pc.fighter-targets]
    """

    # It has made its move: set as it flies, and of a group that another closes with.
    moved: Own[bool] = False
    # It has made its secondary move: set as it flies on, where dogfights are actions or refused.
    boosted: Own[bool] = False
    # The ship it stays with, from its move on: set as it pursues.
    pursues: ShipRef = NO_SHIP
    # It has fired: set by whatever lets it fire.
    fired: Own[bool] = False
    # Points of endurance that it has paid for fights, the dearest of its weapons: set as it pays.
    paid: Own[int] = 0

    # The next nine are set as it is told what to attack.
    # Ships or groups that it attacks.
    targets: UnitRefs = ()
    # Markers that it meets.
    meets: Open[tuple[str, ...]] = ()
    # What it attacks with, by name.
    using: Open[tuple[str, ...]] = ()
    # It carries its attack out though other craft meet it.
    presses: Own[bool] = False
    # Its hits are spread over all its targets.
    splits: Own[bool] = False
    # Rounds that each boat fires, 0: all.
    count: Own[int] = 0
    # The system that boats or an ace aim at; RIVAL: the ace of the other group.
    system: Own[str] = ""
    # Marines and damage control parties who land on the target.
    marines: Own[int] = 0
    parties: Own[int] = 0

    # The group that it helps by its point defence level: set by orders of point defence.
    assists: Own[str] = ""
    # It evades from so many weapons of one ship, 0: from none; set by its orders to fly.
    evades_at: Own[int] = 0
    # It evades: set as ships fire at it.
    evading: Open[bool] = False
    # What it does in a dogfight, in turn, and where it flies afterwards, as x and y in MU and a
    # course: set as it plans; or where it flies to refuse one.
    actions: Own[tuple[str, ...]] = ()
    leaves_to: Own[tuple[float, ...]] = ()


def blank_craft_turn() -> CraftTurn:
    """Return the turn of a group that has done nothing yet."""
    return BLANK_CRAFT_TURN


BLANK_CRAFT_TURN = CraftTurn()
