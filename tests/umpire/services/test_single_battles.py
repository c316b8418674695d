"""Single battles as campaigns: opened, begun, fought in each mode, and over with the battle."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from campaign.access import viewer_of
from campaign.models import Battle, Campaign, Stage
from campaign.rules.files import fixture_scenario, load_scenario
from campaign.rules.skirmish import is_skirmish, skirmish_end
from campaign.selectors.due import stage_due
from campaign.services.campaigns import membership_add
from campaign.services.phases import fights_of, newest_sheet
from campaign.services.scenarios import scenario_import
from campaign.services.seats import campaign_begin, campaign_open
from campaign.services.tables import table_first_draft, tables_of
from campaign.sight.reports import list_battles
from campaign.sight.views import current_sight
from engine.core.errors import RuleViolations
from tests.sealing import stop_seal, table_seal
from umpire.services.battle_phases import phase_resolve
from umpire.services.ledger_checks import ledger_faults
from umpire.services.stages import stage_resolve
from umpire.services.tables import table_compare
from umpire.services.wars import war_run

pytestmark = pytest.mark.django_db
SLUGS = ("con-am-12", "convoy-990", "first-battle")


def start_single_battle(
    slug: str, battles: str = "", players: tuple[str, ...] = ("nac", "esu")
) -> Campaign:
    """Start a campaign of a single battle, with its players."""
    host = User.objects.create_user("host")
    campaign = campaign_open(
        user=host, scenario=scenario_import(scenario=fixture_scenario(slug)), battles=battles
    )
    for key in players:
        user = User.objects.create_user(key)
        membership_add(
            campaign=campaign, user=user, role="player", faction=campaign.factions.get(key=key)
        )
    campaign_begin(viewer=viewer_of(host, campaign.public_id), unattended=True)
    campaign.refresh_from_db()
    return campaign


def week_of(campaign: Campaign) -> Stage:
    return Stage.objects.get(branch=campaign.head_branch, battle__isnull=True)


@pytest.mark.any_database
@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.rule("2e.first-battle", "2e.convoy-990", "2e.con-am-12")
def test_captains_fight_a_single_battle_to_its_end(slug: str) -> None:
    campaign = start_single_battle(slug, "captains", players=())
    stage = week_of(campaign)
    assert (stage.kind, stage.week, stage.ordinal) == ("battles", 1, 0)
    end = war_run(campaign=campaign, progress=lambda _: None)
    battle = Battle.objects.get(branch=campaign.head_branch)
    assert battle.result is not None
    assert end.stage == "over"
    world = end.world["body"]
    assert world["winner"] == battle.result["winner"]
    assert world["result"] == skirmish_end(fixture_scenario(slug), battle.result["winner"]).result
    assert ledger_faults(branch=stage.branch) == ()


@pytest.mark.any_database
def test_single_battle_is_played_online() -> None:
    campaign = start_single_battle("first-battle")
    assert Battle.objects.get(branch=campaign.head_branch).mode == "online"
    factions = {row.key: row for row in campaign.factions.all()}
    for _ in range(200):
        phase = Stage.objects.filter(battle__branch=campaign.head_branch, status="open").first()
        if phase is None:
            break
        for faction in factions.values():
            (fight,) = fights_of(campaign, faction)
            if fight.state == "open":
                stop_seal(
                    fight=fight,
                    faction=faction,
                    payload=newest_sheet(campaign, faction, fight)["advice"],
                )
        assert phase_resolve(stage=phase.pk)
    stage = week_of(campaign)
    assert stage_due(stage=stage, now=timezone.now())  # nobody has to seal a doctrine any more
    assert stage_resolve(stage=stage.pk) is not None
    for faction in factions.values():
        view = current_sight(campaign, faction).view
        assert view.stage == "over"
        (battle,) = list_battles(campaign, faction)
        assert view.winner == battle.winner


@pytest.mark.any_database
def test_single_battle_is_fought_at_a_table_by_its_conditions() -> None:
    campaign = start_single_battle("convoy-990", "table")
    factions = {row.key: row for row in campaign.factions.all()}
    ends: dict[str, dict[str, Any]] = {}
    for key, faction in factions.items():
        (table,) = tables_of(campaign, faction)
        result = table_first_draft(table.sheet)
        for ship in result["ships"]:
            result["ships"][ship]["status"] = "left"
        for freighter in ("f1", "f2"):
            result["ships"][freighter]["status"] = "ftl"
        ends[key] = result
        table_seal(table=table, faction=faction, payload=result)
    stage = tables_of(campaign, factions["nac"])[0].stage
    assert table_compare(stage=stage.pk) == "agreed"
    assert stage_resolve(stage=week_of(campaign).pk) is not None
    assert current_sight(campaign, factions["nac"]).view.winner == "esu"


@pytest.mark.any_database
def test_asteroids_to_place_are_equal_for_all() -> None:
    campaign = start_single_battle("con-am-12")
    bodies = []
    for faction in campaign.factions.all():
        (fight,) = fights_of(campaign, faction)
        view = newest_sheet(campaign, faction, fight)["view"]
        bodies.append([name for name in view["set_up"]["bodies"] if name != "station"])
        assert view["rocks"] == []
    assert bodies[0] == bodies[1]
    assert 5 <= len(bodies[0]) <= 10


@pytest.mark.any_database
@pytest.mark.parametrize("slug", SLUGS)
def test_fixtures_are_single_battles(slug: str) -> None:
    scenario = fixture_scenario(slug)
    assert is_skirmish(scenario)
    assert not is_skirmish(fixture_scenario("lafayette"))
    assert all("design" in ship for side in scenario.battle["sides"] for ship in side["ships"])
    assert not {"seed", "dice", "captains", "turns"} & set(scenario.battle)


def test_faulty_battle_file_is_refused_with_every_fault(tmp_path: Any) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(
        "slug: x\nedition: second-edition\nbattle: first-battle.yaml\ncolour: 1\nfactions: [{id: mars}]\n"
    )
    with pytest.raises(RuleViolations) as refused:
        load_scenario(path)
    assert [(violation.where, violation.code) for violation in refused.value.violations] == [
        ("colour", "unknown-key"),
        ("name", "missing"),
        ("factions[0].name", "missing"),
        ("factions", "other-sides"),
    ]
    path.write_text(
        "slug: x\nname: X\nedition: second-edition\nbattle: ../ships/second-edition.yaml\n"
    )
    with pytest.raises(RuleViolations) as refused:
        load_scenario(path)
    assert [violation.code for violation in refused.value.violations] == ["unknown-battle"]
