"""Noninterference of open markers: what is behind one changes no byte of anybody's view."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from campaign.orders.validation import order_violations
from campaign.rules.perception import build_view
from campaign.rules.scenario import Scenario
from campaign.rules.view import Marker, Notice, View
from campaign.rules.world import World
from engine.core.errors import Violation
from tests.access.open_markers import with_open_markers
from tests.access.test_perceive import judge
from tests.access.two_worlds import Judge, Perceive, WorldPair, differences, two_worlds

pytestmark = pytest.mark.rule("camp.open-play")
PAIRS = 400
PLANTED = 60  # pairs in which an inserted leak must show


@cache
def seeds() -> tuple[int, ...]:
    """Return the pairs without shared sight, which would depend on fleets that markers move."""
    return tuple(
        seed for seed in range(PAIRS) if not two_worlds(seed, build_view).scenario.shared_sight
    )


def pair(seed: int) -> WorldPair:
    """Return the open pair of a seed."""
    return with_open_markers(random.Random(f"open {seed}"), two_worlds(seed, build_view))


def test_fleet_behind_a_marker_changes_no_byte_and_no_verdict() -> None:
    failures = {
        seed: difference
        for seed in seeds()
        if (difference := differences(pair(seed), build_view, judge))
    }
    assert failures == {}


def test_pairs_differ_behind_their_markers() -> None:
    differing, marker_count = 0, 0
    for seed in seeds()[:PLANTED]:
        two = pair(seed)
        real = [
            {mark.code for mark in w.marks if mark.key in {f.key for f in w.fleets}}
            for w in (two.a, two.b)
        ]
        differing += real[0] != real[1]
        marker_count += len(build_view(two.scenario, two.a, two.viewer, None, ()).markers)
    assert differing > PLANTED / 2
    assert marker_count > 5 * PLANTED


# --- inserted leaks


def _markers(world: World, keys: Sequence[str], was: dict[str, str]) -> tuple[Marker, ...]:
    codes = {mark.key: mark for mark in world.marks}
    counter_by_key = {counter.key: counter for counter in (*world.fleets, *world.dummies)}
    return tuple(
        Marker(
            counter_by_key[key].faction,
            codes[key].code,
            counter_by_key[key].hex,
            was.get(key, codes[key].previous_hex),
        )
        for key in keys
    )


def _leak_order(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Sort markers by key: dummies first."""
    return replace(
        build_view(s, w, f, p, n),
        markers=_markers(w, sorted(x.key for x in (*w.dummies, *w.fleets)), {}),
    )


def _leak_real(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Give markers to fleets only."""
    view = build_view(s, w, f, p, n)
    real = {
        (mark.key.partition("/")[0], mark.code)
        for mark in w.marks
        if mark.key in {x.key for x in w.fleets}
    }
    return replace(
        view,
        markers=tuple(marker for marker in view.markers if (marker.faction, marker.code) in real),
    )


def _leak_codes(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Number markers in the order in which fleets and dummies were created."""
    view = build_view(s, w, f, p, n)
    keys = sorted(x.key for x in (*w.fleets, *w.dummies))
    marks = _markers(w, keys, {})
    numbers = {(marker.faction, marker.code): place for place, marker in enumerate(marks)}
    return replace(
        view, markers=tuple(replace(m, code=numbers[m.faction, m.code]) for m in view.markers)
    )


def _leak_way(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Remember a fleet's earlier hexes; a dummy has none."""
    view = build_view(s, w, f, p, n)
    was = {fleet.key: fleet.back or fleet.hex for fleet in w.fleets}
    marks = _markers(w, sorted(x.key for x in (*w.fleets, *w.dummies)), was)
    return replace(
        view, markers=tuple(sorted(marks, key=lambda marker: (marker.faction, marker.code)))
    )


def _leak_ftl(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Give fleets in FTL space no marker."""
    return replace(
        build_view(s, w, f, p, n), markers=build_view(s, _without_ftl_fleets(w, f), f, p, n).markers
    )


def _without_ftl_fleets(w: World, f: str) -> World:
    return replace(
        w, fleets=tuple(fleet for fleet in w.fleets if fleet.faction == f or not fleet.in_ftl)
    )


def _leak_marks(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Show the list of numbers to everybody."""
    return replace(
        build_view(s, w, f, p, n), marks=tuple(sorted(w.marks, key=lambda mark: mark.key))
    )


def _leak_dummies(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Show the list of dummies to everybody."""
    return replace(
        build_view(s, w, f, p, n), dummies=tuple(sorted(w.dummies, key=lambda dummy: dummy.key))
    )


def _leak_reserve(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Count the reserves of all factions together."""
    return replace(build_view(s, w, f, p, n), reserve=sum(count for _, count in w.reserve))


def _leak_count(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Add a report that counts the dummies on the map."""
    return build_view(
        s, w, f, p, (*n, Notice(w.week, w.stage, "dummies", "", (("out", len(w.dummies)),)))
    )


def _leak_observers(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Let a dummy see what a fleet would."""
    manned = replace(w, fleets=(*w.fleets, *w.dummies))
    return replace(build_view(s, w, f, p, n), systems=build_view(s, manned, f, p, n).systems)


def _leak_verdict(
    scenario: Scenario, world: World, view: View, orders: object
) -> tuple[Violation, ...]:
    """Refuse a foreign marker differently from a missing one."""
    dummy_keys = {dummy.key for dummy in world.dummies}
    return tuple(
        replace(fault, message="that is not yours")
        if any(key in fault.message for key in dummy_keys)
        else fault
        for fault in order_violations(scenario, view, orders)  # type: ignore[arg-type]
    )


LEAKY_VIEWS: tuple[Perceive, ...] = (
    *(
        _leak_order,
        _leak_real,
        _leak_codes,
        _leak_way,
        _leak_ftl,
        _leak_marks,
        _leak_dummies,
        _leak_reserve,
    ),
    *(_leak_count, _leak_observers),
)


@pytest.mark.parametrize("leaky", LEAKY_VIEWS, ids=lambda leak: leak.__name__)
def test_planted_marker_leak_is_caught(leaky: Perceive) -> None:
    assert any("view" in differences(pair(seed), leaky, judge) for seed in seeds()[:PLANTED])


def test_planted_verdict_leak_is_caught() -> None:
    leaky: Judge = _leak_verdict
    assert any(
        "violations" in differences(pair(seed), build_view, leaky) for seed in seeds()[:PLANTED]
    )
