"""The deployment page: build fleets within their budgets, or take a ready-made force."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import path

from campaign.access import Viewer
from campaign.forms.faults import Faults, PageFault
from campaign.forms.field import Payload, number, text
from campaign.forms.week import week_fields as fields
from campaign.forms.week.dummy_form import deploy_dummies, deploy_dummies_payload
from campaign.forms.week.order_parts import doctrine_fields, items
from campaign.forms.week.week_payload import doctrine_of
from campaign.orders.deploy import deploy_anchor
from campaign.pages.entry_page import EntryState, WeekPage, week_page
from campaign.pages.week.deploy_data import deploy_data
from campaign.pages.week.deploy_library import LIBRARY_ACTION, add_from_library, library_rows
from campaign.rules.codec import as_list
from campaign.rules.designs import buildable_classes, building_faults
from campaign.rules.forces import fleet_cost, places_of
from campaign.rules.one_navy import deployment_warnings
from campaign.rules.orders import STANDARD
from campaign.rules.pilots import ACE_POINTS, count_aces, first_aces, piloted_bays
from campaign.rules.queries import (
    budget_name,
    budgets_of,
    class_name,
    ship_classes,
    short_class_name,
    with_classes,
)
from campaign.rules.scenario import ACES_BOUGHT, Budget, Scenario, ShipClass
from campaign.rules.skirmish import is_skirmish
from campaign.selectors.envelopes import Document, draft_of
from campaign.services.design_drafts import design_drafts_of, draft_classes
from campaign.services.dispositions import AS_LISTED, TITLES, presets_of
from campaign.store.documents import scenario_of
from campaign.web.battle_facts import battle_facts
from campaign.web.chart import Chart
from campaign.web.map_views import map_view_of
from campaign.web.war import War, player_page
from campaign.words.common import place_words
from engine.combat.unidentified import decoy_drives
from engine.core.cache import Cache
from engine.core.phrase import join_phrases, localize, phrase
from engine.design.restrictions import BARRED
from engine.english import KINDS, counted_noun, noun_for

BLANK_ROWS = 2  # empty rows after the classes of a fleet
MAX_FLEETS = 60  # that a form may have
MAX_ROWS = 40  # classes in a fleet
MAX_SHIPS = 99  # of one class in a fleet
ADD = "add"  # an action: with a budget, it adds an empty fleet
PRESET = "preset"  # an action: with a disposition's name, it replaces the whole force
PROPOSED = phrase("Nothing saved yet. If the stage closes before you seal, this force is deployed.")
NUMBERED_NAME = re.compile(r"(?P<class_name>.*) [0-9]+")
_preset_forces: Cache[tuple[str, str], dict[str, list[Any]]] = Cache(64)  # of published scenarios


@dataclass(frozen=True, slots=True)
class ClassChoice:
    """A class that a budget may buy, or could if it were not barred.

    Attributes:
        words: Its points and names, and why it is barred.
    """

    name: str
    words: str
    points: int
    classification: str
    is_barred: bool = False


@dataclass(frozen=True, slots=True)
class ClassRow:
    """Ships of one class in a fleet; an empty row has no class."""

    number: int  # row number in the form
    cls: str
    count: int | str
    names: str  # of the ships, separated by commas
    points: int


@dataclass(frozen=True, slots=True)
class FleetRow:
    """A fleet of the force."""

    number: int  # fleet number in the form
    id: str  # anchor on the page
    name: str
    budget: str
    hex: str
    rows: tuple[ClassRow, ...]
    ship_count: int
    points: int
    decoys: int | str
    decoy_thrust: int | str  # "" if the decoys fly as fast as the ships they pass for
    aces: int
    ace_places: int  # its groups of fighters with pilots
    standing_order: str
    doctrine: Mapping[str, Any]
    is_doctrine_changed: bool
    faults: tuple[PageFault, ...]


@dataclass(frozen=True, slots=True)
class BudgetPanel:
    """A budget with its spending and fleets, and what it may buy and where."""

    id: str
    title: str
    points: int
    points_spent: int
    is_over: bool  # more points are spent than it has
    percent: int  # of its points that are spent, at most 100
    ftl_rule: str  # "required", "none" or "any"
    places: tuple[tuple[str, str], ...]  # (hex, place in words)
    classes: tuple[tuple[str, tuple[ClassChoice, ...]], ...]  # by classification
    fleets: tuple[FleetRow, ...]

    @property
    def points_left(self) -> int:
        """The points that are not spent; negative if it is over."""
        return self.points - self.points_spent

    @property
    def is_unfinished(self) -> bool:
        """Whether it has a fault, or a fleet without ships."""
        return self.is_over or any(fleet.faults or not fleet.ship_count for fleet in self.fleets)


@dataclass(frozen=True, slots=True)
class ClassificationShare:
    """A classification's share of the force that can jump."""

    kind: str
    count: int
    is_over: bool  # more ships than the scenario allows

    @property
    def noun(self) -> str:
        """The classification as a noun that fits the count."""
        singular = KINDS.get(self.kind, self.kind)
        return noun_for(self.count, singular)


