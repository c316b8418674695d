"""Dummy counters in the forms of orders, where markers are open: put down, moved, taken off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from campaign.forms.faults import Faults, PageFault
from campaign.forms.field import Payload
from campaign.forms.week.destinations import reach_options
from campaign.forms.week.order_parts import items
from campaign.forms.week.week_fields import DUMMIES, PLACE, REMOVE
from campaign.orders.deploy import DEPLOY
from campaign.orders.dummies import DUMMIES as DUMMY_ORDER
from campaign.orders.move import MOVE
from campaign.orders.order import as_list
from campaign.rules.markers import dummies_allowed, fleets_at_start, starting_places
from campaign.rules.orders import Orders
from campaign.rules.own_keys import page_id
from campaign.rules.queries import pending_entry_week
from campaign.rules.scenario import MOST_DUMMIES, Scenario
from campaign.rules.view import Fleet, View
from campaign.words.common import place_words
from engine.core.phrase import phrase

SLOTS = 3  # counters of the reserve that are offered at a time


@dataclass(frozen=True, slots=True)
class DummyBlock:
    """A dummy counter on the map.

    `marker`: the number others read; `stuck`: why it cannot move, or empty.
    """

    key: str
    id: str
    name: str
    marker: int
    hex: str
    place: str
    reach: str
    stuck_text: str
    to: str
    path: str
    is_removed: bool
    faults: tuple[PageFault, ...]


@dataclass(frozen=True, slots=True)
class DummySlot:
    """A counter of the reserve: where the draft puts it down, if anywhere, and where it goes
    then.
    """

    key: str
    id: str
    hex: str
    to: str
    faults: tuple[PageFault, ...]


@dataclass(frozen=True, slots=True)
class DummyPart:
    """All of a faction's counters. `places`: (hex, its words) where new ones may be put down."""

    blocks: tuple[DummyBlock, ...]
    slots: tuple[DummySlot, ...]
    places: tuple[tuple[str, str], ...]
    reserve: int


def dummies_form(
    scenario: Scenario, view: View, payload: Mapping[str, Any], faults: Faults
) -> DummyPart | None:
    """The counters in a week's orders; None where movement is hidden."""
    if not scenario.open_play:
        return None
    moves = {str(item.get("fleet")): item for item in items(payload, MOVE.key)}
    dummy_orders = {str(item.get("dummy")): item for item in items(payload, DUMMY_ORDER.key)}
    draft = _Draft(scenario, view, moves, dummy_orders, faults)
    here = sorted({fleet.hex for fleet in view.fleets})
    return DummyPart(
        blocks=tuple(draft.block(dummy) for dummy in view.dummies),
        slots=tuple(draft.slot(key) for key in _free_keys(view)),
        places=tuple((label, place_words(scenario, label)) for label in here),
        reserve=view.reserve,
    )


@dataclass(frozen=True, slots=True)
class _Draft:
    """What of a draft concerns counters: by key, their moves and what is ordered of themselves."""

    scenario: Scenario
    view: View
    moves: Mapping[str, Mapping[str, Any]]
    dummy_orders: Mapping[str, Mapping[str, Any]]
    faults: Faults

    def block(self, dummy: Fleet) -> DummyBlock:
        week, move = (
            pending_entry_week(self.scenario, dummy, self.view.week),
            self.moves.get(dummy.key, {}),
        )
        id_ = page_id("fleet", dummy.key)
        return DummyBlock(
            key=dummy.key,
            id=id_,
            name=dummy.name,
            marker=next((mark.code for mark in self.view.marks if mark.key == dummy.key), 0),
            hex=dummy.hex,
            place=place_words(self.scenario, dummy.hex),
            reach="" if week else reach_options(self.scenario, dummy.hex),
            stuck_text="" if week is None else phrase("enters the map in week {}", week),
            to=str(move.get("to", "")),
            path=" ".join(map(str, as_list(move.get("path")))),
            is_removed=self.dummy_orders.get(dummy.key, {}).get("remove") is True,
            faults=self.faults.at(id_),
        )

    def slot(self, key: str) -> DummySlot:
        at, to = (
            str(self.dummy_orders.get(key, {}).get("hex", "")),
            str(self.moves.get(key, {}).get("to", "")),
        )
        id_ = page_id("fleet", key)
        return DummySlot(key, id_, at, to, self.faults.at(id_))


def dummies_payload(view: View, post: QueryDict) -> list[Payload]:
    """The counters put down and taken off in the form of a week."""
    entries: list[Payload] = [
        {"dummy": dummy.key, "remove": True}
        for dummy in view.dummies
        if REMOVE.is_sent(post, dummy.key)
    ]
    for key in _free_keys(view):
        at = PLACE.read(post, key)
        if at:
            entries.append({"dummy": key, "hex": at})
    return entries


def _free_keys(view: View) -> list[str]:
    """The keys of the next counters of the reserve, never used before."""
    used = [mark.key.rpartition("/d")[2] for mark in view.marks if "/d" in mark.key]
    last = max((int(tail) for tail in used if tail.isdigit()), default=0)
    return [f"{view.faction}/d{last + n}" for n in range(1, min(view.reserve, SLOTS) + 1)]


# --- the deployment


@dataclass(frozen=True, slots=True)
class DummyPlaces:
    """Counters at the deployment: (hex, its words, how many), how many in all, and the ids their
    faults point to.
    """

    places: tuple[tuple[str, str, int], ...]
    allowed: int
    placed: int
    faults: tuple[PageFault, ...]
    ids: tuple[str, ...]


def deploy_dummies(
    scenario: Scenario, faction: str, payload: Mapping[str, Any], faults: Faults
) -> DummyPlaces | None:
    """The places where the draft of a deployment puts counters; None where movement is hidden."""
    if not scenario.open_play:
        return None
    counts = Counter(str(item.get("hex")) for item in items(payload, DUMMY_ORDER.key))
    dummy_faults = tuple(
        fault for fault in faults.all if fault.where.removeprefix("orders.").startswith("dummies")
    )
    fleets = len(items(payload, DEPLOY.key)) or fleets_at_start(scenario, faction, Orders())
    return DummyPlaces(
        tuple(
            (at, place_words(scenario, at), counts[at]) for at in starting_places(scenario, faction)
        ),
        dummies_allowed(scenario, fleets),
        sum(counts.values()),
        dummy_faults,
        tuple(sorted({fault.anchor for fault in dummy_faults if fault.anchor})),
    )


def deploy_dummies_payload(scenario: Scenario, faction: str, post: QueryDict) -> list[Payload]:
    """The counters in the form of a deployment, numbered place by place."""
    entries: list[Payload] = []
    if not scenario.open_play:
        return entries
    for at in starting_places(scenario, faction):
        count = DUMMIES.read(post, at)
        for _ in range(min(count, MOST_DUMMIES) if isinstance(count, int) else 0):
            entries.append({"dummy": f"{faction}/d{len(entries) + 1}", "hex": at})
    return entries
