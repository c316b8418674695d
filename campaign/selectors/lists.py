"""Lists for the umpire, from the projection of the head, and for the clock."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from campaign.models.branch import Branch
from campaign.models.campaign import Campaign
from campaign.models.ledger import LedgerRow
from campaign.models.projection import FacilityState, Fleet, Repair, Ship
from campaign.models.stage import CLOSED, OPEN, Stage
from campaign.services.due import stage_due


def fleets_of(*, branch: Branch, hex: str = "", faction: str = "") -> QuerySet[Fleet]:
    """The fleets now, of a hex or a faction, by key."""
    narrow = {name: value for name, value in (("hex", hex), ("faction", faction)) if value}
    return Fleet.objects.filter(branch=branch, **narrow).order_by("key")


def ships_of(*, branch: Branch, fleet: str = "", cls: str = "") -> QuerySet[Ship]:
    """The ships now, of a fleet or a class, by key."""
    narrow = {name: value for name, value in (("fleet", fleet), ("cls", cls)) if value}
    return Ship.objects.filter(branch=branch, **narrow).order_by("key")


def systems_of(*, branch: Branch) -> QuerySet[FacilityState]:
    """Who holds which system now, by key."""
    return FacilityState.objects.filter(branch=branch).order_by("key")


def repairs_of(*, branch: Branch) -> QuerySet[Repair]:
    """The docked ships with something to mend, by key."""
    return Repair.objects.filter(branch=branch).order_by("key")


def ledger_of(*, campaign: Campaign) -> QuerySet[LedgerRow]:
    """The public ledger of the head branch, first row first."""
    return LedgerRow.objects.filter(branch__headed=campaign).order_by("seq")


def stages_to_resolve(*, now: datetime) -> list[Stage]:
    """The stages of all campaigns that a tick has to resolve: closed but not resolved, or due to close."""
    stages = Stage.objects.filter(battle__isnull=True, status__in=(OPEN, CLOSED)).order_by("pk")
    waiting = stages.select_related("branch__campaign")
    return [stage for stage in waiting if stage.status == CLOSED or stage_due(stage=stage, now=now)]
