"""The controls of a plot's further words, made from what the grammar of its edition says belongs to
each. Pure.

A word is offered where this ship can say it now, by what its side knows (`engine.asks.plot_words`),
or where its plot says it. What a plot says of a word that no field could hold stands in a list of
its own, to be kept or taken away.
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
    first,
)
from campaign.words.plot_text import Part
from engine.asks.plot_words import offered
from engine.continuum.weapon_orders import ShapeBolt
from engine.core.orders import FurtherOrder
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.slots import EachOf, Number, OneOf, Setting, Slot, SomeOf
from engine.english import capital, system_words
from engine.ruleset import rules_of

MORE_OF = Field("more")
WORD = TickField("word")

NONE: Option = ("", phrase("none"))
BARE = "*"  # the value of a list for a word without more
ELSEWHERE = (ShapeBolt,)  # what is said by whom its bolts are fired at, beside the plot


def id_of(ship: ShipState, key: str) -> str:
    """The id on the page of a control of a ship."""
    return f"w-{ship.id}-{key}".replace("/", "-").replace(" ", "-")


def name_of(ship: ShipState, key: str, place: int | None = None) -> str:
    """The name of a field of a control that is seldom used."""
    of = (ship.id, key.replace(" ", "-"))
    return MORE_OF.name(*of) if place is None else MORE_OF.name(*of, place)


def word_controls(
    seen: FormSight, ship: ShipState, said: dict[str, Part], *, usual: bool
) -> Iterable[Control]:
    """The controls of the further words that a ship may say often, or of the others."""
    for kind in rules_of(ship.sheet.edition).grammar.further:
        if kind.said().usual == usual and kind not in ELSEWHERE:
            yield from _of_word(seen, ship, kind, said)


def _of_word(
    seen: FormSight, ship: ShipState, kind: type[FurtherOrder], said: dict[str, Part]
) -> Iterable[Control]:
    word = kind.word()
    slots = offered(seen.state, ship, kind)
    mine = {
        key.strip(): part for key, part in said.items() if key == word or key.startswith(f"{word} ")
    }
    if slots and isinstance(slots[0], EachOf):
        for setting in slots[0].settings:
            key = f"{word} {setting.system}"
            part = mine.pop(key, None)
            order = None if part is None else part.order
            if part is None or order is not None:
                yield _setting(ship, kind, key, setting, order)
            else:
                yield _as_said(ship, kind, part)
    elif word in mine or (slots is not None and (kind.repeats() or not mine)):
        part = mine.pop(word, None)
        held = () if part is None else _held(part, slots)
        if slots is not None and held is not None:
            yield _of_slots(seen, ship, kind, slots, held, said=part is not None)
        elif part is not None:
            yield _as_said(ship, kind, part)
    for part in mine.values():
        yield _as_said(ship, kind, part)


def _held(part: Part, slots: Sequence[Slot] | None) -> tuple[str, ...] | None:
    """What of a plot stands in the fields of a word's slots: a number too, though it is none that
    the word takes. None where it does not fit there.
    """
    if part.order is not None:
        return part.order.arguments()
    rest = part.text.partition(" ")[2]
    alone = slots is not None and len(slots) == 1 and isinstance(slots[0], Number)
    return (rest,) if alone and _is_number(rest) else None


def label_of(kind: type[FurtherOrder]) -> str:
    """What a word is called."""
    return kind.said().label or capital(kind.word())


def _as_said(ship: ShipState, kind: type[FurtherOrder], part: Part) -> Control:
    """A word as a plot says it, to be kept or taken away."""
    key, rest = part.key.strip(), part.text.partition(" ")[2]
    name = name_of(ship, key)
    if not rest:
        return _control(
            ship,
            kind,
            key,
            ticks=(Checkbox(name, key, label_of(kind), on=True),),
            reads=_flag(name, key),
        )
    pick = Select(name, label_of(kind), (NONE, (part.text, rest)), (part.text,))
    return _control(ship, kind, key, picks=(pick,), reads=lambda values: first(values, name))


def _control(
    ship: ShipState,
    kind: type[FurtherOrder],
    key: str,
    *,
    reads: Callable[[Values], str],
    picks: tuple[Select, ...] = (),
    ticks: tuple[Checkbox, ...] = (),
    written: tuple[Input, ...] = (),
) -> Control:
    fields = Fields(picks, ticks, written)
    return Control(key, id_of(ship, key), label_of(kind), fields, reads, kind.said().help)


def _flag(name: str, word: str) -> Callable[[Values], str]:
    return lambda values: word if word in values.get(name, ()) else ""


def _setting(
    ship: ShipState,
    kind: type[FurtherOrder],
    key: str,
    setting: Setting,
    order: FurtherOrder | None,
) -> Control:
    """A system that is set to one of some values; it says nothing where it is left as it is."""
    chosen = setting.now if order is None else order.arguments()[1]
    values = setting.values if chosen in setting.values else (*setting.values, chosen)
    options = tuple(
        (one, one.replace("-", " ") + (" (now)" if one == setting.now else "")) for one in values
    )
    name = name_of(ship, key)

    def reads(values: Values) -> str:
        value = first(values, name)
        return f"{key} {value}" if value and value != setting.now else ""

    made = _control(
        ship, kind, key, picks=(Select(name, setting.label, options, (chosen,)),), reads=reads
    )
    return replace(made, label=setting.label, help=setting.help)


def _of_slots(
    seen: FormSight,
    ship: ShipState,
    kind: type[FurtherOrder],
    slots: Sequence[Slot],
    given: tuple[str, ...],
    *,
    said: bool,
) -> Control:
    """The control of a word that is said once.

    `said`, `given`: whether the plot says it, and what after it.
    """
    word = kind.word()
    if not slots:
        name = (
            WORD.name(ship.id) if kind.said().usual else name_of(ship, word)
        )  # the usual ones share a name
        tick = Checkbox(name, word, label_of(kind), on=said)
        return _control(ship, kind, word, ticks=(tick,), reads=_flag(name, word))
    picks: list[Select] = []
    ticks: list[Checkbox] = []
    written: list[Input] = []
    rest = list(given)
    for place, slot in enumerate(slots):
        name = name_of(ship, word, place if len(slots) > 1 else None)
        label = slot_label(slot) if len(slots) > 1 else label_of(kind)
        match slot:
            case OneOf(_, values, bare):
                chosen = rest.pop(0) if rest else (BARE if bare and said else "")
                picks.append(
                    Select(name, label, _options(seen, ship, (*values, chosen), bare), (chosen,))
                )  # fmt: skip
            case SomeOf(_, values, _):
                every = dict.fromkeys((*values, *rest))
                ticks += [
                    Checkbox(name, one, words_of(seen, ship, one), one in rest) for one in every
                ]
                rest = []
            case Number(_, least, most, _):
                value = rest.pop(0) if rest else ""
                written.append(Input(name, label, value.removeprefix("+"), bounds=(least, most)))
    if rest:  # more than its slots hold: an option of the first list
        every_word = " ".join(given)
        head = picks[0]
        picks[0] = replace(
            head, options=(*head.options, (every_word, every_word)), chosen=(every_word,)
        )
    return _control(
        ship, kind, word, picks=tuple(picks), ticks=tuple(ticks), written=tuple(written),
        reads=_reader(ship, word, slots, given),
    )  # fmt: skip


def slot_label(slot: Slot) -> str:
    """What a slot is called beside others."""
    return "" if isinstance(slot, EachOf) else slot.label


def _options(
    seen: FormSight, ship: ShipState, values: Sequence[str], bare: str
) -> tuple[Option, ...]:
    """A list of values, each once, none and the word alone among them."""
    start = [NONE, *([(BARE, bare)] if bare else [])]
    named = [
        (one, words_of(seen, ship, one)) for one in dict.fromkeys(values) if one and one != BARE
    ]
    return (*start, *named)


def _reader(
    ship: ShipState, word: str, slots: Sequence[Slot], given: tuple[str, ...]
) -> Callable[[Values], str]:
    """What the fields of a word's slots say: nothing where its first has nothing."""
    names = [name_of(ship, word, place if len(slots) > 1 else None) for place in range(len(slots))]

    def reads(values: Values) -> str:
        said = [word]
        for place, (name, slot) in enumerate(zip(names, slots, strict=True)):
            chosen = [one.strip() for one in values.get(name, ()) if one.strip()]
            if isinstance(slot, SomeOf):
                chosen.sort(key=lambda one: given.index(one) if one in given else len(given))
            elif isinstance(slot, Number):
                chosen = [_number(one, slot) for one in chosen[:1]]
                chosen = [one for one in chosen if one]
            if not chosen and place == 0:
                return ""
            said += [one for one in (chosen or ["0"]) if one != BARE]
        return " ".join(said)

    return reads


def _is_number(written: str) -> bool:
    return written.removeprefix("+").removeprefix("-").isdecimal()


def _number(written: str, slot: Number) -> str:
    """A number as the plot says it; what is none goes on as it is, and is a fault."""
    if not slot.signed or not _is_number(written):
        return written
    return f"{int(written):+d}" if int(written) else ""


def words_of(seen: FormSight, ship: ShipState, one: str) -> str:
    """What a ship, a piece, a system or a word is called."""
    if one in seen.names:
        return seen.names[one]
    piece = next((piece for piece in seen.state.pieces if piece.id == one), None)
    if piece is not None:
        return (
            one.replace("-", " ")
            if one.startswith(piece.word.split()[-1])
            else phrase("{} {}", phrase(piece.word), one)
        )
    return system_words(one) if one in ship.profile.index_of else one.replace("-", " ")
