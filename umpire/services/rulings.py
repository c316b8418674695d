"""Rulings: an umpire corrects the record of a running war.

A ruling is made at once, or held until the next stage of orders or decisions opens. Nothing is
deleted: a ruling is undone by another one. `docs/decisions/0153` has the reasons.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from campaign.access import Viewer, require
from campaign.errors import NotAllowed, NotFound, StageClosed
from campaign.kinds import Role, StageKind, StageStatus
from campaign.lineage import played_on_line
from campaign.models.campaign import Branch, Campaign, Faction, Membership
from campaign.models.ledger import RULING_DROPPED, RULING_HELD, Act
from campaign.models.stage import Stage
from campaign.models.truth import Ruling as RulingRow
from campaign.rules.plain_text import tidy_text
from campaign.rules.skirmish import is_skirmish
from campaign.selectors.clock import waiting_stage
from campaign.selectors.truth import world_of
from campaign.services.acts import RESOLVING, act_write, require_open_stage
from campaign.services.seats import lock_campaign
from campaign.store.documents import scenario_of, true_scenario_of
from campaign.store.publication import decided_instant
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from umpire.adjudication.corrections import Correction, corrections_of
from umpire.adjudication.patch import NOT_NOW
from umpire.adjudication.rulings import (
    RULED_STAGES,
    Ruling,
    RulingOutcome,
    ruled_world,
    ruling_violations,
    undo_patches,
)
from umpire.services.ruling_results import ruling_outcome, views_in
from umpire.services.ruling_writing import (
    ruling_write,
    rulings_on_line,
    sealed_by_people,
    stays_sealed,
)

NO_UMPIRE = phrase("appoint an umpire who does not play: only an umpire can make a ruling")
NO_STAGE = phrase("a ruling needs a running war")


@dataclass(frozen=True, slots=True)
class Preview:
    """What a ruling would do.

    Attributes:
        corrections: In the world.
        outcome: With the events of which factions would be notified.
        returned: The factions whose sealed orders would come back as drafts if it is made now.
        must_wait: It is not possible in the open stage, so it can only be held.
    """

    corrections: tuple[Correction, ...]
    outcome: RulingOutcome
    returned: tuple[str, ...]
    must_wait: bool


@dataclass(frozen=True, slots=True)
class HeldRuling:
    """A ruling that waits for a later stage.

    Attributes:
        faults: Why it could not be made in the stage that is open now.
        corrections: What it would correct in the world as it is now; none if that is not possible.
    """

    act: Act
    ruling: Ruling
    faults: tuple[Violation, ...]
    corrections: tuple[Correction, ...]


def is_held_by_default(campaign: Campaign) -> bool:
    """Return whether rulings wait for the next stage unless the umpire decides otherwise.

    With more than two factions, a ruling at once tells a third one that something has just happened
    between the others.
    """
    return Faction.objects.filter(campaign=campaign).count() > 2


def ruling_preview(*, viewer: Viewer, ruling: Ruling) -> Preview:
    """Return what a ruling would do now. Nothing is changed.

    Raises:
        NotFound: The viewer is not an umpire.
        NotAllowed: There is no umpire in this war, or it is a single battle.
        RuleViolations: All faults, unless it only has to wait for a later stage.
        StageClosed: The stage is being resolved.
    """
    campaign = require_ruling_umpire(viewer)
    stage = _ruled_stage(campaign)
    ruling = _tidied(ruling)
    world = world_of(stage.from_snapshot)
    must_wait = _must_wait(stage, ruling)
    if must_wait:
        _check_held(stage, ruling)
    else:
        _check(stage, ruling)
    outcome = ruling_outcome(stage, ruling, views_in(stage))
    returned = []
    if not must_wait:
        for entry in sealed_by_people(stage):
            if not stays_sealed(stage, entry, outcome):
                returned.append(entry.faction.key)
    corrections = corrections_of(world, outcome.world)
    return Preview(corrections, outcome, tuple(returned), must_wait)


def ruling_make(
    *,
    viewer: Viewer,
    ruling: Ruling,
    hold: bool,
    stage: int | None = None,
    now: datetime | None = None,
) -> RulingRow | Act:
    """Make a ruling, or hold it until the next stage that can be ruled on opens.

    Args:
        stage: The ordinal of the stage for which the umpire wrote it.

    Returns:
        The ruling; the act by which it is held.

    Raises:
        NotFound: The viewer is not an umpire.
        NotAllowed: There is no umpire in this war, or it is a single battle.
        RuleViolations: All faults.
        StageClosed: The stage is closed.
    """
    moment = now or timezone.now()
    require_ruling_umpire(viewer)
    ruling = _tidied(ruling)
    with transaction.atomic():
        campaign = lock_campaign(viewer.campaign)
        locked = require_open_stage(campaign, stage)
        locked.branch.campaign = campaign
        if hold:
            _check_held(locked, ruling)
            return act_write(
                campaign=campaign,
                stage=locked,
                actor=viewer.user,
                verb=RULING_HELD,
                facts=ruling.to_document(),
                now=moment,
            )
        if campaign.paused_at is None and (locked.last_moment or moment) < moment:
            raise StageClosed(RESOLVING)
        _check(locked, ruling)
        public = decided_instant(campaign, moment, moment)
        return ruling_write(locked, ruling, actor=viewer.user, closed=moment, public=public)


def ruling_drop(*, viewer: Viewer, act: str, now: datetime | None = None) -> None:
    """Withdraw a held ruling.

    Args:
        act: The hash of its act.

    Raises:
        NotFound: No such ruling waits, or the viewer is not an umpire.
        StageClosed: The stage is closed.
    """
    require(viewer, umpire=True)
    with transaction.atomic():
        campaign = lock_campaign(viewer.campaign)
        stage = require_open_stage(campaign)
        if all(held.sha256 != act for held, _ in _waiting(stage.branch)):
            raise NotFound(phrase("there is no such ruling"))
        act_write(
            campaign=campaign,
            stage=stage,
            actor=viewer.user,
            verb=RULING_DROPPED,
            facts={"act": act},
            now=now or timezone.now(),
        )


def undoing(*, viewer: Viewer, number: int, reason: str) -> Ruling:
    """Return the ruling that undoes an earlier one. `ruling_make` refuses what has changed since.

    Raises:
        NotFound: There is no such ruling, or the viewer is not an umpire.
    """
    branch = require(viewer, umpire=True).campaign.head_branch
    rows = RulingRow.objects.filter(number=number).select_related("before")
    row = None if branch is None else rulings_on_line(rows, branch).first()
    if row is None:
        raise NotFound(phrase("there is no such ruling"))
    scenario = true_scenario_of(viewer.campaign)
    patches = Ruling.from_document(row.patch).patches
    inverses = undo_patches(scenario, world_of(row.before), patches)
    also = tuple(row.patch["also"])
    return Ruling(inverses, reason=reason, also=also, undoes=number)


def rulings_of(branch: Branch) -> list[RulingRow]:
    """Return the rulings on the line of a branch, newest first. The caller checks the reader."""
    rows = RulingRow.objects.select_related("stage", "actor", "undoes", "before", "after")
    return list(rulings_on_line(rows, branch).order_by("-number"))


def held_rulings(viewer: Viewer) -> list[HeldRuling]:
    """Return the rulings that wait, oldest first. Raises NotFound for all but umpires."""
    campaign = require(viewer, umpire=True).campaign
    branch = campaign.head_branch
    stage = waiting_stage(campaign=campaign)
    result = []
    for act, ruling in () if branch is None else _waiting(branch):
        faults: list[Violation] = []
        if stage is not None and stage.kind in RULED_STAGES:
            faults = _faults(stage, ruling)
        corrections = () if stage is None else _held_corrections(stage, ruling)
        result.append(HeldRuling(act, ruling, tuple(faults), corrections))
    return result


def _held_corrections(stage: Stage, ruling: Ruling) -> tuple[Correction, ...]:
    """Return what a held ruling would correct in the world of a stage if it were possible there."""
    world = replace(world_of(stage.from_snapshot), stage=StageKind.ORDERS)
    scenario = true_scenario_of(stage.branch.campaign)
    if ruling_violations(scenario, world, ruling):
        return ()
    return corrections_of(world, ruled_world(scenario, world, ruling.patches))


def held_rulings_make(*, stage: Stage) -> Stage:
    """Make the rulings that wait, in a stage that has just been opened, and return the open stage.

    Runs in the transaction that opens the stage. All of it is public when the stage opens. A ruling
    that is not possible in this world goes on waiting, and the umpire's page says why.
    """
    if stage.kind not in RULED_STAGES:
        return stage
    for act, ruling in _waiting(stage.branch):
        held = replace(ruling, act=act.sha256)
        if _faults(stage, held):
            continue
        row = ruling_write(stage, held, actor=act.actor, closed=stage.opens, public=stage.opens)
        stage = Stage.objects.select_related("branch__campaign__scenario", "from_snapshot").get(
            from_snapshot_id=row.after_id, battle__isnull=True
        )
    return stage


# Who may rule, and on what


def require_ruling_umpire(viewer: Viewer) -> Campaign:
    """Return the campaign of an umpire.

    Raises:
        NotFound: The viewer is not an umpire.
        NotAllowed: The viewer hosts a war without an umpire, or the war is a single battle.
    """
    campaign = viewer.campaign
    if viewer.hosts and not viewer.umpires:
        umpires = Membership.objects.filter(campaign=campaign, role=Role.UMPIRE)
        if not umpires.exists():
            raise NotAllowed(NO_UMPIRE)
    require(viewer, umpire=True)
    if is_skirmish(scenario_of(campaign)):
        raise NotAllowed(phrase("a single battle has no record that could be corrected"))
    return campaign


def _ruled_stage(campaign: Campaign) -> Stage:
    """Return the open stage, without a lock. Raises NotAllowed or StageClosed."""
    stage = waiting_stage(campaign=campaign)
    if stage is None:
        raise NotAllowed(NO_STAGE)
    if stage.status != StageStatus.OPEN:
        raise StageClosed(RESOLVING)
    return stage


def _tidied(ruling: Ruling) -> Ruling:
    """Return a ruling with tidied texts, and its factions sorted."""
    return replace(
        ruling,
        reason=tidy_text(ruling.reason),
        public_note=tidy_text(ruling.public_note),
        also=tuple(sorted(set(ruling.also))),
    )


def _faults(stage: Stage, ruling: Ruling) -> list[Violation]:
    """Return all faults of a ruling in a stage."""
    scenario = true_scenario_of(stage.branch.campaign)
    return ruling_violations(scenario, world_of(stage.from_snapshot), ruling)


def _must_wait(stage: Stage, ruling: Ruling) -> bool:
    """Return whether a ruling has the fault that it is not possible in this kind of stage."""
    return any(fault.code == NOT_NOW for fault in _faults(stage, ruling))


def _check(stage: Stage, ruling: Ruling) -> None:
    """Raise RuleViolations with all faults of a ruling in a stage."""
    faults = _faults(stage, ruling)
    if faults:
        raise RuleViolations(faults)


def _check_held(stage: Stage, ruling: Ruling) -> None:
    """Raise RuleViolations with the faults that a held ruling has in the world of a stage.

    That its corrections are not possible in this kind of stage is no fault: it waits for another.
    """
    world = replace(world_of(stage.from_snapshot), stage=StageKind.ORDERS)
    faults = ruling_violations(true_scenario_of(stage.branch.campaign), world, ruling)
    if faults:
        raise RuleViolations(faults)


def _waiting(branch: Branch) -> list[tuple[Act, Ruling]]:
    """Return the held rulings on a line that have been neither made nor withdrawn, in order."""
    acts = Act.objects.filter(verb__in=(RULING_HELD, RULING_DROPPED)).select_related("actor")
    acts = played_on_line(acts, branch.pk, "stage__ordinal").order_by("pk")
    held = {}
    for act in acts:
        if act.verb == RULING_HELD:
            held[act.sha256] = act
        else:
            held.pop(act.body["facts"]["act"], None)
    if not held:
        return []
    made = rulings_on_line(RulingRow.objects.filter(patch__act__in=list(held)), branch)
    done = set(made.values_list("patch__act", flat=True))
    result = []
    for key, act in held.items():
        if key not in done:
            result.append((act, Ruling.from_document(act.body["facts"])))
    return result
