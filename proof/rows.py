"""What the ledger row of a stage must say, by the lines of the stage.

Rows of schema 1 hash a flat list of results. Rows of schema 3 hash a tree of blinded leaves
(`campaign.rules.outcome_leaves`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.rules.beacon import SignedRound
from campaign.rules.outcome_leaves import (
    LEFT,
    SHEETS,
    TABLE,
    EntryParts,
    StageRecord,
    battle_digest,
    leaf_digests,
    report_digest,
    ruling_digest,
    told_digest,
)
from engine.core import fair
from engine.core.canonical import digest
from engine.core.war_dice import Moment, WarDice
from proof.archive import BattleLines, Line, Opening, StageLines

SCHEMA_1, SCHEMA_3 = 1, 3
STAGE_REPORT, BATTLE_REPORT = "stage", "battle"
UMPIRES = "umpires"  # who may read an act

BATTLE = "battle"  # kind of leaf
Leaves = dict[str, tuple[Line, str]]  # by name: the line that a leaf follows from, and its digest


@dataclass(frozen=True, slots=True)
class RowKeys:
    """What the formulas of a row need besides its stage.

    Attributes:
        branch: The number of its branch.
        dice: The number of the branch in the keys of its dice.
        factions: The keys of all factions, in order.
        begins: Whether it is the first row of its branch.
        parent: Campaign, branch and snapshot from which the branch starts; None at the beginning.
        parent_row: The hash of the row that covers that snapshot; None at the beginning.
        left_row: The hash of the last row of the branch with the number before, if it has one.
        world: The digest of the world before the stage.
        kind: How the first branch of the war began; empty for later branches.
        genesis: The hash before the first row.
        rules: Of its dice.
        past: The link of the entropy chain before the row.
        slots: The number of leaves.
    """

    seed: str
    dice_key: str
    branch: int
    dice: int
    factions: tuple[str, ...]
    begins: bool
    parent: list[str | int] | None
    parent_row: str | None
    left_row: str | None
    world: str
    kind: str
    seed_sha256: str
    genesis: str
    rules: int
    past: str
    slots: int

    @property
    def war_dice(self) -> WarDice:
        """Return the keys of the war's dice."""
        return WarDice(self.rules, self.seed, self.dice_key, self.dice)


def schema_of(stage: StageLines) -> int:
    """Return the schema of the row of a stage."""
    return SCHEMA_1 if stage.row is None else int(stage.row.body["schema"])


def live_entries(entries: Sequence[Line]) -> list[Line]:
    """Return the entries that were not withdrawn, in faction order."""
    live = [line for line in entries if line.body["withdrawn"] is None]
    return sorted(live, key=lambda line: str(line.body["faction"]))


def entry_share(line: Line, dice: WarDice, place: int | str) -> str:
    """Return the share of an entry; the server filled it in if the client sent none.

    Args:
        place: See `engine.core.fair.stage_place`.
    """
    return line.body.get("share") or dice.share(place, line.body["faction"])


def moment_of(stage: StageLines) -> Moment:
    """Return a stage as the keys of its dice need it."""
    body = stage.stage.body
    digests = [line.body["digest"] for line in live_entries(stage.entries)]
    entropy = "" if stage.row is None else str(stage.row.body["body"].get("past", ""))
    return Moment(body["week"], body["stage"], body["ordinal"], digests, entropy)


def round_of(line: Line | None) -> SignedRound | None:
    """Return the round of a public random value."""
    return None if line is None else SignedRound(line.body["round"], line.body["signature"])


def beacon_value(line: Line | None) -> str:
    """Return a public random value as the entropy chain contains it; empty without one."""
    signed = round_of(line)
    return "" if signed is None else signed.randomness


