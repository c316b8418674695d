"""A player's own fleets and ships: where they are, damage tracks, what is lost, what can be mended
and where.

The lines are pure values, of the scenario and the player's View alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import URLPattern, URLResolver, path
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from campaign.access import Viewer, need
from campaign.drawings.strips import Strip
from campaign.forms.week.order_parts import cargo_words
from campaign.rules.bases import MOST_REPAIRS, base_for, can_repair, still_short
from campaign.rules.queries import (
    class_name,
    holder_of,
    in_sight,
    plain_class,
    ship_classes,
    ships_by_fleet,
    side_of,
)
from campaign.rules.scenario import Facility, Scenario, ShipClass
from campaign.rules.view import Fleet, LostShip, Ship, View
from campaign.sight.views import sight
from campaign.store.documents import scenario_of
from campaign.web.common import if_changed, member_page, show
from campaign.web.seat_marks import seats
from campaign.web.ship_drawings import ship_strip
from campaign.web.tabs import tabs, tabs_key
from campaign.words.stock import stock_words
from engine.core.facts import FOREVER
from engine.core.kinds import ACE, PILOTS, TURKEY, Pilots
from engine.core.phrase import joined_phrases, phrase
from engine.english import capital, counted_noun, system_words

ORDER = ("capital", "cruiser", "escort")

ALL, HURT = "all", "damaged"


@dataclass(frozen=True, slots=True)
class FleetLine:
    """A fleet in a row. `counts`: ships by classification; `notes`: (words, tone of a badge)."""

    key: str
    name: str
    hex: str
    place: str
    counts: tuple[tuple[str, int], ...]
    ships: int
    notes: tuple[tuple[str, str], ...]


def fleet_lines(scenario: Scenario, view: View) -> tuple[FleetLine, ...]:
    """The viewer's fleets, by the place where they stand."""
    classes, crews = ship_classes(scenario), ships_by_fleet(view.ships)
    places = {system.hex: system.name for system in scenario.systems}
    lines = [
        FleetLine(
            key=fleet.key,
            name=fleet.name,
            hex=fleet.hex,
            place=places.get(fleet.hex, phrase("open space")),
            counts=counted(classes, crews.get(fleet.key, ())),
            ships=len(crews.get(fleet.key, ())),
            notes=_notes(fleet, crews.get(fleet.key, ()), view),
        )
        for fleet in view.fleets
    ]
    return tuple(
        sorted(
            lines, key=lambda line: (line.place == "open space", line.place, line.hex, line.name)
        )
    )


def counted(classes: dict[str, ShipClass], ships: Iterable[Ship]) -> tuple[tuple[str, int], ...]:
    """Ships by classification, the greatest first."""
    found: dict[str, int] = {}
    for ship in ships:
        kind = classes[ship.cls].classification
        found[kind] = found.get(kind, 0) + 1
    rank = {kind: n for n, kind in enumerate(ORDER)}
    return tuple(sorted(found.items(), key=lambda item: (rank.get(item[0], len(rank)), item[0])))


def _notes(fleet: Fleet, crew: Iterable[Ship], view: View) -> tuple[tuple[str, str], ...]:
    crew, notes = tuple(crew), []
    if fleet.hex in view.fighting:
        notes.append((phrase("in battle"), "bad"))
    if fleet.in_ftl:
        notes.append((phrase("in FTL space"), "info"))
    if fleet.must_leave and view.result is None:
        notes.append((phrase("must move this week"), "warm"))
    if any(touch.hex == fleet.hex for touch in view.in_contact) and not fleet.in_ftl:
        notes.append((phrase("in contact"), "warm"))
    if docked := sum(ship.docked for ship in crew):
        notes.append((phrase("{} docked", docked), "quiet"))
    if towed := sum(bool(ship.tug) for ship in crew):
        notes.append((phrase("{} in tow", towed), "quiet"))
    if laid_up := sum(ship.laid_up for ship in crew):
        notes.append((phrase("{} laid up", laid_up), "warm"))
    if hurt := sum(bool(ship.damage or ship.lost) for ship in crew):
        notes.append((phrase("{} damaged", hurt), "bad"))
    if fleet.decoys or fleet.decoys_out:
        decoys = counted_noun(fleet.decoys, "decoy")
        out = fleet.decoys_out
        notes.append((phrase("{}, {} deployed", decoys, out) if out else decoys, "quiet"))
    return tuple(notes)


