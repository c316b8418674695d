"""Mass and points of a design whose hull, drives, armour and systems all take mass.

Shares of the ship's mass are rounded half up and are at least 1; the points of each system are
rounded half up. Systems that the edition does not sell are skipped here; the faults name them.

Rules: Continuum "Ship construction and design" 13.5-13.14, "Ship construction summary" 14
[pc.design]
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from engine.core.kinds import FtlDrive, HullKind
from engine.core.phrase import capitalize_first, phrase
from engine.core.sheet import Fit
from engine.core.terms import CPV, SHORT_SPINES, TABLE_PRICES
from engine.design.loads import craft_in_fitting, feeding_magazines, load_of
from engine.design.value import Cost, Design, Figures, Fitting, classification
from engine.prices.continuum import LOADS, TURRET_HOLDS, UPGRADE_MASS_BY_TABLE, UPGRADES
from engine.prices.system_price import SystemPrice
from engine.ruleset import RuleSet
from engine.weapons.registry import weapon_of
from engine.weapons.weapon import with_short_range

# Points for each box, by rows.
HULL_RATES = {
    3: Fraction(3),
    4: Fraction(2),
    5: Fraction(3, 2),
    6: Fraction(1),
}
# For each point of thrust.
DRIVE_SHARE = Fraction(5, 100)
DRIVE_RATES = {"standard": 2, "advanced": 3}
FTL_SHARE = Fraction(10, 100)
FTL_RATES = {FtlDrive.STANDARD: 2, FtlDrive.ADVANCED: 3, FtlDrive.TUG: 2}
TOWED_PER_MASS = 5
STREAMLINING_SHARES = {"none": Fraction(0), "partial": Fraction(5, 100), "full": Fraction(10, 100)}
STREAMLINING_RATE = 2
STEALTH_RATE = 2  # points for each box of hull or armour and each level
# (standard, regenerative), innermost layer first.
ARMOUR_RATES = (
    (2, 4),
    (4, 6),
    (6, 8),
    (8, 10),
    (10, 12),
)
FLAWED_RATE = Fraction(4, 5)
RAMS_RATE = 1  # points for each mass of a ship built to ram
CPV_DIVISOR = 100

MASS_PER_CREW = {False: 20, True: 50}  # by whether the ship is civil

CORE = ("bridge", "life-support", "power-core")


@dataclass(frozen=True, slots=True)
class BillLine:
    """A line of the bill with its total mass and points.

    `craft` is true for fighters and gunboats, which are not part of the ship.
    """

    title: str
    mass: Fraction
    points: int
    craft: bool = False


def round_half_up(number: Fraction) -> int:
    """Round to a whole number, halves up.

    Rules: Continuum "System mass" 13.5 [pc.design]
    """
    return floor(number + Fraction(1, 2))


def share_of(mass: int, share: Fraction) -> int:
    """Return a share of a ship's mass, rounded half up, at least 1.

    Rules: Continuum "System mass" 13.5 [pc.design]
    """
    return max(1, round_half_up(mass * share))


def system_price_of(fitting: Fitting, rules: RuleSet) -> SystemPrice | None:
    """Return the price list's row for a fitting, None if there is none."""
    for system_price in rules.system_prices.get(fitting.type, ()):
        if (system_price.size, system_price.model) == (fitting.size, fitting.variant):
            return system_price
    return None


def is_broadside(arcs: tuple[str, ...], rules: RuleSet) -> bool:
    """Return whether these are the two port or the two starboard arcs.

    Rules: Continuum "Broadside arcs" 4.2 [pc.arcs]
    """
    ring = rules.arcs
    half = len(ring) // 2
    return set(arcs) in (set(ring[1:half]), set(ring[half + 1 :]))


