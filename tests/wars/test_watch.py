"""The documents of a war show when something is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.wars.record_checks import FLEET_NAME_PREFIX, PlayerRecord, check_records


def ship(key: str, **more: Any) -> dict[str, Any]:
    fields = {"key": key, "name": f"Ship {key}", "stock": [], "lost": []}
    return {**fields, "laid_up": False, **more}


def view(week: int, stage: str, *ships: dict[str, Any], **more: Any) -> dict[str, Any]:
    fields = {
        "week": week,
        "stage": stage,
        "ships": list(ships),
        "notices": [],
        "losses": [],
        "result": None,
    }
    return {**fields, **more}


def records() -> list[PlayerRecord]:
    """Return records in which red's frigate spends its packs, takes a prize, and is refilled at a
    base.
    """
    short = [["submunition-1", 0]]
    filled = {
        "notices": [
            {"week": 2, "hex": "0101", "code": "replenished", "facts": [["ship", "Ship red/s1"]]}
        ]
    }
    fields = {
        "notices": [
            {
                "week": 1,
                "hex": "0102",
                "code": "prize",
                "facts": [["ship", "Prize"], ["owner", "blue"]],
            }
        ]
    }
    prize = ship("red/s2", name="Prize", laid_up=True)
    red = [
        view(1, "battles", ship("red/s1")),
        view(2, "orders", ship("red/s1", stock=short), prize, **fields),
        view(2, "battles", ship("red/s1", stock=short), prize),
        view(
            3,
            "orders",
            ship("red/s1"),
            ship("red/s2", name="Prize"),
            result="Red victory",
            **filled,
        ),
    ]
    blue = [
        view(1, "battles", ship("blue/s1")),
        view(3, "orders", result="Red victory", losses=[{"week": 1, "hex": "0102"}]),
    ]
    ship_state = {"status": "fighting", "stock": {"submunition-1": 0}}
    battle = {"id": "b", "week": 1, "seq": 3, "phases": [{"own": {"red/s1": ship_state}}]}
    return [PlayerRecord("red", red, [battle]), PlayerRecord("blue", blue)]


def test_correct_war_has_no_faults() -> None:
    findings = check_records(records())
    assert findings.faults == []
    assert findings.counts == {
        "used up: submunition": 1,
        "filled up at a base": 1,
        "prizes": 1,
        "prizes at work": 1,
    }


def filled_up_by_itself(red: PlayerRecord, _blue: PlayerRecord) -> None:
    red.views[1]["ships"][0]["stock"] = []


def not_filled_up(red: PlayerRecord, _blue: PlayerRecord) -> None:
    red.views[3]["ships"][0]["stock"] = [["submunition-1", 0]]


def without_the_prize(red: PlayerRecord, _blue: PlayerRecord) -> None:
    del red.views[1]["ships"][1]


def not_lost(_red: PlayerRecord, blue: PlayerRecord) -> None:
    blue.views[1]["losses"] = []


def two_owners(red: PlayerRecord, blue: PlayerRecord) -> None:
    blue.views[1]["ships"] = [red.views[3]["ships"][0]]


def a_key_is_read(red: PlayerRecord, _blue: PlayerRecord) -> None:
    red.read_answer("view/", '{"ship": "blue/s1"}', ("blue",))


def a_name_is_read(_red: PlayerRecord, blue: PlayerRecord) -> None:
    blue.read_answer("reports/7/", f"<p>{FLEET_NAME_PREFIX}red 2 was seen</p>", ("red",))


PLANTED = (
    filled_up_by_itself,
    not_filled_up,
    without_the_prize,
    not_lost,
    two_owners,
    a_key_is_read,
    a_name_is_read,
)


@pytest.mark.parametrize("plant", PLANTED)
def test_faults_are_found(plant: Callable[[PlayerRecord, PlayerRecord], None]) -> None:
    red, blue = records()
    plant(red, blue)
    assert len(check_records([red, blue]).faults) == 1


def test_own_data_is_no_leak() -> None:
    red, _ = records()
    red.read_answer("view/", f'"red/s1" {FLEET_NAME_PREFIX}red 1', ("blue",))
    assert not red.foreign
