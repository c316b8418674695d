"""A scenario's balance, requested by its author: the button, failures meanwhile, and the figures."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from campaign.models import BalancePart, ScenarioBalance, ScenarioDraft
from campaign.rules.files import fixture_text
from campaign.services.own_scenarios import scenario_draft_create
from campaign.services.tokens import token_make
from jobs.models import DONE, WAITING, Job
from jobs.services import job_run
from tests.campaign.api.calls import Caller, fault_places, json_of
from tests.campaign.pages.general.browser_pages import browser, page, read_page
from tests.job_runner import run_waiting_jobs
from umpire.balance import WarEnd
from umpire.pages import balance as balance_page
from umpire.rehearsal import play
from umpire.services import balance_wars
from umpire.services.balances import PLACES, balance_start, ends_of

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
WARS = 20
FIRST = fixture_text("first-steps")
END = SimpleNamespace(result="Ember victory", winner="ember", weeks=2)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the button play few wars, one in each slice."""
    monkeypatch.setattr(balance_page, "WARS", WARS)
    monkeypatch.setattr(balance_wars, "SLICE", 0.0)
    monkeypatch.setattr(balance_wars, "play", lambda *_, **__: END)


def draft(name: str = "ann", text: str = FIRST) -> ScenarioDraft:
    user = User.objects.filter(username=name).first() or User.objects.create_user(name)
    return scenario_draft_create(user=user, text=text)


def at(row: ScenarioDraft) -> str:
    return f"/balance/{row.public_id}/"


def press_button(client: Client, row: ScenarioDraft, act: str = "play") -> Any:
    return client.post(at(row), {"act": act})


