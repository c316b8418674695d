"""What factions receive in each phase of an online battle, and how their orders are combined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, cast

from campaign.kinds import StageKind
from campaign.models.battle import Battle as BattleRow
from campaign.models.campaign import Faction
from campaign.models.knowledge import PHASE_SHEET, Report
from campaign.models.stage import Stage
from campaign.models.truth import Snapshot
from campaign.orders.codec import parse_orders
from campaign.rules.orders import BattleSetUp
from campaign.rules.world import World
from campaign.selectors.truth import world_of
from campaign.store.battle_documents import PhaseSheet
from campaign.store.documents import report_body, scenario_of
from campaign.store.publication import played_factions
from campaign.store.war_dice import war_dice
from engine.battle import Battle
from engine.captains.common.doctrine import Doctrine, doctrine_from
from engine.core.ids import ShipId
from engine.core.orders import OrdersDocument
from engine.core.ship import ShipState
from engine.core.state import OVER, SET_UP, BattleState
from engine.events.event import Event
from engine.known_battle import known_battle
from engine.notation.battle_file import BattleFileDocument
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.sequences import automatic_units_at, units_awaiting_orders
from engine.stops import advise, awaited_sides, side_view
from engine.view.side_log import side_log
from umpire.adjudication.battles import battle_doctrines
from umpire.adjudication.phase_orders import valid_part
from umpire.services.ledger import sealed_entries
from umpire.services.records import battle_of
from umpire.services.set_up_advice import set_up_advice
from umpire.services.tables import battle_id, report_hand


@dataclass(frozen=True, slots=True)
class PhaseSheets:
    """The sheets that factions receive in a phase.

    Attributes:
        number: The phase's number.
        bodies: Sheets by faction key.
        answered: Factions that it asks, but that have left all of it to their captains for good.
    """

    number: int
    kind: str
    bodies: Mapping[str, PhaseSheet]
    answered: frozenset[str] = frozenset()

    @property
    def awaited_factions(self) -> tuple[str, ...]:
        """Return the keys of the factions whose orders it waits for, in order."""
        return tuple(key for key, body in self.bodies.items() if body["needs_orders"])


@dataclass(frozen=True, slots=True)
class BattleParties:
    """The factions, owners and doctrines of a battle.

    Attributes:
        sides: The factions of each side, by its number.
        owners: The faction of each ship.
        doctrines: The doctrine of each side.
        set_ups: What the sealed orders of the week say about the set-up, by faction.
        computers: The factions without players.
    """

    sides: tuple[tuple[str, ...], ...]
    owners: Mapping[str, str]
    doctrines: tuple[Doctrine, ...]
    set_ups: Mapping[str, BattleSetUp] = field(default_factory=dict)
    computers: frozenset[str] = frozenset()

    def commander(self, home: str, side: int) -> str:
        """Return the faction that commands a ship (or its craft) on a side.

        That is its owner or, after the ship changed sides, the first faction of its new side.
        """
        owner = self.owners[home]
        if owner in self.sides[side]:
            return owner
        return self.sides[side][0]


def parties_of(battle: BattleRow, snapshot: Snapshot) -> BattleParties:
    """Return the parties of a battle, from the world before it and what is sealed for its week."""
    branch = battle.branch
    world = world_of(snapshot)
    engagement = next(item for item in world.engagements if item.key == battle.key)
    weekly = Stage.objects.filter(
        branch=branch, week=battle.week, kind=StageKind.BATTLES, battle__isnull=True
    ).first()
    orders = {}
    set_ups = {}
    for entry in sealed_entries(weekly) if weekly is not None else ():
        sealed, _ = parse_orders(entry.payload)
        if sealed is not None:
            orders[entry.faction.key] = sealed
            for item in sealed.set_up:
                if item.hex == engagement.hex:
                    set_ups[entry.faction.key] = item
    played = played_factions(branch.campaign).values_list("key", flat=True)
    doctrines = battle_doctrines(scenario_of(branch.campaign), world, engagement, orders)
    names = [side["name"] for side in battle.start["sides"]]
    return BattleParties(
        engagement.sides,
        owners_of(world, battle.start),
        tuple(doctrine_from(doctrines[n]) for n in names),
        set_ups,
        frozenset(chain.from_iterable(engagement.sides)).difference(played),
    )


def owners_of(world: World, start: BattleFileDocument) -> dict[str, str]:
    """Return the faction of each ship and decoy of a battle, by its id there.

    Args:
        start: The battle's set-up.
    """
    ships = {ship.key: ship.faction for ship in world.ships}
    fleets = {fleet.key: fleet.faction for fleet in world.fleets}
    names = []
    for side in start["sides"]:
        for ship in side["ships"]:
            names.append(ship["id"])
    result: dict[str, str] = {}
    for name in names:
        if name in ships:
            result[name] = ships[name]
        else:
            result[name] = fleets[name.rpartition("/")[0]]
    return result


def phase_sheets_for(
    battle: BattleRow,
    engine_battle: Battle,
    parties: BattleParties,
    *,
    number: int,
    since: Sequence[Event],
    before: BattleState,
    chain: str,
) -> PhaseSheets:
    """Return the sheets that factions receive in the present phase.

    Args:
        number: The phase's number.
        since: The events since the phase before.
        before: The state in that phase.
        chain: The hash of the phase before, or of the battle's start.
    """
    bodies: dict[str, PhaseSheet] = {}
    for side, factions in enumerate(parties.sides):
        common: PhaseSheet = {
            "battle": "",
            "week": battle.week,
            "hex": battle.key.partition("/")[0],
            "side": engine_battle.state.sides[side],
            "at": side,
            "sides": list(engine_battle.state.sides),
            "table": battle.start["table"],
            "number": number,
            "turn": engine_battle.state.turn,
            "kind": engine_battle.state.stop,
            "winner": engine_battle.winner,
            "chain": chain,
            "view": side_view(engine_battle, side),
            "log": side_log(since, before, side),
            "mine": [],
            "needs_orders": False,
        }
        visible = advice = None
        for key in factions:
            own_ids = _own_unit_ids(engine_battle.state, parties, side, key)
            is_asked = side in awaited_sides(engine_battle) and _has_orders(
                engine_battle.state, parties, side, key
            )
            body: PhaseSheet = {
                **common,
                "battle": battle_id(battle.branch, battle, key),
                "mine": own_ids,
                "needs_orders": is_asked,
            }
            if is_asked:
                if visible is None or advice is None:
                    visible = known_battle(engine_battle, side)
                    advice = _side_advice(battle, visible, side, parties)
                body["battle_document"] = visible.to_json()
                body["advice"] = _advice_for(advice, own_ids)
            bodies[key] = body
    answered = set()
    for key, body in bodies.items():
        side = body["at"]
        if body["needs_orders"] and _is_left_to_captain(engine_battle.state, parties, side, key):
            answered.add(key)
    return PhaseSheets(
        number,
        engine_battle.state.stop,
        {key: bodies[key] for key in sorted(bodies)},
        frozenset(answered),
    )


def _side_advice(
    battle: BattleRow, visible: Battle, side: int, parties: BattleParties
) -> OrdersDocument:
    """Return the orders that the captain of a side advises in the present phase."""
    seed = war_dice(battle.branch).captain_seed(battle.week, battle.key)
    doctrine = parties.doctrines[side]
    if visible.state.stop == SET_UP:
        factions = parties.sides[side]
        items = [parties.set_ups[key] for key in factions if key in parties.set_ups]
        is_computer = parties.computers.issuperset(factions)
        side_orders = set_up_advice(visible, side, doctrine, items, seed, chooses=is_computer)
    else:
        side_orders = advise(visible, side, doctrine, seed)
    advice, _ = valid_part(visible, side, side_orders)
    return advice


def late_set_ups(battle: BattleRow, parties: BattleParties) -> dict[str, OrdersDocument]:
    """Return the advice for the set-up by the week's orders as they are sealed by now, by faction.

    They may have been sealed after the set-up phase opened.
    """
    engine_battle = battle_of(battle)
    result: dict[str, OrdersDocument] = {}
    for side, factions in enumerate(parties.sides):
        if side in awaited_sides(engine_battle):
            visible = known_battle(engine_battle, side)
            advice = _side_advice(battle, visible, side, parties)
            for key in factions:
                own_ids = _own_unit_ids(engine_battle.state, parties, side, key)
                result[key] = _advice_for(advice, own_ids)
    return result


def phase_sheets_write(battle: BattleRow, snapshot: Snapshot, sheets: PhaseSheets) -> None:
    """Store the sheets of a phase, in the caller's transaction."""
    factions = {}
    for row in Faction.objects.filter(campaign=battle.branch.campaign_id):
        factions[row.key] = row
    for key, body in sheets.bodies.items():
        report_hand(
            battle.branch,
            snapshot,
            factions[key],
            kind=PHASE_SHEET,
            subject=f"{battle.key}#{sheets.number}",
            body=body,
        )


