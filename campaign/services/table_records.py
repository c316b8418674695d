"""The record of a battle that is kept while it is fought at a table: read by those who fight it,
and added to.

record_of       what a faction may read of it
entries_write   adds what a telephone sends; what was sent before is not added again
result_propose  makes of it the draft of the result
"""

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
    Kept,
    all_sealed,
    allies_of,
    check_of,
    folded,
    proposal,
    revealed,
    take,
    told_of,
    write,
)
from campaign.rules.table_record_faults import entry_faults
from campaign.services.envelopes import draft_save, stage_hold_open
from campaign.services.tables import TableBattle, TableResult
from engine.core.dice import KeyedDice
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.table_results.judging import own_state

DICE = "table"  # the purpose of dice that the site throws for players at a table


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a sent entry.

    `faults`: why it was not added; none: it is in the record, now or since before.
    """

    key: str
    faults: tuple[Violation, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """The record as a faction may read it: what comes of it, and (whose, what it says), the
    earliest first.
    """

    kept: Kept
    entries: tuple[tuple[str, Entry], ...]


@dataclass(frozen=True, slots=True)
class Done:
    """What became of entries that were sent.

    `written`: of each; `before`: the entries of the record before them; `record`: with them.
    """

    written: tuple[Written, ...]
    before: tuple[tuple[str, Entry], ...]
    record: Record


def record_of(table: TableBattle, faction: Faction) -> Record:
    """What a faction may read of the record of its battle."""
    rows = _rows(table)
    whole = Q(faction=faction)
    if allies := allies_of(table.sheet, faction.key):
        whole |= Q(faction__key__in=allies, body__kind__in=sorted(MARKS))
    own = rows.filter(whole).values_list("number", "faction__key", "body")
    others = rows.exclude(whole).exclude(told={}).values_list("number", "faction__key", "told")
    entries = tuple(
        (whose, entry) for _, whose, entry in sorted([*own, *others], key=lambda row: row[0])
    )
    return Record(folded(table.sheet, faction.key, own_state(table.sheet).ships, entries), entries)


def entries_write(
    *,
    table: TableBattle,
    faction: Faction,
    entries: Sequence[tuple[str, object]],
    now: datetime | None = None,
) -> Done:
    """Add entries (key, entry) in their order. One with a fault is not added, those after it are.

    Raises RuleViolations where they are too many, StageIsClosed where the battle takes no more
    results.
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
            record = record_of(table, faction)  # sent again, maybe after the battle was over
            return Done(tuple(Written(key) for key, _ in entries), record.entries, record)
        stage_hold_open(table.stage, moment)
        record = record_of(table, faction)
        kept, all_entries = record.kept, list(record.entries)
        known = {str(key) for key in mine.values_list("key", flat=True)}
        last = rows.order_by("-number").values_list("number", flat=True).first() or 0
        done = []
        for key, entry in entries:
            found = () if key in known else _faults(table, kept, faction, key, entry, len(known))
            if key not in known and not found and isinstance(entry, Mapping):
                thrown = _as_kept(table, faction, kept, key, entry)
                write(kept, faction.key, thrown)
                all_entries.append((faction.key, thrown))
                last = _add(
                    table, faction, key, last, thrown, told_of(table.sheet, kept, thrown), moment
                ).number
                known.add(key)
                if thrown["kind"] == "plot" and all_sealed(table.sheet, kept, thrown["turn"]):
                    for whose, row in _reveal(table, thrown["turn"], last, moment):
                        last, heard = row.number, row.body if whose == faction.key else row.told
                        take(kept, faction.key, whose, heard)
                        all_entries.append((whose, heard))
            done.append(Written(key, found))
    return Done(tuple(done), record.entries, Record(kept, tuple(all_entries)))


