"""Battles fought at a table at home: handed out as sheets, entered by both sides, compared, and
made the battle's end.

tables_open      with the battles of a week: a stage, a sheet and a first draft for every faction of such a battle
table_compare    when every side has sealed: what agrees and could have been ends the battle; else all are told
table_enter      the umpire enters a result instead
fought_at_table  what the week's resolution makes of it; None where nothing was agreed: then captains fight
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict

from django.db import transaction
from django.utils import timezone

from campaign.access import Viewer, need
from campaign.errors import NotAllowed, NotThere, StageIsClosed
from campaign.kinds import TABLE, BattleMode, BattleStatus, Source, StageStatus
from campaign.models.battle import Battle
from campaign.models.campaign import Branch, Campaign, Faction
from campaign.models.knowledge import TABLE_CHECK, TABLE_SHEET, Report
from campaign.models.ledger import TABLE_RESULT
from campaign.models.stage import Draft, Stage, Submission
from campaign.models.truth import Snapshot
from campaign.rules.fairness import outside_id
from campaign.rules.queries import systems_by_hex
from campaign.rules.upgrades import REPORTS
from campaign.selectors.due import STAGE_RESOLVE, battles_awaited, stage_due, task_enqueue
from campaign.selectors.stuck import is_stuck
from campaign.services.acts import act_write, reason_violations, stage_needed
from campaign.services.envelopes import envelope_write
from campaign.services.outbox import ruling_announce
from campaign.services.tables import table_first_draft
from campaign.store.battle_documents import (
    ResultDifference,
    SideSheet,
    StopInputs,
    TableCheck,
    TableSheet,
)
from campaign.store.documents import scenario_of
from engine.battle import start as begun
from engine.core.errors import RuleViolations, StoredFault, Violation, faults_stored
from engine.core.phrase import phrase
from engine.core.schemas import RESULT
from engine.events.entered import Entered as ShipEnded
from engine.notation.battle_file import BattleFileDocument
from engine.pieces.registry import kinds
from engine.table_results.ends import ResultDocument, read_ends_json
from engine.table_results.entering import (
    as_seen,
    by_ids,
    called_by,
    differences,
    end_events,
    result_state,
    whole,
)
from engine.table_results.judging import faults
from engine.view.contact_fates import ContactFate, contact_fates
from engine.view.documents import StopViewDocument
from engine.view.side_view import observe
from engine.view.told_events import told_of_kinds
from jobs.services import job_retry
from umpire.adjudication.battles import battle_result, seen_by_all
from umpire.services.fighting import BattleFought, BattleToFight, StopRecord
from umpire.services.records import start_of


@dataclass(frozen=True, slots=True)
class Entered:
    """A live entry of a table's stage: whose, on which side, and the result under the ships'
    ids.
    """

    row: Submission
    side: str
    result: ResultDocument


def tables_open(*, branch: Branch, snapshot: Snapshot, now: datetime) -> None:
    """Hand out the sheets of the battles just written that are fought at a table, in the caller's
    transaction.
    """
    waiting = Battle.objects.filter(
        branch=branch, week=snapshot.week, mode=BattleMode.TABLE, status=BattleStatus.WAITING
    )
    rows = list(waiting.filter(stages__isnull=True).order_by("key"))
    factions = (
        {row.key: row for row in Faction.objects.filter(campaign=branch.campaign_id)}
        if rows
        else {}
    )
    for battle in rows:
        drafts = {}
        start = start_of(battle)
        for side in start["sides"]:
            sheet = sheet_of(start, side["name"])
            for key in side["name"].split("+"):
                named: TableSheet = {
                    "battle": battle_id(branch, battle, key),
                    "hex": battle.key.partition("/")[0],
                    **sheet,
                }
                report_hand(branch, snapshot, factions[key], TABLE_SHEET, battle.key, named)
                drafts[factions[key]] = table_first_draft(named)
        _stage(branch, battle, snapshot, 0, drafts, now)


def battle_id(branch: Branch, battle: Battle, faction: str) -> str:
    """A faction's own id of a battle."""
    return str(
        outside_id(branch.campaign.id_secret, "battle", f"{branch.number}/{battle.key}", faction)
    )


def sheet_of(start: BattleFileDocument, side: str) -> SideSheet:
    """The sheet a side is handed before it sits down: its own ships whole, of the others what it
    sees, and the table.
    """
    names = [str(part["name"]) for part in start["sides"]]
    view = observe(begun(start).state, names.index(side)).to_json()
    lists: Mapping[str, Any] = view  # every kind of piece has its own
    return {
        "edition": start["edition"],
        "rules": start["rules"],
        "options": start.get("options", []),
        "table": start["table"],
        "bogeys": start.get("bogeys", False),
        "side": side,
        "sides": names,
        "hostile": start.get("hostile", []),
        "own": next(part["ships"] for part in start["sides"] if part["name"] == side),
        "contacts": view["contacts"],
        "seen": {key: lists[key] for kind in kinds() for key in kind.view_keys if key in lists},
    }