@dataclass(frozen=True, slots=True)
class ShipLine:
    """A ship in a row.

    `hull`: its damage track as a strip; `short`: what of its stock is below full.

    `cargo`: what is left of what it carries; `mend`: what can be done for it; `settings`: what is
    set or loaded otherwise than its class; `points`: what a new one costs.
    """

    key: str
    name: str
    cls: str
    called: str
    classification: str
    mass: int
    damage: int
    boxes: int
    hull: Strip
    lost: tuple[str, ...]
    short: tuple[str, ...]
    cargo: str
    states: tuple[tuple[str, str], ...]
    mend: str
    laid_up: bool
    settings: tuple[str, ...] = ()
    points: int = 0
    thrust: int = 0
    ftl: bool = True

    @property
    def wants(self) -> bool:
        """Whether a base could do anything for it."""
        return bool(self.damage or self.lost or self.short or self.laid_up)


@dataclass(frozen=True, slots=True)
class FleetShips:
    """A fleet with its ships, the heaviest first.

    `base`: the kind of base that serves it, "" where none does.
    """

    fleet: FleetLine
    base: str
    ships: tuple[ShipLine, ...]


def fleets_of(scenario: Scenario, view: View) -> tuple[FleetShips, ...]:
    """The viewer's fleets with all their ships."""
    classes, crews = ship_classes(scenario), ships_by_fleet(view.ships)
    fleets = {fleet.key: fleet for fleet in view.fleets}
    havens = _havens(scenario, view)
    found = []
    for line in fleet_lines(scenario, view):
        base = base_for(scenario, view, fleets[line.key])
        ships = tuple(
            _line(scenario, view, classes, ship, base, havens) for ship in crews.get(line.key, [])
        )
        ships = tuple(
            sorted(ships, key=lambda ship: (-ship.mass, ship.cls))
        )  # the sort keeps their own order
        found.append(FleetShips(line, "" if base is None else base.kind.replace("-", " "), ships))
    return tuple(found)


def ship_line(scenario: Scenario, view: View, ship: Ship) -> ShipLine:
    """One of the viewer's ships, in a row of its own."""
    fleet = next(fleet for fleet in view.fleets if fleet.key == ship.fleet)
    base, havens = base_for(scenario, view, fleet), _havens(scenario, view)
    return _line(scenario, view, ship_classes(scenario), ship, base, havens)


def fellows(scenario: Scenario, view: View, ship: Ship) -> tuple[Ship | None, Ship | None]:
    """The ships before and after one in its fleet, the heaviest first, by class and name."""
    classes = ship_classes(scenario)
    crew = [other for other in view.ships if other.fleet == ship.fleet]
    crew.sort(key=lambda other: (-classes[other.cls].mass, other.cls, _counting(other.name)))
    at = crew.index(ship)
    return crew[at - 1] if at else None, crew[at + 1] if at + 1 < len(crew) else None


