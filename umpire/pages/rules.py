"""The rules of a war as its public record, its host's page and the question before a change-over show them."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.models.campaign import Campaign
from campaign.models.stage import Stage
from campaign.selectors.rules import ChangeOver, rules_of
from engine.core.versions import NEWEST, PLAYED, Version, newer
from umpire.services.control import change_refused


@dataclass(frozen=True, slots=True)
class Offer:
    """A version of the rules that a war could change over to, and what would change in it, in words."""

    number: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """What a page shows. `now`: by which rules the war is played; `unplayed`: what its record names, where this release
    does not play that any more. `coming`: the change-over to come; `past`: those that have been.

    `offers`: the newer versions, `refused` why none of them can be chosen now. `everywhere`: the versions since the
    beginning that changed something in every war. `week`: with which a change-over would begin.
    """

    begun: str
    now: str
    unplayed: str
    newest: str
    coming: ChangeOver | None
    past: tuple[ChangeOver, ...]
    offers: tuple[Offer, ...]
    refused: str
    everywhere: tuple[Version, ...]
    week: int


def rules_shown(campaign: Campaign, stage: Stage | None) -> Rules:
    """The rules of a war. `stage`: the one that waits; None before the war and after it."""
    record = rules_of(campaign)
    week = 0 if stage is None else stage.week
    if stage is None and record.turns:
        week = max(turn.week for turn in record.turns)  # the war is over: whatever was to count has counted
    now, recorded = record.at(week), record.recorded(week)
    offers = tuple(
        Offer(number, tuple(change.words for change in record.would_change(now, number)))
        for number in PLAYED
        if newer(number, now)
    )
    refused = "" if stage is None else change_refused(campaign, stage.week)
    return Rules(
        begun=record.begun,
        now=now,
        unplayed="" if recorded == now else recorded,
        newest=NEWEST,
        coming=record.next_after(week),
        past=record.past(week),
        offers=offers,
        refused=refused[:1].upper() + refused[1:],
        everywhere=record.everywhere(),
        week=week + 1,
    )
