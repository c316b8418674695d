"""Tech bases: what a faction's yards can build. Choices within a limit, what comes free, and what is wrong with one.

A second edition faction has no tech base: None stands for a faction that may build everything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.core.errors import Violation, place
from engine.design.technologies import BY_ID, FIGHTERS, GUNBOATS, TECHNOLOGIES, Technology

RECOMMENDED = 10  # choices
PACKAGE = "fighter-package"
PACKAGE_HOLDS = 6  # choices of fighters that the package pays for


@dataclass(frozen=True, slots=True)
class TechBase:
    """What a faction has chosen, by the ids of the master list, in the order given. Free things may be named too."""

    name: str
    technologies: tuple[str, ...]

    @property
    def had(self) -> frozenset[str]:
        """Everything its yards know: what is free, what was chosen, and what comes along with either.

        Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
        """
        found = {row.id for row in TECHNOLOGIES if row.free or row.id in self.technologies}
        while True:
            more = {row.id for row in TECHNOLOGIES if row.id not in found and _comes_along(row, found)}
            if not more:
                return frozenset(found)
            found |= more

    @property
    def choices(self) -> int:
        """How many choices it cost. The fighters' package pays for up to six choices of fighters with three.

        Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
        """
        rows = self.chosen()
        total = sum(row.choices for row in rows)
        if PACKAGE not in self.technologies:
            return total
        fighters = sum(row.choices for row in rows if row.section == FIGHTERS and row.id != PACKAGE)
        return total - min(fighters, PACKAGE_HOLDS)

    def chosen(self) -> tuple[Technology, ...]:
        """The known technologies it names, each once, in the order of the list."""
        return tuple(row for row in TECHNOLOGIES if row.id in self.technologies)

    def along(self) -> tuple[Technology, ...]:
        """What it has without naming it: what everybody has, and what came along with its choices."""
        had = self.had
        return tuple(row for row in TECHNOLOGIES if row.id in had and row.id not in self.technologies)

    def lacking(self) -> tuple[Technology, ...]:
        """What it does not have."""
        had = self.had
        return tuple(row for row in TECHNOLOGIES if row.id not in had and row.id != PACKAGE)


def _comes_along(row: Technology, had: set[str]) -> bool:
    return any(id_ in had for id_ in row.with_) and not unmet(row, had)


def unmet(row: Technology, had: frozenset[str] | set[str]) -> tuple[tuple[str, ...], ...]:
    """The prerequisites of a technology that are not had, each as a group of which any one would do."""
    return tuple(group for group in row.needs if not any(id_ in had for id_ in group))


def named(ids: tuple[str, ...]) -> str:
    """Technologies in words, of which any one will do."""
    return " or ".join(BY_ID[id_].name for id_ in ids)


def base_violations(base: TechBase, limit: int = RECOMMENDED) -> tuple[Violation, ...]:
    """All that is wrong with a tech base, at the places of its document. `limit`: the campaign's number of choices.

    Rules: Continuum "The Imperial tech base" 15.1, "Gunboats" 15.8 [camp.tech-base]
    """
    return tuple(sorted({*_each(base), *_whole(base, limit)}))


def _each(base: TechBase) -> Iterator[Violation]:
    had = base.had
    for number, id_ in enumerate(base.technologies):
        where = place("technologies", number)
        row = BY_ID.get(id_)
        if row is None:
            yield Violation(where, "unknown-technology", f"there is no technology '{id_}'")
            continue
        if id_ in base.technologies[:number]:
            yield Violation(where, "twice", f"{row.name} is chosen already")
        for group in unmet(row, had):
            yield Violation(where, "missing-prerequisite", f"{row.name} needs {named(group)}")


def _whole(base: TechBase, limit: int) -> Iterator[Violation]:
    if base.choices > limit:
        words = f"these technologies take {base.choices} choices; this campaign allows {limit}"
        yield Violation("technologies", "too-many-choices", words)
    sections = {row.section for row in base.chosen() if row.choices}
    if FIGHTERS in sections and GUNBOATS in sections:
        yield Violation("technologies", "fighters-and-gunboats", "a faction has fighters or gunboats, not both")
