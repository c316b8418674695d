"""Battles that players fight online, phase by phase.

A phase is a `Stage` with its battle, and is closed, computed and written like a stage. It asks the
factions that have something to order, and has a draft (the captain's advice) for each. It closes
when all awaited orders are sealed, after the timetable's `phase_minutes`, or with its week. A
faction that has sealed nothing then does what its captain advised. Factions without players, those
that leave the rest of the battle to their captain, and those that have left point defence to their
officers if nothing else is asked, are answered like that at once. The week's stage is locked while
a phase is written, so that both never end a battle at once. When the week's window ends, captains
fight the rest of a battle.

`campaign.services.phases` has what players see and do. What was chosen in a phase is stored as
`campaign.store.battle_documents.PhaseInputs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from campaign.kinds import BattleMode, BattleStatus, Source, StageKind, StageStatus
from campaign.models.battle import Battle, BattlePhase
from campaign.models.campaign import Branch, Faction
from campaign.models.stage import Draft, Stage, Submission
from campaign.models.truth import Snapshot
from campaign.rules.upgrades import BATTLE_PHASE, PHASE_ORDERS
from campaign.selectors.beacon import beacon_value, beacon_waits
from campaign.selectors.due import PHASE_RESOLVE, STAGE_RESOLVE, stage_due, task_enqueue
from campaign.selectors.entropy import entropy_at
from campaign.selectors.truth import phases_of, upgraded_phases
from campaign.services.envelopes import envelope_write
from campaign.services.outbox import phase_announce
from campaign.services.phases import phase_payload
from campaign.store.battle_documents import PhaseInputs
from campaign.store.publication import played_factions
from campaign.store.war_dice import entry_share, war_dice
from campaign.words.battle.phase_titles import PHASES
from engine import battle as engine
from engine import stops
from engine.core import fair
from engine.core.limits import DEFAULT_MAX_TURNS
from engine.core.phrase import phrase
from engine.core.state import OVER, SET_UP
from engine.core.war_dice import DiceSpot
from umpire.adjudication.fighting import (
    BattleOutcome,
    BattleTask,
    Fighter,
    PhaseRecord,
    chain_link,
    contacts_seen_in_phases,
    make_outcome,
    make_phase_record,
)
from umpire.adjudication.phase_orders import merge_by_side, valid_part
from umpire.services.battle_sheets import (
    PhaseSheets,
    late_set_ups,
    parties_of,
    phase_sheets_for,
    phase_sheets_write,
    stored_advice,
)
from umpire.services.closing import close_stage
from umpire.services.commanders import commanders_of
from umpire.services.fighting import chain_begin
from umpire.services.ledger import sealed_entries
from umpire.services.phase_clock import phase_awaits, phase_closes, phase_due, weekly_of
from umpire.services.records import battle_of, start_of


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """A computed phase: the battle after it, its record, and the factions' next sheets."""

    battle: engine.Battle
    phase: PhaseRecord
    chain: str
    sheets: PhaseSheets


def phases_begin(*, branch: Branch, snapshot: Snapshot, now: datetime) -> None:
    """Open the first phase of the week's new online battles, in the caller's transaction."""
    rows = Battle.objects.filter(
        branch=branch, week=snapshot.week, mode=BattleMode.ONLINE, status=BattleStatus.WAITING
    )
    for battle in rows.order_by("key"):
        battle.branch = branch
        battle_begin(battle, snapshot, now)


def battle_begin(battle: Battle, snapshot: Snapshot, now: datetime) -> None:
    """Open a battle's first phase. The week's stage is open, and locked by the caller."""
    engine_battle = engine.start(start_of(battle), asks_set_up=True)
    Battle.objects.filter(pk=battle.pk).update(state=engine_battle.to_json())
    sheets = phase_sheets_for(
        battle,
        engine_battle,
        parties_of(battle, snapshot),
        number=0,
        since=engine_battle.events,
        before=engine_battle.state,
        chain=chain_begin(battle),
    )
    weekly = Stage.objects.get(
        branch=battle.branch, week=battle.week, kind=StageKind.BATTLES, battle__isnull=True
    )
    _open_phase(battle, snapshot, sheets, weekly.closes, now)


