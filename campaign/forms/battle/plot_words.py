"""Controls of a plot's further words, generated from its edition's order grammar. Pure.

A word is offered if the ship can plot it now, as far as its side knows
(`engine.order_requests.plot_choices`), or if its plot already has it. A word in the plot that no
field can express gets a list of its own, to keep or remove it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from campaign.forms.battle.fight_form import Control, FormSight
from campaign.forms.field import (
    Checkbox,
    Field,
    Fields,
    Input,
    Option,
    Select,
    TickField,
    Values,
    first_value,
)
from campaign.words.plot_text import Part
from engine.continuum.weapon_orders import ShapeBolt
from engine.core.orders import FurtherOrder
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.slots import EachOf, Number, OneOf, Setting, Slot, SomeOf
from engine.english import capitalize_first, system_words
from engine.order_requests.plot_choices import possible_slots
from engine.ruleset import rules_of

MORE_SENT = Field("more")
WORD = TickField("word")

NONE: Option = ("", phrase("not ordered"))
BARE = "*"  # form value of a word without arguments
DRAWN_ELSEWHERE = (ShapeBolt,)  # shown beside the plot, at the targets of its bolts


def id_of(ship: ShipState, key: str) -> str:
    """Return the element id of a ship's control."""
    return f"w-{ship.id}-{key}".replace("/", "-").replace(" ", "-")


def name_of(ship: ShipState, key: str, place: int | None = None) -> str:
    """Return the field name of a rare control, or of its field at a place."""
    item = (ship.id, key.replace(" ", "-"))
    if place is None:
        return MORE_SENT.name(*item)
    return MORE_SENT.name(*item, place)


def word_controls(
    sight: FormSight, ship: ShipState, parts: dict[str, Part], *, usual: bool
) -> Iterable[Control]:
    """Yield the controls of a ship's further words, either the usual or the rare ones."""
    for kind in rules_of(ship.sheet.edition).grammar.further:
        if kind.describe().usual == usual and kind not in DRAWN_ELSEWHERE:
            yield from _controls_of_word(sight, ship, kind, parts)


def _controls_of_word(
    sight: FormSight, ship: ShipState, kind: type[FurtherOrder], parts: dict[str, Part]
) -> Iterator[Control]:
    """Yield the controls of one word.

    These are a control for each system with a setting, or one for the slots of the word, then one
    for each part of the plot with this word that the fields cannot express.
    """
    word = kind.word()
    slots = possible_slots(sight.state, ship, kind)
    word_parts: dict[str, Part] = {}
    for key, part in parts.items():
        if key == word or key.startswith(f"{word} "):
            word_parts[key.strip()] = part
    can_add_word = slots is not None and (kind.repeats() or not word_parts)
    if slots and isinstance(slots[0], EachOf):
        for setting in slots[0].settings:
            setting_part = word_parts.pop(f"{word} {setting.system}", None)
            yield _control_of_setting(ship, kind, setting, setting_part)
    elif word in word_parts or can_add_word:
        word_part = word_parts.pop(word, None)
        yield from _control_of_slots(sight, ship, kind=kind, slots=slots, part=word_part)
    for part in word_parts.values():
        yield _verbatim_control(ship, kind, part)


def _control_of_setting(
    ship: ShipState, kind: type[FurtherOrder], setting: Setting, part: Part | None
) -> Control:
    """Return the control of a system's setting, or of its part of the plot if that is invalid."""
    if part is None:
        return _setting_control(ship, kind, setting, setting.now)
    if part.order is None:
        return _verbatim_control(ship, kind, part)
    return _setting_control(ship, kind, setting, part.order.arguments()[1])


def _control_of_slots(
    sight: FormSight,
    ship: ShipState,
    kind: type[FurtherOrder],
    slots: Sequence[Slot] | None,
    part: Part | None,
) -> Iterator[Control]:
    """Yield the control of a word's slots, or of its part of the plot if it does not fit them."""
    arguments = () if part is None else _slot_values(part, slots)
    if slots is not None and arguments is not None:
        yield _slots_control(
            sight, ship, kind=kind, slots=slots, arguments=arguments, is_set=part is not None
        )
    elif part is not None:
        yield _verbatim_control(ship, kind, part)