def row_facts(stage: StageLines, seq: int, keys: RowKeys | None) -> dict[str, Any]:
    """Return what the body of a row must say.

    Args:
        keys: None if the seed is not known.
    """
    body = stage.stage.body
    facts: dict[str, Any] = {"week": body["week"], "stage": body["stage"]}
    if keys is not None or not stage.is_left:
        facts["digests"] = _digests_of(stage, keys)
    if schema_of(stage) < SCHEMA_3:
        return facts
    signed = round_of(stage.beacon)
    facts |= {
        "round": None if signed is None else signed.for_row,
        "branch": body["branch"],
        "seq": seq,
        "again": body["again"],
        "closed_at": body["closed_at"],
    }
    if keys is None:
        return facts
    shares = _shares_of(stage, keys)
    opening = _opening_of(stage, keys) if keys.begins else None
    past = keys.past
    if opening is not None and not keys.kind and keys.dice == keys.branch:
        past = fair.entropy_of_branch(past, keys.branch, opening)
    return facts | {
        "shares": shares,
        "past": fair.entropy_link(past, seq, facts["digests"], shares, beacon_value(stage.beacon)),
        "opening": opening,
    }


def _shares_of(stage: StageLines, keys: RowKeys) -> list[str]:
    """Return the shares of a row, in the order of its digests."""
    dice = keys.war_dice
    ordinal = stage.stage.body["ordinal"]
    shares = {}
    for line in live_entries(stage.entries):
        shares[line.body["faction"]] = entry_share(line, dice, ordinal)
    if not stage.is_left:
        return list(shares.values())
    return [shares.get(faction) or dice.share(ordinal, faction) for faction in keys.factions]


def _digests_of(stage: StageLines, keys: RowKeys | None) -> list[str]:
    """Return the digests of a row: of all sealed orders, in faction order.

    At the end of an abandoned timeline, factions that had not sealed have a digest from the seed.

    Args:
        keys: None if the stage was played.
    """
    if not stage.is_left or keys is None:
        return [line.body["digest"] for line in live_entries(stage.entries)]
    sealed = {line.body["faction"]: line.body["digest"] for line in live_entries(stage.entries)}
    place = (keys.seed, keys.dice_key, keys.branch, stage.stage.body["ordinal"])
    digests = []
    for faction in keys.factions:
        digests.append(sealed.get(faction) or fair.unsealed_digest(*place, faction))
    return digests


def _opening_of(stage: StageLines, keys: RowKeys) -> dict[str, Any]:
    """Return what the first row of a branch must say of its beginning.

    The kind of a later branch and the reason are what the row says.
    """
    assert stage.row is not None
    opening: Mapping[str, Any] = stage.row.body["body"].get("opening") or {}
    return {
        "kind": keys.kind or opening.get("kind"),
        "number": keys.branch,
        "parent": keys.parent,
        "parent_row": keys.parent_row,
        "left_row": keys.left_row,
        "genesis": keys.genesis,
        "seed_sha256": keys.seed_sha256,
        "reason": opening.get("reason"),
    }


def outcome_of(stage: StageLines, leaves: Mapping[str, str], keys: RowKeys) -> str:
    """Return the outcome of a row over its leaves."""
    if schema_of(stage) < SCHEMA_3:
        salt = fair.outcome_salt(keys.seed, keys.dice_key, keys.branch, stage.stage.body["ordinal"])
        return fair.outcome_root(salt, _flat_results(leaves))
    assert stage.row is not None
    seq = stage.row.body["seq"]
    outcome_keys = fair.outcome_keys(keys.seed, keys.dice_key, keys.branch, seq)
    return fair.outcome_tree(outcome_keys, leaves, keys.slots).root


def _flat_results(leaves: Mapping[str, str]) -> dict[str, Any]:
    """Return what a row of schema 1 hashes."""
    battles = []
    acts = []
    views = []
    for name, value in leaves.items():
        kind, _, key = name.partition("/")
        if kind == "battle":
            battles.append([key, value])
        elif kind == "act":
            acts.append((int(key), value))
        elif kind == "view":
            views.append((key, value))
    return {
        "battles": sorted(battles),
        "rulings": [value for _, value in sorted(acts)],
        "happenings": leaves.get("happenings", ""),
        "snapshot": leaves.get("snapshot", ""),
        "views": [value for _, value in sorted(views)],
    }