def phase_resolve(*, stage: int, force: bool = False, now: datetime | None = None) -> bool:
    """Resolve a phase (by its stage's primary key), from any step it has reached.

    The next phase opens when this call began, so that the computing time is not revealed. A closed
    phase waits for its public random value, if the war has one.

    Returns:
        Whether this call resolved it.
    """
    moment = now or timezone.now()
    phase_close(stage=stage, force=force, now=moment)
    row = _row(stage)
    if beacon_waits(row):
        return False
    return row.status == StageStatus.CLOSED and phase_write(
        stage=row, played=phase_compute(stage=row), now=moment
    )


def phase_close(*, stage: int, force: bool = False, now: datetime | None = None) -> bool:
    """Close a phase that is due, after completing each faction's sealed entry.

    Args:
        force: Close it even if it is not due.

    Returns:
        Whether this call closed it.
    """
    row = _row(stage)
    moment = now or timezone.now()
    return close_stage(
        stage=row,
        due=lambda: force or phase_due(stage=row, now=moment),
        now=moment,
        complete=lambda closed: _entries_complete(row, closed),
    )


def phase_compute(*, stage: Stage) -> PlayedPhase:
    """Compute a closed phase from the battle's state and its sealed entries, without writing."""
    battle = _battle(stage)
    entries = sealed_entries(stage)
    engine_battle = battle_of(battle)
    parties = parties_of(battle, stage.from_snapshot)
    spot = phase_dice(stage, entries)
    sealed = {row.faction.key: PHASE_ORDERS.upgrade(row.payload) for row in entries}
    documents, refused = {}, {}
    for side, document in merge_by_side(engine_battle, parties.sides, sealed).items():
        documents[side], faults = valid_part(engine_battle, side, document)
        if faults:
            refused[engine_battle.state.sides[side]] = faults
    dice = war_dice(stage.branch).dice(spot)
    after, phase = stops.resolve_documents(engine_battle, documents, dice, stage.ordinal)
    after, phase = stops.end_after_turn(
        after, phase, battle.start.get("max_turns", DEFAULT_MAX_TURNS), dice
    )
    inputs: PhaseInputs = {
        "turn": phase.turn,
        "phase": phase.kind,
        "by": "players",
        "entries": [
            {"faction": row.faction.key, "source": row.source, "digest": row.digest}
            for row in entries
        ],
        "orders": phase.inputs,
        "pursue": list(phase.pursue),
        "refused": refused,
        "dice": spot.stored,
    }
    record = make_phase_record(phase, inputs)
    link = chain_link(chain_last(battle), record)
    sheets = phase_sheets_for(
        battle,
        after,
        parties,
        number=stage.ordinal + 1,
        since=phase.events,
        before=phase.before,
        chain=link,
    )
    return PlayedPhase(after, record, link, sheets)


def phase_dice(stage: Stage, entries: Sequence[Submission]) -> DiceSpot:
    """Return the spot of a phase's dice, which its entries bind to the orders.

    Args:
        entries: Those that were not unsealed, in faction order.

    Raises:
        BeaconMissing: The phase waits for its public random value.
    """
    battle = _battle(stage)
    dice = war_dice(stage.branch)
    digests = [entry.digest for entry in entries]
    entropy = ""
    if dice.is_tree:
        shares = [entry_share(stage, entry) for entry in entries]
        before = phase_entropy_before(battle)
        beacon = beacon_value(stage)
        entropy = fair.entropy_link(before, stage.ordinal, digests, shares, beacon)
    return dice.phase(stage.week, battle.key, (stage.kind, stage.ordinal), digests, entropy)


def phase_entropy_before(battle: Battle) -> str:
    """Return the entropy chain before the next phase: with the phases before, or the row before."""
    last = BattlePhase.objects.filter(battle=battle).order_by("-seq").first()
    if last is None:
        return entropy_at(battle.branch, battle.seq)
    return fair.entropy_in(last.inputs["dice"])


