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
from engine.design.value import Design, Figures, Fitting
from engine.design.warnings import design_warnings
from engine.english import kind_words, system_words, times_words
from engine.notation.designs import parse_design
from engine.ruleset import ruleset


@dataclass(frozen=True, slots=True)
class ClassCard:
    """A class as the faction's navy sees it.

    Attributes:
        cls: Its name in orders.
        display_name: Its name in the navy.
        design_name: The name that its designer gave it.
        is_own: Whether it is a design draft of the faction.
        rows: Boxes of each row of the damage track, upper row first.
        crew: The boxes, counted along the track, with which crew factors are lost; empty if the
            edition has no crews.
        armour: (standard, regenerative) boxes of each layer, the innermost first.
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
        design_name=design.cls,
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
    )


@lru_cache(maxsize=512)
def _load_design(text: str, options: tuple[str, ...]) -> tuple[Design, Figures, tuple[str, ...]]:
    design = parse_design(json.loads(text), options=options)
    rules = ruleset(design.edition, options)
    warnings = dict.fromkeys(warning.message for warning in design_warnings(design, rules))
    return design, rules.yard.figures(design, rules), tuple(warnings)


def list_cards(
    scenario: Scenario, faction: str, view: View | None, drafts: Sequence[ShipClass]
) -> tuple[ClassCard, ...]:
    """Return the cards of a faction's classes: its drafts, then other known ones, then the war's.

    A class that was built with another design than the present draft keeps a card of its own.

    Args:
        drafts: The faction's design drafts, the newest of each name.
    """
    if view is not None:
        ships = Counter(ship.cls for ship in view.ships)
    else:
        ships = Counter[str]()
    known_classes = {cls.name: cls for cls in (view.classes if view is not None else ())}
    mine = {cls.name: cls for cls in drafts}
    older = []
    for name, cls in known_classes.items():
        if name not in mine or cls.design != mine[name].design:
            older.append(cls)
    rows = [
        *(
            build_card(scenario, faction, cls, is_own=True, in_service=ships[name])
            for name, cls in mine.items()
        ),
        *(
            build_card(scenario, faction, cls, is_own=False, in_service=ships[cls.name])
            for cls in older
        ),
    ]
    war = _scenario_classes(scenario, faction, frozenset(ships))
    rows += [
        build_card(scenario, faction, cls, is_own=False, in_service=ships[cls.name]) for cls in war
    ]
    return tuple(rows)


def _scenario_classes(
    scenario: Scenario, faction: str, classes_in_service: frozenset[str]
) -> list[ShipClass]:
    """Return the classes of the catalogue that the scenario gives the faction or that it has.

    Without such a list these are all classes of the catalogue.
    """
    granted = {cls for pick in dict(scenario.defaults).get(faction, ()) for cls, _ in pick.ships}
    granted |= {
        cls for item in scenario.reinforcements if item.faction == faction for cls, _ in item.ships
    }
    wanted_names = granted | classes_in_service
    return [
        cls
        for cls in scenario.catalogue
        if cls.design and (cls.name in wanted_names or not granted)
    ]


def fitting_words(item: Fitting) -> str:
    """Return the text of a row of a design: `2 × beam 3 (FP F FS)`, `hangar: 6 fast standard`."""
    words = [system_words(item.type)]
    words += [word for word in (phrase(item.variant), str(item.size) if item.size else "") if word]
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
        loads = ((str(number), *map(kind_words, (*item.mods, kind))) for kind, number in item.load)
        text = phrase(
            "{}: {}", text, join_phrases(", ", (join_phrases(" ", load) for load in loads))
        )
    return times_words(item.count, text)
