"""The facts about a ship in battle beside its systems, one declared field each.

`ThisTurn` is cleared at the end of each turn, `ShipRecord` lasts. Views, battle documents, logs and
pages work from the declared fields (`engine.core.facts`), so a new fact needs only a new field.

In documents and in the events `noted` and `marked` a fact is a number under its name: `rolled: 1`.
A fact about a system, a layer of armour or another ship has that after the name:
`charge:wave-gun-1: 3`, `squadron:n1: 1`. 0 is never stored.
"""

# ruff: noqa: RUF009 -- `fact` declares a field

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

from typing_extensions import override

from engine.core.facts import (
    FOREVER,
    ByLayer,
    BySystem,
    Fact,
    FactKind,
    Facts,
    Place,
    Systems,
    blank,
    fact,
    facts_of,
)
from engine.core.geometry import MILLI
from engine.core.ids import NO_SHIP, ShipId
from engine.core.kinds import PILOTS, ScanDetail
from engine.events.event import Open

MAX_PIPS = 6
OWN_SUITES, AREA_SUITES = 1, 2  # bits of `jamming`


@dataclass(frozen=True, slots=True)
class ThisTurn(Facts):
    """The facts that are cleared at the end of the turn."""

    # Points of thrust that its main drive spent.
    thrust_used: Open[int] = fact(0, outward=True)
    # ECM that is switched on, as bits: OWN_SUITES, AREA_SUITES.
    jamming: Open[int] = fact(
        0,
        phrases=(
            "switches its ECM on",
            "switches its ECM off",
            "switch their ECM on",
            "switch their ECM off",
        ),
        recomputes=True,
        outward=True,
    )
    # Its reflex field is up.
    reflex: bool = fact(
        False,
        phrases=(
            "switches its reflex field on",
            "switches its reflex field off",
            "switch their reflex fields on",
            "switch their reflex fields off",
        ),
    )
    # It blows itself up.
    detonating: bool = fact(
        False,
        phrases=(
            "is about to blow itself up",
            "no longer plans to blow itself up",
            "are about to blow themselves up",
            "no longer plan to blow themselves up",
        ),
    )
    # Torpedo tubes loaded hotter than they should be.
    overloaded: Systems = fact(
        Systems(), phrases=("overloads its {of}", "uses its {of} normally again")
    )
    # Boarders that came aboard this turn; this turn's checks do not affect them.
    landed_boarders: BySystem = fact({})
    # Weapons that fired as point defence.
    point_defence_weapons: Systems = fact(Systems())
    # Guns that fired flak.
    flak_guns: Systems = fact(Systems())
    # It recovered craft.
    recovered_craft: Open[bool] = fact(False, outward=True)
    # Plasma bolt launchers that fire a shaped bolt.
    shaped_bolts: Systems = fact(
        Systems(), phrases=("shapes the bolt of its {of}", "fires the bolt of its {of} unshaped")
    )
    # It goes into orbit if its move meets a planet.
    makes_orbit: bool = fact(
        False,
        phrases=(
            "plans to go into orbit",
            "no longer plans to go into orbit",
            "plan to go into orbit",
            "no longer plan to go into orbit",
        ),
    )
    # Points of turn that unused thrust adds to the turn by gravity (negative: subtracts).
    gravity_turn: int = fact(0)
    # It was moved along its orbit this turn.
    orbit_moved: Open[bool] = fact(False, outward=True)
    # The number of the gate that it entered; it goes through at the end of the turn.
    in_gate: Open[int] = fact(0, outward=True)
    # It came out of a jump point, so no crew member can command it.
    dazed: Open[bool] = fact(
        False,
        phrases=(
            "is disoriented by the jump point",
            "is no longer disoriented",
            "are disoriented by the jump point",
            "are no longer disoriented",
        ),
        outward=True,
    )
    # Sensor suites that scanned a hostile ship; they do not help fire.
    scanning_suites: Systems = fact(Systems())
    # Weapons whose setting is being changed.
    off_line: Systems = fact(
        Systems(), phrases=("changes the setting of its {of}", "has its {of} working again")
    )

    @override
    def with_fact(self, name: str, number: int, key: str = "") -> Self:
        if self is not BLANK_TURN:
            return Facts.with_fact(self, name, number, key)
        shared: Any = _turn_with_one_fact(name, number, key)
        sheet: Self = shared
        return sheet


