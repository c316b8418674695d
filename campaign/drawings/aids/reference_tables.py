"""Tables that both quick references have, and how figures are written in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from types import ModuleType

from campaign.drawings.aids.sheets import AidTable
from engine.core.edition import Edition
from engine.core.phrase import join_phrases, phrase
from engine.ruleset import RuleSet
from engine.second_edition.ftl import DANGER_RADIUS, FAILS, SAFE_UP_TO

FACES = (1, 2, 3, 4, 5, 6)
DASH = "–"


def needed_in(table: AidTable, *phases: str, systems: Iterable[str] = ()) -> AidTable:
    """Return a table with the phases and the systems for which players look it up."""
    return replace(table, phases=frozenset(phases), systems=frozenset(systems))


def weapon_types(edition: Edition, *families: ModuleType) -> set[str]:
    """Return the types of systems in some families of weapons (modules of `engine.weapons`)."""
    types: set[str] = set()
    for family in families:
        for weapon in getattr(family, edition.name, ()):
            types.add(weapon.type)
    return types


def up_to(distance: float) -> str:
    """Return the heading of a range band."""
    return phrase("to {} MU", f"{distance:g}")


def mu_text(distance: float) -> str:
    """Return a distance."""
    return phrase("{} MU", f"{distance:g}")


def two_figures(first: str, second: object) -> str:
    """Return two figures of one row."""
    return join_phrases("; ", (first, str(second)))


def die_or_more(die: int) -> str:
    """Return the dice from this one on: "5+", or "6"."""
    return "6" if die == FACES[-1] else f"{die}+"


def number_text(value: int) -> str:
    """Return a number of dice or hits; a dash for none."""
    return str(value) if value else DASH


def by_die(title: str, rows: Iterable[tuple[str, Sequence[int]]], note: str = "") -> AidTable:
    """Return a table of results by the die.

    Args:
        rows: The name of each row, and its results; index 0 is unused.
    """
    lines = []
    for name, results in rows:
        lines.append((name, *(number_text(results[face]) for face in FACES)))
    return AidTable(
        title,
        (phrase("Die"), *map(str, FACES)),
        tuple(lines),
        widths=(3, *(1,) * len(FACES)),
        note=note,
    )


def screen_rows(results: Sequence[Sequence[int]]) -> list[tuple[str, Sequence[int]]]:
    """Name the rows of a table by levels of screens, from none."""
    rows = [(phrase("no screen"), results[0])]
    for level, row in enumerate(results[1:], 1):
        rows.append((phrase("screen {}", level), row))
    return rows


def distances(title: str, rows: Iterable[tuple[str, str]]) -> AidTable:
    """Return a table of single figures, each with what it is."""
    columns = (phrase("What"), phrase("Figure"))
    return AidTable(title, columns, tuple(rows), widths=(3, 2))


def thresholds(rules: RuleSet) -> AidTable:
    """Return the dice that lose a system at the end of each row of the damage track."""
    rows = []
    for row, die in enumerate(rules.profile.loses_on, 1):
        rows.append((str(row), die_or_more(die)))
    return AidTable(
        phrase("Threshold checks"),
        (phrase("End of row"), phrase("Each system is lost on")),
        tuple(rows),
        widths=(1, 2),
    )


def leaving_by_ftl() -> AidTable:
    """Return the die of a ship that leaves under FTL drive near something."""
    rows = (
        (str(FAILS), phrase("the drive fails")),
        (f"{FAILS + 1}–{SAFE_UP_TO}", phrase("it leaves; what is near is damaged")),
        (f"{SAFE_UP_TO + 1}–{FACES[-1]}", phrase("the ship explodes")),
    )
    return AidTable(
        phrase("Leaving by FTL"),
        (phrase("Die"), phrase("Result")),
        rows,
        widths=(1, 4),
        note=phrase("Roll only if something is within {} MU.", f"{DANGER_RADIUS:g}"),
    )


def classifications(rules: RuleSet) -> AidTable:
    """Return the least mass of each classification."""
    rows = []
    for row in rules.classifications:
        rows.append((phrase(row.name), str(row.mass_from), str(row.firecons)))
    return AidTable(
        phrase("Classifications"),
        (phrase("Classification"), phrase("From mass"), phrase("FireCon")),
        tuple(rows),
        widths=(2, 1, 1),
    )
