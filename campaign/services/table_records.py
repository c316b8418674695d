"""The damage record of a battle at a table, kept during play: players read it and add to it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from campaign.models.campaign import Faction
from campaign.models.stage import Draft, Stage
from campaign.models.table_record import TableEntry
from campaign.rules.table_record import (
    MARKS,
    MAX_AT_ONCE,
    MAX_ENTRIES,
    RESERVED,
    REVEALED,
    SCHEMA,
    Entry,
    RecordState,
    all_sealed,
    allies_of,
    apply_entry,
    apply_own_entry,
    build_record,
    check_of,
    propose_result,
    reveal_plot,
    visible_part,
)
from campaign.rules.table_record_faults import entry_faults
from campaign.selectors.entropy import entropy_at
from campaign.services.envelopes import draft_save, lock_stage
from campaign.services.tables import TableBattle, TableResult
from campaign.store.table_chains import last_link, record_begin, record_link
from campaign.store.war_dice import war_dice
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.table_results.validation import own_state

DICE = "table"  # purpose of dice that the site rolls for players at a table


@dataclass(frozen=True, slots=True)
class EntryResult:
    """The result of sending an entry.

    Attributes:
        faults: Why it was not added; empty if it is in the record, now or from before.
        number: That of the dice that the site reserved or showed; None without any.
    """

    key: str
    faults: tuple[Violation, ...] = ()
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """The record as a faction may see it.

    Attributes:
        state: The result of all entries.
        entries: Pairs of faction key and entry, earliest first.
    """

    state: RecordState
    entries: tuple[tuple[str, Entry], ...]


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The result of sending entries.

    Attributes:
        results: One for each entry.
        before: The record's entries before them.
        record: The record with them.
    """

    results: tuple[EntryResult, ...]
    before: tuple[tuple[str, Entry], ...]
    record: Record


def record_of(table: TableBattle, faction: Faction) -> Record:
    """Return what a faction may see of its battle's record."""
    rows = _rows(table)
    shown_in_full = Q(faction=faction)
    if allies := allies_of(table.sheet, faction.key):
        shown_in_full |= Q(faction__key__in=allies, body__kind__in=sorted(MARKS))
    columns = ("number", "faction__key")
    full_rows = rows.filter(shown_in_full).values_list(*columns, "body")
    other_rows = rows.exclude(shown_in_full).exclude(visible_body={})
    numbered_entries = [*full_rows, *other_rows.values_list(*columns, "visible_body")]
    numbered_entries.sort(key=itemgetter(0))
    entries = tuple((author, entry) for _, author, entry in numbered_entries)
    ships = own_state(table.sheet).ships
    return Record(build_record(table.sheet, faction.key, ships, entries), entries)


def entries_write(
    *,
    table: TableBattle,
    faction: Faction,
    entries: Sequence[tuple[str, object]],
    now: datetime | None = None,
) -> WriteResult:
    """Add pairs of key and entry in their order. An entry with a fault is skipped.

    An entry that was sent before is not added again.

    Raises:
        RuleViolations: There are too many entries.
        StageClosed: The battle accepts no more results.
    """
    if len(entries) > MAX_AT_ONCE:
        raise RuleViolations(
            [
                Violation(
                    "", "too-many", phrase("at most {} entries can be sent at once", MAX_AT_ONCE)
                )
            ]
        )
    moment = now or timezone.now()
    with transaction.atomic():
        known = _known_keys(table, faction)
        if all(key in known for key, _ in entries):
            record = record_of(table, faction)  # sent again, perhaps after the battle was over
            results = tuple(EntryResult(key, number=known[key]) for key, _ in entries)
            return WriteResult(results, record.entries, record)
        lock_stage(table.stage, moment)
        record = record_of(table, faction)
        writer = _RecordWriter(
            table=table,
            faction=faction,
            now=moment,
            state=record.state,
            entries=list(record.entries),
            known_keys=_known_keys(table, faction),
            last_number=_last_number(table),
            last_chain=_last_chain(table),
        )
        results = tuple(writer.write(key, entry) for key, entry in entries)
    record_after = Record(writer.state, tuple(writer.entries))
    return WriteResult(results, record.entries, record_after)


