"""Facts about a ship in battle that rules write down beside its systems: one declared field each.

A field's type says what the fact is and who may know it: `Open[...]` is read by everybody who has identified the ship,
a field without that mark by its own side alone. `fact` says the words a log tells it with, and whether it stays on the
sheet from one battle to the next. `ThisTurn` is forgotten at the end of each turn, `ShipRecord` lasts. Views, battle
documents, logs and pages go through the declared fields: who comes with a new fact adds a field.

In documents and in the events `noted` and `marked` a fact is a number under its name, as on a sheet: `rolled: 1`; one
about a system (or a layer of armour, or another ship) has that after it, `charge:wave-gun-1: 3`, `squadron:n1: 1`; 0
is never written.
"""

# ruff: noqa: RUF009 -- `fact` declares a field

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, Any, Self, TypeAlias, TypeVar, cast, get_args, get_origin, get_type_hints

from engine.core.geometry import MILLI
from engine.core.ids import NO_SHIP, ShipId
from engine.core.kinds import PILOTS, Reading
from engine.core.phrase import phrase
from engine.events.event import FieldMark, Open

FOREVER = 9999  # a turn that never comes
MOST_PIPS = 6
OWN_SUITES, AREA_SUITES = 1, 2  # bits of `jamming`

Systems: TypeAlias = frozenset[str]  # systems of the ship that a fact is true of
BySystem: TypeAlias = Mapping[str, int]  # a number for each system that has one
ByLayer: TypeAlias = Mapping[int, int]  # for each layer of armour, the innermost being 0
Place: TypeAlias = tuple[float, float] | None

T = TypeVar("T")


class Kind(Enum):
    """The kinds of facts, by the type of their field."""

    NUMBER = int
    FLAG = bool
    SYSTEMS = Systems
    BY_SYSTEM = BySystem
    BY_LAYER = ByLayer
    PLACE = Place
    SHIP = ShipId  # another ship, NO_SHIP where there is none; a side reads there what it calls that ship


TABLES = (Kind.BY_SYSTEM, Kind.BY_LAYER)


def fact(
    default: T,
    *,
    said: tuple[str, str] = ("", ""),
    kept: bool = False,
    counts_turns: bool = False,
    recomputes: bool = False,
    core_system: str = "",
    most: int = FOREVER,
    outward: bool = False,
) -> T:
    """Declares a fact that is `default` until a rule writes it down.

    `said`: how a log tells that it is written down, and rubbed out; `{of}` is the system it is about, `{value}` its
    number; empty where another line says it. `kept`: it stays on the sheet after the battle. `counts_turns`: its number
    is a turn. `recomputes`: screens or FireCons depend on it. `core_system`: it begins when that core system is hit and
    ends with its repair. `most`: the largest number a battle file may begin it with. `outward`: others see it on the
    table, whether they can read its record sheet or not.
    """
    metadata = {
        "said": tuple(map(phrase, said)), "kept": kept, "counts_turns": counts_turns, "recomputes": recomputes,
        "core_system": core_system, "most": most, "outward": outward,
    }  # fmt: skip
    made = field(metadata=metadata, **({"default_factory": dict} if default == {} else {"default": default}))
    return cast(T, made)


@dataclass(frozen=True, slots=True)
class Fact:
    """A declared fact: its `field`, its `name` in documents and logs, what it may be, who may know it."""

    field: str
    name: str
    kind: Kind
    open: bool
    said: tuple[str, str]
    kept: bool
    counts_turns: bool
    recomputes: bool
    core_system: str
    most: int
    outward: bool

    def key(self, of: str) -> Any:
        """The system, or the layer of armour, that a name in a document goes on with."""
        return int(of) if self.kind is Kind.BY_LAYER else of


