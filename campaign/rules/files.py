"""Files of scenarios and ship classes. No other module of the campaign's rules reads files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from campaign.rules.navies import ClassNames, Navy, class_names_of, read_navies
from campaign.rules.presets import Preset, read_presets
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_file import parse_scenario, read_scenario
from campaign.rules.scenario_texts import translatable_scenario
from campaign.rules.setting import SettingPart, TimelineEvent, read_situation, read_timeline
from campaign.rules.skirmish import (
    BATTLE,
    is_skirmish,
    own_battle_faults,
    skirmish_scenario,
    unreadable_skirmish,
)
from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.notation import documents
from engine.notation.designs import design_json, parse_classes, sheet_of
from engine.notation.reading import prefix_places
from engine.ruleset import option_violations, ruleset

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
SCENARIOS = FIXTURES / "scenarios"
SHIPS = FIXTURES / "ships"
BATTLES = FIXTURES / "battles"
TECH_BASES = FIXTURES / "techbases"
SETTING = FIXTURES / "setting"
NAVIES = SETTING / "navies.yaml"
NEUTRAL_REGION = "lantern-reach"  # in `SETTING`: what new scenarios begin with
PRESETS = FIXTURES / "presets.yaml"


def read_yaml(path: Path) -> Any:
    """Return the value of a YAML file. Raises RuleViolations if it is unreadable or no YAML."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        words = phrase("cannot read {}: {}", path.name, error.strerror)
        raise RuleViolations([Violation("", "unreadable", words)]) from error
    except UnicodeDecodeError as error:
        words = phrase("cannot read {}: {}", path.name, error)
        raise RuleViolations([Violation("", "unreadable", words)]) from error
    return documents.read_yaml(text, documents.FILES)


def load_sheets(path: Path, options: Sequence[str] = ()) -> dict[str, Sheet]:
    """Return the record sheets of a file of ship classes, by class. Raises RuleViolations."""
    result: dict[str, Sheet] = {}
    for name, design in parse_classes(read_yaml(path), options).items():
        result[name] = sheet_of(design, options)
    return result


def load_scenario(path: Path, ships: Path = SHIPS) -> Scenario:
    """Return the scenario of a file. Raises RuleViolations.

    Args:
        ships: A directory with a file of ship classes for each edition.
    """
    return scenario_from(read_yaml(path), ships)


def scenario_from(data: object, ships: Path = SHIPS) -> Scenario:
    """Return the scenario of a file's document, a war or a single battle. Raises RuleViolations.

    Args:
        ships: A directory with a file of ship classes for each edition.
    """
    if isinstance(data, dict) and BATTLE in data:
        battle = _battle(data)
        sheets = _sheets(battle, ships)
        return skirmish_scenario(data, battle, sheets, fixture_bases(), fixture_class_names())
    sheets = _sheets(data, ships)
    return parse_scenario(data, sheets, fixture_bases(), fixture_class_names())


def check_scenario(data: object) -> tuple[Scenario, tuple[Violation, ...]]:
    """Return the readable part of a scenario file with bundled ships, and all its faults.

    A single battle with faults has no readable part but its name.
    """
    if isinstance(data, dict) and BATTLE in data:
        try:
            return translatable_scenario(scenario_from(data)), ()
        except RuleViolations as refused:
            return unreadable_skirmish(data), refused.violations
    scenario, faults = read_scenario(
        data, _sheets(data, SHIPS), fixture_bases(), fixture_class_names()
    )
    return translatable_scenario(scenario), faults


def available_sheets(data: object) -> tuple[Sheet, ...]:
    """Return the bundled ship classes that a scenario file may name, in the order of their file."""
    return tuple(_sheets(data, SHIPS).values())


def _sheets(data: object, ships: Path) -> Mapping[str, Sheet]:
    """Return the ship classes that a scenario file may name: its edition's, under its options."""
    if not isinstance(data, dict) or not isinstance(data.get("edition"), str):
        return {}
    edition = data["edition"]
    classes = ships / f"{edition}.yaml"
    is_in_directory = classes.parent == ships  # an edition such as "../x" is not
    if not is_in_directory or not classes.is_file():
        return {}
    options = _valid_options(edition, data.get("options"))
    if ships == SHIPS:
        return _fixture_sheets(edition, options)
    return load_sheets(classes, options)


