"""A target's defences against fire: range bands, screens, fields and cloaks.

Also the damage that reflex fields return, and the bonus in civil wars.

Rules: Continuum "Defensive screens" 4.7 [pc.screens]; Continuum "Reflex field" 7.25
[pc.reflex-field]
"""

from __future__ import annotations

from typing import NamedTuple

from engine.combat.line_of_sight import screens_through
from engine.continuum.damage import mark_damage
from engine.core.geometry import NEAR, Point, is_within, length_of, squared_length
from engine.core.kinds import FIGHTING, HULK
from engine.core.orders import Fire
from engine.core.reason import reason
from engine.core.rolls import Effect, Shot, TypedDamage
from engine.core.ship import BERTHED, ShipState
from engine.core.ship_facts import AREA_SUITES, OWN_SUITES
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import CIVIL_WAR, WIDE_LOCK_ON
from engine.core.versions import SCREENS_OVER_CRAFT
from engine.events.damage import ReflexFieldRolled
from engine.pieces.craft_events import CraftCovered
from engine.pieces.group import Group
from engine.pieces.piece import Piece
from engine.systems.defences import (
    ADVANCED_AREA,
    ADVANCED_SCREEN,
    CLOAK_MODIFIER,
    FARTHER,
    PLAIN_AREA,
    aiming_range,
    effective_range,
    hull_level,
    is_blurred,
    reflect,
    screen_levels,
    shrink_range,
    stealth_level,
)
from engine.systems.defences import SCREEN_REACH as AREA_REACH
from engine.systems.sensors import ECM_REACH, SCAN_REACH, ecm_level, lock_on_range
from engine.weapons.ordnance import LOCK_ON, LOCK_ON_VECTOR
from engine.weapons.weapon import Trait, Weapon

# Constants, because looking up an enum member takes longer.
PAST_STEALTH, PAST_HOLOFIELDS, PAST_CLOAKS = (
    Trait.PAST_STEALTH,
    Trait.PAST_HOLOFIELDS,
    Trait.PAST_CLOAKS,
)
BARE_ONLY, DIMMED = Trait.BARE_ONLY, Trait.DIMMED

# Added to hit dice, without re-rolls, against ships of the same navy in a civil war.
KNOWN_WEAKNESS = 1

UNDER_CLOAK = reason("under-cloak", "a cloaked ship cannot fire")
BEHIND_REFLEX = reason("behind-reflex", "it cannot fire through its own reflex field")

ENERGY = Trait.ENERGY  # a constant, because looking up an enum member takes longer


def shot_at(state: BattleState, ship: ShipState, index: int, fire: Fire, target: ShipState) -> Shot:
    """Return the shot of a ship's weapon, by its place in `fits`, at a target before any die.

    Rules: Continuum "Defensive screens" 4.7 [pc.screens]; Continuum "Holofield" 7.17
    [pc.holofield]; Continuum "Cloaking device" 7.20 [pc.cloaks]; Continuum "Dust or nebula clouds"
    17.2 [pc.clouds]
    """
    path = shot_path(state, ship, target)
    return shot_over(
        state,
        ship,
        index=index,
        fire=fire,
        target=target,
        path=path,
        distance=effective_distance(ship.profile.weapons[index], path),
    )


class ShotPath(NamedTuple):
    """What a ship's fire meets on the way to a target, for any weapon.

    Attributes:
        distance: MU between the ships.
        effective_distance: MU that count against stealth and cloaks.
        aims_to: The range in MU of the ship's FireCons.
        screens: Levels of screens.
        advanced: How many of them are advanced.
        weakness: The modifier of the dice in a civil war.
    """

    distance: float
    effective_distance: float
    aims_to: float
    screens: int
    advanced: int
    is_cloaked: bool
    in_holofield: bool
    weakness: int


def shot_path(state: BattleState, ship: ShipState, target: ShipState) -> ShotPath:
    """Return what is between a ship and a target.

    Rules: Continuum "Stealth hull" 7.4 [pc.stealth-hull]; Continuum "Cloaking device" 7.20
    [pc.cloaks]
    """
    distance = ship_distance(ship, target)
    protection = protection_of(state, target)
    hidden = protection.cloaked
    return ShotPath(
        distance,
        effective_distance=distance * FARTHER
        if hidden
        else effective_range(distance, protection.stealth),
        aims_to=aiming_range(stealth_of(ship)),
        screens=protection.screens,
        advanced=protection.advanced,
        is_cloaked=hidden,
        in_holofield=protection.holofield and is_blurred(distance),
        weakness=weakness_against(state, ship.owner, ship.commander, target),
    )


