"""One issue of the newspaper, for one audience: stories by place, briefs, losses, who holds what.

Pure.

A faction's issue is made of its own reports of the week and of its Views before and after it.
Allies that share their sight have one in common, of what each of them sees: scans and flags, and
nothing that one of them alone was told. The public one says which week was played and what the
published scenario says of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from campaign.events.battles import LossCause
from campaign.events.contacts import Scan, Survivors
from campaign.events.event import WeekEvent
from campaign.events.registry import WEEK_EVENTS
from campaign.events.systems import HoldingChanged
from campaign.rules.perceive import told_event
from campaign.rules.queries import plain_class, side_of
from campaign.rules.scenario import Scenario
from campaign.rules.view import BATTLE, SCAN, KnownSystem, Notice, View
from campaign.words.gazette.wording import QUIET, headline, sentence, wording
from campaign.words.notices import NoticeLine, is_destroyed, lines_of
from campaign.words.week.reader import NO_LINKS, NoticeLinks, NoticeReader
from campaign.words.week.registry import is_story
from campaign.words.week.war import WAR_OVER
from campaign.words.week.words import StoryKind, Words
from engine.core.phrase import joined_phrases, phrase
from engine.english import short_name

HELD = "held"
EVENT_OF = {SCAN: Scan, BATTLE: Survivors}  # by the source of a sighting


@dataclass(frozen=True, slots=True)
class NewsStory:
    """A story: what happened at one place in a week.

    `kind`: that of its weightiest event, which gives the headline; `text`: a sentence an event;
    `battles`: the reader's own ids of those fought there.
    """

    hex: str
    place: str
    kind: str
    headline: str
    text: tuple[str, ...]
    battles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LostInWeek:
    """An own ship that was lost in the week."""

    name: str
    cls: str
    hex: str
    place: str
    how: str


@dataclass(frozen=True, slots=True)
class FlagRow:
    """Who held a system at the week's beginning and at its end, by key, "" for nobody, as the
    reader last knew it.

    `week`: of that knowledge; `contested`: at the end.
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

    `stories`: the weightiest first; `briefs`: yards, stores and orders, place by place; `seq`: the
    moment at the week's end, None in the public one.
    """

    edition: str
    week: int
    title: str
    stories: tuple[NewsStory, ...]
    briefs: tuple[NoticeLine, ...] = ()
    losses: tuple[LostInWeek, ...] = ()
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
    """The issue of one faction.

    `notices`: of its reports of the week, stage by stage; `battles`: its own ids of its battles of
    the week, by hex; `scenario`: with the classes that it knows; `links`: what names lead to.
    """
    reader = NoticeReader(scenario, after.faction, links)
    stages = [notice.stage for notice in notices]
    ranks = {cls.code: number for number, cls in enumerate(WEEK_EVENTS)}
    in_order = sorted(notices, key=lambda one: (stages.index(one.stage), ranks[one.code]))
    stories = _stories(reader, week, in_order, battles)
    rest = [notice for notice in notices if not is_story(told_event(notice))]
    losses = tuple(
        LostInWeek(
            reader.ship(one.name),
            plain_class(one.cls),
            one.hex,
            reader.place(one.hex),
            LossCause.words(one.how),
        )
        for one in after.losses
        if one.week == week
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
    """The issue that allies have in common, None where the reader has none, or they do not share
    their sight.

    Made of the scans and the flags in a View, which are the same in each of theirs.
    """
    side = side_of(scenario, after.faction)
    if len(side) == 1 or not scenario.shared_sight:
        return None
    reader = NoticeReader(scenario, "")
    notices = [
        _as_notice(week, EVENT_OF[one.source]((), one.hex, one.faction, one.counts))
        for one in after.sightings
        if one.week == week and one.source in EVENT_OF
    ]
    score = _score(scenario, before, after)
    flags = [_as_notice(week, _holding(scenario, one)) for one in score if one.before != one.now]
    stories = _stories(reader, week, [*notices, *flags], {})
    return GazetteIssue(
        "alliance", week, phrase("The Allied Gazette"), stories or (_quiet(week),), score=score
    )


def public_issue(
    scenario: Scenario, week: int, stages: Sequence[str], *, over: bool
) -> GazetteIssue:
    """The issue for everybody.

    `stages`: what was played in the week, in words; `over`: the war ended with it.
    """
    played = phrase(
        "Week {} of {} has been played: {}.", week, scenario.weeks, joined_phrases(", ", stages)
    )
    openings = (
        phrase("Orders were sealed, and their digests stand in the public record."),
        phrase("What was ordered is sealed. The public record holds the digests."),
    )
    silence = (
        phrase("Where fleets are and whether they met is known to those who were there."),
        phrase("Nothing is printed here that any faction may keep to itself."),
    )
    text = [played, wording(openings, week, scenario.slug), wording(silence, scenario.slug, week)]
    if over:
        text = [phrase("The war has ended with week {}.", week), *text]
    head = (
        headline(WAR_OVER, week, "", {})
        if over
        else wording(PUBLIC, scenario.slug, week).format(week=week)
    )
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
    """What happened, place by place, the weightiest places first."""
    together: dict[object, list[Notice]] = {}
    for n, notice in enumerate(notices):
        event = told_event(notice)
        if is_story(event):
            key = (notice.hex, notice.stage) if is_destroyed(event) else n
            together.setdefault(key, []).append(notice)
    told: dict[str, list[tuple[StoryKind, str, Words]]] = {}
    for several in together.values():
        said = sentence(reader, several)
        told.setdefault("" if said[0].of_the_war else several[0].hex, []).append(said)
    found = [_story(reader, week, hex_, said, battles.get(hex_, ())) for hex_, said in told.items()]
    in_order = sorted(found, key=lambda weighed: (weighed[0], weighed[1].hex))
    return tuple(story for _, story in in_order)


def _story(
    reader: NoticeReader,
    week: int,
    hex_: str,
    said: Sequence[tuple[StoryKind, str, Words]],
    battles: tuple[str, ...],
) -> tuple[int, NewsStory]:
    """The weight of a place's story, and the story."""
    kind, _, words = min(said, key=lambda one: one[0].weight)
    place = reader.place(hex_)
    text = tuple(text for _, text, _ in said)
    story = NewsStory(hex_, place, kind.name, headline(kind, week, place, words), text, battles)
    return kind.weight, story


