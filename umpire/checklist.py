"""The umpire's checklist of the week: what is due, who has not sealed or opened, and what waits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from campaign.access import Viewer
from campaign.kinds import BattleStatus, StageKind, StageStatus
from campaign.models.campaign import Campaign
from campaign.models.stage import Stage
from campaign.rules.starmap import named_hexes
from campaign.selectors.clock import Seat, seats_at, waiting_stage
from campaign.selectors.messages import message_rules_of, unread_count
from campaign.selectors.stuck import is_held
from campaign.selectors.truth import battles_of
from campaign.selectors.umpired import UmpiredCampaign
from campaign.services.outbox import moment_in
from campaign.services.view_openings import views_opened
from campaign.store.documents import scenario_of
from campaign.web.timetables import late_orders_words
from engine.core.phrase import phrase
from engine.english import counted_noun
from umpire.services.attention import NO_ATTENTION, attention_of
from umpire.services.umpire_events import written_events
from umpire.troubles import troubles_of


@dataclass(frozen=True, slots=True)
class ChecklistItem:
    """Something that an umpire looks after in the open stage, or a fact about the stage.

    Attributes:
        kind: stage, sealed, opened, battle, trouble, message or event.
        is_done: Whether nothing is left to do about it.
        faction: The key of the faction concerned; empty for none.
        href: The page where the umpire can deal with it; empty if there is none.
        label: The text of the link.
    """

    kind: str
    words: str
    is_done: bool
    faction: str = ""
    href: str = ""
    label: str = ""

    @property
    def is_fact(self) -> bool:
        """Return whether this only states something about the stage, such as its deadline."""
        return self.kind == "stage" and self.is_done


def checklist_of(viewer: Viewer, now: datetime) -> tuple[ChecklistItem, ...]:
    """Return the checklist of the open stage; empty before and after the war."""
    campaign = viewer.campaign
    stage = waiting_stage(campaign=campaign)
    if stage is None:
        return ()
    seats = seats_at(campaign=campaign, stage=stage, umpire=True)
    return (
        *_stage_items(campaign, stage),
        *_seal_items(campaign, seats),
        *_opening_items(stage, seats, campaign),
        *_battle_items(campaign, stage),
        *_trouble_items(viewer, stage, seats, now),
        *_message_items(viewer),
        *_event_items(viewer, stage),
    )


def _stage_items(campaign: Campaign, stage: Stage) -> Iterable[ChecklistItem]:
    """Yield when the stage closes, whether it takes late orders, and whether it is held."""
    if stage.status == StageStatus.CLOSED:
        words = phrase("The stage is closed.")
    elif campaign.paused_at is not None:
        words = phrase("The clock is paused.")
    elif stage.closes is None:
        words = phrase("No deadline.")
    else:
        words = phrase("The stage closes {}.", moment_in(campaign, stage.closes))
    yield ChecklistItem("stage", words, is_done=True)
    if late := late_orders_words(campaign, stage):
        yield ChecklistItem("stage", late, is_done=True)
    if is_held(stage):
        yield ChecklistItem(
            "stage",
            phrase("The next stage is held back until you release it."),
            is_done=False,
            href=reverse("umpire-act", args=(campaign.public_id, "release")),
            label=phrase("Release the next stage"),
        )


def _seal_items(campaign: Campaign, seats: Iterable[Seat]) -> Iterable[ChecklistItem]:
    """Yield for each faction with players whether it has sealed."""
    for seat in seats:
        if not seat.people:
            continue
        if not seat.awaited:
            yield ChecklistItem("sealed", _sealed_words(seat), is_done=True, faction=seat.key)
            continue
        yield ChecklistItem(
            "sealed",
            phrase("{} has not sealed yet.", seat.name),
            is_done=False,
            faction=seat.key,
            href=reverse("umpire-act", args=(campaign.public_id, "remind")),
            label=phrase("Remind"),
        )


def _sealed_words(seat: Seat) -> str:
    """Return whether a faction that is not awaited has sealed, and whether that was late."""
    if seat.sealed_at is None:
        return phrase("{} is not awaited.", seat.name)
    if seat.is_late:
        return phrase("{} has sealed after the deadline.", seat.name)
    return phrase("{} has sealed.", seat.name)


def _opening_items(
    stage: Stage, seats: Iterable[Seat], campaign: Campaign
) -> Iterable[ChecklistItem]:
    """Yield for each faction with players whether they have opened the newest reports."""
    if stage.kind == StageKind.DEPLOY:
        return
    opened = views_opened(stage.branch, stage.ordinal)
    for seat in seats:
        if not seat.people:
            continue
        if seat.key in opened:
            at = moment_in(campaign, opened[seat.key])
            words = phrase("{} opened the newest report {}.", seat.name, at)
        else:
            words = phrase("{} has not opened the newest report yet.", seat.name)
        yield ChecklistItem("opened", words, seat.key in opened, faction=seat.key)


def _battle_items(campaign: Campaign, stage: Stage) -> Iterable[ChecklistItem]:
    """Yield the battles of the week, each with whether it is over."""
    places = named_hexes(scenario_of(campaign))
    for row in battles_of(branch=stage.branch, week=stage.week):
        hex_ = row.key.partition("/")[0]
        place = places.get(hex_, phrase("hex {}", hex_))
        is_over = row.status == BattleStatus.FOUGHT or getattr(row, "phase", None) == "over"
        if is_over:
            words = phrase("The battle at {} is over.", place)
        else:
            words = phrase("The battle at {} is not over yet.", place)
        yield ChecklistItem(
            "battle",
            words,
            is_over,
            href=reverse("umpire-battle", args=(campaign.public_id, row.public_id)),
            label=phrase("Open the battle"),
        )


def _trouble_items(
    viewer: Viewer, stage: Stage, seats: tuple[Seat, ...], now: datetime
) -> Iterable[ChecklistItem]:
    """Yield the troubles of the war that need its umpire."""
    war = UmpiredCampaign(viewer.campaign, stage, seats)
    waits = attention_of([war], viewer.user.pk, now).get(viewer.campaign.pk, NO_ATTENTION)
    for trouble in troubles_of(war, waits, now):
        if trouble.is_urgent:
            yield ChecklistItem(
                "trouble",
                trouble.words,
                is_done=False,
                faction=trouble.faction,
                href=trouble.href,
                label=trouble.label,
            )


def _message_items(viewer: Viewer) -> Iterable[ChecklistItem]:
    """Yield whether the umpire has unread messages, if the war has messages."""
    if not message_rules_of(viewer.campaign).on:
        return
    count = unread_count(viewer)
    if count:
        words = phrase("You have {}.", counted_noun(count, "unread message"))
    else:
        words = phrase("You have read all messages.")
    yield ChecklistItem(
        "message",
        words,
        is_done=not count,
        href=reverse("messages", args=(viewer.campaign.public_id,)),
        label=phrase("Messages"),
    )


def _event_items(viewer: Viewer, stage: Stage) -> Iterable[ChecklistItem]:
    """Yield how many events wait for their stage."""
    events = written_events(viewer, (stage.week, stage.kind))
    waiting = sum(not event.is_delivered for event in events)
    if waiting:
        yield ChecklistItem(
            "event",
            phrase("{} for a later stage.", counted_noun(waiting, "event")),
            is_done=True,
            href=reverse("umpire-events", args=(viewer.campaign.public_id,)),
            label=phrase("Events"),
        )