def shot_over(
    state: BattleState,
    ship: ShipState,
    index: int,
    fire: Fire,
    target: ShipState,
    path: ShotPath,
    distance: float,
) -> Shot:
    """Return the shot of a weapon over a path, at the distance that counts in MU."""
    fit = ship.sheet.fits[index]
    weapon = ship.profile.weapons[index]
    screens = path.screens
    if state.pieces and DIMMED in weapon.traits:
        screens = screens_through(state.pieces, (ship.x, ship.y), (target.x, target.y), screens)
    if path.is_cloaked and PAST_CLOAKS not in weapon.traits:
        modifier = CLOAK_MODIFIER
    else:
        modifier = 0
    return Shot(
        subject=f"{ship.id}/{fit.id}",
        distance=distance,
        true_distance=path.distance,
        size=fit.size,
        variant=fit.variant,
        flags=fit.flags,
        mode=fire.mode,
        screens=screens,
        advanced=path.advanced,
        modifier=modifier + path.weakness,
        rerolls_modified=modifier,
        holofield=path.in_holofield and PAST_HOLOFIELDS not in weapon.traits,
        mass=target.sheet.mass,
        velocity=target.velocity,
    )


def weakness_against(state: BattleState, owner: int, commander: int, target: ShipState) -> int:
    """Return the modifier of direct-fire dice against a ship of the same navy in a civil war.

    Area fire that hits friendly ships gets none.

    Args:
        owner: The side whose fleet the firing ship or craft belongs to.
        commander: The side whose orders it follows.

    Rules: Continuum "Civil wars" 12.10 [pc.morale]
    """
    if CIVIL_WAR not in state.terms.options or not state.hostile[commander] >> target.commander & 1:
        return 0
    if state.terms.are_of_one_navy(owner, target.owner):
        return KNOWN_WEAKNESS
    return 0


def civil_war_weakness(state: BattleState, ship: ShipState) -> int:
    """Return the modifier of any enemy's direct-fire dice against a ship in a civil war.

    Rules: Continuum "Civil wars" 12.10 [pc.morale]
    """
    if CIVIL_WAR not in state.terms.options:
        return 0
    foes = (side for side in range(len(state.sides)) if state.hostile[ship.commander] >> side & 1)
    if any(state.terms.are_of_one_navy(side, ship.owner) for side in foes):
        return KNOWN_WEAKNESS
    return 0


def ship_distance(ship: ShipState, other: ShipState) -> float:
    """Return the distance of two ships in MU; 1 if they share a point of an orbit.

    Rules: Continuum 17.8 [pc.planets]
    """
    distance: float = length_of(other.x - ship.x, other.y - ship.y)
    if distance <= NEAR and ship.record.orbit:
        return 1.0
    return distance


def effective_distance(weapon: Weapon, path: ShotPath) -> float:
    """Return the MU that count for a weapon's range bands.

    They are more against stealth, and twice as many against a cloak.

    Rules: Continuum "Stealth hull" 7.4 [pc.stealth-hull]; Continuum "Cloaking device" 7.20
    [pc.cloaks]
    """
    if (PAST_CLOAKS if path.is_cloaked else PAST_STEALTH) in weapon.traits:
        return path.distance
    return path.effective_distance


def defences_forbid(
    state: BattleState, weapon: Weapon, fire: Fire, target: ShipState, path: ShotPath
) -> bool:
    """Return whether the target's defences or the ship's own stealth forbid this fire.

    Systems under a cloak cannot be picked out. FireCons have a maximum range. Point-defence weapons
    can only hit ships without armour, screens or fields.

    Rules: Continuum "Stealth hull" 7.4 [pc.stealth-hull]; Continuum "Cloaking device" 7.20
    [pc.cloaks]; Continuum "Point defence systems" 7.12 [pc.pds]
    """
    if fire.system and path.is_cloaked:
        return True
    if weapon.controlled and path.distance > path.aims_to + NEAR:
        return True
    return BARE_ONLY in weapon.traits and not is_unprotected(state, target)


