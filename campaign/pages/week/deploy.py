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
from campaign.orders.order import as_list
from campaign.pages.entry_page import EntryState, WeekPage, week_page
from campaign.pages.week.deploy_data import deploy_data
from campaign.pages.week.deploy_library import LIBRARY_ACTION, add_from_library, library_rows
from campaign.rules.designs import buildable_classes, unavailable_technologies
from campaign.rules.forces import fleet_cost, places_of
from campaign.rules.orders import STANDARD
from campaign.rules.queries import (
    budget_name,
    budgets_of,
    class_name,
    ship_classes,
    short_class_name,
    with_classes,
)
from campaign.rules.scenario import Budget, Scenario, ShipClass
from campaign.selectors.envelopes import Document, draft_of
from campaign.services.design_drafts import design_drafts_of, draft_classes
from campaign.services.dispositions import TITLES, presets_of
from campaign.store.documents import scenario_of
from campaign.web.chart import Chart
from campaign.web.map_views import map_view_of
from campaign.web.war import War, player_page
from campaign.words.common import place_words
from engine.core.cache import Cache
from engine.core.phrase import join_phrases, phrase
from engine.english import KINDS, counted_noun, noun_for

BLANK_ROWS = 2
MOST_FLEETS, MOST_ROWS, MOST_SHIPS = 60, 40, 99
ADD = "add"
_preset_forces: Cache[tuple[str, str], dict[str, list[Any]]] = Cache(64)  # of published scenarios
PRESET = "preset"  # an action: with a disposition's name, it replaces the whole force


@dataclass(frozen=True, slots=True)
class ClassChoice:
    """A class that a budget may buy."""

    name: str
    words: str
    points: int
    classification: str


PROPOSED = phrase("Nothing saved yet. If you don't seal, this force is deployed.")


@dataclass(frozen=True, slots=True)
class ClassRow:
    """Ships of one class in a fleet."""

    number: int
    cls: str
    count: int | str
    names: str
    points: int


@dataclass(frozen=True, slots=True)
class FleetRow:
    """A fleet of the force."""

    number: int
    id: str
    name: str
    budget: str
    hex: str
    rows: tuple[ClassRow, ...]
    ship_count: int
    points: int
    decoys: int | str
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
    is_over: bool
    percent: int
    ftl_rule: str
    places: tuple[tuple[str, str], ...]
    classes: tuple[tuple[str, tuple[ClassChoice, ...]], ...]  # by classification
    fleets: tuple[FleetRow, ...]

    @property
    def points_left(self) -> int:
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
    is_over: bool

    @property
    def noun(self) -> str:
        singular = KINDS.get(self.kind, self.kind)
        return noun_for(self.count, singular)


def deploy_payload(scenario: Scenario, faction: str, post: QueryDict) -> Payload:
    """Return the deployment in the form. The action `add` gives a budget one more, empty fleet."""
    numbers = range(min(_count(text(post, "fleets")), MOST_FLEETS))
    fleet_numbers = []
    for n in numbers:
        if fields.NAME.is_sent(post, n) and not fields.DROP.is_sent(post, n):
            fleet_numbers.append(n)
    planned = [(_fleet(post, n), list(_purchases(post, n))) for n in fleet_numbers]
    used_names = {name for _, purchases in planned for _, _, names in purchases for name in names}
    fleets = []
    for fleet, purchases in planned:
        ships = [
            [cls, name]
            for cls, count, names in purchases
            for name in _ship_names(scenario, faction, cls, count, names, used_names)
        ]
        fleets.append(fleet | {"ships": ships})
    budget = budgets_of(scenario, faction).get(text(post, "add-budget"))
    if text(post, "action") == ADD and budget is not None:
        places = places_of(scenario, budget)
        name = _unused_name(phrase("Fleet {}"), {str(item["name"]) for item in fleets})
        fleets.append(
            {"name": name, "budget": budget.id, "hex": places[0] if places else "", "ships": []}
        )
    return {"schema": 1, "deploy": fleets}


def _count(text_number: str) -> int:
    value = number(text_number)
    if isinstance(value, int):
        return max(0, value)
    return 0


def _fleet(post: QueryDict, n: int) -> Payload:
    item: Payload = {
        "name": fields.NAME.read(post, n),
        "budget": fields.BUDGET.read(post, n),
        "hex": fields.HEX.read(post, n),
    }
    decoys = fields.DECOYS.read(post, n)
    standing = fields.STANDING.read(post, n)
    if decoys:
        item["decoys"] = decoys
    if standing:
        item["standing"] = standing
    doctrine = doctrine_of(STANDARD, str(n), post)
    if doctrine is not None:
        item["doctrine"] = doctrine
    return item