def table_compare(*, stage: int, now: datetime | None = None) -> str:
    """Compare the results of a table's stage: `waiting`, `agreed`, `differing`, or `closed` where
    that was done before.

    Safe under any number of calls at once.
    """
    moment = now or timezone.now()
    with transaction.atomic():
        held = Stage.objects.select_for_update().get(pk=stage)
        if held.status != StageStatus.OPEN or held.battle is None:
            return "closed"
        row = Stage.objects.select_related("branch__campaign", "battle", "from_snapshot").get(
            pk=stage
        )
        battle, entries = _battle(row), _entries(row)
        if not _all_in(battle, entries):
            return "waiting"
        Stage.objects.filter(pk=stage).update(status=StageStatus.RESOLVED)
        told = _checked(battle, entries)
        if told is None:
            _week_goes_on(row, moment)
            return "agreed"
        _told_to_all(row, battle, told, moment)
    return "differing"


def table_enter(
    *,
    viewer: Viewer,
    battle: Battle,
    payload: object,
    reason: str = "",
    round: int | None = None,
    now: datetime | None = None,
) -> Stage:
    """Enter a battle's result as its umpire, in place of what the players entered: it ends the
    battle.

    All sides are told, with the reason, and the act is written into the ledger.

    Args:
        payload: A whole result, every ship by its id.
        reason: Why. It must be given where the result replaces one that a side has sealed.
        round: The round of results that the umpire has seen; None: whichever is open.

    Raises:
        NotThere, NotAllowed, RuleViolations.
        StageIsClosed: The battle takes no results any more, or another round has begun.
    """
    need(viewer, umpire=True)
    moment = now or timezone.now()
    if battle.branch.campaign_id != viewer.campaign.pk:
        raise NotThere(phrase("there is no such battle"))
    if battle.mode != BattleMode.TABLE:
        raise NotAllowed(phrase("this battle is not fought at a table"))
    start = start_of(battle)
    found = faults(start, payload)
    found = (*found, *reason_violations(reason))
    if found or not isinstance(payload, Mapping):
        raise RuleViolations(found)
    result: ResultDocument = {"schema": RESULT.schema, **read_ends_json(payload)}
    with transaction.atomic():
        weekly = _weekly_held(viewer.campaign)
        newest = Stage.objects.filter(battle=battle, kind=TABLE).order_by("-ordinal").first()
        held = None if newest is None else Stage.objects.select_for_update().get(pk=newest.pk)
        if held is None or held.status != StageStatus.OPEN:
            raise StageIsClosed(phrase("this battle no longer takes results"))
        if round is not None and held.ordinal != round:
            raise StageIsClosed(
                phrase("the sides have entered results again since you opened the form")
            )
        replaced = _replaced(battle)
        if replaced and not reason.strip():
            raise RuleViolations(
                [Violation("reason", "missing", phrase("say why: all sides read it"))]
            )
        facts = {"battle": battle.key, "round": held.ordinal, "replaces": replaced}
        act_write(
            campaign=viewer.campaign,
            stage=weekly,
            actor=viewer.user,
            verb=TABLE_RESULT,
            facts=facts,
            reason=reason,
            now=moment,
        )
        stage = Stage.objects.select_related("branch__campaign", "from_snapshot").get(pk=held.pk)
        live = Submission.objects.filter(stage=stage, withdrawn_at__isnull=True)
        live.update(withdrawn_at=moment)
        factions = {row.key: row for row in Faction.objects.filter(campaign=viewer.campaign)}
        for side in start["sides"]:
            seen = as_seen(start, side["name"], result)
            for key in side["name"].split("+"):
                named = {"battle": battle_id(stage.branch, battle, key), **seen}
                envelope_write(
                    stage=stage,
                    faction=factions[key],
                    payload=named,
                    source=Source.UMPIRE,
                    author=viewer.user,
                    now=moment,
                )
        Stage.objects.filter(pk=stage.pk).update(status=StageStatus.RESOLVED)
        _tell_ruling(stage, battle, factions, reason, moment)
        _week_goes_on(stage, moment)
    stage.refresh_from_db()
    return stage


