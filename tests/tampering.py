"""Change history that the database protects, as somebody could who has access to it."""

from __future__ import annotations

from django.db import connection


def disarm(table: str) -> None:
    """Remove the guards of a table until the test's transaction ends."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            return
        for name in ("no_update", "no_change", "no_delete"):
            cursor.execute(f"DROP TRIGGER IF EXISTS {table}_{name}")


def tamper(table: str, change: str, where: str) -> None:
    """Change one row without the guards noticing."""
    disarm(table)
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET {change} WHERE {where}")
        assert cursor.rowcount == 1
