"""Pairs of wars, built rather than played: equal in all that one faction may know, otherwise
different.

A `History` is drawn from a seed. For each `Moment` it has both worlds, the viewer's reports (once),
and everybody else's (twice). `tests.access.stored_wars` writes either side of it as a campaign.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

from campaign.events.contacts import Survivors
from campaign.kinds import StageText
from campaign.orders.codec import orders_payload
from campaign.orders.defaults import default_orders
from campaign.rules.perception import build_view
from campaign.rules.scenario import Scenario
from campaign.rules.view import Notice, View
from campaign.rules.world import World
from engine.core.dice import Dice
from tests.access.open_markers import OpenMap
from tests.access.scenarios import FOUR_POWERS
from tests.access.two_worlds import SharedKnowledge, draw_scenario
from tests.shared import build_shared
from umpire.adjudication.battles import battle_doctrines
from umpire.adjudication.battles import battle_setup as setup
from umpire.adjudication.fighting import BattleOutcome, BattleTask, chain_hashes, fight_by_captains
from umpire.adjudication.week import create_world
from umpire.rehearsal import PlayedStage, play

SIDES = (0, 1)
# A pair in the third week, with battles behind it, whose player is host: it gets every request
LONG_SEED = 39
TIMELINE: tuple[tuple[int, StageText], ...] = (
    (0, "deploy"),
    (1, "orders"),
    (1, "decisions"),
    (1, "battles"),
    (2, "orders"),
    (2, "decisions"),
    (2, "battles"),
    (3, "orders"),
)
OPEN = (0, 2, 7)  # last digits of the seeds of wars with open markers
OTHER_SCENARIOS = {
    6: "lafayette-continuum",
    14: FOUR_POWERS,
}  # seeds of pairs of other scenarios, both in their second week
PHASES = 3  # turns of a battle report, enough to be read


@dataclass(frozen=True)
class BattleReport:
    """A battle report as stored: its engagement, and its body without the outside id."""

    subject: str
    body: Mapping[str, Any]


@dataclass(frozen=True)
class Moment:
    """A snapshot in both worlds: `views`, `notices` and `battles` by side and faction; the viewer's
    are equal.
    """

    week: int
    stage: StageText
    worlds: tuple[World, World]
    views: tuple[Mapping[str, View], Mapping[str, View]]
    notices: tuple[Mapping[str, tuple[Notice, ...]], Mapping[str, tuple[Notice, ...]]]
    battles: tuple[Mapping[str, tuple[BattleReport, ...]], Mapping[str, tuple[BattleReport, ...]]]


@dataclass(frozen=True)
class History:
    """A pair of wars.

    Attributes:
        orders: The viewer's, stage by stage.
        sealed: Whether the last ones are sealed.
        hosts: Whether the viewer's player is also the campaign's host.
    """

    seed: int
    scenario: Scenario
    viewer: str
    moments: tuple[Moment, ...]
    orders: tuple[dict[str, Any], ...]
    sealed: bool
    drafted: bool
    hosts: bool

    @property
    def others(self) -> list[str]:
        return [faction.id for faction in self.scenario.factions if faction.id != self.viewer]


def draw_frame(seed: int, dice: random.Random) -> tuple[Scenario, str, list[tuple[int, StageText]]]:
    """Return the scenario of a seed, the viewer, and the stages up to the pair's present one."""
    slug = dice.choice(("lafayette", "three-powers", "three-powers"))
    scenario = draw_scenario(OTHER_SCENARIOS.get(seed, slug), dice.random() < 0.3)
    if seed % 10 in OPEN:
        scenario = replace(scenario, open_play=True, shared_sight=False)
    viewer = dice.choice([faction.id for faction in scenario.factions])
    timeline: list[tuple[int, StageText]] = list(TIMELINE[: 1 + seed % len(TIMELINE)])
    if seed % 9 == 4:
        timeline.append((timeline[-1][0], "over"))
    return scenario, viewer, timeline


class ViewerProgress(NamedTuple):
    """The viewer's state: whether the last orders are sealed, there is a draft, they are the host."""

    sealed: bool
    drafted: bool
    hosts: bool


def draw_progress(seed: int) -> ViewerProgress:
    """Return the state in the pair of a seed, with separate dice, so battles do not change it."""
    dice = random.Random(f"stand {seed}")
    return ViewerProgress(dice.random() < 0.5, dice.random() < 0.5, dice.random() < 0.4)


@cache
def build_history(seed: int) -> History:
    """Return the pair of a seed, at each stage of the timetable in turn, sometimes before or after
    the
    war.
    """
    dice = random.Random(f"history {seed}")
    scenario, viewer, timeline = draw_frame(seed, dice)
    moments: list[Moment] = []
    orders = []
    for week, stage in timeline:
        moments.append(
            _moment(dice, scenario, viewer, week, stage, moments[-1] if moments else None)
        )
        orders.append(orders_payload(default_orders(scenario, moments[-1].views[0][viewer])))
    return History(
        seed=seed,
        scenario=scenario,
        viewer=viewer,
        moments=tuple(moments),
        orders=tuple(orders),
        **draw_progress(seed)._asdict(),
    )


