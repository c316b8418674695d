"""The log of a battle as one side reads it: every foreign ship by its contact code, nothing of what is hidden.

A side is told the fields that `engine.sidefields` classifies, and no others.

Rules: 2E "Sensors and target identification" [2e.sensors]
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import Any

from engine.events import HULL, OWN, Destroyed, DummyFound, Event, Revealed, Threshold
from engine.events_defences import Cloaked, Decloaked
from engine.events_field import Uncovered
from engine.events_fighters import Launched
from engine.events_table import RamTried
from engine.movement.mines import LAYER
from engine.movement.rams import FAR
from engine.sidefields import FIELDS, LEAVING, MINE, NAME, PLAIN, TEXT
from engine.state import UNSEEN, BattleState
from engine.systems.cloaks import FIELD

NOTHING = object()  # in place of a field that the side is not told

# What a ship does by itself on its way: such events of several ships say nothing by their order.
SCANNED = ("revealed", "dummy-found", "scanning")
BEFALLS = ("mine-swept", "mine-detonated", "mine-fired", "absorbed", "damaged", "threshold", "destroyed")
ON_THE_WAY = (
    *("moved", "ftl-warming", "left-table", "returned", "gave-up", "order-refused"),
    *("sweeping", "mine-laid", "nova-armed", "launched", "uncovered"),
    *("cloaked", "decloaked", "marked", "noted", "regenerated", "emergency-thrust", "ftl-entry", "squadron"),
    *("avoided", "crashed", "escaped", "arrived", "docking", "docking-missed", "placed", "left-behind"),
)


class _Listener:
    """What one side knows as the log goes on.

    `mine`: the ids of its ships and groups; `called`: what it calls those of others; `hidden`: ships it has not
    identified; `covers`: the systems shown by those that pass for something else; `unseen`: those of others under a
    cloaking field, of which nobody hears anything but that they come out, or are no more.
    """

    __slots__ = ("called", "covers", "hidden", "mine", "unseen")

    def __init__(self, start: BattleState, side: int) -> None:
        others = [ship for ship in start.ships if ship.side != side]
        self.mine = {ship.id for ship in start.ships if ship.side == side}
        self.mine |= {group.id for group in start.groups if group.side == side}
        self.called = start.called_by(side)
        self.hidden = {ship.id for ship in others if ship.bogey}
        self.unseen = {ship.id for ship in others if ship.status == UNSEEN}
        self.covers = {ship.id: [fit.id for fit in ship.cover.fits] for ship in others if ship.cover is not None}

    def hears(self, event: Event) -> dict[str, Any] | None:
        """The line of the side's log for an event, None where it learns nothing of it."""
        document = event.to_json()
        subject = document.get("ship", document.get("group"))
        if event.kind not in FIELDS:
            return None
        if event.eyes == OWN and subject not in self.mine:
            return None
        if isinstance(event, Decloaked):
            self.unseen.discard(event.ship)
        if subject in self.unseen and not isinstance(event, Destroyed):
            return None
        if isinstance(event, Cloaked) and event.how == FIELD and event.ship not in self.mine:
            self.unseen.add(event.ship)
        if isinstance(event, RamTried) and event.outcome == FAR and event.ship not in self.mine:
            return None  # what it was ordered to do nobody saw
        if isinstance(event, Uncovered):
            self.covers.pop(event.ship, None)
        if event.eyes == HULL and subject in self.hidden:
            return None
        if isinstance(event, (Revealed, DummyFound)):
            self.hidden.discard(event.ship)
        if isinstance(event, Launched):
            if event.ship in self.mine:
                self.mine.add(event.group)
            else:
                self.called[event.group] = event.contact
        if isinstance(event, Threshold) and event.ship in self.covers:
            shown = self.covers[event.ship]
            document["rolls"] = [roll for roll in document["rolls"] if roll[0] in shown]
            document["lost"] = [name for name in document["lost"] if name in shown]
        if isinstance(event, RamTried) and (event.ship in self.hidden or event.target in self.hidden):
            document["sums"] = []  # the thrust of a ship that is not identified
        told = {field: self._told(event.kind, field, value) for field, value in document.items()}
        return {field: value for field, value in told.items() if value is not NOTHING}

    def _told(self, kind: str, field: str, value: Any) -> Any:
        """A field of an event as the side is told it, or NOTHING."""
        classified = FIELDS[kind].get(field)
        if classified == PLAIN or (classified == MINE and not self._foreign_mine(value)):
            return value
        if classified == NAME:
            return self._name(value)
        if classified == LEAVING:
            return self._name([name for name in value if not self._foreign_mine(name)])
        if classified == TEXT:
            return "; ".join(self._order(part) for part in value.split("; "))
        return NOTHING

    def _order(self, part: str) -> str:
        """A part of an order's text (`dogfight e1/fighter-bay-1`), every foreign name in it by its contact."""
        return " ".join(self._name(word) for word in part.split(" "))

    def _foreign_mine(self, name: str) -> bool:
        return f"/{LAYER}-" in name and name.rsplit("/", 2)[0] not in self.mine

    def _name(self, value: Any) -> Any:
        """A name, a list of names, a cause (`fire:n1`) or a part (`n1/nova-1`), every foreign ship by its contact."""
        if isinstance(value, list):
            return [self._name(item) for item in value]
        if value in self.called:
            return self.called[value]
        kind, colon, ship = value.partition(":")
        if colon and ship in self.called:
            return f"{kind}:{self.called[ship]}"
        if "/" not in value:
            return value
        for id_, contact in self.called.items():
            if value.startswith(f"{id_}/") and value not in self.mine:
                return f"{contact}{value[len(id_) :]}"
        return value


def side_log(events: Iterable[Event], start: BattleState, side: int) -> list[dict[str, Any]]:
    """The log as one side reads it: another side's ship is its contact code, and what would tell its class is left out
    until the moment it was identified. Of a Q ship in disguise it reads what its cover shows.

    `start` is the state before the first of `events`. An order refused is known to its own side alone.
    Rules: 2E "Sensors and target identification" [2e.sensors]; 2E "Q ships" [2e.q-ships]
    """
    listener = _Listener(start, side)
    told = [line for line in map(listener.hears, events) if line is not None]
    return _unordered_moves(told, listener.mine)


def _unordered_moves(told: list[dict[str, Any]], mine: set[str]) -> list[dict[str, Any]]:
    """The log with each run of moves, and of scans, in the order of the names shown: the others' roster has none.

    What befalls a ship on its way stays with its move.
    """
    rows: list[tuple[int, tuple[bool, str], dict[str, Any]]] = []
    mover = ""
    for line in told:
        kind, ship = line["event"], line.get("ship", line.get("near", ""))
        itself = kind in BEFALLS or (kind == "revealed" and line["by"] == ship)
        if kind in ON_THE_WAY or (mover and ship == mover and itself):
            sort, mover = 1, ship
        else:
            sort, mover = (2 if kind in SCANNED else 0), ""
        rows.append((sort, (ship not in mine, ship), line))
    ordered: list[dict[str, Any]] = []
    for sort, run in groupby(rows, key=itemgetter(0)):
        ordered += [line for _, _, line in (sorted(run, key=itemgetter(1)) if sort else run)]
    return ordered
