"""Compare two ship classes: which ones a user may compare, and how equal points of them fare.

Used by pages and API. A user may compare the designs in their library, the classes that come with
the program and, in a war they play in, what its design page shows them: the published catalogue,
the faction's own drafts, the classes in its view (its own and those of prizes), and foreign classes
as far as battles showed them. A class that is not fully known fights no battle. Workers fight the
battles (`campaign.services.simulations`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from django.contrib.auth.models import AbstractBaseUser

from campaign.access import Viewer
from campaign.errors import NotFound
from campaign.models.campaign import Campaign, Faction
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
from campaign.rules.scenario import Scenario
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

MAX_BATTLES = 400  # between two classes
# First part of a contender's key: where the class comes from
LIBRARY = "library"  # a user's own designs
WAR = "war"  # the user's war
FOREIGN = "seen"  # foreign classes met in battle
UNNAMED = "given"  # a design sent with the request
UNKNOWN = phrase("unknown")
NO_WINNER = -1  # in a stored result

T = TypeVar("T")


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
        """The edition of the rules by which the class is designed."""
        return self.edition or self.design.get("edition")

    @property
    def is_complete(self) -> bool:
        """Return whether the whole class is known."""
        return self.foreign_class is None or self.foreign_class.is_complete


@dataclass(frozen=True, slots=True)
class Contest:
    """Two classes of one rulebook, in numbers that make sides of equal points, and their battle.

    Attributes:
        counts: The number of ships of each class.
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
    for row in library_of(user):
        name = phrase("{} (your designs)", row.name)
        result[f"{LIBRARY}/{row.public_id}"] = Contender(name, row.design)
    for edition in EDITIONS:
        for name, document in fixture_designs(edition).items():
            result[f"{edition}/{name}"] = Contender(name, document)
    return result


def _war_contenders(viewer: Viewer) -> dict[str, Contender]:
    """Return the classes a player knows in their war. Raises NotFound if they play no faction."""
    faction = viewer.faction
    if faction is None:
        raise NotFound(phrase("there is no such campaign"))
    scenario = scenario_of(viewer.campaign)
    result = {}
    for name, design in _war_designs(viewer.campaign, faction, scenario).items():
        words = f"{design.get('class', name)} ({viewer.campaign.name})"
        result[f"{WAR}/{name}"] = Contender(words, design, scenario.options)
    return result | _foreign_contenders(viewer.campaign, faction, scenario)


def _war_designs(
    campaign: Campaign, faction: Faction, scenario: Scenario
) -> dict[str, Mapping[str, Any]]:
    """Return the designs of the catalogue, of the faction's view and of its drafts, by class."""
    designs: dict[str, Mapping[str, Any]] = {}
    for cls in scenario.catalogue:
        if cls.design:
            designs[cls.name] = cls.design
    view = current_view(campaign, faction)
    if view is not None:
        designs |= {cls.name: cls.design for cls in view.classes}
    designs |= {row.name: row.design for row in design_drafts_of(campaign, faction)}
    return designs


def _foreign_contenders(
    campaign: Campaign, faction: Faction, scenario: Scenario
) -> dict[str, Contender]:
    """Return foreign classes as far as battles showed them, without those of the catalogue."""
    published = {cls.design["class"] for cls in scenario.catalogue if cls.design}
    power_names = {power.id: power.name for power in scenario.factions}
    result = {}
    for (side, name), foreign_class in foreign_classes_of(campaign, faction).items():
        if name in published:
            continue
        owners = join_phrases(" + ", (power_names.get(key, key) for key in side.split("+")))
        result[f"{FOREIGN}/{side}/{name}"] = Contender(
            name=phrase("{} ({}, met in week {})", name, owners, foreign_class.week),
            design=foreign_class.design or {},
            options=scenario.options,
            edition=scenario.edition,
            foreign_class=foreign_class,
        )
    return result


