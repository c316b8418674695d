"""A quick estimate of how strong a player's ships are compared with believed hostile forces.

It adds up the fire and endurance of ships (`engine.captains.continuum.strength`) and fights no
battle, so it is available at once. The forces are those of the first samples whose battles are
fought later. `python -m tools.bench.beliefs` measures how often the side that it calls stronger
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

FORCES = 19  # samples; nine in ten further ones fall between their lowest and highest
MAX_PERCENT = 999  # higher percentages are shown as this


@dataclass(frozen=True, slots=True)
class Estimate:
    """The strength of a player's ships in per cent of believed hostile forces.

    If no sampled force has ships, all fields but `empty` are 0.

    Attributes:
        forces: The number of sampled forces with ships.
        stronger: How many of them are weaker than the player's ships.
        median: Per cent of the median force.
        extremes: Per cent of the strongest and of the weakest force.
        empty: The number of samples without ships.
    """

    forces: int
    stronger: int
    median: int
    extremes: tuple[int, int]
    empty: int


def estimate(belief: Belief, question: Question) -> Estimate | None:
    """Estimate strengths from the first samples of a question.

    Returns:
        None if the player's side has no ships, or if a class has no known design.
    """
    groups = own_ships(belief, question)
    samples = []
    for number in range(FORCES):
        samples.append(belief.force(question.hex, question.toward, number, question.decoys))
    forces = [force for force in samples if force.ships]
    class_names = [ship.cls for group in groups for ship in group] + [
        ship.cls for force in forces for ship in force.ships
    ]
    if not groups or not all(belief.classes[name].design for name in class_names):
        return None
    if not forces:
        return Estimate(0, 0, 0, (0, 0), len(samples))
    options = belief.scenario.options
    texts = {}
    for name in dict.fromkeys(class_names):
        texts[name] = json.dumps(belief.classes[name].design)
    mine = sum(_own_strength(belief, ship) for group in groups for ship in group)
    their_strengths = []
    for force in forces:
        their_strengths.append(
            sum(
                strength_now(texts[ship.cls], options, ship.damage, ship.lost)
                for ship in force.ships
            )
        )
    shares = sorted(_percent(mine, strength) for strength in their_strengths)
    return Estimate(
        len(forces),
        sum(mine > strength for strength in their_strengths),
        shares[len(shares) // 2],
        (shares[0], shares[-1]),
        len(samples) - len(forces),
    )


def upper_bound_percent(cases: int) -> int:
    """Return a 95% upper bound for an event that happened in none of `cases`.

    Returns:
        Per cent of further cases in which it may happen.
    """
    share: float = 1 - 0.05 ** (1 / cases)
    return round(100 * share)


def _own_strength(belief: Belief, ship: Ship) -> float:
    design = json.dumps(loaded_design(belief.classes[ship.cls], ship))
    return strength_now(
        design, belief.scenario.options, ship.damage, ship.lost, ship.stock, ship.notes
    )


def _percent(mine: float, theirs: float) -> int:
    """Return one strength in per cent of another."""
    if not mine:
        return 0
    if theirs:
        return min(MAX_PERCENT, round(100 * mine / theirs))
    return MAX_PERCENT
