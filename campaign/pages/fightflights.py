"""The form of a battle's fighters' stop: where every group flies, whom it closes with, where it lands.

A part of `campaign.pages.fightform`. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from campaign.pages.fields import text
from campaign.pages.fightform import Pick, Row, Sight, Tick, Written, anchor
from engine.asks.flights import parse_flight
from engine.core.orders import STAY, Flight
from engine.core.ship import FIGHTING


def flight_rows(seen: Sight, payload: Mapping[str, Any], faults: Mapping[str, tuple[str, ...]]) -> tuple[Row, ...]:
    """A row for every fighter group in flight."""
    given = payload.get("fighters")
    said = given if isinstance(given, Mapping) else {}
    rows = []
    for group in seen.groups:
        key = group.id
        words = said.get(key, "")
        flight, wrong = parse_flight(words if isinstance(words, str) else "", "")
        raw = str(words) if flight is None or wrong else ""
        flight = STAY if flight is None else flight
        where = "" if flight.to is None else f"{flight.to[0]:g} {flight.to[1]:g}"
        rows.append(
            Row(
                key=key,
                id=anchor(key),
                name=seen.names.get(key, key),
                state=f"{group.craft} craft at {group.x:.0f}, {group.y:.0f}, facing course {group.course}",
                picks=_picks(seen, key, flight),
                ticks=(Tick(f"evade-{key}", "on", "evade instead of dogfighting", flight.evade),),
                written=(Written(f"to-{key}", "Fly to x, y", where, "24 30"),),
                raw=Written(f"raw-{key}", "Write the order as text instead", raw, "to 24 30; face 3"),
                faults=faults.get(key, ()),
            )
        )
    return tuple(rows)


def flight_payload(seen: Sight, posted: QueryDict) -> dict[str, str]:
    """Fighters' orders by group, as the form says them; groups that stay are left out."""
    found = {}
    for group in seen.groups:
        words = text(posted, f"raw-{group.id}") or _words(group.id, posted)
        if words:
            found[group.id] = words
    return found


def _words(key: str, posted: QueryDict) -> str:
    named = [(word, text(posted, f"{word}-{key}")) for word in ("to", "dogfight", "land", "face")]
    parts = [f"{word} {said}" for word, said in named if said not in ("", "0")]
    parts += ["evade"] if text(posted, f"evade-{key}") else []
    return "; ".join(parts)


def _picks(seen: Sight, key: str, flight: Flight) -> tuple[Pick, ...]:
    decks = [
        (ship.id, seen.names.get(ship.id, ship.id))
        for ship in seen.state.ships
        if ship.side == seen.side and ship.status == FIGHTING and ship.rig.bays
    ]
    courses = tuple((str(n), str(n)) for n in range(1, 13))
    return (
        Pick(f"face-{key}", "Then face", (("0", "as it flies"), *courses), (str(flight.face),)),
        Pick(f"dogfight-{key}", "Dogfight with", (("", "none"), *seen.flyers()), (flight.dogfight,)),
        Pick(f"land-{key}", "Land on", (("", "none"), *decks), (flight.land,)),
    )