def _moment(
    dice: random.Random,
    scenario: Scenario,
    viewer: str,
    week: int,
    stage: StageText,
    before: Moment | None,
) -> Moment:
    if before is None:
        worlds = (create_world(scenario), create_world(scenario))
        mine: tuple[Notice, ...] = ()
        shared_knowledge = None
    else:
        shared_knowledge = SharedKnowledge(dice, scenario, viewer, max(week, 1), stage)
        worlds = (shared_knowledge.world(dice), shared_knowledge.world(dice))
        if scenario.open_play:
            lying = OpenMap(dice, scenario, viewer, shared_knowledge.fleets)
            worlds = (lying.apply_to(dice, worlds[0]), lying.apply_to(dice, worlds[1]))
        if stage == "over":
            end = {"stage": "over", "result": "treaty", "winner": dice.choice((None, viewer))}
            worlds = (replace(worlds[0], **end), replace(worlds[1], **end))  # type: ignore[arg-type]
        mine = tuple(
            Notice(
                before.week,
                before.stage,
                "scan",
                hex_,
                (("faction", shared_knowledge.enemies[0]), ("escort", 2)),
            )
            for hex_ in shared_knowledge.hexes[:2]
        )
        if before.stage == "battles":
            facts = (("faction", shared_knowledge.enemies[0]), ("cruiser", 1), ("escort", 2))
            mine += (
                Notice(before.week, before.stage, Survivors.code, shared_knowledge.hexes[0], facts),
            )
    was_fought = before is not None and before.stage == "battles" and dice.random() < 0.8
    reports = (
        (_battle_report(dice, scenario, viewer, before),)
        if was_fought and before is not None
        else ()
    )
    views, notices, battles = [], [], []
    for side in SIDES:
        heard = {
            f.id: mine if f.id == viewer else _rumours(dice, before, shared_knowledge)
            for f in scenario.factions
        }
        past = {} if before is None else before.views[side]
        views.append(
            {
                key: build_view(scenario, worlds[side], key, past.get(key), lines)
                for key, lines in heard.items()
            }
        )
        notices.append(heard)
        others = [f.id for f in scenario.factions if f.id != viewer]
        hidden = {
            key: tuple(
                _battle_report(dice, scenario, key, before) for _ in range(dice.randint(0, 1))
            )
            for key in others
            if before is not None and before.stage == "battles"
        }
        battles.append({viewer: reports, **hidden})
    return Moment(
        week,
        stage,
        worlds,
        (views[0], views[1]),
        (notices[0], notices[1]),
        (battles[0], battles[1]),
    )


def _rumours(
    dice: random.Random, before: Moment | None, shared_knowledge: SharedKnowledge | None
) -> tuple[Notice, ...]:
    """Return what another faction is notified of."""
    if before is None or shared_knowledge is None:
        return ()
    return tuple(
        Notice(
            before.week,
            before.stage,
            "scan",
            dice.choice(shared_knowledge.hexes),
            (("faction", shared_knowledge.viewer), ("cruiser", n)),
        )
        for n in range(dice.randint(0, 5))
    )


def _battle_report(
    dice: random.Random, scenario: Scenario, faction: str, before: Moment
) -> BattleReport:
    """Return a real battle's report to a faction, for a hex of this war."""
    played, battle = sample_battle(scenario, faction)
    engagement = played.before.engagements[0]
    side = next("+".join(names) for names in engagement.sides if faction in names)
    hex_ = dice.choice(scenario.systems).hex
    body = {
        "hex": hex_,
        "side": side,
        "sides": ["+".join(names) for names in engagement.sides],
        "table": list(scenario.table),
        "turns": battle.result.turns,
        "winner": battle.result.winner,
        "chain": list(chain_hashes("", battle.phases[:PHASES])),
        "phases": [phase.views[side] for phase in battle.phases[:PHASES]],
    }
    enemy = next(key for names in engagement.sides for key in names if faction not in names)
    return BattleReport(f"{hex_}/w{before.week}/{'+'.join(sorted((faction, enemy)))}", body)


@cache
def _cached_rehearsal(slug: str) -> tuple[PlayedStage, ...]:
    """Return the battle stages of a war between computers."""
    return build_shared(f"rehearsed-{slug}", lambda: _rehearse(slug))


def _rehearse(slug: str) -> tuple[PlayedStage, ...]:
    return tuple(
        stage
        for stage in play(draw_scenario(slug, False), {}, 1, captains=False).history
        if stage.before.stage == "battles"
    )


_sample_battles: dict[tuple[str, str], tuple[PlayedStage, BattleOutcome]] = {}


def sample_battle(scenario: Scenario, faction: str) -> tuple[PlayedStage, BattleOutcome]:
    """Return the first battle between two factions in that war in which a faction fights."""
    key = (scenario.slug, faction)
    if key not in _sample_battles:
        _sample_battles[key] = build_shared(
            f"battle-{scenario.slug}-{faction}", lambda: _sample_battle(scenario, faction)
        )
    return _sample_battles[key]


def _sample_battle(scenario: Scenario, faction: str) -> tuple[PlayedStage, BattleOutcome]:
    played, engagement = next(
        (stage, fought_engagement)
        for stage in _cached_rehearsal(scenario.slug)
        for fought_engagement in stage.before.engagements
        if any(faction in side for side in fought_engagement.sides)
        and all(len(side) == 1 for side in fought_engagement.sides)
    )
    world = replace(played.before, engagements=(engagement,))
    task = BattleTask(
        scenario=scenario,
        world=world,
        engagement=engagement,
        start=setup(scenario, world, engagement, salt=b"sample"),
        doctrines=battle_doctrines(scenario, world, engagement, played.orders),
        dice=Dice(7),
        captain_seed="7",
    )
    return replace(played, before=world), fight_by_captains(task)