def test_button_starts_background_wars_and_shows_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ends = []

    def played(*args: Any, **kwargs: Any) -> Any:
        ends.append(play(*args, **kwargs))
        return ends[-1]

    monkeypatch.setattr(balance_wars, "play", played)
    row = draft()
    client = browser("ann")
    assert "Play 20 wars" in page(client, at(row)).text
    assert press_button(client, row).headers["Location"] == at(row)
    first_page = page(client, at(row)).text
    assert "0 of 20 wars" in first_page
    assert "No war has ended yet" in first_page
    run_waiting_jobs(6)
    some = client.get(at(row)).content.decode()
    assert 'data-hx-get="/balance/' in some
    assert "Reload" in some, "without scripts a link does"
    part = client.get(at(row), headers={"HX-Request": "true"})
    assert ("HX-Refresh" in part.headers, "<h1" in part.content.decode()) == (False, False)
    assert "6 of 20 wars" in part.content.decode()
    run_waiting_jobs()
    assert client.get(at(row), headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    over = page(client, at(row)).text
    balance = ScenarioBalance.objects.get()
    assert (balance.ending, balance.place) == ("done", None)
    assert "20 of 20 wars" in over
    decided_wars = sum(WarEnd.of(war).winner is not None for war in ends)
    assert 0 < decided_wars < WARS, "some are drawn, which the page counts apart"
    assert f"do not show who is stronger: only {decided_wars} of 20 were decided" in over
    assert "Ember victory" in over
    assert "Play 20 wars again" in over
    assert sorted(war.seed for war in ends) == list(range(WARS))
    assert Counter(ends_of(list(balance.parts.all()))) == Counter(map(WarEnd.of, ends))


def test_double_press_starts_once() -> None:
    row = draft()
    client = browser("ann")
    press_button(client, row)
    run_waiting_jobs(3)
    assert press_button(client, row).status_code == 302
    balance = ScenarioBalance.objects.get()
    assert (balance.run, sum(part.played for part in BalancePart.objects.all())) == (1, 3)
    run_waiting_jobs()
    assert sum(part.played for part in BalancePart.objects.all()) == WARS


def test_slices_of_a_second_let_other_work_run() -> None:
    row = draft()
    press_button(browser("ann"), row)
    jobs = list(Job.objects.order_by("pk"))
    assert len(jobs) == 2
    job_run(job=jobs[0].pk)
    jobs[0].refresh_from_db()
    assert (jobs[0].status, jobs[0].attempts) == (WAITING, 0)
    assert jobs[0].send_at is not None
    assert jobs[1].send_at is not None
    assert jobs[0].send_at > jobs[1].send_at, "it stands at the end of the line"
    assert jobs[0].asked_at > jobs[1].asked_at, "and nobody takes it for work that is behind"


def test_scenario_changed_meanwhile_is_played_as_it_was() -> None:
    row = draft()
    client = browser("ann")
    press_button(client, row)
    run_waiting_jobs(2)
    ScenarioDraft.objects.update(text=FIRST.replace("name: First Steps", "name: Other Steps"))
    assert "changed" not in page(client, at(row)).text, "a name decides nothing"
    ScenarioDraft.objects.update(text=FIRST.replace("weeks: 3", "weeks: 4"))
    assert "changed meanwhile" in page(client, at(row)).text
    run_waiting_jobs()
    over = page(client, at(row)).text
    assert "these figures are for the version of" in over
    assert "week 3, the last" in over
    press_button(client, row)
    assert ScenarioBalance.objects.get().run == 2
    run_waiting_jobs()
    assert "these figures are for the version of" not in page(client, at(row)).text


def test_stopped_wars_keep_their_figures() -> None:
    row = draft()
    client = browser("ann")
    press_button(client, row)
    run_waiting_jobs(5)
    assert press_button(client, row, "stop").status_code == 302
    run_waiting_jobs()
    assert sum(part.played for part in BalancePart.objects.all()) == 5
    page_text = page(client, at(row)).text
    assert "stopped before all were played" in page_text
    assert "5 of 20 wars" in page_text
    assert not Job.objects.exclude(status=DONE).exists()
    assert press_button(client, row, "stop").status_code == 302, (
        "what is stopped already is stopped"
    )
    press_button(client, row)
    balance_wars.balance_work(
        {"balance": ScenarioBalance.objects.get().pk, "run": 1, "step": 0, "number": 0}
    )
    assert sum(part.played for part in BalancePart.objects.all()) == 0, (
        "a job of the wars before plays none of these"
    )


def test_dead_worker_loses_a_second_and_a_fatal_war_is_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = draft()
    client = browser("ann")
    press_button(client, row)
    run_waiting_jobs(2)

    def killed(*_: object, **__: object) -> None:
        raise SystemExit  # an error that no handler survives

    monkeypatch.setattr(balance_wars, "play", killed)
    balance = ScenarioBalance.objects.get()
    args = {"balance": balance.pk, "run": 1, "step": 0, "number": 1}
    for _ in range(balance_wars.MAX_TRIES):
        with pytest.raises(SystemExit):
            balance_wars.balance_work(args)
    part = BalancePart.objects.get(number=1)
    assert (part.played, part.tries, part.failed_seeds) == (1, 3, [])
    assert balance_wars.balance_work(args) == {"played": 1}
    part.refresh_from_db()
    assert (part.played, part.tries, part.failed_seeds) == (2, 0, [3])
    monkeypatch.setattr(balance_wars, "play", lambda *_, **__: END)
    run_waiting_jobs()
    page_text = page(client, at(row)).text
    assert "20 of 20 wars" in page_text
    assert "Left out: 1 war that could not be finished" in page_text


def test_two_workers_count_no_war_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    row = draft()
    press_button(browser("ann"), row)
    args = {"balance": ScenarioBalance.objects.get().pk, "run": 1, "step": 0, "number": 0}

    def overtaken(*_: object, **__: object) -> object:
        monkeypatch.setattr(balance_wars, "play", lambda *_, **__: END)
        balance_wars.balance_work(args)
        return END

    monkeypatch.setattr(balance_wars, "play", overtaken)
    assert balance_wars.balance_work(args) == {"played": 0}
    assert BalancePart.objects.get(number=0).played == 1


def test_unplayable_wars_are_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError

    monkeypatch.setattr(balance_wars, "play", broken)
    row = draft()
    client = browser("ann")
    press_button(client, row)
    run_waiting_jobs()
    assert ScenarioBalance.objects.get().ending == "failed"
    assert "not in your scenario" in page(client, at(row)).text


def test_slow_wars_are_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    row = draft()
    client = browser("ann")
    monkeypatch.setattr(balance_wars, "MAX_TOTAL_SECONDS", -1.0)
    press_button(client, row)
    run_waiting_jobs()
    balance = ScenarioBalance.objects.get()
    assert (balance.ending, balance.place) == ("long", None)
    assert "took too long" in page(client, at(row)).text
    monkeypatch.setattr(balance_wars, "MAX_TOTAL_SECONDS", 1200.0)
    monkeypatch.setattr(balance_wars, "LONGEST_WAR", -1.0)
    monkeypatch.setattr(balance_wars, "play", play)
    press_button(client, row)
    run_waiting_jobs()
    assert ScenarioBalance.objects.get().ending == "long"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("weeks: 3", "weeks: 0", "fault"),
        ("at: ember-prime", "at: nowhere", "fault"),
        ("    default:\n      - name: Icebreaker", "    other:\n      - name: Icebreaker", "fault"),
    ],
)
def test_faulty_scenario_is_not_played(old: str, new: str, words: str) -> None:
    row = draft(text=FIRST.replace(old, new, 1))
    client = browser("ann")
    page_text = page(client, at(row)).text
    assert words in page_text
    assert "Play 20 wars" not in page_text
    refused = press_button(client, row)
    assert refused.status_code == 422
    assert "That did not work" in read_page(refused).text
    assert not ScenarioBalance.objects.exists()
    assert not Job.objects.exists()


