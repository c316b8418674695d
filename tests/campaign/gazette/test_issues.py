"""The gazette depends only on what its reader knows."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest

from campaign.events.battles import BattleJoined, BattleOver, ShipLost
from campaign.events.systems import HoldingChanged
from campaign.rules.files import fixture_scenario
from campaign.rules.perception import build_view, event_of_notice, notices_by_faction
from campaign.rules.scenario import Scenario
from campaign.rules.view import Notice, View
from campaign.words.gazette.issues import GazetteIssue, alliance_issue, faction_issue, public_issue
from campaign.words.gazette.wording import QUIET, choose_wording, story_sentence
from campaign.words.notices import is_destroyed
from campaign.words.week import battles, contacts, systems
from campaign.words.week import war as war_words
from campaign.words.week.reader import NoticeReader
from campaign.words.week.registry import story_of
from campaign.words.week.words import StoryKind
from umpire.rehearsal import RehearsedWar, play


def notices_of(war: RehearsedWar, faction: str, week: int) -> list[Notice]:
    notices: list[Notice] = []
    for stage in war.history:
        if stage.before.week == week:
            notices_of_stage = notices_by_faction(
                stage.outcome.week_events, week, stage.before.stage
            )
            notices += notices_of_stage.get(faction, [])
    return notices


def views_around(
    scenario: Scenario, war: RehearsedWar, faction: str, week: int
) -> tuple[View, View]:
    stages = [n for n, stage in enumerate(war.history) if stage.before.week == week]
    before = war.history[stages[0]].views[faction]
    if stages[-1] + 1 < len(war.history):
        return before, war.history[stages[-1] + 1].views[faction]
    return before, build_view(
        scenario, war.world, faction, war.history[stages[-1]].views[faction], ()
    )


def issues(scenario: Scenario, war: RehearsedWar, faction: str) -> list[GazetteIssue]:
    return [
        faction_issue(
            scenario,
            week,
            *views_around(scenario, war, faction, week),
            notices_of(war, faction, week),
            {},
        )
        for week in range(1, war.weeks + 1)
    ]


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    return fixture_scenario("first-steps")


@pytest.fixture(scope="module")
def wars(scenario: Scenario) -> Sequence[RehearsedWar]:
    return [
        play(scenario, {"ember": "bold", "frost": "bold"}, seed, captains=False)
        for seed in range(4)
    ]


def test_every_kind_of_story_has_a_weight_and_several_headlines() -> None:
    modules = (battles, contacts, systems, war_words)
    kinds = [
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, StoryKind)
    ]
    assert len(kinds) > 20
    assert all(len(set(kind.headlines)) >= 2 for kind in (*kinds, QUIET))
    assert all(kind.sentences for kind in kinds)
    names = {kind.name for kind in (*kinds, QUIET)}
    assert len({(kind.name, kind.weight) for kind in (*kinds, QUIET)}) == len(names)
    assert len({kind.weight for kind in (*kinds, QUIET)}) == len(names)


def test_whole_wars_are_printed_without_gaps(
    scenario: Scenario, wars: Sequence[RehearsedWar]
) -> None:
    kinds: set[str] = set()
    for war in wars:
        for faction in ("ember", "frost"):
            for issue in issues(scenario, war, faction):
                for story in issue.stories:
                    assert story.headline
                    assert story.text
                    for text in (story.headline, *story.text):
                        assert not set("{}") & set(text)
                        assert "  " not in text
                    assert all(line.endswith(".") for line in story.text), story
                    kinds.add(story.kind)
    assert {"seen", "war-over"} <= kinds
    assert kinds & {"won", "lost", "drawn"}


@pytest.mark.parametrize(
    ("sides", "reader", "sentence"),
    [
        ("ember v frost", "ember", "We joined battle with Frost Assembly."),
        ("ember+x v frost", "frost", "We joined battle with Ember Cooperative and x."),
        ("x+ember v frost", "ember", "We and x joined battle with Frost Assembly."),
        ("ember v x v frost", "ember", "Battle was joined: x against Frost Assembly against us."),
        ("ember v frost", "", "Battle was joined: Ember Cooperative against Frost Assembly."),
    ],
)
def test_battle_names_the_sides_for_its_reader(
    scenario: Scenario, sides: str, reader: str, sentence: str
) -> None:
    story = story_of(NoticeReader(scenario, reader), [BattleJoined(("ember",), "0405", sides)])
    assert story is not None
    words = {key: str(value) for key, value in story.words.items()}
    capitals = {key.capitalize(): value[:1].upper() + value[1:] for key, value in words.items()}
    assert story.kind.sentences[0].format(**words, **capitals) == sentence


def test_each_notice_but_beginnings_of_told_battles_is_in_the_issue_once(
    scenario: Scenario, wars: Sequence[RehearsedWar]
) -> None:
    for war in wars:
        for week, issue in enumerate(issues(scenario, war, "ember"), 1):
            line_count = sum(
                len(story.text) for story in issue.stories if story.kind != "quiet"
            ) + len(issue.briefs)
            notices = notices_of(war, "ember", week)
            destroyed = [
                (notice.hex, notice.stage)
                for notice in notices
                if is_destroyed(event_of_notice(notice))
            ]
            told = {notice.hex for notice in notices if notice.code == BattleOver.code}
            begun = [
                notice
                for notice in notices
                if notice.code == BattleJoined.code and notice.hex in told
            ]
            others = len(notices) - len(begun) - len(destroyed)
            assert line_count == others + len(set(destroyed))
            text = " ".join(line for story in issue.stories for line in story.text)
            events = [event_of_notice(notice) for notice in notices]
            assert all(notice.ship in text for notice in events if isinstance(notice, ShipLost))


def test_issue_depends_only_on_the_own_report(
    scenario: Scenario, wars: Sequence[RehearsedWar]
) -> None:
    """The ships, orders and reports of others differ; the reader's knowledge and gazette do not."""
    war = wars[0]
    (before, after), notices = views_around(scenario, war, "ember", 1), notices_of(war, "ember", 1)
    again = faction_issue(scenario, 1, before, after, list(notices), {})
    assert again == issues(scenario, war, "ember")[0]
    assert again != issues(scenario, war, "frost")[0]


