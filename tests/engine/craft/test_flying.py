"""How craft of Continuum fly: their move, a second one, beside ships and after them."""

from __future__ import annotations

import pytest

from tests.engine.craft.carrier_battles import E1, N1, N2, carriers, group, launch, turn
from tests.engine.defences.battles import facing, log_lines, play_turns, ship_of

NEAR = {"b1": "launch hangar-1"}


@pytest.mark.rule("pc.fighter-move")
class TestMoves:
    def test_example_second_move_costs_one_endurance(self) -> None:
        """20 MU before ships move, and up to 12 after them for one of its six endurance."""
        battle = play_turns(
            carriers("standard", ""),
            turn(launch()),
            turn(fighters={N1: "to 60 40"}, secondary={N1: "to 60 52; face 9"}),
        )
        flown = group(battle, N1)
        assert ((flown.x, flown.y), flown.course, flown.used_endurance) == ((60.0, 52.0), 9, 1)

    @pytest.mark.parametrize(
        ("mods", "first", "then", "why"),
        [
            ((), "to 60 44.1", "", "it can fly only 24 MU"),
            (("fast",), "to 60 56", "", ""),
            ((), "to 60 30", "to 60 42.1", "it can fly only 12 MU"),
            (("fast",), "to 60 30", "to 60 42.1", "it can fly only 12 MU"),
            ((), "to 60 -1", "", "fighters cannot leave the table"),
            (
                (),
                "dogfight b1",
                "",
                "in Continuum, groups choose their targets after everything has moved",
            ),
        ],
    )
    def test_flying_distance(self, mods: tuple[str, ...], first: str, then: str, why: str) -> None:
        orders = turn(fighters={N1: first}, secondary={N1: then} if then else None)
        battle = play_turns(carriers("standard", "", mods=mods), turn(launch()), orders)
        assert [line["reason_text"] for line in log_lines(battle, "flight-refused")] == (
            [why] if why else []
        )

    def test_robots_move_before_ships(self) -> None:
        document = carriers("standard", "", mods=("robot",), r={"velocity": 6})
        orders = turn(fighters={N1: "to 60 40"}, secondary={N1: "to 60 50"})
        battle = play_turns(document, turn(launch()), orders)
        log = [line["event"] for line in battle.events_json if line["turn"] == 2]
        assert log.index("secondary-move") < log.index("moved")

    def test_long_range_fighters_have_nine_endurance(self) -> None:
        document = carriers("standard", "", mods=("long-range",))
        again = [turn(secondary={N1: f"to 60 {30 + number}"}) for number in range(9)]
        battle = play_turns(document, turn(launch(), {N1: "to 60 28"}), *again)
        assert (group(battle, N1).used_endurance, group(battle, N1).is_exhausted) == (9, True)
        battle = play_turns(
            document, turn(launch(), {N1: "to 60 28"}), *again, turn(secondary={N1: "to 60 30"})
        )
        assert [line["reason_text"] for line in log_lines(battle, "flight-refused")] == [
            "its endurance is used up"
        ]

    def test_group_aboard_does_not_fly(self) -> None:
        battle = play_turns(carriers("standard", ""), turn(fighters={N1: "to 60 30"}))
        assert [line["reason_text"] for line in log_lines(battle, "flight-refused")] == [
            "it is not in flight"
        ]


