"""Damage through layers of armour and along the damage track, and threshold checks.

One check covers all rows that ended in a phase; each further row adds to the dice.

Rules: Continuum "Ship damage and how weapons inflict damage" 4.9 [pc.damage-kinds]; Continuum
"Threshold points" 4.11 [pc.thresholds]; Continuum "Armour" 7.6, "Regenerative armour" 7.8
[pc.armour]; Continuum "Cargo and passenger space" 10.6 [pc.cargo]; Continuum "Wave gun" 7.24
[pc.wave-gun]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

from engine.continuum.boarders import BOARDERS, check_boarders
from engine.continuum.cores import CORE, core_hits
from engine.continuum.craft.criticals import HANGAR, can_hangars_explode, check_hangars, hangars_of
from engine.continuum.off_course import knock_off_course, roll_course_tests
from engine.continuum.striking import resolve_striking, roll_nerve_test
from engine.core.dice import Dice
from engine.core.geometry import is_within, squared_length
from engine.core.kinds import (
    CAPTURED,
    CARRIED,
    DESTROYED,
    HANGARS,
    HULL,
    IN_PLAY,
    PIERCING,
    PLAIN,
    SEMI,
    DamageType,
)
from engine.core.notes import tell_fact, write_fact
from engine.core.rolls import TypedDamage
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.core.ship_facts import MAX_PIPS
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import BATTLE_DEBRIS, CORE_SYSTEMS, DRIVE_DAMAGE
from engine.events.damage import (
    ArmourAbsorbed,
    ArmourRegenerated,
    ShipDamaged,
    ShipDestroyed,
    ThresholdChecked,
)
from engine.systems.carried_ships import bearer_of
from engine.systems.outfit import MARINES, PARTY
from engine.weapons.weapon import Trait

Armour = tuple[tuple[int, int], ...]

REPAIRS_ON, DIES_ON = 5, 1  # the dice of a damaged box of regenerative armour

# For each of these types, as many are lost as fail a check, the largest first. Their contents are
# lost too.
SPACES = ("hold", "passengers", "troops", "specialists")
CARGO = ("hold", "passengers")  # types that hold a merchant's load

FIGHTERS_ABOARD = (MARINES, PARTY)  # lost only to boarders when boarders end a row

BACKFIRE = "backfire"  # the cause of this damage

# The modifiers of systems' dice: core systems are buried, and advanced sensors fragile.
CHECK_MODIFIERS: dict[str, int] = dict.fromkeys(CORE, -1) | {
    "enhanced-sensors": 1,
    "superior-sensors": 1,
}
BURIED_MODIFIER = -1  # for weapons buried as deep as core systems
# Types lost for the whole battle on an unmodified 6.
SHATTERED_BY_SIX = ("enhanced-sensors", "superior-sensors")

FLAW = "flawed-design"  # the name of its check; it is no system of the sheet
FLAW_BURIED_ABOVE = 90  # mass above which a flaw is as protected as core systems
FLAW_BURIED = -1


def absorb(armour: Armour, damage_types: tuple[TypedDamage, ...]) -> tuple[Armour, int]:
    """Return the armour left after damage, and the points that reach the hull.

    Normal damage fills the outermost surviving layer and overflows inward. Semi-piercing damage
    leaves half of each hit, rounded up, there and the rest in the next layer. Piercing damage
    leaves one point in each surviving layer. Each depth of re-rolls starts a layer deeper. Standard
    boxes of a layer go before regenerative ones.

    Args:
        armour: The layers, innermost first.

    Rules: Continuum "Ship damage" 4.9 [pc.damage-kinds]; Continuum "Shell or layered armour" 7.7
    [pc.armour]
    """
    if not armour:
        return armour, sum(typed.points for typed in damage_types)
    remaining = [standard + regenerative for standard, regenerative in armour]
    outermost = max((place for place, boxes in enumerate(remaining) if boxes), default=-1)
    hull_points = 0
    for typed in damage_types:
        if typed.kind == HULL:
            hull_points += typed.points
        else:
            hull_points += _points_through(remaining, outermost - typed.depth, typed)
    layers = [_layer_left(*layer) for layer in zip(armour, remaining, strict=True)]
    return tuple(layers), hull_points


def _points_through(remaining: list[int], start: int, typed: TypedDamage) -> int:
    """Apply damage to the layers from `start` inward and return what reaches the hull.

    Args:
        remaining: The boxes left in each layer, innermost first; they are reduced.
    """
    points = typed.points
    if typed.kind == PLAIN:
        for place in range(start, -1, -1):
            points -= _mark_layer(remaining, place, points)
        return points
    surviving = [place for place in range(start, -1, -1) if remaining[place]]
    if typed.kind == PIERCING:
        for place in surviving:
            points -= _mark_layer(remaining, place, min(points, 1))
        return points
    assert typed.kind == SEMI
    if not surviving:
        return points
    half = (points + 1) // 2
    overflow = half - _mark_layer(remaining, surviving[0], half)
    rest = points - half + overflow
    for place in range(surviving[0] - 1, -1, -1):
        rest -= _mark_layer(remaining, place, rest)
    return rest


def _mark_layer(remaining: list[int], place: int, points: int) -> int:
    """Mark points on one layer and return how many it absorbs."""
    absorbed = min(remaining[place], points)
    remaining[place] -= absorbed
    return absorbed


def _layer_left(layer: tuple[int, int], boxes: int) -> tuple[int, int]:
    """Return a layer with this many boxes left, after losing standard boxes first."""
    regenerative = min(layer[1], boxes)
    return boxes - regenerative, regenerative


def excess_of(
    state: BattleState, ship: ShipState, damage_types: tuple[TypedDamage, ...]
) -> int | None:
    """Return a volley's points beyond a ship's last box if it destroys the ship, else None.

    Only the option `battle-debris` needs this; without it the result is None.

    Rules: Continuum "Battle debris" 17.5 [pc.debris]
    """
    if BATTLE_DEBRIS not in state.terms.options or is_wrecked(ship):
        return None
    _, points = absorb(ship.armour, damage_types)
    remaining = ship.sheet.boxes - ship.damage
    if points >= remaining:
        return points - remaining
    return None


def mark_damage(
    table: Table, ship: ShipState, damage_types: tuple[TypedDamage, ...], cause: str
) -> int:
    """Mark damage on a ship's armour and hull without any check, and return the hull points.

    Each phase decides when it removes wrecks and checks systems. A ship carried aboard may be
    ordered to bear the damage instead, with its own armour; it checks at once.

    Rules: Continuum "Ship damage and how weapons inflict damage" 4.9 [pc.damage-kinds]; Continuum
    "Battleriders and motherships" 11.7 [pc.tugs]
    """
    bearer = bearer_of(table.state, ship) if ship.record.bearer else None
    if bearer is not None:
        apply_damage(table, bearer, damage_types, cause)
        return 0
    armour, points = absorb(ship.armour, damage_types)
    if armour != ship.armour:
        armour_lost = sum(map(sum, ship.armour)) - sum(map(sum, armour))
        ship.armour = armour
        table.tell(ArmourAbsorbed, ship=ship.id, cause=cause, points=armour_lost, armour=armour)
    before = ship.damage
    ship.mark_damage(points)
    if table.listens and ship.damage > before:
        table.tell(ShipDamaged, ship=ship.id, cause=cause, points=points, total=ship.damage, die=0)
    if points and ship.status == CAPTURED:  # any point destroys a prize
        _destroy(table, ship, cause)
    return ship.damage - before


def is_wrecked(ship: ShipState) -> bool:
    """Return whether a ship has no hull box left."""
    return ship.damage >= ship.sheet.boxes


def regenerate(damaged: int, dice: Dice, subject: str) -> tuple[tuple[int, ...], int, int]:
    """Roll for damaged regenerative boxes at the end of a turn.

    Returns:
        The dice, the number of boxes repaired, and the number lost for good.

    Rules: Continuum "Regenerative armour" 7.8 [pc.armour]
    """
    rolls = tuple(dice.roll("regeneration", subject) for _ in range(damaged))
    return rolls, sum(die >= REPAIRS_ON for die in rolls), sum(die <= DIES_ON for die in rolls)


def regenerate_armour(table: Table) -> None:
    """Roll for every damaged regenerative box, the innermost layer first.

    Rules: Continuum "Regenerative armour" 7.8 [pc.armour]
    """
    for ship in table.state.ships:
        if ship.status not in IN_PLAY or ship.armour == ship.sheet.armour:
            continue
        rolls: list[int] = []
        layers: list[tuple[int, int]] = []
        scarred: list[int] = []  # boxes lost for good, by layer
        for place, (standard, boxes) in enumerate(ship.armour):
            scars = ship.record.scarred.get(place, 0)
            damaged = ship.sheet.armour[place][1] - boxes - scars
            layer_rolls, repaired, new_scars = regenerate(
                damaged, table.dice, f"{ship.id}/armour-{place}"
            )
            rolls += layer_rolls
            layers.append((standard, boxes + repaired))
            scarred.append(scars + new_scars)
        if rolls:
            ship.regenerate(tuple(layers), tuple(scarred))
            if table.listens:
                table.tell(
                    ArmourRegenerated,
                    ship=ship.id,
                    dice=tuple(rolls),
                    armour=tuple(layers),
                    scarred=tuple(scarred),
                )


def systems_lost(ship: ShipState, failed: Sequence[int]) -> list[int]:
    """Return the places in `fits` of the systems a check loses, in canonical order.

    Of each type in SPACES, as many are lost as failed, the largest first.

    Rules: Continuum "Cargo and passenger space" 10.6 [pc.cargo]
    """
    fits = ship.sheet.fits
    lost_places = [index for index in failed if fits[index].type not in SPACES]
    for type_ in SPACES:
        failed_count = sum(fits[index].type == type_ for index in failed)
        places = ship.profile.indexes_by_type.get(type_, ())
        surviving = [index for index in places if ship.alive[index]]
        largest_first = sorted(surviving, key=lambda index: (-fits[index].size, index))
        lost_places += largest_first[:failed_count]
    return sorted(lost_places)


def cargo_share_left(
    fits: Sequence[Fit], lost_ids: Collection[str], spaces: Collection[str] = CARGO
) -> Fraction | None:
    """Return the share of cargo and passenger space left after losses; None without any space.

    Args:
        lost_ids: The ids of the systems lost.
        spaces: The types of systems that hold the cargo.

    Rules: Continuum "Cargo and passenger space" 10.6 [pc.cargo]
    """
    total = remaining = 0
    for fit in fits:
        if fit.type in spaces:
            total += fit.size
            if fit.id not in lost_ids:
                remaining += fit.size
    if total:
        return Fraction(remaining, total)
    return None


def release_charges(table: Table, ship: ShipState, lost_ids: Iterable[str]) -> int:
    """Damage the hull by the charge of systems just lost, and return the points.

    Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]
    """
    points = 0
    for system in lost_ids:
        charge = ship.record.charge.get(system, 0)
        if charge:
            points += charge
            write_fact(table, ship, "charge", 0, key=system)
            mark_damage(table, ship, (TypedDamage(charge, HULL),), f"{BACKFIRE}:{ship.id}")
    return points


def _explode_racks(table: Table, ship: ShipState, lost_places: Sequence[int]) -> int:
    """Explode the antimatter warheads on racks just lost, and return the points to their ship.

    Each does one die of damage to its ship, ignoring armour and screens, and one die to every ship
    within 1 MU. The racks cannot be repaired.

    Args:
        lost_places: The lost systems' places in `fits`.

    Rules: Continuum "Antimatter missiles" 6.6 [pc.antimatter-missile]
    """
    points = 0
    for index in lost_places:
        if Trait.EXPLODES not in ship.profile.weapons[index].traits:
            continue
        name = ship.sheet.fits[index].id
        ship.mark_irreparable(name)
        tell_fact(table, ship, "irreparable", 1, key=name)
        die = table.dice.roll("damage", f"{ship.id}/{name}>{ship.id}")
        points += die
        mark_damage(table, ship, (TypedDamage(die, HULL),), f"{BACKFIRE}:{ship.id}")
        _damage_ships_nearby(table, ship, name)
    return points


def _damage_ships_nearby(table: Table, ship: ShipState, rack: str) -> None:
    """Roll the damage of a rack that explodes to every ship within 1 MU.

    Each level of screens, up to two, subtracts one from the die.
    """
    for other in table.state.ships:
        if other is ship or other.status not in IN_PLAY or other.status == CARRIED:
            continue
        if not is_within(squared_length(ship.x - other.x, ship.y - other.y), 1.0):
            continue
        die = table.dice.roll("damage", f"{ship.id}/{rack}>{other.id}")
        points = max(die - min(other.screens, 2), 0)
        apply_damage(table, other, (TypedDamage(points),), f"{BACKFIRE}:{ship.id}")


def rows_ended(ship: ShipState, before: int) -> list[int]:
    """Return the rows (from 0) that ended since the ship had `before` damage points."""
    result: list[int] = []
    for place, (end, _) in enumerate(ship.profile.row_ends):
        if before < end <= ship.damage:
            result.append(place)
    return result


def check_after_damage(
    table: Table, ship: ShipState, before: int, cause: str, *, phase_13: bool = False
) -> None:
    """Destroy a ship without hull boxes, or make one check for all rows that ended in a phase.

    Args:
        before: Its damage points before the phase.
        phase_13: Whether this is the checks phase, where a drive may have to roll twice.

    Rules: Continuum "Threshold points" 4.11 [pc.thresholds]
    """
    if is_wrecked(ship):
        _destroy(table, ship, cause)
        return
    rows = rows_ended(ship, before)
    if rows:
        twice = phase_13 and len(rows) > 1 and DRIVE_DAMAGE in table.state.terms.options
        check_systems(
            table,
            ship,
            rows[-1],
            len(rows) - 1,
            drive_rolls=2 if twice else 1,
            stormed=cause == BOARDERS,
        )


def apply_damage(
    table: Table, ship: ShipState, damage_types: tuple[TypedDamage, ...], cause: str
) -> None:
    """Apply damage in a phase with immediate checks: movement, missiles or explosions.

    Rules: Continuum 4.11 [pc.thresholds]
    """
    before = ship.damage
    mark_damage(table, ship, damage_types, cause)
    check_after_damage(table, ship, before, cause)


def mark_damage_points(
    table: Table, ship: ShipState, points: int, cause: str, _: int, kind: DamageType
) -> None:
    """Mark damage points of one kind on a ship and make the checks at once."""
    if points > 0 and ship.status != DESTROYED:
        apply_damage(table, ship, (TypedDamage(points, kind),), cause)


def check_systems(
    table: Table,
    ship: ShipState,
    row: int,
    extra: int,
    *,
    drive_rolls: int = 1,
    stormed: bool = False,
) -> None:
    """Roll a die for every surviving system, in canonical order.

    The last row that ended sets the die that loses a system, and each extra row adds to the dice.
    Systems that no die could lose and spent one-shot weapons do not roll.

    With the options, hangars check first, and explosions there may end further rows. A system that
    takes two hits is lost by the second; a drive that rolls twice may take both. Then follow the
    flaw of a flawed design and, with the options, rolls for being knocked off course and for
    striking colours. A lost wave gun releases its charge, which may end further rows. Boarders
    aboard check like systems.

    Args:
        row: The last row that ended, from 0.
        extra: The rows that ended beside the last one.
        drive_rolls: How many dice each drive rolls.
        stormed: Whether boarders did the damage; then neither they nor the defenders check.

    Rules: Continuum "Threshold points" 4.11, 10.1 [pc.thresholds]; Continuum "Core systems" 10.3
    [pc.core-systems]; Continuum "Hangar bays" 10.2 [pc.hangar-criticals]; Continuum "Flawed design"
    13.13 [pc.flawed-design]
    """
    loses_on = ship.profile.row_ends[row][1] - extra
    spared = FIGHTERS_ABOARD if stormed else ()
    if can_hangars_explode(table.state) and (hangars := hangars_of(ship)) and loses_on <= MAX_PIPS:
        spared = (*spared, *HANGARS)
        further_rows = _check_hangars_first(
            table, ship, hangars=hangars, loses_on=loses_on, extra=extra
        )
        if is_wrecked(ship):
            _destroy(table, ship, HANGAR)
            return
        if further_rows:
            row = further_rows[-1]
            extra += len(further_rows)
            loses_on = ship.profile.row_ends[row][1] - extra
    _check_row(
        table,
        ship,
        row=row,
        loses_on=loses_on,
        drive_rolls=drive_rolls,
        spared=spared,
        stormed=stormed,
    )


def _check_row(
    table: Table,
    ship: ShipState,
    *,
    row: int,
    loses_on: int,
    drive_rolls: int,
    spared: tuple[str, ...],
    stormed: bool,
) -> None:
    """Roll the dice of a check, then apply the losses and all that follows from them.

    Args:
        spared: The types of systems that do not roll.
    """
    fits = ship.sheet.fits
    core = CORE_SYSTEMS in table.state.terms.options
    rolls, failed = _roll_systems(ship, loses_on, drive_rolls, table.dice, core=core, spared=spared)
    flaw_destroys = ship.sheet.flawed and _roll_flaw(ship, loses_on, table.dice, rolls)
    course_tests = roll_course_tests(table, ship, loses_on)
    nerve_test = roll_nerve_test(table, ship, loses_on)
    rolls += course_tests + nerve_test
    lost_places = systems_lost(ship, [index for index, _ in failed])
    lost_ids = [fits[index].id for index in lost_places]
    ship.lose_systems(lost_ids)
    if table.listens:
        table.tell(
            ThresholdChecked,
            ship=ship.id,
            row=row + 1,
            loses_on=loses_on,
            rolls=tuple(rolls),
            lost=tuple(lost_ids),
        )
    if ship.record.boarders and not stormed:
        check_boarders(table, ship, loses_on)
    _shatter(table, ship, failed)
    if flaw_destroys:
        _destroy(table, ship, FLAW)
    else:
        if core:
            lost_core = [fits[index].id for index in lost_places if fits[index].type in CORE]
            core_hits(table, ship, lost_core)
        knock_off_course(table, ship, [name for name, die in course_tests if die >= loses_on])
    _resolve_lost_systems(
        table, ship, lost_places=lost_places, lost_ids=lost_ids, loses_on=loses_on
    )
    resolve_striking(table, ship, nerve_test, loses_on)


def _check_hangars_first(
    table: Table, ship: ShipState, hangars: list[int], loses_on: int, extra: int
) -> list[int]:
    """Check a ship's hangars, mark the damage of explosions, and return the rows it ended."""
    before = ship.damage
    points = check_hangars(table, ship, hangars=hangars, loses_on=loses_on, extra=extra)
    mark_damage(table, ship, (TypedDamage(points, HULL),) if points else (), HANGAR)
    return rows_ended(ship, before)


