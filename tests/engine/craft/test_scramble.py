"""Scrambling groups: which may, the effect of each die, interceptions, and mishaps."""

from __future__ import annotations

import json
from typing import Any

import pytest

from campaign.words.battle.log import SideNames, line_of
from engine.battle import Battle
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.known_battle import known_battle
from engine.order_requests.defend import POINT_DEFENCE_REQUEST
from engine.stops import advise, read_orders, resolve_documents, side_view
from engine.view.event_reader import read_event
from engine.view.side_log import side_log
from tests.engine.craft.carrier_battles import E1, E2, N1, N2, carriers, flying_groups, group, turn
from tests.engine.defences.battles import log_lines, play_turns, ship_of

AT = 14.0


def raid(
    theirs: str = "standard", *, raiders: int = 1, guard: str = "", **more: Any
) -> dict[str, Any]:
    """Return groups of `r1` in flight 4 MU from `b1`, whose own groups are aboard."""
    document = carriers("standard", theirs, AT, guard=guard, **more)
    places = {1: [60, 30], 2: [61, 30]}
    document["sides"][0]["ships"][0]["groups"] = {
        f"hangar-{number}": {"at": places[number], "course": 12} for number in range(1, raiders + 1)
    }
    return document


def scramble(*bays: str, raiders: int = 1, fire: Any = None, **more: Any) -> dict[str, Any]:
    """Return a turn in which the raiders attack `b1`, which scrambles these bays."""
    attack = dict.fromkeys((N1, N2)[:raiders], "fighters>b1") | more.pop("attack", {})
    entry: dict[str, Any] = {"scramble": list(bays)} | ({} if fire is None else {"fire": fire})
    return turn(attack=attack, defend={"b1": entry}, **more)


def refusals(battle: Battle) -> list[str]:
    return [line["reason_text"] for line in log_lines(battle, "shot-refused")]


@pytest.mark.rule("pc.scramble")
class TestDie:
    def test_five_launches_one_group_before_the_raiders_fire(self) -> None:
        battle = play_turns(
            raid(),
            scramble("hangar-1", "hangar-2"),
            scramble=[5],
            dogfight=[4] * 6 + [5, 1, 1, 1, 1, 1],
        )
        assert ship_of(battle, "b1").damage == 0
        assert flying_groups(battle) == [N1]
        assert group(battle, N1).craft == 5
        assert [
            (line["die"], line["groups"], line["wrecked"])
            for line in log_lines(battle, "scrambled")
        ] == [(5, 1, "")]

    def test_six_launches_two_groups_against_an_attacker_each(self) -> None:
        document, orders = raid(raiders=2), scramble("hangar-2", "hangar-1", raiders=2)
        battle = play_turns(document, orders, scramble=[6], dogfight=[1] * 24)
        pairs = [(line["group"], line["target"]) for line in log_lines(battle, "intercepted")]
        assert pairs == [(E2, N1), (N1, E2), (E1, N2), (N2, E1)]
        assert ship_of(battle, "b1").damage == 0

    def test_unmet_raiders_continue(self) -> None:
        document, orders = raid(raiders=2), scramble("hangar-1", raiders=2)
        battle = play_turns(document, orders, scramble=[6], dogfight=[1] * 12, fighter=[4] * 6)
        assert ship_of(battle, "b1").damage == 6

    def test_four_launches_after_the_run(self) -> None:
        battle = play_turns(
            raid(), scramble("hangar-1"), scramble=[4], fighter=[4] * 6, dogfight=[1] * 6 + [5] * 6
        )
        assert ship_of(battle, "b1").damage == 6
        assert flying_groups(battle) == [E1]
        event_kinds = [line["event"] for line in battle.events_json]
        assert (
            event_kinds.index("launched")
            < event_kinds.index("fighters-fired")
            < event_kinds.index("intercepted")
        )

    def test_raiders_may_pursue_after_the_run(self) -> None:
        follow = turn(fighters={N1: "pursue b1"})
        battle = play_turns(
            raid(), scramble("hangar-1"), follow, scramble=[4], fighter=[1] * 6, dogfight=[1] * 12
        )
        assert [line["group"] for line in log_lines(battle, "accompanied")] == [N1]
        battle = play_turns(raid(), scramble("hangar-1"), follow, scramble=[5], dogfight=[1] * 12)
        assert log_lines(battle, "accompanied") == []

    @pytest.mark.parametrize("die", [2, 3])
    def test_two_and_three_launch_nobody(self, die: int) -> None:
        battle = play_turns(raid(), scramble("hangar-1"), scramble=[die], fighter=[4] * 6)
        assert (flying_groups(battle), ship_of(battle, "b1").damage) == ([N1], 6)
        assert ship_of(battle, "b1").lost_systems() == ()

    def test_mishap_closes_the_first_bay_until_repaired(self) -> None:
        document = raid(b={"boxes": 60})
        launch_later = [turn(), turn({"b1": "launch hangar-2"})]
        repair = {"control": {"b1": {"repairs": [{"system": "hangar-2", "parties": 3}]}}}
        battle = play_turns(
            document, scramble("hangar-2", "hangar-1"), *launch_later, scramble=[1], fighter=[1] * 6
        )
        assert ship_of(battle, "b1").lost_systems() == ("hangar-2",)
        assert E2 not in flying_groups(battle)
        mended = [scramble("hangar-2") | repair, turn({"b1": "launch hangar-2"})]
        battle = play_turns(document, *mended, scramble=[1], fighter=[1] * 6, repair=[3])
        assert group(battle, E2).craft == 6


