"""Gunboats on guard with point defence, area defence or scatterpacks defend others by order."""

from __future__ import annotations

import json
from math import dist
from typing import Any

import pytest

from campaign.words.battle.log import SideNames, line_of
from engine import stops
from engine.battle import NO_ORDERS, Battle, auto_point_defence_orders, battle_from
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.captains.continuum.expected_attacks import expected_guard_fire
from engine.continuum.craft.guard_boats import NO_GUARDS
from engine.continuum.legs import leg_of
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.orders import HOLD
from engine.order_requests.defend import POINT_DEFENCE_REQUEST
from engine.sequences import automatic_units_at, units_awaiting_orders
from engine.view.event_reader import read_event
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.craft.carrier_battles import (
    E1,
    F1,
    S1,
    S2,
    flying_groups,
    group,
    launch,
    squadrons,
    turn,
)
from tests.engine.defences.battles import log_lines, play_turns, ship_of, start_battle

SALVO = {"b1": [{"weapon": "salvo-rack-1", "at": [60, 34]}]}
R2 = {"id": "r2", "course": 12, "velocity": 0}
MEETINGS = ("boats-fired-at-ordnance", "boats-fired-at-craft")


def guard(target: Any = "marker-1", **more: Any) -> dict[str, Any]:
    return {"weapon": "boats", "target": target} | more


def missiles(
    boats: Any,
    defend: Any,
    *,
    at: tuple[float, float] = (60, 32),
    fly: str = "to 60 28; face 12",
    **more: Any,
) -> Battle:
    """Return a salvo at r2, on the side of boats at 60, 28; six missiles hit unless intercepted."""
    document = squadrons(
        "beam", 34.0, guard=more.pop("guns", "salvo-rack@FP+F+FS"), options=more.pop("options", ())
    )
    ours = document["sides"][0]["ships"]
    for system in ours[0]["design"]["systems"]:
        if system["type"] == "gunboat-rack":
            system["load"] = boats if isinstance(boats, dict) else {boats: 6}
    ours.append({**ours[0], **R2, "at": list(at)})
    attack = more.pop("attack", {})
    entry = {S1: defend if isinstance(defend, list) else [defend]} if defend is not None else {}
    orders = turn(launch(RACK), {S1: fly}, launch=SALVO, attack=attack, defend={"r2": []} | entry)
    return play_turns(document, orders, missiles=more.pop("missiles", [6]), **more)


RACK = "gunboat-rack-1"


def refusals(battle: Battle) -> list[str]:
    return [line["reason_text"] for line in log_lines(battle, "shot-refused")]


def meetings(battle: Battle) -> list[tuple[Any, ...]]:
    return [
        (line["guarded"], line["boats"], len(line["dice"]), line["hits"])
        for line in log_lines(battle, *MEETINGS)
    ]


