"""Continuum: red cannot tell worlds apart by what blue has in its magazines and hangars, or by what a bogey is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from engine import stops
from engine.battle import Battle, start
from engine.core.state import BattleState
from engine.view.side_view import Contact
from tests.engine.battle.table import classes
from tests.engine.secrecy.test_closed_sheets import THREE, differences

pytestmark = [
    pytest.mark.rule("pc.sensors"),
    pytest.mark.rule("pc.salvo-missiles"),
    pytest.mark.rule("pc.fighter-types"),
]

NEAR, FAR = 44.0, 156.0  # in y: before red's guns, and farther than anybody reads
HULL: dict[str, Any] = {
    "edition": "continuum", "kind": "warship", "mass": 160, "hull": {"boxes": 40, "rows": 4}, "thrust": 4,
    "ftl": "none",
}  # fmt: skip
GUNS: list[dict[str, Any]] = [{"type": "firecon", "count": 2}, {"type": "beam", "class": 2, "arcs": THREE}]
Tweak = Callable[[BattleState], None]


def arsenal(load: str = "standard", salvoes: dict[str, int] | None = None) -> dict[str, Any]:
    """A ship with a magazine and a hangar."""
    stores: list[dict[str, Any]] = [
        {"type": "magazine", "mass": 6} | ({"load": salvoes} if salvoes else {}),
        {"type": "salvo-launcher", "arcs": THREE, "magazine": "magazine-1"},
        {"type": "launch-tube"}, {"type": "hangar", "load": {load: 6}},
    ]  # fmt: skip
    return HULL | {"class": "Arsenal", "systems": [*GUNS, *stores]}


def world(
    *, tweak: Tweak | None = None, at: float = NEAR, blue: dict[str, Any] | None = None, options: Sequence[str] = ()
) -> Battle:
    """Red's cruiser and one contact of blue's; far off it is a bogey."""
    made = {"id": "b", "contact": "B1", "at": [40, at], "course": 6, "velocity": 4} | (blue or {"design": arsenal()})
    escort = HULL | {"class": "Escort", "systems": GUNS}
    ships = [made, {"id": "e", "contact": "E1", "design": escort, "at": [20, at], "course": 6, "velocity": 4}]
    cruiser = HULL | {"class": "Cruiser", "systems": GUNS}
    red = {"id": "r", "contact": "R1", "design": cruiser, "at": [40, 20], "course": 12, "velocity": 2}
    document = {
        "edition": "continuum", "options": list(options), "table": [80, 160], "seed": 3, "bogeys": at == FAR,
        "sides": [{"name": "red", "ships": [red]}, {"name": "blue", "ships": ships}],
    }  # fmt: skip
    battle = start(document, classes())
    if tweak is not None:
        tweak(battle.state)
    return battle


def stocked(system: str, left: int) -> Tweak:
    """So much is left in a system of blue's ship."""

    def change(state: BattleState) -> None:
        ship = state.named("b")
        ship.stock[ship.profile.index_of[system]] = left

    return change


@pytest.mark.parametrize(("system", "left"), [("magazine-1", 1), ("hangar-1", 2), ("hangar-1", 0)])
def test_red_reads_the_same_however_much_is_left_in_a_store(system: str, left: int) -> None:
    assert differences(world(), world(tweak=stocked(system, left))) == ""


SALVOES = ({"extended": 2}, {"standard": 1, "extended": 1}, {"two-stage": 1}, {"standard": 2})


@pytest.mark.parametrize("advanced", [(), ("advanced-sensors",)], ids=["open sheets", "closed sheets"])
@pytest.mark.parametrize("salvoes", SALVOES, ids=" and ".join)
def test_red_reads_the_same_whatever_a_magazine_is_loaded_with(
    salvoes: dict[str, int], advanced: Sequence[str]
) -> None:
    loaded = {"design": arsenal(salvoes=salvoes)}
    assert differences(world(options=advanced), world(blue=loaded, options=advanced)) == ""


def bogey(systems: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"design": HULL | {"class": "Sort", "systems": [*GUNS, *systems]} | more}


UNSEEN: dict[str, dict[str, Any]] = {
    "another type of craft": {"design": arsenal("torpedo")},
    "another ship of its size": bogey([{"type": "pulse-torpedo", "arcs": ["F"]}]),
    "other hull": bogey([], hull={"boxes": 44, "rows": 4}),
}
SMALL = bogey([], mass=30, hull={"boxes": 8, "rows": 4})
DRONE: dict[str, Any] = {"dummy": True, "thrust": 4}  # it passes for an escort


@pytest.mark.parametrize("other", UNSEEN)
def test_red_reads_the_same_of_a_bogey_whatever_it_is(other: str) -> None:
    assert differences(world(at=FAR), world(at=FAR, blue=UNSEEN[other])) == ""


def test_red_reads_the_same_of_a_drone_as_of_an_escort() -> None:
    assert differences(world(at=FAR, blue=SMALL), world(at=FAR, blue=DRONE)) == ""


def leak_of(attribute: str) -> Callable[[pytest.MonkeyPatch], None]:
    """A view in which everybody reads something of the true ship of each contact."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        honest = stops.side_view

        def leaky(battle: Battle, side: int) -> Any:
            return {**honest(battle, side), "leak": [str(getattr(ship, attribute)) for ship in battle.state.ships]}

        patch.setattr(stops, "side_view", leaky)

    return plant


def told_systems(patch: pytest.MonkeyPatch) -> None:
    """A contact that shows how many systems it has in the place of its velocity."""
    honest = Contact.__init__

    def leaky(self: Contact, ship: Any, hostile: bool, called: str) -> None:
        honest(self, ship, hostile, called)
        self.velocity = len(ship.sheet.fits)

    patch.setattr(Contact, "__init__", leaky)


LEAKS: dict[str, tuple[Callable[[], Battle], Callable[[pytest.MonkeyPatch], None]]] = {
    "what is left in stores": (lambda: world(tweak=stocked("magazine-1", 1)), leak_of("stock")),
    "kinds of salvoes": (lambda: world(blue={"design": arsenal(salvoes={"extended": 2})}), leak_of("sheet")),
    "craft aboard": (lambda: world(tweak=stocked("hangar-1", 2)), leak_of("stock")),
}
FAR_LEAKS: dict[str, tuple[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "types of craft": ("another type of craft", leak_of("sheet")),
    "what a bogey has": ("another ship of its size", told_systems),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_of_stores_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, plant = LEAKS[leak]
    plant(monkeypatch)
    assert differences(world(), make())


def test_a_planted_leak_of_a_drone_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    leak_of("dummy")(monkeypatch)
    assert differences(world(at=FAR, blue=SMALL), world(at=FAR, blue=DRONE))


@pytest.mark.parametrize("leak", FAR_LEAKS)
def test_a_planted_leak_of_bogeys_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other, plant = FAR_LEAKS[leak]
    plant(monkeypatch)
    assert differences(world(at=FAR), world(at=FAR, blue=UNSEEN[other]))