def mount_arcs(
    fitting: Fitting, system_price: SystemPrice, design: Design, rules: RuleSet
) -> tuple[str, ...]:
    """Return the arcs through which a system bears, in the edition's order.

    A system in a turret has the turret's arcs. If a fitting gives no arcs, it bears all round,
    straight ahead or through the front three, depending on its price list row.

    Rules: Continuum "Fire arcs" 4.2, "Turrets" 5.22 [pc.arcs]
    """
    turret = _turret_with_id(fitting.turret, design) if fitting.turret else None
    arcs = turret.arcs if turret is not None else fitting.arcs
    if turret is not None or arcs:
        return tuple(arc for arc in rules.arcs if arc in arcs)
    if system_price.forward:
        return rules.arcs[:1]
    if not system_price.mounts:
        return ()
    fewest = system_price.mounts[0][0]
    if fewest == 3:
        return tuple(arc for arc in rules.arcs if arc in (rules.arcs[-1], *rules.arcs[:2]))
    return rules.arcs[:fewest]


def _turret_with_id(turret_id: str, design: Design) -> Fitting | None:
    """Return the row of the turret with an id, None if the design has no such turret."""
    number = 0
    for fitting in design.systems:
        if fitting.type == "turret":
            for _ in range(fitting.count):
                number += 1
                if turret_id == f"turret-{number}":
                    return fitting
    return None


def unit_mass(
    fitting: Fitting, system_price: SystemPrice, design: Design, rules: RuleSet
) -> Fraction:
    """Return the mass of one system of a fitting.

    A mount that is not sold with its number of arcs has the mass of the next larger one, or of the
    largest.

    Rules: Continuum "System mass" 13.5, "Turrets" 5.22 [pc.design]
    """
    if system_price.type == "turret":
        return Fraction(_turret_mass(fitting, design, rules))
    if system_price.share:
        return Fraction(share_of(design.mass, system_price.share))
    if system_price.free:
        return Fraction(max(0, fitting.mass))
    weightless_option, mass_limit = system_price.weightless
    if weightless_option in rules.options and design.mass > mass_limit:
        return Fraction(0)
    if not system_price.mounts:
        fixed_mass = _fixed_mass(system_price, design, rules)
        return Fraction(fixed_mass + _upgrade_mass(fitting, rules))
    return Fraction(_mount_mass(fitting, system_price, rules))


def _mount_mass(fitting: Fitting, system_price: SystemPrice, rules: RuleSet) -> int | Fraction:
    """Return the mass of a mount by its arcs; in a turret that with fewest arcs."""
    if fitting.turret:
        return system_price.mounts[0][1]
    if system_price.broadside and is_broadside(fitting.arcs, rules):
        return system_price.broadside
    arc_count = len(set(fitting.arcs))
    for number, mass in system_price.mounts:
        if number >= arc_count:
            return mass
    return system_price.mounts[-1][1]


def _upgrade_mass(fitting: Fitting, rules: RuleSet) -> int:
    """Return the mass that upgrades add to a system: none, unless it is sold by the table.

    Rules: Continuum 14.1 [pc.price-conflicts]
    """
    if TABLE_PRICES not in rules.options:
        return 0
    return sum(UPGRADE_MASS_BY_TABLE.get(flag, 0) for flag in fitting.flags)


def _fixed_mass(system_price: SystemPrice, design: Design, rules: RuleSet) -> int:
    """Return the fixed mass of a system, which an option may raise to a share of the ship's mass.

    Rules: Fighters by point defence level 1.7 [pdl.costs]
    """
    option, share = system_price.grows
    if option in rules.options:
        return max(system_price.mass, share_of(design.mass, share))
    return system_price.mass


def _turret_mass(turret: Fitting, design: Design, rules: RuleSet) -> int:
    """Return the mass of the heaviest turret of a fitting, by its weapons and arcs."""
    weapon_mass_per_mass = TURRET_HOLDS.get(len(set(turret.arcs)), TURRET_HOLDS[min(TURRET_HOLDS)])
    first_number = 1
    for fitting in design.systems:
        if fitting is turret:
            break
        if fitting.type == "turret":
            first_number += max(0, fitting.count)
    heaviest = 1
    for number in range(first_number, first_number + max(1, turret.count)):
        weapons = weapons_mass(f"turret-{number}", design, rules)
        heaviest = max(heaviest, ceil(weapons / weapon_mass_per_mass))
    return heaviest


