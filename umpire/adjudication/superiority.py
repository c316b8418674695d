"""Who holds each system at the week's end, and whether a victory condition is met.

Covers superiority, stand-offs, contested systems, reversion to a settlement's owner, and the
objectives.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from campaign.events.event import WeekEvent
from campaign.events.systems import HoldingChanged
from campaign.rules.ground_targets import count_ruins
from campaign.rules.objectives import score_of
from campaign.rules.queries import members_of
from campaign.rules.scenario import Condition, StarSystem
from campaign.rules.world import Contact, GroundDamage, Holding, ObjectiveState
from umpire.adjudication.indexes import ScenarioIndex, WorldIndex


def operational_points(index: ScenarioIndex, world_index: WorldIndex, hex_: str) -> dict[str, int]:
    """Return the points of each faction's operational warships in a system hex.

    Factions without any are left out.

    Rules: 2E "Campaign set-up" [camp.superiority]
    """
    result: dict[str, int] = {}
    classes, operational = index.classes, index.is_operational
    for faction, fleets in world_index.present(hex_).items():
        for fleet in fleets:
            for ship in world_index.ships_of[fleet.key]:
                if operational(ship):
                    result[faction] = result.get(faction, 0) + classes[ship.cls].points
    return result


def holdings_after(
    index: ScenarioIndex,
    world_index: WorldIndex,
    holdings: Sequence[Holding],
    contacts: Sequence[Contact],
    week: int,
) -> tuple[Holding, ...]:
    """Return the holding of every system at the end of a week.

    Args:
        contacts: The contacts that last into the next week.

    Rules: 2E "Campaign set-up" [camp.superiority]; 2E "The stand off" [camp.stand-off]; 2E "When
    fleets meet" [camp.contested]
    """
    states: dict[str, str] = {}
    for contact in contacts:
        if states.get(contact.hex) != "contested":
            states[contact.hex] = contact.state
    hex_of = {system.id: hex_ for hex_, system in index.system_at.items()}
    result: list[Holding] = []
    for holding in holdings:
        hex_ = hex_of[holding.system]
        state = states.get(hex_, "held")
        if state == "contested":
            after = _change_holding(holding, week, holder=None, superior=None, state="contested")
        else:
            system = index.system_at[hex_]
            points = operational_points(index, world_index, hex_)
            if state == "stand-off":
                after = _stand_off_holding(index, holding, system, points, week)
            else:
                after = _unopposed_holding(index, holding, system, points, week)
        result.append(after)
    return tuple(result)


def _unopposed_holding(
    index: ScenarioIndex, before: Holding, system: StarSystem, points: Mapping[str, int], week: int
) -> Holding:
    """Return a system's holding where no two sides are in contact.

    The only side with operational warships gets the system. Without any, it reverts to the owner of
    its settlement, or else its last holder keeps it.

    Args:
        points: The points of each faction's operational warships there.
    """
    sides = {index.side[faction] for faction in points}
    if len(sides) == 1:
        (side,) = sides
        superior = _strongest(points)
        if before.holder is not None and index.side[before.holder] == side:
            holder = before.holder
        elif system.owner is not None and index.side[system.owner] == side:
            holder = system.owner
        else:
            holder = superior
        if holder in points:
            superior = holder
        return _change_holding(before, week, holder=holder, superior=superior)
    if before.holder is None and before.since == week:  # both sides withdrew this week
        return _change_holding(before, week, holder=None, superior=None)
    owner = system.owner if system.settled else None
    return _change_holding(before, week, holder=owner or before.holder, superior=None)


def _stand_off_holding(
    index: ScenarioIndex, before: Holding, system: StarSystem, points: Mapping[str, int], week: int
) -> Holding:
    """Return a system's holding in a stand-off.

    The side that held the system, or had superiority there, keeps it while that side is present.

    Args:
        points: The points of each faction's operational warships there.
    """
    sides = {index.side[faction] for faction in points}
    superior = before.superior
    if superior is not None and index.side[superior] not in sides:
        superior = None
    if superior is not None and superior not in points:
        side = index.side[superior]
        superior = _strongest({name: points[name] for name in points if index.side[name] == side})
    holder = before.holder
    if holder is not None and index.side[holder] not in sides:
        owner = system.owner if system.settled else None
        holder = owner or holder
    return _change_holding(before, week, holder=holder, superior=superior, state="stand-off")


def _strongest(points: Mapping[str, int]) -> str:
    """Return the faction with the most points; of several, the first by id."""
    return min(points, key=lambda faction: (-points[faction], faction))


def _change_holding(
    before: Holding,
    week: int,
    *,
    holder: str | None,
    superior: str | None,
    state: Literal["held", "stand-off", "contested"] = "held",
) -> Holding:
    """Return a holding after a week; `since` changes only with the holder."""
    since = before.since if holder == before.holder else week
    after = Holding(before.system, holder, since, state, superior)
    return before if after == before else after


def release_abandoned(
    index: ScenarioIndex, holdings: Sequence[Holding], hexes: Sequence[str], week: int
) -> tuple[Holding, ...]:
    """Return the holdings without a holder for systems from which both sides withdrew this week.

    Args:
        hexes: The hexes of those systems.

    Rules: 2E "When fleets meet" [camp.must-leave]
    """
    abandoned_ids = {index.system_at[hex_].id for hex_ in hexes}
    result: list[Holding] = []
    for holding in holdings:
        if holding.system in abandoned_ids:
            result.append(Holding(holding.system, holder=None, since=week))
        else:
            result.append(holding)
    return tuple(result)


def holding_events(
    index: ScenarioIndex,
    world_index: WorldIndex,
    before: Sequence[Holding],
    after: Sequence[Holding],
) -> list[WeekEvent]:
    """Return the notices of systems whose holder, state or superiority changed.

    They go to every faction present and to the owner of the settlement.
    """
    result: list[WeekEvent] = []
    hexes = {system.id: hex_ for hex_, system in index.system_at.items()}
    for old, new in zip(before, after, strict=True):
        if (old.holder, old.state, old.superior) == (new.holder, new.state, new.superior):
            continue
        hex_ = hexes[new.system]
        system = index.system_at[hex_]
        audience = set(world_index.present(hex_))
        if system.settled and system.owner is not None:
            audience.add(system.owner)
        if not audience:
            continue
        result.append(
            HoldingChanged(
                tuple(sorted(audience)),
                hex_,
                system=new.system,
                holder=new.holder or "",
                state=new.state,
                superior=new.superior or "",
            )
        )
    return result


def superior_systems(
    index: ScenarioIndex, holdings: Sequence[Holding], power: str
) -> frozenset[str]:
    """Return the ids of the systems where a faction or alliance has superiority."""
    systems: set[str] = set()
    for holding in holdings:
        superior = holding.superior
        if superior is not None and power in (superior, index.side[superior]):
            systems.add(holding.system)
    return frozenset(systems)


def is_met(
    index: ScenarioIndex,
    holdings: Sequence[Holding],
    condition: Condition,
    ground: Collection[GroundDamage] = (),
    objectives: Collection[ObjectiveState] = (),
) -> bool:
    """Return whether a victory condition is met now.

    Args:
        ground: The damage of ground targets.
        objectives: The states of all objectives.

    Rules: 2E "Campaign objectives" [camp.objectives]; Continuum "Ortillery" 12.6 [pc.ortillery]
    """
    if condition.ruins:
        return count_ruins(index.scenario, ground, condition.ruins) >= condition.at_least
    if condition.score_of:
        members = members_of(index.scenario, condition.score_of)
        return score_of(index.scenario, objectives, members).share >= condition.share
    if condition.by is None:
        return True
    system_ids = set()
    for system in index.scenario.systems:
        if condition.counts(system):
            system_ids.add(system.id)
    superior = superior_systems(index, holdings, condition.by)
    return len(system_ids & superior) >= condition.at_least and set(condition.including) <= superior


def find_end_condition(
    index: ScenarioIndex,
    holdings: Sequence[Holding],
    week: int,
    ground: Collection[GroundDamage] = (),
    objectives: Collection[ObjectiveState] = (),
) -> Condition | None:
    """Return the victory condition that ends the war after this week, or None.

    A total victory ends the war as soon as it is met. After the last week, the first condition that
    is met ends it.

    Rules: 2E "Campaign objectives" [camp.objectives]; 2E "Section 10" [camp.lafayette]
    """
    last = week >= index.scenario.weeks
    for condition in index.scenario.victory:
        if not condition.total and not last:
            continue
        if is_met(index, holdings, condition, ground, objectives):
            return condition
    return None
