"""A handicap as a scenario's writer uses it: looked for, proposed, applied at a press, taken back;
what goes wrong.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from campaign.models import BalancePart, ScenarioBalance, ScenarioDraft
from campaign.rules.files import fixture_text, judge_scenario
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_bench import read_file
from campaign.services.tokens import token_make
from tests.campaign.api.calls import Caller, places, refused, shown
from tests.campaign.pages.house.rooms import browser, page, read
from tests.umpire.pages.test_balance import at, draft, pressed
from tests.working import worked
from umpire.handicap import MOST_TRIES
from umpire.pages import balance as balance_page
from umpire.services import balance_wars, balances

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
FIRST = fixture_text("first-steps")
WARS = 40


def frost_ships(scenario: Scenario) -> int:
    return sum(many for pick in dict(scenario.defaults)["frost"] for _, many in pick.ships)


FEW = frost_ships(judge_scenario(read_file(FIRST))[0])


def uneven(scenario: Scenario, _admirals: object, seed: int, **_: object) -> Any:
    """Frost wins a tenth of the wars, and a tenth more for each ship that it has more."""
    won = seed % 10 < 1 + frost_ships(scenario) - FEW
    return SimpleNamespace(result="x", winner="frost" if won else "ember", weeks=3)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance_page, "WARS", WARS)
    monkeypatch.setattr(balances, "TRIAL", WARS)
    monkeypatch.setattr(balance_wars, "play", uneven)


@pytest.fixture
def sought() -> tuple[ScenarioDraft, Client]:
    """A scenario for which a handicap was found, and its writer's browser."""
    row = draft()
    client = browser("ann")
    for act in ("play", "seek"):
        pressed(client, row, act)
        worked()
    return row, client


def text_of(row: ScenarioDraft) -> str:
    return ScenarioDraft.objects.get(pk=row.pk).text


def test_a_handicap_is_looked_for_proposed_and_nothing_changed() -> None:
    row = draft()
    client = browser("ann")
    assert "Look for a handicap" not in page(client, at(row)).text
    pressed(client, row)
    worked()
    assert "Look for a handicap" in page(client, at(row)).text
    assert pressed(client, row, "seek").status_code == 302
    assert pressed(client, row, "seek").status_code == 302, "pressed twice it is begun once"
    begun = page(client, at(row)).text
    assert "none is decided yet" in begun
    assert "Stop" in begun
    assert BalancePart.objects.filter(step__gt=0).count() == 2
    worked()
    kept = ScenarioBalance.objects.get()
    assert (kept.side, kept.sought, kept.ending, kept.place) == ("frost", "done", "done", None)
    told = page(client, at(row)).text
    assert "Frost Assembly wins 50% of the decided wars" in told
    assert "the wars leave it open that all win equally often" in told
    assert "Mobile force:" in told
    assert "Apply it to the scenario" in told
    assert "Look for a handicap" not in told, "it would find the same"
    assert (
        1 <= BalancePart.objects.filter(step__gt=0).values("step").distinct().count() <= MOST_TRIES
    )
    assert text_of(row) == FIRST


def test_it_is_applied_at_a_press_and_taken_back_at_another(
    sought: tuple[ScenarioDraft, Client],
) -> None:
    row, client = sought
    assert pressed(client, row, "apply").status_code == 302
    stands, faults = judge_scenario(read_file(text_of(row)))
    assert (frost_ships(stands), faults) == (FEW + 4, ())
    told = page(client, at(row)).text
    assert "The scenario stands with a handicap" in told
    assert "figures of what it was on" in told
    assert "Apply it" not in told
    twice = pressed(client, row, "apply")
    assert twice.status_code == 422
    assert "changed since the handicap was found" in read(twice).text
    pressed(client, row)
    worked()
    again = page(client, at(row)).text
    assert "Even, as far as 40 wars" in again
    assert "Look for a handicap" not in again
    assert "Take it back" in again
    assert pressed(client, row, "undo").status_code == 302
    assert text_of(row) == FIRST, "to the last character"
    assert pressed(client, row, "undo").status_code == 422
    assert "Take it back" not in page(client, at(row)).text


