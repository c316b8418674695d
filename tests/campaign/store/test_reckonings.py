"""Battles that workers fight for the odds of somebody: his questions in turn, and what goes wrong
with them.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from campaign.belief.odds import FEWEST
from campaign.kinds import ReckoningEnd, ReckoningKind
from campaign.models import Reckoning
from campaign.services import reckoning_work, reckonings
from campaign.services.reckoning_work import MOST_TRIES, pace_of, reckonings_work
from campaign.services.reckonings import (
    KEPT,
    MOST_KEPT,
    WATCHED,
    reckoning_ask,
    reckoning_stop,
    reckonings_forget,
)
from jobs.models import DONE, Job
from tests.working import worked

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
BROKEN = "broken"


ONE = 100  # the pace of one battle in each step


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step of the clock is one battle, which nobody fights."""

    def battles(asked: Any) -> Any:
        if asked["of"] == BROKEN:
            raise LookupError
        return lambda number: [asked["of"], number]

    monkeypatch.setattr(reckoning_work, "FIRST", 0.0)
    monkeypatch.setattr(reckoning_work, "pace_of", lambda _: ONE)
    monkeypatch.setattr(reckoning_work, "KINDS", dict.fromkeys(ReckoningKind, battles))


def ann() -> User:
    return User.objects.get_or_create(username="ann")[0]


def asked(of: str, wanted: int = 3, user: User | None = None, **more: Any) -> Reckoning:
    kind = ReckoningKind.CONTEST
    return reckoning_ask(user=user or ann(), kind=kind, question={"of": of}, wanted=wanted, **more)


def fought() -> dict[str, int]:
    return {row.question["of"]: row.fought for row in Reckoning.objects.order_by("pk")}


def test_the_questions_of_a_person_take_turns_and_one_worker_and_a_new_one_is_first() -> None:
    asked("a"), asked("b")
    assert [job.kind for job in Job.objects.all()] == ["campaign.reckon"]
    worked(3)
    assert fought() == {"a": 2, "b": 1}
    asked("c")
    worked(1)
    assert fought() == {"a": 2, "b": 1, "c": 1}
    worked()
    assert fought() == {"a": 3, "b": 3, "c": 3}
    assert Reckoning.objects.get(question__of="b").samples == [["b", 0], ["b", 1], ["b", 2]]
    assert not Job.objects.exclude(status=DONE).exists()
    asked("d", user=User.objects.create_user("bob"))
    assert Job.objects.count() == 2  # another person waits for nobody's questions


def test_what_is_enough_to_say_something_is_written_down_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reckoning_work, "pace_of", lambda _: 60 * ONE)
    monkeypatch.setattr(reckoning_work, "FIRST", 60.0)
    asked("a", wanted=3 * FEWEST)
    worked(1)
    assert fought() == {"a": FEWEST}
    worked(1)
    assert fought() == {"a": 3 * FEWEST}


def test_a_new_question_waits_for_no_slice_of_an_earlier_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def battles(question: Any) -> Any:
        def battle(number: int) -> int:
            if (question["of"], number) == ("a", FEWEST + 3):
                asked("b", wanted=1)
            return number

        return battle

    monkeypatch.setattr(reckoning_work, "pace_of", lambda _: 60 * ONE)
    monkeypatch.setattr(reckoning_work, "LOOK", 0.0)
    monkeypatch.setattr(reckoning_work, "KINDS", dict.fromkeys(ReckoningKind, battles))
    row = asked("a", wanted=10 * FEWEST)
    Reckoning.objects.filter(pk=row.pk).update(
        pace=60 * ONE, fought=FEWEST, samples=list(range(FEWEST))
    )
    worked(1)
    assert fought() == {"a": FEWEST + 4, "b": 0}
    worked()
    assert fought() == {"a": 10 * FEWEST, "b": 1}


def test_nothing_is_fought_for_who_has_gone_or_stopped_and_who_comes_back_goes_on() -> None:
    row = asked("a", now=timezone.now() - 2 * WATCHED)
    worked()
    assert fought() == {"a": 0}
    asked("a")
    worked(1)
    reckoning_stop(row)
    worked()
    assert fought() == {"a": 1}
    assert asked("a", wanted=5).pk == row.pk
    worked()
    assert fought() == {"a": 5}


def test_a_question_that_kills_its_worker_is_fought_alone_and_then_given_up() -> None:
    row = asked("a")
    Reckoning.objects.update(tries=1)
    reckonings_work({"user": row.user_id})
    row.refresh_from_db()
    assert (row.fought, row.tries) == (1, 0)
    Reckoning.objects.update(tries=MOST_TRIES)
    worked()
    row.refresh_from_db()
    assert (row.fought, row.ending, row.open) == (1, ReckoningEnd.FAILED, False)


def test_what_cannot_be_fought_or_takes_too_long_ends_and_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked(BROKEN), asked("a")
    worked()
    assert {row.question["of"]: row.ending for row in Reckoning.objects.all()} == {
        BROKEN: "failed",
        "a": "",
    }
    assert fought()["a"] == 3
    monkeypatch.setattr(reckoning_work, "MOST_SECONDS", -1.0)
    asked("b")
    worked()
    assert Reckoning.objects.get(question__of="b").ending == ReckoningEnd.LONG


def test_battles_that_another_worker_wrote_first_are_not_written_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = asked("a", wanted=2)

    def slow(_: Any) -> Any:
        Reckoning.objects.filter(pk=row.pk).update(fought=1, samples=["another's"])
        return lambda number: number

    monkeypatch.setattr(reckoning_work, "KINDS", {ReckoningKind.CONTEST: slow})
    assert reckonings_work({"user": row.user_id}) == {"fought": 0}
    row.refresh_from_db()
    assert (row.fought, row.samples) == (1, ["another's"])


def test_questions_are_forgotten_a_day_after_the_last_look_and_the_oldest_of_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked("a")
    assert reckonings_forget(now=timezone.now() + KEPT - timedelta(minutes=1)) == 0
    assert reckonings_forget(now=timezone.now() + KEPT + timedelta(minutes=1)) == 1
    assert MOST_KEPT > 10
    monkeypatch.setattr(reckonings, "MOST_KEPT", 2)
    for hours, of in enumerate("abc"):
        asked(of, now=timezone.now() + timedelta(hours=hours))
    assert sorted(fought()) == ["b", "c"]


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
    """How busy the machine is does not show: what is left of a step is waited for, and a late one
    ends at the next.
    """
    slept: list[float] = []
    now = [0.0]

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr("campaign.services.reckoning_work.time.sleep", sleep)
    monkeypatch.setattr("campaign.services.reckoning_work.time.monotonic", lambda: now[0])
    for worked_for, steps, ends in ((0.05, 1, 0.5), (0.45, 1, 0.5), (0.6, 1, 1.0), (0.6, 2, 1.0)):
        now[0] = worked_for
        reckoning_work._wait_for_the_clock(0.0, steps, Reckoning.objects.none())
        assert now[0] == pytest.approx(ends)


def test_odds_use_a_lane_and_a_budget_of_their_own() -> None:
    row = asked("a")
    job = Job.objects.get()
    assert (job.lane, job.account) == ("interactive", f"page/{row.user_id}")
