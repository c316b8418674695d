"""A plot's text by its parts, and how changes in fields and in the text are merged. Pure functions.

A form shows a plot twice, as fields and as notation, and sends the text that both showed.
So it is known which parts changed in which of them: a part that only one changed is used, and so is
one that both changed alike. A part changed to different values stays in both versions, which the
engine refuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from engine.core.orders import FurtherOrder, Plot
from engine.core.ship import ShipState
from engine.notation.orders import ELSE, LONGEST, WORDS, parse_plot
from engine.ruleset import rules_of
from engine.systems.outfit import bay_name

MOVE = "move"  # key of the part that begins a plot


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a plot.

    Attributes:
        text: As the engine writes it, if it can.
        plot: The parsed part, or None with a fault.
    """

    key: str
    text: str
    plot: Plot | None
    fault: str = ""

    @property
    def order(self) -> FurtherOrder | None:
        """Return its further order, or None."""
        if self.plot is not None and self.plot.further:
            return self.plot.further[0]
        return None


def plot_parts(text: str, edition: str) -> dict[str, Part]:
    """Return the parts of a plot by key, in their order.

    A repeated part gets another key, with spaces at its end.
    """
    parts: dict[str, Part] = {}
    for piece in text[: LONGEST + 1].split(";"):
        if not piece.strip():
            continue
        part = _part(piece.strip(), edition)
        while part.key in parts:
            part = replace(part, key=f"{part.key} ")
        parts[part.key] = part
    return parts


def bay_ids(ship: ShipState, bay_names: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of the bays that an order names; `bay-1` may mean `fighter-bay-1`.

    A name without a bay on the ship stays unchanged, so that a form can show it and its fault.
    """
    index_of = ship.profile.index_of
    result: list[str] = []
    for name in bay_names:
        result.append(bay_name(name) if bay_name(name) in index_of else name)
    return tuple(result)


def with_bay_ids(ship: ShipState, text: str) -> str:
    """Return a plot with its bays written as ids, so that two plots can be compared."""
    texts = []
    for part in plot_parts(text, ship.sheet.edition).values():
        plot = part.plot
        if plot is not None and plot.launch:
            plot = replace(plot, launch=bay_ids(ship, plot.launch))
        texts.append(part.text if plot is None else plot.words() or part.text)
    return "; ".join(texts)


def order_key(order: FurtherOrder) -> str:
    """Return the key of a further order's part, with its system's name if it can repeat."""
    if order.repeats():
        return " ".join((order.word(), *order.arguments()[:1]))
    return order.word()


def _part(piece: str, edition: str) -> Part:
    """Return a piece of a plot as a part, with its fault if it cannot be parsed."""
    plot, faults = parse_plot(piece, "", edition)
    word = piece.split(maxsplit=1)[0].lower()
    if plot is None:
        key = {"plot-turn": MOVE, "plot-unknown": piece}.get(faults[0].code, word)
        return Part(key, piece, None, faults[0].message)
    if plot.further:
        return Part(order_key(plot.further[0]), plot.words(), plot)
    is_word = word in WORDS or word == ELSE or word in rules_of(edition).grammar.flags
    return Part(word if is_word else MOVE, plot.words() or piece, plot)


def merge_plot(
    shown_text: str,
    text: str,
    *,
    shown_parts: Mapping[str, str],
    parts: Mapping[str, str],
    edition: str,
) -> str:
    """Merge the text and the fields of a form into one plot.

    Args:
        shown_text: The text that the form showed.
        text: The text that was sent.
        shown_parts: The text of each part as the fields showed it.
        parts: The text of each part as the fields express it now.
    """
    changed_parts = {}
    for key, part_text in parts.items():
        if part_text != shown_parts.get(key, ""):
            changed_parts[key] = part_text
    if not changed_parts or len(text) > LONGEST:
        return text.strip()
    texts_before = {key: part.text for key, part in plot_parts(shown_text, edition).items()}
    texts = {key: part.text for key, part in plot_parts(text, edition).items()}
    for key, part_text in changed_parts.items():
        line_text = texts.get(key, "")
        is_text_unchanged = line_text == texts_before.get(key, "")
        if is_text_unchanged or not line_text:
            texts[key] = part_text
        elif part_text and _normalized(part_text, edition) != line_text:
            texts[key] = f"{line_text}; {part_text}"
    merged_text = "; ".join(part_text for part_text in texts.values() if part_text)
    plot, _ = parse_plot(merged_text, "", edition)
    if plot is None:
        return merged_text
    return plot.words()


def _normalized(text: str, edition: str) -> str:
    """Return a part as the engine writes it."""
    return "; ".join(part.text for part in plot_parts(text, edition).values())
