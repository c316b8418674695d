"""Which columns hold stored documents, and of which kind."""

from __future__ import annotations

# Old table: old column: kind of document. The kinds of reports are those of their column `kind`,
# after "report-"; the kinds of orders follow from what the document contains.
REPORT, ORDERS = "report-", "orders"
DOCUMENTS: dict[str, dict[str, str]] = {
    "campaign_snapshot": {"world": "world", "happenings": "week-events"},
    "campaign_view": {"body": "view"},
    "campaign_scenario": {"body": "scenario"},
    "campaign_report": {"body": REPORT},
    "campaign_battle": {"start": "battle-file", "state": "battle", "result": "battle-result"},
    "campaign_battlestop": {
        "inputs": "stop-inputs",
        "events": "stop-events",
        "views": "stop-views",
    },
    "campaign_draft": {"payload": ORDERS},
    "campaign_submission": {"payload": ORDERS},
    "campaign_plan": {"payload": ORDERS},
    "campaign_tableentry": {"body": "table-entry", "told": "table-entry-told"},
    "campaign_shipclass": {"design": "design"},
    "campaign_shelfdesign": {"design": "design"},
    "campaign_reckoning": {"question": "simulation-question", "samples": "simulation-samples"},
    "campaign_ruling": {"patch": "ruling-patch"},
    "campaign_act": {"body": "act"},
    "campaign_campaign": {"ruleset": "ruleset", "timetable": "timetable"},
    "campaign_ledgerrow": {"body": "ledger-row"},
    "campaign_ship": {"stock": "ship-stock", "settings": "ship-settings"},
    "campaign_preference": {"guided": "preference-guided"},
    "campaign_notification": {"done": "notification-done", "failed": "notification-failed"},
    "jobs_job": {"args": "job-args", "result": "job-result"},
}
