"""Ground targets: hit in battles over their planets or undefended, and known to those present."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from campaign.events.event import number_in
from campaign.rules.designs import ship_class
from campaign.rules.files import fixture_scenario
from campaign.rules.forces import initial_world
from campaign.rules.perception import build_view, initial_view
from campaign.rules.scenario import Condition, GroundTarget, Scenario
from campaign.rules.world import Engagement, Fleet, GroundDamage, Ship, World
from engine.battle import fight, start
from engine.core.dice import Dice, KeyedDice
from engine.notation.designs import parse_design, sheet_of
from engine.pieces.site import Site
from umpire.adjudication.battles import battle_result, battle_setup
from umpire.adjudication.outcome import BattleResult, StageOutcome
from umpire.adjudication.week import resolve

pytestmark = pytest.mark.rule("pc.ortillery")

KNOT = fixture_scenario("knot-of-gates")
PRIME = next(
    system for system in KNOT.systems if system.id == "ostrava-prime"
)  # Ostrava's, with a planet
HEX = PRIME.hex
DUEL = Engagement(f"{HEX}/w3/ostrava+tarn", HEX, (("ostrava",), ("tarn",)), (("ostrava", "tarn"),))
BOMBER = {
    "class": "Bomber", "edition": "continuum", "kind": "warship", "mass": 100, "hull": {"boxes": 30, "rows": 4},
    "thrust": 4, "ftl": "standard",
    "systems": [{"type": "firecon", "count": 2}, {"type": "ortillery", "count": 4},
                {"type": "beam", "class": 2, "arcs": ["F", "FS", "FP"]}],
}  # fmt: skip


def war(*targets: GroundTarget, victory: tuple[Condition, ...] = ()) -> Scenario:
    """Return the war with these ground targets at Ostrava, and Tarn's bombers in its catalogue."""
    systems = tuple(
        replace(system, ground=targets) if system is PRIME else system for system in KNOT.systems
    )
    catalogue = (*KNOT.catalogue, ship_class(sheet_of(parse_design(BOMBER))))
    return replace(
        KNOT,
        systems=systems,
        catalogue=tuple(sorted(catalogue, key=lambda cls: cls.name)),
        victory=victory or KNOT.victory,
    )


YARDS = GroundTarget("ostrava", "planet-1", 6, "Yards")
WAR = war(YARDS, GroundTarget("skerry", "planet-1", 3), GroundTarget("ostrava", "planet-1", 2))


def world(defended: bool = True, scenario: Scenario = WAR, **changes: Any) -> World:
    """Return Tarn's bomber over Ostrava's planet, before its battle with Ostrava's destroyer, if
    any.
    """
    fleets = [Fleet("tarn/f1", "tarn", "Rain", HEX)]
    ships = [Ship("tarn/s1", "tarn", "Rain", "Bomber", "tarn/f1")]
    if defended:
        fleets.insert(0, Fleet("ostrava/f1", "ostrava", "Guard", HEX))
        ships.insert(0, Ship("ostrava/s1", "ostrava", "Guard", "Sayan Battlecruiser", "ostrava/f1"))
    holdings = initial_world(scenario).holdings
    result = World(
        3, "battles", tuple(fleets), tuple(ships), holdings, engagements=(DUEL,) if defended else ()
    )
    return replace(result, **changes)


def aftermath(scenario: Scenario, before: World, *results: BattleResult) -> StageOutcome:
    return resolve(
        scenario,
        before,
        {},
        {result.engagement: result for result in results},
        KeyedDice(b"x" * 32, ("ground",)),
    )


def ground_hits_of(outcome: StageOutcome) -> list[tuple[str, tuple[str, ...], int]]:
    """Return the targets hit, who is notified, and the boxes left."""
    hit_facts = [
        (dict(event.facts), event.audience)
        for event in outcome.week_events
        if event.code == "ground-hit"
    ]
    return [
        (str(facts["target"]), audience, number_in(facts["remaining"]))
        for facts, audience in hit_facts
    ]


def bombard(before: World, marks: Mapping[str, int], scenario: Scenario = WAR) -> BattleResult:
    """Return the result of a duel without fire at ships and with this damage of ground targets."""
    battle = start(battle_setup(scenario, before, DUEL, salt=b"salt"))
    for name, damage in marks.items():
        battle.state.piece(Site, name).damage = damage
    return battle_result(scenario, before, DUEL, battle.to_json(), None, 3)


def test_battle_has_the_sides_ground_targets_with_their_damage() -> None:
    """A third faction's targets there are left out."""
    before = world(ground=(GroundDamage(PRIME.id, 3, 1), GroundDamage("mere", 1, 2)))
    document = battle_setup(WAR, before, DUEL, salt=b"salt")
    assert document["ground"] == [
        {"side": "ostrava", "planet": "planet-1", "boxes": 6, "damage": 0},
        {"side": "ostrava", "planet": "planet-1", "boxes": 2, "damage": 1},
    ]
    assert "ground" not in battle_setup(
        war(GroundTarget("skerry", "planet-1", 3)), world(), DUEL, salt=b"salt"
    )


