"""One issue of the newspaper for one audience: stories by place, briefs, losses, flags.

Pure functions. A faction's issue uses its own reports of the week and its views before and after
it. Allies that share their sight have a common issue with only what each of them sees: scans and
flags. The public issue only says which week was played, and what the published scenario says of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from campaign.events.battles import LossCause
from campaign.events.contacts import Scan, Survivors
from campaign.events.event import WeekEvent
from campaign.events.registry import WEEK_EVENTS
from campaign.events.systems import HoldingChanged
from campaign.rules.perception import event_of_notice
from campaign.rules.queries import short_class_name, side_of
from campaign.rules.scenario import Scenario
from campaign.rules.view import BATTLE, SCAN, KnownSystem, Notice, View
from campaign.words.gazette.wording import QUIET, choose_wording, headline, story_sentence
from campaign.words.notices import NoticeLine, is_destroyed, lines_of
from campaign.words.week.reader import NO_LINKS, NoticeLinks, NoticeReader
from campaign.words.week.registry import is_story
from campaign.words.week.war import WAR_OVER
from campaign.words.week.words import StoryKind, Words
from engine.core.phrase import join_phrases, phrase
from engine.english import short_name

HELD_STATE = "held"
EVENT_OF = {SCAN: Scan, BATTLE: Survivors}  # event by source of a sighting


@dataclass(frozen=True, slots=True)
class NewsStory:
    """A story: what happened at one place in a week.

    Attributes:
        kind: That of its most important event, which gives the headline.
        text: One sentence for each event.
        battles: The reader's own ids of the battles fought there.
    """

    hex: str
    place: str
    kind: str
    headline: str
    text: tuple[str, ...]
    battles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WeekLoss:
    """An own ship that was lost in the week."""

    name: str
    cls: str
    hex: str
    place: str
    cause: str


@dataclass(frozen=True, slots=True)
class FlagRow:
    """The holders of a system at the beginning and end of the week, as the reader last knew it.

    Attributes:
        before: Faction key, or empty.
        now: Faction key, or empty.
        contested: At the end of the week.
        week: When the reader learned this.
    """

    name: str
    hex: str
    before: str
    now: str
    contested: bool
    week: int


@dataclass(frozen=True, slots=True)
class GazetteIssue:
    """A week's newspaper.

    Attributes:
        stories: The most important first.
        briefs: Yards, stores and orders, place by place.
        seq: Number of the snapshot at the end of the week; None in the public issue.
    """

    edition: str
    week: int
    title: str
    stories: tuple[NewsStory, ...]
    briefs: tuple[NoticeLine, ...] = ()
    losses: tuple[WeekLoss, ...] = ()
    score: tuple[FlagRow, ...] = ()
    seq: int | None = None


def faction_issue(
    scenario: Scenario,
    week: int,
    before: View,
    after: View,
    notices: Sequence[Notice],
    battles: Mapping[str, tuple[str, ...]],
    links: NoticeLinks = NO_LINKS,
) -> GazetteIssue:
    """Write the issue of one faction.

    Args:
        scenario: With the classes that the faction knows.
        notices: Those of its reports of the week, stage by stage.
        battles: Its own ids of its battles of the week, by hex.
        links: Addresses for names.
    """
    reader = NoticeReader(scenario, after.faction, links)
    stages = [notice.stage for notice in notices]
    ranks = {cls.code: number for number, cls in enumerate(WEEK_EVENTS)}
    in_order = sorted(notices, key=lambda item: (stages.index(item.stage), ranks[item.code]))
    stories = _stories(reader, week, in_order, battles)
    rest = [notice for notice in notices if not is_story(event_of_notice(notice))]
    losses = tuple(
        WeekLoss(
            reader.ship(item.name),
            short_class_name(item.cls),
            item.hex,
            reader.place(item.hex),
            LossCause.label_of(item.cause),
        )
        for item in after.losses
        if item.week == week
    )
    return GazetteIssue(
        "faction",
        week,
        phrase("The {} Gazette", short_name(after.faction)),
        stories or (_quiet(week),),
        lines_of(scenario, after.faction, rest, links),
        losses,
        _score(scenario, before, after),
    )


def alliance_issue(scenario: Scenario, week: int, before: View, after: View) -> GazetteIssue | None:
    """Write the common issue of allies; None without allies, or if they do not share their sight.

    It contains the scans and flags of a view, which are the same in the views of all of them.
    """
    side = side_of(scenario, after.faction)
    if len(side) == 1 or not scenario.shared_sight:
        return None
    reader = NoticeReader(scenario, "")
    notices = [
        _as_notice(week, EVENT_OF[item.source]((), item.hex, item.faction, item.counts))
        for item in after.sightings
        if item.week == week and item.source in EVENT_OF
    ]
    score = _score(scenario, before, after)
    flags = [
        _as_notice(week, _holding(scenario, item)) for item in score if item.before != item.now
    ]
    stories = _stories(reader, week, [*notices, *flags], {})
    return GazetteIssue(
        "alliance", week, phrase("The Allied Gazette"), stories or (_quiet(week),), score=score
    )


def public_issue(
    scenario: Scenario, week: int, stages: Sequence[str], *, over: bool
) -> GazetteIssue:
    """Write the public issue.

    Args:
        stages: The names of the stages played in the week.
        over: The war ended with it.
    """
    played = phrase(
        "Week {} of {} has been played: {}.", week, scenario.weeks, join_phrases(", ", stages)
    )
    openings = (
        phrase("Orders were sealed, and their digests are in the public record."),
        phrase("The orders are sealed. The public record has their digests."),
    )
    silence = (
        phrase("Only those who were there know where fleets are and whether they met."),
        phrase("This paper prints nothing that a faction may keep secret."),
    )
    text = [
        played,
        choose_wording(openings, week, scenario.slug),
        choose_wording(silence, scenario.slug, week),
    ]
    if over:
        text = [phrase("The war ended with week {}.", week), *text]
    if over:
        head = headline(WAR_OVER, week, "", {})
    else:
        head = choose_wording(PUBLIC, scenario.slug, week).format(week=week)
    return GazetteIssue(
        "public",
        week,
        phrase("The Public Gazette"),
        (NewsStory("", "", QUIET.name, head, tuple(text)),),
    )


PUBLIC = (
    phrase("Week {week} is over"),
    phrase("Week {week} goes into the record"),
    phrase("Week {week} has been played"),
)


def _stories(
    reader: NoticeReader,
    week: int,
    notices: Iterable[Notice],
    battles: Mapping[str, tuple[str, ...]],
) -> tuple[NewsStory, ...]:
    """Return the stories by place, the most important first."""
    together: dict[object, list[Notice]] = {}
    for n, notice in enumerate(notices):
        event = event_of_notice(notice)
        if is_story(event):
            key = (notice.hex, notice.stage) if is_destroyed(event) else n
            together.setdefault(key, []).append(notice)
    parts_by_hex: dict[str, list[tuple[StoryKind, str, Words]]] = {}
    for several in together.values():
        story_part = story_sentence(reader, several)
        parts_by_hex.setdefault("" if story_part[0].of_the_war else several[0].hex, []).append(
            story_part
        )
    weighed_stories = [
        _story(reader, week, hex_, story_part, battles.get(hex_, ()))
        for hex_, story_part in parts_by_hex.items()
    ]
    in_order = sorted(weighed_stories, key=lambda weighed: (weighed[0], weighed[1].hex))
    return tuple(story for _, story in in_order)


def _story(
    reader: NoticeReader,
    week: int,
    hex_: str,
    story_parts: Sequence[tuple[StoryKind, str, Words]],
    battles: tuple[str, ...],
) -> tuple[int, NewsStory]:
    """Return the weight of a place's story, and the story."""
    kind, _, words = min(story_parts, key=lambda part: part[0].weight)
    place = reader.place(hex_)
    text = tuple(text for _, text, _ in story_parts)
    story = NewsStory(hex_, place, kind.name, headline(kind, week, place, words), text, battles)
    return kind.weight, story


