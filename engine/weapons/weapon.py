"""The row of a weapon: how it fires, how defences affect it, its prices and its names.

A family of weapons is a module of this package. Its rows are in `SECOND_EDITION` and `CONTINUUM` at
its end, and `engine.weapons.registry` lists the families. No other code names a weapon's type; it
asks the weapon's row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, NamedTuple

from engine.core.dice import Dice
from engine.core.ids import ShipId
from engine.core.orders import Fire
from engine.core.rolls import MAX_COVER, Effect, Shot
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.events.event import Event
from engine.events.fire import GunFired
from engine.prices.system_price import SystemPrice, SystemSpec
from engine.weapons.guard import Guard
from engine.weapons.ordnance import Ordnance


class Trait(Enum):
    """The traits of a weapon that rules, captains and forms ask about."""

    __hash__ = object.__hash__  # members are unique, and Enum's own hash is much slower

    # How it is fired.
    ASTERN = "it bears through the stern even under thrust"
    BREAKS_ROCKS = "it may be fired at asteroids that can be broken"
    ARMED_BY_PLOT = (
        "all its ship's power goes into it, by the plot; it fires a template along the bow"
    )
    CAPACITORS = (
        "it is charged by plots and fires fully charged, "
        "as the only weapon its ship fires in that turn"
    )
    RESTS = "it and its ship rest in the turn after its shot"
    SET_IN_PORT = "it is set before a battle alone"
    OFF_LINE_TO_SET = "it does not fire in the turn in which its setting changes"
    CREWED_SHOTS = "each of its shots at a system sends marines"
    # How defences affect it.
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
    SHORTER = "an option gives some of its mounts a shorter range"
    BURIED = "it lies as deep as a core system: hard to hit, and no commando finds it"


# The path along which a weapon fires instead of at one target: a line to its point of aim, or
# straight ahead of the bow.
LINE, BOW = "line", "bow"
# The use of a FireCon in the second edition. Guns share one for each target; other weapons need
# their own.
GUNS = "guns"

FireFunction = Callable[[Shot, Dice], Effect]
# Returns the range in MU of a fit in a mode.
ReachFunction = Callable[[Fit, str], float]
# Returns why a weapon cannot fire this turn (ship, fit, mode, turn), or "".
UnreadyCheck = Callable[[ShipState, Fit, str, int], str]
# Makes the event of a shot: (turn, ship's id, fire, target's id, arc, shot, effect).
EventMaker = Callable[[int, ShipId, Fire, str, str, Shot, Effect], Event]


class BuilderName(NamedTuple):
    """A weapon's name in the ftLibShip ship builder.

    Attributes:
        fields: The fields that distinguish its models in the builder.
        model: The model here.
    """

    group: str
    name: str
    fields: Mapping[str, Any] = {}
    model: str = ""


def no_reach(_fit: Fit, _mode: str) -> float:
    """Return 0 for a weapon that is not aimed."""
    return 0.0


def no_fault(_ship: ShipState, _fit: Fit, _mode: str, _turn: int) -> str:
    """Return "" for a weapon that needs only to be in working order."""
    return ""


def gun_event(
    turn: int, ship: ShipId, fire: Fire, target: str, arc: str, shot: Shot, effect: Effect
) -> Event:
    """Return the event of a weapon that has no event of its own."""
    return GunFired(
        turn,
        ship=ship,
        weapon=fire.weapon,
        target=target,
        range=shot.true_distance,
        arc=arc,
        screens=shot.screens,
        mode=shot.mode,
        needed=effect.needed,
        dice=effect.dice,
        damage=effect.damage,
        hits=points_of(effect) or effect.emp or effect.units_landed,
    )


def points_of(effect: Effect) -> int:
    """Return the damage points of an effect, of all types."""
    points = 0
    for typed in effect.damage_types:
        points += typed.points
    return points


HITS_CRAFT_ON = 6
SHORT_RANGE = "short range"  # the flag of a mount that an option gives a shorter range


def hit_on_six(shot: Shot, dice: Dice) -> Effect:
    """Fire a ship's weapon at fighters: one die at any range, which destroys one on a 6.

    Rules: Continuum "Ship fire against fighters" 8.6 [pc.fire-at-fighters]
    """
    die = dice.roll("to-hit", shot.subject)
    covered = min(shot.covered, MAX_COVER)
    return Effect((die,), craft=int(die - covered >= HITS_CRAFT_ON))


@dataclass(frozen=True, slots=True, eq=False)
class Weapon:
    """A kind of weapon of one edition."""

    type: str  # the type of its fits
    # Rolls its dice at one target; None if it is not fired in the fire part of a turn (missiles,
    # mines, charges).
    fire: FireFunction | None = None
    reach: ReachFunction = no_reach  # its range in MU
    at_fighters: FireFunction = hit_on_six  # its fire at fighters in Continuum
    modes: tuple[str, ...] = ("",)  # its modes of fire; the first is the default
    at_system: tuple[str, ...] = ()  # modes in which each shot aims at one system of its target
    # Those of these modes that need a FireCon, and good sensors at long range.
    snipes: tuple[str, ...] = ()
    # Modes in which it may be fired at a point of the table; in every named mode it must.
    at_point: tuple[str, ...] = ()
    advanced: tuple[str, ...] = ()  # modes that need an advanced FireCon
    twice: tuple[str, ...] = ()  # modes in which it fires twice
    # Its settings by model; the first is the default.
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    overloads: tuple[str, ...] = ()  # models that may be overloaded
    unready_fault: UnreadyCheck = no_fault  # why it cannot fire this turn
    along: str = ""  # its path (LINE, BOW); "" if it fires at one target
    # MU of each stage of its path, if its dice depend on the stage instead of its class.
    stage: float = 0.0
    ordnance: Ordnance | None = None  # what it launches
    guard: Guard | None = None  # its use as point defence
    traits: tuple[Trait, ...] = ()
    controlled: bool = True  # whether it needs a FireCon
    once: bool = False  # whether it fires only what it holds (`stock`)
    fed: str = ""  # the load of its magazine that a shot uses
    stock: int = 0  # the contents of a full one
    control: str = GUNS  # the use of a FireCon for it in the second edition
    # The beam dice of each model in each band of 12 MU; their sum is a ship's firepower.
    beam_dice: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    threat_dice: int = 0  # beam dice at short range that it is worth to enemy captains
    usual: Fit | None = None  # the most common mount, by which captains value defences
    make_event: EventMaker = gun_event  # the event of a shot
    specs: tuple[SystemSpec, ...] = ()  # its price list rows if sold by the piece
    system_prices: tuple[SystemPrice, ...] = ()  # its price list rows if sold by mass
    builder: tuple[BuilderName, ...] = ()  # its names in files of the ship builder
    word: str = ""  # its name on pages if that is not its type in plain letters
    group: str = ""  # the group of systems with which players can agree to do without it
    # The key of its model in designs, in editions where each type has its own.
    model_key: str = ""

    @property
    def picks_systems(self) -> bool:
        """Whether it can knock out a single system without a threshold check."""
        return bool(self.at_system) or Trait.SPREADS in self.traits

    @property
    def shapes(self) -> bool:
        """Whether a plot may shape its ordnance and fire it at a ship."""
        return self.ordnance is not None and self.ordnance.shaped is not None

    @property
    def is_aimed(self) -> bool:
        """Whether it is aimed in the fire part of a turn."""
        return self.fire is not None

    @property
    def is_scarce(self) -> bool:
        """Whether it has few shots, which captains save for good targets."""
        return self.once or bool(self.fed)

    def has_no_magazine(self, ship: ShipState, fit: Fit) -> bool:
        """Return whether it needs a magazine and cannot fire from it."""
        return bool(self.fed and self.unready_fault(ship, fit, "", 0))

    @property
    def is_targeted(self) -> bool:
        """Whether its fire names a target, rather than going straight ahead of the bow."""
        return self.along != BOW


NO_WEAPON = Weapon("")  # the row of all systems that are not weapons


def with_short_range(fit: Fit, weapon: Weapon) -> Fit:
    """Return a mount with the shorter range that an option gives some mounts.

    Rules: Continuum 14 [pc.spinal-mounts]
    """
    if Trait.SHORTER not in weapon.traits:
        return fit
    shorter = replace(fit, flags=(*fit.flags, SHORT_RANGE))
    return shorter if weapon.reach(shorter, "") < weapon.reach(fit, "") else fit


def fixed_reach(limit: float) -> ReachFunction:
    """Return the reach function of a weapon with a single range in MU."""

    def reach(_fit: Fit, _mode: str) -> float:
        return limit

    return reach
