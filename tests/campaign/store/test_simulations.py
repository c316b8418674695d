"""Battles that workers simulate for a user's odds: questions in turn, and failures."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from campaign.belief.odds import FEWEST
from campaign.kinds import SimulationEnd, SimulationKind
from campaign.models import Simulation
from campaign.services import simulation_work, simulations
from campaign.services.simulation_work import MAX_TRIES, pace_of, simulations_work
from campaign.services.simulations import (
    MAX_STORED,
    RETENTION,
    WATCH_TIME,
    simulation_request,
    simulation_stop,
    simulations_forget,
)
from jobs.models import DONE, Job
from tests.job_runner import run_waiting_jobs

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
BROKEN = "broken"


PACE = 100  # one battle in each step


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a step of the clock be one battle, which is not fought."""

    def battles(question: Any) -> Any:
        if question["of"] == BROKEN:
            raise LookupError
        return lambda number: [question["of"], number]

    monkeypatch.setattr(simulation_work, "FIRST_RESULTS_SECONDS", 0.0)
    monkeypatch.setattr(simulation_work, "pace_of", lambda _: PACE)
    monkeypatch.setattr(simulation_work, "KINDS", dict.fromkeys(SimulationKind, battles))


def ann() -> User:
    return User.objects.get_or_create(username="ann")[0]


def ask_simulation(of: str, runs: int = 3, user: User | None = None, **extra: Any) -> Simulation:
    kind = SimulationKind.CONTEST
    return simulation_request(
        user=user or ann(), kind=kind, question={"of": of}, battle_count=runs, **extra
    )


def battles_fought() -> dict[str, int]:
    return {row.question["of"]: row.battles_done for row in Simulation.objects.order_by("pk")}


def test_workers_alternate_between_questions_and_start_new_ones_first() -> None:
    ask_simulation("a"), ask_simulation("b")
    assert [job.kind for job in Job.objects.all()] == ["campaign.simulate"]
    run_waiting_jobs(3)
    assert battles_fought() == {"a": 2, "b": 1}
    ask_simulation("c")
    run_waiting_jobs(1)
    assert battles_fought() == {"a": 2, "b": 1, "c": 1}
    run_waiting_jobs()
    assert battles_fought() == {"a": 3, "b": 3, "c": 3}
    assert Simulation.objects.get(question__of="b").samples == [["b", 0], ["b", 1], ["b", 2]]
    assert not Job.objects.exclude(status=DONE).exists()
    ask_simulation("d", user=User.objects.create_user("bob"))
    assert Job.objects.count() == 2  # another user does not wait for other people's questions


def test_sufficient_results_are_stored_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simulation_work, "pace_of", lambda _: 60 * PACE)
    monkeypatch.setattr(simulation_work, "FIRST_RESULTS_SECONDS", 60.0)
    ask_simulation("a", runs=3 * FEWEST)
    run_waiting_jobs(1)
    assert battles_fought() == {"a": FEWEST}
    run_waiting_jobs(1)
    assert battles_fought() == {"a": 3 * FEWEST}


