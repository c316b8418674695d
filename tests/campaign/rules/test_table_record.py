"""The record of a Continuum battle: what it takes the result takes, and what it proposes has no
faults.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from campaign.rules.table_record import Kept, folded, proposal, told_of, write
from campaign.rules.table_record_faults import entry_faults
from engine.core.kinds import DestroyedBy
from engine.core.versions import NEWEST
from engine.table_results.ends import ENDS
from engine.table_results.judging import most_left, own_state, side_faults

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
PLANET = {"id": "planet-1", "x": 36.0, "y": 24.0, "radius": 4.0}
SHIP = "nac/s1"


@cache
def designs() -> Mapping[str, Any]:
    listed = yaml.safe_load((FIXTURES / "ships" / "continuum.yaml").read_text(encoding="utf-8"))
    return {design["class"]: design for design in listed}


def sheet(
    cls: str, *options: str, bogeys: bool = False, seen: Any = None, **came: Any
) -> dict[str, Any]:
    ship = {
        "id": SHIP,
        "design": designs()[cls],
        "at": [10, 10],
        "course": 3,
        "velocity": 4,
        "contact": "c1",
        **came,
    }
    return {
        "edition": "continuum", "rules": NEWEST, "options": list(options), "table": [72, 48], "bogeys": bogeys,
        "side": "nac", "sides": ["nac", "esu"], "hostile": [["nac", "esu"]], "own": [ship],
        "contacts": [{"id": "c2"} if bogeys else {"id": "c2", "class": "Groza Destroyer", "damage": 0, "lost": []}],
        "seen": seen or {},
    }  # fmt: skip


class Recorded:
    """A record of that ship's side."""

    def __init__(self, sheet: dict[str, Any]) -> None:
        self.sheet = sheet
        self.kept: Kept = folded(sheet, "nac", own_state(sheet).ships, [])

    def enter(self, kind: str, **said: Any) -> list[str]:
        """Enter it, if it has no faults; their codes."""
        entry = {"kind": kind, "ship": SHIP, **said}
        found = entry_faults(self.sheet, self.kept, "nac", entry)
        if not found:
            write(self.kept, "nac", entry)
            self.told = told_of(self.sheet, self.kept, entry)
        return [one.code for one in found]

    def boxes(self, first: int, last: int, off: bool = True) -> list[str]:
        return self.enter("boxes", first=first, last=last, off=off)

    def end(self, status: str, captor: str = "", how: str = "") -> list[str]:
        return self.enter("end", status=status, captor=captor, how=how)

    @property
    def result(self) -> dict[str, Any]:
        return proposal(self.sheet, self.kept)

    @property
    def mine(self) -> dict[str, Any]:
        return dict(self.result["ships"][SHIP])

    def faults(self) -> list[str]:
        return [one.code for one in side_faults(self.sheet, self.result)]


@pytest.mark.parametrize(
    ("cls", "came", "most"),
    [
        (
            "Zarya Fleet Carrier",
            {"hangar-1": 4, "hangar-3": 0},
            {"hangar-1": 4, "hangar-2": 6, "hangar-3": 0},
        ),
        ("Longshot Missile Cruiser", {"magazine-1/standard": 2}, {"magazine-1/standard": 2}),
        ("Heavy Cruiser", {"armour-1": 3}, {"armour-1": 3}),
        ("Prism Cruiser", {"regenerative-1": 3}, {"regenerative-1": 7}),  # it closes by itself
    ],
)
@pytest.mark.rule("pc.armour", "pc.fighter-launch", "pc.salvo-missiles")
def test_the_record_takes_what_of_stores_and_armour_the_result_takes(
    cls: str, came: Any, most: Any
) -> None:
    for name, left in most.items():
        record = Recorded(sheet(cls, stock=came))
        assert record.enter("stock", name=name, left=left + 1) == ["left"]
        assert record.enter("stock", name=name, left=left) == []
        assert record.faults() == []
        over = record.result
        over["ships"][SHIP]["stock"] = {name: left + 1}
        assert [one.code for one in side_faults(record.sheet, over)] == ["stock"]


