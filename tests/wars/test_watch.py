"""The papers of a war tell when something is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.wars.watch import NAMED, Papers, found


def ship(key: str, **more: Any) -> dict[str, Any]:
    named = {"key": key, "name": f"Ship {key}", "stock": [], "lost": []}
    return {**named, "laid_up": False, **more}


def view(week: int, stage: str, *ships: dict[str, Any], **more: Any) -> dict[str, Any]:
    told = {
        "week": week,
        "stage": stage,
        "ships": list(ships),
        "notices": [],
        "losses": [],
        "result": None,
    }
    return {**told, **more}


def papers() -> list[Papers]:
    """Red's frigate fires its packs away and takes a prize of blue's; then it is filled up at a
    base.
    """
    short = [["submunition-1", 0]]
    filled = {
        "notices": [
            {"week": 2, "hex": "0101", "code": "replenished", "facts": [["ship", "Ship red/s1"]]}
        ]
    }
    taken = {
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
        view(2, "orders", ship("red/s1", stock=short), prize, **taken),
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
    fired = {"status": "fighting", "stock": {"submunition-1": 0}}
    battle = {"id": "b", "week": 1, "seq": 3, "stops": [{"own": {"red/s1": fired}}]}
    return [Papers("red", red, [battle]), Papers("blue", blue)]


def test_a_war_as_it_should_be_has_no_faults() -> None:
    seen = found(papers())
    assert seen.faults == []
    assert seen.told == {
        "used up: submunition": 1,
        "filled up at a base": 1,
        "prizes": 1,
        "prizes at work": 1,
    }


def filled_up_by_itself(red: Papers, _blue: Papers) -> None:
    red.views[1]["ships"][0]["stock"] = []


def not_filled_up(red: Papers, _blue: Papers) -> None:
    red.views[3]["ships"][0]["stock"] = [["submunition-1", 0]]


def without_the_prize(red: Papers, _blue: Papers) -> None:
    del red.views[1]["ships"][1]


def not_lost(_red: Papers, blue: Papers) -> None:
    blue.views[1]["losses"] = []


def two_owners(red: Papers, blue: Papers) -> None:
    blue.views[1]["ships"] = [red.views[3]["ships"][0]]


def a_key_is_read(red: Papers, _blue: Papers) -> None:
    red.read("view/", '{"ship": "blue/s1"}', ("blue",))


def a_name_is_read(_red: Papers, blue: Papers) -> None:
    blue.read("reports/7/", f"<p>{NAMED}red 2 was seen</p>", ("red",))


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
def test_what_is_wrong_is_found(plant: Callable[[Papers, Papers], None]) -> None:
    red, blue = papers()
    plant(red, blue)
    assert len(found([red, blue]).faults) == 1


def test_what_is_ones_own_is_no_leak() -> None:
    red, _ = papers()
    red.read("view/", f'"red/s1" {NAMED}red 1', ("blue",))
    assert not red.foreign
