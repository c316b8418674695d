"""A plot's text by its parts, and what becomes of it where some are changed by fields and others in
the text. Pure.

A form shows a plot twice, as fields and as its notation, and says which text both showed (`was`).
So it is known which parts were changed where: what only one changed holds, what both changed alike
too. A part changed to different things stays in both versions, which the engine refuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from engine.core.orders import FurtherOrder, Plot
from engine.core.ship import ShipState
from engine.notation.orders import ELSE, LONGEST, WORDS, parse_plot
from engine.ruleset import rules_of
from engine.systems.outfit import bay_name

MOVE = "move"  # the key of the part that begins a plot


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a plot: its key; its text, as the engine writes it where it can; what it reads
    there, or its fault.
    """

    key: str
    text: str
    plot: Plot | None
    fault: str = ""

    @property
    def order(self) -> FurtherOrder | None:
        """The further order that it is."""
        return self.plot.further[0] if self.plot is not None and self.plot.further else None


def plot_parts(text: str, edition: str) -> dict[str, Part]:
    """The parts of a plot by their keys, in their order.

    What stands twice has a key of its own the second time.
    """
    parts: dict[str, Part] = {}
    for piece in (piece_text.strip() for piece_text in text[: LONGEST + 1].split(";")):
        if not piece:
            continue
        part = _part(piece, edition)
        while part.key in parts:
            part = Part(f"{part.key} ", part.text, part.plot, part.fault)
        parts[part.key] = part
    return parts


def bay_ids(ship: ShipState, bay_names: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of the bays that an order names, in its order; `bay-1` may mean
    `fighter-bay-1`.

    A name that the ship has no bay for stays as it is, so that a form can show it and its fault.
    """
    index_of = ship.profile.index_of
    return tuple(bay_name(name) if bay_name(name) in index_of else name for name in bay_names)


def with_bay_ids(ship: ShipState, text: str) -> str:
    """Return a plot with its bays written as their ids, so that two plots can be compared."""
    texts = []
    for part in plot_parts(text, ship.sheet.edition).values():
        plot = part.plot
        if plot is not None and plot.launch:
            plot = replace(plot, launch=bay_ids(ship, plot.launch))
        texts.append(part.text if plot is None else plot.words() or part.text)
    return "; ".join(texts)


def order_key(order: FurtherOrder) -> str:
    """The key of a further order's part: one that repeats has its system's name in it."""
    return " ".join((order.word(), *(order.arguments()[:1] if order.repeats() else ())))


def _part(piece: str, edition: str) -> Part:
    plot, faults = parse_plot(piece, "", edition)
    word = piece.split(maxsplit=1)[0].lower()
    if plot is not None:
        if plot.further:
            return Part(order_key(plot.further[0]), plot.words(), plot)
        is_word = word in WORDS or word == ELSE or word in rules_of(edition).grammar.flags
        return Part(word if is_word else MOVE, plot.words() or piece, plot)
    code = faults[0].code
    key = {"plot-turn": MOVE, "plot-unknown": piece}.get(code, word)
    return Part(key, piece, None, faults[0].message)


def merge_plot(
    was: str, line: str, shown_texts: Mapping[str, str], now: Mapping[str, str], edition: str
) -> str:
    """The plot that a form says.

    `was`: the text that it showed; `line`: the text that was sent; `shown`, `now`: what its
    controls said of each part as it showed them, and say now.
    """
    changed = {key: text for key, text in now.items() if text != shown_texts.get(key, "")}
    if not changed or len(line) > LONGEST:
        return line.strip()
    before = {key: part.text for key, part in plot_parts(was, edition).items()}
    texts = {key: part.text for key, part in plot_parts(line, edition).items()}
    for key, text in changed.items():
        line_text = texts.get(key, "")
        if line_text == before.get(key, "") or not line_text:
            texts[key] = text
        elif text and _normalized(text, edition) != line_text:
            texts[key] = f"{line_text}; {text}"
    merged_text = "; ".join(text for text in texts.values() if text)
    plot, _ = parse_plot(merged_text, "", edition)
    return merged_text if plot is None else plot.words()


def _normalized(text: str, edition: str) -> str:
    """A part as the engine writes it."""
    return "; ".join(part.text for part in plot_parts(text, edition).values())