@pytest.mark.rule("pc.scramble")
class TestWhoMay:
    @pytest.mark.parametrize(
        ("document", "orders", "words"),
        [
            (raid(), turn(defend={"b1": {"scramble": ["hangar-1"]}}), None),
            (raid(), scramble("hangar-1", plot={"b1": "+2"}), "a ship that has used thrust cannot scramble its groups"),
            (raid(), scramble("hangar-1", plot={"b1": "launch hangar-1"}), "the group of hangar-1 is in flight"),
            (
                raid(), scramble("hangar-3", plot={"b1": "launch hangar-1 hangar-2"}),
                "its launch tubes can launch 2 groups a turn, not 3",
            ),
            (raid(), scramble("hangar-1", "hangar-1"), "each bay can scramble only once"),
            (raid(), scramble("hangar-1", "hangar-2", "hangar-3"), "at most 2 groups can scramble"),
            (raid(), scramble("drive"), "it has no 'drive' with its own craft"),
            (raid(guard="gunboat-rack"), scramble("gunboat-rack-1"), "only fighters can scramble"),
        ],
    )  # fmt: skip
    def test_impossible_scramble_rolls_no_die(
        self, document: Any, orders: Any, words: str | None
    ) -> None:
        for system in document["sides"][1]["ships"][0]["design"]["systems"]:
            if system["type"] == "gunboat-rack":
                system["load"] = {"beam": 6}
        battle = play_turns(document, orders, fighter=[1] * 6)
        assert log_lines(battle, "scrambled") == []
        assert refusals(battle) == ([words] if words else [])

    def test_catapults_do_not_help_after_thrust(self) -> None:
        document = raid(options=("catapults",))
        for system in document["sides"][1]["ships"][0]["design"]["systems"]:
            if system["type"] == "launch-tube":
                system["catapult"] = True
        battle = play_turns(document, scramble("hangar-1", plot={"b1": "+2"}), fighter=[1] * 6)
        assert refusals(battle) == ["a ship that has used thrust cannot scramble its groups"]

    def test_ship_with_one_tube_scrambles_one_group(self) -> None:
        document = raid()
        systems = document["sides"][1]["ships"][0]["design"]["systems"]
        systems.remove(next(first for first in systems if first["type"] == "launch-tube"))
        first, two = scramble("hangar-1"), scramble("hangar-1", "hangar-2")
        assert (
            "its launch tubes can launch 1 group a turn"
            in refusals(play_turns(document, two, fighter=[1] * 6))[0]
        )
        assert flying_groups(play_turns(document, first, scramble=[6], dogfight=[1] * 12)) == [
            N1,
            E1,
        ]

    def test_rearming_group_has_half_endurance_and_no_loads(self) -> None:
        document = raid("torpedo")
        document["sides"][1]["ships"][0]["groups"] = {"hangar-1": {"at": [60, 33], "course": 6}}
        landed = turn(fighters={E1: "land b1", N1: "to 60 24; face 12"})
        orders = scramble("hangar-1", fighters={N1: "to 60 31; face 12"})
        battle = play_turns(document, landed, orders, re_arm=[2], scramble=[5], dogfight=[1] * 12)
        there = group(battle, E1)
        assert (there.used_endurance, there.loads) == (3 + 1, {"torpedoes": 0})

    def test_grounded_group_stays(self) -> None:
        document = raid()
        document["sides"][1]["ships"][0]["groups"] = {"hangar-1": {"at": [60, 33], "course": 6}}
        landed = turn(fighters={E1: "land b1", N1: "to 60 24; face 12"})
        orders = scramble("hangar-1", fighters={N1: "to 60 31; face 12"})
        battle = play_turns(document, landed, orders, re_arm=[1], fighter=[1] * 6)
        assert refusals(battle) == ["the group of hangar-1 cannot fly again in this battle"]


