"""What a campaign wants of somebody next: one sentence, one button. Pure but for the addresses.

Whoever plays seals every stage, also where his fleets met nobody, so what is wanted tells nothing about meetings.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from campaign.models.campaign import Campaign
from campaign.models.membership import HOST, OF_A_FACTION, UMPIRE
from campaign.models.stage import OPEN, Stage

# stage kind -> (what to do, what the button says, what is sealed)
TASKS = {
    "deploy": ("Build your force and place it", "Deploy", "deployment"),
    "orders": ("Write the orders of week {week}", "Write orders", "orders"),
    "decisions": ("Give your decisions of week {week}", "Decide", "decisions"),
    "battles": ("Give doctrine for the battles of week {week}", "Give doctrine", "doctrine"),
}
ANSWERED_AT = {"deploy": "deploy", "orders": "orders", "decisions": "decisions", "battles": "orders"}
STEPS = (("orders", "Orders"), ("decisions", "Decisions"), ("battles", "Battles"))


@dataclass(frozen=True, slots=True)
class Want:
    """The next thing to do. `due`: the campaign waits for this reader; else he waits. `closes`: until when."""

    title: str
    why: str
    label: str
    href: str
    due: bool
    closes: datetime | None = None


def want(campaign: Campaign, roles: Collection[str], stage: Stage | None, sealed: bool) -> Want:
    """What the campaign wants of who has these roles. `stage`: the one that waits; `sealed`: his side has answered."""
    c = {"c": campaign.public_id}
    lobby, plays = reverse("lobby", kwargs=c), any(role in roles for role in OF_A_FACTION)
    if campaign.started_at is None:
        if HOST in roles:
            return Want(
                "Fill the seats and begin", "Invite people, or leave seats to the computer.", "Open lobby", lobby, True
            )
        return Want(
            "Waiting for the host to begin", "You have your seat; the war has not begun.", "Open lobby", lobby, False
        )
    if stage is None:
        return Want("The war is over", "Read how it ended.", "See the result", lobby, False)
    task, label, what = TASKS[stage.kind]
    closes = None if campaign.paused_at is not None else stage.closes
    if stage.status != OPEN:
        return Want(
            "The umpire is at work",
            "The stage is closed and being resolved; it takes some seconds.",
            "Look again",
            lobby,
            False,
        )
    if plays and not sealed:
        why = "The clock is paused." if campaign.paused_at is not None else ""
        return Want(task.format(week=stage.week), why, label, reverse(ANSWERED_AT[stage.kind], kwargs=c), True, closes)
    if plays:
        why = f"Your {what} {'is' if what in ('deployment', 'doctrine') else 'are'} sealed. The others are awaited."
        return Want("Nothing to do now", why, "See the map", reverse("map", kwargs=c), False, closes)
    if UMPIRE in roles:
        return Want(
            "See who has sealed",
            f"{stage_words(stage)}: the players are at it.",
            "Open desk",
            reverse("umpire", kwargs=c),
            False,
            closes,
        )
    if HOST in roles:
        return Want(
            "Keep the clock",
            f"{stage_words(stage)}: the players are at it.",
            "See the clock",
            reverse("host", kwargs=c),
            False,
            closes,
        )
    return Want(
        "Look on",
        f"{stage_words(stage)}. What is public is here for you.",
        "Public record",
        reverse("public", kwargs=c),
        False,
        closes,
    )


def stage_words(stage: Stage) -> str:
    """A stage as people say it."""
    return "Deployment" if stage.kind == "deploy" else f"Week {stage.week}: {stage.kind}"
