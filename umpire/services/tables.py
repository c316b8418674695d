"""Battles at a table: sheets are handed out, all sides enter a result, and these are compared.

If the sides agree and the result is possible, it ends the battle; otherwise all sides are notified
and enter it again. The umpire can enter a result instead. Without an agreed result, captains fight
the battle when the week is resolved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any, TypedDict

from django.db import transaction
from django.utils import timezone

from campaign.access import Viewer, require
from campaign.errors import NotAllowed, NotFound, StageClosed
from campaign.kinds import TABLE, BattleMode, BattleStatus, Source, StageStatus
from campaign.models.battle import Battle
from campaign.models.campaign import Branch, Campaign, Faction
from campaign.models.knowledge import TABLE_CHECK, TABLE_SHEET, Report
from campaign.models.ledger import TABLE_RESULT
from campaign.models.stage import Draft, Stage, Submission
from campaign.models.truth import Snapshot
from campaign.rules.outcome_leaves import report_digest
from campaign.rules.public_ids import outside_id
from campaign.rules.queries import systems_by_hex
from campaign.rules.set_up_sheets import with_every_place
from campaign.rules.upgrades import REPORTS
from campaign.selectors.due import STAGE_RESOLVE, stage_due, task_enqueue, unfinished_battle_stages
from campaign.selectors.stuck import is_stuck
from campaign.services.acts import act_write, reason_violations, require_open_stage
from campaign.services.envelopes import envelope_write
from campaign.services.outbox import ruling_announce
from campaign.services.tables import table_first_draft
from campaign.store.battle_documents import (
    ResultDifference,
    SideSheet,
    TableCheck,
    TableSheet,
)
from campaign.store.documents import scenario_of
from engine.battle import start as begun
from engine.core.errors import RuleViolations, StoredFault, Violation, faults_stored
from engine.core.phrase import phrase
from engine.core.schemas import RESULT
from engine.notation.battle_file import BattleFileDocument
from engine.notation.battles import read_battle
from engine.notation.open_bodies import BOTH
from engine.notation.set_up import places_of_ships
from engine.pieces.registry import kinds
from engine.table_results.comparison import (
    as_side_would_enter,
    combine_results,
    find_differences,
    names_for_side,
    with_ship_ids,
)
from engine.table_results.ends import ResultDocument, read_ends_json
from engine.table_results.validation import result_faults
from engine.view.side_view import observe
from jobs.services import job_retry
from umpire.adjudication.fighting import BattleOutcome, BattleTask
from umpire.adjudication.table_battles import TableClaim, outcome_of_claims
from umpire.services.records import start_of

ZONE_KEYS = ("deployment", "terrain", "gates")  # of a battle file, what the set-up depends on


@dataclass(frozen=True, slots=True)
class TableResultEntry:
    """A valid entry of a table's stage: its row, its side, and the result with the ships' ids."""

    row: Submission
    side: str
    result: ResultDocument


def tables_open(*, branch: Branch, snapshot: Snapshot, now: datetime) -> None:
    """Open the week's new battles at a table, in the caller's transaction.

    Each of their factions gets a stage, a sheet and a first draft.
    """
    waiting = Battle.objects.filter(
        branch=branch, week=snapshot.week, mode=BattleMode.TABLE, status=BattleStatus.WAITING
    )
    rows = list(waiting.filter(stages__isnull=True).order_by("key"))
    if not rows:
        return
    factions = {row.key: row for row in Faction.objects.filter(campaign=branch.campaign_id)}
    for battle in rows:
        drafts = {}
        start = start_of(battle)
        for side in start["sides"]:
            sheet = sheet_of(start, side["name"])
            for key in side["name"].split("+"):
                body: TableSheet = {
                    "battle": battle_id(branch, battle, key),
                    "hex": battle.key.partition("/")[0],
                    **sheet,
                }
                report_hand(
                    branch,
                    snapshot,
                    factions[key],
                    kind=TABLE_SHEET,
                    subject=battle.key,
                    body=body,
                )
                drafts[factions[key]] = table_first_draft(body)
        _open_round(branch, battle, snapshot, ordinal=0, drafts=drafts, now=now)


def battle_id(branch: Branch, battle: Battle, faction: str) -> str:
    """Return a faction's outside id of a battle."""
    return str(
        outside_id(branch.campaign.id_secret, "battle", f"{branch.number}/{battle.key}", faction)
    )


