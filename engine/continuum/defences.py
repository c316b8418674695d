"""What lies between a weapon and its target by Continuum: range bands, screens, fields and cloaks
make the shot.

What a reflex field gives back to whoever fired stands here too, and what crews know of ships of
their own navy.
Rules: Continuum "Defensive screens" 4.7 [pc.screens]; Continuum "Reflex field" 7.25
[pc.reflex-field]
"""

from __future__ import annotations

from typing import NamedTuple

from engine.combat.line_of_sight import screens_through
from engine.continuum.damage import mark_damage
from engine.core.geometry import NEAR, Point, is_within
from engine.core.kinds import FIGHTING, HULK
from engine.core.orders import Fire
from engine.core.reason import reason
from engine.core.rolls import Effect, Shot, TypedDamage
from engine.core.ship import BERTHED, ShipState
from engine.core.ship_facts import AREA_SUITES, OWN_SUITES
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import CIVIL_WAR, WIDE_LOCK_ON
from engine.core.versions import CRAFT_BEHIND_SCREENS
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

# By themselves: looking a trait up takes longer than asking a row for it.
PAST_STEALTH, PAST_HOLOFIELDS, PAST_CLOAKS = (
    Trait.PAST_STEALTH,
    Trait.PAST_HOLOFIELDS,
    Trait.PAST_CLOAKS,
)
BARE_ONLY, DIMMED = Trait.BARE_ONLY, Trait.DIMMED

KNOWN_WEAKNESS = 1  # to each die that hits a ship of one's own navy in a civil war, not to re-rolls

UNDER_CLOAK = reason("under-cloak", "a cloaked ship cannot fire")
BEHIND_REFLEX = reason("behind-reflex", "it cannot fire through its own reflex field")

ENERGY = Trait.ENERGY  # by itself: looking a trait up takes longer than asking a row for it


def shot_at(state: BattleState, ship: ShipState, index: int, fire: Fire, target: ShipState) -> Shot:
    """The shot of a ship's weapon (its place in `fits`) at a target, before any die.

    Rules: Continuum "Defensive screens" 4.7 [pc.screens]; Continuum "Holofield" 7.17
    [pc.holofield]; Continuum "Cloaking device" 7.20 [pc.cloaks]; Continuum "Dust or nebula clouds"
    17.2 [pc.clouds]
    """
    way = shot_path(state, ship, target)
    return shot_over(
        state, ship, index, fire, target, way, effective_distance(ship.profile.weapons[index], way)
    )


