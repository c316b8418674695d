"""Hostile factions in the same system hex: scans, meetings, choices and split fleets.

Decoy drones and weasel boats falsify long range scans. Choices are settled hex by hex. A fleet
splits if some of its ships can leave and others have to stay.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from operator import attrgetter

from campaign.events.contacts import Survivors
from campaign.events.event import WeekEvent
from campaign.rules.battle_entries import DECOY_LABEL, sensor_label
from campaign.rules.fleet_names import unique_name, used_names
from campaign.rules.orders import Orders
from campaign.rules.perception import index_scans
from campaign.rules.scenario import Choice
from campaign.rules.towing import is_aboard
from campaign.rules.world import Contact, Engagement, Fleet, Pair, Scan, Ship, World
from engine.core.dice import Dice
from umpire.adjudication import outcome
from umpire.adjudication.decisions import (
    ChooseFunction,
    Settlement,
    force_at,
    form_engagements,
    group_by_hex,
    settle_pairs,
    standing_choice,
    with_choices,
)
from umpire.adjudication.indexes import FleetsByFaction, ScenarioIndex, WorldIndex

PairKey = tuple[str, str, str]  # hex and the two factions, sorted


def visible_decoys(fleet: Fleet, ships: int) -> int:
    """Return how many decoy drones a fleet shows: those deployed, at most one per real ship.

    Args:
        ships: The number of the fleet's real ships.

    Rules: 2E "Dummy bogeys and weasel boats" [camp.decoys]
    """
    return min(fleet.decoys_out, ships)


def count_contacts(
    index: ScenarioIndex, world_index: WorldIndex, fleets: Iterable[Fleet]
) -> tuple[tuple[str, int], ...]:
    """Count the contacts of some fleets by classification, as a long range scan shows them.

    Docked ships count; battleriders aboard their motherships do not.

    Returns:
        (classification, contacts), sorted.

    Rules: 2E "When fleets meet" [camp.scan]; Continuum "Battleriders and motherships" 11.7
    [pc.tugs]
    """
    counts: dict[str, int] = {}
    classes = index.classes
    for fleet in fleets:
        ships = world_index.ships_of[fleet.key]
        for ship in ships:
            if ship.tug and _is_aboard(index, ship, ships):
                continue
            if ship.weasel_on:
                kind = sensor_label(classes, ship)
            else:
                kind = classes[ship.cls].classification
            counts[kind] = counts.get(kind, 0) + 1
        decoys = visible_decoys(fleet, len(ships))
        if decoys:
            counts[DECOY_LABEL] = counts.get(DECOY_LABEL, 0) + decoys
    return tuple(sorted(counts.items()))


def _is_aboard(index: ScenarioIndex, ship: Ship, fleet_ships: Sequence[Ship]) -> bool:
    """Return whether a ship in tow is aboard its mothership."""
    classes = index.classes
    mothers = (classes[other.cls] for other in fleet_ships if other.key == ship.tug)
    return any(is_aboard(classes[ship.cls], ship, mother) for mother in mothers)


def scans_at(
    index: ScenarioIndex, world_index: WorldIndex, hex_: str, present: FleetsByFaction
) -> list[Scan]:
    """Return all long range scans at a system hex: each faction there scans each hostile one.

    A settlement scans hostile fleets even if its owner has no ships there; scans of that owner then
    find none. Allies see each other's scans only if the scenario says so.

    Rules: 2E "When fleets meet" [camp.scan]
    """
    system = index.system_at[hex_]
    factions = set(present)
    if system.settled and system.owner is not None:
        factions.add(system.owner)
    if len(factions) < 2:
        return []
    watchers = sorted(factions)
    counts_of: dict[tuple[str, str], tuple[tuple[str, int], ...]] = {}
    for target in watchers:
        viewers = [viewer for viewer in watchers if index.are_hostile(viewer, target)]
        if viewers:
            counts = count_contacts(index, world_index, present.get(target, ()))
            counts_of.update({(viewer, target): counts for viewer in viewers})
    _share_with_allies(index, counts_of)
    scans = []
    for (viewer, target), counts in sorted(counts_of.items()):
        scans.append(Scan(hex_, viewer, target, counts))
    return scans


def scans_from_afar(
    index: ScenarioIndex, world_index: WorldIndex, hexes_of: Mapping[str, Collection[str]]
) -> list[Scan]:
    """Return all long range scans of hexes other than the system hexes where the viewer is.

    They show each hostile faction with fleets in a scanned hex, also between the stars. The scanned
    faction is not notified, and neither is any other.

    Args:
        hexes_of: The hexes that each faction scans.
    """
    if not any(hexes_of.values()):
        return []
    viewers_of: dict[str, list[str]] = {}
    for viewer in sorted(hexes_of):
        for hex_ in hexes_of[viewer]:
            viewers_of.setdefault(hex_, []).append(viewer)
    deep_space = world_index.fleets_in_deep_space()
    scans: list[Scan] = []
    for hex_, viewers in sorted(viewers_of.items()):
        present = world_index.at.get(hex_) or deep_space.get(hex_, {})
        counts_of: dict[tuple[str, str], tuple[tuple[str, int], ...]] = {}
        for target, fleets in present.items():
            hostile_viewers = [viewer for viewer in viewers if index.are_hostile(viewer, target)]
            if hostile_viewers:
                counts = count_contacts(index, world_index, fleets)
                counts_of.update({(viewer, target): counts for viewer in hostile_viewers})
        _share_with_allies(index, counts_of)
        for (viewer, target), counts in counts_of.items():
            scans.append(Scan(hex_, viewer, target, counts))
    return scans


def _share_with_allies(
    index: ScenarioIndex, counts_of: dict[tuple[str, str], tuple[tuple[str, int], ...]]
) -> None:
    """Give allies each other's scans, in place, if the scenario says so.

    Args:
        counts_of: The counts by (viewer, target).
    """
    if not index.scenario.shared_sight:
        return
    for (viewer, target), counts in list(counts_of.items()):
        for ally in index.factions:
            if index.side[ally] == index.side[viewer]:
                counts_of.setdefault((ally, target), counts)


def find_meetings(
    index: ScenarioIndex, world_index: WorldIndex, in_contact: Mapping[PairKey, Pair]
) -> list[Pair]:
    """Return all pairs of hostile factions with ships in one system hex, sorted.

    Fleets in FTL space and between the stars meet no one.

    Args:
        in_contact: Pairs in contact since an earlier week, with the choices from the orders. Fleets
            that joined since then are bound by these choices.

    Rules: 2E "When fleets meet" [camp.meeting]
    """
    pairs: list[Pair] = []
    for hex_, present in world_index.at.items():
        for a, b in combinations(present, 2):
            if index.are_hostile(a, b):
                earlier_pair = in_contact.get((hex_, a, b))
                if earlier_pair is not None and earlier_pair.settled != "gone":
                    pairs.append(earlier_pair)
                else:
                    pairs.append(Pair(hex_, a, b))
    return pairs


@dataclass(frozen=True, slots=True)
class ContactOutcome:
    """The outcome of all pairs.

    Attributes:
        ships_going: Keys of the ships that get away.
        staying: (faction, hex) of the forces that must stay.
        both_withdrew: Hexes where two factions withdrew from each other.
    """

    pairs: tuple[Pair, ...]
    engagements: tuple[Engagement, ...]
    ships_going: frozenset[str]
    staying: frozenset[tuple[str, str]]
    both_withdrew: tuple[str, ...]
    events: list[WeekEvent]

    def fleets_bound(self, world: World) -> frozenset[str]:
        """Return the fleets that may not move: their faction is in contact and did not get away."""
        if not self.staying:
            return frozenset()
        result: set[str] = set()
        for fleet in world.fleets:
            if not fleet.in_ftl and (fleet.faction, fleet.hex) in self.staying:
                result.add(fleet.key)
        return frozenset(result)


def settle_standing_contacts(
    index: ScenarioIndex, world: World, orders: Mapping[str, Orders], dice: Dice
) -> ContactOutcome:
    """Settle the choices of factions in contact since an earlier week, before movement.

    A fleet that moves out withdraws, together with everything its faction has there. Otherwise the
    choice in the orders applies, else the standing order, else the faction stands off.

    Rules: 2E "The stand off" [camp.stand-off]; 2E "When fleets meet" [camp.contested]
    """
    if not world.contacts:
        return ContactOutcome(
            pairs=(),
            engagements=(),
            ships_going=frozenset(),
            staying=frozenset(),
            both_withdrew=(),
            events=[],
        )
    world_index = WorldIndex(index, world)
    leaving = _leaving_forces(world, orders)
    ordered = _ordered_choices(orders)
    standing = partial(standing_choice, world_index, index_scans(world.scans))

    def choose(hex_: str, faction: str, toward: str) -> Choice:
        if (hex_, faction) in leaving:
            return "withdraw"
        return ordered.get((hex_, faction, toward)) or standing(hex_, faction, toward)

    pairs = []
    for contact in world.contacts:
        present = world_index.present(contact.hex)
        if contact.a in present and contact.b in present:
            pairs.append(Pair(contact.hex, contact.a, contact.b))
    return _settle_hexes(index, world_index, pairs, choose=choose, dice=dice, week=world.week)


def _leaving_forces(world: World, orders: Mapping[str, Orders]) -> set[tuple[str, str]]:
    """Return the (hex, faction) of each force of which a fleet is ordered to move out."""
    moving = set()
    for sheet in orders.values():
        moving |= {move.fleet for move in sheet.moves}
    leaving = set()
    for fleet in world.fleets:
        if fleet.key in moving and not fleet.in_ftl:
            leaving.add((fleet.hex, fleet.faction))
    return leaving


def settle_new_contacts(
    index: ScenarioIndex, world: World, orders: Mapping[str, Orders], dice: Dice
) -> ContactOutcome:
    """Settle the choices of all factions that met this week, simultaneously.

    Choices given with the week's orders are included.

    Rules: 2E "When fleets meet" [camp.decision]
    """
    world_index = WorldIndex(index, world)
    ordered = _ordered_choices(orders)
    standing = partial(standing_choice, world_index, index_scans(world.scans))

    def choose(hex_: str, faction: str, toward: str) -> Choice:
        return ordered.get((hex_, faction, toward)) or standing(hex_, faction, toward)

    result = _settle_hexes(
        index, world_index, world.pairs, choose=choose, dice=dice, week=world.week
    )
    result.events.extend(outcome.battle_joined_events(result.engagements))
    return result


def _ordered_choices(orders: Mapping[str, Orders]) -> dict[tuple[str, str, str], Choice]:
    """Return the choices in the orders by (hex, faction, other faction)."""
    result: dict[tuple[str, str, str], Choice] = {}
    for faction, sheet in orders.items():
        for item in sheet.decide:
            result[(item.hex, faction, item.toward)] = item.choice
    return result


def _settle_hexes(
    index: ScenarioIndex,
    world_index: WorldIndex,
    pairs: Iterable[Pair],
    *,
    choose: ChooseFunction,
    dice: Dice,
    week: int,
) -> ContactOutcome:
    """Settle pairs hex by hex.

    Args:
        choose: Returns the choice of a faction whose pair has none yet.
    """
    settled: list[Pair] = []
    engagements: list[Engagement] = []
    going: set[str] = set()
    staying: set[tuple[str, str]] = set()
    both_withdrew: list[str] = []
    events: list[WeekEvent] = []
    for hex_, pairs_here in group_by_hex(pairs).items():
        factions = _factions_of(pairs_here)
        forces = {faction: force_at(index, world_index, hex_, faction) for faction in factions}
        chosen = [with_choices(pair, choose) for pair in pairs_here]
        settlement = settle_pairs(chosen, forces, dice)
        settled.extend(settlement.pairs)
        engagements.extend(form_engagements(index, week, settlement.pairs))
        for faction in factions:
            if faction in settlement.leaving:
                ships = world_index.ships(hex_, faction)
                going.update(ship.key for ship in ships if index.can_leave(ship, ships))
            else:
                staying.add((faction, hex_))
        if _is_abandoned(settlement):
            both_withdrew.append(hex_)
        new_pairs = []
        for pair, before in zip(settlement.pairs, pairs_here, strict=True):
            if before.settled is None:
                new_pairs.append(pair)
        events.extend(outcome.chase_events(hex_, settlement.chases))
        events.extend(outcome.decision_events(new_pairs))
        events.extend(outcome.withdrawal_events(hex_, settlement.leaving))
        events.extend(_no_survivors_events(index, hex_, settlement))
    return ContactOutcome(
        pairs=tuple(settled),
        engagements=tuple(engagements),
        ships_going=frozenset(going),
        staying=frozenset(staying),
        both_withdrew=tuple(both_withdrew),
        events=events,
    )


def _factions_of(pairs: Iterable[Pair]) -> list[str]:
    """Return the factions of some pairs, sorted."""
    factions = set()
    for pair in pairs:
        factions |= {pair.a, pair.b}
    return sorted(factions)


def _is_abandoned(settlement: Settlement) -> bool:
    """Return whether two factions have withdrawn from each other."""
    leaving = set(settlement.leaving)
    return any(
        pair.settled == "gone" and leaving.issuperset((pair.a, pair.b)) for pair in settlement.pairs
    )


def _no_survivors_events(
    index: ScenarioIndex, hex_: str, settlement: Settlement
) -> list[WeekEvent]:
    """Return the events that tell those who stay that nothing is left of an enemy that withdrew."""
    events: list[WeekEvent] = []
    leaving = settlement.leaving
    for pair in settlement.pairs:
        if pair.settled != "gone":
            continue
        for stays, leaves in ((pair.a, pair.b), (pair.b, pair.a)):
            if leaves in leaving and stays not in leaving:
                (viewers,) = index.sight_groups((stays,))
                events.append(Survivors(viewers, hex_, leaves))
    return events


def stand_off_contacts(
    index: ScenarioIndex, world: World, pairs: Iterable[Pair]
) -> tuple[Contact, ...]:
    """Return the contacts of the pairs in a stand-off.

    The occupant is in the inner system, the newcomer on the fringe.

    Rules: 2E "The stand off" [camp.stand-off]
    """
    inner_of = {}
    for contact in world.contacts:
        inner_of[contact.hex, contact.a, contact.b] = contact.inner
    holders = {holding.system: holding.holder for holding in world.holdings}
    result = []
    for pair in pairs:
        if pair.settled != "apart":
            continue
        occupant = inner_of.get((pair.hex, pair.a, pair.b), "")
        holder = holders[index.system_at[pair.hex].id]
        if not occupant and holder in (pair.a, pair.b):
            occupant = holder
        result.append(Contact(pair.hex, pair.a, pair.b, state="stand-off", inner=occupant or ""))
    return tuple(result)


def with_contacts(
    engagements: Iterable[Engagement], contacts: Sequence[Contact]
) -> tuple[Engagement, ...]:
    """Return battles with the contacts that their sides had since an earlier week.

    Rules: 2E "The stand off" [camp.stand-off]; 2E "When fleets meet" [camp.contested]
    """
    result = []
    for engagement in engagements:
        earlier = []
        for contact in contacts:
            if contact.hex == engagement.hex and (contact.a, contact.b) in engagement.hostile:
                earlier.append(contact)
        result.append(replace(engagement, contacts=tuple(earlier)))
    return tuple(result)


def split_fleets(
    fleets: Sequence[Fleet], ships: Sequence[Ship], going: Collection[str]
) -> tuple[list[Fleet], list[Ship], frozenset[str]]:
    """Separate the ships that go from those that stay.

    Ships that go keep their fleet's key, its name and the decoys aboard. Ships left behind by a
    split fleet form a new fleet, under a name that no other fleet of the faction has, with the
    decoys that are out. Fleets without ships are removed.

    Args:
        going: Keys of the ships that go.

    Returns:
        The fleets, the ships, and the keys of the fleets that go.

    Rules: 2E "Non-FTL ships" [camp.non-ftl]
    """
    if not going:
        manned = {ship.fleet for ship in ships}
        manned_fleets = [fleet for fleet in fleets if fleet.key in manned]
        return sorted(manned_fleets, key=attrgetter("key")), list(ships), frozenset()
    with_goers: set[str] = set()
    with_stayers: set[str] = set()
    for ship in ships:
        group = with_goers if ship.key in going else with_stayers
        group.add(ship.fleet)
    used_keys = {fleet.key for fleet in fleets}
    remnant_key: dict[str, str] = {}
    after: list[Fleet] = []
    for fleet in fleets:
        if fleet.key in with_goers and fleet.key in with_stayers:
            key = _spare_key(fleet.key, used_keys)
            remnant_key[fleet.key] = key
            names = used_names((*fleets, *after), fleet.faction)
            name = unique_name(fleet.name, names)
            after.append(replace(fleet, key=key, name=name, decoys=0))
            after.append(replace(fleet, decoys_out=0))
        elif fleet.key in with_goers or fleet.key in with_stayers:
            after.append(fleet)
    new_ships = []
    for ship in ships:
        if ship.fleet in remnant_key and ship.key not in going:
            new_ships.append(replace(ship, fleet=remnant_key[ship.fleet]))
        else:
            new_ships.append(ship)
    return sorted(after, key=attrgetter("key")), new_ships, frozenset(with_goers)


def enter_ftl(fleets: Sequence[Fleet], going: Container[str]) -> list[Fleet]:
    """Put the fleets that go into FTL space at their hex.

    There they are unseen, hold nothing and must move with their next move. Decoys that are out are
    left behind.

    Args:
        going: Keys of the fleets that go.

    Rules: 2E "When fleets meet" [camp.must-leave]
    """
    result: list[Fleet] = []
    for fleet in fleets:
        if fleet.key in going:
            result.append(replace(fleet, in_ftl=True, must_leave=True, decoys_out=0))
        else:
            result.append(fleet)
    return result


def _spare_key(key: str, used_keys: Container[str]) -> str:
    """Return the key for the ships left behind: the fleet's key with the first free number."""
    number = 2
    while f"{key}.{number}" in used_keys:
        number += 1
    return f"{key}.{number}"
