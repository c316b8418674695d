"""Movement orders as text and back: `P2+4; ftl`, `enter 12 48 6`.

docs/reference/orders.md is the full grammar. The functions named `read_...` read what follows a
word of a plot; each returns what it found, or raises a ValueError that says what is needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.core.errors import Violation
from engine.core.orders import AT_END, BURNS, PLOT_FLAGS, FurtherOrder, Plot
from engine.core.phrase import join_phrases
from engine.core.reason import reason
from engine.ruleset import rules_of

_MOVE = re.compile(r"(?:([PS])(\d{1,2}))?([+-]\d{1,3})?|([+-]\d{1,3})([PS])(\d{1,2})")
_TWO_TURNS = re.compile(r"([PS])(\d{1,2})([PS])(\d{1,2})([+-]\d{1,3})?")
_BURN = re.compile(rf"({'|'.join(BURNS)})(\d{{1,2}})")
_BURNS = re.compile(rf"(?:{_BURN.pattern})+")
_NUMBER = re.compile(r"-?\d{1,6}(?:\.\d{1,6})?")
ELSE = "else"
LONGEST = 2000  # characters of a plot or of a group's orders

# Reads the words after an order's first word; raises a ValueError that says what is needed.
Words = Callable[[list[str]], dict[str, Any]]


def read_nothing(words: list[str]) -> None:
    """Check that nothing follows a word."""
    if words:
        raise ValueError(reason("nothing-needed", "expected nothing more"))


def read_names(words: list[str], least: int, most: int, expected: str) -> tuple[str, ...]:
    """Return `least` to `most` names, separated by spaces or commas."""
    result = split_words(words)
    if not least <= len(result) <= most:
        raise ValueError(reason("is-needed", "expected {}", expected))
    return result


def read_whole_number(words: list[str], least: int, most: int, expected: str) -> int:
    """Return one whole number from `least` to `most`."""
    if len(words) != 1 or not words[0].isdecimal() or not least <= int(words[0]) <= most:
        raise ValueError(
            reason(
                "whole-number-needed",
                "expected {}: a whole number from {} to {}",
                expected,
                least,
                most,
            )
        )
    return int(words[0])


def read_some_of(words: list[str], choices: tuple[str, ...]) -> tuple[str, ...]:
    """Return some of the known words, each at most once."""
    chosen = tuple(word.lower() for word in split_words(words))
    if any(word not in choices for word in chosen) or len(set(chosen)) < len(chosen):
        raise ValueError(
            reason("needed-nothing", "expected {}, or nothing", join_phrases(" or ", choices))
        )
    return chosen


def read_one_of(words: list[str], choices: tuple[str, ...]) -> str:
    """Return one of the known words."""
    if len(words) != 1 or words[0].lower() not in choices:
        raise ValueError(reason("one-of-needed", "expected one of {}", ", ".join(choices)))
    return words[0].lower()


def read_setting(words: list[str], expected: str) -> tuple[str, str]:
    """Return a system and its new setting."""
    if len(words) != 2:
        raise ValueError(reason("is-needed", "expected {}", expected))
    return words[0].lower(), words[1]


def split_words(words: list[str]) -> tuple[str, ...]:
    """Split at commas as well as at spaces."""
    return tuple(" ".join(words).replace(",", " ").split())


@dataclass(frozen=True, slots=True)
class Grammar:
    """The grammar of a rulebook's plots.

    Attributes:
        flags: Words that stand alone, in any rulebook.
        further: Kinds of further orders, each once.
        double_turn: Whether one move may have two turns.
        burns: Whether ships that move by vectors plot burns.
        otherwise: Whether a plot may name a move in case emergency thrust fails.
        words: The kinds of further orders by their first word.
    """

    flags: tuple[str, ...] = PLOT_FLAGS
    further: tuple[type[FurtherOrder], ...] = ()
    double_turn: bool = False
    burns: bool = False
    otherwise: bool = False
    words: Mapping[str, type[FurtherOrder]] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", {kind.word(): kind for kind in self.further})


class _WrongMove(ValueError):
    """The text has the form of a move but its numbers are impossible."""


def parse_plot(
    text: str, where: str, edition: str = "second-edition"
) -> tuple[Plot | None, tuple[Violation, ...]]:
    """Return a plot from its text, or None and every fault.

    The move (`P2+4`, `S1`, `-3`: port or starboard points, then the change of velocity) and other
    parts, a word with its values, are separated by semicolons.

    Args:
        edition: The edition whose moves and words are allowed.

    Rules: 2E "Movement orders" [2e.movement]; Continuum "Orders" 3.5 [pc.movement]
    """
    if len(text) > LONGEST:
        return None, (
            Violation(
                where,
                "too-long",
                reason(
                    "plot-most-characters-not",
                    "a plot can have at most {} characters, not {}",
                    LONGEST,
                    len(text),
                ),
            ),
        )
    grammar = rules_of(edition).grammar
    plot_fields: dict[str, Any] = {}
    faults: list[Violation] = []
    parts_by_word: dict[str, str] = {}
    for part in (piece.strip() for piece in text.split(";")):
        if not part:
            continue
        word, *rest = part.split()
        word = word.lower()
        try:
            values = _read_word(word, rest, plot_fields, grammar)
            if values is None:
                values = _move(part, grammar)
                word = "move" if values is not None else word
        except _WrongMove as why:
            word, values = "move", {}
            faults.append(
                Violation(where, "plot-turn", reason("quoted", "'{}': {}", part, why.args[0]))
            )
        except ValueError as why:
            values = {}
            faults.append(
                Violation(where, f"plot-{word}", reason("quoted", "'{}': {}", part, why.args[0]))
            )
        if values is None:
            examples = ", ".join(
                (
                    "P2+4",
                    *grammar.flags,
                    *WORDS,
                    *grammar.words,
                    *((ELSE,) if grammar.otherwise else ()),
                )
            )
            faults.append(
                Violation(
                    where,
                    "plot-unknown",
                    reason(
                        "plot-unknown",
                        "'{}' is not an order; orders are, for example, {}",
                        part,
                        examples,
                    ),
                )
            )
        else:
            plot_fields |= values
        if word in parts_by_word and not (word in grammar.words and grammar.words[word].repeats()):
            twice = reason(
                "plot-says-once-stands",
                "'{}': a plot can have '{}' only once, and it already has '{}'",
                part,
                word,
                parts_by_word[word],
            )
            faults.append(Violation(where, "plot-repeated", twice))
        parts_by_word.setdefault(word, part)
    if faults:
        return None, tuple(faults)
    return Plot(**plot_fields), ()


def _read_word(
    word: str, rest: list[str], plot_fields: dict[str, Any], grammar: Grammar
) -> dict[str, Any] | None:
    """Return the plot fields that a word sets, None if the grammar has no such word.

    Args:
        plot_fields: The fields that earlier parts have set.
    """
    if word in grammar.flags and not rest:
        return {word: True}
    if word in WORDS:
        return WORDS[word](rest)
    if word in grammar.words:
        return {"further": (*plot_fields.get("further", ()), grammar.words[word].parse(rest))}
    if word == ELSE and grammar.otherwise:
        move = _move("".join(rest), grammar) if rest else None
        if move is None:
            raise ValueError(
                reason(
                    "move-makes-where-emergency",
                    "expected the move to make if emergency thrust fails, for example else P1+2",
                )
            )
        return {"otherwise": Plot(**move)}
    return None


def _move(part: str, grammar: Grammar) -> dict[str, Any] | None:
    """Return the fields of a move, None if the text is not one.

    Raises:
        _WrongMove: If its numbers are impossible.
    """
    text = part.replace(" ", "").upper()
    if move := _MOVE.fullmatch(text):
        side, points = (move[1], move[2]) if move[2] else (move[5], move[6])
        return {"turn": _turn(side, points), "thrust": int(move[3] or move[4] or 0)}
    if grammar.double_turn and (move := _TWO_TURNS.fullmatch(text)):
        turn = _turn(move[1], move[2])
        second = _turn(move[3], move[4])
        if not turn or not second:
            raise _WrongMove(
                reason("each-turn-one-point", "each of two turns must have 1 point or more")
            )
        return {"turn": turn, "second": second, "thrust": int(move[5] or 0)}
    if grammar.burns and _BURNS.fullmatch(text.replace(",", "")):
        return {"burns": tuple((burn, int(points)) for burn, points in _BURN.findall(text))}
    return None


def _turn(side: str | None, points: str | None) -> int:
    turn = int(points or 0) * (-1 if side == "P" else 1)
    if abs(turn) > 11:
        raise _WrongMove(reason("turn-most-11-points", "a turn can have at most 11 points"))
    return turn


def read_numbers(words: list[str]) -> list[float]:
    """Return the numbers after a word, separated by spaces or commas.

    Raises:
        ValueError: If anything else follows.
    """
    pieces = split_words(words)
    wrong = [piece for piece in pieces if not _NUMBER.fullmatch(piece)]
    if wrong:
        raise ValueError(reason("not-a-number-text", "{} is not a number", " ".join(wrong)))
    return [float(piece) for piece in pieces]


def _read_enter(words: list[str]) -> dict[str, Any]:
    values = read_numbers(words)
    if len(values) != 3 or values[2] != int(values[2]):
        raise ValueError(
            reason(
                "where-course-needed-such",
                "expected a position and a course, for example enter 12 48 6",
            )
        )
    if not 1 <= values[2] <= 12:
        raise ValueError(reason("courses-1-12", "courses go from 1 to 12"))
    return {"enter": (values[0], values[1], int(values[2]))}


def _read_mines(words: list[str]) -> dict[str, Any]:
    values = read_numbers(words)
    if any(at < 0 for at in values):
        raise ValueError(reason("mine-lies-0-mu", "a mine must be 0 MU or more along the path"))
    return {"mines": tuple(values) if values else (AT_END,)}


def _names_reader(field: str, is_many: bool, expected: str) -> Words:
    def read(words: list[str]) -> dict[str, Any]:
        names = split_words(words)
        if not names or (len(names) > 1 and not is_many):
            raise ValueError(reason("is-needed", "expected {}", expected))
        return {field: names if is_many else names[0]}

    return read


WORDS: dict[str, Words] = {
    "enter": _read_enter,
    "launch": _names_reader(
        "launch", True, reason("more-fighter-bays", "one or more fighter bays")
    ),
    "mine": _read_mines,
    "scan": _names_reader("scan", True, reason("more-contacts", "one or more contacts")),
    "ram": _names_reader("ram", False, reason("one-contact", "one contact")),
    "dock": _names_reader("dock", False, reason("one-installation", "one installation")),
}


def format_plot(plot: Plot) -> str:
    """Return the text of a plot, which `parse_plot` reads back as the same plot."""
    return plot.words()
