"""Continuum: red cannot tell what is in blue's magazines and hangars, or what a bogey is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine import stops
from engine.battle import Battle, battle_from, start
from engine.core.dice import Dice
from engine.core.ids import GroupId
from engine.core.sheet import Sheet
from engine.core.state import BattleState
from engine.documents import replay
from engine.known_battle import known_battle
from engine.pieces.group import Group
from engine.stops import side_view
from engine.view import side_view as view
from engine.view.hidden_loadouts import sheet_for_others
from engine.view.side_view import Contact
from tests.engine.battle.table import classes
from tests.engine.secrecy.test_closed_sheets import BLUE, THREE, differences
from tests.engine.secrecy.worlds import RED

pytestmark = [
    pytest.mark.rule("pc.sensors"),
    pytest.mark.rule("pc.salvo-missiles"),
    pytest.mark.rule("pc.fighter-types"),
]

NEAR, FAR = 44.0, 156.0  # y positions: in range of red's guns, and beyond all sensors
HULL: dict[str, Any] = {
    "edition": "continuum", "kind": "warship", "mass": 160, "hull": {"boxes": 40, "rows": 4}, "thrust": 4,
    "ftl": "none",
}  # fmt: skip
GUNS: list[dict[str, Any]] = [
    {"type": "firecon", "count": 2},
    {"type": "beam", "class": 2, "arcs": THREE},
]
Tweak = Callable[[BattleState], None]


def arsenal(load: str = "standard", salvoes: dict[str, int] | None = None) -> dict[str, Any]:
    """Return a ship with a magazine and a hangar."""
    stores: list[dict[str, Any]] = [
        {"type": "magazine", "mass": 6} | ({"load": salvoes} if salvoes else {}),
        {"type": "salvo-launcher", "arcs": THREE, "magazine": "magazine-1"},
        {"type": "launch-tube"}, {"type": "hangar", "load": {load: 6}},
    ]  # fmt: skip
    return HULL | {"class": "Arsenal", "systems": [*GUNS, *stores]}


TUBES: list[dict[str, Any]] = [{"type": "launch-tube", "count": 3}]
STANDARD: list[dict[str, Any]] = [
    {"type": "hangar", "load": {"standard": 6}, "count": 2}, {"type": "fighter-rack"}, {"type": "gunboat-rack"},
    {"type": "boat-bay", "mass": 27},
]  # fmt: skip
# Possible contents of the same bays; nobody else knows them before they fly.
CRAFT: dict[str, list[dict[str, Any]]] = {
    "other types": [
        {"type": "hangar", "load": {"torpedo": 6}}, {"type": "hangar", "load": {"interceptor": 6}},
        {"type": "fighter-rack", "load": {"graser": 6}, "mods": ["robot"]},
        {"type": "gunboat-rack", "load": {"mkp": 6}},
        {"type": "boat-bay", "mass": 27, "load": {"beam": 2, "k-gun": 3}},
    ],
    "other mods and numbers": [
        {"type": "hangar", "load": {"standard": 8}, "mods": ["light", "fast"]}, {"type": "hangar"},
        {"type": "fighter-rack", "load": {"attack": 4}, "mods": ["robot", "heavy"]},
        {"type": "gunboat-rack", "load": {"beam": 1, "graser": 5}, "mods": ["heavy"]},
        {"type": "boat-bay", "mass": 27, "load": {"missile": 4}, "mods": ["ftl"]},
    ],
}  # fmt: skip


def carrier(bays: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a ship with bays of every kind for craft."""
    return {"design": HULL | {"class": "Carrier", "mass": 300, "systems": [*GUNS, *TUBES, *bays]}}