@dataclass(frozen=True, slots=True)
class Purchase:
    """Ships of one class that the form buys for a fleet, with the names the player gave."""

    cls: str
    count: int
    names: tuple[str, ...]


def deploy_payload(scenario: Scenario, faction: str, post: QueryDict) -> Payload:
    """Return the deployment in the form. The action `add` gives a budget one more, empty fleet."""
    fleet_numbers = _fleet_numbers(post)
    purchases_by_fleet = [_purchases(post, n) for n in fleet_numbers]
    used_names: set[str] = set()
    for purchases in purchases_by_fleet:
        for purchase in purchases:
            used_names.update(purchase.names)
    fleets = []
    classes = ship_classes(scenario)
    for n, purchases in zip(fleet_numbers, purchases_by_fleet, strict=True):
        ships = []
        for purchase in purchases:
            for name in _ship_names(scenario, faction, purchase, used_names):
                ships.append([purchase.cls, name])
        item = _fleet(post, n) | {"ships": ships}
        if pilots := first_aces(classes, ships, _count(fields.ACES.text(post, n))):
            item["pilots"] = pilots
        fleets.append(item)
    budget = budgets_of(scenario, faction).get(text(post, "add-budget"))
    if text(post, "action") == ADD and budget is not None:
        fleets.append(_empty_fleet(scenario, budget, fleets))
    return {"schema": 1, "deploy": fleets}


def _fleet_numbers(post: QueryDict) -> list[int]:
    """Return the numbers of the form's fleets, without those the player drops."""
    fleet_numbers = []
    for n in range(min(_count(text(post, "fleets")), MAX_FLEETS)):
        if fields.NAME.is_sent(post, n) and not fields.DROP.is_sent(post, n):
            fleet_numbers.append(n)
    return fleet_numbers


def _empty_fleet(scenario: Scenario, budget: Budget, fleets: Iterable[Payload]) -> Payload:
    """Return a new fleet without ships, at the first place where its budget may start."""
    places = places_of(scenario, budget)
    return {
        "name": _unused_name(
            localize(phrase("Fleet {}")), {str(fleet["name"]) for fleet in fleets}
        ),
        "budget": budget.id,
        "hex": places[0] if places else "",
        "ships": [],
    }


def _count(text_number: str) -> int:
    """Return a number that a player typed, 0 if it is negative or no number."""
    value = number(text_number)
    if isinstance(value, int):
        return max(0, value)
    return 0


def _fleet(post: QueryDict, n: int) -> Payload:
    """Return fleet number n of the form, without its ships."""
    item: Payload = {
        "name": fields.NAME.read(post, n),
        "budget": fields.BUDGET.read(post, n),
        "hex": fields.HEX.read(post, n),
    }
    decoys = fields.DECOYS.read(post, n)
    standing = fields.STANDING.read(post, n)
    if decoys:
        item["decoys"] = decoys
    if thrust := fields.FLEET_DECOY_THRUST.read(post, n):
        item["decoy_thrust"] = thrust
    if standing:
        item["standing"] = standing
    doctrine = doctrine_of(STANDARD, str(n), post)
    if doctrine is not None:
        item["doctrine"] = doctrine
    return item


def _purchases(post: QueryDict, n: int) -> list[Purchase]:
    """Return the rows of fleet number n that name a class and a count."""
    purchases = []
    for m in range(MAX_ROWS):
        cls = fields.CLASS.read(post, n, m)
        count = min(_count(fields.COUNT.text(post, n, m)), MAX_SHIPS)
        if cls and count:
            names_text = fields.SHIP_NAMES.read(post, n, m)
            names = [name.strip() for name in re.split(r"[,\r\n]", names_text)]
            purchases.append(Purchase(cls, count, tuple(filter(None, names))[:count]))
    return purchases