def _quiet(week: int) -> NewsStory:
    return NewsStory(
        "",
        "",
        QUIET.name,
        headline(QUIET, week, "", {}),
        (phrase("This week's reports contain no news."),),
    )


def _score(scenario: Scenario, before: View, after: View) -> tuple[FlagRow, ...]:
    """Return the holders of settled systems and of those that changed hands."""
    then = {system_state.system: system_state for system_state in before.systems}
    now = {system_state.system: system_state for system_state in after.systems}
    rows = []
    for system in sorted(
        scenario.systems, key=lambda candidate: (not candidate.settled, candidate.name)
    ):
        holder_now = _holder(now.get(system.id))
        holder_before = _holder(then.get(system.id))
        system_state = now.get(system.id)
        if system_state is not None and (system.settled or holder_now != holder_before):
            rows.append(
                FlagRow(
                    system.name,
                    system.hex,
                    holder_before,
                    holder_now,
                    system_state.state == "contested",
                    system_state.week,
                )
            )
    return tuple(rows)


def _holder(system_state: KnownSystem | None) -> str:
    if system_state is None or system_state.holder is None:
        return ""
    return system_state.holder


def _as_notice(week: int, event: WeekEvent) -> Notice:
    """Turn what a view shows into the notice of an event that all allies know of."""
    return Notice(week, "", event.code, event.hex, event.facts)


def _holding(scenario: Scenario, row: FlagRow) -> HoldingChanged:
    system = next(system.id for system in scenario.systems if system.hex == row.hex)
    state = "contested" if row.contested else HELD_STATE
    return HoldingChanged((), row.hex, system=system, holder=row.now, state=state, superior="")
