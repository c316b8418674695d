"""Archives of finished wars: all that was sealed and all that followed, as lines of a file.

`proof` reads them. Left out: the secret of outside ids, mail addresses, messages, notes, plans,
drafts and, unless asked for, user names.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator

from django.db.models import QuerySet
from django.utils import timezone

from campaign.errors import NotFound
from campaign.kinds import StageEnding, StageKind, StageStatus
from campaign.models.battle import Battle
from campaign.models.campaign import Branch, Campaign, Faction, Membership
from campaign.models.knowledge import View
from campaign.models.ledger import (
    BATTLE_MODE,
    EXCUSE,
    EXTEND,
    GRACE,
    HOLD,
    NO_BEACON,
    PAUSE,
    RELEASE,
    REMEDY,
    RESOLVE,
    RESUME,
    RULED,
    RULES,
    RULING_DROPPED,
    RULING_HELD,
    TABLE_RESULT,
    UMPIRE_EVENT,
    UMPIRES_ONLY,
    Act,
    LedgerRow,
)
from campaign.models.stage import Stage, Submission
from campaign.models.table_record import TableEntry
from campaign.models.truth import Ruling, Snapshot
from campaign.rules.beacon import SignedRound, round_after
from campaign.rules.outcome_leaves import SNAPSHOT, VIEW
from campaign.rules.sources import source_of
from campaign.selectors.end_rows import end_row_of
from campaign.selectors.families import may_be_public
from campaign.selectors.heads import head_at
from campaign.selectors.proofs import proofs_of
from campaign.selectors.truth import phases_of
from campaign.store.documents import true_scenario_of
from engine.core.canonical import encode_floats
from engine.core.fair import slots_of
from engine.core.phrase import phrase
from engine.core.versions import NEWEST
from proof.archive import Body, Line, archive_bytes, archive_line
from proof.derived import with_derived
from umpire.services.archive_lines import (
    branch_line,
    entry_line,
    header_line,
    instant_text,
    proof_parts,
    row_line,
    stage_line,
    view_line,
)

ARCHIVE_TYPE = "application/gzip"
# Acts whose facts contain no user names, and which a check needs.
NAMELESS_FACTS = (
    *(RULES, REMEDY, EXTEND, PAUSE, RESUME, RESOLVE, EXCUSE, BATTLE_MODE, TABLE_RESULT),
    *(UMPIRE_EVENT, GRACE, HOLD, RELEASE, RULED, RULING_HELD, RULING_DROPPED, NO_BEACON),
)


def archive_file(campaign: Campaign, *, names: bool = False) -> Iterator[bytes]:
    """Yield the lines of a war's archive, as bytes with their line breaks.

    Args:
        names: Include acts with the user names of those who did them.

    Raises:
        NotFound: The war, or one that shares its history, is not over.
    """
    if not may_be_public(campaign=campaign):
        words = phrase("an archive can be made when this war and all that share its past are over")
        raise NotFound(words)
    lines = with_derived(archive_lines(campaign, names=names))
    return archive_bytes(archive_line(line.kind, line.body) for line in lines)


def archive_lines(campaign: Campaign, *, names: bool = False) -> Iterator[Line]:
    """Yield the lines of a war without those that follow from others, and without the last one.

    Args:
        names: See `archive_file`.
    """
    for number, (kind, body) in enumerate(_Writer(campaign, names).lines(), start=1):
        yield Line(number, kind, encode_floats(body))


def archive_zipped(campaign: Campaign) -> bytes:
    """Return a war's archive without user names, gzipped.

    Raises:
        NotFound: The war, or one that shares its history, is not over.
    """
    file = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as packed:
        for line in archive_file(campaign):
            packed.write(line)
    return file.getvalue()


def archive_name(campaign: Campaign) -> str:
    """Return the name of the file of a war's archive."""
    return f"{str(campaign.public_id)[:8]}.war.jsonl.gz"


