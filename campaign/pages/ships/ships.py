"""The player's own fleets and ships: places, damage tracks, losses, and what can be repaired where.

The lines are pure values, made only from the scenario and the player's view.
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

from campaign.access import Viewer, require
from campaign.drawings.strips import Strip
from campaign.forms.week.order_parts import cargo_words
from campaign.rules.bases import MOST_REPAIRS, base_for, can_repair, remaining_shortages
from campaign.rules.queries import (
    class_name,
    holder_of,
    ship_classes,
    ships_by_fleet,
    short_class_name,
    side_of,
    with_known_designs,
)
from campaign.rules.scenario import Facility, Scenario, ShipClass
from campaign.rules.view import Fleet, LostShip, Ship, View
from campaign.sight.views import current_sight
from campaign.store.documents import scenario_of
from campaign.web.common import if_changed, member_page, show
from campaign.web.seat_marks import seats
from campaign.web.ship_drawings import ship_strip
from campaign.web.tabs import tabs, tabs_key
from campaign.words.stock import stock_words
from engine.core.facts import FOREVER
from engine.core.kinds import ACE, PILOTS, TURKEY, Pilots
from engine.core.phrase import join_phrases, phrase
from engine.english import capitalize_first, counted_noun, system_words

ORDER = ("capital", "cruiser", "escort")

ALL, DAMAGED = "all", "damaged"


@dataclass(frozen=True, slots=True)
class FleetLine:
    """A fleet in a row."""

    key: str
    name: str
    hex: str
    place: str
    ship_counts: tuple[tuple[str, int], ...]  # (classification, ships)
    ship_count: int
    notes: tuple[tuple[str, str], ...]  # (text, badge tone)


def fleet_lines(scenario: Scenario, view: View) -> tuple[FleetLine, ...]:
    """Return the viewer's fleets, sorted by place."""
    classes = ship_classes(scenario)
    ships_of = ships_by_fleet(view.ships)
    places = {system.hex: system.name for system in scenario.systems}
    lines = []
    for fleet in view.fleets:
        lines.append(
            FleetLine(
                key=fleet.key,
                name=fleet.name,
                hex=fleet.hex,
                place=places.get(fleet.hex, phrase("open space")),
                ship_counts=count_by_classification(classes, ships_of.get(fleet.key, ())),
                ship_count=len(ships_of.get(fleet.key, ())),
                notes=_notes(fleet, ships_of.get(fleet.key, ()), view),
            )
        )
    return tuple(
        sorted(
            lines, key=lambda line: (line.place == "open space", line.place, line.hex, line.name)
        )
    )


def count_by_classification(
    classes: dict[str, ShipClass], ships: Iterable[Ship]
) -> tuple[tuple[str, int], ...]:
    """Count ships by classification, capitals first."""
    counts: dict[str, int] = {}
    for ship in ships:
        kind = classes[ship.cls].classification
        counts[kind] = counts.get(kind, 0) + 1
    rank = {kind: n for n, kind in enumerate(ORDER)}
    return tuple(sorted(counts.items(), key=lambda item: (rank.get(item[0], len(rank)), item[0])))


def _notes(fleet: Fleet, ships: Iterable[Ship], view: View) -> tuple[tuple[str, str], ...]:
    ships = tuple(ships)
    notes = []
    if fleet.hex in view.fighting:
        notes.append((phrase("in battle"), "bad"))
    if fleet.in_ftl:
        notes.append((phrase("in FTL space"), "info"))
    if fleet.must_leave and view.result is None:
        notes.append((phrase("must move this week"), "warm"))
    if any(touch.hex == fleet.hex for touch in view.in_contact) and not fleet.in_ftl:
        notes.append((phrase("in contact"), "warm"))
    if docked := sum(ship.docked for ship in ships):
        notes.append((phrase("{} docked", docked), "quiet"))
    if towed := sum(bool(ship.tug) for ship in ships):
        notes.append((phrase("{} in tow", towed), "quiet"))
    if laid_up := sum(ship.laid_up for ship in ships):
        notes.append((phrase("{} laid up", laid_up), "warm"))
    if damaged_count := sum(bool(ship.damage or ship.lost) for ship in ships):
        notes.append((phrase("{} damaged", damaged_count), "bad"))
    if fleet.decoys or fleet.decoys_out:
        decoys = counted_noun(fleet.decoys, "decoy")
        out = fleet.decoys_out
        notes.append((phrase("{}, {} deployed", decoys, out) if out else decoys, "quiet"))
    return tuple(notes)


