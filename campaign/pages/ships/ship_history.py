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
from campaign.rules.view import Fleet, LostShip, Ship, View
from campaign.sight.reports import BattleSummary
from campaign.words.common import battle_words, loss_words, place_words
from campaign.words.notices import lines_of
from engine.core.phrase import join_phrases, phrase
from engine.english import capitalize_first, counted_noun, system_words

STAGE_NAMES = words_of(StageKind)


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
        orders_of_ship = order.about_ship(stored_items(payload, order), key, fleets)
        if orders_of_ship:
            orders_by_part[order.key] = orders_of_ship
    if orders_by_part:
        return orders_words(scenario, view, orders_by_part)
    return ()


def find_ship(view: View, key: str) -> Ship | None:
    """Return a ship of the faction by key, or None."""
    return next((ship for ship in view.ships if ship.key == key), None)


def find_loss(before: View, after: View, ship: Ship) -> LostShip | None:
    """Return the loss of a ship that `before` has and `after` does not; None if none is recorded.

    A view names its losses without the ships' keys, and ships can share a name. So only losses
    that are new in `after` count, and those at the ship's hex and of its class come first.

    Args:
        before: The last view that has the ship.
        after: The view after the next stage.
    """
    new_losses = Counter(after.losses) - Counter(before.losses)
    namesakes = [loss for loss in new_losses if loss.name == ship.name]
    fleet = _fleet_of(before, ship)
    hex_ = "" if fleet is None else fleet.hex
    namesakes.sort(key=lambda loss: (loss.hex != hex_, loss.cls != ship.cls))
    return namesakes[0] if namesakes else None


def chapters(scenario: Scenario, key: str, stages: Iterable[PastStage]) -> tuple[Chapter, ...]:
    """Return the history of a ship in stage order."""
    result = []
    for stage in stages:
        orders = orders_about(scenario, stage.before, key, stage.orders) if stage.orders else ()
        events = tuple(_event_lines(scenario, key, stage))
        battles = _battles(scenario, key, stage)
        if orders or events or battles:
            result.append(Chapter(_stage_title(scenario, stage), orders, events, battles))
    return tuple(result)


def _stage_title(scenario: Scenario, stage: PastStage) -> str:
    """Return the name of a stage, with its week if it has one."""
    title = phrase(STAGE_NAMES[stage.kind])
    if stage.kind != StageKind.DEPLOY and not is_skirmish(scenario):
        title = phrase("Week {}, {}", stage.week, title)
    return capitalize_first(title)


def _battles(scenario: Scenario, key: str, stage: PastStage) -> tuple[tuple[str, str], ...]:
    """Return the battles in the ship's hex, unless it was unable to fight."""
    ship = find_ship(stage.before, key)
    if ship is None or ship.is_helpless:
        return ()
    fleet = _fleet_of(stage.before, ship)
    battles: list[tuple[str, str]] = []
    for battle in stage.battles:
        if fleet and battle.hex == fleet.hex:
            battles.append((battle.id, battle_words(scenario, battle.hex)))
    return tuple(battles)


def _fleet_of(view: View, ship: Ship) -> Fleet | None:
    """Return the ship's fleet, or None if the view does not have it."""
    return next((fleet for fleet in view.fleets if fleet.key == ship.fleet), None)


def _event_lines(scenario: Scenario, key: str, stage: PastStage) -> Iterator[str]:
    """Yield sentences about what happened to the ship in a stage."""
    before = find_ship(stage.before, key)
    after = find_ship(stage.after, key)
    ship = after or before
    if ship is None:
        return
    ship_notices = []
    for notice in stage.after.notices:
        if dict(notice.facts).get("ship") == ship.name:
            ship_notices.append(notice)
    notice_lines = [line.words for line in lines_of(scenario, stage.after.faction, ship_notices)]
    if after is None:
        if notice_lines:
            yield from notice_lines
        else:
            yield _loss_sentence(scenario, ship, stage)
        return
    yield from _movement_lines(scenario, before, after, stage)
    if before is not None:
        yield from _damage_lines(scenario, before, after, has_notices=bool(notice_lines))
    yield from notice_lines


def _damage_lines(
    scenario: Scenario, before: Ship, after: Ship, *, has_notices: bool
) -> Iterator[str]:
    """Yield sentences about damage taken and repaired.

    Args:
        has_notices: Whether the report has notices of the ship; these tell of repaired systems.
    """
    if before.damage != after.damage:
        boxes = ship_classes(scenario)[after.cls].damage_points
        verb = phrase("Takes") if after.damage > before.damage else phrase("Repairs")
        points = counted_noun(abs(after.damage - before.damage), "point")
        yield phrase(
            "{} {} of damage: {} of {} boxes left.", verb, points, boxes - after.damage, boxes
        )
    systems_lost = Counter(after.lost) - Counter(before.lost)
    systems_repaired = Counter(before.lost) - Counter(after.lost)
    if systems_lost:
        yield phrase("Loses {}.", _systems_words(systems_lost))
    if systems_repaired and not has_notices:
        yield phrase("Repaired: {}.", _systems_words(systems_repaired))


def _movement_lines(
    scenario: Scenario, before: Ship | None, after: Ship, stage: PastStage
) -> Iterator[str]:
    """Yield sentences about the ship's movement and its fleet."""
    fleet_after = _fleet_of(stage.after, after)
    if fleet_after is None:
        return
    fleet_before = None if before is None else _fleet_of(stage.before, before)
    place = place_words(scenario, fleet_after.hex)
    if before is None or fleet_before is None:
        yield phrase("Joins {} at {}.", fleet_after.name, place)
        return
    if fleet_before.hex != fleet_after.hex:
        yield phrase("From {} to {}.", place_words(scenario, fleet_before.hex), place)
    if before.fleet != after.fleet:
        yield phrase("Joins {}.", fleet_after.name)
    yield from _status_lines(before, after)


def _status_lines(before: Ship, after: Ship) -> Iterator[str]:
    """Yield sentences if the ship has docked or was laid up."""
    if after.docked and not before.docked:
        yield phrase("Docks.")
    if after.laid_up and not before.laid_up:
        yield phrase("Is laid up.")


def _loss_sentence(scenario: Scenario, ship: Ship, stage: PastStage) -> str:
    """Return how the ship was lost in a stage."""
    loss = find_loss(stage.before, stage.after, ship)
    if loss is None:
        return phrase("Is no longer yours.")
    place = place_words(scenario, loss.hex)
    return phrase("Lost at {}: {}.", place, loss_words(loss.cause))


def _systems_words(system_counts: Counter[str]) -> str:
    """Return a list of systems in words."""
    parts = []
    for system, count in system_counts.items():
        words = system_words(system)
        parts.append(phrase("{} twice", words) if count > 1 else words)
    return join_phrases(", ", parts)
