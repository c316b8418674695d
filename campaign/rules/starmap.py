"""The star map as a graph, routes on it, and where a faction's fleets may move.

Neighbouring hexes are one step apart, portals cost no step, gates cost what the scenario says;
closed hexes are left out. Where no link and no closed hex is near enough to matter, distances are
computed from the axial coordinates without the graph. On a map without irregular hexes the graph is
never built, and its library, which takes a tenth of the site's start, is never loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, cast

from typing_extensions import override

from campaign.rules.hexes import (
    DIRECTIONS,
    MAX_COLUMNS,
    MAX_ROWS,
    axial,
    distance,
    label_at,
    labels,
    neighbours,
    on_map,
)
from campaign.rules.queries import (
    immobile_ships,
    pending_entry_week,
    ship_classes,
    ships_by_fleet,
    with_known_designs,
)
from campaign.rules.scenario import Link, Scenario, ShipClass
from campaign.rules.stations import with_known_gates
from campaign.rules.view import View
from campaign.rules.world import Ship
from engine.core.phrase import phrase

if TYPE_CHECKING:
    import networkx as nx

FAR = 1_000_000  # distance to the nearest irregular hex if there is none
# Weight of one step of a week's move. Each leg of a route adds 1, so that portals are not free.
HOP = 1_000_000


class StarMap:
    """A map of hexes, links and closed hexes. Distances are whole steps."""

    def __init__(
        self, columns: int, rows: int, links: tuple[Link, ...], closed: tuple[str, ...]
    ) -> None:
        self.columns = columns
        self.rows = rows
        self.links = links
        self.closed = frozenset(closed)
        self.open = frozenset(labels(columns, rows)) - self.closed
        ends = {link.a for link in links} | {link.b for link in links}
        self.irregular_hexes = tuple(
            sorted(label for label in ends | self.closed if on_map(label, columns, rows))
        )
        self.search = lru_cache(maxsize=4096)(self._search)
        self.distance_to_irregular = lru_cache(maxsize=MAX_COLUMNS * MAX_ROWS)(
            self._distance_to_irregular
        )

    def has(self, label: str) -> bool:
        """Return whether a fleet may be in this hex: it is on the map and not closed."""
        return label in self.open

    def neighbours(self, here: str) -> tuple[str, ...]:
        """Return the hexes next to this one."""
        return tuple(neighbours(here, self.columns, self.rows))

    @cached_property
    def graph(self) -> nx.Graph[str]:
        """Return the graph of open hexes; `steps` of an edge is the cost of its cheapest link."""
        import networkx as nx

        graph: nx.Graph[str] = nx.Graph()
        for here in labels(self.columns, self.rows):
            if here not in self.closed:
                graph.add_node(here)
        for here in tuple(graph):
            for there in self.neighbours(here):
                if here < there and there not in self.closed:
                    graph.add_edge(here, there, steps=1, weight=HOP + 1)
        for link in self.links:
            if self.has(link.a) and self.has(link.b) and link.a != link.b:
                _add_link(graph, link)
        return graph

    def _search(self, start: str, most: int | None) -> dict[str, int]:
        """Return the weighted distance of every hex that is at most `most` steps away."""
        cutoff = None if most is None else HOP * (most + 1) - 1
        return self._distances_from(start, cutoff, "weight")

    def _distances_from(self, start: str, cutoff: int | None, weight: str) -> dict[str, int]:
        """Return the distance of every hex up to `cutoff` by the graph, measured in `weight`."""
        from networkx import single_source_dijkstra_path_length

        distances = single_source_dijkstra_path_length(
            self.graph, start, cutoff=cutoff, weight=weight
        )
        return {label: int(far) for label, far in distances.items()}

    def _distance_to_irregular(self, start: str) -> int:
        """Return the hexes to the nearest closed hex or link; shorter distances are straight."""
        return min((distance(start, label) for label in self.irregular_hexes), default=FAR)

    def step(self, a: str, b: str) -> int | None:
        """Return the steps of one leg from a to b; None if they are not adjacent or linked."""
        if not (self.has(a) and self.has(b)):
            return None
        if not self.irregular_hexes:
            if distance(a, b) == 1:
                return 1
            return None
        edge = self.graph.get_edge_data(a, b)
        if edge is None:
            return None
        return int(edge["steps"])

    def link(self, a: str, b: str, links_only: bool = False) -> Link | None:
        """Return the link that a leg from a to b uses: the cheapest, then the one of largest mass.

        Between neighbouring hexes a fleet uses a link only if it costs less than a step, or if it
        can move by links only; else the result is None.
        """
        links = [link for link in self.links if {link.a, link.b} == {a, b}]
        best = min(links, key=_link_rank, default=None)
        if best is not None and not links_only and best.cost >= 1 and distance(a, b) == 1:
            return None
        return best

    def path_cost(self, start: str, path: tuple[str, ...]) -> int | None:
        """Return the steps of a path from `start`; None if one of its legs is impossible."""
        total = 0
        here = start
        for there in path:
            leg = self.step(here, there)
            if leg is None:
                return None
            total += leg
            here = there
        return total

    def distance(self, a: str, b: str, most: int | None = None) -> int | None:
        """Return the fewest steps from a to b; None if there is no way of at most `most` steps."""
        if not (self.has(a) and self.has(b)) or (most is not None and most < 0):
            return None
        straight = distance(a, b)
        if straight < self.distance_to_irregular(a):
            if most is None or straight <= most:
                return straight
            return None
        steps = self.search(b, most).get(a)
        if steps is None:
            return None
        return steps // HOP

    def is_within(self, a: str, b: str, steps: int) -> bool:
        """Return whether b is at most `steps` steps from a."""
        if a not in self.open or b not in self.open:
            return False
        straight = distance(a, b)
        if straight < self.distance_to_irregular(a):
            return straight <= steps
        return self.distance(a, b, steps) is not None

    def route(self, a: str, b: str, most: int | None = None) -> tuple[str, ...] | None:
        """Return the hexes entered from a to b: fewest steps, then fewest legs, then lowest labels.

        None if there is no way of at most `most` steps; empty if a is b.
        """
        q, r = axial(a)
        bq, br = axial(b)
        offsets = _straight_offsets(bq - q, br - r)
        if len(offsets) >= self.distance_to_irregular(a):
            if self.distance(a, b, most) is None:
                return None
            return self._find_route(a, b, most)
        if (most is not None and len(offsets) > most) or not (self.has(a) and self.has(b)):
            return None
        plain = [label_at(q + dq, r + dr) for dq, dr in offsets]
        if self.open.issuperset(plain):
            return cast(tuple[str, ...], tuple(plain))  # open hexes have a label
        return self._along_the_edge(a, b)

    def _along_the_edge(self, a: str, b: str) -> tuple[str, ...]:
        """Return a route with no irregular hex near, by the first direction that comes closer."""
        q, r = axial(a)
        bq, br = axial(b)
        path: list[str] = []
        remaining = distance(a, b)
        while remaining:
            remaining -= 1
            for eq, er in DIRECTIONS:
                dq = bq - q - eq
                dr = br - r - er
                if max(abs(dq), abs(dr), abs(dq + dr)) == remaining:
                    label = label_at(q + eq, r + er)
                    if label in self.open:
                        path.append(label)
                        q = q + eq
                        r = r + er
                        break
        return tuple(path)

    def _find_route(self, a: str, b: str, most: int | None) -> tuple[str, ...]:
        """Return the shortest route by the graph: at each hex the lowest label that is on one."""
        distances = self.search(b, most)
        path: list[str] = []
        here = a
        while here != b:
            on_the_way = []
            for there, edge in self.graph[here].items():
                if there in distances and edge["weight"] + distances[there] == distances[here]:
                    on_the_way.append(there)
            here = min(on_the_way)
            path.append(here)
        return tuple(path)

    def reach(self, start: str, steps: int) -> tuple[tuple[str, int], ...]:
        """Return every hex within `steps` of `start` with its distance, in the order of labels.

        `start` is included, with 0.
        """
        if not self.has(start):
            return ()
        if self.distance_to_irregular(start) <= steps:
            return tuple(sorted(self._distances_from(start, steps, "steps").items()))
        q, r = axial(start)
        result: list[tuple[str, int]] = []
        for dq in range(-steps, steps + 1):
            for dr in range(max(-steps, -dq - steps), min(steps, steps - dq) + 1):
                label = label_at(q + dq, r + dr)
                if label is not None and label in self.open:
                    result.append((label, max(abs(dq), abs(dr), abs(dq + dr))))
        return tuple(result)

    def can_leave(self, start: str, steps: int) -> bool:
        """Return whether any other hex is at most `steps` steps from `start`."""
        if not self.has(start):
            return False
        if steps > 0 and any(label in self.open for label in self.neighbours(start)):
            return True
        return len(self.reach(start, steps)) > 1

    def step_aside(self, start: str) -> str | None:
        """Return the neighbour of lowest label, for a fleet that must leave and has not moved."""
        for label in neighbours(start, self.columns, self.rows):
            if label not in self.closed:
                return label
        return None


def _add_link(graph: nx.Graph[str], link: Link) -> None:
    """Add a link to the graph, unless its hexes are joined at no greater cost."""
    edge = graph.get_edge_data(link.a, link.b)
    if edge is None or edge["steps"] > link.cost:
        graph.add_edge(link.a, link.b, steps=link.cost, weight=HOP * link.cost + 1)


def _link_rank(link: Link) -> tuple[int, bool, int]:
    """Return a sort key: the cheapest link first, then those without a limit, then the widest."""
    has_limit = link.mass is not None
    return (link.cost, has_limit, -(link.mass or 0))


@lru_cache(maxsize=4096)
def _straight_offsets(dq: int, dr: int) -> tuple[tuple[int, int], ...]:
    """Return the offsets on the way to an offset on a map without edges.

    Each step takes the first direction that comes closer.
    """
    path: list[tuple[int, int]] = []
    q = r = 0
    for remaining in range(max(abs(dq), abs(dr), abs(dq + dr)) - 1, -1, -1):
        for eq, er in DIRECTIONS:
            to_q = dq - q - eq
            to_r = dr - r - er
            if max(abs(to_q), abs(to_r), abs(to_q + to_r)) == remaining:
                q += eq
                r += er
                break
        path.append((q, r))
    return tuple(path)


class GateMap(StarMap):
    """A map with links only: no hex is next to another."""

    def __init__(
        self, columns: int, rows: int, links: tuple[Link, ...], closed: tuple[str, ...]
    ) -> None:
        super().__init__(columns, rows, links, closed)
        # Straight distances hold nowhere.
        self.irregular_hexes = tuple(sorted(self.open))

    @override
    def neighbours(self, here: str) -> tuple[str, ...]:
        return ()


@lru_cache(maxsize=64)
def _star_map(
    columns: int, rows: int, links: tuple[Link, ...], closed: tuple[str, ...], links_only: bool
) -> StarMap:
    """Build a map; with `links_only`, one on which fleets move along links only."""
    if links_only:
        return GateMap(columns, rows, links, closed)
    return StarMap(columns, rows, links, closed)


def star_map(scenario: Scenario, mass: int = 0, links_only: bool = False) -> StarMap:
    """Return the map of a scenario, built once for all scenarios that share it.

    Args:
        mass: The total mass of the ships; gates that cannot take it are left out. 0: no limit.
        links_only: Whether the ships can move by gates, portals and jump points only, because one
            has no FTL drive.

    Rules: 2E "The campaign map" [camp.map]; Continuum 11.9, 11.10 [camp.gates]
    """
    links = scenario.links
    if mass and links:
        links = tuple(link for link in links if link.mass is None or mass <= link.mass)
    # Positional, because the cache counts keyword arguments as another key.
    return _star_map(scenario.columns, scenario.rows, links, scenario.closed, links_only)


def named_hexes(scenario: Scenario) -> dict[str, str]:
    """Return the names of the hexes that have one, including their labels."""
    result: dict[str, str] = {}
    for system in scenario.systems:
        result[system.hex] = phrase("{} ({})", system.name, system.hex)
    return result


def mass_of(scenario: Scenario, classes: Mapping[str, ShipClass], ships: Iterable[Ship]) -> int:
    """Return the total mass of ships for gates; 0 if the war has no links.

    Rules: Continuum 11.9 [camp.gates]
    """
    if scenario.links:
        return sum(classes[ship.cls].mass for ship in ships)
    return 0


def limited_gates_on(
    scenario: Scenario, start: str, path: Iterable[str], *, mass: int, links_only: bool
) -> list[Link]:
    """Return the gates of limited transfer mass on a path.

    Args:
        mass: The mass of the fleet that takes the path.
        links_only: Whether the fleet can move by gates, portals and jump points only.

    Rules: Continuum 11.9 [camp.gates]
    """
    chart = star_map(scenario, mass, links_only)
    gates = []
    here = start
    for there in path:
        link = chart.link(here, there, links_only)
        if link is not None and link.mass is not None:
            gates.append(link)
        here = there
    return gates


class FleetMoves:
    """Where the fleets of a View's faction may move this week, with shared lookups for many fleets.

    Dummy counters move like fleets. A fleet cannot move if it is unknown, cannot jump, has a docked
    ship, or still waits to enter the map.

    Rules: 2E "The campaign map" [camp.ftl-move]
    """

    def __init__(self, scenario: Scenario, view: View) -> None:
        self.scenario = with_known_gates(scenario, view)
        self.week = view.week
        self.classes = ship_classes(with_known_designs(scenario, view))
        self.fleet_ships = ships_by_fleet(view.ships)
        self.fleets = {item.key: item for item in (*view.dummies, *view.fleets)}

    def reachable_hexes(self, fleet: str) -> tuple[tuple[str, int], ...]:
        """Return the hexes to which it may move, with their steps, in the order of labels."""
        start, chart = self._departure(fleet)
        if chart is None:  # it cannot move
            return ()
        hexes: list[tuple[str, int]] = []
        for label, steps in chart.reach(start, self._steps):
            if label != start:
                hexes.append((label, steps))
        return tuple(hexes)

    def may_move(self, fleet: str) -> bool:
        """Return whether it may move anywhere."""
        start, chart = self._departure(fleet)
        return chart is not None and chart.can_leave(start, self._steps)

    def chart(self, fleet: str) -> StarMap:
        """Return the map for a fleet: links that take its mass, and no others if it cannot jump."""
        ships = self.fleet_ships.get(fleet, ())
        return self._chart(ships, immobile_ships(self.classes, ships))

    @property
    def _steps(self) -> int:
        return self.scenario.hexes_per_week

    def _chart(self, ships: Sequence[Ship], immobile: Sequence[Ship]) -> StarMap:
        """Return the map for these ships, some of which have no FTL drives."""
        mass = mass_of(self.scenario, self.classes, ships)
        return star_map(self.scenario, mass, links_only=bool(immobile))

    def _departure(self, fleet: str) -> tuple[str, StarMap | None]:
        """Return the hex from which a fleet moves, and its map; ("", None) if it cannot move."""
        moving_fleet = self.fleets.get(fleet)
        if moving_fleet is None:
            return "", None
        if pending_entry_week(self.scenario, moving_fleet, self.week) is not None:
            return "", None
        ships = self.fleet_ships.get(fleet, ())
        immobile = immobile_ships(self.classes, ships)
        if any(ship.docked or ship.station for ship in immobile) or (
            immobile and not self.scenario.links
        ):
            return "", None
        return moving_fleet.hex, self._chart(ships, immobile)


def reachable_hexes(scenario: Scenario, view: View, fleet: str) -> tuple[tuple[str, int], ...]:
    """Return the hexes to which one fleet may move this week; for many, use `FleetMoves`."""
    return FleetMoves(scenario, view).reachable_hexes(fleet)


def chart_for(scenario: Scenario, view: View, fleet: str) -> StarMap:
    """Return the map for one fleet of the View's faction."""
    return FleetMoves(scenario, view).chart(fleet)


def travel_weeks(scenario: Scenario, a: str, b: str) -> int | None:
    """Return the fewest weeks from one hex to another, by steps alone; None without a way."""
    steps = star_map(scenario).distance(a, b)
    if steps is None:
        return None
    return -(-steps // scenario.hexes_per_week)
