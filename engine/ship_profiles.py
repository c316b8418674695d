"""From record sheets to ships on the table: profiles, stocks and new ships."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from engine.core.cache import rules_cache
from engine.core.geometry import squared_limit
from engine.core.ids import ShipId
from engine.core.kinds import FIGHTING
from engine.core.sheet import Fit, Sheet, ShipProfile
from engine.core.ship import ShipState
from engine.core.ship_facts import blank_record, blank_turn, parse_facts
from engine.craft.craft_type import Family
from engine.craft.mixed_squadrons import id_of
from engine.craft.registry import craft_type, family_of
from engine.prices.continuum import MAGAZINE, TORPEDOES
from engine.ruleset import rules_of
from engine.systems.defences import PROJECTORS
from engine.weapons.registry import weapon_of
from engine.weapons.weapon import Trait, Weapon


@dataclass(frozen=True, slots=True)
class ProfileRules:
    """How an edition reads record sheets; what weapons carry is in their rows.

    Attributes:
        arc_bits: Its arcs as bits.
        loses_on: The die that loses a system at the end of each row, upper row first.
        most_screens: The highest level of screens.
        firecons: Types that are FireCons; one that counts as two is listed twice.
        screens: Types that are screens, likewise.
        bays: Types that are bays: the family of craft for each, and the type in it if the design
            does not say.
    """

    arc_bits: Mapping[str, int]
    loses_on: tuple[int, ...]
    most_screens: int
    firecons: tuple[str, ...]
    screens: tuple[str, ...]
    bays: Mapping[str, tuple[str, str]]
    twice: tuple[str, ...] = ("drive",)  # systems that take two hits


# Types of systems that aim weapons, in all editions.
FIRECONS: Final = ("firecon", "advanced-firecon")
# Names of the standard and regenerative boxes of an armour layer in a ship's stock.
PLATES: Final = ("armour", "regenerative")


@rules_cache
def profile_of(sheet: Sheet) -> ShipProfile:
    """Return the profile of a sheet, worked out once for each sheet.

    Rules: 2E "Threshold points" [2e.thresholds]; Continuum "Threshold points" 4.11 [pc.thresholds]
    """
    edition = rules_of(sheet.edition).profile
    types = [fit.type for fit in sheet.fits]
    bears = tuple(_arc_bits(fit, edition) for fit in sheet.fits)
    weapons = tuple(weapon_of(sheet.edition, fit.type) for fit in sheet.fits)
    return ShipProfile(
        batteries=_batteries(sheet, weapons, bears),
        screens=_places_of_types(sheet, edition.screens),
        firecons=_places_of_types(sheet, edition.firecons),
        drive=next(iter(_places(sheet, "drive")), -1),
        ftl=next(iter(_places(sheet, "ftl")), -1),
        row_ends=_row_ends(sheet, edition.loses_on),
        index_of={fit.id: index for index, fit in enumerate(sheet.fits)},
        indexes_by_type={type_: _places(sheet, type_) for type_ in dict.fromkeys(types)},
        bears=bears,
        undamaged=tuple(2 if type_ in edition.twice else 1 for type_ in types),
        most_screens=edition.most_screens,
        weapons=weapons,
        reaches=_squared_reaches(sheet, weapons),
        having=_places_by_trait(weapons),
        contents=tuple(full_contents(fit, sheet.edition) for fit in sheet.fits),
        craft=tuple(craft_type_of_bay(sheet.edition, edition.bays, fit) for fit in sheet.fits),
        area=any(type_ in PROJECTORS for type_ in types),
        sturdy=_sturdy_magazines(sheet),
    )


def _arc_bits(fit: Fit, edition: ProfileRules) -> int:
    """Return the arcs through which a system bears, as bits."""
    return sum(edition.arc_bits[arc] for arc in fit.arcs)


def _sturdy_magazines(sheet: Sheet) -> frozenset[int]:
    """Return the indexes of magazines with boarding torpedoes, which outlast the magazine."""
    sturdy = set()
    for index in _places(sheet, MAGAZINE):
        if TORPEDOES in dict(sheet.fits[index].load):
            sturdy.add(index)
    return frozenset(sturdy)


def _batteries(
    sheet: Sheet, weapons: Sequence[Weapon], bears: Sequence[int]
) -> tuple[tuple[int, int, tuple[int, int, int]], ...]:
    """Return the beam batteries of a sheet: place, arcs as bits, and dice by range band."""
    batteries = []
    for index, (fit, weapon) in enumerate(zip(sheet.fits, weapons, strict=True)):
        if weapon.beam_dice:
            batteries.append((index, bears[index], weapon.beam_dice[fit.variant]))
    return tuple(batteries)


def _row_ends(sheet: Sheet, loses_on: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the damage at which each hull row ends, with the die that then loses a system.

    The last row has no check, because the ship is destroyed.
    """
    ends: list[tuple[int, int]] = []
    total = 0
    for row, die in zip(sheet.rows[:-1], loses_on, strict=False):
        total += row
        if row and total < sheet.boxes:
            ends.append((total, die))
    return tuple(ends)