class Facts:
    """A sheet of declared facts; a value, shared by copies of a ship until a rule writes another fact down."""

    __slots__ = ()

    def number(self, name: str, of: str = "") -> int:
        """The number a fact is written down as, 0 where it is not."""
        found = facts_of(type(self))[name]
        value: Any = getattr(self, found.field)
        if found.kind is Kind.SYSTEMS:
            return int(of in value)
        if found.kind is Kind.SHIP:
            return int(value == of != "")
        return int(value.get(found.key(of), 0)) if found.kind in TABLES else int(value)

    def noting(self, name: str, number: int, of: str = "") -> Self:
        """A sheet with one fact more, or another number for it; 0 rubs it out. Raises KeyError for an unknown one."""
        if self is BLANK_TURN:
            first: Any = _first_of_turn(name, number, of)
            sheet: Self = first
            return sheet
        return self._noting(name, number, of)

    def _noting(self, name: str, number: int, of: str) -> Self:
        """The same, made anew."""
        found = facts_of(type(self))[name]
        old: Any = getattr(self, found.field)
        new: Any = number
        if found.kind is Kind.FLAG:
            new = number != 0
        elif found.kind is Kind.SYSTEMS:
            new = old | {of} if number else old - {of}
        elif found.kind is Kind.SHIP:
            new = of if number else ""
        elif found.kind in TABLES:
            new = {key: value for key, value in old.items() if key != found.key(of)}
            if number:
                new[found.key(of)] = number
        return self.changed(**{found.field: new})

    def changed(self, **values: Any) -> Self:
        """A sheet with other values in these fields."""
        sheet: Any = self
        made: Self = replace(sheet, **values)
        return made

    def opened(self) -> Self:
        """The facts with the open ones alone, as others read them. Rules: Continuum "Information" 2.6 [pc.open-book]"""
        if self is BLANK_RECORD or self is BLANK_TURN:
            return self
        if not any(_hidden_of(self)):
            return self
        facts = facts_of(type(self)).values()
        return type(self)(**{found.field: getattr(self, found.field) for found in facts if found.open})

    def outwards(self) -> Self:
        """The facts with those alone that others see on the table. Rules: Continuum 12.2 [pc.sensors]"""
        if self is BLANK_RECORD or self is BLANK_TURN:
            return self
        facts = facts_of(type(self)).values()
        return type(self)(**{found.field: getattr(self, found.field) for found in facts if found.outward})

    def naming(self, called: Mapping[str, str]) -> Self:
        """A sheet with ships by what a side calls them (`called`, by their ids); none where it calls them nothing."""
        if self is BLANK_RECORD or self is BLANK_TURN:
            return self
        named: dict[str, str] = {}
        for found in facts_of(type(self)).values():
            if found.kind is Kind.SHIP:
                ship: str = getattr(self, found.field)
                if called.get(ship, "") != ship:
                    named[found.field] = called.get(ship, "")
        return self.changed(**named) if named else self

    def written(self) -> Iterator[tuple[str, int]]:
        """The facts as names and numbers."""
        for found in facts_of(type(self)).values():
            value: Any = getattr(self, found.field)
            if not value:
                continue
            if found.kind is Kind.SYSTEMS:
                yield from ((f"{found.name}:{of}", 1) for of in sorted(value))
            elif found.kind in TABLES:
                yield from ((f"{found.name}:{of}", number) for of, number in value.items())
            elif found.kind is Kind.PLACE:
                yield f"{found.name}-x", round(value[0] * MILLI)
                yield f"{found.name}-y", round(value[1] * MILLI)
            elif found.kind is Kind.SHIP:
                yield f"{found.name}:{value}", 1
            else:
                yield found.name, int(value)


