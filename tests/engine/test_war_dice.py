"""Keys of dice: what nobody can choose who does not know everything that enters them."""

from __future__ import annotations

from random import Random
from statistics import mean

from engine.core.fair import FIRST, KEY_TREE, entropy_link, orders_digest
from engine.core.war_dice import Moment, WarDice, dice_rules

SEED = "07" * 32
STAGES = 40
NONCES = 60
DICE = 30


def sixes(stage: int, nonce: str, share: str) -> int:
    """Return how many sixes a battle has, by the nonce of a player and the share of another."""
    digests = [orders_digest({"schema": 1}, nonce), "22" * 32]
    entropy = entropy_link("11" * 32, stage, digests, ["33" * 32, share])
    keys = WarDice(KEY_TREE, SEED, "a war", 1)
    moment = Moment(stage, "battles", stage, digests, entropy)
    dice = keys.dice(keys.battle(moment, "0605/w3/a+b"))
    return sum(dice.roll("beam", "s1") == 6 for _ in range(DICE))


def test_operator_who_knows_all_shares_can_choose_dice_and_no_other() -> None:
    """Mean of honest dice: 5, with a standard error of 0.32 over all stages."""
    random = Random("grinding")
    chosen = []
    unknown = []
    for stage in range(STAGES):
        nonces = [random.randbytes(16).hex() for _ in range(NONCES)]
        share, guess = random.randbytes(32).hex(), random.randbytes(32).hex()
        chosen.append(max(sixes(stage, nonce, share) for nonce in nonces))
        best = max(nonces, key=lambda nonce: sixes(stage, nonce, guess))
        unknown.append(sixes(stage, best, share))
    assert mean(chosen) > 8
    assert abs(mean(unknown) - DICE / 6) < 1


def test_each_key_is_for_one_thing() -> None:
    keys = WarDice(KEY_TREE, SEED, "a war", 1)
    moment = Moment(2, "battles", 5, ["22" * 32], "44" * 32)
    spots = [
        keys.week(moment),
        keys.battle(moment, "0605/w2/a+b"),
        keys.phase(2, "0605/w2/a+b", ("fire", 0), ["22" * 32], "44" * 32),
        keys.phase(2, "0605/w2/a+b", ("fire", 1), ["22" * 32], "44" * 32),
        keys.table(2, "0605/w2/a+b", "44" * 32),
        keys.admirals(2, "battles", 5),
    ]
    rolled = [[keys.dice(spot).roll("beam", "s1", 100) for _ in range(4)] for spot in spots]
    assert len({tuple(dice) for dice in rolled}) == len(spots)
    assert len({keys.nonce(place, "a", 1) for place in (1, 2, "0605/fire/1")}) == 3
    assert keys.set_up_salt(3, "x", "44" * 32) != keys.set_up_salt(3, "x", "45" * 32)


def test_old_wars_keep_their_dice() -> None:
    keys = WarDice(dice_rules({}), SEED, "a war", 1)
    assert keys.rules == FIRST
    moment = Moment(2, "battles", 5, ["22" * 32], "44" * 32)
    assert keys.battle(moment, "0605/w2/a+b").stored[-1] == "battle/0605/w2/a+b"
    assert keys.battle_commitment(moment, "0605/w2/a+b") == ""
    assert keys.set_up_salt(3, "x", "44" * 32) == keys.set_up_salt(4, "y", "45" * 32)
