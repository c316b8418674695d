"""Illegal Continuum designs: every fault at once, each with its place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from engine.continuum.edition import CONTINUUM
from engine.core.errors import RuleViolations
from engine.notation.designs import load_sheet, parse_design, read_design
from tests.engine.design.continuum_designs import (
    ALL,
    FRONT,
    PLANS,
    PORT,
    codes,
    design,
    faults_of,
    ship,
    system_entry,
)

pytestmark = pytest.mark.rule("pc.design")

TURRET = system_entry("turret", 0, FRONT)
MAGAZINE = system_entry("magazine", mass=6)


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"mass": 3001, "boxes": 400}, ("mass", "mass-too-large")),
        ({"boxes": 9}, ("hull.boxes", "too-few-boxes")),
        ({"rows": 2}, ("hull.rows", "rows")),
        ({"rows": 7}, ("hull.rows", "rows")),
        ({"rows": 3, "mass": 20, "boxes": 3}, ("hull.rows", "advanced-hull-too-small")),
        ({"thrust": -1}, ("thrust", "thrust-negative")),
        ({"thrust": 1, "kind": "installation"}, ("thrust", "thrust-too-high")),
        ({"drive": "warp"}, ("drive", "unknown-drive")),
        ({"ftl": "hyper"}, ("ftl", "unknown-ftl")),
        ({"ftl": "tug"}, ("ftl.tug", "transfer-mass")),
        ({"ftl": {"tug": 0}}, ("ftl.tug", "transfer-mass")),
        ({"armour": [[1, 0]] * 6}, ("armour[5]", "too-many-layers")),
        ({"armour": [[0, 0], [2, 0]]}, ("armour[0]", "empty-layer")),
        ({"armour": [[2, -1]]}, ("armour[0]", "armour-negative")),
        ({"stealth": 3}, ("stealth", "stealth-level")),
        ({"streamlining": "sleek"}, ("streamlining", "unknown-streamlining")),
        ({"flawed": True, "mass": 59, "boxes": 12}, ("flawed", "flawed-too-small")),
        ({"flawed": True, "rows": 3}, ("flawed", "flawed-advanced-hull")),
        ({"civil": True}, ("civil", "civil-hull")),
        ({"boxes": 101}, ("systems", "over-capacity")),
    ],
)
def test_illegal_hulls(more: dict[str, Any], fault: tuple[str, str]) -> None:
    assert faults_of(**more) == [fault]


def test_ship_without_mass_has_no_room_for_a_box() -> None:
    assert faults_of(mass=0, boxes=1) == [("mass", "mass-too-small"), ("systems", "over-capacity")]


@pytest.mark.parametrize(
    "more",
    [
        {"mass": 1, "boxes": 1},
        {"mass": 300, "boxes": 30},
        {"mass": 301, "boxes": 30},
        {"mass": 1000, "boxes": 100, "kind": "installation"},
        {"mass": 64, "boxes": 6},  # 6.4
        {"rows": 3, "mass": 20, "boxes": 4},
        {"flawed": True, "mass": 60},
        {"armour": [[0, 0]]},
        {"armour": [[1, 0]] * 5, "stealth": 2, "streamlining": "full"},
        {"kind": "installation", "civil": True},
        {"boxes": 100},
        {
            "mass": 3,
            "boxes": 1,
            "thrust": 6,
            "ftl": "standard",
        },  # the smallest ship with an FTL drive
    ],
)
def test_hulls_at_the_legal_limit(more: dict[str, Any]) -> None:
    assert faults_of(**more) == []


SYSTEM_FAULTS: list[tuple[list[dict[str, Any]], dict[str, Any], tuple[str, str]]] = [
    # systems, further keys of the ship, the fault
    ([system_entry("laser")], {}, ("systems[0].type", "unknown-system")),
    ([system_entry("pds", count=0)], {}, ("systems[0].count", "count")),
    ([system_entry("beam")], {}, ("systems[0].class", "unknown-class")),
    (
        [system_entry("beam", 6, ["F"])],
        {},
        ("systems[0].class", "unknown-class"),
    ),  # it has no rules
    ([system_entry("pds", 2)], {}, ("systems[0].class", "class-not-asked")),
    ([system_entry("k-gun", 2, ["F"], model="huge")], {}, ("systems[0].model", "unknown-variant")),
    ([system_entry("weasel")], {}, ("systems[0].model", "unknown-variant")),
    ([system_entry("beam", 3, ["F", "X"])], {}, ("systems[0].arcs", "unknown-arc")),
    ([system_entry("beam", 3, ["F", "F"])], {}, ("systems[0].arcs", "arc-twice")),
    ([system_entry("beam", 3)], {}, ("systems[0].arcs", "arcs-missing")),
    ([system_entry("beam", 2, ["F"])], {}, ("systems[0].arcs", "arcs-number")),
    ([system_entry("beam", 2, ["F", "FS"])], {}, ("systems[0].arcs", "arcs-not-broadside")),
    ([system_entry("beam", 1, FRONT)], {}, ("systems[0].arcs", "arcs-number")),
    ([system_entry("pulse-torpedo", 0, [*FRONT, "A"])], {}, ("systems[0].arcs", "arcs-number")),
    ([system_entry("pds", 0, FRONT)], {}, ("systems[0].arcs", "arcs-not-asked")),
    (
        [system_entry("spinal-beam", 0, ["A"], model="small")],
        {},
        ("systems[0].arcs", "arc-not-fore"),
    ),
    (
        [system_entry("spinal-beam", 0, FRONT, model="small")],
        {},
        ("systems[0].arcs", "arc-not-fore"),
    ),
    ([system_entry("pds", mass=2)], {}, ("systems[0].mass", "mass-not-asked")),
    ([system_entry("hold")], {}, ("systems[0].mass", "mass-missing")),
    ([system_entry("shipyard", mass=5)], {}, ("systems[0]", "other-kind")),
    ([system_entry("nova-cannon")], {"mass": 90}, ("systems[0]", "classification")),
    ([system_entry("beam", 1, flak=True)], {}, ("systems[0].flak", "upgrade-not-sold")),
    ([system_entry("k-gun", 1, flak=True)], {}, ("systems[0].flak", "upgrade-not-sold")),
    (
        [system_entry("pulse-torpedo", 0, ["F"], model="short", overload=True)],
        {},
        ("systems[0].overload", "upgrade-not-sold"),
    ),
    (
        [system_entry("k-gun", 2, ["F"], flak=True), system_entry("k-gun", 3, ["F"])],
        {},
        ("systems[1].flak", "all-or-none"),
    ),
    (
        [
            system_entry("pulse-torpedo", 0, ["F"]),
            system_entry("pulse-torpedo", 0, ["F"], model="long", overload=True),
        ],
        {},
        ("systems[0].overload", "all-or-none"),
    ),
    (
        [system_entry("launch-tube", catapult=True), system_entry("launch-tube")],
        {},
        ("systems[1].catapult", "all-or-none"),
    ),
    ([system_entry("k-gun", 1, model="short", count=3)], {}, ("systems[0]", "not-in-pairs")),
    ([system_entry("gatling", 0, PORT)], {}, ("systems[0]", "not-in-pairs")),
    ([TURRET], {}, ("systems[0]", "empty-turret")),
    ([system_entry("beam", 3, turret="turret-1")], {}, ("systems[0].turret", "unknown-turret")),
    (
        [TURRET, system_entry("beam", 3, ["F"], turret="turret-1")],
        {},
        ("systems[1].arcs", "arcs-in-turret"),
    ),
    (
        [
            TURRET,
            system_entry("beam", 3, turret="turret-1"),
            system_entry("spinal-beam", model="small", turret="turret-1"),
        ],
        {},
        ("systems[2].turret", "not-for-turrets"),
    ),
    (
        [
            system_entry("turret", 0, FRONT, count=3),
            *(system_entry("beam", 1, turret=f"turret-{number}") for number in (1, 2, 3)),
        ],
        {},
        ("systems[0]", "too-many"),
    ),
    (
        [system_entry("spinal-beam", model="small", count=2)],
        {"mass": 50},
        ("systems[0]", "too-many"),
    ),
    (
        [system_entry("spinal-beam", model="small"), system_entry("spinal-plasma", model="small")],
        {"mass": 50},
        ("systems[1]", "too-many"),
    ),
    (
        [system_entry("plasma-bolt", 1, ["F"], count=4)],
        {"mass": 150, "boxes": 15},
        ("systems[0]", "too-many"),
    ),
    ([system_entry("area-screen", count=3)], {}, ("systems[0]", "too-many")),
    (
        [system_entry("screen"), system_entry("advanced-screen")],
        {},
        ("systems[1]", "mixed-screens"),
    ),
    (
        [system_entry("area-screen"), system_entry("advanced-screen")],
        {},
        ("systems[1]", "mixed-screens"),
    ),
    ([system_entry("holofield"), system_entry("screen")], {}, ("systems[1]", "holofield-alone")),
    (
        [system_entry("holofield"), system_entry("cloaking-device")],
        {},
        ("systems[1]", "holofield-alone"),
    ),
    ([system_entry("stealth-field", count=2)], {"stealth": 1}, ("systems[0]", "stealth-level")),
    ([system_entry("salvo-launcher")], {}, ("systems[0].magazine", "no-magazine")),
    (
        [system_entry("salvo-launcher"), MAGAZINE, MAGAZINE],
        {},
        ("systems[0].magazine", "which-magazine"),
    ),
    (
        [system_entry("salvo-launcher", magazine="magazine-2"), MAGAZINE],
        {},
        ("systems[0].magazine", "no-magazine"),
    ),
    (
        [
            system_entry("boarding-torpedo"),
            system_entry("salvo-rack"),
            system_entry("salvo-launcher"),
            MAGAZINE,
        ],
        {},
        ("systems[0].magazine", "no-magazine"),
    ),
    (
        [system_entry("pds", magazine="magazine-1")],
        {},
        ("systems[0].magazine", "magazine-not-asked"),
    ),
    (
        [system_entry("magazine", mass=6, load={"standard": 4})],
        {},
        ("systems[0].load", "magazine-too-small"),
    ),
    (
        [system_entry("magazine", mass=6, load={"standard": 1, "two-stage": 1})],
        {},
        ("systems[0].load", "mixed-magazine"),
    ),
    (
        [system_entry("magazine", mass=6, load={"standard": 0})],
        {},
        ("systems[0].load", "load-number"),
    ),
    (
        [system_entry("magazine", mass=6, load={"shells": 1})],
        {},
        ("systems[0].load", "unknown-load"),
    ),
    ([system_entry("pds", load={"standard": 1})], {}, ("systems[0].load", "load-not-asked")),
    ([system_entry("minelayer", load={"mines": 1})], {}, ("systems[0].load", "too-few-mines")),
    ([system_entry("hangar")], {}, ("systems[0]", "no-launch-tube")),
    (
        [system_entry("combined-hangar", load={"standard": 7})],
        {},
        ("systems[0].load", "too-many-craft"),
    ),
    (
        [system_entry("combined-hangar", load={"attack": 3, "standard": 3})],
        {},
        ("systems[0].load", "mixed-group"),
    ),
    (
        [system_entry("combined-hangar", load={"lance": 6})],
        {},
        ("systems[0].load", "unknown-load"),
    ),
    (
        [system_entry("combined-hangar", load={"attack": 6}, mods=["silent"])],
        {},
        ("systems[0].mods", "unknown-mod"),
    ),
    (
        [system_entry("combined-hangar", load={"attack": 6}, mods=["fast", "fast"])],
        {},
        ("systems[0].mods", "mod-twice"),
    ),
    (
        [system_entry("combined-hangar", load={"torpedo": 8}, mods=["light"])],
        {},
        ("systems[0].mods", "no-light-type"),
    ),
    (
        [system_entry("combined-hangar", load={"attack": 8}, mods=["light", "heavy"])],
        {},
        ("systems[0].mods", "mods-apart"),
    ),
    (
        [system_entry("combined-hangar", load={"graser": 6}, mods=["cannon"])],
        {},
        ("systems[0].mods", "no-cannon"),
    ),
    ([system_entry("combined-hangar", mods=["fast"])], {}, ("systems[0].mods", "mods-not-asked")),
    ([system_entry("fighter-rack", load={"standard": 6})], {}, ("systems[0].mods", "not-robots")),
    (
        [system_entry("gunboat-rack", load={"beam": 4, "needle": 3})],
        {},
        ("systems[0].load", "too-many-craft"),
    ),
    (
        [system_entry("gunboat-rack", load={"beam": 6}, mods=["ftl"])],
        {},
        ("systems[0].mods", "ftl-in-rack"),
    ),
    (
        [system_entry("gunboat-rack", load={"beam": 6}, mods=["ecm-1", "ecm-2"])],
        {},
        ("systems[0].mods", "mods-apart"),
    ),
    (
        [system_entry("boat-bay", mass=26, load={"beam": 6})],
        {},
        ("systems[0].load", "bay-too-small"),
    ),
    (
        [system_entry("boat-bay", mass=35, load={"beam": 6}, mods=["ftl"])],
        {},
        ("systems[0].load", "bay-too-small"),
    ),
    ([system_entry("marines", count=6)], {}, ("systems[0]", "no-berths")),
    (
        [system_entry("marines", count=3), system_entry("damage-control", count=3)],
        {},
        ("systems[1]", "no-berths"),
    ),
    (
        [system_entry("marines", count=9), system_entry("troops", mass=1)],
        {},
        ("systems[0]", "no-berths"),
    ),
    (
        [system_entry("marines", count=2)],
        {"kind": "merchant", "mass": 50},
        ("systems[0]", "no-berths"),
    ),
]


@pytest.mark.parametrize(("systems", "more", "fault"), SYSTEM_FAULTS)
def test_illegal_systems(
    systems: list[dict[str, Any]], more: dict[str, Any], fault: tuple[str, str]
) -> None:
    assert faults_of(systems, **more) == [fault]


@pytest.mark.parametrize(
    ("systems", "more"),
    [
        ([system_entry("beam", 3, ["F", "A", "AP"])], {}),  # arcs need not be adjacent
        ([system_entry("beam", 3, ["A"])], {}),
        ([system_entry("beam", 2, PORT)], {}),
        ([system_entry("beam", 1, ALL), system_entry("k-gun", 3), system_entry("salvo-rack"), system_entry("mkp"), system_entry("submunition")], {}),
        ([system_entry("spinal-beam", 0, ["F"], model="small", count=3)], {"mass": 101}),
        ([system_entry("screen", count=3)], {}),  # spare generators
        ([system_entry("area-screen", count=2), system_entry("screen", count=2)], {}),
        ([system_entry("cloaking-device"), system_entry("screen"), system_entry("stealth-field")], {}),
        ([system_entry("holofield"), system_entry("ecm", count=3)], {"stealth": 2}),
        ([system_entry("stealth-field")], {"stealth": 1}),
        ([system_entry("k-gun", 1), system_entry("k-gun", 2, ["F"], flak=True), system_entry("k-gun", 3, ["F"], flak=True)], {}),
        ([system_entry("hangar", count=3), system_entry("launch-tube")], {}),
        ([system_entry("salvo-launcher", count=2), MAGAZINE], {}),
        ([system_entry("salvo-launcher", magazine="magazine-2"), MAGAZINE, MAGAZINE], {}),
        ([system_entry("boarding-torpedo"), system_entry("magazine", mass=3)], {}),
        ([system_entry("turret", 0, FRONT, count=2), *(system_entry("beam", 3, turret=f"turret-{n}") for n in (1, 2))], {}),
        ([system_entry("marines", count=8), system_entry("troops", mass=1)], {}),
        ([system_entry("damage-control", count=9), system_entry("passengers", mass=1)], {}),
        ([system_entry("boat-bay", mass=27, load={"beam": 6}), system_entry("fighter-rack", load={"mkp": 6}, mods=["robot"])], {}),
        ([system_entry("nova-cannon")], {"mass": 91}),
        ([system_entry("nova-cannon"), system_entry("shipyard", mass=9)], {"mass": 60, "kind": "installation"}),
    ],
)  # fmt: skip
def test_legal_systems(systems: list[dict[str, Any]], more: dict[str, Any]) -> None:
    assert faults_of(systems, **more) == []


@pytest.mark.rule("pc.adfc")
def test_free_adfc_makes_room() -> None:
    systems = [system_entry("adfc"), system_entry("hold", mass=88)]
    assert faults_of(systems, boxes=10) == []
    assert faults_of([*systems, system_entry("pds", count=2)]) == [("systems", "over-capacity")]
    assert faults_of([*systems, system_entry("pds", count=2)], options=("free-adfc",)) == []


@pytest.mark.rule("pc.fighter-racks")
def test_rack_carries_only_robots_of_any_type() -> None:
    assert (
        faults_of([system_entry("fighter-rack", load={"graser": 6}, mods=["robot", "heavy"])]) == []
    )
    assert faults_of([system_entry("fighter-rack", load={"graser": 6}, mods=["heavy"])]) == [
        ("systems[0].mods", "not-robots")
    ]


@pytest.mark.rule("pc.berthing")
def test_example_cruiser_of_four_crew_factors_takes_four_more_parties() -> None:
    assert (
        faults_of(
            [system_entry("marines", count=2), system_entry("damage-control", count=2)], mass=80
        )
        == []
    )
    assert faults_of(
        [system_entry("marines", count=2), system_entry("damage-control", count=3)], mass=80
    ) == [("systems[1]", "no-berths")]


@pytest.mark.rule("camp.shipyard")
def test_shipyards_need_installations() -> None:
    assert faults_of([system_entry("shipyard", mass=50)], kind="installation") == []
    assert faults_of([system_entry("shipyard", mass=50)], kind="merchant") == [
        ("systems[0]", "other-kind")
    ]


def test_every_fault_is_reported_at_once() -> None:
    systems = [system_entry("laser"), system_entry("beam", 3), system_entry("hangar", count=0)]
    assert faults_of(systems, boxes=1, thrust=-1) == [
        ("hull.boxes", "too-few-boxes"),
        ("thrust", "thrust-negative"),
        ("systems[0].type", "unknown-system"),
        ("systems[1].arcs", "arcs-missing"),
        ("systems[2].count", "count"),
        ("systems[2]", "no-launch-tube"),
    ]


@pytest.mark.parametrize(
    ("document", "faults"),
    [
        (ship() | {"hull": 5}, [("hull", "not-a-mapping")]),
        ({key: value for key, value in ship().items() if key != "hull"}, [("hull", "missing")]),
        (ship(armour=[5]), [("armour[0]", "not-a-layer")]),
        (ship(armour=[["a", 1]]), [("armour[0].standard", "not-a-number")]),
        (ship(ftl={"tow": 5}), [("ftl.tow", "unknown-key"), ("ftl.tug", "missing")]),
        (ship(orientation="gamma"), [("orientation", "unknown-orientation")]),
        (ship(kind="q-ship"), [("kind", "unknown-kind")]),
        (ship(battery=1), [("battery", "unknown-key")]),
        (ship([system_entry("magazine", mass=6, load=3)]), [("systems[0].load", "not-a-mapping")]),
        (ship([system_entry("beam", 1, battery="A")]), [("systems[0].battery", "unknown-key")]),
        (ship([system_entry("beam", flak=1)]), [("systems[0].flak", "not-a-flag")]),
    ],
)
def test_unreadable_part_has_its_place(
    document: dict[str, Any], faults: list[tuple[str, str]]
) -> None:
    with pytest.raises(RuleViolations) as raised:
        parse_design(document)
    assert codes(raised.value) == faults


def test_unreadable_part_is_not_judged() -> None:
    reading = read_design(ship([system_entry("hangar")], hull={"boxes": "many"}, flawed=True))
    assert reading.design is None
    assert [fault.where for fault in reading.malformed] == ["hull.boxes"]
    assert [fault.code for fault in reading.illegal] == ["no-launch-tube"]


@pytest.mark.parametrize(
    ("launcher", "magazine", "words"),
    [
        (system_entry("salvo-launcher"), [], "; the ship has no magazine"),
        (
            system_entry("salvo-launcher", magazine="magazine-2"),
            [MAGAZINE],
            "; the ship has no magazine 2, only magazine 1",
        ),
    ],
)
def test_launcher_tells_which_magazine_it_lacks(
    launcher: dict[str, Any], magazine: list[dict[str, Any]], words: str
) -> None:
    reading = read_design(ship([launcher, *magazine]))
    (message,) = [fault.message for fault in reading.illegal if fault.code == "no-magazine"]
    assert str(message).endswith(words)


def test_option_faults_have_their_place() -> None:
    assert [fault.code for fault in read_design(ship(), options=["free-lunch"]).malformed] == [
        "unknown-option"
    ]


@given(PLANS)
def test_only_faultless_designs_make_a_sheet(
    document: dict[str, Any],
) -> None:
    faults = CONTINUUM.yard.violations(parse_design(document), CONTINUUM, ())
    if faults:
        with pytest.raises(RuleViolations) as raised:
            load_sheet(document)
        assert raised.value.violations == faults
    else:
        sheet = load_sheet(document)
        assert CONTINUUM.yard.figures(design(**_keys(document)), CONTINUUM).points == sheet.points


def _keys(document: dict[str, Any]) -> dict[str, Any]:
    return {"boxes": document["hull"]["boxes"], "rows": document["hull"]["rows"]} | {
        key: value for key, value in document.items() if key != "hull"
    }
