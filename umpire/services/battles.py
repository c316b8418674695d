"""Battles that nobody plays by hand: fought by computer captains through the engine, every stop kept."""

from __future__ import annotations

from engine import battle as engine
from engine.notation.battles import MAX_TURNS
from umpire.adjudication.battles import battle_result
from umpire.services.fighting import Fought, Stop, Task, kept_stop


def fight_by_captains(task: Task) -> Fought:
    """Fight a battle to its end, each side's captain by its doctrine."""
    begun = engine.start(task.start)
    stops: list[Stop] = []

    def keep(stop: engine.Stop) -> None:
        inputs = {"turn": stop.turn, "stop": stop.kind, "by": "captains", "orders": stop.inputs}
        stops.append(kept_stop(stop, inputs))

    most = task.start.get("max_turns", MAX_TURNS)
    ended = engine.fight(begun, task.doctrines, task.dice, task.captain_seed, most, on_stop=keep)
    state = ended.to_json()
    result = battle_result(task.scenario, task.world, task.engagement, state, ended.winner, ended.turn)
    return Fought(state, tuple(stops), result)
