"""The tree of a row's outcome: blinded leaves that prove one result and reveal no other."""

from __future__ import annotations

import pytest

from campaign.rules.outcome_leaves import (
    EntryParts,
    StageRecord,
    battle_digest,
    leaf_digests,
    report_digest,
    told_digest,
)
from engine.core import fair
from engine.core.canonical import digest

SEED = "07" * 32
KEYS = fair.outcome_keys(SEED, "a war", 1, 4)
FACTIONS = ("ash", "ember", "frost")


def record(*, battle: bool) -> StageRecord:
    """Return what a stage left behind; with or without a battle between ash and ember."""
    chains = {"0804/w2/ash+ember": digest("battle")} if battle else {}
    each = {faction: digest(faction) for faction in FACTIONS}
    others = {**each, "ash": digest("fought"), "ember": digest("fought")}
    entry = EntryParts("player", "2026-11-30T12:00:00+00:00", (), share_by_server=True)
    return StageRecord(
        snapshot=digest(battle),
        events=digest([battle]),
        views=others if battle else each,
        told=others if battle else each,
        sheets=others if battle else each,
        battles=chains,
        tables=chains,
        acts=(),
        umpire_acts=[digest("result")] if battle else [],
        entries=dict.fromkeys(FACTIONS, entry),
        setting={},
    )


def test_formulas_of_schema_3_never_change() -> None:
    """Wars that are already played are checked by them: never change these values."""
    begin = fair.table_chain_begin(SEED, "a war", 1, 2, "0804/w2/a+b")
    entry = {"number": 1, "faction": "ash", "key": "k", "body": {"x": 0.5}, "visible_body": {}}
    values = {
        "blind": KEYS.blind,
        "place": KEYS.place,
        "share": fair.server_share(SEED, "a war", 1, 3, "ember"),
        "past": fair.entropy_link("00" * 32, 4, ["11" * 32], ["22" * 32]),
        "table": fair.table_chain_link(begin, entry),
        "battle": battle_digest({"x": 0.5}, "00" * 32, {}),
        "outcome": fair.outcome_tree(KEYS, leaf_digests(record(battle=True)), fair.SLOTS).root,
    }
    assert values == {
        "blind": "336ca7bb6fd3515a7d0f8e00881af3c2dfde025ba2f33ecd9b1aedc06906c087",
        "place": "08aff92f50758a3cfff1d901b21fac4f9960342f6d9c488a756c1624632150c3",
        "share": "35a818564e88d34c729a99431512dd420244ffb8303d04eae04a06bc8e6b1c45",
        "past": "7f21233261b2d80d7a4bba112021e611d33e586287f593df94968eb96d417328",
        "table": "c19017b9cad17eab4b61c8d203164466c1a945e4d2136ffd6d0847a5b9b4519e",
        "battle": "1fc2770487f608be14ad695ef04fa6a4faf506726fe98c55e1ad770aeff0c1e4",
        "outcome": "6c912f27d790b351b424eb0de43b34ae5678781fce89469e64f3d5ff59c383a7",
    }


def test_a_third_faction_cannot_tell_whether_others_fought() -> None:
    """Its proofs have the same names, numbers and lengths in both worlds, and the same digests."""
    seen = []
    for battle in (True, False):
        leaves = leaf_digests(record(battle=battle))
        tree = fair.outcome_tree(KEYS, leaves, fair.SLOTS)
        assert len(set(tree.leaves)) == len(tree.leaves) == fair.SLOTS
        proofs = []
        for name in ("acts", "view/frost", "told/frost", "sheets/frost", "entry/frost"):
            index, hashes = tree.proof_of(name)
            leaf = fair.outcome_leaf(fair.leaf_blind(KEYS.blind, name), name, leaves[name])
            assert fair.outcome_from_proof(leaf, index, fair.SLOTS, hashes) == tree.root
            assert tree.names[index] == name
            proofs.append((name, leaves[name], leaf, [len(hash_) for hash_ in hashes]))
        seen.append(proofs)
    assert seen[0] == seen[1]
    assert [lengths for *_, lengths in seen[0]] == [[64] * 8] * 5


def test_places_do_not_follow_names() -> None:
    places = set()
    for seq in range(20):
        keys = fair.outcome_keys(SEED, "a war", 1, seq)
        tree = fair.outcome_tree(keys, leaf_digests(record(battle=True)), fair.SLOTS)
        places.add(tree.proof_of("snapshot")[0])
    assert len(places) > 15


def test_more_leaves_than_places_share_one() -> None:
    """No number of an umpire's acts may stop a war."""
    leaves = {**leaf_digests(record(battle=True))}
    for number in range(300):
        leaves[f"act/{number}"] = digest(number)
    placed = fair.with_padding(leaves, fair.SLOTS)
    assert len(placed) == fair.SLOTS
    assert "view/frost" in placed
    before = placed[fair.REST]
    leaves["act/0"] = digest("changed")
    assert fair.with_padding(leaves, fair.SLOTS)[fair.REST] != before


@pytest.mark.parametrize(("systems", "slots"), [(60, 256), (61, 512)])
def test_large_maps_have_more_places(systems: int, slots: int) -> None:
    assert fair.slots_of(systems) == slots


def test_reports_are_hashed_without_ids_that_cannot_be_recomputed() -> None:
    body = {"battle": "an id", "hex": "0804", "phases": [{"x": 0.25}]}
    assert report_digest(body) == report_digest({**body, "battle": "other"})
    assert report_digest(body) != report_digest({**body, "hex": "0805"})
    reports = [("stage", "", "11"), ("battle", "a", "22")]
    assert told_digest(reports) == told_digest(reports[::-1]) != told_digest(reports[:1])
