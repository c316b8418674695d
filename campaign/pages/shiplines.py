"""Ships as a player sees his own: damage tracks in rows of boxes, what is lost, what can be mended and where.

Pure: the scenario and the player's View in, lines out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from campaign.notices import stock_words
from campaign.pages.fleets import FleetLine, fleet_lines
from campaign.pages.tows import cargo_words
from campaign.rules.dock_violations import MOST_REPAIRS, base_for, can_repair, still_short
from campaign.rules.queries import class_name, plain_class, ship_classes, ships_by_fleet, side_of
from campaign.rules.scenario import Facility, Scenario, ShipClass
from campaign.rules.view import Ship, View
from engine.core.canonical import digest
from engine.core.notes import AIR_FAILS, FOREVER, OUT_OF_CONTROL, REACTOR
from engine.english import counted_noun, system_words
from engine.notation.designs import load_sheet

_rows: dict[tuple[str, str], tuple[int, ...]] = {}  # (sha256 of the scenario or the design, class) -> rows
KEPT = 1000

Rows = tuple[tuple[bool, ...], ...]


@dataclass(frozen=True, slots=True)
class ShipLine:
    """A ship in a row. `rows`: the damage track, true where a box is lost; `short`: what of its stock is below full.

    `cargo`: what is left of what it carries; `mend`: what can be done for it; `settings`: what is set or loaded
    otherwise than its class.
    """

    key: str
    name: str
    cls: str
    called: str
    classification: str
    mass: int
    damage: int
    boxes: int
    rows: Rows
    lost: tuple[str, ...]
    short: tuple[str, ...]
    cargo: str
    states: tuple[tuple[str, str], ...]
    mend: str
    laid_up: bool
    settings: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return f"{self.damage} of {self.boxes} boxes lost"

    @property
    def wants(self) -> bool:
        """Whether a base could do anything for it."""
        return bool(self.damage or self.lost or self.short or self.laid_up)


@dataclass(frozen=True, slots=True)
class FleetShips:
    fleet: FleetLine
    base: str
    ships: tuple[ShipLine, ...]


def fleets_of(scenario: Scenario, sha256: str, view: View) -> tuple[FleetShips, ...]:
    """The viewer's fleets with all their ships."""
    classes, crews = ship_classes(scenario), ships_by_fleet(view.ships)
    fleets = {fleet.key: fleet for fleet in view.fleets}
    havens = _havens(scenario, view)
    found = []
    for line in fleet_lines(scenario, view):
        base = base_for(scenario, view, fleets[line.key])
        ships = tuple(_line(scenario, sha256, view, classes, ship, base, havens) for ship in crews.get(line.key, []))
        ships = tuple(sorted(ships, key=lambda ship: (-ship.mass, ship.cls)))  # the sort keeps their own order
        found.append(FleetShips(line, "" if base is None else base.kind.replace("-", " "), ships))
    return tuple(found)


def _line(
    scenario: Scenario,
    sha256: str,
    view: View,
    classes: Mapping[str, ShipClass],
    ship: Ship,
    base: Facility | None,
    havens: tuple[tuple[str, Facility], ...],
) -> ShipLine:
    cls = classes[ship.cls]
    names = {other.key: other.name for other in view.ships} if ship.tug else {}
    states = []
    if ship.docked:
        states.append(("docked", "quiet"))
    if ship.laid_up:
        states.append(("laid up: cannot fight", "warm"))
    if ship.tug:
        states.append((f"in tow of {names.get(ship.tug, ship.tug)}", "info"))
    if cls.tug:
        towed = sum(classes[other.cls].mass for other in view.ships if other.tug == ship.key)
        states.append((f"tows MASS {towed} of {cls.mass}", "quiet"))
    if "ftl" in ship.lost:
        states.append(("cannot jump", "warm"))
    elif not cls.ftl:
        states.append(("no FTL drive", "quiet"))
    states += [(words, "bad") for words in map(_noted, ship.notes) if words]
    return ShipLine(
        key=ship.key,
        name=ship.name,
        cls=plain_class(ship.cls),
        called=class_name(scenario, view.faction, ship.cls),
        classification=cls.classification,
        mass=cls.mass,
        damage=ship.damage,
        boxes=cls.damage_points,
        rows=_track(sha256, cls, ship.damage),
        lost=_counted(ship.lost),
        short=tuple(stock_words(system, left) for system, left in ship.stock if system not in ship.lost),
        cargo=cargo_words(ship.cargo),
        states=tuple(states),
        mend=_mend(cls, ship, base, havens),
        laid_up=ship.laid_up,
        settings=tuple(f"{system_words(system)}: {setting}" for system, setting in ship.settings),
    )


