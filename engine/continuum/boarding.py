"""Boarding, an option: who comes aboard, the fight and the capture.

Boarders stay on the sheet of their own ship, marked as away, until they fall.

Rules: Continuum "Boarding enemy ships" 12.7 [pc.boarding]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.combat.capture import take_over
from engine.continuum.boarders import (
    BOARDERS,
    MARINE,
    PARTY,
    boarder_units,
    lose_marine,
    record_marine_losses,
)
from engine.continuum.damage import check_after_damage, is_wrecked, mark_damage
from engine.continuum.fire_control import Aftermath
from engine.core.dice import Dice
from engine.core.kinds import (
    CLOAKED,
    DERELICT_STATUSES,
    DESTROYED,
    FIGHTING,
    FTL,
    HULK,
    HULL,
    LEFT_TABLE,
    SHIP_SURRENDERED,
)
from engine.core.notes import write_fact
from engine.core.orders import AT_HULL, AT_MARINES, Control
from engine.core.rolls import TypedDamage
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import BOARDING
from engine.events.boarding import BoardingFight, ShipBoarded, ShipCaptured, ShipRecaptured
from engine.systems.outfit import marines_of, parties_of

KILLS_ON = 4  # to kill a marine, or a boarder fighting one
REPELS_ON = 7  # minus the parties sent: 6, 5 or 4
MAX_PARTIES_SENT = 3  # against one boarder
BOARDED = "boarded"

# How many boarders fight a ship's marines, by their side (ANY_SIDE for all) and the ship's id.
BoarderOrders = dict[tuple[int, str], int]
ANY_SIDE = -1

Pool = list[tuple[int, str]]  # the boarders of one task: (side, marines or parties)
OUT_OF_BATTLE = (FTL, LEFT_TABLE)  # out of the battle: the fight aboard goes on until it is decided


def is_boarding_allowed(state: BattleState) -> bool:
    """Return whether this battle uses the boarding option."""
    return BOARDING in state.terms.options


def hostile_sides_aboard(state: BattleState, ship: ShipState) -> list[int]:
    """Return the sides whose boarders fight the ship's crew, in order."""
    if not ship.record.boarders:
        return []
    foes = state.hostile[ship.commander]
    return [side for side in ship.boarders_by_side() if foes >> side & 1]


def boarded_ships(state: BattleState) -> list[ShipState]:
    """Return the ships in which hostile boarders fight, in canonical order."""
    if not is_boarding_allowed(state):
        return []
    ships: list[ShipState] = []
    for ship in state.ships:
        if ship.record.boarders and hostile_sides_aboard(state, ship):
            ships.append(ship)
    return ships


def boarding_decision_ships(state: BattleState) -> list[ShipState]:
    """Return the ships whose orders make a boarding decision point necessary.

    These are the ships with a fight aboard, and one ship of each side that has boarders there.
    """
    ships = boarded_ships(state)
    sides: set[int] = set()
    for ship in ships:
        sides.update(hostile_sides_aboard(state, ship))
    for side in sorted(sides):
        ships += state.in_play(side)[:1]
    return ships


def come_aboard(table: Table, aftermath: Aftermath) -> None:
    """Bring aboard what transporters and boarding torpedoes carried this turn (phase 11).

    Transported units are marked as away from their ship; those in torpedoes belong to no ship.

    Rules: Continuum "Transporter beams" 5.9 [pc.transporters]; "Boarding torpedoes" 5.18
    [pc.boarding-torpedoes]
    """
    state = table.state
    for target, marines, parties, sender in aftermath.landed:
        send_aboard(
            table,
            sender=state.ship_by_name(sender),
            ship=state.ship_by_name(target),
            marines=marines,
            parties=parties,
        )
    for target, marines, side in aftermath.brought:
        ship = state.ship_by_name(target)
        write_fact(
            table,
            ship,
            "by-torpedo",
            ship.record.by_torpedo.get(str(side), 0) + marines,
            key=str(side),
        )
        _add_boarders(table, side, ship=ship, marines=marines, parties=0)


