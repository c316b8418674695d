"""What a group of craft does in one turn."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.ids import NO_SHIP
from engine.events.event import Open, Own, ShipRef, UnitRefs
from engine.pieces.piece import PieceTurn


@dataclass(frozen=True, slots=True)
class CraftTurn(PieceTurn):
    """What a group of craft does in one turn; the end of the turn clears it.

    Rules: Continuum "Target selection" 8.7 [pc.fighter-targets]
    """

    # It made its move. Set when it flies, and when another group starts a dogfight with it.
    has_moved: Own[bool] = False
    # It made its secondary move. Set when it flies on, if dogfights are by actions or can be
    # refused.
    has_moved_again: Own[bool] = False
    # The ship it pursues. Set by its move.
    pursues: ShipRef = NO_SHIP
    # It fired.
    has_fired: Own[bool] = False
    # Endurance it paid for combat this turn: that of its most expensive weapon.
    paid_endurance: Own[int] = 0

    # The next nine are set by its attack orders. Ships or groups that it attacks:
    targets: UnitRefs = ()
    # Markers that it fires at.
    engaged_markers: Open[tuple[str, ...]] = ()
    # Names of the armaments it attacks with.
    using: Open[tuple[str, ...]] = ()
    # It attacks even if other craft engage it.
    presses: Own[bool] = False
    # Its hits are divided among all its targets.
    splits: Own[bool] = False
    # Rounds fired by each boat; 0: all.
    count: Own[int] = 0
    # The system that boats or an ace aim at; RIVAL: the ace of the other group.
    system: Own[str] = ""
    # Marines and damage control parties that land on the target.
    marines: Own[int] = 0
    parties: Own[int] = 0

    # The group that it assists against a point defence level. Set by point defence orders.
    assists: Own[str] = ""
    # Its place, from 1, in the order in which groups of its type take losses from point defence; 0:
    # after those that have one. Set by its attack orders.
    falls: Own[int] = 0
    # It evades if one ship fires this many weapons at it; 0: never. Set by its flight orders.
    evades_at: Own[int] = 0
    # It evades. Set when ships fire at it.
    evading: Open[bool] = False
    # Its actions in a dogfight in order, and where it flies afterwards or to refuse one: x and y in
    # MU, and a course.
    actions: Own[tuple[str, ...]] = ()
    leaves_to: Own[tuple[float, ...]] = ()


def blank_craft_turn() -> CraftTurn:
    """Return the turn of a group that has done nothing yet."""
    return BLANK_CRAFT_TURN


BLANK_CRAFT_TURN = CraftTurn()