def _resolve_lost_systems(
    table: Table,
    ship: ShipState,
    lost_places: Sequence[int],
    lost_ids: Sequence[str],
    loses_on: int,
) -> None:
    """Apply the damage that systems just lost do to their ship, then check its orbit.

    Args:
        lost_places: The systems' places in `fits`.
        lost_ids: Their ids.
    """
    before = ship.damage
    if release_charges(table, ship, lost_ids) + _explode_racks(table, ship, lost_places):
        check_after_damage(table, ship, before, BACKFIRE)
    if ship.record.orbit:
        for piece in table.state.pieces:
            piece.check_orbit(table, ship, lost_ids, loses_on)


def _shatter(table: Table, ship: ShipState, failed: Sequence[tuple[int, int]]) -> None:
    """Lose fragile sensors for the whole battle if their check failed on a 6."""
    for index, die in failed:
        fit = ship.sheet.fits[index]
        if die == 6 and fit.type in SHATTERED_BY_SIX:
            ship.mark_irreparable(fit.id)
            tell_fact(table, ship, "irreparable", 1, key=fit.id)


def _roll_systems(
    ship: ShipState,
    loses_on: int,
    drive_rolls: int,
    dice: Dice,
    *,
    core: bool,
    spared: tuple[str, ...] = (),
) -> tuple[list[tuple[str, int]], list[tuple[int, int]]]:
    """Roll the dice of a check.

    Args:
        core: Whether core systems check too.
        spared: The types of systems that do not check.

    Returns:
        Each system's name and die; and for each that failed, its place in `fits` and its die.
    """
    rolls: list[tuple[str, int]] = []
    failed: list[tuple[int, int]] = []
    marines_away = ship.record.marines_away
    unchecked = spared if core else (*spared, *CORE)
    for index, fit in enumerate(ship.sheet.fits):
        least = loses_on - check_modifier(ship, index)
        if least > MAX_PIPS or _is_spent(ship, index):
            continue
        if fit.type in unchecked or fit.id in marines_away:
            continue
        dice_count = drive_rolls if fit.type == "drive" else 1
        for _ in range(min(ship.alive[index], dice_count)):
            die = dice.roll("threshold", f"{ship.id}/{fit.id}")
            rolls.append((fit.id, die))
            if die >= least:
                failed.append((index, die))
    return rolls, failed


