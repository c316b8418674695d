"""Whole wars: to their end, equal for equal seeds, continued where they were left."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from campaign.events.bases import RepairFailed, RepairSucceeded
from campaign.models import Battle, Branch, Campaign, LedgerRow, Report, Snapshot, Submission
from campaign.rules.files import fixture_scenario
from campaign.rules.forces import initial_world
from campaign.rules.world import Contact
from campaign.selectors.truth import ships_of, world_of
from campaign.store.documents import scenario_of
from engine.core.phrase import localize
from tests.umpire.services.wars import (
    ATTACK,
    attack,
    campaign_of,
    ledger_results,
    resolve_stage,
    start_campaign,
)
from umpire.journal import JournalStep, report_of, result_of
from umpire.pages.true_world import encounters
from umpire.services.ledger_checks import ledger_faults
from umpire.services.records import step_of
from umpire.services.stages import Resolution
from umpire.services.wars import stages_at_most, war_run

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
# One of each edition and the one with most rules; tests/umpire/admirals/test_wars.py plays all.
STORED_WARS = ("first-steps", "knot-of-gates", "lafayette-continuum")
ADJUDICATION = Path(__file__).resolve().parents[3] / "umpire" / "adjudication"


def fight(campaign: Campaign) -> list[str]:
    """Return the digests of the snapshots of a war played to its end, in order."""
    war_run(campaign=campaign, progress=lambda resolution: None, admiral=attack)
    snapshots = Snapshot.objects.filter(branch__campaign=campaign).order_by("seq")
    return list(snapshots.values_list("sha256", flat=True))


@cache
def war_of_seed(seed: int) -> tuple[list[str], object]:
    """Return a war's digests and what its ledger says; it is played once."""
    campaign = campaign_of(seed=seed, admirals={"ember": ATTACK})
    return fight(campaign), ledger_results(campaign)


@pytest.mark.any_database
def test_same_seed_gives_the_same_war_and_another_seed_another() -> None:
    again = campaign_of(seed=4, admirals={"ember": ATTACK})
    assert (fight(again), ledger_results(again)) == war_of_seed(4)
    assert war_of_seed(4)[0] != war_of_seed(5)[0]


@pytest.mark.any_database
def test_interrupted_war_continues() -> None:
    result, _ = war_of_seed(4)
    campaign, stage = start_campaign(seed=4, admirals={"ember": ATTACK})
    for _ in range(3):
        following = resolve_stage(stage).next
        assert following is not None
        stage = following
    assert fight(campaign) == result
    assert fight(campaign) == result  # over: nothing more happens


@pytest.mark.any_database
@pytest.mark.parametrize("slug", STORED_WARS)
def test_admirals_finish_bundled_wars(slug: str) -> None:
    """The ledger verifies, the projection equals the head, and participants get battle reports."""
    factions = [faction.id for faction in fixture_scenario(slug).factions]
    campaign = campaign_of(slug, seed=1, admirals=dict.fromkeys(factions, "steady"))
    last = war_run(campaign=campaign, progress=lambda resolution: None)
    branch = Branch.objects.get()
    assert last.stage == "over"
    assert last.world["body"]["result"]
    assert ledger_faults(branch=branch) == ()
    assert {len(row.body["digests"]) for row in LedgerRow.objects.all()} == {len(factions)}
    assert set(Submission.objects.values_list("source", flat=True)) == {"admiral"}
    ships = sorted(ship["key"] for ship in last.world["body"]["ships"])
    assert [row.key for row in ships_of(branch=branch)] == ships
    assert Battle.objects.exists()
    for battle in Battle.objects.all():
        faction_ids = {name for side in battle.start["sides"] for name in side["name"].split("+")}
        report_factions = Report.objects.filter(kind="battle", subject=battle.key).values_list(
            "faction__key", flat=True
        )
        assert set(report_factions) == faction_ids


