"""Controls of a plot's further words, generated from its edition's order grammar. Pure.

A word is offered if the ship can plot it now, as far as its side knows
(`engine.order_requests.plot_choices`), or if its plot already has it. A word in the plot that no
field can express gets a list of its own, to keep or remove it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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

NONE: Option = ("", phrase("none"))
BARE = "*"  # form value of a word without arguments
DRAWN_ELSEWHERE = (ShapeBolt,)  # shown beside the plot, at the targets of its bolts


def id_of(ship: ShipState, key: str) -> str:
    """Return the element id of a ship's control."""
    return f"w-{ship.id}-{key}".replace("/", "-").replace(" ", "-")


def name_of(ship: ShipState, key: str, place: int | None = None) -> str:
    """Return the field name of a rare control."""
    of = (ship.id, key.replace(" ", "-"))
    if place is None:
        return MORE_SENT.name(*of)
    return MORE_SENT.name(*of, place)


def word_controls(
    sight: FormSight, ship: ShipState, parts: dict[str, Part], *, usual: bool
) -> Iterable[Control]:
    """Yield the controls of a ship's further words, either the usual or the rare ones."""
    for kind in rules_of(ship.sheet.edition).grammar.further:
        if kind.describe().usual == usual and kind not in DRAWN_ELSEWHERE:
            yield from _controls_of_word(sight, ship, kind, parts)


def _controls_of_word(
    sight: FormSight, ship: ShipState, kind: type[FurtherOrder], parts: dict[str, Part]
) -> Iterable[Control]:
    word = kind.word()
    slots = possible_slots(sight.state, ship, kind)
    own_parts = {
        key.strip(): part
        for key, part in parts.items()
        if key == word or key.startswith(f"{word} ")
    }
    if slots and isinstance(slots[0], EachOf):
        for setting in slots[0].settings:
            key = f"{word} {setting.system}"
            part = own_parts.pop(key, None)
            order = None if part is None else part.order
            if part is None or order is not None:
                yield _setting(ship, kind, key, setting, order)
            else:
                yield _verbatim_control(ship, kind, part)
    elif word in own_parts or (slots is not None and (kind.repeats() or not own_parts)):
        part = own_parts.pop(word, None)
        values_held = () if part is None else _held_values(part, slots)
        if slots is not None and values_held is not None:
            yield _slots_control(sight, ship, kind, slots, values_held, is_set=part is not None)
        elif part is not None:
            yield _verbatim_control(ship, kind, part)
    for part in own_parts.values():
        yield _verbatim_control(ship, kind, part)


def _held_values(part: Part, slots: Sequence[Slot] | None) -> tuple[str, ...] | None:
    """Return a part's values for the fields of a word's slots, or None if they do not fit.

    A number fits even if it is out of range.
    """
    if part.order is not None:
        return part.order.arguments()
    rest = part.text.partition(" ")[2]
    alone = slots is not None and len(slots) == 1 and isinstance(slots[0], Number)
    if alone and _is_number(rest):
        return (rest,)
    return None


def label_of(kind: type[FurtherOrder]) -> str:
    """Return the label of a word."""
    return kind.describe().label or capitalize_first(kind.word())


def _verbatim_control(ship: ShipState, kind: type[FurtherOrder], part: Part) -> Control:
    """Return a control that keeps or removes a word exactly as the plot has it."""
    key = part.key.strip()
    rest = part.text.partition(" ")[2]
    name = name_of(ship, key)
    if not rest:
        return _control(
            ship,
            kind,
            key,
            ticks=(Checkbox(name, key, label_of(kind), is_on=True),),
            to_text=_flag(name, key),
        )
    pick = Select(name, label_of(kind), (NONE, (part.text, rest)), (part.text,))
    return _control(
        ship, kind, key, picks=(pick,), to_text=lambda values: first_value(values, name)
    )


def _control(
    ship: ShipState,
    kind: type[FurtherOrder],
    key: str,
    *,
    to_text: Callable[[Values], str],
    picks: tuple[Select, ...] = (),
    ticks: tuple[Checkbox, ...] = (),
    inputs: tuple[Input, ...] = (),
) -> Control:
    fields = Fields(picks, ticks, inputs)
    return Control(key, id_of(ship, key), label_of(kind), fields, to_text, kind.describe().help)


def _flag(name: str, word: str) -> Callable[[Values], str]:
    return lambda values: word if word in values.get(name, ()) else ""