def _quiet(week: int) -> NewsStory:
    return NewsStory(
        "",
        "",
        QUIET.name,
        headline(QUIET, week, "", {}),
        (phrase("No report of this week tells of anything."),),
    )


def _score(scenario: Scenario, before: View, after: View) -> tuple[FlagRow, ...]:
    """Who holds what, of the settled systems and of those that changed hands."""
    then = {known.system: known for known in before.systems}
    now = {known.system: known for known in after.systems}
    found = []
    for system in sorted(scenario.systems, key=lambda one: (not one.settled, one.name)):
        held, had = _holder(now.get(system.id)), _holder(then.get(system.id))
        known = now.get(system.id)
        if known is not None and (system.settled or held != had):
            found.append(
                FlagRow(system.name, system.hex, had, held, known.state == "contested", known.week)
            )
    return tuple(found)


def _holder(known: KnownSystem | None) -> str:
    return "" if known is None or known.holder is None else known.holder


def _as_notice(week: int, event: WeekEvent) -> Notice:
    """What a View shows, as the notice of an event that all allies know of."""
    return Notice(week, "", event.code, event.hex, event.facts)


def _holding(scenario: Scenario, one: FlagRow) -> HoldingChanged:
    system = next(system.id for system in scenario.systems if system.hex == one.hex)
    state = "contested" if one.contested else HELD
    return HoldingChanged((), one.hex, system=system, holder=one.now, state=state, superior="")
