"""Force building and secret deployment: fleets within their budgets, or the scenario's list by one
click.
"""

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
from campaign.orders.order import listed
from campaign.pages.drafts import EntryShown, WeekPage, week_page
from campaign.pages.week.deploy_data import deploy_data
from campaign.pages.week.deploy_shelf import SHELF, shelf_rows, take_from_shelf
from campaign.rules.designs import designed, lacking
from campaign.rules.forces import fleet_cost, places_of
from campaign.rules.orders import STANDARD
from campaign.rules.queries import (
    budget_name,
    budgets_of,
    class_name,
    furnished,
    plain_class,
    ship_classes,
)
from campaign.rules.scenario import Budget, Scenario, ShipClass
from campaign.selectors.envelopes import Document, draft_of
from campaign.services.design_drafts import design_drafts_of, draft_classes
from campaign.services.dispositions import CALLED, presets_of
from campaign.store.documents import scenario_of
from campaign.web.chart import Chart
from campaign.web.drawn_map import drawn
from campaign.web.war import War, player_page
from campaign.words.sayings import place_words
from engine.core.cache import Cache
from engine.core.phrase import joined_phrases, phrase
from engine.english import KINDS, counted_noun, noun_for

BLANK_ROWS = 2
MOST_FLEETS, MOST_ROWS, MOST_SHIPS = 60, 40, 99
ADD = "add"
_beginnings: Cache[tuple[str, str], dict[str, list[Any]]] = Cache(64)  # of published scenarios
PRESET = "preset"  # an action: with a disposition's name, the whole force is that one


@dataclass(frozen=True, slots=True)
class ClassChoice:
    """A class that a budget may buy."""

    name: str
    words: str
    points: int
    classification: str


PROPOSED = phrase("Nothing saved yet. If you don't seal, this force is placed.")


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
    ships: int
    points: int
    decoys: int | str
    standing: str
    doctrine: Mapping[str, Any]
    doctrine_changed: bool
    faults: tuple[PageFault, ...]


@dataclass(frozen=True, slots=True)
class Purse:
    """A budget with what it has paid so far, its fleets, and what it may buy (by classification)
    and where.
    """

    id: str
    title: str
    points: int
    spent: int
    over: bool
    percent: int
    ftl: str
    places: tuple[tuple[str, str], ...]
    classes: tuple[tuple[str, tuple[ClassChoice, ...]], ...]
    fleets: tuple[FleetRow, ...]

    @property
    def left(self) -> int:
        return self.points - self.spent

    @property
    def unfinished(self) -> bool:
        """Whether something is wrong in it, or a fleet of it has no ships yet."""
        return self.over or any(fleet.faults or not fleet.ships for fleet in self.fleets)


@dataclass(frozen=True, slots=True)
class Share:
    """A classification's part of the force that may jump."""

    kind: str
    count: int
    over: bool

    @property
    def noun(self) -> str:
        one = KINDS.get(self.kind, self.kind)
        return noun_for(self.count, one)


def deploy_payload(scenario: Scenario, faction: str, posted: QueryDict) -> Payload:
    """The deployment in the form. A budget asked for by `add` gets one more fleet, still empty."""
    numbers = range(min(_count(text(posted, "fleets")), MOST_FLEETS))
    kept = [
        n for n in numbers if fields.NAME.is_sent(posted, n) and not fields.DROP.is_sent(posted, n)
    ]
    planned = [(_fleet(posted, n), list(_bought(posted, n))) for n in kept]
    taken = {name for _, bought in planned for _, _, names in bought for name in names}
    found = []
    for fleet, bought in planned:
        ships = [
            [cls, name]
            for cls, count, names in bought
            for name in _named(scenario, faction, cls, count, names, taken)
        ]
        found.append(fleet | {"ships": ships})
    budget = budgets_of(scenario, faction).get(text(posted, "add-budget"))
    if text(posted, "action") == ADD and budget is not None:
        places = places_of(scenario, budget)
        name = _free(phrase("Fleet {}"), {str(item["name"]) for item in found})
        found.append(
            {"name": name, "budget": budget.id, "hex": places[0] if places else "", "ships": []}
        )
    return {"schema": 1, "deploy": found}


