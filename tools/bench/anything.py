"""Fight random battles of all kinds, and report what goes wrong.

`python -m tools.bench.anything [--battles N] [--first SEED] [--only LOT ...] [--tell]` draws from
every lot of the frozen battery and the tests in turn, with its own seeds, and varies the battles:
set-ups, formations, FTL reserves, bodies, mines, options. In every other battle captains give all
orders; in the rest orders are drawn at random, captains are asked now and then, and some sides
leave the end of the battle to a captain who has seen nothing of it so far. Every phase is checked:
it ends, captains' orders are legal, the battle's JSON is read back unchanged, no side sees another
side's ids, and the log alone leads from the first state to the last.

Orders of captains that were refused during a phase are counted by reason and cause: an event within
the phase, dice, or something the captain could not know. The exit status is 1 if a battle has a
fault: an exception, or orders of a captain that were refused at once or later without such a cause.
`--tell` prints each of them.
"""

from __future__ import annotations

import argparse
import json
import re
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from engine.battle import Battle, ResolvedStop, battle_from, begin
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.combat.line_of_sight import NOT_FOUND
from engine.continuum.craft.loads import NOT_TRACKED, can_track
from engine.continuum.defences import working_count
from engine.continuum.fire_at_craft import EVADING
from engine.core.dice import Dice, KeyedDice
from engine.core.errors import RuleViolations
from engine.core.kinds import BASED, IN_PLAY
from engine.core.reason import with_code
from engine.core.ship import ShipState
from engine.core.state import OVER, BattleState
from engine.core.terms import ADVANCED_SENSORS
from engine.core.versions import LANDINGS_THAT_FIT
from engine.documents import replay
from engine.events.event import Event
from engine.events.fire import ArcRolled, ShotRefused
from engine.events.movement import OrderRefused
from engine.fighters.anti_fighter_fire import NO_GROUP
from engine.fighters.flights import DRAWN_IN
from engine.notation.battles import read_battle
from engine.pieces.cloud import CloudSearch
from engine.pieces.group import Group
from engine.pieces.group_events import FlightRefused
from engine.pieces.marker import Marker
from engine.pieces.piece import Piece
from engine.sequences import asks_at
from engine.stops import advise, awaited_sides, read_orders, resolve_documents
from engine.systems.outfit import marines_of, parties_of
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.battle import test_anything, test_anything_continuum
from tests.engine.battle.table import classes, replays
from tests.engine.battle.variations import is_placed_by_sides, varied
from tests.engine.frozen.fighting import EDITIONS, LATER
from tests.engine.frozen.making import Document, valid_design
from tests.engine.frozen.ordering import Orderer

