"""A ship's way through the war: stage by stage what was ordered of it and what became of it, as its
owner knows.

Pure: from the owner's own views, sealed orders and battles. Stages in which nothing happened to it
are left out.
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
from campaign.sight.reports import BattleTold
from campaign.words.notices import lines_of
from campaign.words.sayings import battle_words, loss_words, place_words
from engine.core.phrase import joined_phrases, phrase
from engine.english import capital, counted_noun, system_words

KINDS = words_of(StageKind)


@dataclass(frozen=True, slots=True)
class Past:
    """A stage that was resolved: what the faction knew before and after it, what it had sealed,
    where it fought.
    """

    week: int
    kind: str
    before: View
    after: View
    orders: Mapping[str, Any] | None
    battles: tuple[BattleTold, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A stage in a ship's history. `battles`: (its own id, what and where)."""

    title: str
    ordered: tuple[str, ...]
    happened: tuple[str, ...]
    battles: tuple[tuple[str, str], ...]


def orders_about(
    scenario: Scenario, view: View, key: str, payload: Mapping[str, Any]
) -> tuple[str, ...]:
    """The lines of a week's orders that are about a ship or its fleet."""
    ship = ship_in(view, key)
    if ship is None:
        return ()
    fleets = DETACH.fleets_joined(payload, key) or [ship.fleet]
    kept = {
        order.key: order.about_ship(stored_items(payload, order), key, fleets) for order in ORDERS
    }
    kept = {part: items for part, items in kept.items() if items}
    return orders_words(scenario, view, kept) if kept else ()


def ship_in(view: View, key: str) -> Ship | None:
    """A ship of the faction, by its key."""
    return next((ship for ship in view.ships if ship.key == key), None)


def chapters(scenario: Scenario, key: str, past: Iterable[Past]) -> tuple[Chapter, ...]:
    """The history of a ship, in the order of the stages."""
    found = []
    for one in past:
        ordered = orders_about(scenario, one.before, key, one.orders) if one.orders else ()
        happened = tuple(_happened(scenario, key, one))
        battles = _battles(scenario, key, one)
        if ordered or happened or battles:
            title = phrase(KINDS[one.kind])
            if one.kind != StageKind.DEPLOY and not is_skirmish(scenario):
                title = phrase("Week {}, {}", one.week, title)
            found.append(Chapter(capital(title), ordered, happened, battles))
    return tuple(found)


def _battles(scenario: Scenario, key: str, one: Past) -> tuple[tuple[str, str], ...]:
    """The battles at its place, unless it was in no state to fight."""
    ship = ship_in(one.before, key)
    fleet = None if ship is None or ship.helpless else _fleet(one.before, ship)
    return tuple(
        (battle.id, battle_words(scenario, battle.hex))
        for battle in one.battles
        if fleet and battle.hex == fleet.hex
    )


def _fleet(view: View, ship: Ship) -> Fleet | None:
    return next((fleet for fleet in view.fleets if fleet.key == ship.fleet), None)


def _happened(scenario: Scenario, key: str, one: Past) -> Iterator[str]:
    """What became of it in a stage, in sentences."""
    before, after = ship_in(one.before, key), ship_in(one.after, key)
    last = after or before
    if last is None:
        return
    said = [notice for notice in one.after.notices if dict(notice.facts).get("ship") == last.name]
    told = [line.words for line in lines_of(scenario, one.after.faction, said)]
    if after is None:
        yield from told or _gone(scenario, last, one)
        return
    yield from _moved(scenario, before, after, one)
    if before is not None:
        boxes = ship_classes(scenario)[after.cls].damage_points
        if before.damage != after.damage:
            verb = phrase("Takes") if after.damage > before.damage else phrase("Repairs")
            points = counted_noun(abs(after.damage - before.damage), "point")
            yield phrase(
                "{} {} of damage: {} of {} boxes left.", verb, points, boxes - after.damage, boxes
            )
        lost, mended = (
            Counter(after.lost) - Counter(before.lost),
            Counter(before.lost) - Counter(after.lost),
        )
        if lost:
            yield phrase("Loses {}.", _systems(lost))
        if mended and not told:
            yield phrase("Works again: {}.", _systems(mended))
    yield from told


def _moved(scenario: Scenario, before: Ship | None, after: Ship, one: Past) -> Iterator[str]:
    """Where it went and with whom."""
    now = _fleet(one.after, after)
    if now is None:
        return
    then = _fleet(one.before, before) if before is not None else None
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


def _gone(scenario: Scenario, before: Ship, one: Past) -> Iterator[str]:
    """How it was lost."""
    loss = next(
        (loss for loss in one.after.losses if loss.name == before.name and loss.week == one.week),
        None,
    )
    yield (
        phrase("Is no longer yours.")
        if loss is None
        else phrase("Lost at {}: {}.", place_words(scenario, loss.hex), loss_words(loss.how))
    )


def _systems(lost: Counter[str]) -> str:
    return joined_phrases(
        ", ",
        (
            phrase("{} twice", system_words(system)) if many > 1 else system_words(system)
            for system, many in lost.items()
        ),
    )