def stored_advice(battle: BattleRow, number: int) -> dict[str, OrdersDocument]:
    """Return the orders that captains advised in a phase, by faction key; they are the default."""
    rows = Report.objects.filter(
        branch_id=battle.branch_id, kind=PHASE_SHEET, subject=f"{battle.key}#{number}"
    ).select_related("faction")
    bodies = {}
    for row in rows:
        bodies[row.faction.key] = report_body(row.kind, row.schema, row.body)
    return {key: body["advice"] for key, body in bodies.items() if body["needs_orders"]}


def _own_unit_ids(state: BattleState, parties: BattleParties, side: int, faction: str) -> list[str]:
    """Return a faction's ids of the ships, groups in flight and ordnance that it commands.

    What craft have launched takes no further orders. The bodies that a side places before the
    battle are those of its first faction.
    """
    ids = []
    for ship in state.ships:
        if ship.commander == side and parties.commander(ship.id, side) == faction:
            ids.append(ship.call_sign)
    for group in state.pieces_of(Group):
        if group.side == side and parties.commander(group.ship, side) == faction:
            ids.append(group.id)
    ship_ids = {ship.id for ship in state.ships}
    for marker in state.pieces_of(Marker):
        if marker.side != side or marker.ship not in ship_ids:
            continue
        if parties.commander(marker.ship, side) == faction:
            ids.append(marker.id)
    if state.set_up is not None and parties.sides[side][0] == faction:
        ids += [body.id for body in state.set_up.bodies_due(side) if body.id not in ids]
    return ids