@dataclass(frozen=True, slots=True)
class ThisTurn(Facts):
    """The facts that the end of the turn wipes out."""

    # Points of thrust its main drive spent.
    thrust_used: Open[int] = fact(0, outward=True)
    # Which ECM is switched on, bits: OWN_SUITES, AREA_SUITES.
    jamming: Open[int] = fact(
        0, said=("switches its jamming on", "switches its jamming off"), recomputes=True, outward=True
    )
    # Its reflex field is up.
    reflex: bool = fact(False, said=("raises its reflex field", "lowers its reflex field"))
    # It blows itself up.
    detonating: bool = fact(False, said=("is about to blow itself up", "does not blow itself up"))
    # Torpedo tubes loaded hotter than they should be.
    overloaded: Systems = fact(Systems(), said=("overloads its {of}", "uses its {of} normally again"))
    # Boarders that came aboard this turn: no check of this turn finds them.
    landed: BySystem = fact({})
    # Weapons that have fired as point defence.
    defended: Systems = fact(Systems())
    # Guns that have burst flak.
    burst: Systems = fact(Systems())
    # It has taken craft aboard.
    recovered: Open[bool] = fact(False, outward=True)
    # Plasma bolt launchers that fire a shaped bolt.
    shaped: Systems = fact(Systems(), said=("shapes the bolt of its {of}", "fires the bolt of its {of} unshaped"))
    # It means to go into orbit where its move meets a planet.
    makes_orbit: bool = fact(False, said=("means to go into orbit", "means to go into no orbit"))
    # The points of turn that unused thrust adds to what gravity turns it by (negative: takes off).
    swing: int = fact(0)
    # It has its place in an orbit for this turn.
    circled: Open[bool] = fact(False, outward=True)
    # The number of the gate that it has entered: it goes through as the turn ends.
    in_gate: Open[int] = fact(0, outward=True)
    # It came out of a jump point: nobody aboard can command it.
    dazed: Open[bool] = fact(False, said=("is dazed by the jump point", "has its wits about it again"), outward=True)
    # Suites of sensors that have read a foe's ship: they help with no fire.
    reading: Systems = fact(Systems())
    # Weapons whose setting is being changed.
    off_line: Systems = fact(Systems(), said=("changes the setting of its {of}", "has its {of} online again"))


