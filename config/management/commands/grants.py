"""`manage.py grants ROLE`: what a PostgreSQL role needs in order to run the site."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from campaign.migrations._append_only import DELETABLE, FIXED, PROTECTED

ROLE = re.compile(r"[a-z_][a-z0-9_]{0,62}")
MIGRATIONS = "django_migrations"  # the site reads whether the database is up to date


class Command(BaseCommand):
    """Prints SQL; the owner of the tables, who also migrates, executes it."""

    help = "Print the statements that let a PostgreSQL role run the site, but not change history."
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the role."""
        parser.add_argument("role", help="the role that the site logs in with")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the statements.

        Raises:
            CommandError: The role has no valid name, or the database is not PostgreSQL.
        """
        role: str = options["role"]
        if not ROLE.fullmatch(role):
            raise CommandError("a role has small letters, digits and underscores", returncode=2)
        if connection.vendor != "postgresql":
            raise CommandError("the site's database is not PostgreSQL")
        for statement in grants(role):
            self.stdout.write(f"{statement};")


def grants(role: str) -> Iterator[str]:
    """Yield the statements for a role. The first one revokes what it may hold already."""
    columns_of = _columns_by_table()
    yield f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}"
    yield f"GRANT USAGE ON SCHEMA public TO {role}"
    yield f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}"
    for table, columns in sorted(columns_of.items()):
        rights = ", ".join(_rights(table, columns))
        yield f"GRANT {rights} ON {table} TO {role}"


def _columns_by_table() -> dict[str, list[str]]:
    """Return the names of all columns, by table."""
    columns = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            description = connection.introspection.get_table_description(cursor, table)
            columns[table] = [column.name for column in description]
    return columns


def _rights(table: str, columns: list[str]) -> Iterator[str]:
    """Yield what the site may do with a table."""
    yield "SELECT"
    if table == MIGRATIONS:
        return
    yield "INSERT"
    protected = PROTECTED.get(table)
    if protected is None:
        yield "UPDATE"
    elif protected:
        free = [name for name in columns if name not in (*protected, "id")]
        yield f"UPDATE ({', '.join(free)})"
    if table in DELETABLE or table not in {*PROTECTED, *FIXED}:
        yield "DELETE"