@pytest.mark.rule("pc.scramble")
class TestBesideFire:
    def test_default_fire_spreads_over_unmet_raiders(self) -> None:
        document, orders = raid(raiders=2, guard="pds"), scramble("hangar-1", raiders=2)
        battle = play_turns(
            document, orders, scramble=[5], dogfight=[1] * 12, point_defence=[5], fighter=[1] * 5
        )
        assert [line["group"] for line in log_lines(battle, "point-defence-at-craft")] == [N2]

    def test_nobody_fires_into_the_fight(self) -> None:
        fire = [{"weapon": "pds-1", "target": N1}]
        battle = play_turns(
            raid(guard="pds"), scramble("hangar-1", fire=fire), scramble=[5], dogfight=[1] * 12
        )
        assert refusals(battle) == ["it cannot fire into a dogfight"]

    def test_empty_list_holds_fire(self) -> None:
        battle = play_turns(
            raid(guard="pds"), scramble("hangar-1", fire=[]), scramble=[2], fighter=[1] * 6
        )
        assert log_lines(battle, "point-defence-at-craft") == []

    @pytest.mark.parametrize(
        "entry",
        [
            {"scramble": ["hangar-1"]},
            {"scramble": ["hangar-2", "hangar-1"], "fire": []},
            {"scramble": ["hangar-1"], "fire": [{"weapon": "pds-1", "target": "x"}]},
            {"scramble": []},
        ],
    )
    def test_orders_round_trip(self, entry: dict[str, Any]) -> None:
        battle = attacked(raid(guard="pds"))
        prey = side_view(battle, 1)["flyers"][0]["id"]
        document = json.loads(json.dumps({"b1": entry}).replace('"x"', f'"{prey}"'))
        read, faults = read_orders(battle, 1, {"defend": document})
        assert faults == ()
        assert read is not None
        ours = json.loads(json.dumps(document).replace(f'"{prey}"', f'"{N1}"'))
        assert (
            POINT_DEFENCE_REQUEST.to_log(read.of(POINT_DEFENCE_REQUEST), battle.state.sides) == ours
        )

    @pytest.mark.parametrize(
        "entry", [{"scramble": "hangar-1"}, {"scramble": ["moon"]}, {"scramble": [3]}, {"sing": 1}]
    )
    def test_invalid_order_is_a_fault(self, entry: dict[str, Any]) -> None:
        assert len(read_orders(attacked(raid()), 1, {"defend": {"b1": entry}})[1]) == 1

    def test_fault_has_its_place(self) -> None:
        entry = {
            "scramble": ["hangar-1", "hangar-1"],
            "fire": [{"weapon": "pds-1", "target": "marker-9"}],
        }
        faults = read_orders(attacked(raid(guard="pds")), 1, {"defend": {"b1": entry}})[1]
        assert [fault.where for fault in faults] == ["defend.b1.fire[0]", "defend.b1.scramble"]


