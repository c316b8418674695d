"""What a weapon is: one row that says how it fires, what defences make of it, what it costs and
what it is called.

A family of weapons is a module of this package; its rows stand in `SECOND_EDITION` and `CONTINUUM`
at its end, and `engine.weapons.registry` lists the families. Nothing else names a weapon's type:
whoever wants to know something of a weapon reads it off its row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

from engine.core.dice import Dice
from engine.core.ids import ShipId
from engine.core.orders import Fire
from engine.core.rolls import Effect, Shot
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.events.event import Event
from engine.events.fire import GunFired
from engine.prices.system_price import SystemPrice, SystemSpec
from engine.weapons.guard import Guard
from engine.weapons.ordnance import Ordnance


class Trait(Enum):
    """The traits of a weapon that a rule, a captain or a form asks about."""

    __hash__ = object.__hash__  # there is one of each; Enum's own is much slower

    # How it is fired.
    ASTERN = "it bears through the stern even under thrust"
    BREAKS_ROCKS = "it may be fired at asteroids that can be broken"
    ARMED_BY_PLOT = (
        "all its ship's power goes into it, by the plot; it fires a template along the bow"
    )
    CAPACITORS = "it is charged by plots and fires fully charged, as the only weapon its ship fires in that turn"
    RESTS = "it and its ship rest in the turn after its shot"
    SET_IN_PORT = "it is set before a battle alone"
    OFF_LINE_TO_SET = "it does not fire in the turn in which its setting changes"
    CREWED_SHOTS = "each of its shots at a system sends marines"
    # What defences make of it.
    ENERGY = "standard screens weaken it, and a reflex field may give it back"
    DIMMED = "dust weakens it like a screen"
    PAST_STEALTH = "stealth does not shorten its ranges"
    PAST_HOLOFIELDS = "no holofield blurs it"
    PAST_CLOAKS = "no cloaking device confuses it"
    BARE_ONLY = "it hurts only ships without any field and armour"
    # What it does.
    SPREADS = "its hits are laid on systems of its target, which may be named"
    BY_MASS = "its dice ask for the target's mass"
    BY_VELOCITY = "its dice ask for the target's velocity"
    LOCKS_ON = "what it launches finds its target by itself"
    ONE_HIT = "whatever it does to a ship, it is a single hit on small craft"
    ANTI_FIGHTER = "it fires at fighters, and at ships never"
    SHIPS_ALONE = "it is for people, and never fired at craft"
    AREA_DEFENCE = "it guards its ship's neighbours too"
    HURTS_ALL = "what it leaves on the table spares nobody, fighters among them"
    LAYS_MINES = "it lays the mines it holds"
    BLOWS_UP = "it may blow up the ship that carries it"
    EXPLODES = "it explodes on its rack when it is hit"
    SUICIDE = "it is set off to blow up its own ship"
    BURIED = "it lies as deep as a core system: hard to hit, and no commando finds it"

    __hash__ = (
        object.__hash__
    )  # members are one of a kind; an enumeration's own takes a call for every look into a profile


# What a weapon fires along instead of at one target: a line to whatever it is aimed at, or straight
# ahead of the bow.
LINE, BOW = "line", "bow"
# What FireCons of the second edition are set to: guns share one for each target, others have their
# own.
GUNS = "guns"

FireFunction = Callable[[Shot, Dice], Effect]
# MU at which a fit does anything at all, by the way it fires.
ReachFunction = Callable[[Fit, str], float]
# Why a weapon does not fire this turn (ship, fit, mode, turn), "" where it may.
UnreadyCheck = Callable[[ShipState, Fit, str, int], str]
# The event that tells of a shot: (turn, the ship's id, its fire, the target's id, the arc, the
# shot, what it did).
EventMaker = Callable[[int, ShipId, Fire, str, str, Shot, Effect], Event]


class BuilderName(NamedTuple):
    """The name of a weapon in the ftLibShip ship builder: its group and name, the fields that tell
    its models apart there, and the model here.
    """

    group: str
    name: str
    fields: Mapping[str, Any] = {}
    model: str = ""


def no_reach(_fit: Fit, _mode: str) -> float:
    """The reach of what is not aimed."""
    return 0.0


def no_fault(_ship: ShipState, _fit: Fit, _mode: str, _turn: int) -> str:
    """A weapon that needs nothing but to be in working order."""
    return ""


def gun_event(
    turn: int, ship: ShipId, fire: Fire, target: str, arc: str, shot: Shot, effect: Effect
) -> Event:
    """The event of a weapon that needs none of its own."""
    return GunFired(
        turn, ship, fire.weapon, target, shot.true_distance, arc, shot.screens, shot.mode, effect.needed, effect.dice,
        effect.damage, points_of(effect) or effect.emp or effect.landed,
    )  # fmt: skip


def points_of(effect: Effect) -> int:
    """Damage points of an effect, of all types."""
    points = 0
    for typed in effect.damage_types:
        points += typed.points
    return points


HITS_CRAFT_ON = 6


def hit_on_six(shot: Shot, dice: Dice) -> Effect:
    """A ship's weapon at fighters: one die, whatever it is and however far; a 6 takes one.

    Rules: Continuum "Ship fire against fighters" 8.6 [pc.fire-at-fighters]
    """
    die = dice.roll("to-hit", shot.subject)
    return Effect((die,), craft=int(die >= HITS_CRAFT_ON))


@dataclass(frozen=True, slots=True, eq=False)
class Weapon:
    """A kind of weapon of one edition."""

    type: str  # of its fits
    # Throws its dice at one target; None where it is not fired in the fire part of a turn
    # (missiles, mines, charges).
    fire: FireFunction | None = None
    reach: ReachFunction = no_reach  # how far, in MU
    at_fighters: FireFunction = hit_on_six  # how Continuum fires it at fighters
    modes: tuple[str, ...] = (
        "",
    )  # the ways it may be told to fire, the first where nothing is said
    at_system: tuple[str, ...] = ()  # modes in which each shot is at one system of its target
    snipes: tuple[
        str, ...
    ] = ()  # those of them that take a FireCon for it, and good sensors far off
    # Modes in which it may be fired at a point of the table; in every mode with a name it must.
    at_point: tuple[str, ...] = ()
    advanced: tuple[str, ...] = ()  # modes that ask for an advanced FireCon
    twice: tuple[str, ...] = ()  # modes in which it fires twice
    # How it is set, by its model, the first where nothing else was said.
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    overloads: tuple[str, ...] = ()  # models that may be loaded too hot
    unready_fault: UnreadyCheck = no_fault  # why it does not fire this turn
    along: str = ""  # what it sweeps (LINE, BOW); "" where it fires at one target
    # MU of each stage of its way, where its dice ask for the stage in the place of its class.
    stage: float = 0.0
    ordnance: Ordnance | None = None  # what it launches
    guard: Guard | None = None  # how it serves as point defence
    traits: tuple[Trait, ...] = ()
    controlled: bool = True  # it asks for a FireCon
    once: bool = False  # it fires what it holds (`stock`), and no more
    fed: str = ""  # what of its magazine each shot takes
    stock: int = 0  # what a full one holds
    control: str = GUNS  # what a FireCon of the second edition is set to for it
    # Beam dice of a model in each band of 12 MU, of batteries, whose dice add up to a ship's power.
    beam_dice: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    threat_dice: int = 0  # beam dice at short range that enemy captains fear it like
    usual: Fit | None = None  # the mount that most navies have, by which defences are measured
    make_event: EventMaker = gun_event  # the event of a shot
    specs: tuple[SystemSpec, ...] = ()  # its rows in the price list, sold by the piece
    system_prices: tuple[
        SystemPrice, ...
    ] = ()  # its rows in the price list, sold by mass, with the technologies they ask for
    builder: tuple[BuilderName, ...] = ()  # what files of the ship builder call it
    word: str = ""  # what pages call it, where that is not its type in plain letters
    # What a design calls its model, in editions where each type has a word of its own for it.
    model_key: str = ""

    @property
    def picks_systems(self) -> bool:
        """Whether it can knock a single system out without any row of the damage track being
        crossed.
        """
        return bool(self.at_system) or Trait.SPREADS in self.traits

    @property
    def shapes(self) -> bool:
        """Whether what it launches may be shaped, and is fired at a ship then: plots say so."""
        return self.ordnance is not None and self.ordnance.shaped is not None

    @property
    def is_aimed(self) -> bool:
        """Whether it is aimed in the fire part of a turn."""
        return self.fire is not None

    @property
    def is_scarce(self) -> bool:
        """Whether its shots are few, and not for any target."""
        return self.once or bool(self.fed)

    def has_no_magazine(self, ship: ShipState, fit: Fit) -> bool:
        """Whether it lives on a magazine that feeds it no more."""
        return bool(self.fed and self.unready_fault(ship, fit, "", 0))

    @property
    def is_targeted(self) -> bool:
        """Whether its fire names a target, or goes straight ahead of the bow."""
        return self.along != BOW


NO_WEAPON = Weapon("")  # stands for every system that is none


def fixed_reach(limit: float) -> ReachFunction:
    """The reach of a weapon that has one range in MU."""

    def reach(_fit: Fit, _mode: str) -> float:
        return limit

    return reach
