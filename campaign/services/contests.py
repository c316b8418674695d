"""Compare two ship classes: which ones a user may compare, and how equal points of them fare.

Used by pages and API. A user may compare the designs in their library, the classes that come with
the program and, in a war they play in, what its design page shows them: the published catalogue,
the faction's own drafts, the classes in its view (its own and those of prizes), and foreign classes
as far as battles showed them. A class that is not fully known fights no battle. Workers fight the
battles (`campaign.services.simulations`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from campaign.access import Viewer
from campaign.errors import NotFound
from campaign.rules.class_figures import NOT_APPLICABLE, describe_figures, figures_of
from campaign.rules.files import fixture_designs
from campaign.rules.foreign_classes import ForeignClass
from campaign.rules.matchups import (
    SIDES,
    ArcRow,
    Line,
    Odds,
    duel,
    equal_points,
    fire_by_arc,
    fire_of,
    lines,
    odds_of,
)
from campaign.services.design_drafts import design_drafts_of
from campaign.services.design_library import library_of
from campaign.services.foreign_classes import foreign_classes_of
from campaign.sight.views import current_view
from campaign.store.documents import scenario_of
from engine.core.edition import EDITIONS
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import join_phrases, phrase
from engine.notation.battles import BattleFile
from engine.odds import Run, fight_run

MOST_BATTLES = 400  # between two classes
LIBRARY, WAR, FOREIGN, UNNAMED = "library", "war", "seen", "given"
UNKNOWN = phrase("unknown")


@dataclass(frozen=True, slots=True)
class Contender:
    """A class that can be compared: its name, design, and the options of its war.

    Attributes:
        foreign_class: What is known of a foreign class. Its design may be empty then, and shows no
            loads unless `is_complete`.
    """

    name: str
    design: Mapping[str, Any]
    options: tuple[str, ...] = ()
    edition: str = ""
    foreign_class: ForeignClass | None = None

    @property
    def rulebook(self) -> object:
        return self.edition or self.design.get("edition")

    @property
    def is_complete(self) -> bool:
        """Return whether the whole class is known."""
        return self.foreign_class is None or self.foreign_class.is_complete


@dataclass(frozen=True, slots=True)
class Contest:
    """Two classes of one rulebook, in numbers that make sides of equal points, and their battle.

    Attributes:
        points: Points of one ship of each class.
    """

    names: tuple[str, str]
    designs: tuple[Mapping[str, Any], Mapping[str, Any]]
    options: tuple[str, ...]
    counts: tuple[int, int]
    points: tuple[int, int]
    file: BattleFile

    def question(self) -> dict[str, Any]:
        """Return this contest as stored for the workers."""
        return {
            "names": [str(name) for name in self.names],
            "designs": [dict(design) for design in self.designs],
            "options": list(self.options),
            "many": list(self.counts),
            "points": list(self.points),
        }


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The figures of two classes side by side, and what their weapons do."""

    lines: tuple[Line, ...]
    arcs: tuple[ArcRow, ...]


def list_contenders(user: AbstractBaseUser, viewer: Viewer | None = None) -> dict[str, Contender]:
    """Return what a user can compare, by key: the war's classes, their designs, then fixtures."""
    result = {} if viewer is None else _war_contenders(viewer)
    result |= {
        f"{LIBRARY}/{row.public_id}": Contender(phrase("{} (my designs)", row.name), row.design)
        for row in library_of(user)
    }
    for edition in EDITIONS:
        result |= {
            f"{edition}/{name}": Contender(name, document)
            for name, document in fixture_designs(edition).items()
        }
    return result