def chain_last(battle: Battle) -> str:
    """Return the hash of a battle's last phase, or the hash before its first one."""
    last = BattlePhase.objects.filter(battle=battle).order_by("-seq").first()
    if last is None:
        return chain_begin(battle)
    return last.chain


def phase_write(*, stage: Stage, played: PlayedPhase, now: datetime | None = None) -> bool:
    """Write the result of a closed phase and open the next one, in one transaction.

    If the week's window has ended meanwhile, nothing is written: the week's own resolution plays
    the phase.

    Returns:
        Whether this call wrote it.
    """
    moment = now or timezone.now()
    battle = _battle(stage)
    with transaction.atomic():
        weekly = Stage.objects.select_for_update().get(pk=weekly_of(stage).pk)
        locked = Stage.objects.select_for_update().get(pk=stage.pk)
        if locked.status != StageStatus.CLOSED or weekly.status != StageStatus.OPEN:
            return False
        BattlePhase.objects.create(
            battle=battle,
            seq=stage.ordinal,
            schema=BATTLE_PHASE.schema,
            inputs=played.phase.inputs,
            events=played.phase.events,
            views=played.phase.views,
            chain=played.chain,
        )
        Battle.objects.filter(pk=battle.pk).update(state=played.battle.to_json())
        Stage.objects.filter(pk=stage.pk).update(status=StageStatus.RESOLVED)
        _open_phase(battle, stage.from_snapshot, played.sheets, weekly.closes, moment)
        row = weekly_of(stage)
        if stage_due(stage=row, now=moment):
            task_enqueue(name=STAGE_RESOLVE, row=row.pk)
    return True


def phases_close(*, weekly: Stage, now: datetime) -> None:
    """Close the open phases of a week's battles with what is sealed.

    The caller has locked the week's stage.
    """
    rows = Stage.objects.filter(
        branch_id=weekly.branch_id, week=weekly.week, kind__in=PHASES, status=StageStatus.OPEN
    )
    for pk in rows.order_by("pk").values_list("pk", flat=True):
        phase_close(stage=pk, force=True, now=now)


@dataclass(frozen=True, slots=True)
class PlayedBattle:
    """A battle as its players left it.

    Attributes:
        chain: The hashes of its phases.
        stored_phases: How many of them are stored.
    """

    battle: engine.Battle
    phases: tuple[PhaseRecord, ...]
    chain: tuple[str, ...]
    stored_phases: int


def online_battle(battle: Battle, *, last_phase: bool = True) -> PlayedBattle | None:
    """Return a battle as far as its players fought it; None if it was not online.

    Args:
        last_phase: Also resolve the phase that was closed with the week. Use False if that phase
            cannot be computed.
    """
    if battle.state is None:
        return None
    rows = upgraded_phases(phases_of(battle=battle))
    phase_records = [PhaseRecord(row.inputs, row.events, row.views) for row in rows]
    chain = [row.chain for row in rows]
    engine_battle = battle_of(battle)
    last = Stage.objects.filter(battle=battle, kind__in=PHASES, status=StageStatus.CLOSED).first()
    if last is not None and last_phase:
        played = phase_compute(stage=_row(last.pk))
        engine_battle = played.battle
        phase_records.append(played.phase)
        chain.append(played.chain)
    return PlayedBattle(engine_battle, tuple(phase_records), tuple(chain), stored_phases=len(rows))


def finish_online_battle(played: PlayedBattle, task: BattleTask, fighter: Fighter) -> BattleOutcome:
    """Let captains finish a battle that its players began and did not end."""
    if played.battle.state.stop == OVER:
        outcome = make_outcome(task, played.battle, ())
    else:
        outcome = fighter(task)
    phases = (*played.phases, *outcome.phases)
    ended = engine.battle_from(outcome.state).state
    result = replace(outcome.result, contacts_seen=contacts_seen_in_phases(task, phases, ended))
    return replace(
        outcome,
        phases=phases,
        result=result,
        chain=played.chain,
        stored_phases=played.stored_phases,
    )