def _known_keys(table: TableBattle, faction: Faction) -> dict[str, int | None]:
    """Return the keys of the entries that a faction has sent, with the numbers of their dice."""
    rows = _rows(table).filter(faction=faction).values_list("key", "body__number")
    return {str(key): number for key, number in rows}


def _last_number(table: TableBattle) -> int:
    """Return the number of the record's newest entry, 0 for an empty record."""
    return _rows(table).order_by("-number").values_list("number", flat=True).first() or 0


def _last_chain(table: TableBattle) -> str:
    """Return the hash of the record's newest entry, or that before its first one."""
    stage = Stage.objects.filter(pk=table.stage.pk)
    battle_key = stage.values_list("battle__key", flat=True).get()
    begin = record_begin(table.stage.branch, table.week, battle_key)
    return last_link(_battle(table), begin)


@dataclass(slots=True)
class _RecordWriter:
    """Adds a faction's entries to a record, while the stage is locked.

    Attributes:
        state: The result of all entries, as the faction may see it.
        entries: All entries as the faction may see them: (author, entry).
        known_keys: Keys of the faction's entries, with the numbers of their dice.
        last_number: Number of the newest entry.
        last_chain: Its hash, or that before the first entry.
    """

    table: TableBattle
    faction: Faction
    now: datetime
    state: RecordState
    entries: list[tuple[str, Entry]]
    known_keys: dict[str, int | None]
    last_number: int
    last_chain: str

    def write(self, key: str, entry: object) -> EntryResult:
        """Add an entry unless it has faults or is known already."""
        if key in self.known_keys:
            return EntryResult(key, number=self.known_keys[key])
        faults = self._faults(key, entry)
        if faults or not isinstance(entry, Mapping):
            return EntryResult(key, faults)
        if entry["kind"] == "reveal" and entry["number"] in self.state.shown:
            return EntryResult(key, number=entry["number"])  # another phone has shown these dice
        stored_entry = self._stored_entry(entry)
        apply_own_entry(self.state, self.faction.key, stored_entry)
        self.entries.append((self.faction.key, stored_entry))
        visible_entry = visible_part(self.table.sheet, self.state, stored_entry)
        self._add_row(self.faction, key, stored_entry, visible_entry)
        number = stored_entry.get("number")
        self.known_keys[key] = number
        is_plot = stored_entry["kind"] == "plot"
        if is_plot and all_sealed(self.table.sheet, self.state, stored_entry["turn"]):
            self._reveal_plots(stored_entry["turn"])
        return EntryResult(key, number=number)

    def _faults(self, key: str, entry: object) -> tuple[Violation, ...]:
        """Return why an entry cannot be added."""
        if not _is_uuid(key):
            return (Violation("key", "key", phrase("every entry needs its own UUID")),)
        if len(self.known_keys) >= MAX_ENTRIES:
            words = phrase("a record can have at most {} entries per faction", MAX_ENTRIES)
            return (Violation("", "too-many", words),)
        return entry_faults(self.table.sheet, self.state, self.faction.key, entry)

    def _stored_entry(self, entry: Entry) -> Entry:
        """Return an entry as stored.

        A plot is stored together with what other sides will see of it. Dice that the site is to
        roll are reserved first, and rolled when the faction asks to show them.
        """
        kind = entry["kind"]
        if kind == "plot":
            return {**entry, "told": reveal_plot(self.table.sheet, entry["turn"], entry["orders"])}
        if kind == "check":
            return self._stored_check(entry)
        if kind == "throw":
            return self._reserved(about=entry["about"], dice=entry["dice"])
        if kind == "reveal":
            return self._shown(entry["number"])
        return entry

    def _stored_check(self, entry: Entry) -> Entry:
        """Return a threshold check as stored: reserved for the site, or with its dice by hand."""
        sheet = self.table.sheet
        systems = check_of(sheet, self.state.marks[entry["ship"]], entry["row"])
        if entry["site"]:
            return self._reserved(ship=entry["ship"], row=entry["row"], systems=systems)
        return _check(entry, systems, entry["rolls"])

    def _reserved(self, **parts: Any) -> Entry:
        """Return dice as they are reserved, with the next number of the faction's throws.

        The number of the entry would tell how many entries of others the faction does not see.
        """
        number = len(self.state.reserved) + len(self.state.shown) + 1
        return {"kind": RESERVED, "number": number, **parts}

    def _shown(self, number: int) -> Entry:
        """Return reserved dice as they are stored once they are rolled."""
        reserved = self.state.reserved[number]
        by = {"by": "site", "number": number}
        if "ship" in reserved:
            rolls = self._rolls(number, len(reserved["systems"]))
            return {**_check(reserved, reserved["systems"], rolls), **by}
        rolls = self._rolls(number, reserved["dice"])
        return {"kind": "dice", "about": reserved["about"], "rolls": rolls, **by}

    def _rolls(self, number: int, count: int) -> list[int]:
        """Roll the site's dice that were reserved with a number.

        They follow from the number, which the site gives. A client that chose other keys for its
        entries could not choose among dice.
        """
        branch = self.table.stage.branch
        stage = Stage.objects.filter(pk=self.table.stage.pk)
        battle, seq = stage.values_list("battle__key", "battle__seq").get()
        dice = war_dice(branch)
        entropy = entropy_at(branch, seq) if dice.is_tree else ""
        subject = f"{self.faction.key}/{number}"
        rolled = dice.dice(dice.table(self.table.week, battle, entropy))
        return [rolled.roll(DICE, subject) for _ in range(count)]

    def _add_row(self, author: Faction, key: str, body: Entry, visible_body: Entry) -> None:
        """Store an entry, and the part of it that other factions see."""
        self.last_number += 1
        entry = TableEntry(
            battle_id=_battle(self.table),
            faction=author,
            key=key,
            number=self.last_number,
            schema=SCHEMA,
            body=dict(body),
            visible_body=dict(visible_body),
            at=self.now,
        )
        self.last_chain = record_link(self.last_chain, entry)
        entry.chain = self.last_chain
        entry.save(force_insert=True)

    def _reveal_plots(self, turn: int) -> None:
        """Add entries that reveal all plots of a turn to all sides."""
        plots = _rows(self.table).filter(body__kind="plot", body__turn=turn)
        for plot in list(plots.select_related("faction").order_by("number")):
            author = plot.faction
            body = {"kind": REVEALED, "turn": turn}
            revealed = plot.body["told"]
            self._add_row(author, str(uuid.uuid5(plot.key, REVEALED)), body, revealed)
            seen_entry = body if author.key == self.faction.key else revealed
            apply_entry(self.state, self.faction.key, author.key, seen_entry)
            self.entries.append((author.key, seen_entry))