def world(
    *,
    tweak: Tweak | None = None,
    at: float = NEAR,
    blue: dict[str, Any] | None = None,
    options: Sequence[str] = (),
) -> Battle:
    """Return red's cruiser and one contact of blue's; far off it is a bogey."""
    entry = {"id": "b", "contact": "B1", "at": [40, at], "course": 6, "velocity": 4} | (
        blue or {"design": arsenal()}
    )
    escort = HULL | {"class": "Escort", "systems": GUNS}
    ships = [
        entry,
        {"id": "e", "contact": "E1", "design": escort, "at": [20, at], "course": 6, "velocity": 4},
    ]
    cruiser = HULL | {"class": "Cruiser", "systems": GUNS}
    red = {
        "id": "r",
        "contact": "R1",
        "design": cruiser,
        "at": [40, 20],
        "course": 12,
        "velocity": 2,
    }
    document = {
        "edition": "continuum", "options": list(options), "table": [80, 160], "seed": 3, "bogeys": at == FAR,
        "sides": [{"name": "red", "ships": [red]}, {"name": "blue", "ships": ships}],
    }  # fmt: skip
    battle = start(document, classes())
    if tweak is not None:
        tweak(battle.state)
    return battle


def stocked(system: str, count: int) -> Tweak:
    """Leave so much in a system of blue's ship."""

    def change(state: BattleState) -> None:
        ship = state.ship_by_name("b")
        ship.stock[ship.profile.index_of[system]] = count

    return change


@pytest.mark.parametrize(("system", "count"), [("magazine-1", 1), ("hangar-1", 2), ("hangar-1", 0)])
def test_red_reads_the_same_for_any_stock(system: str, count: int) -> None:
    assert differences(world(), world(tweak=stocked(system, count))) == ""


SALVOES = ({"extended": 2}, {"standard": 1, "extended": 1}, {"two-stage": 1}, {"standard": 2})


@pytest.mark.parametrize(
    "advanced", [(), ("advanced-sensors",)], ids=["open sheets", "closed sheets"]
)
@pytest.mark.parametrize("salvoes", SALVOES, ids=" and ".join)
def test_red_reads_the_same_for_any_magazine_load(
    salvoes: dict[str, int], advanced: Sequence[str]
) -> None:
    loaded = {"design": arsenal(salvoes=salvoes)}
    assert differences(world(options=advanced), world(blue=loaded, options=advanced)) == ""


@pytest.mark.parametrize(
    "options", [(), ("advanced-sensors",), ("point-defence-costs",)], ids=" ".join
)
@pytest.mark.parametrize("craft", CRAFT)
def test_red_reads_the_same_for_any_craft_aboard(craft: str, options: Sequence[str]) -> None:
    blue, other = carrier(STANDARD), carrier(CRAFT[craft])
    assert differences(world(blue=blue, options=options), world(blue=other, options=options)) == ""


def test_red_reads_the_same_for_any_printed_price() -> None:
    blue, other = carrier(STANDARD), carrier(CRAFT["other types"])
    other["design"]["printed"] = {"points": 999}
    assert differences(world(blue=blue), world(blue=other)) == ""


def launch_groups(blue: dict[str, Any], *bays: str, craft: int = 6) -> Battle:
    """Let blue's ship have launched these, with at most so many craft; its other groups are aboard."""

    def launch(state: BattleState) -> None:
        ship = state.ship_by_name("b")
        ship.stock = [min(count, craft) for count in ship.stock]
        for number, bay in enumerate(bays, 1):
            Group.launch(
                state, state.ship_by_name("b"), bay, f"flight-{number}", (40.0, 70.0), 6, 1
            )

    return world(tweak=launch, blue=blue)


def hangars(*types: str) -> dict[str, Any]:
    return carrier([{"type": "hangar", "load": {type_: 6}} for type_ in types])


def known_rows(battle: Battle) -> list[dict[str, Any]]:
    """Return the rows of bays of blue's ship as red knows it."""
    systems: list[dict[str, Any]] = (
        known_battle(battle, RED).state.ship_by_name("B1").sheet.design["systems"]
    )
    return [row for row in systems if row["type"] not in ("firecon", "beam", "launch-tube")]


