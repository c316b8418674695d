"""Dummy counters in the forms of orders, with open markers: place, move and remove them."""

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
from campaign.rules.codec import as_list
from campaign.rules.markers import dummies_allowed, fleets_at_start, starting_places
from campaign.rules.orders import Orders
from campaign.rules.own_keys import page_id
from campaign.rules.queries import pending_entry_week
from campaign.rules.scenario import MAX_DUMMIES, Scenario
from campaign.rules.view import Fleet, View
from campaign.words.common import place_words
from engine.core.phrase import phrase

SLOTS = 3  # reserve counters offered at a time


@dataclass(frozen=True, slots=True)
class DummyBlock:
    """A dummy counter on the map."""

    key: str
    id: str
    name: str
    marker: int  # the number that other factions see
    hex: str
    place: str
    reach: str
    stuck_text: str  # why it cannot move, or empty
    to: str
    path: str
    is_removed: bool
    faults: tuple[PageFault, ...]


@dataclass(frozen=True, slots=True)
class DummySlot:
    """A reserve counter, with the place and move it has in the draft."""

    key: str
    id: str
    hex: str  # where it is placed
    to: str  # where it moves
    faults: tuple[PageFault, ...]


@dataclass(frozen=True, slots=True)
class DummyPart:
    """All of a faction's counters."""

    blocks: tuple[DummyBlock, ...]
    slots: tuple[DummySlot, ...]
    places: tuple[tuple[str, str], ...]  # (hex, label) where new ones can be placed
    reserve: int


def dummies_form(
    scenario: Scenario, view: View, payload: Mapping[str, Any], faults: Faults
) -> DummyPart | None:
    """Return the counters in a week's orders, or None with hidden movement."""
    if not scenario.open_play:
        return None
    draft = _Draft(
        scenario=scenario,
        view=view,
        moves={str(item.get("fleet")): item for item in items(payload, MOVE.key)},
        dummy_orders={str(item.get("dummy")): item for item in items(payload, DUMMY_ORDER.key)},
        faults=faults,
    )
    fleet_hexes = sorted({fleet.hex for fleet in view.fleets})
    return DummyPart(
        blocks=tuple(draft.block(dummy) for dummy in view.dummies),
        slots=tuple(draft.slot(key) for key in _free_keys(view)),
        places=tuple((label, place_words(scenario, label)) for label in fleet_hexes),
        reserve=view.reserve,
    )


@dataclass(frozen=True, slots=True)
class _Draft:
    """The part of a draft about counters: moves and dummy orders by key."""

    scenario: Scenario
    view: View
    moves: Mapping[str, Mapping[str, Any]]
    dummy_orders: Mapping[str, Mapping[str, Any]]
    faults: Faults

    def block(self, dummy: Fleet) -> DummyBlock:
        """Return a counter on the map with its orders."""
        entry_week = pending_entry_week(self.scenario, dummy, self.view.week)
        move = self.moves.get(dummy.key, {})
        element_id = page_id("fleet", dummy.key)
        if entry_week is None:
            reach = reach_options(self.scenario, dummy.hex)
            stuck_text = ""
        else:
            reach = ""
            stuck_text = phrase("enters the map in week {}", entry_week)
        return DummyBlock(
            key=dummy.key,
            id=element_id,
            name=dummy.name,
            marker=next((mark.code for mark in self.view.marks if mark.key == dummy.key), 0),
            hex=dummy.hex,
            place=place_words(self.scenario, dummy.hex),
            reach=reach,
            stuck_text=stuck_text,
            to=str(move.get("to", "")),
            path=" ".join(map(str, as_list(move.get("path")))),
            is_removed=self.dummy_orders.get(dummy.key, {}).get("remove") is True,
            faults=self.faults.at(element_id),
        )

    def slot(self, key: str) -> DummySlot:
        """Return a reserve counter with its place and move in the draft."""
        element_id = page_id("fleet", key)
        return DummySlot(
            key=key,
            id=element_id,
            hex=str(self.dummy_orders.get(key, {}).get("hex", "")),
            to=str(self.moves.get(key, {}).get("to", "")),
            faults=self.faults.at(element_id),
        )


def dummies_payload(view: View, post: QueryDict) -> list[Payload]:
    """Return the counters placed and removed in a week's form."""
    entries: list[Payload] = []
    for dummy in view.dummies:
        if REMOVE.is_sent(post, dummy.key):
            entries.append({"dummy": dummy.key, "remove": True})
    for key in _free_keys(view):
        if label := PLACE.read(post, key):
            entries.append({"dummy": key, "hex": label})
    return entries


def _free_keys(view: View) -> list[str]:
    """Return the keys of the next reserve counters, never used before."""
    last_number = 0
    for mark in view.marks:
        _, separator, number = mark.key.rpartition("/d")
        if separator and number.isdigit():
            last_number = max(last_number, int(number))
    slot_count = min(view.reserve, SLOTS)
    return [f"{view.faction}/d{last_number + place}" for place in range(1, slot_count + 1)]


# --- Deployment


@dataclass(frozen=True, slots=True)
class DummyPlaces:
    """Counters at deployment."""

    places: tuple[tuple[str, str, int], ...]  # (hex, label, count)
    allowed: int  # in all
    placed: int  # in all
    faults: tuple[PageFault, ...]
    ids: tuple[str, ...]  # elements that the faults point to


def deploy_dummies(
    scenario: Scenario, faction: str, payload: Mapping[str, Any], faults: Faults
) -> DummyPlaces | None:
    """Return the counters in a deployment draft by place, or None with hidden movement."""
    if not scenario.open_play:
        return None
    counts = Counter(str(item.get("hex")) for item in items(payload, DUMMY_ORDER.key))
    places = []
    for label in starting_places(scenario, faction):
        places.append((label, place_words(scenario, label), counts[label]))
    dummy_faults = []
    for fault in faults.all:
        if fault.where.removeprefix("orders.").startswith("dummies"):
            dummy_faults.append(fault)
    fleets = len(items(payload, DEPLOY.key)) or fleets_at_start(scenario, faction, Orders())
    return DummyPlaces(
        places=tuple(places),
        allowed=dummies_allowed(scenario, fleets),
        placed=sum(counts.values()),
        faults=tuple(dummy_faults),
        ids=tuple(sorted({fault.anchor for fault in dummy_faults if fault.anchor})),
    )


def deploy_dummies_payload(scenario: Scenario, faction: str, post: QueryDict) -> list[Payload]:
    """Return the counters in a deployment form, numbered place by place."""
    entries: list[Payload] = []
    if not scenario.open_play:
        return entries
    for label in starting_places(scenario, faction):
        submitted = DUMMIES.read(post, label)
        count = min(submitted, MAX_DUMMIES) if isinstance(submitted, int) else 0
        for _ in range(count):
            entries.append({"dummy": f"{faction}/d{len(entries) + 1}", "hex": label})
    return entries