@pytest.mark.rule("pc.fighter-screens")
class TestBeside:
    def test_screen_moves_with_its_ship_at_any_velocity(self) -> None:
        document = carriers("standard", "", r={"velocity": 30, "course": 12})
        battle = play_turns(document, turn(launch(), {N1: "screen r1"}), turn())
        assert (group(battle, N1).x, group(battle, N1).y) == (60.0, 80.0)
        assert group(battle, N1).escorts == "r1"

    def test_move_ends_the_screen(self) -> None:
        battle = play_turns(
            carriers("standard", ""),
            turn(launch(), {N1: "screen r1"}),
            turn(fighters={N1: "to 60 30"}),
        )
        assert group(battle, N1).escorts == ""

    def test_three_screens_against_four(self) -> None:
        """The book's example: three of four attackers must fight the screen, the fourth is free."""
        document = carriers(
            "standard",
            "standard",
            30.0,
            beside="launch-tubex2 hangar",
            guard="launch-tubex2 hangar",
        )
        for side in document["sides"]:
            side["ships"][0]["design"]["systems"][-1]["load"] = {"standard": 6}
        bays = [f"hangar-{number}" for number in (1, 2, 3, 4)]
        attackers, screens = [f"r1/{bay}" for bay in bays], [f"b1/{bay}" for bay in bays[:3]]
        up = turn(
            launch(*bays) | launch(*bays[:3], ship="b1"),
            dict.fromkeys(attackers, "to 60 31") | dict.fromkeys(screens, "screen b1"),
        )
        run = turn(
            fighters=dict.fromkeys(attackers, "to 60 46; face 12"), attack=dict.fromkeys(attackers, "fighters>b1"),
            defend={"b1": []},
        )  # fmt: skip
        battle = play_turns(document, up, run, dogfight=[1] * 36, fighter=[4] * 6)
        targets = {line["group"]: line["target"] for line in log_lines(battle, "intercepted")}
        assert targets == dict(zip(attackers, screens, strict=False)) | dict(
            zip(screens, attackers, strict=False)
        )
        assert [
            line["group"]
            for line in log_lines(battle, "fighters-fired")
            if line["armament"] == "strike"
        ] == attackers[3:]

    def test_attack_on_the_screen_is_counted_first(self) -> None:
        document = carriers("standard", "standard", 30.0)
        up = turn(
            launch("hangar-1", "hangar-2") | launch(ship="b1"),
            {N1: "to 60 31", N2: "to 60 31", E1: "screen b1"},
        )
        run = turn(
            fighters={N1: "to 60 46; face 12", N2: "to 60 46; face 12"},
            attack={N1: "fighters>b1", N2: f"fighters>{E1}"}, defend={"b1": []},
        )  # fmt: skip
        battle = play_turns(document, up, run, dogfight=[1] * 12, fighter=[4] * 6)
        assert ship_of(battle, "b1").damage == 6
        assert [(line["group"], line["target"]) for line in log_lines(battle, "intercepted")] == [
            (E1, N2)
        ]

    def test_pursuit_keeps_up_with_its_target(self) -> None:
        document = carriers("standard", "", 14.0, b={"velocity": 12, "course": 6})
        up = turn(launch(), {N1: "to 60 24; face 6"}, attack={N1: "fighters>b1"}, defend={"b1": []})
        battle = play_turns(document, up, turn(fighters={N1: "pursue b1"}), fighter=[1] * 6)
        assert group(battle, N1).y == 10.0
        again = play_turns(document, up, turn(), turn(fighters={N1: "pursue b1"}), fighter=[1] * 6)
        assert [line["reason_text"] for line in log_lines(again, "flight-refused")] == [
            "it can pursue only a ship that it attacked last turn"
        ]

    def test_impossible_screens(self) -> None:
        document = carriers("standard", "standard", 30.0)
        up = turn(
            launch("hangar-1", "hangar-2") | NEAR,
            {N1: "screen r1", N2: f"screen {N1}", E1: "screen r1"},
        )
        battle = play_turns(document, up)
        assert [line["reason_text"] for line in log_lines(battle, "flight-refused")] == [
            "a group that screens others cannot be screened itself",
            "it can screen only ships and groups of its own side in flight",
        ]


@pytest.mark.rule("pc.fighter-move")
def test_battle_without_craft_has_no_additional_phases() -> None:
    battle = play_turns(facing("", "", 30.0), turn(), turn())
    assert {line["event"] for line in battle.events_json} == {"moved", "turn-ended"}
