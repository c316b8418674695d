"""Assault shuttles: whom they land on a ship, and what prevents it."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.battle import Battle
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.systems.outfit import marines_of, parties_of
from tests.engine.craft.carrier_battles import E1, N1, carriers, flying_groups, group, launch, turn
from tests.engine.defences.battles import log_lines, play_turns, ship_of


def fleet(guard: str = "", theirs: str = "", **more: Any) -> dict[str, Any]:
    """Return a carrier of shuttles with three marines, 12 MU from its foe."""
    document = carriers(
        "assault-shuttle",
        theirs,
        12.0,
        beside="marinesx3",
        guard=guard,
        **{"options": ("boarding",), **more},
    )
    if theirs:
        for system in document["sides"][1]["ships"][0]["design"]["systems"]:
            if system["type"] == "hangar":
                system["load"] = {theirs: 6}
    return document


def run(
    fly: str = "to 60 31.5; face 12", defend: list[dict[str, str]] | None = None, **people: int
) -> dict[str, Any]:
    """Return the turn in which they are launched and land."""
    entry = {"weapon": "shuttles", "target": "b1"} | people
    return turn(launch(), {N1: fly}, attack={N1: entry}, defend={"b1": defend or []})


def refusals(battle: Battle) -> list[str]:
    return [line["reason_text"] for line in log_lines(battle, "shot-refused")]


def people(battle: Battle) -> tuple[int, int]:
    ship = ship_of(battle, "r1")
    return len(marines_of(ship)), parties_of(ship)


@pytest.mark.rule("pc.assault-shuttles")
class TestLanding:
    def test_marines_land_on_a_2_and_parties_on_a_3(self) -> None:
        _, there = people(play_turns(fleet(), turn()))
        battle = play_turns(fleet(), run(marines=2, parties=2), boarding=[2, 1, 3, 2])
        (landed,) = log_lines(battle, "shuttles-landed")
        assert (landed["marines"], landed["parties"]) == (1, 1)
        assert ship_of(battle, "b1").boarders_by_side() == {0: (1, 1)}
        assert (flying_groups(battle), people(battle)) == ([], (1, there - 2))
        lost = [line["system"] for line in log_lines(battle, "system-lost") if line["ship"] == "r1"]
        assert lost == ["marines-1"]

    def test_landed_people_fight_the_same_turn(self) -> None:
        battle = play_turns(fleet(), run(marines=3), boarding=[6, 6, 6])
        assert ship_of(battle, "b1").damage == 3

    def test_shuttle_must_touch_its_target(self) -> None:
        battle = play_turns(fleet(), run("to 60 30.9; face 12", marines=1))
        assert refusals(battle) == ["no such target is in its range, ahead of it and in sight"]
        assert group(battle, N1).craft == 6

    @pytest.mark.parametrize(("screen", "stopped"), [("screen", False), ("advanced-screen", True)])
    def test_only_advanced_screens_stop_shuttles(self, screen: str, stopped: bool) -> None:
        battle = play_turns(fleet(screen), run(marines=1), boarding=[] if stopped else [2])
        assert refusals(battle) == (
            ["its advanced screens keep shuttles from landing"] if stopped else []
        )
        assert flying_groups(battle) == ([N1] if stopped else [])

    def test_ecm_does_not_stop_shuttles_alongside(self) -> None:
        orders = run(marines=1)
        orders["plot"]["b1"] = "jam"
        assert (
            len(log_lines(play_turns(fleet("ecm"), orders, boarding=[2]), "shuttles-landed")) == 1
        )

    def test_people_aboard_a_destroyed_shuttle_are_lost(self) -> None:
        defend = [{"weapon": "pds-1", "target": N1}, {"weapon": "pds-2", "target": N1}]
        battle = play_turns(
            fleet("pds pds"), run(marines=3, parties=3, defend=defend), point_defence=[6, 6], re_roll=[1, 1],
            boarding=[2, 1],
        )  # fmt: skip
        assert ship_of(battle, "b1").boarders_by_side() == {0: (1, 0)}
        assert people(battle)[0] == 0

    def test_all_are_lost_with_the_last_shuttle(self) -> None:
        defend = [{"weapon": "scattergun-1", "target": N1}]
        battle = play_turns(fleet("scattergun"), run(marines=2, defend=defend), point_defence=[6])
        assert (flying_groups(battle), people(battle)[0]) == ([], 1)
        assert log_lines(battle, "shuttles-landed") == []

    def test_dogfights_lose_people_too(self) -> None:
        orders = run(marines=2)
        orders["plot"] |= launch(ship="b1")
        orders["fighters"][E1] = "to 60 32; face 6"
        orders["attack"][E1] = [{"weapon": "fighters", "target": N1}]
        battle = play_turns(
            fleet(theirs="interceptor"), orders, dogfight=[1] * 6 + [6] * 6, re_roll=[1] * 6
        )
        assert (flying_groups(battle), people(battle)[0]) == ([E1], 1)

    @pytest.mark.parametrize(
        ("people_", "wrong"),
        [
            ({}, "its shuttles carry one each: send 1 to 6 marines and parties"),
            (
                {"marines": 4, "parties": 3},
                "its shuttles carry one each: send 1 to 6 marines and parties",
            ),
        ],
    )
    def test_shuttle_capacity(self, people_: dict[str, Any], wrong: str) -> None:
        assert refusals(play_turns(fleet(), run(**people_))) == [wrong]

    def test_other_craft_carry_nobody(self) -> None:
        entry = {"weapon": "fighters", "target": "b1", "marines": 1}
        document = carriers("standard", "", 12.0)
        battle = play_turns(
            document,
            turn(launch(), {N1: "to 60 31; face 12"}, attack={N1: entry}, defend={"b1": []}),
        )
        assert refusals(battle) == ["only assault shuttles can carry marines and parties"]

    def test_boarding_needs_its_option(self) -> None:
        assert refusals(play_turns(fleet(options=()), run(marines=1))) == [
            "shuttles cannot board: boarding is not allowed in this battle"
        ]

    def test_only_people_aboard_can_go(self) -> None:
        battle = play_turns(fleet(), run(marines=6), boarding=[2, 2, 2])
        assert ship_of(battle, "b1").boarders_by_side() == {0: (3, 0)}


@pytest.mark.rule("pc.assault-shuttles")
def test_captain_lands_marines_with_the_option() -> None:
    for options, launched in ((("boarding",), True), ((), False)):
        battle = play_turns(fleet(options=options))
        advised: dict[str, Any] = dict(stops.advise(battle, 0, Doctrine(), "red"))
        assert ("launch" in advised["plot"].get("r1", "")) is launched
    flown = turn(launch(), {N1: "to 60 31.5; face 12"}, defend={"b1": []})
    after, _ = stops.resolve_documents(
        play_turns(fleet()), {0: {"plot": flown["plot"], "fighters": flown["fighters"]}}, Dice("x")
    )
    assert after.state.stop == "attack"
    advised = dict(stops.advise(after, 0, Doctrine(), "red"))
    assert [(attack["weapon"], attack["marines"]) for attack in advised["attack"][N1]] == [
        ("shuttles", 3)
    ]
