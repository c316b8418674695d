"""The form of a week's orders: every fleet and ship with what the draft orders it, and what it may be ordered.

Built from the View, the scenario and the payload of a draft; the payload may hold anything, faults included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.pages.chart import counted, place_words, strength_words, weeks_ago
from campaign.pages.faults import Fault, Faults, slug
from campaign.pages.fields import order
from campaign.pages.reachlist import reach_options
from campaign.rules.dock_violations import base_for, can_repair
from campaign.rules.lookup import class_name, grounded, may_not_enter, ship_classes, ships_by_fleet
from campaign.rules.scenario import Facility, Scenario, ShipClass
from campaign.rules.view import Doctrine, Fleet, Ship, View

SLOTS = 2  # new fleets offered in a hex, besides those of the draft
CHOICES = (("fight", "fight"), ("stand-off", "stand off"), ("withdraw", "withdraw"))
TARGETS = (
    ("dangerous", "the most dangerous first"),
    ("nearest", "the nearest first"),
    ("weakest", "the weakest first"),
    ("strongest", "the strongest first"),
)


@dataclass(frozen=True, slots=True)
class ShipRow:
    """A ship with its orders. `repairs`: (system, its words, whether ticked); `weasel`: what it emits, or empty."""

    key: str
    id: str
    name: str
    cls: str
    classification: str
    hurt: str
    lost: tuple[str, ...]
    grounded: str
    into: str
    can_dock: bool
    docked: bool
    docks: bool
    repairs: tuple[tuple[str, str, bool], ...]
    can_replenish: bool
    replenish: bool
    scuttle: bool
    weasel: str
    weasel_on: bool
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """A fleet that ships may be sent to."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class FleetBlock:
    """A fleet, or one that may be formed here (`new`), with its orders. `stuck`: why it cannot move, or empty."""

    key: str
    id: str
    new: bool
    used: bool
    hex: str
    title: str
    name: str
    strength: str
    ships: tuple[ShipRow, ...]
    stuck: str
    must_leave: bool
    to: str
    path: str
    reach: str
    standing: str
    standing_now: str
    doctrine: Mapping[str, Any]
    doctrine_changed: bool
    decoys: int
    decoys_on: str
    along: str
    faults: tuple[Fault, ...]

    @property
    def ships_busy(self) -> bool:
        """Whether the draft orders any ship of it something, or has a fault there."""
        return bool(self.along) or any(s.into or s.docks or s.weasel_on or s.faults for s in self.ships)


@dataclass(frozen=True, slots=True)
class Choosing:
    """A choice toward a hostile faction in contact or just met. `default`: what is done without one."""

    id: str
    field: str
    hex: str
    place: str
    toward: str
    name: str
    state: str
    choice: str
    default: str
    scan: str
    scan_age: str
    own: str
    own_ships: int
    stuck: int
    fixed: str
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A hex with fleets of the viewer's."""

    hex: str
    place: str
    base: str
    can_dock: bool
    fleets: tuple[FleetBlock, ...]
    slots: tuple[FleetBlock, ...]
    targets: tuple[Target, ...]
    choosing: tuple[Choosing, ...]

    @property
    def forming(self) -> bool:
        """Whether the draft forms a fleet here."""
        return any(block.used for block in self.slots)


def items(payload: Mapping[str, Any], part: str) -> list[dict[str, Any]]:
    """The items of a part that can be read at all."""
    found = payload.get(part)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def week_form(
    scenario: Scenario, sha256: str, view: View, payload: Mapping[str, Any], faults: Faults
) -> tuple[Place, ...]:
    """The form, hex by hex; those where something has to be decided first."""
    return _Form(scenario, sha256, view, payload, faults).places()