def _line(
    scenario: Scenario,
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
        states.append((phrase("docked"), "quiet"))
    if ship.laid_up:
        states.append((phrase("laid up: cannot fight"), "warm"))
    if ship.tug:
        states.append((phrase("in tow of {}", names.get(ship.tug, ship.tug)), "info"))
    if cls.rooms():
        towed = sum(classes[other.cls].mass for other in view.ships if other.tug == ship.key)
        states.append((phrase("tows MASS {} of {}", towed, cls.room), "quiet"))
    if "ftl" in ship.lost:
        states.append((phrase("cannot jump"), "warm"))
    states += [(words, "bad") for words in map(_noted, ship.notes) if words]
    states += [(words, "info") for words in map(_pilots, ship.notes) if words]
    return ShipLine(
        key=ship.key,
        name=ship.name,
        cls=plain_class(ship.cls),
        called=class_name(scenario, view.faction, ship.cls),
        classification=cls.classification,
        mass=cls.mass,
        damage=ship.damage,
        boxes=cls.damage_points,
        hull=ship_strip(scenario, cls, ship),
        lost=_counted(ship.lost),
        short=tuple(
            stock_words(system, left)
            for system, left in ship.stock
            if holder_of(system) not in ship.lost
        ),
        cargo=cargo_words(ship.cargo),
        states=tuple(states),
        mend=_mend(cls, ship, base, havens) if view.result is None else "",
        laid_up=ship.laid_up,
        settings=tuple(
            phrase("{}: {}", system_words(system), setting) for system, setting in ship.settings
        ),
        points=cls.points,
        thrust=cls.thrust,
        ftl=cls.ftl,
    )


@dataclass(frozen=True, slots=True)
class Alike:
    """Ships of a fleet of which nothing differs but their names, in one card.

    `ships`: the key of each, and its name in two parts, the class that it is called after ("" where
    it is not) and the rest.
    """

    line: ShipLine
    ships: tuple[tuple[str, str, str], ...]


def alike(ships: Iterable[ShipLine]) -> tuple[Alike, ...]:
    """The ships of a fleet in cards: each that a base could do something for in its own, and these
    first.
    """
    found: dict[ShipLine, list[ShipLine]] = {}
    for ship in ships:
        found.setdefault(ship if ship.wants else replace(ship, key="", name=""), []).append(ship)
    cards = [
        Alike(of[0], tuple(map(_named, sorted(of, key=lambda ship: _counting(ship.name)))))
        for of in found.values()
    ]
    return tuple(sorted(cards, key=lambda card: not card.line.wants))


def _named(ship: ShipLine) -> tuple[str, str, str]:
    """A ship's key, and its name in two parts."""
    stem = f"{ship.called} "
    return (
        (ship.key, stem, ship.name[len(stem) :])
        if ship.name.startswith(stem)
        else (ship.key, "", ship.name)
    )


def _counting(name: str) -> list[str | int]:
    """To sort names by: numbers in them as they count, 9 before 10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"([0-9]+)", name)]


def ship_remarks(ship: Ship) -> tuple[str, ...]:
    """What is pencilled on a ship's sheet, in words."""
    remarks = [words for item in ship.notes for words in (_noted(item), _pilots(item)) if words]
    remarks += [
        phrase("{}: {}", system_words(system), setting) for system, setting in ship.settings
    ]
    remarks += [phrase("laid up: cannot fight")] if ship.laid_up else []
    return tuple(capital(words) for words in remarks)


def _noted(item: tuple[str, int]) -> str:
    """What an earlier battle left pencilled on a ship's sheet, where its owner has to act on it.

    Rules: Continuum "Core systems" 10.3 [pc.core-systems]
    """
    name, value = item
    turns = phrase("{} of battle", counted_noun(value, "turn"))
    if name == "reactor":
        return phrase("power core out of control")
    if name == "out-of-control":
        return (
            phrase("without command until repaired")
            if value == FOREVER
            else phrase("without command for {}", turns)
        )
    return phrase("air for {}", turns) if name == "air-fails" else ""


def _pilots(item: tuple[str, int]) -> str:
    """The pilots of a bay that an earlier battle found out of the ordinary.

    Rules: Continuum 8.18 [pc.aces]
    """
    name, _, bay = item[0].partition(":")
    pilots = PILOTS[item[1]] if name == "pilots" else ""
    return (
        phrase("{}: {}", system_words(bay), Pilots.words(pilots)) if pilots in (ACE, TURKEY) else ""
    )


def _mend(
    cls: ShipClass, ship: Ship, base: Facility | None, havens: tuple[tuple[str, Facility], ...]
) -> str:
    """What can be done for a hurt ship, and where."""
    hurt = bool(ship.damage or ship.lost or ship.laid_up)
    if not hurt and not ship.stock:
        return ""
    mends = base is not None and hurt and can_repair(base, cls)
    restocks = base is not None and still_short(base, ship) != ship.stock
    if base is not None and (mends or restocks):
        what = [
            phrase("a week in dock repairs the hull and up to {} systems", MOST_REPAIRS)
        ] * mends
        what += [phrase("makes it fit for service")] * (mends and ship.laid_up)
        what += [
            phrase("it can be replenished")
            if base.fighters
            else phrase("it can be replenished, except fighters")
        ] * restocks
        return phrase(
            "The {} here can help: {}. Order it to dock there.",
            base.kind.replace("-", " "),
            joined_phrases(", ", what),
        )
    places = (
        [name for name, facility in havens if can_repair(facility, cls)]
        if hurt
        else [name for name, facility in havens if still_short(facility, ship) != ship.stock]
    )
    if not places:
        return phrase("You know of no base on your side that can help it.")
    return phrase(
        "Can be {} at {}.",
        phrase("repaired") if hurt else phrase("replenished"),
        joined_phrases(", ", places),
    )


def _havens(scenario: Scenario, view: View) -> tuple[tuple[str, Facility], ...]:
    """The bases that the viewer's side holds, as far as he knows: (the system's name, what it can
    do).
    """
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
        phrase("main drive (lost)")
        if system == "drive" and many > 1
        else phrase("main drive (halved)")
        if system == "drive"
        else system_words(system)
        for system, many in counts.items()
    )


