"""How a captain leads squadrons that others have formed: those led fly by their leader's plot until he breaks off.

Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
"""

from __future__ import annotations

from dataclasses import replace

from engine.continuum.squadrons import FlyAlone, cannot_follow, leader_of, squadron_fault
from engine.core.orders import HOLD, Plot
from engine.core.state import BattleState


def in_formation(state: BattleState, plots: dict[str, Plot], *, scatter: bool = False) -> dict[str, Plot]:
    """A side's plots as its squadrons can fly them: none for a ship that is led, and of its leader only one that all
    can follow. `scatter`: those led leave, but for stands, each with a plot of its own; their leader can jump when they
    have left.
    """
    if not any(ship.record.squadron for ship in state.ships):
        return plots
    found: dict[str, Plot] = {}
    for name, plot in plots.items():
        ship = state.named(name)
        led = leader_of(state, ship) is not None
        if led and (not scatter or ship.record.stand):
            continue
        kept = replace(plot, further=(*plot.further, FlyAlone())) if led else plot
        flown = not squadron_fault(state, ship, kept) and not (ship.record.stand and cannot_follow(state, ship, kept))
        found[name] = kept if flown else HOLD
    return found
