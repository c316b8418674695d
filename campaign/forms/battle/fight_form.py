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
from engine.captains.continuum.expected_fire import ExpectedShot, expected_shots
from engine.continuum.aiming import FIRED_AT
from engine.core.phrase import join_phrases
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import FLAK, Terms
from engine.core.versions import FLAK_AMONG_CRAFT
from engine.english import system_words
from engine.pieces.group import Group
from engine.weapons.weapon import Trait, Weapon

SHIP_TARGET = ChoiceField("prey")
ORDER_TEXT = TextField("raw")
SECTIONS_SENT = HiddenField(
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


def can_aim_at_system(weapon: Weapon) -> bool:
    """Whether a weapon may be aimed at a system, or its hits laid on some."""
    return weapon.picks_systems


def can_fire_at_point(weapon: Weapon, terms: Terms) -> bool:
    """Whether a weapon may be fired at a point of the table."""
    return any(mode != FLAK or not terms.follows(FLAK_AMONG_CRAFT) for mode in weapon.at_point)


def system_text(fire: Mapping[str, Any]) -> str:
    """The system, or the systems, of a payload's fire as they are written."""
    systems = fire.get("system") or ()
    return join_phrases(
        ", ",
        (
            system_words(str(system))
            for system in (systems if isinstance(systems, list) else [systems])
            if system
        ),
    )


def point_text(fire: Mapping[str, Any]) -> str:
    """The point of a payload's fire as it is written."""
    at = fire.get("at")
    if not isinstance(at, list | tuple):
        return ""
    return " ".join(
        f"{coordinate:g}" if isinstance(coordinate, int | float) else str(coordinate)
        for coordinate in at
    )


def fire_details(post: QueryDict, weapon: Weapon, name: str, terms: Terms) -> dict[str, Any]:
    """The entries of a form about a weapon's fire besides its targets.

    `name`: of its fields, ship and weapon.
    """
    details: dict[str, Any] = {}
    system_names = SYSTEM.text(post, name).split(",")
    systems = [system_id(part, terms.edition) for part in system_names if part.strip()]
    if systems:
        details["system"] = (
            systems if Trait.SPREADS in weapon.traits else join_phrases(", ", systems)
        )
    if modes_of(weapon, terms) and (mode := MODE.text(post, name)):
        details["mode"] = mode
    if can_fire_at_point(weapon, terms) and (at := AIM_POINT.text(post, name)):
        details["at"] = parse_point(at)
    return details


def parse_point(text: str) -> list[object]:
    """A point of the table from how it is written."""
    return [_coordinate(part) for part in text.replace(",", " ").split()]


def _coordinate(part: str) -> object:
    integer = number(part)
    if isinstance(integer, int):
        return integer
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
    to_text: Callable[[Values], str] = field(compare=False)
    help_text: str = ""
    faults: tuple[str, ...] = ()

    @property
    def is_grouped(self) -> bool:
        """Whether it has several fields, under one label."""
        return len(self.fields.picks) + len(self.fields.ticks) + len(self.fields.inputs) > 1


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
    inputs: tuple[Input, ...]
    raw: Input | None
    faults: tuple[str, ...]
    hidden_fields: tuple[Option, ...] = ()
    extra_names: frozenset[str] = frozenset()
    more_controls: tuple[Control, ...] | None = ()

    @property
    def sent_marker_name(self) -> str:
        """The name of the field that says of what the form has sent all fields."""
        return SECTIONS_SENT.name(self.key)

    @property
    def names(self) -> frozenset[str]:
        """The names of its lists, ticks and texts."""
        names = [pick.name for pick in self.picks] + [tick.name for tick in self.ticks]
        return frozenset(names + [field.name for field in self.inputs])

    @property
    def order_fields(self) -> Fields:
        """The fields of the order itself."""
        return self._fields(is_extra=False)

    @property
    def extra_fields(self) -> Fields:
        """The fields of what is ordered beside it."""
        return self._fields(is_extra=True)

    def _fields(self, *, is_extra: bool) -> Fields:
        return Fields(
            tuple(pick for pick in self.picks if (pick.name in self.extra_names) == is_extra),
            tuple(tick for tick in self.ticks if (tick.name in self.extra_names) == is_extra),
            tuple(field for field in self.inputs if (field.name in self.extra_names) == is_extra),
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
    commanded: frozenset[str]
    names: Mapping[str, str]
    opened_ids: frozenset[str] | None = None
    shows_lists: bool = True
    prospects_by_ship: dict[str, list[ExpectedShot]] = field(default_factory=dict, compare=False)

    def identified_ships(self) -> list[ShipState]:
        """The ships of others whose class is known."""
        return [ship for ship in self.state.ships if ship.commander != self.side and not ship.bogey]

    def prospects(self, ship: ShipState) -> list[ExpectedShot]:
        """What a ship's weapons bear on, and may be expected to do there."""
        if ship.id not in self.prospects_by_ship:
            self.prospects_by_ship[ship.id] = expected_shots(
                self.state, ship, self.identified_ships()
            )
        return self.prospects_by_ship[ship.id]

    @property
    def ships(self) -> list[ShipState]:
        return [
            ship
            for ship in self.state.ships
            if ship.commander == self.side and ship.id in self.commanded
        ]

    @property
    def groups(self) -> list[Group]:
        return [
            group
            for group in self.state.pieces_of(Group)
            if group.side == self.side and group.id in self.commanded
        ]

    def other_ships(self) -> list[Option]:
        """The ships of others that are on the table."""
        ships_on_table = [
            ship
            for ship in self.state.ships
            if ship.commander != self.side and ship.status in FIRED_AT
        ]
        return [(ship.id, self.names.get(ship.id, ship.id)) for ship in ships_on_table]

    def other_groups(self) -> list[Option]:
        foreign_groups = [group for group in self.state.pieces_of(Group) if group.side != self.side]
        return [(group.id, self.names.get(group.id, group.id)) for group in foreign_groups]


def anchor(key: str) -> str:
    """The id on the page of a ship's or a group's part of the form."""
    return f"o-{key.replace('/', '-')}"


def shapeable_launchers(ship: ShipState) -> list[str]:
    """The working launchers of a ship whose bolts can be shaped."""
    rows = zip(ship.sheet.fits, ship.profile.weapons, ship.alive, strict=True)
    return [fit.id for fit, weapon, works in rows if works and weapon.shapes]


def weapons_of(ship: ShipState) -> Iterable[tuple[str, Weapon]]:
    """The systems of a ship that are aimed in the fire part of a turn, and still work."""
    for place, (fit, weapon) in enumerate(zip(ship.sheet.fits, ship.profile.weapons, strict=True)):
        is_spent = fit.expendable and not ship.stock[place]
        if (
            weapon.is_aimed
            and ship.alive[place]
            and not is_spent
            and not weapon.has_no_magazine(ship, fit)
        ):
            yield fit.id, weapon
