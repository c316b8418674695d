"""The versions of the rules: what is played by an older one is played as the release of it did.

`rules/*.json`: battle files, and what the release with the rules 0.3 printed for each (or with
those that the file names), one for every rule that has changed since and whose old form is kept.
"""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from engine.__main__ import main
from engine.battle import battle_from, start
from engine.cli.battle import battle_file
from engine.core.errors import RuleViolations
from engine.core.versions import (
    CHANGES,
    CORES_BURN_OUT,
    CORES_STAY_HIT,
    CRAFT,
    CRAFT_BEHIND_SCREENS,
    DOCKING,
    ENTRIES_ALONE,
    FLAK_AMONG_CRAFT,
    MINES,
    NEEDLES_BEYOND_SENSORS,
    NEWEST,
    NO_ENTRY_EITHER,
    ORDNANCE,
    PLANETOIDS,
    PLAYED,
    PULLED_AT_REST,
    SENSORS,
    TORPEDOES_ABOARD,
    TUGS_TOGETHER,
    VERSIONS,
    Change,
    UnknownRules,
    changes_between,
    everywhere_since,
    follows,
    is_newer,
    playable_version,
)

RULES = Path(__file__).parent / "rules"
CHANGE_BY_CASE = {
    "core-lost-before": CORES_STAY_HIT,
    "wrong-entry-at-damage-control": ENTRIES_ALONE,
    "needles-beyond-sensors": NEEDLES_BEYOND_SENSORS,
    "entry-under-no-ftl": NO_ENTRY_EITHER,
    "asteroid-on-the-way": PLANETOIDS,
    "missiles": ORDNANCE,
    "docking-within-two": DOCKING,
    "hangars-idle": CRAFT,
    "racks-idle": MINES,
    "torpedoes-idle": TORPEDOES_ABOARD,
    "tugs-alone": TUGS_TOGETHER,
    "scans-by-mass": SENSORS,
    "flak-in-the-fire": FLAK_AMONG_CRAFT,
    "area-screens-and-craft": CRAFT_BEHIND_SCREENS,
    "at-rest-in-a-zone": PULLED_AT_REST,
    "abandoned-core-at-the-end": CORES_BURN_OUT,
}


def case(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A battle file, and what it came to."""
    both = json.loads((RULES / f"{name}.json").read_text(encoding="utf-8"))
    return both["file"], both["then"]


def printed(file: dict[str, Any]) -> dict[str, Any]:
    """What the command prints for a battle file."""
    out, stdin = io.StringIO(), io.TextIOWrapper(io.BytesIO(json.dumps(file).encode()))
    with mock.patch("sys.stdin", stdin), redirect_stdout(out):
        assert main(["battle", "-"]) == 0
    answer: dict[str, Any] = json.loads(out.getvalue())
    return answer


def outcome_events(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """What happened, without the words of refusals, which are no rules."""
    return [
        {key: value for key, value in event.items() if key not in ("why", "reason", "order")}
        for event in answer["events"]
    ]


def test_every_change_that_is_kept_has_its_case() -> None:
    assert set(CHANGE_BY_CASE.values()) == set(CHANGES)
    assert sorted(path.stem for path in RULES.glob("*.json")) == sorted(CHANGE_BY_CASE)


@pytest.mark.parametrize("name", CHANGE_BY_CASE)
def test_an_old_rule_is_played_as_its_release_played_it(name: str) -> None:
    file, then = case(name)
    now = printed({"rules": "0.3", **file})
    assert outcome_events(now) == outcome_events(then)
    assert now["state"]["ships"] == then["state"]["ships"]
    assert (now["turns"], now["winner"], now["dice"]) == (
        then["turns"],
        then["winner"],
        then["dice"],
    )


@pytest.mark.parametrize("name", CHANGE_BY_CASE)
def test_the_newest_rules_play_otherwise_and_are_those_of_a_file_that_says_none(name: str) -> None:
    file, then = case(name)
    if name == "entry-under-no-ftl":
        for document in (file, {**file, "rules": NEWEST}):
            with pytest.raises(RuleViolations, match="no ship can drop out of FTL"):
                battle_file(document)
        return
    file.pop("rules", None)
    now = printed(file)
    assert outcome_events(now) != outcome_events(then)
    assert outcome_events(now) == outcome_events(printed({**file, "rules": NEWEST}))


def test_a_battle_keeps_its_rules_through_its_documents() -> None:
    file, _ = case("needles-beyond-sensors")
    battle = start({key: value for key, value in file.items() if key != "dice"} | {"rules": "0.3"})
    document = json.loads(json.dumps(battle.to_json()))
    assert document["terms"]["rules"] == "0.3"
    assert battle_from(document).state.terms.rules == "0.3"


@pytest.mark.parametrize("number", ["0.1", "0.7", "newest", ""])
def test_rules_nobody_plays_are_a_fault_of_a_battle_file(number: str) -> None:
    file, _ = case("needles-beyond-sensors")
    with pytest.raises(RuleViolations) as refused:
        battle_file({**file, "rules": number})
    assert [fault.where for fault in refused.value.violations] == ["rules"]


def test_versions_stand_in_their_order_and_what_is_too_old_goes_on_by_the_next() -> None:
    assert PLAYED == ("0.3", "0.4", "0.5", "0.6")
    assert [playable_version(version.number) for version in VERSIONS] == [
        "0.3",
        "0.3",
        "0.3",
        "0.4",
        "0.5",
        "0.6",
    ]
    assert is_newer("0.4", "0.3")
    assert not is_newer("0.3", "0.3")
    for unknown in ("0.7", "", "0.40"):
        with pytest.raises(UnknownRules, match=r"knows 0\.1, 0\.2, 0\.3, 0\.4, 0\.5, 0\.6"):
            playable_version(unknown)
    with pytest.raises(UnknownRules):
        is_newer("0.3", "0.9")


def test_every_change_belongs_to_a_version_and_says_itself() -> None:
    numbers = [version.number for version in VERSIONS]
    for change in CHANGES:
        assert change.since in numbers
        assert not follows("0.1", change)
        assert follows(NEWEST, change)
        assert change.words.endswith(".")
    assert len({change.words for change in CHANGES}) == len(CHANGES)
    assert [version.number for version in everywhere_since("0.3")] == ["0.4", "0.5", "0.6"]
    assert everywhere_since(NEWEST) == ()


@pytest.mark.parametrize(
    ("edition", "options", "changes"),
    [
        ("second-edition", (), ()),
        ("second-edition", ("no-ftl",), (NO_ENTRY_EITHER,)),
        ("continuum", (), (ENTRIES_ALONE, NEEDLES_BEYOND_SENSORS)),
        ("continuum", ("core-systems", "no-ftl"), CHANGES[:4]),
    ],
)
def test_a_war_is_told_of_what_concerns_it(
    edition: str, options: tuple[str, ...], changes: tuple[Change, ...]
) -> None:
    assert changes_between("0.3", "0.4", edition, options) == changes
    new = (PLANETOIDS, ORDNANCE, DOCKING, CRAFT, MINES, TORPEDOES_ABOARD, TUGS_TOGETHER, SENSORS)
    assert changes_between("0.4", "0.5", edition, options) == (
        new if edition == "continuum" else ()
    )
    assert changes_between("0.4", "0.4", edition, options) == ()
    assert changes_between("0.1", "0.3", edition, options) == ()
