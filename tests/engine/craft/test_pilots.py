"""Aces and turkeys: the die of each group, their modifiers, and the targets of aces."""

from __future__ import annotations

import json
from typing import Any

import pytest

from campaign.words.battle.log import SideNames, line_of
from engine.battle import Battle, battle_from
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.kinds import ACE, AVERAGE, PILOTS, TURKEY
from engine.core.ship_facts import carried_over_facts
from engine.known_battle import known_battle
from engine.stops import advise, read_orders, resolve_documents, side_view
from engine.view.event_reader import read_event
from engine.view.side_log import side_log
from tests.engine.craft.carrier_battles import (
    E1,
    N1,
    carriers,
    flying_groups,
    group,
    squadrons,
    turn,
)
from tests.engine.defences.battles import log_lines, play_turns, ship_of, start_battle

AT = 14.0
ACES = ("aces",)
IN_FRONT = {"at": [60, 30], "course": 12}
FACING = {"at": [60, 32], "course": 6}
AVERAGES = {f"hangar-{number}": "average" for number in (1, 2, 3)}


def wing(
    ours: str = "average",
    type_: str = "standard",
    theirs: str = "",
    foes: str = "average",
    **more: Any,
) -> dict[str, Any]:
    """Return `r1` with a group of such pilots in flight, 4 MU from `b1`.

    If `b1` has groups, the first faces it.
    """
    document = carriers(type_, theirs, AT, options=more.pop("options", ACES), **more)
    red, blue = (side["ships"][0] for side in document["sides"])
    red |= {"groups": {"hangar-1": {**IN_FRONT}}, "pilots": AVERAGES | {"hangar-1": ours}}
    if theirs:
        blue |= {"groups": {"hangar-1": {**FACING}}, "pilots": AVERAGES | {"hangar-1": foes}}
    return document


def attack_turn(
    target: str = "b1", weapon: str = "fighters", *beside: dict[str, Any], **more: Any
) -> dict[str, Any]:
    return turn(
        attack={N1: [{"weapon": weapon, "target": target}, *beside]},
        **{"defend": {"b1": []}, **more},
    )


def ace(target: str = "b1", **more: Any) -> dict[str, Any]:
    return {"weapon": "ace", "target": target, **more}


def following(battle: Battle, orders: dict[int, Any]) -> Battle:
    return resolve_documents(battle, orders, Dice("pilots"))[0]


def refusals(battle: Battle) -> list[str]:
    return [line["reason_text"] for line in log_lines(battle, "shot-refused")]


@pytest.mark.rule("pc.aces")
class TestMuster:
    def test_one_die_per_group_in_order_without_a_file_entry(self) -> None:
        document = carriers("standard", "standard", AT, options=ACES)
        document["sides"][0]["ships"][0] |= {
            "pilots": {"hangar-2": "turkey"},
            "groups": {"hangar-1": {**IN_FRONT}, "hangar-3": {"craft": 0}},
        }
        document["dice"] = {"ace": [6, 1, 2, 5]}
        battle = start_battle(document)
        rolled = [
            (line["ship"], line["bay"], line["die"], line["pilots"])
            for line in log_lines(battle, "pilots-rolled")
        ]
        assert rolled == [
            ("r1", "hangar-1", 6, "ace"), ("b1", "hangar-1", 1, "turkey"), ("b1", "hangar-2", 2, "average"),
            ("b1", "hangar-3", 5, "average"),
        ]  # fmt: skip
        assert (group(battle, N1).pilots, ship_of(battle, "r1").record.pilots) == (
            ACE,
            {"hangar-2": 2, "hangar-1": 1},
        )

    def test_nobody_rolls_without_the_option_nor_for_robots(self) -> None:
        for document in (
            carriers("standard", "", AT),
            carriers("standard", "", AT, options=ACES, mods=("robot",)),
            squadrons("beam", options=ACES),
        ):
            assert log_lines(start_battle(document | {"dice": {}}), "pilots-rolled") == []

    @pytest.mark.parametrize(
        ("pilots", "options", "code"),
        [
            ({"hangar-1": "ace"}, (), "no-pilots"),
            ({"hangar-9": "ace"}, ACES, "pilots"),
            ({"hangar-1": "hero"}, ACES, "pilots"),
            (["hangar-1"], ACES, "not-a-mapping"),
        ],
    )
    def test_file_errors_are_faults(self, pilots: Any, options: tuple[str, ...], code: str) -> None:
        document = carriers("standard", "", AT, options=options)
        document["sides"][0]["ships"][0]["pilots"] = pilots
        with pytest.raises(RuleViolations) as refused:
            start_battle(document)
        assert [fault.code for fault in refused.value.violations] == [code]

    def test_stored_pilots_are_not_rolled_again(self) -> None:
        document = carriers("standard", "", AT, options=ACES)
        notes = carried_over_facts(
            {"pilots:hangar-1": 1, "pilots:hangar-2": 2, "pilots:hangar-3": 3, "rolled": 1}, 9
        )
        assert notes == {"pilots:hangar-1": 1, "pilots:hangar-2": 2, "pilots:hangar-3": 3}
        document["sides"][0]["ships"][0]["notes"] = notes
        battle = start_battle(document | {"dice": {}})
        assert ship_of(battle, "r1").record.pilots == {"hangar-1": 1, "hangar-2": 2, "hangar-3": 3}


