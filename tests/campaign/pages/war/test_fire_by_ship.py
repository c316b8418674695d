"""Fire ship by ship: the page of a single battle, and where the option is refused."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.access import viewer_of
from campaign.models import Submission
from campaign.rules.agreements import Agreements
from campaign.rules.files import fixture_scenario
from campaign.rules.timetable import timetable_of
from campaign.services.scenarios import scenario_import
from campaign.services.seats import campaign_change, campaign_open
from engine.core.errors import RuleViolations
from tests.campaign.pages.war.test_fight_set_up import VISITED, Seat
from tests.campaign.seats.people import person
from tests.umpire.services.set_up_battle import SetUpBattle

pytestmark = [pytest.mark.django_db, pytest.mark.rule("2e.fire-by-ship")]
OPTION = "fire-by-ship"


def test_page_asks_for_one_ship_at_a_time() -> None:
    battle = SetUpBattle(options=[OPTION], table=[30, 24], asteroids={"count": 1})
    while battle.sheet("nac")["kind"] != "engage":
        for key in ("nac", "esu"):
            battle.seal(key)
        battle.resolve()
    assert [battle.sheet(key)["needs_orders"] for key in ("nac", "esu")] == [True, False]
    seat = Seat(battle, "nac")
    page = seat.client.get(seat.url).content.decode()
    assert "Choose the next ship to fire" in page
    assert "Firing order" not in page
    assert seat.fill("seal", **{"firing-ship": "n2"}).status_code == 302
    sealed = Submission.objects.filter(faction=battle.factions["nac"]).latest("pk")
    assert [name for name, _ in sealed.payload["engage"]] == ["n2"]
    battle.resolve()
    assert [battle.sheet(key)["needs_orders"] for key in ("nac", "esu")] == [False, True]
    other = Seat(battle, "esu")
    assert other.fill("seal", **{"firing-ship": ""}).status_code == 302
    battle.resolve()
    assert "fires no more this turn" in seat.get().text
    assert 'value="n2"' not in seat.client.get(seat.url).content.decode()
    for player in (seat, other):
        fight = battle.fight(player.key).id
        for path in VISITED:
            assert player.client.get(player.war + path.format(fight=fight)).status_code == 200


@pytest.mark.parametrize(
    ("slug", "settings", "code"),
    [
        ("first-battle", {"timetable": timetable_of("daily")}, "too-slow"),
        ("first-battle", {"timetable": timetable_of("live"), "battles": "captains"}, "not-online"),
        ("first-steps", {"timetable": timetable_of("live")}, "single-battles-only"),
    ],
)
def test_option_needs_a_single_battle_online_with_a_fast_clock(
    slug: str, settings: dict[str, Any], code: str
) -> None:
    scenario = fixture_scenario(slug)
    row = scenario_import(scenario=scenario)
    options = Agreements(options=(*scenario.options, OPTION))
    host = person("host")
    with pytest.raises(RuleViolations) as refused:
        campaign_open(user=host, scenario=row, agreements=options, **settings)
    assert [fault.code for fault in refused.value.violations] == [code]
    if slug == "first-battle":
        fast = timetable_of("live")
        campaign = campaign_open(user=host, scenario=row, agreements=options, timetable=fast)
        with pytest.raises(RuleViolations) as refused:
            campaign_change(viewer=viewer_of(host, campaign.public_id), **settings)
        assert [fault.code for fault in refused.value.violations] == [code]
