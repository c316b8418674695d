"""What campaigns want of their people: the facts for `campaign.wants`, of many in as many queries as of one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.utils import timezone

from campaign.models.campaign import Campaign, Faction
from campaign.models.kinds import BattleMode
from campaign.models.stage import OPEN, TABLE, Stage
from campaign.models.submission import Draft, Submission
from campaign.sight import Handed, handed_newest, views_at
from campaign.wants import BATTLES, DECISIONS, Call, CallState, Case, Want, want

Place = tuple[int, int]  # a branch and a faction


@dataclass(frozen=True, slots=True)
class Part:
    """Somebody in a campaign, and the stage that waits there. `sealed`: his side has answered it."""

    campaign: Campaign
    roles: Collection[str]
    faction: Faction | None
    stage: Stage | None
    sealed: bool


def want_of(part: Part) -> Want:
    """What a campaign wants of somebody."""
    return wants_of([part])[0]


def wants_of(parts: Sequence[Part]) -> tuple[Want, ...]:
    """What each campaign wants, in the same order."""
    asked = [(part, part.stage, part.faction) for part in parts]
    seeing = {
        (stage.from_snapshot_id, faction.pk)
        for _, stage, faction in asked
        if stage is not None and faction is not None and stage.status == OPEN and stage.kind in (DECISIONS, BATTLES)
    }
    views = views_at(seeing) if seeing else {}
    weeks = {
        (stage.branch_id, faction.pk): stage.week
        for _, stage, faction in asked
        if stage is not None and faction is not None and stage.status == OPEN and stage.kind == BATTLES
    }
    calls = calls_of(weeks) if weeks else {}
    found = []
    for part, stage, faction in asked:
        place = None if stage is None or faction is None else (stage.branch_id, faction.pk)
        seen = None if stage is None or faction is None else views.get((stage.from_snapshot_id, faction.pk))
        handed = () if place is None else calls.get(place, ())
        found.append(
            want(
                Case(
                    part.campaign,
                    part.roles,
                    stage,
                    part.sealed,
                    seen,
                    handed,
                    faction is not None and faction.seals_empty,
                )
            )
        )
    return tuple(found)


def calls_of(weeks: dict[Place, int]) -> dict[Place, tuple[Call, ...]]:
    """The battles handed to factions in these weeks, by branch and faction. What was withdrawn again is not there."""
    now = timezone.now()
    live = Submission.objects.filter(stage=OuterRef("stage"), faction=OuterRef("faction"), withdrawn_at__isnull=True)
    rows = (
        Draft.objects.filter(
            faction__in={faction for _, faction in weeks},
            stage__branch__in={branch for branch, _ in weeks},
            stage__battle__isnull=False,
            stage__opens__lte=now,
        )
        .exclude(stage__battle__mode=BattleMode.CAPTAINS.value)
        .annotate(answered=Exists(live))
        .select_related("stage")
        .order_by("stage__ordinal")
    )
    newest: dict[Place, dict[str, tuple[Stage, bool]]] = {}
    for row in rows:
        place = row.stage.branch_id, row.faction_id
        if weeks.get(place) == row.stage.week:
            newest.setdefault(place, {})[row.payload["battle"]] = row.stage, row.answered
    sheets = handed_newest(weeks, now)
    return {place: _calls(battles, sheets) for place, battles in newest.items()}


def _calls(battles: dict[str, tuple[Stage, bool]], sheets: dict[str, Handed]) -> tuple[Call, ...]:
    found = []
    for id_, (stage, answered) in battles.items():
        sheet = sheets.get(id_)
        if sheet is None:
            continue
        at_table, again = stage.kind == TABLE, stage.kind == TABLE and stage.ordinal > 0
        asks = stage.status == OPEN and (at_table or stage.ordinal == sheet.number)
        state: CallState = "waiting"
        if sheet.over or (at_table and stage.status != OPEN):
            state = "over"
        elif asks:
            state = "sealed" if answered else "open"
        found.append(Call(id_, sheet.hex, at_table, state, sheet.turn, again, stage.closes if asks else None))
    return tuple(sorted(found, key=lambda call: (call.hex, call.id)))
