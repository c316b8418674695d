"""The damage record of a battle at a table, kept during play: players read it and add to it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from campaign.models.campaign import Faction
from campaign.models.stage import Draft
from campaign.models.table_record import TableEntry
from campaign.rules.table_record import (
    MARKS,
    MOST_AT_ONCE,
    MOST_ENTRIES,
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
from campaign.services.envelopes import draft_save, lock_stage
from campaign.services.tables import TableBattle, TableResult
from engine.core.dice import KeyedDice
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.table_results.validation import own_state

DICE = "table"  # purpose of dice that the site rolls for players at a table


@dataclass(frozen=True, slots=True)
class EntryResult:
    """The result of sending an entry.

    Attributes:
        faults: Why it was not added; empty if it is in the record, now or from before.
    """

    key: str
    faults: tuple[Violation, ...] = ()


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
    full_rows = Q(faction=faction)
    if allies := allies_of(table.sheet, faction.key):
        full_rows |= Q(faction__key__in=allies, body__kind__in=sorted(MARKS))
    own_rows = rows.filter(full_rows).values_list("number", "faction__key", "body")
    other_rows = (
        rows.exclude(full_rows)
        .exclude(visible_body={})
        .values_list("number", "faction__key", "visible_body")
    )
    entries = tuple(
        (author, entry)
        for _, author, entry in sorted([*own_rows, *other_rows], key=lambda row: row[0])
    )
    return Record(
        build_record(table.sheet, faction.key, own_state(table.sheet).ships, entries), entries
    )


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
    if len(entries) > MOST_AT_ONCE:
        raise RuleViolations(
            [
                Violation(
                    "", "too-many", phrase("at most {} entries can be sent at once", MOST_AT_ONCE)
                )
            ]
        )
    moment = now or timezone.now()
    rows = _rows(table)
    with transaction.atomic():
        mine = rows.filter(faction=faction)
        if {str(key) for key in mine.values_list("key", flat=True)}.issuperset(
            key for key, _ in entries
        ):
            record = record_of(table, faction)  # sent again, perhaps after the battle was over
            return WriteResult(
                tuple(EntryResult(key) for key, _ in entries), record.entries, record
            )
        lock_stage(table.stage, moment)
        record = record_of(table, faction)
        state = record.state
        all_entries = list(record.entries)
        known_keys = {str(key) for key in mine.values_list("key", flat=True)}
        last = rows.order_by("-number").values_list("number", flat=True).first() or 0
        results = []
        for key, entry in entries:
            faults = (
                ()
                if key in known_keys
                else _faults(table, state, faction, key, entry, len(known_keys))
            )
            if key not in known_keys and not faults and isinstance(entry, Mapping):
                stored_entry = _stored_entry(table, faction, state, key, entry)
                apply_own_entry(state, faction.key, stored_entry)
                all_entries.append((faction.key, stored_entry))
                last = _add(
                    table,
                    faction,
                    key,
                    last,
                    stored_entry,
                    visible_part(table.sheet, state, stored_entry),
                    moment,
                ).number
                known_keys.add(key)
                if stored_entry["kind"] == "plot" and all_sealed(
                    table.sheet, state, stored_entry["turn"]
                ):
                    for author, row in _reveal(table, stored_entry["turn"], last, moment):
                        last = row.number
                        heard = row.body if author == faction.key else row.visible_body
                        apply_entry(state, faction.key, author, heard)
                        all_entries.append((author, heard))
            results.append(EntryResult(key, faults))
    return WriteResult(tuple(results), record.entries, Record(state, tuple(all_entries)))


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
    return TableEntry.objects.filter(battle_id=_battle(table))


def _battle(table: TableBattle) -> int:
    """Return the primary key of the battle."""
    if table.stage.battle_id is None:
        raise ValueError("a table's stage belongs to a battle")
    return table.stage.battle_id


def _faults(
    table: TableBattle, state: RecordState, faction: Faction, key: str, entry: object, count: int
) -> tuple[Violation, ...]:
    try:
        right = str(uuid.UUID(key)) == key
    except ValueError:
        right = False
    if not right:
        return (Violation("key", "key", phrase("every entry needs its own UUID")),)
    if count >= MOST_ENTRIES:
        return (
            Violation(
                "",
                "too-many",
                phrase("a record can have at most {} entries per faction", MOST_ENTRIES),
            ),
        )
    return entry_faults(table.sheet, state, faction.key, entry)


def _stored_entry(
    table: TableBattle, faction: Faction, state: RecordState, key: str, entry: Entry
) -> Entry:
    """Return the entry as stored, with dice that the site rolls from the campaign's seed.

    A plot is stored together with what other sides will see of it.
    """
    if entry["kind"] == "plot":
        return {**entry, "told": reveal_plot(table.sheet, entry["turn"], entry["orders"])}
    if entry["kind"] == "check":
        systems = check_of(table.sheet, state.marks[entry["ship"]], entry["row"])
        if entry["site"]:
            rolls = _rolls(table, faction, key, len(systems))
        else:
            rolls = entry["rolls"]
        by = {"by": "site"} if entry["site"] else {}
        dice = [
            list(pair) for pair in zip(systems, rolls, strict=True)
        ]  # pairs: a database may sort keys
        return {"kind": "check", "ship": entry["ship"], "row": entry["row"], "dice": dice, **by}
    if entry["kind"] != "throw":
        return entry
    rolls = _rolls(table, faction, key, entry["dice"])
    return {"kind": "dice", "about": entry["about"], "rolls": rolls, "by": "site"}


def _rolls(table: TableBattle, faction: Faction, key: str, count: int) -> list[int]:
    """Roll the site's dice for an entry."""
    campaign = table.stage.branch.campaign
    place: tuple[str | int, ...] = (
        campaign.dice_key,
        table.stage.branch.number,
        table.week,
        DICE,
        table.sheet["hex"],
    )
    dice = KeyedDice(bytes.fromhex(campaign.seed), place)
    return [dice.roll(DICE, f"{faction.key}/{key}") for _ in range(count)]


def _add(
    table: TableBattle,
    faction: Faction,
    key: str,
    last: int,
    body: Entry,
    visible: Entry,
    now: datetime,
) -> TableEntry:
    """Store one entry."""
    return TableEntry.objects.create(
        battle_id=_battle(table),
        faction=faction,
        key=key,
        number=last + 1,
        schema=SCHEMA,
        body=dict(body),
        visible_body=dict(visible),
        at=now,
    )


def _reveal(
    table: TableBattle, turn: int, last: int, now: datetime
) -> list[tuple[str, TableEntry]]:
    """Reveal all plots of a turn to all sides; return pairs of faction key and new row."""
    revealed: list[tuple[str, TableEntry]] = []
    for row in (
        _rows(table)
        .filter(body__kind="plot", body__turn=turn)
        .select_related("faction")
        .order_by("number")
    ):
        key = str(uuid.uuid5(row.key, REVEALED))
        body = {"kind": REVEALED, "turn": turn}
        entry_row = _add(table, row.faction, key, last + len(revealed), body, row.body["told"], now)
        revealed.append((row.faction.key, entry_row))
    return revealed
