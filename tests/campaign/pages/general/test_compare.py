"""Two classes compared on a page, and battles of equal points between them."""

from __future__ import annotations

import json
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User

from campaign.pages.battle import compare
from campaign.rules import class_figures, matchups
from campaign.services import contests, simulation_work
from campaign.services.contests import (
    Contender,
    contest_battles,
    contest_odds,
    contest_of,
    side_by_side,
)
from campaign.services.design_drafts import class_save
from campaign.services.design_library import library_design_save
from engine.core.edition import EDITIONS
from engine.core.errors import RuleViolations
from engine.design.value import Figures
from engine.notation.designs import design_json
from engine.notation.files import fixture_classes
from tests.campaign.api.calls import caller
from tests.campaign.pages.general.browser_pages import browser, page
from tests.campaign.rules.yards import design
from tests.job_runner import run_waiting_jobs
from tests.umpire.services.wars import start_campaign

WHERE = "/designs/compare/"


def first_and_last_class(edition: str) -> tuple[str, str]:
    """Return the first and the last armed class of an edition."""
    names = [
        name
        for name, design_sheet in fixture_classes(edition).items()
        if design_sheet.kind == "warship"
    ]
    return f"{edition}/{names[0]}", f"{edition}/{names[-1]}"


@pytest.mark.parametrize(
    ("points", "many"),
    [((100, 100), (1, 1)), ((100, 200), (2, 1)), ((300, 100), (1, 3)), ((90, 1000), (4, 1))],
)
def test_sides_have_nearly_equal_points(points: tuple[int, int], many: tuple[int, int]) -> None:
    assert matchups.equal_points(*points) == many


def test_mirrored_classes_are_placed_symmetrically() -> None:
    design = design_json(next(iter(fixture_classes("continuum").values())))
    fire = matchups.fire_by_arc("continuum", [matchups.fire_of(design)] * 2)
    assert fire
    assert all(first == second for row in fire for _, first, second in row.bands)
    question = {"designs": [design, design], "options": [], "many": [2, 2], "points": [10, 10]}
    samples = json.loads(json.dumps([contest_battles(question)(number) for number in (0, 1)]))
    # A battle has the same result whenever it is simulated
    assert samples[1] == contest_battles(question)(1)
    odds = contest_odds(question, samples)
    assert odds is not None
    assert (odds.runs, odds.points) == (2, (20, 20))
    assert sum(odds.wins) + odds.draws == 100
    assert all(
        low <= share <= high for share, (low, high) in zip(odds.wins, odds.wins_within, strict=True)
    )
    assert contest_odds(question, []) is None


def test_figures_of_a_contest_are_computed_once_and_name_the_class_of_each_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    design = design_json(next(iter(fixture_classes("continuum").values())))
    computed: list[object] = []

    def figures_of(document: dict[str, Any], options: tuple[str, ...]) -> Figures:
        computed.append(document)
        return class_figures.figures_of(document, options)

    monkeypatch.setattr(contests, "figures_of", figures_of)
    first, second = Contender("First", design), Contender("Second", dict(design))
    assert contest_of(first, second).counts == (1, 1)
    assert computed == [design, design]
    faulty = {**design, "mass": "heavy"}
    for compare_classes in (contest_of, side_by_side):
        with pytest.raises(RuleViolations) as caught:
            compare_classes(Contender("First", faulty), Contender("Second", faulty))
        messages = [violation.message for violation in caught.value.violations]
        assert {message.partition(":")[0] for message in messages} == {"First", "Second"}