@pytest.mark.rule("pc.aces")
class TestDice:
    @pytest.mark.parametrize(("ours", "damage"), [("ace", 7), ("average", 6), ("turkey", 6)])
    def test_ace_adds_a_die_to_an_attack_run(self, ours: str, damage: int) -> None:
        battle = play_turns(wing(ours), attack_turn(), fighter=[4] * damage)
        assert ship_of(battle, "b1").damage == damage
        assert len(log_lines(battle, "pilots-revealed")) == (ours == "ace")

    def test_ace_is_the_last_one_left(self) -> None:
        document = wing("ace")
        document["sides"][0]["ships"][0]["groups"]["hangar-1"]["craft"] = 1
        assert ship_of(play_turns(document, attack_turn(), fighter=[4, 4]), "b1").damage == 2

    def test_torpedoes_get_no_extra_die(self) -> None:
        battle = play_turns(
            wing("ace", "torpedo"), attack_turn(weapon="torpedoes"), fighter=[4] * 6
        )
        assert ship_of(battle, "b1").damage == 24
        assert log_lines(battle, "pilots-revealed") == []

    @pytest.mark.parametrize(
        ("ours", "dice", "killed"), [("ace", 7, 7), ("average", 6, 6), ("turkey", 6, 0)]
    )
    def test_ace_adds_a_die_in_dogfights_and_green_pilots_subtract_one(
        self, ours: str, dice: int, killed: int
    ) -> None:
        battle = play_turns(
            wing(ours, theirs="standard"), attack_turn(E1), dogfight=[4] * dice + [1] * 6
        )
        assert log_lines(battle, "fighters-fired")[0]["hits"] == killed
        assert [line["pilots"] for line in log_lines(battle, "pilots-revealed")] == (
            [] if ours == "average" else [ours]
        )

    def test_defensive_fire_uses_pilot_skill(self) -> None:
        battle = play_turns(
            wing("average", theirs="standard", foes="ace"),
            attack_turn(E1),
            dogfight=[1] * 6 + [4] * 7,
        )
        assert flying_groups(battle) == [E1]

    def test_exhausted_craft_have_neither(self) -> None:
        document = wing("average", theirs="standard", foes="ace")
        document["sides"][1]["ships"][0]["groups"]["hangar-1"]["endurance"] = 0
        battle = play_turns(document, attack_turn(E1), dogfight=[1] * 6 + [6] + [5] * 5)
        assert group(battle, N1).craft == 5

    @pytest.mark.parametrize(
        ("ours", "dice", "killed"), [("ace", 7, 6), ("turkey", 6, 0), ("average", 6, 6)]
    )
    def test_pilots_affect_fire_at_ordnance(self, ours: str, dice: int, killed: int) -> None:
        document = wing(ours, guard="salvo-rack@F+FS+FP")
        document["sides"][0]["ships"][0]["groups"]["hangar-1"]["at"] = [60, 22]
        orders = attack_turn(
            "marker-1",
            launch={"b1": [{"weapon": "salvo-rack-1", "at": [60, 23]}]},
            defend={"r1": []},
        )
        script = {"fighter": [5] * dice, "missiles": [6], "damage": [1] * 30, "threshold": [1] * 60}
        battle = play_turns(document, orders, **script)
        assert log_lines(battle, "craft-fired-at-ordnance")[0]["hits"] == killed


