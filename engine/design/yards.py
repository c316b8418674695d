"""What differs between the yards of the editions: how designs are written, measured, judged and fitted out.

A rule set carries its Yard as a value; whoever wants a design's figures, faults or systems asks that, and no edition.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.core.errors import Violation
from engine.core.sheet import Fit
from engine.design.value import Design
from engine.pricelists.ware import Ware
from engine.weapons.registry import weapon_of

if TYPE_CHECKING:
    from engine.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Figures:
    """What a design comes to. `rows`: boxes of each row of the damage track, upper row first.

    `crew`: the box, counted along the track, with which each crew factor is lost; `cpv`: the combat points value, None
    where the edition has none. `points` is what a battle counts, by the options of the rule set.
    """

    mass_used: int
    capacity: int
    points: int
    rows: tuple[int, ...]
    classification: str
    crew: tuple[int, ...] | None = None
    cpv: int | None = None


@dataclass(frozen=True, slots=True)
class Notation:
    """The keys of a design and of a system that this edition has beside those all have.

    `variant_keys`: (type, key) of the text that tells the models of a type apart; `model_key` does so for every other
    type, "" where no other has models.
    """

    kinds: tuple[str, ...]
    edition: str
    design_keys: tuple[str, ...] = ()
    system_keys: tuple[str, ...] = ()
    variant_keys: tuple[tuple[str, str], ...] = ()
    model_key: str = ""

    def variant_key(self, type_: str) -> str:
        own = weapon_of(self.edition, type_).model_key
        return own or next((key for of, key in self.variant_keys if of == type_), self.model_key)


@dataclass(frozen=True, slots=True, eq=False)
class Yard:
    """The functions a design goes through, and what those that sell by mass ask for what is no weapon.

    `violations(design, rules, unread)`: every fault; `unread` names the keys that could not be read. `fits` is asked
    for legal designs only.
    """

    notation: Notation
    figures: Callable[[Design, RuleSet], Figures]
    violations: Callable[[Design, RuleSet, Collection[str]], tuple[Violation, ...]]
    fits: Callable[[Design, RuleSet], tuple[Fit, ...]]
    price_list: tuple[Ware, ...] = ()
