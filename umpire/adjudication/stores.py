"""What ships use up and lose in a battle besides their hulls: craft, packs and mines, cargo and passengers, tows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor

from campaign.rules.scenario import ShipClass
from campaign.rules.world import Cargo, Engagement, Fleet, Ship
from engine.continuum.damage import room_left
from engine.notation.designs import parse_design
from engine.ruleset import ruleset
from umpire.adjudication.outcome import Happening, ShipAfter


def as_left(cls: ShipClass, ship: Ship, after: ShipAfter) -> Ship:
    """A ship as a battle left it, its cargo with it. Rules: 2E "Repairs" [camp.replenish]"""
    cargo = ship.cargo and _cargo_left(cls, ship, ship.cargo, after)
    left = (after.damage, after.lost, after.stock, after.notes, cargo)
    if (ship.damage, ship.lost, ship.stock, ship.notes, ship.cargo) == left:
        return ship
    return replace(ship, damage=after.damage, lost=after.lost, stock=after.stock, notes=after.notes, cargo=cargo)


def _cargo_left(cls: ShipClass, ship: Ship, cargo: Cargo, after: ShipAfter) -> Cargo:
    before, left = _room(cls, ship.lost), _room(cls, after.lost)
    if before is None or left is None:
        return cargo_after(cargo, cls.damage_points, ship.damage, after.damage)
    return cargo_in_holds(cargo, before, left)


def _room(cls: ShipClass, lost: Sequence[str]) -> Fraction | None:
    """The share of a class's holds and berths that is left, None where its sheet shows none."""
    if not cls.design:
        return None
    design = parse_design(cls.design)
    rules = ruleset(design.edition)
    return room_left(rules.yard.fits(design, rules), lost)


def cargo_in_holds(cargo: Cargo, before: Fraction, after: Fraction) -> Cargo:
    """Cargo after a ship went from a share `before` of its holds whole to a share `after`.

    What was in a hold that is lost is gone; what a repaired hold lost does not come back.

    Rules: Continuum "Cargo and passenger space" 10.6 [pc.cargo]
    """
    gone = floor(cargo.amount * before) - floor(cargo.amount * after)
    return replace(cargo, left=max(0, cargo.left - max(0, gone)))


def cargo_after(cargo: Cargo, boxes: int, before: int, after: int) -> Cargo:
    """Cargo after a hull of so many boxes went from `before` to `after` points of damage.

    As much of the load goes as of the hull; what a repaired hold lost does not come back.

    Rules: 2E "Merchant ships: damage to cargo and holds" [2e.cargo]
    """
    gone = cargo.amount * (boxes - before) // boxes - cargo.amount * (boxes - min(after, boxes)) // boxes
    return replace(cargo, left=max(0, cargo.left - max(0, gone)))


def told(before: Ship, after: Ship, hex_: str, *, gone: bool) -> list[Happening]:
    """What the owner hears of a ship's stores and cargo; of one that is `gone` only that its cargo is."""
    heard = []
    short = tuple((system, left) for system, left in after.stock if (system, left) not in before.stock)
    if short and not gone:
        heard.append(Happening("stores", (before.faction,), hex_, (("ship", before.name), *short)))
    left = 0 if gone or after.cargo is None else after.cargo.left
    if before.cargo is not None and left < before.cargo.left:
        facts = (("ship", before.name), ("what", before.cargo.what), ("lost", before.cargo.left - left), ("left", left))
        heard.append(Happening("cargo-lost", (before.faction,), hex_, facts))
    return heard


def cast_off(
    fleets: Iterable[Fleet], ships: Sequence[Ship], engagements: Sequence[Engagement]
) -> tuple[tuple[Ship, ...], list[Happening]]:
    """The ships with all tows let go where a battle begins, and what the owners hear.

    Rules: 2E "FTL tugs and tenders" [camp.tugs]
    """
    if not engagements:
        return tuple(ships), []
    fought = {(item.hex, faction) for item in engagements for side in item.sides for faction in side}
    where = {fleet.key: fleet.hex for fleet in fleets if not fleet.in_ftl and (fleet.hex, fleet.faction) in fought}
    towed = [ship for ship in ships if ship.tug and ship.fleet in where]
    let_go = {ship.key for ship in towed}
    heard = [Happening("tow-ended", (ship.faction,), where[ship.fleet], (("ship", ship.name),)) for ship in towed]
    return tuple(replace(ship, tug="") if ship.key in let_go else ship for ship in ships), heard
