"""Fighter morale: groups that roll before an attack, and attacks that are broken off."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.words.battle.log import SideNames, line_of
from engine.battle import Battle
from engine.captains.continuum.craft_prizes import attack_worth, prizes_of
from engine.continuum.craft.morale import attack_chance
from engine.pieces.group import Group
from engine.view.event_reader import read_event
from engine.view.side_view import observe
from tests.engine.craft.carrier_battles import E1, N1, S1, carriers, group, squadrons, turn
from tests.engine.defences.battles import log_lines, play_turns, ship_of

AT = 14.0
MORALE = ("fighter-morale",)
IN_FRONT = {"at": [60, 30], "course": 12}


def depleted(craft: int, type_: str = "standard", theirs: str = "", **more: Any) -> dict[str, Any]:
    """Return `r1` with so many craft in flight, 4 MU from `b1`, whose groups are aboard."""
    document = carriers(type_, theirs, AT, options=more.pop("options", MORALE), **more)
    document["sides"][0]["ships"][0]["groups"] = {"hangar-1": {**IN_FRONT, "craft": craft}}
    return document


def attack_turn(target: str = "b1", weapon: str = "fighters", **more: Any) -> dict[str, Any]:
    return turn(attack={N1: {"weapon": weapon, "target": target}}, defend={"b1": []}, **more)


def morale_rolls(battle: Battle) -> list[tuple[str, int, int, bool]]:
    return [
        (line["group"], line["die"], line["craft"], line["holds"])
        for line in log_lines(battle, "craft-morale-checked")
    ]


@pytest.mark.rule("pc.fighter-morale")
class TestMorale:
    @pytest.mark.parametrize(
        ("craft", "die", "holds"), [(2, 2, True), (2, 3, False), (5, 5, True), (5, 6, False)]
    )
    def test_die_above_the_remaining_craft_breaks_off_the_attack(
        self, craft: int, die: int, holds: bool
    ) -> None:
        battle = play_turns(
            depleted(craft), attack_turn(), morale=[die], fighter=[4] * craft if holds else []
        )
        assert morale_rolls(battle) == [(N1, die, craft, holds)]
        assert ship_of(battle, "b1").damage == (craft if holds else 0)
        assert group(battle, N1).used_endurance == int(holds)

    def test_full_group_rolls_nothing(self) -> None:
        assert morale_rolls(play_turns(depleted(6), attack_turn(), fighter=[1] * 6)) == []
        document = depleted(4)
        document["sides"][0]["ships"][0]["design"]["systems"][-3]["load"] = {"standard": 4}
        assert morale_rolls(play_turns(document, attack_turn(), fighter=[1] * 4)) == []

    def test_nobody_rolls_without_the_option(self) -> None:
        assert (
            morale_rolls(play_turns(depleted(2, options=()), attack_turn(), fighter=[1, 1])) == []
        )

    def test_point_defence_precedes_the_die(self) -> None:
        """A full group hit by point defence rolls for the craft that are left."""
        document = depleted(6, guard="pds")
        orders = attack_turn() | {"defend": {"b1": [{"weapon": "pds-1", "target": N1}]}}
        battle = play_turns(document, orders, point_defence=[6], re_roll=[1], morale=[5])
        assert morale_rolls(battle) == [(N1, 5, 4, False)]
        assert log_lines(battle, "fighters-fired") == []

    def test_group_breaking_off_keeps_its_loads(self) -> None:
        battle = play_turns(depleted(3, "torpedo"), attack_turn(weapon="torpedoes"), morale=[4])
        assert group(battle, N1).loads == {}
        battle = play_turns(
            depleted(3, "torpedo"), attack_turn(weapon="torpedoes"), morale=[3], fighter=[1] * 3
        )
        assert group(battle, N1).loads == {"torpedoes": 0}

    def test_one_die_for_guns_and_missiles_together(self) -> None:
        both = [{"weapon": weapon, "target": "b1"} for weapon in ("mkp", "fighters")]
        orders = turn(attack={N1: both}, defend={"b1": []})
        battle = play_turns(depleted(3, "mkp"), orders, morale=[1], fighter=[1] * 6)
        assert len(morale_rolls(battle)) == 1

    @pytest.mark.parametrize("holds", [True, False])
    def test_attacker_rolls_in_a_dogfight_and_the_defender_does_not(self, holds: bool) -> None:
        document = depleted(3, theirs="standard")
        document["sides"][1]["ships"][0]["groups"] = {
            "hangar-1": {"at": [60, 32], "course": 6, "craft": 2}
        }
        dice = [5, 1, 1, 5, 1] if holds else [5, 1]
        battle = play_turns(document, attack_turn(E1), morale=[3 if holds else 4], dogfight=dice)
        assert [row[0] for row in morale_rolls(battle)] == [N1]
        assert (group(battle, N1).craft, group(battle, E1).craft) == (2, 1 if holds else 2)
        assert (group(battle, N1).used_endurance, group(battle, E1).used_endurance) == (
            int(holds),
            1,
        )

    def test_mutual_attackers_both_roll(self) -> None:
        document = depleted(3, theirs="standard")
        document["sides"][1]["ships"][0]["groups"] = {
            "hangar-1": {"at": [60, 32], "course": 6, "craft": 2}
        }
        orders = attack_turn(E1)
        orders["attack"][E1] = [{"weapon": "fighters", "target": N1}]
        battle = play_turns(document, orders, morale=[6, 6])
        assert [row[0] for row in morale_rolls(battle)] == [N1, E1]

    def test_attacker_met_by_a_screen_rolls_for_the_fight(self) -> None:
        document = depleted(3, theirs="standard")
        document["sides"][1]["ships"][0]["groups"] = {
            "hangar-1": {"at": [60, 34], "course": 6, "craft": 2}
        }
        orders = attack_turn()
        orders["fighters"] = {E1: "screen b1"}
        battle = play_turns(document, orders, morale=[3], dogfight=[1, 1, 1, 5, 1])
        assert morale_rolls(battle) == [(N1, 3, 3, True)]
        assert group(battle, N1).craft == 2

    @pytest.mark.parametrize(("die", "through"), [(3, 1), (1, 0)])
    def test_missile_passes_if_nobody_dares_to_intercept(self, die: int, through: int) -> None:
        """A 3 stops no missile of two; at least one gets through where nothing intercepted them."""
        document = depleted(2, theirs="missile")
        document["sides"][0]["ships"][0]["groups"]["hangar-1"] |= {"at": [60, 22]}
        theirs = {"hangar-1": {"at": [60, 31], "course": 6, "craft": 2}}
        document["sides"][1]["ships"][0]["groups"] = theirs
        orders = attack_turn("marker-1") | {
            "launch": {E1: [{"weapon": "missiles", "at": [60, 23]}]},
            "defend": {"r1": []},
        }
        battle = play_turns(
            document, orders, morale=[die], fighter=[1, 1], missiles=[3], damage=[4] * through
        )
        assert [row[3] for row in morale_rolls(battle)] == [not through]
        assert (ship_of(battle, "r1").damage, group(battle, N1).used_endurance) == (
            4 * through,
            1 - through,
        )

    def test_group_that_broke_off_does_not_pursue(self) -> None:
        again = turn(fighters={N1: "pursue b1"})
        battle = play_turns(depleted(3), attack_turn(), again, morale=[4])
        assert log_lines(battle, "accompanied") == []
        battle = play_turns(depleted(3), attack_turn(), again, morale=[3], fighter=[1] * 3)
        assert len(log_lines(battle, "accompanied")) == 1

    def test_robots_and_boats_do_not_roll(self) -> None:
        document = depleted(2, mods=("robot",))
        assert morale_rolls(play_turns(document, attack_turn(), fighter=[1, 1])) == []
        document = squadrons("beam", 20.0, options=MORALE)
        document["sides"][0]["ships"][0]["groups"] = {
            "gunboat-rack-1": {"at": [60, 32], "course": 12, "craft": 2}
        }
        orders = turn(attack={S1: "boats>b1"}, defend={"b1": []})
        battle = play_turns(document, orders, beam=[1] * 4)
        assert len(log_lines(battle, "boats-fired")) == 1

    def test_log_reports_morale_to_everybody(self) -> None:
        battle = play_turns(depleted(2), attack_turn(), morale=[6])
        (line,) = log_lines(battle, "craft-morale-checked")
        log_line = line_of(read_event(line), SideNames({"r1": "Wasp"}))
        assert log_line is not None
        assert log_line.words == "Wasp's fighters A break off their attack"
        assert "die 6, 2 craft left" in log_line.detail


@pytest.mark.rule("pc.fighter-morale")
@pytest.mark.parametrize(("craft", "chance"), [(1, 1 / 6), (3, 1 / 2), (5, 5 / 6), (6, 1.0)])
def test_captains_expect_the_chance_that_a_group_attacks(craft: int, chance: float) -> None:
    state = play_turns(depleted(craft)).state
    there = state.piece(Group, N1)
    assert attack_chance(state, there) == pytest.approx(chance)
    plain = play_turns(depleted(craft, options=())).state
    prize = prizes_of(observe(plain, 0), plain, ahead=False)
    assert attack_worth(state, there, prize[0], {}) == pytest.approx(
        attack_worth(plain, there, prize[0], {}) * chance
    )