@dataclass(frozen=True, slots=True)
class Ships:
    """A faction's ships ready for the page. `hurt`: how many a base could do something for."""

    total: int
    points: int
    fleets: int
    hurt: int
    afloat: SafeString
    lost: SafeString


@member_page
@require_safe
def ships(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """All own ships by fleet; `?show=damaged` only those with something to mend."""
    campaign, faction = need(viewer, see=True).campaign, viewer.sees
    seen = sight(campaign, faction)
    only = HURT if request.GET.get("show") == HURT else ALL
    sha256 = campaign.scenario.sha256
    of_whom = "" if faction is None else faction.key
    key = (str(campaign.public_id), sha256, of_whom, seen.etag, only)
    shared = tabs(viewer, "ships")

    def page() -> HttpResponse:
        fleet = _fleet(viewer, in_sight(scenario_of(campaign), seen.view), seen.view, only)
        return show(request, "ships", fleet=fleet, only=only, **shared)

    return if_changed(request, (*key, *tabs_key(shared)), page)


def _fleet(viewer: Viewer, scenario: Scenario, view: View, only: str) -> Ships:
    """What a view says of its faction's ships."""
    fleets = fleets_of(scenario, view)
    crews = [
        (
            fleet.fleet,
            alike(ship for ship in fleet.ships if only == ALL or ship.wants),
            _points(fleet.ships),
        )
        for fleet in fleets
    ]
    shown = {
        "shown": [crew for crew in crews if crew[1]],
        "c": viewer.campaign.public_id,
        "on_map": not viewer.campaign.ruleset.get("single"),
        "seat": seats(scenario).get(view.faction, 0),
    }
    return Ships(
        total=sum(len(fleet.ships) for fleet in fleets),
        points=sum(_points(fleet.ships) for fleet in fleets),
        fleets=len(fleets),
        hurt=sum(ship.wants for fleet in fleets for ship in fleet.ships),
        afloat=render_to_string("campaign/ships_afloat.html", shown),
        lost=render_to_string(
            "campaign/ships_lost.html", shown | {"losses": _losses(scenario, view)}
        ),
    )


def _points(ships: Iterable[ShipLine]) -> int:
    return sum(ship.points for ship in ships)


@dataclass(frozen=True, slots=True)
class Losses:
    """What was lost in a week at a place, the ships with their classes and classifications."""

    week: int
    place: str
    ships: tuple[tuple[LostShip, str, str], ...]


def _losses(scenario: Scenario, view: View) -> list[Losses]:
    """All that was lost, by week and place, the latest first."""
    places = {system.hex: system.name for system in scenario.systems}
    kinds = {name: cls.classification for name, cls in ship_classes(scenario).items()}
    return [
        Losses(
            week,
            places.get(at, phrase("hex {}", at)),
            tuple((loss, plain_class(loss.cls), kinds.get(loss.cls, "")) for loss in of),
        )
        for (week, at), of in groupby(sorted(view.losses, key=_when), key=_when)
    ][::-1]


def _when(loss: LostShip) -> tuple[int, str]:
    return loss.week, loss.hex


urlpatterns: list[URLPattern | URLResolver] = [path("c/<uuid:c>/ships/", ships, name="ships")]
