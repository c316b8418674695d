"""The player's own fleets and ships: places, damage tracks, losses, and what can be repaired where.

The lines are pure values, made only from the scenario and the player's view.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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
from campaign.rules.bases import MAX_REPAIRS, base_for, can_repair, remaining_shortages
from campaign.rules.queries import (
    class_name,
    has_contact_at,
    holder_of,
    ship_classes,
    ships_by_fleet,
    short_class_name,
    side_of,
    with_known_designs,
)
from campaign.rules.scenario import Facility, Scenario, ShipClass
from campaign.rules.stations import facility_of, known_stations
from campaign.rules.view import Fleet, LostShip, Ship, View
from campaign.sight.views import current_sight
from campaign.store.documents import scenario_of
from campaign.web.common import if_changed, member_page, show
from campaign.web.seat_marks import seats
from campaign.web.ship_drawings import ship_strip
from campaign.web.tabs import tabs, tabs_key
from campaign.words.common import departure_words
from campaign.words.stock import stock_words
from engine.core.facts import FOREVER
from engine.core.kinds import ACE, PILOTS, TURKEY, Pilots
from engine.core.phrase import join_phrases, phrase
from engine.english import capitalize_first, counted_noun, system_words

CLASSIFICATION_ORDER = ("capital", "cruiser", "escort")  # the others follow by name
OTHER_RANK = len(CLASSIFICATION_ORDER)

ALL, DAMAGED = "all", "damaged"  # which ships the page lists


@dataclass(frozen=True, slots=True)
class FleetLine:
    """A fleet in a row."""

    key: str
    name: str
    hex: str
    place: str
    ship_counts: tuple[tuple[str, int], ...]  # (classification, ships)
    ship_count: int
    badges: tuple[tuple[str, str], ...]  # (text, badge tone)


def fleet_lines(scenario: Scenario, view: View) -> tuple[FleetLine, ...]:
    """Return the viewer's fleets, sorted by place."""
    classes = ship_classes(scenario)
    ships_of = ships_by_fleet(view.ships)
    places = {system.hex: system.name for system in scenario.systems}
    lines = []
    for fleet in view.fleets:
        ships = ships_of.get(fleet.key, [])
        lines.append(
            FleetLine(
                key=fleet.key,
                name=fleet.name,
                hex=fleet.hex,
                place=places.get(fleet.hex, phrase("open space")),
                ship_counts=count_by_classification(classes, ships),
                ship_count=len(ships),
                badges=_fleet_badges(scenario, view, fleet, ships),
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

    def sort_key(kind: str) -> tuple[int, str]:
        rank = CLASSIFICATION_ORDER.index(kind) if kind in CLASSIFICATION_ORDER else OTHER_RANK
        return rank, kind

    return tuple((kind, counts[kind]) for kind in sorted(counts, key=sort_key))


def _fleet_badges(
    scenario: Scenario, view: View, fleet: Fleet, ships: Sequence[Ship]
) -> tuple[tuple[str, str], ...]:
    """Return the badges that describe a fleet and its ships: (text, tone of the badge)."""
    return (
        *_fleet_state_badges(scenario, view, fleet),
        *_ship_count_badges(ships),
        *_decoy_badges(fleet),
    )


def _fleet_state_badges(scenario: Scenario, view: View, fleet: Fleet) -> list[tuple[str, str]]:
    """Return badges for battles, contacts and movement of the whole fleet."""
    badges = []
    if fleet.hex in view.fighting:
        badges.append((phrase("in battle"), "bad"))
    if fleet.in_ftl:
        badges.append((phrase("in FTL space"), "info"))
    if departure := departure_words(scenario, view, fleet):
        badges.append((departure, "warm"))
    if has_contact_at(view, fleet.hex) and not fleet.in_ftl:
        badges.append((phrase("in contact"), "warm"))
    return badges


def _ship_count_badges(ships: Sequence[Ship]) -> list[tuple[str, str]]:
    """Return badges that count the ships that are not simply ready."""
    badges = []
    if docked_count := sum(ship.docked for ship in ships):
        badges.append((phrase("{} docked", docked_count), "quiet"))
    if towed_count := sum(bool(ship.tug) for ship in ships):
        badges.append((phrase("{} in tow", towed_count), "quiet"))
    if laid_up_count := sum(ship.laid_up for ship in ships):
        badges.append((phrase("{} laid up", laid_up_count), "warm"))
    if damaged_count := sum(bool(ship.damage or ship.lost) for ship in ships):
        badges.append((phrase("{} damaged", damaged_count), "bad"))
    return badges


def _decoy_badges(fleet: Fleet) -> list[tuple[str, str]]:
    """Return a badge with the fleet's decoys, aboard and deployed, if it has any."""
    if not fleet.decoys and not fleet.decoys_out:
        return []
    decoys = counted_noun(fleet.decoys, "decoy")
    if fleet.decoys_out:
        decoys = phrase("{}, {} deployed", decoys, fleet.decoys_out)
    return [(decoys, "quiet")]


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
    badges: tuple[tuple[str, str], ...]  # (text, badge tone)
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


@dataclass(frozen=True, slots=True)
class ShipLineInputs:
    """What the lines of all ships in a view are made from."""

    scenario: Scenario
    view: View
    classes: Mapping[str, ShipClass]  # by name
    own_bases: tuple[tuple[str, Facility], ...]  # (system name, facility)


def _ship_line_inputs(scenario: Scenario, view: View) -> ShipLineInputs:
    """Collect what the lines of a view's ships are made from."""
    return ShipLineInputs(scenario, view, ship_classes(scenario), _own_bases(scenario, view))


def fleets_of(scenario: Scenario, view: View) -> tuple[FleetShips, ...]:
    """Return the viewer's fleets with all their ships."""
    inputs = _ship_line_inputs(scenario, view)
    ships_of = ships_by_fleet(view.ships)
    fleets = {fleet.key: fleet for fleet in view.fleets}
    result = []
    for line in fleet_lines(scenario, view):
        base = base_for(scenario, view, fleets[line.key])
        ships = [_ship_line(inputs, ship, base) for ship in ships_of.get(line.key, [])]
        # The sort is stable, so equal ships keep their order
        ships.sort(key=lambda ship: (-ship.mass, ship.cls))
        base_name = "" if base is None else base.kind.replace("-", " ")
        result.append(FleetShips(line, base_name, tuple(ships)))
    return tuple(result)


def ship_line(scenario: Scenario, view: View, ship: Ship) -> ShipLine:
    """Return the row of one of the viewer's ships."""
    fleet = next(fleet for fleet in view.fleets if fleet.key == ship.fleet)
    base = base_for(scenario, view, fleet)
    return _ship_line(_ship_line_inputs(scenario, view), ship, base)


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
    before = ships[at - 1] if at else None
    after = ships[at + 1] if at + 1 < len(ships) else None
    return before, after


def _ship_line(inputs: ShipLineInputs, ship: Ship, base: Facility | None) -> ShipLine:
    """Return the row of a ship.

    Args:
        base: The base that serves the ship's fleet.
    """
    scenario, view = inputs.scenario, inputs.view
    cls = inputs.classes[ship.cls]
    stock_left = []
    for system, amount in ship.stock:
        if holder_of(system) not in ship.lost:
            stock_left.append(stock_words(system, amount))
    if view.result is None:
        repair_text = _repair_text(cls, ship, base, inputs.own_bases)
    else:
        repair_text = ""  # the war is over
    return ShipLine(
        key=ship.key,
        name=ship.name,
        cls=phrase(short_class_name(ship.cls)),
        class_name=class_name(scenario, view.faction, ship.cls),
        classification=cls.classification,
        mass=cls.mass,
        damage=ship.damage,
        hull_boxes=cls.damage_points,
        hull=ship_strip(scenario, cls, ship),
        lost_systems=_system_lines(ship.lost),
        stock_left=tuple(stock_left),
        cargo=cargo_words(ship.cargo),
        badges=(*_ship_state_badges(inputs, ship), *_ship_note_badges(ship)),
        repair_text=repair_text,
        is_laid_up=ship.laid_up,
        settings=tuple(
            phrase("{}: {}", system_words(system), setting) for system, setting in ship.settings
        ),
        points=cls.points,
        thrust=cls.thrust,
        has_ftl=cls.ftl,
    )


def _ship_state_badges(inputs: ShipLineInputs, ship: Ship) -> list[tuple[str, str]]:
    """Return badges for docking, towing and jumping: (text, tone of the badge)."""
    badges = []
    if ship.station:
        badges.append((phrase("station"), "info"))
    if ship.docked:
        badges.append((phrase("docked"), "quiet"))
    if ship.laid_up:
        badges.append((phrase("laid up: cannot fight"), "warm"))
    if ship.tug:
        badges.append((phrase("in tow of {}", _ship_name(inputs.view, ship.tug)), "info"))
    cls = inputs.classes[ship.cls]
    if cls.transport_capacities():
        towed_mass = 0
        for own_ship in inputs.view.ships:
            if own_ship.tug == ship.key:
                towed_mass += inputs.classes[own_ship.cls].mass
        words = phrase("tows MASS {} of {}", towed_mass, cls.transport_capacity)
        badges.append((words, "quiet"))
    if "ftl" in ship.lost:
        badges.append((phrase("cannot jump"), "warm"))
    return badges


def _ship_name(view: View, key: str) -> str:
    """Return the name of one of the viewer's ships, or its key if it is not in the view."""
    return next((ship.name for ship in view.ships if ship.key == key), key)


def _ship_note_badges(ship: Ship) -> list[tuple[str, str]]:
    """Return badges for what earlier battles left on the ship: problems first, then pilots."""
    problems = [(_note_words(note), "bad") for note in ship.notes]
    pilots = [(_pilot_words(note), "info") for note in ship.notes]
    return [badge for badge in problems + pilots if badge[0]]


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
        group_key = ship if ship.needs_base else replace(ship, key="", name="")
        groups.setdefault(group_key, []).append(ship)
    cards = []
    for group in groups.values():
        sorted_ships = sorted(group, key=lambda ship: _natural_sort_key(ship.name))
        cards.append(ShipCard(group[0], tuple(map(_key_and_name_parts, sorted_ships))))
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
    for note in ship.notes:
        for words in (_note_words(note), _pilot_words(note)):
            if words:
                remarks.append(words)
    for system, setting in ship.settings:
        remarks.append(phrase("{}: {}", system_words(system), setting))
    if ship.laid_up:
        remarks.append(phrase("laid up: cannot fight"))
    return tuple(capitalize_first(words) for words in remarks)


def _note_words(note: tuple[str, int]) -> str:
    """Return in words a problem that an earlier battle left on the ship, "" for any other note.

    Rules: Continuum "Core systems" 10.3 [pc.core-systems]

    Args:
        note: The name of the problem, and for how many turns of battle it lasts.
    """
    name, value = note
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


def _pilot_words(note: tuple[str, int]) -> str:
    """Return that the pilots of a bay proved to be aces or turkeys, "" for any other note.

    Rules: Continuum 8.18 [pc.aces]

    Args:
        note: "pilots:" with the bay, and the place of the pilots' quality in `PILOTS`.
    """
    name, _, bay = note[0].partition(":")
    if name != "pilots":
        return ""
    pilots = PILOTS[note[1]]
    if pilots in (ACE, TURKEY):
        return phrase("{}: {}", system_words(bay), Pilots.label_of(pilots))
    return ""


def _repair_text(
    cls: ShipClass, ship: Ship, base: Facility | None, own_bases: tuple[tuple[str, Facility], ...]
) -> str:
    """Return what can be done for a damaged or depleted ship, and where.

    Args:
        base: The base that serves the ship's fleet.
        own_bases: (system name, facility) of all bases of the viewer's side.
    """
    if not _is_damaged(ship) and not ship.stock:
        return ""
    if ship.station:
        return phrase("A working base in its system repairs a station every week.")
    remedies = [] if base is None else _remedies_at(base, cls, ship)
    if base is not None and remedies:
        return phrase(
            "The {} here can help: {}. Order it to dock there.",
            base.kind.replace("-", " "),
            join_phrases(", ", remedies),
        )
    places = []
    for name, facility in own_bases:
        if _is_damaged(ship):
            can_help = can_repair(facility, cls)
        else:
            can_help = _can_restock(facility, ship)
        if can_help:
            places.append(name)
    if not places:
        return phrase("You know of no base on your side that can help it.")
    return phrase(
        "Can be {} at {}.",
        phrase("repaired") if _is_damaged(ship) else phrase("replenished"),
        join_phrases(", ", places),
    )


def _is_damaged(ship: Ship) -> bool:
    """Return whether a dock could repair anything on the ship."""
    return bool(ship.damage or ship.lost or ship.laid_up)


def _can_restock(base: Facility, ship: Ship) -> bool:
    """Return whether a base could replenish any of the ship's stock."""
    return remaining_shortages(base, ship) != ship.stock


def _remedies_at(base: Facility, cls: ShipClass, ship: Ship) -> list[str]:
    """Return in words what a base can do for a ship; empty if it can do nothing."""
    remedies = []
    if _is_damaged(ship) and can_repair(base, cls):
        remedies.append(phrase("a week in dock repairs the hull and up to {} systems", MAX_REPAIRS))
        if ship.laid_up:
            remedies.append(phrase("makes it fit for service"))
    if _can_restock(base, ship):
        if base.fighters:
            remedies.append(phrase("it can be replenished"))
        else:
            remedies.append(phrase("it can be replenished, except fighters"))
    return remedies


def _own_bases(scenario: Scenario, view: View) -> tuple[tuple[str, Facility], ...]:
    """Return (system name, facility) of the bases the viewer's side holds, as far as it knows."""
    side = side_of(scenario, view.faction)
    held_systems = set()
    for system_state in view.systems:
        if system_state.holder in side and system_state.state == "held":
            held_systems.add(system_state.system)
    classes = ship_classes(scenario)
    stations = known_stations(view)
    bases: list[tuple[str, Facility]] = []
    for system in scenario.systems:
        facility = facility_of(classes, system, stations, side)
        if facility is not None and system.id in held_systems:
            bases.append((system.name, facility))
    return tuple(bases)


def _system_lines(systems: tuple[str, ...]) -> tuple[str, ...]:
    """Return lost systems in words. A drive listed twice is lost, once is halved."""
    counts = Counter(systems)
    return tuple(_system_line(system, count) for system, count in counts.items())


def _system_line(system: str, count: int) -> str:
    """Return a system in words, given how many times a ship lost it."""
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
    is_fighting: bool  # the faction has a battle this week
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
        listed = DAMAGED
    else:
        listed = ALL
    page_key = (
        str(campaign.public_id),
        campaign.scenario.sha256,
        "" if faction is None else faction.key,
        sight_now.etag,
        listed,
    )
    shared = tabs(viewer, "ships")

    def page() -> HttpResponse:
        scenario = with_known_designs(scenario_of(campaign), sight_now.view)
        data = _page_data(viewer, scenario, sight_now.view, listed)
        return show(request, "ships", data=data, listed=listed, **shared)

    return if_changed(request, (*page_key, *tabs_key(shared)), page)


def _page_data(viewer: Viewer, scenario: Scenario, view: View, listed: str) -> ShipsPageData:
    """Return the page data of the ships in a view.

    Args:
        listed: Which ships to list: `ALL`, or `DAMAGED` for those that a base could help.
    """
    fleets = fleets_of(scenario, view)
    fleet_rows = []
    for fleet in fleets:
        cards = ship_cards(ship for ship in fleet.ships if listed == ALL or ship.needs_base)
        if cards:
            fleet_rows.append((fleet.fleet, cards, _points(fleet.ships)))
    fleet_context = {
        "fleet_rows": fleet_rows,
        "c": viewer.campaign.public_id,
        "on_map": not viewer.campaign.ruleset.get("single"),
        "seat": seats(scenario).get(view.faction, 0),
    }
    return ShipsPageData(
        ship_count=sum(len(fleet.ships) for fleet in fleets),
        points=sum(_points(fleet.ships) for fleet in fleets),
        fleet_count=len(fleets),
        damaged_count=sum(ship.needs_base for fleet in fleets for ship in fleet.ships),
        is_fighting=bool(view.fighting),
        fleets_html=render_to_string("campaign/ships_in_service.html", fleet_context),
        losses_html=render_to_string(
            "campaign/ships_lost.html", fleet_context | {"losses": _losses(scenario, view)}
        ),
    )


def _points(ships: Iterable[ShipLine]) -> int:
    return sum(ship.points for ship in ships)


@dataclass(frozen=True, slots=True)
class Losses:
    """Ships lost in one week at one place."""

    week: int
    place: str
    ships: tuple[tuple[LostShip, str, str], ...]  # (ship, short class name, classification)


def _losses(scenario: Scenario, view: View) -> list[Losses]:
    """Return all losses by week and place, newest first."""
    places = {system.hex: system.name for system in scenario.systems}
    classes = ship_classes(scenario)
    losses_in_order = sorted(view.losses, key=_loss_sort_key)
    result = []
    for (week, hex_), losses in groupby(losses_in_order, key=_loss_sort_key):
        ships = []
        for loss in losses:
            classification = classes[loss.cls].classification if loss.cls in classes else ""
            ships.append((loss, phrase(short_class_name(loss.cls)), classification))
        result.append(Losses(week, places.get(hex_, phrase("hex {}", hex_)), tuple(ships)))
    result.reverse()
    return result


def _loss_sort_key(loss: LostShip) -> tuple[int, str]:
    """Sort and group losses by week and place."""
    return loss.week, loss.hex


urlpatterns: list[URLPattern | URLResolver] = [path("c/<uuid:c>/ships/", ships, name="ships")]
