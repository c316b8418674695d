"""Morale in a war: what battle files say of a faction's nerve, and which options switch it off."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.files import fixture_scenario
from campaign.rules.scenario import Faction, Scenario
from campaign.rules.skirmish import skirmish_world
from campaign.rules.world import Engagement, World
from engine.notation.battles import read_battle
from tests.umpire.adjudication.small_sector import PORT, fleet, scenario, world
from umpire.adjudication.battles import battle_setup

pytestmark = pytest.mark.rule("pc.morale")

ALL = ("fleet-morale", "striking", "civil-war")
KEYS = ("withdraws_at", "navy")
FIGHT = Engagement(
    f"{PORT}/w3/blue+green+red",
    PORT,
    (("blue", "green"), ("red",)),
    (("blue", "red"), ("green", "red")),
)


def war(options: tuple[str, ...], **settings: dict[str, Any]) -> Scenario:
    field = scenario(factions=("blue", "green", "red"), alliances={"blue": "pact", "green": "pact"})
    powers = tuple(
        Faction(faction.id, faction.name, faction.alliance, **settings.get(faction.id, {}))
        for faction in field.factions
    )
    return replace(field, edition="continuum", options=options, factions=powers)


def battle_world(field: Scenario) -> World:
    fleets = [fleet(f"{name}/f1", PORT, "Cruiser") for name in ("blue", "green", "red")]
    return world(field, *fleets, stage="battles", engagements=(FIGHT,))


def battle_documents(
    options: tuple[str, ...], **settings: dict[str, Any]
) -> tuple[list[dict[str, Any]], Any]:
    """Return what the battle file says of each side, and which sides give no quarter."""
    field = war(options, **settings)
    file = battle_setup(field, battle_world(field), FIGHT, salt=b"salt")
    return [
        {key: value for key, value in side.items() if key in KEYS} for side in file["sides"]
    ], file.get("no_quarter")


def test_battle_without_morale_options_has_no_morale_entries() -> None:
    settings = {"withdraws_at": 30, "navy": "nac", "no_quarter": ("red",)}
    assert battle_documents((), blue=settings) == ([{}, {}], None)


def test_ally_that_fights_longest_decides() -> None:
    assert battle_documents(ALL[:1], blue={"withdraws_at": 30}, green={"withdraws_at": 70}) == (
        [{"withdraws_at": 70}, {"withdraws_at": 50}],
        None,
    )


@pytest.mark.parametrize(
    ("blue", "green", "red", "is_one_navy"),
    [("", "", "", True), ("nac", "nac", "nac", True), ("nac", "esu", "nac", False), ("nac", "nac", "", False),
     ("", "", "nac", False), ("nac", "", "nac", False)],
)  # fmt: skip
def test_side_has_a_navy_if_all_its_factions_share_it(
    blue: str, green: str, red: str, is_one_navy: bool
) -> None:
    field = war(("civil-war",), blue={"navy": blue}, green={"navy": green}, red={"navy": red})
    file = battle_setup(field, battle_world(field), FIGHT, salt=b"salt")
    navies = [side.get("navy", "") for side in file["sides"]]
    assert (navies[0] == navies[1]) is is_one_navy


@pytest.mark.parametrize(
    "settings", [{"green": {"no_quarter": ("red",)}}, {"red": {"no_quarter": ("green",)}}]
)
def test_no_quarter_of_one_faction_binds_its_side(settings: dict[str, Any]) -> None:
    assert battle_documents(("striking",), **settings)[1] == [["blue+green", "red"]]
    assert battle_documents(("striking",))[1] == []


def test_single_battle_drops_entries_of_unused_options() -> None:
    meeting = fixture_scenario("meeting-engagement")
    sides = [{**side, "withdraws_at": 40, "navy": "nac"} for side in meeting.battle["sides"]]
    agreed = {
        "sides": sides,
        "no_quarter": [[side["name"] for side in sides]],
        "options": [*meeting.options, *ALL],
    }
    single = replace(meeting, battle={**meeting.battle, **agreed})
    (fight,) = skirmish_world(single).engagements
    for options in ((), ALL):
        chosen = replace(single, options=(*meeting.options, *options))
        terms = read_battle(
            battle_setup(chosen, skirmish_world(chosen), fight, salt=b"salt"), {}
        ).state.terms
        assert (terms.withdraws_at, terms.navies) == (
            ((40, 40), ("nac", "nac")) if options else ((), ())
        )
        assert terms.no_quarter == (((0, 1),) if options else ())
