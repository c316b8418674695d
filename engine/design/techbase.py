"""Tech bases: what a faction's yards can build, what a design asks for, and what of it a faction
lacks.

A second edition faction has no tech base: None stands for a faction that may build everything. A
system's row in the price list names the technologies it asks for; this adds hulls, upgrades and
what systems hold. What the master list (`engine.design.technologies`) does not name needs none:
crew, holds, tender bays; and what stands under an option of its own (nova cannon, wave gun, reflex
field) the option decides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from engine.core.errors import Violation, place
from engine.core.kinds import FtlDrive
from engine.core.phrase import join_phrases
from engine.core.reason import reason
from engine.core.terms import FIGHTERS_AND_GUNBOATS
from engine.craft.registry import family_of
from engine.design.technologies import BY_ID, FIGHTERS, GUNBOATS, TECHNOLOGIES, Technology
from engine.design.value import Design, Fitting
from engine.prices.continuum import DEFENCES, ORDNANCE, OUTFIT
from engine.weapons.registry import system_prices_of

RECOMMENDED = 10  # choices
PACKAGE = "fighter-package"
PACKAGE_HOLDS = 6  # choices of fighters that the package pays for

Need = tuple[
    str, tuple[str, ...]
]  # a place in the design, and technologies of which any one will do

FLAG_NEEDS = {"flak": "flak", "overload": "overloaded-torpedoes", "catapult": "catapult"}
LOAD_NEEDS = {
    "extended": "extended-salvoes",
    "two-stage": "extended-salvoes",
    "boarding": "boarding-torpedoes",
}
MAGAZINE = "magazine"
HANGARS = ("hangar", "combined-hangar", "fighter-rack")
CRAFT = {
    **dict.fromkeys(HANGARS, "fighters"),
    "gunboat-rack": "gunboats",
    "boat-bay": "gunboats",
}  # what bays hold
ADVANCED_ROWS = 3  # of a hull


@dataclass(frozen=True, slots=True)
class TechBase:
    """The technologies a faction has chosen, by the ids of the master list, in the order given.

    Free things may be named too.
    """

    name: str
    technologies: tuple[str, ...]

    @property
    def all_technologies(self) -> frozenset[str]:
        """Everything its yards know: what is free, what was chosen, and what comes along with
        either.

        Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
        """
        ids = {row.id for row in TECHNOLOGIES if row.free or row.id in self.technologies}
        while True:
            added = {row.id for row in TECHNOLOGIES if row.id not in ids and _comes_along(row, ids)}
            if not added:
                return frozenset(ids)
            ids |= added

    @property
    def choices(self) -> int:
        """The number of choices it cost.

        The fighters' package pays for up to six choices of fighters with three.

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

    def implied(self) -> tuple[Technology, ...]:
        """The technologies it has without naming them: what everybody has, and what came along with
        its choices.
        """
        had = self.all_technologies
        return tuple(
            row for row in TECHNOLOGIES if row.id in had and row.id not in self.technologies
        )

    def lacking(self) -> tuple[Technology, ...]:
        """The technologies it does not have."""
        had = self.all_technologies
        return tuple(row for row in TECHNOLOGIES if row.id not in had and row.id != PACKAGE)


def _comes_along(row: Technology, had: set[str]) -> bool:
    return any(id_ in had for id_ in row.with_) and not unmet_prerequisites(row, had)


def unmet_prerequisites(
    row: Technology, had: frozenset[str] | set[str]
) -> tuple[tuple[str, ...], ...]:
    """The prerequisites of a technology that are not had, each as a group of which any one would
    do.
    """
    return tuple(group for group in row.needs if not any(id_ in had for id_ in group))


def technology_names(ids: tuple[str, ...]) -> str:
    """Technologies in words, of which any one will do."""
    return join_phrases(" or ", (BY_ID[id_].title for id_ in ids))


def base_violations(
    base: TechBase, limit: int = RECOMMENDED, options: Collection[str] = ()
) -> tuple[Violation, ...]:
    """All that is wrong with a tech base, at the places of its document.

    `limit`: the campaign's number of choices. `options`: what is agreed in it.

    Rules: Continuum "The Imperial tech base" 15.1, "Gunboats" 15.8 [camp.tech-base]
    """
    return tuple(
        sorted(
            {
                *_technology_faults(base),
                *_total_faults(base, limit, FIGHTERS_AND_GUNBOATS in options),
            }
        )
    )


