"""Tech bases: what a faction's yards can build, and which technologies a design needs.

A second edition faction has no tech base; None means that everything may be built. A system's price
list row names the technologies it needs; this module adds hulls, upgrades and contents. Systems
outside the master list (`engine.design.technologies`), such as crew, holds and tender bays, need no
technology. Systems with an option of their own (nova cannon, wave gun, reflex field) are decided by
that option.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from engine.core.errors import Violation, fault_path
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

Need = tuple[str, tuple[str, ...]]  # a place in the design, and alternative technologies

FLAG_NEEDS = {"flak": "flak", "overload": "overloaded-torpedoes", "catapult": "catapult"}
LOAD_NEEDS = {
    "extended": "extended-salvoes",
    "two-stage": "extended-salvoes",
    "boarding": "boarding-torpedoes",
}
MAGAZINE = "magazine"
HANGARS = ("hangar", "combined-hangar", "fighter-rack")
# Families of craft in bays.
CRAFT = {
    **dict.fromkeys(HANGARS, "fighters"),
    "gunboat-rack": "gunboats",
    "boat-bay": "gunboats",
}
ADVANCED_ROWS = 3  # of an advanced hull


@dataclass(frozen=True, slots=True)
class TechBase:
    """The technologies that a faction chose, by their ids in the master list.

    The list may also name free technologies.
    """

    name: str
    technologies: tuple[str, ...]

    @property
    def all_technologies(self) -> frozenset[str]:
        """All technologies of its yards: free, chosen, and included with others.

        Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
        """
        ids = {row.id for row in TECHNOLOGIES if row.free or row.id in self.technologies}
        while True:
            added = set()
            for row in TECHNOLOGIES:
                if row.id not in ids and _comes_along(row, ids):
                    added.add(row.id)
            if not added:
                return frozenset(ids)
            ids |= added

    @property
    def choices(self) -> int:
        """The number of choices that it costs.

        The fighter package costs three and pays for up to six choices of fighters.

        Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
        """
        rows = self.chosen()
        total = sum(row.choices for row in rows)
        if PACKAGE not in self.technologies:
            return total
        fighters = sum(row.choices for row in rows if row.section == FIGHTERS and row.id != PACKAGE)
        return total - min(fighters, PACKAGE_HOLDS)

    def chosen(self) -> tuple[Technology, ...]:
        """Return the known technologies that it names, in the order of the master list."""
        return tuple(row for row in TECHNOLOGIES if row.id in self.technologies)

    def implied(self) -> tuple[Technology, ...]:
        """Return the technologies that it has without naming them: free ones and included ones."""
        owned = self.all_technologies
        result: list[Technology] = []
        for row in TECHNOLOGIES:
            if row.id in owned and row.id not in self.technologies:
                result.append(row)
        return tuple(result)

    def lacking(self, options: Collection[str] = ()) -> tuple[Technology, ...]:
        """Return the technologies that it does not have, of those under these options."""
        owned = {*self.all_technologies, PACKAGE}
        return tuple(row for row in technologies_under(options) if row.id not in owned)


def technologies_under(options: Collection[str]) -> tuple[Technology, ...]:
    """Return the technologies that there are under these options."""
    return tuple(row for row in TECHNOLOGIES if not row.option or row.option in options)


def _comes_along(row: Technology, owned: set[str]) -> bool:
    """Return whether a technology is included with one that a faction has."""
    return any(id_ in owned for id_ in row.with_) and not unmet_prerequisites(row, owned)


def unmet_prerequisites(
    row: Technology, owned: frozenset[str] | set[str]
) -> tuple[tuple[str, ...], ...]:
    """Return the unmet prerequisites of a technology, each as a group of alternatives."""
    prerequisites: list[tuple[str, ...]] = []
    for group in row.needs:
        if not any(id_ in owned for id_ in group):
            prerequisites.append(group)
    return tuple(prerequisites)


def technology_names(ids: tuple[str, ...]) -> str:
    """Return the names of alternative technologies in words."""
    return join_phrases(" or ", (BY_ID[id_].title for id_ in ids))


def base_violations(
    base: TechBase, limit: int = RECOMMENDED, options: Collection[str] = ()
) -> tuple[Violation, ...]:
    """Return everything that is wrong with a tech base, with places in its document.

    Args:
        limit: The campaign's number of choices.
        options: The options in force in the campaign.

    Rules: Continuum "The Imperial tech base" 15.1, "Gunboats" 15.8 [camp.tech-base]
    """
    return tuple(
        sorted(
            {
                *_technology_faults(base, options),
                *_total_faults(base, limit, FIGHTERS_AND_GUNBOATS in options),
            }
        )
    )


def _technology_faults(base: TechBase, options: Collection[str]) -> Iterator[Violation]:
    """Yield the faults of each technology.

    It may be unknown, chosen twice, or without its prerequisites or its option.
    """
    owned = base.all_technologies
    for number, id_ in enumerate(base.technologies):
        where = fault_path("technologies", number)
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
                where, "twice", reason("chosen-already", "{} is already chosen", row.title)
            )
        if row.option and row.option not in options:
            yield option_fault(where, row.option)
        for group in unmet_prerequisites(row, owned):
            yield Violation(
                where,
                "missing-prerequisite",
                reason("missing-prerequisite", "{} needs {}", row.title, technology_names(group)),
            )


def option_fault(where: str, option: str) -> Violation:
    """Return the fault for something that needs an option that is not in force."""
    return Violation(
        where,
        "not-agreed",
        reason(
            "needs-option-not-force",
            "needs the optional rule '{}', which is not in use",
            option,
        ),
    )


def _total_faults(base: TechBase, limit: int, allows_both: bool) -> Iterator[Violation]:
    """Yield faults for too many choices, and for fighters together with gunboats."""
    if base.choices > limit:
        words = reason(
            "these-technologies-take-choices",
            "these technologies cost {} choices; this campaign allows {}",
            base.choices,
            limit,
        )
        yield Violation("technologies", "too-many-choices", words)
    sections = {row.section for row in base.chosen() if row.choices}
    if FIGHTERS in sections and GUNBOATS in sections and not allows_both:
        yield Violation(
            "technologies",
            "fighters-and-gunboats",
            reason("fighters-and-gunboats", "a faction can have fighters or gunboats, not both"),
        )


def missing_technologies(design: Design, base: TechBase | None) -> tuple[Violation, ...]:
    """Return a fault for every technology that a design needs and a faction lacks.

    Without a tech base everything may be built.

    Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
    """
    if base is None:
        return ()
    owned = base.all_technologies
    faults = []
    for where, ids in needs(design):
        if not any(id_ in owned for id_ in ids):
            faults.append(
                Violation(
                    where,
                    "missing-technology",
                    reason(
                        "missing-technology",
                        "needs the technology {}, which {} does not have",
                        technology_names(ids),
                        _base_name(base),
                    ),
                )
            )
    return tuple(dict.fromkeys(faults))


def _base_name(base: TechBase) -> str:
    """Return the name of a tech base, or words for the faction if it has none."""
    return base.name or reason("this-faction", "this faction")


def needs(design: Design) -> tuple[Need, ...]:
    """Return the technologies that a design needs: for hull, armour and drives, then for systems.

    Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
    """
    result = list(_ship(design))
    for number, fitting in enumerate(design.systems):
        result += _fitting(fault_path("systems", number), fitting, design.edition)
    return tuple(result)


def _ship(design: Design) -> Iterator[Need]:
    """Yield the technologies for the hull, the drives and the armour of a design."""
    if design.hull_rows == ADVANCED_ROWS:
        yield "hull.rows", ("advanced-hull",)
    if design.drive == "advanced":
        yield "drive", ("advanced-drive",)
    if design.ftl == FtlDrive.ADVANCED or design.advanced_tug:
        yield "ftl", ("advanced-ftl",)
    for number, (standard, regenerative) in enumerate(design.armour):
        where = fault_path("armour", number)
        if standard:
            yield where, ("armour",)
        if regenerative:
            yield where, ("regenerative-armour",)
        if number:
            yield where, ("layered-armour",)
    if design.stealth:
        yield "stealth", ("stealth-hull",)


def _asked_for(edition: str, type_: str, size: int, model: str) -> tuple[str, ...]:
    """Return the technologies that a system's price list row names."""
    rows = (*system_prices_of(edition), *DEFENCES, *ORDNANCE, *OUTFIT)
    return next(
        (row.needs for row in rows if (row.type, row.size, row.model) == (type_, size, model)), ()
    )


def _fitting(where: str, item: Fitting, edition: str) -> Iterator[Need]:
    """Yield the technologies for one row of a design: system, upgrades and contents."""
    for technology in _asked_for(edition, item.type, item.size, item.variant):
        yield where, (technology,)
    for flag in item.flags:
        if flag in FLAG_NEEDS:
            yield f"{where}.{flag}", (FLAG_NEEDS[flag],)
    yield from load_needs(f"{where}.load", item, edition)


def load_needs(where: str, item: Fitting, edition: str) -> Iterator[Need]:
    """Yield the technologies for the missiles, fighters or gunboats in a system.

    Light fighters come with the type that they are made from.
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