@pytest.mark.rule("pc.gunboats", "pc.adfc")
class TestMissiles:
    def test_two_point_defence_boats_roll_four_dice_for_a_nearby_ship(self) -> None:
        """The contract's example: two of six boats fire at marker-1."""
        battle = missiles(
            "point-defence", guard(count=2), point_defence=[6, 5, 4, 3], re_roll=[1], damage=[1, 1]
        )
        assert meetings(battle) == [("r2", 2, 5, 4)]
        assert ship_of(battle, "r2").damage == 2
        assert group(battle, S1).used_endurance == 1

    def test_missing_count_fires_all_and_missing_entry_none(self) -> None:
        battle = missiles("point-defence", guard(), point_defence=[4] * 6 + [1] * 6)
        assert meetings(battle) == [("r2", 6, 12, 6)]
        assert (
            log_lines(missiles("point-defence", None, damage=[1] * 6), *MEETINGS),
            meetings(missiles("point-defence", [], damage=[1] * 6)),
        ) == ([], [])

    @pytest.mark.parametrize(("away", "able"), [(6.0, True), (6.1, False)])
    @pytest.mark.parametrize(("boats", "dice"), [("point-defence", 12), ("area-defence", 12)])
    def test_boats_defend_ships_within_6(
        self, boats: str, dice: int, away: float, *, able: bool
    ) -> None:
        more: dict[str, Any] = {} if able else {"damage": [1] * 6}
        battle = missiles(
            boats,
            guard(),
            at=(60, 28 + away),
            point_defence=[4] * 6 + [1] * 6 if able else [],
            **more,
        )
        assert [meeting[2] for meeting in meetings(battle)] == ([dice] if able else [])
        assert refusals(battle) == ([] if able else ["the ship that is attacked is too far away"])

    def test_scatterpacks_kill_their_dice_and_are_used_up(self) -> None:
        battle = missiles("scatterpack", guard(count=2), point_defence=[2, 2, 1, 3])
        assert meetings(battle) == [("r2", 2, 4, 8)]
        assert (group(battle, S1).loads, group(battle, S1).used_endurance) == ({"boats": 8}, 1)

    def test_scatterpack_die_of_1_costs_the_ship_a_point(self) -> None:
        battle = missiles("scatterpack", guard(count=1), point_defence=[1, 6])
        assert ship_of(battle, "r2").damage == 1

    def test_remaining_boats_fire_at_further_targets(self) -> None:
        two = {"b1": [{"weapon": f"salvo-rack-{n}", "at": [60, 34]} for n in (1, 2)]}
        document = squadrons("point-defence", 34.0, guard="salvo-rack@FP+F+FS salvo-rack@FP+F+FS")
        ours = document["sides"][0]["ships"]
        ours.append({**ours[0], **R2, "at": [60, 32]})
        entries = [guard(count=4), guard("marker-2"), guard("marker-2", count=1)]
        orders = turn(
            launch(RACK), {S1: "to 60 28; face 12"}, launch=two, defend={"r2": [], S1: entries}
        )
        battle = play_turns(
            document,
            orders,
            missiles=[6, 6],
            point_defence=[4] * 6 + [1] * 2 + [4] * 4,
            damage=[1] * 2,
        )
        assert meetings(battle) == [("r2", 4, 8, 6), ("r2", 2, 4, 4)]
        assert refusals(battle) == [
            "all its boats that could fire at that target already have other targets"
        ]

    def test_beam_boats_and_unordered_boats_do_not_defend(self) -> None:
        with pytest.raises(RuleViolations, match="only point defence, area defence"):
            missiles("beam", guard())

    def test_mixed_squadron_does_not_defend_without_able_boats(self) -> None:
        battle = at_defence("point-defence")
        squad = group(battle, S1)
        squad.type, squad.craft = "4*beam-gunboat&2*point-defence-gunboat", 4
        assert faults(battle, {S1: [guard()]}) == [(f"defend.{S1}[0]", NO_GUARDS)]
        assert S1 not in [unit.id for unit in units_awaiting_orders(battle.state)]

    def test_able_boats_of_a_mixed_squadron_defend(self) -> None:
        load = {"beam": 3, "point-defence": 2, "scatterpack": 1}
        battle = missiles(load, guard(), point_defence=[4, 1, 1, 1, 2, 3])
        assert meetings(battle) == [("r2", 3, 6, 6)]
        assert group(battle, S1).loads == {"scatterpack": 0}
        assert refusals(missiles(load, guard(count=4), damage=[1] * 6)) == [
            "only 3 of its boats can still fire at that target, not 4"
        ]


@pytest.mark.rule("pc.gunboats")
class TestOnce:
    """A boat fires once a turn: in its attack, or as point defence."""

    def test_boats_that_attacked_do_not_defend(self) -> None:
        battle = missiles(
            "point-defence", guard(), attack={S1: guard()}, fighter=[5, 4] + [1] * 10, damage=[1] * 6,
        )  # fmt: skip
        assert (meetings(battle), len(log_lines(battle, "craft-fired-at-ordnance"))) == ([], 1)
        assert refusals(battle) == [
            "it attacks or is attacked, so it cannot intercept anything else this turn"
        ]
        assert group(battle, S1).used_endurance == 1

    def test_attacked_boats_fight_their_attacker(self) -> None:
        document = squadrons("point-defence", 24.0, guard="launch-tube hangar")
        document["sides"][1]["ships"][0]["design"]["systems"][-1]["load"] = {"standard": 6}
        orders = turn(
            launch(RACK) | launch(ship="b1"), {S1: "to 60 28; face 12", E1: "to 60 33; face 6"},
            attack={E1: f"fighters>{S1}"}, defend={S1: [guard(E1)]},
        )  # fmt: skip
        battle = play_turns(document, orders, dogfight=[1] * 18)
        assert (meetings(battle), group(battle, S1).used_endurance) == ([], 1)

    def test_used_packs_and_endurance_are_reported(self) -> None:
        for loads, endurance_spent, words in (
            ({"boats": 0}, 0, "its scatterpacks are used up"),
            ({}, 6, "its endurance is used up"),
        ):
            battle = at_defence("scatterpack")
            squad = group(battle, S1)
            squad.loads, squad.used_endurance = loads, endurance_spent
            assert faults(battle, {S1: [guard()]}) == [(f"defend.{S1}[0]", words)]


