"""A ship class on a card: figures, damage track, and systems as text. All functions are pure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from campaign.rules.queries import class_name
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import View
from engine.core.phrase import join_phrases, phrase
from engine.design.designations import designations_of, role_of
from engine.design.value import Design, Figures, Fitting
from engine.design.warnings import design_warnings
from engine.english import kind_words, model_words, times_words
from engine.notation.designs import parse_design
from engine.ruleset import ruleset


@dataclass(frozen=True, slots=True)
class ClassCard:
    """A class as the faction's navy sees it.

    Attributes:
        kind: The kind of its hull.
        mass_used: The MASS of hull, drives and systems.
        capacity: The MASS that its rules allow.
        cpv: The combat points value; None if the edition has none.
        cls: Its name in orders.
        display_name: Its name in the navy.
        design_name: The name that its designer gave it.
        is_own: Whether it is a design draft of the faction.
        rows: Boxes of each row of the damage track, upper row first.
        crew: The boxes, counted along the track, with which crew factors are lost; empty if the
            edition has no crews.
        armour: (standard, regenerative) boxes of each layer, the innermost first.
        role: "carrier" or "mothership"; "" for other ships.
        designations: The abbreviations that Continuum gives warships of its mass.
        in_service: How many such ships the faction has now.
        warnings: Hints about it, such as systems that have no effect in battles yet.
    """

    cls: str
    display_name: str
    design_name: str
    is_own: bool
    kind: str
    classification: str
    mass: int
    mass_used: int
    capacity: int
    points: int
    cpv: int | None
    thrust: int
    drive: str
    ftl: str
    rows: tuple[int, ...]
    crew: tuple[int, ...]
    armour: tuple[tuple[int, int], ...]
    stealth: int
    systems: tuple[str, ...]
    in_service: int
    design: dict[str, Any]
    warnings: tuple[str, ...] = ()
    role: str = ""
    designations: tuple[str, ...] = ()


def build_card(
    scenario: Scenario, faction: str, cls: ShipClass, *, is_own: bool, in_service: int = 0
) -> ClassCard:
    """Build the card of a class.

    Rules: Continuum "System status display" 2.4 [camp.tech-base]
    """
    design, figures, warnings = _load_design(
        json.dumps(cls.design, sort_keys=True), scenario.options
    )
    return ClassCard(
        cls=cls.name,
        display_name=class_name(scenario, faction, cls.name),
        design_name=phrase(design.cls),
        is_own=is_own,
        kind=design.kind,
        classification=figures.classification,
        mass=design.mass,
        mass_used=figures.mass_used,
        capacity=figures.capacity,
        points=figures.points,
        cpv=figures.cpv,
        thrust=design.thrust,
        drive=design.drive,
        ftl=design.ftl,
        rows=figures.rows,
        crew=figures.crew or (),
        armour=design.armour,
        stealth=design.stealth,
        systems=tuple(fitting_words(item) for item in design.systems),
        in_service=in_service,
        design=cls.design,
        warnings=warnings,
        role=role_of(design),
        designations=tuple(row.short for row in designations_of(design)),
    )


@lru_cache(maxsize=512)
def _load_design(text: str, options: tuple[str, ...]) -> tuple[Design, Figures, tuple[str, ...]]:
    """Return the design of a JSON text, its figures and its warnings."""
    design = parse_design(json.loads(text), options=options)
    rules = ruleset(design.edition, options)
    warnings = dict.fromkeys(warning.message for warning in design_warnings(design, rules))
    return design, rules.yard.figures(design, rules), tuple(warnings)


def list_cards(
    scenario: Scenario, faction: str, view: View | None, drafts: Sequence[ShipClass]
) -> tuple[ClassCard, ...]:
    """Return the cards of a faction's classes.

    Its drafts come first, then its other designs and prizes, then those of the scenario.

    A class that was built with another design than the present draft keeps a card of its own.

    Args:
        drafts: The faction's design drafts, the newest of each name.
    """
    ships_of_class: Counter[str] = Counter()
    known_classes: Sequence[ShipClass] = ()
    if view is not None:
        ships_of_class.update(ship.cls for ship in view.ships)
        known_classes = view.classes
    draft_of = {cls.name: cls for cls in drafts}
    other_classes = []
    for cls in known_classes:
        if cls.name not in draft_of or cls.design != draft_of[cls.name].design:
            other_classes.append(cls)
    other_classes += _scenario_classes(scenario, faction, frozenset(ships_of_class))
    cards = []
    for cls in (*draft_of.values(), *other_classes):
        cards.append(
            build_card(
                scenario,
                faction,
                cls,
                is_own=draft_of.get(cls.name) is cls,
                in_service=ships_of_class[cls.name],
            )
        )
    return tuple(cards)


def _scenario_classes(
    scenario: Scenario, faction: str, classes_in_service: frozenset[str]
) -> list[ShipClass]:
    """Return the classes of the catalogue that the scenario gives the faction or that it has.

    A scenario that gives the faction no ships allows all classes of the catalogue.
    """
    given_ships: list[tuple[str, int]] = []
    for pick in dict(scenario.defaults).get(faction, ()):
        given_ships += pick.ships
    for arrival in scenario.reinforcements:
        if arrival.faction == faction:
            given_ships += arrival.ships
    given_classes = {cls for cls, _ in given_ships}
    names = given_classes | classes_in_service
    classes: list[ShipClass] = []
    for cls in scenario.catalogue:
        if cls.design and (cls.name in names or not given_classes):
            classes.append(cls)
    return classes


def fitting_words(item: Fitting) -> str:
    """Return the text of a row of a design: `2 × beam 3 (FP F FS)`, `hangar: 6 fast standard`."""
    words = [model_words(item.type, item.variant)]
    if item.size:
        words.append(str(item.size))
    text = join_phrases(" ", words)
    if item.mass:
        text = phrase("{}, mass {}", text, item.mass)
    if item.arcs:
        text += f" ({' '.join(item.arcs)})"
    if item.turret:
        text = phrase("{} in {}", text, item.turret)
    if item.flags:
        text += join_phrases("", (f", {flag}" for flag in item.flags))
    if item.load:
        text = phrase("{}: {}", text, _load_text(item))
    return times_words(item.count, text)


def _load_text(item: Fitting) -> str:
    """Return what a row of a design carries: `6 fast standard`."""
    loads = []
    for kind, number in item.load:
        kinds = map(kind_words, (*item.mods, kind))
        loads.append(join_phrases(" ", (str(number), *kinds)))
    return join_phrases(", ", loads)