class _Form:
    """What the parts of a form need of each other."""

    def __init__(self, scenario: Scenario, sha256: str, view: View, payload: Mapping[str, Any], faults: Faults) -> None:
        self.scenario, self.sha256, self.view, self.faults = scenario, sha256, view, faults
        self.classes = ship_classes(scenario)
        self.crews = ships_by_fleet(view.ships)
        self.moves = {item.get("fleet"): item for item in items(payload, "moves")}
        self.settings = {item.get("fleet"): item for item in items(payload, "settings")}
        self.detach = {str(item.get("into")): item for item in items(payload, "detach")}
        self.docks = {item.get("ship"): item for item in items(payload, "dock")}
        self.decides = {(item.get("hex"), item.get("toward")): item for item in items(payload, "decide")}
        weasels = payload.get("weasels")
        self.weasels = {key for key in weasels if isinstance(key, str)} if isinstance(weasels, list) else set[str]()
        self.into = {
            ship: into
            for into, item in self.detach.items()
            for ship in (item.get("ships") if isinstance(item.get("ships"), list) else ())
            if isinstance(ship, str)
        }
        self.homes = {ship.key: ship.fleet for ship in view.ships}

    def places(self) -> tuple[Place, ...]:
        by_hex: dict[str, list[Fleet]] = {}
        for key in order(fleet.key for fleet in self.view.fleets):
            fleet = next(f for f in self.view.fleets if f.key == key)
            by_hex.setdefault(fleet.hex, []).append(fleet)
        slots = self._slots(by_hex)
        touched = {touch.hex for touch in self.view.in_contact}
        found = [self._place(label, fleets, slots[label]) for label, fleets in by_hex.items()]
        return tuple(sorted(found, key=lambda place: (place.hex not in touched, place.hex)))

    def _slots(self, by_hex: Mapping[str, list[Fleet]]) -> dict[str, list[str]]:
        """Keys of the fleets that may be formed in each hex: those of the draft, then unused ones."""
        own = {fleet.key: fleet.hex for fleet in self.view.fleets}
        found: dict[str, list[str]] = {label: [] for label in by_hex}
        for into in order(set(self.detach) | {str(key) for key in (*self.moves, *self.settings)}):
            ships = [ship for ship, target in self.into.items() if target == into and ship in self.homes]
            if into not in own and ships:
                found[own[self.homes[ships[0]]]].append(into)
        used = [*own, *(key for keys in found.values() for key in keys)]
        last = max((int(tail) for _, _, tail in (key.rpartition("/f") for key in used) if tail.isdigit()), default=0)
        for label in sorted(found):
            free = SLOTS if sum(len(self.crews.get(f.key, ())) for f in by_hex[label]) > 1 else 0
            found[label] += [f"{self.view.faction}/f{last + n}" for n in range(1, free + 1)]
            last += free
        return found

    def _place(self, label: str, fleets: list[Fleet], slots: list[str]) -> Place:
        base = next((found for found in (base_for(self.scenario, self.view, fleet) for fleet in fleets) if found), None)
        can_dock = base is not None and (base.repairs or base.replenishes)
        new = tuple(self._new(key, label, fleets) for key in slots)
        names = [Target(fleet.key, fleet.name) for fleet in fleets]
        names += [Target(block.key, block.name or f"new fleet {n}") for n, block in enumerate(new, start=1)]
        return Place(
            hex=label,
            place=place_words(self.scenario, label),
            base="" if base is None else _base_words(base),
            can_dock=can_dock,
            fleets=tuple(self.block(fleet, base if can_dock else None) for fleet in fleets),
            slots=new,
            targets=tuple(names),
            choosing=tuple(
                choosing(self.scenario, self.view, label, touch.toward, touch.state, "", self.decides, self.faults)
                for touch in self.view.in_contact
                if touch.hex == label
            ),
        )

    def block(self, fleet: Fleet, base: Facility | None) -> FleetBlock:
        crew = self.crews.get(fleet.key, [])
        setting = self.settings.get(fleet.key, {})
        doctrine, changed = doctrine_fields(fleet.doctrine, setting)
        stuck = self._stuck(fleet, crew)
        return FleetBlock(
            key=fleet.key,
            id=slug("fleet", fleet.key),
            new=False,
            used=True,
            hex=fleet.hex,
            title=fleet.name,
            name=str(setting.get("name", fleet.name)),
            strength=strength_words(counted(self.scenario, crew)),
            ships=tuple(self._ship(ship, base) for ship in crew),
            stuck=stuck,
            must_leave=fleet.must_leave,
            to=str(self.moves.get(fleet.key, {}).get("to", "")),
            path=_path(self.moves.get(fleet.key, {})),
            reach="" if stuck or not self.sha256 else reach_options(self.scenario, self.sha256, fleet.hex),
            standing=str(setting.get("standing") or ""),
            standing_now=choice_words(fleet.standing or "stand-off"),
            doctrine=doctrine,
            doctrine_changed=changed,
            decoys=fleet.decoys,
            decoys_on=str(setting.get("decoys_on", "")),
            along=str(self.detach.get(fleet.key, {}).get("decoys", "")),
            faults=self.faults.at(slug("fleet", fleet.key)),
        )

    def _new(self, key: str, label: str, fleets: list[Fleet]) -> FleetBlock:
        setting, detach = self.settings.get(key, {}), self.detach.get(key, {})
        first = self._source(key) or fleets[0]
        doctrine, changed = doctrine_fields(first.doctrine, setting)
        faults = self.faults.at(slug("fleet", key))
        return FleetBlock(
            key=key,
            id=slug("fleet", key),
            new=True,
            used=bool(detach or setting or self.moves.get(key) or faults),
            hex=label,
            title="",
            name=str(detach.get("name", "")),
            strength="",
            ships=(),
            stuck="",
            must_leave=False,
            to=str(self.moves.get(key, {}).get("to", "")),
            path=_path(self.moves.get(key, {})),
            reach=reach_options(self.scenario, self.sha256, label),
            standing=str(setting.get("standing") or ""),
            standing_now="",
            doctrine=doctrine,
            doctrine_changed=changed,
            decoys=sum(fleet.decoys for fleet in fleets),
            decoys_on=str(setting.get("decoys_on", "")),
            along=str(detach.get("decoys", "")),
            faults=faults,
        )

    def _source(self, key: str) -> Fleet | None:
        homes = [self.homes[ship] for ship, into in self.into.items() if into == key and ship in self.homes]
        return next((fleet for fleet in self.view.fleets if homes and fleet.key == min(homes)), None)

    def _stuck(self, fleet: Fleet, crew: list[Ship]) -> str:
        week = may_not_enter(self.scenario, fleet, self.view.week)
        if week is not None:
            return f"enters the map in week {week}"
        bound = [ship for ship in grounded(self.classes, crew) if not ship.docked]
        if bound and len(bound) == len(crew):
            return "has no ship with a working FTL drive"
        if bound:
            return (
                f"held here by {', '.join(ship.name for ship in bound)} without a working FTL drive: detach them first"
            )
        return ""

    def _ship(self, ship: Ship, base: Facility | None) -> ShipRow:
        cls = self.classes[ship.cls]
        dock = self.docks.get(ship.key, {})
        mends = base is not None and can_repair(base, cls)
        return ShipRow(
            key=ship.key,
            id=slug("ship", ship.key),
            name=ship.name,
            cls=class_name(self.scenario, ship.faction, ship.cls),
            classification=cls.classification,
            hurt=f"{ship.damage} of {cls.damage_points}" if ship.damage else "",
            lost=tuple(system_words(system) for system in ship.lost),
            grounded=_grounded(cls, ship),
            into=self.into.get(ship.key, ""),
            can_dock=base is not None and (mends or base.replenishes),
            docked=ship.docked,
            docks=ship.key in self.docks,
            repairs=_repairs(ship, dock) if mends else (),
            can_replenish=base is not None and base.replenishes and bool(cls.expendables),
            replenish=dock.get("replenish") is True,
            scuttle=dock.get("scuttle") is True,
            weasel="" if any(system.startswith("weasel") for system in ship.lost) else cls.weasel,
            weasel_on=ship.key in self.weasels,
            faults=self.faults.at(slug("ship", ship.key)),
        )


