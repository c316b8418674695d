"""Form fields for what players agree on: optional rules by subject, and what may not be used."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from campaign.rules.agreements import (
    Agreements,
    agreed_scenario,
    battle_faults,
    first_barred_class,
    restriction_faults,
)
from campaign.rules.battle_homes import (
    OPTIONS_OF_SINGLE_BATTLES,
    OPTIONS_OF_WARS,
    options_without_effect,
)
from campaign.rules.files import fixture_navies, fixture_presets
from campaign.rules.navies import navies_for
from campaign.rules.presets import Preset
from campaign.rules.scenario import Scenario
from engine.core.edition import EDITIONS
from engine.core.option_groups import OPTION_GROUPS
from engine.core.phrase import phrase
from engine.core.terms import Option
from engine.design.restrictions import restriction_words, word_title
from engine.english import capitalize_first
from engine.ruleset import rules_of

NO_EFFECT = phrase("changes nothing in this scenario")
NEEDED_BY_SHIPS = phrase("required by the scenario's ships")


@dataclass(frozen=True, slots=True)
class OptionTick:
    """An optional rule with its tick.

    Attributes:
        words: What it changes.
        locked: Why it cannot be chosen here; "" if it can.
    """

    name: str
    title: str
    words: str
    is_ticked: bool
    locked: str = ""


@dataclass(frozen=True, slots=True)
class OptionSection:
    """The optional rules of one subject."""

    title: str
    ticks: tuple[OptionTick, ...]


@dataclass(frozen=True, slots=True)
class PresetChoice:
    """A preset as the form of a new war offers it.

    Attributes:
        is_chosen: Whether the form now says what the preset says.
        locked: Why the scenario cannot be played with it; "" if it can.
    """

    preset: Preset
    is_chosen: bool
    locked: str = ""


@dataclass(frozen=True, slots=True)
class NavyMenu:
    """The lists of class names that a faction may use in a new war.

    Attributes:
        name: Of the field.
        chosen: The id of a list; "" for the scenario's names.
        options: The id and the name of each list.
    """

    faction: str
    title: str
    name: str
    chosen: str
    options: tuple[tuple[str, str], ...]


def navy_menus(scenario: Scenario, values: Mapping[str, str]) -> tuple[NavyMenu, ...]:
    """Return the menu of each faction; none if no list has names for the scenario's ships.

    Args:
        values: Of the form, by field name.
    """
    options = tuple((navy.id, phrase(navy.name)) for navy in navies_for(scenario, fixture_navies()))
    if not options:
        return ()
    menus = []
    for faction in scenario.factions:
        name = f"navy-{faction.id}"
        menu = NavyMenu(faction.id, faction.name, name, str(values.get(name, "")), options)
        menus.append(menu)
    return tuple(menus)


def option_sections(
    edition: str, ticked: Collection[str], *, is_single_battle: bool = False
) -> tuple[OptionSection, ...]:
    """Return all optional rules of an edition by subject, for the editor of scenarios.

    Ticked options that the edition does not have are listed last. Single battles have no options
    that only change the battles of wars, and wars none that only single battles may have.
    """
    if edition not in EDITIONS:
        return ()
    rows = {row.name: row for row in rules_of(edition).choices}
    others = OPTIONS_OF_WARS if is_single_battle else OPTIONS_OF_SINGLE_BATTLES
    rows = {name: row for name, row in rows.items() if name not in others}
    sections = _sections({name: _tick(row, ticked) for name, row in rows.items()})
    unknown = []
    for name in ticked:
        if name not in rows:
            unknown.append(OptionTick(name, name, "", is_ticked=True))
    if unknown:
        sections.append(OptionSection(phrase("Unknown"), tuple(unknown)))
    return tuple(sections)


def host_sections(scenario: Scenario, ticked: Collection[str]) -> tuple[OptionSection, ...]:
    """Return the optional rules that a host may choose for a war, by subject.

    Rules that change designs are shown, and locked, only if the scenario has them. Rules that would
    change nothing are locked.
    """
    idle = options_without_effect(scenario)
    ticks = {}
    for row in rules_of(scenario.edition).choices:
        if row.of_designs:
            if row.name in scenario.options:
                ticks[row.name] = _tick(row, scenario.options, NEEDED_BY_SHIPS)
        elif row.name in idle:
            ticks[row.name] = _tick(row, (), NO_EFFECT)
        else:
            ticks[row.name] = _tick(row, ticked)
    return tuple(_sections(ticks))


def _tick(row: Option, ticked: Collection[str], locked: str = "") -> OptionTick:
    """Return an optional rule with its tick."""
    return OptionTick(
        row.name, phrase(row.title), phrase(row.words), is_ticked=row.name in ticked, locked=locked
    )


def _sections(ticks: dict[str, OptionTick]) -> list[OptionSection]:
    """Return ticks by subject, without subjects that have none."""
    sections = []
    for title, names in OPTION_GROUPS:
        of_group = tuple(ticks[name] for name in names if name in ticks)
        if of_group:
            sections.append(OptionSection(phrase(title), of_group))
    return sections


def restriction_choices(edition: str) -> list[tuple[str, str]]:
    """Return the groups and types of systems and the kinds of ships that can be barred."""
    if edition not in EDITIONS:
        return []
    words = restriction_words(rules_of(edition))
    return [(word, capitalize_first(word_title(word))) for word in words]


def preset_choices(scenario: Scenario, chosen: Agreements) -> tuple[PresetChoice, ...]:
    """Return the presets for wars of a scenario.

    Args:
        chosen: What the form says now.
    """
    choices = []
    for preset in fixture_presets(scenario.edition):
        agreements = preset_agreements(scenario, preset)
        agreed = agreed_scenario(scenario, agreements)
        choices.append(PresetChoice(preset, agreements == chosen, _lock_reason(agreed)))
    return tuple(choices)


def _lock_reason(agreed: Scenario) -> str:
    """Return why a scenario cannot be played by a preset's agreements, or ""."""
    faults = restriction_faults(agreed) or battle_faults(agreed)
    if not faults:
        return ""
    barred_class = first_barred_class(agreed)
    if barred_class is not None:
        return phrase("not with this scenario: it has the class {} ({})", *barred_class)
    return phrase("not with this scenario: {}", faults[0].message)


def preset_agreements(scenario: Scenario, preset: Preset) -> Agreements:
    """Return what a preset means for a war of a scenario.

    Options that change designs stay as the scenario has them, and options that would change nothing
    are left out.
    """
    settled = settled_options(scenario)
    idle = options_without_effect(scenario)
    chosen = [name for name in preset.options if name not in idle]
    return Agreements(_in_order(scenario, [*settled, *chosen]), preset.restrictions)


def settled_options(scenario: Scenario) -> tuple[str, ...]:
    """Return the options that only the scenario decides, and that it has chosen."""
    names = []
    for option in rules_of(scenario.edition).choices:
        if option.of_designs and option.name in scenario.options:
            names.append(option.name)
    return tuple(names)


def _in_order(scenario: Scenario, names: Sequence[str]) -> tuple[str, ...]:
    """Return options in the order of their edition."""
    return tuple(name for name in rules_of(scenario.edition).known_options if name in names)
