"""A captain's estimate of a hostile contact: its fire, endurance, next position and importance."""

from __future__ import annotations

from engine.captains.common.expected_damage import STEPS, DefenceProfile
from engine.captains.common.range_tables import (
    MAX_SHIPS,
    Armament,
    RangeTable,
    armament,
    mounts_of,
    unused_weapons,
)
from engine.core.cache import Cache
from engine.core.geometry import COURSES
from engine.core.kinds import INSTALLATION, ScanDetail
from engine.core.sheet import Sheet, ShipProfile
from engine.core.ship import ShipState
from engine.systems.defences import BEAM_POINTS
from engine.view.side_view import Contact

# Mean damage points of a beam die against each level of screens.
MEAN_POINTS = tuple(sum(points[1:]) / 6 for points in BEAM_POINTS)
# Defences against dice of the second edition, by the level of screens.
SCREENED = tuple(DefenceProfile(screens=level) for level in range(len(BEAM_POINTS)))
UNSCREENED = SCREENED[0]

# Index in a ship's `power` of the three numbers of an arc, by the arc's bits (two bits on a line);
# -1 for the aft arc, which has no fire.
ARC_OFFSET: tuple[int, ...] = (-1, 0, 3, 0, -1, -1, 3, -1, 6, 0, -1, -1, 6, -1, -1, -1)

# Assumptions about a bogey by the classification its drive shows: power (dice by arc and band),
# boxes, screens.
GUESS: dict[str, tuple[tuple[int, ...], int, int]] = {
    "escort": ((3, 2, 0, 3, 2, 0, 3, 2, 0), 6, 0),
    "cruiser": ((7, 4, 0, 7, 4, 0, 7, 4, 0), 13, 1),
    "capital": ((14, 9, 4, 8, 5, 2, 8, 5, 2), 26, 2),
    "merchant": ((1, 0, 0, 1, 0, 0, 1, 0, 0), 18, 1),
    "installation": ((12, 8, 4, 12, 8, 4, 12, 8, 4), 60, 2),
}
GUESSED_ARCS = (0, 3, 3, -1, 6, 6)
BAND = STEPS // 3 * 2 // 3  # steps of range in a band of 12 MU


class GuessedFire:
    """The assumed fire of a bogey, of which only the drive is known.

    Attributes:
        tables: Range tables by the level of screens.
    """

    __slots__ = ("tables",)

    def __init__(self, power: tuple[int, ...]) -> None:
        self.tables = tuple(_guessed_table(power, level) for level in range(len(SCREENED)))

    def table(self, defence: DefenceProfile, _armour_ratio: float) -> RangeTable:
        """Return its range table at a target behind such defences."""
        return self.tables[min(defence.screens, len(SCREENED) - 1)]


# A foe as the move search uses it: `x`, `y`, `ux`, `uy`, `weight`, `range_factor`, `defence`,
# `armour_ratio` (see Foe), and its fire.
FoeFactors = tuple[
    float, float, float, float, float, float, DefenceProfile, float, Armament | GuessedFire
]


class Foe:
    """A captain's estimate of a hostile contact.

    Attributes:
        x: Where its next move takes it if it flies on, or where it is without `ahead`.
        y: The same.
        ux: The direction its arcs are counted from.
        uy: The same.
        armament: Its fire, once requested; None for a bogey.
        defence: Its defences.
        armour_ratio: Boxes of armour per box of hull.
        range_factor: The factor for ranges to it.
        boxes_left: Boxes it has left.
        power: As of a ship.
        threat: How dangerous its fire is.
        weight: How much it matters, about 1.
    """

    __slots__ = (
        "armament",
        "armour_ratio",
        "boxes_left",
        "contact",
        "defence",
        "power",
        "range_factor",
        "screens",
        "threat",
        "ux",
        "uy",
        "weight",
        "x",
        "y",
    )  # fmt: skip

    def __init__(self, contact: Contact, ahead: bool) -> None:
        self.contact = contact
        self.ux, self.uy = COURSES[contact.course]
        step = contact.velocity if ahead else 0
        self.x = contact.x + self.ux * step
        self.y = contact.y + self.uy * step
        self.armament: Armament | None = None
        if contact.sheet is None:
            self.power, self.boxes_left, self.screens = GUESS[contact.label]
        else:
            if knows_systems(contact):
                self.power = contact.power
            else:
                self.power = GUESS[contact.label][0]
            self.boxes_left = contact.sheet.boxes - contact.damage
            self.screens = contact.screens
        # It fires in every direction, so everything counts as ahead.
        if contact.label == INSTALLATION:
            self.ux = self.uy = 0.0
        self.defence = SCREENED[self.screens]
        self.armour_ratio = 0.0
        self.range_factor = 1.0
        self.threat = max(self.power[0], self.power[3], self.power[6])
        if contact.profile is not None:
            self.threat += contact.profile.threat_dice
        self.weight = 1.0

    def known_armament(self) -> Armament | None:
        """Return its armament, or None if its systems are not known."""
        if self.armament is None and self.contact.sheet is not None and knows_systems(self.contact):
            self.armament = _seen_armament(self.contact)
        return self.armament

    def fire(self) -> Armament | GuessedFire:
        """Return its armament, or an assumption if that is not known."""
        return self.known_armament() or _GUESSED[self.contact.label]

    def fire_at(self, defence: DefenceProfile, armour_ratio: float) -> RangeTable:
        """Return the range table of its fire at a ship with these defences."""
        return self.fire().table(defence, armour_ratio)

    def factors(self) -> FoeFactors:
        """Return the values that the move search uses."""
        return (
            self.x,
            self.y,
            self.ux,
            self.uy,
            self.weight,
            self.range_factor,
            self.defence,
            self.armour_ratio,
            self.fire(),
        )


