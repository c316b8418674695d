"""The formulas by which a war is hashed, checked against a war that release 1.0 wrote.

Nothing but `engine.core.fair` is used, and no database. If one of these tests fails, wars that
are already played can no longer be checked: never change the expected values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.core import fair
from engine.core.canonical import canonical_json, decode_floats, digest, encode_floats
from tests.umpire.stored.site import lines

RELEASE = "1.0"
Row = dict[str, Any]
SEED = "07" * 32


def rows(model: str) -> dict[int, Row]:
    """Return the stored rows of a model by their primary key."""
    found = {}
    for line in lines(RELEASE):
        if line.get("model") == f"campaign.{model}":
            row: Any = line["row"]
            found[row["id"]] = row
    return found


def campaign_of(branch: int) -> Row:
    """Return the campaign of a branch."""
    return rows("campaign")[rows("branch")[branch]["campaign_id"]]


def by_faction(found: Iterator[Row]) -> list[Row]:
    """Return rows of factions in the order of the factions' keys."""
    keys = {pk: row["key"] for pk, row in rows("faction").items()}
    return sorted(found, key=lambda row: keys[row["faction_id"]])


def sealed_in(stage: int) -> list[Row]:
    """Return the valid entries of a stage in faction order."""
    found = rows("submission").values()
    return by_faction(
        row for row in found if row["stage_id"] == stage and row["withdrawn_at"] is None
    )


def test_seeds_are_those_that_were_published() -> None:
    campaigns = rows("campaign").values()
    assert len(campaigns) == 4
    for row in campaigns:
        assert fair.commitment(row["seed"]) == row["seed_sha256"]


def test_digests_and_nonces_of_what_was_sealed() -> None:
    by_server = 0
    for row in rows("submission").values():
        assert fair.orders_digest(row["payload"], row["nonce"]) == row["digest"]
        stage = rows("stage")[row["stage_id"]]
        campaign = campaign_of(stage["branch_id"])
        battle = rows("battle")[stage["battle_id"]]["key"] if stage["battle_id"] else ""
        nonce = fair.server_nonce(
            campaign["seed"],
            campaign["dice_key"],
            rows("branch")[stage["branch_id"]]["number"],
            fair.stage_place(stage["ordinal"], stage["kind"], battle),
            rows("faction")[row["faction_id"]]["key"],
            row["revision"],
        )
        by_server += nonce == row["nonce"]
    assert (by_server, len(rows("submission"))) == (37, 37)


def test_chains_and_dice_of_battles() -> None:
    last: dict[int, str] = {}
    phases = sorted(rows("battlephase").values(), key=lambda row: (row["battle_id"], row["seq"]))
    for row in phases:
        battle = rows("battle")[row["battle_id"]]
        campaign = campaign_of(battle["branch_id"])
        names = (campaign["dice_key"], 1, battle["week"])
        if row["seq"] == 0:
            salt = fair.chain_salt(campaign["seed"], *names, battle["key"])
            last[battle["id"]] = fair.chain_begin(salt, battle["start"])
        phase = {key: row[key] for key in ("inputs", "events", "views")}
        last[battle["id"]] = fair.chain_link(last[battle["id"]], phase)
        assert last[battle["id"]] == row["chain"]
        digests = [entry["digest"] for entry in row["inputs"]["entries"]]
        context = fair.stage_context(*names, row["inputs"]["phase"], digests)
        place = fair.phase_place(battle["key"], row["seq"])
        assert row["inputs"]["dice"] == [*context, place]
    assert len(phases) == 8


def test_rows_of_the_ledger() -> None:
    ledger = rows("ledgerrow").values()
    for row in ledger:
        assert fair.row_hash(row["prev_hash"], row["body"]) == row["hash"]
        stage = rows("stage")[row["stage_id"]]
        assert [entry["digest"] for entry in sealed_in(stage["id"])] == row["body"]["digests"]
        campaign = campaign_of(row["branch_id"])
        if row["seq"] == 0:
            assert fair.genesis_hash(genesis_of(campaign)) == row["prev_hash"]
        snapshot = rows("snapshot")[stage["to_snapshot_id"]]
        views = by_faction(
            view for view in rows("view").values() if view["snapshot_id"] == snapshot["id"]
        )
        leaves = {
            "battles": [],
            "rulings": [],
            "happenings": digest(snapshot["events"]),
            "snapshot": digest(snapshot["world"]),
            "views": [digest(view["body"]) for view in views],
        }
        salt = fair.outcome_salt(campaign["seed"], campaign["dice_key"], 1, stage["ordinal"])
        assert fair.outcome_root(salt, leaves) == row["body"]["outcome"]
    assert len(ledger) == 9


def genesis_of(campaign: Row) -> Row:
    """Return what the first row of a ledger was chained to, before scenarios had a salt."""
    return {
        "campaign": campaign["public_id"],
        "dice_key": campaign["dice_key"],
        "ruleset": campaign["ruleset"],
        "scenario": rows("scenario")[campaign["scenario_id"]]["sha256"],
        "seed_sha256": campaign["seed_sha256"],
    }


def test_formulas_that_this_war_did_not_use() -> None:
    names = (SEED, "a war", 1)
    assert (
        fair.captain_seed(*names, 2, "0804/w2/a+b")
        == "1da3abf77371b1f147750c920d45669edbe7a4f6fb00b5007e50856a492ea362"
    )
    assert (
        fair.contact_salt(*names).hex()
        == "429729bad440b805a765a2b2dc714ed258edc21fdbdd8fb3883987502bc2bf4a"
    )
    salt = fair.scenario_salt(SEED, "a war")
    assert (
        fair.scenario_commitment("00" * 32, salt)
        == "d600e641b89f36cb2ca70379c1b58a7673790b9f430dacae2e67b4c1f8e169dd"
    )
    rolled = []
    for context in (
        fair.admiral_context("a war", 1, 2, "orders"),
        fair.table_context("a war", 1, 2, "0804"),
    ):
        dice = fair.dice_of(SEED, context).at(fair.battle_place("0804/w2/a+b"))
        rolled.append([dice.roll("beam", "s1") for _ in range(6)])
    assert rolled == [[3, 4, 4, 6, 3, 5], [1, 4, 3, 4, 4, 5]]
    assert [fair.sides_are_swapped(SEED, f"war {number}") for number in range(6)] == [
        False,
        False,
        True,
        False,
        True,
        True,
    ]


def test_exact_numbers_are_read_back() -> None:
    """Documents of battles hold places that are no whole numbers."""
    phases = [row["views"] for row in rows("battlephase").values()]
    encoded = encode_floats(phases)
    assert canonical_json(encoded)
    assert decode_floats(encoded) == phases
    values = [0.0, -0.0, 0.1, -1e-300, 5e-324, 1.7976931348623157e308, 3, "x", None, True]
    assert repr(decode_floats(encode_floats(values))) == repr(values)
    for number in (float("inf"), float("nan")):
        with pytest.raises(ValueError, match="finite"):
            encode_floats([number])
