"""The form of a stop of a battle online: plots, fighters' orders or fire, and back from the form to orders. Pure.

Fields are named `<what>-<ship or group>`. What a form cannot say stands in the field `raw-...` as text, and counts
instead of the others. Built from the battle as the side knows it and a payload, which may hold anything. What Continuum
asks for besides is here, too: burns, ways in which a weapon fires, points of the table, systems that hits are laid on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import QueryDict

from campaign.pages.fields import number, text
from engine.asks.plot import plot_faults
from engine.captains.prospects import Prospect, prospects
from engine.continuum.aiming import FIRED_AT
from engine.continuum.cores import uncommanded
from engine.continuum.craft.fitting import ways_of_bay
from engine.continuum.defences import works_with
from engine.continuum.orbits import MakeOrbit
from engine.continuum.riders import detached
from engine.continuum.weapon_orders import SetWeapon, ShapeBolt
from engine.core.kinds import CARRIED, FIGHTING, RETURNING, UNSEEN, HullKind
from engine.core.orders import AT_END, HOLD, FurtherOrder, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import ADVANCED_SENSORS, FLAK, Terms
from engine.core.versions import FLAK_AMONG_CRAFT
from engine.craft.roles import row_in
from engine.english import counted_noun, system_words
from engine.movement.docking import is_base
from engine.notation.orders import parse_plot
from engine.pieces.group import Group
from engine.ruleset import rules_of
from engine.weapons.weapon import Trait, Weapon

WORDS_HINT, BURNS_HINT = "roll; cloak 3", "MD4 TS2"

MOVING = (FIGHTING, RETURNING, UNSEEN, CARRIED)  # ships that take a plot
OTHERWISE = (ShapeBolt, MakeOrbit)  # further orders that fields of their own say
CHOICES = 3  # targets in order of preference
Option = tuple[str, str]


def limits(state: BattleState, ship: ShipState) -> tuple[int, int]:
    """The points of turn and of thrust that a form offers."""
    return rules_of(ship.sheet.edition).limits(state, ship)


def further_words(plot: Plot) -> str:
    """The further words of a plot as they are written."""
    return "; ".join(order.words() for order in plot.further)


def burns(plot: Plot) -> str:
    return " ".join(f"{burn}{points}" for burn, points in plot.burns)


def has_words(ship: ShipState) -> bool:
    """Whether a ship's plot may say further words."""
    return bool(rules_of(ship.sheet.edition).grammar.further)


def modes_of(weapon: Weapon, terms: Terms) -> tuple[str, ...]:
    """The ways in which a weapon may be told to fire, none where there is but one; flak is fired with the plots."""
    modes = tuple(mode for mode in weapon.modes if mode != FLAK or not terms.follows(FLAK_AMONG_CRAFT))
    return modes if len(modes) > 1 else ()


def asks_system(weapon: Weapon) -> bool:
    """Whether a weapon may be aimed at a system, or its hits laid on some."""
    return weapon.picks_systems


def asks_point(weapon: Weapon, terms: Terms) -> bool:
    """Whether a weapon may be fired at a point of the table."""
    return any(mode != FLAK or not terms.follows(FLAK_AMONG_CRAFT) for mode in weapon.at_point)


def system_text(fire: Mapping[str, Any]) -> str:
    """The system, or the systems, of a payload's fire as they are written."""
    named = fire.get("system", "")
    return ", ".join(map(str, named)) if isinstance(named, list) else str(named)


def point_text(fire: Mapping[str, Any]) -> str:
    """The point of a payload's fire as it is written."""
    at = fire.get("at")
    if not isinstance(at, list | tuple):
        return ""
    return " ".join(f"{one:g}" if isinstance(one, int | float) else str(one) for one in at)


