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
from campaign.services.simulation_work import MOST_TRIES, pace_of, simulations_work
from campaign.services.simulations import (
    MAX_STORED,
    RETENTION,
    WATCHED,
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

    monkeypatch.setattr(simulation_work, "FIRST", 0.0)
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


def test_the_questions_of_a_person_take_turns_and_one_worker_and_a_new_one_is_first() -> None:
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


def test_what_is_enough_to_say_something_is_written_down_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simulation_work, "pace_of", lambda _: 60 * PACE)
    monkeypatch.setattr(simulation_work, "FIRST", 60.0)
    ask_simulation("a", runs=3 * FEWEST)
    run_waiting_jobs(1)
    assert battles_fought() == {"a": FEWEST}
    run_waiting_jobs(1)
    assert battles_fought() == {"a": 3 * FEWEST}


def test_a_new_question_waits_for_no_slice_of_an_earlier_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def battles(question: Any) -> Any:
        def battle(number: int) -> int:
            if (question["of"], number) == ("a", FEWEST + 3):
                ask_simulation("b", runs=1)
            return number

        return battle

    monkeypatch.setattr(simulation_work, "pace_of", lambda _: 60 * PACE)
    monkeypatch.setattr(simulation_work, "LOOK", 0.0)
    monkeypatch.setattr(simulation_work, "KINDS", dict.fromkeys(SimulationKind, battles))
    row = ask_simulation("a", runs=10 * FEWEST)
    Simulation.objects.filter(pk=row.pk).update(
        pace=60 * PACE, battles_done=FEWEST, samples=list(range(FEWEST))
    )
    run_waiting_jobs(1)
    assert battles_fought() == {"a": FEWEST + 4, "b": 0}
    run_waiting_jobs()
    assert battles_fought() == {"a": 10 * FEWEST, "b": 1}


def test_nothing_is_fought_for_who_has_gone_or_stopped_and_who_comes_back_goes_on() -> None:
    row = ask_simulation("a", now=timezone.now() - 2 * WATCHED)
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


def test_a_question_that_kills_its_worker_is_fought_alone_and_then_given_up() -> None:
    row = ask_simulation("a")
    Simulation.objects.update(tries=1)
    simulations_work({"user": row.user_id})
    row.refresh_from_db()
    assert (row.battles_done, row.tries) == (1, 0)
    Simulation.objects.update(tries=MOST_TRIES)
    run_waiting_jobs()
    row.refresh_from_db()
    assert (row.battles_done, row.ending, row.open) == (1, SimulationEnd.FAILED, False)


def test_what_cannot_be_fought_or_takes_too_long_ends_and_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ask_simulation(BROKEN), ask_simulation("a")
    run_waiting_jobs()
    assert {row.question["of"]: row.ending for row in Simulation.objects.all()} == {
        BROKEN: "failed",
        "a": "",
    }
    assert battles_fought()["a"] == 3
    monkeypatch.setattr(simulation_work, "MOST_SECONDS", -1.0)
    ask_simulation("b")
    run_waiting_jobs()
    assert Simulation.objects.get(question__of="b").ending == SimulationEnd.LONG


def test_battles_that_another_worker_wrote_first_are_not_written_twice(
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


def test_questions_are_forgotten_a_day_after_the_last_look_and_the_oldest_of_many(
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


def test_the_pace_is_decided_by_the_first_battles_and_small_differences_change_nothing() -> None:
    assert [pace_of(seconds) for seconds in (0.001, 0.0290, 0.0299, 0.1, 0.31, 100.0)] == [
        5000,
        800,
        800,
        300,
        50,
        5,
    ]


def test_a_step_lasts_as_long_however_quickly_its_battles_were_fought(
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


def test_odds_use_a_lane_and_a_budget_of_their_own() -> None:
    row = ask_simulation("a")
    job = Job.objects.get()
    assert (job.lane, job.account) == ("interactive", f"page/{row.user_id}")
