"""A form field: one declaration that names it, reads it, draws it and describes it to scripts.

Pure.

A module declares each of its fields once and spells its key nowhere else:

    SPEED = NumberField("speed", least=0, most=20)

    SPEED.name("f2")                                  # "speed-f2", the field of fleet f2
    SPEED.read(posted, "f2")                          # 8, or the text as it is where it is no number
    SPEED.draw("f2", label=phrase("Speed"), value=8)  # what templates/campaign/_fields.html draws
    SPEED.check(posted, "f2")                         # what is wrong with it, or None
    SPEED.for_script()                                # {"name": "speed", "kind": "number", "least": 0, "most": 20}

Scripts make names with `nameOf(field, ...of)` of static/js/field.js from a description that the
page sends.

Orders are judged by the rules, with the place of each fault, so `read` keeps whatever was sent. A
page without such rules uses `check`: Django's own form fields find the faults and word them in
every language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from typing_extensions import override

from engine.core.errors import Violation
from engine.core.phrase import join_phrases

SEP = (
    "-"  # between a field's key and what it is about; nameOf in static/js/field.js joins by it, too
)

Option = tuple[str, str]  # the value that is sent, and its words
Payload = dict[str, Any]  # orders as the API takes them
Values = Mapping[str, list[str]]  # what fields hold, by their names


def text(post: QueryDict, name: str) -> str:
    """A field's text without the spaces around it; empty where it is not there."""
    return str(post.get(name, "")).strip()


def number(text_value: str) -> int | str:
    """A whole number, or the text as it is, for the rules to find fault with."""
    return int(text_value) if re.fullmatch(r"-?[0-9]{1,9}", text_value) else text_value


@dataclass(frozen=True, slots=True)
class Select:
    """A list as it is drawn, and what is chosen of it. `many`: several at once."""

    name: str
    label: str
    options: tuple[Option, ...]
    chosen: tuple[str, ...]
    is_multiple: bool = False


@dataclass(frozen=True, slots=True)
class Checkbox:
    """A box to tick, as it is drawn. `value`: what it sends; `on`: it is ticked."""

    name: str
    value: str
    label: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class Input:
    """A field for text, as it is drawn.

    `hint`: what is written there. `bounds`: it is a number, between these.
    """

    name: str
    label: str
    value: str
    hint: str = ""
    bounds: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Fields:
    """Fields that are drawn together."""

    picks: tuple[Select, ...] = ()
    ticks: tuple[Checkbox, ...] = ()
    inputs: tuple[Input, ...] = ()

    @property
    def has_fields(self) -> bool:
        """Whether there is one."""
        return bool(self.picks or self.ticks or self.inputs)


@dataclass(frozen=True, slots=True)
class Field:
    """A field by its key.

    What it is about (a ship, a weapon, a place in a list) is given with each call as `of`.
    """

    kind: ClassVar[str] = "text"

    key: str

    def name(self, *of: object) -> str:
        """Return the name of this field for one thing, as HTML and what is posted have it."""
        return SEP.join((self.key, *map(str, of)))

    def is_sent(self, post: QueryDict, *of: object) -> bool:
        """Whether the form had this field; of a box that is not ticked nothing is sent."""
        return self.name(*of) in post

    def text(self, post: QueryDict, *of: object) -> str:
        """Return what was sent without the spaces around it; empty where nothing was."""
        return text(post, self.name(*of))

    def read(self, post: QueryDict, *of: object) -> Any:
        """Return the value that was sent, as orders have it."""
        return self.text(post, *of)

    def name_suffix(self, name: str, *of: object) -> str | None:
        """Return what a name says after this field and `of`; None where it is another field's
        name.
        """
        start = f"{self.name(*of)}{SEP}"
        return name.removeprefix(start) if name.startswith(start) else None

    def name_suffixes(self, names: Iterable[str], *of: object) -> list[str]:
        """Return what the names of this field for `of` say after it, in their order."""
        suffixes = (self.name_suffix(name, *of) for name in names)
        return [rest for rest in suffixes if rest is not None]

    def places(self, names: Iterable[str], *of: object) -> list[int]:
        """Return the numbers that follow `of` in the names of this field, the least first."""
        return sorted(int(rest) for rest in self.name_suffixes(names, *of) if rest.isdecimal())

    def check(self, post: QueryDict, *of: object) -> Violation | None:
        """Return what is wrong with the value that was sent; its place is the field's name."""
        return self._fault(self._django(), post, *of)

    def for_script(self) -> dict[str, Any]:
        """Describe the field to a script: its name without what it is about, its kind, its
        limits.
        """
        return {"name": self.key, "kind": self.kind}

    def _fault(self, judge: forms.Field, post: QueryDict, *of: object) -> Violation | None:
        """Return the first fault that a field of Django finds with the value that was sent."""
        try:
            judge.clean(self.text(post, *of))
        except ValidationError as error:
            error_found = error.error_list[0]
            words = join_phrases(" ", [str(message) for message in error_found.messages])
            return Violation(self.name(*of), error_found.code or "invalid", words)
        return None

    def _django(self) -> forms.Field:
        """The field of Django that judges a value."""
        return forms.CharField(required=False)


