"""The quick reference of a rulebook: phases, dice and ranges, read from the engine's tables.

Rules: Continuum "Quick reference sheet" [aid.quick-reference]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from campaign.drawings.aids.reference_continuum import continuum_tables
from campaign.drawings.aids.reference_second_edition import second_edition_tables
from campaign.drawings.aids.sheets import AidPage, AidTable
from engine.core.edition import Edition
from engine.core.phrase import phrase
from engine.ruleset import RuleSet, rules_of

TEXT_SIZE = 11.0  # points
TABLES = {
    Edition.SECOND_EDITION: second_edition_tables,
    Edition.CONTINUUM: continuum_tables,
}


def reference_pages(edition: Edition, options: Sequence[str] = ()) -> tuple[AidPage, ...]:
    """Return the quick reference of an edition, on two pages.

    Args:
        options: The optional rules in force; they are listed, and some change a figure.
    """
    rules = rules_of(edition)
    tables = (turn_sequence(rules), *TABLES[edition](rules, options), *_options(rules, options))
    half = (len(tables) + 1) // 2
    title = phrase("Quick reference: {}", edition.label)
    pages = (tables[:half], tables[half:])
    return tuple(AidPage(title, part, text_size=TEXT_SIZE) for part in pages)


def turn_sequence(rules: RuleSet) -> AidTable:
    """Return the phases of a turn in order, as the engine plays them."""
    rows: list[tuple[str, str]] = []
    for phase in rules.sequence.phases:
        rows.append((str(len(rows) + 1), phrase(phase.ask.title)))
    return AidTable(
        phrase("The phases of a turn"),
        (phrase("Phase"), phrase("Orders for")),
        tuple(rows),
        widths=(1, 4),
    )


def _options(rules: RuleSet, options: Iterable[str]) -> tuple[AidTable, ...]:
    """Return the optional rules in force, if there are any."""
    chosen = set(options)
    rows = []
    for option in rules.choices:
        if option.name in chosen:
            rows.append((phrase(option.title), phrase(option.words)))
    if not rows:
        return ()
    columns = (phrase("Rule"), phrase("What it changes"))
    return (AidTable(phrase("Optional rules in force"), columns, tuple(rows), widths=(1, 2)),)
