"""Random battles of anything with anything, and whatever goes wrong in them: every sort that the
frozen battery draws, and those of the tests, from seeds of their own.

`python -m tools.bench.anything [--battles N] [--first SEED] [--only LOT ...] [--tell]` fights them
in turn, a lot after another. In every other battle captains give all orders, in the others every
order is drawn and captains are asked now and then. Each stop is looked at: captains' orders are
lawful, the battle's JSON reads back the same, nobody is told another's ids; and the log alone leads
from the first state to the last.

What captains ordered and was refused as a stop was resolved is counted by the reason and by what
made it so: what happened within the stop, dice, or what he could not know. Exit status 1 where a
battle has a fault: an exception, orders of a captain that were refused as he gave them, or refused
later for nothing of the kind. `--tell` prints each.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from engine.battle import Battle, ResolvedStop, battle_from, begin
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.combat.lines import NOT_FOUND
from engine.continuum.defences import works
from engine.core.dice import Dice, KeyedDice
from engine.core.errors import RuleViolations
from engine.core.kinds import IN_PLAY
from engine.core.ship import ShipState
from engine.core.state import OVER, BattleState
from engine.core.terms import ADVANCED_SENSORS
from engine.documents import replay
from engine.events.event import Event
from engine.events.fire import ArcRolled, ShotRefused
from engine.events.movement import OrderRefused
from engine.fighters.flights import DRAWN_IN
from engine.notation.battles import read_battle
from engine.pieces.group import Group
from engine.pieces.group_events import FlightRefused
from engine.pieces.marker import Marker
from engine.pieces.piece import Piece
from engine.sequences import asks_at
from engine.stops import read_orders, resolve, waiting
from engine.systems.outfit import marines_of, parties_of
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.battle import test_anything, test_anything_continuum
from tests.engine.battle.table import classes, replays
from tests.engine.frozen.fighting import EDITIONS, LATER
from tests.engine.frozen.making import Document, lawful
from tests.engine.frozen.ordering import Orderer

BATTLES = 1000
TURNS = 12
ASKED = 0.2  # of the orders that are drawn, captains give so many
BY_CHANCE = {NOT_FOUND: "dust", DRAWN_IN: "drawn into a dogfight"}
LOTS: dict[str, Callable[[Random], Document]] = {
    **EDITIONS,
    "anything": test_anything.battle,
    "anything-continuum": test_anything_continuum.battle,
    **{name: row[0] for name, row in LATER.items()},
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Orders of a captain that came to nothing: the kind of event and of weapon, why, what made it
    so, the event.
    """

    kind: str
    why: str
    causes: tuple[str, ...]
    words: str


@dataclass(slots=True)
class Found:
    """What a battle came to: its turns, its stops, orders of captains that came to nothing, and
    whatever was wrong.
    """

    turns: int = 0
    stops: int = 0
    refused: list[Refusal] = field(default_factory=list)
    wrong: str = ""


def drawn(lot: str, seed: int) -> Document:
    """The battle file of a seed, its ships cut down to what is lawful; no class and no contact code
    tells an id.
    """
    for attempt in range(50):
        made: Document = LOTS[lot](Random(f"anything/{lot}/{seed}/{attempt}"))
        made.pop("turns", None)
        ships = [ship for side in made["sides"] for ship in side["ships"]]
        for number, ship in enumerate(ships):
            ship.setdefault("contact", f"k{number}")
            if "design" in ship:
                ship["design"] |= {"class": f"Sort {number}"}
        try:
            for ship in (ship for ship in ships if "design" in ship):
                ship["design"] = lawful(ship["design"], made.get("options", ()))
            read_battle(made, classes())
        except (RuleViolations, AssertionError):
            # A hull that nothing makes lawful, an asteroid on a ship and the like: drawn again
            continue
        return made
    raise AssertionError(f"{lot} {seed}: no lawful battle was drawn")


def doctrine(luck: Random) -> Doctrine:
    """Any of the ways captains may be told to fight."""
    return Doctrine(
        targets=luck.choice(("nearest", "weakest", "strongest", "dangerous")),
        break_off=luck.choice((20, 40, 100)),
        flee=luck.random() < 0.1,
    )