def _ship_names(
    scenario: Scenario, faction: str, purchase: Purchase, used_names: set[str]
) -> Iterable[str]:
    """Yield the ships' names: the given ones, then numbered class names of that navy.

    Numbered names of another class are replaced: the player chose another class for the row.

    Args:
        used_names: Names of ships of the force; the new ones are added.
    """
    navy_class = class_name(scenario, faction, purchase.cls)
    other_class_names = set()
    for other_class in scenario.catalogue:
        other_class_names.add(class_name(scenario, faction, other_class.name))
    other_class_names.discard(navy_class)
    kept_count = 0
    for name in purchase.names:
        numbered = NUMBERED_NAME.fullmatch(name)
        if numbered is None or numbered["class_name"] not in other_class_names:
            kept_count += 1
            yield name
    for _ in range(purchase.count - kept_count):
        name = _unused_name(f"{navy_class} {{}}", used_names)
        used_names.add(name)
        yield name


def _unused_name(pattern: str, used_names: set[str]) -> str:
    """Return the pattern with the lowest number that gives a new name."""
    n = 1
    while pattern.format(n) in used_names:
        n += 1
    return pattern.format(n)


def deploy_form(
    scenario: Scenario, faction: str, payload: Mapping[str, Any], faults: Faults
) -> tuple[tuple[BudgetPanel, ...], tuple[ClassificationShare, ...]]:
    """Return the budgets with their fleets, and each classification's share of jumping ships."""
    budgets = budgets_of(scenario, faction)
    first_budget = next(iter(budgets))
    fleets: dict[str, list[FleetRow]] = {budget: [] for budget in budgets}
    for n, item in enumerate(items(payload, "deploy")):
        row = _fleet_row(scenario, n, item, faults)
        fleets[row.budget if row.budget in budgets else first_budget].append(row)
    buildable = _buildable_classes(scenario, faction)
    panels = []
    for budget_id, budget in budgets.items():
        panels.append(_budget_panel(scenario, budget, buildable, tuple(fleets[budget_id])))
    return tuple(panels), _classification_shares(scenario, budgets, payload)


def _classification_shares(
    scenario: Scenario, budgets: Mapping[str, Budget], payload: Mapping[str, Any]
) -> tuple[ClassificationShare, ...]:
    """Return each classification's share of the ships of budgets that can jump."""
    counts: Counter[str] = Counter()
    for item in items(payload, "deploy"):
        budget = budgets.get(str(item.get("budget", "")))
        if budget is not None and budget.ftl != "none":
            counts.update(cls.classification for cls in _fleet_classes(scenario, item))
    limit_part, limit_whole = scenario.classification_limit
    shares = []
    for kind in ("capital", "cruiser", "escort"):
        is_over = counts[kind] * limit_whole > limit_part * counts.total()
        shares.append(ClassificationShare(kind, counts[kind], is_over))
    return tuple(shares)


def _fleet_classes(scenario: Scenario, item: Mapping[str, Any]) -> list[ShipClass]:
    """Return the class of each ship of a fleet, without classes that do not exist."""
    classes = ship_classes(scenario)
    fleet_classes: list[ShipClass] = []
    for ship in as_list(item.get("ships")):
        if isinstance(ship, list) and ship and str(ship[0]) in classes:
            fleet_classes.append(classes[str(ship[0])])
    return fleet_classes


def _fleet_row(scenario: Scenario, n: int, item: Mapping[str, Any], faults: Faults) -> FleetRow:
    """Return a fleet of a draft, which may have faults, as number n of the form."""
    decoys = item.get("decoys", 0)
    fleet_classes = _fleet_classes(scenario, item)
    doctrine, is_doctrine_changed = doctrine_fields(STANDARD, item)
    aces = count_aces(item.get("pilots"))
    return FleetRow(
        number=n,
        id=deploy_anchor(n),
        name=str(item.get("name", "")),
        budget=str(item.get("budget", "")),
        hex=str(item.get("hex", "")),
        rows=_class_rows(scenario, item),
        ship_count=len(fleet_classes),
        points=fleet_cost(scenario, fleet_classes, decoys if isinstance(decoys, int) else 0, aces),
        decoys=decoys,
        decoy_thrust=item.get("decoy_thrust") or "",
        aces=aces,
        ace_places=sum(len(piloted_bays(cls)) for cls in fleet_classes),
        standing_order=str(item.get("standing") or ""),
        doctrine=doctrine,
        is_doctrine_changed=is_doctrine_changed,
        faults=faults.at(deploy_anchor(n)),
    )


