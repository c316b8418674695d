"""Every kind of target against every protection, and every kind of fire at craft."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from engine.continuum.defences import Protection, protection_of
from engine.core.ids import GroupId, ShipId
from engine.core.kinds import HULK
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.pieces.mine import Mine
from engine.pieces.piece import Piece
from tests.engine.craft.carrier_battles import N1, S1, carriers, group, launch, squadrons, turn
from tests.engine.defences.battles import log_lines, play_turns
from tests.engine.defences.hulls import battle_of, hull
from tests.engine.guns.duels import ship
from tests.engine.ordnance.test_missiles import FORE

AT = (10.0, 10.0)
NONE = Protection()

# What a friend beside the target has, and its effect on a ship and on craft.
NEARBY = {
    "nothing": ("", NONE),
    "screens of its own alone": ("screen screen", NONE),
    "an area screen": ("area-screen", Protection(1, 0)),
    "two area screens": ("area-screen area-screen", Protection(2, 0)),
    "an advanced area screen": ("advanced-area-screen", Protection(1, 1)),
    "two advanced area screens": ("advanced-area-screen advanced-area-screen", Protection(2, 2)),
    "three layers": ("area-screen area-screen advanced-area-screen", Protection(3, 1)),
    "a holofield": ("holofield", NONE),
    "ECM": ("area-ecm", NONE),
    "a reflex field": ("reflex-field", NONE),
}

# What a ship itself has, and the effect.
ABOARD: dict[str, tuple[str, dict[str, Any], Protection]] = {
    "nothing": ("", {}, NONE),
    "a screen": ("screen", {}, Protection(1, 0)),
    "two screens": ("screen screen", {}, Protection(2, 0)),
    "an advanced screen": ("advanced-screen", {}, Protection(1, 1)),
    "two advanced screens": ("advanced-screen advanced-screen", {}, Protection(2, 2)),
    "an area screen": ("area-screen", {}, Protection(1, 0)),
    "three layers": ("screen screen area-screen", {}, Protection(3, 0)),
    "a stealth hull": ("", {"stealth": 1}, Protection(stealth=1)),
    "a better stealth hull": ("", {"stealth": 2}, Protection(stealth=2)),
    "stealth and a screen": ("screen", {"stealth": 1}, Protection(1, 0, 1)),
    "a holofield, which goes with no screens": ("screen holofield", {}, Protection(holofield=True)),
    "armour, which no shot passes by these": ("", {"armour": ((5, 0),)}, NONE),
}


def craft(type_: str, side: int = 0) -> Group:
    return Group(GroupId("f/bay"), side, "g7", ShipId("f"), "bay", 6, *AT, 12, type=type_)


CRAFT = ("standard-fighter", "standard-fighter+heavy", "standard-fighter+light", "beam-gunboat")


def with_piece(state: BattleState, piece: Piece) -> BattleState:
    state.pieces = [piece]
    return state


class TestEveryTargetAgainstEveryProtection:
    @pytest.mark.parametrize("name", NEARBY)
    @pytest.mark.parametrize("type_", CRAFT)
    def test_craft_near_a_friend(self, type_: str, name: str) -> None:
        systems, protection = NEARBY[name]
        group = craft(type_)
        state = with_piece(battle_of(hull("f", systems, at=(10, 13))), group)
        assert protection_of(state, group) == protection

    @pytest.mark.parametrize("name", NEARBY)
    def test_ship_near_a_friend(self, name: str) -> None:
        systems, protection = NEARBY[name]
        state = battle_of(hull("a", at=AT), hull("f", systems, at=(10, 13)))
        assert protection_of(state, state.ship_by_name("a")) == protection

    @pytest.mark.parametrize("name", ABOARD)
    def test_ship_alone(self, name: str) -> None:
        systems, more, protection = ABOARD[name]
        state = battle_of(hull("a", systems, **more))
        assert protection_of(state, state.ship_by_name("a")) == protection

    @pytest.mark.parametrize("name", NEARBY)
    def test_ordnance_and_mines_have_no_protection(self, name: str) -> None:
        state = battle_of(hull("f", NEARBY[name][0], at=AT))
        missile = Marker("missiles-1", 0, "f", "salvo-rack", 0, *AT, 6, 1)
        for piece in (missile, Mine("mine-1", 0, *AT, 0, 1)):
            assert protection_of(with_piece(state, piece), piece) == NONE

    def test_cloak_excludes_other_protection(self) -> None:
        state = battle_of(hull("a", "screen area-screen holofield", stealth=2))
        state.ship_by_name("a").write_fact("concealed", 1)
        assert protection_of(state, state.ship_by_name("a")) == Protection(cloaked=True)

    def test_hulk_is_covered_only_by_a_friends_area_screen(self) -> None:
        state = battle_of(hull("a", "screen screen"), hull("f", "area-screen"))
        state.ship_by_name("a").status = HULK
        assert protection_of(state, state.ship_by_name("a")) == Protection(1, 0)

    @pytest.mark.parametrize("target", ["ship", *CRAFT])
    @pytest.mark.parametrize(
        ("why", "change"),
        [
            ("too far", lambda one: setattr(one, "y", 13.01)),
            ("an enemy's", lambda one: setattr(one, "commander", 1)),
            ("cloaked", lambda one: one.write_fact("concealed", 1)),
            ("all power in its nova cannon", lambda one: one.arm_nova_cannon()),
            ("hit", lambda one: one.knock_out(one.profile.index_of["area-screen-1"])),
            ("destroyed", lambda one: one.destroy()),
        ],
    )
    def test_area_screen_out_of_range(self, target: str, why: str, change: Any) -> None:
        state = battle_of(hull("a", at=AT), hull("f", "area-screen", at=(10, 13)))
        unit: ShipState | Group = state.ship_by_name("a") if target == "ship" else craft(target)
        assert protection_of(state, unit).screens == 1
        change(state.ship_by_name("f"))
        assert protection_of(state, unit) == NONE, why

    def test_protection_at_another_place(self) -> None:
        state = battle_of(hull("a", at=AT), hull("f", "area-screen", at=(10, 13)))
        for unit in (state.ship_by_name("a"), craft("standard-fighter")):
            assert [protection_of(state, unit, at).screens for at in ((10, 16), (10, 17))] == [1, 0]


class FireAtCraft(NamedTuple):
    """Fire at craft: b1's systems and orders, dice by purpose, and craft lost by area screens.

    The last three are for none, one standard and one advanced level, by the rules of 1.0. By those
    of 1.1 area screens do not affect point defence.
    """

    guard: str
    part: str
    dice: dict[str, list[int]]
    bare: int
    standard: int
    advanced: int


# A 4 hits craft without screens, and none behind one level; a 6 hits through any.
AT_FIGHTERS = {
    "PDS": FireAtCraft("pds", "defend", {"point_defence": [4]}, 1, 0, 0),
    "PDS, a five": FireAtCraft("pds", "defend", {"point_defence": [5]}, 1, 1, 1),
    "a class 1 beam on guard": FireAtCraft("beam:1@ALL", "defend", {"point_defence": [5]}, 1, 0, 0),
    "a class 1 K-gun on guard": FireAtCraft(
        "k-gun:1@ALL", "defend", {"point_defence": [5]}, 1, 1, 0
    ),
    "grapeshot": FireAtCraft("grapeshot", "defend", {"point_defence": [4, 5, 1, 1]}, 2, 1, 1),
    "a scattergun": FireAtCraft("scattergun", "defend", {"point_defence": [3]}, 3, 3, 3),
}
AT_BOATS = {
    "beams": FireAtCraft("beam:2@F+FS+FP", "engage", {"beam": [4, 5]}, 2, 1, 1),
    "a pulse torpedo": FireAtCraft(
        "pulse-torpedo@F", "engage", {"to_hit": [6], "damage": [1]}, 1, 1, 0
    ),
    "a K-gun": FireAtCraft("k-gun:2@F", "engage", {"to_hit": [6], "double": [6]}, 1, 1, 1),
    "a graser": FireAtCraft("graser:1@ALL", "engage", {"beam": [4], "damage": [3]}, 1, 0, 0),
    "submunitions": FireAtCraft("submunition@F+FS+FP", "engage", {"beam": [4, 5]}, 2, 2, 1),
    "a spinal beam": FireAtCraft(
        "spinal-beam:small", "line", {"beam": [1] * 12 + [4, 5] + [1] * 10}, 2, 1, 1
    ),
    "plasma": FireAtCraft("plasma-cannon:1@ALL", "engage", {"beam": [3]}, 1, 0, 0),
    "EMP": FireAtCraft("emp:1@ALL", "engage", {"beam": [4]}, 1, 1, 0),
}
SOURCES = ("", "area-screen", "advanced-area-screen")


def add_friend(
    document: dict[str, Any], systems: str, at: tuple[float, float], name: str = "r2"
) -> dict[str, Any]:
    """Return the same with a friend of r1 that protects its neighbours."""
    if systems:
        document["sides"][0]["ships"].append(ship(name, *at, systems, mass=300))
    return document


def orders_of(fired: FireAtCraft, target: str) -> dict[str, Any]:
    weapon = fired.guard.partition("@")[0].partition(":")[0] + "-1"
    if fired.part == "line":
        return {"engage": {"b1": [{"weapon": weapon, "at": [60, 26]}]}}
    return {fired.part: {"b1": [{"weapon": weapon, "target": target}]}}


@pytest.mark.rule("pc.area-screens")
class TestEveryFireAtCraftBehindAreaScreens:
    @pytest.mark.parametrize("name", AT_FIGHTERS)
    @pytest.mark.parametrize(("place", "rules"), [(0, "1.0"), (1, "1.0"), (2, "1.0"), (2, "1.1")])
    def test_point_defence_at_fighters(self, name: str, place: int, rules: str) -> None:
        fired = AT_FIGHTERS[name]
        document = add_friend(
            carriers("standard", "", 14.0, guard=fired.guard), SOURCES[place], (61, 28)
        )
        document["rules"] = rules
        orders = turn(
            launch(), {N1: "to 60 30; face 12"}, attack={N1: "fighters>b1"}, **orders_of(fired, N1)
        )
        battle = play_turns(document, orders, fighter=[1] * 6, **fired.dice)
        assert 6 - group(battle, N1).craft == (fired.bare if rules == "1.1" else fired[3 + place])

    @pytest.mark.parametrize("name", AT_BOATS)
    @pytest.mark.parametrize("place", range(3))
    def test_fire_at_gunboats(self, name: str, place: int) -> None:
        fired = AT_BOATS[name]
        document = add_friend(squadrons("beam", 16.0, guard=fired.guard), SOURCES[place], (62, 26))
        orders = turn(launch("gunboat-rack-1"), {S1: "to 60 26; face 12"}, **orders_of(fired, S1))
        battle = play_turns(document, orders, **fired.dice)
        assert 6 - group(battle, S1).craft == fired[3 + place]
        lines = [(line["group"], line["screens"]) for line in log_lines(battle, "craft-covered")]
        assert lines == [(S1, 1)] * (place > 0)

    @pytest.mark.rule("pc.area-screens-craft")
    @pytest.mark.parametrize(
        ("levels", "rules", "die", "lost"),
        [
            (0, "1.1", 6, 1),
            (1, "1.0", 6, 1),
            (1, "1.1", 6, 0),  # 6 - 1 is no hit
        ],
    )
    def test_beam_at_fighters(self, levels: int, rules: str, die: int, lost: int) -> None:
        document = carriers("standard", "", 20.0, guard="beam:2@F+FS+FP")
        add_friend(document, "area-screen" if levels else "", (61, 28))
        document["rules"] = rules
        fire: dict[str, Any] = {"engage": {"b1": [{"weapon": "beam-1", "target": N1}]}}
        orders = turn(launch(), {N1: "to 60 30; face 12"}, **fire)
        battle = play_turns(document, orders, to_hit=[die])
        assert 6 - group(battle, N1).craft == lost

    @pytest.mark.rule("pc.area-screens-craft")
    @pytest.mark.parametrize(
        ("generators", "dice", "rerolls", "lost"),
        [
            ("", [4, 5, 6], [4], 5),  # 1 + 1 + 2, and the re-roll 1
            ("area-screen", [4, 5, 6], [4], 3),  # 0 + 1 + 1, and the re-roll is not modified
            ("area-screenx2", [4, 5, 6], [4], 2),  # 0 + 0 + 1, and the re-roll
            ("area-screenx2 area-screenx2", [4, 5, 6], [], 1),  # a third level prevents re-rolls
        ],
    )
    def test_each_level_subtracts_one_from_beams_of_fighters(
        self, generators: str, dice: list[int], rerolls: list[int], lost: int
    ) -> None:
        document = carriers("standard", "standard", 14.0)
        for place, systems in enumerate(generators.split()):
            add_friend(document, systems, (61 - place, 26 + place), f"r{place + 2}")
        orders = turn(
            launch() | launch(ship="b1"),
            {N1: "to 60 26; face 12", "b1/hangar-1": "to 60 28; face 6"},
            attack={"b1/hangar-1": f"fighters>{N1}"},
        )
        attack = [*dice, 1, 1, 1]
        rolls = [1] * 6 + attack if in_front(N1) else attack + [1] * 6
        battle = play_turns(document, orders, dogfight=rolls, re_roll=rerolls)
        assert 6 - group(battle, N1).craft == lost

    @pytest.mark.parametrize(("cannon", "lost"), [(False, (2, 1, 1)), (True, (2, 2, 1))])
    def test_dogfight(self, cannon: bool, lost: tuple[int, int, int]) -> None:
        for place, systems in enumerate(SOURCES):
            document = carriers("standard", "standard", 14.0)
            for system in document["sides"][1]["ships"][0]["design"]["systems"]:
                if cannon and system["type"] == "hangar":
                    system["mods"] = ["cannon"]
            add_friend(document, systems, (61, 26))
            orders = turn(
                launch() | launch(ship="b1"),
                {N1: "to 60 26; face 12", "b1/hangar-1": "to 60 28; face 6"},
                attack={"b1/hangar-1": f"fighters>{N1}"},
            )
            dice = [4, 5, 1, 1, 1, 1]
            battle = play_turns(
                document, orders, dogfight=[1] * 6 + dice if in_front(N1) else dice + [1] * 6
            )
            assert 6 - group(battle, N1).craft == lost[place]

    def test_three_layers_exclude_rerolls(self) -> None:
        document = carriers("standard", "", 14.0, guard="pds")
        add_friend(document, "area-screenx2", (61, 28))
        add_friend(document, "area-screen", (59, 28), "r3")
        document["rules"] = "1.0"
        fire: dict[str, Any] = {"defend": {"b1": [{"weapon": "pds-1", "target": N1}]}}
        orders = turn(launch(), {N1: "to 60 30; face 12"}, attack={N1: "fighters>b1"}, **fire)
        battle = play_turns(document, orders, point_defence=[6], fighter=[1] * 5)
        assert group(battle, N1).craft == 5

    @pytest.mark.parametrize(
        ("systems", "lost"), [("", 5), ("area-screen", 4), ("area-screenx2", 3)]
    )
    def test_plasma_bolt_loses_a_point_per_die_and_level(self, systems: str, lost: int) -> None:
        document = add_friend(
            carriers("standard", "", 26.0, guard=f"plasma-bolt:1@{FORE}"), systems, (61, 28)
        )
        bolt: dict[str, Any] = {"launch": {"b1": [{"weapon": "plasma-bolt-1", "at": [60, 33]}]}}
        orders = turn(launch(), {N1: "to 60 30; face 12"}, **bolt)
        dice = [1] * bool(systems) + [5]  # ships first
        battle = play_turns(document, orders, damage=dice)
        assert 6 - group(battle, N1).craft == lost


def in_front(name: str) -> bool:
    """Return whether a group's dice come before those of b1's group, in canonical order."""
    return name > "b1/hangar-1"
