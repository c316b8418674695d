"""Starbases and monster ships: sections keep their damage, and fight beside each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import dist
from typing import Any

import pytest

from campaign.orders.validation import order_violations
from campaign.rules.designs import ship_class
from campaign.rules.files import fixture_scenario
from campaign.rules.forces import PlannedFleet, force_violations, initial_world, places_of
from campaign.rules.orders import DeployedFleet, Orders
from campaign.rules.perception import initial_view
from campaign.rules.queries import immobile_ships
from campaign.rules.scenario import Scenario
from campaign.rules.ship_sections import assemble_sections, find_section_faults
from campaign.rules.world import Engagement, Fleet, Ship, World
from engine.battle import fight, start
from engine.core.dice import Dice, KeyedDice
from engine.notation.designs import parse_design, read_design, sheet_of
from engine.pieces.section import Section
from engine.view.side_view import observe
from umpire.adjudication.battles import battle_result, battle_setup
from umpire.adjudication.indexes import WorldIndex, index_scenario
from umpire.adjudication.week import resolve

pytestmark = pytest.mark.rule("pc.starbases")

WAR = fixture_scenario("lafayette-continuum")
HEX = "1408"
DUEL = Engagement(f"{HEX}/w3/esu+nac", HEX, (("esu",), ("nac",)), (("esu", "nac"),))


def design(name: str, at: tuple[int, int], of: str = "Hub", **more: Any) -> dict[str, Any]:
    """Return a section of a starbase of MASS 80; `more` changes it, for instance to a monster
    ship's.
    """
    return {
        "class": name, "edition": "continuum", "kind": "installation", "mass": 80, "hull": {"boxes": 16, "rows": 4},
        "systems": [{"type": "firecon"}, {"type": "beam", "class": 2, "arcs": ["F", "FS", "FP"]}],
        "section": {"of": of, "at": list(at)}, **more,
    }  # fmt: skip


HUB = (design("Hub Core", (0, 0)), design("Hub East", (2, 0)), design("Hub West", (-2, 0)))
SHIP: dict[str, Any] = {"kind": "warship", "thrust": 0, "ftl": "none"}
LEVIATHAN = (
    design("Bow", (0, 2), "Leviathan", **SHIP),
    design("Stern", (0, 0), "Leviathan", kind="warship", thrust=2, ftl="standard", total_mass=160),
)


def war(*designs: Mapping[str, Any]) -> Scenario:
    """Return the war with these classes in its catalogue."""
    classes = [ship_class(sheet_of(parse_design(design_text))) for design_text in designs]
    return replace(
        WAR, catalogue=tuple(sorted((*WAR.catalogue, *classes), key=lambda cls: cls.name))
    )


def world(*classes: str, **changes: Any) -> World:
    """Return NAC ships of these classes before a battle with a cruiser; `changes` apply to the
    first.
    """
    fleets = (Fleet("esu/f1", "esu", "Red", HEX), Fleet("nac/f1", "nac", "Blue", HEX))
    own_ships = [Ship(f"nac/s{n}", "nac", cls, cls, "nac/f1") for n, cls in enumerate(classes, 1)]
    own_ships[0] = replace(own_ships[0], **changes)
    ships = (Ship("esu/s1", "esu", "Baikal", "Baikal Heavy Cruiser", "esu/f1"), *own_ships)
    return World(3, "battles", fleets, ships, initial_world(WAR).holdings, engagements=(DUEL,))


def placed_ships(scenario: Scenario, before: World) -> dict[str, Any]:
    return {
        ship["id"]: ship
        for side in battle_setup(scenario, before, DUEL, salt=b"s")["sides"]
        for ship in side["ships"]
    }


def test_starbase_sections_are_placed_together() -> None:
    scenario = war(*HUB)
    document = battle_setup(scenario, world("Hub Core", "Hub East", "Hub West"), DUEL, salt=b"s")
    state = start(document).state
    core, east, west = (state.ship_by_name(f"nac/s{n}") for n in (1, 2, 3))
    assert len({ship.record.section for ship in (core, east, west)}) == 1
    assert core.record.section
    assert {
        round(dist((core.x, core.y), (section.x, section.y)), 2) for section in (east, west)
    } == {2.0}
    assert len(state.pieces_of(Section)) == 3
    width, height = document["table"]
    assert all(
        0 <= ship.x <= width and 0 <= ship.y <= height and not ship.velocity
        for ship in (core, east, west)
    )
    view_of_side = observe(state, 0)
    assert sorted(c.sheet.cls for c in view_of_side.contacts if c.sheet) == [
        "Hub Core",
        "Hub East",
        "Hub West",
    ], "no bogeys"


def test_two_of_each_section_are_two_starbases() -> None:
    ships = placed_ships(war(*HUB[:2]), world("Hub Core", "Hub East", "Hub Core", "Hub East"))
    assert ships["nac/s1"]["section"] == ships["nac/s2"]["section"] != ships["nac/s3"]["section"]
    assert ships["nac/s3"]["section"] == ships["nac/s4"]["section"]


def test_separated_section_is_placed_alone() -> None:
    ships = placed_ships(war(*HUB), world("Hub East", "Hub West"))
    assert not any("section" in ship for ship in ships.values())
    docked = placed_ships(war(*HUB), world("Hub East", "Hub West", "Hub Core", docked=True))
    assert "nac/s1" not in docked
    assert docked["nac/s2"]["section"] == docked["nac/s3"]["section"]


def test_sections_keep_their_damage() -> None:
    scenario = war(*HUB)
    before = world("Hub Core", "Hub East", "Hub West", damage=5, lost=("beam-1",))
    ended = fight(
        start(battle_setup(scenario, before, DUEL, salt=b"s")), {}, Dice(2), "captains", 4
    )
    result = battle_result(scenario, before, DUEL, ended.to_json(), ended.winner, ended.turn)
    after = resolve(
        scenario, before, {}, {DUEL.key: result}, KeyedDice(b"x" * 32, ("battles",))
    ).world
    suffered = {ship.key: ship.damage for ship in after.ships}
    battle_damage = {key: ship["damage"] for key, ship in ended.to_json()["ships"].items()}
    assert suffered["nac/s1"] == battle_damage["nac/s1"] >= 5
    again = replace(after, stage="battles", engagements=(DUEL,))
    assert placed_ships(scenario, again)["nac/s1"]["damage"] == suffered["nac/s1"]


def test_monster_ship_jumps_with_the_drive_of_one_section() -> None:
    scenario = war(*LEVIATHAN)
    classes = {cls.name: cls for cls in scenario.catalogue}
    before = world("Bow", "Stern")
    sections = [ship for ship in before.ships if ship.faction == "nac"]
    assert immobile_ships(classes, sections) == []
    index = index_scenario(scenario, before)
    assert all(
        index.can_leave(ship, WorldIndex(index, before).ships(HEX, "nac")) for ship in sections
    )
    crippled = [sections[0], replace(sections[1], lost=("ftl",))]
    assert immobile_ships(classes, crippled) == crippled
    assert not index.can_leave(sections[0], crippled)
    state = start(battle_setup(scenario, before, DUEL, salt=b"s")).state
    bow, stern = state.ship_by_name("nac/s1"), state.ship_by_name("nac/s2")
    assert bow.record.section == stern.record.section != 0
    assert round(dist((bow.x, bow.y), (stern.x, stern.y)), 2) == 2.0


@pytest.mark.parametrize(
    ("designs", "words"),
    [
        ((HUB[0],), "one section"),
        ((HUB[0], design("Near", (1, 0))), "less than 2 MU"),
        ((HUB[0], design("Far", (6, 0))), "must be connected"),
        ((HUB[0], design("Odd", (2, 0), **SHIP)), "either all sections"),
        ((LEVIATHAN[0], {**LEVIATHAN[1], "total_mass": 100}), "too small for the mass"),
        (
            (
                LEVIATHAN[1],
                {**LEVIATHAN[1], "class": "Aft", "section": {"of": "Leviathan", "at": [2, 0]}},
            ),
            "all its drives",
        ),
        (HUB, ""),
        (LEVIATHAN, ""),
    ],
)
def test_faults_of_section_classes_are_named(
    designs: tuple[dict[str, Any], ...], words: str
) -> None:
    faults_found = find_section_faults(
        ship_class(sheet_of(parse_design(design_text))) for design_text in designs
    )
    assert words in " ".join(faults_found.values())
    assert bool(faults_found) == bool(words)


def test_own_sections_of_a_faction_are_judged_together() -> None:
    def faults(*designs: dict[str, Any]) -> list[tuple[str, str]]:
        ships = tuple(
            (f"nac/{design_document['class']}", design_document["class"])
            for design_document in designs
        )
        orders = Orders(designs=designs, deploy=(DeployedFleet("Base", "defence", HEX, ships, 0),))
        violations = order_violations(WAR, initial_view(WAR, "nac"), orders)
        return [(fault.where, fault.code) for fault in violations if fault.code == "section"]

    assert faults(*HUB) == []
    assert faults(HUB[1], HUB[2]) == [("designs[1].section", "section")]


def test_assemblies_are_independent_of_fleet_order() -> None:
    classes = {cls.name: cls for cls in war(*HUB).catalogue}
    ships = world("Hub Core", "Hub East", "Hub West").ships
    assert assemble_sections(classes, ships) == assemble_sections(classes, ships[::-1])


@pytest.mark.parametrize("at", [[2], [2, "x"], [21, 0], "no", None])
def test_section_place_is_two_whole_numbers(at: Any) -> None:
    faults = read_design({**HUB[0], "section": {"of": "Hub", "at": at}})
    assert "section-at" in [fault.code for fault in (*faults.malformed, *faults.illegal)]


def test_section_cannot_cloak() -> None:
    systems = [{"type": "cloaking-field"}]
    faults = read_design({**HUB[0], "systems": systems})
    assert "section-cloaks" in [fault.code for fault in (*faults.malformed, *faults.illegal)]


def test_monster_ship_is_paid_from_the_budget_with_drives() -> None:
    scenario = war(*LEVIATHAN)
    budget = next(
        candidate
        for candidate in scenario.budgets
        if candidate.faction == "nac" and candidate.ftl == "required"
    )
    hex_ = places_of(scenario, budget)[0]

    def faults(*classes: str) -> list[str]:
        planned = PlannedFleet(
            "deploy[0]", "Monster", budget.id, hex_, tuple((cls, "spot") for cls in classes), 0
        )
        return [fault.code for fault in force_violations(scenario, "nac", [planned], "deploy")]

    assert "ftl-required" not in faults("Bow", "Stern")
    assert "ftl-required" in faults("Bow")