def _setting(
    ship: ShipState,
    kind: type[FurtherOrder],
    key: str,
    setting: Setting,
    order: FurtherOrder | None,
) -> Control:
    """Return the control of a system's setting; it says nothing while the setting is unchanged."""
    if order is None:
        chosen = setting.now
    else:
        chosen = order.arguments()[1]
    if chosen in setting.values:
        values = setting.values
    else:
        values = (*setting.values, chosen)
    options = tuple(
        (option, option.replace("-", " ") + (" (now)" if option == setting.now else ""))
        for option in values
    )
    name = name_of(ship, key)

    def to_text(values: Values) -> str:
        value = first_value(values, name)
        if value and value != setting.now:
            return f"{key} {value}"
        return ""

    control = _control(
        ship, kind, key, picks=(Select(name, setting.label, options, (chosen,)),), to_text=to_text
    )
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
        if kind.describe().usual:
            name = WORD.name(ship.id)
        else:
            name = name_of(ship, word)
        tick = Checkbox(name, word, label_of(kind), is_on=is_set)
        return _control(ship, kind, word, ticks=(tick,), to_text=_flag(name, word))
    picks: list[Select] = []
    ticks: list[Checkbox] = []
    inputs: list[Input] = []
    rest = list(arguments)
    for place, slot in enumerate(slots):
        name = name_of(ship, word, place if len(slots) > 1 else None)
        if len(slots) > 1:
            label = slot_label(slot)
        else:
            label = label_of(kind)
        match slot:
            case OneOf(_, values, bare):
                unset = BARE if bare and is_set else ""
                chosen = rest.pop(0) if rest else unset
                picks.append(
                    Select(name, label, _options(sight, ship, (*values, chosen), bare), (chosen,))
                )  # fmt: skip
            case SomeOf(_, values, _):
                every = dict.fromkeys((*values, *rest))
                ticks += [
                    Checkbox(name, choice, name_words(sight, ship, choice), choice in rest)
                    for choice in every
                ]
                rest = []
            case Number(_, least, most, _):
                value = rest.pop(0) if rest else ""
                inputs.append(Input(name, label, value.removeprefix("+"), bounds=(least, most)))
            # More arguments than slots become an option of the first list.
    if rest:  # more than its slots hold: an option of the first list
        every_word = " ".join(arguments)
        head = picks[0]
        picks[0] = replace(
            head, options=(*head.options, (every_word, every_word)), chosen=(every_word,)
        )
    return _control(
        ship, kind, word, picks=tuple(picks), ticks=tuple(ticks), inputs=tuple(inputs),
        to_text=_reader(ship, word, slots, arguments),
    )  # fmt: skip


def slot_label(slot: Slot) -> str:
    """Return the label of a slot beside others."""
    if isinstance(slot, EachOf):
        return ""
    return slot.label


def _options(
    sight: FormSight, ship: ShipState, values: Sequence[str], bare: str
) -> tuple[Option, ...]:
    """Return a list of unique options, starting with none and, if allowed, the bare word."""
    start = [NONE, *([(BARE, bare)] if bare else [])]
    named_options = []
    for value in dict.fromkeys(values):
        if value and value != BARE:
            named_options.append((value, name_words(sight, ship, value)))
    return (*start, *named_options)


def _reader(
    ship: ShipState, word: str, slots: Sequence[Slot], arguments: tuple[str, ...]
) -> Callable[[Values], str]:
    """Return a function that reads the fields of a word's slots: "" if the first is empty."""
    names = []
    for place in range(len(slots)):
        names.append(name_of(ship, word, place if len(slots) > 1 else None))

    def to_text(values: Values) -> str:
        words = [word]
        for place, (name, slot) in enumerate(zip(names, slots, strict=True)):
            chosen = [choice.strip() for choice in values.get(name, ()) if choice.strip()]
            if isinstance(slot, SomeOf):
                chosen.sort(
                    key=lambda choice: (
                        arguments.index(choice) if choice in arguments else len(arguments)
                    )
                )
            elif isinstance(slot, Number):
                chosen = [_number(choice, slot) for choice in chosen[:1]]
                chosen = [choice for choice in chosen if choice]
            if not chosen and place == 0:
                return ""
            words += [choice for choice in (chosen or ["0"]) if choice != BARE]
        return " ".join(words)

    return to_text


def _is_number(text: str) -> bool:
    return text.removeprefix("+").removeprefix("-").isdecimal()


def _number(text: str, slot: Number) -> str:
    """Return a number as written in plots; anything else is returned unchanged, as a fault."""
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
