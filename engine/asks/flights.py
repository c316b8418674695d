"""The fighters' stop: every group's orders, a text a group (`{"fighters": {"n1/fighter-bay-1": "to
12 20; face 3"}}`).

Rules: 2E "Fighters" [2e.fighters]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from engine.asks.ask import UnitAsk
from engine.core.errors import Violation
from engine.core.orders import Flight
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import FIGHTERS, BattleState
from engine.fighters.flights import flight_violations
from engine.notation.fire import FireNames
from engine.notation.orders import LONGEST, numbers
from engine.notation.reading import Reader
from engine.pieces.group import Group

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView

_WHERE = ("to", "dogfight", "land", "screen", "pursue")
_KNOWN = (*_WHERE, "face", "evade", "stay")
AT_ONCE = ["at", "once"]  # what follows a combat landing


def parse_flight(text: str, where: str) -> tuple[Flight | None, tuple[Violation, ...]]:
    """A group's orders from their text, or every fault in it.

    At most one of `to X Y`, `dogfight GROUP`, `land SHIP` (`land SHIP at once`: a combat landing),
    `screen` a ship or group, `pursue SHIP`; besides `face COURSE` and `evade` (`evade 4`: from four
    weapons or more); `stay` says nothing.
    Rules: 2E "Fighters" [2e.fighters]; Continuum "Movement" 8.5 [pc.fighter-move]
    """
    if len(text) > LONGEST:
        words = reason(
            "group-orders-most-characters",
            "a group's orders have at most {} characters, not {}",
            LONGEST,
            len(text),
        )
        return None, (Violation(where, "too-long", words),)
    given: dict[str, Any] = {}
    faults: list[Violation] = []
    seen: list[str] = []
    for part in (piece.strip() for piece in text.split(";")):
        if not part:
            continue
        word, *rest = part.split()
        word = word.lower()
        if word not in _KNOWN:
            faults.append(
                Violation(
                    where,
                    "flight-unknown",
                    reason("flight-unknown", "'{}' is not an order of {}", part, ", ".join(_KNOWN)),
                )
            )
            continue
        if word in seen:
            faults.append(
                Violation(
                    where,
                    "flight-repeated",
                    reason("flight-repeated", "'{}': a group's orders say '{}' once", part, word),
                )
            )
        seen.append(word)
        try:
            given |= _read(word, rest)
        except ValueError as why:
            faults.append(
                Violation(where, f"flight-{word}", reason("quoted", "'{}': {}", part, why.args[0]))
            )
    if sum(word in seen for word in _WHERE) > 1:
        faults.append(
            Violation(
                where,
                "flight-two-ways",
                reason(
                    "flight-two-ways", "'{}': a group goes one way: {}", text, ", ".join(_WHERE)
                ),
            )
        )
    return (None, tuple(faults)) if faults else (Flight(**given), ())


def _read(word: str, rest: list[str]) -> dict[str, Any]:
    if word == "to":
        found = numbers(rest)
        if len(found) != 2:
            raise ValueError(
                reason("two-numbers-needed-such", "two numbers are needed here, such as to 12 20")
            )
        return {"to": (found[0], found[1])}
    if word == "face":
        found = numbers(rest)
        if len(found) != 1 or found[0] not in range(1, 13):
            raise ValueError(reason("course-1-12-needed", "a course from 1 to 12 is needed here"))
        return {"face": int(found[0])}
    if word == "land" and rest[1:] == AT_ONCE:
        return {"land": rest[0], "at_once": True}
    if word in ("dogfight", "land", "screen", "pursue"):
        if len(rest) != 1:
            raise ValueError(reason("name-needed", "one name is needed here"))
        return {word: rest[0]}
    if word == "evade" and rest:
        found = numbers(rest)
        if len(found) != 1 or found[0] < 1 or found[0] != int(found[0]):
            raise ValueError(
                reason(
                    "number-weapons-needed-such",
                    "a number of weapons is needed here, such as evade 4",
                )
            )
        return {"evades_at": int(found[0])}
    if rest:
        raise ValueError(reason("nothing-follow-word", "nothing can follow this word"))
    return {"evade": True} if word == "evade" else {}


def format_flight(flight: Flight) -> str:
    """The text of a group's orders; `parse_flight` reads it back to the same orders."""
    return flight.words()


class FlightAsk(UnitAsk[Flight]):
    """Orders of the fighter groups in flight; a group without any stays where it is."""

    key = FIGHTERS
    title = "fighters"
    task = phrase("Give orders to your fighters")

    @override
    def callers(self, state: BattleState) -> Sequence[ShipState | Group]:
        """The fighter groups in flight."""
        return state.of(Group)

    @override
    def read(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> dict[str, Flight]:
        """The entry `fighters`: a text by group, such as `to 12 20; face 3`.

        Every fault goes to the reader.
        """
        data, where = self.entries(
            reader,
            document,
            where,
            reason(
                "fighters-orders-texts-such",
                "fighters' orders are texts such as to 12 20; face 3, by group",
            ),
        )
        flights: dict[str, Flight] = {}
        known = self.known(names)
        for name, text in data.items():
            spot = f"{where}.{name}"
            if name not in known:
                reader.fault(
                    spot,
                    "unknown-group",
                    reason("unknown-group", "no fighter group is called '{}'", name),
                )
            elif not isinstance(text, str):
                reader.fault(
                    spot,
                    "not-a-text",
                    reason(
                        "group-orders-text-such",
                        "a group's orders are a text such as to 12 20; face 3",
                    ),
                )
            else:
                flight, faults = parse_flight(text, spot)
                reader.faults.extend(faults)
                named = () if flight is None else flight.named()
                unknown = [n for n in named if n not in names.targets]
                for missing in unknown:
                    reader.fault(
                        spot,
                        "unknown-target",
                        reason("nothing-called", "nothing is called '{}'", missing),
                    )
                if flight is not None and not unknown:
                    flights[name] = flight.renamed(names.targets)
        return flights

    def known(self, names: FireNames) -> Collection[str]:
        """The groups that take such orders."""
        return names.groups

    @override
    def judge(
        self, state: BattleState, orders: dict[str, Flight], where: str, *, sound: bool
    ) -> list[Violation]:
        """Every fault of the flights, those between groups too."""
        return flight_violations(state, orders, f"{where}{self.key}")

    @override
    def entry(self, one: Flight) -> Any:
        """A group's orders as the text that `parse_flight` reads."""
        return one.words()

    @override
    def advice(self, captain: Captain, view: SideView) -> dict[str, Flight]:
        """The captain's orders by group."""
        return captain.flights(view)

    @override
    def by_id(self, orders: dict[str, Flight], ids: Mapping[str, str]) -> dict[str, Flight]:
        """The same orders by the ids of the groups, of their dogfights' targets and of their
        carriers.
        """
        return (
            {ids.get(name, name): flight.renamed(ids) for name, flight in orders.items()}
            if ids
            else orders
        )


FLIGHTS = FlightAsk()
