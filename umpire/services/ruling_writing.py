"""Write a ruling: close the open stage without playing it, and open it anew.

The new stage has the corrected world, of the same week. Sealed orders stay sealed where they are
still possible; others come back as drafts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Max, QuerySet

from campaign.kinds import Source, StageEnding, StageStatus
from campaign.lineage import played_on_line
from campaign.models.campaign import Branch
from campaign.models.knowledge import View as ViewRow
from campaign.models.ledger import HOLD, RULED
from campaign.models.stage import Draft, Stage, Submission
from campaign.models.truth import Ruling as RulingRow
from campaign.orders.codec import orders_payload, parse_orders
from campaign.orders.defaults import default_orders
from campaign.orders.validation import order_violations
from campaign.rules.codec import from_document
from campaign.rules.queries import with_known_designs
from campaign.rules.stations import with_known_gates
from campaign.rules.view import View
from campaign.selectors.stuck import is_held
from campaign.services.acts import act_write
from campaign.services.envelopes import new_entry
from campaign.services.outbox import stage_ruled_announce
from campaign.store.documents import scenario_of
from campaign.store.publication import BY_PEOPLE
from umpire.adjudication.rulings import RULING_SCHEMA, Ruling, RulingOutcome
from umpire.services.ledger import ledger_append, live_entries, stage_entries
from umpire.services.projection import projection_write
from umpire.services.ruling_results import ruling_compute, ruling_outcome, views_in
from umpire.services.writing import sheets_write, snapshot_write

LEAST_TIME = timedelta(hours=24)  # for orders after a ruling, in a stage with a deadline


def rulings_on_line(rows: QuerySet[RulingRow], branch: Branch) -> QuerySet[RulingRow]:
    """Keep the rulings on the line of a branch."""
    return played_on_line(rows, branch.pk, "stage__ordinal", at="branch")


def ruling_write(
    stage: Stage,
    ruling: Ruling,
    *,
    actor: AbstractBaseUser | None,
    closed: datetime,
    public: datetime,
) -> RulingRow:
    """Close a stage by a ruling and open it anew, in the caller's transaction.

    Args:
        closed: When the stage counts as closed.
        public: When the ruling is public and the new stage opens.
    """
    branch = stage.branch
    views = views_in(stage)
    outcome = ruling_outcome(stage, ruling, views)
    entries = stage_entries(stage)
    by_people = _by_people(entries)
    entries = _complete_entries(stage, entries, views, closed)
    number = _next_number(branch)
    facts = {"number": number, "note": ruling.public_note, "undoes": ruling.undoes}
    act_write(
        campaign=branch.campaign, stage=stage, actor=actor, verb=RULED, facts=facts, now=closed
    )
    was_held = is_held(stage)
    Stage.objects.filter(pk=stage.pk).update(status=StageStatus.CLOSED, closed_at=closed)
    stage.closed_at = closed
    computed = ruling_compute(
        stage=stage, ruling=ruling, number=number, outcome=outcome, rows=views, entries=entries
    )
    snapshot = snapshot_write(
        branch=branch,
        parent=stage.from_snapshot,
        world=computed.world,
        document=computed.document,
        sha256=computed.sha256,
        event_documents=computed.event_documents,
        rules=computed.rules,
    )
    Branch.objects.filter(pk=branch.pk).update(head=snapshot)
    Stage.objects.filter(pk=stage.pk).update(
        status=StageStatus.RESOLVED,
        how=StageEnding.RULED,
        to_snapshot=snapshot,
        publishes_at=public,
    )
    sheets_write(
        branch=branch, snapshot=snapshot, week=stage.week, stage=stage.kind, sheets=computed.sheets
    )
    ledger_append(stage=stage, row=computed.row)
    projection_write(branch=branch, before=computed.before, after=computed.after)
    row = RulingRow.objects.create(
        branch=branch,
        stage=stage,
        number=number,
        before=stage.from_snapshot,
        after=snapshot,
        actor_id=None if actor is None else actor.pk,
        reason=ruling.reason,
        public_note=ruling.public_note,
        schema=RULING_SCHEMA,
        patch=ruling.to_document(),
        audience=list(outcome.told),
        undoes=_undone(branch, ruling.undoes),
    )
    opened = _open_again(stage, row, public)
    if was_held:
        _hold_again(opened, actor, public)
    _return_orders(stage, opened, by_people, outcome)
    stage_ruled_announce(
        branch=branch, number=number, told=outcome.told, note=ruling.public_note, now=public
    )
    return row


def sealed_by_people(stage: Stage) -> list[Submission]:
    """Return what players, or the umpire for them, have sealed in a stage."""
    return _by_people(stage_entries(stage))


def _by_people(entries: Sequence[Submission]) -> list[Submission]:
    """Return the entries that players, or the umpire for them, have sealed."""
    return [entry for entry in live_entries(entries) if entry.source in BY_PEOPLE]


def _complete_entries(
    stage: Stage, entries: Sequence[Submission], views: Mapping[str, ViewRow], now: datetime
) -> list[Submission]:
    """Seal default orders for each faction without an entry, and return all entries.

    They are not carried out. Each row has as many digests as factions, so that it does not show who
    had sealed.
    """
    sealed = {entry.faction_id for entry in live_entries(entries)}
    revisions = {entry.faction_id: entry.revision for entry in entries}
    missing = []
    for key, row in sorted(views.items()):
        if row.faction_id in sealed:
            continue
        view = from_document(View, row.body)
        scenario = scenario_of(stage.branch.campaign, key)
        scenario = with_known_gates(with_known_designs(scenario, view), view)
        entry = new_entry(
            stage=stage,
            faction=row.faction,
            payload=orders_payload(default_orders(scenario, view)),
            source=Source.DEFAULT,
            revision=revisions.get(row.faction_id, 0) + 1,
            now=now,
        )
        missing.append(entry)
    Submission.objects.bulk_create(missing)
    return sorted([*entries, *missing], key=lambda entry: (entry.faction.key, entry.revision))


def _next_number(branch: Branch) -> int:
    """Return the number of the next ruling on a line."""
    newest = rulings_on_line(RulingRow.objects.all(), branch).aggregate(newest=Max("number"))
    return int(newest["newest"] or 0) + 1


def _undone(branch: Branch, number: int) -> RulingRow | None:
    """Return the ruling that is undone, if one is."""
    if not number:
        return None
    return rulings_on_line(RulingRow.objects.filter(number=number), branch).first()


def _open_again(stage: Stage, ruling: RulingRow, now: datetime) -> Stage:
    """Open a stage anew after a ruling, with time for new orders.

    All get the same time, so that the deadline does not tell whether the ruling concerns anybody.
    """
    closes = stage.closes
    grace = None
    if closes is not None:
        if stage.grace_until is not None:
            grace = stage.grace_until - closes
        closes = max(closes, now + LEAST_TIME)
    return Stage.objects.create(
        branch=stage.branch,
        week=stage.week,
        kind=stage.kind,
        ordinal=stage.ordinal + 1,
        again=stage.again + 1,
        opens=now,
        closes=closes,
        grace_until=None if closes is None or grace is None else closes + grace,
        from_snapshot=ruling.after,
    )


def _hold_again(stage: Stage, actor: AbstractBaseUser | None, now: datetime) -> None:
    """Hold the stage after a stage that was opened anew, as its umpire had decided before."""
    act_write(
        campaign=stage.branch.campaign,
        stage=stage,
        actor=actor,
        verb=HOLD,
        facts={"week": stage.week, "stage": stage.kind},
        now=now,
    )


def stays_sealed(stage: Stage, entry: Submission, outcome: RulingOutcome) -> bool:
    """Return whether sealed orders are possible after a ruling too."""
    key = entry.faction.key
    if key not in outcome.told:
        return True
    orders, faults = parse_orders(entry.payload)
    if orders is None or faults:
        return False
    scenario = scenario_of(stage.branch.campaign, key)
    return not order_violations(scenario, outcome.views[key], orders)


def _return_orders(
    past: Stage, opened: Stage, entries: Sequence[Submission], outcome: RulingOutcome
) -> None:
    """Carry sealed orders over, or give them back as drafts; drafts stay drafts."""
    drafts = {draft.faction_id: draft.payload for draft in Draft.objects.filter(stage=past)}
    sealed = []
    for entry in entries:
        if not stays_sealed(past, entry, outcome):
            drafts[entry.faction_id] = entry.payload
            continue
        sealed.append(
            Submission(
                stage=opened,
                faction_id=entry.faction_id,
                revision=1,
                payload=entry.payload,
                nonce=entry.nonce,
                share=entry.share,
                digest=entry.digest,
                source=entry.source,
                author_id=entry.author_id,
                sealed_at=entry.sealed_at,
                ready_at=entry.ready_at,
            )
        )
    Submission.objects.bulk_create(sealed)
    Draft.objects.bulk_create(
        Draft(stage=opened, faction_id=faction, payload=payload, version=1)
        for faction, payload in sorted(drafts.items())
    )
