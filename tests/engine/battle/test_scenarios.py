"""The introductory battle and both scenarios: printed forces, victory, and captains with aims."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from engine import stops
from engine.battle import Battle, fight, start
from engine.captains.common.foes import Foe
from engine.captains.common.objectives import has_reached_aim, prey_of, runners_of
from engine.cli.battle import battle_file
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.victory import decide_outcome
from engine.events.battle import SetUpOrder
from engine.notation.files import fixture_classes
from engine.odds import fight_run
from engine.pieces.asteroid import Asteroid
from engine.view.side_view import observe
from tests.engine.battle.table import at, classes, events_of, gunship, play, replays, setup, ship

FILES = Path(__file__).resolve().parents[3] / "fixtures" / "battles"


def scenario(name: str, **more: Any) -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load((FILES / f"{name}.yaml").read_text(encoding="utf-8"))
    return document | more


def start_scenario(name: str, **more: Any) -> Battle:
    return start(scenario(name, **more), classes(), Dice(1))


def fits(ship: ShipState) -> dict[str, int]:
    """Return a ship's systems as the book lists them: type, variant and arcs."""
    counts: dict[str, int] = {}
    for fit in ship.sheet.fits:
        if fit.type not in ("firecon", "drive", "ftl"):
            name = " ".join((fit.type, fit.variant, "".join(fit.arcs))).strip()
            counts[" ".join(name.split())] = counts.get(" ".join(name.split()), 0) + 1
    return counts


FREIGHTER = (60, 15, 2, {"battery C FSP": 1, "screen": 1, "pdaf": 2})
ESCORT_CRUISER = (26, 13, 4, {"screen": 1, "battery B FSP": 3, "adaf": 1, "pdaf": 1})
DESTROYER = (14, 7, 6, {"battery B FSP": 2, "battery C FSP": 1, "pdaf": 2})
HEAVY_CRUISER = (
    32,
    16,
    4,
    {"screen": 1, "battery A FSP": 1, "battery B FSP": 3, "adaf": 1, "pdaf": 1},
)
MISSILE_DESTROYER = (14, 7, 6, {"pulse-torpedo F": 1, "battery C FSP": 1, "pdaf": 1})
LIGHT_CRUISER = (22, 11, 6, {"screen": 1, "battery B FSP": 3, "pdaf": 2})
FRIGATE = (10, 5, 6, {"battery B FSP": 1, "battery C FSP": 1, "pdaf": 2})
STATION = (200, 50, 0, {"screen": 1, "battery C FSAP": 2, "pdaf": 3})
DREADNOUGHT = (
    *(60, 30, 2),
    {
        "screen": 2,
        "battery B FSP": 1,
        "battery A FP": 2,
        "battery A FS": 2,
        "fighter-bay": 1,
        "pdaf": 4,
    },
)


FIRST = [*[LIGHT_CRUISER] * 2, *[FRIGATE] * 3]
CONVOY = [*[FREIGHTER] * 3, ESCORT_CRUISER, *[DESTROYER] * 2]


@pytest.mark.rule("2e.first-battle")
@pytest.mark.rule("2e.convoy-990")
@pytest.mark.rule("2e.con-am-12")
@pytest.mark.parametrize(
    ("name", "side", "forces"),
    [
        ("first-battle", 0, FIRST),
        ("first-battle", 1, FIRST),
        ("convoy-990", 0, CONVOY),
        ("convoy-990", 1, [HEAVY_CRUISER, *[MISSILE_DESTROYER] * 3]),
        ("con-am-12", 0, [STATION, *FIRST]),
        ("con-am-12", 1, [DREADNOUGHT, *[DESTROYER] * 3]),
    ],
)
def test_forces_are_as_printed(name: str, side: int, forces: list[Any]) -> None:
    ships = [ship for ship in start_scenario(name).state.ships if ship.owner == side]
    assert [(s.sheet.mass, s.sheet.boxes, s.thrust, fits(s)) for s in ships] == forces
    assert [s.screens for s in ships] == [systems.get("screen", 0) for _, _, _, systems in forces]


