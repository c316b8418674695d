"""Pulse torpedoes and submunition packs: bands, dice, arcs, FireCons, single use."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import battle_from
from tests.engine.battle.table import at, events_of, fire, gunship, play, setup, vessel

TUBE, PACK = "pulse-torpedo-1", "submunition-1"


def duel(systems: str, distance: float, **target: Any) -> dict[str, Any]:
    """Return a ship with these systems at 60, 20, and a gunship so many MU ahead."""
    return setup([vessel("r1", 60, 20, systems)], [gunship("b1", 60, 20 + distance, "C", **target)])


@pytest.mark.rule("2e.pulse-torpedoes")
@pytest.mark.parametrize(
    ("distance", "needed"),
    [(1, 3), (6, 3), (6.01, 4), (12, 4), (12.01, 5), (18, 5), (18.01, 6), (24, 6), (24.01, 0)],
)
def test_hit_number_by_range(distance: float, needed: int) -> None:
    turn = {"engage": {"r1": fire((TUBE, "b1"))}}
    if not needed:
        assert (
            events_of(play(duel("pulse-torpedo", distance), [turn]), "shot-refused")[0].weapon
            == TUBE
        )
        return
    for die, points in ((needed - 1, 0), (needed, 4), (6, 4)):
        hit = {"damage": [4]} if points else {}
        battle = play(duel("pulse-torpedo", distance), [turn], to_hit=[die], **hit)
        assert at(battle, "b1").damage == points
        [shot] = events_of(battle, "torpedo")
        assert (shot.needed, shot.die, shot.hits) == (needed, die, points)


@pytest.mark.rule("2e.pulse-torpedoes")
@pytest.mark.parametrize("points", range(1, 7))
def test_hit_does_a_die_of_damage_through_screens(points: int) -> None:
    battle = play(
        duel("pulse-torpedo", 10, screens=3),
        [{"engage": {"r1": fire((TUBE, "b1"))}}],
        to_hit=[4],
        damage=[points],
        threshold=[1] * 20,
    )
    assert at(battle, "b1").damage == points


@pytest.mark.rule("2e.pulse-torpedoes")
@pytest.mark.parametrize(
    ("x", "y", "shots"), [(60, 30, 1), (65, 30, 1), (75, 25, 0), (45, 25, 0), (60, 10, 0)]
)
def test_tube_fires_through_the_fore_arc_only(x: float, y: float, shots: int) -> None:
    document = setup([vessel("r1", 60, 20, "pulse-torpedo")], [gunship("b1", x, y, "C")])
    battle = play(document, [{"engage": {"r1": fire((TUBE, "b1"))}}], to_hit=[1] * shots)
    assert len(events_of(battle, "torpedo")) == shots


@pytest.mark.rule("2e.pulse-torpedoes")
def test_tube_fires_once_every_turn() -> None:
    document = duel("pulse-torpedo pulse-torpedo", 10)
    turn = {"engage": {"r1": fire((TUBE, "b1"), ("pulse-torpedo-2", "b1"), (TUBE, "b1"))}}
    battle = play(document, [turn, turn], to_hit=[1, 2, 3, 1])
    assert [shot.weapon for shot in events_of(battle, "torpedo")] == [TUBE, "pulse-torpedo-2"] * 2
    assert [refused.reason for refused in events_of(battle, "shot-refused")] == [
        "it has already fired this turn"
    ] * 2


@pytest.mark.rule("2e.fire-control", "2e.pulse-torpedoes")
@pytest.mark.parametrize(
    ("order", "fired"),
    [
        (((TUBE, "b1"), ("battery-1", "b1")), ["torpedo"]),
        ((("battery-1", "b1"), (TUBE, "b1")), ["shot"]),
        (((TUBE, "b1"), ("pulse-torpedo-2", "b1")), ["torpedo", "torpedo"]),
        (((TUBE, "b1"), ("pulse-torpedo-2", "b2")), ["torpedo"]),
    ],
)
def test_one_firecon_directs_torpedoes_or_batteries(
    order: tuple[tuple[str, str], ...], fired: list[str]
) -> None:
    systems = "pulse-torpedo pulse-torpedo battery:C"
    ships = [gunship("b1", 60, 30, "C"), gunship("b2", 61, 30, "C")]
    document = setup(
        [vessel("r1", 60, 20, systems, mass=40, lost=["firecon-1", "firecon-2"])], ships
    )
    battle = play(document, [{"engage": {"r1": fire(*order)}}], to_hit=[1, 1], beam=[1])
    assert [event.kind for event in battle.events if event.kind in ("torpedo", "shot")] == fired
    assert len(events_of(battle, "shot-refused")) == 2 - len(fired)


@pytest.mark.rule("2e.fire-control", "2e.pulse-torpedoes")
def test_two_firecons_direct_both_at_one_target() -> None:
    document = duel("pulse-torpedo battery:C", 10, mass=40)
    document["sides"][0]["ships"][0]["lost"] = ["firecon-1"]
    battle = play(
        document,
        [{"engage": {"r1": fire((TUBE, "b1"), ("battery-1", "b1"))}}],
        to_hit=[4],
        damage=[2],
        beam=[6],
    )
    assert at(battle, "b1").damage == 4
    assert [hit.points for hit in events_of(battle, "damaged")] == [
        4
    ]  # one volley: all dice, then the damage


@pytest.mark.rule("2e.submunitions")
@pytest.mark.parametrize(
    ("distance", "dice"),
    [(1, 3), (6, 3), (6.01, 2), (12, 2), (12.01, 1), (18, 1), (18.01, 0)],
)
def test_pack_dice_by_range(distance: float, dice: int) -> None:
    battle = play(
        duel("submunition", distance),
        [{"engage": {"r1": fire((PACK, "b1"))}}],
        beam=[6, 4, 3][:dice],
    )
    assert [shot.dice for shot in events_of(battle, "pack")] == ([(6, 4, 3)[:dice]] if dice else [])
    assert at(battle, "b1").damage == {3: 3, 2: 3, 1: 2, 0: 0}[dice]
    assert at(battle, "r1").stock[0] == (0 if dice else 1)


@pytest.mark.rule("2e.submunitions")
@pytest.mark.parametrize(("die", "points"), [(1, 0), (2, 0), (3, 0), (4, 1), (5, 1), (6, 2)])
def test_screens_do_not_stop_packs(die: int, points: int) -> None:
    battle = play(
        duel("submunition", 18, screens=3), [{"engage": {"r1": fire((PACK, "b1"))}}], beam=[die]
    )
    assert at(battle, "b1").damage == points


@pytest.mark.rule("2e.submunitions")
def test_pack_is_fired_once() -> None:
    turn = {"engage": {"r1": fire((PACK, "b1"))}}
    battle = play(duel("submunition", 6), [turn, turn], beam=[1, 1, 1])
    assert len(events_of(battle, "pack")) == 1
    assert events_of(battle, "shot-refused")[0].reason == "it has already been fired"
    document = battle.to_json()
    assert document["ships"]["r1"]["stock"] == {PACK: 0}
    assert document["ships"]["r1"]["lost"] == []
    assert battle_from(document).state.ship_by_name("r1").stock[0] == 0


@pytest.mark.rule("2e.submunitions")
def test_pack_fired_before_the_battle_stays_fired() -> None:
    document = duel("submunition", 6)
    document["sides"][0]["ships"][0]["stock"] = {PACK: 0}
    assert not events_of(play(document, [{"engage": {"r1": fire((PACK, "b1"))}}]), "pack")


@pytest.mark.rule("2e.submunitions", "2e.thresholds")
@pytest.mark.parametrize(("fired", "rolled"), [(True, False), (False, True)])
def test_fired_pack_is_crossed_off_and_rolls_no_threshold(fired: bool, rolled: bool) -> None:
    shooter = vessel(
        "r1",
        60,
        20,
        "submunition battery:C",
        mass=8,
        damage=1,
        stock={} if not fired else {PACK: 0},
    )
    document = setup([shooter], [gunship("b1", 60, 30, "C", course=6)])
    turn = {"engage": {"b1": fire(("battery-1", "r1"))}}
    battle = play(document, [turn], beam=[4], threshold=[6, 1, 1, 1, 1] if rolled else [1, 1, 1, 1])
    [check] = events_of(battle, "threshold")
    assert (PACK in dict(check.rolls)) is rolled
    assert at(battle, "r1").lost_systems() == ((PACK,) if rolled else ())
    assert at(battle, "r1").stock[0] == 0


@pytest.mark.rule("2e.fire-control", "2e.submunitions")
def test_packs_share_the_firecon_of_the_guns() -> None:
    systems = "submunition submunition battery:C"
    document = setup(
        [vessel("r1", 60, 20, systems, mass=12)],
        [gunship("b1", 60, 30, "C"), gunship("b2", 61, 30, "C")],
    )
    orders = fire(("battery-1", "b1"), (PACK, "b1"), ("submunition-2", "b2"))
    battle = play(document, [{"engage": {"r1": orders}}], beam=[1, 1, 1])
    assert [shot.target for shot in events_of(battle, "pack")] == ["b1"]
    assert events_of(battle, "shot-refused")[0].reason == "no FireCon is free for its target"


@pytest.mark.rule("2e.submunitions", "2e.arcs")
@pytest.mark.parametrize(("x", "y", "packs"), [(60, 25, 1), (65, 20, 1), (55, 20, 1), (60, 15, 0)])
def test_pack_fires_in_all_arcs_but_aft(x: float, y: float, packs: int) -> None:
    document = setup([vessel("r1", 60, 20, "submunition")], [gunship("b1", x, y, "C")])
    battle = play(document, [{"engage": {"r1": fire((PACK, "b1"))}}], beam=[1] * 3 * packs)
    assert len(events_of(battle, "pack")) == packs
