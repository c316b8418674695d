"""The battles of the frozen battery, how each is fought, and what is told of it: three hashes and a
trail.

`log`: every stop's orders and events, and the dice used. `views`: what each side sees after every
stop, what it reads of it, and the battle as it knows it. `end`: the last state whole. The trail has
four digits for every stop, two of the log's hash so far and two of the views', so that the first
stop that differs can be named.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import yaml

from engine.battle import Battle, ResolvedStop, battle_from, begin, fight, start
from engine.core.dice import Dice, KeyedDice
from engine.core.errors import RuleViolations
from engine.core.phrase import JoinedPhrase, Phrase
from engine.core.phrase_data import restore_phrase
from engine.core.reason import FREE_TEXT, Reason
from engine.documents import replay
from engine.events.battle import BattleOver
from engine.known_battle import known_battle
from engine.notation.battles import BattleFile, read_battle
from engine.notation.files import fixture_classes
from engine.pieces.group import Group
from engine.stops import awaited_sides, resolve_documents
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.frozen import (
    agreed,
    assaults,
    carriers,
    choices,
    company,
    conduct,
    continuum,
    core_rules,
    fights,
    gateways,
    guards,
    gunnery,
    haul,
    large,
    level,
    minefields,
    officers,
    riders,
    second_edition,
    sensing,
    setting_up,
    shapes,
    space,
    stands,
    wings,
)
from tests.engine.frozen.making import Document, unjudged_orders
from tests.engine.frozen.ordering import Orderer

BATTLES = Path(__file__).resolve().parents[3] / "fixtures" / "battles"
FIXTURES = (
    "con-am-12",
    "convoy-990",
    "first-battle",
    "meeting-engagement",
)  # they come first, because seeds are their indexes
EDITIONS = {"second-edition": second_edition.battle, "continuum": continuum.battle}
BATTLES_PER_EDITION = 300  # battles of an edition
BY_CAPTAINS = 100  # of them; in the others all orders are random
PLACED_BY_SIDES = "placing"  # battles whose sides place their ships in phases
# Battles added later, after the others: their generator, edition and number.
LATER = {
    "space": (space.battle, "continuum", 60),
    "company": (company.battle, "continuum", 60),
    "level": (level.battle, "continuum", 30),
    "conduct": (conduct.battle, "continuum", 30),
    "large": (large.battle, "continuum", 45),
    "alongside": (company.alongside, "continuum", 30),
    "haul": (haul.battle, "continuum", 30),
    "stands": (stands.battle, "continuum", 20),
    "planets": (space.among_planets, "continuum", 30),
    "carriers": (carriers.battle, "continuum", 45),
    "boats": (carriers.of_boats, "continuum", 36),
    "shuttles": (carriers.of_shuttles, "continuum", 18),
    "mines": (minefields.battle, "continuum", 30),
    "laid": (minefields.with_minefields, "continuum", 12),
    "pilots": (carriers.of_pilots, "continuum", 24),
    "roles": (carriers.of_roles, "continuum", 12),
    "shapes": (shapes.battle, "continuum", 12),
    "morale": (conduct.of_morale, "continuum", 24),
    "assaults": (assaults.battle, "continuum", 12),
    "rammers": (assaults.of_rammers, "continuum", 10),
    "together": (haul.together, "continuum", 9),
    "guns": (gunnery.battle, "continuum", 24),
    "swept": (gunnery.swept, "continuum", 9),
    "wings": (wings.battle, "continuum", 18),
    "orbits": (space.round_planets, "continuum", 24),
    "gates": (gateways.battle, "continuum", 15),
    "level-craft": (level.of_craft, "continuum", 24),
    "level-help": (level.of_help, "continuum", 15),
    "sensing": (sensing.battle, "continuum", 30),
    "riders": (riders.battle, "continuum", 12),
    "above": (space.above_planets, "continuum", 9),
    "ortillery": (space.of_bombardment, "continuum", 12),
    "fights": (fights.battle, "continuum", 24),
    "officers": (officers.battle, "continuum", 6),
    "agreed": (agreed.battle, "continuum", 6),
    "guards": (guards.battle, "continuum", 12),
    "covered": (guards.covered, "continuum", 9),
    "refused": (fights.refused, "continuum", 18),
    "set-up": (setting_up.battle, "second-edition", 12),
    PLACED_BY_SIDES: (setting_up.battle_with_bodies, "second-edition", 12),
    "core-rules": (core_rules.battle, "second-edition", 6),
    "choices": (choices.battle, "continuum", 30),
    "surveying": (haul.surveying, "continuum", 3),
    "docked-fire": (core_rules.docked_fire, "continuum", 4),
    "named-craft": (carriers.of_named, "continuum", 6),
    "fire-by-ship": (core_rules.fire_by_ship, "second-edition", 6),
}
# The version of the rules by which battles are fought that name none in their file.
RULES = "1.0"
TURNS = 8  # most turns of a battle
TARGETS = ("nearest", "weakest", "strongest", "dangerous")
DIGITS = 16  # digits kept of a hash

# Called with every hashed line and the name of its hash.
Tell = Callable[[str, str], None]


class Case(NamedTuple):
    """A battle of the battery: name, edition, seed, and whether captains fight it."""

    name: str
    edition: str
    seed: int
    captains: bool
    fixture: str = ""


class BattleDigest(NamedTuple):
    """The result of a battle."""

    log: str
    views: str
    end: str
    trail: str


def cases() -> Iterator[Case]:
    """Return every battle of the battery."""
    for edition in EDITIONS:
        fixtures = FIXTURES if edition == "second-edition" else ()
        for seed in range(BATTLES_PER_EDITION):
            captains = seed < BY_CAPTAINS
            fixture = fixtures[seed] if seed < len(fixtures) else ""
            family = fixture or ("captains" if captains else "orders")
            yield Case(f"{edition}/{family}-{seed}", edition, seed, captains, fixture)
    for about, (_, edition, many) in LATER.items():
        for seed in range(many):
            captains = seed < many // 3
            yield Case(
                f"{about}/{'captains' if captains else 'orders'}-{seed}", edition, seed, captains
            )


def is_placed_by_sides(case: Case) -> bool:
    """Return whether the sides of a battle place their ships in phases."""
    return case.name.startswith(PLACED_BY_SIDES)


@lru_cache(2)  # a battle is fought and then asked what is in it
def document(case: Case) -> Document:
    """Return the battle file of a case."""
    if case.fixture:
        result: Document = yaml.safe_load(
            (BATTLES / f"{case.fixture}.yaml").read_text(encoding="utf-8")
        )
        return {"rules": RULES, **result}
    about = case.name.partition("/")[0]
    draw = LATER[about][0] if about in LATER else EDITIONS[case.edition]
    for attempt in range(50):
        result = {"rules": RULES, **draw(Random(f"{case.name}/{attempt}"))}
        try:
            read_battle(result, {})
        except RuleViolations:
            continue  # an asteroid on a ship, a ship off the table and the like: draw again
        if case.captains and case.seed % 5 == 0:
            result["turns"] = unjudged_orders(Random(case.name), result["sides"])
        return result
    raise AssertionError(f"{case.name}: no valid battle was drawn")


def as_frozen(document: Mapping[str, Any]) -> Document:
    """Return a battle's document without the numbers of its form and of the rules' version, which
    later releases count up.
    """
    terms = {key: value for key, value in document["terms"].items() if key != "rules"}
    return {**{key: value for key, value in document.items() if key != "schema"}, "terms": terms}


def with_coded_reason(line: Mapping[str, Any]) -> Document:
    """Return a line of a log after checking that its reason is coded.

    The text of the reason is not hashed: it may be reworded.
    """
    with_reason_text(line)
    return dict(line)


def with_reason_text(line: Mapping[str, Any]) -> Document:
    """Return a line of a log with the English text of its reason, which must be coded."""
    reason = line.get("reason")
    if not isinstance(reason, dict):
        return dict(line)
    text = restore_phrase(reason)
    assert_coded(text, own_words=line["event"] == BattleOver.kind)
    assert_text_shows(reason["args"], str(text))
    return {**line, "reason": str(text)}


def assert_coded(why: object, *, own_words: bool = False) -> None:
    """Check that every sentence in a reason has a code.

    Args:
        own_words: The reason may have words of the battle file's author.
    """
    if isinstance(why, Reason):
        assert why.code != FREE_TEXT or own_words or isinstance(why.values[0], JoinedPhrase), (
            f"no reason: {why!r}"
        )
        parts: Iterable[object] = why.values
    elif isinstance(why, JoinedPhrase):
        parts = why.parts
    else:
        assert not isinstance(why, Phrase), f"a text without a code in a reason: {why!r}"
        parts = ()
    for part in parts:
        assert_coded(part)


def assert_text_shows(value: object, text: str) -> None:
    """Check that every value of a reason is in its text, so it reveals nothing more than the text."""
    match value:
        case {"decimal": number}:
            assert f"{float(number):g}" in text
        case (
            {"code": _, "args": inner}
            | {"joined": _, "parts": inner}
            | {"changed": _, "text": inner}
        ):
            assert_text_shows(inner, text)
        case {"count": number}:
            assert str(number) in text
        case {"noun": noun}:
            assert noun in text
        case dict():
            assert_text_shows(list(value.values()), text)
        case list():
            for item in value:
                assert_text_shows(item, text)
        case _:
            assert str(value) in text, f"{value!r} is not in {text!r}"


class Record:
    """The hashes of a battle in progress. `tell` is called with each line."""

    def __init__(self, tell: Tell | None) -> None:
        self.tell = tell
        self.hashes = {name: hashlib.sha256() for name in ("log", "views", "end")}
        self.trail: list[str] = []

    def add(self, name: str, value: Any) -> None:
        line = json.dumps(value, sort_keys=True, separators=(",", ":"))
        self.hashes[name].update(line.encode() + b"\n")
        if self.tell is not None:
            self.tell(name, line)

    def stop(self, battle: Battle, stop: ResolvedStop) -> None:
        """Add everything about a phase; `battle` has its edition and options."""
        self.add("log", [stop.seq, stop.turn, stop.kind, stop.inputs])
        for event in stop.events:
            self.add("log", with_coded_reason(event.to_json()))
        after = Battle(battle.edition, battle.options, stop.after, None, [])
        replays(stop, after)
        for side in range(len(stop.after.sides)):
            self.add("views", [side, observe(stop.after, side).to_json()])
            log = side_log(stop.events, stop.before, side)
            self.add("views", [side, [with_coded_reason(line) for line in log]])
            self.add("views", [side, as_frozen(known_battle(after, side).to_json())])
        self.trail.append("".join(self.hashes[name].hexdigest()[:2] for name in ("log", "views")))

    def ended(self, battle: Battle, dice: Dice) -> BattleDigest:
        self.add("log", dice.used)
        self.add("end", as_frozen(battle.to_json()))
        log, views, end = (
            self.hashes[name].hexdigest()[:DIGITS] for name in ("log", "views", "end")
        )
        return BattleDigest(log, views, end, "".join(self.trail))


def replays(stop: ResolvedStop, after: Battle) -> None:
    """Check that the events of a phase alone lead from the state before it to the state after it."""
    again = replay(stop.before, stop.events)
    again.turn, again.stop = (
        stop.after.turn,
        stop.after.stop,
    )  # the next phase follows from the state
    for group, true in zip(again.pieces_of(Group), stop.after.pieces_of(Group), strict=True):
        group.set_turn(has_moved=true.this_turn.has_moved)  # used within the fighters' phase only
    rebuilt = Battle(after.edition, after.options, again, None, [])
    assert rebuilt.to_json() == after.to_json(), f"the log of stop {stop.seq} does not replay"


def fight_case(case: Case, tell: Tell | None = None) -> BattleDigest:
    """Fight a battle of the battery. `tell` is called with every hashed line."""
    battle_document = document(case)
    # Every third battle has verifiable dice.
    dice = Dice(case.seed) if case.seed % 3 else KeyedDice(b"frozen", [case.name])
    fight_it = _by_captains if case.captains else _by_orders
    try:
        return fight_it(case, battle_document, dice, Record(tell))
    except Exception as broken:
        broken.add_note(f"in the battle {case.name}")
        raise


def _by_captains(case: Case, battle_document: Document, dice: Dice, record: Record) -> BattleDigest:
    file: BattleFile = read_battle(battle_document, fixture_classes(case.edition))
    luck = Random(case.name)
    doctrines: dict[str, Any] = dict(file.doctrines)
    if case.seed % 2:
        for side in file.state.sides:
            doctrines[side] = {
                "targets": luck.choice(TARGETS),
                "break_off": luck.choice((20, 40, 100)),
                "flee": luck.random() < 0.15,
                "style": luck.choice(("captain", "captain", "straight")),
            }
    most = file.max_turns if case.fixture else 2 * TURNS
    return by_captains(
        file,
        doctrines,
        dice,
        str(case.seed),
        most,
        record,
        asks_set_up=is_placed_by_sides(case),
    )


def by_captains(
    file: BattleFile,
    doctrines: Mapping[str, Any],
    dice: Dice,
    seed: str,
    most: int,
    record: Record,
    *,
    asks_set_up: bool = False,
) -> BattleDigest:
    """Let captains fight a battle through turn `most`, beside the orders in its file."""
    battle = begin(file, dice, asks_set_up=asks_set_up)
    record.add("log", [with_coded_reason(line) for line in battle.events_json])

    def on_stop(stop: ResolvedStop) -> None:
        record.stop(battle, stop)

    return record.ended(fight(battle, doctrines, dice, seed, most, on_stop, turns=file.turns), dice)


def _by_orders(case: Case, battle_document: Document, dice: Dice, record: Record) -> BattleDigest:
    """Draw every side's orders in every phase.

    Every fourth battle goes through JSON at each of them.
    """
    battle = start(battle_document, None, dice, asks_set_up=is_placed_by_sides(case))
    record.add("log", [with_coded_reason(line) for line in battle.events_json])
    orderer = Orderer(Random(case.name), battle_document)
    seq = 0
    while battle.state.stop != "over" and battle.turn <= TURNS:
        turn_orders = {side: orderer.orders(battle, side) for side in awaited_sides(battle)}
        battle, stop = resolve_documents(battle, turn_orders, dice, seq)
        record.stop(battle, stop)
        seq += 1
        if case.seed % 4 == 0:
            battle = battle_from(json.loads(json.dumps(battle.to_json())))
    return record.ended(battle, dice)
