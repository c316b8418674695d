"""Area effects on craft, missiles in flight and mines within their range."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import Battle
from tests.engine.craft.carrier_battles import (
    N1,
    S1,
    carriers,
    flying_groups,
    group,
    launch,
    squadrons,
    turn,
)
from tests.engine.defences.battles import facing, log_lines, play_turns, ship_of
from tests.engine.ordnance.test_missiles import FORE, launched

THERE = "to 60 30; face 12"  # where r1's group flies: 10 MU ahead of it


def out(
    guard: str, fire: dict[str, Any] | None = None, plot: dict[str, str] | None = None, **more: Any
) -> Battle:
    """Return a turn in which r1 launches a group that attacks nothing.

    `b1`, 26 MU off, has the systems `guard`, and fires or does what is ordered.
    """
    document = carriers(
        "standard", "", 26.0, guard=guard, mods=more.pop("mods", ()), **more.pop("where", {})
    )
    engage: dict[str, Any] = {"engage": {"b1": [fire]}} if fire else {}
    return play_turns(document, turn(launch() | (plot or {}), {N1: THERE}, **engage), **more)


def with_distant_ship(document: dict[str, Any]) -> dict[str, Any]:
    """Return the same with another ship of blue's far away, so the battle continues without b1."""
    ships = document["sides"][1]["ships"]
    ships.append(
        {
            **ships[0],
            "id": "b9",
            "at": [110, 110],
            "design": {**ships[0]["design"], "class": "Far", "systems": []},
        }
    )
    return document


def missile(
    systems: str, orders: dict[str, Any], options: tuple[str, ...] = (), **dice: list[int]
) -> Battle:
    """Return a two-stage heavy missile at 60, 36, 20 MU from b1, which has these systems."""
    document = facing("", systems, 36.0, options=options)
    document["sides"][0]["ships"][0]["design"]["systems"].append(
        {"type": "heavy-missile", "model": "two-stage", "arcs": FORE.split("+")}
    )
    return play_turns(document, launched("heavy-missile-1", at=[60, 36]) | orders, **dice)


@pytest.mark.rule("pc.spinal-mounts")
class TestSpinalMounts:
    @pytest.mark.parametrize(
        ("type_", "dice", "lost"),
        [
            ("spinal-beam", {"beam": [4, 6] + [1] * 10, "re_roll": [3]}, 3),
            ("spinal-plasma", {"beam": [3, 5, 1, 1, 1, 1]}, 4),
            ("spinal-singularity", {"beam": [6, 3]}, 2),  # no die of damage
        ],
    )
    def test_craft_in_the_beam_are_hit_like_ships(
        self, type_: str, dice: dict[str, Any], lost: int
    ) -> None:
        battle = out(f"{type_}:small", {"weapon": f"{type_}-1", "at": [60, 25]}, **dice)
        assert group(battle, N1).craft == 6 - lost
        assert [line["hits"] for line in log_lines(battle, "group-shot-at")] == [lost]

    def test_craft_beside_the_beam_are_not_hit(self) -> None:
        battle = out("spinal-beam:small", {"weapon": "spinal-beam-1", "at": [62, 25]})
        assert (group(battle, N1).craft, log_lines(battle, "group-shot-at")) == (6, [])

    def test_gunboats_and_evading_craft(self) -> None:
        document = squadrons("beam", 26.0, guard="spinal-singularity:small")
        orders = turn(launch("gunboat-rack-1"), {S1: "to 60 29"},
                      engage={"b1": [{"weapon": "spinal-singularity-1", "at": [60, 25]}]})  # fmt: skip
        assert group(play_turns(document, orders, beam=[4, 1]), S1).craft == 5

    def test_missiles_in_flight_and_mines(self) -> None:
        fire = {"engage": {"b1": [{"weapon": "spinal-singularity-1", "at": [60, 40]}]}}
        battle = missile("spinal-singularity:small", fire, beam=[4, 1])
        assert [line["hits"] for line in log_lines(battle, "ordnance-swept")] == [1]
        assert [line["reason_text"] for line in log_lines(battle, "ordnance-removed")] == [
            "destroyed by a beam or a wave"
        ]
        document = facing("", "spinal-beam:small", 20.0)
        document["mines"] = [{"side": "red", "at": [60, 30]}, {"side": "blue", "at": [61, 30]}]
        shot = {"engage": {"b1": [{"weapon": "spinal-beam-1", "at": [60, 25]}]}}
        assert [
            (piece.x, piece.y) for piece in play_turns(document, shot, beam=[1] * 12).state.pieces
        ] == [(61, 30)]


