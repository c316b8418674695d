"""The leaves under the outcome of a ledger row: their names, and what each digest covers.

The server uses this module when it writes a row, a verifier when it checks one. `engine.core.fair`
makes the tree of them.

| leaf | its digest covers |
|---|---|
| `snapshot`, `happenings` | the world after the stage, and the events of the stage |
| `view/<faction>` | the faction's view |
| `told/<faction>` | its reports of the stage and of its battles |
| `sheets/<faction>` | what it was handed out for battles since the stage opened |
| `battle/<key>` | start, last chain and result of a battle |
| `table/<key>` | the last chain of the record kept at a table |
| `acts` | the acts that all may read |
| `act/<n>` | an act that only umpires may read |
| `ruling` | the ruling that closed the stage |
| `entry/<faction>` | who sealed its orders when, and what was unsealed before |
| `entries` | all of these |
| `setting` | admirals, excuses, seats and timetable |
| `first` | in the first row: the world and the views with which the war began |
| `left` | in the last row of an abandoned timeline: the world with which it ended |

A row of an abandoned timeline ends a stage that was not played. It has no world, events, views and
reports of its own; its battles have no result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.canonical import digest, encode_floats

SNAPSHOT = "snapshot"
EVENTS = "happenings"
ACTS = "acts"
ENTRIES = "entries"
SETTING = "setting"
RULING = "ruling"
FIRST = "first"
LEFT = "left"
VIEW = "view"
TOLD = "told"
SHEETS = "sheets"
BATTLE = "battle"
TABLE = "table"
ACT = "act"
ENTRY = "entry"
# Ids that only one faction knows. They follow from a secret that is never published.
OUTSIDE_IDS = ("battle",)

ReportParts = tuple[str, str, str]  # kind, subject and the digest of the body


@dataclass(frozen=True, slots=True)
class EntryParts:
    """How a faction's orders were sealed.

    Attributes:
        source: Who gave them: the player, an admiral, the default orders and so on.
        sealed_at: In ISO format.
        withdrawn: The digests of earlier revisions that were unsealed, oldest first.
        share_by_server: Whether the server filled in the faction's share.
    """

    source: str
    sealed_at: str
    withdrawn: tuple[str, ...]
    share_by_server: bool

    def to_json(self) -> dict[str, Any]:
        """Return the document that is hashed."""
        return {
            "source": self.source,
            "sealed_at": self.sealed_at,
            "withdrawn": list(self.withdrawn),
            "share_by_server": self.share_by_server,
        }


@dataclass(frozen=True, slots=True)
class StageRecord:
    """What a stage left behind: digests of large documents, and small documents themselves.

    Mappings are by faction, or by the key of a battle.

    Attributes:
        snapshot: The digest of the world; None if the stage was abandoned.
        events: The digest of the events; None as above.
        views: Digests of the views.
        told: See `told_digest`.
        sheets: See `told_digest`.
        battles: See `battle_digest`.
        tables: The last chain of each record.
        acts: Digests of the acts that all may read, oldest first.
        umpire_acts: Digests of the other acts, oldest first.
        setting: A document.
        first: The digest of the first world, and those of the first views by faction; None in all
            rows but the first.
        left: The digest of the last world of an abandoned timeline; None if the stage was played.
        ruling: See `ruling_digest`; empty if the stage was played.
    """

    snapshot: str | None
    events: str | None
    views: Mapping[str, str]
    told: Mapping[str, str]
    sheets: Mapping[str, str]
    battles: Mapping[str, str]
    tables: Mapping[str, str]
    acts: Sequence[str]
    umpire_acts: Sequence[str]
    entries: Mapping[str, EntryParts]
    setting: Mapping[str, Any]
    first: tuple[str, Mapping[str, str]] | None = None
    left: str | None = None
    ruling: str = ""


def leaf_digests(record: StageRecord) -> dict[str, str]:
    """Return the digests of all leaves by name."""
    entries = {faction: entry.to_json() for faction, entry in record.entries.items()}
    leaves = {
        ACTS: digest(list(record.acts)),
        ENTRIES: digest(entries),
        SETTING: digest(dict(record.setting)),
    }
    for name, value in (
        (SNAPSHOT, record.snapshot),
        (EVENTS, record.events),
        (LEFT, record.left),
    ):
        if value is not None:
            leaves[name] = value
    for name, digests in (
        (VIEW, record.views),
        (TOLD, record.told),
        (SHEETS, record.sheets),
        (BATTLE, record.battles),
        (TABLE, record.tables),
    ):
        for key, value in digests.items():
            leaves[f"{name}/{key}"] = value
    for number, act in enumerate(record.umpire_acts):
        leaves[f"{ACT}/{number}"] = act
    for faction, entry in entries.items():
        leaves[f"{ENTRY}/{faction}"] = digest(entry)
    if record.first is not None:
        world, views = record.first
        leaves[FIRST] = digest([world, dict(views)])
    if record.ruling:
        leaves[RULING] = record.ruling
    return leaves


def ruling_digest(number: int, document: Mapping[str, Any], told: Sequence[str]) -> str:
    """Return the digest of a ruling.

    Args:
        told: The factions that were notified.
    """
    return digest([number, dict(document), list(told)])


def report_digest(body: Mapping[str, Any]) -> str:
    """Return the digest of a report's body, without the ids that cannot be recomputed."""
    return digest(encode_floats(without_outside_ids(body)))


def without_outside_ids(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a report's body without the ids that only its faction knows."""
    return {key: value for key, value in body.items() if key not in OUTSIDE_IDS}


def told_digest(reports: Iterable[ReportParts]) -> str:
    """Return the digest of a faction's reports in any order."""
    return digest([list(report) for report in sorted(reports)])


def battle_digest(
    start: Mapping[str, Any], chain: str, result: Mapping[str, Any], key_sha256: str = ""
) -> str:
    """Return the digest of a battle that is over.

    Args:
        chain: The hash of its last phase; empty if it was fought at a table.
        key_sha256: Of the key of its dice; empty by rules of dice 1.
    """
    return digest([digest(encode_floats(start)), chain, digest(encode_floats(result)), key_sha256])
