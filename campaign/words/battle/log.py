"""A battle's log in words, turn by turn, as one side saw it, from that side's report alone.

`SAYINGS` has words for each kind of event (engine.events, engine.pieces) that does not bring its own; `SILENT` kinds
say nothing that another line does not say. Ships stand under the names by which the side knows them. A ship of others
has one name before the battle, in it and afterwards: what is known of it and the beginning of its contact code, `Bogey
3f2a` until it is identified, then `Destroyer 3f2a`, also when it is gone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from campaign.rules.phase_titles import STOPS
from campaign.words.battle.boarding import BOARDING_SAYINGS
from campaign.words.battle.craft import CRAFT_SAYINGS
from campaign.words.battle.hulls import HULL_SAYINGS
from campaign.words.battle.orbits import ORBIT_SAYINGS
from campaign.words.battle.ordnance import ORDNANCE_SAYINGS
from campaign.words.battle.phrases import (
    DOCKS,
    Called,
    Event,
    Saying,
    arrived,
    between,
    craft_lost,
    die,
    disengaged,
    drifted,
    dummy_found,
    entered,
    far,
    fighters_fired,
    ftl_exit,
    gate_passed,
    gate_set,
    hits_words,
    initiative,
    launched,
    left_table,
    needle,
    of_ship,
    place,
    point_defence,
    ram,
    revealed,
    saying_of,
    shot,
    table_moved,
    threshold,
    thrown,
    torpedo,
)
from campaign.words.battle.scans import SCAN_SAYINGS
from campaign.words.stored_reasons import told_again
from engine.core.edition import EDITIONS
from engine.core.kinds import Edge, SweepOutcome
from engine.core.phrase import capital, joined_phrases, phrase
from engine.english import counted_noun, system_words
from engine.ruleset import rules_of

# what a Q ship does that shows what it is
UNCOVERED = {
    "fires": phrase("fires"),
    "scans": phrase("scans"),
    "sweeps": phrase("sweeps mines"),
    "moves": phrase("moves"),
    "jumps": phrase("leaves under FTL"),
}
SILENT = ("turn-ended", "cleared", "placed", "group-placed", "sections-shifted")
COLOURED = (
    "torpedo",
    "pack",
    "fighters-fired",
    "point-defence",
    "mine-fired",
    "rock-shot",
    "shot",
    "fire",
    "ordnance-met",
    "craft-met",
    "marker-met",
    "boats-met-craft",
    "boats-met-ordnance",
    "group-shot-at",
    "boats-fired",
)

__all__ = ["LogLine", "SideNames", "contact_name", "line_of", "names_of", "own_names", "stops_of"]
FLIGHT = "flight-"
# Every type of bay, and what the craft in it are called.
CRAFT_IN = {bay: craft for edition in EDITIONS for bay, (craft, _) in rules_of(edition).profile.bays.items()}
USUAL_BAY = "fighter-bay"  # of the second edition: its number says enough
CODE = re.compile(r"[0-9a-f]{10}")
ORDER = STOPS  # in the order of a turn
When = tuple[int, int, int]  # of an identification: turn, stop of the turn, 0 at its beginning or 1 in it


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log. `kind` colours it; `detail`: the dice."""

    kind: str
    words: str
    detail: str = ""


def line_of(event: Event, names: Called) -> LogLine | None:
    """A log line in words; None for what says nothing to a reader, or for a kind nobody knows."""
    kind = str(event["event"])
    say = SAYINGS.get(kind) or saying_of(kind)
    if say is None:
        return None
    words, detail = say(event, names)
    if not words:
        return None
    words = capital(words)
    if kind in COLOURED:
        return LogLine("hit" if event["hits"] else "miss", words, detail)
    return LogLine(kind, words, detail)