BATTLES = 1000
TURNS = 12
MAX_SECONDS = 60  # of a battle; most take less than one
CAPTAIN_SHARE = 0.2  # share of the random orders that captains give
FINISHING_SHARE = 0.25  # share of the sides with random orders whose captain finishes the battle
# By the rules of 1.0, captains land more groups on a ship than it has room for
NO_ROOM = ("no-boat-bay-free", "no-hangar-free-them")
BY_CHANCE = {
    NOT_FOUND: "dust",
    DRAWN_IN: "drawn into a dogfight",
    EVADING: "only its own side knows that it evades",
    NO_GROUP: "only its own side knows its target",
}
LOTS: dict[str, Callable[[Random], Document]] = {
    **EDITIONS,
    "anything": test_anything.battle,
    "anything-continuum": test_anything_continuum.battle,
    **{name: row[0] for name, row in LATER.items()},
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Orders of a captain that were refused: kind of event and weapon, reason, cause, and the
    event.
    """

    kind: str
    reason: str
    causes: tuple[str, ...]
    words: str


@dataclass(slots=True)
class BattleFindings:
    """What was found in a battle: turns, phases, refused orders of captains, and faults."""

    turns: int = 0
    phases: int = 0
    refused: list[Refusal] = field(default_factory=list)
    wrong: str = ""


def draw_battle(lot: str, seed: int) -> Document:
    """Return the battle file of a seed, with its ships reduced to legal designs.

    No class name or contact code reveals an id.
    """
    for attempt in range(50):
        document: Document = LOTS[lot](Random(f"anything/{lot}/{seed}/{attempt}"))
        document.pop("turns", None)
        ships: list[Document] = []
        for side in document["sides"]:
            ships += side["ships"]
        for number, ship in enumerate(ships):
            ship.setdefault("contact", f"k{number}")
            if "design" in ship:
                ship["design"] |= {"class": f"Sort {number}"}
        try:
            for ship in (ship for ship in ships if "design" in ship):
                ship["design"] = valid_design(ship["design"], document.get("options", ()))
            read_battle(document, classes())
        except (RuleViolations, AssertionError):
            # Nothing makes this hull legal, or a ship is inside an asteroid: draw again
            continue
        return varied(Random(f"anything/{lot}/{seed}/variations"), document)
    raise AssertionError(f"{lot} {seed}: no valid battle was drawn")


def doctrine(luck: Random) -> Doctrine:
    """Return a random doctrine."""
    return Doctrine(
        targets=luck.choice(("nearest", "weakest", "strongest", "dangerous")),
        break_off=luck.choice((20, 40, 100)),
        flee=luck.random() < 0.1,
    )


class RandomBattle:
    """A battle in progress, with its captains, the source of random orders, and the findings."""

    def __init__(self, lot: str, seed: int) -> None:
        document = draw_battle(lot, seed)
        luck = Random(f"{lot}/{seed}/doctrines")
        self.luck = luck
        self.findings = BattleFindings()
        self.by_captains = seed % 2 == 0
        self.battle_at_start = begin(
            read_battle(document, classes()),
            Dice(seed),
            asks_set_up=is_placed_by_sides(document) and seed % 3 != 0,
        )
        self.dice = Dice(seed) if seed % 3 else KeyedDice(b"anything", [f"{lot}/{seed}"])
        sides = self.battle_at_start.state.sides
        self.doctrines = [doctrine(luck) for _ in sides]
        self.captains = [
            Captain(self.doctrines[side], Dice(f"{seed}/{name}")) for side, name in enumerate(sides)
        ]
        # The turn from which on a side leaves the battle to its captain
        self.finishes_from: dict[int, int] = {}
        for side in range(len(sides)):
            if luck.random() < FINISHING_SHARE:
                self.finishes_from[side] = luck.randint(0, 4)
        self.orderer = Orderer(Random(f"{lot}/{seed}/orders"), document)
        # Sides with orders drawn at random in this turn; craft may carry them out in a later phase
        self.random_sides: set[int] = set()

    def fight(self) -> None:
        """Fight the battle to its last turn.

        Raises:
            AssertionError: A check failed.
        """
        battle = self.battle_at_start
        events: list[Event] = list(battle.events)
        while battle.state.stop != OVER and battle.turn <= TURNS:
            if battle.state.stop == "plot":
                self.random_sides.clear()
            led = set()
            orders: dict[int, Any] = {}
            for side in awaited_sides(battle):
                orders[side], by_captain = self.orders_of(battle, side)
                if by_captain:
                    led.add(side)
                else:
                    self.random_sides.add(side)
            battle, phase = resolve_documents(battle, orders, self.dice)
            events += phase.events
            self.check_phase(battle, phase, led - self.random_sides)
            self.findings.phases += 1
            if self.findings.phases % 4 == 0:
                battle = battle_from(json.loads(json.dumps(battle.to_json())))
        self.findings.turns = battle.turn
        if battle.state.stop in ("plot", OVER):
            full_battle = Battle(
                battle.edition, battle.options, battle.state, battle.winner, events
            )
            assert replays(self.battle_at_start, full_battle), "the log does not replay"

    def orders_of(self, battle: Battle, side: int) -> tuple[Document, bool]:
        """Return a side's orders of a phase, and whether a captain gives them."""
        if not self.by_captains and battle.turn >= self.finishes_from.get(side, TURNS):
            orders: Document = dict(advise(battle, side, self.doctrines[side], "finishes"))
            check_captain(battle, side, orders)
            return orders, True
        if self.by_captains or self.luck.random() < CAPTAIN_SHARE:
            return self.proposal(battle, side), True
        return self.random_orders(battle, side), False

    def random_orders(self, battle: Battle, side: int) -> Document:
        """Return a side's orders drawn at random; none if they are not legal together."""
        orders = self.orderer.orders(battle, side)
        _, faults = read_orders(battle, side, orders)
        return {} if faults else orders

    def proposal(self, battle: Battle, side: int) -> Document:
        """Return a side's captain's orders as a document, and check that they are legal."""
        view = observe(battle.state, side)
        document: Document = {}
        for ask in asks_at(battle.state):
            document |= ask.to_document(ask.suggest(self.captains[side], view), side)
        check_captain(battle, side, document)
        return document

    def check_phase(self, after: Battle, phase: ResolvedStop, led: set[int]) -> None:
        """Check a phase: its JSON, what sides see, the events, and refused orders of captains."""
        text = json.dumps(after.to_json())
        assert json.dumps(battle_from(json.loads(text)).to_json()) == text, (
            "the battle's JSON is read otherwise"
        )
        for side in range(len(phase.after.sides)):
            side_text = json.dumps(
                [observe(phase.after, side).to_json(), side_log(phase.events, phase.before, side)]
            )
            foreign = [
                ship.id
                for ship in phase.after.ships
                if side not in (ship.owner, ship.commander)
                and ship.status != BASED
                and ship.id not in phase.after.sides
                and re.search(rf"(?<![\w-]){ship.id}(?!\w)", side_text)
            ]
            assert not foreign, (
                f"turn {phase.turn}, {phase.kind}: side {side} reads the ids {foreign}"
            )
        again = replay(phase.before, phase.events)
        assert again.ships[0].damage == phase.after.ships[0].damage, (
            "the events of a phase do not replay"
        )
        for number, event in enumerate(phase.events):
            if isinstance(event, OrderRefused | FlightRefused | ShotRefused):
                self.note(phase, number, event, led)

    def note(
        self,
        phase: ResolvedStop,
        number: int,
        event: OrderRefused | FlightRefused | ShotRefused,
        led: set[int],
    ) -> None:
        """Count a refusal; fail if the captain could have known better.

        Args:
            number: The number of the event in its phase.
        """
        unit = event.group if isinstance(event, FlightRefused) else event.ship
        owner = next(
            (ship for ship in phase.before.ships if ship.id == unit.partition("/")[0]), None
        )
        if owner is None:
            return
        # Craft go on obeying their own side after their ship has changed hands
        commander = (phase.before.find(Group, unit) or owner).commander
        if commander not in led:
            return
        order = event.weapon if isinstance(event, ShotRefused) else event.order
        targets = (
            event.targets if isinstance(event, ShotRefused) else tuple(str(order).split()[1:2])
        )
        causes = tuple(
            dict.fromkeys(explain_refusal(phase, number, owner.id, targets, event.reason))
        )
        if event.reason == NOT_TRACKED and has_lost_track(phase, number, unit, str(order)):
            causes = (*causes, "its last target has hidden")
        words = f"turn {phase.turn}, {phase.kind}: {event.to_json()}"
        self.findings.refused.append(
            Refusal(
                f"{event.kind} {re.sub(r'-[0-9]+', '', str(order))}", event.reason, causes, words
            )
        )
        assert causes, f"refused for nothing that its captain could not know: {words}"


def check_captain(battle: Battle, side: int, document: Document) -> None:
    """Fail if a captain's orders have faults."""
    _, faults = read_orders(battle, side, document)
    fault_text = "; ".join(f"{fault.where}: {fault.message}" for fault in faults)
    when = f"turn {battle.turn}, {battle.state.stop}"
    assert not faults, f"{when}: the captain of side {side} is refused: {fault_text}"


def explain_refusal(
    phase: ResolvedStop, number: int, name: str, targets: tuple[str, ...], reason: str
) -> Iterator[str]:
    """Yield what made orders of a ship or its craft impossible.

    It is something that happened earlier in the phase, dice, or something no captain can know.

    Args:
        number: The number of the event in its phase.
        name: The id of the ship.
        targets: The ids of what the order names.
    """
    yield from _explain_by_rules(phase, reason)
    yield from _explain_by_dice(phase.events[:number], name, targets)
    now = replay(phase.before, phase.events[:number])
    here = units_of(now)
    was = units_of(phase.before)
    if damage_state(here.get(name)) != damage_state(was.get(name)):
        yield "hurt"
    if targets and not any(is_targetable(here.get(item)) for item in targets):
        yield "target gone"
    for item in targets:
        yield from _explain_by_target(now, was.get(item), here.get(item))


def _explain_by_rules(phase: ResolvedStop, reason: str) -> Iterator[str]:
    """Yield why a captain could not know a reason, or did not by older rules."""
    if reason in BY_CHANCE:
        yield BY_CHANCE[reason]
    is_old = not phase.before.terms.follows(LANDINGS_THAT_FIT)
    if is_old and with_code(reason).code in NO_ROOM:
        yield "a landing by the rules of 1.0"


def _explain_by_dice(events: Sequence[Event], name: str, targets: tuple[str, ...]) -> Iterator[str]:
    """Yield the dice that decided an arc or hid a target from a ship."""
    arcs = [item for item in events if isinstance(item, ArcRolled) and item.ship == name]
    if any(item.target in targets for item in arcs):
        yield "arc by a die"
    if any(isinstance(item, CloudSearch) and item.ship == name for item in events):
        yield "target in a cloud by a die"  # another weapon fired at its next target instead


def _explain_by_target(
    now: BattleState, before: ShipState | Piece | None, after: ShipState | Piece | None
) -> Iterator[str]:
    """Yield what happened to a target in the phase, and what no captain can see of it."""
    if before is not None and after is not None and place_of(before) != place_of(after):
        yield "target moved"
    if damage_state(after) != damage_state(before):
        yield "target hurt"
    if not isinstance(after, ShipState):
        return
    if after.this_turn.reflex or working_count(after, "stealth-field"):
        yield "its fields are not to be seen"
    if ADVANCED_SENSORS in now.terms.options:
        yield "closed sheets"


def place_of(unit: ShipState | Piece) -> tuple[float, float]:
    """Return where a ship or piece is on the table, in MU."""
    return unit.x, unit.y


def units_of(state: BattleState) -> dict[str, ShipState | Piece]:
    """Return the ships and the flying pieces of a battle by id."""
    units: dict[str, ShipState | Piece] = {ship.id: ship for ship in state.ships}
    for piece in (*state.pieces_of(Group), *state.pieces_of(Marker)):
        units[piece.id] = piece
    return units


def has_lost_track(phase: ResolvedStop, number: int, unit: str, weapon: str) -> bool:
    """Return whether a group that could launch missiles at the start of a phase no longer can.

    Ships begin to jam or to cloak in the phase in which missiles are launched.

    Args:
        number: The number of events of the phase that have happened.
    """
    now = replay(phase.before, phase.events[:number])
    return _can_launch(phase.before, unit, weapon) and not _can_launch(now, unit, weapon)


def _can_launch(state: BattleState, unit: str, weapon: str) -> bool:
    """Return whether a group is near enough to a ship that it can lock on to."""
    group = state.find(Group, unit)
    armament = group.row.armament(weapon) if group is not None else None
    if group is None or armament is None:
        return False
    return any(can_track(state, group, armament, ship) for ship in state.ships)


def is_targetable(target: ShipState | Piece | None) -> bool:
    """Return whether a ship or piece can still be a target."""
    return target is not None and (
        not isinstance(target, ShipState)
        or (target.status in IN_PLAY and target.damage < target.sheet.boxes)
    )


def damage_state(target: ShipState | Piece | None) -> tuple[object, ...]:
    """Return the damage that battle has done to a ship."""
    if not isinstance(target, ShipState):
        return ()
    return (
        target.damage,
        tuple(target.alive),
        target.status,
        target.commander,
        parties_of(target),
        len(marines_of(target)),
    )


def _stop_endless(*_: object) -> None:
    """Stop a battle that does not end."""
    raise AssertionError(f"not over after {MAX_SECONDS} CPU seconds")


def fight_battle(lot: str, seed: int) -> BattleFindings:
    """Fight the battle of a seed; errors become findings."""
    fighting = None
    signal.signal(signal.SIGVTALRM, _stop_endless)
    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_SECONDS)
    try:
        fighting = RandomBattle(lot, seed)
        fighting.fight()
    except AssertionError as error:
        findings = fighting.findings if fighting else BattleFindings()
        findings.wrong = str(error) or "".join(traceback.format_exception(error))
        return findings
    except Exception as error:  # noqa: BLE001 -- any error is reported with its seed
        findings = fighting.findings if fighting else BattleFindings()
        findings.wrong = "".join(traceback.format_exception(error))
        return findings
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return fighting.findings