@dataclass(frozen=True, slots=True)
class ShipLine:
    """A ship in a row."""

    key: str
    name: str
    cls: str
    class_name: str
    classification: str
    mass: int
    damage: int
    hull_boxes: int
    hull: Strip  # the damage track
    lost_systems: tuple[str, ...]
    stock_left: tuple[str, ...]  # stock below full
    cargo: str  # what is left of its cargo
    states: tuple[tuple[str, str], ...]
    repair_text: str  # what can be done for it, and where
    is_laid_up: bool
    settings: tuple[str, ...] = ()  # settings and loads that differ from its class
    points: int = 0  # cost of a new one
    thrust: int = 0
    has_ftl: bool = True

    @property
    def needs_base(self) -> bool:
        """Whether a base could do anything for it."""
        return bool(self.damage or self.lost_systems or self.stock_left or self.is_laid_up)


@dataclass(frozen=True, slots=True)
class FleetShips:
    """A fleet with its ships, the heaviest first."""

    fleet: FleetLine
    base: str  # the kind of base that serves it; "" for none
    ships: tuple[ShipLine, ...]


def fleets_of(scenario: Scenario, view: View) -> tuple[FleetShips, ...]:
    """Return the viewer's fleets with all their ships."""
    classes = ship_classes(scenario)
    ships_of = ships_by_fleet(view.ships)
    fleets = {fleet.key: fleet for fleet in view.fleets}
    bases = _own_bases(scenario, view)
    result = []
    for line in fleet_lines(scenario, view):
        base = base_for(scenario, view, fleets[line.key])
        ships = tuple(
            _line(scenario, view, classes, ship, base, bases) for ship in ships_of.get(line.key, [])
        )
        # The sort is stable, so equal ships keep their order
        ships = tuple(sorted(ships, key=lambda ship: (-ship.mass, ship.cls)))
        result.append(FleetShips(line, "" if base is None else base.kind.replace("-", " "), ships))
    return tuple(result)


def ship_line(scenario: Scenario, view: View, ship: Ship) -> ShipLine:
    """Return the row of one of the viewer's ships."""
    fleet = next(fleet for fleet in view.fleets if fleet.key == ship.fleet)
    base = base_for(scenario, view, fleet)
    havens = _own_bases(scenario, view)
    return _line(scenario, view, ship_classes(scenario), ship, base, havens)


def neighbours_in_fleet(
    scenario: Scenario, view: View, ship: Ship
) -> tuple[Ship | None, Ship | None]:
    """Return the ships before and after one in its fleet, sorted by mass, class and name."""
    classes = ship_classes(scenario)
    ships = [fleet_ship for fleet_ship in view.ships if fleet_ship.fleet == ship.fleet]
    ships.sort(
        key=lambda fleet_ship: (
            -classes[fleet_ship.cls].mass,
            fleet_ship.cls,
            _natural_sort_key(fleet_ship.name),
        )
    )
    at = ships.index(ship)
    return ships[at - 1] if at else None, ships[at + 1] if at + 1 < len(ships) else None


def _line(
    scenario: Scenario,
    view: View,
    classes: Mapping[str, ShipClass],
    ship: Ship,
    base: Facility | None,
    bases: tuple[tuple[str, Facility], ...],
) -> ShipLine:
    cls = classes[ship.cls]
    names = {own_ship.key: own_ship.name for own_ship in view.ships} if ship.tug else {}
    states = []
    if ship.docked:
        states.append((phrase("docked"), "quiet"))
    if ship.laid_up:
        states.append((phrase("laid up: cannot fight"), "warm"))
    if ship.tug:
        states.append((phrase("in tow of {}", names.get(ship.tug, ship.tug)), "info"))
    if cls.transport_capacities():
        towed = sum(
            classes[own_ship.cls].mass for own_ship in view.ships if own_ship.tug == ship.key
        )
        states.append((phrase("tows MASS {} of {}", towed, cls.transport_capacity), "quiet"))
    if "ftl" in ship.lost:
        states.append((phrase("cannot jump"), "warm"))
    states += [(words, "bad") for words in map(_note_words, ship.notes) if words]
    states += [(words, "info") for words in map(_pilot_words, ship.notes) if words]
    stock_left = []
    for system, amount in ship.stock:
        if holder_of(system) not in ship.lost:
            stock_left.append(stock_words(system, amount))
    return ShipLine(
        key=ship.key,
        name=ship.name,
        cls=short_class_name(ship.cls),
        class_name=class_name(scenario, view.faction, ship.cls),
        classification=cls.classification,
        mass=cls.mass,
        damage=ship.damage,
        hull_boxes=cls.damage_points,
        hull=ship_strip(scenario, cls, ship),
        lost_systems=_system_lines(ship.lost),
        stock_left=tuple(stock_left),
        cargo=cargo_words(ship.cargo),
        states=tuple(states),
        repair_text=_repair_text(cls, ship, base, bases) if view.result is None else "",
        is_laid_up=ship.laid_up,
        settings=tuple(
            phrase("{}: {}", system_words(system), setting) for system, setting in ship.settings
        ),
        points=cls.points,
        thrust=cls.thrust,
        has_ftl=cls.ftl,
    )