def send_aboard(
    table: Table, sender: ShipState, ship: ShipState, marines: int, parties: int
) -> None:
    """Move marines and parties of a ship to another and mark them as away.

    Rules: Continuum "Boarding" 12.7 [pc.boarding]
    """
    for place in marines_of(sender)[:marines]:
        write_fact(table, sender, "marines-away", 1, key=sender.sheet.fits[place].id)
    if parties:
        write_fact(table, sender, "parties-away", sender.record.parties_away + parties)
    _add_boarders(table, side=sender.commander, ship=ship, marines=marines, parties=parties)


def _add_boarders(table: Table, side: int, ship: ShipState, marines: int, parties: int) -> None:
    """Add units of a side to those it already has aboard a ship."""
    aboard = ship.boarders_by_side()
    marines_before, parties_before = aboard.get(side, (0, 0))
    aboard[side] = (marines_before + marines, parties_before + parties)
    ship.set_boarders(aboard)
    ship.add_boarders(side, marines, parties)
    table.tell(
        ShipBoarded,
        ship=ship.id,
        aboard=boarder_units(table.state, aboard),
        side=table.state.sides[side],
        marines=marines,
        parties=parties,
    )


def boarding_phase(table: Table, orders: Mapping[str, Control], boards: BoarderOrders) -> None:
    """Resolve phase 12: the fight in every boarded ship, and checks for the rows it ended.

    In a ship that has left the table the fight goes on until one side is beaten. Hulks do not
    resist.

    Rules: Continuum "Boarding actions phase" 2.6, "Boarding" 12.7 [pc.boarding]
    """
    state = table.state
    if not is_boarding_allowed(state):
        return
    at_marines: dict[str, int] = {}
    for (_, name), boarder_count in boards.items():
        at_marines[name] = at_marines.get(name, 0) + boarder_count
    for ship in state.ships:
        if not ship.record.boarders:
            continue
        if ship.status == DESTROYED:
            _lose_boarders(table, ship)
        elif not hostile_sides_aboard(state, ship):
            continue
        elif ship.status in DERELICT_STATUSES:
            _fight_in_empty_ship(table, ship)
        elif ship.status in (FIGHTING, CLOAKED):
            fight_aboard(table, ship, orders.get(ship.id, Control()), at_marines.get(ship.id, 0))
        while ship.status in OUT_OF_BATTLE and hostile_sides_aboard(state, ship):
            _fight_on(table, ship)


def _fight_on(table: Table, ship: ShipState) -> None:
    """Resolve a further turn of fighting aboard a ship that has left the table."""
    if _has_only_parties(table.state, ship):
        _fight_in_empty_ship(table, ship)
    else:
        fight_aboard(table, ship, _default_order(ship), at_marines=0)


def _has_only_parties(state: BattleState, ship: ShipState) -> bool:
    """Return whether parties alone fight for a ship without hull boxes.

    Neither side can then lose anybody, and each would capture the ship from the other for ever, so
    they fight as in a hulk.
    """
    if not is_wrecked(ship) or marines_of(ship) or parties_of(ship):
        return False
    sides = hostile_sides_aboard(state, ship)
    strongest = _strongest(ship, sides)
    for side, (marines, _) in ship.boarders_by_side().items():
        is_friend = side not in sides
        if marines and (is_friend or side == strongest):
            return False
    return True


def _default_order(ship: ShipState) -> Control:
    """Return the orders of a crew without orders: all parties repel boarders at the hull."""
    full_teams, remaining_parties = divmod(parties_of(ship), MAX_PARTIES_SENT)
    repel = ((MAX_PARTIES_SENT, AT_HULL),) * full_teams
    if remaining_parties:
        repel += ((remaining_parties, AT_HULL),)
    return Control(repel=repel)


