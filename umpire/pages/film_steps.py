"""The film of a war: at each step the truth, what each faction believed, and a caption.

For finished wars, whose truth is public. The truth is made from worlds and a belief from a view,
each by itself: the film only places them beside each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from campaign.kinds import StageKind
from campaign.rules.queries import ships_by_fleet, with_known_designs
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import World
from campaign.web.chart import chart_contacts
from campaign.web.seat_marks import seats
from engine.core.phrase import localize
from umpire.pages.beliefs import DECISION_STAGES, WrongBelief, errors_at, greatest_errors
from umpire.pages.film_captions import SEPARATOR, FilmBattle, caption
from umpire.pages.frame import stage_title

MAX_AGE = 3  # weeks after which a contact no longer fades
UNKNOWN = -1  # ships behind an open mark on the map


@dataclass(frozen=True, slots=True)
class FilmFleet:
    """A fleet, or a dummy counter without ships."""

    key: str
    seat: int
    hex: str
    ships: int
    in_ftl: bool


@dataclass(frozen=True, slots=True)
class FilmContact:
    """Foreign ships that a faction believed to be in a hex.

    Attributes:
        ships: How many it believed; `UNKNOWN` behind an open mark.
        age: Weeks since it saw them, at most `MAX_AGE`.
    """

    seat: int
    hex: str
    ships: int
    age: int


@dataclass(frozen=True, slots=True)
class Belief:
    """What a faction believed at a step.

    Attributes:
        own: Its own fleets.
        holders: The seat of each system's holder, in the sequence of the scenario; 0: nobody.
        fights: The hexes of the battles that it knew of.
        wrong: The hexes in which it was wrong about the number of foreign ships.
    """

    own: tuple[FilmFleet, ...]
    holders: tuple[int, ...]
    contacts: tuple[FilmContact, ...]
    fights: tuple[str, ...]
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FilmStep:
    """A moment of the war.

    Attributes:
        seq: Its number.
        fights: The hexes in which a battle is being fought.
        beliefs: In the sequence of the scenario's factions.
        is_empty: Whether nothing changed since the step before.
    """

    seq: int
    week: int
    stage: str
    title: str
    caption: str
    fleets: tuple[FilmFleet, ...]
    holders: tuple[int, ...]
    fights: tuple[str, ...]
    beliefs: tuple[Belief, ...]
    battles: tuple[FilmBattle, ...]
    is_empty: bool


@dataclass(frozen=True, slots=True)
class WarFilm:
    """The film of a war, and its greatest misjudgements.

    Attributes:
        sides: The seat of each faction by id, in the sequence of the scenario.
    """

    sides: Mapping[str, int]
    steps: tuple[FilmStep, ...]
    chapters: tuple[WrongBelief, ...]


def film_of(
    scenario: Scenario,
    moments: Iterable[tuple[int, World, Mapping[str, View]]],
    battles: Sequence[FilmBattle],
) -> WarFilm:
    """Return the film of a war.

    Args:
        moments: (seq, the true world, each faction's view) of each moment, in order.
        battles: All fought battles.
    """
    steps: list[FilmStep] = []
    errors: list[WrongBelief] = []
    before: World | None = None
    for seq, world, views in moments:
        if world.stage == StageKind.DEPLOY:
            continue
        errors_now = errors_at(scenario, seq, world, views)
        if world.stage in DECISION_STAGES:
            errors += errors_now
        ended = _ended(before, battles)
        steps.append(
            _step(
                scenario,
                seq,
                world,
                caption=caption(scenario, before, world, ended),
                beliefs=_beliefs(scenario, views, errors_now),
                battles=_fought(world, battles),
                last=steps[-1] if steps else None,
            )
        )
        before = world
    return WarFilm(seats(scenario), tuple(steps), greatest_errors(errors))


def _ended(before: World | None, battles: Sequence[FilmBattle]) -> list[FilmBattle]:
    """Return the battles that were fought at the step before."""
    if before is None or before.stage != StageKind.BATTLES:
        return []
    return [battle for battle in battles if battle.week == before.week]


def _fought(world: World, battles: Sequence[FilmBattle]) -> tuple[FilmBattle, ...]:
    """Return the battles that are fought at a step."""
    if world.stage != StageKind.BATTLES:
        return ()
    return tuple(battle for battle in battles if battle.week == world.week)


def _step(
    scenario: Scenario,
    seq: int,
    world: World,
    *,
    caption: str,
    beliefs: tuple[Belief, ...],
    battles: tuple[FilmBattle, ...],
    last: FilmStep | None,
) -> FilmStep:
    """Return a step.

    Args:
        last: The step before; None at the first.
    """
    numbers = seats(scenario)
    holder_of = {holding.system: holding.holder for holding in world.holdings}
    fleets = _fleets(numbers, world)
    holders = tuple(numbers.get(holder_of.get(item.id) or "", 0) for item in scenario.systems)
    fights = tuple(sorted({item.hex for item in world.engagements}))
    is_empty = (
        last is not None
        and not fights
        and world.stage != StageKind.OVER
        and (fleets, holders) == (last.fleets, last.holders)
        and [_without_age(item) for item in beliefs]
        == [_without_age(item) for item in last.beliefs]
    )
    return FilmStep(
        seq=seq,
        week=world.week,
        stage=world.stage,
        title=stage_title(world.week, world.stage),
        caption=caption,
        fleets=fleets,
        holders=holders,
        fights=fights,
        beliefs=beliefs,
        battles=battles,
        is_empty=is_empty,
    )


def _without_age(belief: Belief) -> object:
    """Return a belief as far as it matters whether it changed."""
    contacts = [(item.seat, item.hex, item.ships) for item in belief.contacts]
    return belief.own, belief.holders, contacts


def _beliefs(
    scenario: Scenario, views: Mapping[str, View], errors: Iterable[WrongBelief]
) -> tuple[Belief, ...]:
    """Return what each faction believed."""
    wrong: dict[str, set[str]] = {}
    for error in errors:
        if error.difference:
            wrong.setdefault(error.faction, set()).add(error.hex)
    beliefs = []
    for faction in scenario.factions:
        hexes = tuple(sorted(wrong.get(faction.id, ())))
        beliefs.append(_belief(scenario, views[faction.id], hexes))
    return tuple(beliefs)


def _belief(scenario: Scenario, view: View, wrong: tuple[str, ...]) -> Belief:
    """Return what a faction believed."""
    numbers = seats(scenario)
    holder_of = {known.system: known.holder for known in view.systems}
    contacts = []
    seen = set()
    for contact in chart_contacts(with_known_designs(scenario, view), view):
        seen.add((contact.hex, contact.faction))
        if not contact.is_gone:
            age = min(contact.age, MAX_AGE)
            contacts.append(FilmContact(numbers[contact.faction], contact.hex, contact.count, age))
    for marker in view.markers:
        if (marker.hex, marker.faction) not in seen:
            contacts.append(FilmContact(numbers[marker.faction], marker.hex, UNKNOWN, 0))
    return Belief(
        own=_fleets(numbers, view),
        holders=tuple(numbers.get(holder_of.get(item.id) or "", 0) for item in scenario.systems),
        contacts=tuple(sorted(set(contacts), key=lambda item: (item.hex, item.seat, item.ships))),
        fights=tuple(sorted(view.fighting)),
        wrong=wrong,
    )


def _fleets(numbers: Mapping[str, int], state: World | View) -> tuple[FilmFleet, ...]:
    """Return the fleets with ships and the dummy counters of a world or view, by key."""
    ships = ships_by_fleet(state.ships)
    dummies = {fleet.key for fleet in state.dummies}
    fleets = []
    for fleet in sorted((*state.fleets, *state.dummies), key=lambda fleet: fleet.key):
        count = len(ships.get(fleet.key, ()))
        if count or fleet.key in dummies:
            seat = numbers[fleet.faction]
            fleets.append(FilmFleet(fleet.key, seat, fleet.hex, count, fleet.in_ftl))
    return tuple(fleets)


@dataclass(frozen=True, slots=True)
class Stack:
    """The fleets or contacts of a faction in a hex, as one mark.

    Attributes:
        row: 0 for the lowest mark of a hex.
        style: CSS classes besides that of the seat.
    """

    seat: int
    hex: str
    ships: int
    row: int
    style: str

    @property
    def label(self) -> str:
        """The number on the mark."""
        return "?" if self.ships == UNKNOWN else str(self.ships)


def stacks_of(fleets: Iterable[FilmFleet], contacts: Iterable[FilmContact] = ()) -> list[Stack]:
    """Return the marks of a map, one for each faction in each hex."""
    unplaced: list[tuple[str, int, int, str]] = []  # hex, seat, ships, style
    placed = sorted(fleets, key=lambda fleet: (fleet.hex, fleet.seat))
    for (hex_, seat), group in groupby(placed, key=lambda fleet: (fleet.hex, fleet.seat)):
        here = list(group)
        style = "in-ftl" if all(fleet.in_ftl for fleet in here) else ""
        unplaced.append((hex_, seat, sum(fleet.ships for fleet in here), style))
    for contact in contacts:
        unplaced.append((contact.hex, contact.seat, contact.ships, f"seen age-{contact.age}"))
    rows: Counter[str] = Counter()
    stacks = []
    for hex_, seat, ships, style in sorted(unplaced):
        stacks.append(Stack(seat, hex_, ships, rows[hex_], style))
        rows[hex_] += 1
    return stacks


Data = dict[str, Any]


def film_data(film: WarFilm) -> Data:
    """Return the film as `static/js/war_film.js` reads it, in the reader's language.

    Fleets are numbered by their first appearance. A 0 in the place of a list means: as at the step
    before, and for a faction's own fleets: as in the truth. A row of a fleet is its number, hex
    and ships, negative in FTL space; that of a contact its seat, hex, ships and age.
    """
    numbers: dict[str, int] = {}
    fleet_seats = []
    for step in film.steps:
        for fleet in step.fleets:
            if fleet.key not in numbers:
                numbers[fleet.key] = len(numbers)
                fleet_seats.append(fleet.seat)
    steps = []
    last: FilmStep | None = None
    for step in film.steps:
        steps.append(_step_data(film, step, last, numbers))
        last = step
    return {"sides": list(film.sides.values()), "fleets": fleet_seats, "steps": steps}


def _step_data(
    film: WarFilm, step: FilmStep, last: FilmStep | None, numbers: Mapping[str, int]
) -> list[Any]:
    """Return a step as a list, short because it is sent with every film."""
    same_fleets = last is not None and last.fleets == step.fleets
    same_holders = last is not None and last.holders == step.holders
    sides = []
    for place, seat in enumerate(film.sides.values()):
        old = None if last is None else last.beliefs[place]
        sides.append(_belief_data(step, seat, step.beliefs[place], old, numbers))
    winners = []
    for battle in step.battles:
        winners.append(film.sides.get(battle.winner.partition(SEPARATOR)[0], 0))
    return [
        step.seq,
        step.week,
        step.stage,
        str(localize(step.title)),
        str(localize(step.caption)),
        0 if same_fleets else _rows(step.fleets, numbers),
        0 if same_holders else "".join(map(str, step.holders)),
        _hexes(step.fights),
        winners,
        sides,
        int(step.is_empty),
    ]


def _belief_data(
    step: FilmStep, seat: int, belief: Belief, old: Belief | None, numbers: Mapping[str, int]
) -> list[Any]:
    """Return the belief of a faction with this seat as a list."""
    is_true = belief.own == tuple(fleet for fleet in step.fleets if fleet.seat == seat)
    contacts: list[int] = []
    for contact in belief.contacts:
        contacts += [contact.seat, int(contact.hex), contact.ships, contact.age]
    same_contacts = old is not None and old.contacts == belief.contacts
    return [
        0 if is_true else _rows(belief.own, numbers),
        0 if belief.holders == step.holders else "".join(map(str, belief.holders)),
        0 if same_contacts else contacts,
        0 if belief.fights == step.fights else _hexes(belief.fights),
        _hexes(belief.wrong),
    ]


def _rows(fleets: Iterable[FilmFleet], numbers: Mapping[str, int]) -> list[int]:
    """Return the rows of fleets, one after the other."""
    rows: list[int] = []
    for fleet in fleets:
        ships = -fleet.ships if fleet.in_ftl else fleet.ships
        rows += [numbers[fleet.key], int(fleet.hex), ships]
    return rows


def _hexes(hexes: Iterable[str]) -> list[int]:
    """Return hexes as numbers, column and row."""
    return [int(hex_) for hex_ in hexes]
