"""Ships of the ftLibShip builder: read as designs, priced alike, written back unchanged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.__main__ import main
from engine.cli.design import price_design
from engine.continuum.edition import CONTINUUM
from engine.core.errors import RuleViolations
from engine.notation.designs import design_json, parse_design
from engine.notation.files import fixture_classes
from engine.notation.ftlibship_export import to_ftlibship
from engine.notation.ftlibship_import import from_ftlibship
from engine.ruleset import ruleset
from tests.engine.design.continuum_designs import codes
from tests.engine.design.ftlibship_documents import SYSTEMS, bearing, entry, ship_document

pytestmark = pytest.mark.rule("pc.design")

CLASSES = fixture_classes("continuum")
WRITABLE = [name for name, design in CLASSES.items() if design.kind != "installation"]


def price(document: dict[str, Any]) -> tuple[int, int]:
    design, options = from_ftlibship(document)
    answer = price_design(parse_design(design, options=options), options)
    return answer["mass_used"], answer["points"]


def test_builder_systems_have_our_mass_and_price() -> None:
    bare = price(ship_document())
    faults = []
    for system, mass, points in SYSTEMS:
        totals = price(ship_document(system))
        added = (totals[0] - bare[0], totals[1] - bare[1])
        if added != (mass, points):
            faults.append((system, added, (mass, points)))
    assert faults == []


def test_systems_round_trip() -> None:
    changed = []
    for system, _, _ in SYSTEMS:
        design, options = from_ftlibship(ship_document(system))
        parsed = parse_design(design, options=options)
        document = to_ftlibship(parsed, ruleset("continuum", options))
        if from_ftlibship(document) != (design, options):
            changed.append(system)
    assert changed == []


@pytest.mark.parametrize("name", WRITABLE)
def test_classes_round_trip(name: str) -> None:
    document = to_ftlibship(CLASSES[name], CONTINUUM)
    read, options = from_ftlibship(json.loads(json.dumps(document)))
    answer, own = price_design(parse_design(read)), price_design(CLASSES[name])
    warned = [
        sorted(warning["message"] for warning in result.pop("warnings", ()))
        for result in (answer, own)
    ]
    assert (options, answer, warned[0]) == (
        (),
        own,
        warned[1],
    )  # the builder has its own order
    assert to_ftlibship(parse_design(read), CONTINUUM) == document


def test_drives_hull_and_armour_are_read() -> None:
    design, _ = from_ftlibship(
        ship_document(
            entry("drive", thrust=4, advanced=True),
            entry("ftl", advanced=True, transferMass=60),
            hull={"points": 20, "rows": 3, "stealth": "2", "streamlining": "partial"},
            armour=[[3, 0], [1, 2]],
            orientation="beta",
            flawed=True,
            civilian=True,
        )
    )
    assert design == {
        "class": "Own (Tester)",
        "edition": "continuum",
        "kind": "merchant",
        "mass": 100,
        "hull": {"boxes": 20, "rows": 3},
        "armour": [[3, 0], [1, 2]],
        "orientation": "beta",
        "streamlining": "partial",
        "flawed": True,
        "stealth": 2,
        "thrust": 4,
        "ftl": {"tug": 60, "advanced": True},
        "drive": "advanced",
        "systems": [],
    }
    document = to_ftlibship(parse_design(design), CONTINUUM)
    assert from_ftlibship(document)[0] == design
    assert (document["name"], document["class"], document["orientation"]) == (
        "Own",
        "Tester",
        "beta",
    )


def test_arcs_are_counted_clockwise_from_the_left() -> None:
    design, _ = from_ftlibship(ship_document(entry("beam", **{"class": 3}, **bearing("AP", 3))))
    assert design["systems"] == [{"type": "beam", "class": 3, "arcs": ["AP", "FP", "F"]}]


def test_equal_adjacent_systems_are_counted() -> None:
    design, _ = from_ftlibship(
        ship_document(entry("pds"), entry("pds"), entry("ecm"), entry("pds"))
    )
    assert design["systems"] == [{"type": "pds", "count": 2}, {"type": "ecm"}, {"type": "pds"}]


def test_hangars_beside_launch_tubes_are_the_small_ones() -> None:
    design, _ = from_ftlibship(ship_document(entry("hangar"), entry("launchTube")))
    assert [system["type"] for system in design["systems"]] == ["hangar", "launch-tube"]


def test_magazines_feed_the_launchers_that_name_them() -> None:
    document = ship_document(
        {"name": "magazine", "id": "m1", "capacity": 2},
        {"name": "magazine", "id": "m2", "capacity": 1, "modifier": "er"},
        {"name": "salvoLauncher", "id": "l1", "magazine": "m2", **bearing("FP", 3)},
    )
    design, _ = from_ftlibship(document)
    assert design["systems"][2] == {
        "type": "salvo-launcher",
        "arcs": ["FP", "F", "FS"],
        "magazine": "magazine-2",
    }
    assert from_ftlibship(to_ftlibship(parse_design(design), CONTINUUM))[0] == design


def test_weapons_are_in_their_turrets() -> None:
    document = ship_document(
        {"name": "turret", "id": "t1", "weapons": ["w1", "w2"], **bearing("FP", 3)},
        {"name": "beam", "id": "w1", "class": 3, **bearing("F", 1)},
        {"name": "beam", "id": "w2", "class": 2, **bearing("F", 3)},
        {"name": "beam", "id": "w3", "class": 1, **bearing("F", 6)},
    )
    design, _ = from_ftlibship(document)
    assert [system.get("turret") for system in design["systems"]] == [
        None,
        "turret-1",
        "turret-1",
        None,
    ]
    assert price(document)[0] == 10 + 4 + 2 + 1 + 2
    assert from_ftlibship(to_ftlibship(parse_design(design), CONTINUUM))[0] == design


def test_fighters_and_gunboats_are_in_their_hangars_and_racks() -> None:
    document = ship_document(
        {"name": "hangar", "id": "h1"},
        {"name": "hangar", "id": "h2"},
        {"name": "gunboatRack", "id": "g1"},
        fighters=[
            {"name": "fighters", "type": "lightAttack", "mods": ["fast"], "hangar": "h2"},
            {
                "name": "fighters",
                "type": "torpedo",
                "mods": ["heavy", "longRange"],
                "hangar": "h1",
                "number": 5,
            },
        ],
        gunboatSquadrons=[
            {
                "rack": "g1",
                "protection": "screened",
                "ecm": 2,
                "boats": [{"type": "kGun"}, {"type": "beam"}],
            }
        ],
    )
    design, _ = from_ftlibship(document)
    assert design["systems"] == [
        {"type": "combined-hangar", "load": {"torpedo": 5}, "mods": ["heavy", "long-range"]},
        {"type": "combined-hangar", "load": {"attack": 8}, "mods": ["light", "fast"]},
        {"type": "gunboat-rack", "load": {"k-gun": 1, "beam": 1}, "mods": ["heavy", "ecm-2"]},
    ]
    assert from_ftlibship(to_ftlibship(parse_design(design), CONTINUUM))[0] == design


@pytest.mark.parametrize(
    ("document", "faults"),
    [
        (5, [("", "not-a-mapping")]),
        (ship_document(entry("deathRay")), [("systems[0]", "unknown-system")]),
        (
            ship_document(entry("kgun", modifier="huge", **{"class": 2})),
            [("systems[0]", "unknown-system")],
        ),
        (
            ship_document(entry("beam", **{"class": 3}, **bearing("X", 2))),
            [("systems[0].leftArc", "arcs")],
        ),
        (ship_document(entry("bay", type="cargo")), [("systems[0].capacity", "not-a-number")]),
        (ship_document(hull=3), [("hull", "not-a-mapping"), ("hull.points", "missing")]),
        (ship_document(hull={"points": 10, "stealth": "9"}), [("hull.stealth", "stealth-level")]),
        (ship_document(weapons=[7]), [("weapons[0]", "not-a-mapping")]),
        (ship_document(fighters=[{"type": "standard"}]), [("fighters[0]", "no-hangar")]),
        (ship_document(fighters=[{"type": "needle"}]), [("fighters[0]", "unknown-craft")]),
        (
            ship_document(gunboatSquadrons=[{"boats": []}]),
            [("gunboatSquadrons[0]", "unknown-craft")],
        ),
        (ship_document(warp=1), [("warp", "unknown-key")]),
    ],
)
def test_unreadable_part_has_its_place(document: Any, faults: list[tuple[str, str]]) -> None:
    with pytest.raises(RuleViolations) as raised:
        from_ftlibship(document)
    assert codes(raised.value) == faults


def test_unsupported_part_is_reported_and_never_omitted() -> None:
    design = design_json(CLASSES["Frigate"]) | {
        "kind": "installation",
        "thrust": 0,
        "rams": True,
        "systems": [
            {"type": "tuffley-cloak"},
            {"type": "k-gun", "class": 2, "arcs": ["F"], "flak": True},
            {"type": "beam", "class": 3, "arcs": ["F", "A"]},
            {"type": "magazine", "mass": 5, "load": {"standard": 1, "extended": 1}},
            {"type": "combined-hangar", "load": {"standard": 6}, "mods": ["cannon"]},
        ],
    }
    with pytest.raises(RuleViolations) as raised:
        to_ftlibship(parse_design(design), CONTINUUM)
    places = (
        "kind",
        "rams",
        "systems[0]",
        "systems[1]",
        "systems[2].arcs",
        "systems[3].load",
        "systems[4].load",
    )
    assert codes(raised.value) == [(where, "not-in-ftlibship") for where in places]


def test_command_reads_and_writes_ftlibship(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ships.json"
    file.write_text(
        json.dumps(
            [
                ship_document(entry("pds")),
                ship_document(entry("hangar", critRules=True), name="Other"),
            ]
        )
    )
    assert main(["design", str(file), "--from", "ftlibship"]) == 0
    answers = json.loads(capsys.readouterr().out)
    assert [(row["class"], row["mass_used"], row["points"]) for row in answers] == [
        ("Own (Tester)", 11, 123),
        ("Other (Tester)", 19, 138),
    ]
    assert main(["design", str(file), "--from", "ftlibship", "--to", "design"]) == 0
    designs = json.loads(capsys.readouterr().out)
    file.write_text(json.dumps(designs[0]))
    assert main(["design", str(file), "--to", "ftlibship"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["name"], document["points"], document["mass"]) == ("Own", 123, 100)
    assert from_ftlibship(document)[0] == designs[0]


def test_command_reports_every_fault_of_every_ship(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ships.json"
    file.write_text(json.dumps([ship_document(entry("deathRay")), ship_document(), 5]))
    assert main(["design", str(file), "--from", "ftlibship"]) == 2
    violations = json.loads(capsys.readouterr().err)["violations"]
    assert [(fault["where"], fault["code"]) for fault in violations] == [
        ("[0].systems[0]", "unknown-system"),
        ("[2]", "not-a-mapping"),
    ]