@pytest.mark.rule("2e.convoy-990")
def test_convoy_is_set_up_as_printed() -> None:
    state = start_scenario("convoy-990").state
    assert {s.velocity for s in state.ships if s.owner == 0} == {6}
    assert {s.course for s in state.ships if s.owner == 0} == {3}
    assert max(s.x for s in state.ships if s.owner == 0) <= 6
    corner = state.table
    assert all(
        (s.x - corner[0]) ** 2 + (s.y - corner[1]) ** 2 <= 12**2
        for s in state.ships
        if s.owner == 1
    )
    with pytest.raises(RuleViolations, match="gravity well"):
        stops.resolve_documents(start_scenario("convoy-990"), {0: {"plot": {"f1": "ftl"}}}, Dice(1))


@pytest.mark.rule("2e.convoy-990", "pc.placing-in-turn")
def test_sides_choose_what_the_books_leave_to_them() -> None:
    """2E leaves the strike force its velocity; in Continuum 4.12 the lowest die places first."""
    convoy = start(scenario("convoy-990"), classes(), asks_set_up=True).state.set_up
    assert convoy is not None
    esu, nac = convoy.plan.zones
    assert [(zone.velocity, zone.courses) for zone in (*esu, *nac)] == [
        ((6, 6), (3,)),
        ((0, 24), ()),
    ]
    assert (nac[0].box.left, nac[0].box.bottom) == (108 - 12, 60 - 12)
    opened = start(scenario("meeting-engagement"), fixture_classes("continuum"), asks_set_up=True)
    placing = opened.state.set_up
    assert placing is not None
    rolls = next(event for event in opened.events if isinstance(event, SetUpOrder)).rolls
    assert opened.state.sides[placing.side or 0] == min(rolls, key=lambda roll: roll[1])[0]
    first = placing.placeable(placing.side or 0, opened.state.ships)
    assert [ship.sheet.cls for ship in first] == ["Heavy Cruiser"] * 2


