"""A ship's history: its orders and what happened to it, stage by stage, as its owner knows.

Pure functions of the owner's own views, sealed orders and battles. Stages without events for the
ship are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from campaign.forms.week.orders_words import orders_words
from campaign.kinds import StageKind, words_of
from campaign.orders.detach import DETACH
from campaign.orders.registry import ORDERS, stored_items
from campaign.rules.queries import ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.view import Fleet, Ship, View
from campaign.sight.reports import BattleSummary
from campaign.words.common import battle_words, loss_words, place_words
from campaign.words.notices import lines_of
from engine.core.phrase import join_phrases, phrase
from engine.english import capitalize_first, counted_noun, system_words

KINDS = words_of(StageKind)


@dataclass(frozen=True, slots=True)
class PastStage:
    """A resolved stage: the faction's views before and after, its sealed orders and its battles."""

    week: int
    kind: str
    before: View
    after: View
    orders: Mapping[str, Any] | None
    battles: tuple[BattleSummary, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A stage in a ship's history."""

    title: str
    orders: tuple[str, ...]
    events: tuple[str, ...]
    battles: tuple[tuple[str, str], ...]  # (id, what and where) of each battle


def orders_about(
    scenario: Scenario, view: View, key: str, payload: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return the lines of a week's orders that concern a ship or its fleet."""
    ship = find_ship(view, key)
    if ship is None:
        return ()
    fleets = DETACH.fleets_joined(payload, key) or [ship.fleet]
    orders_by_part = {}
    for order in ORDERS:
        orders_by_part[order.key] = order.about_ship(stored_items(payload, order), key, fleets)
    orders_by_part = {part: items for part, items in orders_by_part.items() if items}
    if orders_by_part:
        return orders_words(scenario, view, orders_by_part)
    return ()


def find_ship(view: View, key: str) -> Ship | None:
    """Return a ship of the faction by key, or None."""
    return next((ship for ship in view.ships if ship.key == key), None)


def chapters(scenario: Scenario, key: str, stages: Iterable[PastStage]) -> tuple[Chapter, ...]:
    """Return the history of a ship in stage order."""
    result = []
    for stage in stages:
        ordered = orders_about(scenario, stage.before, key, stage.orders) if stage.orders else ()
        event_lines = tuple(_event_lines(scenario, key, stage))
        battles = _battles(scenario, key, stage)
        if ordered or event_lines or battles:
            title = phrase(KINDS[stage.kind])
            if stage.kind != StageKind.DEPLOY and not is_skirmish(scenario):
                title = phrase("Week {}, {}", stage.week, title)
            result.append(Chapter(capitalize_first(title), ordered, event_lines, battles))
    return tuple(result)


def _battles(scenario: Scenario, key: str, stage: PastStage) -> tuple[tuple[str, str], ...]:
    """Return the battles in the ship's hex, unless it was unable to fight."""
    ship = find_ship(stage.before, key)
    fleet = None if ship is None or ship.is_helpless else _fleet(stage.before, ship)
    battles: list[tuple[str, str]] = []
    for battle in stage.battles:
        if fleet and battle.hex == fleet.hex:
            battles.append((battle.id, battle_words(scenario, battle.hex)))
    return tuple(battles)


def _fleet(view: View, ship: Ship) -> Fleet | None:
    return next((fleet for fleet in view.fleets if fleet.key == ship.fleet), None)


def _event_lines(scenario: Scenario, key: str, stage: PastStage) -> Iterator[str]:
    """Yield sentences about what happened to the ship in a stage."""
    before = find_ship(stage.before, key)
    after = find_ship(stage.after, key)
    last = after or before
    if last is None:
        return
    ship_notices = [
        notice for notice in stage.after.notices if dict(notice.facts).get("ship") == last.name
    ]
    notice_lines = [line.words for line in lines_of(scenario, stage.after.faction, ship_notices)]
    if after is None:
        yield from notice_lines or _loss_lines(scenario, last, stage)
        return
    yield from _movement_lines(scenario, before, after, stage)
    if before is not None:
        boxes = ship_classes(scenario)[after.cls].damage_points
        if before.damage != after.damage:
            verb = phrase("Takes") if after.damage > before.damage else phrase("Repairs")
            points = counted_noun(abs(after.damage - before.damage), "point")
            yield phrase(
                "{} {} of damage: {} of {} boxes left.", verb, points, boxes - after.damage, boxes
            )
        systems_lost = Counter(after.lost) - Counter(before.lost)
        systems_repaired = Counter(before.lost) - Counter(after.lost)
        if systems_lost:
            yield phrase("Loses {}.", _systems(systems_lost))
        if systems_repaired and not notice_lines:
            yield phrase("Repaired: {}.", _systems(systems_repaired))
    yield from notice_lines


def _movement_lines(
    scenario: Scenario, before: Ship | None, after: Ship, stage: PastStage
) -> Iterator[str]:
    """Yield sentences about the ship's movement and its fleet."""
    now = _fleet(stage.after, after)
    if now is None:
        return
    then = _fleet(stage.before, before) if before is not None else None
    place = place_words(scenario, now.hex)
    if before is None or then is None:
        yield phrase("Joins {} at {}.", now.name, place)
        return
    if then.hex != now.hex:
        yield phrase("From {} to {}.", place_words(scenario, then.hex), place)
    if before.fleet != after.fleet:
        yield phrase("Joins {}.", now.name)
    if after.docked and not before.docked:
        yield phrase("Docks.")
    if after.laid_up and not before.laid_up:
        yield phrase("Is laid up.")


def _loss_lines(scenario: Scenario, before: Ship, stage: PastStage) -> Iterator[str]:
    """Yield a sentence about how the ship was lost."""
    loss = next(
        (
            loss
            for loss in stage.after.losses
            if loss.name == before.name and loss.week == stage.week
        ),
        None,
    )
    yield (
        phrase("Is no longer yours.")
        if loss is None
        else phrase("Lost at {}: {}.", place_words(scenario, loss.hex), loss_words(loss.cause))
    )


def _systems(system_counts: Counter[str]) -> str:
    return join_phrases(
        ", ",
        (
            phrase("{} twice", system_words(system)) if count > 1 else system_words(system)
            for system, count in system_counts.items()
        ),
    )