@dataclass(frozen=True, slots=True)
class ShipCard:
    """Identical ships of a fleet (except for their names), shown as one card."""

    line: ShipLine
    ships: tuple[tuple[str, str, str], ...]  # (key, class part of the name or "", rest of the name)


def ship_cards(ships: Iterable[ShipLine]) -> tuple[ShipCard, ...]:
    """Group a fleet's ships into cards.

    Each ship that a base could help gets its own card; these come first.
    """
    groups: dict[ShipLine, list[ShipLine]] = {}
    for ship in ships:
        groups.setdefault(ship if ship.needs_base else replace(ship, key="", name=""), []).append(
            ship
        )
    cards = [
        ShipCard(
            group[0],
            tuple(
                map(
                    _key_and_name_parts,
                    sorted(group, key=lambda ship: _natural_sort_key(ship.name)),
                )
            ),
        )
        for group in groups.values()
    ]
    return tuple(sorted(cards, key=lambda card: not card.line.needs_base))


def _key_and_name_parts(ship: ShipLine) -> tuple[str, str, str]:
    """Return a ship's key and the two parts of its name."""
    stem = f"{ship.class_name} "
    if ship.name.startswith(stem):
        return (ship.key, stem, ship.name[len(stem) :])
    return (ship.key, "", ship.name)


def _natural_sort_key(name: str) -> list[str | int]:
    """Return a sort key that orders numbers by value: 9 before 10."""
    result: list[str | int] = []
    for part in re.split(r"([0-9]+)", name):
        result.append(int(part) if part.isdigit() else part)
    return result


def ship_remarks(ship: Ship) -> tuple[str, ...]:
    """Return the remarks for a ship's record sheet, in words."""
    remarks = []
    for item in ship.notes:
        for words in (_note_words(item), _pilot_words(item)):
            if words:
                remarks.append(words)
    remarks += [
        phrase("{}: {}", system_words(system), setting) for system, setting in ship.settings
    ]
    remarks += [phrase("laid up: cannot fight")] if ship.laid_up else []
    return tuple(capitalize_first(words) for words in remarks)


def _note_words(item: tuple[str, int]) -> str:
    """Return a remark from an earlier battle that its owner has to act on.

    Rules: Continuum "Core systems" 10.3 [pc.core-systems]
    """
    name, value = item
    turns = phrase("{} of battle", counted_noun(value, "turn"))
    if name == "reactor":
        return phrase("power core out of control")
    if name == "out-of-control":
        if value == FOREVER:
            return phrase("without command until repaired")
        return phrase("without command for {}", turns)
    if name == "air-fails":
        return phrase("air for {}", turns)
    return ""


def _pilot_words(item: tuple[str, int]) -> str:
    """Return a remark about a bay whose pilots proved to be aces or turkeys.

    Rules: Continuum 8.18 [pc.aces]
    """
    name, _, bay = item[0].partition(":")
    pilots = PILOTS[item[1]] if name == "pilots" else ""
    if pilots in (ACE, TURKEY):
        return phrase("{}: {}", system_words(bay), Pilots.label_of(pilots))
    return ""


def _repair_text(
    cls: ShipClass, ship: Ship, base: Facility | None, bases: tuple[tuple[str, Facility], ...]
) -> str:
    """Return what can be done for a damaged or depleted ship, and where."""
    is_damaged = bool(ship.damage or ship.lost or ship.laid_up)
    if not is_damaged and not ship.stock:
        return ""
    can_be_repaired = base is not None and is_damaged and can_repair(base, cls)
    can_be_restocked = base is not None and remaining_shortages(base, ship) != ship.stock
    if base is not None and (can_be_repaired or can_be_restocked):
        remedies = [
            phrase("a week in dock repairs the hull and up to {} systems", MOST_REPAIRS)
        ] * can_be_repaired
        remedies += [phrase("makes it fit for service")] * (can_be_repaired and ship.laid_up)
        remedies += [
            phrase("it can be replenished")
            if base.fighters
            else phrase("it can be replenished, except fighters")
        ] * can_be_restocked
        return phrase(
            "The {} here can help: {}. Order it to dock there.",
            base.kind.replace("-", " "),
            join_phrases(", ", remedies),
        )
    if is_damaged:
        places = [name for name, facility in bases if can_repair(facility, cls)]
    else:
        places = []
        for name, facility in bases:
            if remaining_shortages(facility, ship) != ship.stock:
                places.append(name)
    if not places:
        return phrase("You know of no base on your side that can help it.")
    return phrase(
        "Can be {} at {}.",
        phrase("repaired") if is_damaged else phrase("replenished"),
        join_phrases(", ", places),
    )


