"""What the further words of a plot ask of a ship and do: a row for every word that `engine.notation.orders` reads.

Rules: Continuum "Orders" 3.5 [pc.movement]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.continuum import defence_orders as veils
from engine.continuum import weapon_orders as gun_orders
from engine.continuum.squadrons import joining_fault, leaving_fault
from engine.core.noting import note
from engine.core.orders import Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table

# Why a ship cannot do what a word says, in plain words; nothing where it can: (state, ship, what belongs to the word,
# the whole plot).
Check = Callable[[BattleState, ShipState, tuple[str, ...], Plot], str]
# Does what a word says, in place: (table, ship, what belongs to the word).
Act = Callable[[Table, ShipState, tuple[str, ...]], None]


@dataclass(frozen=True, slots=True)
class Ordered:
    """A word's rules: what is `wrong` with it, what it does when orders are opened, before anything moves, and what
    when everything has moved.
    """

    wrong: Check
    opened: Act | None = None
    moved: Act | None = None


def nothing_wrong(_: BattleState, __: ShipState, ___: tuple[str, ...], ____: Plot) -> str:
    """For words whose every fault is found with the move itself (`engine.continuum.drives`)."""
    return ""


def roll_over(table: Table, ship: ShipState, __: tuple[str, ...]) -> None:
    """A ship rolls upside down, or back: what bore to port bears to starboard.

    Rules: Continuum "Rolling ships" 16.2 [pc.rolling]
    """
    note(table, ship, "rolled", 0 if ship.record.rolled else 1)


ORDERED: dict[str, Ordered] = {
    "alone": Ordered(leaving_fault),
    "charge": Ordered(gun_orders.charge_fault, opened=gun_orders.charge),
    "cloak": Ordered(veils.cloak_fault, opened=veils.start_field, moved=veils.start_device),
    "detonate": Ordered(veils.detonate_fault, opened=veils.arm_charges),
    "et": Ordered(nothing_wrong),
    "jam": Ordered(veils.jam_fault, opened=veils.jam),
    "overload": Ordered(gun_orders.overload_fault, opened=gun_orders.overload),
    "reflex": Ordered(veils.reflex_fault, opened=veils.reflex),
    "roll": Ordered(nothing_wrong, opened=roll_over),
    "set": Ordered(gun_orders.set_fault, opened=gun_orders.set_weapon),
    "squadron": Ordered(joining_fault),
    "stealth": Ordered(veils.stealth_fault, opened=veils.stealth),
    "turret": Ordered(gun_orders.turret_fault, moved=gun_orders.turn_turret),
}


def word_faults(state: BattleState, ship: ShipState, plot: Plot) -> list[str]:
    """Every reason why a ship cannot do what its plot's further words say. Rules: Continuum 3.5 [pc.movement]"""
    return [why for word, rest in plot.also if (why := ORDERED[word].wrong(state, ship, rest, plot))]


def words_opened(table: Table, plots: Mapping[str, Plot]) -> None:
    """Phase 1: what words do as orders are opened, ship by ship in file order, in the order of each plot."""
    for ship in table.state.ships:
        for word, rest in plots[ship.id].also if ship.id in plots else ():
            act = ORDERED[word].opened
            if act is not None:
                act(table, ship, rest)


def words_moved(table: Table, plots: Mapping[str, Plot]) -> None:
    """The end of phase 5: what words do once everything has moved, likewise."""
    for ship in table.state.ships:
        for word, rest in plots[ship.id].also if ship.id in plots else ():
            act = ORDERED[word].moved
            if act is not None:
                act(table, ship, rest)
