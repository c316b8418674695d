"""Lists for the umpire, from the projection of the head, and for the clock."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone

from campaign.models.campaign import Branch, Campaign
from campaign.models.ledger import LedgerRow
from campaign.models.stage import Stage
from campaign.models.truth import FacilityState, Fleet, Repair, Ship
from campaign.publication import ledger_shown
from campaign.services.due import stages_due

AT_ONCE = 500  # rows named in one query
# what lists of fleets and of ships can be narrowed to
CONDITIONS: dict[str, str] = {
    "damaged": "damaged",
    "docked": "docked",
    "short": "short of stores",
    "towed": "in tow",
    "laid-up": "laid up",
    "ftl": "in FTL space",
    "leaving": "must leave",
}
# conditions of a ship that its row tells by itself
SHIPS_ALONE: dict[str, Q] = {
    "docked": Q(docked=True),
    "short": ~Q(stock=[]),
    "towed": ~Q(tug=""),
    "laid-up": Q(laid_up=True),
}


def fleets_of(
    *, branch: Branch, hex: str = "", faction: str = "", text: str = "", condition: str = ""
) -> QuerySet[Fleet]:
    """The fleets now, by key: of a hex or a faction, with a text in name, key or hex, in a condition."""
    rows = Fleet.objects.filter(branch=branch, **_narrow(hex=hex, faction=faction))
    if text:
        rows = rows.filter(Q(name__icontains=text) | Q(key__icontains=text) | Q(hex__icontains=text))
    if condition:
        rows = rows.filter(_fleets_in(branch, condition))
    return rows.order_by("key")


def ships_of(
    *,
    branch: Branch,
    fleet: str = "",
    cls: str = "",
    hex: str = "",
    faction: str = "",
    text: str = "",
    condition: str = "",
) -> QuerySet[Ship]:
    """The ships now, by key: of a fleet, a class, a hex or a faction, with a text in them, in a condition."""
    rows = Ship.objects.filter(branch=branch, **_narrow(fleet=fleet, cls=cls, hex=hex, faction=faction))
    if text:
        rows = rows.filter(
            Q(name__icontains=text) | Q(key__icontains=text) | Q(cls__icontains=text) | Q(hex__icontains=text)
        )
    if condition:
        rows = rows.filter(_ships_in(branch, condition))
    return rows.order_by("key")


def _narrow(**wanted: str) -> dict[str, str]:
    return {name: value for name, value in wanted.items() if value}


def _ships_in(branch: Branch, condition: str) -> Q:
    """The ships in a condition; in an unknown one none."""
    if condition == "damaged":
        return Q(damage__gt=0) | ~Q(lost=[])
    if condition in SHIPS_ALONE:
        return SHIPS_ALONE[condition]
    if condition in ("ftl", "leaving"):
        fleets = Fleet.objects.filter(_fleets_in(branch, condition), branch=branch)
        return Q(fleet__in=fleets.values("key"))
    return Q(pk__in=())


def _fleets_in(branch: Branch, condition: str) -> Q:
    """The fleets in a condition; in an unknown one none."""
    if condition == "damaged" or condition in SHIPS_ALONE:
        return Q(key__in=Ship.objects.filter(_ships_in(branch, condition), branch=branch).values("fleet"))
    if condition == "ftl":
        return Q(in_ftl=True)
    if condition == "leaving":
        return Q(must_leave=True)
    return Q(pk__in=())


def systems_of(*, branch: Branch) -> QuerySet[FacilityState]:
    """Who holds which system now, by key."""
    return FacilityState.objects.filter(branch=branch).order_by("key")


def repairs_of(*, branch: Branch) -> QuerySet[Repair]:
    """The docked ships with something to mend, by key."""
    return Repair.objects.filter(branch=branch).order_by("key")


def ledger_of(*, campaign: Campaign) -> QuerySet[LedgerRow]:
    """The public ledger of the head branch as it is known now, first row first."""
    return ledger_shown(LedgerRow.objects.filter(branch__headed=campaign), timezone.now()).order_by("seq")


def stages_to_resolve(*, now: datetime, attended: bool = False) -> list[Stage]:
    """The stages of all campaigns that a tick has to resolve, by row: closed but not resolved, or due to close.

    `attended`: only those of campaigns that somebody is in.
    """
    due = stages_due(now=now, attended=attended)
    return [stage for start in range(0, len(due), AT_ONCE) for stage in _rows(due[start : start + AT_ONCE])]


def _rows(stages: list[int]) -> QuerySet[Stage]:
    return Stage.objects.filter(pk__in=stages).order_by("pk")
