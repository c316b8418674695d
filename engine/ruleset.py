"""Rule sets: one row for each edition with all its differences, and editions with options in force.

A rule asks the row (`rules_of`), and the row refers to rules. To avoid circular imports a row is
loaded from its edition's package on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine.core.cache import rules_cache
from engine.core.edition import EDITIONS, Edition
from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.kinds import DamageType, HullKind
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.terms import TABLE_PRICES, TABLE_SENSORS, Option
from engine.prices.system_price import SystemPrice, SystemSpec, by_type, with_options
from engine.weapons.registry import specs_of, system_prices_of

if TYPE_CHECKING:
    from engine.core.dice import Dice
    from engine.core.luck import Counting
    from engine.core.orders import Plot
    from engine.core.rolls import Shot
    from engine.core.ship import ShipState
    from engine.core.state import BattleState
    from engine.core.table import Table
    from engine.design.value import Yard
    from engine.notation.orders import Grammar
    from engine.sequences import Sequence as Turn
    from engine.ship_profiles import ProfileRules


PRICE_OPTIONS = (TABLE_PRICES, TABLE_SENSORS)  # options that replace rows of the price list


@dataclass(frozen=True, slots=True)
class ClassificationRow:
    """The row of a classification.

    Attributes:
        mass_from: Its lowest MASS.
        rows: Rows of the damage track.
        firecons: Standard FireCons.
        thrust_per_mass: Thrust points per MASS.
    """

    name: str
    mass_from: int
    rows: int
    firecons: int
    thrust_per_mass: int


@dataclass(frozen=True, slots=True)
class HullRow:
    """The row of a kind of hull; the military and the civil hull of a kind are two rows.

    An empty `classification`, or 0 for `rows`, `firecons` or `thrust_per_mass`, means the value of
    the classification row of its MASS.

    Attributes:
        hull_points: Cost as a share of the MASS; this and the next three are rounded up.
        damage_points: Damage points as a share of the MASS.
        capacity: Room for systems as a share of the MASS.
        capacity_without_ftl: The same without an FTL drive.
        mass_to: None: no limit.
        ftl: The FTL drives that it may have, each with its points per MASS.
        civil_systems_only: It may have only the systems of merchants.
        any_arc: It may fire aft.
        any_system: Systems have no size requirements.
        mass_suggested: The MASS above which there is a warning.
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

    Attributes:
        reach: The MU within which a move must end to come alongside.
        at_ships: Ships can also dock at ships of their side.

    Rules: 2E "Starbases and other installations" [2e.installations]; Continuum "Docking" 16.6
    [pc.docking]
    """

    reach: float = 2.0
    at_ships: bool = False


@dataclass(frozen=True, slots=True)
class AsteroidRules:
    """How ships collide with asteroids, and how asteroids break.

    Attributes:
        at_end: A moving asteroid is met only at the end of a ship's move.
        advanced: How often the thrust of an advanced drive counts for getting past.
        chunks: The sides of the die for the number of chunks.

    Rules: 2E "Asteroids" [2e.asteroids]; Continuum "Collisions" 17.6 [pc.planetoids]
    """

    at_end: bool = False
    advanced: int = 1
    chunks: int = 12


@dataclass(frozen=True, slots=True)
class RuleSet:
    """An edition with its options: everything in which one rulebook differs from the other.

    A campaign stores its edition, options and version.
    """

    edition: Edition
    version: int
    arcs: tuple[str, ...]  # the arcs in their order round the ship, fore first
    blind_arcs: tuple[str, ...]  # arcs through which no ship fires offensive weapons
    # Systems other than weapons that are sold by the piece, by (type, variant).
    fittings: tuple[SystemSpec, ...]
    classifications: tuple[ClassificationRow, ...]  # by rising MASS
    hulls: tuple[HullRow, ...]  # by (kind, civil)
    yard: Yard  # writes, measures, checks and fits out designs
    choices: tuple[Option, ...] = field(compare=False)  # its options
    # Systems that can be bought and lost but have no printed rule; weapons state this in their
    # rows.
    idle: tuple[str, ...] = field(compare=False)
    # The design of a decoy drone, without class and FTL drive.
    decoy: Mapping[str, Any] = field(compare=False)
    profile: ProfileRules = field(compare=False)  # how sheets become ship profiles
    grammar: Grammar = field(compare=False)  # the words of plots
    sequence: Turn = field(compare=False)  # the phases of a turn
    # Marks damage off a ship and makes the checks that follow: points, cause, the die that caused
    # them or 0, type of damage.
    harm: Callable[[Table, ShipState, int, str, int, DamageType], None] = field(compare=False)
    # Explodes a mine at a ship; the text is the subject of its dice.
    detonate_mine: Callable[[Table, ShipState, str], None] = field(compare=False)
    # Each returns why a ship cannot carry out its part of a plot, or "".
    plot_checks: tuple[Callable[[ShipState, Plot], str], ...] = field(compare=False)
    # The same for checks that need the whole table.
    table_checks: tuple[Callable[[BattleState, ShipState, Plot], str], ...] = field(compare=False)
    # The most points of turn and of thrust that a ship may plot.
    limits: Callable[[BattleState, ShipState], tuple[int, int]] = field(compare=False)
    # The shot of a ship's weapon (its place in `fits`) at a target before any die, or None if it
    # may not fire.
    shot_at: Callable[[BattleState, ShipState, int, ShipState], Shot | None] = field(compare=False)
    # How many contacts a ship may scan actively in a turn.
    active_scans: Callable[[ShipState], int] = field(compare=False)
    # What counts the dice of each kind of event for the luck account, by the file of a battle.
    counted_dice: Callable[[Mapping[str, Any]], Mapping[str, Counting]] = field(compare=False)
    # Ships that left the table may return without an option for it.
    ships_return: bool = field(compare=False)
    # The design of a decoy drone whose owner chooses its thrust, up to the given one.
    swift_decoy: Mapping[str, Any] = field(default_factory=dict, compare=False)
    asteroids: AsteroidRules = field(default=AsteroidRules(), compare=False)
    docking: DockingRules = field(default=DockingRules(), compare=False)
    # Puts the terrain of the options on the table; None: the only terrain is asteroids.
    terrain: Callable[[BattleState, Dice], None] | None = field(default=None, compare=False)
    options: tuple[str, ...] = ()  # in force

    @property
    def systems(self) -> tuple[SystemSpec, ...]:
        """All systems that are sold by the piece, weapons first."""
        return (*specs_of(self.edition), *self.fittings)

    @property
    def system_prices(self) -> Mapping[str, tuple[SystemPrice, ...]]:
        """All systems that are sold by mass: rows by type, weapons first."""
        price_options = tuple(option for option in self.options if option in PRICE_OPTIONS)
        return _system_prices(self.edition, self.yard, price_options)

    @property
    def known_options(self) -> tuple[str, ...]:
        """The names of the edition's options, in its order."""
        return tuple(option.name for option in self.choices)

    def titles(self, options: Sequence[str]) -> tuple[str, ...]:
        """Return the titles of options, in the edition's order."""
        titles: list[str] = []
        for option in self.choices:
            if option.name in options:
                titles.append(phrase(option.title))
        return tuple(titles)

    def system(self, type_: str, variant: str = "") -> SystemSpec | None:
        """Return the row of a system, or None if the edition has no such system."""
        for spec in self.systems:
            if spec.type == type_ and spec.variant == variant:
                return spec
        return None

    def variants(self, type_: str) -> tuple[SystemSpec, ...]:
        """Return the rows of all variants of a type of system."""
        return tuple(spec for spec in self.systems if spec.type == type_)

    def hull(self, kind: str, civil: bool = False) -> HullRow | None:
        """Return the row of a kind of hull, or None if the edition has no such kind."""
        for row in self.hulls:
            if row.kind == kind and row.civil == civil:
                return row
        return None

    def size(self, mass: int) -> ClassificationRow:
        """Return the classification row of a MASS, at least the lowest one."""
        result = self.classifications[0]
        for row in self.classifications:
            if row.mass_from <= mass:
                result = row
        return result


