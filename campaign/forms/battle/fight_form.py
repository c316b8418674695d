"""What all forms of an online battle share: rows, controls, names, and details of fire. Pure.

Fields are named `<field>-<ship or group>`. Forms are built from the battle as the side knows it and
a payload, which may contain anything. Details of fire are modes, target points on the table and
targeted systems.
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
    one_or_more,
)
from campaign.words.system_names import system_id
from engine.captains.continuum.expected_fire import ExpectedShot, expected_shots
from engine.continuum.aiming import FIRED_AT
from engine.core.phrase import join_phrases, phrase
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import ADVANCED_SENSORS, FLAK, Terms
from engine.core.versions import RANDOM_MOUNTS
from engine.english import system_words
from engine.pieces.group import Group
from engine.weapons.registry import COMMON_TYPE
from engine.weapons.weapon import Trait, Weapon

SHIP_TARGET = ChoiceField("prey")
ORDER_TEXT = TextField("raw")
# Sections whose fields were all sent, so that a missing tick means "not ticked"
SECTIONS_SENT = HiddenField("has")
SYSTEM = TextField("system")
MODE = ChoiceField("mode")
AIM_POINT = TextField("at")

CHOICES = 3  # targets in order of preference


def modes_of(weapon: Weapon) -> tuple[str, ...]:
    """Return a weapon's modes of fire, or none if it has only one. Flak is fired with the plots."""
    modes = tuple(mode for mode in weapon.modes if mode != FLAK)
    if len(modes) > 1:
        return modes
    return ()


def can_aim_at_system(weapon: Weapon) -> bool:
    """Return whether a weapon can aim at a system, or lay its hits on some."""
    return weapon.picks_systems


def can_fire_at_point(weapon: Weapon) -> bool:
    """Return whether a weapon can fire at a point on the table."""
    return any(mode != FLAK for mode in weapon.at_point)


def system_hint(terms: Terms) -> str:
    """Return an example of what a weapon aims at; of closed record sheets also a type of weapon."""
    if ADVANCED_SENSORS in terms.options and terms.follows(RANDOM_MOUNTS):
        return phrase("{} or {}", system_words("firecon-1"), system_words(COMMON_TYPE))
    return system_words("firecon-1")


def system_text(fire: Mapping[str, Any]) -> str:
    """Return the targeted systems of a payload's fire as text."""
    systems = one_or_more(fire.get("system") or ())
    names = [system_words(str(system)) for system in systems if system]
    return join_phrases(", ", names)


def point_text(fire: Mapping[str, Any]) -> str:
    """Return the target point of a payload's fire as text, like `24 30`."""
    point = fire.get("at")
    if not isinstance(point, list | tuple):
        return ""
    coordinates = []
    for coordinate in point:
        is_number = isinstance(coordinate, int | float)
        coordinates.append(f"{coordinate:g}" if is_number else str(coordinate))
    return " ".join(coordinates)


def fire_details(post: QueryDict, weapon: Weapon, name: str, terms: Terms) -> dict[str, Any]:
    """Return the form's entries about a weapon's fire, except its targets.

    Args:
        name: Part of the field names, from ship and weapon.
    """
    details: dict[str, Any] = {}
    system_names = SYSTEM.text(post, name).split(",")
    systems = [system_id(part, terms.edition) for part in system_names if part.strip()]
    if systems:
        if Trait.SPREADS in weapon.traits:
            details["system"] = systems
        else:
            details["system"] = join_phrases(", ", systems)
    if modes_of(weapon) and (mode := MODE.text(post, name)):
        details["mode"] = mode
    if can_fire_at_point(weapon) and (at := AIM_POINT.text(post, name)):
        details["at"] = parse_point(at)
    return details


def parse_point(text: str) -> list[object]:
    """Parse a point on the table from text; a coordinate that is no number stays text."""
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
    """The form fields that together express one part of a plot.

    The same function reads submitted values and the values as first shown. So a form can find out
    what was changed.
    """

    key: str  # of the part of the plot
    id: str  # of its element on the page
    label: str
    fields: Fields
    # Returns the part of the plot from field values; "" if they express nothing
    to_text: Callable[[Values], str] = field(compare=False)
    help_text: str = ""
    faults: tuple[str, ...] = ()

    @property
    def is_grouped(self) -> bool:
        """Whether it has several fields under one label."""
        return len(self.fields.picks) + len(self.fields.ticks) + len(self.fields.inputs) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRow:
    """A ship or group in a phase's form, with the fields for its orders."""

    key: str  # id of the ship or group
    name: str
    state: str = ""  # what it can do now, in words
    picks: tuple[Select, ...] = ()
    ticks: tuple[Checkbox, ...] = ()
    inputs: tuple[Input, ...] = ()
    raw: Input | None = None  # the whole order as text
    faults: tuple[str, ...] = ()
    hidden_fields: tuple[Option, ...] = ()
    # Names of fields that are not part of the order in `raw`
    extra_names: frozenset[str] = frozenset()
    # Rarely used controls; None if they load on demand
    more_controls: tuple[Control, ...] | None = ()

    @property
    def id(self) -> str:
        """The id of its element on the page."""
        return anchor(self.key)

    @property
    def sent_marker_name(self) -> str:
        """The name of the field that lists the sections sent with all their fields."""
        return SECTIONS_SENT.name(self.key)

    @property
    def names(self) -> frozenset[str]:
        """The names of its selects, ticks and inputs."""
        names = [pick.name for pick in self.picks] + [tick.name for tick in self.ticks]
        return frozenset(names + [field.name for field in self.inputs])

    @property
    def order_fields(self) -> Fields:
        """The fields of the order itself."""
        return self._fields(is_extra=False)

    @property
    def extra_fields(self) -> Fields:
        """The fields of additional orders."""
        return self._fields(is_extra=True)

    def _fields(self, *, is_extra: bool) -> Fields:
        return Fields(
            tuple(pick for pick in self.picks if (pick.name in self.extra_names) == is_extra),
            tuple(tick for tick in self.ticks if (tick.name in self.extra_names) == is_extra),
            tuple(field for field in self.inputs if (field.name in self.extra_names) == is_extra),
        )