def fight_aboard(table: Table, ship: ShipState, order: Control, at_marines: int) -> None:
    """Resolve one turn of fighting aboard a ship.

    Parties roll first. Then marines and the boarders set against them roll at the same time. The
    boarders left damage the hull. Parties fall before marines. Boarders who mark off the last hull
    box capture the ship.

    Args:
        at_marines: How many boarders fight the marines.

    Rules: Continuum "Boarding" 12.7 [pc.boarding]
    """
    state = table.state
    dice = table.dice
    sides = hostile_sides_aboard(state, ship)
    aboard = ship.boarders_by_side()
    friends = [side for side in aboard if side not in sides]
    defenders = len(marines_of(ship)) + sum(aboard[side][0] for side in friends)
    units = _boarders_of(aboard, sides)
    split = min(at_marines, len(units)) if defenders else 0
    pools: dict[str, Pool] = {AT_MARINES: units[:split], AT_HULL: units[split:]}
    repelled = _repel(ship, order, pools, dice)
    tasks = _marine_tasks(order, defenders, len(pools[AT_MARINES]), len(pools[AT_HULL]))
    defender_dice = [dice.roll("boarding", f"{ship.id}/marines") for _ in tasks]
    boarder_dice = [dice.roll("boarding", f"{ship.id}/boarders") for _ in pools[AT_MARINES]]
    for task, die in zip(tasks, defender_dice, strict=True):
        if die >= KILLS_ON and pools[task]:
            _remove_boarder(pools[task])
    losses = min(sum(die >= KILLS_ON for die in boarder_dice), defenders)
    _lose_defenders(table, ship, aboard=aboard, friends=friends, losses=losses)
    survivors = [*pools[AT_MARINES], *pools[AT_HULL]]
    for side in sides:
        marines_before = aboard[side][0]
        aboard[side] = (survivors.count((side, MARINE)), survivors.count((side, PARTY)))
        record_marine_losses(table, ship, side, marines_before - aboard[side][0])
    ship.set_boarders(aboard)
    table.tell(
        BoardingFight,
        ship=ship.id,
        aboard=boarder_units(state, aboard),
        sides=tuple(state.sides[side] for side in sides),
        repelled=tuple(repelled),
        defended=tuple(defender_dice),
        attacked=tuple(boarder_dice),
    )
    if pools[AT_HULL]:
        _damage_from_within(table, ship, len(pools[AT_HULL]))


def _boarders_of(aboard: Mapping[int, tuple[int, int]], sides: Sequence[int]) -> Pool:
    """Return a unit for each marine and party of some sides, all marines first.

    Args:
        aboard: The marines and parties of each side aboard.
    """
    units: Pool = []
    for side in sides:
        units += [(side, MARINE)] * aboard[side][0]
    for side in sides:
        units += [(side, PARTY)] * aboard[side][1]
    return units


def _repel(
    ship: ShipState, order: Control, pools: Mapping[str, Pool], dice: Dice
) -> list[tuple[int, int]]:
    """Roll for the parties sent against boarders, and return their numbers and dice."""
    repelled: list[tuple[int, int]] = []
    unopposed = {task: len(pool) for task, pool in pools.items()}
    parties_left = parties_of(ship)
    for party_count, task in order.repel:
        if not unopposed[task] or party_count > parties_left:
            continue
        unopposed[task] -= 1
        parties_left -= party_count
        die = dice.roll("boarding", f"{ship.id}/parties")
        repelled.append((party_count, die))
        if die >= REPELS_ON - party_count:
            _remove_boarder(pools[task])
    return repelled


def _lose_defenders(
    table: Table,
    ship: ShipState,
    aboard: dict[int, tuple[int, int]],
    friends: Sequence[int],
    losses: int,
) -> None:
    """Remove defending marines: first the ship's own, then those of friendly sides aboard."""
    for place in marines_of(ship)[:losses]:
        losses -= 1
        lose_marine(table, ship, ship.sheet.fits[place].id)
    for side in friends:
        marines, parties = aboard[side]
        fallen = min(losses, marines)
        losses -= fallen
        aboard[side] = (marines - fallen, parties)
        record_marine_losses(table, ship, side, fallen)


def _damage_from_within(table: Table, ship: ShipState, points: int) -> None:
    """Mark the hull damage that boarders do; without boxes left the ship is captured."""
    before = ship.damage
    mark_damage(table, ship, (TypedDamage(points, HULL),), BOARDERS)
    if is_wrecked(ship):
        _capture_ship(table, ship)
    else:
        check_after_damage(table, ship, before, BOARDERS)