@pytest.mark.django_db
@pytest.mark.parametrize("edition", EDITIONS)
def test_classes_of_one_edition_are_compared_and_fought(
    edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare, "MAX_BATTLES", 3)
    monkeypatch.setattr(simulation_work, "FIRST_RESULTS_SECONDS", 0.0)
    monkeypatch.setattr(simulation_work, "pace_of", lambda _: 100)
    User.objects.create_user("ann")
    client, (first, second) = browser("ann"), first_and_last_class(edition)
    assert "Figures" not in page(client, WHERE).text
    where = f"{WHERE}?first={first}&second={second}"
    text = page(client, where).text
    assert "Expected damage" in text
    assert "Simulate the battle" in text
    odds_url = f"{where}&fight=1"
    assert "The first battles are being simulated." in page(client, odds_url).text
    run_waiting_jobs(1)
    first_odds = page(client, odds_url).text
    assert (
        "In 1 battle:" in first_odds,
        "The result gets more precise while you wait" in first_odds,
    ) == (
        True,
        True,
    )
    part = client.get(odds_url, headers={"HX-Request": "true"}).content.decode().strip()
    assert part.startswith('<div class="odds-result" aria-live="off" data-hx-get=')
    stopped = page(client, f"{odds_url}&stop=1").text
    assert ("Simulate more" in stopped, "more precise" in stopped) == (True, False)
    assert run_waiting_jobs() == 1  # the worker finds that nobody waits
    assert "In 1 battle:" in page(client, where).text  # a returning visitor finds the results
    page(client, odds_url)
    assert run_waiting_jobs() == 2
    over = page(client, odds_url).text
    assert ("In 3 battles:" in over, "Simulate more" in over, "hx-get" in over) == (
        True,
        False,
        False,
    )


@pytest.mark.django_db
def test_classes_of_two_editions_are_refused() -> None:
    ann, _ = User.objects.create_user("ann"), User.objects.create_user("bob")
    design = design_json(next(iter(fixture_classes("continuum").values())))
    row = library_design_save(user=ann, document=design)
    own, other = f"library/{row.public_id}", first_and_last_class("second-edition")[0]
    refused = browser("ann").get(f"{WHERE}?first={own}&second={other}")
    assert refused.status_code == 422
    assert "only classes of one rulebook" in refused.content.decode().lower()
    assert "Figures" in page(browser("ann"), f"{WHERE}?first={own}&second={own}").text
    hidden = page(browser("bob"), f"{WHERE}?first={own}&second={own}").text
    assert "Figures" not in hidden


@pytest.mark.django_db
def test_faults_name_their_class() -> None:
    ann = User.objects.create_user("ann")
    design = design_json(next(iter(fixture_classes("continuum").values())))
    sound = library_design_save(user=ann, document=design)
    faulty = library_design_save(user=ann, document={**design, "class": "Comet", "thrust": 99})
    where = f"{WHERE}?first=library/{sound.public_id}&second=library/{faulty.public_id}"
    refused = browser("ann").get(where)
    assert refused.status_code == 422
    text = unescape(refused.content.decode())
    assert "Comet (your designs): " in text
    assert f"{design['class']} (your designs): " not in text


@pytest.mark.django_db
def test_war_classes_are_visible_only_to_their_players() -> None:
    campaign, _ = start_campaign("lafayette-continuum")
    people = {key: caller(key, campaign, "player", key) for key in ("nac", "esu")}
    watcher = caller("watcher", campaign, "observer")
    hunter = design(
        "Hunter", {"type": "graser", "class": 1, "arcs": ["FP", "F", "FS"]}, {"type": "pds"}
    )
    class_save(campaign=campaign, faction=campaign.factions.get(key="nac"), document=hunter)
    war_url = f"{WHERE}?war={campaign.public_id}"
    mine, theirs = (page(browser(key), war_url).text for key in people)
    assert f"Hunter ({campaign.name})" in mine
    assert "Hunter" not in theirs
    other = f"{war_url}&first=war/Hunter&second=war/Hunter"
    assert "Figures" in page(browser("nac"), other).text
    assert "Figures" not in page(browser("esu"), other).text
    for outside in (browser(watcher.user.username), browser(caller("x", campaign).user.username)):
        assert outside.get(war_url).status_code == 404
    assert browser("nac").get(f"{WHERE}?war=nowhere").status_code == 404