class ShotPath(NamedTuple):
    """What a ship's fire meets on its way to a target, whatever weapon it is: MU between them
    (`distance`), and those that count where stealth and cloaks confuse it (`seems`); MU to which
    the ship's FireCons aim; levels of screens, and how many are advanced; whether a cloak hides the
    target, and a holofield blurs it; what is added to dice.
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
    """What lies between a ship and a target.

    Rules: Continuum "Stealth hull" 7.4 [pc.stealth-hull]; Continuum "Cloaking device" 7.20
    [pc.cloaks]
    """
    distance = ship_distance(ship, target)
    protection = protection_of(state, target)
    hidden = protection.cloaked
    return ShotPath(
        distance,
        distance * FARTHER if hidden else effective_range(distance, protection.stealth),
        aiming_range(stealth_of(ship)),
        protection.screens,
        protection.advanced,
        hidden,
        protection.holofield and is_blurred(distance),
        weakness_against(state, ship.owner, ship.commander, target),
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
    """The same over a way of which so many MU count."""
    fit, weapon = ship.sheet.fits[index], ship.profile.weapons[index]
    screens = path.screens
    if state.pieces and DIMMED in weapon.traits:
        screens = screens_through(state.pieces, (ship.x, ship.y), (target.x, target.y), screens)
    modifier = CLOAK_MODIFIER if path.is_cloaked and PAST_CLOAKS not in weapon.traits else 0
    return Shot(
        f"{ship.id}/{fit.id}",
        distance,
        path.distance,
        fit.size,
        fit.variant,
        fit.flags,
        fire.mode,
        screens,
        path.advanced,
        modifier + path.weakness,
        modifier,
        path.in_holofield and PAST_HOLOFIELDS not in weapon.traits,
        mass=target.sheet.mass,
        velocity=target.velocity,
    )


def weakness_against(state: BattleState, owner: int, commander: int, target: ShipState) -> int:
    """What is added to each die of direct fire at a ship, where both sides' ships are of one navy.

    `owner`, `commander`: of the ship, or of the craft, that fires: the sides to whose fleet it
    belongs and whose orders it takes. What sweeps over ships of one's own has nothing added there.
    Rules: Continuum "Civil wars" 12.10 [pc.morale]
    """
    if CIVIL_WAR not in state.terms.options or not state.hostile[commander] >> target.commander & 1:
        return 0
    return KNOWN_WEAKNESS if state.terms.one_navy(owner, target.owner) else 0


def civil_war_weakness(state: BattleState, ship: ShipState) -> int:
    """What is added to each die of direct fire at a ship by somebody who fights against it.

    Rules: Continuum "Civil wars" 12.10 [pc.morale]
    """
    if CIVIL_WAR not in state.terms.options:
        return 0
    foes = (side for side in range(len(state.sides)) if state.hostile[ship.commander] >> side & 1)
    return KNOWN_WEAKNESS if any(state.terms.one_navy(side, ship.owner) for side in foes) else 0


def ship_distance(ship: ShipState, other: ShipState) -> float:
    """MU between two ships; 1 where they share a point of an orbit.

    Rules: Continuum 17.8 [pc.planets]
    """
    distance: float = ((other.x - ship.x) ** 2 + (other.y - ship.y) ** 2) ** 0.5
    return 1.0 if distance <= NEAR and ship.record.orbit else distance


def effective_distance(weapon: Weapon, way: ShotPath) -> float:
    """The MU that count for a weapon's ranges: longer at a target of stealth, twice as long at one
    under a cloak.

    Rules: Continuum "Stealth hull" 7.4 [pc.stealth-hull]; Continuum "Cloaking device" 7.20
    [pc.cloaks]
    """
    return (
        way.distance
        if (PAST_CLOAKS if way.is_cloaked else PAST_STEALTH) in weapon.traits
        else way.effective_distance
    )


def defences_forbid(
    state: BattleState, weapon: Weapon, fire: Fire, target: ShipState, way: ShotPath
) -> bool:
    """Whether a target's defences, or the ship's own stealth, forbid this fire over a way: a system
    under a cloak, a shot farther than FireCons aim, weapons of point defence at a ship with armour,
    screens or a field left.

    Rules: Continuum "Stealth hull" 7.4 [pc.stealth-hull]; Continuum "Cloaking device" 7.20
    [pc.cloaks]; Continuum "Point defence systems" 7.12 [pc.pds]
    """
    if fire.system and way.is_cloaked:
        return True
    if weapon.controlled and way.distance > way.aims_to + NEAR:
        return True
    return BARE_ONLY in weapon.traits and not is_unprotected(state, target)


def silence_reason(ship: ShipState) -> str:
    """The reason why a ship's own defences keep it from firing anything, "" where they do not.

    Rules: Continuum "Cloaking device" 7.20 [pc.cloaks]; Continuum "Reflex field" 7.25
    [pc.reflex-field]
    """
    if is_under_device(ship):
        return UNDER_CLOAK
    return BEHIND_REFLEX if ship.this_turn.reflex else ""


def is_under_device(ship: ShipState) -> bool:
    """Whether a cloaking device hides a ship.

    Rules: Continuum "Cloaking device" 7.20 [pc.cloaks]
    """
    return ship.record.veiled


def is_detectable(ship: ShipState) -> bool:
    """Whether missiles and craft may find a ship: it is on the table, no bogey, in no bay, and
    under no cloak.

    Rules: Continuum "Launching missiles" 6.3 [pc.salvo-missiles]; Continuum "Target selection" 8.7
    [pc.fighter-targets]
    """
    return (
        ship.status == FIGHTING
        and ship.docking != BERTHED
        and not ship.bogey
        and not is_under_device(ship)
    )


def working_count(ship: ShipState, type_: str) -> int:
    """The number of systems of a type that a ship has in working order."""
    places = ship.profile.places.get(type_)
    return sum(ship.alive[place] for place in places) if places else 0


def working_weapons(ship: ShipState, trait: Trait) -> int:
    """The number of weapons with a trait that a ship has in working order."""
    return sum(ship.alive[place] for place in ship.profile.having.get(trait, ()))


def are_friendly(state: BattleState, ship: ShipState, other: ShipState) -> bool:
    """Whether two ships are friends: of one side, or of sides that are not at war with each
    other.
    """
    return (
        ship.commander == other.commander
        or not state.hostile[ship.commander] >> other.commander & 1
    )


def in_holofield(ship: ShipState) -> bool:
    """Whether a ship is in its holofield. Rules: Continuum "Holofield" 7.17 [pc.holofield]"""
    return bool(working_count(ship, "holofield")) and not is_under_device(ship)


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
    """Return what protects a target, whatever fires at it and with whatever.

    Every rule that asks what a target's defences do to fire asks here. A ship has its own
    defences and the area screens of friends; craft have area screens alone; nothing covers
    ordnance, mines and rocks. A cloak and a holofield go with no screens, and a hulk has no
    power for either.

    Args:
        at: Where the target is judged to be, in MU, if not at its present place.

    Rules: Continuum "Area screens" 7.16 [pc.area-screens]; Continuum "Advanced screens" 7.3
    [pc.advanced-screens]
    """
    if not isinstance(target, ShipState):
        if not state.screening or not isinstance(target, Group):
            return UNPROTECTED
        return _over_craft(state, target, at or (target.x, target.y))
    if is_under_device(target):
        return CLOAK_PROTECTION
    stealth = stealth_of(target)
    powered = target.status != HULK
    if powered and working_count(target, "holofield"):
        return Protection(stealth=stealth, holofield=True)
    own = target.screens if powered else 0
    if not own and not state.screening:
        return Protection(stealth=stealth) if stealth else UNPROTECTED
    own_advanced = min(working_count(target, ADVANCED_SCREEN), own)
    area, area_advanced = 0, 0
    if state.screening:
        area, area_advanced = _area_levels(state, target.commander, at or (target.x, target.y))
    screens, advanced = screen_levels(own, own_advanced, area, area_advanced)
    return Protection(screens, advanced, stealth)


def tell_cover(table: Table, group: Group) -> Protection:
    """Tell of the area screens over craft that are fired at, if there are any, and return them."""
    protection = protection_of(table.state, group)
    if protection.screens:
        table.tell(CraftCovered, group.id, protection.screens, protection.advanced)
    return protection


def _over_craft(state: BattleState, group: Group, at: Point) -> Protection:
    """Return the area screens that cover craft at a place; they have no screens of their own."""
    if not state.terms.follows(CRAFT_BEHIND_SCREENS):
        return UNPROTECTED
    area, area_advanced = _area_levels(state, group.commander, at)
    return Protection(*screen_levels(0, 0, area, area_advanced)) if area else UNPROTECTED


def _area_levels(state: BattleState, commander: int, at: Point) -> tuple[int, int]:
    """Return the levels of area screens that cover a side's ships and craft at a place.

    The second number counts those of them that are advanced.
    """
    levels = advanced = 0
    for source in state.screening:
        if _projects(state, source, commander, at):
            better = working_count(source, ADVANCED_AREA)
            levels += working_count(source, PLAIN_AREA) + better
            advanced += better
    return levels, advanced


def _projects(state: BattleState, source: ShipState, commander: int, at: Point) -> bool:
    """Return whether a ship's area screens protect what a side commands at a place."""
    return (
        source.status == FIGHTING
        and not source.armed
        and not is_under_device(source)
        and (source.commander == commander or not state.hostile[commander] >> source.commander & 1)
        and is_within((source.x - at[0]) ** 2 + (source.y - at[1]) ** 2, AREA_REACH)
    )


