"""What decided a finished war: each week in a sentence, the turning point, and the losses.

For finished wars, whose truth is public. The sentences are the captions of the film.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.drawings.moment import Force, Moment, MomentSide, MomentSize, Ships, draw_moment
from campaign.kinds import StageKind
from campaign.replays.battle_facts import ShipScore, best_of
from campaign.rules.queries import result_words, sort_by_count, with_all_designs
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.world import World
from campaign.web.battle_card import BestShipCard, score_words, ship_scores
from campaign.web.seat_marks import power_names, seats
from engine.core.phrase import capitalize_first, join_phrases, phrase
from engine.english import Count, counted_kind, counted_noun, join_names, short_name
from umpire.pages.film_captions import place_name
from umpire.pages.film_steps import FilmStep, WarFilm


@dataclass(frozen=True, slots=True)
class WeekLine:
    """A week in a sentence, and the step of the film that shows it."""

    week: int
    words: str
    seq: int
    is_turning: bool


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The week in which the losses of the factions differed most.

    Attributes:
        seq: The step of the film that shows it.
    """

    week: int
    seq: int
    title: str
    words: str


@dataclass(frozen=True, slots=True)
class Losses:
    """What a faction has left and has lost, in ships and points.

    Attributes:
        lost_kinds: (classification, ships in words) of the lost ships, the largest number first.
    """

    name: str
    short_name: str
    seat: int
    left: int
    lost: int
    points_left: int
    points: int
    lost_kinds: tuple[tuple[str, str], ...]
    force: Force


@dataclass(frozen=True, slots=True)
class WarResult:
    """The result of a war."""

    moment: Moment
    weeks: tuple[WeekLine, ...]
    turning_point: TurningPoint | None
    losses: tuple[Losses, ...]


def result_of_war(scenario: Scenario, film: WarFilm, end: World, reader: str) -> WarResult:
    """Return the result of a war.

    Args:
        end: The world at the end.
        reader: The reader's faction, which is drawn at the left; empty without one.
    """
    losses = {faction.id: _losses(scenario, end, faction.id) for faction in scenario.factions}
    turning_point = _turning_point(scenario, film, end)
    turning_week = turning_point.week if turning_point else 0
    return WarResult(
        moment=_moment(scenario, film, end, losses, reader or scenario.factions[0].id),
        weeks=tuple(_week_lines(film, turning_week)),
        turning_point=turning_point,
        losses=tuple(losses.values()),
    )


def best_ship_of_war(
    scenario: Scenario, end: World, bodies: Iterable[Mapping[str, Any]]
) -> BestShipCard | None:
    """Return the ship of a faction with the most hits in all its battles; None without hits.

    Args:
        end: The world at the end, with the names of ships that are left or lost.
        bodies: The faction's reports of its battles.
    """
    hits: Counter[str] = Counter()
    destroyed: Counter[str] = Counter()
    for body in bodies:
        for score in ship_scores(body):
            hits[score.key] += score.hits
            destroyed[score.key] += score.destroyed
    best = best_of(ShipScore(key, hits[key], destroyed[key]) for key in sorted(hits))
    classes = _classes(scenario, end)
    for ship in (*end.ships, *(loss.ship for loss in end.losses)):
        if best is not None and ship.key == best.key:
            return BestShipCard(ship.name, classes[ship.cls].classification, score_words(best))
    return None


def _week_lines(film: WarFilm, turning_week: int) -> Iterable[WeekLine]:
    """Yield a line for each week: how its battles ended, or else what was done before them."""
    by_week: dict[int, list[tuple[FilmStep, FilmStep | None]]] = {}
    following: tuple[FilmStep | None, ...] = (*film.steps[1:], None)
    for step, after in zip(film.steps, following, strict=True):
        if step.stage != StageKind.OVER:
            by_week.setdefault(step.week, []).append((step, after))
    for week, steps in by_week.items():
        last, after = steps[-1]
        if after is not None and (last.battles or after.holders != last.holders):
            shown = last
            words = after.caption
        else:
            shown = max((step for step, _ in steps), key=_shows_decisions)
            words = shown.caption
        yield WeekLine(week, words, shown.seq, week == turning_week)


def _shows_decisions(step: FilmStep) -> bool:
    """Return whether the moves and meetings of a week are seen at a step."""
    return step.stage == StageKind.DECISIONS


