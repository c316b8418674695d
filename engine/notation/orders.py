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


class _Parts:
    """The parts of a plot read so far: the plot's fields, and the faults.

    Attributes:
        text_of: The text of the first part with each word; a move counts as the word "move".
    """

    def __init__(self, grammar: Grammar, where: str) -> None:
        self.grammar = grammar
        self.where = where
        self.fields: dict[str, Any] = {}
        self.faults: list[Violation] = []
        self.text_of: dict[str, str] = {}

    def fault(self, code: str, words: str) -> None:
        """Add a fault."""
        self.faults.append(Violation(self.where, code, words))

    def read(self, part: str) -> None:
        """Read one part: a move, or a word with its values."""
        word, *rest = part.split()
        word = word.lower()
        try:
            values = _read_word(word, rest, self.fields, self.grammar)
            if values is None:
                values = _move(part, self.grammar)
                word = "move" if values is not None else word
        except _WrongMove as why:
            word = "move"
            self.fault("plot-turn", reason("quoted", "'{}': {}", part, why.args[0]))
        except ValueError as why:
            self.fault(f"plot-{word}", reason("quoted", "'{}': {}", part, why.args[0]))
        else:
            if values is None:
                self._report_unknown(part)
            else:
                self.fields |= values
        self._check_repeated(word, part)

    def _report_unknown(self, part: str) -> None:
        """Report a part that is no order, with the words that orders begin with."""
        grammar = self.grammar
        first_words = [*grammar.flags, *WORDS, *grammar.words]
        if grammar.otherwise:
            first_words.append(ELSE)
        words = reason(
            "plot-unknown",
            "'{}' is not an order; write a move such as P2+4, or begin with one of these words: {}",
            part,
            ", ".join(first_words),
        )
        self.fault("plot-unknown", words)

    def _check_repeated(self, word: str, part: str) -> None:
        """Report a second part with a word that a plot can have only once."""
        kind = self.grammar.words.get(word)
        may_repeat = kind is not None and kind.repeats()
        if word in self.text_of and not may_repeat:
            words = reason(
                "plot-says-once-stands",
                "'{}': a plot can have '{}' only once, and it already has '{}'",
                part,
                word,
                self.text_of[word],
            )
            self.fault("plot-repeated", words)
        self.text_of.setdefault(word, part)


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
        words = reason(
            "plot-most-characters-not",
            "a plot can have at most {} characters, not {}",
            LONGEST,
            len(text),
        )
        return None, (Violation(where, "too-long", words),)
    parts = _Parts(rules_of(edition).grammar, where)
    for part in text.split(";"):
        if part.strip():
            parts.read(part.strip())
    if parts.faults:
        return None, tuple(parts.faults)
    return Plot(**parts.fields), ()


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
        return _simple_move(move)
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


def _simple_move(move: re.Match[str]) -> dict[str, Any]:
    """Return the fields of a move with one turn, which comes before or after the velocity."""
    if move[2]:
        turn = _turn(move[1], move[2])
    else:
        turn = _turn(move[5], move[6])
    return {"turn": turn, "thrust": int(move[3] or move[4] or 0)}


def _turn(side: str | None, points: str | None) -> int:
    """Return a turn in points; to port is negative.

    Raises:
        _WrongMove: The turn is more than 11 points.
    """
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
    """Return the position and course at which a ship enters the table."""
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
    """Return where along its path a ship lays mines; without numbers one at its end."""
    values = read_numbers(words)
    if any(at < 0 for at in values):
        raise ValueError(reason("mine-lies-0-mu", "a mine must be 0 MU or more along the path"))
    return {"mines": tuple(values) if values else (AT_END,)}


def _names_reader(field: str, is_many: bool, expected: str) -> Words:
    """Return a reader of the names after a word, which become a field of the plot."""

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