def _class_rows(scenario: Scenario, item: Mapping[str, Any]) -> tuple[ClassRow, ...]:
    """Return the rows of a fleet: its ships by class, then a few empty ones."""
    classes = ship_classes(scenario)
    names_by_class: dict[str, list[str]] = {}
    for ship in as_list(item.get("ships")):
        if isinstance(ship, list) and len(ship) == 2:
            cls, name = ship
            names_by_class.setdefault(str(cls), []).append(str(name))
    rows = []
    for m, (cls, names) in enumerate(names_by_class.items()):
        ship_points = classes[cls].points if cls in classes else 0
        rows.append(
            ClassRow(
                number=m,
                cls=cls,
                count=len(names),
                names=join_phrases(", ", names),
                points=len(names) * ship_points,
            )
        )
    for m in range(len(rows), min(len(rows) + BLANK_ROWS, MAX_ROWS)):
        rows.append(ClassRow(number=m, cls="", count="", names="", points=0))
    return tuple(rows)


def _buildable_classes(scenario: Scenario, faction: str) -> list[tuple[ShipClass, ClassChoice]]:
    """Return the classes that a faction can build, most expensive first.

    Classes that it could build if they were not barred are included.
    """
    result: list[tuple[ShipClass, ClassChoice]] = []
    for cls in sorted(scenario.catalogue, key=lambda cls: (-cls.points, cls.name)):
        faults = building_faults(scenario, faction, cls)
        choice = _class_choice(scenario, faction, cls)
        if not faults:
            result.append((cls, choice))
        elif all(fault.code == BARRED for fault in faults):
            words = phrase("{} ({})", choice.words, faults[0].message)
            result.append((cls, replace(choice, words=words, is_barred=True)))
    return result


