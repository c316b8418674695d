"""The leaves of a ledger row of schema 3 that follow from the lines of an archive.

Reports, sheets handed out during battles and the first documents have no lines of their own: their
leaves are taken as they stand, and the root over all leaves shows whether the row covers them.
"""

from __future__ import annotations

from campaign.rules.outcome_leaves import (
    ACT,
    ACTS,
    BATTLE,
    ENTRIES,
    ENTRY,
    EVENTS,
    SETTING,
    SNAPSHOT,
    VIEW,
    EntryParts,
    battle_digest,
)
from engine.core import fair
from engine.core.canonical import digest
from proof.archive import Body, Line, StageLines

ROW_3 = 3
OF_UMPIRES = "umpires"  # audience of acts that only umpires read during the war

Leaves = dict[str, tuple[Line, str]]


def is_of_schema_3(stage: StageLines) -> bool:
    """Return whether a stage's row is one over blinded leaves."""
    return stage.row is not None and stage.row.body["schema"] == ROW_3


def leaves_of_schema_3(stage: StageLines) -> Leaves:
    """Return the leaves of a row, each with a line that it follows from."""
    leaves = _act_leaves(stage) | _entry_leaves(stage)
    if stage.events is not None:
        leaves[EVENTS] = stage.events, digest(stage.events.body["events"])
    if stage.snapshot is not None:
        leaves[SNAPSHOT] = stage.snapshot, digest(stage.snapshot.body["world"])
    if stage.setting is not None:
        leaves[SETTING] = stage.setting, digest(stage.setting.body["document"])
    for faction, view in stage.views.items():
        leaves[f"{VIEW}/{faction}"] = view, digest(view.body["document"])
    for key, battle in stage.battles.items():
        last = battle.stops[-1] if battle.stops else battle.start
        result: Body = {} if battle.result is None else battle.result.body["document"]
        chain = str(last.body.get("chain", ""))
        value = battle_digest(battle.start.body["start"], chain, result)
        leaves[f"{BATTLE}/{key}"] = battle.result or last, value
    return leaves


def _act_leaves(stage: StageLines) -> Leaves:
    """Return the leaves of the acts."""
    public = []
    leaves: Leaves = {}
    number = 0
    for line in stage.acts:
        if line.body["audience"] == OF_UMPIRES:
            leaves[f"{ACT}/{number}"] = line, line.body["sha256"]
            number += 1
        else:
            public.append(line)
    digests = [line.body["sha256"] for line in public]
    leaves[ACTS] = public[-1] if public else stage.stage, digest(digests)
    return leaves


def _entry_leaves(stage: StageLines) -> Leaves:
    """Return the leaves of what was sealed."""
    withdrawn: dict[str, list[str]] = {}
    leaves: Leaves = {}
    documents = {}
    for line in sorted(stage.entries, key=lambda entry: int(entry.body["revision"])):
        if line.body["withdrawn"] is not None:
            withdrawn.setdefault(line.body["faction"], []).append(line.body["digest"])
    for line in stage.entries:
        if line.body["withdrawn"] is None:
            faction = str(line.body["faction"])
            parts = EntryParts(
                line.body["source"],
                line.body["sealed_at"],
                tuple(withdrawn.get(faction, ())),
            )
            documents[faction] = parts.to_json()
            leaves[f"{ENTRY}/{faction}"] = line, digest(documents[faction])
    leaves[ENTRIES] = stage.entries[-1] if stage.entries else stage.stage, digest(documents)
    return leaves


def root_of_schema_3(
    seed: str, dice_key: str, branch: int, stage: StageLines, digests: dict[str, str], slots: int
) -> str:
    """Return the outcome of a row over the digests of its leaves."""
    if stage.row is None:
        return ""
    keys = fair.outcome_keys(seed, dice_key, branch, stage.row.body["seq"])
    return fair.outcome_tree(keys, digests, slots).root
