"""A battle's log in words, turn by turn, as one side saw it, from that side's report alone.

The sentence for each class of event is in a sibling module or on the class
(`campaign.words.battle.phrases`); `SILENT` classes add nothing to other lines.

Ships have the names by which the side knows them. A foreign ship keeps its contact code's beginning
throughout: `Bogey 3f2a` until it is identified, then `Destroyer 3f2a`, also after its loss.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

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
from campaign.words.battle.craft_names import CarrierNames, group_code, group_name
from campaign.words.battle.hulls import last_boxes_words
from campaign.words.battle.joint_fire import is_joint_fire, joint_fire_words, runs_of_fire
from campaign.words.battle.phase_titles import PHASES
from campaign.words.battle.phrases import (
    PLURAL_WORDS,
    WORDS,
    BattleNames,
    EventSentence,
    JointNames,
    by_template,
)
from engine.core.phrase import capitalize_first, join_phrases, phrase
from engine.events.battle import (
    BodySetUp,
    GroupPlaced,
    ShipPlaced,
    ShipSetUp,
    StationSetUp,
    TableCleared,
    TurnEnded,
)
from engine.events.damage import ShipDamaged
from engine.events.detection import ContactIdentified
from engine.events.event import Event
from engine.events.fire import BeamsFired, GunFired, PackFired, PointDefence, TorpedoFired
from engine.pieces.asteroid import AsteroidShot
from engine.pieces.craft_events import (
    BoatsFired,
    CraftEmpFired,
    GroupFiredAtOrdnance,
    GroupShotAt,
    PointDefenceAtCraft,
)
from engine.pieces.group_events import FightersFired
from engine.pieces.guard_events import BoatsFiredAtCraft, BoatsFiredAtOrdnance
from engine.pieces.marker import PointDefenceAtOrdnance
from engine.pieces.mine import MineFired
from engine.pieces.section import SectionsShifted
from engine.view.event_reader import read_events, read_events_of

# The modules with sentences of events.
SUBJECTS = (boarding, craft, fire, hulls, movement, orbits, ordnance, scans, tabletop)
# Events that add nothing to other lines.
SILENT = (
    TurnEnded,
    TableCleared,
    ShipPlaced,
    ShipSetUp,
    BodySetUp,
    StationSetUp,
    GroupPlaced,
    SectionsShifted,
)
# Events whose lines are coloured by whether they hit.
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
    CraftEmpFired,
)

__all__ = [
    "LogLine",
    "SideNames",
    "contact_name",
    "line_of",
    "lines_of",
    "names_of",
    "own_names",
    "phases_of",
]
CODE = re.compile(r"[0-9a-f]{10}")


class LogPoint(NamedTuple):
    """A point of a battle's log; points can be compared."""

    turn: int
    phase: int  # its place in the turn
    part: int  # 0 at the beginning of the phase, 1 within it


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log.

    Attributes:
        kind: Decides its colour.
        detail: The dice.
    """

    kind: str
    words: str
    detail: str = ""


def line_of(event: Event, names: BattleNames) -> LogLine | None:
    """Return the line for an event, or None if it has none for readers."""
    sentence = sentence_of(type(event))
    if sentence is None:
        return None
    words, detail = sentence(event, names)
    if not words:
        return None
    words = capitalize_first(words)
    if isinstance(event, COLOURED):
        return LogLine("hit" if event.hits else "miss", words, detail)
    return LogLine(event.kind, words, detail)


def lines_of(phase: Mapping[str, Any], names: SideNames) -> Iterator[LogLine]:
    """Yield the lines of a phase, from its record for one side.

    Like weapons of a ship that fire at a target one after the other share a line.

    Args:
        phase: {own, contacts, log}. If `own` and `contacts` are those at the end of the phase, then
            `start` has those at its beginning.
        names: The names at the beginning of the phase. A contact gets its name when it is
            identified.
    """
    damage_by_ship = _damage_at_start(phase.get("start", phase))
    for run in runs_of_fire(read_events(phase["log"])):
        event = run[0]
        if is_joint_fire(run):
            words, detail = joint_fire_words(run, names)
            has_hit = any(shot.hits for shot in run)
            yield LogLine("hit" if has_hit else "miss", capitalize_first(words), detail)
            continue
        if isinstance(event, ContactIdentified):
            names.hidden.discard(event.ship)
        line = line_of(event, names)
        if isinstance(event, ShipDamaged):
            line = _damage_line(event, damage_by_ship.get(event.ship), names)
            damage_by_ship[event.ship] = event.total
        if line is not None:
            yield line


def _damage_at_start(phase: Mapping[str, Any]) -> dict[str, int]:
    """Return the damage of the ships whose record sheets the side can read, by key."""
    damage_by_ship = {str(key): int(ship["damage"]) for key, ship in phase["own"].items()}
    for contact in phase["contacts"]:
        if "damage" in contact and "scan_detail" not in contact:
            damage_by_ship[str(contact["id"])] = int(contact["damage"])
    return damage_by_ship


def _damage_line(event: ShipDamaged, damage_before: int | None, names: SideNames) -> LogLine | None:
    """Return the line for damage to a ship.

    Args:
        damage_before: The hull boxes that it had lost; None if the side did not know.
    """
    if damage_before is None:
        return line_of(event, names)
    boxes_lost = event.total - damage_before
    if boxes_lost >= event.points:
        return line_of(event, names)
    return LogLine(event.kind, capitalize_first(last_boxes_words(event, boxes_lost, names)))


def sentence_of(cls: type[Event]) -> EventSentence[Any] | None:
    """Return the sentence for a class of event, or None if it has none."""
    sentence = WORDS.get(cls) or _TEMPLATES.get(cls)
    if sentence is None and cls.text:
        sentence = _TEMPLATES[cls] = by_template(cls.text)
    return sentence


_TEMPLATES: dict[type[Event], EventSentence[Any]] = {}  # of classes with their own text


def plural_of(event: Event, subject: str, subjects: str, names: BattleNames) -> str:
    """Return a sentence that tells an event of several ships or groups.

    Args:
        event: The event of one of them.
        subject: Its key, with which the sentence about it begins.
        subjects: Their names, or their number.

    Returns:
        An empty text if events of this class are listed one by one.
    """
    cls = type(event)
    sentence = PLURAL_WORDS.get(cls)
    if sentence is None:
        if not cls.plural_text:
            return ""
        sentence = PLURAL_WORDS[cls] = by_template(cls.plural_text)
    words, _ = sentence(event, JointNames(names, subject, subjects))
    return words


@dataclass(frozen=True, slots=True)
class SideNames:
    """The viewer's names for the ships of a battle.

    Attributes:
        hidden: Those not identified yet at the current point of the log.
        since: When each was identified.
        decoys: Decoy drones of the viewer's side.
        powers: Names of factions by id.
    """

    name_by_key: Mapping[str, str]
    hidden: set[str] = field(default_factory=set)
    since: Mapping[str, LogPoint] = field(default_factory=dict)
    decoys: frozenset[str] = frozenset()
    powers: Mapping[str, str] = field(default_factory=dict)
    # Made when a group is first named.
    _carriers: list[CarrierNames] = field(
        init=False, default_factory=list, compare=False, repr=False
    )

    def of(self, ship: object) -> str:
        """Return the name of a ship, a contact, or a group of craft.

        The key of an own group is its ship and bay (`n1/hangar-1`), of a foreign one `flight-3`.
        """
        key = str(ship)
        if key in self.name_by_key and key not in self.hidden:
            return self.name_by_key[key]
        return group_name(key, self.carriers) or contact_name(key)

    def code(self, group: object) -> str:
        """Return the short code of a group of craft, for the table; "" for anything else."""
        return group_code(str(group), self.carriers)

    @property
    def carriers(self) -> CarrierNames:
        """The short names of carriers."""
        if not self._carriers:
            names = {}
            for key, name in self.name_by_key.items():
                if key not in self.since:  # a contact
                    names[key] = name
            self._carriers.append(CarrierNames(names, contact_name))
        return self._carriers[0]

    def bogey(self, code: object) -> str:
        """Return the name of an unidentified contact."""
        return contact_name(str(code))

    def side(self, key: str) -> str:
        """Return the name of a side of the battle: its factions."""
        factions = [self.powers.get(faction, faction) for faction in key.split("+")]
        return join_phrases(" and ", factions)

    def at(self, phase: Mapping[str, Any]) -> SideNames:
        """Return the names at the beginning of a phase; ships identified later are still bogeys."""
        start = _log_point(phase, 0)
        hidden = {code for code, point in self.since.items() if point > start}
        return replace(self, hidden=hidden)


def contact_name(code: str, cls: str = phrase("Bogey")) -> str:
    """Return the name of a foreign ship: its class and the first characters of its code.

    Args:
        code: Of a contact; any other key is hashed, so that the name does not reveal it.
        cls: Its class, once it is identified.
    """
    if not CODE.fullmatch(code):
        code = hashlib.sha256(code.encode()).hexdigest()
    return phrase("{} {}", phrase(cls), code[:4])


def own_names(
    ships: Iterable[tuple[str, bool]], name_of_own: Mapping[str, str]
) -> tuple[dict[str, str], frozenset[str]]:
    """Return the names of a side's own ships by key, and the keys of its decoys.

    Args:
        ships: Keys of the side's ships, each with whether it is a decoy.
        name_of_own: The viewer's ships by key; other ships that are no decoys belong to an ally.
    """
    names: dict[str, str] = {}
    decoys: list[str] = []
    allied_count = 0
    for key, is_decoy in ships:
        if key in name_of_own:
            names[key] = name_of_own[key]
        elif is_decoy:
            decoys.append(key)
            names[key] = phrase("Decoy {}", len(decoys))
        else:
            allied_count += 1
            names[key] = phrase("Allied ship {}", allied_count)
    return names, frozenset(decoys)


def names_of(
    body: Mapping[str, Any], name_of_own: Mapping[str, str], powers: Mapping[str, str] | None = None
) -> SideNames:
    """Return the names of all ships in a battle report, or in the phases reported so far.

    Args:
        name_of_own: The viewer's ships by key.
        powers: Names of factions by id.
    """
    names: dict[str, str] = {}
    since: dict[str, LogPoint] = {}

    def add_identified(code: str, cls: str, point: LogPoint) -> None:
        if code not in since:
            since[code] = point
            names[code] = contact_name(code, cls)

    is_decoy_by_key: dict[str, bool] = {}
    for phase in phases_of(body):
        for key in sorted(phase["own"]):
            is_decoy_by_key.setdefault(key, bool(phase["own"][key].get("dummy")))
        for contact in phase["contacts"]:
            if "class" in contact:
                add_identified(str(contact["id"]), str(contact["class"]), _log_point(phase, 0))
        for event in read_events_of(phase["log"], ContactIdentified):
            if event.ship not in phase["own"]:
                add_identified(event.ship, event.cls, _log_point(phase, 1))
    own_names_by_key, decoys = own_names(is_decoy_by_key.items(), name_of_own)
    return SideNames({**names, **own_names_by_key}, since=since, decoys=decoys, powers=powers or {})


def _log_point(phase: Mapping[str, Any], part: int) -> LogPoint:
    """Return the beginning of a phase (part 0), or a point within it (part 1)."""
    kind = phase.get("stop")
    place = PHASES.index(kind) if kind in PHASES else len(PHASES)
    return LogPoint(int(phase["turn"]), place, part)


def phases_of(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the phases of a battle at which this side was present."""
    return [phase for phase in body["phases"] if phase]