def silence_reason(ship: ShipState) -> str:
    """Return the reason why a ship's own defences keep it from firing, or "".

    Rules: Continuum "Cloaking device" 7.20 [pc.cloaks]; Continuum "Reflex field" 7.25
    [pc.reflex-field]
    """
    if is_cloaked_ship(ship):
        return UNDER_CLOAK
    if ship.this_turn.reflex:
        return BEHIND_REFLEX
    return ""


def is_cloaked_ship(ship: ShipState) -> bool:
    """Return whether a cloaking device hides a ship.

    Rules: Continuum "Cloaking device" 7.20 [pc.cloaks]
    """
    return ship.record.concealed


def is_detectable(ship: ShipState) -> bool:
    """Return whether missiles and craft can find a ship.

    It is on the table, identified, not carried in a bay and not cloaked.

    Rules: Continuum "Launching missiles" 6.3 [pc.salvo-missiles]; Continuum "Target selection" 8.7
    [pc.fighter-targets]
    """
    return (
        ship.status == FIGHTING
        and ship.docking != BERTHED
        and not ship.bogey
        and not is_cloaked_ship(ship)
    )


def working_count(ship: ShipState, type_: str) -> int:
    """Return the number of working systems of a type; an undamaged two-hit system counts twice."""
    places = ship.profile.indexes_by_type.get(type_)
    if places:
        return sum(ship.alive[place] for place in places)
    return 0


def working_weapons(ship: ShipState, trait: Trait) -> int:
    """Return the number of working weapons with a trait."""
    return sum(ship.alive[place] for place in ship.profile.having.get(trait, ()))


def are_friendly(state: BattleState, ship: ShipState, other: ShipState) -> bool:
    """Return whether two ships are on the same side or on sides not at war."""
    return (
        ship.commander == other.commander
        or not state.hostile[ship.commander] >> other.commander & 1
    )


def in_holofield(ship: ShipState) -> bool:
    """Return whether a ship's holofield is in use.

    Rules: Continuum "Holofield" 7.17 [pc.holofield]
    """
    return bool(working_count(ship, "holofield")) and not is_cloaked_ship(ship)


class Protection(NamedTuple):
    """What protects a target from fire at the place where it is.

    Attributes:
        screens: Levels of screens of either kind, 0 to 3; the third only stops re-rolls.
        advanced: How many of these levels are advanced, 0 to 2.
        stealth: Level of stealth, 0 to 2.
        holofield: Whether it is in a holofield.
        cloaked: Whether a cloaking device hides it.
    """

    screens: int = 0
    advanced: int = 0
    stealth: int = 0
    holofield: bool = False
    cloaked: bool = False


UNPROTECTED = Protection()
CLOAK_PROTECTION = Protection(cloaked=True)


def protection_of(
    state: BattleState, target: ShipState | Piece, at: Point | None = None
) -> Protection:
    """Return what protects a target, whatever unit and weapon fires at it.

    All rules about a target's defences use this function. A ship has its own defences and the area
    screens of friends; craft have area screens alone; ordnance, mines and rocks have nothing.
    Cloaks and holofields exclude screens, and a hulk has no power for either.

    Args:
        at: The target's assumed place in MU, if not its present one.

    Rules: Continuum "Area screens" 7.16 [pc.area-screens]; Continuum "Advanced screens" 7.3
    [pc.advanced-screens]
    """
    if not isinstance(target, ShipState):
        if not state.screening or not isinstance(target, Group):
            return UNPROTECTED
        return _craft_protection(state, target, at or (target.x, target.y))
    if is_cloaked_ship(target):
        return CLOAK_PROTECTION
    stealth = stealth_of(target)
    powered = target.status != HULK
    if powered and working_count(target, "holofield"):
        return Protection(stealth=stealth, holofield=True)
    own = target.screens if powered else 0
    if not own and not state.screening:
        if stealth:
            return Protection(stealth=stealth)
        return UNPROTECTED
    own_advanced = min(working_count(target, ADVANCED_SCREEN), own)
    area = 0
    area_advanced = 0
    if state.screening:
        area, area_advanced = _area_levels(state, target.commander, at or (target.x, target.y))
    screens, advanced = screen_levels(own, own_advanced, area, area_advanced)
    return Protection(screens, advanced, stealth)


class CraftCover(NamedTuple):
    """How area screens over craft weaken a weapon's fire, as a `Shot` has it.

    Attributes:
        screens: Levels whose effect on dice is that of a ship's screens.
        advanced: How many of them are advanced.
        covered: Levels that modify dice.
    """

    screens: int = 0
    advanced: int = 0
    covered: int = 0