def fire_details(posted: QueryDict, weapon: Weapon, name: str, terms: Terms) -> dict[str, Any]:
    """The entries of a form about a weapon's fire besides its targets. `name`: of its fields, ship and weapon."""
    found: dict[str, Any] = {}
    systems = [
        part.strip().replace(" ", "-") for part in text(posted, f"system-{name}").lower().split(",") if part.strip()
    ]
    if systems:
        found["system"] = systems if Trait.SPREADS in weapon.traits else ", ".join(systems)
    if modes_of(weapon, terms) and (mode := text(posted, f"mode-{name}")):
        found["mode"] = mode
    if asks_point(weapon, terms) and (at := text(posted, f"at-{name}")):
        found["at"] = point_of(at)
    return found


def point_of(written: str) -> list[object]:
    """A point of the table from how it is written."""
    return [_coordinate(part) for part in written.replace(",", " ").split()]


def _coordinate(part: str) -> object:
    whole = number(part)
    if isinstance(whole, int):
        return whole
    try:
        return float(part)
    except ValueError:
        return part


@dataclass(frozen=True, slots=True)
class Pick:
    """A field with a choice of values, and the one chosen. `many`: several at once."""

    name: str
    label: str
    options: tuple[Option, ...]
    chosen: tuple[str, ...]
    many: bool = False


@dataclass(frozen=True, slots=True)
class Tick:
    name: str
    value: str
    label: str
    on: bool


@dataclass(frozen=True, slots=True)
class Written:
    """A field for text. `hint`: what is written there."""

    name: str
    label: str
    value: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Fields:
    """Fields that stand together."""

    picks: tuple[Pick, ...]
    ticks: tuple[Tick, ...]
    written: tuple[Written, ...]

    @property
    def any(self) -> bool:
        """Whether there is one."""
        return bool(self.picks or self.ticks or self.written)


@dataclass(frozen=True, slots=True)
class OrderRow:
    """A ship or group with its orders at the stop. `state`: what it can do now, in words.

    `kept`: fields that go along unseen. `beside`: names of those that are no part of the order that `raw` may say.
    """

    key: str
    id: str
    name: str
    state: str
    picks: tuple[Pick, ...]
    ticks: tuple[Tick, ...]
    written: tuple[Written, ...]
    raw: Written | None
    faults: tuple[str, ...]
    kept: tuple[Option, ...] = ()
    beside: frozenset[str] = frozenset()

    @property
    def names(self) -> frozenset[str]:
        """The names of its lists, ticks and texts."""
        names = [pick.name for pick in self.picks] + [tick.name for tick in self.ticks]
        return frozenset(names + [field.name for field in self.written])

    @property
    def said(self) -> Fields:
        """The fields of the order itself."""
        return self._fields(beside=False)

    @property
    def besides(self) -> Fields:
        """The fields of what is ordered beside it."""
        return self._fields(beside=True)

    def _fields(self, *, beside: bool) -> Fields:
        return Fields(
            tuple(pick for pick in self.picks if (pick.name in self.beside) == beside),
            tuple(tick for tick in self.ticks if (tick.name in self.beside) == beside),
            tuple(field for field in self.written if (field.name in self.beside) == beside),
        )


@dataclass(frozen=True, slots=True)
class FormSight:
    """The things a form names: the battle as the side knows it, whose orders these are, what things are called.

    `kept`: what was reckoned already of the fire of its ships.
    """

    state: BattleState
    side: int
    mine: frozenset[str]
    names: Mapping[str, str]
    kept: dict[str, list[Prospect]] = field(default_factory=dict, compare=False)

    def identified(self) -> list[ShipState]:
        """The ships of others whose class is known."""
        return [ship for ship in self.state.ships if ship.commander != self.side and not ship.bogey]

    def prospects(self, ship: ShipState) -> list[Prospect]:
        """What a ship's weapons bear on, and may be expected to do there."""
        if ship.id not in self.kept:
            self.kept[ship.id] = prospects(self.state, ship, self.identified())
        return self.kept[ship.id]

    @property
    def ships(self) -> list[ShipState]:
        return [ship for ship in self.state.ships if ship.commander == self.side and ship.id in self.mine]

    @property
    def groups(self) -> list[Group]:
        return [group for group in self.state.of(Group) if group.side == self.side and group.id in self.mine]

    def others(self) -> list[Option]:
        """The ships of others that are on the table."""
        there = [ship for ship in self.state.ships if ship.commander != self.side and ship.status in FIRED_AT]
        return [(ship.id, self.names.get(ship.id, ship.id)) for ship in there]

    def flyers(self) -> list[Option]:
        there = [group for group in self.state.of(Group) if group.side != self.side]
        return [(group.id, self.names.get(group.id, group.id)) for group in there]


