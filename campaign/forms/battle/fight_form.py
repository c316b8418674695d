"""What the forms of all stops of a battle online share: rows, what they name, and the details of a
weapon's fire. Pure.

Fields are named `<what>-<ship or group>`. Built from the battle as the side knows it and a payload,
which may hold anything. Details: ways in which a weapon fires, points of the table, systems that
hits are laid on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from campaign.forms.field import (
    Checkbox,
    ChoiceField,
    Fields,
    HiddenField,
    Input,
    Option,
    Select,
    TextField,
    Values,
    number,
)
from campaign.words.system_names import system_id
from engine.captains.continuum.prospects import Prospect, prospects
from engine.continuum.aiming import FIRED_AT
from engine.core.phrase import joined_phrases
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import FLAK, Terms
from engine.core.versions import FLAK_AMONG_CRAFT
from engine.english import system_words
from engine.pieces.group import Group
from engine.weapons.weapon import Trait, Weapon

PREY = ChoiceField("prey")
RAW = TextField("raw")
HAS = HiddenField(
    "has"
)  # parts of which all fields are sent, so that a missing tick means "not ticked"
SYSTEM = TextField("system")
MODE = ChoiceField("mode")
AIM_POINT = TextField("at")

CHOICES = 3  # targets in order of preference


def modes_of(weapon: Weapon, terms: Terms) -> tuple[str, ...]:
    """The ways in which a weapon may be told to fire, none where there is but one; flak is fired
    with the plots.
    """
    modes = tuple(
        mode for mode in weapon.modes if mode != FLAK or not terms.follows(FLAK_AMONG_CRAFT)
    )
    return modes if len(modes) > 1 else ()


def asks_system(weapon: Weapon) -> bool:
    """Whether a weapon may be aimed at a system, or its hits laid on some."""
    return weapon.picks_systems


def asks_point(weapon: Weapon, terms: Terms) -> bool:
    """Whether a weapon may be fired at a point of the table."""
    return any(mode != FLAK or not terms.follows(FLAK_AMONG_CRAFT) for mode in weapon.at_point)


def system_text(fire: Mapping[str, Any]) -> str:
    """The system, or the systems, of a payload's fire as they are written."""
    named = fire.get("system") or ()
    return joined_phrases(
        ", ",
        (system_words(str(one)) for one in (named if isinstance(named, list) else [named]) if one),
    )


def point_text(fire: Mapping[str, Any]) -> str:
    """The point of a payload's fire as it is written."""
    at = fire.get("at")
    if not isinstance(at, list | tuple):
        return ""
    return " ".join(f"{one:g}" if isinstance(one, int | float) else str(one) for one in at)


def fire_details(posted: QueryDict, weapon: Weapon, name: str, terms: Terms) -> dict[str, Any]:
    """The entries of a form about a weapon's fire besides its targets.

    `name`: of its fields, ship and weapon.
    """
    found: dict[str, Any] = {}
    named = SYSTEM.text(posted, name).split(",")
    systems = [system_id(part, terms.edition) for part in named if part.strip()]
    if systems:
        found["system"] = (
            systems if Trait.SPREADS in weapon.traits else joined_phrases(", ", systems)
        )
    if modes_of(weapon, terms) and (mode := MODE.text(posted, name)):
        found["mode"] = mode
    if asks_point(weapon, terms) and (at := AIM_POINT.text(posted, name)):
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
class Control:
    """The fields that say one part of a plot.

    What it says of values sent is read by the same function that tells what it says as it is shown,
    so that a form knows what was changed in it. `key`: of that part; `id`: of its place on the
    page; `reads`: the part from the values of its fields, "" where they say nothing. `faults`: what
    is wrong with it.
    """

    key: str
    id: str
    label: str
    fields: Fields
    reads: Callable[[Values], str] = field(compare=False)
    help: str = ""
    faults: tuple[str, ...] = ()

    @property
    def grouped(self) -> bool:
        """Whether it has several fields, under one label."""
        return len(self.fields.picks) + len(self.fields.ticks) + len(self.fields.written) > 1


@dataclass(frozen=True, slots=True)
class OrderRow:
    """A ship or group with its orders at the stop. `state`: what it can do now, in words.

    `kept`: fields that go along unseen. `beside`: names of those that are no part of the order that
    `raw` says. `more`: the controls of what is seldom said, None where they are asked for by
    themselves.
    """

    key: str
    id: str
    name: str
    state: str
    picks: tuple[Select, ...]
    ticks: tuple[Checkbox, ...]
    written: tuple[Input, ...]
    raw: Input | None
    faults: tuple[str, ...]
    kept: tuple[Option, ...] = ()
    beside: frozenset[str] = frozenset()
    more: tuple[Control, ...] | None = ()

    @property
    def has(self) -> str:
        """The name of the field that says of what the form has sent all fields."""
        return HAS.name(self.key)

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
    """The things a form names: the battle as the side knows it, whose orders these are, what things
    are called.

    `opened`: the ships whose seldom orders are shown, None: of all; `lists`: the others have fields
    for what is usual. `kept`: what was reckoned already of the fire of its ships.
    """

    state: BattleState
    side: int
    mine: frozenset[str]
    names: Mapping[str, str]
    opened: frozenset[str] | None = None
    lists: bool = True
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
        return [
            ship
            for ship in self.state.ships
            if ship.commander == self.side and ship.id in self.mine
        ]

    @property
    def groups(self) -> list[Group]:
        return [
            group
            for group in self.state.of(Group)
            if group.side == self.side and group.id in self.mine
        ]

    def others(self) -> list[Option]:
        """The ships of others that are on the table."""
        there = [
            ship
            for ship in self.state.ships
            if ship.commander != self.side and ship.status in FIRED_AT
        ]
        return [(ship.id, self.names.get(ship.id, ship.id)) for ship in there]

    def flyers(self) -> list[Option]:
        there = [group for group in self.state.of(Group) if group.side != self.side]
        return [(group.id, self.names.get(group.id, group.id)) for group in there]


def anchor(key: str) -> str:
    """The id on the page of a ship's or a group's part of the form."""
    return f"o-{key.replace('/', '-')}"


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