def _purchases(post: QueryDict, n: int) -> Iterable[tuple[str, int, list[str]]]:
    for m in range(MOST_ROWS):
        cls = fields.CLASS.read(post, n, m)
        count = min(_count(fields.COUNT.text(post, n, m)), MOST_SHIPS)
        if cls and count:
            names = []
            for name in re.split(r"[,\r\n]", fields.SHIP_NAMES.read(post, n, m)):
                names.append(name.strip())
            yield cls, count, [name for name in names if name][:count]


def _ship_names(
    scenario: Scenario, faction: str, cls: str, count: int, names: list[str], used_names: set[str]
) -> Iterable[str]:
    """Yield the ships' names: the given ones, then numbered class names of that navy.

    Numbered names of another class are replaced.
    """
    navy_class = class_name(scenario, faction, cls)
    other_class_names = {
        class_name(scenario, faction, other_class.name) for other_class in scenario.catalogue
    } - {navy_class}
    player_names = [
        name
        for name in names
        if re.sub(r" [0-9]+$", "", name) not in other_class_names
        or not re.search(r" [0-9]+$", name)
    ]
    yield from player_names
    for _ in range(count - len(player_names)):
        name = _unused_name(f"{navy_class} {{}}", used_names)
        used_names.add(name)
        yield name


def _unused_name(pattern: str, used_names: set[str]) -> str:
    n = 1
    while pattern.format(n) in used_names:
        n += 1
    return pattern.format(n)


def deploy_form(
    scenario: Scenario, faction: str, payload: Mapping[str, Any], faults: Faults
) -> tuple[tuple[BudgetPanel, ...], tuple[ClassificationShare, ...]]:
    """Return the budgets with their fleets, and each classification's share of jumping ships."""
    classes = ship_classes(scenario)
    fleets: dict[str, list[FleetRow]] = {}
    kinds: Counter[str] = Counter()
    budgets = budgets_of(scenario, faction)
    for n, item in enumerate(items(payload, "deploy")):
        budget = str(item.get("budget", ""))
        fleets.setdefault(budget if budget in budgets else next(iter(budgets)), []).append(
            _fleet_row(scenario, classes, n, item, faults)
        )
        if budget in budgets and budgets[budget].ftl != "none":
            kinds.update(classes[cls].classification for cls in _classes(item) if cls in classes)
    offered = _offered(scenario, faction)
    panels = tuple(
        _budget_panel(scenario, budget, offered, tuple(fleets.get(key, ())))
        for key, budget in budgets.items()
    )
    (limit_part, limit_whole), total = scenario.classification_limit, sum(kinds.values())
    order = ("capital", "cruiser", "escort")
    shares = tuple(
        ClassificationShare(kind, kinds[kind], kinds[kind] * limit_whole > limit_part * total)
        for kind in order
    )
    return panels, shares


def _classes(item: Mapping[str, Any]) -> list[str]:
    classes: list[str] = []
    for ship in as_list(item.get("ships")):
        if isinstance(ship, list) and ship:
            classes.append(str(ship[0]))
    return classes


def _fleet_row(
    scenario: Scenario,
    classes: Mapping[str, ShipClass],
    n: int,
    item: Mapping[str, Any],
    faults: Faults,
) -> FleetRow:
    by_class: dict[str, list[str]] = {}
    for ship in as_list(item.get("ships")):
        if isinstance(ship, list) and len(ship) == 2:
            by_class.setdefault(str(ship[0]), []).append(str(ship[1]))
    rows = []
    for m, (cls, names) in enumerate(by_class.items()):
        rows.append(
            ClassRow(
                m,
                cls,
                len(names),
                join_phrases(", ", names),
                len(names) * (classes[cls].points if cls in classes else 0),
            )
        )
    rows += [
        ClassRow(m, "", "", "", 0) for m in range(len(rows), min(len(rows) + BLANK_ROWS, MOST_ROWS))
    ]
    decoys = item.get("decoys", 0)
    fleet_classes = [classes[cls] for cls in _classes(item) if cls in classes]
    doctrine, changed = doctrine_fields(STANDARD, item)
    return FleetRow(
        number=n,
        id=deploy_anchor(n),
        name=str(item.get("name", "")),
        budget=str(item.get("budget", "")),
        hex=str(item.get("hex", "")),
        rows=tuple(rows),
        ship_count=len(fleet_classes),
        points=fleet_cost(scenario, fleet_classes, decoys if isinstance(decoys, int) else 0),
        decoys=decoys,
        standing_order=str(item.get("standing") or ""),
        doctrine=doctrine,
        is_doctrine_changed=changed,
        faults=faults.at(deploy_anchor(n)),
    )


def _offered(scenario: Scenario, faction: str) -> list[tuple[ShipClass, ClassChoice]]:
    """Return the classes that a faction can build, most expensive first."""
    result: list[tuple[ShipClass, ClassChoice]] = []
    for cls in sorted(scenario.catalogue, key=_by_cost):
        if not unavailable_technologies(scenario, faction, cls):
            result.append((cls, _choice(scenario, faction, cls)))
    return result


