"""The second edition's fighter phase: one text of orders per group.

An entry looks like `{"fighters": {"n1/fighter-bay-1": "to 12 20; face 3"}}`.

Rules: 2E "Fighters" [2e.fighters]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from engine.core.errors import Violation
from engine.core.orders import Flight
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import FIGHTERS, BattleState
from engine.core.versions import GROUPS_BY_NAME
from engine.fighters.flights import flight_violations
from engine.notation.fire import FireNames
from engine.notation.orders import LONGEST, read_numbers
from engine.notation.reading import Reader
from engine.order_requests.base import UnitOrderRequest
from engine.pieces.group import Group

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView

_DESTINATIONS = ("to", "dogfight", "land", "screen", "pursue")
_WORDS = (*_DESTINATIONS, "face", "evade", "stay")
AT_ONCE = ["at", "once"]  # the words after `land SHIP` that order a combat landing


def parse_flight(text: str, where: str) -> tuple[Flight | None, tuple[Violation, ...]]:
    """Parse a group's orders from their text, or return every fault in it.

    At most one of `to X Y`, `dogfight GROUP`, `land SHIP` (`land SHIP at once`: a combat landing),
    `screen` with a ship or group, and `pursue SHIP`. In addition `face COURSE` and `evade` (`evade
    4`: from four weapons or more). `stay` is allowed and changes nothing.
    Rules: 2E "Fighters" [2e.fighters]; Continuum "Movement" 8.5 [pc.fighter-move]
    """
    if len(text) > LONGEST:
        words = reason(
            "group-orders-most-characters",
            "a group's orders can have at most {} characters, not {}",
            LONGEST,
            len(text),
        )
        return None, (Violation(where, "too-long", words),)
    values: dict[str, Any] = {}
    faults: list[Violation] = []
    words_used: list[str] = []
    for part in (piece.strip() for piece in text.split(";")):
        if not part:
            continue
        word, *rest = part.split()
        word = word.lower()
        if word not in _WORDS:
            unknown = reason(
                "flight-unknown",
                "'{}' is not an order; write a flight such as to 24 30, or begin with one of these "
                "words: {}",
                part,
                ", ".join(_WORDS),
            )
            faults.append(Violation(where, "flight-unknown", unknown))
            continue
        if word in words_used:
            repeated = reason(
                "flight-repeated", "'{}': a group's orders can have '{}' only once", part, word
            )
            faults.append(Violation(where, "flight-repeated", repeated))
        words_used.append(word)
        try:
            values |= _parse_word(word, rest)
        except ValueError as error:
            malformed = reason("quoted", "'{}': {}", part, error.args[0])
            faults.append(Violation(where, f"flight-{word}", malformed))
    if sum(word in words_used for word in _DESTINATIONS) > 1:
        several = reason(
            "flight-two-ways",
            "'{}': a group can have only one of {}",
            text,
            ", ".join(_DESTINATIONS),
        )
        faults.append(Violation(where, "flight-two-ways", several))
    if faults:
        return None, tuple(faults)
    return Flight(**values), ()


def _parse_word(word: str, rest: list[str]) -> dict[str, Any]:
    """Return the fields of a flight that one word and what follows it set.

    Raises:
        ValueError: The word cannot be followed by that; the argument says what is needed.
    """
    match word:
        case "to":
            return _parse_place(rest)
        case "face":
            return _parse_course(rest)
        case "land" if rest[1:] == AT_ONCE:
            return {"land": rest[0], "at_once": True}
        case "dogfight" | "land" | "screen" | "pursue":
            return {word: _parse_name(rest)}
        case "evade" if rest:
            return _parse_evasion(rest)
    if rest:
        raise ValueError(reason("nothing-follow-word", "nothing can follow this word"))
    if word == "evade":
        return {"evade": True}
    return {}


def _parse_name(rest: list[str]) -> str:
    """Return the only name that follows a word."""
    if len(rest) != 1:
        raise ValueError(reason("name-needed", "expected one name"))
    return rest[0]


def _parse_place(rest: list[str]) -> dict[str, Any]:
    """Return the point after `to`, in MU."""
    values = read_numbers(rest)
    if len(values) != 2:
        raise ValueError(
            reason("two-numbers-needed-such", "expected two numbers, for example to 12 20")
        )
    return {"to": (values[0], values[1])}


def _parse_course(rest: list[str]) -> dict[str, Any]:
    """Return the course after `face`."""
    values = read_numbers(rest)
    if len(values) != 1 or values[0] not in range(1, 13):
        raise ValueError(reason("course-1-12-needed", "expected a course from 1 to 12"))
    return {"face": int(values[0])}


def _parse_evasion(rest: list[str]) -> dict[str, Any]:
    """Return the number of weapons after `evade`."""
    values = read_numbers(rest)
    if len(values) != 1 or values[0] < 1 or values[0] != int(values[0]):
        raise ValueError(
            reason(
                "number-weapons-needed-such",
                "expected a number of weapons, for example evade 4",
            )
        )
    return {"evades_at": int(values[0])}


def format_flight(flight: Flight) -> str:
    """Return the text of a group's orders; `parse_flight` is the inverse."""
    return flight.words()


