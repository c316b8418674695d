"""The stored names that changed with release 1.0.0: tables, columns, values, and keys in documents.

Tables and columns are listed under the names they had at the last commit before the release
(`BASE_COMMIT` in `tools.prerelease.move`). `tools.prerelease.rename_keys` explains the patterns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Patterns = Mapping[str, str]

# Facts about ships.
FACTS: dict[str, str] = {
    "away": "marines-away",
    "burst": "flak-guns",
    "circled": "orbit-moved",
    "defended": "point-defence-weapons",
    "drawn": "used-rounds",
    "emergencies": "emergency-thrusts",
    "fired": "last-fired",
    "for-good": "irreparable",
    "landed": "landed-boarders",
    "read": "scan-levels",
    "reading": "scanning-suites",
    "recovered": "recovered-craft",
    "seen-armour": "scanned-armour",
    "seen-damage": "scanned-damage",
    "seen-lost": "scanned-losses",
    "shaped": "shaped-bolts",
    "shown": "revealed-bays",
    "swing": "gravity-turn",
    "turned": "last-turned",
    "unread": "decloaked-turn",
    "veiled": "concealed",
}

# Kinds of events in the logs of battles.
EVENTS: dict[str, str] = {
    "adrift": "derelict",
    "attracted": "course-bent-by-gravity",
    "battered": "debris-hit",
    "blew-up": "broke-up",
    "boats-met-craft": "boats-fired-at-craft",
    "boats-met-ordnance": "boats-fired-at-ordnance",
    "burned": "explosion-damage",
    "burnt": "flare-damage",
    "craft-met": "point-defence-at-craft",
    "dummy-found": "dummy-identified",
    "dusted": "cloud-damage",
    "flown": "group-moved",
    "flown-on": "secondary-move",
    "gate-waited": "waited-for-gate",
    "gates-gone": "gates-removed",
    "gave-up": "return-given-up",
    "level-thrown": "defence-level-rolled",
    "marker-met": "craft-fired-at-ordnance",
    "mine-burnt": "mine-blasted",
    "morale-thrown": "craft-morale-checked",
    "ordnance-gone": "ordnance-removed",
    "ordnance-met": "point-defence-at-ordnance",
    "pilots-shown": "pilots-revealed",
    "revealed": "contact-identified",
    "round-drawn": "round-used",
    "run-met": "defence-level-at-craft",
    "screen-thrown": "screening-craft-fired",
    "sheet-read": "sheet-scanned",
    "sought-in-dust": "cloud-searched",
    "spent": "weapon-used",
    "went-along": "rider-went-along",
    "won-back": "recaptured",
}

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
ADDED_COLUMNS: dict[str, dict[str, Any]] = {
    "campaign_draft": {"is_left_to_captain": False},
    "campaign_notification": {"signed_head": ""},
}

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
ANYWHERE: dict[str, str] = {
    # Battles, as stored and as one side knows them.
    ".flown": "flight_count",
    "known.flown": "flight_count",
    ".laid": "mine_count",
    "known.laid": "mine_count",
    ".launched": "launch_count",
    "known.launched": "launch_count",
    "contacts.told": "scan_detail",
    "outcome.why": "reason",
    "victory.why": "reason",
    # Designs.
    "whole": "total_mass",
    # Results of battles at a table.
    "ships.*.how": "cause",
    # Lines of logs.
    "event:ace-duel.won": "succeeded",
    "event:adrift.why": "cause",
    "event:arrived.meant": "intended",
    "event:attack-declared.meets": "engaged_markers",
    "event:battle-over.why": "reason",
    "event:boats-fired.how": "armament",
    "event:boats-met-craft.prey": "target",
    "event:cloaked.how": "cloak",
    "event:craft-launched.how": "armament",
    "event:craft-lost.left": "remaining",
    "event:craft-reflected.taken": "damage_taken",
    "event:decloaked.why": "cause",
    "event:docking-missed.why": "reason",
    "event:dogfight-action.done": "succeeded",
    "event:drifted.gone": "removed",
    "event:entered.how": "cause",
    "event:fighters-fired.how": "armament",
    "event:flight-refused.why": "reason",
    "event:fought-aboard.fought": "sides",
    "event:gate-passed.spent": "used_mass",
    "event:gates-gone.gone": "removed",
    "event:half-fuelled.spent": "used_endurance",
    "event:knocked-off-course.thrown": "rolls",
    "event:order-refused.why": "reason",
    "event:ordnance-burst.left": "remaining",
    "event:ordnance-gone.why": "reason",
    "event:reflected.taken": "damage_taken",
    "event:repair.done": "succeeded",
    "event:round-drawn.left": "remaining",
    "event:scan-failed.why": "reason",
    "event:sections-shifted.gone": "removed",
    "event:sheet-read.told": "detail",
    "event:shot-refused.why": "reason",
    "event:spent.left": "remaining",
    "event:squadron-hurt.taken": "damage_taken",
    "event:table-moved.gone": "removed",
    "event:taken-over.why": "cause",
    "event:uncovered.why": "cause",
    "event:withdrawn.lost": "lost_mass",
    "event:withdrawn.whole": "total_mass",
    # Pieces in battle documents, and in the lists of views.
    "flak.met": "engaged_craft",
    "flak.stopped": "engaged_ordnance",
    "flyers.boosted": "has_moved_again",
    "flyers.fired": "has_fired",
    "flyers.hurt": "craft_damage",
    "flyers.launched": "launched_turn",
    "flyers.meets": "engaged_markers",
    "flyers.moved": "has_moved",
    "flyers.paid": "paid_endurance",
    "flyers.spent": "used_endurance",
    "flyers.struck": "last_target",
    "gates.held": "controller",
    "gates.spent": "used_mass",
    "groups.boosted": "has_moved_again",
    "groups.fired": "has_fired",
    "groups.hurt": "craft_damage",
    "groups.launched": "launched_turn",
    "groups.meets": "engaged_markers",
    "groups.moved": "has_moved",
    "groups.paid": "paid_endurance",
    "groups.spent": "used_endurance",
    "groups.struck": "last_target",
    "kind:flak.met": "engaged_craft",
    "kind:flak.stopped": "engaged_ordnance",
    "kind:gate.held": "controller",
    "kind:gate.spent": "used_mass",
    "kind:group.boosted": "has_moved_again",
    "kind:group.fired": "has_fired",
    "kind:group.hurt": "craft_damage",
    "kind:group.launched": "launched_turn",
    "kind:group.meets": "engaged_markers",
    "kind:group.moved": "has_moved",
    "kind:group.paid": "paid_endurance",
    "kind:group.spent": "used_endurance",
    "kind:group.struck": "last_target",
    "kind:marker.full": "full_strength",
    "kind:marker.killed": "destroyed",
    "kind:marker.launched": "launched_turn",
    "kind:marker.prey": "target_boats",
    "kind:mine.known": "known_to",
    "kind:mine.laid": "laid_turn",
    "kind:site.away": "is_behind",
    "mines.known": "known_to",
    "mines.laid": "laid_turn",
    "ordnance.full": "full_strength",
    "ordnance.killed": "destroyed",
    "ordnance.launched": "launched_turn",
    "ordnance.prey": "target_boats",
    "sites.away": "is_behind",
    # Facts about ships in documents of battles.
    **{f"notes.{name}": new_name for name, new_name in FACTS.items()},
}

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
DOCUMENT_VALUES: dict[str, dict[str, dict[str, str]]] = {
    "anywhere": {
        "event": EVENTS,
        "event:noted.note": FACTS,
        "event:marked.note": FACTS,
        "ships.notes": FACTS,
    },
}

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