def choose_battles(first: int, battles: int, lots: list[str]) -> Iterator[tuple[str, int]]:
    """Return the lots and seeds of so many battles, lot by lot."""
    yield from (
        (lots[number % len(lots)], first + number // len(lots)) for number in range(battles)
    )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--battles", type=int, default=BATTLES, help=f"default {BATTLES}")
    parser.add_argument("--first", type=int, default=0, help="the first seed of each lot")
    parser.add_argument("--only", action="append", choices=list(LOTS), help="of this lot alone")
    parser.add_argument(
        "--tell", action="store_true", help="print every order that came to nothing"
    )
    options = parser.parse_args(arguments)
    began = time.process_time()
    faults = turns = phases = 0
    refused: Counter[tuple[str, str, str]] = Counter()
    for lot, seed in choose_battles(options.first, options.battles, options.only or list(LOTS)):
        findings = fight_battle(lot, seed)
        turns += findings.turns
        phases += findings.phases
        if findings.wrong:
            faults += 1
            print(f"{lot} {seed}: {findings.wrong}", flush=True)
        for refusal in findings.refused:
            refused[refusal.kind, refusal.reason, ", ".join(refusal.causes)] += 1
            if options.tell:
                print(f"{lot} {seed}: {refusal.words}: {', '.join(refusal.causes)}", flush=True)
    for (kind, reason, causes), count in sorted(
        refused.items(), key=lambda item: (item[0][1:], item[0])
    ):
        print(f"{count:>5} {kind}: {reason} ({causes})")
    seconds = time.process_time() - began
    summary = (
        f"{options.battles} battles, {turns} turns, {phases} phases, {seconds:.0f} CPU seconds"
    )
    print(f"{summary}: {faults} with a fault" if faults else f"{summary}: without a fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
