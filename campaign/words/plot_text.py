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


def parts_of(text: str, edition: str) -> dict[str, Part]:
    """The parts of a plot by their keys, in their order.

    What stands twice has a key of its own the second time.
    """
    found: dict[str, Part] = {}
    for piece in (one.strip() for one in text[: LONGEST + 1].split(";")):
        if not piece:
            continue
        part = _part(piece, edition)
        while part.key in found:
            part = Part(f"{part.key} ", part.text, part.plot, part.fault)
        found[part.key] = part
    return found


def bay_ids(ship: ShipState, named: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of the bays that an order names, in its order; `bay-1` may mean
    `fighter-bay-1`.

    A name that the ship has no bay for stays as it is, so that a form can show it and its fault.
    """
    known = ship.profile.index_of
    return tuple(bay_name(one) if bay_name(one) in known else one for one in named)


def with_bay_ids(ship: ShipState, text: str) -> str:
    """Return a plot with its bays written as their ids, so that two plots can be compared."""
    texts = []
    for part in parts_of(text, ship.sheet.edition).values():
        plot = part.plot
        if plot is not None and plot.launch:
            plot = replace(plot, launch=bay_ids(ship, plot.launch))
        texts.append(part.text if plot is None else plot.words() or part.text)
    return "; ".join(texts)


def key_of(order: FurtherOrder) -> str:
    """The key of a further order's part: one that repeats has its system's name in it."""
    return " ".join((order.word(), *(order.arguments()[:1] if order.repeats() else ())))


def _part(piece: str, edition: str) -> Part:
    plot, faults = parse_plot(piece, "", edition)
    word = piece.split(maxsplit=1)[0].lower()
    if plot is not None:
        if plot.further:
            return Part(key_of(plot.further[0]), plot.words(), plot)
        known = word in WORDS or word == ELSE or word in rules_of(edition).grammar.flags
        return Part(word if known else MOVE, plot.words() or piece, plot)
    code = faults[0].code
    key = {"plot-turn": MOVE, "plot-unknown": piece}.get(code, word)
    return Part(key, piece, None, faults[0].message)


def merged(
    was: str, line: str, shown: Mapping[str, str], now: Mapping[str, str], edition: str
) -> str:
    """The plot that a form says.

    `was`: the text that it showed; `line`: the text that was sent; `shown`, `now`: what its
    controls said of each part as it showed them, and say now.
    """
    changed = {key: text for key, text in now.items() if text != shown.get(key, "")}
    if not changed or len(line) > LONGEST:
        return line.strip()
    before = {key: part.text for key, part in parts_of(was, edition).items()}
    texts = {key: part.text for key, part in parts_of(line, edition).items()}
    for key, text in changed.items():
        written = texts.get(key, "")
        if written == before.get(key, "") or not written:
            texts[key] = text
        elif text and _written(text, edition) != written:
            texts[key] = f"{written}; {text}"
    found = "; ".join(text for text in texts.values() if text)
    plot, _ = parse_plot(found, "", edition)
    return found if plot is None else plot.words()


def _written(text: str, edition: str) -> str:
    """A part as the engine writes it."""
    return "; ".join(part.text for part in parts_of(text, edition).values())
