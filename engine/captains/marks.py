"""What a captain of Continuum reckons: foes and his own ships with their fire, their defences and their next place."""

from __future__ import annotations

from collections.abc import Iterable

from engine.captains.doctrine import Doctrine
from engine.captains.estimate import GUESS, Foe
from engine.captains.expected import STEPS, Ward
from engine.captains.range_tables import ARCS, Bearer, Table, range_table, weapons_of
from engine.combat.guns import GUNS
from engine.geometry import COURSES, turned
from engine.notes import ROLLED
from engine.sheet import INSTALLATION, Rig
from engine.state import ShipState
from engine.view import Contact

Point = tuple[float, float]
PLAIN_SIGHT = Ward()
NEAR_STEP = 3  # the step of range at which threats are compared
MOST_SHELL = 1.5  # boxes of armour to a box of hull beyond which more matters no more
# Beam dice of a guessed ship within 12, 24 and 36 MU, as points; where its arcs stand in GUESS.
GUESSED_POINTS = 0.8
GUESSED_ARCS = (0, 3, 3, -1, 6, 6)


def going(ship: ShipState | Contact) -> Point:
    """How far a ship goes in a turn in x and y if it applies no thrust."""
    if ship.drift is not None:
        return ship.drift
    ux, uy = COURSES[ship.course]
    return ux * ship.velocity, uy * ship.velocity


def facing(course: int, beta: bool) -> Point:
    """The direction its arcs are counted from: the bow, or 30 degrees to starboard of it."""
    return COURSES[turned(course, 1)] if beta else COURSES[course]


def shell_of(ship: ShipState | Contact, boxes: int) -> float:
    """Boxes of armour left for each box of hull left, in quarters."""
    boxed = sum(standard + regenerative for standard, regenerative in ship.armour)
    return min(boxed * 4 // max(boxes - ship.damage, 1) / 4, MOST_SHELL) if boxed else 0.0


def out_of(rig: Rig, lost: Iterable[str]) -> tuple[int, ...]:
    """The places in `fits` of systems that no longer work."""
    names = list(lost)
    return tuple(sorted({rig.index_of[name] for name in names if names.count(name) >= rig.whole[rig.index_of[name]]}))


def bearer_of(ship: ShipState, doctrine: Doctrine) -> Bearer:
    """An own ship as it fires: what is out, fired off, or left unused by its doctrine."""
    fits = ship.sheet.fits
    out = tuple(
        weapon.place
        for weapon in weapons_of(ship.rig, ship.sheet)
        if not ship.alive[weapon.place]
        or fits[weapon.place].type in doctrine.never
        or (GUNS[fits[weapon.place].type].controlled and not ship.firecons)
        or (GUNS[fits[weapon.place].type].once and not ship.stock[weapon.place])
    )
    return Bearer(ship.rig, out, bool(ship.notes.get(ROLLED)))


class Mark(Foe):
    """A hostile contact as a captain of Continuum reckons with it.

    `x`, `y`: where it will be if it flies on (or is, where `ahead` is not asked); `ux`, `uy`: what its arcs are counted
    from. `ward`: its defences; `stretch`: how much longer ranges to it count; `shell`: armour to each box of hull.
    """

    __slots__ = ("bearer", "shell", "stretch", "ward")

    def __init__(self, contact: Contact, ahead: bool) -> None:
        super().__init__(contact, ahead)
        gx, gy = going(contact) if ahead else (0.0, 0.0)
        self.x, self.y = contact.x + gx, contact.y + gy
        self.ward, self.stretch, self.shell = PLAIN_SIGHT, 1.0, 0.0
        self.bearer: Bearer | None = None
        if contact.sheet is not None and contact.rig is not None and contact.lost is not None:
            self.ward, self.stretch = defences(contact)
            self.shell = shell_of(contact, contact.sheet.boxes)
            self.left += sum(standard + regenerative for standard, regenerative in contact.armour)
            self.ux, self.uy = facing(contact.course, contact.sheet.beta)
            self.bearer = Bearer(contact.rig, out_of(contact.rig, contact.lost()), bool(contact.notes.get(ROLLED)))
            if contact.firecons == 0:
                controlled = [w.place for w in weapons_of(contact.rig, contact.sheet) if GUNS[w.fit.type].controlled]
                self.bearer = self.bearer._replace(out=tuple(sorted({*self.bearer.out, *controlled})))
        elif contact.label == INSTALLATION:
            self.ux, self.uy = COURSES[contact.course]
        table = self.fire_at(PLAIN_SIGHT, 0.0)
        self.threat = max(int(table[place * STEPS + NEAR_STEP]) for place in range(len(ARCS)))

    def fire_at(self, ward: Ward, shell: float) -> Table:
        """Its fire at a ship with these defences; guessed where it is a bogey."""
        if self.bearer is not None and self.contact.sheet is not None:
            return range_table(self.bearer, self.contact.sheet, ward, shell)
        return _guessed(GUESS[self.contact.label][0])


def _guessed(power: tuple[int, ...]) -> Table:
    """The fire of a ship of which only its drive is known."""
    bands = STEPS // 3
    return tuple(
        GUESSED_POINTS * power[at + step * 3 // (2 * bands)] if at >= 0 and step < 2 * bands else 0.0
        for at in GUESSED_ARCS
        for step in range(STEPS)
    )


def defences(ship: ShipState | Contact) -> tuple[Ward, float]:
    """A ship's defences as dice meet them, and how much longer the range to it counts."""
    sheet = ship.sheet
    assert sheet is not None
    return Ward(screens=ship.screens, mass=sheet.mass, velocity=ship.velocity // 6 * 6), 1.0