def fork_proof(snapshot: Snapshot) -> Body:
    """Return the ledger row that covers the first world of a fork, with proofs that it does.

    Rows of schema 1 have no proofs of a part.

    Args:
        snapshot: Of the other war, which is over.
    """
    row = LedgerRow.objects.select_related("branch__campaign").get(stage__to_snapshot=snapshot)
    branch = row.branch
    names = []
    for name in row.leaves or {}:
        if name == SNAPSHOT or name.startswith(f"{VIEW}/"):
            names.append(name)
    leaves = []
    for proof in proofs_of(row, sorted(names)):
        leaves.append({"name": proof.name, **proof_parts(proof)})
    return {
        "campaign": str(branch.campaign.public_id),
        "branch": snapshot.branch.number,
        "seq": snapshot.seq,
        "body": row.body,
        "prev_hash": row.prev_hash,
        "hash": row.hash,
        "leaves": leaves,
    }


class _Writer:
    """Reads the rows of a war."""

    def __init__(self, campaign: Campaign, names: bool) -> None:
        branch = campaign.head_branch
        if branch is None or branch.head_id is None:
            raise NotFound(phrase("this war has not begun"))
        self._campaign = campaign
        self._names = names
        branches = Branch.objects.filter(campaign=campaign).select_related("parent__branch")
        self._branches = list(branches.order_by("number"))
        self._factions = list(Faction.objects.filter(campaign=campaign).order_by("key"))

    def lines(self) -> Iterator[tuple[str, Body]]:
        """Yield kind and content of each line."""
        yield from self._opening()
        stages = Stage.objects.filter(
            branch__campaign=self._campaign,
            battle__isnull=True,
            status__in=(StageStatus.RESOLVED, StageStatus.LEFT),
        ).select_related("branch", "to_snapshot")
        for stage in stages.order_by("branch__number", "ordinal"):
            yield from self._stage(stage)
        now = timezone.now()
        for branch in self._branches:
            head = head_at(self._campaign, branch, now)
            if head is not None:
                yield "head", {"note": head.note}
        end_row = end_row_of(self._campaign)
        if end_row is not None:
            yield (
                "end-row",
                {
                    "act": end_row.act.body,
                    "body": end_row.body,
                    "prev_hash": end_row.prev_hash,
                    "hash": end_row.hash,
                },
            )

    def _opening(self) -> Iterator[tuple[str, Body]]:
        """Yield what comes before the first stage."""
        campaign = self._campaign
        scenario = true_scenario_of(campaign)
        yield (
            "archive",
            header_line(campaign, slots_of(len(scenario.systems)), timezone.now())
            | {"ruleset": campaign.ruleset, "seed": campaign.seed},
        )
        row = campaign.scenario
        yield "scenario", {"sha256": row.sha256, "document": row.body}
        for faction in self._factions:
            yield (
                "faction",
                {
                    "key": faction.key,
                    "name": faction.name,
                    "alliance": faction.alliance,
                    "admiral": faction.admiral,
                },
            )
        yield "source", {"version": NEWEST, "sha256": source_of()}
        for branch in self._branches:
            first = LedgerRow.objects.filter(branch=branch).order_by("seq").first()
            yield "branch", branch_line(branch, first)
        if campaign.forked_from is not None:
            yield "parent", fork_proof(campaign.forked_from)
        before = Act.objects.filter(
            campaign=campaign, stage__isnull=True, at__lte=campaign.started_at
        )
        for act in before.order_by("pk"):
            yield "act", self._act(act)
        yield from self._snapshot(Snapshot.objects.get(branch=self._branches[0], seq=0))

    def _stage(self, stage: Stage) -> Iterator[tuple[str, Body]]:
        """Yield the lines of a stage that was played, or with which an abandoned timeline ended."""
        yield "stage", stage_line(stage, stage.branch)
        yield from self._decided(stage)
        if stage.kind == StageKind.BATTLES:
            battles = Battle.objects.filter(branch=stage.branch_id, week=stage.week)
            for battle in battles.order_by("key"):
                yield from self._battle(battle)
        snapshot = stage.to_snapshot
        if snapshot is not None:
            yield from self._snapshot(snapshot, with_events=True)
        row = LedgerRow.objects.get(stage=stage)
        if row.setting is not None:
            yield "setting", {"document": row.setting}
        for name, value in sorted((row.leaves or {}).items()):
            yield "leaf", {"name": name, "digest": value}
        yield "row", row_line(row, stage.branch)

    def _decided(self, stage: Stage) -> Iterator[tuple[str, Body]]:
        """Yield what people decided in a stage, and the public value in its dice."""
        for entry in _entries(Submission.objects.filter(stage=stage)):
            yield "entry", entry_line(entry)
        for act in Act.objects.filter(stage=stage).order_by("pk"):
            yield "act", self._act(act)
        if stage.how == StageEnding.RULED:
            ruling = Ruling.objects.get(stage=stage)
            yield (
                "ruling",
                {"number": ruling.number, "document": ruling.patch, "told": ruling.audience},
            )
        if stage.beacon_signature is not None:
            yield "beacon", _beacon(stage)

    def _battle(self, battle: Battle) -> Iterator[tuple[str, Body]]:
        """Yield the lines of a battle."""
        key = battle.key
        yield (
            "battle",
            {
                "key": key,
                "mode": battle.mode,
                "rules": battle.rules_version,
                "schema": battle.schema,
                "start": battle.start,
            },
        )
        for phase in phases_of(battle=battle):
            yield (
                "stop",
                {
                    "battle": key,
                    "seq": phase.seq,
                    "schema": phase.schema,
                    "inputs": phase.inputs,
                    "events": phase.events,
                    "views": phase.views,
                    "chain": phase.chain,
                },
            )
        for entry in _entries(Submission.objects.filter(stage__battle=battle)):
            place = {"battle": key, "stop": entry.stage.ordinal, "stage": entry.stage.kind}
            yield "stop-entry", place | entry_line(entry)
        phases = Stage.objects.filter(battle=battle, beacon_signature__isnull=False)
        for phase_stage in phases.order_by("ordinal"):
            place = {"battle": key, "stop": phase_stage.ordinal}
            yield (
                "beacon",
                place | {"closed_at": instant_text(phase_stage.closed_at)} | _beacon(phase_stage),
            )
        rows = TableEntry.objects.filter(battle=battle).select_related("faction")
        for row in rows.order_by("number"):
            yield (
                "table-entry",
                {
                    "battle": key,
                    "number": row.number,
                    "faction": row.faction.key,
                    "key": str(row.key),
                    "schema": row.schema,
                    "body": row.body,
                    "visible_body": row.visible_body,
                    "at": instant_text(row.at),
                },
            )
        yield "result", {"battle": key, "document": battle.result or {}}

    def _snapshot(
        self, snapshot: Snapshot, *, with_events: bool = False
    ) -> Iterator[tuple[str, Body]]:
        """Yield a world, the events that led to it, and the views of it."""
        yield (
            "snapshot",
            {
                "branch": snapshot.branch.number,
                "seq": snapshot.seq,
                "week": snapshot.week,
                "stage": snapshot.stage,
                "sha256": snapshot.sha256,
                "rules": snapshot.rules_version,
                "world": snapshot.world,
            },
        )
        if with_events:
            yield "happenings", {"events": snapshot.events}
        views = View.objects.filter(snapshot=snapshot).select_related("faction")
        for view in views.order_by("faction__key"):
            yield "view", view_line(view)

    def _act(self, act: Act) -> Body:
        """Return the line of an act."""
        audience = "umpires" if act.verb in UMPIRES_ONLY else "all"
        line: Body = {"sha256": act.sha256, "audience": audience}
        if self._names or not act.body.get("actor"):
            return {**line, "body": act.body}
        words: Body = {"verb": act.verb, "at": act.body["at"], "by": self._role_of(act)}
        if act.verb in NAMELESS_FACTS:
            words["facts"] = act.body["facts"]
        return {**line, "words": words}

    def _role_of(self, act: Act) -> str:
        """Return the role in which a user acted, as far as it is still known."""
        roles = Membership.objects.filter(campaign=self._campaign, user=act.actor_id)
        return ", ".join(sorted(set(roles.values_list("role", flat=True))))


def _entries(rows: QuerySet[Submission]) -> list[Submission]:
    """Return sealed entries by stage, faction and revision."""
    related = rows.select_related("faction", "stage")
    return list(related.order_by("stage__ordinal", "faction__key", "revision"))


def _beacon(stage: Stage) -> Body:
    """Return the public random value in the dice of a stage or phase."""
    if stage.closed_at is None or stage.beacon_signature is None:
        raise ValueError("the stage has no public random value")
    signed = SignedRound(round_after(stage.closed_at), stage.beacon_signature)
    return {
        "round": signed.round,
        "signature": signed.signature,
        "randomness": signed.randomness,
    }
