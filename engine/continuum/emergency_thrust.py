"""Emergency thrust, an option: more than the drive is made for, and what that may do to it.

Rules: Continuum "Emergency thrust" 3.6 [pc.emergency-thrust]
"""

from __future__ import annotations

from engine.continuum.drives import EMERGENCY, allowed, asked, fallback
from engine.core.notes import EMERGENCIES
from engine.core.orders import Plot
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.events.movement import EmergencyThrust

# What a die scores: as a beam's, without its re-roll; place 0 is no die.
SCORES = (0, 0, 0, 0, 1, 1, 2)
HELD, STRAINED, FAILED, BURNT_OUT = "held", "strained", "failed", "burnt-out"
# The outcome of each score, 4 and more as 4, and the hits on the drive.
OUTCOMES = ((HELD, 0), (STRAINED, 1), (FAILED, 1), (FAILED, 1), (BURNT_OUT, 2))


def emergencies(table: Table, plots: dict[str, Plot]) -> None:
    """Before initiative: every ship under emergency thrust throws its dice, in file order; in `plots` who fails has
    what it flies instead.

    Its drive is hit at once, what it flies this turn it flies all the same.
    Rules: Continuum "Emergency thrust" 3.6 [pc.emergency-thrust]
    """
    for ship in table.state.ships:
        plot = plots.get(ship.id)
        if plot is not None and plot.word(EMERGENCY) is not None:
            thrown = tuple(
                table.dice.roll("emergency-thrust", ship.id) for _ in range(dice_for(ship, plot, table.turn))
            )
            outcome = strain_drive(table, ship, thrown)
            if outcome in (FAILED, BURNT_OUT):
                plots[ship.id] = fallback(plot)


def dice_for(ship: ShipState, plot: Plot, turn: int) -> int:
    """A die for thrust over the rating, one for turning with more than is usual, one for each time before.

    Rules: Continuum "Emergency thrust" 3.6 [pc.emergency-thrust]
    """
    want, usual = asked(ship, plot), allowed(ship, turn)
    over = (want.main > usual.main) + (want.turning > usual.turning)
    return over + ship.notes.get(EMERGENCIES, 0)


def strain_drive(table: Table, ship: ShipState, thrown: tuple[int, ...]) -> str:
    """Score the dice and hit the drive in place as they say; the outcome.

    Rules: Continuum "Emergency thrust" 3.6 [pc.emergency-thrust]
    """
    score = sum(SCORES[die] for die in thrown)
    outcome, hits = OUTCOMES[min(score, len(OUTCOMES) - 1)]
    hits = min(hits, ship.alive[ship.rig.drive])
    ship.strain_drive(hits)
    table.tell(EmergencyThrust, ship.id, thrown, score, outcome, hits)
    return outcome