@pytest.mark.rule("pc.gunboats")
class TestCraft:
    """Fighters and boats that attack a nearby ship, or nothing."""

    def raiders(
        self,
        boats: str,
        defend: Any,
        *,
        theirs: str = "launch-tube hangar",
        target: str = "r2",
        **more: Any,
    ) -> Battle:
        document = squadrons(boats, 30.0, guard=theirs)
        ours, (other,) = document["sides"][0]["ships"], document["sides"][1]["ships"]
        bay = other["design"]["systems"][-1]
        bay["load"] = {"beam" if bay["type"] == "gunboat-rack" else "standard": 6}
        ours.append({**ours[0], **R2, "at": [60, 32]})
        ours[0]["groups"] = {RACK: {"at": [60, 28], "course": 12}}
        name = f"{bay['type']}-1"
        other["groups"] = {name: {"at": more.pop("at", [60, 36]), "course": 6}}
        weapon = "boats" if bay["type"] == "gunboat-rack" else "fighters"
        attack = {f"b1/{name}": f"{weapon}>{target}"} if target else {}
        orders = turn(attack=attack, defend={"r2": [], S1: [guard(f"b1/{name}") | defend]})
        return play_turns(document, orders, **more)

    def test_boats_engage_fighters_attacking_a_friend(self) -> None:
        battle = self.raiders(
            "point-defence",
            {"count": 3},
            point_defence=[6, 5, 4, 3, 2, 1],
            re_roll=[3],
            fighter=[1, 1],
        )
        assert meetings(battle) == [("r2", 3, 7, 4)]
        assert group(battle, E1).craft == 2

    def test_distant_attackers_are_engaged_only_in_range(self) -> None:
        rack = "gunboat-rack"
        battle = self.raiders(
            "area-defence",
            {},
            theirs=rack,
            at=[60, 38],
            point_defence=[6, 5, 1, 1, 1, 1],
            re_roll=[1],
            beam=[1] * 10,
        )
        assert meetings(battle) == [
            ("r2", 6, 7, 1)
        ]  # 10 MU: a die each, with 2 less, and the re-roll
        battle = self.raiders("point-defence", {}, theirs=rack, at=[60, 38], beam=[1] * 12)
        assert refusals(battle) == ["its target is too far away"]

    def test_packs_roll_a_beam_die_at_boats(self) -> None:
        battle = self.raiders(
            "scatterpack", {"count": 1}, theirs="gunboat-rack", at=[60, 34], point_defence=[5, 1], beam=[1] * 10,
        )  # fmt: skip
        assert (meetings(battle), ship_of(battle, "r2").damage) == ([("r2", 1, 2, 1)], 1)

    @pytest.mark.parametrize(
        ("boats", "at", "dice"),
        [
            ("point-defence", 34.0, 12),
            ("point-defence", 34.1, 0),
            ("area-defence", 34.1, 6),
            ("area-defence", 40.1, 0),
        ],
    )
    def test_idle_units_are_engaged_in_range(self, boats: str, at: float, dice: int) -> None:
        battle = self.raiders(boats, {}, target="", at=[60, at], point_defence=[1] * dice)
        assert [meeting[:3] for meeting in meetings(battle)] == ([("", 6, dice)] if dice else [])

    def test_boats_engaging_each_other_fire_with_all_that_flew(self) -> None:
        document = squadrons("point-defence", 30.0, theirs="point-defence")
        for side, y in zip(document["sides"], (28, 33), strict=True):
            side["ships"][0]["groups"] = {RACK: {"at": [60, y], "course": 12 if y == 28 else 6}}
        orders = turn(defend={S1: [guard(F1)], F1: [guard(S1)]})
        battle = play_turns(
            document,
            orders,
            point_defence=[6] * 12 + [6] * 12,
            re_roll=[6] * 12 + [1] * 12 + [1] * 12,
        )
        assert [meeting[:3] for meeting in meetings(battle)] == [("", 6, 36), ("", 6, 24)]
        assert flying_groups(battle) == []

    def test_rockets_at_boats_are_engaged(self) -> None:
        document = squadrons("point-defence", 16.0, guard="rocket-pod@FP+F+FS")
        document["sides"][0]["ships"][0]["groups"] = {RACK: {"at": [60, 28], "course": 12}}
        rockets = {"b1": [{"weapon": "rocket-pod-1", "target": S1}]}
        orders = turn(
            launch=rockets, fighters={S1: "to 60 28; face 12"}, defend={S1: [guard(count=1)]}
        )
        battle = play_turns(document, orders, to_hit=[6, 6], point_defence=[4, 4])
        assert [meeting[:2] for meeting in meetings(battle)] == [("", 1)]
        assert group(battle, S1).craft == 6


