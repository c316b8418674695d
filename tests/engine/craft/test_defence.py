"""Point defence of Continuum against craft: weapons, protected ships, losses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.craft.carrier_battles import E1, N1, carriers, group, launch, turn
from tests.engine.defences.battles import log_lines, play_turns, ship_of

AT = 14.0


def run_attack(
    guard: str, defend: list[tuple[str, str]] | None = None, type_: str = "standard", **more: Any
) -> Any:
    """Return a group's run at b1, which has these systems.

    Args:
        defend: The ship's orders; None: none.
    """
    document = carriers(type_, "", AT, guard=guard, mods=more.pop("mods", ()))
    entry: dict[str, Any] = {}
    if defend is not None:
        entry["defend"] = {"b1": [{"weapon": weapon, "target": other} for weapon, other in defend]}
    orders = turn(launch(), {N1: "to 60 30; face 12"}, attack={N1: "fighters>b1"}, **entry)
    return play_turns(document, orders, **more)


@pytest.mark.rule("pc.point-defence", "pc.pds", "pc.scatterguns")
class TestWhatTheyTake:
    @pytest.mark.parametrize(
        ("guard", "mods", "dice", "rerolls", "lost"),
        [
            ("pds", (), [5], [], 1),
            ("pds", (), [6], [5], 3),
            ("pds", ("heavy",), [4], [], 0),
            ("pds", ("heavy",), [6], [4], 2),
            ("pds", ("light",), [3], [], 1),
            ("scattergun", (), [4], [], 4),
            ("scattergun", ("heavy",), [4], [], 2),
            ("scattergun", ("light",), [4], [], 5),
            ("grapeshot", (), [4, 5, 1, 1], [], 2),
            ("beam:1@ALL", (), [4], [], 0),
            ("beam:1@ALL", (), [5], [], 1),
            ("beam:1@ALL", ("heavy",), [5], [], 1),
            ("beam:1@ALL", ("light",), [4], [], 1),
            ("k-gun:1@ALL", (), [5], [], 1),
            ("k-gun:1@ALL", (), [4], [], 0),
        ],
    )
    def test_dice_of_each_defence(
        self, guard: str, mods: tuple[str, ...], dice: list[int], rerolls: list[int], lost: int
    ) -> None:
        name = guard.partition(":")[0] + "-1"
        craft = 8 if "light" in mods else 6
        battle = run_attack(
            guard,
            [(name, N1)],
            mods=mods,
            point_defence=dice,
            re_roll=rerolls,
            fighter=[1] * (craft - lost),
        )
        assert group(battle, N1).craft == craft - lost

    def test_killed_craft_do_not_strike(self) -> None:
        battle = run_attack("pds", None, point_defence=[6], re_roll=[6, 6, 1], fighter=[])
        assert log_lines(battle, "fighters-fired") == []
        assert ship_of(battle, "b1").damage == 0

    def test_default_pds_fires_at_attackers(self) -> None:
        battle = run_attack(
            "pds pds beam:1@ALL scattergun", None, point_defence=[1, 1], fighter=[1] * 6
        )
        assert [line["weapon"] for line in log_lines(battle, "point-defence-at-craft")] == [
            "pds-1",
            "pds-2",
        ]

    def test_used_defence_fires_no_more(self) -> None:
        document = carriers("standard", "", AT, guard="beam:1@ALL")
        orders = turn(
            launch(), {N1: "to 60 30; face 12"}, attack={N1: "fighters>b1"},
            defend={"b1": [{"weapon": "beam-1", "target": N1}]}, engage={"b1": [{"weapon": "beam-1", "target": "r1"}]},
        )  # fmt: skip
        battle = play_turns(document, orders, point_defence=[1], fighter=[1] * 6)
        assert [line["reason_text"] for line in log_lines(battle, "shot-refused")] == [
            "it was used for point defence this turn"
        ]


@pytest.mark.rule("pc.adfc", "pc.point-defence")
class TestWhomTheyGuard:
    def figure(self, target: str, weapon: str = "pds-1", near: float = 4.0) -> Any:
        """Return the book's figure: X attacks b1 at 2 MU; b2 with an ADFC is near; Y attacks
        nothing.
        """
        document = carriers("standard", "", AT, guard="pds")
        blue = document["sides"][1]["ships"]
        blue.append(
            {
                **blue[0], "id": "b2", "at": [60 + near, 36],
                "design": {
                    **blue[0]["design"], "class": "Escort",
                    "systems": [{"type": "firecon"}, {"type": "pds"}, {"type": "adfc"}, {"type": "pds"}],
                },
            }
        )  # fmt: skip
        orders = turn(
            launch("hangar-1", "hangar-2"), {N1: "to 60 32; face 12", "r1/hangar-2": "to 62 31; face 12"},
            attack={N1: "fighters>b1"}, defend={"b1": [], "b2": [{"weapon": weapon, "target": target}]},
        )  # fmt: skip
        return play_turns(document, orders, point_defence=[5] * 2, fighter=[1] * 6)

    def test_defence_against_attackers_of_a_friend(self) -> None:
        assert [
            line["guarded"] for line in log_lines(self.figure(N1), "point-defence-at-craft")
        ] == ["b1"]

    def test_idle_group_as_target(self) -> None:
        assert [
            line["group"]
            for line in log_lines(self.figure("r1/hangar-2"), "point-defence-at-craft")
        ] == ["r1/hangar-2"]

    def test_distant_group_as_target(self) -> None:
        battle = self.figure("r1/hangar-2", near=9.0)
        assert [line["reason_text"] for line in log_lines(battle, "shot-refused")] == [
            "its target is too far away"
        ]

    def test_nobody_fires_into_a_dogfight(self) -> None:
        document = carriers("standard", "standard", AT, guard="pds")
        orders = turn(
            launch() | launch(ship="b1"), {N1: "to 60 30; face 12", E1: "to 60 31; face 6"},
            attack={N1: {"weapon": "fighters", "target": "b1", "press": True}, E1: f"fighters>{N1}"},
            defend={"b1": [{"weapon": "pds-1", "target": N1}]},
        )  # fmt: skip
        battle = play_turns(document, orders, dogfight=[1] * 6, fighter=[1] * 6)
        assert [line["reason_text"] for line in log_lines(battle, "shot-refused")] == [
            "it cannot fire into a dogfight"
        ]