def _marine_tasks(order: Control, defenders: int, at_marines: int, at_hull: int) -> list[str]:
    """Return each marine's task: as ordered, else first the boarders that fight marines."""
    ordered_at_marines, ordered_at_hull = order.marines or (at_marines, at_hull)
    first = min(ordered_at_marines, at_marines, defenders)
    second = min(ordered_at_hull, at_hull, defenders - first)
    return [AT_MARINES] * first + [AT_HULL] * second


def _remove_boarder(pool: Pool) -> None:
    """Remove one boarder from a pool, a party before a marine."""
    for place, (_, kind) in enumerate(pool):
        if kind == PARTY:
            pool.pop(place)
            return
    pool.pop(0)


def _lose_boarders(table: Table, ship: ShipState) -> None:
    """Lose everyone aboard a destroyed ship."""
    sides = ship.boarders_by_side()
    for side, (marines, _) in sides.items():
        record_marine_losses(table, ship, side, marines)
    ship.set_boarders({})
    names = tuple(table.state.sides[side] for side in sides)
    table.tell(
        BoardingFight, ship=ship.id, aboard=(), sides=names, repelled=(), defended=(), attacked=()
    )


def _strongest(ship: ShipState, sides: Iterable[int]) -> int:
    """Return the side with the most boarders; the first one in a tie."""
    aboard = ship.boarders_by_side()
    return max(sides, key=lambda side: (sum(aboard[side]), -side))


def _capture_ship(table: Table, ship: ShipState) -> None:
    """Give the ship to the strongest boarders; a prize won back by its owner becomes a hulk.

    Rules: Continuum "Boarding" 12.7 [pc.boarding]
    """
    side = _strongest(ship, hostile_sides_aboard(table.state, ship))
    was_out_of_battle = ship.status in OUT_OF_BATTLE
    take_over(table, ship, side, BOARDED)
    if was_out_of_battle:
        return
    if ship.is_taken_over:
        # A surrendered ship is whole enough for its captors.
        if ship.status != SHIP_SURRENDERED:
            ship.capture()
            table.tell(ShipCaptured, ship.id)
    else:
        ship.status = HULK
        table.tell(ShipRecaptured, ship.id)


def _fight_in_empty_ship(table: Table, ship: ShipState) -> None:
    """Fight aboard a hulk or prize: there is no crew, and all boarders roll at the same time."""
    state = table.state
    sides = hostile_sides_aboard(state, ship)
    aboard = ship.boarders_by_side()
    friends = [side for side in aboard if side not in sides]
    prize_crew_dice: list[int] = []
    boarder_dice: list[int] = []
    if friends:
        prize_crew_dice = _roll_for_all(table, ship, "prize-crew", friends)
        boarder_dice = _roll_for_all(table, ship, "boarders", sides)
    for group_sides, dice_rolled in ((sides, prize_crew_dice), (friends, boarder_dice)):
        kills = sum(die >= KILLS_ON for die in dice_rolled)
        for side in group_sides:
            marines, parties = aboard[side]
            by_party = min(kills, parties)
            by_marine = min(kills - by_party, marines)
            kills -= by_party + by_marine
            aboard[side] = (marines - by_marine, parties - by_party)
            record_marine_losses(table, ship, side, by_marine)
    ship.set_boarders(aboard)
    names = tuple(state.sides[side] for side in sides)
    units = boarder_units(state, aboard)
    table.tell(
        BoardingFight,
        ship=ship.id,
        aboard=units,
        sides=names,
        repelled=(),
        defended=tuple(prize_crew_dice),
        attacked=tuple(boarder_dice),
    )
    if hostile_sides_aboard(state, ship) and not any(sum(aboard[side]) for side in friends):
        _capture_ship(table, ship)


def _roll_for_all(table: Table, ship: ShipState, name: str, sides: Sequence[int]) -> list[int]:
    """Roll a die for each marine and party that some sides have aboard a ship."""
    aboard = ship.boarders_by_side()
    count = sum(sum(aboard[side]) for side in sides)
    return [table.dice.roll("boarding", f"{ship.id}/{name}") for _ in range(count)]
