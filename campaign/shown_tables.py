"""Tables of data whose texts pages show: which texts they hold, for the catalogues of other languages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from campaign.rules.help_texts import chapters, guides, topics
from engine.core.ship_facts import ShipRecord, ThisTurn, facts_of
from engine.design.offers import offers_of
from engine.english import KINDS
from engine.ruleset import all_rules
from engine.weapons.registry import all_weapons


def _help() -> Iterator[str]:
    for chapter in chapters():
        yield chapter.title
        for word in chapter.words:
            yield from (word.word, word.means)
    for topic in topics():
        yield from (topic.title, topic.lead)
        for heading, says in topic.parts:
            yield from (heading, *says)
    for said in guides().values():
        yield from said.values()


def _facts() -> Iterator[str]:
    for record in (ShipRecord, ThisTurn):
        for fact in facts_of(record).values():
            yield from fact.said


def _options() -> Iterator[str]:
    for rules in all_rules():
        for option in rules.choices:
            yield from (option.title, option.words)


def _systems() -> Iterator[str]:
    """What weapons and systems are called, on sheets and in the designer."""
    yield from (weapon.word for weapon in all_weapons())
    yield from (weapon.type.replace("-", " ") for weapon in all_weapons())
    for rules in all_rules():
        for spec in rules.systems:
            yield from (spec.title, spec.type.replace("-", " "))
        for offer in offers_of(rules):
            yield from (offer.title, *(model.title for model in offer.models))


TABLES: Mapping[str, Callable[[], Iterable[str]]] = {
    "fixtures/help": _help,
    "engine/core/ship_facts.py": _facts,
    "engine/*/edition.py": _options,
    "engine/weapons": _systems,
}


def nouns() -> Iterator[str]:
    """Nouns that stand after numbers and come from data."""
    yield from KINDS.values()