class Fighting:
    """A battle being fought: its captains, who draws orders, and what was found."""

    def __init__(self, lot: str, seed: int) -> None:
        made = drawn(lot, seed)
        luck = Random(f"{lot}/{seed}/doctrines")
        self.luck, self.found, self.by_captains = luck, Found(), seed % 2 == 0
        self.begun = begin(read_battle(made, classes()), Dice(seed))
        self.dice = Dice(seed) if seed % 3 else KeyedDice(b"anything", [f"{lot}/{seed}"])
        self.captains = [
            Captain(doctrine(luck), Dice(f"{seed}/{name}")) for name in self.begun.state.sides
        ]
        self.orderer = Orderer(Random(f"{lot}/{seed}/orders"), made)

    def fight(self) -> None:
        """Fight it through its last turn. Raises AssertionError and whatever the engine does."""
        battle = self.begun
        events: list[Event] = list(battle.events)
        while battle.state.stop != OVER and battle.turn <= TURNS:
            led = set()
            given: dict[int, Any] = {}
            for side in waiting(battle):
                if self.by_captains or self.luck.random() < ASKED:
                    led.add(side)
                    given[side] = self.proposal(battle, side)
                else:
                    given[side] = self.orderer.orders(battle, side)
            battle, stop = resolve(battle, given, self.dice)
            events += stop.events
            self.looked_at(battle, stop, led)
            self.found.stops += 1
            if self.found.stops % 4 == 0:
                battle = battle_from(json.loads(json.dumps(battle.to_json())))
        self.found.turns = battle.turn
        if battle.state.stop in ("plot", OVER):
            whole = Battle(battle.edition, battle.options, battle.state, battle.winner, events)
            assert replays(self.begun, whole), "the log does not replay"

    def proposal(self, battle: Battle, side: int) -> Document:
        """A side's captain's orders as a document, which must be lawful."""
        view = observe(battle.state, side)
        written: Document = {}
        for ask in asks_at(battle.state):
            written |= ask.write(ask.advice(self.captains[side], view), side)
        _, faults = read_orders(battle, side, written)
        said = "; ".join(f"{one.where}: {one.message}" for one in faults)
        assert not faults, (
            f"turn {battle.turn}, {battle.state.stop}: the captain of side {side} is refused: {said}"
        )
        return written

    def looked_at(self, after: Battle, stop: ResolvedStop, led: set[int]) -> None:
        """A stop's JSON, what each side is told, the events alone, and captains' orders that came
        to nothing.
        """
        text = json.dumps(after.to_json())
        assert json.dumps(battle_from(json.loads(text)).to_json()) == text, (
            "the battle's JSON is read otherwise"
        )
        for side in range(len(stop.after.sides)):
            told = json.dumps(
                [observe(stop.after, side).to_json(), side_log(stop.events, stop.before, side)]
            )
            foreign = [
                one.id
                for one in stop.after.ships
                if side not in (one.owner, one.commander)
                and re.search(rf"(?<![\w-]){one.id}(?!\w)", told)
            ]
            assert not foreign, (
                f"turn {stop.turn}, {stop.kind}: side {side} reads the ids {foreign}"
            )
        again = replay(stop.before, stop.events)
        assert again.ships[0].damage == stop.after.ships[0].damage, (
            "the events of a stop do not replay"
        )
        for number, event in enumerate(stop.events):
            if isinstance(event, OrderRefused | FlightRefused | ShotRefused):
                self.note(stop, number, event, led)

    def note(
        self,
        stop: ResolvedStop,
        number: int,
        event: OrderRefused | FlightRefused | ShotRefused,
        led: set[int],
    ) -> None:
        """Count a refusal (the event of this number of its stop), and raise where it is a captain's
        who knew better.
        """
        unit = event.group if isinstance(event, FlightRefused) else event.ship
        owner = next((one for one in stop.before.ships if one.id == unit.partition("/")[0]), None)
        if owner is None or owner.commander not in led:
            return
        what = event.weapon if isinstance(event, ShotRefused) else event.order
        targets = event.targets if isinstance(event, ShotRefused) else tuple(str(what).split()[1:2])
        causes = tuple(dict.fromkeys(since(stop, number, owner.id, targets, event.why)))
        words = f"turn {stop.turn}, {stop.kind}: {event.to_json()}"
        self.found.refused.append(
            Refusal(f"{event.kind} {re.sub(r'-[0-9]+', '', str(what))}", event.why, causes, words)
        )
        assert causes, f"refused for nothing that its captain could not know: {words}"