def check_modifier(ship: ShipState, index: int) -> int:
    """Return the die modifier of a system, by its place in `fits`.

    Rules: Continuum 4.11 [pc.thresholds]
    """
    if Trait.BURIED in ship.profile.weapons[index].traits:
        return BURIED_MODIFIER
    return CHECK_MODIFIERS.get(ship.sheet.fits[index].type, 0)


def _is_spent(ship: ShipState, index: int) -> bool:
    """Return whether a system is a one-shot weapon already fired, with nothing left to hit."""
    fit = ship.sheet.fits[index]
    return fit.expendable and not ship.stock[index] and ship.profile.full[index] > 0


def _roll_flaw(ship: ShipState, loses_on: int, dice: Dice, rolls: list[tuple[str, int]]) -> bool:
    """Roll for the flaw of a flawed design and return whether it destroys the ship.

    On the largest ships the flaw is buried.

    Rules: Continuum "Flawed design" 13.13 [pc.flawed-design]
    """
    least = loses_on - (FLAW_BURIED if ship.sheet.mass > FLAW_BURIED_ABOVE else 0)
    if least > 6:
        return False
    die = dice.roll("threshold", f"{ship.id}/{FLAW}")
    rolls.append((FLAW, die))
    return die >= least


def _destroy(table: Table, ship: ShipState, cause: str) -> None:
    """Destroy a ship, unless it is destroyed already."""
    if ship.status != DESTROYED:
        ship.destroy()
        table.tell(ShipDestroyed, ship.id, cause)
