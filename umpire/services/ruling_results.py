"""What follows from a ruling, from the rows of the stage that it closes. Writes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from campaign.models.knowledge import STAGE_REPORT
from campaign.models.knowledge import View as ViewRow
from campaign.models.stage import Stage, Submission
from campaign.models.truth import Ruling as RulingRow
from campaign.rules.codec import from_document, to_document
from campaign.rules.outcome_leaves import ruling_digest
from campaign.rules.view import View
from campaign.selectors.rules import rules_of
from campaign.selectors.truth import world_of
from campaign.store.documents import true_scenario_of
from engine.core.canonical import digest
from umpire.adjudication.rulings import Ruling, RulingOutcome, rule
from umpire.services.computing import FactionSheet, StageResult, faction_report, stage_digests
from umpire.services.ledger import live_entries, row_of, stage_entries, stage_entropy
from umpire.services.projection import projection_rows


def views_in(stage: Stage) -> dict[str, ViewRow]:
    """Return the rows of the views by which a stage is played, by faction."""
    rows = ViewRow.objects.filter(snapshot=stage.from_snapshot_id).select_related("faction")
    return {row.faction.key: row for row in rows}


def ruling_outcome(stage: Stage, ruling: Ruling, rows: Mapping[str, ViewRow]) -> RulingOutcome:
    """Return what follows from a ruling without faults in a stage.

    Args:
        rows: From `views_in`.
    """
    views = {}
    for key, row in sorted(rows.items()):
        views[key] = from_document(View, row.body)
    scenario = true_scenario_of(stage.branch.campaign)
    return rule(scenario, world_of(stage.from_snapshot), views, ruling)


def ruling_compute(
    *,
    stage: Stage,
    ruling: Ruling,
    number: int,
    outcome: RulingOutcome,
    rows: Mapping[str, ViewRow],
    entries: Sequence[Submission],
) -> StageResult:
    """Return the result of a stage that a ruling closes, ready to be written.

    The stage is closed, and its entries and acts are stored.

    Args:
        number: Of the ruling on its line.
        rows: From `views_in`.
        entries: From `stage_entries`.
    """
    scenario = true_scenario_of(stage.branch.campaign)
    rules = rules_of(stage.branch).version_in(stage.week)
    document = to_document(outcome.world)
    event_documents = [event.to_document() for event in outcome.events]
    sheets = _sheets(rows, outcome)
    entropy = stage_entropy(stage, live_entries(entries), is_played=False)
    computed = stage_digests(document, event_documents, sheets, (), entropy.moment(stage))
    return StageResult(
        world=outcome.world,
        document=document,
        sha256=computed.snapshot,
        event_documents=event_documents,
        sheets=sheets,
        waiting=(),
        battles=(),
        digests=computed,
        row=row_of(
            stage,
            computed,
            entries=entries,
            entropy=entropy,
            factions=[sheet.faction for sheet in sheets],
            rules_version=rules,
            ruling=ruling_digest(number, ruling.to_document(), outcome.told),
        ),
        rules=rules,
        before=projection_rows(scenario, world_of(stage.from_snapshot)),
        after=projection_rows(scenario, outcome.world),
    )


def ruling_compute_again(stage: Stage) -> StageResult:
    """Return the result of a stage that was ruled, from its stored ruling."""
    row = RulingRow.objects.get(stage=stage)
    ruling = Ruling.from_document(row.patch)
    rows = views_in(stage)
    return ruling_compute(
        stage=stage,
        ruling=ruling,
        number=row.number,
        outcome=ruling_outcome(stage, ruling, rows),
        rows=rows,
        entries=stage_entries(stage),
    )


def _sheets(rows: Mapping[str, ViewRow], outcome: RulingOutcome) -> tuple[FactionSheet, ...]:
    """Return what each faction receives: a report if it is notified, else its view unchanged."""
    sheets = []
    for _, row in sorted(rows.items()):
        faction = row.faction
        if faction.key not in outcome.told:
            sheets.append(FactionSheet(faction, row.body, row.sha256, ()))
            continue
        document = to_document(outcome.views[faction.key])
        body = {"notices": document["body"]["notices"]}
        report = faction_report(STAGE_REPORT, "", body)
        sheets.append(FactionSheet(faction, document, digest(document), (report,)))
    return tuple(sheets)
