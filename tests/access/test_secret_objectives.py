"""Two wars that differ only in what one faction cannot know of objectives answer it alike."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from campaign.rules import perception
from campaign.rules.codec import encode
from campaign.rules.known_objectives import known_scenario
from campaign.rules.scenario import Goods, Objective
from campaign.rules.view import View
from campaign.rules.world import (
    Delivery,
    GoodsStock,
    LateFleet,
    Loss,
    ObjectiveState,
)
from campaign.sight.views import current_sight
from campaign.store import documents
from campaign.web import faction_objectives
from tests.campaign.api.calls import war_at
from tests.campaign.rules import space

pytestmark = pytest.mark.rule("camp.hidden")

OWN = Objective("keep", "ember", "save", points=3, by=4, secret=True)
OPEN = Objective("sink", "frost", "destroy", points=4, by=4, number=2, ships="all", of="ember")
SECRET = Objective(
    "sneak", "frost", "bring", points=9, by=4, secret=True, ships="all", to=("0101",)
)
ADDRESSES = (
    *("", "objectives/", "view/", "map/", "rules/", "seats/", "orders/", "fleets/", "gazette/1/"),
)


def answers(
    war: Any, secrets: tuple[Objective, ...], patch: pytest.MonkeyPatch
) -> tuple[list[bytes], bytes]:
    """Return what Ember is told by the API and in its war room, if Frost has these secrets."""
    stored = documents.stored_scenario(war.campaign.scenario)
    with patch.context() as patched:
        whole = replace(stored, objectives=(OWN, OPEN, *secrets))
        patched.setattr(documents, "stored_scenario", lambda _: whole)
        documents._configured.clear()
        told = [war.ember.get(address).content for address in ADDRESSES]
        scenario = documents.true_scenario_of(war.campaign)
        shown = faction_objectives.objectives_for(scenario, current_view(war))
    documents._configured.clear()
    return told, json.dumps([str(item) for item in shown]).encode()


def current_view(war: Any) -> View:
    return current_sight(war.campaign, war.campaign.factions.get(key="ember")).view


@pytest.mark.any_database
@pytest.mark.django_db
def test_secret_objectives_of_others_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    war = war_at("orders")
    without = answers(war, (), monkeypatch)
    assert b'"keep"' in without[0][1]
    assert b'"sink"' in without[0][1]
    assert answers(war, (SECRET,), monkeypatch) == without
    assert answers(war, (replace(SECRET, points=5), SECRET), monkeypatch) == without
    monkeypatch.setattr(faction_objectives, "known_scenario", lambda scenario, _: scenario)
    assert answers(war, (SECRET,), monkeypatch) != without, "a planted leak must be found"


def test_hidden_progress_changes_no_view() -> None:
    """Losses, goods, landings and late fleets of the other side stay out of a running war's view."""
    goods = (Goods("grain", "cargo", (("far", 50),)),)
    own = Objective("hold", "red", "hold", points=1, by=5, systems=("settled",))
    denied = Objective("feed", "blue", "deliver", 2, 5, what="grain", to=("far",), number=10)
    stop = Objective("stop", "red", "deny", points=1, by=5, of="blue/feed")
    war = replace(space.scenario(), goods=goods, objectives=(denied, own, stop))
    mine = space.fleet("red/f1"), space.ship("red/s1", "red/f1")
    first = replace(space.world(*mine), stage="orders", week=3)
    lost = space.ship("blue/s9", "blue/f9")
    second = replace(
        first,
        losses=(Loss(lost, 2, space.FAR, "destroyed"),),
        goods=(GoodsStock("far", "grain", 7),),
        deliveries=(Delivery("blue", "grain", "far", 9, 2),),
        late=(LateFleet(4, space.fleet("blue/f9"), (lost,)),),
        objectives=(ObjectiveState("blue/feed", 9),),
    )
    views = [perception.build_view(war, world, "red", None, ()) for world in (first, second)]
    assert encode(views[0]) == encode(views[1])
    blue = perception.build_view(war, second, "blue", None, ())
    assert blue.late == second.late, "its owner knows them"
    assert blue.deliveries == second.deliveries


def test_only_secret_objectives_of_others_are_left_out() -> None:
    war = replace(space.scenario(), objectives=(OWN, OPEN, SECRET))
    assert known_scenario(war, "ember").objectives == (OWN, OPEN)
    assert known_scenario(war, "frost").objectives == (OPEN, SECRET)
    assert known_scenario(war, None).objectives == (OPEN,)


def test_keys_of_ships_that_others_brought_stay_hidden_after_the_war() -> None:
    own, other = replace(SECRET, faction="red"), replace(SECRET, faction="blue")
    war = replace(space.scenario(), objectives=(own, other))
    states = (
        ObjectiveState(own.key, 1, ("red/s1",)),
        ObjectiveState(other.key, 1, ("blue/s1",)),
    )
    mine = space.fleet("red/f1"), space.ship("red/s1", "red/f1")
    world = replace(space.world(*mine), stage="over", week=5, objectives=states)
    view = perception.build_view(war, world, "red", None, ())
    assert view.objectives == (states[0], replace(states[1], ships=()))