def sheet_of(start: BattleFileDocument, side: str) -> SideSheet:
    """Return a side's sheet before play: its ships in full, what it sees of others, the table."""
    file: Mapping[str, Any] = with_every_place(start)
    names = [str(part["name"]) for part in file["sides"]]
    view = observe(begun(file).state, names.index(side)).to_json()
    lists: Mapping[str, Any] = view  # with a list for each kind of piece
    sheet: SideSheet = {
        "edition": file["edition"],
        "rules": file["rules"],
        "options": file.get("options", []),
        "table": file["table"],
        "bogeys": file.get("bogeys", False),
        "side": side,
        "sides": names,
        "hostile": file.get("hostile", []),
        "own": next(part["ships"] for part in file["sides"] if part["name"] == side),
        "contacts": view["contacts"],
        "seen": {key: lists[key] for kind in kinds() for key in kind.view_keys if key in lists},
    }
    if isinstance(start.get("deployment"), Mapping):
        sheet["set_up"] = {key: file[key] for key in ZONE_KEYS if key in file}
        sheet["set_up"]["deployment"] = start["deployment"]
        sheet["set_up"] |= _bodies_to_place(start, file)
    return sheet


def _bodies_to_place(start: BattleFileDocument, file: Mapping[str, Any]) -> dict[str, Any]:
    """Return the bodies that the sides place at the table, and where installations are.

    Args:
        start: The battle file without the places that captains choose.
        file: The same with all places.
    """
    places = {name: list(at) for name, at in places_of_ships(file).items()}
    state = begun(file).state
    at = {piece.id: [piece.x, piece.y] for piece in state.pieces if piece.body} | places
    set_up = read_battle(start, {}).set_up
    if set_up is None:
        return {}
    bodies = []
    for body in set_up.bodies:
        if body.id in at:
            by = BOTH if body.by is None else state.sides[body.by]
            bodies.append({**body.to_json(), "by": by, "at": at[body.id]})
    zones = chain.from_iterable(set_up.plan.zones) if set_up.plan is not None else ()
    far_from = sorted({zone.far_from for zone in zones}.intersection(places))
    stations = {name: places[name] for name in far_from}
    result = {"bodies": bodies, "stations": stations}
    return {key: value for key, value in result.items() if value}


def table_compare(*, stage: int, now: datetime | None = None) -> str:
    """Compare the results of a table's stage.

    Any number of calls may run at once.

    Returns:
        `waiting`, `agreed`, `differing`, or `closed` if that was done before.
    """
    moment = now or timezone.now()
    with transaction.atomic():
        locked = Stage.objects.select_for_update().get(pk=stage)
        if locked.status != StageStatus.OPEN or locked.battle is None:
            return "closed"
        row = Stage.objects.select_related("branch__campaign", "battle", "from_snapshot").get(
            pk=stage
        )
        battle = _battle(row)
        entries = _entries(row)
        if not _has_all_results(battle, entries):
            return "waiting"
        Stage.objects.filter(pk=stage).update(status=StageStatus.RESOLVED)
        conflict = _find_conflict(battle, entries)
        if conflict is None:
            _week_goes_on(row, moment)
            return "agreed"
        _announce_conflict(row, battle, conflict, moment)
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
    """Enter a battle's result as its umpire, replacing the players' entries; it ends the battle.

    All sides are notified, with the reason, and the ledger covers the act.

    Args:
        payload: A complete result, with all ships by id.
        reason: Required if the result replaces one that a side has sealed.
        round: The round of results that the umpire has seen; None for the open one.

    Raises:
        NotFound: The viewer is not an umpire, or there is no such battle.
        NotAllowed: The battle is not fought at a table.
        RuleViolations: The result or the reason has faults.
        StageClosed: The battle accepts no more results, or another round has begun.
    """
    require(viewer, umpire=True)
    moment = now or timezone.now()
    if battle.branch.campaign_id != viewer.campaign.pk:
        raise NotFound(phrase("there is no such battle"))
    if battle.mode != BattleMode.TABLE:
        raise NotAllowed(phrase("this battle is not fought at a table"))
    violations = (*result_faults(start_of(battle), payload), *reason_violations(reason))
    if violations or not isinstance(payload, Mapping):
        raise RuleViolations(violations)
    result: ResultDocument = {"schema": RESULT.schema, **read_ends_json(payload)}
    with transaction.atomic():
        weekly = _lock_weekly_stage(viewer.campaign)
        locked = _lock_open_round(battle, round)
        replaced = _replaced(battle)
        if replaced and not reason.strip():
            raise RuleViolations(
                [Violation("reason", "missing", phrase("give a reason: all sides can read it"))]
            )
        facts = {"battle": battle.key, "round": locked.ordinal, "replaces": replaced}
        act_write(
            campaign=viewer.campaign,
            stage=weekly,
            actor=viewer.user,
            verb=TABLE_RESULT,
            facts=facts,
            reason=reason,
            now=moment,
        )
        stage = Stage.objects.select_related("branch__campaign", "from_snapshot").get(pk=locked.pk)
        factions = {}
        for row in Faction.objects.filter(campaign=viewer.campaign):
            factions[row.key] = row
        _replace_entries(viewer, stage, battle, factions=factions, result=result, now=moment)
        Stage.objects.filter(pk=stage.pk).update(status=StageStatus.RESOLVED)
        _tell_ruling(stage, battle, factions, reason=reason, now=moment)
        _week_goes_on(stage, moment)
    stage.refresh_from_db()
    return stage