@lru_cache(maxsize=16)
def _fixture_sheets(edition: str, options: tuple[str, ...]) -> Mapping[str, Sheet]:
    """Return the bundled ship classes of an edition that its options allow."""
    path = SHIPS / f"{edition}.yaml"
    if not options:
        return load_sheets(path)
    result: dict[str, Sheet] = {}
    for row in read_yaml(path):
        try:
            designs = parse_classes([row], options)
        except RuleViolations:  # such as a weasel, in a war without decoys
            continue
        for name, design in designs.items():
            result[name] = sheet_of(design, options)
    return result


def _valid_options(edition: str, options: object) -> tuple[str, ...]:
    """Return the options that the edition has and that mix; others are faults of the scenario."""
    if not isinstance(options, list):
        return ()
    valid = [option for option in ruleset(edition).known_options if option in options]
    while faults := option_violations(edition, valid):
        places = {fault.where for fault in faults}
        valid = [name for n, name in enumerate(valid) if fault_path("options", n) not in places]
    return tuple(valid)


def _battle(data: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the battle file of a scenario: one of its own, or a bundled one by name.

    Raises:
        RuleViolations: There is none, or it does not have the outline of a battle.
    """
    value = data[BATTLE]
    if isinstance(value, dict):
        faults = own_battle_faults(value)
        if faults:
            raise RuleViolations(prefix_places(BATTLE, faults))
        return {"edition": data.get("edition"), **value}
    file_names = sorted(path.name for path in BATTLES.glob("*.yaml"))
    if value not in file_names:
        words = phrase("the battle must be one of {}", ", ".join(file_names))
        raise RuleViolations([Violation(BATTLE, "unknown-battle", words)])
    document: dict[str, Any] = read_yaml(BATTLES / str(value))
    return document


def fixture_text(slug: str) -> str:
    """Return the text of a bundled scenario file."""
    return (SCENARIOS / f"{slug}.yaml").read_text(encoding="utf-8")


def fixture_maps() -> tuple[str, ...]:
    """Return the slugs of the bundled scenarios that have a map, sorted."""
    result: list[str] = []
    for slug in fixture_scenarios():
        if not is_skirmish(fixture_scenario(slug)):
            result.append(slug)
    return tuple(result)


@cache
def fixture_designs(edition: str) -> dict[str, dict[str, Any]]:
    """Return the bundled designs of an edition by class, in the order of their file."""
    result: dict[str, dict[str, Any]] = {}
    for name, design in parse_classes(read_yaml(SHIPS / f"{edition}.yaml")).items():
        result[name] = design_json(design)
    return result


def fixture_bases() -> dict[str, Any]:
    """Return the documents of the bundled tech bases by name."""
    return {path.stem: read_yaml(path) for path in sorted(TECH_BASES.glob("*.yaml"))}


@cache
def fixture_navies() -> tuple[Navy, ...]:
    """Return the lists of class names, in the order of their file."""
    return read_navies(read_yaml(NAVIES))


def fixture_timeline() -> tuple[TimelineEvent, ...]:
    """Return the events of the printed setting, in the order of their file."""
    return read_timeline(read_yaml(SETTING / "timeline.yaml"))


def fixture_situation() -> tuple[SettingPart, ...]:
    """Return what there is to say of the powers and places of the printed setting."""
    return read_situation(read_yaml(SETTING / "situation.yaml"))


def neutral_region_text() -> str:
    """Return the scenario file of the project's own region of stars."""
    return (SETTING / f"{NEUTRAL_REGION}.yaml").read_text(encoding="utf-8")


def fixture_class_names() -> ClassNames:
    """Return the lists of class names that scenarios may name."""
    return class_names_of(fixture_navies())


def fixture_presets(edition: str) -> tuple[Preset, ...]:
    """Return the presets of options and allowed systems for wars of an edition."""
    return read_presets(read_yaml(PRESETS), edition)


def fixture_scenarios() -> tuple[str, ...]:
    """Return the slugs of the bundled scenarios, sorted."""
    return tuple(sorted(path.stem for path in SCENARIOS.glob("*.yaml")))


def fixture_scenario(slug: str) -> Scenario:
    """Return a bundled scenario. Raises RuleViolations, also for an unknown slug."""
    if slug not in fixture_scenarios():
        slugs = ", ".join(fixture_scenarios())
        words = phrase("there is no scenario '{}'; choose from {}", slug, slugs)
        raise RuleViolations([Violation("slug", "unknown-scenario", words)])
    return _fixture(slug)


@cache
def _fixture(slug: str) -> Scenario:
    """Load a bundled scenario once; its file does not change while the program runs."""
    return translatable_scenario(load_scenario(SCENARIOS / f"{slug}.yaml"))
