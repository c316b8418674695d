"""Ship classes of the campaign: from record sheets, and a faction's own designs.

A faction's designs are judged by edition and tech base. The designs of deployed ships are stored
complete in the sealed orders, so that resolving the stage, now or in a replay, needs nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from campaign.rules.fleet_violations import name_faults
from campaign.rules.orders import Orders
from campaign.rules.queries import class_name, own_class_name, short_class_name
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.world import FactionDesign
from engine.core.cache import Cache
from engine.core.errors import Violation
from engine.core.kinds import FtlDrive
from engine.core.names import name_skeleton
from engine.core.reason import reason
from engine.core.sheet import Sheet
from engine.design.restrictions import barred_faults, class_fault
from engine.design.techbase import TechBase, missing_technologies
from engine.design.warnings import design_warnings, missing_options
from engine.notation.designs import design_json, parse_design, read_design, sheet_of
from engine.notation.reading import prefix_places
from engine.ruleset import rules_of, ruleset
from engine.ship_profiles import FIRECONS, full_stock

MAX_DESIGNS = 100  # of one faction
MAX_CACHED = 500  # reviewed designs


def ship_class(sheet: Sheet) -> ShipClass:
    """Return the campaign's class of a record sheet."""
    weasels = [fit.variant for fit in sheet.fits if fit.type == "weasel"]
    is_tug = sheet.ftl == FtlDrive.TUG
    tug_field = next((fit.size for fit in sheet.fits if fit.type == "ftl"), 0)
    return ShipClass(
        name=sheet.cls,
        classification=sheet.classification,
        mass=sheet.mass,
        thrust=sheet.thrust,
        ftl=sheet.ftl != FtlDrive.NONE,
        points=sheet.points,
        damage_points=sheet.boxes,
        systems=tuple(fit.id for fit in sheet.fits),
        weapons=tuple(fit.id for fit in sheet.fits if fit.offensive),
        firecons=tuple(fit.id for fit in sheet.fits if fit.type in FIRECONS),
        stock=tuple(sorted(full_stock(sheet).items())),
        weasel=weasels[0] if weasels else "",
        design=sheet.design,
        tug=is_tug,
        transfers=tug_field if is_tug else 0,
    )


@dataclass(frozen=True, slots=True)
class DesignReview:
    """A design judged for a faction's yards.

    Attributes:
        name: The name that its designer gave the class; "" if it cannot be read.
        cls: The class that it makes; None if it cannot be built.
        design: The design as it is stored.
        warnings: Hints that do not forbid it.
    """

    name: str
    cls: ShipClass | None
    design: dict[str, Any]
    faults: tuple[Violation, ...]
    warnings: tuple[Violation, ...] = ()


# By the id of the scenario object; the value keeps it alive, so that no other scenario gets this
# id.
_reviews: Cache[tuple[int, str, str], tuple[Scenario, DesignReview]] = Cache(MAX_CACHED)


def tech_base_of(scenario: Scenario, faction: str) -> TechBase | None:
    """Return the tech base of a faction's yards; None: they can build everything."""
    return next((power.tech_base for power in scenario.factions if power.id == faction), None)


def review_design(
    scenario: Scenario, faction: str, document: object, where: str = ""
) -> DesignReview:
    """Judge a design for a faction: its form, the edition's rules, its name, and technologies.

    The last results are cached, because each page and each order asks about the same designs.

    Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
    """
    key = (id(scenario), faction, repr(document))
    _, result = _reviews.get_or_make(
        key, lambda: (scenario, _review_design(scenario, faction, document))
    )
    if not where:
        return result
    return replace(
        result,
        faults=prefix_places(where, result.faults),
        warnings=prefix_places(where, result.warnings),
    )


