"""Rule sets: all in which one edition differs from another, in one row each; and an edition with
its options in force.

A rule asks the row (`rules_of`), and the row names rules. So that the two do not import each other
in a circle, a row is loaded from its edition's package when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine.core.cache import rules_cache
from engine.core.edition import EDITIONS, Edition
from engine.core.errors import RuleViolations, Violation, place
from engine.core.kinds import DamageType, HullKind
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.terms import Option
from engine.prices.system_price import SystemPrice, SystemSpec, by_type
from engine.weapons.registry import specs_of, system_prices_of

if TYPE_CHECKING:
    from engine.core.dice import Dice
    from engine.core.orders import Plot
    from engine.core.rolls import Shot
    from engine.core.ship import ShipState
    from engine.core.state import BattleState
    from engine.core.table import Table
    from engine.design.value import Yard
    from engine.notation.orders import Grammar
    from engine.sequences import Sequence as Turn
    from engine.ship_profiles import ProfileRules


@dataclass(frozen=True, slots=True)
class ClassificationRow:
    """The row of a classification: MASS from, rows of the damage track, standard FireCons, thrust
    points per MASS.
    """

    name: str
    mass_from: int
    rows: int
    firecons: int
    thrust_per_mass: int


@dataclass(frozen=True, slots=True)
class HullRow:
    """The row of a kind of hull, its cost and what it holds; military and civil hulls of one kind
    are two rows.

    `hull_points`, `damage_points`, `capacity` and `capacity_without_ftl` are shares of the MASS,
    all rounded up; `ftl` names the drives it may have, each with its points per MASS. An empty
    `classification`, and a zero in `rows`, `firecons` or `thrust_per_mass`, mean: as the
    classification row of its MASS says. `mass_to` None: no limit. `civil_systems_only`: merchants'
    systems. `any_arc`: it may fire aft. `any_system`: no system asks for its size.
    `mass_suggested`: the mass beyond which there is a warning.
    """

    kind: HullKind
    civil: bool
    hull_points: Fraction
    damage_points: Fraction
    capacity: Fraction
    capacity_without_ftl: Fraction
    mass_from: int
    mass_to: int | None
    thrust_to: int
    ftl: tuple[tuple[str, int], ...]
    classification: str = ""
    rows: int = 0
    firecons: int = 0
    thrust_per_mass: int = 0
    civil_systems_only: bool = False
    any_arc: bool = False
    any_system: bool = False
    mass_suggested: int | None = None


@dataclass(frozen=True, slots=True)
class DockingRules:
    """How ships dock.

    `reach`: MU within which a move ends alongside. `at_ships`: at ships of their side too.

    Rules: 2E "Starbases and other installations" [2e.installations]; Continuum "Docking" 16.6
    [pc.docking]
    """

    reach: float = 2.0
    at_ships: bool = False


@dataclass(frozen=True, slots=True)
class AsteroidRules:
    """The rules by which ships meet asteroids, and by which these break.

    `at_end`: one that moves is met where a ship's move ends, and not on its way there. `advanced`:
    times that the thrust of an advanced drive counts in getting by. `chunks`: the die that says
    into how many pieces one falls.
    Rules: 2E "Asteroids" [2e.asteroids]; Continuum "Collisions" 17.6 [pc.planetoids]
    """

    at_end: bool = False
    advanced: int = 1
    chunks: int = 12


@dataclass(frozen=True, slots=True)
class RuleSet:
    """An edition and its options: all in which one rulebook differs from the other.

    A campaign pins edition, options and version.
    """

    edition: Edition
    version: int
    arcs: tuple[str, ...]  # the edition's arcs in their order, fore first, round the ship
    blind_arcs: tuple[str, ...]  # no ship fires offensive weapons through these
    fittings: tuple[
        SystemSpec, ...
    ]  # systems sold by the piece that are no weapons, by (type, variant)
    classifications: tuple[ClassificationRow, ...]  # by rising MASS
    hulls: tuple[HullRow, ...]  # the kinds of ship, by (kind, civil)
    yard: Yard  # how its designs are written, measured, judged and fitted out
    choices: tuple[Option, ...] = field(compare=False)  # the options it has
    # Systems that can be bought and lost, and for which the book prints no rule; weapons say so in
    # their rows.
    idle: tuple[str, ...] = field(compare=False)
    # What beside class and FTL drive makes the design of a decoy drone.
    decoy: Mapping[str, Any] = field(compare=False)
    profile: ProfileRules = field(compare=False)  # what a record sheet means on the table
    grammar: Grammar = field(compare=False)  # what plots may say
    sequence: Turn = field(compare=False)  # a turn, phase by phase
    # Marks damage off a ship and makes the checks that follow at once: points, cause, the die that
    # made them or 0, how they go through armour.
    harm: Callable[[Table, ShipState, int, str, int, DamageType], None] = field(compare=False)
    # A mine goes off at a ship; the text is the subject of its dice.
    detonate_mine: Callable[[Table, ShipState, str], None] = field(compare=False)
    # Each says why a ship cannot carry out its part of a plot, "" where it can.
    plot_checks: tuple[Callable[[ShipState, Plot], str], ...] = field(compare=False)
    # The same for what only the whole table shows.
    table_checks: tuple[Callable[[BattleState, ShipState, Plot], str], ...] = field(compare=False)
    # The points of turn and of thrust that a ship may plot.
    limits: Callable[[BattleState, ShipState], tuple[int, int]] = field(compare=False)
    # The shot of a ship's weapon (its place in `fits`) at a target before any die; None where it
    # may not fire at it.
    shot_at: Callable[[BattleState, ShipState, int, ShipState], Shot | None] = field(compare=False)
    # How many contacts a ship may scan actively in a turn.
    active_scans: Callable[[BattleState, ShipState], int] = field(compare=False)
    # Those that left the table may come back without an option that says so.
    ships_return: bool = field(compare=False)
    # The design of a decoy drone whose owner chooses its thrust, up to the one given here.
    swift_decoy: Mapping[str, Any] = field(default_factory=dict, compare=False)
    asteroids: AsteroidRules = field(default=AsteroidRules(), compare=False)  # how ships meet them
    docking: DockingRules = field(default=DockingRules(), compare=False)
    # Lays what its options put on the table; None: it has no terrain but asteroids.
    terrain: Callable[[BattleState, Dice], None] | None = field(default=None, compare=False)
    options: tuple[str, ...] = ()  # those in force

    @property
    def systems(self) -> tuple[SystemSpec, ...]:
        """Every system sold by the piece, weapons first."""
        return (*specs_of(self.edition), *self.fittings)

    @property
    def system_prices(self) -> Mapping[str, tuple[SystemPrice, ...]]:
        """Every system sold by mass: rows by type, weapons first."""
        return _system_prices(self.edition, self.yard)

    @property
    def known_options(self) -> tuple[str, ...]:
        """The names of the edition's options, in its own order."""
        return tuple(option.name for option in self.choices)

    def titles(self, options: Sequence[str]) -> tuple[str, ...]:
        """Options as people call them, in the edition's order."""
        return tuple(phrase(option.title) for option in self.choices if option.name in options)

    def system(self, type_: str, variant: str = "") -> SystemSpec | None:
        """The row of a system, or None where this edition has no such thing."""
        for spec in self.systems:
            if spec.type == type_ and spec.variant == variant:
                return spec
        return None

    def variants(self, type_: str) -> tuple[SystemSpec, ...]:
        """The rows of a type of system: its models, as the edition sells them."""
        return tuple(spec for spec in self.systems if spec.type == type_)

    def hull(self, kind: str, civil: bool = False) -> HullRow | None:
        """The row of a kind of hull, or None where this edition has no such kind."""
        for row in self.hulls:
            if row.kind == kind and row.civil == civil:
                return row
        return None

    def size(self, mass: int) -> ClassificationRow:
        """The classification row a MASS falls into; the lowest one for less than any."""
        result = self.classifications[0]
        for row in self.classifications:
            if row.mass_from <= mass:
                result = row
        return result