@rules_cache
def _system_prices(
    edition: str, yard: Yard, options: tuple[str, ...]
) -> Mapping[str, tuple[SystemPrice, ...]]:
    """Return the rows of the price list of systems sold by mass, by type, weapons first."""
    return by_type(with_options((*system_prices_of(edition), *yard.price_list), options))


ROWS: dict[str, RuleSet] = {}  # loaded rows, by edition


def rules_of(edition: str) -> RuleSet:
    """Return an edition's row without options.

    Raises:
        RuleViolations: The edition is unknown; the message lists the known ones.
    """
    row = ROWS.get(edition)
    if row is not None:
        return row
    return _load(edition)


def _load(edition: str) -> RuleSet:
    """Load the row of an edition from its package."""
    if edition not in EDITIONS:
        words = reason(
            "no-edition-known", "no edition {!r}; choose from {}", edition, ", ".join(EDITIONS)
        )
        raise RuleViolations([Violation("edition", "unknown-edition", words)])
    member = Edition(edition)
    row: RuleSet = getattr(import_module(f"{member.package}.edition"), member.name)
    ROWS[member] = row
    return row


def all_rules() -> tuple[RuleSet, ...]:
    """Return every edition's row."""
    return tuple(map(rules_of, EDITIONS))


def ruleset(edition: str, options: Sequence[str] = ()) -> RuleSet:
    """Return the rule set of an edition with these options, in the edition's order.

    Raises:
        RuleViolations: The edition or an option is unknown (the message lists the known ones), or
            options exclude each other.
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
    """Return every fault of a choice of options: unknown names, and options that do not mix."""
    return tuple(_violations(edition, options))


def _violations(edition: str, options: Sequence[str]) -> Iterator[Violation]:
    """Yield a fault for each option that is unknown, lacks another or excludes an earlier one."""
    rows = {option.name: option for option in rules_of(edition).choices}
    for number, name in enumerate(options):
        where = fault_path("options", number)
        row = rows.get(name)
        if row is None:
            words = reason(
                "no-option-known",
                "{} has no optional rule {!r}; choose from {}",
                edition,
                name,
                ", ".join(rows) or phrase("none"),
            )
            yield Violation(where, "unknown-option", words)
            continue
        if row.needs and row.needs not in options:
            words = reason("option-needs", "'{}' needs '{}'", name, row.needs)
            yield Violation(where, "option-needs", words)
        earlier = [other for other in options[:number] if other != name]
        excluded = [other for other in earlier if other in row.alone]
        if excluded:
            words = reason(
                "options-clash", "'{}' and '{}' cannot both be in use", name, excluded[0]
            )
            yield Violation(where, "options-clash", words)