@dataclass(frozen=True, slots=True)
class TextField(Field):
    """A field for text."""

    longest: int | None = None

    def draw(self, *of: object, label: str, value: object = "", hint: str = "") -> Input:
        """Draw it for one thing. `hint`: an example of what is written there."""
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
    """A field for a whole number. `least`, `most`: its limits, where it has some."""

    kind: ClassVar[str] = "number"

    least: int | None = None
    most: int | None = None

    @override
    def read(self, post: QueryDict, *of: object) -> int | str:
        """Return the number that was sent, or the text as it is: empty where nothing was sent."""
        return number(self.text(post, *of))

    def draw(
        self,
        *of: object,
        label: str,
        value: object = "",
        hint: str = "",
        bounds: tuple[int, int] | None = None,
    ) -> Input:
        """Draw it for one thing.

        `bounds`: its limits here, where they depend on what it is about.
        """
        if bounds is None and self.least is not None and self.most is not None:
            bounds = (self.least, self.most)
        return Input(self.name(*of), label, str(value), hint, bounds)

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
    """A field with a list of values.

    `options`: those it always has, where they do not depend on what it is about.
    """

    kind: ClassVar[str] = "choice"

    options: tuple[Option, ...] = ()

    def draw(
        self,
        *of: object,
        label: str,
        chosen: object = "",
        options: Iterable[Option] | None = None,
    ) -> Select:
        """Draw it for one thing. `options`: those it has here."""
        offered = self.options if options is None else tuple(options)
        return Select(self.name(*of), label, offered, (str(chosen),))

    @override
    def check(
        self, post: QueryDict, *of: object, options: Iterable[Option] | None = None
    ) -> Violation | None:
        """Return what is wrong with the value that was sent.

        `options`: those that `draw` was given.
        """
        offered = self.options if options is None else tuple(options)
        return self._fault(forms.ChoiceField(required=False, choices=offered), post, *of)

    @override
    def for_script(self) -> dict[str, Any]:
        values = [value for value, _ in self.options]
        return Field.for_script(self) | ({"options": values} if values else {})


@dataclass(frozen=True, slots=True)
class TickField(Field):
    """A box to tick."""

    kind: ClassVar[str] = "tick"

    @override
    def read(self, post: QueryDict, *of: object) -> bool:
        """Whether it was ticked."""
        return bool(self.text(post, *of))

    def draw(self, *of: object, label: str, on: bool, value: str = "on") -> Checkbox:
        """Draw it for one thing. `value`: what it sends."""
        return Checkbox(self.name(*of), value, label, on)

    @override
    def _django(self) -> forms.Field:
        return forms.BooleanField(required=False)


@dataclass(frozen=True, slots=True)
class HiddenField(Field):
    """A field that goes along unseen."""

    kind: ClassVar[str] = "hidden"

    def draw(self, *of: object, value: object) -> Option:
        """Give its name and its value."""
        return self.name(*of), str(value)


def for_scripts(**fields: Field) -> dict[str, dict[str, Any]]:
    """Describe the fields that a script writes, by the words the script has for them."""
    return {word: field.for_script() for word, field in fields.items()}


def displayed_values(fields: Iterable[Fields]) -> dict[str, list[str]]:
    """What fields hold as they are shown, as a browser sends them."""
    values: dict[str, list[str]] = {}
    for field_group in fields:
        for pick in field_group.picks:
            offered = [value for value, _ in pick.options]
            values[pick.name] = [value for value in pick.chosen if value in offered] or offered[:1]
        for tick in field_group.ticks:
            values.setdefault(tick.name, []).extend([tick.value] if tick.is_on else [])
        for text_input in field_group.inputs:
            values[text_input.name] = [text_input.value]
    return values


def first_value(values: Values, name: str) -> str:
    """The value of a field that has one, without spaces about it; "" where it has none."""
    return next((value.strip() for value in values.get(name, ())), "")
