"""One issue of the newspaper for one audience: stories by place, briefs, losses, flags.

Pure functions. A faction's issue uses its own reports of the week and its views before and after
it. Allies that share their sight have a common issue with only what each of them sees: scans and
flags. The public issue only says which week was played, and what the published scenario says of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from campaign.events.battles import LossCause
from campaign.events.contacts import Scan, Survivors
from campaign.events.event import WeekEvent
from campaign.events.systems import HoldingChanged
from campaign.rules.perception import event_of_notice
from campaign.rules.queries import short_class_name, side_of
from campaign.rules.scenario import Scenario
from campaign.rules.view import BATTLE as AFTER_BATTLE
from campaign.rules.view import SCAN, KnownSystem, Notice, View
from campaign.words.gazette.wording import QUIET, choose_wording, headline, story_sentence
from campaign.words.notices import NoticeLine, is_destroyed, lines_of, notice_rank
from campaign.words.week.battles import BATTLE, BATTLE_LOST, NO_VICTOR, VICTORY
from campaign.words.week.reader import NO_LINKS, NoticeLinks, NoticeReader
from campaign.words.week.registry import is_story
from campaign.words.week.umpire import BULLETIN, PRESS_ITEM
from campaign.words.week.war import WAR_OVER
from campaign.words.week.words import StoryKind, Words
from engine.core.phrase import join_phrases, phrase
from engine.english import short_name

HELD_STATE = "held"
ENDS_OF_BATTLES = {kind.name for kind in (VICTORY, BATTLE_LOST, NO_VICTOR)}
EVENT_OF_SOURCE = {SCAN: Scan, AFTER_BATTLE: Survivors}  # event by source of a sighting


class Announcement(Protocol):
    """What the umpire wrote for all factions; a bulletin has no headline."""

    @property
    def headline(self) -> str: ...

    @property
    def text(self) -> str: ...


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
        before: Its view at the beginning of the week.
        after: Its view at the end of the week.
        notices: Those of its reports of the week, stage by stage.
        battles: Its own ids of its battles of the week, by hex.
        links: Addresses for names.
    """
    reader = NoticeReader(scenario, after.faction, links)
    stages = [notice.stage for notice in notices]
    ranked = sorted(notices, key=lambda notice: (stages.index(notice.stage), notice_rank(notice)))
    briefs = [notice for notice in notices if not is_story(event_of_notice(notice))]
    return GazetteIssue(
        edition="faction",
        week=week,
        title=phrase("The {} Gazette", short_name(after.faction)),
        stories=_stories(reader, week, ranked, battles) or (_quiet(week),),
        briefs=lines_of(scenario, after.faction, briefs, links),
        losses=_losses(reader, week, after),
        score=_flag_rows(scenario, before, after),
    )


def main_headline(scenario: Scenario, faction: str, week: int, notices: Sequence[Notice]) -> str:
    """Return the headline of the most important news in a faction's reports; "" without news.

    Args:
        scenario: With the classes that the faction knows.
        notices: Those of one or more stages of the week.
    """
    stories = _stories(NoticeReader(scenario, faction), week, notices, {})
    return stories[0].headline if stories else ""


def _losses(reader: NoticeReader, week: int, view: View) -> tuple[WeekLoss, ...]:
    """Return the own ships that were lost in a week."""
    losses = []
    for loss in view.losses:
        if loss.week == week:
            losses.append(
                WeekLoss(
                    name=reader.ship(loss.name),
                    cls=phrase(short_class_name(loss.cls)),
                    hex=loss.hex,
                    place=reader.place(loss.hex),
                    cause=LossCause.label_of(loss.cause),
                )
            )
    return tuple(losses)


def alliance_issue(scenario: Scenario, week: int, before: View, after: View) -> GazetteIssue | None:
    """Write the common issue of allies; None without allies, or if they do not share their sight.

    It contains the scans and flags of a view, which are the same in the views of all of them.
    """
    side = side_of(scenario, after.faction)
    if len(side) == 1 or not scenario.shared_sight:
        return None
    reader = NoticeReader(scenario, "")
    events: list[WeekEvent] = []
    for sighting in after.sightings:
        if sighting.week == week and sighting.source in EVENT_OF_SOURCE:
            event_class = EVENT_OF_SOURCE[sighting.source]
            events.append(event_class((), sighting.hex, sighting.faction, sighting.counts))
    score = _flag_rows(scenario, before, after)
    for flag in score:
        if flag.before != flag.now:
            events.append(_holding_changed(scenario, flag))
    stories = _stories(reader, week, [_as_notice(week, event) for event in events], {})
    return GazetteIssue(
        edition="alliance",
        week=week,
        title=phrase("The Allied Gazette"),
        stories=stories or (_quiet(week),),
        score=score,
    )