def _count(given: str) -> int:
    value = number(given)
    return max(0, value) if isinstance(value, int) else 0


def _fleet(posted: QueryDict, n: int) -> Payload:
    item: Payload = {
        "name": fields.NAME.read(posted, n),
        "budget": fields.BUDGET.read(posted, n),
        "hex": fields.HEX.read(posted, n),
    }
    decoys = fields.DECOYS.read(posted, n)
    standing = fields.STANDING.read(posted, n)
    if decoys:
        item["decoys"] = decoys
    if standing:
        item["standing"] = standing
    doctrine = doctrine_of(STANDARD, str(n), posted)
    if doctrine is not None:
        item["doctrine"] = doctrine
    return item


def _bought(posted: QueryDict, n: int) -> Iterable[tuple[str, int, list[str]]]:
    for m in range(MOST_ROWS):
        cls = fields.CLASS.read(posted, n, m)
        count = min(_count(fields.COUNT.text(posted, n, m)), MOST_SHIPS)
        if cls and count:
            names = [
                name.strip() for name in re.split(r"[,\r\n]", fields.SHIP_NAMES.read(posted, n, m))
            ]
            yield cls, count, [name for name in names if name][:count]


def _named(
    scenario: Scenario, faction: str, cls: str, count: int, names: list[str], taken: set[str]
) -> Iterable[str]:
    """The ships' names: those given, then the class in that navy, numbered.

    Another class's numbers are not kept.
    """
    mine = class_name(scenario, faction, cls)
    others = {class_name(scenario, faction, other.name) for other in scenario.catalogue} - {mine}
    given = [
        name
        for name in names
        if re.sub(r" [0-9]+$", "", name) not in others or not re.search(r" [0-9]+$", name)
    ]
    yield from given
    for _ in range(count - len(given)):
        name = _free(f"{mine} {{}}", taken)
        taken.add(name)
        yield name


def _free(pattern: str, taken: set[str]) -> str:
    n = 1
    while pattern.format(n) in taken:
        n += 1
    return pattern.format(n)


def deploy_form(
    scenario: Scenario, faction: str, payload: Mapping[str, Any], faults: Faults
) -> tuple[tuple[Purse, ...], tuple[Share, ...]]:
    """The purses with their fleets, and each classification's share of the force that may jump."""
    classes = ship_classes(scenario)
    fleets: dict[str, list[FleetRow]] = {}
    kinds: Counter[str] = Counter()
    budgets = budgets_of(scenario, faction)
    for n, item in enumerate(items(payload, "deploy")):
        budget = str(item.get("budget", ""))
        fleets.setdefault(budget if budget in budgets else next(iter(budgets)), []).append(
            _planned(scenario, classes, n, item, faults)
        )
        if budget in budgets and budgets[budget].ftl != "none":
            kinds.update(classes[cls].classification for cls in _classes(item) if cls in classes)
    offered = _offered(scenario, faction)
    purses = tuple(
        _purse(scenario, budget, offered, tuple(fleets.get(key, ())))
        for key, budget in budgets.items()
    )
    (part, whole), total = scenario.classification_limit, sum(kinds.values())
    order = ("capital", "cruiser", "escort")
    shares = tuple(Share(kind, kinds[kind], kinds[kind] * whole > part * total) for kind in order)
    return purses, shares


def _classes(item: Mapping[str, Any]) -> list[str]:
    return [str(ship[0]) for ship in listed(item.get("ships")) if isinstance(ship, list) and ship]


