"""Which columns hold stored documents, and of which kind."""

from __future__ import annotations

# Old table: old column: kind of document. The kinds of reports are those of their column `kind`,
# after "report-"; the kind of orders depends on their stage (`kind_of_orders`).
REPORT = "report-"
ORDERS = "orders"
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
    "campaign_tableentry": {"body": "table-entry", "told": "table-entry-told"},
    "campaign_shipclass": {"design": "design"},
    "campaign_shelfdesign": {"design": "design"},
    "campaign_ruling": {"patch": "ruling-patch"},
    "campaign_act": {"body": "act"},
    "campaign_campaign": {"ruleset": "ruleset", "timetable": "timetable"},
    "campaign_ledgerrow": {"body": "ledger-row"},
    "campaign_ship": {"stock": "ship-stock", "settings": "ship-settings"},
    "campaign_balancepart": {"counts": "balance-counts"},
    "jobs_job": {"args": "job-args", "result": "job-result"},
}

# Tables whose rows are not moved: they are kept for hours or days and are written again, or belong
# to parts of Django that the site does not use (permissions, the API's old tokens).
NOT_MOVED = frozenset(
    {
        "auth_group_permissions",
        "auth_permission",
        "auth_user_user_permissions",
        "authtoken_token",
        "axes_accessattempt",
        "axes_accessattemptexpiration",
        "axes_accessfailurelog",
        "axes_accesslog",
        "campaign_battleslice",
        "campaign_idempotentcall",
        "campaign_printedpaper",
        "campaign_reckoning",
        "django_content_type",
        "django_migrations",
        "jobs_workerpulse",
    }
)


def kind_of_orders(stage_kind: str, battle: object) -> str:
    """Return the kind of the orders of a stage; `battle` is None for a stage of a week."""
    if battle is None:
        return "orders"
    return "table-result" if stage_kind == "table" else "stop-orders"