def test_ground_damage_lasts_and_is_reported_to_those_present() -> None:
    before = world(ground=(GroundDamage(PRIME.id, 3, 1), GroundDamage("mere", 1, 2)))
    outcome = aftermath(WAR, before, bombard(before, {"site-1": 4, "site-2": 2}))
    assert outcome.world.ground == (
        GroundDamage("mere", 1, 2), GroundDamage(PRIME.id, 1, 4), GroundDamage(PRIME.id, 3, 2),
    )  # fmt: skip
    audience = ("ostrava", "tarn")
    assert ground_hits_of(outcome) == [("Yards", audience, 2), ("ground target 3", audience, 0)]


def test_captains_bombard_in_a_war() -> None:
    """Neither side has weapons against ships, so the bombers keep their orbit."""
    before = world()
    guard, bomber = before.ships
    cls = next(ship_class for ship_class in WAR.catalogue if ship_class.name == guard.cls)
    disarmed = replace(guard, lost=(*cls.weapons, "drive", "drive"))
    before = replace(before, ships=(disarmed, replace(bomber, lost=("beam-1",))))
    doctrines = {side: {"break_off": 100} for side in ("ostrava", "tarn")}
    battle = start(battle_setup(WAR, before, DUEL, salt=b"salt"))
    ended_battle = fight(battle, doctrines, Dice("bombs"), "captains", 30)
    result = battle_result(
        WAR, before, DUEL, ended_battle.to_json(), ended_battle.winner, ended_battle.turn
    )
    assert sum(damage for _, damage in result.ground) > 0
    assert aftermath(WAR, before, result).world.ground


ALL = [("Yards", 0), ("ground target 2", 0), ("ground target 3", 0)]


@pytest.mark.parametrize(
    ("changes", "ruins"),
    [
        ({}, ALL),
        ({"lost": ("ortillery-1", "ortillery-2", "ortillery-3")}, ALL),
        ({"lost": ("ortillery-1", "ortillery-2", "ortillery-3", "ortillery-4")}, []),
        ({"docked": True}, []),
    ],
)
def test_undefended_targets_are_ruined_in_a_week(
    changes: dict[str, Any], ruins: list[tuple[str, int]]
) -> None:
    before = world(defended=False)
    before = replace(before, ships=(replace(before.ships[0], **changes),))
    ground_hits = ground_hits_of(aftermath(WAR, before))
    assert [(target, boxes_left) for target, _, boxes_left in ground_hits] == ruins
    assert all("tarn" in audience for _, audience, _ in ground_hits)
    assert all(
        ("skerry" in audience) is (target == "ground target 2")
        for target, audience, _ in ground_hits
    )


def test_targets_are_spared_by_friends_and_without_superiority() -> None:
    own_target_war = war(GroundTarget("tarn", "planet-1", 3))
    assert (
        ground_hits_of(aftermath(own_target_war, world(defended=False, scenario=own_target_war)))
        == []
    )
    before = world()
    outcome = aftermath(WAR, before, bombard(before, {}))  # both are still there, in stand-off
    assert ground_hits_of(outcome) == []


def test_damage_is_known_to_the_owner_and_to_others_as_last_seen() -> None:
    after = world(defended=False, stage="orders", ground=(GroundDamage(PRIME.id, 1, 4),))
    (damage,) = after.ground
    views = {
        power: build_view(WAR, after, power, initial_view(WAR, power), ())
        for power in ("ostrava", "tarn", "skerry")
    }
    known_damage = {power: view.ground for power, view in views.items()}
    assert known_damage == {"ostrava": (damage,), "tarn": (damage,), "skerry": ()}
    after_departure = replace(
        after,
        fleets=(replace(after.fleets[0], hex=KNOT.systems[0].hex),),
        ground=(GroundDamage(PRIME.id, 1, 6),),
    )
    assert build_view(WAR, after_departure, "tarn", views["tarn"], ()).ground == (damage,)
    assert build_view(WAR, after_departure, "ostrava", views["ostrava"], ()).ground == (
        GroundDamage(PRIME.id, 1, 6),
    )


def test_ruins_can_decide_a_war() -> None:
    condition = Condition(
        "Ostrava bombed out", "tarn", None, at_least=2, total=True, ruins="ostrava"
    )
    bombed = war(
        YARDS, GroundTarget("ostrava", "planet-1", 2), victory=(condition, Condition("draw"))
    )
    outcome = aftermath(bombed, world(defended=False, scenario=bombed))
    assert (outcome.world.stage, outcome.world.result, outcome.world.winner) == (
        "over",
        "Ostrava bombed out",
        "tarn",
    )
    early = world(scenario=bombed)
    outcome = aftermath(bombed, early, bombard(early, {"site-2": 2}, bombed))
    assert (outcome.world.stage, outcome.world.result) == ("orders", None)
