"""A quick estimate of how strong a player's ships are compared with believed hostile forces.

It adds up the fire and endurance of ships (`engine.captains.continuum.strength`) and fights no
battle, so it is available at once. The forces are those of the first samples whose battles are
fought later. `python -m tools.bench.beliefs` measures how often the side that it calls stronger
wins.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from campaign.belief.forces import Belief, BelievedForce
from campaign.belief.meetings import Question, force_of, own_ships
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
    own_fleets = own_ships(belief, question)
    samples = []
    for number in range(FORCES):
        samples.append(force_of(belief, question, number))
    forces = [force for force in samples if force.ships]
    if not own_fleets or not _have_known_designs(belief, own_fleets, forces):
        return None
    empty = len(samples) - len(forces)
    if not forces:
        return Estimate(forces=0, stronger=0, median=0, extremes=(0, 0), empty=empty)
    own_strength = 0.0
    for fleet in own_fleets:
        for ship in fleet:
            own_strength += _own_strength(belief, ship)
    strengths = _force_strengths(belief, forces)
    shares = sorted(_percent(own_strength, strength) for strength in strengths)
    return Estimate(
        forces=len(forces),
        stronger=sum(own_strength > strength for strength in strengths),
        median=shares[len(shares) // 2],
        extremes=(shares[0], shares[-1]),
        empty=empty,
    )


def _have_known_designs(
    belief: Belief, own_fleets: Sequence[Sequence[Ship]], forces: Sequence[BelievedForce]
) -> bool:
    """Return whether the designs of all classes are known."""
    class_names: set[str] = set()
    for fleet in own_fleets:
        class_names.update(ship.cls for ship in fleet)
    for force in forces:
        class_names.update(ship.cls for ship in force.ships)
    return all(belief.classes[name].design for name in class_names)


def upper_bound_percent(cases: int) -> int:
    """Return a 95% upper bound for an event that happened in none of `cases`.

    Returns:
        Per cent of further cases in which it may happen.
    """
    share: float = 1 - 0.05 ** (1 / cases)
    return round(100 * share)


def _own_strength(belief: Belief, ship: Ship) -> float:
    """Return the strength of one of the player's ships in its present state."""
    design = json.dumps(loaded_design(belief.classes[ship.cls], ship))
    return strength_now(
        design,
        belief.scenario.options,
        damage=ship.damage,
        lost=ship.lost,
        stock=ship.stock,
        notes=ship.notes,
    )


def _force_strengths(belief: Belief, forces: Sequence[BelievedForce]) -> list[float]:
    """Return the strengths of sampled forces; the design of each class is encoded once."""
    designs: dict[str, str] = {}
    strengths = []
    for force in forces:
        total = 0.0
        for ship in force.ships:
            if ship.cls not in designs:
                designs[ship.cls] = json.dumps(belief.classes[ship.cls].design)
            total += strength_now(
                designs[ship.cls], belief.scenario.options, damage=ship.damage, lost=ship.lost
            )
        strengths.append(total)
    return strengths


def _percent(own_strength: float, strength: float) -> int:
    """Return the player's strength in per cent of another."""
    if not own_strength:
        return 0
    if strength:
        return min(MAX_PERCENT, round(100 * own_strength / strength))
    return MAX_PERCENT