def _planned(
    scenario: Scenario,
    classes: Mapping[str, ShipClass],
    n: int,
    item: Mapping[str, Any],
    faults: Faults,
) -> FleetRow:
    by_class: dict[str, list[str]] = {}
    for ship in listed(item.get("ships")):
        if isinstance(ship, list) and len(ship) == 2:
            by_class.setdefault(str(ship[0]), []).append(str(ship[1]))
    rows = [
        ClassRow(
            m,
            cls,
            len(names),
            joined_phrases(", ", names),
            len(names) * (classes[cls].points if cls in classes else 0),
        )
        for m, (cls, names) in enumerate(by_class.items())
    ]
    rows += [
        ClassRow(m, "", "", "", 0) for m in range(len(rows), min(len(rows) + BLANK_ROWS, MOST_ROWS))
    ]
    decoys = item.get("decoys", 0)
    known = [classes[cls] for cls in _classes(item) if cls in classes]
    doctrine, changed = doctrine_fields(STANDARD, item)
    return FleetRow(
        number=n,
        id=deploy_anchor(n),
        name=str(item.get("name", "")),
        budget=str(item.get("budget", "")),
        hex=str(item.get("hex", "")),
        rows=tuple(rows),
        ships=len(known),
        points=fleet_cost(scenario, known, decoys if isinstance(decoys, int) else 0),
        decoys=decoys,
        standing=str(item.get("standing") or ""),
        doctrine=doctrine,
        doctrine_changed=changed,
        faults=faults.at(deploy_anchor(n)),
    )


def _offered(scenario: Scenario, faction: str) -> list[tuple[ShipClass, ClassChoice]]:
    """The classes that a faction can build, those that cost most first."""
    return [
        (cls, _choice(scenario, faction, cls))
        for cls in sorted(scenario.catalogue, key=_by_cost)
        if not lacking(scenario, faction, cls)
    ]


