"""An answer before the first battle is fought: how strong one's own ships are beside forces that
may be there.

It weighs the fire of ships and how long they last (`engine.captains.continuum.strength`), adds them
up and fights nothing, so it is there at once. The forces are those of the first samples whose
battles follow. `python -m tools.bench.beliefs` says how often the side that it calls the stronger
wins.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from campaign.belief.forces import Belief
from campaign.belief.meetings import Question, own_ships
from campaign.belief.strengths import strength_now
from campaign.rules.rearming import loaded_design
from campaign.rules.view import Ship

FORCES = 19  # drawn: their lowest and highest hold nine in ten
MAX_PERCENT = 999  # per cent: whatever is more is told as that


@dataclass(frozen=True, slots=True)
class Estimate:
    """How strong one's own ships are in per cent of theirs: beside the `median` of the forces
    drawn, and beside the strongest and the weakest of them (`extremes`). `forces`: those with ships
    in them, `empty`: those without; `stronger`: than how many of the former one's own ships are
    stronger. Where none of them has ships, all but `empty` is 0.
    """

    forces: int
    stronger: int
    median: int
    extremes: tuple[int, int]
    empty: int


def estimate(belief: Belief, question: Question) -> Estimate | None:
    """The estimate by the first forces of a question; None where one's own side has no ships, or a
    class has no known design.
    """
    groups = own_ships(belief, question)
    samples = [
        belief.force(question.hex, question.toward, number, question.decoys)
        for number in range(FORCES)
    ]
    forces = [force for force in samples if force.ships]
    class_names = [ship.cls for group in groups for ship in group] + [
        ship.cls for force in forces for ship in force.ships
    ]
    if not groups or not all(belief.classes[name].design for name in class_names):
        return None
    if not forces:
        return Estimate(0, 0, 0, (0, 0), len(samples))
    options = belief.scenario.options
    texts = {name: json.dumps(belief.classes[name].design) for name in dict.fromkeys(class_names)}
    mine = sum(_own_strength(belief, ship) for group in groups for ship in group)
    their_strengths = [
        sum(strength_now(texts[ship.cls], options, ship.damage, ship.lost) for ship in force.ships)
        for force in forces
    ]
    shares = sorted(_percent(mine, strength) for strength in their_strengths)
    return Estimate(
        len(forces),
        sum(mine > strength for strength in their_strengths),
        shares[len(shares) // 2],
        (shares[0], shares[-1]),
        len(samples) - len(forces),
    )


def upper_bound_percent(cases: int) -> int:
    """In how many of 100 further cases something may happen that did in none of so many: 19 in 20
    times in no more.
    """
    share: float = 1 - 0.05 ** (1 / cases)
    return round(100 * share)


def _own_strength(belief: Belief, ship: Ship) -> float:
    design = json.dumps(loaded_design(belief.classes[ship.cls], ship))
    return strength_now(
        design, belief.scenario.options, ship.damage, ship.lost, ship.stock, ship.notes
    )


def _percent(mine: float, theirs: float) -> int:
    """One strength in per cent of another."""
    if not mine:
        return 0
    return min(MAX_PERCENT, round(100 * mine / theirs)) if theirs else MAX_PERCENT
