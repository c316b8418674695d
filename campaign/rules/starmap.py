"""The star map as a graph: hex neighbours one step apart, portals at no step, gates at their cost, minus closed hexes.

Routes and reach come from here. Where a map has no links and no closed hexes, distances are the closed form of the
axial coordinates and the graph is never built.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

import networkx as nx

from campaign.rules.hexes import DIRECTIONS, axial, distance, label_at, labels, neighbours, on_map
from campaign.rules.scenario import Link, Scenario

HOP = 1_000_000  # one step of a week's move; below it the legs of a route are counted, so that portals cost something


class StarMap:
    """One map: columns and rows of hexes, its links and its closed hexes. Steps are whole numbers."""

    def __init__(self, columns: int, rows: int, links: tuple[Link, ...], closed: tuple[str, ...]) -> None:
        self.columns = columns
        self.rows = rows
        self.links = links
        self.closed = frozenset(closed)
        self.plain = not links and not closed
        self._far = lru_cache(maxsize=4096)(self._search)

    def has(self, label: str) -> bool:
        """Whether a fleet may stand in this hex: it is on the map and not closed."""
        return on_map(label, self.columns, self.rows) and label not in self.closed

    @cached_property
    def graph(self) -> nx.Graph[str]:
        """The graph: nodes are open hexes, `steps` on each edge what it costs (the cheapest of several)."""
        graph: nx.Graph[str] = nx.Graph()
        for here in labels(self.columns, self.rows):
            if here in self.closed:
                continue
            graph.add_node(here)
            for there in neighbours(here, self.columns, self.rows):
                if here < there and there not in self.closed:
                    graph.add_edge(here, there, steps=1, weight=HOP + 1)
        for link in self.links:
            if self.has(link.a) and self.has(link.b) and link.a != link.b:
                known = graph.get_edge_data(link.a, link.b)
                if known is None or known["steps"] > link.cost:
                    graph.add_edge(link.a, link.b, steps=link.cost, weight=HOP * link.cost + 1)
        return graph

    def _search(self, start: str) -> dict[str, int]:
        found = nx.single_source_dijkstra_path_length(self.graph, start, weight="weight")
        return {label: int(far) for label, far in found.items()}

    def step(self, a: str, b: str) -> int | None:
        """What one leg from a to b costs in steps; None where they are not next to each other nor linked."""
        if not (self.has(a) and self.has(b)):
            return None
        if self.plain:
            return 1 if distance(a, b) == 1 else None
        edge = self.graph.get_edge_data(a, b)
        return None if edge is None else int(edge["steps"])

    def path_cost(self, start: str, path: tuple[str, ...]) -> int | None:
        """The steps of a path that leaves `start`; None where a leg of it leads nowhere."""
        total, here = 0, start
        for there in path:
            leg = self.step(here, there)
            if leg is None:
                return None
            total, here = total + leg, there
        return total

    def distance(self, a: str, b: str) -> int | None:
        """The fewest steps from a to b; None where no way leads there."""
        if not (self.has(a) and self.has(b)):
            return None
        if self.plain:
            return distance(a, b)
        found = self._far(b).get(a)
        return None if found is None else found // HOP

    def within(self, a: str, b: str, steps: int) -> bool:
        """Whether b lies within so many steps of a."""
        found = self.distance(a, b)
        return found is not None and found <= steps

    def route(self, a: str, b: str) -> tuple[str, ...] | None:
        """The hexes stepped into from a to b: fewest steps, then fewest legs, then the smallest labels first.

        None where no way leads there; empty where a is b.
        """
        if not (self.has(a) and self.has(b)):
            return None
        return self._straight(a, b) if self.plain else self._routed(a, b)

    def _straight(self, a: str, b: str) -> tuple[str, ...]:
        (q, r), (bq, br) = axial(a), axial(b)
        path: list[str] = []
        left = distance(a, b)
        while left:
            left -= 1
            for eq, er in DIRECTIONS:
                dq, dr = bq - q - eq, br - r - er
                if max(abs(dq), abs(dr), abs(dq + dr)) == left:
                    label = label_at(q + eq, r + er)
                    if label is not None and on_map(label, self.columns, self.rows):
                        path.append(label)
                        q, r = q + eq, r + er
                        break
        return tuple(path)

    def _routed(self, a: str, b: str) -> tuple[str, ...] | None:
        far = self._far(b)
        if a not in far:
            return None
        path: list[str] = []
        here = a
        while here != b:
            around = self.graph[here]
            here = min(there for there in around if around[there]["weight"] + far[there] == far[here])
            path.append(here)
        return tuple(path)

    def reach(self, start: str, steps: int) -> tuple[tuple[str, int], ...]:
        """Every hex within so many steps of `start` with its steps, in the order of labels; `start` itself at 0."""
        if not self.has(start):
            return ()
        if self.plain:
            column, row = int(start[:2]), int(start[2:])
            near = (
                f"{c:02d}{r:02d}"
                for c in range(max(1, column - steps), min(self.columns, column + steps) + 1)
                for r in range(max(1, row - steps), min(self.rows, row + steps) + 1)
            )
            with_steps = ((label, distance(start, label)) for label in near)
            return tuple((label, far) for label, far in with_steps if far <= steps)
        found = nx.single_source_dijkstra_path_length(self.graph, start, cutoff=steps, weight="steps")
        return tuple(sorted((label, int(far)) for label, far in found.items()))

    def step_aside(self, start: str) -> str | None:
        """Where a fleet goes that must leave and came from nowhere: the smallest label next to it."""
        return next((label for label in neighbours(start, self.columns, self.rows) if label not in self.closed), None)


@lru_cache(maxsize=32)
def _star_map(columns: int, rows: int, links: tuple[Link, ...], closed: tuple[str, ...]) -> StarMap:
    return StarMap(columns, rows, links, closed)


def star_map(scenario: Scenario) -> StarMap:
    """The map of a scenario, built once for all scenarios that share it.

    Rules: 2E "The campaign map" [camp.map]; Continuum 11.9, 11.10 [camp.gates]
    """
    return _star_map(scenario.columns, scenario.rows, scenario.links, scenario.closed)
