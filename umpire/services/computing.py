"""The second of the three steps: from a closed stage to its result.

Reads rows, writes none. Dice and nonces are keyed and the order of processing is fixed, so
computing again gives the same result to the last byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from campaign.events.event import WeekEvent
from campaign.kinds import BattleMode, StageKind
from campaign.models.battle import Battle
from campaign.models.campaign import Branch, Faction
from campaign.models.knowledge import BATTLE_REPORT, STAGE_REPORT
from campaign.models.knowledge import View as ViewRow
from campaign.models.ledger import REMEDY, Act
from campaign.models.stage import Stage, Submission
from campaign.models.truth import Snapshot
from campaign.orders.codec import parse_orders
from campaign.rules.codec import from_document, to_document
from campaign.rules.orders import Orders
from campaign.rules.outcome_leaves import battle_digest, report_digest, told_digest
from campaign.rules.perception import notices_by_faction
from campaign.rules.public_ids import outside_id
from campaign.rules.scenario import Scenario
from campaign.rules.view import Notice, View
from campaign.rules.world import Engagement, World
from campaign.selectors.rules import rules_of
from campaign.selectors.truth import world_of
from campaign.store.documents import true_scenario_of
from campaign.store.war_dice import war_dice
from engine.captains.common.doctrine import STRAIGHT
from engine.core.canonical import digest
from engine.core.war_dice import DiceSpot, Moment
from engine.notation.battle_file import BattleFileDocument
from umpire.adjudication import week
from umpire.adjudication.battles import battle_doctrines
from umpire.adjudication.fighting import PLAIN, BattleTask, Fighter, chain_hashes
from umpire.adjudication.outcome import result_document
from umpire.adjudication.set_ups import with_set_ups
from umpire.adjudication.stage_results import SetUpSalt, battle_files, views_after
from umpire.services.battle_phases import PlayedBattle, finish_online_battle, online_battle
from umpire.services.fighting import FoughtBattle, chain_begin
from umpire.services.ledger import (
    NewRow,
    StageDigests,
    live_entries,
    row_of,
    sealed_entries,
    stage_entries,
    stage_entropy,
)
from umpire.services.online_set_ups import with_online_set_ups
from umpire.services.projection import Rows, projection_rows
from umpire.services.records import start_of
from umpire.services.tables import table_outcome
from umpire.services.umpire_events import umpire_events_of


@dataclass(frozen=True, slots=True)
class FactionReport:
    """A report that one faction receives.

    Attributes:
        sha256: See `report_digest`.
    """

    kind: str
    subject: str
    body: dict[str, Any]
    sha256: str


def faction_report(kind: str, subject: str, body: dict[str, Any]) -> FactionReport:
    """Return a report with its digest, which the ledger and the stored row both need."""
    return FactionReport(kind, subject, body, report_digest(body))


@dataclass(frozen=True, slots=True)
class FactionSheet:
    """The documents that one faction receives."""

    faction: Faction
    view: dict[str, Any]
    sha256: str
    reports: tuple[FactionReport, ...]


@dataclass(frozen=True, slots=True)
class StageResult:
    """The result of a stage, ready to be written.

    Attributes:
        waiting: Battles to be fought next.
        battles: Battles fought in this stage.
        digests: Of all of it.
        row: The stage's row of the ledger.
        rules: The version of the rules it was resolved by.
    """

    world: World
    document: dict[str, Any]
    sha256: str
    event_documents: list[dict[str, Any]]
    sheets: tuple[FactionSheet, ...]
    waiting: tuple[tuple[Engagement, BattleFileDocument], ...]
    battles: tuple[FoughtBattle, ...]
    digests: StageDigests
    row: NewRow
    rules: str
    before: Rows
    after: Rows


def stage_compute(*, stage: Stage, fighter: Fighter) -> StageResult:
    """Adjudicate a closed stage from its snapshot and sealed entries, by the rules of its week.

    Raises:
        UnknownRules: A later release wrote the rules' version.
    """
    record = rules_of(stage.branch)
    rules = record.version_in(stage.week)
    scenario = true_scenario_of(stage.branch.campaign)
    world = world_of(stage.from_snapshot)
    revisions = stage_entries(stage)
    entries = live_entries(revisions)
    entropy = stage_entropy(stage, entries)
    moment = entropy.moment(stage)
    dice = war_dice(stage.branch)
    orders = {entry.faction.key: _orders(entry) for entry in entries}
    battles = _fight_all(stage, scenario, world, orders=orders, moment=moment, fighter=fighter)
    results = {battle.row.key: battle.outcome.result for battle in battles}
    outcome = week.resolve(
        scenario,
        world,
        orders,
        results,
        dice.dice(dice.week(moment)),
        rules,
        umpire_events_of(stage.branch),
    )
    document = to_document(outcome.world)
    event_documents = [event.to_document() for event in outcome.week_events]
    waiting = battle_files(
        scenario,
        outcome.world,
        set_up_salts(stage.branch, entropy.seq + 1, entropy.after),
        record.version_in(outcome.world.week),
    )
    sheets = _sheets(
        stage,
        scenario,
        outcome.world,
        events=outcome.week_events,
        battles=battles,
        files={engagement.key: file for engagement, file in waiting},
    )
    computed = stage_digests(document, event_documents, sheets, battles, moment)
    return StageResult(
        world=outcome.world,
        document=document,
        sha256=computed.snapshot,
        event_documents=event_documents,
        sheets=sheets,
        waiting=waiting,
        battles=battles,
        digests=computed,
        row=row_of(
            stage,
            computed,
            entries=revisions,
            entropy=entropy,
            factions=[sheet.faction for sheet in sheets],
            rules_version=rules,
        ),
        rules=rules,
        before=projection_rows(scenario, world),
        after=projection_rows(scenario, outcome.world),
    )


def stage_digests(
    document: dict[str, Any],
    event_documents: list[dict[str, Any]],
    sheets: Sequence[FactionSheet],
    battles: Sequence[FoughtBattle],
    moment: Moment,
) -> StageDigests:
    """Return the digests of a stage's results."""
    fought = {}
    for battle in battles:
        last = battle.chain[-1] if battle.chain else ""
        result = result_document(battle.outcome.result)
        key_sha256 = war_dice(battle.row.branch).battle_commitment(moment, battle.row.key)
        fought[battle.row.key] = battle_digest(battle.row.start, last, result, key_sha256)
    told = {}
    for sheet in sheets:
        reports = [(report.kind, report.subject, report.sha256) for report in sheet.reports]
        told[sheet.faction.key] = told_digest(reports)
    return StageDigests(
        snapshot=digest(document),
        events=digest(event_documents),
        views={sheet.faction.key: sheet.sha256 for sheet in sheets},
        told=told,
        battles=fought,
    )


