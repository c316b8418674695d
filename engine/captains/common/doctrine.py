"""A doctrine, which tells a side's computer captain how to fight, and the captain's own state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from engine.core.dice import Dice
from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.orders import Plot
from engine.core.zones import LAST_ENTRY, MAX_VELOCITY
from engine.ruleset import all_rules

TARGETS = ("nearest", "weakest", "strongest", "dangerous")
STRAIGHT = "straight"  # without a search for the best move
STYLES = ("captain", STRAIGHT)
FORMATIONS = ("ranks", "line", "column", "wedge", "screen")


def known_systems() -> tuple[str, ...]:
    """Return the types of system of all editions, which `never` may name."""
    types: dict[str, None] = {}
    for rules in all_rules():
        types |= dict.fromkeys(spec.type for spec in rules.systems)
        types |= dict.fromkeys(rules.system_prices)
    return tuple(types)


@dataclass(frozen=True, slots=True)
class Doctrine:
    """How a side fights.

    Attributes:
        range: The range to fight at in MU; None for the best range of its weapons.
        targets: Which enemies matter most: the nearest; the weakest (fewest boxes left); the
            strongest (most firepower and boxes left); the dangerous (most firepower for each box
            left).
        break_off: The percentage of its points that the side may lose before it leaves the table;
            at 100 it never leaves.
        flee: It leaves from the start.
        style: "captain", or "straight" for a baseline captain that flies straight on and fires at
            the nearest enemy.
        never: The types of system that its ships leave unused.
        formation: How its ships are placed if nothing else is said; "": in a line.
        speed: The velocity of its ships at the start; None: 8.
        reserve: The turn in which its capital ships drop out of FTL, if the deployment allows it;
            0: none is held back.
    """

    range: int | None = None
    targets: str = "dangerous"
    break_off: int = 100
    flee: bool = False
    style: str = "captain"
    never: tuple[str, ...] = ()
    formation: str = ""
    speed: int | None = None
    reserve: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the doctrine as a JSON object; `doctrine_from` is the inverse.

        What only the set-up needs is left out where it is not given, so that battles without a
        set-up are stored as before.
        """
        document = {field.name: getattr(self, field.name) for field in fields(self)}
        for name, default in (("formation", ""), ("speed", None), ("reserve", 0)):
            if document[name] == default:
                del document[name]
        return document | {"never": list(self.never)}


def doctrine_from(document: Mapping[str, Any], where: str = "doctrine") -> Doctrine:
    """Return the doctrine that a JSON object describes; missing entries have their defaults.

    Args:
        where: The path of the object, for faults.

    Raises:
        RuleViolations: The object has faults; all of them are listed.
    """
    faults = _doctrine_faults(document, where)
    if faults:
        raise RuleViolations(faults)
    names = [field.name for field in fields(Doctrine)]
    values = {name: document[name] for name in names if name in document}
    return Doctrine(**(values | {"never": tuple(document.get("never", ()))}))


def _doctrine_faults(document: Mapping[str, Any], where: str) -> list[Violation]:
    """Return the faults of a doctrine's JSON object, entry by entry."""
    names = [field.name for field in fields(Doctrine)]
    faults = []
    for key in document:
        if key not in names:
            message = f"a doctrine has {', '.join(names)}, not '{key}'"
            faults.append(Violation(f"{where}.{key}", "unknown-key", message))
    range_mu = document.get("range")
    if range_mu is not None and not _is_int_within(range_mu, 54):
        message = "range is a whole number of MU from 0 to 54, or null"
        faults.append(Violation(f"{where}.range", "doctrine-range", message))
    if document.get("targets", "dangerous") not in TARGETS:
        message = f"targets is one of {', '.join(TARGETS)}"
        faults.append(Violation(f"{where}.targets", "doctrine-targets", message))
    if not _is_int_within(document.get("break_off", 100), 100):
        message = "break_off is a percentage from 0 to 100"
        faults.append(Violation(f"{where}.break_off", "doctrine-break-off", message))
    if not isinstance(document.get("flee", False), bool):
        faults.append(Violation(f"{where}.flee", "doctrine-flee", "flee is true or false"))
    if document.get("style", "captain") not in STYLES:
        message = f"style is one of {', '.join(STYLES)}"
        faults.append(Violation(f"{where}.style", "doctrine-style", message))
    faults += _never_faults(document.get("never", ()), f"{where}.never")
    return faults + _set_up_faults(document, where)


def _is_int_within(value: object, limit: int) -> bool:
    """Return whether a value of a JSON document is a whole number from 0 to a limit."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= limit


def _never_faults(never: object, where: str) -> list[Violation]:
    """Return the faults of the list of systems that a captain leaves unused."""
    if not isinstance(never, (list, tuple)):
        return [Violation(where, "doctrine-never", "never is a list of types of system")]
    known_types = known_systems() if never else ()
    faults = []
    for number, type_ in enumerate(never):
        if type_ not in known_types:
            message = f"no system {type_!r}; known: {', '.join(known_types)}"
            faults.append(Violation(fault_path(where, number), "doctrine-never", message))
    return faults


def _set_up_faults(document: Mapping[str, Any], where: str) -> list[Violation]:
    """Return the faults of what a doctrine says about setting up."""
    faults = []
    if document.get("formation", "") not in ("", *FORMATIONS):
        words = f"formation is one of {', '.join(FORMATIONS)}"
        faults.append(Violation(f"{where}.formation", "doctrine-formation", words))
    speed = document.get("speed")
    if speed is not None and not _is_int_within(speed, MAX_VELOCITY):
        words = f"speed is a velocity from 0 to {MAX_VELOCITY}, or null"
        faults.append(Violation(f"{where}.speed", "doctrine-speed", words))
    if not _is_int_within(document.get("reserve", 0), LAST_ENTRY) or document.get("reserve") == 1:
        words = f"reserve is a turn from 2 to {LAST_ENTRY}, or 0"
        faults.append(Violation(f"{where}.reserve", "doctrine-reserve", words))
    return faults


class CaptainContext:
    """A captain's state.

    Attributes:
        dice: Its own random stream.
        doctrine: How it has to fight.
        fleeing: The number of turns that its side has been fleeing.
        plotted: Its latest plots, which decide what else its ships can do this turn.
    """

    __slots__ = ("dice", "doctrine", "fleeing", "plotted")

    def __init__(self, doctrine: Doctrine, dice: Dice, fleeing: int = 0) -> None:
        self.doctrine = doctrine
        self.dice = dice
        self.fleeing = fleeing
        self.plotted: dict[str, Plot] = {}
