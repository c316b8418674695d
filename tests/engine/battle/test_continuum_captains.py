"""Captains in battles of Continuum: lawful orders whatever they fight with, the same from the same view, and sense."""

from __future__ import annotations

from random import Random

import pytest

from engine import stops
from engine.battle import begin, fight
from engine.captains.doctrine import STYLES, TARGETS, Doctrine
from engine.core.dice import Dice
from engine.known_battle import known_battle
from engine.notation.battles import read_battle
from tests.engine.battle.test_anything_continuum import battle as any_battle

# What a captain cannot foresee when he gives fire: who is shot to pieces before a ship's turn, and what follows for
# FireCons, turrets and sensors set to the next in the list; how many boarders another weapon has sent.
UNFORESEEN = (
    *("no target", "nothing it is aimed at", "all working FireCons", "its turret is trained"),
    *("no sensors of its ship", "nobody is left", "no marines are left"),
)


def doctrine(luck: Random) -> Doctrine:
    return Doctrine(
        range=luck.choice([None, 12]), targets=luck.choice(TARGETS), break_off=luck.choice([100, 60, 30]),
        flee=luck.random() < 0.1, style=STYLES[0],
    )  # fmt: skip


@pytest.mark.rule("pc.sequence")
@pytest.mark.parametrize("seed", range(8))
def test_captains_order_nothing_that_cannot_be_in_battles_of_anything(seed: int) -> None:
    luck = Random(seed)
    file = read_battle(any_battle(luck), {})
    doctrines = {side: doctrine(luck) for side in file.state.sides}
    ended = fight(begin(file), doctrines, Dice(seed), str(seed), 12)
    assert not [event.to_json() for event in ended.events if event.kind == "order-refused"]
    refused = [event.to_json() for event in ended.events if event.kind == "shot-refused"]
    assert not [line for line in refused if not line["why"].startswith(UNFORESEEN)]


@pytest.mark.parametrize("seed", range(100, 104))
def test_advice_is_a_document_that_is_accepted_and_the_same_from_what_a_side_sees_alone(seed: int) -> None:
    luck = Random(seed)
    battle = begin(read_battle(any_battle(luck), {}))
    told = doctrine(luck)
    dice = Dice(seed)
    for number in range(12):
        documents = {}
        for side in stops.waiting(battle):
            documents[side] = stops.advise(battle, side, told, "seed")
            assert documents[side] == stops.advise(battle, side, told, "seed")
            assert documents[side] == stops.advise(known_battle(battle, side), side, told, "seed")
            assert stops.read_orders(battle, side, documents[side])[1] == ()
        if not documents:
            break
        battle, _ = stops.resolve(battle, documents, dice, number)
