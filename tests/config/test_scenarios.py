"""The included scenarios are loaded at a start only if they may have changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from campaign.models import Scenario
from campaign.rules.files import fixture_scenarios
from config import scenarios

pytestmark = pytest.mark.django_db


@pytest.fixture
def stamp(tmp_path: Path) -> Path:
    """Return the file that records that all of them have been loaded."""
    path = tmp_path / "scenarios.json"
    assert scenarios.load(path)
    return path


def stored_scenarios() -> set[str]:
    return set(Scenario.objects.values_list("slug", flat=True))


def test_loaded_scenarios_are_not_read_again(stamp: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert stored_scenarios() == set(fixture_scenarios())
    monkeypatch.setattr(scenarios, "scenarios_load", lambda: pytest.fail("read again"))
    assert not scenarios.load(stamp)


def test_changed_file_or_program_is_loaded_again(
    stamp: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = scenarios.fingerprint()
    for folder in ("fixtures", "engine"):
        (tmp_path / folder).mkdir()
    (tmp_path / "fixtures" / "one.yaml").write_text("a: 1")
    (tmp_path / "engine" / "one.py").write_text("A = 1")
    monkeypatch.setattr(scenarios, "ROOT", tmp_path)
    monkeypatch.setattr(scenarios, "FIXTURES", tmp_path / "fixtures")
    prints = [before, scenarios.fingerprint()]
    (tmp_path / "fixtures" / "one.yaml").write_text("a: 2")
    prints.append(scenarios.fingerprint())
    (tmp_path / "engine" / "one.py").write_text("A = 2")
    prints.append(scenarios.fingerprint())
    assert len(set(prints)) == 4
    assert scenarios.load(stamp)


def test_empty_database_is_filled_despite_the_stamp(stamp: Path) -> None:
    Scenario.objects.all().delete()
    assert scenarios.load(stamp)
    assert stored_scenarios() == set(fixture_scenarios())


def test_database_with_an_older_version_is_filled(stamp: Path) -> None:
    Scenario.objects.filter(slug="lafayette").delete()
    assert scenarios.load(stamp)
    assert stored_scenarios() == set(fixture_scenarios())


@pytest.mark.any_database
@pytest.mark.parametrize("content", ["", "{", "[]", '{"of": 1}'])
def test_damaged_stamp_is_ignored(stamp: Path, content: str) -> None:
    stamp.write_text(content)
    assert scenarios.load(stamp)
    assert not scenarios.load(stamp)