def stealth_of(ship: ShipState) -> int:
    """The level of stealth a ship has now.

    Rules: Continuum "Stealth fields" 7.5 [pc.stealth-field]
    """
    if not (ship.sheet.stealth or "stealth-field" in ship.profile.places) or is_under_device(ship):
        return 0
    fields = 0 if ship.record.stealth_off else working_count(ship, "stealth-field")
    return stealth_level(
        hull_level(ship.sheet, ship.damage), fields, active=ship.record.stealth_active
    )


def is_unprotected(state: BattleState, ship: ShipState) -> bool:
    """Whether a ship has neither armour, screens nor any field left that works.

    Rules: Continuum "Point defence systems" 7.12 [pc.pds]
    """
    if ship.this_turn.reflex or any(map(sum, ship.armour)):
        return False
    if working_count(ship, "stealth-field") and not ship.record.stealth_off:
        return False
    protection = protection_of(state, ship)
    return not (protection.cloaked or protection.holofield or protection.screens)


def ecm_level_over(state: BattleState, ship: ShipState) -> int:
    """The level of ECM that covers a ship: its own suites and area ECM of friends, as far as they
    are switched on.

    Rules: Continuum "ECM" 7.18, "Area ECM" 7.19 [pc.ecm]
    """
    own = working_count(ship, "ecm") if ship.this_turn.jamming & OWN_SUITES else 0
    area = sum(working_count(friend, "area-ecm") for friend in _jammers(state, ship, ECM_REACH))
    return ecm_level(own, area)


