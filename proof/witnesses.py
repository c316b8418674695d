"""What people kept of a war: heads of its ledger and receipts, compared with its archive."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from engine.core.merkle import prefix_roots
from engine.core.signed_notes import (
    Checkpoint,
    NoteKey,
    SignedNote,
    find_short_name,
    read_checkpoint,
    read_note,
    read_verifier_key,
)
from proof.archive import Line, StageLines

SIGNED_NOTE = re.compile(
    r"^[^\s]+/war/[^\n]+\n(?:[^\n]+\n)+\n(?:\u2014 [^\n]+(?:\n|\Z))+", re.MULTILINE
)
RECEIPT_LINES = 6
NOT_SIGNED = "the key of this archive has not signed it"
NOT_SIGNED_NOW = (
    "the key of this archive has not signed it; if the site changed its key during the war, check "
    "this with the archive of the whole war"
)
KEY_CHANGE = "key"  # the verb of the act of a site that signs with another key than before


@dataclass(frozen=True, slots=True)
class Finding:
    """What an archive says to a witness.

    Attributes:
        holds: False if the archive contradicts it.
    """

    holds: bool
    words: str


@dataclass(frozen=True, slots=True)
class SealedRecord:
    """A sealed entry of the archive, as receipts name it.

    Attributes:
        stage: The ordinal of the stage, or of the phase of a battle.
        battle: Whether it is a phase of a battle.
        has_word: Whether the client that sealed it showed its word when it was withdrawn.
        row: The number of the ledger row that covers it.
    """

    branch: int
    stage: int
    battle: bool
    faction: str
    revision: int
    digest: str
    withdrawn: bool
    has_word: bool
    row: int
    line: int


def sealed_records(stage: StageLines) -> list[SealedRecord]:
    """Return the sealed entries of a stage."""
    branch = stage.stage.body["branch"]
    row = stage.row.body["seq"] if stage.row is not None else 0
    records = []
    for line in stage.entries:
        records.append(record_of(branch, stage.stage.body["ordinal"], line, row, battle=False))
    for battle in stage.battles.values():
        for line in battle.entries:
            records.append(record_of(branch, line.body["stop"], line, row, battle=True))
    return records


def record_of(branch: int, stage: int, line: Line, row: int, *, battle: bool) -> SealedRecord:
    """Return the record of an entry."""
    body = line.body
    return SealedRecord(
        branch=branch,
        stage=stage,
        battle=battle,
        faction=body["faction"],
        revision=body["revision"],
        digest=body["digest"],
        withdrawn=body["withdrawn"] is not None,
        has_word="word" in body,
        row=row,
        line=line.number,
    )


def earlier_keys(stage: StageLines) -> list[NoteKey]:
    """Return the keys with which the site signed until an act of a stage; the acts are covered."""
    keys = []
    for act in stage.acts:
        body = act.body.get("body") or {}
        if body.get("verb") == KEY_CHANGE:
            with suppress(ValueError):  # an archive may contain anything
                keys.append(read_verifier_key(str(body["facts"].get("before"))))
    return keys


class Witnesses:
    """Compares heads and receipts with a war whose rows are known."""

    def __init__(
        self,
        *,
        campaign: str,
        ledgers: Mapping[int, Sequence[str]],
        records: Sequence[SealedRecord],
        keys: Sequence[NoteKey],
        stages: Collection[tuple[int, int]] | None = None,
    ) -> None:
        """Prepare the comparison.

        Args:
            ledgers: The hashes of the rows of each branch and its ancestors.
            keys: With which the site signed during the war.
            stages: Branch and number of the stages in the archive of one faction; None for an
                archive of a whole war.
        """
        self._stages = stages
        self._campaign = campaign
        self._roots = {}
        for branch, hashes in ledgers.items():
            self._roots[branch] = prefix_roots([bytes.fromhex(hash_) for hash_ in hashes])
        self._records = records
        self._keys = keys

    def head(self, text: str) -> Finding:
        """Compare a head: a short name (`12 · 4F7A-91C2-0B3E`) or a text with a signed note."""
        short = find_short_name(text) if "\n" not in text.strip() else None
        if short is not None:
            return self._has_head(short)
        note = self._signed_note(text)
        if isinstance(note, Finding):
            return note
        try:
            checkpoint = read_checkpoint(note.text)
        except ValueError as error:
            return Finding(holds=False, words=f"this is not a head: {error}")
        if f"/war/{self._campaign}/" not in checkpoint.origin:
            return Finding(holds=False, words=f"this head is of another war: {checkpoint.origin}")
        branch = checkpoint.origin.rpartition("/")[2]
        return self._has_root(checkpoint.size, checkpoint.root, checkpoint.short_name, branch)

    def receipts(self, text: str) -> list[Finding]:
        """Compare every signed receipt in a text, such as the file of all receipts of a faction."""
        notes = [found[0] for found in SIGNED_NOTE.finditer(text.replace("\r\n", "\n"))]
        return [self.receipt(note) for note in notes or [text]]

    def receipt(self, text: str) -> Finding:
        """Compare a signed receipt."""
        note = self._signed_note(text)
        if isinstance(note, Finding):
            return note
        lines = note.text.rstrip("\n").split("\n")
        if len(lines) != RECEIPT_LINES or not lines[0].endswith("/receipt"):
            return Finding(holds=False, words="this is not a receipt")
        origin, place, digest, verb, _, head = lines
        if not origin.endswith(f"/war/{self._campaign}/receipt"):
            return Finding(holds=False, words=f"this receipt is of another war: {origin}")
        head_words = head.split(" ")
        if len(head_words) == 3 and head_words[1].isdecimal() and int(head_words[1]):
            size = int(head_words[1])
            branch = place.partition("/")[0]
            head_finding = self._has_root(size, _bytes_of(head_words[2]), head, branch)
            if not head_finding.holds:
                return head_finding
        return self._compare_entry(place, digest, verb)

    def _compare_entry(self, place: str, digest: str, verb: str) -> Finding:
        """Compare what a receipt says of an entry with the archive."""
        branch, *stage, _, faction, revision = place.split("/")
        if not stage or not all(text.isdecimal() for text in (branch, stage[-1], revision)):
            return Finding(holds=False, words=f"this receipt names no entry: {place}")
        what = f"revision {revision} of {faction}, stage {'/'.join(stage)}"
        for record in self._records:
            names = (record.branch, record.stage, record.faction, record.revision)
            if names != (int(branch), int(stage[-1]), faction, int(revision)):
                continue
            if record.battle != (len(stage) > 1) or record.digest != digest:
                continue
            if verb.startswith("unsealed") and not record.withdrawn:
                words = f"contradicted: the site signed that {what} was {verb}, but it counts"
                return Finding(holds=False, words=words)
            if record.withdrawn:
                words = f"{what} was withdrawn before row {record.row} (line {record.line}), "
                words += "with its word" if record.has_word else "without: only the site says so"
                return Finding(holds=True, words=words)
            return Finding(holds=True, words=f"{what} stands in row {record.row}")
        if self._stages is not None and self._is_beyond(int(branch), stage):
            return Finding(holds=True, words=f"{what} is not in this archive")
        words = f"contradicted: the site signed at {verb.partition(' ')[2]} that {what} was sealed"
        return Finding(holds=False, words=f"{words} with the digest {digest}; it is not there")

    def _is_beyond(self, branch: int, stage: Sequence[str]) -> bool:
        """Return whether the archive of one faction says nothing about a stage.

        It has only battles whose report the faction has read, without their outside ids.
        """
        assert self._stages is not None
        return len(stage) > 1 or (branch, int(stage[0])) not in self._stages

    def _signed_note(self, text: str) -> SignedNote | Finding:
        """Return a note that the site signed, or why it is none."""
        found = SIGNED_NOTE.search(text.replace("\r\n", "\n"))
        if found is None:
            return Finding(holds=False, words="there is no signed note in it")
        try:
            note = read_note(found[0])
        except ValueError as error:
            return Finding(holds=False, words=f"this cannot be read: {error}")
        if not any(note.is_signed_by(key) for key in self._keys):
            words = NOT_SIGNED if self._stages is None else NOT_SIGNED_NOW
            return Finding(holds=False, words=words)
        return note

    def _has_head(self, name: str) -> Finding:
        """Return whether the ledger had a head with a short name."""
        size = int(name.partition(" ")[0])
        for roots in self._roots.values():
            if size < len(roots) and Checkpoint("", size, roots[size]).short_name == name:
                return Finding(holds=True, words=f"the ledger had the head {name}")
        if self._stages is not None:
            words = f"no timeline in this archive had the head {name}: one that began later may"
            return Finding(holds=True, words=words)
        return self._no_such_head(size, name)

    def _has_root(self, size: int, root: bytes, words: str, branch: str) -> Finding:
        """Return whether the ledger had a root at a size, by a note about a branch."""
        if any(roots[size : size + 1] == [root] for roots in self._roots.values()):
            return Finding(holds=True, words=f"the ledger had the head {words}")
        return self._no_such_head(size, words, branch)

    def _no_such_head(self, size: int, words: str, branch: str = "") -> Finding:
        """Return what it means that no branch had a head: nothing if the archive ends earlier.

        Args:
            branch: The number of the branch on which the head should be; empty if unknown.
        """
        is_later = branch.isdecimal() and size >= len(self._roots.get(int(branch), ()))
        if self._stages is not None and is_later:
            return Finding(holds=True, words=f"the head {words} is later than this archive")
        return Finding(holds=False, words=f"this history never had the head {words}")


def _bytes_of(text: str) -> bytes:
    """Return the bytes of a hexadecimal text; none if it is not one."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""