@rules_cache
def _system_prices(edition: str, yard: Yard) -> Mapping[str, tuple[SystemPrice, ...]]:
    return by_type((*system_prices_of(edition), *yard.price_list))


ROWS: dict[str, RuleSet] = {}  # those that have been asked for, by edition


def rules_of(edition: str) -> RuleSet:
    """An edition's row, without options.

    Raises RuleViolations where it is unknown (the message lists the known).
    """
    row = ROWS.get(edition)
    return row if row is not None else _load(edition)


def _load(edition: str) -> RuleSet:
    if edition not in EDITIONS:
        words = reason(
            "no-edition-known", "no edition {!r}; known: {}", edition, ", ".join(EDITIONS)
        )
        raise RuleViolations([Violation("edition", "unknown-edition", words)])
    member = Edition(edition)
    row: RuleSet = getattr(import_module(f"{member.package}.edition"), member.name)
    ROWS[member] = row
    return row


def all_rules() -> tuple[RuleSet, ...]:
    """Every edition's row."""
    return tuple(map(rules_of, EDITIONS))


def ruleset(edition: str, options: Sequence[str] = ()) -> RuleSet:
    """The rule set of an edition with these options, each once and in the edition's own order.

    Raises RuleViolations where the edition or an option is unknown (the message lists the known
    ones), and where options do not go together.
    """
    rules = rules_of(edition)
    faults = option_violations(edition, options)
    if faults:
        raise RuleViolations(faults)
    if not options:
        return rules
    return replace(
        rules, options=tuple(option for option in rules.known_options if option in options)
    )


def option_violations(edition: str, options: Sequence[str]) -> tuple[Violation, ...]:
    """Every fault of options chosen together: unknown ones (the known ones are listed), and what
    does not mix.
    """
    return tuple(_violations(edition, options))


def _violations(edition: str, options: Sequence[str]) -> Iterator[Violation]:
    rows = {option.name: option for option in rules_of(edition).choices}
    for number, name in enumerate(options):
        where, row = place("options", number), rows.get(name)
        if row is None:
            words = reason(
                "no-option-known",
                "{} has no option {!r}; known: {}",
                edition,
                name,
                ", ".join(rows) or phrase("none"),
            )
            yield Violation(where, "unknown-option", words)
            continue
        if row.needs and row.needs not in options:
            yield Violation(
                where,
                "option-needs",
                reason("option-needs", "'{}' makes no sense without '{}'", name, row.needs),
            )
        others = [other for other in options[:number] if other != name and other in row.alone]
        if others:
            yield Violation(
                where,
                "options-clash",
                reason("options-clash", "'{}' and '{}' cannot both be in force", name, others[0]),
            )