def _jammers(state: BattleState, ship: ShipState, reach: float) -> list[ShipState]:
    """Friends with area ECM switched on within reach; under a cloaking device it does not work."""
    return [
        friend
        for friend in state.ships
        if friend.this_turn.jamming & AREA_SUITES
        and friend.status == FIGHTING
        and not is_under_device(friend)
        and are_friendly(state, friend, ship)
        and is_within((friend.x - ship.x) ** 2 + (friend.y - ship.y) ** 2, reach)
    ]


def is_jammed(state: BattleState, ship: ShipState) -> bool:
    """Whether ECM disturbs active scans of a ship, and its own.

    Rules: Continuum "ECM" 12.4 [pc.ecm]
    """
    if ship.this_turn.jamming & OWN_SUITES and working_count(ship, "ecm"):
        return True
    return any(working_count(friend, "area-ecm") for friend in _jammers(state, ship, SCAN_REACH))


def lock_on_radius(
    state: BattleState, target: ShipState, radius: float, *, rocket: bool = False
) -> float:
    """MU from which ordnance and craft with a lock-on of their own still find a ship; under a
    cloaking device none do.

    Rules: Continuum "Stealth hull" 7.4, "ECM" 7.18, "Cloaking device" 7.20 [pc.ecm]
    """
    if is_under_device(target):
        return 0.0
    near = shrink_range(radius, stealth_of(target))
    return lock_on_range(
        near, ecm_level_over(state, target), holofield=in_holofield(target), rocket=rocket
    )


def acquisition_radius(state: BattleState, target: ShipState) -> float:
    """MU from its point of aim within which ordnance finds a ship: less of one that moves by
    vectors, whose way is easier to foresee, where nothing else is agreed.

    Rules: Continuum "Launching missiles" 6.3 [pc.salvo-missiles]; "Vector movement" 12.12
    [pc.mixed-movement]
    """
    wide = target.drift is None or WIDE_LOCK_ON in state.terms.options
    return lock_on_radius(state, target, LOCK_ON if wide else LOCK_ON_VECTOR)


def can_be_reflected(weapon: Weapon, mode: str) -> bool:
    """Whether a weapon's fire is of the kind that a reflex field meets: what standard screens
    weaken, in the mode in which they do.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """
    return ENERGY in weapon.traits and mode not in weapon.at_system


def roll_reflex_fields(
    table: Table, ship: ShipState, hits: list[tuple[ShipState, Effect]]
) -> tuple[TypedDamage, ...]:
    """A die for each reflex field that a ship's energy weapons have fired at in its turn, hit or
    not: changes the effects in `hits`, and tells what comes back.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """
    back: list[TypedDamage] = []
    targets = {target.id: target for target, effect in hits if effect.energy}
    for target in targets.values():
        if not target.this_turn.reflex or not working_count(target, "reflex-field"):
            continue
        effects = [effect for other, effect in hits if other is target and effect.energy]
        damage_types = tuple(typed for effect in effects for typed in effect.damage_types)
        points = sum(typed.points for typed in damage_types)
        die = table.dice.roll("reflex", f"{ship.id}>{target.id}")
        damage_through, returned = reflect(points, die)
        for effect in effects:
            effect.damage_types = ()
        effects[0].damage_types = first_points(damage_types, damage_through)
        back += first_points(damage_types, returned)
        table.tell(ReflexFieldRolled, target.id, ship.id, die, points, damage_through, returned)
    return tuple(back)


def first_points(damage_types: tuple[TypedDamage, ...], points: int) -> tuple[TypedDamage, ...]:
    """The first so many points of damage, each going through armour as it did."""
    result: list[TypedDamage] = []
    for typed in damage_types:
        share = min(typed.points, points)
        points -= share
        if share:
            result.append(TypedDamage(share, typed.kind, typed.depth))
    return tuple(result)


def damage_shooter(table: Table, ship: ShipState, back: tuple[TypedDamage, ...]) -> None:
    """Mark what reflex fields returned on the ship that fired, past its screens."""
    if back:
        mark_damage(table, ship, back, "reflex")