NO_COVER = CraftCover()


def craft_cover(state: BattleState, target: Piece, *, energy: bool) -> CraftCover:
    """Return how area screens weaken fire at a unit, which has some only if it is craft.

    Args:
        energy: Whether standard screens weaken this fire at ships.

    Rules: Continuum "Area screens" 7.16 [pc.area-screens-craft]
    """
    protection = protection_of(state, target)
    if energy and state.terms.follows(SCREENS_OVER_CRAFT):
        return CraftCover(advanced=protection.advanced, covered=protection.screens)
    return CraftCover(protection.screens, protection.advanced)


def guard_cover(state: BattleState, target: Piece) -> CraftCover:
    """Return how area screens weaken point defence and flak at a unit.

    Rules: Continuum "Area screens" 7.16 [pc.area-screens-craft]
    """
    if state.terms.follows(SCREENS_OVER_CRAFT):
        return NO_COVER
    return CraftCover(*protection_of(state, target)[:2])


def tell_guard_cover(table: Table, group: Group) -> CraftCover:
    """Report the area screens that weaken point defence at craft, if there are any."""
    cover = guard_cover(table.state, group)
    if cover.screens:
        tell_cover(table, group)
    return cover


def tell_cover(table: Table, group: Group) -> Protection:
    """Report the area screens over craft under fire, if there are any, and return them."""
    protection = protection_of(table.state, group)
    if protection.screens:
        table.tell(
            CraftCovered, group=group.id, screens=protection.screens, advanced=protection.advanced
        )
    return protection


def _craft_protection(state: BattleState, group: Group, at: Point) -> Protection:
    """Return the area screens that cover craft at a place; they have no screens of their own."""
    area, area_advanced = _area_levels(state, group.commander, at)
    if area:
        return Protection(*screen_levels(0, own_advanced=0, area=area, area_advanced=area_advanced))
    return UNPROTECTED


def _area_levels(state: BattleState, commander: int, at: Point) -> tuple[int, int]:
    """Return the levels of area screens that cover a side's units at a place.

    The second number is how many of them are advanced.
    """
    levels = advanced = 0
    for source in state.screening:
        if _is_covered_by(state, source, commander, at):
            better = working_count(source, ADVANCED_AREA)
            levels += working_count(source, PLAIN_AREA) + better
            advanced += better
    return levels, advanced


def _is_covered_by(state: BattleState, source: ShipState, commander: int, at: Point) -> bool:
    """Return whether a ship's area screens cover a side's units at a place."""
    return (
        source.status == FIGHTING
        and not source.armed  # all its power is in a nova cannon
        and not is_cloaked_ship(source)
        and (source.commander == commander or not state.hostile[commander] >> source.commander & 1)
        and is_within(squared_length(source.x - at[0], source.y - at[1]), AREA_REACH)
    )


def stealth_of(ship: ShipState) -> int:
    """Return the level of stealth a ship has now.

    Rules: Continuum "Stealth fields" 7.5 [pc.stealth-field]
    """
    if not (
        ship.sheet.stealth or "stealth-field" in ship.profile.indexes_by_type
    ) or is_cloaked_ship(ship):
        return 0
    if ship.record.stealth_off:
        fields = 0
    else:
        fields = working_count(ship, "stealth-field")
    return stealth_level(
        hull_level(ship.sheet, ship.damage), fields, active=ship.record.stealth_active
    )


def is_unprotected(state: BattleState, ship: ShipState) -> bool:
    """Return whether a ship has no armour, screens or working fields left.

    Rules: Continuum "Point defence systems" 7.12 [pc.pds]
    """
    if ship.this_turn.reflex or any(map(sum, ship.armour)):
        return False
    if working_count(ship, "stealth-field") and not ship.record.stealth_off:
        return False
    protection = protection_of(state, ship)
    return not (protection.cloaked or protection.holofield or protection.screens)


def ecm_level_over(state: BattleState, ship: ShipState) -> int:
    """Return the level of active ECM that covers a ship: its own and area ECM of friends.

    Rules: Continuum "ECM" 7.18, "Area ECM" 7.19 [pc.ecm]
    """
    if ship.this_turn.jamming & OWN_SUITES:
        own = working_count(ship, "ecm")
    else:
        own = 0
    area = sum(working_count(friend, "area-ecm") for friend in _jammers(state, ship, ECM_REACH))
    return ecm_level(own, area)