def leaves_of(
    stage: StageLines, keys: RowKeys | None = None, opening: Opening | None = None
) -> Leaves:
    """Return the leaves under the row of a stage.

    Sheets that were handed out during battles are not in archives: their leaves are taken as the
    archive has them.

    Args:
        keys: For battles and the records of tables; without them, these leaves are taken as they
            are too.
        opening: Of the war, if the row is the first of schema 3.
    """
    if schema_of(stage) < SCHEMA_3:
        return _flat_leaves(stage)
    sources = _sources(stage, opening)
    leaves: Leaves = {}
    for name, value in leaf_digests(_record_of(stage, keys, opening)).items():
        leaves[name] = sources.get(name, stage.stage), value
    for name, line in stage.leaves.items():
        kind, _, key = name.partition("/")
        if kind == TABLE and keys is not None and key in stage.battles:
            battle = stage.battles[key]
            source = battle.table_entries[-1] if battle.table_entries else line
            leaves[name] = source, _table_chain(battle, stage.stage.body["week"], keys)
        elif name == LEFT and stage.is_left:
            leaves[name] = line, line.body["digest"] if keys is None else keys.world
        elif kind in (SHEETS, TABLE) or (kind == BATTLE and keys is None):
            leaves[name] = line, line.body["digest"]
    return leaves


def _flat_leaves(stage: StageLines) -> Leaves:
    """Return the leaves of a row of schema 1."""
    leaves: Leaves = {}
    for key, battle in stage.battles.items():
        last = battle.stops[-1] if battle.stops else battle.start
        leaves[f"battle/{key}"] = last, str(last.body.get("chain", ""))
    for number, act in enumerate(stage.acts):
        leaves[f"act/{number}"] = act, str(act.body["sha256"])
    if stage.events is not None:
        leaves["happenings"] = stage.events, digest(stage.events.body["events"])
    if stage.snapshot is not None:
        leaves["snapshot"] = stage.snapshot, digest(stage.snapshot.body["world"])
    for faction, view in stage.views.items():
        leaves[f"view/{faction}"] = view, digest(view.body["document"])
    return leaves


def _sources(stage: StageLines, opening: Opening | None) -> dict[str, Line]:
    """Return the lines that leaves follow from, by the name of the leaf or its beginning."""
    lines: dict[str, Line | None] = {
        "snapshot": stage.snapshot,
        "happenings": stage.events,
        "ruling": stage.ruling,
        "setting": stage.setting,
        "first": None if opening is None else opening.snapshot,
    }
    public = [act for act in stage.acts if act.body["audience"] != UMPIRES]
    secret = [act for act in stage.acts if act.body["audience"] == UMPIRES]
    if public:
        lines["acts"] = public[-1]
    for number, act in enumerate(secret):
        lines[f"act/{number}"] = act
    for faction, view in stage.views.items():
        lines[f"view/{faction}"] = view
        lines[f"told/{faction}"] = view
    for line in live_entries(stage.entries):
        lines[f"entry/{line.body['faction']}"] = line
        lines["entries"] = line
    for key, battle in stage.battles.items():
        lines[f"battle/{key}"] = battle.result
    return {name: line for name, line in lines.items() if line is not None}


def _record_of(stage: StageLines, keys: RowKeys | None, opening: Opening | None) -> StageRecord:
    """Return what a stage left behind, from its lines."""
    public_acts: list[str] = []
    umpire_acts: list[str] = []
    for act in stage.acts:
        acts = umpire_acts if act.body["audience"] == UMPIRES else public_acts
        acts.append(act.body["sha256"])
    return StageRecord(
        snapshot=None if stage.snapshot is None else digest(stage.snapshot.body["world"]),
        events=None if stage.events is None else digest(stage.events.body["events"]),
        views=_view_digests(stage.views),
        told={key: _told(stage, key, view) for key, view in stage.views.items()},
        sheets={},
        battles={key: _battle(stage, battle, keys) for key, battle in stage.battles.items()},
        tables={},
        acts=public_acts,
        umpire_acts=umpire_acts,
        entries=entry_parts(stage.entries),
        setting={} if stage.setting is None else stage.setting.body["document"],
        first=_first_digests(opening),
        ruling=_ruling(stage),
    )