SAYINGS: dict[str, Saying] = {
    **BOARDING_SAYINGS,
    **SCAN_SAYINGS,
    "moved": of_ship(phrase("moves to course {course}, velocity {velocity}")),
    "shot": shot,
    "damaged": of_ship(phrase("takes {points:point} of damage ({total} in all)")),
    "threshold": threshold,
    "revealed": revealed,
    "dummy-found": dummy_found,
    "left-table": left_table,
    "returned": of_ship(phrase("returns")),
    "gave-up": of_ship(phrase("does not return")),
    "ftl-warming": of_ship(phrase("warms up its FTL drive")),
    "ftl-exit": ftl_exit,
    "initiative": initiative,
    "order-refused": of_ship(phrase("cannot carry out {order}: {why}")),
    "shot-refused": lambda event, names: (
        phrase(
            "{} holds fire with {}: {}",
            names.of(event["ship"]),
            system_words(event["weapon"]),
            told_again(str(event["why"])),
        ),
        "",
    ),
    "arc": lambda event, names: (
        phrase("{} treats {} as in arc {}", names.of(event["ship"]), names.of(event["target"]), event["arc"]),
        die(event),
    ),
    "battle-over": lambda event, _: (phrase("The battle is over: {}", told_again(str(event["why"]))), ""),
    # fighters
    "launched": launched,
    "flight-refused": of_ship(phrase("cannot carry out {order}: {why}")),
    "flown": of_ship(phrase("fly, facing course {course}")),
    "dogfight": between(phrase("close with"), "target"),
    "broke-off": of_ship(phrase("break off")),
    "fighters-fired": fighters_fired,
    "point-defence": point_defence,
    "craft-lost": craft_lost,
    "recovered": between(phrase("recovers {craft:craft} of"), "group"),
    # ordnance, needles, nova cannon
    "torpedo": torpedo,
    "needle": needle,
    "system-lost": lambda event, names: (
        phrase("{} loses {}", names.of(event["ship"]), system_words(event["system"])),
        "",
    ),
    "pack": shot,
    "nova-armed": of_ship(phrase("puts all power into its nova cannon")),
    **ORDNANCE_SAYINGS,
    **CRAFT_SAYINGS,
    **ORBIT_SAYINGS,
    # mines, scans, Q ships
    "mine-laid": lambda event, names: (phrase("{} lays a mine {}", names.of(event["ship"]), place(event)), ""),
    "sweeping": of_ship(phrase("sweeps for mines")),
    "mine-swept": lambda event, names: (
        phrase("{} {} {}", names.of(event["ship"]), SweepOutcome.words(event["outcome"]), place(event)),
        die(event),
    ),
    "mine-detonated": lambda event, names: (
        phrase("A mine goes off {}, near {}", place(event), names.of(event["near"])),
        "",
    ),
    "mine-fired": lambda event, names: (
        phrase("The mine strikes {} and {}", names.of(event["ship"]), hits_words(event)),
        phrase("{}, screens {}", thrown(event), event["screens"]) if event["screens"] else thrown(event),
    ),
    "scanning": of_ship(phrase("uses active sensors: everybody notices")),
    "scan-failed": lambda event, names: (
        phrase(
            "{} does not scan {}: {}", names.of(event["ship"]), names.of(event["target"]), told_again(str(event["why"]))
        ),
        "",
    ),
    "uncovered": lambda event, names: (
        phrase(
            "{} is revealed as a {}: it {}",
            names.of(event["ship"]),
            event["cls"],
            UNCOVERED.get(event["why"], event["why"]),
        ),
        "",
    ),
    # the table
    "drifted": drifted,
    "avoided": of_ship(phrase("avoids asteroid {rock}"), die),
    "crashed": of_ship(phrase("hits asteroid {rock}"), die),
    "rock-shot": lambda event, names: (
        phrase(
            "{} fires {} at asteroid {} and {}",
            names.of(event["ship"]),
            system_words(event["weapon"]),
            event["rock"],
            hits_words(event),
        ),
        far(event),
    ),
    "rock-damaged": lambda event, _: (
        phrase("Asteroid {} takes {} of damage", event["rock"], counted_noun(event["points"], "point")),
        phrase("{} in all", event["total"]),
    ),
    "rock-broken": lambda event, _: (
        phrase("Asteroid {} breaks into {}", event["rock"], counted_noun(len(event["chunks"]), "piece")),
        "",
    ),
    "ram": ram,
    "arrived": arrived,
    "escaped": lambda event, names: (
        phrase("{} crosses the {} and jumps away", names.of(event["ship"]), Edge.words(event["edge"])),
        "",
    ),
    "gate-set": gate_set,
    "gate-passed": gate_passed,
    "docking": lambda event, names: (
        phrase("{} {} {}", names.of(event["ship"]), DOCKS.get(event["step"], event["step"]), names.of(event["near"])),
        "",
    ),
    "docking-missed": of_ship(phrase("does not come alongside: {why}")),
    "table-moved": table_moved,
    "disengaged": disengaged,
    "left-behind": of_ship(phrase("does not take part in the pursuit")),
    # a result that was entered
    "entered": entered,
    **HULL_SAYINGS,
}