@dataclass(frozen=True, slots=True)
class ShipRecord(Facts):
    """The facts that last."""

    # Systems that cannot be repaired in this battle.
    irreparable: Open[Systems] = fact(
        Systems(),
        phrases=("can no longer repair its {of}", "can repair its {of} again"),
        carries_over=True,
        most=1,
    )
    # Regenerative armour boxes beyond repair.
    scarred: Open[ByLayer] = fact(
        {},
        phrases=(
            "has armour that cannot be repaired",
            "repairs its armour",
            "have armour that cannot be repaired",
            "repair their armour",
        ),
        carries_over=True,
    )

    # The last turn without command; FOREVER: to the end of the battle.
    out_of_control: Open[int] = fact(
        0,
        phrases=(
            "is out of control",
            "is under control again",
            "are out of control",
            "are under control again",
        ),
        carries_over=True,
        counts_turns=True,
        core_system="bridge",
    )
    # The last turn with air.
    air_fails: Open[int] = fact(
        0,
        phrases=("has air to the end of turn {value}", "has life support again"),
        carries_over=True,
        counts_turns=True,
        core_system="life-support",
    )
    # The lowest die at a turn's end with which its power core explodes.
    reactor: Open[int] = fact(
        0,
        phrases=(
            "has a power core that explodes on {value} or more",
            "no longer has its power core",
        ),
        carries_over=True,
        core_system="power-core",
        most=MAX_PIPS,
    )

    # It flies upside down.
    rolled: Open[bool] = fact(
        False,
        phrases=("rolls over", "rolls back upright", "roll over", "roll back upright"),
        outward=True,
    )
    # The turn in which a ship of low thrust last turned.
    last_turned: Open[int] = fact(0, outward=True)
    # How often it tried emergency thrust.
    emergency_thrusts: Open[int] = fact(0)
    # The number of the starbase or monster ship that it is a section of; 0: it is no section.
    section: Open[int] = fact(0, outward=True)
    # The ship that tows it or is making a link to it, and for how many turns.
    tug: ShipId = fact(NO_SHIP)
    link: int = fact(0)
    # The mass it tows.
    towing: Open[int] = fact(
        0, phrases=("has mass {value} in tow", "has nothing in tow"), recomputes=True
    )
    # The number of the gate through which it will arrive.
    by_gate: int = fact(0)
    # The carried ship that takes the hits on this ship.
    bearer: ShipId = fact(NO_SHIP)
    # It came to the battle aboard a mothership, or was aboard one during it.
    rider: bool = fact(False)
    # It shares a stand with its squadron for the whole battle.
    stand: Open[bool] = fact(False, outward=True)
    # The ship that leads its squadron.
    squadron: ShipId = fact(NO_SHIP)

    # The planet that it orbits, and its point of the clock; negative: it orbits to port.
    orbit: Open[BySystem] = fact({}, outward=True)
    # What scans have shown, by the number of the scanning side (`ScanDetail`). The next three are
    # its state at the last complete scan: damage points, lost systems (`0/beam-1`), boxes of armour
    # left (`0/1/standard`).
    scan_levels: BySystem = fact({})
    scanned_damage: BySystem = fact({})
    scanned_losses: BySystem = fact({})
    scanned_armour: BySystem = fact({})
    # What the last scan of its stores found, plus 1, so that empty ones are listed: `0/magazine-1`.
    scanned_stock: BySystem = fact({})

    # Its fleet withdraws from the battle.
    withdrawing: bool = fact(False)

    # Foreign units aboard: `marines-0` are marines of side 0, `parties-0` its parties.
    boarders: BySystem = fact({})
    # Those marines among them that came in torpedoes, by the number of their side; they belong to
    # no ship.
    by_torpedo: BySystem = fact({})
    # Its marines aboard another ship.
    marines_away: Systems = fact(
        Systems(), phrases=("has sent its {of} aboard another ship", "has its {of} back")
    )
    # The number of its damage control parties aboard another ship.
    parties_away: int = fact(
        0,
        phrases=(
            "has sent {value} of its damage control parties aboard another ship",
            "has its damage control parties back",
        ),
    )

    # The index of each weapon's setting in its list.
    setting: BySystem = fact({}, phrases=("changes the setting of its {of}", "sets its {of} back"))
    # The index of the arc that each turret faces in its list.
    facing: Open[BySystem] = fact({}, phrases=("turns its {of}", "turns its {of} back"))
    # The turn in which a weapon that cannot fire two turns running last fired.
    last_fired: BySystem = fact({})
    # The turn from which the group of a bay may fly again; FOREVER: not in this battle.
    ready: BySystem = fact({})
    # Bays that other sides have seen launch a group, and whose contents they therefore know.
    revealed_bays: Systems = fact(Systems())
    # A combat landing fouled its decks.
    fouled: bool = fact(
        False,
        phrases=(
            "has blocked flight decks",
            "has clear flight decks again",
            "have blocked flight decks",
            "have clear flight decks again",
        ),
    )
    # The pilots of the group of a bay, as an index in `PILOTS`.
    pilots: BySystem = fact({}, carries_over=True, most=len(PILOTS) - 1)
    # The figures of a bay's group for dogfights by actions, if the battle sets them:
    # `hangar-1/fuel`, `hangar-1/weapon-1`.
    craft_figures: BySystem = fact({})
    # Used rounds of each load of a magazine: `magazine-1/standard`.
    used_rounds: BySystem = fact({})
    # The charge in its capacitors.
    charge: BySystem = fact(
        {}, phrases=("holds {value} in its {of}", "has nothing left in its {of}")
    )

    # The turn after whose movement it decloaks.
    cloaked: int = fact(
        0,
        phrases=(
            "will decloak in turn {value}",
            "cancels its cloak",
            "are to decloak in turn {value}",
            "cancel their cloaks",
        ),
    )
    # A cloaking device hides it from fire control.
    concealed: Open[bool] = fact(
        False,
        phrases=(
            "is hidden by its cloaking device",
            "is no longer hidden",
            "are hidden by their cloaking devices",
            "are no longer hidden",
        ),
        recomputes=True,
        outward=True,
    )
    # Where it vanished under a cloaking field, in MU.
    marker: Place = fact(None)
    # The turn in which it came out of a cloaking field; other sides have not yet seen its velocity.
    decloaked_turn: int = fact(0)
    # Its stealth fields are switched off.
    stealth_off: Open[bool] = fact(
        False,
        phrases=(
            "switches its stealth fields off",
            "switches its stealth fields on",
            "switch their stealth fields off",
            "switch their stealth fields on",
        ),
    )
    # Its fire control scans actively despite its stealth.
    stealth_active: Open[bool] = fact(
        False,
        phrases=(
            "scans actively despite its stealth",
            "scans passively again",
            "scan actively despite their stealth",
            "scan passively again",
        ),
    )
    # The program orders its point defence; its player is not asked.
    officers: bool = fact(
        False,
        phrases=(
            "leaves its point defence to the computer",
            "takes its point defence back from the computer",
            "leave their point defence to the computer",
            "take their point defence back from the computer",
        ),
    )

    @property
    def orbits(self) -> str:
        """The planet that the ship orbits, or ""."""
        return next(iter(self.orbit), "")

    def with_scan(
        self,
        side: int,
        detail: int,
        damage: int,
        lost_systems: Sequence[str],
        armour: Sequence[tuple[int, int]],
    ) -> ShipRecord:
        """Return the record after a scan by a side; earlier knowledge is kept.

        Damage, losses and armour are stored only for a scan that shows everything.

        Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
        """
        side_key = str(side)
        record = self.with_fact(
            "scan-levels", max(detail, self.scan_levels.get(side_key, 0)), side_key
        )
        if detail < ScanDetail.EVERYTHING:
            return record
        other_losses = {}
        for name, times in self.scanned_losses.items():
            if name.partition("/")[0] != side_key:
                other_losses[name] = times
        record = record.with_values(scanned_losses=other_losses).with_fact(
            "scanned-damage", damage, side_key
        )
        for name in dict.fromkeys(lost_systems):
            record = record.with_fact(
                "scanned-losses", lost_systems.count(name), f"{side_key}/{name}"
            )
        for layer, (standard, regenerative) in enumerate(armour):
            record = record.with_fact("scanned-armour", standard, f"{side_key}/{layer}/standard")
            record = record.with_fact(
                "scanned-armour", regenerative, f"{side_key}/{layer}/regenerative"
            )
        return record

    def with_scanned_stock(self, side: int, stock: Sequence[tuple[str, int]]) -> ShipRecord:
        """Return the record after a side has read what is left of the ship's stores.

        Args:
            stock: What is left of each store, by name.
        """
        scanned = {}
        for name, amount in self.scanned_stock.items():
            if name.partition("/")[0] != str(side):
                scanned[name] = amount
        for name, amount in stock:
            scanned[f"{side}/{name}"] = amount + 1
        return self.with_values(scanned_stock=scanned)

    def stock_seen_by(self, side: int) -> dict[str, int]:
        """Return what the last scan by a side found in the ship's stores; empty without one."""
        stock = {}
        for key, amount in self.scanned_stock.items():
            scanner, _, name = key.partition("/")
            if scanner == str(side):
                stock[name] = amount - 1
        return stock

    def pilots_of(self, bay: str) -> str:
        """Return the pilots of the group of a bay, "" if they have not been rolled yet."""
        return PILOTS[self.pilots.get(bay, 0)]