def _jammers(state: BattleState, ship: ShipState, reach: float) -> list[ShipState]:
    """Return the friends within reach with active area ECM, except cloaked ones."""
    jammers: list[ShipState] = []
    for friend in state.ships:
        if (
            friend.this_turn.jamming & AREA_SUITES
            and friend.status == FIGHTING
            and not is_cloaked_ship(friend)
            and are_friendly(state, friend, ship)
            and is_within(squared_length(friend.x - ship.x, friend.y - ship.y), reach)
        ):
            jammers.append(friend)
    return jammers


def is_jammed(state: BattleState, ship: ShipState) -> bool:
    """Return whether ECM disturbs active scans of a ship and its own scans.

    Rules: Continuum "ECM" 12.4 [pc.ecm]
    """
    if ship.this_turn.jamming & OWN_SUITES and working_count(ship, "ecm"):
        return True
    return any(working_count(friend, "area-ecm") for friend in _jammers(state, ship, SCAN_REACH))


def lock_on_radius(
    state: BattleState, target: ShipState, radius: float, *, rocket: bool = False
) -> float:
    """Return the MU from which ordnance and craft can lock on to a ship; 0 under a cloaking device.

    Rules: Continuum "Stealth hull" 7.4, "ECM" 7.18, "Cloaking device" 7.20 [pc.ecm]
    """
    if is_cloaked_ship(target):
        return 0.0
    unjammed = shrink_range(radius, stealth_of(target))
    return lock_on_range(
        unjammed, ecm_level_over(state, target), holofield=in_holofield(target), rocket=rocket
    )


def acquisition_radius(state: BattleState, target: ShipState) -> float:
    """Return the MU from its aim point within which ordnance finds a ship.

    They are fewer for a ship with vector movement, as its path is easier to foresee, unless the
    option says otherwise.

    Rules: Continuum "Launching missiles" 6.3 [pc.salvo-missiles]; "Vector movement" 12.12
    [pc.mixed-movement]
    """
    wide = target.drift is None or WIDE_LOCK_ON in state.terms.options
    return lock_on_radius(state, target, LOCK_ON if wide else LOCK_ON_VECTOR)


def can_be_reflected(weapon: Weapon, mode: str) -> bool:
    """Return whether a reflex field works against a weapon: energy weapons, not aimed at systems.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """
    return ENERGY in weapon.traits and mode not in weapon.at_system


def roll_reflex_fields(
    table: Table, ship: ShipState, hits: list[tuple[ShipState, Effect]]
) -> tuple[TypedDamage, ...]:
    """Roll for each reflex field that a ship's energy weapons fired at, hit or not.

    Changes the effects in `hits`.

    Returns:
        The damage returned to the ship that fired.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """
    returned_damage: list[TypedDamage] = []
    targets = {target.id: target for target, effect in hits if effect.energy}
    for target in targets.values():
        if not target.this_turn.reflex or not working_count(target, "reflex-field"):
            continue
        effects = [effect for other, effect in hits if other is target and effect.energy]
        damage_types: tuple[TypedDamage, ...] = ()
        for effect in effects:
            damage_types += effect.damage_types
        points = sum(typed.points for typed in damage_types)
        die = table.dice.roll("reflex", f"{ship.id}>{target.id}")
        damage_through, returned = reflect(points, die)
        for effect in effects:
            effect.damage_types = ()
        effects[0].damage_types = first_points(damage_types, damage_through)
        returned_damage += first_points(damage_types, returned)
        table.tell(
            ReflexFieldRolled,
            ship=target.id,
            by=ship.id,
            die=die,
            points=points,
            damage_taken=damage_through,
            returned=returned,
        )
    return tuple(returned_damage)


def first_points(damage_types: tuple[TypedDamage, ...], points: int) -> tuple[TypedDamage, ...]:
    """Return the first points of damage, with their types."""
    result: list[TypedDamage] = []
    for typed in damage_types:
        share = min(typed.points, points)
        points -= share
        if share:
            result.append(TypedDamage(share, typed.kind, typed.depth))
    return tuple(result)


def damage_shooter(table: Table, ship: ShipState, damage: tuple[TypedDamage, ...]) -> None:
    """Mark the damage returned by reflex fields on the ship that fired; its screens do not help."""
    if damage:
        mark_damage(table, ship, damage, "reflex")
