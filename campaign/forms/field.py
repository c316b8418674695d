"""A form field: one declaration that names it, reads it, draws it and describes it to scripts.

Pure. A module declares each of its fields once and uses its key nowhere else:

    SPEED = NumberField("speed", least=0, most=20)
    SPEED.name("f2")                                  # "speed-f2", the field of fleet f2
    SPEED.read(posted, "f2")                          # 8, or the text if it is no number
    SPEED.draw("f2", label=phrase("Speed"), value=8)  # what templates/campaign/_fields.html draws
    SPEED.check(posted, "f2")                         # the fault of the value, or None
    SPEED.for_script()  # {"name": "speed", "kind": "number", "least": 0, "most": 20}

Scripts build names with `nameOf(field, ...of)` of static/js/field.js, from a description that the
page contains. The rules check orders and locate each fault, so `read` keeps whatever was sent. A
page without such rules uses `check`: Django's own form fields find the faults and word them in
every language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from typing_extensions import override

from engine.core.errors import Violation
from engine.core.phrase import join_phrases

Item = TypeVar("Item")

SEPARATOR = "-"  # between a field's key and its item; nameOf in static/js/field.js uses it too

Option = tuple[str, str]  # the submitted value and its label
Payload = dict[str, Any]  # orders in the API's format
Values = Mapping[str, list[str]]  # field values by name


def as_mapping(value: object) -> Mapping[Any, Any]:
    """Return a part of a payload if it is a mapping, else an empty one."""
    if isinstance(value, Mapping):
        return value
    return {}


def one_or_more(value: object) -> list[Any]:
    """Return the values of a part of a payload that has one or a list of them."""
    if isinstance(value, list):
        return value
    return [value]


def item_at(items: Sequence[Item], place: int, default: Item) -> Item:
    """Return the item at a place of a list, or the default beyond its end."""
    if place < len(items):
        return items[place]
    return default


def text(post: QueryDict, name: str) -> str:
    """Return a field's text without surrounding spaces; empty if it is missing."""
    return str(post.get(name, "")).strip()


def number(text_value: str) -> int | str:
    """Return a whole number, or the text unchanged so that the rules report it."""
    if re.fullmatch(r"-?[0-9]{1,9}", text_value):
        return int(text_value)
    return text_value


def coordinate(text_value: str) -> float | str:
    """Return a number with a point or a comma, or the text unchanged for the rules to report."""
    if not re.fullmatch(r"-?[0-9]{1,4}([.,][0-9]{1,3})?", text_value):
        return text_value
    value = float(text_value.replace(",", "."))
    return int(value) if value.is_integer() else value


@dataclass(frozen=True, slots=True)
class Select:
    """A select as it is drawn, with the chosen values."""

    name: str
    label: str
    options: tuple[Option, ...]
    chosen: tuple[str, ...]
    is_multiple: bool = False


@dataclass(frozen=True, slots=True)
class Checkbox:
    """A checkbox as it is drawn."""

    name: str
    value: str  # sent if ticked
    label: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class Input:
    """A text input as it is drawn."""

    name: str
    label: str
    value: str
    hint: str = ""  # an example of its contents
    bounds: tuple[int, int] | None = None  # least and most, for a number


@dataclass(frozen=True, slots=True)
class Fields:
    """Fields that are drawn together."""

    picks: tuple[Select, ...] = ()
    ticks: tuple[Checkbox, ...] = ()
    inputs: tuple[Input, ...] = ()

    @property
    def has_fields(self) -> bool:
        """Whether there are any fields."""
        return bool(self.picks or self.ticks or self.inputs)

    def __add__(self, other: Fields) -> Fields:
        return Fields(
            self.picks + other.picks, self.ticks + other.ticks, self.inputs + other.inputs
        )


@dataclass(frozen=True, slots=True)
class Field:
    """A field, identified by its key.

    Each call gives the item that it belongs to (a ship, a weapon, a place in a list) as `of`.
    """

    kind: ClassVar[str] = "text"

    key: str

    def name(self, *of: object) -> str:
        """Return the name of this field for an item, as in HTML and in submitted forms."""
        return SEPARATOR.join((self.key, *map(str, of)))

    def is_sent(self, post: QueryDict, *of: object) -> bool:
        """Return whether the form had this field; an unticked box is not sent."""
        return self.name(*of) in post

    def text(self, post: QueryDict, *of: object) -> str:
        """Return the submitted text without surrounding spaces; empty if there is none."""
        return text(post, self.name(*of))

    def read(self, post: QueryDict, *of: object) -> Any:
        """Return the submitted value in the format of orders."""
        return self.text(post, *of)

    def name_suffix(self, name: str, *of: object) -> str | None:
        """Return the rest of a name after this field and `of`, or None for another field's name."""
        start = f"{self.name(*of)}{SEPARATOR}"
        if name.startswith(start):
            return name.removeprefix(start)
        return None

    def name_suffixes(self, names: Iterable[str], *of: object) -> list[str]:
        """Return the rests of all names of this field for `of`, in their order."""
        suffixes = (self.name_suffix(name, *of) for name in names)
        return [suffix for suffix in suffixes if suffix is not None]

    def places(self, names: Iterable[str], *of: object) -> list[int]:
        """Return the numbers that follow `of` in names of this field, in ascending order."""
        places: list[int] = []
        for suffix in self.name_suffixes(names, *of):
            if suffix.isdecimal():
                places.append(int(suffix))
        return sorted(places)

    def check(self, post: QueryDict, *of: object) -> Violation | None:
        """Return the fault of the submitted value, located by the field's name, or None."""
        return self._fault(self._django(), post, *of)

    def for_script(self) -> dict[str, Any]:
        """Describe the field to a script: its key, kind and limits."""
        return {"name": self.key, "kind": self.kind}

    def _fault(self, django_field: forms.Field, post: QueryDict, *of: object) -> Violation | None:
        """Return the first fault that a Django field finds in the submitted value."""
        try:
            django_field.clean(self.text(post, *of))
        except ValidationError as error:
            first_error = error.error_list[0]
            message = join_phrases(" ", [str(message) for message in first_error.messages])
            return Violation(self.name(*of), first_error.code or "invalid", message)
        return None

    def _django(self) -> forms.Field:
        """Return the Django field that validates a value."""
        return forms.CharField(required=False)


