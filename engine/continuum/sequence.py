"""One turn of Continuum, its fifteen phases between stops: plots, craft's attacks, point defence,
fire, damage control.

Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.asks.engage import FireAndPursuit
from engine.asks.officers import say_who_directs
from engine.asks.plot import obeyed
from engine.combat.disengaging import disengage
from engine.continuum.blasts import bursting
from engine.continuum.boarding import Boards, boarding_phase, come_aboard
from engine.continuum.checks import checks_phase
from engine.continuum.craft.decks import launch_groups
from engine.continuum.craft.dogfights import fight_all
from engine.continuum.craft.loads import launch_loads
from engine.continuum.craft.moves import fly, fly_again, follow_ships
from engine.continuum.craft.scramble import come_late, scramble
from engine.continuum.craft.shuttles import fallen, with_people
from engine.continuum.craft.targets import Attacks, declare
from engine.continuum.damage import regenerate_armour
from engine.continuum.damage_control import damage_control
from engine.continuum.defence_level import by_level, resolve_by_level
from engine.continuum.defence_orders import cloaks_end, cloaks_fail
from engine.continuum.defence_plans import Defences
from engine.continuum.drives import before_rolls, emergencies
from engine.continuum.fire_phase import fire_phase
from engine.continuum.flak import burst_all
from engine.continuum.fleet_morale import weigh_losses, withdrawing
from engine.continuum.ftl import announce
from engine.continuum.gates import call_gates, transfer
from engine.continuum.homing import chasing, home
from engine.continuum.launching import Launches, launch_all
from engine.continuum.mines import start_sweeping
from engine.continuum.movement import move_ships, orders_opened
from engine.continuum.point_defence import drop_ordnance, resolve_ordnance
from engine.continuum.reactors import drift_on, end_of_turn
from engine.continuum.riders import go_along
from engine.continuum.squadrons import close_ranks, form_up
from engine.continuum.suicide_charges import damaged_charges, detonate, follow_destruction
from engine.continuum.towing import cast_loose, make_links
from engine.continuum.weapon_orders import arm_cannons
from engine.core.kinds import CARRIED
from engine.core.orders import Control, Flight, Plot
from engine.core.table import Table
from engine.core.terms import FLEET_MORALE
from engine.movement.docking import cast_off
from engine.pieces.flak import Flak
from engine.pieces.group import Group
from engine.sequences import end_turn


def open_orders(table: Table, plots: Mapping[str, Plot]) -> dict[str, Plot]:
    """Phase 1, in place: the plots that are carried out, by ship; who cannot carry out his holds
    course and speed.

    Those led in a squadron have their leader's, those whose emergency thrust fails what they fly
    instead.
    Rules: Continuum "Write orders phase" 2.6 [pc.sequence]
    """
    orders = obeyed(table, plots)
    announce(table)
    form_up(table, orders)
    cast_loose(table, orders)
    emergencies(table, orders)
    orders_opened(table, orders)
    call_gates(table)
    start_sweeping(table, orders)
    arm_cannons(table, orders)
    return orders


def move(
    table: Table,
    plots: Mapping[str, Plot],
    launches: Launches,
    flights: Mapping[str, Flight],
    secondary: Mapping[str, Flight],
    officers: Mapping[str, bool],
) -> None:
    """Phases 1 to 5: orders are opened, ordnance and craft are launched, craft move, then ships.

    Where no craft fly, to phase 7: ordnance finds what it attacks.

    Rules: Continuum 2.6 [pc.sequence]
    """
    say_who_directs(table, officers)
    orders = open_orders(table, plots)
    with before_rolls(table.state, orders):
        launch_all(table, launches)
    launch_loads(table, launches)
    launch_groups(table, orders)
    if flights or table.state.has(Group):
        fly(table, flights, orders)
        fly_again(table, secondary, robots=True)
    drift_on(table, move_ships(table, orders))
    make_links(table, orders)
    cloaks_end(table)
    follow_destruction(table)
    if table.state.has(Group):
        follow_ships(table)
    if table.state.has(Flak):
        burst_all(table)
        follow_destruction(table)
    if not table.state.has(Group):
        home(table)


def attack(table: Table, attacks: Attacks, secondary: Mapping[str, Flight]) -> None:
    """Phases 6 to 8, where craft fly: they fly on, ordnance finds what it attacks, craft say what
    they do, and fight other craft and ordnance.

    Rules: Continuum 2.6 [pc.sequence]
    """
    fly_again(table, secondary, robots=False)
    home(table)
    answering = declare(table, attacks)
    carriers = with_people(table.state)
    fight_all(table, answering)
    fallen(table, carriers)


def defend(table: Table, orders: Defences, officers: Mapping[str, bool]) -> None:
    """Phases 9 and 10: carriers scramble groups, point defence meets ordnance and craft; what gets
    through strikes.

    Rules: Continuum 2.6 [pc.sequence]
    """
    say_who_directs(table, officers)
    resolve = resolve_by_level if by_level(table.state) else resolve_ordnance
    carriers = with_people(table.state)
    late = scramble(table, orders)
    resolve(table, orders)
    come_late(table, late)
    fallen(table, carriers)
    follow_destruction(table)


def burst_unmet(table: Table) -> None:
    """Phase 10 where no ship of a foe is near what goes off in it, for craft, ordnance, mines and
    friends may be; and where rockets come in on gunboats alone.

    Rules: Continuum 2.6 [pc.sequence]; Continuum "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """
    if bursting(table.state) or chasing(table.state):
        defend(table, {}, {})


def engage(table: Table, engagement: FireAndPursuit) -> None:
    """Phases 8 to 13: all fire, then the checks.

    Who has left over an edge disengages before damage control, so that nobody has to say at two
    stops whether he pursues.
    Rules: Continuum 2.6 [pc.sequence]
    """
    aftermath = fire_phase(table, table.state.by_commander(engagement.fire))
    if aftermath.landed or aftermath.brought:
        come_aboard(table, aftermath)
    detonate(table)
    checks_phase(table, aftermath)
    disengage(
        table, tuple(side for side in engagement.pursue if not withdrawing(table.state, side))
    )


def control(table: Table, orders: Mapping[str, Control], boards: Boards) -> None:
    """Phases 12 and 14: the fights aboard ships with the checks for what boarders wreck, then
    damage control.

    What fire has done is checked before, so that a crew knows what there is to repair when it says
    who repels boarders.
    Rules: Continuum 2.6 [pc.sequence]
    """
    boarding_phase(table, orders, boards)
    damage_control(table, orders)


def finish(table: Table) -> None:
    """Phase 15 and the end of a turn: the next plot, or over where that decides the battle.

    Rules: Continuum 2.6 [pc.sequence]
    """
    if table.state.pieces:
        drop_ordnance(table)
    end_of_turn(table)
    damaged_charges(table)
    regenerate_armour(table)
    cloaks_fail(table)
    if any(ship.record.stand for ship in table.state.ships):
        close_ranks(table)
    if FLEET_MORALE in table.state.terms.options:
        weigh_losses(table)
    if table.state.pieces:
        transfer(table)
    if any(ship.status == CARRIED for ship in table.state.ships):
        go_along(table)
    table.state.end_turn()
    cast_off(table)
    end_turn(table)