@pytest.mark.rule("pc.aces")
class TestSystems:
    @pytest.mark.parametrize(
        ("die", "points", "lost"), [(3, 0, False), (4, 1, False), (6, 1, True)]
    )
    def test_needle_replaces_two_dice(self, die: int, points: int, lost: bool) -> None:
        """Five with an ace: four dice, and the ace's own at a system."""
        document = wing("ace", guard="beam:1@ALL")
        document["sides"][0]["ships"][0]["groups"]["hangar-1"]["craft"] = 5
        battle = play_turns(
            document, attack_turn("b1", "fighters", ace(system="beam-1")), fighter=[4] * 4 + [die]
        )
        ship = ship_of(battle, "b1")
        assert (
            ship.damage,
            "beam-1" in ship.lost_systems(),
            "beam-1" in ship.record.irreparable,
        ) == (
            4 + points,
            lost,
            lost,
        )
        (line,) = log_lines(battle, "ace-fired")
        assert (line["system"], line["hits"], line["needled"]) == ("beam-1", points, lost)

    def test_screens_do_not_stop_the_needle(self) -> None:
        orders = attack_turn("b1", "fighters", ace(system="drive"))
        battle = play_turns(wing("ace", guard="screen screen"), orders, fighter=[1] * 5 + [6])
        assert (ship_of(battle, "b1").damage, "drive" in ship_of(battle, "b1").lost_systems()) == (
            1,
            True,
        )

    def test_list_order_does_not_matter(self) -> None:
        attacks = [ace(system="drive"), {"weapon": "fighters", "target": "b1"}]
        battle = play_turns(
            wing("ace"), turn(attack={N1: attacks}, defend={"b1": []}), fighter=[1] * 5 + [6]
        )
        assert "drive" in ship_of(battle, "b1").lost_systems()

    def test_ace_met_on_the_way_fights_with_the_group(self) -> None:
        document = wing("ace", theirs="standard")
        document["sides"][1]["ships"][0]["groups"]["hangar-1"]["at"] = [60, 34]
        orders = attack_turn("b1", "fighters", ace(system="drive"), fighters={E1: "screen b1"})
        battle = play_turns(document, orders, dogfight=[1] * 7 + [1] * 6)
        assert log_lines(battle, "ace-fired") == []

    @pytest.mark.parametrize(
        ("ours", "orders", "words"),
        [
            ("average", attack_turn("b1", "fighters", ace(system="drive")), "it has no ace"),
            (
                "ace",
                turn(attack={N1: [ace(system="drive")]}),
                "an ace picks one target on the ship or group",
            ),
            (
                "ace",
                attack_turn("b1", "fighters", ace("r1", system="drive")),
                "an ace picks one target on the ship",
            ),
        ],
    )
    def test_impossible_orders_are_refused_before_sealing(
        self, ours: str, orders: Any, words: str
    ) -> None:
        battle = play_turns(wing(ours))
        while battle.state.stop != "attack":
            battle = following(battle, {})
        (fault,) = read_orders(battle, 0, {"attack": _as_red_sees(battle, orders["attack"])})[1]
        assert words in fault.message

    def test_ship_target_needs_a_system_and_ordnance_is_excluded(self) -> None:
        battle = play_turns(wing("ace"), attack_turn("b1", "fighters", ace()), fighter=[1] * 7)
        assert refusals(battle) == [
            "an ace who picks a target on a ship must name one of its systems"
        ]


