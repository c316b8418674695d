"""What the players of a battle agreed before it begins; it never changes during the battle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from engine.core.edition import Edition
from engine.core.kinds import Fate
from engine.core.versions import NEWEST, SENSOR_PRICES, Change, follows

# Options of both editions, and of the second edition only; each edition's row gives their meaning.
ASTEROID_DESTRUCTION, FTL_SCATTER = "asteroid-destruction", "ftl-scatter"
MOVING_TABLE, NO_FTL = "moving-table", "no-ftl"
FIXED_TABLE, FIRE_BY_SHIP = "fixed-table", "fire-by-ship"
NO_RAMMING, RAMMING_ABILITY = "no-ramming", "ramming-ability"
RAM_ON = tuple(f"ram-on-{die}" for die in (5, 4, 3, 2))

# Options of Continuum: movement, leaving the table, actions, and what ships may be built with.
VECTOR, MIXED_MOVEMENT, EMERGENCY_THRUST, TABLE_RETURN = (
    "vector",
    "mixed-movement",
    "emergency-thrust",
    "table-return",
)
AFT_FIRE, REAR_ATTACK, DRIVE_DAMAGE, OVERLOAD, FLAK = (
    "aft-fire",
    "rear-attack",
    "drive-damage",
    "overload",
    "flak",
)
CORE_SYSTEMS, REACTOR_BREACH, NO_REPAIRS = "core-systems", "reactor-breach", "no-repairs"
SHAPED_BOLTS, MULTI_ROLE = "shaped-bolts", "multi-role"
NO_MULTI_STAGE, NO_SHORT_K_GUNS, WIDE_LOCK_ON = "no-multi-stage", "no-short-k-guns", "wide-lock-on"
NO_DECOYS, FIGHTERS_AND_GUNBOATS = "no-decoys", "fighters-and-gunboats"
NAMED_CRAFT = "named-craft"
TABLE_PRICES, TABLE_SENSORS = "table-prices", "table-sensors"
FLAWED_DESIGNS, HANGAR_CRITICALS, CATAPULTS = "flawed-designs", "hangar-criticals", "catapults"
BOARDING, KNOCKED_OFF_COURSE = "boarding", "knocked-off-course"
FLEET_MORALE, STRIKING, LATE_STRIKING, CIVIL_WAR = (
    "fleet-morale",
    "striking",
    "late-striking",
    "civil-war",
)
WITHDRAWS_AT = 50  # the percentage of its mass that a force loses before it withdraws, by default
POINT_DEFENCE_LEVEL, POINT_DEFENCE_COSTS = "point-defence-level", "point-defence-costs"
ADVANCED_MISSILES = "advanced-missiles"
ONE_NAVY = "one-navy"
SENSORS_BY_RANGE = "sensors-by-range"
SCATTERGUN_FOUR, SHORT_SPINES = "scattergun-four", "short-spines"
DOCKED_FIRE = "docked-fire"
JUMP_POINTS = "jump-points"
CLOUDS, FLARES, SWARMS, BATTLE_DEBRIS = "clouds", "flares", "swarms", "battle-debris"
SHARED_ORBITS, ORBITAL_TABLE, PLANETS, SIMPLE_PLANET = (
    "shared-orbits",
    "orbital-table",
    "planets",
    "simple-planet",
)
ACES, FIGHTER_MORALE, DOGFIGHT_ACTIONS = "aces", "fighter-morale", "dogfight-actions"
REFUSE_DOGFIGHTS = "refuse-dogfights"
ADVANCED_SENSORS, SENSOR_ECM, KNOWN_CONTACTS = "advanced-sensors", "sensor-ecm", "known-contacts"
COMBINED_HANGARS, FREE_ADFC, CPV, SCIENCE_FICTION = (
    "combined-hangars",
    "free-adfc",
    "cpv",
    "science-fiction",
)


@dataclass(frozen=True, slots=True)
class VictoryCondition:
    """A condition of victory: at least `least` of the `ships` have met this `fate`.

    Attributes:
        winner: The side that then wins; "" if the battle is a draw.
        at_end: It is judged when the battle is over and does not end it. Other conditions end the
            battle at the end of the turn in which they hold.
        reason: The reason shown to players.
    """

    winner: str
    ships: tuple[str, ...]
    fate: Fate
    least: int
    at_end: bool
    reason: str

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """Return the condition that `dataclasses.asdict` wrote."""
        return cls(
            **{**document, "ships": tuple(document["ships"]), "fate": Fate(document["fate"])}
        )


@dataclass(frozen=True, slots=True)
class Terms:
    """The agreed terms of a battle. Sides are numbers.

    Attributes:
        options: The names of the edition's options in force.
        victory: Victory conditions; the first that holds decides.
        jump_edges: (side, edge) over which its ships escape into FTL.
        ram_on: The die with which a crew rams, by side; empty: as the options say.
        berths: (installation, the MASS that each of its internal bays holds).
        edition: The rulebook.
        scoring: How points decide if nothing else does (`engine.core.victory`); "": they do not.
        rules: The version of the rules (`engine.core.versions`).
        withdraws_at: By side, the percentage of its mass at whose loss its commander withdraws;
            empty: half, if withdrawal is agreed at all.
        navies: By side, the navy that built its ships; "": one that no other side has. Empty: all
            are of one navy.
        no_quarter: Pairs of sides whose ships never surrender to each other.
        multi_role: The types that the players chose for multi-role fighters; empty: the book's.
    """

    options: tuple[str, ...] = ()
    victory: tuple[VictoryCondition, ...] = ()
    jump_edges: tuple[tuple[int, str], ...] = ()
    ram_on: tuple[int, ...] = ()
    berths: tuple[tuple[str, tuple[int, ...]], ...] = ()
    edition: Edition = Edition.SECOND_EDITION
    scoring: str = ""
    rules: str = NEWEST
    withdraws_at: tuple[int, ...] = ()
    navies: tuple[str, ...] = ()
    no_quarter: tuple[tuple[int, int], ...] = ()
    multi_role: tuple[str, ...] = ()

    def follows(self, change: Change) -> bool:
        """Return whether a change of the rules applies to this battle."""
        return follows(self.rules, change)

    @property
    def design_options(self) -> tuple[str, ...]:
        """The options by which the ships of this battle were designed and priced."""
        return design_options(self.edition, self.options, self.rules)

    def jump_edge(self, side: int) -> str:
        """Return the edge over which a side's ships escape, or ""."""
        for escaping_side, edge in self.jump_edges:
            if escaping_side == side:
                return edge
        return ""

    def rams_on(self, side: int) -> int:
        """Return the lowest die with which a crew of a side rams.

        Rules: 2E "Collisions and ramming" [2e.ramming]
        """
        if self.ram_on:
            return self.ram_on[side]
        return min((int(option[-1]) for option in RAM_ON if option in self.options), default=6)

    def withdrawal_percentage(self, side: int) -> int:
        """Return the percentage of its mass that a side loses before it withdraws.

        Rules: Continuum 12.8 [pc.morale]
        """
        if self.withdraws_at:
            return self.withdraws_at[side]
        return WITHDRAWS_AT

    def are_of_one_navy(self, side: int, other: int) -> bool:
        """Return whether the same navy built the ships of two sides.

        Rules: Continuum 12.10 [pc.morale]
        """
        return not self.navies or self.navies[side] == self.navies[other] != ""

    def gives_quarter(self, side: int, other: int) -> bool:
        """Return whether ships of the two sides may surrender to each other.

        Rules: Continuum 12.9 [pc.morale]
        """
        return (side, other) not in self.no_quarter and (other, side) not in self.no_quarter

    def berths_of(self, installation: str) -> tuple[int, ...]:
        """Return the MASS that each internal bay of an installation holds."""
        return next((masses for name, masses in self.berths if name == installation), ())

    def to_json(self) -> dict[str, Any]:
        """Return the terms as JSON, with the types of multi-role fighters only if players chose."""
        document = asdict(self)
        if not self.multi_role:
            del document["multi_role"]
        return document

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """Return the terms that `to_json` wrote.

        Raises:
            KeyError: The document is of another kind.
        """
        return cls(
            tuple(document["options"]),
            victory=tuple(VictoryCondition.from_json(item) for item in document["victory"]),
            jump_edges=tuple((side, edge) for side, edge in document["jump_edges"]),
            ram_on=tuple(document["ram_on"]),
            berths=tuple((name, tuple(masses)) for name, masses in document["berths"]),
            edition=Edition(document["edition"]),
            scoring=document["scoring"],
            rules=document["rules"],
            withdraws_at=tuple(document["withdraws_at"]),
            navies=tuple(document["navies"]),
            no_quarter=tuple((side, other) for side, other in document["no_quarter"]),
            multi_role=tuple(document.get("multi_role", ())),
        )


