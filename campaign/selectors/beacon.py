"""Public random values in the dice of a war: which closed stages and phases wait for theirs.

A stage of the week and a phase of a battle each have the value of a round of their own
(`campaign.rules.beacon`). No dice are rolled before it is there. A host or umpire may let a stage
of the week, with the phases that close in it, go on without.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Q, QuerySet

from campaign.kinds import TABLE, StageStatus
from campaign.models.campaign import Campaign, Membership
from campaign.models.ledger import NO_BEACON, Act
from campaign.models.stage import Stage
from campaign.rules.beacon import RULE, SignedRound, can_verify, has_beacon, round_after
from jobs.models import DONE, Job

BEACON_FETCH = "umpire.beacon_fetch"  # kind of job
PROBE = f"{BEACON_FETCH}/probe"  # key of the job that only asks for the newest value


class BeaconMissing(Exception):
    """Raised when dice are asked for whose public random value is not there yet."""

    def __init__(self) -> None:
        super().__init__("the public random value of this stage is not there yet")


def signed_round(stage: Stage) -> SignedRound | None:
    """Return the round in the dice of a closed stage or phase; None if they have none.

    Raises:
        BeaconMissing: The stage has to wait for it.
    """
    if not has_beacon(stage.branch.campaign.ruleset):
        return None
    if stage.closed_at is not None and stage.beacon_signature is not None:
        return SignedRound(round_after(stage.closed_at), stage.beacon_signature)
    if went_on_without(stage):
        return None
    raise BeaconMissing


def beacon_value(stage: Stage) -> str:
    """Return the value in the dice of a closed stage or phase; empty if they have none.

    Raises:
        BeaconMissing: The stage has to wait for it.
    """
    signed = signed_round(stage)
    return "" if signed is None else signed.randomness


def went_on_without(stage: Stage) -> bool:
    """Return whether an act lets a stage, and the phases that close in it, do without a value."""
    acts = Act.objects.filter(
        verb=NO_BEACON,
        stage__branch=stage.branch_id,
        stage__from_snapshot=stage.from_snapshot_id,
        stage__battle__isnull=True,
    )
    return acts.exists()


def stages_without_beacon() -> QuerySet[Stage]:
    """Return all closed stages and phases of wars with public dice that have no value."""
    rows = Stage.objects.filter(
        Q(battle__isnull=True) | ~Q(kind=TABLE),
        status=StageStatus.CLOSED,
        closed_at__isnull=False,
        beacon_signature__isnull=True,
        branch__campaign__ruleset__has_key=RULE,
    )
    return rows.select_related("branch__campaign").order_by("pk")


def beacon_waits(stage: Stage) -> bool:
    """Return whether a closed stage waits for its value, or a phase that closed in its week.

    A phase waits for its own value only: players of other battles must not notice it. Queries only
    in wars with public dice.
    """
    if not has_beacon(stage.branch.campaign.ruleset):
        return False
    in_week = Q(branch=stage.branch_id, from_snapshot=stage.from_snapshot_id)
    waiting = stages_without_beacon().filter(in_week if stage.battle_id is None else Q(pk=stage.pk))
    return waiting.exists() and not went_on_without(stage)


def waits_since(campaign: Campaign, stage: Stage | None) -> datetime | None:
    """Return since when a stage of the week waits for a public value; None if it does not.

    Everybody in the war may know: it depends on the closing alone.

    Args:
        stage: As everybody sees it (`campaign.store.publication.public_stage`).
    """
    if stage is None or not has_beacon(campaign.ruleset) or stage.status != StageStatus.CLOSED:
        return None
    row = stages_without_beacon().filter(pk=stage.pk).first()
    if row is None or went_on_without(row):
        return None
    return row.closed_at


def may_offer_beacon() -> bool:
    """Return whether this site can check signatures, and has addresses to ask for them."""
    return bool(settings.BEACON_RELAYS) and can_verify()


def is_beacon_reached() -> bool:
    """Return whether the site could get a public value when it last tried."""
    if not may_offer_beacon():
        return False
    results = Job.objects.filter(dedupe_key=PROBE, status=DONE).values_list("result", flat=True)
    return bool((results.first() or {}).get("reached"))


def is_beacon_proposed(host: AbstractBaseUser) -> bool:
    """Return whether public dice are proposed to the host of a new war.

    They are if the host is an administrator and the site can get them.
    """
    return bool(getattr(host, "is_staff", False)) and is_beacon_reached()


def operators_in(campaign: Campaign) -> QuerySet[Membership]:
    """Return the seats of players with an administrator's account on this site."""
    seats = Membership.objects.filter(campaign=campaign, faction__isnull=False)
    return seats.filter(user__is_staff=True)