def _slot_values(part: Part, slots: Sequence[Slot] | None) -> tuple[str, ...] | None:
    """Return a part's values for the fields of a word's slots, or None if they do not fit.

    A single number fits even if it is out of range.
    """
    if part.order is not None:
        return part.order.arguments()
    argument = part.text.partition(" ")[2]
    is_single_number = slots is not None and len(slots) == 1 and isinstance(slots[0], Number)
    if is_single_number and _is_number(argument):
        return (argument,)
    return None


def label_of(kind: type[FurtherOrder]) -> str:
    """Return the label of a word."""
    return kind.describe().label or capitalize_first(kind.word())


def _verbatim_control(ship: ShipState, kind: type[FurtherOrder], part: Part) -> Control:
    """Return a control that keeps or removes a word exactly as the plot has it."""
    key = part.key.strip()
    arguments = part.text.partition(" ")[2]
    name = name_of(ship, key)
    if not arguments:
        tick = Checkbox(name, key, label_of(kind), is_on=True)
        return _control(
            ship, kind, key, fields=Fields(ticks=(tick,)), to_text=_reader_of_tick(name, key)
        )
    pick = Select(name, label_of(kind), (NONE, (part.text, arguments)), (part.text,))
    return _control(
        ship,
        kind,
        key,
        fields=Fields(picks=(pick,)),
        to_text=lambda values: first_value(values, name),
    )


def _control(
    ship: ShipState,
    kind: type[FurtherOrder],
    key: str,
    *,
    fields: Fields,
    to_text: Callable[[Values], str],
) -> Control:
    """Return a control with the label and the help of its word."""
    return Control(
        key=key,
        id=id_of(ship, key),
        label=label_of(kind),
        fields=fields,
        to_text=to_text,
        help_text=kind.describe().help,
    )


def _reader_of_tick(name: str, word: str) -> Callable[[Values], str]:
    """Return a function that returns the word if its box is ticked."""
    return lambda values: word if word in values.get(name, ()) else ""


def _setting_control(
    ship: ShipState, kind: type[FurtherOrder], setting: Setting, value: str
) -> Control:
    """Return the control of a system's setting; it says nothing while the setting is unchanged.

    Args:
        value: The setting in the plot, or the present one.
    """
    key = f"{kind.word()} {setting.system}"
    options = []
    for option in dict.fromkeys((*setting.values, value)):
        label = option.replace("-", " ")
        options.append((option, f"{label} (now)" if option == setting.now else label))
    name = name_of(ship, key)

    def to_text(values: Values) -> str:
        new_value = first_value(values, name)
        if new_value and new_value != setting.now:
            return f"{key} {new_value}"
        return ""

    pick = Select(name, setting.label, tuple(options), (value,))
    control = _control(ship, kind, key, fields=Fields(picks=(pick,)), to_text=to_text)
    return replace(control, label=setting.label, help_text=setting.help)


def _slots_control(
    sight: FormSight,
    ship: ShipState,
    kind: type[FurtherOrder],
    slots: Sequence[Slot],
    arguments: tuple[str, ...],
    *,
    is_set: bool,
) -> Control:
    """Return the control of a word that a plot can contain once.

    Args:
        arguments: The word's arguments in the plot.
        is_set: Whether the plot has the word.
    """
    word = kind.word()
    if not slots:
        # Usual words share a name
        name = WORD.name(ship.id) if kind.describe().usual else name_of(ship, word)
        tick = Checkbox(name, word, label_of(kind), is_on=is_set)
        return _control(
            ship, kind, word, fields=Fields(ticks=(tick,)), to_text=_reader_of_tick(name, word)
        )
    fields = Fields()
    arguments_left = list(arguments)
    for place, slot in enumerate(slots):
        name = _slot_name(ship, word, slots, place)
        label = _slot_label(slot) if len(slots) > 1 else label_of(kind)
        fields += _slot_fields(
            sight,
            ship,
            slot=slot,
            name=name,
            label=label,
            arguments_left=arguments_left,
            is_set=is_set,
        )
    if arguments_left:
        fields = replace(fields, picks=_with_whole_text(fields.picks, " ".join(arguments)))
    to_text = _reader_of_slots(ship, word, slots, arguments)
    return _control(ship, kind, word, fields=fields, to_text=to_text)


def _slot_name(ship: ShipState, word: str, slots: Sequence[Slot], place: int) -> str:
    """Return the field name of a word's slot, which has a number if there are several."""
    return name_of(ship, word, place if len(slots) > 1 else None)


