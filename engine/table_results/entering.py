"""Results that people entered: brought under one naming, compared, put together, and made the end
of a battle.

Every side enters the whole battle: its own ships by their ids, those of others by their contact
codes. Of a foreign ship it may say nothing, where it never learnt what that was; then its own
side's word stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from engine.battle import start as begun
from engine.core.kinds import DESTROYED, ShipStatus
from engine.core.schemas import RESULT
from engine.core.state import OVER
from engine.core.victory import judge
from engine.design.value import Design
from engine.documents import BattleDocument
from engine.events.entered import Entered
from engine.notation.battle_file import BattleFileDocument
from engine.notation.ground import site_id
from engine.notation.reading import Reader
from engine.pieces.site import Site
from engine.ship_profiles import armour_from, holds, stock_now
from engine.table_results.ends import KEYS, End, EndDocument, ResultDocument, read_ends

PARTS = ("status", "damage", "lost", "stock", "captor", "how")
OPTIONAL = ("stock", "how")  # who says nothing of it does not contradict who does
OF_A_WRECK = ("damage", "lost", "stock")  # nobody counts what is left of a destroyed ship
TURNS, GROUND = "turns", "ground"

# A result that was entered: the side it was entered for, and the document.
Said = tuple[str, ResultDocument]


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between results.

    `ship`: its id, empty for the whole battle; `part`: of its end, else `turns` or `ground`.

    `said`: (who, what he says) of those who say anything about it.
    """

    ship: str
    part: str
    said: tuple[tuple[str, Any], ...]


def called_by(start: BattleFileDocument, side: str) -> dict[str, str]:
    """The name a side has for every ship of a battle file, by the ship's id: its own by their ids,
    others by their codes.
    """
    return {
        ship["id"]: ship["id"] if part["name"] == side else ship.get("contact", ship["id"])
        for part in start["sides"]
        for ship in part["ships"]
    }


def by_ids(start: BattleFileDocument, side: str, result: ResultDocument) -> ResultDocument:
    """A side's result with every ship under its id."""
    ids = {called: id_ for id_, called in called_by(start, side).items()}
    return {**result, "ships": {ids.get(name, name): end for name, end in result["ships"].items()}}


def as_seen(start: BattleFileDocument, side: str, result: ResultDocument) -> ResultDocument:
    """A whole result as a side would enter it.

    Of what began as a bogey it says nothing: it may be one still.
    """
    own = {ship["id"] for part in start["sides"] if part["name"] == side for ship in part["ships"]}
    called = called_by(start, side)
    hidden = start.get("bogeys", False)
    ships = {called[id_]: end for id_, end in result["ships"].items() if id_ in own or not hidden}
    return {**result, "ships": ships}


def differences(start: BattleFileDocument, said: Mapping[str, Said]) -> tuple[Difference, ...]:
    """The differences between results, ship by ship in the file's order.

    `said`: by whom to (his side, his result).

    Results are well formed, and under ids.
    """
    read = {who: _read(result) for who, (_, result) in said.items()}
    found = []
    for ship in (ship for part in start["sides"] for ship in part["ships"]):
        ends = [(who, read[who][ship["id"]]) for who in said if ship["id"] in read[who]]
        gone = all(end.status == DESTROYED for _, end in ends)
        for part in PARTS:
            if gone and part in OF_A_WRECK:
                continue
            words = tuple((who, _part(end, part)) for who, end in ends)
            if part in OPTIONAL:
                words = tuple((who, value) for who, value in words if value)
            if any(value != words[0][1] for _, value in words):
                found.append(Difference(ship["id"], part, words))
    ground = tuple((who, _ground(start, result)) for who, (_, result) in said.items())
    if any(value != ground[0][1] for _, value in ground):
        found.append(Difference("", GROUND, ground))
    turns = tuple((who, result.get("turns", 1)) for who, (_, result) in said.items())
    if any(value != turns[0][1] for _, value in turns):
        found.append(Difference("", TURNS, turns))
    return tuple(found)