def public_issue(
    scenario: Scenario,
    week: int,
    stages: Sequence[str],
    *,
    over: bool,
    announcements: Iterable[Announcement] = (),
) -> GazetteIssue:
    """Write the public issue.

    Args:
        stages: The names of the stages played in the week.
        over: The war ended with it.
        announcements: What the umpire wrote for all factions.
    """
    sealing_choices = (
        phrase("Orders were sealed, and their digests are in the public record."),
        phrase("The orders are sealed. The public record has their digests."),
    )
    secrecy_choices = (
        phrase("Only those who were there know where fleets are and whether they met."),
        phrase("This paper prints nothing that a faction may keep secret."),
    )
    stage_names = join_phrases(", ", stages)
    text = [
        phrase("Week {} of {} has been played: {}.", week, scenario.weeks, stage_names),
        choose_wording(sealing_choices, week, scenario.slug),
        choose_wording(secrecy_choices, scenario.slug, week),
    ]
    if over:
        text.insert(0, phrase("The war ended with week {}.", week))
        title = headline(WAR_OVER, week, "", {})
    else:
        title = choose_wording(PUBLIC_HEADLINES, scenario.slug, week).format(week=week)
    stories = []
    for item in announcements:
        stories.append(
            NewsStory(
                hex="",
                place="",
                kind=PRESS_ITEM.name if item.headline else BULLETIN.name,
                headline=item.headline or phrase("Bulletin"),
                text=(item.text,),
            )
        )
    stories.append(NewsStory(hex="", place="", kind=QUIET.name, headline=title, text=tuple(text)))
    return GazetteIssue(
        edition="public", week=week, title=phrase("The Public Gazette"), stories=tuple(stories)
    )


PUBLIC_HEADLINES = (
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
    """Return the stories by place, the most important first.

    Ships that were destroyed at one place in one stage share a sentence.
    """
    groups: dict[object, list[Notice]] = {}
    for number, notice in enumerate(notices):
        event = event_of_notice(notice)
        if is_story(event):
            key = (notice.hex, notice.stage) if is_destroyed(event) else number
            groups.setdefault(key, []).append(notice)
    parts_by_hex: dict[str, list[tuple[StoryKind, str, Words]]] = {}
    for group in groups.values():
        story_part = story_sentence(reader, group)
        label = "" if story_part[0].of_the_war else group[0].hex
        parts_by_hex.setdefault(label, []).append(story_part)
    weighed_stories = []
    for label, parts in parts_by_hex.items():
        weighed_stories.append(
            _story(reader, week, label=label, story_parts=parts, battles=battles.get(label, ()))
        )
    weighed_stories.sort(key=lambda weighed: (weighed[0], weighed[1].hex))
    return tuple(story for _, story in weighed_stories)


def _story(
    reader: NoticeReader,
    week: int,
    *,
    label: str,
    story_parts: Sequence[tuple[StoryKind, str, Words]],
    battles: tuple[str, ...],
) -> tuple[int, NewsStory]:
    """Return the weight of a place's story, and the story: its news first, then what led to it."""
    parts = sorted(_without_beginnings(story_parts), key=lambda part: part[0].weight)
    kind, _, words = parts[0]
    place = reader.place(label)
    story = NewsStory(
        hex=label,
        place=place,
        kind=kind.name,
        headline=headline(kind, week, place, words),
        text=tuple(text for _, text, _ in parts),
        battles=battles,
    )
    return kind.weight, story


def _without_beginnings(
    story_parts: Sequence[tuple[StoryKind, str, Words]],
) -> list[tuple[StoryKind, str, Words]]:
    """Return the sentences of a story, without that of a battle's beginning if its end is told."""
    if not any(kind.name in ENDS_OF_BATTLES for kind, _, _ in story_parts):
        return list(story_parts)
    return [part for part in story_parts if part[0].name != BATTLE.name]


def _quiet(week: int) -> NewsStory:
    """Return the story of a week without news."""
    return NewsStory(
        hex="",
        place="",
        kind=QUIET.name,
        headline=headline(QUIET, week, "", {}),
        text=(phrase("This week's reports contain no news."),),
    )


def _flag_rows(scenario: Scenario, before: View, after: View) -> tuple[FlagRow, ...]:
    """Return the holders of settled systems and of those that changed hands."""
    known_before = {known_system.system: known_system for known_system in before.systems}
    known_after = {known_system.system: known_system for known_system in after.systems}
    rows = []
    for system in sorted(scenario.systems, key=lambda system: (not system.settled, system.name)):
        known_system = known_after.get(system.id)
        holder = _holder(known_system)
        holder_before = _holder(known_before.get(system.id))
        if known_system is not None and (system.settled or holder != holder_before):
            rows.append(
                FlagRow(
                    name=system.name,
                    hex=system.hex,
                    before=holder_before,
                    now=holder,
                    contested=known_system.state == "contested",
                    week=known_system.week,
                )
            )
    return tuple(rows)


def _holder(known_system: KnownSystem | None) -> str:
    """Return the faction that holds a system as far as known, or ""."""
    if known_system is None or known_system.holder is None:
        return ""
    return known_system.holder


def _as_notice(week: int, event: WeekEvent) -> Notice:
    """Turn what a view shows into the notice of an event that all allies know of."""
    return Notice(week=week, stage="", code=event.code, hex=event.hex, facts=event.facts)


def _holding_changed(scenario: Scenario, row: FlagRow) -> HoldingChanged:
    """Return the event of a system that changed hands."""
    system = next(system.id for system in scenario.systems if system.hex == row.hex)
    state = "contested" if row.contested else HELD_STATE
    return HoldingChanged((), row.hex, system=system, holder=row.now, state=state, superior="")