def weapons_mass(turret: str, design: Design, rules: RuleSet) -> Fraction:
    """Return the mass of the weapons in a turret.

    Args:
        turret: The turret's id.
    """
    total = Fraction(0)
    for fitting in design.systems:
        system_price = system_price_of(fitting, rules)
        if system_price is not None and fitting.turret == turret and fitting.type != "turret":
            total += unit_mass(fitting, system_price, design, rules) * max(0, fitting.count)
    return total


def unit_points(fitting: Fitting, system_price: SystemPrice, design: Design, rules: RuleSet) -> int:
    """Return the points of one system of a fitting, without its contents.

    Rules: Continuum 14 [pc.design]
    """
    mass = unit_mass(fitting, system_price, design, rules)
    points = Fraction(system_price.points)
    if system_price.weightless[0] or system_price.grows[0]:
        # The price is that of the fixed mass, even where an option makes the system weightless.
        fixed_mass = _fixed_mass(system_price, design, rules)
        if fixed_mass:
            mass = Fraction(fixed_mass)
            points = Fraction(system_price.points * fixed_mass, system_price.mass)
    price = mass * system_price.rate + points + system_price.ship_rate * design.mass
    types = [other.type for other in design.systems]
    for occasion, rate in system_price.rates:
        if occasion in rules.options or occasion in types:
            price = mass * rate
    for flag in fitting.flags:
        if flag in UPGRADE_MASS_BY_TABLE and TABLE_PRICES in rules.options:
            continue  # paid for with its mass
        points_per_mass, points_each = UPGRADES.get(flag, (0, 0))
        price += mass * points_per_mass + points_each
    return max(1, round_half_up(price)) if price else 0


def load_mass(fitting: Fitting, system_price: SystemPrice, design: Design) -> int:
    """Return the mass of a system's contents that comes on top of its own: that of mines.

    The contents of a magazine or bay are part of its own mass.

    Rules: Continuum "Minelaying" 6.10 [pc.mines]
    """
    if system_price.free or system_price.holds not in LOADS:
        return 0
    total = 0
    for kind, number in load_of(fitting, design):
        mass_each, _ = LOADS[system_price.holds].get(kind, (0, 0))
        total += mass_each * max(0, number)
    return total


def load_points(fitting: Fitting, system_price: SystemPrice, design: Design, rules: RuleSet) -> int:
    """Return the points of the contents of one system: mines, fighters, gunboats.

    Missiles are included in the price of their magazine.

    Rules: Continuum "Fighter types" 8.15, "Gunboat types" 9.2, 14.7, 14.8 [pc.fighter-types];
    Fighters by point defence level 1.7 [pdl.costs]
    """
    if system_price.holds in LOADS:
        points = 0
        for kind, number in load_of(fitting, design):
            _, points_each = LOADS[system_price.holds].get(kind, (0, 0))
            points += points_each * max(0, number)
        return points
    craft_points = Fraction(0)
    for row, number in craft_in_fitting(fitting, system_price, design.edition):
        craft_points += row.price(max(0, number), rules.options)
    return round_half_up(craft_points)


def systems_bill(design: Design, rules: RuleSet) -> tuple[BillLine, ...]:
    """Return a line for every fitting, and one for the craft it holds.

    Rules: Continuum 14 [pc.design]
    """
    lines: list[BillLine] = []
    for fitting in design.systems:
        system_price = system_price_of(fitting, rules)
        cost = _cost(fitting, design, rules)
        if system_price is None or cost is None:
            continue
        craft_points = 0
        if system_price.holds not in LOADS:
            craft_points = load_points(fitting, system_price, design, rules) * max(0, fitting.count)
        lines.append(BillLine(system_price.title, cost.mass, cost.points - craft_points))
        if craft_points:
            kinds = [kind for kind, _ in fitting.load]
            title = ", ".join((*fitting.mods, *kinds))
            lines.append(BillLine(title, Fraction(0), craft_points, craft=True))
    return tuple(lines)


def costs(design: Design, rules: RuleSet) -> tuple[Cost | None, ...]:
    """Return the mass and points of each row, including contents.

    Rules: Continuum 14 [pc.design]
    """
    return tuple(_cost(fitting, design, rules) for fitting in design.systems)