def sheets_for(
    scenario: Scenario,
    world: World,
    factions: Sequence[Faction],
    previous: dict[str, View],
    notices: dict[str, list[Notice]],
    files: Mapping[str, BattleFileDocument],
) -> tuple[FactionSheet, ...]:
    """Return the views of all factions, by key, each with its report of the stage.

    Args:
        files: The files of the battles to be fought now, by the keys of their engagements.
    """
    keys = [faction.key for faction in factions]
    views = views_after(scenario, world, keys, previous, notices, files)
    sheets = []
    for faction in sorted(factions, key=lambda row: row.key):
        document = to_document(views[faction.key])
        body = {"notices": document["body"]["notices"]}
        report = faction_report(STAGE_REPORT, "", body)
        sheets.append(FactionSheet(faction, document, digest(document), (report,)))
    return tuple(sheets)


def sheets_of(snapshot: Snapshot, factions: Sequence[Faction]) -> tuple[FactionSheet, ...]:
    """Return what the factions of a fork know when it begins: what they knew in the other war.

    Args:
        snapshot: Of the other war, whose factions have the same keys.
    """
    faction_of = {faction.key: faction for faction in factions}
    views = ViewRow.objects.filter(snapshot=snapshot).select_related("faction")
    sheets = []
    for view in views.order_by("faction__key"):
        faction = faction_of[view.faction.key]
        report = faction_report(STAGE_REPORT, "", {"notices": []})
        sheets.append(FactionSheet(faction, view.body, view.sha256, (report,)))
    return tuple(sheets)


def _orders(entry: Submission) -> Orders:
    """Return the orders of a sealed entry."""
    orders, faults = parse_orders(entry.payload)
    if orders is None:
        raise ValueError(f"sealed orders of {entry.faction.key} cannot be read: {faults}")
    return orders


@dataclass(frozen=True, slots=True)
class WeekBattle:
    """A battle of a battles stage, before it is fought.

    Attributes:
        played: What its players did online, if they did.
    """

    row: Battle
    task: BattleTask
    spot: DiceSpot
    played: PlayedBattle | None


def week_battles(stage: Stage) -> Iterator[WeekBattle]:
    """Yield the battles of a closed battles stage by key, each with its own dice."""
    scenario = true_scenario_of(stage.branch.campaign)
    world = world_of(stage.from_snapshot)
    entries = sealed_entries(stage)
    orders = {entry.faction.key: _orders(entry) for entry in entries}
    moment = stage_entropy(stage, entries).moment(stage)
    yield from _week_battles(stage, scenario, world, orders=orders, moment=moment)