def _budget_panel(
    scenario: Scenario,
    budget: Budget,
    offered: Iterable[tuple[ShipClass, ClassChoice]],
    fleets: tuple[FleetRow, ...],
) -> BudgetPanel:
    points_spent = sum(fleet.points for fleet in fleets)
    places = []
    for label in places_of(scenario, budget):
        places.append((label, place_words(scenario, label)))
    return BudgetPanel(
        id=budget.id,
        title=budget_name(scenario, budget),
        points=budget.points,
        points_spent=points_spent,
        is_over=points_spent > budget.points,
        percent=min(100, points_spent * 100 // budget.points) if budget.points else 0,
        ftl_rule=budget.ftl,
        places=tuple(places),
        classes=_grouped(choice for cls, choice in offered if _may_buy(budget, cls)),
        fleets=fleets,
    )


def _grouped(choices: Iterable[ClassChoice]) -> tuple[tuple[str, tuple[ClassChoice, ...]], ...]:
    """Group classes by classification, in the given order."""
    groups: dict[str, list[ClassChoice]] = {}
    for choice in choices:
        groups.setdefault(choice.classification, []).append(choice)
    return tuple((kind, tuple(group)) for kind, group in groups.items())


def _may_buy(budget: Budget, cls: ShipClass) -> bool:
    return budget.ftl == "any" or cls.ftl == (budget.ftl == "required")


def _by_cost(cls: ShipClass) -> tuple[int, str]:
    return -cls.points, cls.name


def _choice(scenario: Scenario, faction: str, cls: ShipClass) -> ClassChoice:
    mine = class_name(scenario, faction, cls.name)
    plain = short_class_name(cls.name)
    if mine == plain:
        name = plain
    else:
        name = phrase("{} ({})", mine, plain)
    return ClassChoice(
        cls.name,
        phrase("{}: {}", counted_noun(cls.points, "point"), name),
        cls.points,
        cls.classification,
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
        stage, scenario, key = self.war.stage, self.war.scenario, self.war.faction.key
        verb, _, name = text(post, "action").partition(" ")
        if verb == LIBRARY_ACTION:
            add_from_library(self.request, self.war.viewer.campaign, self.war.faction, name)
        draft = None if stage is None else draft_of(stage, self.war.faction)
        own_classes = self._own_classes({} if draft is None else draft.payload)
        dummies = deploy_dummies_payload(scenario, key, post)
        force = self._presets.get(name) if verb == PRESET else None
        scenario_with_designs = with_classes(scenario, own_classes)
        payload: Payload
        if force is None:
            payload = deploy_payload(scenario_with_designs, key, post)
        else:
            payload = {"schema": 1, "deploy": force}
        used = set()
        for item in items(payload, "deploy"):
            for ship in item["ships"]:
                used.add(str(ship[0]))
        designs = [cls.design for cls in own_classes if cls.name in used]
        return (
            payload
            | ({"designs": designs} if designs else {})
            | ({"dummies": dummies} if dummies else {})
        )

    def render_entry(self, entry: EntryState) -> HttpResponse:
        key = self.war.faction.key
        self.war = replace(
            self.war,
            scenario=with_classes(self.war.scenario, self._own_classes(entry.shown_payload)),
        )
        scenario = self.war.scenario
        panels, shares = deploy_form(scenario, key, entry.payload, entry.faults)
        limit_part, limit_whole = scenario.classification_limit
        presets = []
        for name, force in self._presets.items():
            presets.append({"id": name, "title": TITLES[name], "deploy": force})
        map_view = map_view_of(self.war, is_second_map=True)
        context = self.context(entry) | {
            "map": map_view,
            "presets": presets,
            "data": self._script_data(entry, panels, presets, map_view.chart),
            "budgets": panels,
            "shares": shares,
            "limit": f"{limit_part}/{limit_whole}",
            "fleets": sum(len(panel.fleets) for panel in panels),
            "decoy_points": scenario.decoy_points,
            "decoys": scenario.decoys,
            "blank": {"doctrine": doctrine_fields(STANDARD, {})[0]},
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
        classes_on_offer = {}
        for panel in panels:
            classes_on_offer[panel.id] = [
                choice.name for _, group in panel.classes for choice in group
            ]
        view, changes = self.war.sight.view, not entry.sealed
        return {
            **deploy_data(
                self.war.scenario,
                view,
                entry.shown_payload,
                titles,
                classes_on_offer if changes else dict.fromkeys(classes_on_offer, ()),
                presets if changes else (),
                star_chart,
            ),
            "faults": [
                {"anchor": fault.anchor, "subject": fault.subject, "words": fault.words}
                for fault in entry.faults.all
            ],
        }

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