@pytest.mark.rule("pc.armour")
def test_scarred_armour_never_closes_again() -> None:
    came: Any = {"stock": {"regenerative-1": 3}, "notes": {"scarred:0": 2}}
    record = Recorded(sheet("Prism Cruiser", **came))
    assert record.enter("stock", name="regenerative-1", left=6) == ["left"]
    assert record.enter("stock", name="regenerative-1", left=5) == []
    assert (record.mine["stock"], record.faults()) == ({"regenerative-1": 5}, [])


@pytest.mark.rule("pc.damage-control")
def test_what_nobody_can_repair_is_not_repaired_in_the_record_either() -> None:
    for options, hits in (((), 0), (("no-repairs",), 1)):
        record = Recorded(sheet("Heavy Cruiser", *options, lost=["screen-1"]))
        assert record.enter("system", system="screen-1", hits=0) == ([] if hits == 0 else ["hits"])
        assert record.mine["lost"] == ["screen-1"] * hits
        assert record.faults() == []


def test_a_lost_hangar_takes_its_craft_with_it() -> None:
    record = Recorded(sheet("Zarya Fleet Carrier"))
    record.boxes(1, 14)
    for name in ("hangar-1", "hangar-2"):
        assert record.enter("stock", name=name, left=4) == []
    assert record.enter("system", system="hangar-1", hits=1) == []
    assert (record.mine["stock"], record.faults()) == ({"hangar-2": 4}, [])


def test_a_ship_without_boxes_is_destroyed_and_one_destroyed_so_has_none() -> None:
    record = Recorded(sheet("Heavy Cruiser", bogeys=True))
    record.boxes(1, 25)
    assert record.told == {}
    record.boxes(26, 26)
    assert record.told == {
        "kind": "ship",
        "ship": "c1",
        "status": "destroyed",
        "captor": "",
        "how": "",
    }
    assert (record.mine["status"], record.faults()) == ("destroyed", [])
    record.boxes(26, 26, off=False)
    assert (record.told["status"], record.mine["status"]) == ("fighting", "fighting")
    record.boxes(24, 24)
    assert record.told == {}
    assert record.end("destroyed") == []
    assert (record.mine["damage"], record.faults()) == (26, [])
    assert record.end("destroyed", how="ftl") == []
    assert record.mine == {"status": "destroyed", "damage": 25, "lost": [], "how": "ftl"}


@pytest.mark.parametrize(
    ("seen", "options", "end", "fault"),
    [
        ({"planets": [PLANET]}, (), ("destroyed", "", "planet"), ""),
        ({}, (), ("destroyed", "", "planet"), "no-planet"),
        ({"planets": [{**PLANET, "air": True}]}, (), ("landed", "", ""), ""),
        ({"planets": [PLANET]}, (), ("landed", "", ""), "nowhere-to-land"),
        ({}, (), ("hulk", "", ""), "no-core-systems"),
        ({}, ("core-systems",), ("hulk", "", ""), ""),
        ({}, (), ("captured", "esu", ""), ""),
        ({}, (), ("captured", "nac", ""), "not-hostile"),
        ({}, (), ("ftl", "", ""), ""),
    ],
)
@pytest.mark.rule("pc.planets", "pc.core-systems")
def test_how_a_ship_ended_is_taken_where_the_result_takes_it(
    seen: Any, options: Any, end: Any, fault: str
) -> None:
    record = Recorded(sheet("Heavy Cruiser", *options, seen=seen))
    assert record.end(*end) == ([fault] if fault else [])
    assert record.faults() == []


def test_without_a_drive_it_leaves_no_more_under_ftl() -> None:
    record = Recorded(sheet("Heavy Cruiser"))
    record.enter("system", system="ftl", hits=1)
    assert record.end("ftl") == ["no-ftl-drive"]
    record.enter("system", system="ftl", hits=0)
    assert record.end("ftl") == []
    assert record.enter("system", system="ftl", hits=1) == ["no-ftl-drive"]


