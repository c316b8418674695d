"""The version is defined in pyproject.toml; commands, pages and answers show it from there."""

from __future__ import annotations

import subprocess
import sys

import blindjump
import pytest
from django.test import Client

from config.release import release_of
from engine.cli.release import ROOT, version_of


@pytest.mark.parametrize(
    "command",
    [("bin/serve",), ("bin/play",), (sys.executable, "-m", "engine")],
    ids=["serve", "play", "engine"],
)
def test_commands_print_the_version(command: tuple[str, ...]) -> None:
    output = subprocess.run(
        [*command, "--version"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    assert output == f"Blind Jump {version_of()}\n"


def test_client_has_the_version_of_the_site() -> None:
    assert blindjump.__version__ == version_of()


def test_backup_release_contains_the_version() -> None:
    assert release_of().partition("+")[0] == version_of()


@pytest.mark.django_db
def test_pages_and_health_show_the_version() -> None:
    client = Client()
    assert f"Version {version_of()}" in client.get("/gallery/").content.decode()
    assert client.get("/health/web/").json()["version"] == version_of()


@pytest.mark.django_db
def test_openapi_document_has_the_version() -> None:
    answer = Client().get("/api/schema/?format=json")
    assert answer.json()["info"]["version"].startswith(version_of())