@pytest.mark.any_database
def test_war_has_a_report_and_a_result() -> None:
    """The report has moves, encounters, scans, battles and holders."""
    lines: list[str] = []
    resolutions: list[Resolution] = []
    campaign = campaign_of(seed=3, admirals={"ember": ATTACK})
    scenario = scenario_of(campaign)

    def progress(resolution: Resolution) -> None:
        lines.extend(report_of(scenario, step_of(resolution.stage)))
        resolutions.append(resolution)

    last = war_run(campaign=campaign, progress=progress, admiral=attack)
    world = world_of(last)
    assert (world.stage, world.result is None) == ("over", False)
    assert len(resolutions) <= stages_at_most(scenario.weeks)
    assert resolutions[-1].next is None
    assert all(resolution.here for resolution in resolutions)
    lines.extend(result_of(scenario, world))
    text = "\n".join(lines)
    for words in (
        "Lance of Ember Cooperative deploys at Ember, 7 ships",
        "Lance of Ember Cooperative moves from Ember to Frost",
        "At Frost: Ember Cooperative and Frost Assembly meet",
        "At Frost: Frost Assembly scans Ember Cooperative: 5 cruisers, 5 escorts",
        "At Frost: Ember Cooperative chooses to fight, Frost Assembly chooses to stand off: battle",
        "At Frost: battle, Ember Cooperative against Frost Assembly",
        " Ember Cooperative loses ",
        "Held by Ember Cooperative: Ember",
        "Result: ",
    ):
        assert words in text, text


@pytest.mark.any_database
def test_report_spells_systems_as_printed() -> None:
    scenario = fixture_scenario("lafayette")
    world = initial_world(scenario)
    events = (
        RepairSucceeded(("esu",), "1810", ship="Warsaw 1", system="firecon-1", die=5),
        RepairFailed(("esu",), "1810", ship="Warsaw 1", system="firecon-1", die=5),
    )
    lines = report_of(scenario, JournalStep("decisions", 1, world, world, events))
    assert lines[:2] == (
        "At New Toledo: Warsaw 1 of Eurasian Solar Union repairs its FireCon 1 (die 5)",
        "At New Toledo: Warsaw 1 of Eurasian Solar Union fails to repair its FireCon 1 (die 5)",
    )


def test_play_prints_a_war_and_its_result() -> None:
    outputs = []
    for _ in range(2):
        out = StringIO()
        call_command("play", "first-steps", "--seed", "7", stdout=out)
        outputs.append(out.getvalue())
    assert outputs[0] == outputs[1]
    assert outputs[0].startswith("First Steps, seed 7\n")
    for heading in ("Deployment", "Week 1", "Week 3", "Result: "):
        assert heading in outputs[0]


@pytest.mark.any_database
def test_play_lists_the_scenarios() -> None:
    with pytest.raises(CommandError, match="first-steps, knot-of-gates, lafayette") as caught:
        call_command("play", "nowhere")
    assert caught.value.returncode == 2
    assert not Campaign.objects.exists()


@pytest.mark.any_database
def test_holders_and_contacts_are_in_the_language_of_the_reader() -> None:
    scenario = fixture_scenario("first-steps")
    world = initial_world(scenario)
    free = replace(world.holdings[0], holder=None)
    contact = Contact("0804", "ember", "frost", "contested", "")
    after = replace(world, holdings=(free, *world.holdings[1:]), contacts=(contact,))
    (encounter,) = encounters(scenario, after)
    with translation.override("de"):
        lines = report_of(scenario, JournalStep("battles", 1, world, after, ()))
        report = [localize(line).strip() for line in lines]
        assert localize(encounter.words) == "Ember Cooperative und Frost Assembly, umkämpft"
    assert "Ember: von niemandem gehalten" in report
    assert "Von niemandem gehalten: Ember" in report
    assert str(encounter.words) == "Ember Cooperative and Frost Assembly, contested"
