"""The record of a Continuum battle: the result accepts what it accepts, and its proposal is valid."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from campaign.rules.table_record import (
    RecordState,
    apply_entry,
    apply_own_entry,
    build_record,
    propose_result,
    visible_part,
)
from campaign.rules.table_record_faults import entry_faults
from engine.core.kinds import DestroyedBy
from engine.core.versions import NEWEST
from engine.table_results.ends import ENDS
from engine.table_results.validation import most_stock, own_state, side_faults

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
PLANET = {"id": "planet-1", "x": 36.0, "y": 24.0, "radius": 4.0}
SHIP = "nac/s1"


@cache
def designs() -> Mapping[str, Any]:
    design_rows = yaml.safe_load(
        (FIXTURES / "ships" / "continuum.yaml").read_text(encoding="utf-8")
    )
    return {design["class"]: design for design in design_rows}


def sheet(
    cls: str, *options: str, bogeys: bool = False, seen_ships: Any = None, **extra: Any
) -> dict[str, Any]:
    ship = {
        "id": SHIP,
        "design": designs()[cls],
        "at": [10, 10],
        "course": 3,
        "velocity": 4,
        "contact": "c1",
        **extra,
    }
    return {
        "edition": "continuum", "rules": NEWEST, "options": list(options), "table": [72, 48], "bogeys": bogeys,
        "side": "nac", "sides": ["nac", "esu"], "hostile": [["nac", "esu"]], "own": [ship],
        "contacts": [{"id": "c2"} if bogeys else {"id": "c2", "class": "Groza Destroyer", "damage": 0, "lost": []}],
        "seen": seen_ships or {},
    }  # fmt: skip


class SideRecord:
    """A record of that ship's side."""

    def __init__(self, sheet: dict[str, Any]) -> None:
        self.sheet = sheet
        self.record: RecordState = build_record(sheet, "nac", own_state(sheet).ships, [])

    def enter(self, kind: str, **fields: Any) -> list[str]:
        """Enter something if it has no faults; return the codes of the faults."""
        entry = {"kind": kind, "ship": SHIP, **fields}
        violations = entry_faults(self.sheet, self.record, "nac", entry)
        if not violations:
            apply_own_entry(self.record, "nac", entry)
            self.last_change = visible_part(self.sheet, self.record, entry)
        return [violation.code for violation in violations]

    def boxes(self, first: int, last: int, off: bool = True) -> list[str]:
        return self.enter("boxes", first=first, last=last, off=off)

    def end(self, status: str, captor: str = "", cause: str = "") -> list[str]:
        return self.enter("end", status=status, captor=captor, how=cause)

    @property
    def result(self) -> dict[str, Any]:
        return propose_result(self.sheet, self.record)

    @property
    def mine(self) -> dict[str, Any]:
        return dict(self.result["ships"][SHIP])

    def faults(self) -> list[str]:
        return [violation.code for violation in side_faults(self.sheet, self.result)]


@pytest.mark.parametrize(
    ("cls", "stock_before", "most"),
    [
        (
            "Zarya Fleet Carrier",
            {"hangar-1": 4, "hangar-3": 0},
            {"hangar-1": 4, "hangar-2": 6, "hangar-3": 0},
        ),
        ("Longshot Missile Cruiser", {"magazine-1/standard": 2}, {"magazine-1/standard": 2}),
        ("Heavy Cruiser", {"armour-1": 3}, {"armour-1": 3}),
        ("Prism Cruiser", {"regenerative-1": 3}, {"regenerative-1": 7}),  # it closes automatically
    ],
)
@pytest.mark.rule("pc.armour", "pc.fighter-launch", "pc.salvo-missiles")
def test_record_accepts_the_stores_and_armour_of_the_result(
    cls: str, stock_before: Any, most: Any
) -> None:
    for name, count in most.items():
        record = SideRecord(sheet(cls, stock=stock_before))
        assert record.enter("stock", name=name, left=count + 1) == ["left"]
        assert record.enter("stock", name=name, left=count) == []
        assert record.faults() == []
        over = record.result
        over["ships"][SHIP]["stock"] = {name: count + 1}
        assert [violation.code for violation in side_faults(record.sheet, over)] == ["stock"]