DEFAULT_TERMS = Terms()


def design_options(edition: str, options: Sequence[str], rules: str) -> tuple[str, ...]:
    """Return the options by which ships are designed and priced under a version of the rules.

    Ships of older rules were bought with sensors at the price of the table.

    Rules: Continuum "Additional primary ship systems" 13.13 [pc.price-conflicts]
    """
    has_older_prices = edition == Edition.CONTINUUM and not follows(rules, SENSOR_PRICES)
    if has_older_prices and TABLE_SENSORS not in options:
        return (*options, TABLE_SENSORS)
    return tuple(options)


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a battle.

    Attributes:
        words: What it changes.
        source: Its place in the rulebooks.
        of_designs: It changes what ships may carry or cost, so it is agreed when ships are chosen.
        needs: An option without which it makes no sense.
        alone: Options that exclude it.
    """

    name: str
    title: str
    words: str
    source: str
    of_designs: bool = False
    needs: str = ""
    alone: tuple[str, ...] = ()


RAMS = tuple(
    Option(
        name,
        f"Ramming on {name[-1]}+",
        f"Crews agree to ram on a roll of {name[-1]} or more; "
        "if several of these options are chosen, the lowest number counts.",
        "2E Ramming; Continuum 16.7",
        alone=(NO_RAMMING,),
    )
    for name in RAM_ON
)
SHARED = (
    Option(
        MOVING_TABLE,
        "Moving table",
        "If the whole battle drifts over an edge, the table moves with it.",
        "2E The moving table; Continuum 16.4",
        alone=(FIXED_TABLE, ORBITAL_TABLE),
    ),
    Option(
        NO_FTL,
        "No FTL",
        "The battle is inside the hyper limit: no ship can enter or leave FTL.",
        "2E Convoy 990; Continuum 11.2",
    ),
    Option(
        FTL_SCATTER,
        "Greater FTL scatter",
        "A 6 on the scatter die of an FTL entry is multiplied by a second die.",
        "2E FTL entry; Continuum 11.5",
    ),
    *RAMS,
)
