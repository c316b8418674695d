"""Plans for later weeks in the plain form: saved beside the draft, continued, and private."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.models import Plan
from campaign.sight.views import current_sight
from tests.campaign.pages.war.browsing import Page, Player, at, player
from tests.umpire.services.wars import resolve_stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def ember() -> Player:
    return at("orders")


def keys(owner: Player) -> dict[str, str]:
    return {
        fleet.name: fleet.key for fleet in current_sight(owner.campaign, owner.faction).view.fleets
    }


def plans(owner: Player) -> dict[str, str]:
    return dict(Plan.objects.filter(faction=owner.faction).values_list("fleet", "goals"))


def next_week(owner: Player) -> None:
    """Go on to the orders of the next week."""
    week = owner.stage().week
    for _ in range(3):
        resolve_stage(owner.stage())
    assert (owner.stage().kind, owner.stage().week) == ("orders", week + 1)


def save_draft(owner: Player, **fields: str) -> Any:
    """Return the answer to a script that saves the draft."""
    form = owner.form("orders/") | {key: [value] for key, value in fields.items()}
    return owner.client.post(
        owner.url("orders/"), {**form, "action": "save"}, headers={"X-Draft": "1"}
    ).json()


def test_plan_by_names_and_hexes_is_shown_with_weeks(ember: Player) -> None:
    lance = keys(ember)["Lance"]
    ember.fill("orders/", **{f"move-{lance}": "0504", f"plan-{lance}": "frost, then 0504"})
    assert plans(ember) == {lance: "0804 0504"}
    page = ember.get("orders/")
    assert "Frost in week 2, 0504 in week 3. Only this week's move is sealed." in page.text
    assert ember.draft()["moves"] == [{"fleet": lance, "to": "0504"}]
    assert "plans" not in ember.draft()


def test_plan_to_a_single_hex_stays_a_plan(ember: Player) -> None:
    lance = keys(ember)["Lance"]
    ember.fill("orders/", **{f"plan-{lance}": "1004"})
    assert plans(ember) == {lance: "1004"}
    assert ember.form("orders/")[f"plan-{lance}"] == ["1004"]


@pytest.mark.parametrize(
    ("plan_text", "words"),
    [
        ("Nowhere", "no system is called 'Nowhere'"),
        ("9999", "no fleet can go to 9999"),
        ("0101 " * 13, "at most 12"),
    ],
)
def test_unreadable_plan_is_reported_at_its_fleet(
    ember: Player, plan_text: str, words: str
) -> None:
    lance = keys(ember)["Lance"]
    answer = ember.fill("orders/", **{f"plan-{lance}": plan_text, f"move-{lance}": "0504"})
    assert answer.status_code == 422
    page = Page(answer.content.decode())
    assert words in page.text
    assert f"#fleet-{lance.replace('/', '-')}" in page.links
    form = next(form for form in page.forms if "version" in form)
    assert form[f"plan-{lance}"] == [plan_text.strip()]
    assert plans(ember) == {}


def test_plan_proposes_a_leg_each_week() -> None:
    """There, back and there again: each draft begins with the next leg, until the plan is over."""
    ember = at("orders")
    lance = keys(ember)["Lance"]
    ember.fill("orders/", action="seal", **{f"move-{lance}": "0504", f"plan-{lance}": "0404 0503"})
    next_week(ember)
    form = ember.form("orders/")
    assert form[f"move-{lance}"] == ["0404"]
    assert form[f"plan-{lance}"] == ["0503"]
    assert "follow your plans" in ember.get("orders/").text
    assert ember.fill("orders/", action="seal").status_code == 302
    assert plans(ember) == {lance: "0503"}
    next_week(ember)
    form = ember.form("orders/")
    assert (form[f"move-{lance}"], form[f"plan-{lance}"]) == (["0503"], [""])
    ember.fill("orders/", action="seal")
    assert plans(ember) == {}


def test_overtaken_plan_continues_from_the_fleets_place(ember: Player) -> None:
    """The move was never sealed, so fleet and plan are still at home."""
    lance = keys(ember)["Lance"]
    ember.fill("orders/", **{f"move-{lance}": "0504", f"plan-{lance}": "0904"})
    next_week(ember)
    assert ember.form("orders/")[f"plan-{lance}"] in (["0904"], [""])
    assert ember.form("orders/")[f"move-{lance}"] != [""]
    Plan.objects.filter(faction=ember.faction).update(fleet="ember/f77")
    assert ember.form("orders/")[f"move-{lance}"] == [""]


def test_plans_are_private(ember: Player) -> None:
    lance = keys(ember)["Lance"]
    frost = player(ember.campaign, "frost")
    before = frost.client.get(frost.url("orders/")).content
    ember.fill("orders/", action="seal", **{f"move-{lance}": "0504", f"plan-{lance}": "0904"})
    assert len(frost.client.get(frost.url("orders/")).content) == len(before)
    assert "0904" not in str(ember.client.get(ember.url("receipts/")).content)


def test_draft_keeps_faults_and_plans(ember: Player) -> None:
    lance = keys(ember)["Lance"]
    saved = save_draft(ember, **{f"move-{lance}": "0504", f"plan-{lance}": "Frost"})
    assert (saved["version"], saved["faults"]) == (1, [])
    assert saved["plans"][lance] == {
        "end": "0504",
        "goals": ["0804"],
        "legs": [{"end": "0804", "week": 2, "goal": True}],
    }
    bad = save_draft(ember, **{f"move-{lance}": "1001"})
    assert bad["version"] == 2
    assert [fault["anchor"] for fault in bad["faults"]] == [f"fleet-{lance.replace('/', '-')}"]
    assert save_draft(ember, version="1") == {"lost": True}
    assert ember.draft()["moves"] == [{"fleet": lance, "to": "1001"}]
    assert "Load this page again" in save_draft(ember, stage="99")["closed"]


def test_past_weeks_are_shown_as_seen_then() -> None:
    ember = at("battles", ember="attack")
    resolve_stage(ember.stage())
    assert ember.stage().kind == "orders"
    moments = ember.client.get(ember.url("map/past/")).json()["moments"]
    assert [moment["week"] for moment in moments] == [1]
    assert moments[0]["contacts"] == []
    assert {fleet["hex"] for fleet in moments[0]["fleets"]} == {"0304"}
    assert "frost/f" not in str(moments)
