"""Level 4 of a check: what default orders, computer admirals and captains chose.

Their orders are recorded, so no result depends on this level. It shows whether an operator put
other orders into the mouth of a computer or of an absent player. Computers of another release may
choose otherwise, so there a difference is only a note.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from campaign.kinds import Source
from campaign.orders.codec import orders_payload
from campaign.orders.defaults import default_orders
from campaign.rules.known_objectives import known_scenario
from campaign.rules.queries import with_known_designs
from campaign.rules.sources import source_of
from campaign.rules.stations import with_known_gates
from campaign.rules.view import View
from engine import battle as engine
from engine.battle import ResolvedStop
from engine.core.canonical import encode_floats
from engine.core.war_dice import Moment
from proof.archive import Line, StageLines
from proof.battles import TakenOver, War
from proof.findings import Difference, Level, first_difference, where_of
from proof.rows import live_entries
from umpire.admirals import orders_for
from umpire.admirals.character import STEADY

COMPUTERS = (Source.DEFAULT, Source.ADMIRAL)


def is_own_source(stage: StageLines) -> bool:
    """Return whether the very sources of this program resolved a stage."""
    return stage.row is not None and stage.row.body["body"].get("source") == source_of()


def order_differences(
    war: War, views: Mapping[str, View], admirals: Mapping[str, str], stage: StageLines
) -> Iterator[Difference]:
    """Yield the entries of computers that this program would have written otherwise.

    Args:
        views: Before the stage, by faction.
        admirals: The characters of the factions' admirals; empty for default orders.
    """
    where = where_of(stage)
    for line in live_entries(stage.entries):
        if line.body["source"] not in COMPUTERS:
            continue
        faction = line.body["faction"]
        should = encode_floats(
            _payload(war, views[faction], stage, line, admirals.get(faction, ""))
        )
        found = first_difference(line.body["payload"], should)
        if found is not None:
            path, stands, must = found
            words = f"orders from '{line.body['source']}' are not what the computer chooses"
            place = f"entry of {faction}: {path}"
            yield where.difference(Level.CHOICES, line, place, words, stands, must)


def _payload(
    war: War, view: View, stage: StageLines, line: Line, character: str
) -> Mapping[str, Any]:
    """Return the orders that a computer writes for a faction."""
    where = where_of(stage)
    ordinal = stage.stage.body["ordinal"]
    scenario = known_scenario(war.scenario, line.body["faction"])
    scenario = with_known_gates(with_known_designs(scenario, view), view)
    if line.body["source"] == Source.DEFAULT:
        return orders_payload(default_orders(scenario, view))
    spot = war.keys.admirals(where.week or 0, where.stage, ordinal)
    dice = war.keys.dice(spot).at(line.body["faction"])
    return orders_payload(orders_for(scenario, view, character or STEADY.name, dice))


def captain_differences(
    war: War, stage: StageLines, moment: Moment, taken_over: TakenOver
) -> Iterator[Difference]:
    """Yield the first phase of a battle in which captains would have ordered otherwise.

    Args:
        moment: The stage in the keys of its dice.
        taken_over: The battle from where captains fought it.
    """
    where = where_of(stage)
    lines = stage.battles[taken_over.key]
    pending = iter(lines.stops[taken_over.seq :])
    found: list[Difference] = []

    def compare(stop: ResolvedStop) -> None:
        line = next(pending, None)
        if found or line is None:
            return
        orders = {"orders": line.body["inputs"]["orders"]}
        differs = first_difference(orders, encode_floats({"orders": stop.inputs}))
        if differs is not None:
            path, stands, must = differs
            inputs = line.body["inputs"]
            place = f"battle {lines.key}, turn {inputs['turn']}, {inputs['phase']}: {path}"
            words = "captains choose other orders"
            found.append(where.difference(Level.CHOICES, line, place, words, stands, must))

    dice = war.keys.dice(war.keys.battle(moment, lines.key))
    seed = war.keys.captain_seed(where.week or 0, lines.key)
    engine.fight(taken_over.battle, taken_over.doctrines, dice, seed, taken_over.max_turns, compare)
    yield from found