@pytest.mark.rule("pc.open-book")
def test_red_knows_the_types_of_seen_groups_only() -> None:
    battle = launch_groups(hangars("standard", "torpedo", "attack"), "hangar-2")
    (flyer,) = side_view(battle, RED)["flyers"]
    assert flyer["type"] == "torpedo-fighter"
    torpedo, usual = (
        {"type": "hangar", "load": {"torpedo": 6}},
        {"type": "hangar", "load": {"standard": 6}, "count": 2},
    )
    assert known_rows(battle) == [torpedo, usual]
    ship = known_battle(battle, RED).state.ship_by_name("B1")
    assert ship.record.revealed_bays == {"hangar-1"}
    contact = next(entry for entry in side_view(battle, RED)["contacts"] if entry["id"] == "B1")
    assert contact["notes"] == {"revealed-bays:hangar-1": 1}
    hangar_group = battle.state.piece(Group, GroupId("b/hangar-2"))
    for gone in ("lost", "home"):
        after = Battle(battle.edition, battle.options, battle.state.copy(), None, [])
        group = after.state.piece(Group, hangar_group.id)
        if gone == "lost":
            group.lose_craft(after.state, group.craft)
        else:
            group.come_aboard(after.state, after.state.ship_by_name("b"), group.craft)
        assert not side_view(after, RED)["flyers"]
        assert known_rows(after) == [torpedo, usual]


def test_launch_shows_the_type_and_a_flying_group_hides_its_carrier() -> None:
    blue = hangars("torpedo", "attack")
    before = world(blue=blue)
    launched = {"plot": {"b": "launch hangar-2"}}
    assert known_rows(before) == [{"type": "hangar", "load": {"standard": 6}, "count": 2}]
    after, stop = stops.resolve_documents(before, {RED: {}, BLUE: launched}, Dice("a launch"))
    assert known_rows(after)[0]["load"] == {"attack": 6}
    assert replay(before.state, stop.events).ship_by_name("b").record.revealed_bays == {"hangar-2"}
    aloft = world(blue=blue | {"groups": {"hangar-2": {"at": [40, 60], "course": 6}}})
    (flyer,) = side_view(aloft, RED)["flyers"]
    assert flyer["type"] == "attack-fighter"
    assert known_rows(aloft) == known_rows(before)


def test_red_reads_the_same_for_any_of_equal_bays() -> None:
    first, second = (
        launch_groups(hangars("torpedo", "attack"), "hangar-1"),
        launch_groups(hangars("attack", "torpedo"), "hangar-2"),
    )
    assert differences(first, second) == ""


def test_red_reads_the_same_for_any_number_bought() -> None:
    mods = ["heavy", "fast"]
    six, five = (
        {"type": "hangar", "load": {"graser": number}, "mods": mods_entry}
        for number, mods_entry in ((6, mods), (5, mods[::-1]))
    )
    assert (
        differences(
            launch_groups(carrier([six]), "hangar-1", craft=5),
            launch_groups(carrier([five]), "hangar-1"),
        )
        == ""
    )


def test_red_reads_the_same_for_craft_still_aboard() -> None:
    first, second = (
        launch_groups(hangars("torpedo", type_), "hangar-1") for type_ in ("standard", "missile")
    )
    assert differences(first, second) == ""
    assert differences(first, launch_groups(hangars("attack", "standard"), "hangar-1"))


def test_known_craft_are_in_the_known_battle() -> None:
    """Captains advise on the battle as their side knows it, and see the same there."""
    battle = launch_groups(
        carrier(CRAFT["other types"]), "hangar-2", "fighter-rack-1", "boat-bay-1"
    )
    red_battle = known_battle(battle, RED)
    assert known_battle(red_battle, RED).to_json() == red_battle.to_json()
    assert battle_from(red_battle.to_json()).to_json() == red_battle.to_json()
    assert known_rows(battle) == [
        {"type": "hangar", "load": {"interceptor": 6}},
        {"type": "hangar", "load": {"standard": 6}},
        {"type": "fighter-rack", "load": {"graser": 6}, "mods": ["robot"]},
        {"type": "gunboat-rack", "load": {"beam": 6}},
        {"type": "boat-bay", "mass": 27, "load": {"beam": 2, "k-gun": 3}},
    ]


