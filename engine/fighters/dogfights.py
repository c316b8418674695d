"""Fighters in base contact: the dogfight's round, and the shots at who gets away.

Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.orders import Fire, FireOrders
from engine.core.rolls import Shot
from engine.core.table import Table
from engine.craft.craft_type import Armament, no_fire
from engine.events.fire import ShotRefused
from engine.fighters.craft import contacts_of, separation
from engine.pieces.group import FightersFired, Group

OUTSIDE = "it is in a dogfight and cannot fire at anything else"


def shoot_at_group(
    table: Table, group: Group, target: Group, how: str, purpose: str, armament: Armament | None = None
) -> int:
    """A group's fire for the turn at another, by its row's dice; how many craft it hits. They are not taken off yet.

    What is exhausted fires as its row says for that. Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]; Continuum
    "Endurance" 8.13 [pc.endurance]
    """
    away, row = separation(group, target), group.row
    shot = Shot(f"{how}/{group.id}>{target.id}", away, away, modifier=target.row.modifier, purpose=purpose)
    used = armament or row.guns
    fire = row.spent if group.exhausted else used.at_craft
    if fire is no_fire:
        return 0
    effect = fire(shot, table.dice, group.rounds(used) if used.rounds else group.craft)
    group.fight(used)
    if table.listens:
        told = used.name if used.rounds else how
        table.tell(FightersFired, group.id, target.id, told, away, 0, effect.dice, effect.craft)
    return effect.craft


def parting_shots(table: Table, leaver: Group, shooters: list[Group]) -> None:
    """Who a group gets away from fires at it at once and unanswered; that is their fire for the turn.

    A group that has fired, or that another enemy still holds, does not. Rules: 2E "Fighter-to-fighter combat"
    [2e.dogfights]
    """
    for shooter in shooters:
        held = any(other is not leaver for other in contacts_of(table.state, shooter))
        if leaver.craft > 0 and not shooter.fired and not held:
            hits = shoot_at_group(table, shooter, leaver, "parting", "dogfight")
            leaver.take(table, hits, f"fire:{shooter.id}")


def dogfight_round(table: Table, orders: Mapping[int, FireOrders]) -> None:
    """Every dogfight's round, all of it at once: each group fires at one it is in contact with, whichever way it faces.

    Orders choose among several; without any it is the first on the table. Rules: 2E "Fighter-to-fighter combat"
    [2e.dogfights]
    """
    state = table.state
    wanted = {name: fires for listed in orders.values() for name, fires in listed}
    hits: list[tuple[Group, Group, int]] = []
    for group in state.of(Group):
        foes = contacts_of(state, group)
        if not foes:
            continue
        fires = wanted.get(group.id, ())
        target = _chosen(foes, fires)
        if target is None and fires and table.listens:
            table.tell(ShotRefused, group.id, fires[0].weapon, fires[0].targets, OUTSIDE)
        if not group.fired:
            target = target or foes[0]
            hits.append((group, target, shoot_at_group(table, group, target, "dogfight", "dogfight")))
    for group, target, craft in hits:
        target.take(table, craft, f"fire:{group.id}")


def _chosen(foes: list[Group], fires: tuple[Fire, ...]) -> Group | None:
    return next((foe for fire in fires for name in fire.targets for foe in foes if foe.id == name), None)
