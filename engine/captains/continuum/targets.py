"""A Continuum captain's picture of the table: foes and its own ships, with fire and defences."""

from __future__ import annotations

from engine.captains.common.expected_damage import DefenceProfile
from engine.captains.common.foes import UNSCREENED, Foe, knows_systems
from engine.captains.common.move_options import arc_reference
from engine.captains.common.range_tables import (
    MAX_SHEETS,
    Armament,
    armament,
    mounts_of,
    unused_weapons,
)
from engine.combat.unidentified import unidentified_hull
from engine.continuum.defences import civil_war_weakness, protection_of
from engine.continuum.fire_control import fire_mode_of
from engine.core.cache import Cache
from engine.core.geometry import COURSES, Point
from engine.core.sheet import Sheet, ShipProfile
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import BOARDING
from engine.systems.defences import CLOAK_MODIFIER, FARTHER, effective_range
from engine.view.contact_ships import ship_from_contact
from engine.view.side_view import Contact, SideView

MAX_ARMOUR_RATIO = 1.5  # boxes of armour per box of hull above which more does not count
SPEED_STEP = 6  # MU of velocity that count as equal


def drift_of(ship: ShipState | Contact) -> Point:
    """Return how far a ship goes in a turn in x and y without thrust."""
    if ship.drift is not None:
        return ship.drift
    ux, uy = COURSES[ship.course]
    return ux * ship.velocity, uy * ship.velocity


def armour_boxes(ship: ShipState) -> int:
    """Return the boxes of armour a ship has left."""
    boxes = 0
    for standard, regenerative in ship.armour:
        boxes += standard + regenerative
    return boxes


def armour_ratio_of(ship: ShipState) -> float:
    """Return the boxes of armour left per box of hull left, in quarters."""
    boxed = armour_boxes(ship)
    if boxed:
        return min(boxed * 4 // max(ship.sheet.boxes - ship.damage, 1) / 4, MAX_ARMOUR_RATIO)
    return 0.0


def defence_of(state: BattleState, ship: ShipState) -> tuple[DefenceProfile, float]:
    """Return a ship's defences as they affect dice, and the factor for ranges to it."""
    protection = protection_of(state, ship)
    hidden = protection.cloaked
    modifier = CLOAK_MODIFIER if hidden else 0
    defence = DefenceProfile(
        protection.screens,
        protection.advanced,
        modifier=modifier + civil_war_weakness(state, ship),
        rerolls_modified=modifier,
        holofield=protection.holofield,
        mass=ship.sheet.mass,
        velocity=ship.velocity // SPEED_STEP * SPEED_STEP,
        counts_boarders=BOARDING in state.terms.options,
    )
    return defence, FARTHER if hidden else effective_range(1.0, protection.stealth)


def armament_of(
    ship: ShipState,
    never: tuple[str, ...] = (),
    *,
    is_own: bool = True,
    rolling: bool = False,
    along: bool = True,
) -> Armament:
    """Return a ship's armament, without what is lost, used up or forbidden, and with its settings.

    The settings of foreign ships are hidden, so their weapons count in the best mode.

    Args:
        rolling: The ship rolls.
        along: Include weapons that fire along a line.
    """
    unused = unused_weapons(ship, never)
    settings: list[tuple[int, str]] = []
    for place, is_along, is_set in _along_or_set(ship.profile, ship.sheet):
        if place in unused:
            continue
        if is_along and not along:
            unused = (*unused, place)
        elif is_own and is_set:
            settings.append((place, fire_mode_of(ship, place, "")))
    return armament(
        ship.profile, ship.sheet, unused, tuple(settings), rolled=ship.record.rolled != rolling
    )


_ALONG_OR_SET: Cache[ShipProfile, tuple[tuple[int, bool, bool], ...]] = Cache(MAX_SHEETS)


def _along_or_set(profile: ShipProfile, sheet: Sheet) -> tuple[tuple[int, bool, bool], ...]:
    """Return the indexes of weapons that fire along a line or are set, with both flags."""
    result = _ALONG_OR_SET.get(profile)
    if result is None:
        weapons = []
        for mount in mounts_of(profile, sheet):
            is_along = bool(mount.kind.along)
            is_set = bool(mount.kind.settings.get(sheet.fits[mount.place].variant))
            if is_along or is_set:
                weapons.append((mount.place, is_along, is_set))
        result = _ALONG_OR_SET.keep(profile, tuple(weapons))
    return result


class Target(Foe):
    """A Continuum captain's estimate of a hostile contact.

    Attributes:
        ship: The contact as a ship.
    """

    __slots__ = ("ship",)

    def __init__(self, contact: Contact, ship: ShipState, state: BattleState, ahead: bool) -> None:
        super().__init__(contact, ahead)
        gx, gy = drift_of(contact) if ahead else (0.0, 0.0)
        self.ship = ship
        self.x, self.y = contact.x + gx, contact.y + gy
        self.ux, self.uy = arc_reference(contact.course, ship.sheet.beta)
        self.defence = UNSCREENED
        if contact.sheet is not None:
            self.defence, self.range_factor = defence_of(state, ship)
            self.armour_ratio = armour_ratio_of(ship)
            self.boxes_left = ship.sheet.boxes - ship.damage + armour_boxes(ship)
            if knows_systems(contact):
                self.armament = armament_of(ship, is_own=False)
        bare = UNSCREENED._replace(counts_boarders=BOARDING in state.terms.options)
        self.threat = round(self.fire_at(bare, 0.0).close_by)


def targets_of(view_contacts: list[Contact], state: BattleState, *, ahead: bool) -> list[Target]:
    """Return the hostile contacts, each with its ship.

    Args:
        ahead: Where they will be if they fly on.
    """
    charted: dict[str, ShipState] = {ship.id: ship for ship in state.ships}
    result: list[Target] = []
    for contact in view_contacts:
        if contact.hostile:
            result.append(Target(contact, charted[contact.id], state, ahead))
    return result


def max_fire(ship: ShipState, never: tuple[str, ...]) -> float:
    """Return the most that a ship's fire does to an undefended ship at close range."""
    return armament_of(ship, never).table(UNSCREENED, 0.0).close_by


def visible_state(view: SideView) -> BattleState:
    """Return the battle as a side sees it: its own ships, and contacts under their contact names.

    Sides that are not hostile to this one count as friends of each other, and so do the hostile
    sides.
    """
    unknown = unidentified_hull(view.terms.edition)
    contact_ships = [ship_from_contact(contact, unknown) for contact in view.contacts]
    foes = 0
    for contact in view.contacts:
        if contact.hostile:
            foes |= 1 << contact.side
    friends = ((1 << len(view.sides)) - 1) & ~foes
    hostile = tuple(friends if foes >> side & 1 else foes for side in range(len(view.sides)))
    state = BattleState(
        view.sides,
        hostile,
        view.table,
        view.bogeys,
        turn=view.turn,
        stop=view.stop,
        ships=[*view.own_ships, *contact_ships],
        terms=view.terms,
    )
    state.pieces = view.pieces
    return state