@pytest.mark.rule("pc.boarding")
def test_former_owner_knows_the_bays_of_a_captured_ship() -> None:
    def take(state: BattleState) -> None:
        state.ship_by_name("b").change_commander(RED)

    battle = world(tweak=take, blue=hangars("torpedo"))
    assert (
        known_battle(battle, BLUE).state.ship_by_name("b").sheet
        == battle.state.ship_by_name("b").sheet
    )
    assert (
        known_battle(battle, RED).state.ship_by_name("B1").sheet
        == battle.state.ship_by_name("b").sheet
    )


def bogey(systems: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"design": HULL | {"class": "Sort", "systems": [*GUNS, *systems]} | more}


UNSEEN: dict[str, dict[str, Any]] = {
    "another type of craft": {"design": arsenal("torpedo")},
    "another ship of its size": bogey([{"type": "pulse-torpedo", "arcs": ["F"]}]),
    "other hull": bogey([], hull={"boxes": 44, "rows": 4}),
}
SMALL = bogey([], mass=30, hull={"boxes": 8, "rows": 4})
DRONE: dict[str, Any] = {"dummy": True, "thrust": 4}  # it looks like an escort


@pytest.mark.parametrize("other", UNSEEN)
def test_red_reads_the_same_for_any_bogey(other: str) -> None:
    assert differences(world(at=FAR), world(at=FAR, blue=UNSEEN[other])) == ""


def test_red_reads_the_same_for_drone_and_escort() -> None:
    assert differences(world(at=FAR, blue=SMALL), world(at=FAR, blue=DRONE)) == ""


def leak_of(attribute: str) -> Callable[[pytest.MonkeyPatch], None]:
    """Return a view in which everybody sees something of the true ship of each contact."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        honest = stops.side_view

        def leaky(battle: Battle, side: int) -> Any:
            return {
                **honest(battle, side),
                "leak": [str(getattr(ship, attribute)) for ship in battle.state.ships],
            }

        patch.setattr(stops, "side_view", leaky)

    return plant


def leak_system_count(patch: pytest.MonkeyPatch) -> None:
    """Return a contact that shows its number of systems as its velocity."""
    honest = Contact.__init__

    def leaky(self: Contact, ship: Any, hostile: bool, name: str) -> None:
        honest(self, ship, hostile, name)
        self.velocity = len(ship.sheet.fits)

    patch.setattr(Contact, "__init__", leaky)


def true_loads(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(view, "sheet_for_others", lambda sheet, visible, options: (sheet, frozenset()))


def true_price(patch: pytest.MonkeyPatch) -> None:
    honest = sheet_for_others

    def leaky(sheet: Sheet, visible: frozenset[str], options: tuple[str, ...]) -> Any:
        read, known_fields = honest(sheet, visible, options)
        return replace(
            read, points=sheet.points, design=read.design | {"printed": {"points": sheet.points}}
        ), known_fields

    patch.setattr(view, "sheet_for_others", leaky)


LEAKS: dict[str, tuple[Callable[[], Battle], Callable[[pytest.MonkeyPatch], None]]] = {
    "what is left in stores": (lambda: world(tweak=stocked("magazine-1", 1)), leak_of("stock")),
    "kinds of salvoes": (
        lambda: world(blue={"design": arsenal(salvoes={"extended": 2})}),
        leak_of("sheet"),
    ),
    "craft aboard": (lambda: world(tweak=stocked("hangar-1", 2)), leak_of("stock")),
    "types of craft aboard": (lambda: world(blue={"design": arsenal("torpedo")}), true_loads),
    "the price of craft": (lambda: world(blue={"design": arsenal("torpedo")}), true_price),
}
FAR_LEAKS: dict[str, tuple[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "types of craft": ("another type of craft", leak_of("sheet")),
    "what a bogey has": ("another ship of its size", leak_system_count),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_planted_store_leak_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, plant = LEAKS[leak]
    plant(monkeypatch)
    assert differences(world(), make())


def test_planted_drone_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    leak_of("dummy")(monkeypatch)
    assert differences(world(at=FAR, blue=SMALL), world(at=FAR, blue=DRONE))


@pytest.mark.parametrize("leak", FAR_LEAKS)
def test_planted_bogey_leak_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other, plant = FAR_LEAKS[leak]
    plant(monkeypatch)
    assert differences(world(at=FAR), world(at=FAR, blue=UNSEEN[other]))
