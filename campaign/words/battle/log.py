"""A battle's log in words, turn by turn, as one side saw it, from that side's report alone.

The sentence of each class of event stands in a module beside this one, or on the class itself
(`campaign.words.battle.phrases`); `SILENT` classes say nothing that another line does not say.

Ships stand under the names by which the side knows them. A ship of others has one name before the
battle, in it and afterwards: what is known of it and the beginning of its contact code, `Bogey
3f2a` until it is identified, then `Destroyer 3f2a`, also when it is gone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from campaign.words.battle import (
    boarding,
    craft,
    fire,
    hulls,
    movement,
    orbits,
    ordnance,
    scans,
    tabletop,
)
from campaign.words.battle.phase_titles import STOPS
from campaign.words.battle.phrases import WORDS, BattleNames, EventSentence, by_template
from engine.core.edition import EDITIONS
from engine.core.phrase import capitalize_first, join_phrases, phrase
from engine.english import system_words
from engine.events.battle import GroupPlaced, ShipPlaced, TableCleared, TurnEnded
from engine.events.detection import ContactIdentified
from engine.events.event import Event
from engine.events.fire import BeamsFired, GunFired, PackFired, PointDefence, TorpedoFired
from engine.pieces.asteroid import AsteroidShot
from engine.pieces.craft_events import (
    BoatsFired,
    GroupFiredAtOrdnance,
    GroupShotAt,
    PointDefenceAtCraft,
)
from engine.pieces.group_events import FightersFired
from engine.pieces.guard_events import BoatsFiredAtCraft, BoatsFiredAtOrdnance
from engine.pieces.marker import PointDefenceAtOrdnance
from engine.pieces.mine import MineFired
from engine.pieces.section import SectionsShifted
from engine.ruleset import rules_of
from engine.view.event_reader import read_events_of

# Who has the sentences of events.
SUBJECTS = (boarding, craft, fire, hulls, movement, orbits, ordnance, scans, tabletop)
# Events that say nothing that another line does not say.
SILENT = (TurnEnded, TableCleared, ShipPlaced, GroupPlaced, SectionsShifted)
# Events whose lines are coloured by whether anything was hit.
COLOURED = (
    TorpedoFired,
    PackFired,
    FightersFired,
    PointDefence,
    MineFired,
    AsteroidShot,
    BeamsFired,
    GunFired,
    PointDefenceAtOrdnance,
    PointDefenceAtCraft,
    GroupFiredAtOrdnance,
    BoatsFiredAtCraft,
    BoatsFiredAtOrdnance,
    GroupShotAt,
    BoatsFired,
)

__all__ = ["LogLine", "SideNames", "contact_name", "line_of", "names_of", "own_names", "stops_of"]
FLIGHT = "flight-"
# Every type of bay, and what the craft in it are called.
CRAFT_IN = {
    bay: craft for edition in EDITIONS for bay, (craft, _) in rules_of(edition).profile.bays.items()
}
USUAL_BAY = "fighter-bay"  # of the second edition: its number says enough
CODE = re.compile(r"[0-9a-f]{10}")
ORDER = STOPS  # in the order of a turn
When = tuple[
    int, int, int
]  # of an identification: turn, stop of the turn, 0 at its beginning or 1 in it


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log. `kind` colours it; `detail`: the dice."""

    kind: str
    words: str
    detail: str = ""


def line_of(event: Event, names: BattleNames) -> LogLine | None:
    """Return the line of an event in words, None where it says nothing to a reader."""
    say = sentence_of(type(event))
    if say is None:
        return None
    words, detail = say(event, names)
    if not words:
        return None
    words = capitalize_first(words)
    if isinstance(event, COLOURED):
        return LogLine("hit" if event.hits else "miss", words, detail)
    return LogLine(event.kind, words, detail)


def sentence_of(cls: type[Event]) -> EventSentence[Any] | None:
    """Return the sentence of a class of event, None where it has none."""
    say = WORDS.get(cls) or _TEMPLATES.get(cls)
    if say is None and cls.text:
        say = _TEMPLATES[cls] = by_template(cls.text)
    return say


_TEMPLATES: dict[type[Event], EventSentence[Any]] = {}  # of classes that bring their own words