@pytest.mark.rule("pc.plasma-bolts", "pc.gunboats")
class TestBolts:
    def bolt(self, at: tuple[float, float], ours: tuple[float, float], **dice: Any) -> Battle:
        document = squadrons("point-defence", 60.0, guard="plasma-bolt:2@FP+F+FS firecon")
        ships = document["sides"][0]["ships"]
        ships.append({**ships[0], **R2, "at": [20, 20]})
        ships[0] |= {"groups": {RACK: {"at": list(ours), "course": 12}}, "at": [90, 20]}
        launch_ = {"b1": [{"weapon": "plasma-bolt-1", "at": list(at)}]}
        return play_turns(document, turn(launch=launch_, defend={S1: [guard()]}), **dice)

    def test_boats_in_a_blast_may_engage_its_missile(self) -> None:
        battle = self.bolt((60, 56), (60, 51), point_defence=[6, 6] + [5] * 10)
        assert meetings(battle) == [("", 6, 12, 2)]
        assert group(battle, S1).craft == 6
        assert log_lines(battle, "ordnance-removed")[0]["marker"] == "marker-1"


def at_defence(boats: str, **more: Any) -> Battle:
    """Return the point defence phase: a salvo attacks r2, 4 MU from boats in flight."""
    document = squadrons(boats, 34.0, guard="salvo-rack@FP+F+FS", options=more.pop("options", ()))
    ours = document["sides"][0]["ships"]
    ours.append({**ours[0], **R2, "at": [60, 32]} | more)
    ours[0]["groups"] = {RACK: {"at": [60, 28], "course": 12}}
    battle, _ = stops.resolve_documents(
        start_battle(document), {0: {"plot": {}}, 1: {"plot": {}, "launch": SALVO}}, Dice("guard")
    )
    battle, _ = stops.resolve_documents(battle, {0: {"attack": {}}}, Dice("guard"))
    assert battle.state.stop == "defend"
    return battle


def faults(battle: Battle, entry: Any, side: int = 0) -> list[tuple[str, str]]:
    _, violations = stops.read_orders(battle, side, {"defend": entry})
    return [(violation.where, violation.message) for violation in violations]