def test_what_was_changed_since_is_neither_overwritten_nor_taken_back(
    sought: tuple[ScenarioDraft, Client],
) -> None:
    row, client = sought
    other = FIRST.replace("weeks: 3", "weeks: 4")
    ScenarioDraft.objects.update(text=other)
    assert "Apply it" not in page(client, at(row)).text
    assert (pressed(client, row, "apply").status_code, text_of(row)) == (422, other)
    assert (pressed(client, row, "seek").status_code, text_of(row)) == (422, other)
    renamed = FIRST.replace("name: First Steps", "name: Mine")
    ScenarioDraft.objects.update(text=renamed)
    assert pressed(client, row, "apply").status_code == 302, "a name decides no war"
    assert "name: Mine" in text_of(row)
    changed = text_of(row) + "# mine\n"
    ScenarioDraft.objects.update(text=changed)
    assert (pressed(client, row, "undo").status_code, text_of(row)) == (422, changed)


def test_a_search_is_stopped_and_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    row = draft()
    client = browser("ann")
    pressed(client, row)
    worked()
    monkeypatch.setattr(balance_wars, "SLICE", 0.0)
    pressed(client, row, "seek")
    worked(2)
    assert pressed(client, row, "stop").status_code == 302
    worked()
    kept = ScenarioBalance.objects.get()
    assert (kept.ending, kept.sought, kept.place) == ("done", "stopped", None)
    told = page(client, at(row)).text
    assert "The search was stopped" in told
    assert "40 of 40 wars" in told
    assert "Look for a handicap again" in told
    monkeypatch.setattr(balance_wars, "SLICE", 1.0)
    pressed(client, row, "seek")
    worked()
    assert ScenarioBalance.objects.get().sought == "done"


def test_where_no_ships_even_it_out_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    ember = SimpleNamespace(result="x", winner="ember", weeks=3)
    monkeypatch.setattr(balance_wars, "play", lambda *_, **__: ember)
    row = draft()
    client = browser("ann")
    for act in ("play", "seek"):
        pressed(client, row, act)
        worked()
    assert "None of them brings it nearer to even" in page(client, at(row)).text
    assert pressed(client, row, "apply").status_code == 422


def test_nothing_is_looked_for_without_uneven_wars(monkeypatch: pytest.MonkeyPatch) -> None:
    row = draft()
    client = browser("ann")
    for act in ("seek", "apply", "undo"):
        assert pressed(client, row, act).status_code == 422
    even = [SimpleNamespace(result="x", winner=side, weeks=3) for side in ("ember", "frost")]
    monkeypatch.setattr(balance_wars, "play", lambda *given, **_: even[given[2] % 2])
    pressed(client, row)
    worked()
    assert "A handicap" not in page(client, at(row)).text
    assert "all sides win equally often" in read(pressed(client, row, "seek")).text


def test_programs_do_the_same() -> None:
    row = draft()
    ann = Caller(row.user, token_make(user=row.user), "")
    api = f"/api/own-scenarios/{row.public_id}/handicap/"
    assert shown(ann.get(api))["state"] == "none"
    refused(ann.post(api), 422, "violations")
    shown(ann.post(f"/api/own-scenarios/{row.public_id}/balance/", {"wars": 40}))
    worked()
    assert shown(ann.post(api))["state"] == "seeking"
    worked()
    found = shown(ann.get(api))
    assert (found["state"], found["ending"], found["side"], found["even"], found["applied"]) == (
        *("over", "done", "Frost Assembly"),
        *(True, False),
    )
    assert found["best"] in found["tries"]
    assert found["best"]["share"] == 0.5
    assert found["ships"]
    assert found["budgets"] == [
        f"Mobile force: {1200 + found['best']['points']} points instead of 1200"
    ]
    bob = User.objects.create_user("bob")
    stranger = Caller(bob, token_make(user=bob), "")
    for path in ("", "apply/", "undo/"):
        refused(stranger.post(api + path), 404)
    assert shown(ann.post(f"{api}apply/"))["applied"]
    assert places(ann.post(f"{api}apply/")) == [""]
    assert not shown(ann.post(f"{api}undo/"))["applied"]
    assert text_of(row) == FIRST