def _lock_open_round(battle: Battle, round: int | None) -> Stage:
    """Lock the open round of a battle's results.

    Args:
        round: The round that it must be; None for any.

    Raises:
        StageClosed: The battle accepts no more results, or another round has begun.
    """
    newest = Stage.objects.filter(battle=battle, kind=TABLE).order_by("-ordinal").first()
    locked = None
    if newest is not None:
        locked = Stage.objects.select_for_update().get(pk=newest.pk)
    if locked is None or locked.status != StageStatus.OPEN:
        raise StageClosed(phrase("this battle no longer accepts results"))
    if round is not None and locked.ordinal != round:
        raise StageClosed(phrase("the sides have entered results again since you opened the form"))
    return locked


def _replace_entries(
    viewer: Viewer,
    stage: Stage,
    battle: Battle,
    *,
    factions: Mapping[str, Faction],
    result: ResultDocument,
    now: datetime,
) -> None:
    """Withdraw all entries of a round, and enter the umpire's result for every faction."""
    live = Submission.objects.filter(stage=stage, withdrawn_at__isnull=True)
    live.update(withdrawn_at=now)
    start = start_of(battle)
    for side in start["sides"]:
        side_result = as_side_would_enter(start, side["name"], result)
        for key in side["name"].split("+"):
            body = {"battle": battle_id(stage.branch, battle, key), **side_result}
            envelope_write(
                stage=stage,
                faction=factions[key],
                payload=body,
                source=Source.UMPIRE,
                author=viewer.user,
                now=now,
            )


def _lock_weekly_stage(campaign: Campaign) -> Stage:
    """Lock the open stage of the week, or a closed one that cannot be computed without results.

    Raises:
        StageClosed: There is no such stage.
    """
    rows = Stage.objects.filter(
        branch__headed=campaign, battle__isnull=True, status=StageStatus.CLOSED
    )
    closed = rows.select_for_update().first()
    if closed is not None and is_stuck(closed):
        return closed
    return require_open_stage(campaign)


def _replaced(battle: Battle) -> list[str]:
    """Return the factions whose sealed results, of any round, an umpire's result replaces."""
    sealed = Submission.objects.filter(
        stage__battle=battle, stage__kind=TABLE, withdrawn_at__isnull=True
    )
    return sorted(set(sealed.values_list("faction__key", flat=True)))


def _tell_ruling(
    stage: Stage, battle: Battle, factions: Mapping[str, Faction], *, reason: str, now: datetime
) -> None:
    """Notify each faction of a battle, on its page and by message, of the umpire's result."""
    campaign = stage.branch.campaign
    hex_ = battle.key.partition("/")[0]
    system = systems_by_hex(scenario_of(campaign)).get(hex_)
    if system is None:
        place = phrase("hex {}", hex_)
    else:
        place = system.name
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
            report_hand(
                stage.branch,
                stage.from_snapshot,
                factions[key],
                kind=TABLE_CHECK,
                subject=f"{battle.key}#{stage.ordinal}",
                body=body,
            )
            ruling_announce(
                campaign=campaign,
                faction=factions[key],
                battle=own_id,
                place=place,
                reason=reason,
                now=now,
            )


def table_outcome(battle: Battle, task: BattleTask) -> BattleOutcome | None:
    """Return the battle as its players or the umpire entered it; None without an agreed result."""
    stage = Stage.objects.filter(battle=battle, kind=TABLE).order_by("-ordinal").first()
    if battle.mode != BattleMode.TABLE or stage is None:
        return None
    stage = Stage.objects.select_related("branch__campaign", "battle", "from_snapshot").get(
        pk=stage.pk
    )
    entries = _entries(stage)
    if not _has_all_results(battle, entries) or _find_conflict(battle, entries) is not None:
        return None
    claims = []
    for entry in entries:
        row = entry.row
        claims.append(
            TableClaim(row.faction.key, entry.side, row.source, row.payload, entry.result)
        )
    return outcome_of_claims(task, claims)


def _battle(stage: Stage) -> Battle:
    """Return the battle of a table's stage."""
    if stage.battle is None:
        raise ValueError("a table's stage belongs to a battle")
    return stage.battle


