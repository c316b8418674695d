"""Results of Continuum battles: repairs, ion damage, core explosions, armour as a store."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.versions import NEWEST
from engine.notation.battle_file import BattleFileDocument
from engine.notation.files import fixture_classes
from engine.table_results.comparison import combine_results, find_differences, result_state
from engine.table_results.validation import result_faults, side_faults

CLASSES = fixture_classes("continuum")


def table(
    foe: str = "Heavy Cruiser", options: tuple[str, ...] = (), **mine: Any
) -> BattleFileDocument:
    ships: Any = [
        {"id": "n1", "class": "Heavy Cruiser", "at": [10, 10], "course": 3, "velocity": 4, **mine},
        {"id": "e1", "class": foe, "at": [40, 10], "course": 9, "velocity": 4},
    ]
    sides: Any = [{"name": "nac", "ships": ships[:1]}, {"name": "esu", "ships": ships[1:]}]
    return {"edition": "continuum", "table": [72, 48], "sides": sides, "options": list(options)}


def ended(**changed: Any) -> Any:
    whole: Any = {"status": "fighting", "damage": 0, "lost": []}
    return {"schema": 1, "turns": 5, "ships": {"n1": {**whole, **changed}, "e1": whole}}


def fault_codes(start: BattleFileDocument, **changed: Any) -> list[str]:
    return [fault.code for fault in result_faults(start, ended(**changed), CLASSES)]


@pytest.mark.rule("pc.damage-control")
def test_earlier_losses_may_be_repaired_with_parties() -> None:
    assert fault_codes(table(lost=["screen-1"])) == []
    assert fault_codes(table(lost=["screen-1"], options=("no-repairs",))) == ["lost-before"]


@pytest.mark.rule("pc.emp")
def test_system_is_lost_without_a_row() -> None:
    assert fault_codes(table(), lost=["screen-1"]) == ["lost-by-nothing"]
    assert fault_codes(table("Static Raider"), lost=["screen-1"]) == []
    assert fault_codes(table(options=("emergency-thrust",)), lost=["drive"]) == []
    assert fault_codes(table(options=("emergency-thrust",)), lost=["drive", "screen-1"]) == [
        "lost-by-nothing"
    ]


@pytest.mark.rule("pc.core-systems")
def test_hulks_and_explosions_need_core_systems() -> None:
    assert fault_codes(table(), status="hulk") == ["no-core-systems"]
    assert fault_codes(table(options=("core-systems",)), status="hulk") == []
    assert fault_codes(table(), status="destroyed", damage=9, cause="exploded") == ["no-explosives"]
    assert (
        fault_codes(
            table(options=("core-systems",)), status="destroyed", damage=9, cause="exploded"
        )
        == []
    )


@pytest.mark.rule("pc.armour")
def test_remaining_armour_is_entered_like_stores() -> None:
    assert fault_codes(table(), stock={"armour-1": 6}) == ["stock"]
    state, _, _ = result_state(table(), ended(stock={"armour-1": 2}), CLASSES)
    assert state["ships"]["n1"]["armour"] == [[2, 0]]
    assert state["ships"]["n1"]["stock"] == {"armour-1": 2}


@pytest.mark.rule("pc.ortillery")
class TestGroundTargets:
    def start(self) -> BattleFileDocument:
        document = table()
        document["terrain"] = [{"kind": "planet", "at": [36, 24], "radius": 4}]
        document["ground"] = [
            {"side": "esu", "planet": "planet-1", "boxes": 6, "damage": 2},
            {"side": "esu", "planet": "planet-1", "boxes": 3},
        ]
        return document

    @pytest.mark.parametrize(
        ("ground", "codes"),
        [
            ({"site-1": 6, "site-2": 0}, []),
            ({"site-1": 2}, []),
            ({"site-1": 1}, ["damage"]),
            ({"site-2": 4}, ["damage"]),
            ({"site-3": 1}, ["unknown-target"]),
            ({"site-1": "most"}, ["not-a-number"]),
            (["site-1"], ["not-a-mapping"]),
        ],
    )
    def test_entered_armour_stays_within_its_boxes(self, ground: Any, codes: list[str]) -> None:
        violations = result_faults(self.start(), {**ended(), "ground": ground}, CLASSES)
        assert [violation.code for violation in violations][: len(codes)] == codes
        assert bool(violations) is bool(codes)

    def test_state_has_the_entry_and_differences_are_named(self) -> None:
        entered_results: Any = {**ended(), "ground": {"site-2": 3}}
        state, _, _ = result_state(self.start(), entered_results, CLASSES)
        sites = [site for site in state["pieces"] if site["kind"] == "site"]
        assert [site["damage"] for site in sites] == [2, 3]
        results: Any = {"n": ("nac", entered_results), "e": ("esu", ended())}
        (difference,) = find_differences(self.start(), results)
        assert (difference.ship, difference.part, dict(difference.entries)["e"]) == (
            "",
            "ground",
            {"site-1": 2, "site-2": 0},
        )
        assert combine_results(self.start(), {"n": ("nac", entered_results)})["ground"] == {
            "site-1": 2,
            "site-2": 3,
        }

    def test_side_is_asked_by_its_own_sheet(self) -> None:
        start = self.start()
        sheet = {
            "edition": "continuum", "rules": NEWEST, "options": [], "table": start["table"], "bogeys": False,
            "side": "nac", "sides": ["nac", "esu"], "own": start["sides"][0]["ships"], "contacts": [{"id": "e1"}],
            "seen": {"sites": [{"id": "site-1", "boxes": 6, "damage": 2}]},
        }  # fmt: skip
        fault_list = side_faults(
            sheet,
            {"schema": 1, "turns": 2, "ships": ended()["ships"], "ground": {"site-1": 9}},
            CLASSES,
        )
        assert [fault.where for fault in fault_list if fault.where.startswith("ground")] == [
            "ground.site-1"
        ]