def _check(entry: Entry, systems: Sequence[str], rolls: Sequence[int]) -> dict[str, Any]:
    """Return a threshold check as stored, with the die of each system."""
    return {
        "kind": "check",
        "ship": entry["ship"],
        "row": entry["row"],
        # A list of pairs, because a database may sort keys
        "dice": [list(pair) for pair in zip(systems, rolls, strict=True)],
    }


def _is_uuid(key: str) -> bool:
    """Return whether a text is a UUID in its usual notation."""
    try:
        return str(uuid.UUID(key)) == key
    except ValueError:
        return False


def result_propose(*, table: TableBattle, faction: Faction, now: datetime | None = None) -> Draft:
    """Replace the draft of the faction's result by the record.

    Ground targets without marks in the record stay as they are in the draft.

    Raises:
        StageClosed: The battle accepts no more results.
        AlreadySealed: The faction has sealed its result.
        EditConflict: The draft was changed in the meantime.
    """
    draft = Draft.objects.filter(stage=table.stage, faction=faction).first()
    payload = propose_result(table.sheet, record_of(table, faction).state)
    if draft is not None and "ground" in draft.payload:
        payload["ground"] = {**draft.payload["ground"], **payload.get("ground", {})}
    version = 0 if draft is None else draft.version
    return draft_save(
        document=TableResult(table, faction), payload=payload, version=version, now=now
    )


def _rows(table: TableBattle) -> QuerySet[TableEntry]:
    """Query the entries of a battle's record."""
    return TableEntry.objects.filter(battle_id=_battle(table))


def _battle(table: TableBattle) -> int:
    """Return the primary key of the battle."""
    if table.stage.battle_id is None:
        raise ValueError("a table's stage belongs to a battle")
    return table.stage.battle_id