@dataclass(frozen=True, slots=True)
class ShipRecord(Facts):
    """The facts that last."""

    # Systems lost for the rest of the battle, whatever its parties do.
    for_good: Open[Systems] = fact(
        Systems(), said=("can no longer repair its {of}", "can repair its {of} again"), kept=True, most=1
    )
    # Regenerative armour boxes beyond repair.
    scarred: Open[ByLayer] = fact({}, said=("has armour that cannot be repaired", "repairs its armour"), kept=True)

    # The last turn in which nobody commands it, FOREVER: to the end of the battle.
    out_of_control: Open[int] = fact(
        0, said=("is out of control", "is under command again"), kept=True, counts_turns=True, core_system="bridge"
    )
    # The turn after which there is nothing left to breathe.
    air_fails: Open[int] = fact(
        0, said=("has air to the end of turn {value}", "has life support again"), kept=True, counts_turns=True,
        core_system="life-support",
    )  # fmt: skip
    # The least die at a turn's end with which its power core explodes.
    reactor: Open[int] = fact(
        0, said=("has a power core that explodes on {value} or more", "no longer has its power core"), kept=True,
        core_system="power-core", most=MOST_PIPS,
    )  # fmt: skip

    # It flies upside down.
    rolled: Open[bool] = fact(False, said=("rolls over", "rolls back upright"), outward=True)
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
    towing: Open[int] = fact(0, said=("has mass {value} in tow", "has nothing in tow"), recomputes=True)
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

    # The planet that it is in orbit of, and the point of the clock it is at; negative: it goes round to port.
    orbit: Open[BySystem] = fact({}, outward=True)
    # What scans have told of it, by the number of the side that scanned (`Reading`); and how it was when one told all:
    # damage points, systems lost (`0/beam-1`), boxes of armour left (`0/1/standard`).
    read: BySystem = fact({})
    seen_damage: BySystem = fact({})
    seen_lost: BySystem = fact({})
    seen_armour: BySystem = fact({})

    # Its fleet withdraws from the battle.
    withdrawing: bool = fact(False)

    # Who of other ships is aboard: `marines-0`, marines of the side of that number, `parties-0` its parties.
    boarders: BySystem = fact({})
    # Marines among them that torpedoes brought, by the number of their side: no ship counts them as its own.
    by_torpedo: BySystem = fact({})
    # Its marines that are aboard another ship.
    away: Systems = fact(Systems(), said=("has sent its {of} aboard another ship", "has its {of} back"))
    # How many of its damage control parties are aboard another ship.
    parties_away: int = fact(0, said=("has {value} of its parties aboard another ship", "has its parties back"))

    # The place of each weapon's setting in its list.
    setting: BySystem = fact({}, said=("changes the setting of its {of}", "resets its {of}"))
    # The place of the arc each turret faces in its list.
    facing: Open[BySystem] = fact({}, said=("turns its {of}", "turns its {of} back"))
    # The turn it last fired in, of what cannot fire in the next.
    fired: BySystem = fact({})
    # The turn from which the group of a bay may fly again, FOREVER: not in this battle.
    ready: BySystem = fact({})
    # Bays that others have seen launch a group: of these they know what is in them.
    shown: Systems = fact(Systems())
    # A combat landing has fouled its decks.
    fouled: bool = fact(False, said=("has fouled decks", "has its decks clear"))
    # The pilots of the group of a bay, by their place in `PILOTS`.
    pilots: BySystem = fact({}, kept=True, most=len(PILOTS) - 1)
    # What the group of a bay is in dogfights by actions, where a battle says: `hangar-1/fuel`, `hangar-1/weapon-1`.
    craft_figures: BySystem = fact({})
    # What is gone of each load of a magazine, by its name and the load's: magazine-1/standard.
    drawn: BySystem = fact({})
    # What its capacitors hold.
    charge: BySystem = fact({}, said=("holds {value} in its {of}", "has nothing left in its {of}"))

    # The turn at the end of whose movement it shows itself again.
    cloaked: int = fact(0, said=("will decloak in turn {value}", "stops cloaking"))
    # A cloaking device hides it from fire control.
    veiled: Open[bool] = fact(
        False, said=("is hidden by its cloaking device", "is no longer hidden"), recomputes=True, outward=True
    )
    # Where it vanished under a cloaking field, in MU.
    marker: Place = fact(None)
    # The turn in which it came out of a cloaking field: how fast it flies nobody has seen yet.
    unread: int = fact(0)
    # Its stealth fields are switched off.
    stealth_off: Open[bool] = fact(False, said=("switches its stealth fields off", "switches its stealth fields on"))
    # Its fire control scans actively in spite of its stealth.
    stealth_active: Open[bool] = fact(False, said=("scans actively in spite of its stealth", "scans passively again"))
    # Its officers direct its point defence: nobody is asked.
    officers: bool = fact(
        False, said=("leaves its point defence to its officers", "takes its point defence back from its officers")
    )

    @property
    def orbits(self) -> str:
        """The planet that the ship is in orbit of, "" where it is in none."""
        return next(iter(self.orbit), "")

    def disclosed(
        self, side: int, told: int, damage: int, lost: Sequence[str], armour: Sequence[tuple[int, int]]
    ) -> ShipRecord:
        """The record once a scan has told a side of it, which forgets nothing. How it is comes with all else alone.

        Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
        """
        called = str(side)
        record = self.noting("read", max(told, self.read.get(called, 0)), called)
        if told < Reading.WHOLE:
            return record
        others = {name: times for name, times in self.seen_lost.items() if name.partition("/")[0] != called}
        record = record.changed(seen_lost=others).noting("seen-damage", damage, called)
        for name in dict.fromkeys(lost):
            record = record.noting("seen-lost", lost.count(name), f"{called}/{name}")
        for layer, (standard, regenerative) in enumerate(armour):
            record = record.noting("seen-armour", standard, f"{called}/{layer}/standard")
            record = record.noting("seen-armour", regenerative, f"{called}/{layer}/regenerative")
        return record

    def pilots_of(self, bay: str) -> str:
        """The pilots of the group of a bay, "" where nobody has thrown for them yet."""
        return PILOTS[self.pilots.get(bay, 0)]


def facts_of(sheet: type[Facts]) -> dict[str, Fact]:
    """The declared facts of a kind of sheet by the names they are written down by. Raises TypeError for an open fact
    that names another ship.
    """
    if sheet not in _FACTS:
        hints = get_type_hints(sheet, include_extras=True)
        declared: Any = sheet
        _FACTS[sheet] = {}
        for one in fields(declared):
            hint, *marks = get_args(hints[one.name]) if get_origin(hints[one.name]) is Annotated else (hints[one.name],)
            open_ = marks == [FieldMark.OPEN]
            name, kind = one.name.replace("_", "-"), Kind(hint)
            if kind is Kind.SHIP and open_:
                raise TypeError(f"{name}: others would read the id of a ship, which its own side alone may know")
            _FACTS[sheet][name] = Fact(one.name, name, kind, open_, **one.metadata)
    return _FACTS[sheet]


