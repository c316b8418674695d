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
from campaign.words.battle.phrases import WORDS, Called, Saying, by_template
from engine.core.edition import EDITIONS
from engine.core.phrase import capital, joined_phrases, phrase
from engine.english import system_words
from engine.events.battle import Cleared, GroupPlaced, Placed, TurnEnded
from engine.events.detection import Revealed
from engine.events.event import Event
from engine.events.fire import BeamsFired, GunFired, PackFired, PointDefence, TorpedoFired
from engine.pieces.asteroid import RockShot
from engine.pieces.craft_events import BoatsFired, CraftMet, GroupShotAt, MarkerMet
from engine.pieces.group_events import FightersFired
from engine.pieces.guard_events import BoatsMetCraft, BoatsMetOrdnance
from engine.pieces.marker import OrdnanceMet
from engine.pieces.mine import MineFired
from engine.pieces.section import SectionsShifted
from engine.ruleset import rules_of
from engine.view.told_events import told_of_kinds

# Who has the sentences of events.
SUBJECTS = (boarding, craft, fire, hulls, movement, orbits, ordnance, scans, tabletop)
# Events that say nothing that another line does not say.
SILENT = (TurnEnded, Cleared, Placed, GroupPlaced, SectionsShifted)
# Events whose lines are coloured by whether anything was hit.
COLOURED = (
    TorpedoFired,
    PackFired,
    FightersFired,
    PointDefence,
    MineFired,
    RockShot,
    BeamsFired,
    GunFired,
    OrdnanceMet,
    CraftMet,
    MarkerMet,
    BoatsMetCraft,
    BoatsMetOrdnance,
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


def line_of(event: Event, names: Called) -> LogLine | None:
    """Return the line of an event in words, None where it says nothing to a reader."""
    say = saying_of(type(event))
    if say is None:
        return None
    words, detail = say(event, names)
    if not words:
        return None
    words = capital(words)
    if isinstance(event, COLOURED):
        return LogLine("hit" if event.hits else "miss", words, detail)
    return LogLine(event.kind, words, detail)


def saying_of(cls: type[Event]) -> Saying[Any] | None:
    """Return the sentence of a class of event, None where it has none."""
    say = WORDS.get(cls) or _TEMPLATES.get(cls)
    if say is None and cls.said:
        say = _TEMPLATES[cls] = by_template(cls.said)
    return say


_TEMPLATES: dict[type[Event], Saying[Any]] = {}  # of classes that bring their own words


@dataclass(frozen=True, slots=True)
class SideNames:
    """The names the viewer has for the ships of a battle.

    `hidden`: those not identified yet where the log has come to.

    `since`: when each was identified; `drones`: his own side's decoy drones; `powers`: what
    factions are called.
    """

    known: Mapping[str, str]
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
        if key.startswith(FLIGHT) and key not in self.known:
            return phrase("fighters {}", key.removeprefix(FLIGHT))
        bay, _, number = part.rpartition("-")
        if home and bay in CRAFT_IN:
            return phrase(
                "{}'s {} ({})",
                self.of(home),
                phrase(CRAFT_IN[bay]),
                number if bay == USUAL_BAY else system_words(part),
            )
        if key in self.known and key not in self.hidden:
            return self.known[key]
        return contact_name(key)

    def bogey(self, code: object) -> str:
        """The name of an unidentified contact."""
        return contact_name(str(code))

    def side(self, key: str) -> str:
        """The name of a side of the battle: its factions."""
        return joined_phrases(" and ", (self.powers.get(part, part) for part in key.split("+")))

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
    ships: Iterable[tuple[str, bool]], own: Mapping[str, str]
) -> tuple[dict[str, str], frozenset[str]]:
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


def names_of(
    body: Mapping[str, Any], own: Mapping[str, str], powers: Mapping[str, str] | None = None
) -> SideNames:
    """The names of all ships in a battle report, or in what was told so far.

    `own`: the viewer's ships by key; `powers`: the names of factions by their ids.
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
        for event in told_of_kinds(stop["log"], Revealed):
            if event.ship not in stop["own"]:
                identified(event.ship, event.cls, _when(stop, 1))
    named, drones = own_names(ours.items(), own)
    return SideNames({**known, **named}, since=since, drones=drones, powers=powers or {})


def _when(stop: Mapping[str, Any], part: int) -> When:
    kind = stop.get("stop")
    return int(stop["turn"]), ORDER.index(kind) if kind in ORDER else len(ORDER), part


def stops_of(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The stops of a battle this side was at."""
    return [stop for stop in body["stops"] if stop]