def whole(start: BattleFileDocument, said: Mapping[str, Said]) -> ResultDocument:
    """The result of which nothing is said differently: of every ship its own side's word, or whose
    there is. What one of allies alone says, of stores for instance, counts.
    """
    found: dict[str, EndDocument] = {}
    for part in start["sides"]:
        first = [result for side, result in said.values() if side == part["name"]]
        others = [result for side, result in said.values() if side != part["name"]]
        for ship in part["ships"]:
            mine, theirs = (
                [word["ships"][ship["id"]] for word in words if ship["id"] in word["ships"]]
                for words in (first, others)
            )
            if ends := mine or theirs[:1]:
                found[ship["id"]] = _one_word(ends)
    _, any_of_them = next(iter(said.values()))
    result: ResultDocument = {
        "schema": RESULT.schema,
        "turns": any_of_them.get("turns", 1),
        "ships": found,
    }
    return {**result, "ground": ground} if (ground := _ground(start, any_of_them)) else result


def _one_word(ends: list[EndDocument]) -> EndDocument:
    """Of ends that do not contradict each other one, with what any of them says."""
    said: Mapping[str, Any] = {
        key: value for end in reversed(ends) for key, value in end.items() if value
    }
    return cast(EndDocument, {**ends[0], **{key: said[key] for key in OPTIONAL if key in said}})


def _ground(start: BattleFileDocument, result: ResultDocument) -> dict[str, int]:
    """The damage of all ground targets of a battle, as a result has it or as it was.

    Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
    """
    listed = start.get("ground", [])
    came = {site_id(number): target.get("damage", 0) for number, target in enumerate(listed, 1)}
    return {
        **came,
        **{name: damage for name, damage in result.get("ground", {}).items() if name in came},
    }


def result_state(
    start: BattleFileDocument, result: ResultDocument, classes: Mapping[str, Design] | None = None
) -> tuple[BattleDocument, str | None, int]:
    """The state a battle ended in, as a result without faults says; the side left alone, or None;
    the turns it took.

    Ships stand where they began: where they ended nobody entered. The captor of a captured ship
    stands beside it.
    """
    battle = begun(start, classes)
    state = battle.state
    ends = _read(result)
    for ship in state.ships:
        end = ends[ship.id]
        ship.status, ship.damage = ShipStatus(end.status), end.damage
        for place, fit in enumerate(ship.sheet.fits):
            ship.alive[place] = ship.profile.whole[place] - end.lost.count(fit.id)
        left = stock_now(ship) | dict(end.stock)
        full = [holds(fit, ship.sheet.edition) for fit in ship.sheet.fits]
        ship.stock = [
            0
            if fit.id in end.lost and place not in ship.profile.sturdy
            else sum(left[name] for name in there)
            for place, (fit, there) in enumerate(zip(ship.sheet.fits, full, strict=True))
        ]
        drawn = {
            name: most - left[name]
            for there in full
            if len(there) > 1
            for name, most in there.items()
            if most > left[name]
        }
        if drawn != ship.record.drawn:
            ship.record = ship.record.changed(drawn=drawn)
        ship.armour = armour_from(ship.sheet, left)
        ship.forget_repaired(end.lost)
    for name, damage in _ground(start, result).items():
        state.piece(Site, name).damage = damage
    turns = int(result.get("turns", 1))
    state.stop, state.turn = OVER, turns
    outcome = judge(state, last=True)
    battle.winner = outcome.winner if outcome is not None else None
    document = battle.to_json()
    for id_, end in ends.items():
        if end.captor:
            document["ships"][id_]["captor"] = end.captor
    return document, battle.winner, turns


def end_events(result: ResultDocument, turn: int) -> list[dict[str, Any]]:
    """A result as lines of a log: the end of every ship, under the names it is entered by."""
    ends = _read(result)
    return [
        {
            "event": Entered.kind,
            "turn": turn,
            "ship": name,
            **{"captor": "", "how": "", **end.to_json()},
        }
        for name, end in sorted(ends.items())
    ]


def _read(result: ResultDocument) -> dict[str, End]:
    """The ends of a result that is known to be in order. Raises ValueError where it is not."""
    reader = Reader()
    known = {key: value for key, value in result.items() if key in KEYS}
    ends = {name: end for name, end in read_ends(reader, known).items() if end is not None}
    if reader.faults:
        raise ValueError(f"a result that was entered cannot be read: {reader.faults}")
    return ends


def _part(end: End, part: str) -> Any:
    """A part of an end as it is compared: the order in which lost systems were written says
    nothing.
    """
    if part == "lost":
        return sorted(end.lost)
    return dict(sorted(end.stock)) if part == "stock" else getattr(end, part)