def _has_orders(state: BattleState, parties: BattleParties, side: int, faction: str) -> bool:
    """Return whether the present phase asks a faction, depending only on what it has there."""
    if state.stop == OVER:
        return False
    return bool(_commanded_ships(units_awaiting_orders(state), parties, side, faction))


def _is_left_to_captain(
    state: BattleState, parties: BattleParties, side: int, faction: str
) -> bool:
    """Return whether a faction has left all that the present phase asks to its captain."""
    calling = _commanded_ships(units_awaiting_orders(state), parties, side, faction)
    return len(calling) == len(_commanded_ships(automatic_units_at(state), parties, side, faction))


def _commanded_ships(
    units: Sequence[ShipState | Group], parties: BattleParties, side: int, faction: str
) -> list[ShipId]:
    """Return the ships that a faction commands among units; for groups, their carriers."""
    ids = []
    for unit in units:
        if unit.commander == side:
            if isinstance(unit, Group):
                ids.append(unit.ship)
            elif not unit.dummy:
                ids.append(unit.id)
    return [ship for ship in ids if parties.commander(ship, side) == faction]


def _advice_for(advice: OrdersDocument, own_ids: Sequence[str]) -> OrdersDocument:
    """Return the part of a side's advice for a faction's own ships and groups."""
    return cast(
        OrdersDocument, {entry: _own_part(orders, own_ids) for entry, orders in advice.items()}
    )


def _own_part(orders: Any, own_ids: Sequence[str]) -> Any:
    """Return the part of an entry of orders for a faction's own ships and groups."""
    if isinstance(orders, Mapping):
        return {name: ship_orders for name, ship_orders in orders.items() if name in own_ids}
    if isinstance(orders, list):
        return [row for row in orders if row[0] in own_ids]
    return orders
