"""Moves the database of a site from the last commit before release 1.0.0 to that release.

All rows are set aside, the tables are made anew by the migrations of release 1.0, the rows are put
back with today's names and documents, and the later migrations are applied. Everything happens in one transaction.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from campaign.migrations._append_only import protect, unprotect
from campaign.models.ledger import RULES, Act
from config.backup import counters_set
from engine.core.errors import RuleViolations
from jobs.pulse import SILENT_AFTER
from tools.prerelease import FIRST_RULES
from tools.prerelease.checks import check_site
from tools.prerelease.hashes import compute_hashes, record_move
from tools.prerelease.rename_keys import NameCollision
from tools.prerelease.tables import (
    CannotMove,
    drop_kept_tables,
    from_json,
    new_name,
    old_rows,
    put_back_rows,
    set_aside_tables,
)
from tools.prerelease.upgrade_steps import UnknownVersion

BASE_COMMIT = "c0cb28b41ba2378c367d9935053f105ea6085fe6"  # the last one before the release
LAST_MIGRATIONS = {("campaign", "0035_seats_and_readiness"), ("jobs", "0003_lanes_and_accounts")}
FIRST_OF_THE_RELEASE = ("campaign", "0001_release_1")
COPIED_AT = "0005_captain_finishes"  # the migration of the campaign at whose tables rows are copied


@dataclass(frozen=True, slots=True)
class Moved:
    """What the move did: rows written, and wars with a ledger."""

    rows: int
    wars: int


class AlreadyMoved(Exception):
    """The database is that of release 1.0.0 or later."""


def move_site(*, dry_run: bool = False) -> Moved:
    """Move the site of DATABASE_URL.

    Args:
        dry_run: Do everything, then undo it.

    Raises:
        AlreadyMoved: There is nothing to do.
        CannotMove: The database cannot be moved; nothing was changed.
    """
    with _site_stopped(), _foreign_keys_off():
        try:
            with transaction.atomic():
                _check_state()
                moved = _move()
                if dry_run:
                    transaction.set_rollback(True)
        except DatabaseError as error:
            raise CannotMove(f"the database refuses: {str(error).partition(chr(10))[0]}") from error
        except (UnknownVersion, NameCollision, RuleViolations) as error:
            raise CannotMove(f"a document cannot be converted: {error}") from error
    ContentType.objects.clear_cache()
    return moved


def _move() -> Moved:
    tables = connection.introspection.table_names()
    last_ids = set_aside_tables()
    rules = _rules_before()
    _migrate_to(COPIED_AT)
    with connection.schema_editor() as editor:
        unprotect(None, editor)
    rows = put_back_rows(tables)
    _migrate_on()
    with connection.schema_editor() as editor:
        unprotect(None, editor)
    counters_set({new_name(table): last for table, last in last_ids.items()})
    _correct_acts()
    heads = compute_hashes()
    record_move(heads, rules, timezone.now())
    connection.check_constraints()
    with connection.schema_editor() as editor:
        protect(None, editor)
    drop_kept_tables(tables)
    check_site()
    return Moved(rows, len(heads))


def _migrate_to(state: str) -> None:
    """Create the tables of all apps; those of the campaign as of a migration.

    Later migrations fill their columns from the rows that are copied into these tables.
    """
    executor = MigrationExecutor(connection)
    # A squashed migration would create the tables of this release at once.
    executor.loader.replace_migrations = False  # type: ignore[attr-defined]
    executor.loader.build_graph()
    labels = {label for label, _ in executor.loader.graph.nodes} - {"campaign"}
    leaves = [leaf for label in sorted(labels) for leaf in executor.loader.graph.leaf_nodes(label)]
    _run(executor, [("campaign", state), *leaves])


def _migrate_on() -> None:
    """Carry out all later migrations, one by one: some change rows, others alter their tables."""
    executor = MigrationExecutor(connection)
    _run(executor, executor.loader.graph.leaf_nodes())
    # It creates the content types and permissions of the new models.
    call_command("migrate", verbosity=0, interactive=False)


def _run(executor: MigrationExecutor, targets: list[tuple[str, str]]) -> None:
    """Run migrations one by one."""
    state = None
    for step in executor.migration_plan(targets):
        _check_references_now()
        state = executor.migrate([], plan=[step], state=state)
    _check_references_now()


def _check_references_now() -> None:
    """Check references that PostgreSQL would check at the end: until then it alters no such table."""
    if connection.vendor == "postgresql":
        connection.check_constraints()


def _check_state() -> None:
    """Check that the database is that of the base commit, and that nobody uses it.

    Raises:
        AlreadyMoved, CannotMove.
    """
    tables = connection.introspection.table_names()
    if "django_migrations" not in tables:
        raise CannotMove("there is no site in this database")
    with connection.cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations WHERE app IN ('campaign', 'jobs')")
        applied = set(cursor.fetchall())
        if FIRST_OF_THE_RELEASE in applied:
            raise AlreadyMoved
        if not applied >= LAST_MIGRATIONS:
            raise CannotMove(
                "the database is older than the last commit before release 1.0.0. Check out"
                f" {BASE_COMMIT}, run bin/setup play and .venv/bin/python manage.py migrate there,"
                " then come back to this release"
            )
        cursor.execute(
            "SELECT COUNT(*) FROM jobs_workerpulse WHERE seen_at > %s", [_silent_since()]
        )
        if cursor.fetchone()[0]:
            raise CannotMove("a worker of the site is running, or was half a minute ago: stop it")
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )
            if cursor.fetchone()[0]:
                raise CannotMove("other programs use the database: stop the whole site")


def _silent_since() -> Any:
    field = connection.ops.adapt_datetimefield_value
    return field(timezone.now() - SILENT_AFTER)


def _rules_before() -> dict[int, str]:
    """Return the version of the rules that each war used, by campaign."""
    campaigns = old_rows("campaign_campaign", ("id", "ruleset"))
    rules = {row["id"]: from_json(row["ruleset"])["rules_version"] for row in campaigns}
    for act in old_rows("campaign_act", ("id", "campaign_id", "verb", "body")):
        if act["verb"] == RULES:
            rules[act["campaign_id"]] = from_json(act["body"])["facts"]["to"]
    return rules


def _correct_acts() -> None:
    """Name today's version of the rules in earlier changes of rules; their reason keeps the old."""
    for act in Act.objects.filter(verb=RULES):
        facts = act.body["facts"]
        reason = f"{act.body['reason']} (To {facts['to']} then.)".strip()
        body = {**act.body, "reason": reason, "facts": {**facts, "to": FIRST_RULES}}
        Act.objects.filter(pk=act.pk).update(body=body)


@contextmanager
def _site_stopped() -> Iterator[None]:
    """Hold the lock of bin/serve while the block runs.

    Raises:
        CannotMove: bin/serve is running.
    """
    path = Path(settings.VAR_DIR) / "serve.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as guard:
        try:
            fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CannotMove("the site is running: stop bin/serve first") from None
        yield


@contextmanager
def _foreign_keys_off() -> Iterator[None]:
    """Let SQLite drop tables that others refer to; the references are checked at the end."""
    connection.ensure_connection()
    connection.disable_constraint_checking()
    try:
        yield
    finally:
        connection.enable_constraint_checking()
