"""Handicaps for a scenario's author: search, proposal, adding, removing, and failures."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from campaign.models import BalancePart, ScenarioBalance, ScenarioDraft
from campaign.rules.files import check_scenario, fixture_text
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_editing import read_file
from campaign.services.tokens import token_make
from tests.campaign.api.calls import Caller, fault_places, json_of, problem_of
from tests.campaign.pages.general.browser_pages import browser, page, read_page
from tests.job_runner import run_waiting_jobs
from tests.umpire.pages.test_balance import at, draft, press_button
from umpire.handicap import MAX_TRIES
from umpire.pages import balance as balance_page
from umpire.services import balance_wars, balances

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
FIRST = fixture_text("first-steps")
WARS = 40


def frost_ships(scenario: Scenario) -> int:
    return sum(many for pick in dict(scenario.defaults)["frost"] for _, many in pick.ships)


DEFAULT_SHIPS = frost_ships(check_scenario(read_file(FIRST))[0])


def play_uneven(scenario: Scenario, _admirals: object, seed: int, **_: object) -> Any:
    """Let Frost win a tenth of the wars, and a tenth more for each ship that it has more."""
    frost_wins = seed % 10 < 1 + frost_ships(scenario) - DEFAULT_SHIPS
    return SimpleNamespace(result="x", winner="frost" if frost_wins else "ember", weeks=3)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance_page, "WARS", WARS)
    monkeypatch.setattr(balances, "TRIAL_WARS", WARS)
    monkeypatch.setattr(balance_wars, "play", play_uneven)


@pytest.fixture
def sought() -> tuple[ScenarioDraft, Client]:
    """Return a scenario for which a handicap was found, and its author's browser."""
    row = draft()
    client = browser("ann")
    for act in ("play", "seek"):
        press_button(client, row, act)
        run_waiting_jobs()
    return row, client


def text_of(row: ScenarioDraft) -> str:
    return ScenarioDraft.objects.get(pk=row.pk).text


def test_handicap_is_searched_and_proposed_without_changes() -> None:
    row = draft()
    client = browser("ann")
    assert "Look for a handicap" not in page(client, at(row)).text
    press_button(client, row)
    run_waiting_jobs()
    assert "Look for a handicap" in page(client, at(row)).text
    assert press_button(client, row, "seek").status_code == 302
    assert press_button(client, row, "seek").status_code == 302, "pressed twice it is begun once"
    page_text = page(client, at(row)).text
    assert "none decided yet" in page_text
    assert "Stop" in page_text
    assert BalancePart.objects.filter(step__gt=0).count() == 2
    run_waiting_jobs()
    balance = ScenarioBalance.objects.get()
    assert (balance.side, balance.handicap_ending, balance.ending, balance.place) == (
        "frost",
        "done",
        "done",
        None,
    )
    later_text = page(client, at(row)).text
    assert "Frost Assembly wins 50% of the decided wars" in later_text
    assert "the scenario may be even" in later_text
    assert "Mobile force:" in later_text
    assert "Apply to the scenario" in later_text
    assert "Look for a handicap" not in later_text, "it would find the same"
    assert (
        1 <= BalancePart.objects.filter(step__gt=0).values("step").distinct().count() <= MAX_TRIES
    )
    assert text_of(row) == FIRST


def test_handicap_is_applied_and_removed_by_button(
    sought: tuple[ScenarioDraft, Client],
) -> None:
    row, client = sought
    assert press_button(client, row, "apply").status_code == 302
    handicapped, faults = check_scenario(read_file(text_of(row)))
    assert (frost_ships(handicapped), faults) == (DEFAULT_SHIPS + 4, ())
    page_text = page(client, at(row)).text
    assert "The scenario has a handicap now" in page_text
    assert "these figures are for the version of" in page_text
    assert "Apply to the scenario" not in page_text
    twice = press_button(client, row, "apply")
    assert twice.status_code == 422
    assert "changed since the handicap was found" in read_page(twice).text
    press_button(client, row)
    run_waiting_jobs()
    again = page(client, at(row)).text
    assert "Even, based on 40 wars" in again
    assert "Look for a handicap" not in again
    assert "Remove the handicap" in again
    assert press_button(client, row, "undo").status_code == 302
    assert text_of(row) == FIRST, "to the last character"
    assert press_button(client, row, "undo").status_code == 422
    assert "Remove the handicap" not in page(client, at(row)).text