def _squared_reaches(sheet: Sheet, weapons: Sequence[Weapon]) -> tuple[float, ...]:
    """Return the square of each system's reach in MU, in its standard mode."""
    reaches = []
    for fit, weapon in zip(sheet.fits, weapons, strict=True):
        reaches.append(squared_limit(weapon.reach(fit, "")))
    return tuple(reaches)


def _places(sheet: Sheet, type_: str) -> tuple[int, ...]:
    """Return the indexes in `fits` of the systems of a type."""
    return tuple(index for index, fit in enumerate(sheet.fits) if fit.type == type_)


def _places_of_types(sheet: Sheet, types: Iterable[str]) -> tuple[int, ...]:
    """Return the places of several types, a type that is listed twice with its places twice."""
    return tuple(chain.from_iterable(_places(sheet, type_) for type_ in types))


def _places_by_trait(weapons: Sequence[Weapon]) -> dict[Trait, tuple[int, ...]]:
    """Return the places of the weapons with each trait, for traits that any of them has."""
    places: dict[Trait, tuple[int, ...]] = {}
    for trait in Trait:
        with_trait = tuple(n for n, weapon in enumerate(weapons) if trait in weapon.traits)
        if with_trait:
            places[trait] = with_trait
    return places


def full_stock(sheet: Sheet) -> dict[str, int]:
    """Return the stock of a ship fresh from its base, by system; it must not be changed.

    It is a full group in each bay, one pack, three mines for each minelayer. It also has the boxes
    of armour (`armour-1` and `regenerative-1` are the innermost layer), which bases replace like
    other stores.

    Rules: 2E "Fighters" [2e.fighters]; 2E "Submunition packs" [2e.submunitions]; 2E "Minelaying"
    [2e.mines]; Continuum "Armour" 7.6 [pc.armour]
    """
    stock: dict[str, int] = {}
    for full in profile_of(sheet).contents:
        stock |= full
    return stock | _armour_stock(sheet.armour, sheet.armour)


def full_contents(fit: Fit, edition: str) -> dict[str, int]:
    """Return the full contents of a system, by the names of its stock.

    The name is the id of the system, or that of each of its loads (`magazine-1/standard`).

    Rules: Continuum "Mountings and magazines" 6.6 [pc.salvo-missiles]
    """
    if fit.type == MAGAZINE:
        return {f"{fit.id}/{load}": most for load, most in fit.load}
    most = capacity(edition, fit)
    if most:
        return {fit.id: most}
    return {}


def capacity(edition: str, fit: Fit) -> int:
    """Return how much a system holds fresh from a base.

    A bay holds the craft that it was bought with, else a full group; a mine rack the mines that it
    was bought with.

    Rules: Continuum "Minelaying" 6.10 [pc.mines]
    """
    craft = craft_type_of_bay(edition, rules_of(edition).profile.bays, fit)
    if not craft:
        weapon = weapon_of(edition, fit.type)
        bought = fit.load if Trait.LAYS_MINES in weapon.traits else ()
        return weapon.stock or sum(number for _, number in bought)
    return sum(number for _, number in fit.load) or craft_type(craft).full


def craft_type_of_bay(edition: str, bays: Mapping[str, tuple[str, str]], fit: Fit) -> str:
    """Return the id of the craft type of a bay with its modifications, or "" if it is no bay.

    Args:
        bays: The family of craft for each type of bay, and the usual type in it.
    """
    if fit.type not in bays:
        return ""
    name, usual = bays[fit.type]
    family = family_of(edition, name)
    if family is None or not fit.load:
        return usual
    mixed_craft = _mixed_craft(family, fit) if family.mixed else []
    if len(mixed_craft) > 1:
        mods = [mod.name for mod in family.mods if mod.name in fit.flags]
        return id_of(mixed_craft, mods)
    row = family.of(fit.load[0][0])
    if row is None:
        return usual
    return family.modified(row, fit.flags).id


def _mixed_craft(family: Family, fit: Fit) -> list[tuple[str, int]]:
    """Return the known craft types in the load of a bay, with their numbers."""
    result = []
    for kind, number in fit.load:
        row = family.of(kind)
        if row is not None and number:
            result.append((row.id, number))
    return result


def stock_in(ship: ShipState, index: int) -> dict[str, int]:
    """Return what a ship has left in a system (its place in `fits`), by the names of its stock."""
    full = ship.profile.contents[index]
    amount = ship.stock[index]
    if len(full) < 2 or not amount:
        return dict.fromkeys(full, amount)
    used = ship.record.used_rounds
    return {name: most - used.get(name, 0) for name, most in full.items()}