def result_propose(*, table: TableBattle, faction: Faction, now: datetime | None = None) -> Draft:
    """Write the record over the draft of the faction's result, but for ground targets that nobody
    marked in it. Raises StageIsClosed, AlreadySealed, LostUpdate.
    """
    stored = Draft.objects.filter(stage=table.stage, faction=faction).first()
    payload = proposal(table.sheet, record_of(table, faction).kept)
    if stored is not None and "ground" in stored.payload:
        payload["ground"] = {**stored.payload["ground"], **payload.get("ground", {})}
    version = 0 if stored is None else stored.version
    return draft_save(
        document=TableResult(table, faction), payload=payload, version=version, now=now
    )


def _rows(table: TableBattle) -> QuerySet[TableEntry]:
    return TableEntry.objects.filter(battle_id=_battle(table))


def _battle(table: TableBattle) -> int:
    """The row of the battle."""
    if table.stage.battle_id is None:
        raise ValueError("a table's stage belongs to a battle")
    return table.stage.battle_id


def _faults(
    table: TableBattle, kept: Kept, faction: Faction, key: str, entry: object, many: int
) -> tuple[Violation, ...]:
    try:
        right = str(uuid.UUID(key)) == key
    except ValueError:
        right = False
    if not right:
        return (Violation("key", "key", phrase("an entry has a UUID of its own")),)
    if many >= MOST_ENTRIES:
        return (
            Violation(
                "",
                "too-many",
                phrase("a record has at most {} entries of one faction", MOST_ENTRIES),
            ),
        )
    return entry_faults(table.sheet, kept, faction.key, entry)


def _as_kept(table: TableBattle, faction: Faction, kept: Kept, key: str, entry: Entry) -> Entry:
    """The entry as it is kept: dice that the site is to throw are thrown by the campaign's seed;
    with a plot lies how others will read it.
    """
    if entry["kind"] == "plot":
        return {**entry, "told": revealed(table.sheet, entry["turn"], entry["orders"])}
    if entry["kind"] == "check":
        systems = check_of(table.sheet, kept.marks[entry["ship"]], entry["row"])
        rolls = _rolls(table, faction, key, len(systems)) if entry["site"] else entry["rolls"]
        by = {"by": "site"} if entry["site"] else {}
        dice = [
            list(pair) for pair in zip(systems, rolls, strict=True)
        ]  # pairs: a database may sort keys
        return {"kind": "check", "ship": entry["ship"], "row": entry["row"], "dice": dice, **by}
    if entry["kind"] != "throw":
        return entry
    rolls = _rolls(table, faction, key, entry["dice"])
    return {"kind": "dice", "about": entry["about"], "rolls": rolls, "by": "site"}


def _rolls(table: TableBattle, faction: Faction, key: str, many: int) -> list[int]:
    """Dice that the site throws for an entry."""
    campaign = table.stage.branch.campaign
    place: tuple[str | int, ...] = (
        campaign.dice_key,
        table.stage.branch.number,
        table.week,
        DICE,
        table.sheet["hex"],
    )
    dice = KeyedDice(bytes.fromhex(campaign.seed), place)
    return [dice.roll(DICE, f"{faction.key}/{key}") for _ in range(many)]


def _add(
    table: TableBattle,
    faction: Faction,
    key: str,
    last: int,
    body: Entry,
    told: Entry,
    now: datetime,
) -> TableEntry:
    """Write one row."""
    return TableEntry.objects.create(
        battle_id=_battle(table),
        faction=faction,
        key=key,
        number=last + 1,
        schema=SCHEMA,
        body=dict(body),
        told=dict(told),
        at=now,
    )


def _reveal(
    table: TableBattle, turn: int, last: int, now: datetime
) -> list[tuple[str, TableEntry]]:
    """Tell all of all plots of a turn, each in a row of its faction: whose it is, and the row."""
    found: list[tuple[str, TableEntry]] = []
    for row in (
        _rows(table)
        .filter(body__kind="plot", body__turn=turn)
        .select_related("faction")
        .order_by("number")
    ):
        key, body = str(uuid.uuid5(row.key, REVEALED)), {"kind": REVEALED, "turn": turn}
        made = _add(table, row.faction, key, last + len(found), body, row.body["told"], now)
        found.append((row.faction.key, made))
    return found