@pytest.mark.rule("pc.armour")
def test_scarred_armour_is_never_repaired() -> None:
    condition: Any = {"stock": {"regenerative-1": 3}, "notes": {"scarred:0": 2}}
    record = SideRecord(sheet("Prism Cruiser", **condition))
    assert record.enter("stock", name="regenerative-1", left=6) == ["left"]
    assert record.enter("stock", name="regenerative-1", left=5) == []
    assert (record.mine["stock"], record.faults()) == ({"regenerative-1": 5}, [])


@pytest.mark.rule("pc.damage-control")
def test_record_refuses_impossible_repairs() -> None:
    for options, hits in (((), 0), (("no-repairs",), 1)):
        record = SideRecord(sheet("Heavy Cruiser", *options, lost=["screen-1"]))
        assert record.enter("system", system="screen-1", hits=0) == ([] if hits == 0 else ["hits"])
        assert record.mine["lost"] == ["screen-1"] * hits
        assert record.faults() == []


def test_lost_hangar_loses_its_craft() -> None:
    record = SideRecord(sheet("Zarya Fleet Carrier"))
    record.boxes(1, 14)
    for name in ("hangar-1", "hangar-2"):
        assert record.enter("stock", name=name, left=4) == []
    assert record.enter("system", system="hangar-1", hits=1) == []
    assert (record.mine["stock"], record.faults()) == ({"hangar-2": 4}, [])


def test_ship_without_boxes_is_destroyed_and_the_reverse() -> None:
    record = SideRecord(sheet("Heavy Cruiser", bogeys=True))
    record.boxes(1, 25)
    assert record.last_change == {}
    record.boxes(26, 26)
    assert record.last_change == {
        "kind": "ship",
        "ship": "c1",
        "status": "destroyed",
        "captor": "",
        "how": "",
    }
    assert (record.mine["status"], record.faults()) == ("destroyed", [])
    record.boxes(26, 26, off=False)
    assert (record.last_change["status"], record.mine["status"]) == ("fighting", "fighting")
    record.boxes(24, 24)
    assert record.last_change == {}
    assert record.end("destroyed") == []
    assert (record.mine["damage"], record.faults()) == (26, [])
    assert record.end("destroyed", cause="ftl") == []
    assert record.mine == {"status": "destroyed", "damage": 25, "lost": [], "cause": "ftl"}