def _cost(fitting: Fitting, design: Design, rules: RuleSet) -> Cost | None:
    """Return the mass and points of a row with contents, None if the edition does not sell it."""
    system_price = system_price_of(fitting, rules)
    if system_price is None:
        return None
    count = max(0, fitting.count)
    mass = unit_mass(fitting, system_price, design, rules)
    mass += load_mass(fitting, system_price, design)
    points = unit_points(fitting, system_price, design, rules)
    points += load_points(fitting, system_price, design, rules)
    return Cost(mass * count, points * count)


def structure_bill(design: Design) -> tuple[BillLine, ...]:
    """Return lines for boxes, armour, stealth, streamlining and drives, but not the basic hull.

    Rules: Continuum "Hull strengths" 13.7, "Advanced hulls" 13.8, "Streamlining" 13.11, 7.4-7.8
    [pc.design]; "Ramming ability" 16.7 [pc.ramming]
    """
    boxes = max(0, design.boxes)
    armour = sum(standard + regenerative for standard, regenerative in design.armour)
    points_per_box = HULL_RATES.get(design.hull_rows, Fraction(2))
    hull_points = round_half_up(boxes * points_per_box)
    lines = [BillLine(phrase("Hull integrity"), Fraction(boxes), hull_points)]
    for rates, (standard, regenerative) in zip(ARMOUR_RATES, design.armour, strict=False):
        if standard or regenerative:
            points = standard * rates[0] + regenerative * rates[1]
            lines.append(BillLine("Armour", Fraction(standard + regenerative), points))
    if design.stealth:
        points = STEALTH_RATE * design.stealth * (boxes + armour)
        lines.append(BillLine(phrase("Stealth hull"), Fraction(0), points))
    if STREAMLINING_SHARES.get(design.streamlining):
        mass = share_of(design.mass, STREAMLINING_SHARES[design.streamlining])
        lines.append(BillLine("Streamlining", Fraction(mass), mass * STREAMLINING_RATE))
    lines += _drives_bill(design)
    if design.rams:
        lines.append(BillLine(phrase("Ramming ability"), Fraction(0), design.mass * RAMS_RATE))
    return tuple(lines)


def _drives_bill(design: Design) -> list[BillLine]:
    """Return the lines for the main drive and the FTL drive, which move the whole ship.

    Rules: Continuum "Drives" 13.9, 11.6 [pc.design]
    """
    lines = []
    moved_mass = design.total_mass or design.mass
    if design.thrust > 0:
        mass = share_of(moved_mass, DRIVE_SHARE * design.thrust)
        rate = DRIVE_RATES.get(design.drive, 2)
        lines.append(BillLine(phrase("Main drive"), Fraction(mass), mass * rate))
    if design.ftl in FTL_RATES:
        mass = share_of(moved_mass, FTL_SHARE)
        mass += ceil(Fraction(max(0, design.tows), TOWED_PER_MASS))
        rate = FTL_RATES[FtlDrive.ADVANCED if design.advanced_tug else FtlDrive(design.ftl)]
        lines.append(BillLine(capitalize_first(phrase("FTL drive")), Fraction(mass), mass * rate))
    return lines


def bill(design: Design, rules: RuleSet, basic_hull: int) -> tuple[BillLine, ...]:
    """Return all lines of the bill; the first is the basic hull, which takes no mass."""
    hull = BillLine(phrase("Basic hull"), Fraction(0), basic_hull)
    return (hull, *structure_bill(design), *systems_bill(design, rules))


def mass_used(design: Design, rules: RuleSet) -> int:
    """Return the total mass, rounded up if an odd number of half-mass systems remains.

    Rules: Continuum 13.4, 13.5 [pc.design]
    """
    return ceil(sum((line.mass for line in bill(design, rules, 0)), Fraction(0)))


def points(design: Design, rules: RuleSet, basic_hull: int) -> int:
    """Return the points of a ship with its craft.

    A flawed design costs a fifth less, without its craft.

    Rules: Continuum "Ship design procedure" 13.14, "Flawed design" 13.13 [pc.design]
    """
    lines = bill(design, rules, basic_hull)
    ship = sum(line.points for line in lines if not line.craft)
    craft = sum(line.points for line in lines if line.craft)
    return (round_half_up(ship * FLAWED_RATE) if design.flawed else ship) + craft