def _open_phase(
    battle: Battle, snapshot: Snapshot, sheets: PhaseSheets, weekly: datetime | None, now: datetime
) -> None:
    """Store a phase's sheets and open its stage, unless the battle is over."""
    phase_sheets_write(battle, snapshot, sheets)
    if not sheets.awaited_factions:
        return
    stage = Stage.objects.create(
        branch=battle.branch,
        week=battle.week,
        kind=sheets.kind,
        battle=battle,
        ordinal=sheets.number,
        opens=now,
        closes=phase_closes(battle.branch.campaign.timetable, weekly, now),
        from_snapshot=snapshot,
    )
    factions = {}
    for row in Faction.objects.filter(campaign=battle.branch.campaign_id):
        factions[row.key] = row
    played = set(played_factions(battle.branch.campaign).values_list("key", flat=True))
    finished_by_captain = _left_to_captain(battle, snapshot, played)
    for key in sheets.awaited_factions:
        body = sheets.bodies[key]
        payload = phase_payload(body, body["advice"])
        draft = {
            "schema": PHASE_ORDERS.schema,
            "battle": body["battle"],
            "stop": sheets.number,
            **body["advice"],
        }
        is_left_to_captain = key in finished_by_captain
        Draft.objects.create(
            stage=stage,
            faction=factions[key],
            payload=draft,
            version=1,
            is_left_to_captain=is_left_to_captain,
        )
        source: Source | None = None
        if key not in played:
            source = Source.ADMIRAL
        elif is_left_to_captain:
            source = Source.CAPTAIN
        elif key in sheets.answered:
            source = Source.STANDING
        if source is not None:
            envelope_write(
                stage=stage, faction=factions[key], payload=payload, source=source, now=now
            )
    phase_announce(stage=stage, factions=phase_awaits(stage))
    if phase_due(stage=stage, now=now):
        task_enqueue(name=PHASE_RESOLVE, row=stage.pk)


def _left_to_captain(battle: Battle, snapshot: Snapshot, played: set[str]) -> set[str]:
    """Return the keys of the factions whose captains finish a battle.

    The newest draft of each faction counts; a phase does not ask every faction. Before its first
    draft a faction is left to its captain if another one took command and it did not.
    """
    rows = Draft.objects.filter(stage__battle=battle).order_by("stage__ordinal")
    newest = dict(rows.values_list("faction__key", "is_left_to_captain"))
    left = {key for key, is_left in newest.items() if is_left}
    hex_ = battle.key.partition("/")[0]
    commanders = commanders_of(battle.branch.campaign, snapshot).get(hex_)
    if commanders:
        left |= played - commanders - set(newest)
    return left


def _entries_complete(stage: Stage, now: datetime) -> None:
    """Seal the captain's advice for each faction that is asked and has sealed nothing.

    In the set-up, orders of the week that were sealed since the phase opened count too.
    """
    battle = _battle(stage)
    advice = stored_advice(battle, stage.ordinal)
    if stage.kind == SET_UP:
        late = late_set_ups(battle, parties_of(battle, stage.from_snapshot))
        advice |= {key: orders for key, orders in late.items() if key in advice}
    sealed = {entry.faction.key for entry in sealed_entries(stage)}
    context = {
        "week": battle.week,
        "hex": battle.key.partition("/")[0],
        "number": stage.ordinal,
        "kind": stage.kind,
    }
    drafts = Draft.objects.filter(stage=stage).select_related("faction").order_by("faction__key")
    for draft in drafts:
        if draft.faction.key not in sealed:
            payload = phase_payload(context, advice[draft.faction.key])
            envelope_write(
                stage=stage, faction=draft.faction, payload=payload, source=Source.DEFAULT, now=now
            )


def _battle(stage: Stage) -> Battle:
    """Return the battle of a phase."""
    if stage.battle is None:
        raise ValueError("a phase belongs to a battle")
    return stage.battle


def _row(stage: int) -> Stage:
    """Return a phase's stage by its primary key, with what computing it reads."""
    stages = Stage.objects.select_related(
        "branch__campaign__scenario", "from_snapshot", "battle__branch__campaign"
    )
    row = stages.filter(pk=stage).first()
    if row is None:
        raise Stage.DoesNotExist(phrase("there is no stage {}", stage))
    if row.battle is not None:
        row.battle.branch = row.branch
    return row
