"""Mines of a system in the battles there, and which of them are there afterwards.

Rules: 2E "Mines" [camp.minefields]; Continuum "Mines and mine racks" 6.9 [pc.mines]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from campaign.events.event import WeekEvent
from campaign.events.mines import MinesSeen, places_text
from campaign.rules.system_mines import (
    THOUSANDTHS,
    mine_entries,
    mines_on_table,
    sorted_mines,
    within_limit,
)
from campaign.rules.world import Engagement, Mine, World
from engine.core.versions import MINEFIELDS, follows
from engine.notation.battle_file import BattleFileDocument
from engine.pieces.mine import Mine as MinePiece
from engine.pieces.piece import NOBODY
from umpire.adjudication.aftermath import FACTION_SEPARATOR
from umpire.adjudication.indexes import ScenarioIndex
from umpire.adjudication.outcome import BattleResult

NAME_BEFORE_BATTLE = "mine-"  # and its number in the battle file


def add_mines(
    index: ScenarioIndex, world: World, engagement: Engagement, file: BattleFileDocument
) -> None:
    """Put the mines of the system on the table of a battle file."""
    width, height = file["table"]
    mines = _mines_at(index, world, engagement, (width, height))
    if mines:
        owners = {mine.faction for mine in mines}
        sides = {owner: _side_of(index, engagement, owner) for owner in owners}
        file["mines"] = mine_entries(mines, sides, (width, height))


def _mines_at(
    index: ScenarioIndex, world: World, engagement: Engagement, table: tuple[float, float]
) -> list[Mine]:
    """Return the mines on the table of a battle, in the order of its file."""
    if engagement.hex not in index.system_at:
        return []
    system = index.system_at[engagement.hex].id
    return mines_on_table([mine for mine in world.mines if mine.system == system], table)


def _side_of(index: ScenarioIndex, engagement: Engagement, owner: str) -> str | None:
    """Return the name of the side for which a faction's mines count; None if none does.

    Mines of an absent faction count for its allies.
    """
    for side in engagement.sides:
        if not index.are_hostile(side[0], owner):
            return FACTION_SEPARATOR.join(side)
    return None


def mines_after_battle(
    index: ScenarioIndex, world: World, engagement: Engagement, state: Mapping[str, Any]
) -> tuple[tuple[str, int, int], ...] | None:
    """Return the mines of a system after a battle there: each with its faction and its place.

    None if there are no mines before or after the battle, or its rules do not keep them.

    Args:
        state: The engine's final state of the battle.
    """
    has_minefields = follows(state["terms"]["rules"], MINEFIELDS)
    if engagement.hex not in index.system_at or not has_minefields:
        return None
    system = index.system_at[engagement.hex].id
    before = [mine for mine in world.mines if mine.system == system]
    pieces = [piece for piece in state.get("pieces", ()) if piece["kind"] == MinePiece.kind]
    if not before and not pieces:
        return None
    width, height = state["table"]
    on_table = mines_on_table(before, (width, height))
    layers = _Layers(world, engagement, state, [mine.faction for mine in on_table])
    result = [(mine.faction, mine.x, mine.y) for mine in before if mine not in on_table]
    for piece in pieces:
        if 0 <= piece["x"] <= width and 0 <= piece["y"] <= height:
            x = round((piece["x"] - width / 2) * THOUSANDTHS)
            y = round((piece["y"] - height / 2) * THOUSANDTHS)
            result.append((layers.faction_of(piece), x, y))
    return tuple(sorted(result))


class _Layers:
    """The factions that laid the mines on the table at a battle's end."""

    def __init__(
        self,
        world: World,
        engagement: Engagement,
        state: Mapping[str, Any],
        before: Sequence[str],
    ) -> None:
        """Prepare for a battle.

        Args:
            before: The factions of the mines of its file, in their order.
        """
        self._before = before
        self._sides = engagement.sides
        owners = {ship.key: ship.faction for ship in world.ships}
        self._layers: dict[str, str] = {}
        for key, ship in state["ships"].items():
            for name in (key, ship.get("contact")):
                if name and key in owners:
                    self._layers[name] = owners[key]

    def faction_of(self, piece: Mapping[str, Any]) -> str:
        """Return the faction of a mine; if another side commands its layer, that side's first."""
        name: str = piece["id"]
        number = name.removeprefix(NAME_BEFORE_BATTLE)
        if number != name and number.isdigit():
            return self._before[int(number) - 1]
        layer = self._layers.get(name.partition("/minelayer-")[0], "")
        side: int = piece["side"]
        if side == NOBODY or layer in self._sides[side]:
            return layer
        return self._sides[side][0]


def mines_after_week(
    index: ScenarioIndex, world: World, results: Mapping[str, BattleResult]
) -> tuple[tuple[Mine, ...], list[WeekEvent]]:
    """Return all mines after the battles, and the notices of those that were on the tables."""
    mines = list(world.mines)
    events: list[WeekEvent] = []
    for engagement in world.engagements:
        after = results[engagement.key].mines
        if after is None:
            continue
        system = index.system_at[engagement.hex].id
        here = [Mine(system, faction, x, y) for faction, x, y in after]
        mines = [mine for mine in mines if mine.system != system]
        mines += within_limit(_earlier_first(here, world.mines))
        for side in engagement.sides:
            events += [mines_seen(faction, engagement.hex, here) for faction in side]
    return sorted_mines(mines), events


def _earlier_first(mines: Iterable[Mine], old: Sequence[Mine]) -> list[Mine]:
    """Return mines with those first that were there before."""
    return sorted(mines, key=lambda mine: mine not in old)


def mines_seen(faction: str, hex_: str, mines: Iterable[Mine]) -> MinesSeen:
    """Return the notice to a faction of the mines of others that it found in a hex."""
    places = sorted((mine.x, mine.y) for mine in mines if mine.faction != faction)
    return MinesSeen((faction,), hex_, len(places), places_text(places))
