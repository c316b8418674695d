"""Shipyards: what an installation's yards can lay down in one turn of the campaign.

A yard is a system of an installation, of any mass. A ship built or modified in it weighs up to twice the yard, and so
do all those together that are in it in one turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.errors import Violation, place
from engine.core.sheet import INSTALLATION, Sheet

YARD = "shipyard"
TIMES = 2  # its own mass, of ships in one turn


@dataclass(frozen=True, slots=True)
class Job:
    """Work of a turn: a ship of that mass is built or modified in the yard of that id."""

    ship: str
    mass: int
    yard: str


def yards_of(sheet: Sheet, lost: Sequence[str] = ()) -> dict[str, int]:
    """The working yards of an installation by their ids, each with the mass of ships it takes a turn.

    Ships and system defence boats have none.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    if sheet.kind != INSTALLATION:
        return {}
    return {fit.id: TIMES * fit.mass for fit in sheet.fits if fit.type == YARD and fit.id not in lost}


def yard_violations(yards: Mapping[str, int], jobs: Sequence[Job], where: str = "jobs") -> tuple[Violation, ...]:
    """All that is wrong with a turn's work; `yards`: the mass of ships each takes.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    found: list[Violation] = []
    taken = dict.fromkeys(yards, 0)
    seen: dict[str, int] = {}
    for number, job in enumerate(jobs):
        spot = place(where, number)
        if job.ship in seen:
            words = f"'{job.ship}' is in a yard already in {place(where, seen[job.ship])}"
            found.append(Violation(f"{spot}.ship", "twice", words))
        seen.setdefault(job.ship, number)
        if job.yard not in yards:
            found.append(Violation(f"{spot}.yard", "no-yard", f"there is no working shipyard '{job.yard}' here"))
            continue
        most, before = yards[job.yard], taken[job.yard]
        taken[job.yard] += job.mass
        if job.mass > most:
            words = f"'{job.ship}' has mass {job.mass}; this yard takes ships of up to {most}"
            found.append(Violation(spot, "ship-too-large", words))
        elif before <= most < taken[job.yard]:
            words = f"ships of mass {taken[job.yard]} are in this yard; it takes {most} a turn"
            found.append(Violation(spot, "yard-full", words))
    return tuple(found)