def find_fact(name: str) -> Fact:
    """Return the declaration of a fact.

    Raises:
        KeyError: There is no such fact.
    """
    declared = facts_of(ThisTurn).get(name)
    if declared is None:
        return facts_of(ShipRecord)[name]
    return declared


def core_fact(system: str) -> str:
    """Return the fact that a hit on a core system starts, "" for any other system."""
    return next(
        (name for name, declared in facts_of(ShipRecord).items() if declared.core_system == system),
        "",
    )


def core_system_of(name: str) -> str:
    """Return the core system whose hit starts a fact, "" for any other fact."""
    declared = facts_of(ShipRecord).get(name)
    if declared is None:
        return ""
    return declared.core_system


def parse_facts(facts: Mapping[str, int]) -> tuple[ShipRecord, ThisTurn]:
    """Return the two sheets of a ship from the facts in a document.

    Raises:
        KeyError: There is no such fact.
    """
    if not facts:
        return blank_record(), blank_turn()
    record = ShipRecord()
    turn = ThisTurn()
    # A place is stored as two facts, `marker-x` and `marker-y`.
    coordinates: dict[str, dict[str, float]] = {}
    for document_name, number in facts.items():
        name, _, key = document_name.partition(":")
        place_fact = None
        if name.endswith(("-x", "-y")):
            place_fact = facts_of(ShipRecord).get(name[:-2])
        if place_fact is not None:
            coordinates.setdefault(place_fact.field, {})[name[-1]] = number / MILLI
        elif name in facts_of(ThisTurn):
            turn = turn.with_fact(name, number, key)
        else:
            record = record.with_fact(name, number, key)
    places = {field: (point["x"], point["y"]) for field, point in coordinates.items()}
    return record.with_values(**places), turn