def _budget_panel(
    scenario: Scenario,
    budget: Budget,
    buildable: Iterable[tuple[ShipClass, ClassChoice]],
    fleets: tuple[FleetRow, ...],
) -> BudgetPanel:
    """Return a budget with its fleets and those of the buildable classes that it may buy."""
    points_spent = sum(fleet.points for fleet in fleets)
    places = []
    for hex_ in places_of(scenario, budget):
        places.append((hex_, place_words(scenario, hex_)))
    return BudgetPanel(
        id=budget.id,
        title=budget_name(scenario, budget),
        points=budget.points,
        points_spent=points_spent,
        is_over=points_spent > budget.points,
        percent=min(100, points_spent * 100 // budget.points) if budget.points else 0,
        ftl_rule=budget.ftl,
        places=tuple(places),
        classes=_by_classification(choice for cls, choice in buildable if _may_buy(budget, cls)),
        fleets=fleets,
    )


def _by_classification(
    choices: Iterable[ClassChoice],
) -> tuple[tuple[str, tuple[ClassChoice, ...]], ...]:
    """Group classes by classification, in the given order."""
    groups: dict[str, list[ClassChoice]] = {}
    for choice in choices:
        groups.setdefault(choice.classification, []).append(choice)
    return tuple((kind, tuple(group)) for kind, group in groups.items())


def _may_buy(budget: Budget, cls: ShipClass) -> bool:
    """Return whether the budget allows ships with, or without, FTL drives like this class."""
    if budget.ftl == "any":
        return True
    return cls.ftl == (budget.ftl == "required")


def _class_choice(scenario: Scenario, faction: str, cls: ShipClass) -> ClassChoice:
    """Return a class with its points and its names: the navy's, and the one of the catalogue."""
    navy_name = class_name(scenario, faction, cls.name)
    catalogue_name = phrase(short_class_name(cls.name))
    name = navy_name
    if navy_name != catalogue_name:
        name = phrase("{} ({})", navy_name, catalogue_name)
    return ClassChoice(
        name=cls.name,
        words=phrase("{}: {}", counted_noun(cls.points, "point"), name),
        points=cls.points,
        classification=cls.classification,
    )


class DeployPage(WeekPage):
    """The deployment page."""

    kinds = ("deploy",)

    def __init__(self, request: HttpRequest, war: War, document: Document | None) -> None:
        super().__init__(request, war, document)
        if not war.faction.admiral:
            self.texts = replace(self.texts, unsaved=PROPOSED)

    def payload(self, post: QueryDict) -> Payload:
        """Return the deployment in the form, with the designs of the faction's own classes."""
        scenario, key = self.war.scenario, self.war.faction.key
        verb, _, name = text(post, "action").partition(" ")
        if verb == LIBRARY_ACTION:
            add_from_library(self.request, self.war.viewer.campaign, self.war.faction, name)
        own_classes = self._own_classes(self._draft_payload())
        preset = self._presets.get(name) if verb == PRESET else None
        payload: Payload
        if preset is None:
            payload = deploy_payload(with_classes(scenario, own_classes), key, post)
        else:
            payload = {"schema": 1, "deploy": preset}
        used_classes = set()
        for item in items(payload, "deploy"):
            for ship in item["ships"]:
                used_classes.add(str(ship[0]))
        designs = [cls.design for cls in own_classes if cls.name in used_classes]
        if designs:
            payload["designs"] = designs
        dummies = deploy_dummies_payload(scenario, key, post)
        if dummies:
            payload["dummies"] = dummies
        return payload

    def _draft_payload(self) -> Payload:
        """Return the stored draft, empty if there is none."""
        if self.war.stage is None:
            return {}
        draft = draft_of(self.war.stage, self.war.faction)
        return {} if draft is None else draft.payload

    def render_entry(self, entry: EntryState) -> HttpResponse:
        key = self.war.faction.key
        scenario = with_classes(self.war.scenario, self._own_classes(entry.shown_payload))
        self.war = replace(self.war, scenario=scenario)
        panels, shares = deploy_form(scenario, key, entry.payload, entry.faults)
        limit_part, limit_whole = scenario.classification_limit
        is_single_battle = is_skirmish(scenario)
        presets = []
        for name, force in self._presets.items():
            if name == AS_LISTED or not is_single_battle:
                presets.append({"id": name, "title": TITLES[name], "deploy": force})
        map_view = map_view_of(self.war, is_second_map=True)
        context = self.context(entry) | {
            "map": map_view,
            "battle_facts": battle_facts(scenario) if is_single_battle else [],
            "presets": presets,
            "data": self._script_data(entry, panels, presets, map_view.chart),
            "budgets": panels,
            "shares": shares,
            "limit": f"{limit_part}/{limit_whole}",
            "fleet_count": sum(len(panel.fleets) for panel in panels),
            "decoy_points": scenario.decoy_points,
            "decoys": scenario.decoys,
            "decoy_thrust": decoy_drives(scenario.edition),
            "ace_points": ACE_POINTS if scenario.aces == ACES_BOUGHT else 0,
            "navy_warnings": deployment_warnings(scenario, key, entry.payload),
            "new_fleet": {"doctrine": doctrine_fields(STANDARD, {})[0]},
            "dummies": deploy_dummies(scenario, key, entry.payload, entry.faults),
        }
        if not entry.sealed:
            context["library"] = library_rows(
                self.request, self.war.viewer.campaign, self.war.faction, scenario.edition
            )
        return render(self.request, "campaign/deploy.html", context, status=entry.status)

    def script_extras(self, payload: Payload, faults: Faults) -> dict[str, Any]:  # noqa: ARG002
        """Return the names that ships were given."""
        return {"deploy": payload["deploy"]}

    def _script_data(
        self,
        entry: EntryState,
        panels: Iterable[BudgetPanel],
        presets: Iterable[Payload],
        star_chart: Chart,
    ) -> dict[str, Any]:
        """Return the data for the page's scripts; more of it if the form can be edited."""
        titles = {panel.id: panel.title for panel in panels}
        classes_on_offer: dict[str, list[str]] = {panel.id: [] for panel in panels}
        if not entry.sealed:
            for panel in panels:
                for _, choices in panel.classes:
                    classes_on_offer[panel.id] += [choice.name for choice in choices]
        data = deploy_data(
            self.war.scenario,
            self.war.sight.view,
            entry.shown_payload,
            star_chart,
            titles=titles,
            classes_on_offer=classes_on_offer,
            presets=() if entry.sealed else presets,
        )
        faults = []
        for fault in entry.faults.all:
            faults.append({"anchor": fault.anchor, "subject": fault.subject, "words": fault.words})
        return data | {"faults": faults}

    @property
    def _presets(self) -> dict[str, list[Any]]:
        """The ready-made forces, from the published scenario alone."""
        campaign, key = self.war.viewer.campaign, self.war.faction.key

        def build_presets() -> dict[str, list[Any]]:
            return presets_of(scenario_of(campaign), key)

        return deepcopy(_preset_forces.get_or_make((campaign.scenario.sha256, key), build_presets))

    def _own_classes(self, payload: Payload) -> tuple[ShipClass, ...]:
        """Return the classes of the faction's own designs, with those of its deployment draft."""
        scenario, key = self.war.scenario, self.war.faction.key
        classes = draft_classes(
            scenario, key, design_drafts_of(self.war.viewer.campaign, self.war.faction)
        )
        for cls in buildable_classes(scenario, key, items(payload, "designs")):
            classes.setdefault(cls.name, cls)
        return tuple(classes[name] for name in sorted(classes))


@player_page
def deploy(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the deployment while it is open."""
    return week_page(request, viewer, DeployPage)


urlpatterns = [path("c/<str:c>/deploy/", deploy, name="deploy")]