def _entries(stage: Stage) -> list[TableResultEntry]:
    """Return the valid entries of a table's stage, in faction order."""
    battle = _battle(stage)
    sides = {}
    for side in battle.start["sides"]:
        for key in side["name"].split("+"):
            sides[key] = side["name"]
    rows = Submission.objects.filter(stage=stage, withdrawn_at__isnull=True).select_related(
        "faction"
    )
    entries = []
    for row in sorted(rows, key=lambda row: row.faction.key):
        side = sides[row.faction.key]
        result = with_ship_ids(battle.start, side, row.payload)
        entries.append(TableResultEntry(row, side, result))
    return entries


def _has_all_results(battle: Battle, entries: Sequence[TableResultEntry]) -> bool:
    """Return whether every side of a battle has entered a result."""
    return {side["name"] for side in battle.start["sides"]} == {entry.side for entry in entries}


class ResultConflict(TypedDict):
    """The differences and faults that keep several sides' results from ending the battle."""

    differences: list[ResultDifference]
    faults: list[StoredFault]


def _find_conflict(battle: Battle, entries: Sequence[TableResultEntry]) -> ResultConflict | None:
    """Return the differences and faults of the entries, by ship id, or None."""
    results = {entry.row.faction.key: (entry.side, entry.result) for entry in entries}
    start = start_of(battle)
    differences: list[ResultDifference] = []
    for item in find_differences(start, results):
        differences.append({"ship": item.ship, "part": item.part, "claims": dict(item.entries)})
    if differences:
        return {"differences": differences, "faults": []}
    faults = result_faults(start, combine_results(start, results))
    if not faults:
        return None
    return {"differences": [], "faults": faults_stored(faults)}


def _announce_conflict(
    stage: Stage, battle: Battle, conflict: ResultConflict, now: datetime
) -> None:
    """Notify each faction of the differences, under its own names, and let all enter again."""
    drafts = {}
    rows = Draft.objects.filter(stage=stage).select_related("faction").order_by("faction__key")
    for draft in rows:
        key = draft.faction.key
        side = next(
            part["name"] for part in battle.start["sides"] if key in part["name"].split("+")
        )
        name_of = names_for_side(battle.start, side)
        differences: list[ResultDifference] = []
        for difference in conflict["differences"]:
            differences.append({**difference, "ship": name_of.get(difference["ship"], "")})
        body: TableCheck = {
            "battle": draft.payload["battle"],
            "round": stage.ordinal + 1,
            "differences": differences,
            "faults": [_rename_fault(fault, name_of) for fault in conflict["faults"]],
        }
        report_hand(
            stage.branch,
            stage.from_snapshot,
            draft.faction,
            kind=TABLE_CHECK,
            subject=f"{battle.key}#{stage.ordinal}",
            body=body,
        )
        live = Submission.objects.filter(
            stage=stage, faction=draft.faction, withdrawn_at__isnull=True
        ).first()
        if live is None:
            drafts[draft.faction] = draft.payload
        else:
            drafts[draft.faction] = live.payload
    _open_round(
        stage.branch,
        battle,
        stage.from_snapshot,
        ordinal=stage.ordinal + 1,
        drafts=drafts,
        now=now,
    )


def _rename_fault(fault: StoredFault, name_of: Mapping[str, str]) -> StoredFault:
    """Return a fault with a side's own name of the ship in its place."""
    for ship, name in name_of.items():
        path = f"ships.{ship}"
        if fault["where"] == path or fault["where"].startswith(f"{path}."):
            rest = fault["where"].removeprefix(path)
            return {**fault, "where": f"ships.{name}{rest}"}
    return fault


def _open_round(
    branch: Branch,
    battle: Battle,
    snapshot: Snapshot,
    *,
    ordinal: int,
    drafts: Mapping[Faction, dict[str, Any]],
    now: datetime,
) -> None:
    """Open a round of a battle's results, with a draft for each faction."""
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
    branch: Branch, snapshot: Snapshot, faction: Faction, *, kind: str, subject: str, body: Any
) -> None:
    """Store a report for a faction, in the caller's transaction."""
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
        sha256=report_digest(body),
    )


def _week_goes_on(stage: Stage, now: datetime) -> None:
    """Resolve the week if it waited only for this battle."""
    weekly = Stage.objects.filter(branch_id=stage.branch_id, battle__isnull=True)
    row = weekly.exclude(status=StageStatus.RESOLVED).select_related("branch__campaign").first()
    if row is None:
        return
    if stage_due(stage=row, now=now):
        task_enqueue(name=STAGE_RESOLVE, row=row.pk)
    elif row.status == StageStatus.CLOSED and not unfinished_battle_stages(row).exists():
        # It could not be computed without these results.
        job_retry(dedupe_key=f"{STAGE_RESOLVE}/{row.pk}", now=now)
