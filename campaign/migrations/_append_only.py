"""Triggers that keep written truth unchanged, on SQLite and on PostgreSQL.

Both refuse to change a protected row. Only PostgreSQL refuses to delete one: on SQLite,
`manage.py flush` empties a database row by row.
"""

from __future__ import annotations

from typing import Any

# Table: the columns that never change; none listed: the whole row.
PROTECTED: dict[str, tuple[str, ...]] = {
    "campaign_scenario": (),
    "campaign_snapshot": (),
    "campaign_view": (),
    "campaign_report": (),
    "campaign_ledgerrow": (),
    "campaign_battlephase": (),
    "campaign_ruling": (),
    "campaign_shipclass": (),
    "campaign_tableentry": (),
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
        "digest",
        "source",
        "sealed_at",
    ),
    "campaign_act": ("campaign_id", "stage_id", "verb", "body", "sha256", "at"),
    "campaign_campaign": (
        "public_id",
        "scenario_id",
        "seed",
        "seed_sha256",
        "dice_key",
        "id_secret",
    ),
}
DELETABLE = ("campaign_scenario", "campaign_shipclass", "campaign_campaign")

POSTGRES_FUNCTION = """
CREATE OR REPLACE FUNCTION campaign_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE =
'integrity_constraint_violation'; END $$
"""


def protect(apps: Any, schema_editor: Any) -> None:
    """Create the triggers.

    A later migration that alters a protected table calls this again: SQLite drops the triggers of a
    table that it rebuilds.
    """
    unprotect(apps, schema_editor)
    vendor = schema_editor.connection.vendor
    if vendor == "postgresql":
        schema_editor.execute(POSTGRES_FUNCTION, params=None)  # it contains a percent sign
    for table, columns in _protected_tables(schema_editor):
        of = f" OF {', '.join(columns)}" if columns else ""
        if vendor == "postgresql":
            body = "FOR EACH ROW EXECUTE FUNCTION campaign_append_only()"
            schema_editor.execute(f"CREATE TRIGGER {table}_no_update BEFORE UPDATE{of} ON {table} {body}")
            if table not in DELETABLE:
                schema_editor.execute(f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {body}")
        elif vendor == "sqlite":
            body = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            schema_editor.execute(f"CREATE TRIGGER {table}_no_update BEFORE UPDATE{of} ON {table} {body}")
        else:
            raise NotImplementedError(f"there are no append-only triggers for {vendor}")


def unprotect(apps: Any, schema_editor: Any) -> None:
    """Drop the triggers."""
    is_postgres = schema_editor.connection.vendor == "postgresql"
    for table, _columns in _protected_tables(schema_editor):
        on = f" ON {table}" if is_postgres else ""
        for trigger in ("no_update", "no_delete"):
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {table}_{trigger}{on}")
    if is_postgres:
        schema_editor.execute("DROP FUNCTION IF EXISTS campaign_append_only()")


def _protected_tables(schema_editor: Any) -> list[tuple[str, tuple[str, ...]]]:
    """Return the protected tables that exist at this point of the migrations."""
    with schema_editor.connection.cursor() as cursor:
        tables = set(schema_editor.connection.introspection.table_names(cursor))
    return [(table, columns) for table, columns in PROTECTED.items() if table in tables]