def test_additional_fact_in_a_report_changes_the_issue(
    scenario: Scenario, wars: Sequence[RehearsedWar]
) -> None:
    """Check the test itself: an inserted scan of another faction changes the issue."""
    (before, after), notices = (
        views_around(scenario, wars[0], "ember", 1),
        notices_of(wars[0], "ember", 1),
    )
    planted = Notice(1, "orders", "scan", "0101", (("faction", "frost"), ("capital", 9)))
    leaked = faction_issue(scenario, 1, before, after, [*notices, planted], {})
    assert leaked != faction_issue(scenario, 1, before, after, notices, {})
    assert any("9 capital ships" in line for story in leaked.stories for line in story.text)


def test_allies_with_shared_sight_share_a_newspaper(scenario: Scenario) -> None:
    three = dataclasses.replace(fixture_scenario("three-powers"), shared_sight=True)
    allied = tuple(
        dataclasses.replace(power, alliance="pact" if n < 2 else None)
        for n, power in enumerate(three.factions)
    )
    three = dataclasses.replace(three, factions=allied)
    war = play(three, {}, 1, captains=False)
    printed = 0
    for week in range(1, war.weeks + 1):
        first, other = (
            alliance_issue(three, week, *views_around(three, war, faction_id.id, week))
            for faction_id in allied[:2]
        )
        assert first is not None
        assert first == other
        printed += sum(len(story.text) for story in first.stories if story.kind != "quiet")
    assert printed
    without_shared_sight = dataclasses.replace(three, shared_sight=False)
    faction_id = three.factions[0].id
    assert alliance_issue(without_shared_sight, 1, *views_around(three, war, faction_id, 1)) is None
    alone = play(scenario, {}, 1, captains=False)
    assert alliance_issue(scenario, 1, *views_around(scenario, alone, "ember", 1)) is None


def test_allied_newspaper_claims_no_flag_or_superiority(scenario: Scenario) -> None:
    """A reader without a faction neither holds a system nor has superiority there."""
    reader = NoticeReader(scenario, "")
    for holder, headline in (("", "empty"), ("frost", "fallen")):
        event = HoldingChanged(
            (), "0804", system="frost-prime", holder=holder, state="held", superior=""
        )
        notice = Notice(1, "", event.code, event.hex, event.facts)
        kind, text, _ = story_sentence(reader, [notice])
        assert kind.name == headline
        assert "superiority" not in text


def test_public_newspaper_names_no_fleet_or_faction(scenario: Scenario) -> None:
    for over in (False, True):
        issue = public_issue(scenario, 2, ("orders", "decisions", "battles"), over=over)
        words = " ".join((issue.stories[0].headline, *issue.stories[0].text))
        assert "Week 2 of" in words
        assert ("ended" in words) is over
        assert not any(power.name in words for power in scenario.factions)
        assert (len(issue.score), len(issue.losses), len(issue.briefs)) == (0, 0, 0)


def test_wording_varies_with_the_event_only() -> None:
    choices = ("a", "b", "c")
    assert {choose_wording(choices, week, "0101") for week in range(20)} == set(choices)
    assert [choose_wording(choices, 3, "0101")] * 5 == [
        choose_wording(choices, 3, "0101") for _ in range(5)
    ]
