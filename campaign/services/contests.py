"""What a user may set against each other, and how equal points of it fare: for the page and the API alike.

Known to him are his shelf, the classes that come with the program and, of a war he plays in, what its designer shows
him: the published catalogue, his faction's own drawings and the classes of his View (its own and its prizes').
Battles are fought once in a process, a few at a time: whoever waits asks for more, and who has enough asks no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from campaign.access import Viewer
from campaign.errors import NotThere
from campaign.process_cache import ProcessCache
from campaign.rules.files import fixture_designs
from campaign.rules.matchups import (
    MOST_RUNS,
    ArcRow,
    Line,
    Odds,
    duel,
    equal_points,
    figures_of,
    fire_by_arc,
    fought,
    lines,
    odds_of,
)
from campaign.services.design_drafts import design_drafts_of
from campaign.services.shelf import shelf_of
from campaign.sight import sight_if_begun
from campaign.stored import scenario_of
from engine.core.canonical import digest
from engine.core.edition import EDITIONS
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.notation.battles import BattleFile
from engine.odds import Run

SECONDS = 2.0  # that battles are fought for one request
STEPS = (6, 12, 24, MOST_RUNS)  # battles in all, one step after another while one waits
SHELF, WAR, GIVEN = "shelf", "war", "given"

_runs: ProcessCache[str, tuple[Run, ...]] = ProcessCache(128)


@dataclass(frozen=True, slots=True)
class Contender:
    """A class that may be compared: its name, its design, the options of the war it is of."""

    name: str
    design: Mapping[str, Any]
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contest:
    """Two classes side by side, and the battle of equal points of them. `key`: of what was fought of it."""

    names: tuple[str, str]
    lines: tuple[Line, ...]
    arcs: tuple[ArcRow, ...]
    many: tuple[int, int]
    points: tuple[int, int]
    file: BattleFile
    key: str


def contenders(user: AbstractBaseUser, viewer: Viewer | None = None) -> dict[str, Contender]:
    """What can be compared, by key: a war's classes first, then the user's own designs, then the program's."""
    found = {} if viewer is None else _of_the_war(viewer)
    found |= {
        f"{SHELF}/{row.public_id}": Contender(phrase("{} (your shelf)", row.name), row.design) for row in shelf_of(user)
    }
    for edition in EDITIONS:
        found |= {f"{edition}/{name}": Contender(name, one) for name, one in fixture_designs(edition).items()}
    return found


def _of_the_war(viewer: Viewer) -> dict[str, Contender]:
    """What a player knows of the classes of his war. Raises NotThere where he plays no faction."""
    scenario, faction = scenario_of(viewer.campaign), viewer.faction
    if faction is None:
        raise NotThere(phrase("there is no such campaign"))
    view = sight_if_begun(viewer.campaign, faction)
    known: dict[str, Mapping[str, Any]] = {cls.name: cls.design for cls in scenario.catalogue if cls.design}
    known |= {cls.name: cls.design for cls in (() if view is None else view.classes)}
    known |= {row.name: row.design for row in design_drafts_of(viewer.campaign, faction)}
    where = f"({viewer.campaign.name})"
    return {
        f"{WAR}/{name}": Contender(f"{design.get('class', name)} {where}", design, scenario.options)
        for name, design in known.items()
    }


def contest_of(user: AbstractBaseUser, first: Contender, second: Contender) -> Contest:
    """Figures, fire and the battle of equal points. Raises RuleViolations for what cannot be read or fought."""
    designs = (first.design, second.design)
    if designs[0].get("edition") != designs[1].get("edition"):
        raise RuleViolations(
            [Violation("second", "other-edition", phrase("only classes of one rulebook can be compared"))]
        )
    options = first.options or second.options
    points = (figures_of(designs[0], options).points, figures_of(designs[1], options).points)
    many = equal_points(*points)
    file = duel(*designs, many, options)
    return Contest(
        names=(first.name, second.name),
        lines=lines(*designs, options),
        arcs=fire_by_arc(file),
        many=many,
        points=points,
        file=file,
        key=digest([user.pk, *map(dict, designs), list(options)]),
    )


def odds_so_far(contest: Contest, wanted: int) -> Odds | None:
    """What the battles fought already come to, so many of them at most; None where none was."""
    runs = _runs.get(contest.key, ())[:wanted]
    return odds_of(runs, contest.many, contest.points) if runs else None


def odds_fought(contest: Contest, wanted: int) -> Odds:
    """What so many battles come to; as many of them as the time of one request allows."""
    before, until = _runs.get(contest.key, ()), monotonic() + SECONDS
    runs = _runs.keep(contest.key, fought(contest.file, before, wanted, lambda: monotonic() < until))
    return odds_of(runs[:wanted], contest.many, contest.points)


def next_step(runs: int, steps: Sequence[int] = STEPS) -> int:
    """How many battles are asked for next; 0 after the last."""
    return next((step for step in steps if step > runs), 0)