@pytest.mark.rule("2e.con-am-12")
@pytest.mark.parametrize("seed", range(5))
def test_station_is_set_up_as_printed(seed: int) -> None:
    state = start(scenario("con-am-12"), classes(), Dice(seed)).state
    station = state.ship_by_name("station")
    points = [(station.x, station.y), *((rock.x, rock.y) for rock in state.pieces_of(Asteroid))]
    width, height = state.table
    assert 5 <= len(state.pieces_of(Asteroid)) <= 10
    assert all(12 <= x <= width - 12 and 12 <= y <= height - 12 for x, y in points)
    assert all(
        (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 >= 144
        for n, a in enumerate(points)
        for b in points[:n]
    )
    guards = [s for s in state.ships if s.owner == 0]
    assert all(
        (s.x - station.x) ** 2 + (s.y - station.y) ** 2 <= 144 and s.velocity == 0 for s in guards
    )
    raiders = [s for s in state.ships if s.owner == 1]
    assert all(s.x <= 6 and s.velocity == 10 for s in raiders), (
        "from the edge farthest from the station"
    )
    assert station.x > width - station.x


def ended(name: str, fates: dict[str, Any]) -> BattleState:
    """Return a scenario's table where ships have these fates: a status, or damage points."""
    state = start_scenario(name).state
    for key, fate in fates.items():
        ship = state.ship_by_name(key)
        if isinstance(fate, int):
            ship.damage = fate
        else:
            ship.status = fate
            ship.damage = ship.sheet.boxes if fate == "destroyed" else ship.damage
    return state


def same_fate(names: str, fate: str = "destroyed") -> dict[str, Any]:
    return dict.fromkeys(names.split(), fate)


NAC, ESU = "n1 n2 n3 n4", "f1 f2 f3 e1 e2 e3"


@pytest.mark.rule("2e.convoy-990")
@pytest.mark.parametrize(
    ("fates", "last", "winner"),
    [
        (same_fate("f1 f2", "ftl"), False, "esu"),
        (same_fate("f1 f2", "ftl") | same_fate(NAC), False, "esu"),
        (same_fate("f1", "ftl") | same_fate("f2"), False, "goes on"),
        (same_fate("f1 f2"), False, "goes on"),
        (same_fate("f1 f2"), True, "nac"),
        (same_fate("f1") | {"f2": 14}, True, "drawn"),
        (same_fate("f1 f2") | same_fate("n1 n2"), True, "nac"),
        (same_fate("f1 f2") | same_fate("n1 n2 n3"), True, "drawn"),
        (same_fate("f1 f2") | same_fate("n1 n2 n3 n4", "left"), False, "nac"),
        (same_fate("f1 f2") | same_fate(NAC), False, "drawn"),
        (same_fate(NAC, "left"), False, "esu"),
        (same_fate(ESU), False, "nac"),
        ({}, True, "drawn"),
    ],
)
def test_winner_of_the_convoy_battle(fates: dict[str, Any], last: bool, winner: str) -> None:
    assert outcome_of(ended("convoy-990", fates), last) == winner


@pytest.mark.rule("2e.convoy-990")
def test_freighter_that_cannot_jump_counts_as_lost() -> None:
    state = ended("convoy-990", {})
    for name in ("f1", "f2"):
        freighter = state.ship_by_name(name)
        freighter.alive[freighter.profile.ftl] = 0
    assert outcome_of(state, True) == "nac"


GUARDS, RAIDERS = "n1 n2 n3 n4 n5", "e1 e2 e3 e4"


@pytest.mark.rule("2e.con-am-12")
@pytest.mark.parametrize(
    ("fates", "last", "winner"),
    [
        (same_fate("station"), False, "esu"),
        (same_fate("station") | same_fate(RAIDERS), False, "esu"),
        ({"station": 30}, False, "goes on"),
        ({"station": 30} | same_fate(RAIDERS), False, "drawn"),
        ({"station": 29} | same_fate(RAIDERS), False, "nac"),
        (same_fate(RAIDERS, "left"), False, "nac"),
        (same_fate(GUARDS) | {"station": 10}, False, "goes on"),
        ({"station": 30}, True, "drawn"),
        ({}, True, "drawn"),
    ],
)
def test_winner_at_the_station(fates: dict[str, Any], last: bool, winner: str) -> None:
    assert outcome_of(ended("con-am-12", fates), last) == winner


@pytest.mark.rule("2e.first-battle")
@pytest.mark.parametrize(
    ("fates", "last", "winner"),
    [
        (same_fate("e1 e2 e3 e4 e5"), False, "nac"),
        (same_fate("e1 e2 e3") | same_fate("e4 e5", "ftl"), False, "nac"),
        (same_fate("n1 n2 n3 n4 n5", "left"), False, "esu"),
        (same_fate("n1 n2 n3 n4 n5 e1 e2 e3 e4 e5"), False, "drawn"),
        (same_fate("n1 n2 n3 n4 n5", "returning"), False, "goes on"),
        (same_fate("n1 n2 n3 n4"), True, "drawn"),
    ],
)
def test_winner_of_the_first_battle(fates: dict[str, Any], last: bool, winner: str) -> None:
    assert outcome_of(ended("first-battle", fates), last) == winner


def outcome_of(state: BattleState, last: bool) -> str:
    outcome = decide_outcome(state, last=last)
    if outcome is None:
        return "goes on"
    assert outcome.draw is (outcome.winner is None)
    return outcome.winner or "drawn"


@pytest.mark.rule("2e.convoy-990")
def test_ship_escapes_over_the_jump_edge_only_with_a_drive() -> None:
    red = [
        ship("f1", "Heavy Freighter", 118, 60, 3, 6),
        ship("f2", "Heavy Freighter", 118, 50, 3, 6, lost=["ftl"]),
    ]
    document = setup(
        red,
        [ship("b1", "Frigate", 118, 20, 3, 6), gunship("b2", 60, 20, "C")],
        jump_edge={"red": "right"},
    )
    battle = play(document, [{}], re_entry=[2, 3])
    assert [at(battle, name).status for name in ("f1", "f2", "b1")] == ["ftl", "left", "left"]
    assert [event.ship for event in events_of(battle, "escaped")] == ["f1"]
    assert replays(start(document, classes()), battle)


def _prey(state: BattleState, side: int) -> tuple[str, ...]:
    view = observe(state, side)
    return prey_of(view, [Foe(contact, ahead=True) for contact in view.contacts if contact.hostile])


@pytest.mark.rule("2e.convoy-990")
def test_captains_derive_their_aim_from_the_conditions() -> None:
    state = start_scenario("convoy-990").state
    assert (runners_of(observe(state, 0)), _prey(state, 0)) == (("f1", "f2", "f3"), ())
    assert (runners_of(observe(state, 1)), _prey(state, 1)) == ((), ("f1", "f2", "f3"))
    assert not has_reached_aim(observe(state, 1))
    state = ended("convoy-990", same_fate("f1 f3"))
    assert _prey(state, 1) == ("f2",)
    assert has_reached_aim(observe(state, 1)), "two are enough: the strike force goes home"


@pytest.mark.parametrize("edition", ["second-edition", "continuum"])
def test_side_without_an_escape_edge_fights_on(edition: str) -> None:
    two = [
        {"id": f"r{n}", "class": "Frigate", "at": [20 + n * 30, 30], "course": 3, "velocity": 4}
        for n in range(2)
    ]
    document = {
        "edition": edition,
        "sides": [{"name": "red", "ships": two[:1]}, {"name": "blue", "ships": two[1:]}],
        "victory": [{"winner": "red", "ships": ["r0"], "fate": "escaped", "reason": "r0 is away"}],
    }
    battle = start(document, fixture_classes(edition))
    assert fight(battle, {}, Dice(1), "1", 3).state.stop == "over"


@pytest.mark.rule("2e.con-am-12")
def test_conditions_do_not_name_unidentified_ships() -> None:
    document = scenario("con-am-12", bogeys=True)
    for number, item in enumerate(document["sides"][0]["ships"]):
        item["contact"] = f"x{number}"
    document["sides"][1]["ships"] = [
        ship | {"contact": f"y{n}"} for n, ship in enumerate(document["sides"][1]["ships"])
    ]
    state = start(document, classes(), Dice(1)).state
    assert _prey(state, 1) == ()
    state.ship_by_name("station").bogey = False
    assert _prey(state, 1) == ("x0",)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("convoy-990", marks=pytest.mark.rule("2e.convoy-990")),
        pytest.param("con-am-12", marks=pytest.mark.rule("2e.con-am-12")),
    ],
)
def test_captains_finish_a_scenario_that_replays(name: str) -> None:
    file = battle_file(scenario(name))
    dice = Dice(file.seed)
    first = start(scenario(name), classes(), dice)
    last = fight(first, file.doctrines, dice, "captains", file.max_turns)
    outcome = last.to_json()["outcome"]
    assert outcome is not None
    assert outcome["reason"]
    assert events_of(last, "battle-over")[0].winner == last.winner == outcome["winner"]
    assert replays(first, last)


