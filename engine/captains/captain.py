"""A computer captain: one for a side, with a doctrine, its own random stream and the little it has to remember."""

from __future__ import annotations

from engine.captains.doctrine import Doctrine
from engine.captains.estimate import Foe, weigh
from engine.captains.flying import deck_plot, flight_orders, guarded, keeps_back, strikes, uses_fighters
from engine.captains.gunnery import fire_orders
from engine.captains.helm import steer
from engine.captains.retreat import breaks_off, retreat
from engine.dice import Dice
from engine.geometry import COURSES
from engine.orders import HOLD, FireOrders, Flight, Plot
from engine.state import FIGHTING, RETURNING
from engine.view import SideView


class Captain:
    """Answers a battle's stops from what its side may see, and nothing else. `fleeing` counts the turns it has fled."""

    __slots__ = ("dice", "doctrine", "fleeing")

    def __init__(self, doctrine: Doctrine, dice: Dice, fleeing: int = 0) -> None:
        self.doctrine = doctrine
        self.dice = dice
        self.fleeing = fleeing

    def plots(self, view: SideView) -> dict[str, Plot]:
        """Movement orders for every ship that should not just hold course and speed."""
        doctrine = self.doctrine
        if doctrine.style == "straight":
            return {}
        foes = [Foe(contact, ahead=True) for contact in view.contacts if contact.hostile]
        if self.fleeing or breaks_off(view.own, foes, doctrine):
            self.fleeing += 1
            return {
                ship.id: retreat(ship, view.own, foes, view.table, self.fleeing)
                for ship in view.own
                if ship.status in (FIGHTING, RETURNING)
            }
        weigh(foes, doctrine.targets)
        flying = [ship for ship in view.own if ship.status == FIGHTING]
        if not flying:
            return {}
        middle = _middle(view, len(flying))
        plots: dict[str, Plot] = {}
        for ship in flying:
            aloof = False
            if ship.rig.bays and uses_fighters(doctrine):
                deck = deck_plot(ship, view)
                if deck is not None:
                    plots[ship.id] = deck
                    continue
                aloof = keeps_back(ship, view.groups)
            plot = steer(ship, foes, middle, view.table, doctrine, self.dice, aloof=aloof)
            if plot is not HOLD:
                plots[ship.id] = plot
        return plots

    def flights(self, view: SideView) -> dict[str, Flight]:
        """Orders for the side's fighter groups in flight."""
        if self.doctrine.style == "straight":
            return {}
        return flight_orders(view, self.doctrine, home=self.fleeing > 0)

    def fire(self, view: SideView) -> FireOrders:
        """Fire orders, ships in the order they take their firing turns."""
        orders = fire_orders(view, self.doctrine)
        if view.groups:
            orders += strikes(view, self.doctrine)
        if view.flyers and "adaf" not in self.doctrine.never:
            orders = guarded(view, orders)
        return orders


def _middle(view: SideView, flying: int) -> tuple[float, float]:
    """Where the middle of a side's ships will be if all fly on."""
    x = y = 0.0
    for ship in view.own:
        if ship.status == FIGHTING:
            ux, uy = COURSES[ship.course]
            x += ship.x + ux * ship.velocity
            y += ship.y + uy * ship.velocity
    return x / flying, y / flying