def _noted(item: tuple[str, int]) -> str:
    """What an earlier battle left pencilled on a ship's sheet, where its owner has to act on it.

    Rules: Continuum "Core systems" 10.3 [pc.core-systems]
    """
    name, value = item
    turns = f"{counted_noun(value, 'turn')} of battle"
    if name == REACTOR:
        return "power core out of control"
    if name == OUT_OF_CONTROL:
        return "without command until repaired" if value == FOREVER else f"without command for {turns}"
    return f"air for {turns}" if name == AIR_FAILS else ""


def _mend(cls: ShipClass, ship: Ship, base: Facility | None, havens: tuple[tuple[str, Facility], ...]) -> str:
    """What can be done for a hurt ship, and where."""
    hurt = bool(ship.damage or ship.lost or ship.laid_up)
    if not hurt and not ship.stock:
        return ""
    mends = base is not None and hurt and can_repair(base, cls)
    restocks = base is not None and still_short(base, ship) != ship.stock
    if base is not None and (mends or restocks):
        what = [f"a week in dock repairs the hull and up to {MOST_REPAIRS} systems"] * mends
        what += ["makes it fit for service"] * (mends and ship.laid_up)
        what += ["it can be replenished" if base.fighters else "it can be replenished, except fighters"] * restocks
        return f"The {base.kind.replace('-', ' ')} here can help: {', '.join(what)}. Order it to dock there."
    places = (
        [name for name, facility in havens if can_repair(facility, cls)]
        if hurt
        else [name for name, facility in havens if still_short(facility, ship) != ship.stock]
    )
    if not places:
        return "You know of no base on your side that can help it."
    return f"Can be {'repaired' if hurt else 'replenished'} at {', '.join(places)}."


def _havens(scenario: Scenario, view: View) -> tuple[tuple[str, Facility], ...]:
    """The bases that the viewer's side holds, as far as he knows: (the system's name, what it can do)."""
    own = side_of(scenario, view.faction)
    held = {known.system for known in view.systems if known.holder in own and known.state == "held"}
    return tuple(
        (system.name, system.facility)
        for system in scenario.systems
        if system.facility is not None and system.id in held
    )


def _counted(systems: tuple[str, ...]) -> tuple[str, ...]:
    """Systems in words; one that stands there twice (the drive, halved and then out) says so."""
    counts = Counter(systems)
    return tuple(
        "main drive (lost)"
        if system == "drive" and many > 1
        else "main drive (halved)"
        if system == "drive"
        else system_words(system)
        for system, many in counts.items()
    )


def _track(sha256: str, cls: ShipClass, damage: int) -> Rows:
    """The boxes of a class in rows, upper row first, the first `damage` of them lost."""
    if plain_class(cls.name) != cls.name:  # a design of a faction's own, in another war another one
        sha256 = digest(cls.design)
    rows = _rows.get((sha256, cls.name))
    if rows is None:
        if len(_rows) >= KEPT:
            _rows.clear()
        rows = _rows[sha256, cls.name] = load_sheet(cls.design).rows
    found, before = [], 0
    for row in rows:
        found.append(tuple(before + n < damage for n in range(row)))
        before += row
    return tuple(found)
