"""The week's damage to ground targets: by battles over their planets and by unopposed bombardment.

Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campaign.events.event import WeekEvent
from campaign.events.systems import GroundHit
from campaign.rules.ground_targets import (
    contested_targets,
    damage_by_number,
    target_name,
    update_damage,
)
from campaign.rules.scenario import StarSystem
from campaign.rules.world import GroundDamage, Holding, Ship, World
from engine.core.phrase import phrase
from engine.notation.ground import site_id
from engine.pieces.site import Site
from umpire.adjudication.indexes import ScenarioIndex, WorldIndex
from umpire.adjudication.outcome import BattleResult

ORTILLERY = "ortillery"
IN_BATTLE, UNHINDERED = phrase("in battle"), "unhindered"


def damage_after(
    system: StarSystem, sides: Mapping[str, str], state: Mapping[str, Any]
) -> tuple[tuple[int, int], ...]:
    """Return the damage of a system's ground targets after a battle, as (target number, damage).

    Targets that took no part in the battle are left out.

    Args:
        sides: The name of each faction's side.
        state: The battle's final state.
    """
    numbers = [number for number, _, _ in contested_targets(system, sides)]
    sites = {}
    for piece in state["pieces"] if numbers else ():
        if piece["kind"] == Site.kind:
            sites[piece["id"]] = piece["damage"]
    site_ids = {number: site_id(place) for place, number in enumerate(numbers, 1)}
    result: list[tuple[int, int]] = []
    for number, name in site_ids.items():
        if name in sites:
            result.append((number, sites[name]))
    return tuple(result)


def ground_after(
    index: ScenarioIndex,
    world: World,
    world_index: WorldIndex,
    holdings: Sequence[Holding],
    results: Mapping[str, BattleResult],
) -> tuple[tuple[GroundDamage, ...], list[WeekEvent]]:
    """Return the damage of all ground targets at the end of a week, and the notices of new damage.

    The target's owner and every faction present are notified. After the battles, a faction with
    superiority in an uncontested system destroys every hostile target there if any ship of its side
    has working ortillery: a week is long enough.

    Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
    """
    ground, events = world.ground, []
    targeted = [system for system in index.system_at.values() if system.ground]
    holding_of = {holding.system: holding for holding in holdings}
    for system in sorted(targeted, key=lambda system: system.id):
        before = damage_by_number(ground, system.id)
        after_battles = dict(before)
        for fight in world.engagements:
            if fight.hex == system.hex:
                after_battles |= dict(results[fight.key].ground)
        events += _damage_events(world_index, system, before, after_battles, cause=IN_BATTLE)
        ruined = _ruined_targets(index, world_index, system, holding_of[system.id])
        after = after_battles | ruined
        events += _damage_events(world_index, system, after_battles, after, cause=UNHINDERED)
        ground = update_damage(ground, system.id, after)
    return ground, events


def _ruined_targets(
    index: ScenarioIndex, world_index: WorldIndex, system: StarSystem, holding: Holding
) -> dict[int, int]:
    """Return the targets that the faction with superiority destroys, with their damage."""
    power = holding.unchallenged_holder
    if power is None:
        return {}
    ships: list[Ship] = []
    for faction in world_index.present(system.hex):
        if not index.are_hostile(faction, power):
            ships += world_index.ships(system.hex, faction)
    if not any(_can_bombard(index, ship) for ship in ships):
        return {}
    result: dict[int, int] = {}
    for number, target in enumerate(system.ground, 1):
        if index.are_hostile(target.faction, power):
            result[number] = target.boxes
    return result


def _can_bombard(index: ScenarioIndex, ship: Ship) -> bool:
    """Return whether a ship has working ortillery and is not helpless."""
    if ship.is_helpless:
        return False
    systems = index.classes[ship.cls].systems
    return any(fit.startswith(f"{ORTILLERY}-") and fit not in ship.lost for fit in systems)


def _damage_events(
    world_index: WorldIndex,
    system: StarSystem,
    before: Mapping[int, int],
    after: Mapping[int, int],
    *,
    cause: str,
) -> list[WeekEvent]:
    """Return the notices of the ground targets of a system whose damage has changed."""
    result: list[WeekEvent] = []
    for number, target in enumerate(system.ground, 1):
        damage = after.get(number, 0)
        if damage == before.get(number, 0):
            continue
        audience = tuple(sorted({target.faction, *world_index.present(system.hex)}))
        result.append(
            GroundHit(
                audience,
                system.hex,
                target=target_name(target, number),
                owner=target.faction,
                boxes=target.boxes,
                remaining=target.boxes - damage,
                cause=cause,
            )
        )
    return result