@pytest.mark.rule("pc.aces")
class TestDuels:
    @pytest.mark.parametrize(("die", "won"), [(4, True), (3, False)])
    def test_ace_may_duel_another_ace_first(self, die: int, won: bool) -> None:
        document = wing("ace", theirs="standard", foes="ace")
        battle = play_turns(
            document, attack_turn(E1, "fighters", ace(E1)), dogfight=[1] * 5 + [die] + [1] * 7
        )
        assert [line["succeeded"] for line in log_lines(battle, "ace-duel")] == [won]
        assert (group(battle, E1).craft, group(battle, E1).pilots) == (
            (5, AVERAGE) if won else (6, ACE)
        )
        assert ship_of(battle, "b1").record.pilots["hangar-1"] == PILOTS.index(
            AVERAGE if won else ACE
        )

    def test_ace_without_an_opponent_fires_with_the_group(self) -> None:
        battle = play_turns(
            wing("ace", theirs="standard"),
            attack_turn(E1, "fighters", ace(E1)),
            dogfight=[1] * 7 + [1] * 6,
        )
        assert log_lines(battle, "ace-duel") == []

    def test_both_aces_may_fall(self) -> None:
        document = wing("ace", theirs="standard", foes="ace")
        orders = attack_turn(E1, "fighters", ace(E1))
        orders["attack"][E1] = [{"weapon": "fighters", "target": N1}, ace(N1)]
        battle = play_turns(document, orders, dogfight=([1] * 5 + [5]) * 2)
        assert [group(battle, name).pilots for name in (N1, E1)] == [AVERAGE, AVERAGE]


def _as_red_sees(battle: Battle, attack: dict[str, Any]) -> dict[str, Any]:
    """Return attacks with red's name of blue's ship."""
    contact = battle.state.ship_by_name("b1").contact
    result: dict[str, Any] = json.loads(json.dumps(attack).replace('"b1"', f'"{contact}"'))
    return result


@pytest.mark.rule("pc.aces")
class TestLife:
    def test_landed_group_keeps_its_bay_and_a_destroyed_one_frees_it(self) -> None:
        document = wing("ace")
        document["sides"][0]["ships"][0]["groups"]["hangar-1"]["at"] = [60, 21]
        battle = play_turns(document, turn(fighters={N1: "land r1"}), re_arm=[3])
        assert ship_of(battle, "r1").record.pilots["hangar-1"] == PILOTS.index(ACE)
        document = wing("ace", guard="pds pds pds")
        document["sides"][0]["ships"][0]["groups"]["hangar-1"]["craft"] = 3
        defences = [{"weapon": f"pds-{number}", "target": N1} for number in (1, 2, 3)]
        battle = play_turns(document, attack_turn(defend={"b1": defences}), point_defence=[5, 5, 5])
        assert "hangar-1" not in ship_of(battle, "r1").record.pilots

    @pytest.mark.parametrize(
        ("ours", "there", "joined"),
        [
            ("ace", "turkey", ACE),
            ("turkey", "average", AVERAGE),
            ("turkey", "turkey", TURKEY),
            ("average", "ace", ACE),
        ],
    )
    def test_groups_sharing_a_bay_fly_together(self, ours: str, there: str, joined: str) -> None:
        """Their bay is lost: two of them find room beside four others."""
        document = wing(ours)
        red = document["sides"][0]["ships"][0]
        red["groups"] = {
            "hangar-1": {"at": [60, 21], "course": 12, "craft": 2}, "hangar-2": {"craft": 4}, "hangar-3": {"craft": 6},
        }  # fmt: skip
        red |= {"pilots": AVERAGES | {"hangar-1": ours, "hangar-2": there}, "lost": ["hangar-1"]}
        battle = play_turns(document, turn(fighters={N1: "land r1"}), re_arm=[3])
        pilots = ship_of(battle, "r1").record.pilots
        assert (pilots["hangar-2"], "hangar-1" in pilots) == (PILOTS.index(joined), False)

    def test_battle_with_pilots_round_trips(self) -> None:
        battle = play_turns(wing("ace"), attack_turn(), fighter=[1] * 7)
        again = battle_from(json.loads(json.dumps(battle.to_json())))
        assert (group(again, N1).pilots, group(again, N1).known_pilots) == (ACE, ACE)


