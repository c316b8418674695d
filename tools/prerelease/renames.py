"""The stored names that changed with release 1.0.0: tables, columns, values, and keys in documents.

Tables and columns are listed under the names they had at the last commit before the release
(`BASE_COMMIT` in `tools.prerelease.move`). `tools.prerelease.rename_keys` explains the patterns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Patterns = Mapping[str, str]

# Old table: new table.
TABLES: dict[str, str] = {
    "campaign_battlestop": "campaign_battlephase",
    "campaign_printedpaper": "campaign_printeddocument",
    "campaign_reckoning": "campaign_simulation",
    "campaign_shelfdesign": "campaign_librarydesign",
}

# Old table: old column: new column.
COLUMNS: dict[str, dict[str, str]] = {
    "campaign_balancepart": {"died": "failed_seeds", "spent": "milliseconds_used"},
    "campaign_battleslice": {"stops": "phases"},
    "campaign_galleryconsent": {"named": "may_be_named"},
    "campaign_notification": {
        "done": "delivered_channels",
        "failed": "failed_channels",
        "given_up_at": "abandoned_at",
    },
    "campaign_preference": {"guided": "completed_guide_steps"},
    "campaign_reckoning": {
        "wanted": "battles_wanted",
        "fought": "battles_done",
        "spent": "milliseconds_used",
    },
    "campaign_scenariobalance": {"sought": "handicap_ending"},
    "campaign_snapshot": {"happenings": "events"},
    "campaign_tableentry": {"told": "visible_body"},
}

# Old table: columns that no longer exist.
DROPPED_COLUMNS: dict[str, tuple[str, ...]] = {}

# Old table: new columns, with the value that existing rows get.
ADDED_COLUMNS: dict[str, dict[str, Any]] = {}

# Old table: old column: old value: new value.
COLUMN_VALUES: dict[str, dict[str, dict[str, str]]] = {
    "campaign_report": {"kind": {"stop": "phase"}},
    "jobs_job": {
        "kind": {
            "campaign.reckon": "campaign.simulate",
            "umpire.stop_resolve": "umpire.phase_resolve",
        }
    },
}

# Keys in stored documents of every kind: pattern: new key. What the engine writes appears in many
# kinds of documents (log lines, pieces, ships, designs), so its keys are best listed here.
ANYWHERE: dict[str, str] = {}

# Keys in stored documents of one kind, which come before those of ANYWHERE. The kinds are those of
# `tools.prerelease.documents.DOCUMENTS`.
KEYS: dict[str, dict[str, str]] = {
    "battle-result": {".seen": "contacts_seen"},
    "report-battle": {".stops": "phases"},
    "report-stop": {".asked": "needs_orders", ".known": "battle_document"},
    "report-table-check": {"differences.said": "claims"},
    "stop-inputs": {".stop": "phase"},
    "timetable": {".stop_minutes": "phase_minutes"},
    "view": {
        "body.asked": "open_decisions",
        "cargo.left": "remaining",
        "losses.how": "cause",
        "markers.was": "previous_hex",
        "marks.was": "previous_hex",
    },
    "world": {
        "cargo.left": "remaining",
        "losses.how": "cause",
        "marks.was": "previous_hex",
    },
}

# Values in stored documents of one kind: pattern: old value: new value. The pattern has the old
# key. The kind "anywhere" concerns all documents.
DOCUMENT_VALUES: dict[str, dict[str, dict[str, str]]] = {}

# Facts of week events: code of the event: old name: new name. The code "*" concerns all events.
WEEK_EVENT_FACTS: dict[str, dict[str, str]] = {
    "cargo-lost": {"left": "remaining"},
    "decided": {"came-to": "outcome"},
    "ground-hit": {"how": "cause", "left": "remaining"},
    "prize": {"how": "cause"},
    "recovered": {"how": "cause"},
    "ship-lost": {"how": "cause"},
    "taken-at-dock": {"how": "cause"},
}