def since(
    stop: ResolvedStop, number: int, name: str, targets: tuple[str, ...], why: str
) -> Iterator[str]:
    """What made orders of a ship or its craft impossible: what has happened within a stop before
    its event of this number, dice, or what no captain can know.
    """
    if why in BY_CHANCE:
        yield BY_CHANCE[why]
    if any(
        isinstance(one, ArcRolled) and one.ship == name and one.target in targets
        for one in stop.events[:number]
    ):
        yield "arc by a die"
    now = replay(stop.before, stop.events[:number])
    here: dict[str, ShipState | Piece] = {
        **{one.id: one for one in now.ships},
        **{one.id: one for one in pieces_of(now)},
    }
    was: dict[str, ShipState | Piece] = {
        **{one.id: one for one in stop.before.ships}, **{one.id: one for one in pieces_of(stop.before)}
    }  # fmt: skip
    if worn(here.get(name)) != worn(was.get(name)):
        yield "hurt"
    if targets and not any(stands(here.get(one)) for one in targets):
        yield "target gone"
    for one in targets:
        there, before = here.get(one), was.get(one)
        if there is not None and before is not None and (there.x, there.y) != (before.x, before.y):
            yield "target moved"
        if worn(there) != worn(before):
            yield "target hurt"
        if isinstance(there, ShipState) and (
            there.this_turn.reflex or works(there, "stealth-field")
        ):
            yield "its fields are not to be seen"
        if isinstance(there, ShipState) and ADVANCED_SENSORS in now.terms.options:
            yield "closed sheets"


def pieces_of(state: BattleState) -> list[Group | Marker]:
    """What flies and may be aimed at."""
    return [*state.of(Group), *state.of(Marker)]


def stands(one: ShipState | Piece | None) -> bool:
    """Whether a ship or a piece is still there to be aimed at."""
    return one is not None and (
        not isinstance(one, ShipState) or (one.status in IN_PLAY and one.damage < one.sheet.boxes)
    )


def worn(one: ShipState | Piece | None) -> tuple[object, ...]:
    """What battle has done to a ship."""
    if not isinstance(one, ShipState):
        return ()
    return (
        one.damage,
        tuple(one.alive),
        one.status,
        one.commander,
        parties_of(one),
        len(marines_of(one)),
    )


def fought(lot: str, seed: int) -> Found:
    """The battle of a seed; what went wrong is told and not raised."""
    fighting = None
    try:
        fighting = Fighting(lot, seed)
        fighting.fight()
    except AssertionError as error:
        found = fighting.found if fighting else Found()
        found.wrong = str(error) or "".join(traceback.format_exception(error))
        return found
    except Exception as error:  # noqa: BLE001 (whatever it is, it is told with its seed, and the others are fought)
        found = fighting.found if fighting else Found()
        found.wrong = "".join(traceback.format_exception(error))
        return found
    return fighting.found


def chosen(first: int, battles: int, lots: list[str]) -> Iterator[tuple[str, int]]:
    """So many battles, a lot after another."""
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
    asked = parser.parse_args(arguments)
    began, faults = time.process_time(), 0
    turns = stops = 0
    refused: Counter[tuple[str, str, str]] = Counter()
    for lot, seed in chosen(asked.first, asked.battles, asked.only or list(LOTS)):
        found = fought(lot, seed)
        turns, stops = turns + found.turns, stops + found.stops
        if found.wrong:
            faults += 1
            print(f"{lot} {seed}: {found.wrong}", flush=True)
        for one in found.refused:
            refused[one.kind, one.why, ", ".join(one.causes)] += 1
            if asked.tell:
                print(f"{lot} {seed}: {one.words}: {', '.join(one.causes)}", flush=True)
    for (kind, why, causes), many in sorted(
        refused.items(), key=lambda item: (item[0][1:], item[0])
    ):
        print(f"{many:>5} {kind}: {why} ({causes})")
    seconds = time.process_time() - began
    told = f"{asked.battles} battles, {turns} turns, {stops} stops, {seconds:.0f} CPU seconds"
    print(f"{told}: {faults} with a fault" if faults else f"{told}: without a fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