@pytest.mark.rule("pc.gunboats")
class TestFaults:
    """Every wrong entry is refused, with its place, and changes nothing."""

    NEEDS_TARGET = "expected a marker, for example marker-1, or a hostile group in flight"

    @pytest.mark.parametrize(
        ("entry", "place", "words"),
        [
            (
                {"r1/gunboat-rack-9": [guard()]},
                "defend.r1/gunboat-rack-9",
                "no ship has the id 'r1/gunboat-rack-9'",
            ),
            ({S2: [guard()]}, f"defend.{S2}", f"no ship has the id '{S2}'"),  # aboard
            (
                {S1: [guard(weapon="pds-1")]},
                f"defend.{S1}[0].weapon",
                f"write the weapon of the boats of {S1} as boats",
            ),
            (
                {S1: [guard(count=0)]},
                f"defend.{S1}[0].count",
                "expected 1 boat or more; if you leave it out, all fire",
            ),
            ({S1: [guard(count="x")]}, f"defend.{S1}[0].count", "a whole number"),
            ({S1: [guard(count=True)]}, f"defend.{S1}[0].count", "a whole number"),
            ({S1: [guard(count=10**9)]}, f"defend.{S1}[0].count", "numbers can be at most"),
            (
                {S1: [guard(count=7)]},
                f"defend.{S1}[0]",
                "only 6 of its boats can still fire at that target, not 7",
            ),
            (
                {S1: [guard(), guard(count=1)]},
                f"defend.{S1}[1]",
                "all its boats that could fire at that target already",
            ),
            (
                {S1: [guard("marker-7")]},
                f"defend.{S1}[0]",
                "nothing with that name attacks a ship that it can defend",
            ),
            ({S1: [guard("b1")]}, f"defend.{S1}[0].target", NEEDS_TARGET),
            ({S1: [guard("nobody")]}, f"defend.{S1}[0].target", NEEDS_TARGET),
            ({S1: [{"weapon": "boats"}]}, f"defend.{S1}[0].target", NEEDS_TARGET),
            (
                {S1: [guard(["marker-1", "marker-1"])]},
                f"defend.{S1}[0]",
                "each entry must name one target",
            ),
            ({S1: [guard(mode="split")]}, f"defend.{S1}[0].mode", ""),
            (
                {S1: {"scramble": []}},
                f"defend.{S1}",
                "the fire of boats must be a list of {weapon, target, count}",
            ),
        ],
    )
    def test_faults_are_named_with_their_place(self, entry: Any, place: str, words: str) -> None:
        fault_list = faults(at_defence("point-defence"), entry)
        assert [where for where, _ in fault_list] == [place]
        assert words in fault_list[0][1]

    def test_ship_weapons_have_no_count(self) -> None:
        fault_list = faults(
            at_defence("point-defence"),
            {"r2": [{"weapon": "beam-1", "target": "marker-1", "count": 1}]},
        )
        assert "defend.r2[0].count" in [where for where, _ in fault_list]

    def test_boats_of_another_type(self) -> None:
        ((where, words),) = faults(at_defence("k-gun"), {S1: [guard()]})
        assert (where, words) == (f"defend.{S1}", f"{S1}: {NO_GUARDS}")

    def test_boats_engage_nothing_by_level(self) -> None:
        battle = at_defence("point-defence", options=("point-defence-level",))
        assert faults(battle, {S1: [guard()]}) == [
            (
                f"defend.{S1}[0]",
                "boats cannot intercept when point defence is resolved by level",
            )
        ]
        after = missiles(
            "point-defence", guard(), options=("point-defence-level",), missiles=[1], damage=[1]
        )
        assert refusals(after) == ["boats cannot intercept when point defence is resolved by level"]

    def test_foreign_boats_cannot_be_ordered(self) -> None:
        assert [where for where, _ in faults(at_defence("point-defence"), {S1: []}, side=1)] == [
            f"defend.{S1}"
        ]


@pytest.mark.rule("pc.gunboats")
class TestAsked:
    def test_their_side_is_asked_about_them(self) -> None:
        for boats, asked in (("point-defence", True), ("k-gun", False)):
            callers = [unit.id for unit in units_awaiting_orders(at_defence(boats).state)]
            assert (S1 in callers, "r2" in callers) == (asked, True)

    @pytest.mark.parametrize(
        ("boats", "asked"), [("area-defence", True), ("point-defence", False), ("k-gun", False)]
    )
    def test_nearby_idle_units_hold_the_phase(self, boats: str, *, asked: bool) -> None:
        document = squadrons(boats, 40.0, theirs="beam")
        for side, y in zip(document["sides"], (28, 38), strict=True):
            side["ships"][0]["groups"] = {RACK: {"at": [60, y], "course": 12 if y == 28 else 6}}
        battle, _ = stops.resolve_documents(
            start_battle(document), {0: {"plot": {}}, 1: {"plot": {}}}, Dice("guard")
        )
        battle, _ = stops.resolve_documents(battle, {0: {"attack": {}}}, Dice("guard"))
        assert (battle.state.stop, stops.awaited_sides(battle)) == (
            ("defend", (0,)) if asked else ("plot", (0, 1))
        )
        assert battle.state.turn == (
            1 if asked else 2
        )  # no ship has a gun in range, so nobody is asked to fire

    def test_automatic_point_defence_includes_boats(self) -> None:
        battle = at_defence("point-defence")
        for name in ("r1", "r2"):
            ship = battle.state.ship_by_name(name)
            ship.record = ship.record.with_fact("officers", 1, "")
        assert {unit.id for unit in automatic_units_at(battle.state)} == {"r1", "r2", S1}
        ordered = auto_point_defence_orders(
            battle.state, {0: Captain(Doctrine(), Dice("x"))}, NO_ORDERS
        ).of(POINT_DEFENCE_REQUEST)
        assert [(order.weapon, order.count) for order in ordered[S1]] == [("boats", 4)]