def _own_bases(scenario: Scenario, view: View) -> tuple[tuple[str, Facility], ...]:
    """Return (system name, facility) of the bases the viewer's side holds, as far as it knows."""
    side = side_of(scenario, view.faction)
    held_systems = set()
    for system_state in view.systems:
        if system_state.holder in side and system_state.state == "held":
            held_systems.add(system_state.system)
    bases: list[tuple[str, Facility]] = []
    for system in scenario.systems:
        if system.facility is not None and system.id in held_systems:
            bases.append((system.name, system.facility))
    return tuple(bases)


def _system_lines(systems: tuple[str, ...]) -> tuple[str, ...]:
    """Return systems in words. A drive listed twice is lost, once is halved."""
    counts = Counter(systems)
    return tuple(_system_line(system, count) for system, count in counts.items())


def _system_line(system: str, count: int) -> str:
    if system != "drive":
        return system_words(system)
    if count > 1:
        return phrase("main drive (lost)")
    return phrase("main drive (halved)")


@dataclass(frozen=True, slots=True)
class ShipsPageData:
    """A faction's ships, ready for the page."""

    ship_count: int
    points: int
    fleet_count: int
    damaged_count: int  # ships that a base could help
    fleets_html: SafeString
    losses_html: SafeString


@member_page
@require_safe
def ships(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Show all own ships by fleet; `?show=damaged` only those with something to repair."""
    campaign = require(viewer, see=True).campaign
    faction = viewer.visible_faction
    sight_now = current_sight(campaign, faction)
    if request.GET.get("show") == DAMAGED:
        only = DAMAGED
    else:
        only = ALL
    sha256 = campaign.scenario.sha256
    of_whom = "" if faction is None else faction.key
    key = (str(campaign.public_id), sha256, of_whom, sight_now.etag, only)
    shared = tabs(viewer, "ships")

    def page() -> HttpResponse:
        fleet = _fleet(
            viewer, with_known_designs(scenario_of(campaign), sight_now.view), sight_now.view, only
        )
        return show(request, "ships", fleet=fleet, only=only, **shared)

    return if_changed(request, (*key, *tabs_key(shared)), page)


def _fleet(viewer: Viewer, scenario: Scenario, view: View, only: str) -> ShipsPageData:
    """Return the page data of the ships in a view."""
    fleets = fleets_of(scenario, view)
    fleet_rows = []
    for fleet in fleets:
        fleet_rows.append(
            (
                fleet.fleet,
                ship_cards(ship for ship in fleet.ships if only == ALL or ship.needs_base),
                _points(fleet.ships),
            )
        )
    fleet_context = {
        "shown": [fleet_row for fleet_row in fleet_rows if fleet_row[1]],
        "c": viewer.campaign.public_id,
        "on_map": not viewer.campaign.ruleset.get("single"),
        "seat": seats(scenario).get(view.faction, 0),
    }
    return ShipsPageData(
        ship_count=sum(len(fleet.ships) for fleet in fleets),
        points=sum(_points(fleet.ships) for fleet in fleets),
        fleet_count=len(fleets),
        damaged_count=sum(ship.needs_base for fleet in fleets for ship in fleet.ships),
        fleets_html=render_to_string("campaign/ships_in_service.html", fleet_context),
        losses_html=render_to_string(
            "campaign/ships_lost.html", fleet_context | {"losses": _losses(scenario, view)}
        ),
    )


def _points(ships: Iterable[ShipLine]) -> int:
    return sum(ship.points for ship in ships)


@dataclass(frozen=True, slots=True)
class Losses:
    """Ships lost in one week at one place, with their classes and classifications."""

    week: int
    place: str
    ships: tuple[tuple[LostShip, str, str], ...]


def _losses(scenario: Scenario, view: View) -> list[Losses]:
    """Return all losses by week and place, newest first."""
    places = {system.hex: system.name for system in scenario.systems}
    kinds = {name: cls.classification for name, cls in ship_classes(scenario).items()}
    return [
        Losses(
            week,
            places.get(at, phrase("hex {}", at)),
            tuple((loss, short_class_name(loss.cls), kinds.get(loss.cls, "")) for loss in of),
        )
        for (week, at), of in groupby(sorted(view.losses, key=_loss_sort_key), key=_loss_sort_key)
    ][::-1]


def _loss_sort_key(loss: LostShip) -> tuple[int, str]:
    return loss.week, loss.hex


urlpatterns: list[URLPattern | URLResolver] = [path("c/<uuid:c>/ships/", ships, name="ships")]