@dataclass(frozen=True, slots=True)
class SideNames:
    """The names the viewer has for the ships of a battle.

    `hidden`: those not identified yet where the log has come to.

    `since`: when each was identified; `drones`: his own side's decoy drones; `powers`: what
    factions are called.
    """

    name_by_key: Mapping[str, str]
    hidden: set[str] = field(default_factory=set)
    since: Mapping[str, When] = field(default_factory=dict)
    drones: frozenset[str] = frozenset()
    powers: Mapping[str, str] = field(default_factory=dict)

    def of(self, ship: object) -> str:
        """A ship, a group of craft (`n1/hangar-1`, or the others' `flight-3`) or what else a log
        names.
        """
        key = str(ship)
        home, _, part = key.rpartition("/")
        if key.startswith(FLIGHT) and key not in self.name_by_key:
            return phrase("fighters {}", key.removeprefix(FLIGHT))
        bay, _, number = part.rpartition("-")
        if home and bay in CRAFT_IN:
            return phrase(
                "{}'s {} ({})",
                self.of(home),
                phrase(CRAFT_IN[bay]),
                number if bay == USUAL_BAY else system_words(part),
            )
        if key in self.name_by_key and key not in self.hidden:
            return self.name_by_key[key]
        return contact_name(key)

    def bogey(self, code: object) -> str:
        """The name of an unidentified contact."""
        return contact_name(str(code))

    def side(self, key: str) -> str:
        """The name of a side of the battle: its factions."""
        return join_phrases(" and ", (self.powers.get(part, part) for part in key.split("+")))

    def at(self, stop: Mapping[str, Any]) -> SideNames:
        """The names as they were when a stop began: a bogey stays a bogey until it is scanned, and
        no longer.
        """
        now = _when(stop, 0)
        hidden = {code for code, when in self.since.items() if when > now}
        return replace(self, hidden=hidden)


def contact_name(code: str, cls: str = phrase("Bogey")) -> str:
    """The name of a ship of others. `cls`: its class, once it is identified."""
    tag = code if CODE.fullmatch(code) else hashlib.sha256(code.encode()).hexdigest()
    return phrase("{} {}", cls, tag[:4])


def own_names(
    ships: Iterable[tuple[str, bool]], name_of_own: Mapping[str, str]
) -> tuple[dict[str, str], frozenset[str]]:
    """The names of a side's own ships, by keys each with whether it is a drone; and the drones.

    `own`: the viewer's ships by key; what is neither his nor a drone is an ally's.
    """
    names: dict[str, str] = {}
    drones: list[str] = []
    allied = 0
    for key, dummy in ships:
        if key in name_of_own:
            names[key] = name_of_own[key]
        elif dummy:
            drones.append(key)
            names[key] = phrase("Decoy {}", len(drones))
        else:
            allied += 1
            names[key] = phrase("Allied ship {}", allied)
    return names, frozenset(drones)


def names_of(
    body: Mapping[str, Any], name_of_own: Mapping[str, str], powers: Mapping[str, str] | None = None
) -> SideNames:
    """The names of all ships in a battle report, or in what was told so far.

    `own`: the viewer's ships by key; `powers`: the names of factions by their ids.
    """
    names: dict[str, str] = {}
    since: dict[str, When] = {}

    def add_identified(code: str, cls: str, when: When) -> None:
        if code not in since:
            since[code], names[code] = when, contact_name(code, cls)

    is_drone_by_key: dict[str, bool] = {}
    for stop in stops_of(body):
        for key in sorted(stop["own"]):
            is_drone_by_key.setdefault(key, bool(stop["own"][key].get("dummy")))
        for contact in stop["contacts"]:
            if "class" in contact:
                add_identified(str(contact["id"]), str(contact["class"]), _when(stop, 0))
        for event in read_events_of(stop["log"], ContactIdentified):
            if event.ship not in stop["own"]:
                add_identified(event.ship, event.cls, _when(stop, 1))
    own_names_by_key, drones = own_names(is_drone_by_key.items(), name_of_own)
    return SideNames({**names, **own_names_by_key}, since=since, drones=drones, powers=powers or {})


def _when(stop: Mapping[str, Any], part: int) -> When:
    kind = stop.get("stop")
    return int(stop["turn"]), ORDER.index(kind) if kind in ORDER else len(ORDER), part


def stops_of(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The stops of a battle this side was at."""
    return [stop for stop in body["stops"] if stop]