def knows_systems(contact: Contact) -> bool:
    """Return whether the systems of an identified ship are known.

    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
    """
    return contact.detail >= ScanDetail.SYSTEMS


_SEEN_ARMAMENTS: Cache[tuple[ShipProfile, tuple[str, ...], bool], Armament] = Cache(MAX_SHIPS)


def _seen_armament(contact: Contact) -> Armament:
    """Return a contact's armament, without systems that are visibly lost."""
    profile = contact.profile
    sheet = contact.sheet
    assert profile is not None
    assert sheet is not None
    assert contact.lost_systems is not None
    key = (profile, contact.lost_systems(), contact.armed or not contact.firecons)
    armament = _SEEN_ARMAMENTS.get(key)
    if armament is None:
        armament = _SEEN_ARMAMENTS.keep(
            key, _armament_without(profile, sheet, lost_ids=key[1], silent=key[2])
        )
    return armament


def _armament_without(
    profile: ShipProfile, sheet: Sheet, *, lost_ids: tuple[str, ...], silent: bool
) -> Armament:
    """Return a sheet's armament without the lost systems; an empty one if it is `silent`."""
    lost_places = [profile.index_of[name] for name in lost_ids]
    unused = []
    for mount in mounts_of(profile, sheet):
        if silent or mount.place in lost_places:
            unused.append(mount.place)
    return armament(profile, sheet, tuple(unused))


def _guessed_table(power: tuple[int, ...], level: int) -> RangeTable:
    """Return the assumed fire of an unidentified ship at screens of a level."""
    rows: list[float] = []
    for offset in GUESSED_ARCS:
        for step in range(STEPS):
            dice = 0
            if offset >= 0 and step < 3 * BAND:
                dice = power[offset + step // BAND]
            rows.append(MEAN_POINTS[level] * dice)
    return RangeTable(tuple(rows))


_OWN: Cache[tuple[object, ...], Armament] = Cache(MAX_SHIPS)
_GUESSED = {label: GuessedFire(power) for label, (power, _, _) in GUESS.items()}


def own_armament(ship: ShipState, never: tuple[str, ...]) -> Armament:
    """Return the armament of the side's own ship, without what is lost, used up or forbidden."""
    key = (
        ship.profile,
        tuple(ship.alive),
        tuple(ship.stock),
        ship.firecons > 0,
        ship.sweeping,
        never,
    )
    result = _OWN.get(key)
    if result is None:
        result = _OWN.keep(key, armament(ship.profile, ship.sheet, unused_weapons(ship, never)))
    return result


def set_weights(foes: list[Foe], targets: str) -> None:
    """Set each foe's weight, about 1 on average, by the target priority of a doctrine."""
    if targets == "dangerous":
        worth = [(foe.threat + 0.5) / (foe.boxes_left + 2.0) for foe in foes]
    elif targets == "weakest":
        worth = [1.0 / (foe.boxes_left + 1.0) for foe in foes]
    elif targets == "strongest":
        worth = [float(foe.threat * foe.boxes_left + 1) for foe in foes]
    else:
        return
    mean = sum(worth) / len(worth) if worth else 1.0
    for foe, value in zip(foes, worth, strict=True):
        foe.weight = 0.35 + 0.65 * value / mean