def _review_design(scenario: Scenario, faction: str, document: object) -> DesignReview:
    """Judge a design, without the cache."""
    options = options_for(scenario, document)
    reading = read_design(document, options=options)
    design = reading.design
    if design is None:
        return DesignReview(
            name="", cls=None, design={}, faults=(*reading.malformed, *reading.illegal)
        )
    faults = [*reading.malformed, *reading.illegal, *name_faults(design.cls, "class")]
    if design.edition != scenario.edition:
        words = reason(
            "war-fought-rules-not",
            "this war is fought by the rules of '{}', not of '{}'",
            scenario.edition,
            design.edition,
        )
        faults.append(Violation("edition", "wrong-edition", words))
    rules = ruleset(design.edition, options)
    faults.extend(_class_name_faults(scenario, faction, design.cls))
    faults.extend(missing_options(design, rules))
    faults.extend(missing_technologies(design, tech_base_of(scenario, faction)))
    faults.extend(barred_faults(design_json(design), scenario.restrictions, rules))
    cls = None
    if not faults:
        cls = ship_class(sheet_of(design, options))
        cls = replace(cls, name=own_class_name(faction, design.cls))
    return DesignReview(
        name=design.cls,
        cls=cls,
        design=design_json(design),
        faults=tuple(dict.fromkeys(faults)),
        warnings=design_warnings(design, rules),
    )


def _class_name_faults(scenario: Scenario, faction: str, name: str) -> list[Violation]:
    """Return the faults of a new class's name: a slash, or another class of nearly the same name.

    A new design of the faction's own class in the catalogue keeps its name.
    """
    faults = []
    if "/" in name:
        words = reason("bad-name", "the name of a class must not contain '/'")
        faults.append(Violation("class", "bad-name", words))
    classes = {cls.name for cls in scenario.catalogue}
    used_names: set[str] = set()
    for cls in classes:
        titles = (cls, short_class_name(cls), class_name(scenario, faction, cls))
        used_names.update(map(name_skeleton, titles))
    if name_skeleton(name) in used_names and own_class_name(faction, name) not in classes:
        words = reason("class-twice", "there is already a class '{}'", name)
        faults.append(Violation("class", "class-twice", words))
    return faults


def options_for(scenario: Scenario, document: object) -> tuple[str, ...]:
    """Return the options under which a design is judged: the war's if the edition is the same."""
    is_same_edition = isinstance(document, Mapping) and document.get("edition") == scenario.edition
    if is_same_edition:
        return scenario.options
    return ()


def building_faults(scenario: Scenario, faction: str, cls: ShipClass) -> tuple[Violation, ...]:
    """Return why a faction may not have ships of a class: missing technologies, what is barred.

    Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]; 2E "Introduction"
    [2e.agreed-rules]
    """
    if not cls.design:
        return ()
    faults: tuple[Violation, ...] = ()
    base = tech_base_of(scenario, faction)
    if base is not None:
        faults = missing_technologies(parse_design(cls.design), base)
    barred = barred_class_fault(scenario, cls)
    if barred is not None:
        return (*faults, barred)
    return faults


def barred_class_fault(scenario: Scenario, cls: ShipClass) -> Violation | None:
    """Return the fault of a class that has, or is, something barred in this war, or None."""
    if scenario.restrictions.is_empty:
        return None
    return class_fault(cls.design, scenario.restrictions, rules_of(scenario.edition))


def buildable_classes(
    scenario: Scenario, faction: str, designs: Iterable[Mapping[str, Any]]
) -> tuple[ShipClass, ...]:
    """Return the classes of submitted designs that can be built.

    Designs above the limit are ignored.
    """
    classes = []
    for document in islice(designs, MAX_DESIGNS):
        cls = review_design(scenario, faction, document).cls
        if cls is not None:
            classes.append(cls)
    return tuple(classes)


def add_designs(
    scenario: Scenario, known_designs: Sequence[FactionDesign], orders: Mapping[str, Orders]
) -> tuple[FactionDesign, ...]:
    """Return the designs of a world with those of new orders, sorted by class."""
    by_name = {item.cls.name: item for item in known_designs}
    for faction in sorted(orders):
        for cls in buildable_classes(scenario, faction, orders[faction].designs):
            by_name.setdefault(cls.name, FactionDesign(faction, cls))
    return tuple(by_name[name] for name in sorted(by_name))
