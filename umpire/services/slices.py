"""Long battles are fought in slices, so that workers can do other jobs in between.

After each slice the worker stores the battle's position. Any worker can continue from there, also
after another one was killed, and the result is the same to the last byte as without slices.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from time import monotonic
from typing import Any

from django.db import IntegrityError, transaction

from campaign.kinds import BattleMode, StageKind
from campaign.models.battle import Battle, BattleSlice
from campaign.models.stage import Stage
from campaign.rules.costs import battle_seconds
from campaign.rules.upgrades import BATTLE_PHASE
from engine import battle as engine
from engine.core.canonical import digest, encode_floats
from engine.core.state import OVER
from engine.core.versions import NEWEST
from umpire.adjudication.fighting import (
    BattleOutcome,
    BattleTask,
    PhaseRecord,
    captain_inputs,
    fight_by_captains,
    make_outcome,
    make_phase_record,
)
from umpire.services.computing import WeekBattle, week_battles
from umpire.services.tables import table_outcome

# Expected seconds for all battles of a stage, up to which they are fought at once, without slices.
SHORT = 1.0
COMPRESSION_LEVEL = 1  # low, because a battle's slices are read once and deleted


@dataclass(frozen=True, slots=True)
class Position:
    """The stored position of a battle: the engine's state, and the memory of captains and dice."""

    state: Any
    memory: Any


def is_long(stage: Stage) -> bool:
    """Return whether the battles of a stage are expected to take long; those at a table do not."""
    if stage.kind != StageKind.BATTLES:
        return False
    rows = Battle.objects.filter(branch=stage.branch_id, week=stage.week).exclude(
        mode=BattleMode.TABLE
    )
    return sum(battle_seconds(row.start) for row in rows) > SHORT


def battles_advance(*, stage: Stage, until: float) -> bool:
    """Fight the remaining battles of a closed stage until a moment of the monotonic clock.

    At least one phase is fought, however late it is.

    Returns:
        Whether all are over.
    """
    has_fought = False
    for battle in week_battles(stage):
        basis = basis_of(battle.task)
        over = BattleSlice.objects.filter(battle=battle.row, basis=basis, over=True)
        if not _is_for_captains(battle) or over.exists():
            continue
        if has_fought and monotonic() >= until:
            return False
        has_fought = True
        if not _advance(battle.row, battle.task, basis, until):
            return False
    return True


def fight_from_slices(task: BattleTask) -> BattleOutcome:
    """Return the battle as it was fought in slices; without slices, fight it."""
    slices = list(BattleSlice.objects.filter(basis=basis_of(task)).order_by("seq"))
    if not slices or not slices[-1].over:
        return fight_by_captains(task)
    phases = []
    for item in slices:
        for phase in _unpack(item.phases):
            phases.append(PhaseRecord(**phase))
    position = Position(**_unpack(slices[-1].position))
    return make_outcome(task, engine.battle_from(position.state), phases)


def basis_of(task: BattleTask) -> str:
    """Return the hash of all that affects a battle's outcome; it identifies usable slices."""
    progress = None if task.progress is None else task.progress.to_json()
    decides = {"start": task.start, "begun": progress, "doctrines": task.doctrines}
    release = [NEWEST, BATTLE_PHASE.schema]
    return digest([*release, *task.dice_key, task.captain_seed, encode_floats(decides)])


def _is_for_captains(battle: WeekBattle) -> bool:
    """Return whether captains fight a battle, or the rest of it."""
    if battle.played is not None and battle.played.battle.state.stop == OVER:
        return False
    return table_outcome(battle.row, battle.task) is None


def _advance(row: Battle, task: BattleTask, basis: str, until: float) -> bool:
    """Fight a battle until a moment and store its position; return whether it is over."""
    BattleSlice.objects.filter(battle=row).exclude(basis=basis).delete()
    last = BattleSlice.objects.filter(battle=row).order_by("-seq").defer("phases").first()
    fight = _resume_fight(task, last)
    phases: list[PhaseRecord] = []
    memory: Any = None
    while not fight.is_over:
        phase = fight.step()
        phases.append(make_phase_record(phase, captain_inputs(phase)))
        if monotonic() >= until and (memory := fight.memory()) is not None:
            break
    position = {"state": fight.battle().to_json(), "memory": memory}
    try:
        with transaction.atomic():
            BattleSlice.objects.create(
                battle=row,
                seq=0 if last is None else last.seq + 1,
                basis=basis,
                phases=_pack(
                    [{"inputs": s.inputs, "events": s.events, "views": s.views} for s in phases]
                ),
                position=_pack(position),
                over=fight.is_over,
            )
    except IntegrityError:  # another worker had the same job and was quicker: its slice is the same
        return False
    return fight.is_over


def _resume_fight(task: BattleTask, last: BattleSlice | None) -> engine.Fight:
    """Return a battle at its beginning, or at the end of its last slice."""
    battle = task.progress
    memory = None
    if last is not None:
        position = Position(**_unpack(last.position))
        battle = engine.battle_from(position.state)
        memory = position.memory
    return engine.Fight(
        battle or engine.start(task.start),
        task.doctrines,
        task.dice,
        task.captain_seed,
        task.max_turns,
        memory,
    )


def _pack(document: Any) -> bytes:
    """Return a document as compressed JSON."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode(), COMPRESSION_LEVEL)


def _unpack(packed: bytes | memoryview) -> Any:
    """Return a document from compressed JSON."""
    return json.loads(zlib.decompress(packed))