def anchor(key: str) -> str:
    """The id on the page of a ship's or a group's part of the form."""
    return f"o-{key.replace('/', '-')}"


def plot_rows(
    seen: FormSight, payload: Mapping[str, Any], faults: Mapping[str, tuple[str, ...]]
) -> tuple[OrderRow, ...]:
    """A row for every ship that can move or come back."""
    plots = payload.get("plot")
    said = plots if isinstance(plots, Mapping) else {}
    return tuple(
        _plot_row(seen, detached(seen.state, ship), said.get(ship.id, ""), faults.get(ship.id, ()), ship.dock)
        for ship in seen.ships
        if ship.status in MOVING
    )


def _plot_row(seen: FormSight, ship: ShipState, given: object, faults: tuple[str, ...], dock: str) -> OrderRow:
    """A ship's row; `dock`: at or aboard which ship it is, "" where it is by itself."""
    words = given if isinstance(given, str) else ""
    plot, wrong = parse_plot(words, "", ship.sheet.edition)
    raw = words if plot is None or wrong or not _sayable(ship, plot) else ""
    plot = HOLD if plot is None or raw else plot
    key = ship.id
    if ship.status == RETURNING:
        ways = "" if plot.enter is None else f"{plot.enter[0]:g} {plot.enter[1]:g} {plot.enter[2]}"
        return OrderRow(
            key, anchor(key), seen.names.get(key, key), f"off the table, may return in turn {ship.due}", (),
            (Tick(f"word-{key}", "stay", "does not return", plot.stay),),
            (Written(f"enter-{key}", "Return at x, y, course", ways, "12 48 6"),),
            Written(f"raw-{key}", "Write the order as text instead", raw), faults,
        )  # fmt: skip
    picks = [*_moves(seen, ship, plot), *_contact_picks(seen, ship, plot), *_fittings(seen, ship, plot)]
    written = []
    if ship.drift is not None:
        written.append(Written(f"burns-{key}", "Thrust, in order", burns(plot), BURNS_HINT))
    if has_words(ship):
        written.append(Written(f"also-{key}", "Extra orders", _extra(seen.state, ship, plot), WORDS_HINT))
    state = f"course {ship.course}, velocity {ship.velocity}, thrust {ship.thrust}"
    if ship.damage:
        state += f", {ship.damage} of {ship.sheet.boxes} damage"
    if why := uncommanded(ship):
        state += f"; {why}"
    if dock and not ship.dock:
        state += f"; aboard {seen.names.get(dock, dock)}: moves once it says detach"
    raw_field = Written(f"raw-{key}", "Write the order as text instead", raw, "P2+4; ftl")
    name = seen.names.get(key, key)
    return OrderRow(
        key, anchor(key), name, state, tuple(picks), tuple(_ticks(seen, ship, plot)), tuple(written), raw_field, faults
    )