def _week_battles(
    stage: Stage,
    scenario: Scenario,
    world: World,
    *,
    orders: Mapping[str, Orders],
    moment: Moment,
) -> Iterator[WeekBattle]:
    """Yield the battles of a stage by key; none if it is not a battles stage."""
    if stage.kind != StageKind.BATTLES:
        return
    dice = war_dice(stage.branch)
    rows = {row.key: row for row in Battle.objects.filter(branch=stage.branch, week=stage.week)}
    plain = is_plain(stage)
    for engagement in sorted(world.engagements, key=lambda item: item.key):
        row = rows[engagement.key]
        spot = dice.battle(moment, engagement.key)
        row.branch = stage.branch
        doctrines = battle_doctrines(scenario, world, engagement, orders)
        if plain:
            doctrines = {
                side: {**doctrine, "style": STRAIGHT} for side, doctrine in doctrines.items()
            }
        played = online_battle(row, last_phase=not plain)
        was_taken_over = played is None and row.mode == BattleMode.CAPTAINS
        set_ups = with_online_set_ups(row, orders) if was_taken_over else orders
        task = BattleTask(
            scenario=scenario,
            world=world,
            engagement=engagement,
            start=with_set_ups(start_of(row), engagement, set_ups, doctrines),
            doctrines=doctrines,
            dice=dice.dice(spot),
            captain_seed=dice.captain_seed(stage.week, engagement.key),
            dice_key=tuple(spot.stored),
            progress=None if played is None else played.battle,
        )
        yield WeekBattle(row, task, spot, played)


def is_plain(stage: Stage) -> bool:
    """Return whether captains fight a stage's battles without searching for the best move.

    A host or umpire chose that, because the stage could not be computed otherwise
    (`umpire.services.quarantine`).
    """
    return Act.objects.filter(stage=stage, verb=REMEDY, body__facts__way=PLAIN).exists()


def _fight_all(
    stage: Stage,
    scenario: Scenario,
    world: World,
    *,
    orders: Mapping[str, Orders],
    moment: Moment,
    fighter: Fighter,
) -> tuple[FoughtBattle, ...]:
    """Fight all battles of a battles stage."""
    battles = []
    for battle in _week_battles(stage, scenario, world, orders=orders, moment=moment):
        outcome = table_outcome(battle.row, replace(battle.task, start=start_of(battle.row)))
        if outcome is None and battle.played is not None:
            outcome = finish_online_battle(battle.played, battle.task, fighter)
        if outcome is None:
            outcome = fighter(battle.task)
        chain = chain_hashes(chain_begin(battle.row), outcome.phases, outcome.chain)
        battles.append(
            FoughtBattle(
                row=battle.row,
                engagement=battle.task.engagement,
                dice_context=battle.spot.stored,
                outcome=outcome,
                chain=chain,
            )
        )
    return tuple(battles)


def set_up_salts(branch: Branch, seq: int, entropy: str) -> SetUpSalt:
    """Return what gives the salt of a battle's set-up by the battle's key.

    Args:
        seq: The number of the snapshot from which the battles are fought.
        entropy: The chain before the battles.
    """
    dice = war_dice(branch)
    return lambda key: dice.set_up_salt(seq, key, entropy)


def _sheets(
    stage: Stage,
    scenario: Scenario,
    world: World,
    *,
    events: Sequence[WeekEvent],
    battles: Sequence[FoughtBattle],
    files: Mapping[str, BattleFileDocument],
) -> tuple[FactionSheet, ...]:
    """Return what each faction receives: its view and its reports of the stage and its battles.

    Args:
        files: The files of the battles to be fought next, by the keys of their engagements.
    """
    factions = list(Faction.objects.filter(campaign=stage.branch.campaign_id))
    rows = ViewRow.objects.filter(snapshot=stage.from_snapshot_id).select_related("faction")
    previous = {row.faction.key: from_document(View, row.body) for row in rows}
    notices = notices_by_faction(events, stage.week, stage.kind)
    sheets = sheets_for(scenario, world, factions, previous, notices, files)
    result: list[FactionSheet] = []
    for sheet in sheets:
        battle_reports = _battle_reports(stage, sheet.faction, battles)
        result.append(replace(sheet, reports=sheet.reports + battle_reports))
    return tuple(result)


def _battle_reports(
    stage: Stage, faction: Faction, battles: Sequence[FoughtBattle]
) -> tuple[FactionReport, ...]:
    """Return a faction's reports of its battles: what its side saw in each phase, and the chain."""
    secret = stage.branch.campaign.id_secret
    number = stage.branch.number
    reports = []
    for battle in battles:
        side = battle.side_of(faction.key)
        if side is not None:
            body = {
                "battle": str(
                    outside_id(secret, "battle", f"{number}/{battle.row.key}", faction.key)
                ),
                "hex": battle.engagement.hex,
                "side": side,
                "sides": [str(part["name"]) for part in battle.row.start["sides"]],
                "table": battle.row.start["table"],
                "turns": battle.outcome.result.turns,
                "winner": battle.outcome.result.winner,
                "chain": list(battle.chain),
                "phases": [phase.views.get(side) for phase in battle.outcome.phases],
            }
            reports.append(faction_report(BATTLE_REPORT, battle.row.key, body))
    return tuple(reports)
