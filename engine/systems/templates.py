"""Nova templates: what a nova cannon leaves on the table for three turns.

Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]; Continuum "Nova cannon" 7.23 [pc.nova-cannon]
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.dice import Dice

ARMED_AT = 6.0  # MU before the bow: where the plasma core goes off


@dataclass(frozen=True, slots=True)
class Flare:
    """A turn of a nova template: its radius and how far it moves, in MU, and the dice of damage it does."""

    radius: float
    move: float
    dice: int


# The three turns of a template, from its shot on.
FLARES = (Flare(1.0, 18.0, 6), Flare(2.0, 24.0, 4), Flare(3.0, 24.0, 2))


def burn(flare: Flare, dice: Dice, subject: str) -> tuple[int, ...]:
    """The dice of damage to one object a template sweeps: what they show is what it takes, past any screens.

    Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]
    """
    return tuple(dice.roll("damage", subject) for _ in range(flare.dice))