def _view_digests(views: Mapping[str, Line]) -> dict[str, str]:
    """Return the digests of views, by faction."""
    return {faction: digest(view.body["document"]) for faction, view in views.items()}


def _first_digests(opening: Opening | None) -> tuple[str, dict[str, str]] | None:
    """Return the digests of the first world and views, for the row that covers them."""
    if opening is None:
        return None
    return digest(opening.snapshot.body["world"]), _view_digests(opening.views)


def _ruling(stage: StageLines) -> str:
    """Return the digest of the ruling that closed a stage; empty if it was played."""
    if stage.ruling is None:
        return ""
    body = stage.ruling.body
    return ruling_digest(body["number"], body["document"], body["told"])


def _battle(stage: StageLines, battle: BattleLines, keys: RowKeys | None) -> str:
    """Return the digest of a battle."""
    assert battle.result is not None
    chain = battle.stops[-1].body["chain"] if battle.stops else ""
    sha256 = ""
    if keys is not None and not stage.is_left:
        sha256 = keys.war_dice.battle_commitment(moment_of(stage), battle.key)
    start = battle.start.body["start"]
    return battle_digest(start, chain, battle.result.body["document"], sha256)


def entry_parts(entries: Sequence[Line]) -> dict[str, EntryParts]:
    """Return how each faction's orders were sealed, without factions whose orders do not count."""
    withdrawn: dict[str, list[str]] = {}
    for line in entries:
        if line.body["withdrawn"] is not None:
            withdrawn.setdefault(line.body["faction"], []).append(line.body["digest"])
    parts = {}
    for line in live_entries(entries):
        body = line.body
        key = body["faction"]
        parts[key] = EntryParts(
            body["source"],
            body["sealed_at"],
            tuple(withdrawn.get(key, ())),
            share_by_server="share" not in body,
        )
    return parts


def _told(stage: StageLines, faction: str, view: Line) -> str:
    """Return the digest of what a faction was told: the notices of the stage, and its battles."""
    if stage.ruling is not None and faction not in stage.ruling.body["told"]:
        return told_digest([])
    notices = {"notices": view.body["document"]["body"]["notices"]}
    reports = [(STAGE_REPORT, "", report_digest(notices))]
    for key, battle in stage.battles.items():
        report = _battle_report(battle, faction)
        if report is not None:
            reports.append((BATTLE_REPORT, key, report_digest(report)))
    return told_digest(reports)


def _battle_report(battle: BattleLines, faction: str) -> dict[str, Any] | None:
    """Return a faction's report of a battle; None if it was not there."""
    assert battle.result is not None
    start = battle.start.body["start"]
    names = [str(side["name"]) for side in start["sides"]]
    sides = [name for name in names if faction in name.split("+")]
    if not sides:
        return None
    result = battle.result.body["document"]
    return {
        "hex": battle.key.partition("/")[0],
        "side": sides[0],
        "sides": names,
        "table": start["table"],
        "turns": result["turns"],
        "winner": result["winner"],
        "chain": [line.body["chain"] for line in battle.stops],
        "phases": [line.body["views"].get(sides[0]) for line in battle.stops],
    }


def _table_chain(battle: BattleLines, week: int, keys: RowKeys) -> str:
    """Return the last chain of the record of a table."""
    last = fair.table_chain_begin(keys.seed, keys.dice_key, keys.branch, week, battle.key)
    for line in battle.table_entries:
        entry = {key: line.body[key] for key in ("number", "faction", "key", "body", "at")}
        last = fair.table_chain_link(last, {**entry, "visible_body": line.body["visible_body"]})
    return last
