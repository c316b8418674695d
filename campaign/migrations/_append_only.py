"""Triggers that keep written truth unchanged, on SQLite and on PostgreSQL.

Both refuse to change or to delete a protected row, and PostgreSQL refuses to empty its table. Only
`manage.py flush` and the repair of damaged wars may do so (`campaign.store.rewriting`). On SQLite
the triggers ask `rewritable()`, a function of Django's connection, so that the statements of any
other program fail. On PostgreSQL they ask a setting of the connection.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

# Table: the columns that never change; none listed: the whole row.
PROTECTED: dict[str, tuple[str, ...]] = {
    "campaign_scenario": (),
    "campaign_snapshot": (),
    "campaign_view": (),
    "campaign_report": (),
    "campaign_ledgerrow": (),
    "campaign_battlephase": (),
    "campaign_ruling": ("branch_id", "before_id", "after_id", "schema", "patch", "audience"),
    "campaign_shipclass": (),
    "campaign_tableentry": (),
    "campaign_lineage": (),
    "campaign_message": (
        "public_id",
        "campaign_id",
        "sender_id",
        "receiver_id",
        "text",
        "week",
        "stage",
        "ordinal",
        "written_at",
    ),
    "campaign_submission": (
        "stage_id",
        "faction_id",
        "revision",
        "payload",
        "nonce",
        "share",
        "digest",
        "source",
        "sealed_at",
    ),
    "campaign_act": ("campaign_id", "stage_id", "verb", "body", "sha256", "at"),
    "campaign_umpireaccess": ("campaign_id", "name", "page", "subject", "at"),
    "campaign_campaign": (
        "public_id",
        "scenario_id",
        "seed",
        "seed_sha256",
        "dice_key",
        "id_secret",
    ),
}
# Table: the columns that do not change once a condition is met. Such a trigger fires only if the
# value differs, because a model that is saved as a whole writes all columns.
ALWAYS = "OLD.id IS NOT NULL"
FIXED: dict[str, dict[str, str]] = {
    "campaign_battle": {
        **dict.fromkeys(("branch_id", "week", "key", "rules_version", "schema"), ALWAYS),
        # A battle that cannot be computed may be made smaller before it begins.
        **dict.fromkeys(("start", "state", "result"), "OLD.status <> 'waiting'"),
    },
    "campaign_branch": dict.fromkeys(("campaign_id", "number", "parent_id"), ALWAYS),
    "campaign_stage": {
        **dict.fromkeys(("branch_id", "week", "kind", "battle_id", "ordinal"), ALWAYS),
        "from_snapshot_id": ALWAYS,
        "beacon_signature": "OLD.beacon_signature IS NOT NULL",
        "to_snapshot_id": "OLD.to_snapshot_id IS NOT NULL",
    },
    "campaign_campaign": {"ruleset": "OLD.started_at IS NOT NULL"},
}
DELETABLE = ("campaign_scenario", "campaign_shipclass", "campaign_campaign")

POSTGRES_FUNCTION = """
CREATE OR REPLACE FUNCTION campaign_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
IF current_setting('blindjump.rewritable', true) = 'on' THEN
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    IF TG_OP = 'UPDATE' THEN RETURN NEW; END IF;
    RETURN NULL;
END IF;
RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$
"""
TRIGGERS = ("no_update", "no_change", "no_delete", "no_truncate")


def protect(apps: Any, schema_editor: Any) -> None:
    """Create the triggers.

    A later migration that alters a protected table calls this again: SQLite drops the triggers of a
    table that it rebuilds.
    """
    unprotect(apps, schema_editor)
    vendor = schema_editor.connection.vendor
    if vendor == "postgresql":
        schema_editor.execute(POSTGRES_FUNCTION, params=None)  # it contains a percent sign
    if vendor not in ("postgresql", "sqlite"):
        raise NotImplementedError(f"there are no append-only triggers for {vendor}")
    for table in _protected_tables(schema_editor):
        existing = _columns_of(schema_editor, table)
        for name, event, condition in _triggers_of(table, vendor, existing):
            when = f" WHEN ({condition})" if condition else ""
            body = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            each = ""
            if vendor == "postgresql":
                body = "EXECUTE FUNCTION campaign_append_only()"
                each = " FOR EACH STATEMENT" if event == "TRUNCATE" else " FOR EACH ROW"
            schema_editor.execute(
                f"CREATE TRIGGER {table}_{name} BEFORE {event} ON {table}{each}{when} {body}"
            )


def _triggers_of(table: str, vendor: str, existing: Set[str]) -> list[tuple[str, str, str]]:
    """Return name, event and condition of a table's triggers.

    Args:
        existing: The columns of the table. Some of those above come with a later migration.
    """
    triggers = []
    refused = "" if vendor == "postgresql" else "NOT rewritable()"
    columns = PROTECTED.get(table)
    if columns is not None:
        columns = tuple(name for name in columns if name in existing)
        of = f" OF {', '.join(columns)}" if columns else ""
        triggers.append(("no_update", f"UPDATE{of}", refused))
    if table in FIXED:
        differs = "IS DISTINCT FROM" if vendor == "postgresql" else "IS NOT"
        cases = []
        fixed = {name: rule for name, rule in FIXED[table].items() if name in existing}
        for name, condition in fixed.items():
            cases.append(f"({condition} AND OLD.{name} {differs} NEW.{name})")
        event = f"UPDATE OF {', '.join(fixed)}"
        differing = " OR ".join(cases)
        if refused:
            differing = f"({differing}) AND {refused}"
        triggers.append(("no_change", event, differing))
    if table in DELETABLE:
        return triggers
    if vendor == "postgresql":
        triggers += [("no_delete", "DELETE", ""), ("no_truncate", "TRUNCATE", "")]
    else:
        triggers.append(("no_delete", "DELETE", refused))
    return triggers


def unprotect(apps: Any, schema_editor: Any) -> None:
    """Drop the triggers."""
    is_postgres = schema_editor.connection.vendor == "postgresql"
    for table in _protected_tables(schema_editor):
        on = f" ON {table}" if is_postgres else ""
        for trigger in TRIGGERS:
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {table}_{trigger}{on}")
    if is_postgres:
        schema_editor.execute("DROP FUNCTION IF EXISTS campaign_append_only()")


def _columns_of(schema_editor: Any, table: str) -> set[str]:
    """Return the columns that a table has at this point of the migrations.

    On SQLite Django's introspection would parse the whole text of the table.
    """
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} LIMIT 0")
        return {column[0] for column in cursor.description}


def _protected_tables(schema_editor: Any) -> list[str]:
    """Return the protected tables that exist at this point of the migrations."""
    with schema_editor.connection.cursor() as cursor:
        tables = set(schema_editor.connection.introspection.table_names(cursor))
    return sorted(tables.intersection({*PROTECTED, *FIXED}))
