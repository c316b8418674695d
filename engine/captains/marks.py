"""What a captain of Continuum reckons: foes and his own ships with their fire, their defences and their next place."""

from __future__ import annotations

from engine.captains.estimate import GUESS, Foe
from engine.captains.expected import STEPS, Ward
from engine.captains.range_tables import ARCS, Bearer, Table, range_table, weapons_of
from engine.continuum.defences import holofield, layers_over, stealth_of, veiled
from engine.continuum.fire_control import way_of
from engine.core.geometry import COURSES, Point, turned
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.systems.defences import CLOAK_MODIFIER, FARTHER, seems
from engine.view.side_view import Contact

PLAIN_SIGHT = Ward()
NEAR_STEP = 3  # the step of range at which threats are compared
MOST_SHELL = 1.5  # boxes of armour to a box of hull beyond which more matters no more
SPEEDS = 6  # MU of velocity that count as alike
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


def boxes_of(ship: ShipState) -> int:
    """Boxes of armour a ship has left."""
    return sum(standard + regenerative for standard, regenerative in ship.armour)


def shell_of(ship: ShipState) -> float:
    """Boxes of armour left for each box of hull left, in quarters."""
    boxed = boxes_of(ship)
    return min(boxed * 4 // max(ship.sheet.boxes - ship.damage, 1) / 4, MOST_SHELL) if boxed else 0.0


def defences(state: BattleState, ship: ShipState) -> tuple[Ward, float]:
    """A ship's defences as dice meet them, and how much longer the range to it counts."""
    screens, advanced = layers_over(state, ship)
    hidden = veiled(ship)
    modifier = CLOAK_MODIFIER if hidden else 0
    ward = Ward(
        screens, advanced, modifier, modifier, holofield(ship), ship.sheet.mass, ship.velocity // SPEEDS * SPEEDS
    )
    return ward, FARTHER if hidden else seems(1.0, stealth_of(ship))


def bearer_of(ship: ShipState, never: tuple[str, ...] = (), *, own: bool = True) -> Bearer:
    """A ship as it fires: what is out or fired off, what stays unused, and how the rest is set.

    How foreign ships have set their weapons is not to be seen: in whatever way is best.
    """
    out: list[int] = []
    ways: list[tuple[int, str]] = []
    fits = ship.sheet.fits
    for weapon in weapons_of(ship.profile, ship.sheet):
        fit, gun = fits[weapon.place], weapon.kind
        if (
            not ship.alive[weapon.place]
            or fit.type in never
            or (gun.controlled and not ship.firecons)
            or (gun.once and not ship.stock[weapon.place])
        ):
            out.append(weapon.place)
        elif own and gun.settings.get(fit.variant):
            ways.append((weapon.place, way_of(ship, weapon.place, "")))
    return Bearer(ship.profile, tuple(out), tuple(ways), ship.record.rolled)


class Mark(Foe):
    """A hostile contact as a captain of Continuum reckons with it.

    `ship`: it on his chart. `x`, `y`: where it will be if it flies on (or is, where `ahead` is not asked); `ux`, `uy`:
    what its arcs are counted from. `ward`: its defences; `stretch`: how much longer ranges to it count; `shell`: armour
    to each box of hull.
    """

    __slots__ = ("bearer", "shell", "ship", "stretch", "ward")

    def __init__(self, contact: Contact, ship: ShipState, state: BattleState, ahead: bool) -> None:
        super().__init__(contact, ahead)
        gx, gy = going(contact) if ahead else (0.0, 0.0)
        self.ship = ship
        self.x, self.y = contact.x + gx, contact.y + gy
        self.ux, self.uy = facing(contact.course, ship.sheet.beta)
        self.ward, self.stretch, self.shell = PLAIN_SIGHT, 1.0, 0.0
        self.bearer: Bearer | None = None
        if contact.sheet is not None:
            self.ward, self.stretch = defences(state, ship)
            self.shell = shell_of(ship)
            self.left = ship.sheet.boxes - ship.damage + boxes_of(ship)
            self.bearer = bearer_of(ship, own=False)
        table = self.fire_at(PLAIN_SIGHT, 0.0)
        self.threat = round(max(table[place * STEPS + NEAR_STEP] for place in range(len(ARCS))))

    def fire_at(self, ward: Ward, shell: float) -> Table:
        """Its fire at a ship with these defences; guessed where it is a bogey."""
        if self.bearer is not None:
            return range_table(self.bearer, self.ship.sheet, ward, shell)
        return _guessed(GUESS[self.contact.label][0])


def marks_of(contacts: list[Contact], state: BattleState, *, ahead: bool) -> list[Mark]:
    """The hostile contacts, each with the ship it is on the chart; `ahead`: where they will be if they fly on."""
    charted = {ship.id: ship for ship in state.ships}
    return [Mark(contact, charted[contact.id], state, ahead) for contact in contacts if contact.hostile]


def _guessed(power: tuple[int, ...]) -> Table:
    """The fire of a ship of which only its drive is known."""
    band = STEPS // 3 * 2 // 3  # steps of 12 MU
    return tuple(
        GUESSED_POINTS * power[at + step // band] if at >= 0 and step < 3 * band else 0.0
        for at in GUESSED_ARCS
        for step in range(STEPS)
    )


def strength(ship: ShipState, never: tuple[str, ...]) -> float:
    """The most a ship's fire does to a bare ship close by."""
    return max(range_table(bearer_of(ship, never), ship.sheet, PLAIN_SIGHT, 0.0)[NEAR_STEP::STEPS])