def _slot_fields(
    sight: FormSight,
    ship: ShipState,
    slot: Slot,
    name: str,
    label: str,
    arguments_left: list[str],
    *,
    is_set: bool,
) -> Fields:
    """Return the fields of a slot, filled with its arguments, which are removed from the list."""
    match slot:
        case OneOf(_, values, bare):
            default = BARE if bare and is_set else ""
            value = arguments_left.pop(0) if arguments_left else default
            options = _options(sight, ship, (*values, value), bare)
            return Fields(picks=(Select(name, label, options, (value,)),))
        case SomeOf(_, values, _):
            ticks = []
            for value in dict.fromkeys((*values, *arguments_left)):
                value_label = name_words(sight, ship, value)
                ticks.append(Checkbox(name, value, value_label, is_on=value in arguments_left))
            arguments_left.clear()
            return Fields(ticks=tuple(ticks))
        case Number(_, least, most, _):
            value = arguments_left.pop(0) if arguments_left else ""
            field = Input(name, label, value.removeprefix("+"), bounds=(least, most))
            return Fields(inputs=(field,))
    return Fields()


def _with_whole_text(picks: tuple[Select, ...], text: str) -> tuple[Select, ...]:
    """Return the selects, with a text of more arguments than slots as the choice of the first."""
    first, *others = picks
    return (
        replace(first, options=(*first.options, (text, text)), chosen=(text,)),
        *others,
    )


def _slot_label(slot: Slot) -> str:
    """Return the label of a slot beside others."""
    if isinstance(slot, EachOf):
        return ""
    return slot.label


def _options(
    sight: FormSight, ship: ShipState, values: Sequence[str], bare: str
) -> tuple[Option, ...]:
    """Return a list of unique options that starts with none.

    Args:
        bare: The label of the option for the word without arguments; empty if it is not allowed.
    """
    options = [NONE]
    if bare:
        options.append((BARE, bare))
    for value in dict.fromkeys(values):
        if value and value != BARE:
            options.append((value, name_words(sight, ship, value)))
    return tuple(options)


def _reader_of_slots(
    ship: ShipState, word: str, slots: Sequence[Slot], arguments: tuple[str, ...]
) -> Callable[[Values], str]:
    """Return a function that reads the fields of a word's slots: "" if the first is empty.

    Args:
        arguments: The word's arguments in the plot, whose order is kept.
    """
    names = [_slot_name(ship, word, slots, place) for place in range(len(slots))]

    def to_text(values: Values) -> str:
        words = [word]
        for name, slot in zip(names, slots, strict=True):
            slot_values = _read_slot(slot, values.get(name, ()), arguments)
            if not slot_values and name == names[0]:
                return ""
            words += [value for value in (slot_values or ["0"]) if value != BARE]
        return " ".join(words)

    return to_text


def _read_slot(slot: Slot, values: Iterable[str], arguments: tuple[str, ...]) -> list[str]:
    """Return the values of a slot's fields that are not empty, as written in plots."""
    slot_values = [value.strip() for value in values if value.strip()]
    if isinstance(slot, SomeOf):
        ordered_before = [value for value in arguments if value in slot_values]
        return list(dict.fromkeys((*ordered_before, *slot_values)))
    if isinstance(slot, Number):
        number = _number(slot_values[0], slot) if slot_values else ""
        return [number] if number else []
    return slot_values


def _is_number(text: str) -> bool:
    return text.removeprefix("+").removeprefix("-").isdecimal()


def _number(text: str, slot: Number) -> str:
    """Return a number as written in plots: "" for a signed zero.

    Anything that is no number is returned unchanged, so that it is reported as a fault.
    """
    if not slot.signed or not _is_number(text):
        return text
    if int(text):
        return f"{int(text):+d}"
    return ""


def name_words(sight: FormSight, ship: ShipState, name: str) -> str:
    """Return the name of a ship, piece, system or word."""
    if name in sight.names:
        return sight.names[name]
    piece = next((piece for piece in sight.state.pieces if piece.id == name), None)
    if piece is not None:
        if name.startswith(piece.word.split()[-1]):
            return name.replace("-", " ")
        return phrase("{} {}", phrase(piece.word), name)
    if name in ship.profile.index_of:
        return system_words(name)
    return name.replace("-", " ")