def test_later_edits_are_neither_overwritten_nor_reverted(
    sought: tuple[ScenarioDraft, Client],
) -> None:
    row, client = sought
    other = FIRST.replace("weeks: 3", "weeks: 4")
    ScenarioDraft.objects.update(text=other)
    assert "Apply to the scenario" not in page(client, at(row)).text
    assert (press_button(client, row, "apply").status_code, text_of(row)) == (422, other)
    assert (press_button(client, row, "seek").status_code, text_of(row)) == (422, other)
    renamed = FIRST.replace("name: First Steps", "name: Mine")
    ScenarioDraft.objects.update(text=renamed)
    assert press_button(client, row, "apply").status_code == 302, "a name decides no war"
    assert "name: Mine" in text_of(row)
    changed = text_of(row) + "# mine\n"
    ScenarioDraft.objects.update(text=changed)
    assert (press_button(client, row, "undo").status_code, text_of(row)) == (422, changed)


def test_search_is_stopped_and_restarted(monkeypatch: pytest.MonkeyPatch) -> None:
    row = draft()
    client = browser("ann")
    press_button(client, row)
    run_waiting_jobs()
    monkeypatch.setattr(balance_wars, "SLICE", 0.0)
    press_button(client, row, "seek")
    run_waiting_jobs(2)
    assert press_button(client, row, "stop").status_code == 302
    run_waiting_jobs()
    balance = ScenarioBalance.objects.get()
    assert (balance.ending, balance.handicap_ending, balance.place) == ("done", "stopped", None)
    page_text = page(client, at(row)).text
    assert "The search was stopped" in page_text
    assert "40 of 40 wars" in page_text
    assert "Look for a handicap again" in page_text
    monkeypatch.setattr(balance_wars, "SLICE", 1.0)
    press_button(client, row, "seek")
    run_waiting_jobs()
    assert ScenarioBalance.objects.get().handicap_ending == "done"


def test_missing_solution_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    ember = SimpleNamespace(result="x", winner="ember", weeks=3)
    monkeypatch.setattr(balance_wars, "play", lambda *_, **__: ember)
    row = draft()
    client = browser("ann")
    for act in ("play", "seek"):
        press_button(client, row, act)
        run_waiting_jobs()
    assert "None of them makes the scenario more even" in page(client, at(row)).text
    assert press_button(client, row, "apply").status_code == 422


def test_search_needs_uneven_wars(monkeypatch: pytest.MonkeyPatch) -> None:
    row = draft()
    client = browser("ann")
    for act in ("seek", "apply", "undo"):
        assert press_button(client, row, act).status_code == 422
    even = [SimpleNamespace(result="x", winner=side, weeks=3) for side in ("ember", "frost")]
    monkeypatch.setattr(balance_wars, "play", lambda *given, **_: even[given[2] % 2])
    press_button(client, row)
    run_waiting_jobs()
    assert "A handicap" not in page(client, at(row)).text
    assert "all sides win equally often" in read_page(press_button(client, row, "seek")).text


def test_api_does_the_same() -> None:
    row = draft()
    ann = Caller(row.user, token_make(user=row.user), "")
    api = f"/api/own-scenarios/{row.public_id}/handicap/"
    assert json_of(ann.get(api))["state"] == "none"
    problem_of(ann.post(api), 422, "violations")
    json_of(ann.post(f"/api/own-scenarios/{row.public_id}/balance/", {"wars": 40}))
    run_waiting_jobs()
    assert json_of(ann.post(api))["state"] == "seeking"
    run_waiting_jobs()
    answer = json_of(ann.get(api))
    assert (
        answer["state"],
        answer["ending"],
        answer["side"],
        answer["even"],
        answer["applied"],
    ) == (
        *("over", "done", "Frost Assembly"),
        *(True, False),
    )
    assert answer["best"] in answer["tries"]
    assert answer["best"]["share"] == 0.5
    assert answer["ships"]
    assert answer["budgets"] == [
        f"Mobile force: {1200 + answer['best']['points']} points instead of 1200"
    ]
    bob = User.objects.create_user("bob")
    stranger = Caller(bob, token_make(user=bob), "")
    for path in ("", "apply/", "undo/"):
        problem_of(stranger.post(api + path), 404)
    assert json_of(ann.post(f"{api}apply/"))["applied"]
    assert fault_places(ann.post(f"{api}apply/")) == [""]
    assert not json_of(ann.post(f"{api}undo/"))["applied"]
    assert text_of(row) == FIRST