def _armour_stock(
    armour: tuple[tuple[int, int], ...], full: tuple[tuple[int, int], ...]
) -> dict[str, int]:
    """Return the boxes left in each layer by name, without layers that never had any."""
    stock: dict[str, int] = {}
    for number, (current, original) in enumerate(zip(armour, full, strict=True), 1):
        for name, boxes, most in zip(PLATES, current, original, strict=True):
            if most:
                stock[f"{name}-{number}"] = boxes
    return stock


def stock_now(ship: ShipState) -> dict[str, int]:
    """Return what a ship has left in each system that holds a stock, and of its armour."""
    stock: dict[str, int] = {}
    for index in range(len(ship.stock)):
        stock |= stock_in(ship, index)
    return stock | _armour_stock(ship.armour, ship.sheet.armour)


def stock_below_full(ship: ShipState) -> dict[str, int]:
    """Return the part of a ship's stock that is not full, by system."""
    result: dict[str, int] = {}
    for index, full in enumerate(ship.profile.contents):
        if full:
            result |= _less_than(full, stock_in(ship, index))
    if ship.armour != ship.sheet.armour:
        full = _armour_stock(ship.sheet.armour, ship.sheet.armour)
        result |= _less_than(full, _armour_stock(ship.armour, ship.sheet.armour))
    return result


def _less_than(full: Mapping[str, int], stock: Mapping[str, int]) -> dict[str, int]:
    """Return the part of a stock that is below its full amounts."""
    return {name: amount for name, amount in stock.items() if amount < full[name]}


def armour_from(sheet: Sheet, stock: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
    """Return the armour boxes of each layer from a stock."""
    result: list[tuple[int, int]] = []
    for number in range(1, len(sheet.armour) + 1):
        result.append(
            (stock.get(f"{PLATES[0]}-{number}", 0), stock.get(f"{PLATES[1]}-{number}", 0))
        )
    return tuple(result)


def new_ship(  # noqa: PLR0913 -- the state of a ship that joins a battle
    id: ShipId,
    owner: int,
    sheet: Sheet,
    at: tuple[float, float],
    course: int,
    velocity: int,
    *,
    damage: int = 0,
    lost: tuple[str, ...] = (),
    stock: Mapping[str, int] | None = None,
    bogey: bool = False,
    dummy: bool = False,
    label: str = "",
    contact: str = "",
    cover: Sheet | None = None,
    armour: tuple[tuple[int, int], ...] | None = None,
    notes: Mapping[str, int] | None = None,
    drift: tuple[float, float] | None = None,
) -> ShipState:
    """Return a ship as it comes to the table.

    A lost system holds nothing unless it is sturdy.

    Args:
        stock: What is left in systems that are not full.
        armour: The boxes left in each layer; None: those in the stock.
        notes: The facts on its sheet.

    Raises:
        KeyError: `lost` names a system that the ship does not have.
    """
    record, this_turn = parse_facts(notes or {})
    if record is None:
        record = blank_record()
    profile = profile_of(sheet)
    alive = list(profile.undamaged)
    for name in lost:
        index = profile.index_of[name]
        alive[index] = max(alive[index] - 1, 0)
    stock_by_name = full_stock(sheet) | dict(stock or {})
    used_rounds = _used_rounds(sheet, stock_by_name)
    if used_rounds:
        record = record.with_values(used_rounds={**record.used_rounds, **used_rounds})
    ship = ShipState(
        id=id,
        owner=owner,
        commander=owner,
        sheet=sheet,
        profile=profile,
        x=float(at[0]),
        y=float(at[1]),
        course=course,
        velocity=velocity,
        damage=damage,
        alive=alive,
        stock=_stock_of_systems(profile, alive, stock_by_name),
        status=FIGHTING,
        label=label or sheet.classification,
        contact=contact or id,
        bogey=bogey,
        dummy=dummy,
        cover=cover,
        armour=armour_from(sheet, stock_by_name) if armour is None else armour,
        record=record,
        this_turn=blank_turn() if this_turn is None else this_turn,
        drift=drift,
    )
    ship.recompute()
    return ship


def _stock_of_systems(
    profile: ShipProfile, alive: Sequence[int], stock_by_name: Mapping[str, int]
) -> list[int]:
    """Return what each system holds; a lost one nothing, unless it is sturdy."""
    stock = []
    for index, full in enumerate(profile.contents):
        amount = 0
        if alive[index] or index in profile.sturdy:
            amount = sum(stock_by_name[name] for name in full)
        stock.append(amount)
    return stock


def _used_rounds(sheet: Sheet, stock_by_name: Mapping[str, int]) -> dict[str, int]:
    """Return how many rounds of each kind are gone from systems that hold several kinds."""
    used: dict[str, int] = {}
    for full in profile_of(sheet).contents:
        for name, most in full.items():
            if len(full) > 1 and most > stock_by_name[name]:
                used[name] = most - stock_by_name[name]
    return used
