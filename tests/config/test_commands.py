"""Commands of `manage.py` for an operator who follows docs/operating/running-a-server.md."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import DjangoDbBlocker

from campaign.rules.files import fixture_scenario, fixture_scenarios
from campaign.services.scenarios import scenario_import
from tests.commands_here import manage_here
from tests.config.test_backup import ROOT

COMMAND = ".venv/bin/python manage.py "


def steps() -> list[str]:
    """Return the commands for several workers in docs/operating/running-a-server.md, in order."""
    text = (ROOT / "docs" / "operating" / "running-a-server.md").read_text(encoding="utf-8")
    part = text.split("## PostgreSQL, Redis, several workers")[1].split("\n## ")[0]
    lines = [line.strip() for line in part.splitlines() if line.startswith(f"    {COMMAND}")]
    return [line.removeprefix(COMMAND).partition(" ")[0] for line in lines]


def test_documented_commands_load_scenarios() -> None:
    assert steps()[:2] == ["migrate", "load_scenarios"]
    assert "first_link" in steps()


@pytest.mark.parametrize(
    ("url", "step"),
    [
        ("sqlite:///{}/new.sqlite3", "run `manage.py migrate` first"),
        ("postgresql://war@127.0.0.1:1/war", "check DATABASE_URL"),
    ],
)
def test_command_names_the_missing_step(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker, url: str, step: str
) -> None:
    url = url.format(tmp_path)
    process = manage_here("first_link", url=url, var=tmp_path, blocker=django_db_blocker)
    assert process.returncode == 1
    assert step in process.stderr
    assert "Traceback" not in process.stderr


def test_documented_server_has_scenarios(
    tmp_path: Path, migrated_url: str, django_db_blocker: DjangoDbBlocker
) -> None:
    process = manage_here(
        "load_scenarios", url=migrated_url, var=tmp_path, blocker=django_db_blocker
    )
    assert process.returncode == 0, process.stderr
    with closing(sqlite3.connect(migrated_url.removeprefix("sqlite:///"))) as connection:
        rows = connection.execute("SELECT slug FROM campaign_scenario").fetchall()
    assert {slug for (slug,) in rows} == set(fixture_scenarios())


@pytest.mark.django_db
def test_first_link_mentions_missing_scenarios() -> None:
    early, late = StringIO(), StringIO()
    call_command("first_link", stdout=StringIO(), stderr=early)
    scenario_import(scenario=fixture_scenario("first-steps"))
    call_command("first_link", stdout=StringIO(), stderr=late)
    assert "run `manage.py load_scenarios`" in early.getvalue()
    assert late.getvalue() == ""


@pytest.mark.django_db
def test_reloading_changes_nothing_and_a_changed_scenario_is_a_new_version() -> None:
    older = scenario_import(
        scenario=replace(fixture_scenario("lafayette"), name="As an older release had it")
    )
    output = StringIO()
    call_command("load_scenarios", stdout=output)
    assert f"lafayette (version {older.version + 1}): stored" in output.getvalue()
    assert "first-steps (version 1): stored" in output.getvalue()
    again = StringIO()
    call_command("load_scenarios", stdout=again)
    assert "stored" not in again.getvalue()
