"""Results of pure programs, computed once for the same arguments in both worlds.

Imagined battles and typst's PDFs are functions of their arguments, which each world's pages pass.
If one world passes something else, it is computed anew, and a difference shows. Other tests check
that equal arguments give equal results (`tests/campaign/belief`,
`tests/campaign/pages/war/test_paper.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import typst

from campaign.belief.forces import Belief
from campaign.belief.meetings import Question
from campaign.belief.odds import SampleResult, fight_samples
from campaign.models import Simulation
from campaign.services.simulation_work import simulations_work
from campaign.services.simulations import simulation_request
from jobs.models import LANES

BATTLES, SLICE = 6, 3600.0  # battles simulated for a question, all at once


class ResultMemo:
    """A function's results by its arguments, which are compared as a whole."""

    def __init__(self) -> None:
        self.results: list[tuple[Any, Any]] = []

    def get_or_make(self, arguments: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        for known_arguments, result in self.results:
            if known_arguments == arguments:
                return result
        result = make()
        self.results.append((arguments, result))
        return result


@contextmanager
def share_results() -> Iterator[None]:
    """Compute imagined battles and documents once each while the block runs.

    Workers simulate what a page asks for before it is answered, so that it shows results.
    """
    compiled, imagined = ResultMemo(), ResultMemo()
    set_in_type = typst.compile

    def compile_(program: bytes, **options: Any) -> Any:
        return compiled.get_or_make((program, options), lambda: set_in_type(program, **options))

    def imagine_(
        belief: Belief, question: Question, numbers: Iterable[int], rules: str
    ) -> list[SampleResult]:
        requested = tuple(numbers)
        arguments = (question, requested, rules, belief.view, belief.scenario)
        return list(
            imagined.get_or_make(
                arguments, lambda: fight_samples(belief, question, requested, rules)
            )
        )

    def ask_and_wait(**requested: Any) -> Simulation:
        row = simulation_request(**requested)
        simulations_work({"user": row.user_id})
        row.refresh_from_db()
        return row

    with (
        mock.patch.object(typst, "compile", compile_),
        mock.patch("campaign.services.meetings.fight_samples", imagine_),
        mock.patch("campaign.services.simulation_work.FIRST_RESULTS_SECONDS", SLICE),
        mock.patch("campaign.web.pdf_responses.AT_ONCE", 1000),
        mock.patch("jobs.pulse.lanes_served", return_value=dict.fromkeys(LANES, True)),
        mock.patch("campaign.web.background_battles.simulation_request", ask_and_wait),
        mock.patch("campaign.api.meetings.simulation_request", ask_and_wait),
        mock.patch("campaign.pages.week.odds.MAX_BATTLES", BATTLES),
        mock.patch("campaign.pages.battle.compare.MAX_BATTLES", BATTLES),
    ):
        yield