@dataclass(frozen=True, slots=True)
class TextField(Field):
    """A text field."""

    longest: int | None = None

    def draw(self, *of: object, label: str, value: object = "", hint: str = "") -> Input:
        """Draw the field for an item.

        Args:
            hint: An example of its contents.
        """
        return Input(self.name(*of), label, str(value), hint)

    @override
    def for_script(self) -> dict[str, Any]:
        limits = {} if self.longest is None else {"longest": self.longest}
        return Field.for_script(self) | limits

    @override
    def _django(self) -> forms.Field:
        return forms.CharField(required=False, max_length=self.longest)


@dataclass(frozen=True, slots=True)
class NumberField(Field):
    """A field for a whole number, with optional limits."""

    kind: ClassVar[str] = "number"

    least: int | None = None
    most: int | None = None

    @override
    def read(self, post: QueryDict, *of: object) -> int | str:
        """Return the submitted number, or the text unchanged (empty if nothing was sent)."""
        return number(self.text(post, *of))

    def draw(
        self,
        *of: object,
        label: str,
        value: object = "",
        hint: str = "",
        bounds: tuple[int, int] | None = None,
    ) -> Input:
        """Draw the field for an item.

        Args:
            hint: An example of its contents.
            bounds: The limits for this item, if they vary.
        """
        if bounds is None and self.least is not None and self.most is not None:
            bounds = (self.least, self.most)
        return Input(self.name(*of), label, str(value), hint, bounds=bounds)

    @override
    def for_script(self) -> dict[str, Any]:
        limits = {"least": self.least, "most": self.most}
        return Field.for_script(self) | {
            word: limit for word, limit in limits.items() if limit is not None
        }

    @override
    def _django(self) -> forms.Field:
        return forms.IntegerField(required=False, min_value=self.least, max_value=self.most)


@dataclass(frozen=True, slots=True)
class ChoiceField(Field):
    """A field with a list of values."""

    kind: ClassVar[str] = "choice"

    options: tuple[Option, ...] = ()  # the same for every item; else `draw` gets them

    def draw(
        self,
        *of: object,
        label: str,
        chosen: object = "",
        options: Iterable[Option] | None = None,
    ) -> Select:
        """Draw the field for an item.

        Args:
            chosen: The selected value.
            options: The options for this item, if they vary.
        """
        options_shown = self.options if options is None else tuple(options)
        return Select(self.name(*of), label, options_shown, (str(chosen),))

    @override
    def check(
        self, post: QueryDict, *of: object, options: Iterable[Option] | None = None
    ) -> Violation | None:
        """Return the fault of the submitted value, or None.

        Args:
            options: The options that `draw` got, if they vary.
        """
        choices = self.options if options is None else tuple(options)
        return self._fault(forms.ChoiceField(required=False, choices=choices), post, *of)

    @override
    def for_script(self) -> dict[str, Any]:
        values = [value for value, _ in self.options]
        return Field.for_script(self) | ({"options": values} if values else {})


@dataclass(frozen=True, slots=True)
class TickField(Field):
    """A checkbox."""

    kind: ClassVar[str] = "tick"

    @override
    def read(self, post: QueryDict, *of: object) -> bool:
        """Return whether it was ticked."""
        return bool(self.text(post, *of))

    def draw(self, *of: object, label: str, on: bool, value: str = "on") -> Checkbox:
        """Draw the field for an item.

        Args:
            value: The value sent if ticked.
        """
        return Checkbox(self.name(*of), value, label, on)

    @override
    def _django(self) -> forms.Field:
        return forms.BooleanField(required=False)


@dataclass(frozen=True, slots=True)
class HiddenField(Field):
    """A hidden field."""

    kind: ClassVar[str] = "hidden"

    def draw(self, *of: object, value: object) -> Option:
        """Return its name and value."""
        return self.name(*of), str(value)


def for_scripts(**fields: Field) -> dict[str, dict[str, Any]]:
    """Describe the fields that a script writes, by the script's names for them."""
    return {word: field.for_script() for word, field in fields.items()}


def displayed_values(fields: Iterable[Fields]) -> dict[str, list[str]]:
    """Return the values of fields as first shown, as a browser would send them."""
    values: dict[str, list[str]] = {}
    for field_group in fields:
        for pick in field_group.picks:
            offered = [value for value, _ in pick.options]
            # A browser selects the first option if the chosen one is not offered
            values[pick.name] = [value for value in pick.chosen if value in offered] or offered[:1]
        for tick in field_group.ticks:
            values.setdefault(tick.name, []).extend([tick.value] if tick.is_on else [])
        for text_input in field_group.inputs:
            values[text_input.name] = [text_input.value]
    return values


def first_value(values: Values, name: str) -> str:
    """Return the first value of a field without surrounding spaces, or ""."""
    return next((value.strip() for value in values.get(name, ())), "")