def facts_document(*sheets: Facts) -> dict[str, int]:
    """Return the facts of a ship as documents store them."""
    document: dict[str, int] = {}
    for sheet in sheets:
        document.update(sheet.entries())
    return document


def with_ship_numbers(facts: Mapping[str, int], ships: Sequence[str]) -> dict[str, int]:
    """Return facts with ships replaced by their numbers in a list.

    A fact about another ship, such as the one that tows this ship, is stored as `name:ship`. What
    a side sees has the number of that ship instead, because the side may know it by another name.

    Args:
        facts: A ship's facts as stored.
        ships: The ships that the side sees; their numbers count from 1. Facts about other ships
            are left out.
    """
    result: dict[str, int] = {}
    for document_name, number in facts.items():
        name, _, ship = document_name.partition(":")
        declared = facts_of(ShipRecord).get(name)
        if declared is None or declared.kind is not FactKind.SHIP:
            result[document_name] = number
        elif ship in ships:
            result[name] = ships.index(ship) + 1
    return result


def carried_over_facts(facts: Mapping[str, int], turn: int) -> dict[str, int]:
    """Return the facts that carry over to the next battle, with turns counted from its start.

    Args:
        turn: The turn in which the old battle ended.

    Rules: Continuum "Core systems" 10.3 [pc.core-systems]
    """
    result: dict[str, int] = {}
    for key, number in sorted(facts.items()):
        declared = facts_of(ShipRecord).get(key.partition(":")[0])
        if declared is None or not declared.carries_over:
            continue
        if declared.counts_turns and number != FOREVER:
            value = number - turn
        else:
            value = number
        if value > 0:
            result[key] = value
    return result


def blank_record() -> ShipRecord:
    """Return the record of a ship without facts."""
    return BLANK_RECORD


def blank_turn() -> ThisTurn:
    """Return the sheet of a new turn."""
    return BLANK_TURN


BLANK_RECORD, BLANK_TURN = blank(ShipRecord), blank(ThisTurn)


@lru_cache(maxsize=4096)
def _turn_with_one_fact(name: str, number: int, key: str) -> ThisTurn:
    """Return a turn's sheet with one fact, shared by all ships with only that fact."""
    return Facts.with_fact(BLANK_TURN, name, number, key)