@pytest.mark.rule("pc.wave-gun", "pc.nova-cannon")
class TestTemplates:
    SCIENCE = {"where": {"options": ("science-fiction",)}}

    def test_wave_kills_a_craft_per_point_by_stage(self) -> None:
        document = carriers("standard", "", 26.0, guard="wave-gun", options=("science-fiction",))
        orders = turn(launch(), {N1: THERE}, engage={"b1": [{"weapon": "wave-gun-1"}]})
        charge = turn({"b1": "charge wave-gun-1"})
        battle = play_turns(
            document, charge, orders, charge=[6], damage=[1, 1] + [1] * 3
        )  # r1 is in its last stage
        assert [line["dice"] for line in log_lines(battle, "group-shot-at")] == [[1, 1, 1]]
        assert group(battle, N1).craft == 3

    def test_nova_destroys_all_craft_and_missiles(self) -> None:
        battle = out("nova-cannon", {"weapon": "nova-cannon-1"}, {"b1": "nova"}, **self.SCIENCE)
        assert flying_groups(battle) == []
        orders = {"plot": {"b1": "nova"}, "engage": {"b1": [{"weapon": "nova-cannon-1"}]}}
        burnt = missile("nova-cannon", orders, ("science-fiction",))
        assert len(log_lines(burnt, "ordnance-removed")) == 1


@pytest.mark.rule("pc.suicide-charge")
class TestCharges:
    def test_craft_within_3_mu_lose_one_per_point(self) -> None:
        document = with_distant_ship(carriers("standard", "", 12.5, guard="suicide-charge"))
        orders = turn(launch() | {"b1": "detonate"}, {N1: THERE})
        battle = play_turns(document, orders, damage=[2])
        assert [(line["dice"], line["craft"]) for line in log_lines(battle, "craft-burned")] == [
            ([2], 2)
        ]
        assert group(battle, N1).craft == 4

    def test_missiles_in_flight_and_mines_are_destroyed(self) -> None:
        document = facing("suicide-charge", "", 36.0)
        document["sides"][0]["ships"].append(
            document["sides"][1]["ships"][0] | {"id": "r2", "at": [60, 13]}
        )
        rack = {"type": "heavy-missile", "model": "two-stage", "arcs": FORE.split("+")}
        design = document["sides"][1]["ships"][0]["design"]
        document["sides"][0]["ships"][1]["design"] = {
            **design,
            "class": "Rack",
            "systems": [{"type": "firecon"}, rack],
        }
        document["sides"][0]["ships"][1]["course"] = 12
        document["sides"][0]["ships"][0]["at"] = [60, 36]
        document["sides"][1]["ships"][0]["at"] = [90, 90]
        document["mines"] = [{"side": "red", "at": [61, 36]}, {"side": "blue", "at": [64, 36]}]
        orders = {
            "plot": {"r1": "detonate"},
            "launch": {"r2": [{"weapon": "heavy-missile-1", "at": [60, 35]}]},
        }
        battle = play_turns(document, orders)
        assert [line["reason_text"] for line in log_lines(battle, "ordnance-removed")] == [
            "caught in a blast"
        ]
        assert [(piece.x, piece.y) for piece in battle.state.pieces] == [(64, 36)]


@pytest.mark.rule("pc.core-systems")
def test_reactor_breach_hits_nearby_craft_and_missiles() -> None:
    document = with_distant_ship(
        carriers("standard", "", 12.5, options=("core-systems", "reactor-breach"), b={"mass": 80})
    )
    document["sides"][1]["ships"][0] |= {"notes": {"reactor": 5}, "lost": ["power-core"]}
    battle = play_turns(document, turn(launch(), {N1: THERE}), reactor=[5], damage=[1, 1, 2])
    assert [(line["dice"], line["craft"]) for line in log_lines(battle, "craft-burned")] == [
        ([1, 1, 2], 4)
    ]
    assert group(battle, N1).craft == 2


@pytest.mark.rule("pc.ftl-exit", "pc.ftl-entry")
def test_drive_explosions_and_ftl_entries_destroy_craft_and_missiles_within_6_mu() -> None:
    document = carriers("standard", "", 40.0)
    near = document["sides"][1]["ships"][0] | {"id": "b2", "at": [60, 34], "course": 6}
    near["design"] = {**near["design"], "class": "Jumper"}
    document["sides"][1]["ships"][0] |= {"at": [60, 39]}
    document["sides"][1]["ships"].append(near)
    first, second = turn({"b2": "ftl"}), turn(launch(), {N1: THERE})
    battle = play_turns(document, first, second, ftl=[6], damage=[1, 1], threshold=[1] * 40)
    assert flying_groups(battle) == []
    launcher = facing("", "", 36.0)
    launcher["sides"][0]["ships"][0]["design"]["systems"].append(
        {"type": "heavy-missile", "model": "two-stage", "arcs": FORE.split("+")}
    )
    comes = launcher["sides"][1]["ships"][0] | {"id": "b2", "at": [60, 36], "ftl_entry": 2}
    launcher["sides"][1]["ships"].append(comes)
    stage = {"launch": {"marker-1": [{"weapon": "stage", "at": [60, 54]}]}}
    launcher["sides"][1]["ships"][0]["at"] = [60, 70]
    comes["at"] = [60, 54]
    battle = play_turns(
        launcher, launched("heavy-missile-1", at=[60, 36]), stage, direction=[12], distance=[1]
    )
    assert [line["reason_text"] for line in log_lines(battle, "ordnance-removed")] == [
        "torn apart by an FTL drive"
    ]
    assert ship_of(battle, "b1").damage == 0
