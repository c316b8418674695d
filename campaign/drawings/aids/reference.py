"""The quick reference of a rulebook: phases, dice and ranges, read from the engine's tables.

Rules: Continuum "Quick reference sheet" [aid.quick-reference]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

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
    tables = _tables(edition, options)
    half = (len(tables) + 1) // 2
    title = phrase("Quick reference: {}", edition.label)
    pages = (tables[:half], tables[half:])
    return tuple(AidPage(title, part, text_size=TEXT_SIZE) for part in pages)


def reference_tables(
    edition: Edition, options: Sequence[str], phase: str, systems: Collection[str]
) -> list[AidTable]:
    """Return the tables that players need in a phase, its own before those of every phase.

    Args:
        phase: The key of a phase; "" for all tables in the order of a turn.
        systems: The types of systems on the table; empty if they are not known.
    """
    tables = list(_tables(edition, options))
    if not phase:
        return tables
    present = set(systems)
    result = []
    for table in tables:
        is_of_phase = not table.phases or phase in table.phases
        is_of_systems = not table.systems or not present or bool(table.systems & present)
        if is_of_phase and is_of_systems:
            result.append(table)
    return sorted(result, key=lambda table: not table.phases)


def reference_phases(edition: Edition) -> tuple[str, ...]:
    """Return the keys of the phases for which there is a reference."""
    return tuple(phase.ask.key for phase in rules_of(edition).sequence.phases)


def _tables(edition: Edition, options: Sequence[str]) -> tuple[AidTable, ...]:
    """Return all tables in the order of a turn."""
    rules = rules_of(edition)
    return (turn_sequence(rules), *TABLES[edition](rules, options), *_options(rules, options))


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