@pytest.mark.rule("pc.gunboats")
class TestSecrets:
    def test_void_orders_are_private_and_fire_is_public(
        self,
    ) -> None:
        battle = at_defence("point-defence")
        logs = []
        entries: list[dict[str, Any]] = [{"r2": []}, {"r2": [], S1: []}]
        for entry in entries:
            after, stop = stops.resolve_documents(battle, {0: {"defend": entry}}, Dice("x"))
            logs.append(
                json.dumps(
                    [stops.side_view(after, 1), side_log(stop.events, battle.state, 1)],
                    sort_keys=True,
                )
            )
        assert logs[0] == logs[1]
        _, stop = stops.resolve_documents(
            battle, {0: {"defend": {"r2": [], S1: [guard()]}}}, Dice("x")
        )
        (line,) = (
            payload
            for payload in side_log(stop.events, battle.state, 1)
            if payload["event"] == "boats-fired-at-ordnance"
        )
        assert line["group"] == group(battle, S1).contact
        log_line = line_of(read_event(line), SideNames({}))
        assert log_line is not None
        assert log_line.words.startswith(
            "Point defence by 6 boats of fighters 1 at marker 1 for Bogey "
        )

    def test_spent_packs_do_not_show_in_open_requests(self) -> None:
        records = []
        for loads in ({}, {"boats": 0}):
            battle = at_defence("scatterpack")
            group(battle, S1).loads = loads
            records.append(
                (
                    stops.awaited_sides(battle),
                    json.dumps(stops.side_view(battle, 1), sort_keys=True),
                )
            )
        assert records[0] == records[1]


@pytest.mark.rule("pc.gunboats", "pc.point-defence")
class TestCaptains:
    @pytest.mark.parametrize(
        ("boats", "count"), [("point-defence", 4), ("area-defence", 4), ("scatterpack", 1)]
    )
    def test_captains_use_as_many_boats_as_needed(self, boats: str, count: int) -> None:
        battle = at_defence(boats)
        advised: Any = dict(stops.advise(battle, 0, Doctrine(), "x"))["defend"]
        assert advised[S1] == [guard(count=count)]
        assert stops.read_orders(battle, 0, {"defend": advised})[1] == ()

    def test_boats_out_of_range_are_not_asked(self) -> None:
        advised = stops.advise(at_defence("point-defence", at=[60, 34.1]), 0, Doctrine(), "x")
        assert S1 not in str(advised)

    def test_captains_keep_boats_within_range_of_threatened_ships(self) -> None:
        document = squadrons("point-defence", 40.0, guard="salvo-rack@FP+F+FS")
        ours = document["sides"][0]["ships"]
        ours.append({**ours[0], **R2, "at": [68, 24]})
        view = observe(play_turns(document, turn(launch(RACK), {S1: "to 60 22; face 12"})).state, 0)
        captain = Captain(Doctrine(), Dice("a"))
        captain.plots(view)
        to = captain.flights(view)[S1].to
        assert to is not None
        for ship in view.own_ships:
            end = leg_of(ship, captain.plotted.get(ship.id, HOLD)).path[-1]
            assert dist(to, end) <= 6.0

    def test_odds_use_all_boats(self) -> None:
        battle = at_defence("point-defence")
        (guard_order,) = expected_guard_fire(battle.state, group(battle, S1))
        assert (guard_order.weapon, guard_order.target, guard_order.mean, guard_order.unit) == (
            "boats",
            "marker-1",
            6.0,
            "missiles",
        )


def test_battle_with_escort_boats_round_trips_and_replays() -> None:
    battle = missiles("scatterpack", guard(count=2), point_defence=[2, 2, 3, 3])
    again = battle_from(json.loads(json.dumps(battle.to_json())))
    assert again.to_json() == battle.to_json()