def _turning_point(scenario: Scenario, film: WarFilm, end: World) -> TurningPoint | None:
    """Return the turning point; None without losses."""
    classes = _classes(scenario, end)
    points: dict[int, Counter[str]] = {}
    ships: dict[int, Counter[str]] = {}
    places: dict[int, Counter[str]] = {}
    for loss in end.losses:
        worth = classes[loss.ship.cls].points
        points.setdefault(loss.week, Counter())[loss.ship.faction] += worth
        ships.setdefault(loss.week, Counter())[loss.ship.faction] += 1
        places.setdefault(loss.week, Counter())[loss.hex] += worth
    if not points:
        return None
    factions = [faction.id for faction in scenario.factions]

    def swing(week: int) -> int:
        lost = [points[week][faction] for faction in factions]
        return max(lost) - min(lost)

    week = max(sorted(points), key=swing)
    parts = []
    for faction in sorted(factions, key=lambda key: -points[week][key]):
        if ships[week][faction]:
            count = counted_noun(ships[week][faction], "ship")
            worth_words = counted_noun(points[week][faction], "point")
            parts.append(phrase("{} loses {} ({})", short_name(faction), count, worth_words))
    place = place_name(scenario, max(sorted(places[week]), key=lambda hex_: places[week][hex_]))
    return TurningPoint(
        week=week,
        seq=_seq_of_battles(film, week),
        title=phrase("Week {}: {}", week, place),
        words=phrase("{}.", join_phrases(", ", parts)),
    )


def _seq_of_battles(film: WarFilm, week: int) -> int:
    """Return the step at which the battles of a week are fought, or the last step of the week."""
    steps = [step for step in film.steps if step.week == week] or list(film.steps)
    for step in steps:
        if step.stage == StageKind.BATTLES:
            return step.seq
    return steps[-1].seq


def _classes(scenario: Scenario, end: World) -> dict[str, ShipClass]:
    """Return every class of the war by name."""
    return {item.name: item for item in with_all_designs(scenario, end).catalogue}


def _losses(scenario: Scenario, end: World, faction: str) -> Losses:
    """Return what a faction has left and has lost."""
    classes = _classes(scenario, end)
    left = [classes[ship.cls] for ship in end.ships if ship.faction == faction]
    lost = [classes[loss.ship.cls] for loss in end.losses if loss.ship.faction == faction]
    left_kinds = Counter(item.classification for item in left)
    lost_kinds = Counter(item.classification for item in lost)
    ships = []
    for kind in sorted({*left_kinds, *lost_kinds}):
        ships.append(Ships(kind, left_kinds[kind] + lost_kinds[kind], lost_kinds[kind]))
    lost_words = []
    for kind, count in sort_by_count(lost_kinds):
        lost_words.append((kind, counted_kind(count, kind)))
    seat = seats(scenario)[faction]
    points_left = sum(item.points for item in left)
    return Losses(
        name=power_names(scenario)[faction],
        short_name=short_name(faction),
        seat=seat,
        left=len(left),
        lost=len(lost),
        points_left=points_left,
        points=points_left + sum(item.points for item in lost),
        lost_kinds=tuple(lost_words),
        force=Force(seat, tuple(ships)),
    )


def _moment(
    scenario: Scenario, film: WarFilm, end: World, losses: Mapping[str, Losses], reader: str
) -> Moment:
    """Return the picture of the end: the reader's faction against the others."""
    others = [faction.id for faction in scenario.factions if faction.id != reader]
    left = _side([losses[reader]], is_own=True)
    right = _side([losses[key] for key in others], is_own=False)
    result = result_words(scenario, end.result) if end.result else phrase("undecided")
    over = phrase("the war is over")
    if end.week:
        when = phrase("Week {} of {}", Count(end.week), Count(scenario.weeks))
        when = join_phrases(" · ", (when, over))
    else:
        when = over
    return draw_moment(
        MomentSize.HERO,
        left,
        right,
        place=capitalize_first(result),
        when=when,
        outcome=_outcome(scenario, film, end),
        alt=phrase(
            "The fleets at the end of the war. {}: {}. {}: {}.",
            left.name,
            left.figures,
            right.name,
            right.figures,
        ),
    )


def _side(parts: Sequence[Losses], *, is_own: bool) -> MomentSide:
    """Return a side of the picture."""
    left = sum(part.left for part in parts)
    lost = sum(part.lost for part in parts)
    points_left = sum(part.points_left for part in parts)
    points = sum(part.points for part in parts)
    return MomentSide(
        name=join_names([part.name for part in parts]),
        figures=phrase("{} left, {} lost", counted_noun(left, "ship"), Count(lost)),
        forces=tuple(part.force for part in parts),
        note=phrase("{} of {} left", Count(points_left), counted_noun(points, "point")),
        short_name=join_names([part.short_name for part in parts]),
        is_own=is_own,
    )


def _outcome(scenario: Scenario, film: WarFilm, end: World) -> str:
    """Return which systems changed hands in the war."""
    names = {system.id: system.name for system in scenario.systems if system.settled}
    first_holders = film.steps[0].holders
    seat_before = {
        system.id: seat for system, seat in zip(scenario.systems, first_holders, strict=True)
    }
    numbers = seats(scenario)
    taken: dict[str, list[str]] = {}
    for holding in end.holdings:
        holder = holding.holder or ""
        changed = numbers.get(holder, 0) != seat_before[holding.system]
        if holder and changed and holding.system in names:
            taken.setdefault(holder, []).append(names[holding.system])
    if not taken:
        return phrase("No settled system changed hands.")
    parts = []
    for holder, systems in sorted(taken.items()):
        parts.append(phrase("{} took {}.", short_name(holder), join_names(systems)))
    return join_phrases(" ", parts)