def test_whatever_is_tapped_on_any_ship_makes_a_result_without_faults() -> None:
    for cls in designs():
        dice = random.Random(cls)
        record = Recorded(sheet(cls, *dice.sample(["core-systems", "no-repairs", "striking"], 2)))
        ship = record.kept.marks[SHIP].ship
        stores = most_left(ship)
        for _ in range(12):
            record.boxes(
                dice.randint(1, ship.sheet.boxes),
                dice.randint(1, ship.sheet.boxes),
                off=dice.random() < 0.7,
            )
            record.enter(
                "system", system=dice.choice(list(ship.profile.index_of)), hits=dice.randint(0, 2)
            )
            if stores:
                record.enter("stock", name=dice.choice(list(stores)), left=dice.randint(0, 8))
            record.end(dice.choice(ENDS), dice.choice(["", "esu"]), dice.choice(["", *DestroyedBy]))
        assert record.faults() == [], (cls, record.mine)


def test_of_what_was_never_identified_the_record_says_nothing_that_could_be_wrong() -> None:
    record = Recorded(sheet("Heavy Cruiser", bogeys=True))
    for status, said in (
        ("left", False),
        ("captured", False),
        ("destroyed", True),
        ("scanned", True),
    ):
        told = {"kind": "ship", "ship": "c2", "status": status, "captor": "", "how": ""}
        kept = folded(
            record.sheet,
            "nac",
            [marks.ship for marks in record.kept.marks.values()],
            [("esu", told)],
        )
        assert ("c2" in proposal(record.sheet, kept)["ships"]) is said


def test_allies_read_each_others_marks_and_their_results_agree() -> None:
    both = sheet("Heavy Cruiser", bogeys=True)
    both |= {"side": "nac+ore", "sides": ["nac+ore", "esu"], "hostile": [["nac+ore", "esu"]]}
    both["own"] = [*both["own"], {**both["own"][0], "id": "ore/s1", "contact": "c3"}]
    ships = own_state(both).ships
    marks = ({"kind": "boxes", "ship": "ore/s1", "first": 1, "last": 4, "off": True},
             {"kind": "stock", "ship": "ore/s1", "name": "armour-1", "left": 2})  # fmt: skip
    found = [folded(both, who, ships, [("ore", one) for one in marks]) for who in ("nac", "ore")]
    assert [list(kept.marks) for kept in found] == [["nac/s1"], ["ore/s1"]]
    assert (found[0].others["c3"]["damage"], found[0].others["c3"]["armour"]) == (4, 2)
    results = [proposal(both, kept)["ships"] for kept in found]
    assert results[0] == results[1]
    assert results[0]["ore/s1"]["stock"] == {"armour-1": 2}


@pytest.mark.rule("pc.ortillery")
def test_ground_targets_are_marked_by_whoever_fights_within_their_boxes_and_come_into_the_result() -> (
    None
):
    sites = [
        {"id": f"site-{n}", "side": 1, "planet": "planet-1", "boxes": 4, "damage": n}
        for n in (1, 2)
    ]
    record = Recorded(sheet("Heavy Cruiser", seen={"planets": [PLANET], "sites": sites}))
    ships = [marks.ship for marks in record.kept.marks.values()]

    def mark(site: str, damage: int) -> list[str]:
        entry = {"kind": "ground", "site": site, "damage": damage}
        found = entry_faults(record.sheet, record.kept, "nac", entry)
        if not found:
            write(record.kept, "nac", entry)
            assert told_of(record.sheet, record.kept, entry) == entry, "everybody sees the ground"
        return [one.code for one in found]

    assert "ground" not in proposal(record.sheet, record.kept)
    assert [mark("site-1", 0), mark("site-1", 5), mark("site-3", 1)] == [
        ["damage"],
        ["damage"],
        ["unknown-target"],
    ]
    assert [mark("site-1", 3), mark("site-1", 4), mark("site-2", 3), mark("site-2", 2)] == [[]] * 4
    result = proposal(record.sheet, record.kept)
    assert result["ground"] == {"site-1": 4}, "what is as it came is not said"
    assert side_faults(record.sheet, result) == ()
    heard = folded(
        record.sheet, "nac", ships, [("esu", {"kind": "ground", "site": "site-2", "damage": 4})]
    )
    assert heard.ground == {"site-1": 1, "site-2": 4}
