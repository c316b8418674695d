"""The acts of a moment: single things that a film draws, in the order in which they happened.

An act is made from one event that the side read, so it says no more than that event. Acts do not
change the table: the changes of their moment do. An act has a kind `k`, the unit `u` that it is
about (of a shot the shooter), and further keys by its kind:

    move    path                        a ship or group flies along points
    launch  from                        a group leaves its ship
    send    w, to                       a ship sends missiles to a point
    shot    w, at, guns, dice, hit, hits    fire of `guns` weapons that look alike (`w`) at a unit
    strike  w, from, dice, hits         missiles hit a ship from a point
    hurt    n                           a ship loses n boxes of its hull
    armour  n                           a ship loses n boxes of its armour
    craft   n                           a group loses n craft
    check   dice, hit, lost             checks of systems, and the systems that are lost, in words
    fix     words, die, ok              a repair
    dead    -                           a ship is destroyed
    seen    -                           a contact is identified
    gone    -                           a ship leaves the table

Dice are a text with a digit for each; `hit` has 1 for each die that scores and 0 for the others,
and is left out if none scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from campaign.replays.events import MOVING, Shot, shot_of
from campaign.replays.units import Point
from engine.core.rolls import BEAM_HITS
from engine.english import system_words
from engine.events.damage import (
    ArmourAbsorbed,
    RepairRolled,
    ShipDamaged,
    ShipDestroyed,
    SystemChecked,
    SystemLost,
    ThresholdChecked,
)
from engine.events.detection import ContactIdentified, DummyIdentified
from engine.events.event import Event
from engine.events.fire import BeamsFired, GunFired, NeedleFired, PackFired, TorpedoFired
from engine.events.movement import FtlExit, LeftTable, ShipCarriedOff, ShipEscaped
from engine.pieces.group import CraftLost
from engine.pieces.group_events import CraftRecovered, GroupLaunched
from engine.pieces.marker import OrdnanceLaunched, OrdnanceStaged, OrdnanceStruck
from engine.weapons.registry import BEAM_LOOK, DOTS_LOOK, FAN_LOOK, looks_by_type

Act = dict[str, Any]
MISSILE_LOOK, CRAFT_LOOK = "missile", "craft"  # beside those of the registry of weapons
SAME_FIRE = ("k", "u", "at", "w")  # the keys in which acts of fire are equal that become one
MAX_SCREENS = len(BEAM_HITS) - 1
BEST = 6  # the die that is rolled again, past all screens

E = TypeVar("E", bound=Event)
Places = Mapping[str, Point]  # of pieces that are not units, by id
MakeAct = Callable[[Any, Places], Act | None]
ACTS: Final[dict[type[Event], MakeAct]] = {}  # functions that make an act, by class of event


def act_of(event: Event, places: Places) -> Act | None:
    """Return the act of an event, or None if a film does not draw it.

    Args:
        places: Where markers and mines are, by id.
    """
    shot = shot_of(event)
    if shot is not None:
        return _shot_act(event, shot)
    make = ACTS.get(type(event))
    return None if make is None else make(event, places)


def moved_piece(event: Event) -> tuple[str, Point] | None:
    """Return a piece that is no unit and its new place, if an event moves or adds one."""
    if isinstance(event, (OrdnanceLaunched, OrdnanceStaged)):
        return str(event.marker), event.at
    return None


def add_act(acts: list[Act], act: Act) -> None:
    """Add an act to those of its moment; like fire of a shooter at a target is one act."""
    for other in acts:
        if act["k"] == "shot" and all(act[name] == other.get(name) for name in SAME_FIRE):
            hit = [*other.get("hit", _no_hits(other)), *act.get("hit", _no_hits(act))]
            other |= {
                "guns": other["guns"] + act["guns"],
                "dice": other["dice"] + act["dice"],
                "hits": other["hits"] + act["hits"],
            }
            if "1" in hit:
                other["hit"] = "".join(hit)
            return
    acts.append(act)


def _no_hits(act: Act) -> str:
    """Return that none of the dice of an act scores."""
    return "0" * len(act["dice"])


def _shot_act(event: Event, shot: Shot) -> Act:
    """Return the act of fire at a unit."""
    act: Act = {"k": "shot", "u": shot.shooter, "at": shot.target, "w": _look(event, shot)}
    return {**act, "guns": 1, **_roll(event, shot.hits)}


def _look(event: Event, shot: Shot) -> str:
    """Return how a shot looks."""
    if isinstance(event, PackFired):
        return FAN_LOOK
    if shot.by_group:
        return CRAFT_LOOK
    if shot.shoots_down:
        return DOTS_LOOK
    return looks_by_type().get(shot.weapon.rpartition("-")[0], BEAM_LOOK)


def _roll(event: Event, hits: int) -> Act:
    """Return the dice of an event of fire, which of them score, and its hits."""
    dice = _dice_of(event)
    act: Act = {"dice": _digits(dice), "hits": hits}
    if hits and dice:
        act["hit"] = _digits(_scoring(event, dice))
    return act


def _digits(numbers: Iterable[int]) -> str:
    """Return dice as a text with one digit for each."""
    return "".join(map(str, numbers))


def _dice_of(event: Event) -> tuple[int, ...]:
    """Return the dice to hit of an event of fire."""
    if isinstance(event, (TorpedoFired, NeedleFired)):
        return (event.die,)
    dice: tuple[int, ...] = getattr(event, "dice", ())
    return dice


def _scoring(event: Event, dice: Sequence[int]) -> list[int]:
    """Return 1 for each die that scores and 0 for the others."""
    needed = event.needed if isinstance(event, (TorpedoFired, GunFired)) else 0
    if needed:
        return [int(die >= needed) for die in dice]
    screens = event.screens if isinstance(event, (BeamsFired, GunFired)) else 0
    table = BEAM_HITS[min(screens, MAX_SCREENS)]
    scoring = []
    for die in dice:
        scoring.append(int(table[die] > 0))
        table = BEAM_HITS[0] if die == BEST and isinstance(event, GunFired) else table
    return scoring


def _acts_from(*classes: type[E]) -> Callable[[MakeAct], MakeAct]:
    """Register the function that makes acts from events of these classes."""

    def register(make: MakeAct) -> MakeAct:
        ACTS.update(dict.fromkeys(classes, make))
        return make

    return register


@_acts_from(*MOVING)
def _move(event: Any, _: Places) -> Act:
    path = [(round(x, 2), round(y, 2)) for x, y in event.path]
    return {"k": "move", "u": event.subject, "path": path}


@_acts_from(GroupLaunched)
def _launch(event: GroupLaunched, _: Places) -> Act:
    return {"k": "launch", "u": event.group, "from": event.ship}


@_acts_from(OrdnanceLaunched)
def _send(event: OrdnanceLaunched, _: Places) -> Act:
    return {"k": "send", "u": event.ship, "w": MISSILE_LOOK, "to": event.at}


@_acts_from(OrdnanceStruck)
def _strike(event: OrdnanceStruck, places: Places) -> Act | None:
    place = places.get(str(event.marker))
    if place is None:
        return None
    roll = {"dice": _digits(event.dice), "hits": event.points}
    return {"k": "strike", "u": event.ship, "w": MISSILE_LOOK, "from": place, **roll}


@_acts_from(ShipDamaged)
def _hurt(event: ShipDamaged, _: Places) -> Act:
    return {"k": "hurt", "u": event.ship, "n": event.points}


@_acts_from(ArmourAbsorbed)
def _armour(event: ArmourAbsorbed, _: Places) -> Act:
    return {"k": "armour", "u": event.ship, "n": event.points}


@_acts_from(CraftLost)
def _craft(event: CraftLost, _: Places) -> Act:
    return {"k": "craft", "u": event.group, "n": event.craft}


@_acts_from(ThresholdChecked, SystemChecked)
def _check(event: Any, _: Places) -> Act:
    dice = [die for _, die in event.rolls]
    act: Act = {"k": "check", "u": event.ship, "dice": _digits(dice)}
    if event.lost:
        act["hit"] = _digits(int(die >= event.loses_on) for die in dice)
        act["lost"] = [system_words(name) for name in event.lost]
    return act


@_acts_from(SystemLost)
def _lost(event: SystemLost, _: Places) -> Act:
    return {"k": "check", "u": event.ship, "lost": [system_words(event.system)]}


@_acts_from(RepairRolled)
def _fix(event: RepairRolled, _: Places) -> Act:
    words = system_words(event.system)
    return {"k": "fix", "u": event.ship, "words": words, "die": event.die, "ok": event.succeeded}


@_acts_from(ShipDestroyed)
def _dead(event: ShipDestroyed, _: Places) -> Act:
    return {"k": "dead", "u": event.ship}


@_acts_from(ContactIdentified)
def _seen(event: ContactIdentified, _: Places) -> Act:
    return {"k": "seen", "u": event.ship}


@_acts_from(DummyIdentified, LeftTable, ShipEscaped, ShipCarriedOff, FtlExit, CraftRecovered)
def _gone(event: Event, _: Places) -> Act:
    return {"k": "gone", "u": event.subject}