def test_new_question_does_not_wait_for_earlier_slices(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def battles(question: Any) -> Any:
        def battle(number: int) -> int:
            if (question["of"], number) == ("a", FEWEST + 3):
                ask_simulation("b", runs=1)
            return number

        return battle

    monkeypatch.setattr(simulation_work, "pace_of", lambda _: 60 * PACE)
    monkeypatch.setattr(simulation_work, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(simulation_work, "KINDS", dict.fromkeys(SimulationKind, battles))
    row = ask_simulation("a", runs=10 * FEWEST)
    Simulation.objects.filter(pk=row.pk).update(
        pace=60 * PACE, battles_done=FEWEST, samples=list(range(FEWEST))
    )
    run_waiting_jobs(1)
    assert battles_fought() == {"a": FEWEST + 4, "b": 0}
    run_waiting_jobs()
    assert battles_fought() == {"a": 10 * FEWEST, "b": 1}


def test_simulation_pauses_without_a_reader_and_resumes() -> None:
    row = ask_simulation("a", now=timezone.now() - 2 * WATCH_TIME)
    run_waiting_jobs()
    assert battles_fought() == {"a": 0}
    ask_simulation("a")
    run_waiting_jobs(1)
    simulation_stop(row)
    run_waiting_jobs()
    assert battles_fought() == {"a": 1}
    assert ask_simulation("a", runs=5).pk == row.pk
    run_waiting_jobs()
    assert battles_fought() == {"a": 5}


def test_question_that_kills_its_worker_is_isolated_and_dropped() -> None:
    row = ask_simulation("a")
    Simulation.objects.update(tries=1)
    simulations_work({"user": row.user_id})
    row.refresh_from_db()
    assert (row.battles_done, row.tries) == (1, 0)
    Simulation.objects.update(tries=MAX_TRIES)
    run_waiting_jobs()
    row.refresh_from_db()
    assert (row.battles_done, row.ending, row.open) == (1, SimulationEnd.FAILED, False)


def test_impossible_or_slow_question_ends_without_blocking(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ask_simulation(BROKEN), ask_simulation("a")
    run_waiting_jobs()
    assert {row.question["of"]: row.ending for row in Simulation.objects.all()} == {
        BROKEN: "failed",
        "a": "",
    }
    assert battles_fought()["a"] == 3
    monkeypatch.setattr(simulation_work, "MAX_SECONDS", -1.0)
    ask_simulation("b")
    run_waiting_jobs()
    assert Simulation.objects.get(question__of="b").ending == SimulationEnd.LONG


def test_battles_stored_by_another_worker_are_not_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = ask_simulation("a", runs=2)

    def slow(_: Any) -> Any:
        Simulation.objects.filter(pk=row.pk).update(battles_done=1, samples=["another's"])
        return lambda number: number

    monkeypatch.setattr(simulation_work, "KINDS", {SimulationKind.CONTEST: slow})
    assert simulations_work({"user": row.user_id}) == {"battles_done": 0}
    row.refresh_from_db()
    assert (row.battles_done, row.samples) == (1, ["another's"])


def test_questions_expire_a_day_after_the_last_visit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ask_simulation("a")
    assert simulations_forget(now=timezone.now() + RETENTION - timedelta(minutes=1)) == 0
    assert simulations_forget(now=timezone.now() + RETENTION + timedelta(minutes=1)) == 1
    assert MAX_STORED > 10
    monkeypatch.setattr(simulations, "MAX_STORED", 2)
    for hours, of in enumerate("abc"):
        ask_simulation(of, now=timezone.now() + timedelta(hours=hours))
    assert sorted(battles_fought()) == ["b", "c"]


def test_slice_size_follows_the_first_battles() -> None:
    assert [pace_of(seconds) for seconds in (0.001, 0.0290, 0.0299, 0.1, 0.31, 100.0)] == [
        5000,
        800,
        800,
        300,
        50,
        5,
    ]


def test_slices_take_equal_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The machine's load stays hidden: the rest of a step is waited for, a late one ends at the
    next.
    """
    slept: list[float] = []
    now = [0.0]

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr("campaign.services.simulation_work.time.sleep", sleep)
    monkeypatch.setattr("campaign.services.simulation_work.time.monotonic", lambda: now[0])
    for worked_for, steps, ends in ((0.05, 1, 0.5), (0.45, 1, 0.5), (0.6, 1, 1.0), (0.6, 2, 1.0)):
        now[0] = worked_for
        simulation_work._wait_for_the_clock(0.0, steps, Simulation.objects.none())
        assert now[0] == pytest.approx(ends)


def test_odds_have_their_own_queue_and_budget() -> None:
    row = ask_simulation("a")
    job = Job.objects.get()
    assert (job.lane, job.account) == ("interactive", f"page/{row.user_id}")