def contest_of(first: Contender, second: Contender) -> Contest:
    """Build the contest of two classes.

    Raises:
        RuleViolations: A design cannot be parsed or cannot fight, or is not fully known.
    """
    _check_same_rulebook(first, second)
    options = first.options or second.options

    def points_of(contender: Contender) -> int:
        """Return the points of one ship; 0 if the class is not fully known."""
        return figures_of(contender.design, options).points if contender.is_complete else 0

    points = _of_both(points_of, first, second)
    violations = []
    for where, contender in (("first", first), ("second", second)):
        if not contender.is_complete:
            words = phrase(
                "this class is only partly known, so no battles can be simulated with it"
            )
            violations.append(Violation(where, "not-known", words))
    if violations:
        raise RuleViolations(violations)
    counts = equal_points(*points)
    return Contest(
        names=(first.name, second.name),
        designs=(first.design, second.design),
        options=options,
        counts=counts,
        points=points,
        file=_named_duel((first, second), counts, options),
    )


def _named_duel(
    contenders: tuple[Contender, Contender], counts: tuple[int, int], options: tuple[str, ...]
) -> BattleFile:
    """Return the battle of two classes; its faults say which class they are about."""
    first, second = contenders
    try:
        return duel(first.design, second.design, counts, options)
    except RuleViolations as error:
        violations = []
        for violation in error.violations:
            for number, contender in enumerate(contenders):
                if violation.where.startswith(f"sides[{number}]"):
                    violation = _name_class(violation, contender)
            violations.append(violation)
        raise RuleViolations(violations) from error


def _name_class(violation: Violation, contender: Contender) -> Violation:
    """Return a fault with the name of its class before the message."""
    return replace(violation, message=phrase("{}: {}", contender.name, violation.message))


def side_by_side(first: Contender, second: Contender) -> SideBySide:
    """Compare the figures of two classes, as far as they are known.

    Raises:
        RuleViolations: A design cannot be parsed.
    """
    _check_same_rulebook(first, second)
    options = first.options or second.options
    figures = _of_both(lambda contender: _figures_of(contender, options), first, second)
    fire = []
    for contender in (first, second):
        fire.append(fire_of(contender.design, options) if contender.design else None)
    missing = (_missing_figure_words(first), _missing_figure_words(second))
    figure_lines = lines(*figures, missing)
    return SideBySide(figure_lines, fire_by_arc(str(first.rulebook), fire, UNKNOWN))


def _figures_of(contender: Contender, options: tuple[str, ...]) -> Mapping[str, str]:
    """Return a class's figures in words, as far as they are known."""
    if contender.foreign_class is not None:
        return contender.foreign_class.figures
    return describe_figures(contender.design, options)


def _missing_figure_words(contender: Contender) -> str:
    """Return what is shown for a figure that the other class has and this one lacks."""
    return NOT_APPLICABLE if contender.is_complete else UNKNOWN


def _check_same_rulebook(first: Contender, second: Contender) -> None:
    """Raise RuleViolations if the classes belong to different rulebooks."""
    if first.rulebook != second.rulebook:
        words = phrase("only classes of one rulebook can be compared")
        raise RuleViolations([Violation("second", "other-edition", words)])


def _of_both(
    figure_of: Callable[[Contender], T], first: Contender, second: Contender
) -> tuple[T, T]:
    """Return a figure of both classes.

    Raises:
        RuleViolations: One or both designs are faulty; the faults name their class.
    """
    values = []
    violations = []
    for contender in (first, second):
        try:
            values.append(figure_of(contender))
        except RuleViolations as error:
            violations += [_name_class(violation, contender) for violation in error.violations]
    if violations:
        raise RuleViolations(violations)
    return values[0], values[1]


def contest_battles(question: Mapping[str, Any]) -> Callable[[int], list[Any]]:
    """Return a function that fights the contest's battle of a given number.

    Its result is [index of the winner or -1, shares of points lost, turns].
    """
    first, second = question["designs"]
    first_count, second_count = question["many"]
    file = duel(first, second, (first_count, second_count), question["options"])

    def battle(number: int) -> list[Any]:
        run = fight_run(file, number)
        winner = NO_WINNER if run.winner is None else SIDES.index(run.winner)
        return [winner, list(run.losses), run.turns]

    return battle


def contest_odds(question: Mapping[str, Any], samples: Sequence[Sequence[Any]]) -> Odds | None:
    """Sum up the battles of a contest; None without any."""
    if not samples:
        return None
    runs = []
    for winner, losses, turns in samples:
        runs.append(Run(None if winner == NO_WINNER else SIDES[winner], tuple(losses), turns))
    first_count, second_count = question["many"]
    first_points, second_points = question["points"]
    return odds_of(runs, (first_count, second_count), (first_points, second_points))