def _extra(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """The further words that no other field of the form says."""
    kept = (one for one in plot.further if not isinstance(one, OTHERWISE) and not _fits_out(state, ship, one))
    return further_words(replace(plot, further=tuple(kept)))


def _fits_out(state: BattleState, ship: ShipState, order: FurtherOrder) -> bool:
    return isinstance(order, SetWeapon) and bool(ways_of_bay(state, ship, order.system))


def _fittings(seen: FormSight, ship: ShipState, plot: Plot) -> list[Pick]:
    """What the multi-role groups aboard may be fitted out as."""
    said = {order.system: order.setting for order in plot.further if isinstance(order, SetWeapon)}
    picks = []
    for index in ship.profile.bays:
        bay = ship.sheet.fits[index].id
        ways = ways_of_bay(seen.state, ship, bay) if ship.alive[index] and ship.stock[index] else ()
        if ways:
            now = ways[ship.record.setting.get(bay, 0)]
            options = tuple((way, way.replace("-", " ")) for way in ways)
            label = f"Fit out {system_words(bay)} as"
            picks.append(Pick(f"fit-{ship.id}-{bay}", label, options, (said.get(bay, now),)))
    return picks


def _sayable(ship: ShipState, plot: Plot) -> bool:
    """Whether the fields of the form say all of a plot."""
    if plot.second or plot.otherwise is not None or (plot.burns and ship.drift is None):
        return False
    return all(at == AT_END for at in plot.mines) and len(plot.scan) <= 1


def _moves(seen: FormSight, ship: ShipState, plot: Plot) -> list[Pick]:
    """Turn and speed, of a ship that does not move by vectors."""
    if ship.drift is not None:
        return []
    turning, main = limits(seen.state, ship)
    return [
        Pick(f"turn-{ship.id}", "Turn", _turns(turning), (str(plot.turn),)),
        Pick(f"thrust-{ship.id}", "Speed", _thrusts(ship, main), (str(plot.thrust),)),
    ]


def _turns(most: int) -> tuple[Option, ...]:
    ways = [
        (n, f"{'port' if n < 0 else 'starboard'} {abs(n)}" if n else "straight ahead") for n in range(-most, most + 1)
    ]
    return tuple((str(n), words) for n, words in ways)


def _thrusts(ship: ShipState, most: int) -> tuple[Option, ...]:
    least = -min(most, ship.velocity)
    return tuple((str(n), f"{n:+d}, to {ship.velocity + n}" if n else "unchanged") for n in range(most, least - 1, -1))


def _contact_picks(seen: FormSight, ship: ShipState, plot: Plot) -> list[Pick]:
    """What a ship may do to somebody else: scan, ram, dock."""
    nobody: Option = ("", "none")
    others = seen.others()
    picks = []
    if others and (seen.state.bogeys or ADVANCED_SENSORS in seen.state.terms.options):
        picks.append(Pick(f"scan-{ship.id}", "Active scan of", (nobody, *others), plot.scan or ("",)))
    if others and ship.sheet.kind != HullKind.INSTALLATION:
        picks.append(Pick(f"ram-{ship.id}", "Ram", (nobody, *others), (plot.ram,)))
    bases = [
        (one.id, seen.names.get(one.id, one.id))
        for one in seen.state.ships
        if one.id != ship.id and is_base(seen.state, ship, one)
    ]
    if bases:
        picks.append(Pick(f"dock-{ship.id}", "Dock with", (("", "none"), *bases), (plot.dock,)))
    return picks


def _ticks(seen: FormSight, ship: ShipState, plot: Plot) -> list[Tick]:
    """The further words that the ship's systems allow."""
    fits = {fit.type: place for place, fit in enumerate(ship.sheet.fits) if ship.alive[place]}
    name = f"word-{ship.id}"
    ticks = []
    for bay in ship.profile.bays:
        fit = ship.sheet.fits[bay]
        if ship.alive[bay] and ship.stock[bay]:
            craft = (row_in(ship, bay).word or "fighters").removesuffix("s")
            words = f"launch {counted_noun(ship.stock[bay], craft)} from {system_words(fit.id)}"
            ticks.append(Tick(f"launch-{ship.id}", fit.id, words, fit.id in plot.launch))
    if "ftl" in fits:
        ticks.append(Tick(name, "ftl", "warm up the FTL drive", plot.ftl))
    racks = ship.profile.having.get(Trait.LAYS_MINES, ())
    if any(ship.stock[place] for place in racks) and not plot_faults(seen.state, ship, Plot(mines=(AT_END,))):
        ticks.append(Tick(f"mine-{ship.id}", "on", "lay a mine where the move ends", bool(plot.mines)))
    if "minesweeper" in fits:
        ticks.append(Tick(name, "sweep", "sweep for mines", plot.sweep))
    if works_with(ship, Trait.ARMED_BY_PLOT):
        ticks.append(Tick(name, "nova", "all power to the nova cannon", plot.nova))
    if not plot_faults(seen.state, ship, Plot(further=(MakeOrbit(),))):
        words = "stay in orbit" if ship.orbits else "go into orbit where the move meets a planet"
        ticks.append(Tick(name, MakeOrbit.word(), words, plot.find(MakeOrbit) is not None))
    if ship.dock:
        ticks.append(Tick(name, "undock", "undock", plot.undock))
    ticks.append(Tick(name, "leave", "may leave over the table edge", plot.leave))
    return ticks


def plot_payload(seen: FormSight, posted: QueryDict) -> dict[str, str]:
    """Plots by ship, as the form says them; ships that hold course and speed are left out."""
    found: dict[str, str] = {}
    for ship in seen.ships:
        if ship.status in MOVING:
            raw = text(posted, f"raw-{ship.id}")
            words = _shaped(ship, raw, posted) if raw else _plot_words(seen.state, ship, posted)
            if words:
                found[ship.id] = words
    return found


def _shaped(ship: ShipState, words: str, posted: QueryDict) -> str:
    """An order in words with the bolts that the fields beside it shape, unless it speaks of bolts itself."""
    shaped = [fit for fit in shapers(ship) if text(posted, f"prey-{ship.id}-{fit}")]
    if not shaped or ShapeBolt.word() in words.lower().split():
        return words
    return f"{words}; {ShapeBolt(tuple(shaped)).words()}"


def _plot_words(state: BattleState, ship: ShipState, posted: QueryDict) -> str:
    key = ship.id
    turn, thrust = number(text(posted, f"turn-{key}") or "0"), number(text(posted, f"thrust-{key}") or "0")
    parts = []
    if isinstance(turn, int) and isinstance(thrust, int):
        parts.append(Plot(turn=turn, thrust=thrust).words())
    else:
        parts.append(f"{turn} {thrust}")
    parts.append(text(posted, f"burns-{key}"))
    parts += posted.getlist(f"word-{key}")
    if text(posted, f"enter-{key}"):
        parts.append(f"enter {text(posted, f'enter-{key}')}")
    if launch := posted.getlist(f"launch-{key}"):
        parts.append(f"launch {' '.join(launch)}")
    if text(posted, f"mine-{key}"):
        parts.append("mine")
    parts += [
        f"{word} {text(posted, f'{word}-{key}')}" for word in ("scan", "ram", "dock") if posted.get(f"{word}-{key}")
    ]
    for index in ship.profile.bays:
        bay = ship.sheet.fits[index].id
        ways, role = ways_of_bay(state, ship, bay), text(posted, f"fit-{key}-{bay}")
        if ways and role and role != ways[ship.record.setting.get(bay, 0)]:
            parts.append(SetWeapon(bay, role).words())
    if shaped := [fit for fit in shapers(ship) if text(posted, f"prey-{key}-{fit}")]:
        parts.append(ShapeBolt(tuple(shaped)).words())
    parts.append(text(posted, f"also-{key}"))
    return "; ".join(part for part in parts if part)


def shapers(ship: ShipState) -> list[str]:
    """The working launchers of a ship whose bolts can be shaped."""
    rows = zip(ship.sheet.fits, ship.profile.weapons, ship.alive, strict=True)
    return [fit.id for fit, weapon, works in rows if works and weapon.shapes]


def weapons_of(ship: ShipState) -> Iterable[tuple[str, Weapon]]:
    """The systems of a ship that are aimed in the fire part of a turn, and still work."""
    for place, (fit, weapon) in enumerate(zip(ship.sheet.fits, ship.profile.weapons, strict=True)):
        spent = fit.expendable and not ship.stock[place]
        if weapon.aimed and ship.alive[place] and not spent and not weapon.unfed(ship, fit):
            yield fit.id, weapon


__all__ = ["CHOICES", "Fields", "FormSight", "OrderRow", "Pick", "Tick", "Written", "anchor", "weapons_of"]