def attacked(document: dict[str, Any]) -> Battle:
    """Return the battle in the defence phase, with `b1` under attack."""
    battle = play_turns(document)
    while battle.state.stop != "defend":
        contact = battle.state.ship_by_name("b1").contact
        orders = {"attack": {N1: [{"weapon": "fighters", "target": contact}]}}
        stop_orders = {0: orders} if battle.state.stop == "attack" else {}
        battle, _ = resolve_documents(battle, stop_orders, Dice("scramble"))
    return battle


@pytest.mark.rule("pc.scramble")
class TestOthers:
    def test_enemies_see_the_scramble_but_not_the_groups_aboard(self) -> None:
        battle = attacked(raid())
        stop_orders = {1: {"defend": {"b1": {"scramble": ["hangar-1"]}}}}
        after, stop = resolve_documents(battle, stop_orders, Dice(8))
        heard = [
            line for line in side_log(stop.events, battle.state, 0) if line["event"] == "scrambled"
        ]
        assert [sorted(line) for line in heard] == [
            ["die", "event", "groups", "ship", "turn", "wrecked"]
        ]
        assert line_of(read_event(heard[0]), SideNames({})) is not None
        assert (after.state.turn, after.state.stop) == (
            2,
            "plot",
        )  # the foe's only group has already attacked

    def test_open_requests_do_not_reveal_groups_aboard(self) -> None:
        records = []
        for craft in (6, 0):
            battle = attacked(raid())
            ship = battle.state.ship_by_name("b1")
            for index in ship.profile.bays:
                ship.stock[index] = craft
            read = [
                side_view(battle, 0),
                known_battle(battle, 0).to_json(),
                advise(battle, 0, Doctrine(), "red"),
            ]
            records.append(json.dumps(read))
        assert records[0] == records[1]

    def test_captain_scrambles_the_best_groups_against_enough_raiders(self) -> None:
        battle = attacked(raid())
        advice: Any = advise(battle, 1, Doctrine(), "blue")
        assert advice["defend"] == {"b1": {"scramble": ["hangar-1"]}}
        assert read_orders(battle, 1, advice)[1] == ()
        document = raid()
        document["sides"][0]["ships"][0]["groups"]["hangar-1"]["craft"] = 2
        advice = advise(attacked(document), 1, Doctrine(), "blue")
        assert "b1" not in advice["defend"]
        advice = advise(attacked(raid("attack")), 1, Doctrine(), "blue")
        assert "b1" not in advice["defend"]

    @pytest.mark.parametrize(
        ("die", "words"),
        [
            (1, "Moth scrambles, and a mishap puts its hangar 1 out of action"),
            (3, "Moth scrambles: no group gets away"),
            (5, "Moth scrambles: 1 group got away"),
        ],
    )
    def test_log_has_words_for_scrambles(self, die: int, words: str) -> None:
        battle = play_turns(
            raid(), scramble("hangar-1"), scramble=[die], fighter=[1] * 6, dogfight=[1] * 12
        )
        (line,) = log_lines(battle, "scrambled")
        log_line = line_of(read_event(line), SideNames({"b1": "Moth"}))
        assert log_line is not None
        assert (log_line.words, log_line.detail) == (words, f"die {die}")