def _war_contenders(viewer: Viewer) -> dict[str, Contender]:
    """Return the classes a player knows in their war. Raises NotFound if they play no faction."""
    scenario = scenario_of(viewer.campaign)
    faction = viewer.faction
    if faction is None:
        raise NotFound(phrase("there is no such campaign"))
    view = current_view(viewer.campaign, faction)
    designs: dict[str, Mapping[str, Any]] = {}
    for cls in scenario.catalogue:
        if cls.design:
            designs[cls.name] = cls.design
    designs |= {cls.name: cls.design for cls in (() if view is None else view.classes)}
    designs |= {row.name: row.design for row in design_drafts_of(viewer.campaign, faction)}
    where = f"({viewer.campaign.name})"
    result = {}
    for name, design in designs.items():
        result[f"{WAR}/{name}"] = Contender(
            f"{design.get('class', name)} {where}", design, scenario.options
        )
    published = {cls.design["class"] for cls in scenario.catalogue if cls.design}
    power_names = {power.id: power.name for power in scenario.factions}
    for (side, name), foreign in foreign_classes_of(viewer.campaign, faction).items():
        if name not in published:
            owners = join_phrases(" + ", (power_names.get(key, key) for key in side.split("+")))
            words = phrase("{} ({}, met in week {})", name, owners, foreign.week)
            result[f"{FOREIGN}/{side}/{name}"] = Contender(
                words, foreign.design or {}, scenario.options, scenario.edition, foreign
            )
    return result


def contest_of(first: Contender, second: Contender) -> Contest:
    """Build the contest of two classes.

    Raises:
        RuleViolations: A design cannot be parsed or cannot fight, or is not fully known.
    """
    _of_one_rulebook(first, second)
    if hidden := [
        where
        for where, contender in zip(("first", "second"), (first, second), strict=True)
        if not contender.is_complete
    ]:
        words = phrase("this class is only partly known, so no battles can be simulated with it")
        raise RuleViolations([Violation(where, "not-known", words) for where in hidden])
    designs = (first.design, second.design)
    options = first.options or second.options
    points = (figures_of(designs[0], options).points, figures_of(designs[1], options).points)
    counts = equal_points(*points)
    return Contest(
        (first.name, second.name), designs, options, counts, points, duel(*designs, counts, options)
    )


def side_by_side(first: Contender, second: Contender) -> SideBySide:
    """Compare the figures of two classes, as far as they are known.

    Raises:
        RuleViolations: A design cannot be parsed.
    """
    _of_one_rulebook(first, second)
    options = first.options or second.options
    pair = (first, second)
    figures = []
    for contender in pair:
        figures.append(
            describe_figures(contender.design, options)
            if contender.foreign_class is None
            else contender.foreign_class.figures
        )
    missing = tuple(NOT_APPLICABLE if contender.is_complete else UNKNOWN for contender in pair)
    fire = []
    for contender in pair:
        fire.append(fire_of(contender.design, options) if contender.design else None)
    arcs = fire_by_arc(str(first.rulebook), fire, UNKNOWN)
    return SideBySide(lines(figures[0], figures[1], (missing[0], missing[1])), arcs)


def _of_one_rulebook(first: Contender, second: Contender) -> None:
    if first.rulebook != second.rulebook:
        raise RuleViolations(
            [
                Violation(
                    "second",
                    "other-edition",
                    phrase("only classes of one rulebook can be compared"),
                )
            ]
        )


def contest_battles(question: Mapping[str, Any]) -> Callable[[int], list[Any]]:
    """Return a function that fights the contest's battle of a given number.

    Its result is [index of the winner or -1, shares of points lost, turns].
    """
    (first, second), (a, b) = question["designs"], question["many"]
    file = duel(first, second, (a, b), question["options"])

    def battle(number: int) -> list[Any]:
        run = fight_run(file, number)
        return [-1 if run.winner is None else SIDES.index(run.winner), list(run.losses), run.turns]

    return battle


def contest_odds(question: Mapping[str, Any], samples: Sequence[Sequence[Any]]) -> Odds | None:
    """Sum up the battles of a contest; None without any."""
    runs = []
    for winner, losses, turns in samples:
        runs.append(Run(None if winner < 0 else SIDES[winner], tuple(losses), turns))
    (a, b), (x, y) = question["many"], question["points"]
    if runs:
        return odds_of(runs, (a, b), (x, y))
    return None
