"""The form of a battle's damage control: how many parties go to which lost system, and what is done about a power core
out of control.

A part of `campaign.pages.fightform`. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from campaign.pages.fields import number, text
from campaign.pages.fightform import Option, Pick, Row, Sight, anchor
from engine.continuum.damage_control import MOST_PARTIES, beyond_repair, fixable, has_control
from engine.core.notes import AIR_FAILS, FOREVER, OUT_OF_CONTROL, REACTOR
from engine.core.ship import ShipState
from engine.core.terms import NO_REPAIRS
from engine.english import counted_noun, system_words
from engine.systems.crew import parties_of

NOBODY: Option = ("0", "none")
CORE_ORDERS: tuple[Option, ...] = (("", "hold it"), ("dump", "dump it and drift"), ("abandon", "abandon ship"))


def control_rows(seen: Sight, payload: Mapping[str, Any], faults: Mapping[str, tuple[str, ...]]) -> tuple[Row, ...]:
    """A row for every ship whose crew has anything to decide."""
    given = payload.get("control")
    said = given if isinstance(given, Mapping) else {}
    return tuple(_row(seen, ship, said.get(ship.id), faults.get(ship.id, ())) for ship in _able(seen))


def control_payload(seen: Sight, posted: QueryDict) -> dict[str, Any]:
    """Damage control by ship, as the form says it; ships without orders are left out."""
    found: dict[str, Any] = {}
    for ship in _able(seen):
        jobs = [(system, number(text(posted, f"parties-{ship.id}-{system}") or "0")) for system in _offered(seen, ship)]
        repairs = [{"system": system, "parties": parties} for system, parties in jobs if parties]
        core = text(posted, f"core-{ship.id}")
        if repairs or core:
            found[ship.id] = {"repairs": repairs} | ({core: True} if core else {})
    return found


def _able(seen: Sight) -> list[ShipState]:
    return [ship for ship in seen.ships if has_control(ship, seen.state.terms.options)]


def _offered(seen: Sight, ship: ShipState) -> tuple[str, ...]:
    """The systems that may be repaired in this battle."""
    return () if NO_REPAIRS in seen.state.terms.options else fixable(ship)


def _row(seen: Sight, ship: ShipState, given: object, faults: tuple[str, ...]) -> Row:
    key, asked = ship.id, given if isinstance(given, Mapping) else {}
    jobs = asked.get("repairs")
    sent = {
        str(job.get("system")): str(job.get("parties"))
        for job in (jobs if isinstance(jobs, list) else ())
        if isinstance(job, Mapping)
    }
    there = parties_of(ship)
    counts = range(1, min(there, MOST_PARTIES) + 1)
    options: tuple[Option, ...] = (NOBODY, *((str(n), f"{n} of {there}") for n in counts))
    picks = [
        Pick(f"parties-{key}-{system}", _words(ship, system), options, (sent.get(system, "0"),))
        for system in _offered(seen, ship)
    ]
    if REACTOR in ship.notes:
        chosen = next((word for word, _ in CORE_ORDERS if word and asked.get(word)), "")
        picks.append(Pick(f"core-{key}", "If the power core is still out of control", CORE_ORDERS, (chosen,)))
    name = seen.names.get(key, key)
    return Row(key, anchor(key), name, _state(ship, there), tuple(picks), (), (), None, faults)


def _words(ship: ShipState, system: str) -> str:
    halved = ship.alive[ship.rig.index_of[system]] > 0
    return system_words(system) + (" (halved)" if halved else "")


def _state(ship: ShipState, parties: int) -> str:
    """What the crew has to reckon with, in words."""
    told = [counted_noun(parties, "party"), f"{ship.damage} of {ship.sheet.boxes} damage"]
    notes = ship.notes
    if REACTOR in notes:
        told.append(f"its power core explodes on {notes[REACTOR]} or more")
    if AIR_FAILS in notes:
        told.append(f"air to the end of turn {notes[AIR_FAILS]}")
    if OUT_OF_CONTROL in notes:
        until = notes[OUT_OF_CONTROL]
        told.append("out of control" + ("" if until == FOREVER else f" to the end of turn {until}"))
    gone = [
        system_words(fit.id)
        for index, fit in enumerate(ship.sheet.fits)
        if ship.alive[index] < ship.rig.whole[index] and beyond_repair(ship, index)
    ]
    return ", ".join(told) + (f"; beyond repair: {', '.join(gone)}" if gone else "")
