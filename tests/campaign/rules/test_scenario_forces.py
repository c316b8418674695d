"""Scenario files: faults of forces, reinforcements, objectives and names, with their places."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.rules.files import fixture_class_names
from campaign.rules.scenario_file import parse_scenario
from tests.campaign.rules.faulty_files import (
    Fault,
    File,
    Spoil,
    add,
    set_value,
    sheets,
    spoil_lafayette,
    take,
)

NAC = ("forces", "nac", "default")
ESU = ("forces", "esu", "default")
PICKET: dict[str, Any] = {
    "name": "Picket",
    "budget": "mobile",
    "at": "rock",
    "ships": {"Scout Ship": 1},
}
CONVOY: dict[str, Any] = {
    "id": "convoy",
    "faction": "nac",
    "week": 2,
    "at": "hudson",
    "name": "Convoy",
    "ships": {"Destroyer": 1},
}
ORE: dict[str, Any] = {
    "faction": "nac",
    "class": "Heavy Freighter",
    "what": "tons of ore",
    "amount": 4000,
}


def no_decoys(data: File) -> None:
    """Return a war without decoys in which the first fleet of each side has some."""
    data["decoys"] = {"allowed": False}
    for force in data["forces"].values():
        for fleet in force["default"][1:]:
            fleet.pop("decoys", None)


# fmt: off
FAULTS: list[Fault] = [
    ("a force of nobody", set_value({"budgets": {}}, "forces", "third"), ["forces.third unknown-faction"]),
    ("an unknown class", set_value(1, *NAC, 6, "ships", "Yacht"), ["forces.nac.default[6].ships.Yacht unknown-class"]),
    ("no ships", set_value({}, *NAC, 6, "ships"), ["forces.nac.default[6].ships no-ships"]),
    ("half a ship", set_value(0.5, *NAC, 6, "ships", "Scout Ship"), ["forces.nac.default[6].ships.Scout Ship not-a-number"]),
    ("an unknown budget", set_value("spare", *NAC, 6, "budget"), ["forces.nac.default[6].budget unknown-budget"]),
    ("over budget", set_value(9900, "forces", "esu", "budgets", "mobile", "points"), ["forces.esu.default over-budget"]),
    ("too many of a kind", set_value({"Scout Ship": 30}, *ESU, 2, "ships"), ["forces.esu.default classification-limit"]),
    ("no FTL where it is required", set_value({"Patrol Cutter": 1}, *NAC, 5, "ships"),
     ["forces.nac.default[5].ships.Patrol Cutter ftl-required"]),
    ("FTL in a system's defence", set_value({"Corvette": 1}, *NAC, 12, "ships"),
     ["forces.nac.default[12].ships.Corvette ftl-forbidden"]),
    ("a defence ship elsewhere", set_value("rock", *NAC, 12, "at"), ["forces.nac.default[12].at wrong-place"]),
    ("a mobile force between the stars", set_value("0101", *NAC, 6, "at"), ["forces.nac.default[6].at wrong-place"]),
    ("more decoys than ships", set_value({**PICKET, "decoys": 2}, *NAC, 5), ["forces.nac.default[5].decoys too-many-decoys"]),
    ("decoys where there are none", no_decoys,
     ["forces.esu.default[0].decoys no-decoys", "forces.nac.default[0].decoys no-decoys"]),
    ("a fleet's name twice", set_value("Anvil", *ESU, 0, "name"), ["forces.esu.default[1].name twice"]),
    ("no place to begin", take("forces", "nac", "budgets", "mobile", "deploy"),
     ["forces.nac.budgets.mobile.deploy no-place"]),
    ("a place that is none", set_value(["rock", "moon"], "forces", "esu", "budgets", "mobile", "deploy"),
     ["forces.esu.budgets.mobile.deploy[1] unknown-system",
      *(f"forces.esu.default[{n}].at wrong-place" for n in range(3))]),
    ("an entry that is none", set_value("entry", *NAC, 6, "at"),
     ["forces.nac.default[6].at no-entry", "forces.nac.default[6].at wrong-place"]),
    ("defence of nowhere", set_value(10, "forces", "nac", "system_defence", "moon"),
     ["forces.nac.system_defence.moon unknown-system"]),
    ("reinforcements after the end", add({**CONVOY, "week": 8}, "reinforcements"), ["reinforcements[0].week too-late"]),
    ("reinforcements of nothing", add({**CONVOY, "ships": {}}, "reinforcements"), ["reinforcements[0].ships no-ships"]),
    ("reinforcements of unknown ships", add({**CONVOY, "ships": {"Yacht": 1}}, "reinforcements"),
     ["reinforcements[0].ships.Yacht unknown-class"]),
    ("monitors between the stars", add({**CONVOY, "at": "0101", "ships": {"Monitor": 1}}, "reinforcements"),
     ["reinforcements[0].ships.Monitor wrong-place"]),
    ("an unknown winner", set_value("pirates", "victory", 0, "winner"), ["victory[0].winner unknown-faction"]),
    ("superiority of nobody", set_value("pirates", "victory", 0, "superiority", "by"),
     ["victory[0].superiority.by unknown-faction"]),
    ("superiority in no system", set_value(["moon"], "victory", 2, "superiority", "of"),
     ["victory[2].superiority.at_least out-of-range", "victory[2].superiority.of unknown-system"]),
    ("an unknown system included", set_value(["moon"], "victory", 0, "superiority", "including"),
     ["victory[0].superiority.including[0] unknown-system"]),
    ("more systems than there are", set_value(7, "victory", 2, "superiority", "at_least"),
     ["victory[2].superiority.at_least out-of-range"]),
    ("no last word", take("victory", 3), ["victory no-last-word"]),
    ("a result never reached", take("victory", 1, "superiority"), ["victory[1] always-holds"]),
    ("names of an unknown class", set_value({"Yacht": "Sloop"}, "class_names", "nac"), ["class_names.nac.Yacht unknown-class"]),
    ("cargo of a class nobody has", add({**ORE, "class": "Yacht"}, "cargo"), ["cargo[0].class unknown-class"]),
    ("cargo of nobody", add({**ORE, "faction": "pirates"}, "cargo"), ["cargo[0].faction unknown-faction"]),
    ("no cargo at all", add({**ORE, "amount": 0}, "cargo"), ["cargo[0].amount out-of-range"]),
    ("cargo with a name too long", add({**ORE, "what": "x" * 41}, "cargo"), ["cargo[0].what bad-name"]),
    ("cargo twice", set_value([ORE, ORE], "cargo"), ["cargo[1].class twice"]),
    ("half of a manifest", add({"faction": "nac"}, "cargo"),
     ["cargo[0].amount missing", "cargo[0].class missing", "cargo[0].what missing"]),
    ("names of an unknown navy", set_value({}, "class_names", "pirates"), ["class_names.pirates unknown-faction"]),
]
# fmt: on


@pytest.mark.rule("camp.budget")
@pytest.mark.parametrize(
    ("spoil", "expected_faults"),
    [fault[1:] for fault in FAULTS],
    ids=[fault[0] for fault in FAULTS],
)
def test_each_fault_is_named_with_its_place(spoil: Spoil, expected_faults: list[str]) -> None:
    assert spoil_lafayette(spoil)[1] == sorted(expected_faults)


@pytest.mark.rule("2e.cargo")
def test_manifests_give_each_ship_of_a_class_its_cargo() -> None:
    data, faults = spoil_lafayette(
        set_value(
            [ORE, {**ORE, "class": "Bulk Tanker", "what": "colonists", "amount": 90}], "cargo"
        )
    )
    assert faults == []
    result = parse_scenario(data, sheets(), navies=fixture_class_names())
    assert [(item.cls, item.what, item.amount) for item in result.cargo] == [
        ("Bulk Tanker", "colonists", 90),
        ("Heavy Freighter", "tons of ore", 4000),
    ]


def test_unchanged_file_has_no_fault() -> None:
    assert spoil_lafayette()[1] == []