def _purse(
    scenario: Scenario,
    budget: Budget,
    offered: Iterable[tuple[ShipClass, ClassChoice]],
    fleets: tuple[FleetRow, ...],
) -> Purse:
    spent = sum(fleet.points for fleet in fleets)
    return Purse(
        id=budget.id,
        title=budget_name(scenario, budget),
        points=budget.points,
        spent=spent,
        over=spent > budget.points,
        percent=min(100, spent * 100 // budget.points) if budget.points else 0,
        ftl=budget.ftl,
        places=tuple(
            (label, place_words(scenario, label)) for label in places_of(scenario, budget)
        ),
        classes=_grouped(choice for cls, choice in offered if _may(budget, cls)),
        fleets=fleets,
    )


def _grouped(choices: Iterable[ClassChoice]) -> tuple[tuple[str, tuple[ClassChoice, ...]], ...]:
    """Classes by their classification, in the order given."""
    found: dict[str, list[ClassChoice]] = {}
    for choice in choices:
        found.setdefault(choice.classification, []).append(choice)
    return tuple((kind, tuple(group)) for kind, group in found.items())


def _may(budget: Budget, cls: ShipClass) -> bool:
    return budget.ftl == "any" or cls.ftl == (budget.ftl == "required")


def _by_cost(cls: ShipClass) -> tuple[int, str]:
    return -cls.points, cls.name


def _choice(scenario: Scenario, faction: str, cls: ShipClass) -> ClassChoice:
    mine = class_name(scenario, faction, cls.name)
    plain = plain_class(cls.name)
    name = plain if mine == plain else phrase("{} ({})", mine, plain)
    return ClassChoice(
        cls.name,
        phrase("{}: {}", counted_noun(cls.points, "point"), name),
        cls.points,
        cls.classification,
    )


class DeployPage(WeekPage):
    """The deployment."""

    kinds = ("deploy",)

    def __init__(self, request: HttpRequest, war: War, document: Document | None) -> None:
        super().__init__(request, war, document)
        if not war.faction.admiral:
            self.says = replace(self.says, unsaved=PROPOSED)

    def payload(self, posted: QueryDict) -> Payload:
        """The deployment in the form, with the designs of the faction's own classes in it."""
        stage, scenario, key = self.war.stage, self.war.scenario, self.war.faction.key
        verb, _, name = text(posted, "action").partition(" ")
        if verb == SHELF:
            take_from_shelf(self.request, self.war.viewer.campaign, self.war.faction, name)
        draft = None if stage is None else draft_of(stage, self.war.faction)
        own = self._own_classes({} if draft is None else draft.payload)
        dummies = deploy_dummies_payload(scenario, key, posted)
        force = self._presets.get(name) if verb == PRESET else None
        given = furnished(scenario, own)
        payload: Payload = (
            deploy_payload(given, key, posted) if force is None else {"schema": 1, "deploy": force}
        )
        used = {str(ship[0]) for item in items(payload, "deploy") for ship in item["ships"]}
        designs = [cls.design for cls in own if cls.name in used]
        return (
            payload
            | ({"designs": designs} if designs else {})
            | ({"dummies": dummies} if dummies else {})
        )

    def drawn(self, entry: EntryShown) -> HttpResponse:
        key = self.war.faction.key
        self.war = replace(
            self.war, scenario=furnished(self.war.scenario, self._own_classes(entry.shown))
        )
        scenario = self.war.scenario
        purses, shares = deploy_form(scenario, key, entry.payload, entry.faults)
        part, whole = scenario.classification_limit
        presets = [
            {"id": name, "title": CALLED[name], "deploy": force}
            for name, force in self._presets.items()
        ]
        here = drawn(self.war, beside=True)
        context = self.context(entry) | {
            "map": here,
            "presets": presets,
            "data": self._data(entry, purses, presets, here.chart),
            "purses": purses,
            "shares": shares,
            "limit": f"{part}/{whole}",
            "fleets": sum(len(purse.fleets) for purse in purses),
            "decoy_points": scenario.decoy_points,
            "decoys": scenario.decoys,
            "blank": {"doctrine": doctrine_fields(STANDARD, {})[0]},
            "dummies": deploy_dummies(scenario, key, entry.payload, entry.faults),
        }
        if not entry.sealed:
            context["shelf"] = shelf_rows(
                self.request, self.war.viewer.campaign, self.war.faction, scenario.edition
            )
        return render(self.request, "campaign/deploy.html", context, status=entry.status)

    def told_beside(self, payload: Payload, faults: Faults) -> dict[str, Any]:  # noqa: ARG002
        """The names that ships were given."""
        return {"deploy": payload["deploy"]}

    def _data(
        self, entry: EntryShown, purses: Iterable[Purse], presets: Iterable[Payload], known: Chart
    ) -> dict[str, Any]:
        """What the scripts of the page are given: the force to look at, and where it is open, all
        to change it. `known`: the view's chart.
        """
        titles = {purse.id: purse.title for purse in purses}
        sold = {
            purse.id: [choice.name for _, group in purse.classes for choice in group]
            for purse in purses
        }
        view, changes = self.war.sight.view, not entry.sealed
        return {
            **deploy_data(
                self.war.scenario,
                view,
                entry.shown,
                titles,
                sold if changes else dict.fromkeys(sold, ()),
                presets if changes else (),
                known,
            ),
            "faults": [
                {"anchor": one.anchor, "subject": one.subject, "words": one.words}
                for one in entry.faults.all
            ],
        }

    @property
    def _presets(self) -> dict[str, list[Any]]:
        """The forces to begin with.

        They are made of what the scenario publishes, and of nothing that is drawn.
        """
        campaign, key = self.war.viewer.campaign, self.war.faction.key

        def made() -> dict[str, list[Any]]:
            return presets_of(scenario_of(campaign), key)

        return deepcopy(_beginnings.made((campaign.scenario.sha256, key), made))

    def _own_classes(self, payload: Payload) -> tuple[ShipClass, ...]:
        """The classes of the faction's own design: its drawings, and what its draft holds
        besides.
        """
        scenario, key = self.war.scenario, self.war.faction.key
        found = draft_classes(
            scenario, key, design_drafts_of(self.war.viewer.campaign, self.war.faction)
        )
        for cls in designed(scenario, key, items(payload, "designs")):
            found.setdefault(cls.name, cls)
        return tuple(found[name] for name in sorted(found))


@player_page
def deploy(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The deployment, while it is open."""
    return week_page(request, viewer, DeployPage)


urlpatterns = [path("c/<str:c>/deploy/", deploy, name="deploy")]