def _grounded(cls: ShipClass, ship: Ship) -> str:
    if not cls.ftl:
        return "no FTL drive"
    return "FTL drive lost" if "ftl" in ship.lost else ""


def _path(move: Mapping[str, Any]) -> str:
    path = move.get("path")
    return " ".join(str(label) for label in path) if isinstance(path, list) else ""


def _repairs(ship: Ship, dock: Mapping[str, Any]) -> tuple[tuple[str, str, bool], ...]:
    wanted = dock.get("repair")
    left = (
        Counter(system for system in wanted if isinstance(system, str)) if isinstance(wanted, list) else Counter[str]()
    )
    found = []
    for system in ship.lost:
        ticked = left[system] > 0
        left[system] -= ticked
        found.append((system, system_words(system), ticked))
    return tuple(found)


def system_words(system: str) -> str:
    """A system's id as people say it: `battery-2` is battery 2."""
    return {"ftl": "FTL drive", "drive": "main drive"}.get(system, system.replace("-", " "))


def _base_words(base: Facility) -> str:
    does = []
    if base.repairs:
        limit = base.repair_mass_limit
        does.append("repairs ships" + ("" if limit is None else f" of up to MASS {limit}"))
    if base.replenishes:
        does.append("replenishes")
    return f"{base.kind.replace('-', ' ')} of your side: {' and '.join(does) or 'no help'}"