def side_readings(battle: Battle, side: int = 1) -> str:
    """Return everything that blue sees."""
    read = [
        side_view(battle, side),
        known_battle(battle, side).to_json(),
        advise(battle, side, Doctrine(), "blue"),
    ]
    return json.dumps([*read, side_log(battle.events, battle.state, side)], sort_keys=True)


@pytest.mark.rule("pc.aces")
class TestSecrecy:
    @pytest.mark.parametrize("pilots", ["ace", "turkey"])
    def test_pilots_are_hidden_until_shown(self, pilots: str) -> None:
        read = []
        for ours in ("average", pilots):
            battle = play_turns(wing(ours))
            read.append(side_readings(battle))
            assert (f'"pilots": "{pilots}"' in side_readings(battle, 0)) == (ours == pilots)
        assert read[0] == read[1]

    def test_muster_dice_are_private(self) -> None:
        document = carriers("standard", "", AT, options=ACES) | {"dice": {"ace": [6, 6, 6]}}
        battle = start_battle(document)
        heard = [
            [line["event"] for line in side_log(battle.events, battle.state, side)]
            for side in (0, 1)
        ]
        assert (heard[0].count("pilots-rolled"), heard[1].count("pilots-rolled")) == (3, 0)

    def test_ace_target_is_hidden_before_fire(self) -> None:
        views = []
        for beside in ((), (ace(system="drive"),)):
            battle = play_turns(wing("ace", guard="pds"))
            while battle.state.stop != "attack":
                battle = following(battle, {})
            battle = following(
                battle,
                {
                    0: {
                        "attack": _as_red_sees(
                            battle, attack_turn("b1", "fighters", *beside)["attack"]
                        )
                    }
                },
            )
            assert battle.state.stop == "defend"
            views.append(side_readings(battle))
        assert views[0] == views[1]

    def test_shown_pilots_are_public(self) -> None:
        battle = play_turns(wing("ace"), attack_turn(), fighter=[1] * 7)
        (flyer,) = side_view(battle, 1)["flyers"]
        assert flyer["known_pilots"] == "ace"
        assert "pilots" not in flyer


@pytest.mark.rule("pc.aces")
def test_captain_sends_the_ace_at_a_screened_system() -> None:
    for guard, apart in (("screen screen pds", True), ("pds", False)):
        battle = play_turns(wing("ace", guard=guard))
        while battle.state.stop != "attack":
            battle = following(battle, {})
        (attacks,) = advise(battle, 0, Doctrine(), "red")["attack"].values()  # type: ignore[typeddict-item]
        assert [attack["weapon"] for attack in attacks] == ["fighters", *(["ace"] if apart else [])]
        assert read_orders(battle, 0, advise(battle, 0, Doctrine(), "red"))[1] == ()


def test_log_has_words_for_pilots() -> None:
    names = SideNames({"r1": "Wasp", "b1": "Moth"})
    battle = play_turns(
        wing("ace", guard="beam:1@ALL"),
        attack_turn("b1", "fighters", ace(system="beam-1")),
        fighter=[1] * 5 + [6],
    )
    (pilots_line,), (fired,) = log_lines(battle, "pilots-revealed"), log_lines(battle, "ace-fired")
    pilots_log_line = line_of(read_event(pilots_line), names)
    assert pilots_log_line is not None
    assert pilots_log_line.words == "Wasp's fighters A turn out to have an ace among them"
    assert "aims at the beam 1 of Moth: hits it" in line_of(read_event(fired), names).words  # type: ignore[union-attr]
