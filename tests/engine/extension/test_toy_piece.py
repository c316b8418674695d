"""A piece that one file adds: it moves, blocks, harms, is logged, seen as marked, avoided, said,
drawn, stored.

Nothing in the house knows it but by its kind, which the test registers and takes away again.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import render_to_string

from campaign.drawings.table_picture import picture
from campaign.pages.battle.fights import things_of
from campaign.pages.table.table_data import things
from campaign.words.battle.log import SideNames, line_of
from engine import stops
from engine.battle import Battle, battle_from, start
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.ids import ShipId
from engine.core.orders import HOLD
from engine.documents import event_from_json, replay
from engine.known_battle import known_battle
from engine.pieces.registry import kinds, registered
from engine.view.side_log import side_log
from engine.view.side_view import observe
from engine.view.told_events import told_event
from tests.engine.battle.table import setup, vessel
from tests.engine.extension.toy_cloud import SPEED, Cloud, CloudDrifted
from tests.engine.guns.armoury import ship
from tests.engine.guns.armoury import table as later_table

EACH = pytest.mark.parametrize("edition", ["second-edition", "continuum"])
STORED = Path(__file__).parents[1] / "stored" / "battles-2.json.gz"


@pytest.fixture(autouse=True)
def toys() -> Iterator[None]:
    with registered(Cloud):
        yield
    assert Cloud not in kinds()
    with pytest.raises(RuleViolations, match="no kind of piece 'haze'"):
        battle_from(duel("second-edition").to_json())


def duel(edition: str, at: tuple[float, float] = (60.0, 37.0), course: int = 6) -> Battle:
    """`r1` flies straight up at `b1`, whose cloud lies between them; red calls `b1` contact-7."""
    if edition == "continuum":
        red = ship("r1", 60, 20, "beam:2@F+FS+FP", velocity=8)
        battle = start(
            later_table([red], [ship("b1", 60, 50, "beam:2@F+FS+FP", course=6)], options=()), {}
        )
    else:
        battle = start(
            setup(
                [vessel("r1", 60, 20, "battery:A", velocity=8)],
                [vessel("b1", 60, 50, "battery:A", 6)],
            ),
            {},
        )
    battle.state.named("b1").contact = "contact-7"
    battle.state.stop = "plot"
    battle.state.pieces.append(
        Cloud("cloud-1", 1, ShipId("b1"), *at, 2.0, course, dust=4, recipe="bone-meal")
    )
    return battle


def moved(battle: Battle) -> tuple[Battle, Any]:
    """Everybody flies straight on."""
    plots: dict[int, object] = {side: {"plot": {}} for side in (0, 1)}
    return stops.resolve(battle, plots, Dice("dust"))


def lines(battle: Battle, stop: Any, side: int) -> list[dict[str, Any]]:
    told = side_log(stop.events, battle.state, side)
    return [line for line in told if line["event"] in ("haze-drifted", "hazed")]


@EACH
def test_it_drifts_and_harms_who_flies_through_and_is_told_so(edition: str) -> None:
    begun = duel(edition, (60.0, 29.0))
    after, stop = moved(begun)
    (cloud,) = after.state.of(Cloud)
    assert (cloud.x, cloud.y) == (60.0, 26.0)
    drift, dusted = (
        event.to_json() for event in stop.events if event.kind in ("haze-drifted", "hazed")
    )
    assert drift["at"] == [60.0, 26.0]
    assert after.state.named("r1").damage == dusted["die"] > 0
    assert replay(begun.state, stop.events).of(Cloud) == [cloud]
    assert event_from_json(json.loads(json.dumps(drift))).kind == "haze-drifted"


@EACH
def test_each_side_reads_and_sees_what_is_marked(edition: str) -> None:
    begun = duel(edition, (60.0, 29.0))
    after, stop = moved(begun)
    drift, dusted = lines(begun, stop, 0)
    assert drift == {"event": "haze-drifted", "turn": 1, "cloud": "cloud-1", "at": [60.0, 26.0]}
    assert (dusted["ship"], dusted["by"]) == ("r1", "contact-7")
    assert [line["by"] for line in lines(begun, stop, 1)[1:]] == ["b1"]
    views: list[Mapping[str, Any]] = [observe(after.state, side).to_json() for side in (0, 1)]
    seen = {side: view["hazes"] for side, view in enumerate(views)}
    open_part = {"id": "cloud-1", "side": 1, "x": 60.0, "y": 26.0, "radius": 2.0, "course": 6}
    assert seen == {
        0: [open_part | {"ship": "contact-7", "dust": 0}],
        1: [open_part | {"ship": "b1", "dust": 4}],
    }
    for side in (0, 1):
        known = known_battle(after, side)
        assert [(piece.dust, piece.recipe) for piece in known.state.of(Cloud)] == [(4 * side, "")]
        assert "bone-meal" not in json.dumps(
            [known.to_json(), stop.view(side), stops.side_view(after, side)]
        )


@EACH
def test_nobody_fires_through_it(edition: str) -> None:
    weapon = {"second-edition": "battery-1", "continuum": "beam-1"}[edition]
    hits = {}
    for x in (60.0, 90.0):
        after, _ = moved(duel(edition, (x, 41.0)))
        fire = {"engage": {"r1": [{"weapon": weapon, "target": "contact-7"}]}}
        _, stop = stops.resolve(after, {0: fire}, Dice("fire"))
        hits[x] = [
            event.kind for event in stop.events if event.kind in ("shot", "fire", "shot-refused")
        ]
    assert hits[60.0] == ["shot-refused"]
    assert hits[90.0] in (["shot"], ["fire"])


@EACH
def test_captains_keep_clear_of_it(edition: str) -> None:
    def flown(battle: Battle) -> tuple[str, Any]:
        """What red's captain orders, and `r1` when that is done."""
        words = Captain(Doctrine(), Dice(1)).plots(observe(battle.state, 0)).get("r1", HOLD).words()
        return words, stops.resolve(battle, {0: {"plot": {"r1": words}}}, Dice("way"))[
            0
        ].state.named("r1")

    plain, there = flown(duel(edition, (110.0, 110.0)))
    around, clear = flown(duel(edition, (there.x, there.y + SPEED)))
    assert plain != around
    assert clear.damage == 0
    blind = duel(edition, (there.x, there.y + SPEED))
    after, _ = stops.resolve(blind, {0: {"plot": {"r1": plain}}}, Dice("way"))
    assert after.state.named("r1").damage > 0


