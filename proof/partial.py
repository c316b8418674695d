"""The check of what one faction can prove: an archive with a faction in `for`, and without a seed.

It has the public rows of the ledger and the faction's own orders, views and reports, with proofs
that the rows cover them. Nothing is played again, so the verdict is at most "as far as shown".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from campaign.rules.outcome_leaves import (
    ACTS,
    BATTLE,
    ENTRY,
    SHEETS,
    TABLE,
    TOLD,
    VIEW,
    report_digest,
    told_digest,
)
from engine.core import fair
from engine.core.canonical import digest
from proof.archive import FORMAT, LEFT, Line, UnreadableArchive
from proof.findings import Difference, Level, Where
from proof.integrity import has_right_word
from proof.rows import SCHEMA_3, entry_parts, live_entries
from proof.witnesses import SealedRecord, record_of

# The lines of a stage in their order, and what sorts those of a kind.
ORDER = ("stage", "entry", "stop-entry", "act", "view", "report", "proof", "row")
SORTED_BY: dict[str, tuple[str, ...]] = {
    "entry": ("revision",),
    "stop-entry": ("battle", "stop", "revision"),
    "report": ("report", "subject"),
    "proof": ("name",),
}
OF_THE_FACTION = ("entry", "stop-entry", "view", "report")  # kinds of lines that name it
OPENING = ("archive", "faction", "branch")
SINGLE = ("stage", "view", "row")
UNPROVEN = "rows of release 1.0 cannot prove a part of a stage: views and reports of them"


@dataclass(slots=True)
class OwnStage:
    """The lines of a stage that one faction may read, by kind."""

    lines: dict[str, list[Line]] = field(default_factory=dict)

    def of(self, kind: str) -> list[Line]:
        """Return the lines of a kind."""
        return self.lines.get(kind, [])

    @property
    def body(self) -> dict[str, Any]:
        """Return the line of the stage itself."""
        return self.of("stage")[0].body

    @property
    def row(self) -> Line:
        """Return the line of its ledger row."""
        return self.of("row")[0]

    @property
    def where(self) -> Where:
        """Return where its lines are."""
        return Where(self.row.body["seq"], self.body["week"], self.body["stage"])


@dataclass(frozen=True, slots=True)
class _Row:
    """The branch on which a row was written, and its hash."""

    branch: int
    hash: str


class PartialCheck:
    """Checks the lines of one faction's archive, in their order.

    Attributes:
        records: The faction's sealed entries, to compare with receipts.
        stages: Branch and number of each stage.
    """

    def __init__(self, header: Line) -> None:
        self.header = header
        self.faction = str(header.body["for"])
        self.records: list[SealedRecord] = []
        self.stages: set[tuple[int, int]] = set()
        self.heads: list[Line] = []
        self.limits = [f"this archive has only what {self.faction} can prove"]
        self.views = 0
        self.reports = 0
        self._rows: dict[int, list[_Row]] = {}
        self._branches: dict[int, Line] = {}
        self._stage: OwnStage | None = None
        self._last: Line = header
        if header.body["format"] != FORMAT:
            raise UnreadableArchive(header.number, "this is not an archive of this format")

    def take(self, line: Line) -> OwnStage | None:
        """Take the next line, and return its stage if it is the last one of it.

        Raises:
            UnreadableArchive: It is not in its place.
        """
        self._check_order(line)
        self._last = line
        if line.kind == "branch":
            self._branches[line.body["number"]] = line
        elif line.kind == "head":
            self.heads.append(line)
        elif line.kind == "stage":
            self._stage = OwnStage()
        if self._stage is None:
            return None
        self._stage.lines.setdefault(line.kind, []).append(line)
        if line.kind != "row":
            return None
        stage = self._stage
        self._stage = None
        return stage

    def hashes(self) -> dict[int, list[str]]:
        """Return the hashes of the rows of each branch and its ancestors."""
        return {branch: [row.hash for row in self._line_of(branch)] for branch in self._branches}

    def stage_differences(self, stage: OwnStage) -> Iterator[Difference]:
        """Yield what differs in a stage."""
        yield from self._row_differences(stage)
        yield from self._faction_differences(stage)
        yield from self._entry_differences(stage)
        self._keep(stage)
        if stage.row.body["schema"] < SCHEMA_3:
            if UNPROVEN not in self.limits:
                self.limits.append(UNPROVEN)
            return
        yield from self._proof_differences(stage)
        yield from self._document_differences(stage)

    def _check_order(self, line: Line) -> None:
        """Raise UnreadableArchive if a line may not follow the one before."""
        words = f"the line '{line.kind}' is not in its place"
        before = self._last
        if self._stage is not None:
            is_right = line.kind in ORDER and _sort_key(before) < _sort_key(line)
            same = before.kind == line.kind == "act"
            if not is_right and not same:
                raise UnreadableArchive(line.number, words)
            return
        starts = {"archive": OPENING[1:], "faction": OPENING[1:], "branch": ("branch", "stage")}
        allowed = starts.get(before.kind, ("stage", "head", "end"))
        if before.kind == "head":
            allowed = ("head", "end")
        if line.kind not in allowed:
            raise UnreadableArchive(line.number, words)

    def _keep(self, stage: OwnStage) -> None:
        """Keep what receipts are compared with."""
        branch, ordinal = stage.body["branch"], stage.body["ordinal"]
        self.stages.add((branch, ordinal))
        row = stage.row.body["seq"]
        for line in stage.of("entry"):
            self.records.append(record_of(branch, ordinal, line, row, battle=False))
        for line in stage.of("stop-entry"):
            self.records.append(record_of(branch, line.body["stop"], line, row, battle=True))
        self.views += len(stage.of("view"))
        self.reports += len(stage.of("report"))

    def _line_of(self, branch: int) -> list[_Row]:
        """Return the rows of a branch so far, with those of its ancestors up to where it starts."""
        if branch not in self._rows:
            parent = self._branches[branch].body.get("parent")
            rows = [] if parent is None else self._line_of(parent[0])[: parent[1]]
            self._rows[branch] = rows
        return self._rows[branch]

    def _row_differences(self, stage: OwnStage) -> Iterator[Difference]:
        """Yield what differs in the row of a stage."""
        row = stage.row
        body = row.body["body"]
        branch = stage.body["branch"]
        if branch not in self._branches:
            words = "the stage is on a branch that the archive does not have"
            raise UnreadableArchive(row.number, words)
        line = self._line_of(branch)
        begins = all(earlier.branch != branch for earlier in line)
        expected = {
            "branch": (row.body["branch"], branch),
            "seq": (row.body["seq"], len(line)),
            "prev_hash": (row.body["prev_hash"], line[-1].hash if line else None),
            "hash": (row.body["hash"], fair.row_hash(row.body["prev_hash"], body)),
            "schema": (row.body["schema"], body.get("schema")),
            "week": (body.get("week"), stage.body["week"]),
            "stage": (body.get("stage"), stage.body["stage"]),
        }
        if row.body["schema"] >= SCHEMA_3:
            for key in ("branch", "again", "closed_at"):
                expected[f"body {key}"] = (body.get(key), stage.body[key])
            expected["body seq"] = (body.get("seq"), len(line))
        if begins:
            opening = self._branches[branch].body["opening"]
            expected["opening"] = (body.get("opening"), opening)
        if not line:
            del expected["prev_hash"]  # it follows from the scenario, which is not in the archive
        line.append(_Row(branch, row.body["hash"]))
        for key, (stands, should) in expected.items():
            if stands != should:
                words = f"the row has another '{key}'"
                yield stage.where.difference(
                    Level.INTEGRITY, row, "ledger row", words, stands, should
                )

    def _faction_differences(self, stage: OwnStage) -> Iterator[Difference]:
        """Yield the lines that name another faction: no hash covers that name."""
        for kind in OF_THE_FACTION:
            for line in stage.of(kind):
                faction = line.body["faction"]
                if faction != self.faction:
                    words = "the line is of another faction"
                    yield stage.where.difference(
                        Level.INTEGRITY, line, kind, words, faction, self.faction
                    )

    def _entry_differences(self, stage: OwnStage) -> Iterator[Difference]:
        """Yield what differs in the faction's sealed orders."""
        for line in (*stage.of("entry"), *stage.of("stop-entry")):
            body = line.body
            place = f"entry of {body['faction']}, revision {body['revision']}"
            should = fair.orders_digest(body["payload"], body["nonce"], body.get("share"))
            if body["digest"] != should:
                words = "the orders do not match their digest"
                yield stage.where.difference(
                    Level.INTEGRITY, line, place, words, body["digest"], should
                )
            if not has_right_word(line):
                words = "its withdrawal word does not belong to its nonce"
                yield stage.where.difference(Level.INTEGRITY, line, place, words)
        live = live_entries(stage.of("entry"))
        digests = stage.row.body["body"].get("digests", [])
        for line in live:
            if line.body["digest"] not in digests:
                words = "the row does not count these orders"
                place = f"entry of {self.faction}"
                yield stage.where.difference(Level.INTEGRITY, line, place, words)
        if len(live) != 1 and stage.body.get("how") != LEFT:
            words = f"one entry counts in each stage, not {len(live)}"
            place = f"entry of {self.faction}"
            yield stage.where.difference(Level.INTEGRITY, stage.row, place, words)

    def _proof_differences(self, stage: OwnStage) -> Iterator[Difference]:
        """Yield the proofs that do not lead to the outcome of the row."""
        outcome = stage.row.body["body"].get("outcome")
        slots = int(self.header.body["slots"])
        for line in stage.of("proof"):
            name = str(line.body["name"])
            try:
                leaf = fair.outcome_leaf(line.body["blind"], name, line.body["digest"])
                root = fair.outcome_from_proof(leaf, line.body["index"], slots, line.body["hashes"])
            except (ValueError, TypeError):
                root = ""
            if root != outcome or not self._may_have(name):
                words = "the row does not cover this leaf"
                yield stage.where.difference(
                    Level.INTEGRITY, line, f"leaf {name}", words, root, outcome
                )

    def _may_have(self, name: str) -> bool:
        """Return whether a leaf is one of those that the faction may have."""
        kind, _, key = name.partition("/")
        own = kind in (VIEW, TOLD, SHEETS, ENTRY) and key == self.faction
        return name == ACTS or own or kind in (BATTLE, TABLE)

    def _document_differences(self, stage: OwnStage) -> Iterator[Difference]:
        """Yield the leaves that are missing, or do not match the lines of the stage."""
        proven = {line.body["name"]: line for line in stage.of("proof")}
        for name, value in self._digests(stage).items():
            line = proven.get(name)
            if line is None:
                words = "its proof is missing"
                yield stage.where.difference(Level.INTEGRITY, stage.row, f"leaf {name}", words)
            elif line.body["digest"] != value:
                words = "it is not what the ledger row covers"
                yield stage.where.difference(
                    Level.INTEGRITY, line, f"leaf {name}", words, value, line.body["digest"]
                )

    def _digests(self, stage: OwnStage) -> dict[str, str]:
        """Return what the leaves must be by the lines of the stage."""
        digests = {ACTS: digest([line.body["sha256"] for line in stage.of("act")])}
        for line in stage.of("view"):
            digests[f"{VIEW}/{self.faction}"] = digest(line.body["document"])
        if stage.body.get("how") != LEFT:
            digests.setdefault(f"{VIEW}/{self.faction}", "")
            parts = []
            for line in stage.of("report"):
                document = line.body["document"]
                parts.append((line.body["report"], line.body["subject"], report_digest(document)))
            digests[f"{TOLD}/{self.faction}"] = told_digest(parts)
        entry = entry_parts(stage.of("entry")).get(self.faction)
        if entry is not None:
            digests[f"{ENTRY}/{self.faction}"] = digest(entry.to_json())
        return digests


def _sort_key(line: Line) -> tuple[Any, ...]:
    """Return what sorts a line among those of its stage."""
    own = tuple(line.body[key] for key in SORTED_BY.get(line.kind, ()))
    return (ORDER.index(line.kind), *own)


def is_partial(line: Line) -> bool:
    """Return whether an archive that begins with a line has what one faction can prove."""
    return line.kind == "archive" and "for" in line.body


def whole_lines(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines up to the last one.

    Raises:
        UnreadableArchive: The last line is missing.
    """
    for line in lines:
        yield line
        if line.kind == "end":
            return
    raise UnreadableArchive(0, "the file ends too early")
