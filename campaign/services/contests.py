"""What a user may set against each other, and how equal points of it fare: for the page and the API
alike.

Known to him are his shelf, the classes that come with the program and, of a war he plays in, what
its designer shows him: the published catalogue, his faction's own drawings and the classes of his
View (its own and its prizes'), and of foreign classes what his side has read of them in battle.
What it has not read is unknown, and fights no battle. Workers fight the battles
(`campaign.services.reckonings`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from campaign.access import Viewer
from campaign.errors import NotThere
from campaign.rules.class_figures import HAS_NOT, figures_of, figures_told
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
from campaign.services.foreign_classes import foreign_classes_of
from campaign.services.shelf import shelf_of
from campaign.sight.views import sight_if_begun
from campaign.store.documents import scenario_of
from engine.core.edition import EDITIONS
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import joined_phrases, phrase
from engine.notation.battles import BattleFile
from engine.odds import Run, one_run

MOST_BATTLES = 400  # fought of two classes
SHELF, WAR, SEEN, GIVEN = "shelf", "war", "seen", "given"
UNKNOWN = phrase("unknown")


@dataclass(frozen=True, slots=True)
class Contender:
    """A class that may be compared: its name, its design, the options of the war it is of.

    `seen`: of a foreign class what is known; its design may be empty then, and tells no loads where
    it is not `whole`.
    """

    name: str
    design: Mapping[str, Any]
    options: tuple[str, ...] = ()
    edition: str = ""
    seen: ForeignClass | None = None

    @property
    def rulebook(self) -> object:
        return self.edition or self.design.get("edition")

    @property
    def whole(self) -> bool:
        """Whether all of it is known."""
        return self.seen is None or self.seen.whole


@dataclass(frozen=True, slots=True)
class Contest:
    """Two classes of one rulebook, so many of either as make sides of equal points, and the battle
    of those.

    `points`: of one ship of each.
    """

    names: tuple[str, str]
    designs: tuple[Mapping[str, Any], Mapping[str, Any]]
    options: tuple[str, ...]
    many: tuple[int, int]
    points: tuple[int, int]
    file: BattleFile

    def asked(self) -> dict[str, Any]:
        """The question who wins, as it is written down."""
        return {
            "names": [str(name) for name in self.names],
            "designs": [dict(design) for design in self.designs],
            "options": list(self.options),
            "many": list(self.many),
            "points": list(self.points),
        }


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two classes side by side: their figures, and what their weapons do."""

    lines: tuple[Line, ...]
    arcs: tuple[ArcRow, ...]


def contenders(user: AbstractBaseUser, viewer: Viewer | None = None) -> dict[str, Contender]:
    """What can be compared, by key: a war's classes first, then the user's own designs, then the
    program's.
    """
    found = {} if viewer is None else _of_the_war(viewer)
    found |= {
        f"{SHELF}/{row.public_id}": Contender(phrase("{} (my designs)", row.name), row.design)
        for row in shelf_of(user)
    }
    for edition in EDITIONS:
        found |= {
            f"{edition}/{name}": Contender(name, one)
            for name, one in fixture_designs(edition).items()
        }
    return found


def _of_the_war(viewer: Viewer) -> dict[str, Contender]:
    """What a player knows of the classes of his war. Raises NotThere where he plays no faction."""
    scenario, faction = scenario_of(viewer.campaign), viewer.faction
    if faction is None:
        raise NotThere(phrase("there is no such campaign"))
    view = sight_if_begun(viewer.campaign, faction)
    known: dict[str, Mapping[str, Any]] = {
        cls.name: cls.design for cls in scenario.catalogue if cls.design
    }
    known |= {cls.name: cls.design for cls in (() if view is None else view.classes)}
    known |= {row.name: row.design for row in design_drafts_of(viewer.campaign, faction)}
    where = f"({viewer.campaign.name})"
    found = {
        f"{WAR}/{name}": Contender(f"{design.get('class', name)} {where}", design, scenario.options)
        for name, design in known.items()
    }
    published = {cls.design["class"] for cls in scenario.catalogue if cls.design}
    called = {power.id: power.name for power in scenario.factions}
    for (side, name), one in foreign_classes_of(viewer.campaign, faction).items():
        if name not in published:
            whose = joined_phrases(" + ", (called.get(key, key) for key in side.split("+")))
            words = phrase("{} ({}, met in week {})", name, whose, one.week)
            found[f"{SEEN}/{side}/{name}"] = Contender(
                words, one.design or {}, scenario.options, scenario.edition, one
            )
    return found


def contest_of(first: Contender, second: Contender) -> Contest:
    """The contest of two classes.

    Raises RuleViolations for what cannot be read or fought, or is not all known.
    """
    _of_one_rulebook(first, second)
    if hidden := [
        where
        for where, one in zip(("first", "second"), (first, second), strict=True)
        if not one.whole
    ]:
        words = phrase(
            "not all of this class is known, and nothing is taken for granted: no battle can be fought"
        )
        raise RuleViolations([Violation(where, "not-known", words) for where in hidden])
    designs = (first.design, second.design)
    options = first.options or second.options
    points = (figures_of(designs[0], options).points, figures_of(designs[1], options).points)
    many = equal_points(*points)
    return Contest(
        (first.name, second.name), designs, options, many, points, duel(*designs, many, options)
    )


def side_by_side(first: Contender, second: Contender) -> SideBySide:
    """Two classes in figures, as far as they are known.

    Raises RuleViolations for what cannot be read.
    """
    _of_one_rulebook(first, second)
    options, both = first.options or second.options, (first, second)
    told = [
        figures_told(one.design, options) if one.seen is None else one.seen.figures for one in both
    ]
    missing = tuple(HAS_NOT if one.whole else UNKNOWN for one in both)
    fire = [fire_of(one.design, options) if one.design else None for one in both]
    arcs = fire_by_arc(str(first.rulebook), fire, UNKNOWN)
    return SideBySide(lines(told[0], told[1], (missing[0], missing[1])), arcs)


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


def contest_battles(asked: Mapping[str, Any]) -> Callable[[int], list[Any]]:
    """The battles of a contest by their numbers, each as [who won, shares of points lost, turns];
    nobody is -1.
    """
    (first, second), (a, b) = asked["designs"], asked["many"]
    file = duel(first, second, (a, b), asked["options"])

    def battle(number: int) -> list[Any]:
        run = one_run(file, number)
        return [-1 if run.winner is None else SIDES.index(run.winner), list(run.losses), run.turns]

    return battle


def contest_odds(asked: Mapping[str, Any], samples: Sequence[Sequence[Any]]) -> Odds | None:
    """What battles of a contest came to; None where none was fought."""
    runs = [
        Run(None if winner < 0 else SIDES[winner], tuple(losses), turns)
        for winner, losses, turns in samples
    ]
    (a, b), (x, y) = asked["many"], asked["points"]
    return odds_of(runs, (a, b), (x, y)) if runs else None