@pytest.mark.rule("2e.con-am-12")
def test_either_side_may_win_at_the_station() -> None:
    file = battle_file(scenario("con-am-12"))
    winners = [fight_run(file, number).winner for number in range(12)]
    assert {"nac", "esu"} <= set(winners)


@pytest.mark.parametrize(
    ("condition", "where"),
    [
        (
            {"winner": "mars", "ships": ["f1"], "fate": "escaped", "reason": "x"},
            "victory[0].winner",
        ),
        ({"winner": "esu", "ships": ["f9"], "fate": "escaped", "reason": "x"}, "victory[0].ships"),
        ({"winner": "esu", "ships": ["f1"], "fate": "lost", "reason": "x"}, "victory[0].fate"),
        (
            {"winner": "esu", "ships": ["f1"], "fate": "escaped", "reason": "x", "least": 0},
            "victory[0].least",
        ),
        ({"winner": "esu", "ships": ["f1"], "fate": "escaped"}, "victory[0].reason"),
    ],
)
@pytest.mark.rule("2e.convoy-990")
def test_condition_faults_have_their_place(condition: dict[str, Any], where: str) -> None:
    with pytest.raises(RuleViolations) as error:
        start_scenario("convoy-990", victory=[condition])
    assert [fault.where for fault in error.value.violations] == [where]
    with pytest.raises(RuleViolations, match="edge"):
        start_scenario("convoy-990", jump_edge={"esu": "north"})
