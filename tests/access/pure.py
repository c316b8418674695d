"""What pure programs make of the same arguments, worked out once for both worlds.

Imagined battles and typst's PDFs are functions of what they are given, which the worlds' pages give them each for
itself: where one world gives something else, it is worked out anew, and a difference shows. That the same arguments
give the same is tested elsewhere (`tests/campaign/belief`, `tests/campaign/pages/war/test_paper.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import typst

from campaign.belief.forces import Belief
from campaign.belief.meetings import Question
from campaign.belief.odds import Imagined, imagine


class Known:
    """What a function gave for its arguments, which are compared whole."""

    def __init__(self) -> None:
        self.found: list[tuple[Any, Any]] = []

    def made(self, given: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        for known, result in self.found:
            if known == given:
                return result
        result = make()
        self.found.append((given, result))
        return result


@contextmanager
def once_for_both() -> Iterator[None]:
    """While the block runs, battles are imagined and documents set once each."""
    compiled, imagined = Known(), Known()
    set_in_type = typst.compile

    def compile_(program: bytes, **options: Any) -> Any:
        return compiled.made((program, options), lambda: set_in_type(program, **options))

    def imagine_(belief: Belief, question: Question, numbers: Iterable[int], rules: str) -> list[Imagined]:
        asked = tuple(numbers)
        given = (question, asked, rules, belief.view, belief.scenario)
        return list(imagined.made(given, lambda: imagine(belief, question, asked, rules)))

    with mock.patch.object(typst, "compile", compile_), mock.patch("campaign.pages.odds.imagine", imagine_):
        yield
