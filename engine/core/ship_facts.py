"""The facts about a ship in battle that rules write down beside its systems: one declared field
each.

`ThisTurn` is forgotten at the end of each turn, `ShipRecord` lasts. Views, battle documents, logs
and pages go through the declared fields (`engine.core.facts`): who comes with a new fact adds a
field.

In documents and in the events `noted` and `marked` a fact is a number under its name, as on a
sheet: `rolled: 1`; one about a system (or a layer of armour, or another ship) has that after it,
`charge:wave-gun-1: 3`, `squadron:n1: 1`; 0 is never written.
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
    Facts,
    Kind,
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

MOST_PIPS = 6
OWN_SUITES, AREA_SUITES = 1, 2  # bits of `jamming`


@dataclass(frozen=True, slots=True)
class ThisTurn(Facts):
    """The facts that the end of the turn wipes out."""

    # Points of thrust its main drive spent.
    thrust_used: Open[int] = fact(0, outward=True)
    # Which ECM is switched on, bits: OWN_SUITES, AREA_SUITES.
    jamming: Open[int] = fact(
        0,
        phrases=("switches its jamming on", "switches its jamming off"),
        recomputes=True,
        outward=True,
    )
    # Its reflex field is up.
    reflex: bool = fact(False, phrases=("raises its reflex field", "lowers its reflex field"))
    # It blows itself up.
    detonating: bool = fact(
        False, phrases=("is about to blow itself up", "does not blow itself up")
    )
    # Torpedo tubes loaded hotter than they should be.
    overloaded: Systems = fact(
        Systems(), phrases=("overloads its {of}", "uses its {of} normally again")
    )
    # Boarders that came aboard this turn: no check of this turn finds them.
    landed: BySystem = fact({})
    # Weapons that have fired as point defence.
    defended: Systems = fact(Systems())
    # Guns that have burst flak.
    burst: Systems = fact(Systems())
    # It has taken craft aboard.
    recovered: Open[bool] = fact(False, outward=True)
    # Plasma bolt launchers that fire a shaped bolt.
    shaped: Systems = fact(
        Systems(), phrases=("shapes the bolt of its {of}", "fires the bolt of its {of} unshaped")
    )
    # It means to go into orbit where its move meets a planet.
    makes_orbit: bool = fact(False, phrases=("means to go into orbit", "means to go into no orbit"))
    # The points of turn that unused thrust adds to what gravity turns it by (negative: takes off).
    swing: int = fact(0)
    # It has its place in an orbit for this turn.
    circled: Open[bool] = fact(False, outward=True)
    # The number of the gate that it has entered: it goes through as the turn ends.
    in_gate: Open[int] = fact(0, outward=True)
    # It came out of a jump point: nobody aboard can command it.
    dazed: Open[bool] = fact(
        False, phrases=("is dazed by the jump point", "has its wits about it again"), outward=True
    )
    # Suites of sensors that have read a foe's ship: they help with no fire.
    reading: Systems = fact(Systems())
    # Weapons whose setting is being changed.
    off_line: Systems = fact(
        Systems(), phrases=("changes the setting of its {of}", "has its {of} online again")
    )

    @override
    def with_fact(self, name: str, number: int, of: str = "") -> Self:
        if self is not BLANK_TURN:
            return Facts.with_fact(self, name, number, of)
        first: Any = _first_of_turn(name, number, of)
        sheet: Self = first
        return sheet


@dataclass(frozen=True, slots=True)
class ShipRecord(Facts):
    """The facts that last."""

    # Systems lost for the rest of the battle, whatever its parties do.
    for_good: Open[Systems] = fact(
        Systems(),
        phrases=("can no longer repair its {of}", "can repair its {of} again"),
        carries_over=True,
        most=1,
    )
    # Regenerative armour boxes beyond repair.
    scarred: Open[ByLayer] = fact(
        {}, phrases=("has armour that cannot be repaired", "repairs its armour"), carries_over=True
    )

    # The last turn in which nobody commands it, FOREVER: to the end of the battle.
    out_of_control: Open[int] = fact(
        0,
        phrases=("is out of control", "is under command again"),
        carries_over=True,
        counts_turns=True,
        core_system="bridge",
    )
    # The turn after which there is nothing left to breathe.
    air_fails: Open[int] = fact(
        0,
        phrases=("has air to the end of turn {value}", "has life support again"),
        carries_over=True,
        counts_turns=True,
        core_system="life-support",
    )
    # The least die at a turn's end with which its power core explodes.
    reactor: Open[int] = fact(
        0,
        phrases=(
            "has a power core that explodes on {value} or more",
            "no longer has its power core",
        ),
        carries_over=True,
        core_system="power-core",
        most=MOST_PIPS,
    )

    # It flies upside down.
    rolled: Open[bool] = fact(False, phrases=("rolls over", "rolls back upright"), outward=True)
    # The turn in which a ship of little thrust last turned.
    turned: Open[int] = fact(0, outward=True)
    # How often it has tried emergency thrust.
    emergencies: Open[int] = fact(0)
    # The starbase or monster ship that it is a section of: a number, 0 where it is whole itself.
    section: Open[int] = fact(0, outward=True)
    # The ship that has it in tow, or makes a link to it; for how many turns.
    tug: ShipId = fact(NO_SHIP)
    link: int = fact(0)
    # The mass it has in tow.
    towing: Open[int] = fact(
        0, phrases=("has mass {value} in tow", "has nothing in tow"), recomputes=True
    )
    # The number of the gate out of which it is to come.
    by_gate: int = fact(0)
    # The ship aboard it that bears what it is hit by.
    bearer: ShipId = fact(NO_SHIP)
    # It came to the battle aboard a mothership, or has been aboard one.
    rider: bool = fact(False)
    # It shares a stand with those of its squadron, for good.
    stand: Open[bool] = fact(False, outward=True)
    # The ship that leads its squadron.
    squadron: ShipId = fact(NO_SHIP)

    # The planet that it is in orbit of, and the point of the clock it is at; negative: it goes
    # round to port.
    orbit: Open[BySystem] = fact({}, outward=True)
    # What scans have told of it, by the number of the side that scanned (`Reading`); and how it was
    # when one told all: damage points, systems lost (`0/beam-1`), boxes of armour left
    # (`0/1/standard`).
    read: BySystem = fact({})
    seen_damage: BySystem = fact({})
    seen_lost: BySystem = fact({})
    seen_armour: BySystem = fact({})

    # Its fleet withdraws from the battle.
    withdrawing: bool = fact(False)

    # Who of other ships is aboard: `marines-0`, marines of the side of that number, `parties-0` its
    # parties.
    boarders: BySystem = fact({})
    # Marines among them that torpedoes brought, by the number of their side: no ship counts them as
    # its own.
    by_torpedo: BySystem = fact({})
    # Its marines that are aboard another ship.
    away: Systems = fact(
        Systems(), phrases=("has sent its {of} aboard another ship", "has its {of} back")
    )
    # How many of its damage control parties are aboard another ship.
    parties_away: int = fact(
        0, phrases=("has {value} of its parties aboard another ship", "has its parties back")
    )

    # The place of each weapon's setting in its list.
    setting: BySystem = fact({}, phrases=("changes the setting of its {of}", "resets its {of}"))
    # The place of the arc each turret faces in its list.
    facing: Open[BySystem] = fact({}, phrases=("turns its {of}", "turns its {of} back"))
    # The turn it last fired in, of what cannot fire in the next.
    fired: BySystem = fact({})
    # The turn from which the group of a bay may fly again, FOREVER: not in this battle.
    ready: BySystem = fact({})
    # Bays that others have seen launch a group: of these they know what is in them.
    shown: Systems = fact(Systems())
    # A combat landing has fouled its decks.
    fouled: bool = fact(False, phrases=("has fouled decks", "has its decks clear"))
    # The pilots of the group of a bay, by their place in `PILOTS`.
    pilots: BySystem = fact({}, carries_over=True, most=len(PILOTS) - 1)
    # What the group of a bay is in dogfights by actions, where a battle says: `hangar-1/fuel`,
    # `hangar-1/weapon-1`.
    craft_figures: BySystem = fact({})
    # What is gone of each load of a magazine, by its name and the load's: magazine-1/standard.
    drawn: BySystem = fact({})
    # What its capacitors hold.
    charge: BySystem = fact(
        {}, phrases=("holds {value} in its {of}", "has nothing left in its {of}")
    )

    # The turn at the end of whose movement it shows itself again.
    cloaked: int = fact(0, phrases=("will decloak in turn {value}", "stops cloaking"))
    # A cloaking device hides it from fire control.
    veiled: Open[bool] = fact(
        False,
        phrases=("is hidden by its cloaking device", "is no longer hidden"),
        recomputes=True,
        outward=True,
    )
    # Where it vanished under a cloaking field, in MU.
    marker: Place = fact(None)
    # The turn in which it came out of a cloaking field: how fast it flies nobody has seen yet.
    unread: int = fact(0)
    # Its stealth fields are switched off.
    stealth_off: Open[bool] = fact(
        False, phrases=("switches its stealth fields off", "switches its stealth fields on")
    )
    # Its fire control scans actively in spite of its stealth.
    stealth_active: Open[bool] = fact(
        False, phrases=("scans actively in spite of its stealth", "scans passively again")
    )
    # Its officers direct its point defence: nobody is asked.
    officers: bool = fact(
        False,
        phrases=(
            "leaves its point defence to its officers",
            "takes its point defence back from its officers",
        ),
    )

    @property
    def orbits(self) -> str:
        """The planet that the ship is in orbit of, "" where it is in none."""
        return next(iter(self.orbit), "")

    def with_scan(
        self,
        side: int,
        detail: int,
        damage: int,
        lost: Sequence[str],
        armour: Sequence[tuple[int, int]],
    ) -> ShipRecord:
        """The record once a scan has told a side of it, which forgets nothing.

        How it is comes with all else alone.

        Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
        """
        side_key = str(side)
        record = self.with_fact("read", max(detail, self.read.get(side_key, 0)), side_key)
        if detail < ScanDetail.EVERYTHING:
            return record
        other_losses = {
            name: times
            for name, times in self.seen_lost.items()
            if name.partition("/")[0] != side_key
        }
        record = record.with_values(seen_lost=other_losses).with_fact(
            "seen-damage", damage, side_key
        )
        for name in dict.fromkeys(lost):
            record = record.with_fact("seen-lost", lost.count(name), f"{side_key}/{name}")
        for layer, (standard, regenerative) in enumerate(armour):
            record = record.with_fact("seen-armour", standard, f"{side_key}/{layer}/standard")
            record = record.with_fact(
                "seen-armour", regenerative, f"{side_key}/{layer}/regenerative"
            )
        return record

    def pilots_of(self, bay: str) -> str:
        """The pilots of the group of a bay, "" where nobody has thrown for them yet."""
        return PILOTS[self.pilots.get(bay, 0)]


def find_fact(name: str) -> Fact:
    """A fact by its name. Raises KeyError where there is none."""
    declared = facts_of(ThisTurn).get(name)
    return facts_of(ShipRecord)[name] if declared is None else declared


def core_fact(system: str) -> str:
    """The name of the fact that is written down when a core system is hit, "" of any other
    system.
    """
    return next(
        (name for name, declared in facts_of(ShipRecord).items() if declared.core_system == system),
        "",
    )


def core_system_of(name: str) -> str:
    """The core system whose hit a fact began with, "" of any other fact."""
    declared = facts_of(ShipRecord).get(name)
    return "" if declared is None else declared.core_system


def parse_facts(facts: Mapping[str, int]) -> tuple[ShipRecord, ThisTurn]:
    """The two sheets of a ship as a document has them written down.

    Raises KeyError for a fact that there is not.
    """
    if not facts:
        return blank_record(), blank_turn()
    record, turn = ShipRecord(), ThisTurn()
    places: dict[str, dict[str, float]] = {}
    for key, number in facts.items():
        name, _, of = key.partition(":")
        along = name[-2:] in ("-x", "-y") and facts_of(ShipRecord).get(name[:-2])
        if along:
            places.setdefault(along.field, {})[name[-1]] = number / MILLI
        elif name in facts_of(ThisTurn):
            turn = turn.with_fact(name, number, of)
        else:
            record = record.with_fact(name, number, of)
    return record.with_values(**{name: (at["x"], at["y"]) for name, at in places.items()}), turn


def facts_document(*sheets: Facts) -> dict[str, int]:
    """The facts of a ship as a document has them."""
    return {name: number for sheet in sheets for name, number in sheet.entries()}


def with_places(facts: Mapping[str, int], ships: Sequence[str]) -> dict[str, int]:
    """Facts as written down, with other ships by their places in a list, from 1, in place of their
    names; those that are not in it are left out.
    """
    result: dict[str, int] = {}
    for name, number in facts.items():
        fact_, _, ship = name.partition(":")
        declared = facts_of(ShipRecord).get(fact_)
        if declared is None or declared.kind is not Kind.SHIP:
            result[name] = number
        elif ship in ships:
            result[fact_] = ships.index(ship) + 1
    return result


def carried_over_facts(facts: Mapping[str, int], turn: int) -> dict[str, int]:
    """A ship's facts, as written down, that a battle that ended in turn `turn` leaves for the next,
    by name; turns count from the one that begins.

    Rules: Continuum "Core systems" 10.3 [pc.core-systems]
    """
    result: dict[str, int] = {}
    for key, number in sorted(facts.items()):
        declared = facts_of(ShipRecord).get(key.partition(":")[0])
        if declared is None or not declared.carries_over:
            continue
        value = number - turn if declared.counts_turns and number != FOREVER else number
        if value > 0:
            result[key] = value
    return result


def blank_record() -> ShipRecord:
    """The record of a ship of which nothing is written down."""
    return BLANK_RECORD


def blank_turn() -> ThisTurn:
    """The sheet of a turn that begins."""
    return BLANK_TURN


BLANK_RECORD, BLANK_TURN = blank(ShipRecord), blank(ThisTurn)


@lru_cache(maxsize=4096)
def _first_of_turn(name: str, number: int, of: str) -> ThisTurn:
    """The sheet of a turn on which one fact stands; ships of which no more is written down share
    it.
    """
    return Facts.with_fact(BLANK_TURN, name, number, of)