def cpv_hull(mass: int) -> int:
    """Return the basic hull's points by combat points value.

    Rules: Continuum "Combat points value" 18.3 [pc.cpv]
    """
    return max(1, round_half_up(Fraction(mass * mass, CPV_DIVISOR)))


def rows_of(boxes: int, rows: int) -> tuple[int, ...]:
    """Return the boxes of each row, top row first; the top rows get the surplus.

    Rules: Continuum "Hull strengths" 13.7, "Advanced hulls" 13.8 [pc.design]
    """
    each, surplus = divmod(max(0, boxes), max(1, rows))
    return tuple(each + (1 if row < surplus else 0) for row in range(max(1, rows)))


def is_civil(design: Design) -> bool:
    """Return whether a hull is civil."""
    return design.civil or design.kind == HullKind.MERCHANT


def crew_factors(design: Design) -> int:
    """Return the crew factors: one for every started 20 mass, on civil ships for every 50.

    Rules: Continuum 10.4 [pc.damage-control]
    """
    return ceil(max(1, design.mass) / MASS_PER_CREW[is_civil(design)])


def crew_boxes(boxes: int, factors: int) -> tuple[int, ...]:
    """Return the box with which each crew factor is lost; the last factor has the last box.

    Rules: Continuum "Crew casualties" 10.5 [pc.damage-control]
    """
    step = ceil(boxes / factors)
    return (*(min(step * number, boxes) for number in range(1, factors)), boxes)


def figures(design: Design, rules: RuleSet) -> Figures:
    """Return the figures of a design in which everything takes mass.

    Rules: Continuum 13, 18.3 [pc.design]
    """
    by_cpv = points(design, rules, cpv_hull(design.mass))
    return Figures(
        mass_used=mass_used(design, rules),
        capacity=design.mass,
        points=by_cpv if CPV in rules.options else points(design, rules, design.mass),
        rows=rows_of(design.boxes, design.hull_rows),
        classification=classification(design, rules),
        crew=crew_boxes(max(0, design.boxes), crew_factors(design)),
        cpv=by_cpv,
    )


def fits(design: Design, rules: RuleSet) -> tuple[Fit, ...]:
    """Return the systems of the record sheet: in the design's order, then drives and core systems.

    Core systems matter only with an option. `size` of a fit is its class, or the capacity of a
    freely sized system in its own units (mass of craft, berths, cargo), or the mass that a tug
    transfers. `flags` are the upgrades and then the modifications of its craft.
    """
    numbers: dict[str, int] = {}
    result: list[Fit] = []
    for fitting in design.systems:
        system_price = system_price_of(fitting, rules)
        if system_price is None:
            continue
        for _ in range(fitting.count):
            numbers[fitting.type] = numbers.get(fitting.type, 0) + 1
            result.append(
                _fit(
                    f"{fitting.type}-{numbers[fitting.type]}",
                    fitting,
                    system_price,
                    design,
                    rules=rules,
                )
            )
    if design.thrust > 0:
        result.append(Fit("drive", "drive", "", ()))
    if design.ftl != FtlDrive.NONE:
        result.append(
            Fit("ftl", "ftl", "advanced" if design.advanced_tug else "", (), size=design.tows)
        )
    result += [Fit(name, name, "", ()) for name in CORE]
    return tuple(result)


def _fit(
    id_: str, fitting: Fitting, system_price: SystemPrice, design: Design, rules: RuleSet
) -> Fit:
    """Return one system of a row as it is on the record sheet."""
    fit = Fit(
        id=id_,
        type=fitting.type,
        variant=fitting.variant,
        arcs=mount_arcs(fitting, system_price, design, rules),
        offensive=system_price.offensive,
        expendable=system_price.expendable,
        size=fitting.size or floor(fitting.mass * Fraction(system_price.room)),
        turret=fitting.turret,
        flags=(*fitting.flags, *fitting.mods),
        mass=fitting.mass,
        load=load_of(fitting, design),
        magazine=next(iter(feeding_magazines(fitting, design)), ""),
    )
    if SHORT_SPINES in rules.options:
        return with_short_range(fit, weapon_of(design.edition, fit.type))
    return fit
