"""Q ships: merchants to everybody, until they do what no such merchant can."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from engine.battle import Battle, battle_from, start
from engine.combat.q_ships import ordinary_cover, visible_ship
from engine.core.errors import RuleViolations
from engine.core.ship import ShipState
from engine.documents import event_from_json, replay
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.battle.table import at, classes, events_of, fire, play, scripted, setup, ship
from tests.engine.field.ships import ARCS, play_stops

pytestmark = pytest.mark.rule("2e.q-ships")

GUN_C = {"type": "battery", "battery": "C", "arcs": ARCS}
GUN_A = {"type": "battery", "battery": "A", "arcs": ARCS}
PACKET: dict[str, Any] = {
    "class": "Packet", "edition": "second-edition", "kind": "merchant", "mass": 40, "thrust": 2, "ftl": "standard",
    "systems": [GUN_C, {"type": "screen"}],
}  # fmt: skip


def raider(*systems: dict[str, Any], thrust: int = 4, ftl: str = "standard") -> dict[str, Any]:
    """Return a Q ship of MASS 40: 10 boxes in four rows, like every merchant of its MASS."""
    fitted = [GUN_C, {"type": "screen", "count": 2}, GUN_A, GUN_A, *systems]
    return {"class": "Raider", "edition": "second-edition", "kind": "q-ship", "mass": 40, "thrust": thrust, "ftl": ftl,
            "systems": fitted}  # fmt: skip


def decoy(
    x: float = 60, y: float = 40, course: int = 12, velocity: int = 0, **more: Any
) -> dict[str, Any]:
    ship_keys = {"design": raider(), "cover": PACKET} | more
    return {
        "id": "q",
        "at": [x, y],
        "course": course,
        "velocity": velocity,
        "contact": "Q",
        **ship_keys,
    }


def against(q: dict[str, Any], *others: dict[str, Any], **more: Any) -> dict[str, Any]:
    return setup([ship("r1", "Battleship", 60, 50, 6, 0, contact="R")], [q, *others], **more)


def contact_document(battle: Battle) -> Mapping[str, Any]:
    return observe(battle.state, 0).contacts[0].to_json()


def q_ship(**more: Any) -> ShipState:
    return at(start(against(decoy(**more)), classes()), "q")


def test_q_ship_shows_its_covers_figures() -> None:
    battle = start(against(decoy()), classes())
    assert contact_document(battle)["class"] == "Packet"
    contact = observe(battle.state, 0).contacts[0]
    assert (contact.thrust, contact.screens, contact.firecons, contact.label) == (
        2,
        1,
        1,
        "merchant",
    )
    assert contact.power == (1, 0, 0) * 3
    own = observe(battle.state, 1).own_ships[0]
    assert (own.sheet.cls, own.thrust) == ("Raider", 4)
    assert observe(battle.state, 1).to_json()["own"]["q"]["cover"] == "Packet"


def test_screens_beyond_the_cover_stay_down_until_revealed() -> None:
    assert q_ship().screens == 1
    shot = {"engage": {"r1": fire(("battery-1", "q"))}}
    battle = play(against(decoy()), [shot], beam=[5, 6], threshold=[1] * 8)
    assert [(event.screens, event.hits) for event in events_of(battle, "shot")] == [(1, 3)]
    both = {"engage": [["q", fire(("battery-2", "r1"))], ["r1", fire(("battery-1", "q"))]]}
    battle = play(
        against(decoy()), [both], initiative=[1, 6], beam=[1, 1, 1, 5, 6], threshold=[1] * 8
    )
    assert [event.screens for event in events_of(battle, "shot")] == [
        2,
        2,
    ]  # the battleship has two as well


@pytest.mark.parametrize(
    ("turn", "why"),
    [
        ({"engage": {"q": fire(("battery-1", "r1"))}}, None),  # a merchant's gun
        ({"engage": {"q": fire(("battery-2", "r1"))}}, "fires"),
        ({"plot": {"q": "S1+1"}}, None),
        ({"plot": {"q": "+2"}}, None),
        ({"plot": {"q": "+3"}}, "moves"),
        ({"plot": {"q": "S2+1"}}, "moves"),
        ({"plot": {"q": "S4"}}, None),  # at rest every ship can rotate
        ({"plot": {"q": "scan R"}}, "scans"),
        ({"plot": {"q": "ftl"}}, None),
    ],
)
def test_actions_that_reveal_it(turn: dict[str, Any], why: str | None) -> None:
    turn = json.loads(json.dumps(turn).replace("scan R", "scan r1"))
    battle = play(against(decoy()), [turn], beam=[1] * 3)
    assert [event.cause for event in events_of(battle, "uncovered")] == ([why] if why else [])
    assert contact_document(battle)["class"] == ("Raider" if why else "Packet")
    assert (at(battle, "q").screens == 2) is bool(why)


def test_turn_beyond_its_cover_reveals_it() -> None:
    for plot, plain in (("S1", True), ("P1+1", True), ("S2", False), ("P1-2", False)):
        battle = play(against(decoy(velocity=6)), [{"plot": {"q": plot}}])
        assert bool(events_of(battle, "uncovered")) is not plain


def test_halved_drive_halves_the_cover() -> None:
    slow = decoy(velocity=6, lost=["drive"])
    assert (visible_ship(q_ship(lost=["drive"])).thrust, q_ship(lost=["drive"]).thrust) == (1, 2)
    assert not events_of(play(against(slow), [{"plot": {"q": "+1"}}]), "uncovered")
    assert events_of(play(against(slow), [{"plot": {"q": "+2"}}]), "uncovered")


def test_jump_beyond_its_cover_reveals_it() -> None:
    local = decoy(cover=PACKET | {"ftl": "none"})
    assert (
        events_of(play(against(local), [{"plot": {"q": "ftl"}}]), "uncovered")[0].cause == "jumps"
    )


def test_sweeping_reveals_it_and_laying_mines_does_not() -> None:
    minelayer = decoy(design=raider({"type": "minelayer"}), velocity=8)
    assert not events_of(play(against(minelayer), [{"plot": {"q": "mine"}}]), "uncovered")
    armed = decoy(design=raider({"type": "minesweeper"}), velocity=8)
    layer = {"id": "r1", "design": PACKET | {"kind": "q-ship", "class": "L", "systems": [{"type": "minelayer"}]},
             "at": [60, 50], "course": 6, "velocity": 0}  # fmt: skip
    both = setup([layer], [armed])
    battle = play(both, [{"plot": {"r1": "mine"}}, {"plot": {"q": "sweep"}}], sweep=[6])
    assert [event.cause for event in events_of(battle, "uncovered")] == ["sweeps"]


def test_thresholds_show_only_the_covers_systems() -> None:
    shot = {"engage": {"r1": fire(("battery-1", "q"))}}
    stops = play_stops(
        against(decoy()), [shot], scripted(beam=[6, 1, 1], threshold=[6, 1, 6, 1, 6, 1, 6, 1])
    )
    foreign = [
        line
        for stop in stops
        for line in side_log(stop.events, stop.before, 0)
        if line["event"] == "threshold"
    ]
    own = [
        line
        for stop in stops
        for line in side_log(stop.events, stop.before, 1)
        if line["event"] == "threshold"
    ]
    assert [name for name, _ in foreign[0]["rolls"]] == [
        "battery-1",
        "screen-1",
        "firecon-1",
        "drive",
        "ftl",
    ]
    assert len(own[0]["rolls"]) > len(foreign[0]["rolls"])
    assert set(foreign[0]["lost"]) <= {"battery-1", "screen-1", "firecon-1", "drive", "ftl"}
    contact = observe(stops[-1].after, 0).contacts[0].to_json()
    assert contact["lost"] == foreign[0]["lost"]
    assert contact["damage"] == 2


def test_revealed_ship_shows_all_losses() -> None:
    q = decoy(lost=["battery-2", "screen-2", "firecon-1"])
    assert contact_document(start(against(q), classes()))["lost"] == ["firecon-1"]
    battle = play(against(q), [{"plot": {"q": "+4"}}])
    assert contact_document(battle)["lost"] == ["screen-2", "battery-2", "firecon-1"]


def test_bogey_is_identified_as_its_cover_until_it_fires() -> None:
    document = against(decoy(y=95), bogeys=True)
    battle = start(document, classes())
    assert contact_document(battle)["classification"] == "merchant"
    document = against(decoy(y=80), bogeys=True)
    assert events_of(start(document, classes()), "contact-identified")[1].cls == "Packet"
    stops = play_stops(document, [{"plot": {"q": "+4"}}], scripted())
    names = [line["event"] for stop in stops for line in side_log(stop.events, stop.before, 0)]
    assert "uncovered" in names


def test_abilities_of_a_bogey_are_no_surprise() -> None:
    document = against(decoy(y=95), bogeys=True)
    stops = play_stops(document, [{"plot": {"q": "+4"}}], scripted())
    assert not any(event.kind == "uncovered" for stop in stops for event in stop.events)
    stops = play_stops(document, [{"plot": {"q": "scan r1"}}], scripted())
    names = [line["event"] for line in side_log(stops[0].events, stops[0].before, 0)]
    assert "uncovered" not in names
    revealed = next(
        event
        for event in stops[0].events
        if event.kind == "contact-identified" and event.to_json()["ship"] == "q"
    )
    assert revealed.to_json()["cls"] == "Raider"


@pytest.mark.parametrize(
    ("design", "cover", "why"),
    [
        (raider(), PACKET | {"mass": 60}, "its own mass, 40, not 60"),
        (raider(thrust=2), PACKET | {"thrust": 4}, "has thrust 4; the ship itself has only 2"),
        (raider(), PACKET | {"systems": [{"type": "pdaf"}]}, "it lacks pdaf-1 of Packet"),
        (raider(), PACKET | {"systems": [GUN_C, GUN_C]}, "it lacks battery-2 of Packet"),
        (raider(ftl="none"), PACKET, "it lacks ftl of Packet"),
        (raider(), raider() | {"class": "Other"}, "pose only as a merchant; Other is not one"),
        (PACKET, PACKET, "only a Q ship can pose as another class"),
        (raider(), "Nonesuch", "no class 'Nonesuch'"),
        (raider(), 7, "a text"),
        (raider(), {"class": "x"}, "mass"),
    ],
)
def test_impossible_covers(design: dict[str, Any], cover: Any, why: str) -> None:
    with pytest.raises(RuleViolations) as bad:
        start(against(decoy(design=design, cover=cover)), classes())
    assert all(fault.where.startswith("sides[1].ships[0].cover") for fault in bad.value.violations)
    assert any(why in f"{fault.where} {fault.message}" for fault in bad.value.violations)


def test_default_cover_is_an_ordinary_freighter() -> None:
    document = against(ship("q", "Q Ship", 60, 40, contact="Q"))
    q = at(start(document, classes()), "q")
    assert q.cover == ordinary_cover(q.sheet)
    assert q.cover is not None
    assert (q.cover.cls, q.cover.mass, q.cover.thrust, q.cover.kind) == (
        "Freighter",
        36,
        2,
        "merchant",
    )
    assert [fit.id for fit in q.cover.fits] == ["screen-1", "pdaf-1", "firecon-1", "drive", "ftl"]
    assert q.cover.rows == q.sheet.rows
    contact = against(ship("q", "Q Ship", 60, 40, cover=None))
    assert at(start(contact, classes()), "q").cover is None


def test_q_ship_round_trips_and_replays() -> None:
    shot = {"engage": {"r1": fire(("battery-1", "q"))}}
    turns: list[dict[str, Any]] = [
        shot,
        {"plot": {"q": "+4"}},
        {"engage": {"q": fire(("battery-2", "r1"))}},
    ]
    document = against(decoy())
    for length in (1, 2, 3):
        battle = play(document, turns[:length], beam=[6, 1, 1] + [1] * 6, threshold=[1, 6] * 4)
        again = battle_from(json.loads(json.dumps(battle.to_json())))
        assert again.to_json() == battle.to_json()
        assert (again.state.ship_by_name("q").cover is None) is (length > 1)
        log = [event_from_json(line) for line in json.loads(json.dumps(battle.events_json))]
        replayed = replay(start(document, classes()).state, log)
        assert (
            Battle(battle.edition, battle.options, replayed, battle.winner, []).to_json()
            == battle.to_json()
        )