def _weekly_held(campaign: Campaign) -> Stage:
    """Hold the open stage of the week, or a closed one that cannot be computed without results.

    Raises StageIsClosed.
    """
    rows = Stage.objects.filter(
        branch__headed=campaign, battle__isnull=True, status=StageStatus.CLOSED
    )
    closed = rows.select_for_update().first()
    if closed is not None and is_stuck(closed):
        return closed
    return stage_needed(campaign)


def _replaced(battle: Battle) -> list[str]:
    """The factions whose sealed results an umpire's result replaces, in whatever round they sealed
    them.
    """
    sealed = Submission.objects.filter(
        stage__battle=battle, stage__kind=TABLE, withdrawn_at__isnull=True
    )
    return sorted(set(sealed.values_list("faction__key", flat=True)))


def _tell_ruling(
    stage: Stage, battle: Battle, factions: Mapping[str, Faction], reason: str, now: datetime
) -> None:
    """Tell every faction of a battle that its umpire entered the result, and why: on its page and
    by a message.
    """
    campaign = stage.branch.campaign
    hex_ = battle.key.partition("/")[0]
    system = systems_by_hex(scenario_of(campaign)).get(hex_)
    place = phrase("hex {}", hex_) if system is None else system.name
    for side in battle.start["sides"]:
        for key in side["name"].split("+"):
            own_id = battle_id(stage.branch, battle, key)
            body: TableCheck = {
                "battle": own_id,
                "round": stage.ordinal + 1,
                "differences": [],
                "faults": [],
                "ruling": reason,
            }
            subject = f"{battle.key}#{stage.ordinal}"
            report_hand(
                stage.branch, stage.from_snapshot, factions[key], TABLE_CHECK, subject, body
            )
            ruling_announce(
                campaign=campaign,
                faction=factions[key],
                battle=own_id,
                place=place,
                reason=reason,
                now=now,
            )


def fought_at_table(battle: Battle, task: BattleToFight) -> BattleFought | None:
    """The battle as its players or the umpire entered it; None where no result was agreed on."""
    stage = Stage.objects.filter(battle=battle, kind=TABLE).order_by("-ordinal").first()
    if battle.mode != BattleMode.TABLE or stage is None:
        return None
    stage = Stage.objects.select_related("branch__campaign", "battle", "from_snapshot").get(
        pk=stage.pk
    )
    entries = _entries(stage)
    if not _all_in(battle, entries) or _checked(battle, entries) is not None:
        return None
    state, winner, turns = result_state(task.start, _whole(battle, entries))
    by = {entry.row.faction.key: entry.row.source for entry in entries}
    inputs: StopInputs = {
        "turn": turns,
        "stop": TABLE,
        "by": "umpire" if Source.UMPIRE in by.values() else "players",
        "entered": {entry.row.faction.key: entry.row.payload for entry in entries},
    }
    state_before = begun(task.start).state
    sides = state_before.sides
    views: dict[str, StopViewDocument] = {}
    fates: list[list[ContactFate]] = []
    for number, name in enumerate(sides):
        nothing: ResultDocument = {"ships": {}}
        said: ResultDocument = next(
            (entry.row.payload for entry in entries if entry.side == name), nothing
        )
        first_view = observe(state_before, number).to_json()
        log = end_events(said, turns)
        views[name] = {**first_view, "turn": turns, "stop": TABLE, "log": log}
        entered = [{"id": end.ship, "status": end.status} for end in told_of_kinds(log, ShipEnded)]
        fates.append(contact_fates(sides, first_view["contacts"], (), entered))
    seen = seen_by_all(task.scenario, task.world, sides, fates.__getitem__)
    result = battle_result(task.scenario, task.world, task.engagement, state, winner, turns, seen)
    events = end_events(_whole(battle, entries), turns)
    return BattleFought(state, (StopRecord(inputs, events, views),), result)


def _battle(stage: Stage) -> Battle:
    if stage.battle is None:
        raise ValueError("a table's stage belongs to a battle")
    return stage.battle


def _entries(stage: Stage) -> list[Entered]:
    """The live entries of a table's stage, in faction order."""
    battle = _battle(stage)
    sides = {key: side["name"] for side in battle.start["sides"] for key in side["name"].split("+")}
    rows = Submission.objects.filter(stage=stage, withdrawn_at__isnull=True).select_related(
        "faction"
    )
    return [
        Entered(
            row, sides[row.faction.key], by_ids(battle.start, sides[row.faction.key], row.payload)
        )
        for row in sorted(rows, key=lambda row: row.faction.key)
    ]


def _all_in(battle: Battle, entries: Sequence[Entered]) -> bool:
    return {side["name"] for side in battle.start["sides"]} == {entry.side for entry in entries}