def test_missing_fleets_and_too_many_ships_are_named() -> None:
    begin = FIRST.index("    default:\n      - name: Icebreaker")
    row = draft(text=FIRST[:begin] + FIRST[FIRST.index("\nvictory:") :])
    client = browser("ann")
    assert "Frost Assembly has no preset fleets" in page(client, at(row)).text
    assert press_button(client, row).status_code == 422
    many = FIRST.replace("points: 1500", "points: 90000").replace(
        "Destroyer: 3}, decoys: 2", "Destroyer: 390}"
    )
    many = many.replace("forces:", "classification_limit: 1/1\nforces:", 1)
    assert "the limit for these wars is 400" in page(client, at(draft(text=many))).text


def test_scenarios_in_play_are_limited_per_person_and_site() -> None:
    first, second = draft(), draft()
    client = browser("ann")
    press_button(client, first)
    refused = press_button(client, second)
    assert refused.status_code == 422
    assert "are being played; wait for them, or stop them" in read_page(refused).text
    for n in range(1, PLACES):
        other = draft(f"ann-{n}")
        balance_start(user=other.user, public_id=other.public_id)
    bob = draft("bob")
    busy = press_button(browser("bob"), bob)
    assert (busy.status_code, busy.headers["Retry-After"]) == (503, "60")
    assert not ScenarioBalance.objects.filter(draft=bob).exists()
    press_button(client, first, "stop")
    assert press_button(browser("bob"), bob).status_code == 302


def test_figures_are_private_and_deleted_with_the_scenario() -> None:
    row = draft()
    client = browser("ann")
    press_button(client, row)
    User.objects.create_user("bob")
    bob = browser("bob")
    assert (bob.get(at(row)).status_code, press_button(bob, row, "stop").status_code) == (404, 404)
    assert Client().get(at(row)).status_code == 302
    assert press_button(client, row, "x").status_code == 404
    client.post("/scenarios/", {"act": "delete", "id": str(row.public_id)})
    assert not ScenarioBalance.objects.exists()
    run_waiting_jobs()
    assert not Job.objects.exclude(status=DONE).exists()


def test_unsupported_old_content_is_edited_as_text() -> None:
    row = draft()
    client = browser("ann")
    press_button(client, row)
    ScenarioDraft.objects.update(text="systems: 3\n")
    assert client.get(at(row)).headers["Location"] == f"/scenarios/{row.public_id}/text/"
    ScenarioBalance.objects.update(text=FIRST.replace("weeks: 3", "weeks: 0"))
    ScenarioDraft.objects.update(text=FIRST)
    run_waiting_jobs()
    assert ScenarioBalance.objects.get().ending == "failed"
    assert page(client, at(row)).text


def test_advice_for_balance_is_in_words() -> None:
    row = draft()
    client = browser("ann")
    press_button(client, row)
    run_waiting_jobs()
    page_text = page(client, at(row)).text
    assert "Ember Cooperative is ahead. Its preset fleets cost" in page_text
    assert "Frost victory: never" in page_text


def test_api_starts_reads_and_stops_balance_wars() -> None:
    row = draft()
    ann = Caller(row.user, token_make(user=row.user), "")
    api = f"/api/own-scenarios/{row.public_id}/balance/"
    assert json_of(ann.get(api))["state"] == "none"
    assert (
        fault_places(ann.post(api, {"wars": 19}))
        == fault_places(ann.post(api, {"wars": 501}))
        == ["wars"]
    )
    first_answer = json_of(ann.post(api, {"wars": 30}))
    assert (
        first_answer["state"],
        first_answer["wars"],
        first_answer["played"],
        first_answer["verdict"],
    ) == (
        "playing",
        30,
        0,
        "",
    )
    assert json_of(ann.post(api, {"wars": 40})) == first_answer, "they are being played already"
    run_waiting_jobs()
    later_answer = json_of(ann.get(api))
    assert (
        later_answer["state"],
        later_answer["ending"],
        later_answer["played"],
        later_answer["decided"],
        later_answer["old"],
    ) == (
        "over",
        "done",
        30,
        30,
        False,
    )
    ember = later_answer["shares"][0]
    assert (ember["side"], ember["wins"], ember["share"], ember["high"]) == ("ember", 30, 1.0, 1.0)
    assert 0.8 < ember["low"] < 0.95
    assert later_answer["results"][0] == {"result": "Ember victory", "wars": 30}
    assert later_answer["advice"]
    json_of(ann.post(api))
    assert ann.delete(api).status_code == 204
    stopped = json_of(ann.get(api))
    assert (stopped["state"], stopped["ending"], stopped["wars"], stopped["played"]) == (
        "over",
        "stopped",
        500,
        0,
    )
    ScenarioDraft.objects.update(text=FIRST.replace("weeks: 3", "weeks: 0"))
    assert fault_places(ann.post(api)) == ["weeks"]
    assert json_of(ann.get(api))["old"]