@dataclass(frozen=True, slots=True)
class FormSight:
    """What a battle form is built from: the battle as its side knows it, its units, their names."""

    state: BattleState
    side: int
    commanded: frozenset[str]  # ids of the ships and groups that the reader gives orders to
    names: Mapping[str, str]
    # Ships whose rarely used fields are shown; None for all
    opened_ids: frozenset[str] | None = None
    shows_lists: bool = True  # whether other ships still show the usual fields
    # Cache of `prospects`
    prospects_by_ship: dict[str, list[ExpectedShot]] = field(default_factory=dict, compare=False)

    def display_name(self, key: str) -> str:
        """Return the name of a ship or group, or its id if it has none."""
        return self.names.get(key, key)

    def is_hostile(self, side: int) -> bool:
        """Return whether a side of the battle is hostile to the form's side."""
        return bool(self.state.hostile[self.side] >> side & 1)

    def identified_ships(self) -> list[ShipState]:
        """Return foreign ships of known class."""
        ships: list[ShipState] = []
        for ship in self.state.ships:
            if ship.commander != self.side and not ship.bogey:
                ships.append(ship)
        return ships

    def prospects(self, ship: ShipState) -> list[ExpectedShot]:
        """Return a ship's possible shots with their expected effect."""
        if ship.id not in self.prospects_by_ship:
            self.prospects_by_ship[ship.id] = expected_shots(
                self.state, ship, self.identified_ships()
            )
        return self.prospects_by_ship[ship.id]

    @property
    def ships(self) -> list[ShipState]:
        """The side's ships that the reader gives orders to, by class, name and number."""
        ships: list[ShipState] = []
        for ship in self.state.ships:
            if ship.commander == self.side and ship.id in self.commanded:
                ships.append(ship)
        return sorted(ships, key=self._list_key)

    def _list_key(self, ship: ShipState) -> tuple[str, str, int]:
        """Return by what ships are listed: "Torch 2" comes before "Torch 10"."""
        name, _, number = self.display_name(ship.id).rpartition(" ")
        if not number.isdecimal():
            return (ship.sheet.cls, self.display_name(ship.id), 0)
        return (ship.sheet.cls, name, int(number))

    @property
    def groups(self) -> list[Group]:
        """The side's groups in flight that the reader gives orders to."""
        groups: list[Group] = []
        for group in self.state.pieces_of(Group):
            if group.side == self.side and group.id in self.commanded:
                groups.append(group)
        return groups

    def other_ships(self) -> list[Option]:
        """Return the foreign ships on the table as options: id and name."""
        options: list[Option] = []
        for ship in self.state.ships:
            if ship.commander != self.side and ship.status in FIRED_AT:
                options.append((ship.id, self.display_name(ship.id)))
        return options

    def other_groups(self) -> list[Option]:
        """Return the foreign groups in flight as options: id and name."""
        options: list[Option] = []
        for group in self.state.pieces_of(Group):
            if group.side != self.side:
                options.append((group.id, self.display_name(group.id)))
        return options


def anchor(key: str) -> str:
    """Return the element id of a ship's or group's part of the form."""
    return f"o-{key.replace('/', '-')}"


def shapeable_launchers(ship: ShipState) -> list[str]:
    """Return a ship's working launchers whose bolts can be shaped."""
    launcher_ids = []
    for fit, weapon, is_working in zip(
        ship.sheet.fits, ship.profile.weapons, ship.alive, strict=True
    ):
        if is_working and weapon.shapes:
            launcher_ids.append(fit.id)
    return launcher_ids


def weapons_of(ship: ShipState) -> Iterable[tuple[str, Weapon]]:
    """Yield the id and type of each of a ship's working systems that is aimed in the fire phase."""
    for place, (fit, weapon) in enumerate(zip(ship.sheet.fits, ship.profile.weapons, strict=True)):
        is_used_up = fit.expendable and not ship.stock[place]
        is_working = ship.alive[place] and not is_used_up
        if weapon.is_aimed and is_working and not weapon.has_no_magazine(ship, fit):
            yield fit.id, weapon