class FlightRequest(UnitOrderRequest[Flight]):
    """Orders of the fighter groups in flight; a group without any stays where it is."""

    key = FIGHTERS
    title = "fighters"
    task = phrase("Give orders to your fighters")

    @override
    def units_asked(self, state: BattleState) -> Sequence[ShipState | Group]:
        """Return the fighter groups in flight."""
        return state.pieces_of(Group)

    @override
    def parse(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> dict[str, Flight]:
        """Parse the entry `fighters`: a text by group, such as `to 12 20; face 3`.

        All faults go to the reader.
        """
        data, where = self.parse_entries(
            reader,
            document,
            where,
            reason(
                "fighters-orders-texts-such",
                "write fighters' orders as texts by group, for example to 12 20; face 3",
            ),
        )
        flights: dict[str, Flight] = {}
        allowed = self.allowed_groups(names)
        for name, text in data.items():
            spot = f"{where}.{name}"
            if name not in allowed:
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
                        "write a group's orders as a text, for example to 12 20; face 3",
                    ),
                )
            else:
                flight, faults = parse_flight(text, spot)
                reader.faults.extend(faults)
                if flight is not None and _knows_units_of(reader, flight, spot, names):
                    flights[name] = flight.with_ids(names.targets)
        return flights

    def allowed_groups(self, names: FireNames) -> Collection[str]:
        """Return the groups that take such orders."""
        return names.groups

    @override
    def find_violations(
        self, state: BattleState, orders: dict[str, Flight], where: str, *, sound: bool
    ) -> list[Violation]:
        """Return every fault of the flights, including conflicts between groups."""
        return flight_violations(state, orders, f"{where}{self.key}")

    @override
    def to_entry(self, flight: Flight) -> Any:
        """Return a group's orders as the text that `parse_flight` reads."""
        return flight.words()

    @override
    def to_exact_entry(self, flight: Flight) -> Any:
        """Return a group's orders with all digits of its point."""
        return flight.words(exact=True)

    @override
    def suggest(self, captain: Captain, view: SideView) -> dict[str, Flight]:
        """Return the captain's orders by group, with points that can be written as orders."""
        flights = captain.flights(view)
        if not view.terms.follows(GROUPS_BY_NAME):
            return flights
        return {name: flight.rounded() for name, flight in flights.items()}

    @override
    def with_ids(self, orders: dict[str, Flight], ids: Mapping[str, str]) -> dict[str, Flight]:
        """Return the same orders with ids for the groups, their targets and their carriers."""
        if ids:
            return {ids.get(name, name): flight.with_ids(ids) for name, flight in orders.items()}
        return orders


def _knows_units_of(reader: Reader, flight: Flight, where: str, names: FireNames) -> bool:
    """Return whether orders may name all units of a flight; report the unknown ones."""
    unknown_units = [name for name in flight.unit_names() if name not in names.targets]
    for name in unknown_units:
        reader.fault(
            where, "unknown-target", reason("nothing-called", "nothing is called '{}'", name)
        )
    return not unknown_units


FLIGHT_REQUEST = FlightRequest()
