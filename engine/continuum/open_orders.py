"""Orders are opened: what every ship flies this turn, and what its plot's further words do before anything moves.

Rules: Continuum "Write orders phase" 2.6 [pc.sequence]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.continuum.emergency_thrust import emergencies
from engine.continuum.ftl import announce
from engine.continuum.plot_words import words_opened
from engine.continuum.squadrons import form_up
from engine.continuum.weapon_orders import arm_cannons
from engine.core.orders import Plot
from engine.core.table import Table
from engine.movement.plots import obeyed


def open_orders(table: Table, plots: Mapping[str, Plot]) -> dict[str, Plot]:
    """Phase 1, in place: the plots that are carried out, by ship; who cannot carry out his holds course and speed.

    Those led in a squadron have their leader's, those whose emergency thrust fails what they fly instead.
    Rules: Continuum "Write orders phase" 2.6 [pc.sequence]
    """
    orders = obeyed(table, plots)
    announce(table)
    form_up(table, orders)
    emergencies(table, orders)
    words_opened(table, orders)
    arm_cannons(table, orders)
    return orders
