"""A database made at once and one that went through every migration: the same tables, the same backups."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from config.backup import backup_restore, backup_write

AT_ONCE = ("campaign", "0001_squashed_0029")


def tables(loader: MigrationLoader, last: tuple[str, str]) -> dict[str, Any]:
    """Of each model its fields, and its constraints, indexes and other options, as a migration leaves them."""
    state = loader.project_state([last], at_end=True)
    return {
        name: (
            {field: fields.deconstruct()[1:] for field, fields in model.fields.items()},
            {
                key: sorted(value, key=repr)
                for key, value in model.options.items()
                if isinstance(value, (list, tuple))
            },
        )
        for (app, name), model in state.models.items()
        if app == "campaign"
    }


def test_the_migration_from_nothing_makes_what_those_that_it_stands_for_make() -> None:
    at_once, step_by_step = MigrationLoader(None), MigrationLoader(None, replace_migrations=False)
    replaced = step_by_step.disk_migrations[AT_ONCE].replaces
    assert not {*replaced} & {*at_once.graph.nodes}
    schema = tables(at_once, AT_ONCE)
    assert len(schema) > 40
    assert schema == tables(step_by_step, replaced[-1])


@pytest.mark.django_db(transaction=True)
def test_a_backup_of_a_database_that_took_every_step_fits_one_that_was_made_at_once(
    tmp_path: Path,
) -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_unapplied(*AT_ONCE)
    backup_write(path=tmp_path / "backup")
    recorder.record_applied(*AT_ONCE)
    backup_restore(path=tmp_path / "backup")