def _whole(battle: Battle, entries: Sequence[Entered]) -> ResultDocument:
    return whole(
        battle.start, {entry.row.faction.key: (entry.side, entry.result) for entry in entries}
    )


class Misfit(TypedDict):
    """The differences and faults that stand between the results of several sides and the battle's
    end, ships by their ids.
    """

    differences: list[ResultDifference]
    faults: list[StoredFault]


def _checked(battle: Battle, entries: Sequence[Entered]) -> Misfit | None:
    """What stands between the entries and a result, ships by their ids; None where nothing does."""
    said = {entry.row.faction.key: (entry.side, entry.result) for entry in entries}
    start = start_of(battle)
    unlike = differences(start, said)
    found = () if unlike else faults(start, whole(start, said))
    if not unlike and not found:
        return None
    return {
        "differences": [
            {"ship": one.ship, "part": one.part, "said": dict(one.said)} for one in unlike
        ],
        "faults": faults_stored(found),
    }


def _told_to_all(stage: Stage, battle: Battle, told: Misfit, now: datetime) -> None:
    """Tell every faction of the battle what does not fit, under its own names, and let all write
    again.
    """
    drafts = {}
    for draft in (
        Draft.objects.filter(stage=stage).select_related("faction").order_by("faction__key")
    ):
        key = draft.faction.key
        side = next(
            part["name"] for part in battle.start["sides"] if key in part["name"].split("+")
        )
        called = called_by(battle.start, side)
        body: TableCheck = {
            "battle": draft.payload["battle"],
            "round": stage.ordinal + 1,
            "differences": [
                {"ship": called.get(one["ship"], ""), "part": one["part"], "said": one["said"]}
                for one in told["differences"]
            ],
            "faults": [_named(fault, called) for fault in told["faults"]],
        }
        report_hand(
            stage.branch,
            stage.from_snapshot,
            draft.faction,
            TABLE_CHECK,
            f"{battle.key}#{stage.ordinal}",
            body,
        )
        live = Submission.objects.filter(
            stage=stage, faction=draft.faction, withdrawn_at__isnull=True
        ).first()
        drafts[draft.faction] = draft.payload if live is None else live.payload
    _stage(stage.branch, battle, stage.from_snapshot, stage.ordinal + 1, drafts, now)


def _named(fault: StoredFault, called: Mapping[str, str]) -> StoredFault:
    """A fault with the ship in its place under the name by which a side calls it."""
    for id_, name in called.items():
        if fault["where"] == f"ships.{id_}" or fault["where"].startswith(f"ships.{id_}."):
            return {**fault, "where": f"ships.{name}{fault['where'].removeprefix(f'ships.{id_}')}"}
    return fault


def _stage(
    branch: Branch,
    battle: Battle,
    snapshot: Snapshot,
    ordinal: int,
    drafts: Mapping[Faction, dict[str, Any]],
    now: datetime,
) -> None:
    stage = Stage.objects.create(
        branch=branch,
        week=battle.week,
        kind=TABLE,
        battle=battle,
        ordinal=ordinal,
        opens=now,
        closes=None,
        from_snapshot=snapshot,
    )
    Draft.objects.bulk_create(
        Draft(stage=stage, faction=faction, payload=payload, version=1)
        for faction, payload in drafts.items()
    )


def report_hand(
    branch: Branch, snapshot: Snapshot, faction: Faction, kind: str, subject: str, body: Any
) -> None:
    """Hand something out to a faction beside its reports, in the caller's transaction."""
    place = f"{branch.number}/{snapshot.seq}/{subject}"
    Report.objects.create(
        public_id=outside_id(branch.campaign.id_secret, f"{kind} report", place, faction.key),
        branch=branch,
        seq=snapshot.seq,
        week=snapshot.week,
        stage=snapshot.stage,
        faction=faction,
        kind=kind,
        subject=subject,
        schema=REPORTS[kind].schema,
        body=body,
    )


def _week_goes_on(stage: Stage, now: datetime) -> None:
    """Where the week waited for this battle alone, it is resolved."""
    weekly = Stage.objects.filter(branch_id=stage.branch_id, battle__isnull=True)
    row = weekly.exclude(status=StageStatus.RESOLVED).select_related("branch__campaign").first()
    if row is None:
        return
    if stage_due(stage=row, now=now):
        task_enqueue(name=STAGE_RESOLVE, row=row.pk)
    elif row.status == StageStatus.CLOSED and not battles_awaited(row).exists():
        job_retry(
            dedupe_key=f"{STAGE_RESOLVE}/{row.pk}", now=now
        )  # it could not be computed without these results