def _technology_faults(base: TechBase) -> Iterator[Violation]:
    had = base.all_technologies
    for number, id_ in enumerate(base.technologies):
        where = place("technologies", number)
        row = BY_ID.get(id_)
        if row is None:
            yield Violation(
                where,
                "unknown-technology",
                reason("unknown-technology", "there is no technology '{}'", id_),
            )
            continue
        if id_ in base.technologies[:number]:
            yield Violation(
                where, "twice", reason("chosen-already", "{} is chosen already", row.title)
            )
        for group in unmet_prerequisites(row, had):
            yield Violation(
                where,
                "missing-prerequisite",
                reason("missing-prerequisite", "{} needs {}", row.title, technology_names(group)),
            )


def _total_faults(base: TechBase, limit: int, allows_both: bool) -> Iterator[Violation]:
    if base.choices > limit:
        words = reason(
            "these-technologies-take-choices",
            "these technologies take {} choices; this campaign allows {}",
            base.choices,
            limit,
        )
        yield Violation("technologies", "too-many-choices", words)
    sections = {row.section for row in base.chosen() if row.choices}
    if FIGHTERS in sections and GUNBOATS in sections and not allows_both:
        yield Violation(
            "technologies",
            "fighters-and-gunboats",
            reason("fighters-and-gunboats", "a faction has fighters or gunboats, not both"),
        )


def missing_technologies(design: Design, base: TechBase | None) -> tuple[Violation, ...]:
    """Every technology that a design needs and a faction lacks, at the place of what needs it.

    Without a tech base everything may be built.

    Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
    """
    if base is None:
        return ()
    had = base.all_technologies
    faults = [
        Violation(
            where,
            "missing-technology",
            reason(
                "missing-technology",
                "needs the technology {}, which {} lacks",
                technology_names(ids),
                _base_name(base),
            ),
        )
        for where, ids in needs(design)
        if not any(id_ in had for id_ in ids)
    ]
    return tuple(dict.fromkeys(faults))


def _base_name(base: TechBase) -> str:
    return base.name or reason("this-faction", "this faction")


def needs(design: Design) -> tuple[Need, ...]:
    """The technologies a design asks for, in its own order: hull, armour and drives first, then the
    systems.

    Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
    """
    return (
        *_ship(design),
        *(
            need
            for n, item in enumerate(design.systems)
            for need in _fitting(place("systems", n), item, design.edition)
        ),
    )


def _ship(design: Design) -> Iterator[Need]:
    if design.hull_rows == ADVANCED_ROWS:
        yield "hull.rows", ("advanced-hull",)
    if design.drive == "advanced":
        yield "drive", ("advanced-drive",)
    if design.ftl == FtlDrive.ADVANCED or design.advanced_tug:
        yield "ftl", ("advanced-ftl",)
    for number, (standard, regenerative) in enumerate(design.armour):
        where = place("armour", number)
        if standard:
            yield where, ("armour",)
        if regenerative:
            yield where, ("regenerative-armour",)
        if number:
            yield where, ("layered-armour",)
    if design.stealth:
        yield "stealth", ("stealth-hull",)


def _asked_for(edition: str, type_: str, size: int, model: str) -> tuple[str, ...]:
    """The technologies that the price list's row of a system names."""
    rows = (*system_prices_of(edition), *DEFENCES, *ORDNANCE, *OUTFIT)
    return next(
        (row.needs for row in rows if (row.type, row.size, row.model) == (type_, size, model)), ()
    )


def _fitting(where: str, item: Fitting, edition: str) -> Iterator[Need]:
    """What one row of a design asks for: the system, its upgrades, and what it holds."""
    for technology in _asked_for(edition, item.type, item.size, item.variant):
        yield where, (technology,)
    for flag in item.flags:
        if flag in FLAG_NEEDS:
            yield f"{where}.{flag}", (FLAG_NEEDS[flag],)
    yield from load_needs(f"{where}.load", item, edition)


def load_needs(where: str, item: Fitting, edition: str) -> Iterator[Need]:
    """The technologies that missiles, fighters or gunboats in a system ask for; of craft their rows
    say it.

    Light fighters come with the type they are made from.
    """
    kinds = [kind for kind, number in item.load if number]
    if item.type == MAGAZINE:
        for kind in kinds:
            if kind in LOAD_NEEDS:
                yield where, (LOAD_NEEDS[kind],)
    family = family_of(edition, CRAFT[item.type]) if item.type in CRAFT else None
    if family is None:
        return
    for kind in kinds:
        row = family.of(kind)
        for technology in family.modified(row, item.mods).needs if row is not None else ():
            yield where, (technology,)