@pytest.mark.parametrize(
    ("seen_ships", "options", "end", "fault"),
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
def test_fate_in_the_record_equals_the_result(
    seen_ships: Any, options: Any, end: Any, fault: str
) -> None:
    record = SideRecord(sheet("Heavy Cruiser", *options, seen_ships=seen_ships))
    assert record.end(*end) == ([fault] if fault else [])
    assert record.faults() == []


def test_ship_without_drive_cannot_leave_by_ftl() -> None:
    record = SideRecord(sheet("Heavy Cruiser"))
    record.enter("system", system="ftl", hits=1)
    assert record.end("ftl") == ["no-ftl-drive"]
    record.enter("system", system="ftl", hits=0)
    assert record.end("ftl") == []
    assert record.enter("system", system="ftl", hits=1) == ["no-ftl-drive"]


def test_any_taps_make_a_result_without_faults() -> None:
    for cls in designs():
        dice = random.Random(cls)
        record = SideRecord(sheet(cls, *dice.sample(["core-systems", "no-repairs", "striking"], 2)))
        ship = record.record.marks[SHIP].ship
        stores = most_stock(ship)
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


def test_record_says_nothing_of_unidentified_ships() -> None:
    record = SideRecord(sheet("Heavy Cruiser", bogeys=True))
    for status, is_proposed in (
        ("left", False),
        ("captured", False),
        ("destroyed", True),
        ("scanned", True),
    ):
        entry = {"kind": "ship", "ship": "c2", "status": status, "captor": "", "how": ""}
        nac_record = build_record(
            record.sheet,
            "nac",
            [marks.ship for marks in record.record.marks.values()],
            [("esu", entry)],
        )
        assert ("c2" in propose_result(record.sheet, nac_record)["ships"]) is is_proposed


def test_allies_share_marks_and_agree_on_results() -> None:
    both_sheets = sheet("Heavy Cruiser", bogeys=True)
    both_sheets |= {"side": "nac+ore", "sides": ["nac+ore", "esu"], "hostile": [["nac+ore", "esu"]]}
    both_sheets["own"] = [
        *both_sheets["own"],
        {**both_sheets["own"][0], "id": "ore/s1", "contact": "c3"},
    ]
    ships = own_state(both_sheets).ships
    marks = ({"kind": "boxes", "ship": "ore/s1", "first": 1, "last": 4, "off": True},
             {"kind": "stock", "ship": "ore/s1", "name": "armour-1", "left": 2})  # fmt: skip
    records = [
        build_record(both_sheets, faction_id, ships, [("ore", entry) for entry in marks])
        for faction_id in ("nac", "ore")
    ]
    assert [list(each_record.marks) for each_record in records] == [["nac/s1"], ["ore/s1"]]
    assert (records[0].contacts["c3"]["damage"], records[0].contacts["c3"]["armour"]) == (4, 2)
    results = [propose_result(both_sheets, each_record)["ships"] for each_record in records]
    assert results[0] == results[1]
    assert results[0]["ore/s1"]["stock"] == {"armour-1": 2}


@pytest.mark.rule("pc.ortillery")
def test_fighters_mark_ground_targets_within_their_boxes() -> None:
    sites = [
        {"id": f"site-{n}", "side": 1, "planet": "planet-1", "boxes": 4, "damage": n}
        for n in (1, 2)
    ]
    record = SideRecord(sheet("Heavy Cruiser", seen_ships={"planets": [PLANET], "sites": sites}))
    ships = [marks.ship for marks in record.record.marks.values()]

    def mark(site: str, damage: int) -> list[str]:
        entry = {"kind": "ground", "site": site, "damage": damage}
        violations = entry_faults(record.sheet, record.record, "nac", entry)
        if not violations:
            apply_own_entry(record.record, "nac", entry)
            assert visible_part(record.sheet, record.record, entry) == entry, (
                "everybody sees the ground"
            )
        return [violation.code for violation in violations]

    assert "ground" not in propose_result(record.sheet, record.record)
    assert [mark("site-1", 0), mark("site-1", 5), mark("site-3", 1)] == [
        ["damage"],
        ["damage"],
        ["unknown-target"],
    ]
    assert [mark("site-1", 3), mark("site-1", 4), mark("site-2", 3), mark("site-2", 2)] == [[]] * 4
    result = propose_result(record.sheet, record.record)
    assert result["ground"] == {"site-1": 4}, "what is as it came is not said"
    assert side_faults(record.sheet, result) == ()
    heard = build_record(
        record.sheet, "nac", ships, [("esu", {"kind": "ground", "site": "site-2", "damage": 4})]
    )
    assert heard.ground == {"site-1": 1, "site-2": 4}


class TestSetUp:
    """Before turn 1 each faction seals where its ships begin."""

    ZONES = {
        "deployment": {
            "zones": {"nac": {"edge": "left", "ftl": True}, "esu": {"edge": "right"}},
        }
    }
    PLACE = {"at": [4, 20.5], "course": 2, "velocity": 10}

    def side(self) -> SideRecord:
        own = sheet("Burya Frigate", at=[3, 10])
        return SideRecord({**own, "set_up": self.ZONES, "rules": NEWEST})

    def enter(self, side: SideRecord, kind: str, **fields: Any) -> list[tuple[str, str]]:
        entry = {"kind": kind, **fields}
        violations = entry_faults(side.sheet, side.record, "nac", entry)
        if not violations:
            apply_own_entry(side.record, "nac", entry)
            assert visible_part(side.sheet, side.record, entry) == {"kind": kind}
        return [(fault.where, fault.code) for fault in violations]

    def test_set_up_comes_before_turn_1_and_is_for_its_owner_only(self) -> None:
        side = self.side()
        assert side.record.turn == 0
        plot = {"turn": 1, "orders": {}}
        assert self.enter(side, "plot", **plot) == [("turn", "turn")]
        assert self.enter(side, "phase", turn=1, phase=0) == [("turn", "not-sealed")]
        assert self.enter(side, "set_up", places={SHIP: self.PLACE}) == []
        assert side.record.places == {SHIP: self.PLACE}
        assert self.enter(side, "set_up", places={}) == [("places", "sealed")]
        apply_entry(side.record, "nac", "esu", {"kind": "set_up"})
        assert entry_faults(side.sheet, side.record, "nac", FIRST_PHASE) == ()
        apply_own_entry(side.record, "nac", FIRST_PHASE)
        assert (side.record.turn, side.record.phase) == (1, 0)

    def test_side_that_sets_up_in_the_open_is_read_by_the_one_after_it(self) -> None:
        """Two worlds that differ only in a ship in FTL are the same for the other side."""
        in_turn: dict[str, Any] = {**self.ZONES["deployment"], "manner": "by-side", "first": "nac"}
        own = sheet("Burya Frigate", at=[3, 10])["own"][0]
        both = [own, {**own, "id": "nac/s2", "contact": "c3"}]
        base = {**sheet("Burya Frigate"), "own": both, "rules": NEWEST}
        opened = []
        for turn in (2, 5):
            side = SideRecord({**base, "set_up": {"deployment": in_turn}})
            waits = {"ftl_entry": turn, "at": [turn, 5]}
            entry = {"kind": "set_up", "places": {SHIP: self.PLACE, "nac/s2": waits}}
            apply_own_entry(side.record, "nac", entry)
            opened.append(visible_part(side.sheet, side.record, entry))
        assert opened[0] == opened[1] == {"kind": "set_up", "ships": {"c1": self.PLACE}}
        later = SideRecord({**base, "set_up": {"deployment": {**in_turn, "first": "esu"}}})
        assert self.enter(later, "set_up", places={}) == [("places", "out-of-turn")]
        apply_entry(later.record, "nac", "esu", opened[0])
        assert later.record.opened == {"c1": self.PLACE}
        entry = {"kind": "set_up", "places": {SHIP: self.PLACE}}
        assert entry_faults(later.sheet, later.record, "nac", entry) == ()

    def test_sides_record_where_they_have_placed_bodies(self) -> None:
        limits = {"apart": 12, "edges": 12, "radius": 1, "asteroid": True, "at": [30, 20]}
        bodies = [{"id": "rock-1", "by": "both", **limits}, {"id": "rock-2", "by": "esu", **limits}]
        own = sheet("Burya Frigate", at=[3, 10])
        side = SideRecord({**own, "set_up": {**self.ZONES, "bodies": bodies}, "rules": NEWEST})

        def body(id_: str, at: list[Any]) -> list[tuple[str, str]]:
            entry = {"kind": "body", "body": id_, "at": at}
            violations = entry_faults(side.sheet, side.record, "nac", entry)
            if not violations:
                apply_own_entry(side.record, "nac", entry)
                assert visible_part(side.sheet, side.record, entry) == entry
            return [(fault.where, fault.code) for fault in violations]

        apply_entry(side.record, "nac", "esu", {"kind": "body", "body": "rock-2", "at": [20, 20]})
        assert body("rock-2", [40, 20]) == [("body", "not-yours")]
        assert body("rock-3", [40, 20]) == [("body", "unknown-body")]
        assert body("rock-1", ["x", 20]) == [("at", "not-a-pair")]
        assert body("rock-1", [20, 31]) == [("at", "deployment")]
        assert body("rock-1", [32, 20]) == []
        assert side.record.bodies == {"rock-1": [32, 20], "rock-2": [20, 20]}
        in_rock = {SHIP: {"at": [20, 20]}}
        assert (f"places.{SHIP}.at", "in-body") in self.enter(side, "set_up", places=in_rock)
        assert self.enter(side, "set_up", places={SHIP: self.PLACE}) == []
        assert body("rock-1", [40, 20]) == [("body", "sealed")]

    def test_every_fault_of_a_set_up_has_its_place(self) -> None:
        places = {SHIP: {"at": [40, 20], "velocity": 25, "speed": 3}, "esu/s1": {"at": [70, 1]}}
        assert sorted(self.enter(self.side(), "set_up", places=places)) == [
            ("places.esu/s1", "unknown-ship"),
            (f"places.{SHIP}.at", "deployment"),
            (f"places.{SHIP}.speed", "unknown-key"),
        ]
        held_back = {SHIP: {"ftl_entry": 3}}
        assert self.enter(self.side(), "set_up", places=held_back) == [("places", "nobody-there")]

    def test_battle_without_zones_begins_with_turn_1(self) -> None:
        side = SideRecord(sheet("Burya Frigate"))
        assert side.record.turn == 1
        assert self.enter(side, "set_up", places={}) == [("kind", "set-up")]

    def test_result_of_a_battle_that_ended_before_turn_1_has_one_turn(self) -> None:
        side = self.side()
        assert propose_result(side.sheet, side.record)["turns"] == 1


FIRST_PHASE = {"kind": "phase", "turn": 1, "phase": 0}
