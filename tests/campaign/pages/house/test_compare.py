"""Two classes compared on a page, and equal points of them fought by computer captains."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from campaign.rules import matchups
from campaign.services.shelf import shelf_design_save
from engine.core.edition import EDITIONS
from engine.notation.designs import design_json
from engine.notation.files import fixture_classes
from tests.campaign.pages.house.rooms import browser, page, read

WHERE = "/designs/compare/"


def two(edition: str) -> tuple[str, str]:
    """The first and the last class of an edition that carries weapons."""
    names = [name for name, one in fixture_classes(edition).items() if one.kind == "warship"]
    return f"{edition}/{names[0]}", f"{edition}/{names[-1]}"


@pytest.mark.parametrize(
    ("points", "many"), [((100, 100), (1, 1)), ((100, 200), (2, 1)), ((300, 100), (1, 3)), ((90, 1000), (4, 1))]
)
def test_sides_are_as_equal_in_points_as_few_ships_can_be(points: tuple[int, int], many: tuple[int, int]) -> None:
    assert matchups.equal_points(*points) == many


def test_a_class_against_itself_stands_and_shoots_as_the_other_side_does() -> None:
    design = design_json(next(iter(fixture_classes("continuum").values())))
    file = matchups.duel(design, design, (2, 2))
    assert all(first == second for row in matchups.fire_by_arc(file) for _, first, second in row.bands)
    odds = matchups.odds_of(file, (2, 2), (10, 10), lambda: False)
    assert odds.runs == 1
    assert odds == matchups.odds_of(file, (2, 2), (10, 10), lambda: False)
    assert sum(odds.wins) + odds.draws == 100


@pytest.mark.django_db
@pytest.mark.parametrize("edition", EDITIONS)
def test_any_two_classes_of_a_rulebook_are_compared_and_fought(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matchups, "MOST_RUNS", 2)
    User.objects.create_user("ann")
    client, (first, second) = browser("ann"), two(edition)
    assert "Figures" not in page(client, WHERE).text
    shown = page(client, f"{WHERE}?first={first}&second={second}").text
    assert "Expected points of fire" in shown
    assert "won" not in shown
    fought = read(client.post(WHERE, {"first": first, "second": second})).text
    assert "were drawn" in fought


@pytest.mark.django_db
def test_classes_of_two_rulebooks_are_refused_and_others_shelves_unknown() -> None:
    ann, _ = User.objects.create_user("ann"), User.objects.create_user("bob")
    design = design_json(next(iter(fixture_classes("continuum").values())))
    row = shelf_design_save(user=ann, document=design)
    own, other = f"shelf/{row.public_id}", two("second-edition")[0]
    refused = browser("ann").get(f"{WHERE}?first={own}&second={other}")
    assert refused.status_code == 422
    assert "only classes of one rulebook" in refused.content.decode().lower()
    assert "Figures" in page(browser("ann"), f"{WHERE}?first={own}&second={own}").text
    hidden = page(browser("bob"), f"{WHERE}?first={own}&second={own}").text
    assert "Figures" not in hidden
