"""Sensors of Continuum: scans by FireCons, better sensors, ECM, drones."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.battle import resolve_stop, start
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.kinds import ScanDetail
from engine.core.state import ENGAGE
from engine.known_battle import known_battle
from engine.notation.battles import read_battle
from engine.systems.sensors import scan_detail
from engine.view.hidden_loadouts import hidden_systems
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.battle.table import classes, scripted
from tests.engine.defences.battles import facing, log_lines, play_turns, ship_of, turn
from tests.engine.guns.duels import ship, table

CLOSED, JAMMED = ("advanced-sensors",), ("advanced-sensors", "sensor-ecm")
SUPERIOR, ENHANCED = "superior-sensors", "enhanced-sensors"


def found_by_scan(battle: Any) -> list[str]:
    return [
        line["ship"]
        for line in log_lines(battle, "contact-identified")
        if line["by"] == "r1" != line["ship"]
    ]


def three_bogeys(**ours: Any) -> dict[str, Any]:
    """Return `r1`, and three bogeys beyond passive sensors."""
    blue = [ship(f"b{n}", 56 + 4 * n, 65, "", 6, contact=f"c{n}") for n in (1, 2, 3)]
    return table([ship("r1", 60, 20, "", **ours)], blue, bogeys=True)


@pytest.mark.rule("pc.sensors")
class TestScansByFireCon:
    @pytest.mark.parametrize(
        ("ours", "count"), [({}, 2), ({"firecons": "x1"}, 1), ({"firecons": "x3"}, 3)]
    )
    def test_each_working_firecon_scans_one_contact(self, ours: dict[str, Any], count: int) -> None:
        battle = play_turns(three_bogeys(**ours), turn({"r1": "scan b1 b2 b3"}))
        assert found_by_scan(battle) == ["b1", "b2", "b3"][:count]
        assert (
            next(line["ship"] for line in log_lines(battle, "contact-identified")) == "r1"
        )  # a scanning ship reveals itself

    def test_lost_firecon_scans_nothing(self) -> None:
        battle = play_turns(three_bogeys(lost=["firecon-1"]), turn({"r1": "scan b1 b2"}))
        assert found_by_scan(battle) == ["b1"]

    @pytest.mark.parametrize(
        ("ours", "words", "why"),
        [
            ({"kind": "merchant"}, "scan b1", "only military ships have"),
            ({"lost": ["firecon-1", "firecon-2"]}, "scan b1", "no working FireCon"),
        ],
    )
    def test_ships_that_cannot_scan(self, ours: dict[str, Any], words: str, why: str) -> None:
        (line,) = log_lines(play_turns(three_bogeys(**ours), turn({"r1": words})), "order-refused")
        assert why in line["reason_text"]

    @pytest.mark.rule("pc.advanced-firecon-range")
    @pytest.mark.parametrize(
        ("firecon", "away", "rules", "is_found"),
        [
            ("advanced-firecon", 72.0, "1.1", True),
            ("advanced-firecon", 72.1, "1.1", False),
            ("advanced-firecon", 60.0, "1.0", False),
            ("", 60.0, "1.1", False),
        ],
    )
    def test_advanced_firecon_scans_to_72(
        self, firecon: str, away: float, rules: str, is_found: bool
    ) -> None:
        document = facing(firecon, "", away, bogeys=True, b={"contact": "c1"}) | {"rules": rules}
        battle = play_turns(document, turn({"r1": "scan b1"}))
        assert found_by_scan(battle) == ["b1"] * is_found

    @pytest.mark.rule("pc.advanced-firecon-range")
    @pytest.mark.parametrize(
        ("ours", "theirs", "is_found"),
        [
            ({"lost": ["advanced-firecon-1"]}, {}, False),
            ({}, {"plot": "jam"}, False),  # ECM shortens 72 MU to 66
            ({"at": [60, 24]}, {"plot": "jam"}, True),
        ],
    )
    def test_lost_advanced_firecon_and_ecm_shorten_the_range(
        self, ours: dict[str, Any], theirs: dict[str, str], is_found: bool
    ) -> None:
        fitted = facing("advanced-firecon", "ecm", 70.0, bogeys=True, b={"contact": "c1"}, r=ours)
        plots = {"r1": "scan b1"} | ({"b1": theirs["plot"]} if theirs else {})
        assert found_by_scan(play_turns(fitted, turn(plots))) == ["b1"] * is_found

    def test_own_area_ecm_blinds_a_ship(self) -> None:
        document = facing("area-ecm ecm", "", 45.0, bogeys=True, b={"contact": "c1"})
        (line,) = log_lines(play_turns(document, turn({"r1": "jam; scan b1"})), "order-refused")
        assert "blinds its FireCons" in line["reason_text"]
        assert found_by_scan(play_turns(document, turn({"r1": "jam ecm; scan b1"}))) == ["b1"]


@pytest.mark.rule("pc.sensors")
class TestTheTable:
    def test_result_of_each_die(self) -> None:
        names = [scan_detail(result).name for result in range(-1, 9)]
        assert names == ["NOTHING"] * 4 + ["MASS", "DRIVE", "SYSTEMS"] + ["EVERYTHING"] * 3

    @pytest.mark.parametrize(
        ("suite", "die", "reading"),
        [
            (ENHANCED, 2, ScanDetail.NOTHING), (ENHANCED, 3, ScanDetail.MASS), (ENHANCED, 4, ScanDetail.DRIVE),
            (ENHANCED, 5, ScanDetail.SYSTEMS), (ENHANCED, 6, ScanDetail.EVERYTHING),
            (SUPERIOR, 1, ScanDetail.MASS), (SUPERIOR, 3, ScanDetail.SYSTEMS), (SUPERIOR, 4, ScanDetail.EVERYTHING),
        ],
    )  # fmt: skip
    def test_each_suite_rolls_a_die(self, suite: str, die: int, reading: ScanDetail) -> None:
        document = facing(
            suite, "screen beam:1 pds", 40.0, options=CLOSED, b={"damage": 3, "lost": ["pds-1"]}
        )
        battle = play_turns(document, turn({"r1": "scan b1"}), sensor=[die])
        (line,) = log_lines(battle, "sheet-scanned")
        assert line["detail"] == reading
        (contact,) = observe(battle.state, 0).to_json()["contacts"]
        visible_keys = {"mass", "thrust", "systems", "damage", "lost", "armour"} & set(contact)
        assert visible_keys == {
            ScanDetail.NOTHING: set(), ScanDetail.MASS: {"mass"}, ScanDetail.DRIVE: {"mass", "thrust", "systems"},
            ScanDetail.SYSTEMS: {"mass", "thrust", "systems"},
            ScanDetail.EVERYTHING: {"mass", "thrust", "systems", "damage", "lost", "armour"},
        }[reading]  # fmt: skip
        if reading == ScanDetail.DRIVE:
            assert contact["systems"] == ["screen-1"]
        if reading == ScanDetail.EVERYTHING:
            assert (contact["damage"], contact["lost"]) == (3, ["pds-1"])

    @pytest.mark.rule("pc.sensors-by-range")
    @pytest.mark.parametrize(
        ("suite", "away", "ecm", "reading"),
        [
            (ENHANCED, 24.0, "", ScanDetail.SYSTEMS),
            (ENHANCED, 24.1, "", ScanDetail.NOTHING),
            (SUPERIOR, 36.0, "", ScanDetail.EVERYTHING),
            (SUPERIOR, 36.1, "", ScanDetail.NOTHING),
            (SUPERIOR, 31.0, "ecm", ScanDetail.NOTHING),  # a level of ECM: 30 MU
            (SUPERIOR, 30.0, "ecm", ScanDetail.EVERYTHING),
        ],
    )
    def test_range_decides_with_the_option(
        self, suite: str, away: float, ecm: str, reading: ScanDetail
    ) -> None:
        document = facing(suite, f"pds {ecm}".strip(), away, options=(*CLOSED, "sensors-by-range"))
        plots = {"r1": "scan b1"} | ({"b1": "jam"} if ecm else {})
        (line,) = log_lines(play_turns(document, turn(plots)), "sheet-scanned")
        assert (line["die"], line["detail"]) == (0, reading)

    @pytest.mark.rule("pc.sensors-by-range")
    @pytest.mark.parametrize(
        ("suite", "option", "loads", "stock"),
        [
            (ENHANCED, True, {"hangar-1": {"torpedo": 6}, "magazine-1": {"extended": 3}}, None),
            (SUPERIOR, True, {"hangar-1": {"torpedo": 6}, "magazine-1": {"extended": 3}},
             {"hangar-1": 4, "magazine-1/extended": 2}),
            (SUPERIOR, False, None, None),
        ],
    )  # fmt: skip
    def test_scans_by_range_show_loads_and_what_is_left(
        self, suite: str, option: bool, loads: Any, stock: Any
    ) -> None:
        options = (*CLOSED, "sensors-by-range") if option else CLOSED
        document = facing(suite, "salvo-launcher@FP+F+FS launch-tube", 20.0, options=options)
        target = document["sides"][1]["ships"][0]
        target["design"]["systems"] += [
            {"type": "hangar", "load": {"torpedo": 6}},
            {"type": "magazine", "mass": 9, "load": {"extended": 3}},
        ]
        target["stock"] = {"hangar-1": 4, "magazine-1/extended": 2}
        battle = play_turns(document, turn({"r1": "scan b1"}), sensor=[6])
        (contact,) = observe(battle.state, 0).to_json()["contacts"]
        assert (contact.get("loads"), contact.get("stock")) == (loads, stock)
        (seen,) = [ship for ship in known_battle(battle, 0).state.ships if ship.owner == 1]
        assert seen.record.stock_seen_by(0) == (stock or {})
        assert hidden_systems(seen.sheet, seen.record.revealed_bays) == (
            frozenset() if option else {"hangar-1", "magazine-1"}
        )
        assert "loads" not in observe(battle.state, 1).to_json()["contacts"][0]

    @pytest.mark.rule("pc.sensors-by-range")
    @pytest.mark.parametrize(
        ("suite", "away", "is_found"),
        [(SUPERIOR, 48.0, True), (SUPERIOR, 48.1, False), (ENHANCED, 37.0, False)],
    )
    def test_superior_sensors_identify_to_48_by_range(
        self, suite: str, away: float, is_found: bool
    ) -> None:
        document = facing(suite, "pds", away, options=(*CLOSED, "sensors-by-range"), bogeys=True)
        lines = log_lines(play_turns(document, turn()), "contact-identified")
        assert [line["ship"] for line in lines if line["by"] == "r1"] == ["b1"] * is_found

    def test_identified_ship_is_known_at_once_and_a_drone_is_not(self) -> None:
        blue = [
            ship("b1", 60, 65, "", 6, contact="c1"),
            {
                "id": "b2",
                "dummy": True,
                "velocity": 0,
                "thrust": 6,
                "at": [64, 65],
                "course": 6,
                "contact": "c2",
            },
        ]
        document = table([ship("r1", 60, 20, f"{SUPERIOR}x2")], blue, options=CLOSED, bogeys=True)
        battle = play_turns(document, turn({"r1": "scan b2 b1"}), sensor=[2])
        assert [line["target"] for line in log_lines(battle, "sheet-scanned")] == ["b1"]
        assert [line["ship"] for line in log_lines(battle, "dummy-identified")] == ["b2"]

    def test_each_suite_scans_once_a_turn_best_first(self) -> None:
        blue = [ship(f"b{n}", 56 + 4 * n, 50, "", 6) for n in (1, 2, 3)]
        document = table(
            [ship("r1", 60, 20, f"{ENHANCED} {SUPERIOR}", firecons="x3")], blue, options=CLOSED
        )
        battle = play_turns(document, turn({"r1": "scan b1 b2 b3"}), sensor=[1, 1])
        assert [(line["target"], line["suite"]) for line in log_lines(battle, "sheet-scanned")] == [
            ("b1", "superior-sensors-1"), ("b2", "enhanced-sensors-1"),
        ]  # fmt: skip
        assert [line["target"] for line in log_lines(battle, "scan-failed")] == ["b3"]

    def test_nothing_is_closed_without_the_option(self) -> None:
        battle = play_turns(facing(SUPERIOR, "", 40.0), turn({"r1": "scan b1"}))
        assert not log_lines(battle, "sheet-scanned")
        assert "class" in observe(battle.state, 0).to_json()["contacts"][0]

    def test_side_remembers_the_state_it_scanned(self) -> None:
        document = facing(f"beam:3@F {SUPERIOR}", "", 10.0, options=CLOSED)
        turns = [turn({"r1": "scan b1"}), turn(r1=("beam-1>b1",)), turn({"r1": "scan b1"})]
        battle = play_turns(document, *turns, sensor=[6, 1], beam=[6, 6, 6], re_roll=[1, 1, 1])
        assert ship_of(battle, "b1").damage == 6
        (contact,) = observe(battle.state, 0).to_json()["contacts"]
        assert (contact["scan_detail"], contact["damage"]) == (ScanDetail.EVERYTHING, 0)
        assert (
            observe(battle.state, 1).to_json()["contacts"][0]["scan_detail"] == ScanDetail.NOTHING
        )

    def test_allies_share_scanned_sheets(self) -> None:
        document = table(
            [ship("r1", 60, 20, "")], [ship("b1", 60, 40, "")], [ship("g1", 70, 40, "")], options=CLOSED,
            hostile=[["red", "blue"]],
        )  # fmt: skip
        readings = {
            contact["id"]: contact.get("scan_detail")
            for contact in observe(start(document, classes()).state, 0).to_json()["contacts"]
        }
        assert readings == {"b1": ScanDetail.NOTHING, "g1": None}


@pytest.mark.rule("pc.ecm")
class TestECMAgainstSensors:
    def test_example_superior_six_against_one_is_seven(self) -> None:
        document = facing(SUPERIOR, "ecm", 40.0, options=JAMMED)
        battle = play_turns(document, turn({"r1": "scan b1", "b1": "jam"}), sensor=[6], ecm=[1])
        (line,) = log_lines(battle, "sheet-scanned")
        assert (line["die"], line["jamming"], line["detail"]) == (6, [1], ScanDetail.EVERYTHING)

    def test_scanner_in_its_own_jamming_rolls_against_itself(self) -> None:
        document = facing(f"{SUPERIOR} ecm", "ecm", 40.0, options=JAMMED)
        battle = play_turns(
            document, turn({"r1": "jam; scan b1", "b1": "jam"}), sensor=[6], ecm=[2, 3]
        )
        (line,) = log_lines(battle, "sheet-scanned")
        assert (line["jamming"], line["detail"]) == ([2, 3], ScanDetail.MASS)

    @pytest.mark.parametrize(("away", "dice"), [(12.0, [4]), (12.5, [])])
    def test_friendly_area_ecm_covers_within_12(self, away: float, dice: list[int]) -> None:
        blue = [ship("b1", 60, 60, "", 6), ship("b2", 60 + away, 60, "area-ecm", 6)]
        document = table([ship("r1", 60, 20, SUPERIOR)], blue, options=JAMMED)
        battle = play_turns(document, turn({"r1": "scan b1", "b2": "jam"}), sensor=[5], ecm=dice)
        assert log_lines(battle, "sheet-scanned")[0]["jamming"] == dice

    @pytest.mark.parametrize(("options", "word"), [(CLOSED, "jam"), (JAMMED, "")])
    def test_inactive_ecm_rolls_nothing(self, options: tuple[str, ...], word: str) -> None:
        document = facing(SUPERIOR, "ecm", 40.0, options=options)
        battle = play_turns(document, turn({"r1": "scan b1", "b1": word}), sensor=[5])
        assert log_lines(battle, "sheet-scanned")[0]["jamming"] == []

    def test_ecm_needs_scans_with_dice(self) -> None:
        with pytest.raises(RuleViolations, match="needs 'advanced-sensors'"):
            read_battle(facing("", "", options=("sensor-ecm",)), classes())


@pytest.mark.rule("pc.sensors")
class TestWhatIsNotKnown:
    def test_used_suite_helps_no_fire(self) -> None:
        document = facing(f"beam:3@A {ENHANCED}", "", 10.0, options=CLOSED, r={"course": 6})
        fire = ("beam-1>b1",)
        assert log_lines(play_turns(document, turn(r1=fire), beam=[1, 1, 1]), "fire")
        battle = play_turns(document, turn({"r1": "scan b1"}, r1=fire), sensor=[1])
        assert not log_lines(battle, "fire")

    @pytest.mark.parametrize(("systems", "lost"), [("", []), (SUPERIOR, ["pds-1"])])
    def test_needle_can_aim_at_scanned_systems(self, systems: str, lost: list[str]) -> None:
        document = facing(f"needle:1@F+FS {systems}".strip(), "pds", 10.0, options=CLOSED)
        aimed = [{"weapon": "needle-1", "target": "b1", "system": "pds-1"}]
        plot, dice = ({"r1": "scan b1"}, [3]) if systems else ({}, [])
        battle = play_turns(document, turn(plot, r1=aimed), to_hit=[6], sensor=dice)
        assert list(ship_of(battle, "b1").lost_systems()) == lost
        assert ship_of(battle, "b1").damage == 1

    @pytest.mark.rule("pc.random-mount")
    @pytest.mark.parametrize(
        ("system", "rules", "mount", "lost"),
        [
            ("beam", "1.1", [2], ["beam-2"]),
            ("beam", "1.0", [], []),
            ("meson", "1.1", [], []),  # it has none: no die is rolled
            ("drive", "1.1", [], []),  # no weapon
        ],
    )
    def test_needle_hits_a_random_weapon_of_a_type(
        self, system: str, rules: str, mount: list[int], lost: list[str]
    ) -> None:
        document = facing("needle:1@F+FS", "beam:1@ALLx3 pds", 10.0, options=CLOSED)
        document["rules"] = rules
        battle = start(document, classes())
        while battle.state.stop != ENGAGE:
            battle, _ = stops.resolve_documents(battle, {}, Dice(1))
        aimed = [{"weapon": "needle-1", "target": "b1", "system": system}]
        dice = scripted(to_hit=[6], mount=mount)
        after, stop = stops.resolve_documents(battle, {0: {"engage": {"r1": aimed}}}, dice)
        target = ship_of(after, "b1")
        assert (target.damage, list(target.lost_systems())) == (1, lost)
        heard = [line["event"] for line in side_log(stop.events, stop.before, 0)]
        assert "mount-picked" not in heard  # the side that fires cannot read the sheet

    @pytest.mark.rule("pc.random-mount")
    def test_needle_at_an_open_sheet_names_a_system(self) -> None:
        aimed = turn(r1=[{"weapon": "needle-1", "target": "b1", "system": "beam"}])
        document = facing("needle:1@F+FS", "beam:1@ALL", 10.0) | {"turns": [aimed]}
        with pytest.raises(RuleViolations) as refused:
            read_battle(document, classes())
        (fault,) = refused.value.violations
        assert (fault.where, fault.code) == ("turns[0].engage.r1[0].system", "unknown-system")

    @pytest.mark.rule("pc.random-mount")
    def test_captain_aims_at_a_type_of_weapon(self) -> None:
        battle = start(facing("needle:1@F+FS", "beam:1@ALL", 10.0, options=CLOSED), classes())
        while battle.state.stop != ENGAGE:
            battle, _ = stops.resolve_documents(battle, {}, Dice(1))
        ((_, (fire,)),) = stops.advise(battle, 0, Doctrine(), "")["engage"]
        assert (fire["weapon"], fire["system"]) == ("needle-1", "beam")

    @pytest.mark.parametrize("system", ["pds-1", "wave-gun-1"])
    def test_faults_reveal_no_hidden_system(self, system: str) -> None:
        battle = start(facing("needle:1@F+FS", "pds", 10.0, options=CLOSED), classes())
        while battle.state.stop != ENGAGE:
            orders, _ = stops.read_orders(battle, 0, {})
            assert orders is not None
            battle, _ = resolve_stop(battle, orders, Dice("any"))
        aimed = {"engage": {"r1": [{"weapon": "needle-1", "target": "b1", "system": system}]}}
        assert not stops.read_orders(battle, 0, aimed)[1]


@pytest.mark.rule("pc.sensors")
class TestDronesAndKnownContacts:
    def test_drone_uses_the_chosen_thrust(self) -> None:
        drone = {
            "id": "b2",
            "dummy": True,
            "velocity": 0,
            "thrust": 3,
            "at": [64, 90],
            "course": 6,
            "contact": "Q",
        }
        document = table([ship("r1", 60, 20, "")], [ship("b1", 60, 90, "", 6), drone], bogeys=True)
        battle = play_turns(document, turn({"b2": "+3"}), turn({"b2": "+4"}))
        assert [
            line["velocity"] for line in log_lines(battle, "moved") if line["ship"] == "b2"
        ] == [
            3,
            3,
        ]
        contact = next(
            entry for entry in observe(battle.state, 0).to_json()["contacts"] if entry["id"] == "Q"
        )
        assert (contact["classification"], "class" in contact) == ("escort", False)

    @pytest.mark.parametrize("more", [{"thrust": 17}, {"thrust": 0}])
    def test_not_every_thrust_is_allowed(self, more: dict[str, Any]) -> None:
        drone = {"id": "b2", "dummy": True, "velocity": 0, "at": [64, 90], "course": 6, **more}
        with pytest.raises(RuleViolations, match="a thrust from 1 to 16"):
            read_battle(
                table([ship("r1", 60, 20, "")], [ship("b1", 60, 90, ""), drone], bogeys=True),
                classes(),
            )

    def test_ships_have_the_thrust_of_their_sheet(self) -> None:
        red = ship("r1", 60, 20, "") | {"thrust": 4}
        with pytest.raises(RuleViolations, match="is on its record sheet"):
            read_battle(table([red], [ship("b1", 60, 90, "")]), classes())

    def test_weasel_looks_larger_until_scanned(self) -> None:
        document = facing(
            "", "weasel:capital", 60.0, bogeys=True, b={"mass": 30, "boxes": 6, "contact": "Q"}
        )
        battle = start(document, classes())
        assert observe(battle.state, 0).to_json()["contacts"][0]["classification"] == "capital"
        battle.state.ship_by_name("b1").identify()
        assert observe(battle.state, 0).to_json()["contacts"][0]["classification"] == "escort"

    def test_known_contacts_hide_nothing(self) -> None:
        with pytest.raises(RuleViolations, match="does not allow bogeys"):
            read_battle(facing("", "", options=("known-contacts",), bogeys=True), classes())
        state = start(facing("", "", 60.0, options=("known-contacts",)), classes()).state
        assert "class" in observe(state, 0).to_json()["contacts"][0]


@pytest.mark.rule("pc.sensors")
class TestCaptains:
    def plots(self, document: dict[str, Any], side: int = 0) -> dict[str, str]:
        battle = start(document, classes())
        advice = stops.advise(battle, side, Doctrine(), "seed")
        assert not stops.read_orders(battle, side, advice)[1]
        result: dict[str, str] = advice["plot"]
        return result

    def test_captain_scans_unknown_ships(self) -> None:
        plots = self.plots(facing(f"beam:3@F {SUPERIOR}", "beam:3@F", 45.0, options=CLOSED))
        assert "scan b1" in plots["r1"]
        assert "scan" not in self.plots(facing("beam:3@F", "beam:3@F", 45.0, options=CLOSED)).get(
            "r1", ""
        )

    def test_captain_jams_scans_and_hides_bogeys(self) -> None:
        assert "jam" in self.plots(facing("beam:3@F ecm", "beam:3@F", 45.0, options=JAMMED))["r1"]
        assert "jam" in self.plots(facing("beam:3@F ecm", "beam:3@F", 60.0, bogeys=True))["r1"]

    def test_drones_stay_with_the_ship_beside_them(self) -> None:
        drone = {
            "id": "r2",
            "dummy": True,
            "velocity": 0,
            "thrust": 6,
            "at": [64, 10],
            "course": 12,
            "contact": "Q",
        }
        red = [ship("r1", 60, 10, "beam:3@F", contact="P"), drone]
        plots = self.plots(table(red, [ship("b1", 60, 110, "beam:3@F", 6)], bogeys=True))
        assert plots["r2"] == plots["r1"] != ""