def fact_named(name: str) -> Fact:
    """A fact by its name. Raises KeyError where there is none."""
    found = facts_of(ThisTurn).get(name)
    return facts_of(ShipRecord)[name] if found is None else found


def _hidden_of(sheet: Facts) -> tuple[Any, ...]:
    """The facts of a sheet that its own side alone may know."""
    reads = _HIDDEN.get(type(sheet))
    if reads is None:
        hidden = (found.field for found in facts_of(type(sheet)).values() if not found.open)
        reads = _HIDDEN[type(sheet)] = attrgetter(*hidden)
    return reads(sheet)


def core_fact(system: str) -> str:
    """The name of the fact that is written down when a core system is hit, "" of any other system."""
    return next((name for name, one in facts_of(ShipRecord).items() if one.core_system == system), "")


def core_system_of(name: str) -> str:
    """The core system whose hit a fact began with, "" of any other fact."""
    one = facts_of(ShipRecord).get(name)
    return "" if one is None else one.core_system


def read_facts(given: Mapping[str, int]) -> tuple[ShipRecord, ThisTurn]:
    """The two sheets of a ship as a document has them written down. Raises KeyError for a fact that there is not."""
    if not given:
        return blank_record(), blank_turn()
    record, turn = ShipRecord(), ThisTurn()
    places: dict[str, dict[str, float]] = {}
    for written, number in given.items():
        name, _, of = written.partition(":")
        along = name[-2:] in ("-x", "-y") and facts_of(ShipRecord).get(name[:-2])
        if along:
            places.setdefault(along.field, {})[name[-1]] = number / MILLI
        elif name in facts_of(ThisTurn):
            turn = turn.noting(name, number, of)
        else:
            record = record.noting(name, number, of)
    return record.changed(**{name: (at["x"], at["y"]) for name, at in places.items()}), turn


def written_down(*sheets: Facts) -> dict[str, int]:
    """The facts of a ship as a document has them."""
    return {name: number for sheet in sheets for name, number in sheet.written()}


def with_places(written: Mapping[str, int], ships: Sequence[str]) -> dict[str, int]:
    """Facts as written down, with other ships by their places in a list, from 1, in place of their names; those that
    are not in it are left out.
    """
    found: dict[str, int] = {}
    for name, number in written.items():
        fact_, _, ship = name.partition(":")
        one = facts_of(ShipRecord).get(fact_)
        if one is None or one.kind is not Kind.SHIP:
            found[name] = number
        elif ship in ships:
            found[fact_] = ships.index(ship) + 1
    return found


def kept_facts(given: Mapping[str, int], turn: int) -> dict[str, int]:
    """A ship's facts, as written down, that a battle that ended in turn `turn` leaves for the next, by name; turns
    count from the one that begins.

    Rules: Continuum "Core systems" 10.3 [pc.core-systems]
    """
    found: dict[str, int] = {}
    for written, number in sorted(given.items()):
        one = facts_of(ShipRecord).get(written.partition(":")[0])
        if one is None or not one.kept:
            continue
        left = number - turn if one.counts_turns and number != FOREVER else number
        if left > 0:
            found[written] = left
    return found


def blank_record() -> ShipRecord:
    """The record of a ship of which nothing is written down."""
    return BLANK_RECORD


def blank_turn() -> ThisTurn:
    """The sheet of a turn that begins."""
    return BLANK_TURN


BLANK_RECORD, BLANK_TURN = ShipRecord(), ThisTurn()


@lru_cache(maxsize=4096)
def _first_of_turn(name: str, number: int, of: str) -> ThisTurn:
    """The sheet of a turn on which one fact stands; ships of which no more is written down share it."""
    return BLANK_TURN._noting(name, number, of)


_FACTS: dict[type[Facts], dict[str, Fact]] = {}
_HIDDEN: dict[type[Facts], attrgetter[tuple[Any, ...]]] = {}
