"""The finished wars of a user: when each ended, and with what result for the user's faction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from campaign.kinds import StageStatus
from campaign.models.stage import Stage
from campaign.rules.queries import result_words, ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.selectors.next_action import OwnCampaign
from campaign.sight.views import views_at
from campaign.store.documents import scenario_of

# The largest ships are listed first.
SIZES = ("capital", "cruiser", "escort")


@dataclass(frozen=True, slots=True)
class FinishedWar:
    """A finished war of a user.

    Attributes:
        ended_at: None if its last stage has no public instant of closing.
        won: Whether the user's side won; None for a draw, and for users without a faction.
        result: What decided it, for users with a faction.
        losses: The classifications of the ships that the user's faction lost.
    """

    own_campaign: OwnCampaign
    week: int
    ended_at: datetime | None
    won: bool | None = None
    result: str = ""
    losses: tuple[str, ...] = ()


def finished_wars(own_campaigns: Sequence[OwnCampaign]) -> list[FinishedWar]:
    """Return finished campaigns with their results, in the same order, with three queries."""
    last_stages = _last_stages({own.campaign.head_branch_id for own in own_campaigns})
    places = set()
    for own in own_campaigns:
        stage = last_stages.get(own.campaign.head_branch_id)
        if own.faction is not None and stage is not None and stage.to_snapshot_id is not None:
            places.add((stage.to_snapshot_id, own.faction.pk))
    views = views_at(places) if places else {}
    wars = []
    for own in own_campaigns:
        stage = last_stages.get(own.campaign.head_branch_id)
        if stage is None:
            wars.append(FinishedWar(own, 0, None))
            continue
        faction = None if own.faction is None else own.faction.pk
        view = views.get((stage.to_snapshot_id or 0, faction or 0))
        wars.append(_finished_war(own, stage, view))
    return wars


def _last_stages(branches: Collection[int | None]) -> dict[int | None, Stage]:
    """Return the last resolved stage of each branch, without the phases of battles."""
    rows = Stage.objects.filter(
        branch__in=branches, battle__isnull=True, status=StageStatus.RESOLVED
    )
    return {row.branch_id: row for row in rows.order_by("ordinal", "pk")}


def _finished_war(own: OwnCampaign, stage: Stage, view: View | None) -> FinishedWar:
    """Return a war as its last stage left it."""
    if view is None or view.result is None or own.faction is None:
        return FinishedWar(own, stage.week, stage.closed_at)
    scenario = scenario_of(own.campaign)
    won = None
    if view.winner:
        won = view.winner in (own.faction.key, own.faction.alliance)
    return FinishedWar(
        own_campaign=own,
        week=stage.week,
        ended_at=stage.closed_at,
        won=won,
        result=result_words(scenario, view.result),
        losses=_losses(scenario, view),
    )


def _losses(scenario: Scenario, view: View) -> tuple[str, ...]:
    """Return the classifications of the ships that a faction lost, the largest first."""
    classes = ship_classes(scenario) | {cls.name: cls for cls in view.classes}
    lost = [classes[ship.cls].classification for ship in view.losses if ship.cls in classes]
    return tuple(sorted(lost, key=_size_rank))


def _size_rank(classification: str) -> int:
    """Sort key: the largest ships first, those of no size last."""
    return SIZES.index(classification) if classification in SIZES else len(SIZES)