def test_pages_say_and_draw_it() -> None:
    begun = duel("second-edition", (60.0, 29.0))
    after, stop = moved(begun)
    names = SideNames({"r1": "Wasp", "contact-7": "Hornet"})
    said = [line_of(told_event(line), names) for line in lines(begun, stop, 0)]
    assert [line.words for line in said if line] == [
        "A dust cloud drifts: it is at 60, 26",
        "Wasp flies through the dust of Hornet",
    ]
    assert said[1] is not None
    assert said[1].detail.startswith("die ")
    view = observe(after.state, 0).to_json()
    (thing,) = things_of(view, names, 120.0)
    assert (thing.kind, thing.x, thing.y, thing.r, thing.words) == (
        "haze",
        600,
        940,
        20,
        "haze at 60, 26",
    )
    data = {
        "table": [120, 120],
        "own": [],
        "contacts": [],
        "things": things(view, names),
        "tracks": {},
        "shots": [],
    }
    drawn = render_to_string("campaign/_fight_table.html", {"picture": picture(data)})
    assert (
        '<circle class="thing haze" cx="450.0" cy="694.8" r="14.4"><title>haze at 60, 26</title></circle>'
        in drawn
    )


@EACH
def test_it_is_stored_and_read_back(edition: str) -> None:
    after, _ = moved(duel(edition))
    stored = json.loads(json.dumps(after.to_json()))
    assert stored["pieces"][0] | {"x": 0} == {
        **{
            "kind": "haze",
            "id": "cloud-1",
            "side": 1,
            "ship": "b1",
            "x": 0,
            "y": 34.0,
            "radius": 2.0,
            "course": 6,
        },
        **{"dust": 4, "recipe": "bone-meal"},
    }
    assert battle_from(stored).to_json() == after.to_json()
    assert battle_from(stored).state.of(Cloud) == after.state.of(Cloud)


def test_a_battle_of_an_earlier_release_takes_it_in() -> None:
    old = json.loads(gzip.decompress(STORED.read_bytes()))[0]["battle"]
    battle = battle_from(old)
    battle.state.pieces.append(Cloud("cloud-1", 0, battle.state.ships[0].id, 1.0, 2.0, 2.0, 3))
    again = battle_from(json.loads(json.dumps(battle.to_json())))
    assert [piece.kind for piece in again.state.pieces].count("haze") == 1
    assert len(again.state.pieces) == len(battle.state.pieces) > 1


def test_a_kind_is_registered_once() -> None:
    with pytest.raises(ValueError, match="haze"), registered(Cloud):
        pass
    assert CloudDrifted.said
