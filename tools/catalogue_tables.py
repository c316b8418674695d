"""Tables of data whose texts pages show, for the catalogues of other languages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from campaign.events.battles import LossCause
from campaign.orders.settings import CLASSIFICATIONS
from campaign.pages.ships.league import league_table
from campaign.rules.files import (
    SHIPS,
    fixture_navies,
    fixture_presets,
    fixture_scenario,
    fixture_scenarios,
    fixture_situation,
    fixture_timeline,
    load_sheets,
)
from campaign.rules.help_texts import chapters, guides, topics
from campaign.rules.scenario_file import LINK_KINDS
from campaign.rules.scenario_sections import SECTIONS
from campaign.services.campaigns import ADMIRALS
from campaign.words.battle.phase_titles import PHASE_TITLES
from engine.core.edition import EDITIONS
from engine.core.facts import facts_of
from engine.core.kinds import LabelledEnum
from engine.core.ship_facts import ShipRecord, ThisTurn
from engine.craft.registry import family_of
from engine.design.mass_pricing import CORE
from engine.design.offers import by_category, offers_of
from engine.design.technologies import TECHNOLOGIES
from engine.english import KINDS, system_words
from engine.prices.continuum import LOADS
from engine.ruleset import all_rules
from engine.weapons.registry import all_weapons

# Values of documents that pages show as they are: states of systems, choices, locations of bases,
# days.
CODES = (
    *("held", "contested", "stand-off", "withdraw", "fight", "certainly", "possibly", "not seen"),
    *(text for kind in LINK_KINDS for text in (kind, kind.replace("-", " "))),
    *("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    *(
        "apart",
        "battle",
        "gone",
        "overrun",
        "reactor",
        *ADMIRALS,
        "none",
        "some",
        "many",
        "standard",
    ),
)


def _help() -> Iterator[str]:
    for chapter in chapters():
        yield chapter.title
        for word in chapter.words:
            yield from (word.word, word.means)
    for topic in topics():
        yield from (topic.title, topic.lead)
        for heading, text in topic.parts:
            yield from (heading, *text)
    for pages in guides().values():
        for steps in pages.values():
            for step in steps.values():
                yield from step.texts.values()


def _facts() -> Iterator[str]:
    for record in (ShipRecord, ThisTurn):
        for fact in facts_of(record).values():
            yield from (*fact.phrases, *fact.plural_phrases)


def _options() -> Iterator[str]:
    for rules in all_rules():
        for option in rules.choices:
            yield from (option.title, option.words)


def _systems() -> Iterator[str]:
    """Yield the names of weapons and systems on sheets and in the designer."""
    yield from (weapon.word for weapon in all_weapons())
    yield from (weapon.type.replace("-", " ") for weapon in all_weapons())
    yield from (
        "normal",
        *(mode.replace("-", " ") for weapon in all_weapons() for mode in weapon.modes),
    )
    yield from (system_words(part) for part in CORE)
    for rules in all_rules():
        for spec in rules.systems:
            yield from (spec.title, spec.type.replace("-", " "), system_words(spec.type))
        offers = offers_of(rules)
        for group, _ in by_category(offers):
            yield group
        for offer in offers:
            yield from (offer.title, offer.type.replace("-", " "), system_words(offer.type))
            yield from (model.title for model in offer.models)
        for prices in rules.system_prices.values():
            yield from (price.limit for price in prices if price.limit)


def _stock() -> Iterator[str]:
    """Yield the names of craft, their modifications and loads, and of missiles."""
    for edition in EDITIONS:
        for family in (family_of(edition, name) for name in ("fighters", "gunboats")):
            yield from (
                mod.name.replace("-", " ") for mod in (family.mods if family is not None else ())
            )
            for row in family.types if family is not None else ():
                yield from (
                    row.word,
                    *(
                        word.replace("-", " ")
                        for word in (row.type, *row.mods, *map(str, row.roles))
                    ),
                )
    for loads in LOADS.values():
        yield from (load.replace("-", " ") for load in loads)
    yield "marker"


def _bots() -> Iterator[str]:
    """Yield the texts of the league's bots."""
    for line in league_table()["bots"]:
        yield from (line["words"], line["name"])


def _scenarios() -> Iterator[str]:
    """Yield the texts of the included scenarios: names, starts, results, and contents of systems."""
    for name in fixture_scenarios():
        scenario = fixture_scenario(name)
        yield from (scenario.name, scenario.intro)
        yield from (condition.result for condition in scenario.victory)
        yield from (goods.name for goods in scenario.goods)
        for system in scenario.systems:
            yield system.note
            yield from (target.name for target in system.ground)
            if system.facility is not None:
                yield system.facility.kind.replace("-", " ")


def _classes() -> Iterator[str]:
    """Yield the names of the ship classes that come with the program."""
    for path in sorted(SHIPS.glob("*.yaml")):
        yield from load_sheets(path)


def _setting() -> Iterator[str]:
    """Yield the names of the lists of class names, and the texts about the setting."""
    yield from (navy.name for navy in fixture_navies())
    for event in fixture_timeline():
        yield from (event.when, event.event)
    for part in fixture_situation():
        yield from (part.heading, *part.paragraphs)


def _presets() -> Iterator[str]:
    for edition in EDITIONS:
        for preset in fixture_presets(edition):
            yield from (preset.name, preset.words)


def _technologies() -> Iterator[str]:
    """Yield the names of the technologies that a faction chooses from."""
    for row in TECHNOLOGIES:
        yield from (row.name, row.section)


def _kinds() -> Iterator[str]:
    """Yield the labels of enumerations, and the titles of the phases of a battle."""
    kinds: set[type[LabelledEnum]] = {LossCause, *LabelledEnum.__subclasses__()}
    for kind in kinds:
        for member in kind:
            yield from (member.label, member.plural_label, str(member.value))
    yield from PHASE_TITLES.values()
    yield from CLASSIFICATIONS
    yield from CODES


def _fields() -> Iterator[str]:
    """Yield the texts of the scenario editor: sections, groups and fields."""
    for section in SECTIONS:
        yield section.title
        for group in section.groups:
            yield from (group.title, group.noun, group.hint, group.add_label)
            for field in group.fields:
                yield from (field.label, field.hint, *field.parts)


TABLES: Mapping[str, Callable[[], Iterable[str]]] = {
    "fixtures/help": _help,
    "engine/core/ship_facts.py": _facts,
    "engine/*/edition.py": _options,
    "engine/weapons": _systems,
    "engine/craft": _stock,
    "fixtures/league.json": _bots,
    "fixtures/scenarios": _scenarios,
    "fixtures/setting": _setting,
    "fixtures/ships": _classes,
    "fixtures/presets.yaml": _presets,
    "engine/design/technologies.py": _technologies,
    "engine/core/kinds.py": _kinds,
    "campaign/rules/scenario_sections.py": _fields,
}


def nouns() -> Iterator[str]:
    """Yield nouns from data that are shown after numbers."""
    yield from KINDS.values()
    yield from (*CLASSIFICATIONS, "merchant ship", "colonist", "box")
    yield from _classes()
    for rules in all_rules():
        yield from (offer.type.replace("-", " ") for offer in offers_of(rules))