@dataclass(frozen=True, slots=True)
class SideNames:
    """The names the viewer has for the ships of a battle. `hidden`: those not identified yet where the log has come to.

    `since`: when each was identified; `drones`: his own side's decoy drones; `powers`: what factions are called.
    """

    known: Mapping[str, str]
    hidden: set[str] = field(default_factory=set)
    since: Mapping[str, When] = field(default_factory=dict)
    drones: frozenset[str] = frozenset()
    powers: Mapping[str, str] = field(default_factory=dict)

    def of(self, ship: object) -> str:
        """A ship, a group of craft (`n1/hangar-1`, or the others' `flight-3`) or what else a log names."""
        key = str(ship)
        home, _, part = key.rpartition("/")
        if key.startswith(FLIGHT) and key not in self.known:
            return phrase("fighters {}", key.removeprefix(FLIGHT))
        bay, _, number = part.rpartition("-")
        if home and bay in CRAFT_IN:
            return phrase(
                "{}'s {} ({})", self.of(home), phrase(CRAFT_IN[bay]), number if bay == USUAL_BAY else system_words(part)
            )
        return contact_name(key) if key in self.hidden else self.known.get(key, contact_name(key))

    def bogey(self, code: object) -> str:
        """The name of an unidentified contact."""
        return contact_name(str(code))

    def side(self, key: str) -> str:
        """The name of a side of the battle: its factions."""
        return joined_phrases(" and ", (self.powers.get(part, part) for part in key.split("+")))

    def at(self, stop: Mapping[str, Any]) -> SideNames:
        """The names as they were when a stop began: a bogey stays a bogey until it is scanned, and no longer."""
        now = _when(stop, 0)
        hidden = {code for code, when in self.since.items() if when > now}
        return replace(self, hidden=hidden)


def contact_name(code: str, cls: str = phrase("Bogey")) -> str:
    """The name of a ship of others. `cls`: its class, once it is identified."""
    tag = code if CODE.fullmatch(code) else hashlib.sha256(code.encode()).hexdigest()
    return phrase("{} {}", cls, tag[:4])


def own_names(ships: Iterable[tuple[str, bool]], own: Mapping[str, str]) -> tuple[dict[str, str], frozenset[str]]:
    """The names of a side's own ships, by keys each with whether it is a drone; and the drones.

    `own`: the viewer's ships by key; what is neither his nor a drone is an ally's.
    """
    known: dict[str, str] = {}
    drones: list[str] = []
    allied = 0
    for key, dummy in ships:
        if key in own:
            known[key] = own[key]
        elif dummy:
            drones.append(key)
            known[key] = phrase("Decoy {}", len(drones))
        else:
            allied += 1
            known[key] = phrase("Allied ship {}", allied)
    return known, frozenset(drones)


def names_of(body: Mapping[str, Any], own: Mapping[str, str], powers: Mapping[str, str] | None = None) -> SideNames:
    """The names of all ships in a battle report, or in what was told so far. `own`: the viewer's ships by key;
    `powers`: the names of factions by their ids.
    """
    known: dict[str, str] = {}
    since: dict[str, When] = {}

    def identified(code: str, cls: str, when: When) -> None:
        if code not in since:
            since[code], known[code] = when, contact_name(code, cls)

    ours: dict[str, bool] = {}
    for stop in stops_of(body):
        for key in sorted(stop["own"]):
            ours.setdefault(key, bool(stop["own"][key].get("dummy")))
        for contact in stop["contacts"]:
            if "class" in contact:
                identified(str(contact["id"]), str(contact["class"]), _when(stop, 0))
        for event in stop["log"]:
            if event["event"] == "revealed" and event["ship"] not in stop["own"]:
                identified(str(event["ship"]), str(event["cls"]), _when(stop, 1))
    named, drones = own_names(ours.items(), own)
    return SideNames({**known, **named}, since=since, drones=drones, powers=powers or {})


def _when(stop: Mapping[str, Any], part: int) -> When:
    kind = stop.get("stop")
    return int(stop["turn"]), ORDER.index(kind) if kind in ORDER else len(ORDER), part


def stops_of(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The stops of a battle this side was at."""
    return [stop for stop in body["stops"] if stop]