def doctrine_fields(before: Doctrine, setting: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """The doctrine to show, and whether the draft changes it."""
    given = setting.get("doctrine")
    asked = given if isinstance(given, dict) else {}
    shown = {
        "range": asked.get("range", before.range),
        "targets": asked.get("targets", before.targets),
        "break_off": asked.get("break_off", before.break_off),
        "flee": asked.get("flee", before.flee),
    }
    return shown | {"range": "" if shown["range"] is None else shown["range"]}, bool(asked)


def choosing(
    scenario: Scenario,
    view: View,
    label: str,
    toward: str,
    state: str,
    fixed: str,
    decides: Mapping[tuple[Any, Any], Mapping[str, Any]],
    faults: Faults,
    default: str = "",
) -> Choosing:
    """A choice to be made, with the last scan of the other side and one's own strength there."""
    scans = [s for s in view.sightings if s.hex == label and s.faction == toward]
    scan = max(scans, key=lambda s: s.week, default=None)
    classes, here = ship_classes(scenario), {f.key for f in view.fleets if f.hex == label and not f.in_ftl}
    crew = [ship for ship in view.ships if ship.fleet in here]
    names = {power.id: power.name for power in scenario.factions}
    standing = [f.standing for f in sorted(view.fleets, key=lambda f: f.key) if f.key in here and f.standing]
    id_ = f"decide-{label}-{toward}"
    return Choosing(
        id=id_,
        field=id_,
        hex=label,
        place=place_words(scenario, label),
        toward=toward,
        name=names.get(toward, toward),
        state=state,
        choice=str(decides.get((label, toward), {}).get("choice", "")),
        default=choice_words(default or (standing[0] if standing else "stand-off") or ""),
        scan="" if scan is None else strength_words(scan.counts),
        scan_age="" if scan is None else weeks_ago(view.week - scan.week),
        own=strength_words(counted(scenario, crew)),
        own_ships=len(crew),
        stuck=sum(1 for ship in crew if _grounded(classes[ship.cls], ship)),
        fixed=choice_words(fixed),
        faults=faults.at(id_),
    )


def choice_words(choice: str) -> str:
    """A choice as people say it."""
    return dict(CHOICES).get(choice, choice)


def decided(payload: Mapping[str, Any]) -> dict[tuple[Any, Any], dict[str, Any]]:
    """The decisions of a payload by hex and faction."""
    return {(item.get("hex"), item.get("toward")): item for item in items(payload, "decide")}


def fleets_fighting(
    scenario: Scenario, view: View, payload: Mapping[str, Any], faults: Faults
) -> tuple[FleetBlock, ...]:
    """The fleets that have a battle this week, for their doctrine."""
    form = _Form(scenario, "", view, payload, faults)
    fighting = [fleet for fleet in view.fleets if fleet.hex in view.fighting and not fleet.in_ftl]
    return tuple(form.block(fleet, None) for fleet in sorted(fighting, key=lambda fleet: fleet.hex))
