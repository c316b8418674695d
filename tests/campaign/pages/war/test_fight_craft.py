"""The forms of Continuum craft express what orders do: fire of gunboats, and launches."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils import translation

from campaign.forms.battle.craft_attack_form import attack_payload, attack_rows
from campaign.forms.battle.craft_form import launch_and_flight_payload, plot_and_flight_rows
from campaign.forms.battle.fight_form import FormSight, OrderRow
from campaign.forms.battle.ordnance_form import defence_payload, defence_rows
from campaign.forms.battle.task_data import tasks_data
from campaign.words.battle.log import SideNames, line_of
from campaign.words.languages import in_language
from engine import stops
from engine.battle import Battle
from engine.core.dice import Dice
from engine.known_battle import known_battle
from engine.view.event_reader import read_events
from engine.view.side_log import side_log
from tests.engine.craft.carrier_battles import (
    E1,
    N1,
    N2,
    S1,
    carriers,
    group,
    launch,
    squadrons,
    turn,
)
from tests.engine.craft.test_on_guard import at_defence
from tests.engine.craft.test_refusals import facing_groups
from tests.engine.craft.test_scramble import attacked, raid
from tests.engine.craft.test_squadron_fights import to_attack
from tests.engine.defences.battles import play_turns, start_battle


def sight(battle: Battle) -> FormSight:
    """Return red's form of the phase."""
    battle_known = known_battle(battle, 0)
    view = stops.side_view(battle, 0)
    mine = frozenset([*view["own"], *(group["id"] for group in view["groups"])])
    return FormSight(battle_known.state, 0, mine, {})


def post_rows(rows: tuple[OrderRow, ...]) -> QueryDict:
    """Send the form as shown."""
    post = QueryDict(mutable=True)
    for row in rows:
        for pick in row.picks:
            post[pick.name] = pick.chosen[0]
        for tick in row.ticks:
            if tick.is_on:
                post[tick.name] = tick.value
        for field in row.inputs:
            post[field.name] = field.value
    return post


def in_flight(type_: str) -> Battle:
    """Return red's squadron in flight before its ship's enemy, at the next plots."""
    return play_turns(
        squadrons(type_, 18.0), turn(launch("gunboat-rack-1"), {S1: "to 60 28; face 12"})
    )


@pytest.mark.parametrize(
    ("type_", "orders"),
    [
        (
            "missile",
            [
                {"weapon": "missiles", "at": [60, 38], "count": 4},
                {"weapon": "missiles", "at": [58, 36.5]},
            ],
        ),
        ("rocket", [{"weapon": "rockets", "target": "b1", "count": 3}]),
        ("plasma-bomber", [{"weapon": "plasma-bolts", "count": 2}]),
    ],
)
def test_craft_launches_survive_the_form(type_: str, orders: list[dict[str, Any]]) -> None:
    form_sight = sight(in_flight(type_))
    foe = next(key for key, _ in form_sight.other_ships())
    launches = [
        launch_order | ({"target": foe} if "target" in launch_order else {})
        for launch_order in orders
    ]
    payload = {"plot": {}, "launch": {S1: launches}}
    assert stops.read_orders(in_flight(type_), 0, payload)[1] == ()
    assert launch_and_flight_payload(
        form_sight, post_rows(plot_and_flight_rows(form_sight, payload, {}))
    )["launch"] == {S1: launches}


def test_side_without_launches_is_not_asked() -> None:
    form_sight = sight(in_flight("beam"))
    assert [
        row.key for row in plot_and_flight_rows(form_sight, {}, {}) if row.key.endswith("/load")
    ] == []
    form_sight = sight(start_battle(carriers("missile", "")))
    assert [row.key for row in plot_and_flight_rows(form_sight, {}, {})] == [
        "r1",
        N1,
        "r1/hangar-2",
        "r1/hangar-3",
    ]


@pytest.mark.parametrize(
    ("type_", "extra"), [("needle", {"system": "drive"}), ("mkp", {"count": 1}), ("beam", {})]
)
def test_boat_fire_survives_the_form(type_: str, extra: dict[str, Any]) -> None:
    form_sight = sight(in_flight(type_))
    foe = next(key for key, _ in form_sight.other_ships())
    payload = {"attack": {S1: [{"weapon": "boats", "target": foe} | extra]}}
    assert (
        attack_payload(form_sight, post_rows(attack_rows(form_sight, payload, {})))
        == payload["attack"]
    )


def test_shuttle_landings_survive_the_form() -> None:
    document = carriers("assault-shuttle", "", 20.0, beside="marinesx3", options=("boarding",))
    form_sight = sight(play_turns(document, turn(launch(), {N1: "to 60 30; face 12"})))
    foe = next(key for key, _ in form_sight.other_ships())
    payload = {"attack": {N1: [{"weapon": "shuttles", "target": foe, "marines": 3, "parties": 2}]}}
    assert (
        attack_payload(form_sight, post_rows(attack_rows(form_sight, payload, {})))
        == payload["attack"]
    )


@pytest.mark.parametrize("extra", [{"system": "drive"}, {}])
def test_ace_choice_survives_the_form(
    extra: dict[str, str],
) -> None:
    document = carriers("standard", "standard", 20.0, options=("aces",))
    document["sides"][0]["ships"][0]["pilots"] = {
        "hangar-1": "ace",
        "hangar-2": "turkey",
        "hangar-3": "average",
    }
    flights = {N1: "to 60 30; face 12", N2: "to 61 30; face 12"}
    battle = play_turns(document, turn(launch("hangar-1", "hangar-2"), flights))
    form_sight = sight(battle)
    foe = next(key for key, _ in form_sight.other_ships())
    payload = {
        "attack": {
            N1: [{"weapon": "fighters", "target": foe}, {"weapon": "ace", "target": foe} | extra]
        }
    }
    rows = attack_rows(form_sight, payload, {})
    assert attack_payload(form_sight, post_rows(rows)) == payload["attack"]
    assert [row.state.rpartition(", ")[2] for row in rows] == ["an ace among them", "raw pilots"]
    assert [any(field.name.startswith("ace-") for field in row.inputs) for row in rows] == [
        True,
        False,
    ]


def test_boats_without_missiles_have_no_targets() -> None:
    form_sight = sight(in_flight("rocket"))
    assert [
        pick.name
        for row in attack_rows(form_sight, {}, {})
        for pick in row.picks
        if pick.name.startswith("target")
    ] == []


@pytest.mark.parametrize("count_text", ["9" * 5000, "٣", "three"])
def test_invalid_round_count_is_left_to_the_rules(
    count_text: str,
) -> None:
    form_sight = sight(in_flight("mkp"))
    foe = next(key for key, _ in form_sight.other_ships())
    post = post_rows(
        attack_rows(
            form_sight, {"attack": {S1: [{"weapon": "boats", "target": foe, "count": 1}]}}, {}
        )
    )
    post[f"count-{S1}-boats"] = count_text
    assert attack_payload(form_sight, post)[S1][0]["count"] == count_text


@pytest.mark.parametrize("fire", [{}, {"fire": []}, {"fire": [{"weapon": "pds-1", "target": "x"}]}])
def test_scramble_survives_the_form(fire: dict[str, Any]) -> None:
    battle = attacked(raid(guard="pds"))
    mine = frozenset(stops.side_view(battle, 1)["own"])
    form_sight = FormSight(known_battle(battle, 1).state, 1, mine, {})
    foe = stops.side_view(battle, 1)["flyers"][0]["id"]
    orders: dict[str, Any] = {"scramble": ["hangar-2", "hangar-1"]} | fire
    if orders.get("fire"):
        orders["fire"] = [{"weapon": "pds-1", "target": foe}]
    payload = {"defend": {"b1": orders}}
    rows = defence_rows(form_sight, payload, {})
    assert defence_payload(form_sight, post_rows(rows)) == payload["defend"]
    assert stops.read_orders(battle, 1, payload)[1] == ()


@pytest.mark.rule("pc.gunboats")
class TestBoatsOnGuard:
    @pytest.mark.parametrize(
        "orders",
        [
            {S1: [{"weapon": "boats", "target": "marker-1", "count": 2}]},
            {
                S1: [
                    {"weapon": "boats", "target": "marker-1", "count": 2},
                    {"weapon": "boats", "target": "marker-1"},
                ]
            },
            {},
        ],
    )
    def test_boat_defence_survives_the_form(self, orders: dict[str, Any]) -> None:
        battle = at_defence("point-defence")
        form_sight = sight(battle)
        rows = defence_rows(form_sight, {"defend": orders}, {S1: ("a fault",)})
        assert defence_payload(form_sight, post_rows(rows)) == orders
        assert stops.read_orders(battle, 0, {"defend": orders})[1] == ()
        (row,) = (candidate for candidate in rows if candidate.key == S1)
        assert [value for value, _ in row.picks[0].options] == ["", "marker-1"]
        assert [words for _, words in row.picks[1].options][:3] == [
            "all that can fire",
            "1 boat",
            "2 boats",
        ]
        assert row.faults == ("a fault",)
        assert row.state == "6 boats on guard; without a target they hold fire"

    def test_idle_escort_has_no_row(self) -> None:
        assert defence_rows(sight(at_defence("k-gun")), {}, {}) == ()

    def test_table_shows_expected_kills_of_all_boats(self) -> None:
        form_sight = sight(at_defence("scatterpack"))
        advice = {"defend": {S1: [{"weapon": "boats", "target": "marker-1", "count": 1}]}}
        tasks = tasks_data(
            "defend",
            form_sight,
            defence_rows(form_sight, {}, {}),
            defence_rows(form_sight, advice, {}),
        )
        (row,) = tasks[S1]["rows"]
        assert (row["fields"], row["cells"]["marker-1"][:3]) == (
            [f"meet-{S1}-0"],
            ["6.0", "missiles", "marker-1"],
        )
        assert tasks[S1]["captain"] == {f"meet-{S1}-0": "marker-1", f"boats-{S1}-0": "1"}
        assert tasks[S1]["rings"] == [6.0]


@pytest.mark.rule("dog.actions")
class TestDogfightActions:
    def sight_with(self, *options: str, mods: tuple[str, ...] = ()) -> FormSight:
        document = carriers("standard", "standard", 20.0, mods=mods, options=options)
        return sight(play_turns(document, turn(launch(), {N1: "to 60 30; face 12"})))

    @pytest.mark.parametrize(
        "orders",
        [
            [{"weapon": "fighters", "actions": ["break off"], "to": [60, 24]}],
            [{"weapon": "fighters", "target": "foe", "actions": ["engage", "engage", "break off"]}],
            [{"weapon": "fighters", "target": "foe", "to": [60, 24]}],
            [{"weapon": "fighters", "actions": ["stay on target", "engage", "engage", "engage"]}],
        ],
    )
    def test_group_action_survives_the_form(self, orders: list[dict[str, Any]]) -> None:
        form_sight = self.sight_with("dogfight-actions", mods=("heavy",))
        foe = next(key for key, _ in form_sight.other_ships())
        attacks = [attack | ({"target": foe} if "target" in attack else {}) for attack in orders]
        payload = {"attack": {N1: attacks}}
        assert (
            attack_payload(form_sight, post_rows(attack_rows(form_sight, payload, {})))
            == payload["attack"]
        )

    def test_without_the_option_only_heavy_craft_may_stay(self) -> None:
        (row,) = attack_rows(self.sight_with(), {}, {})
        assert [pick.name for pick in row.picks if pick.name.startswith("act-")] == []
        (row,) = attack_rows(self.sight_with("dogfight-actions"), {}, {})
        offered = next(pick.options for pick in row.picks if pick.name.startswith("act-"))
        assert [key for key, _ in offered] == ["", "engage", "break off"]
        assert attack_payload(self.sight_with("dogfight-actions"), post_rows((row,))) == {}

    def test_ace_is_not_asked_for_another_ace(self) -> None:
        document = carriers("standard", "standard", 20.0, options=("dogfight-actions", "aces"))
        document["sides"][0]["ships"][0]["pilots"] = dict.fromkeys(
            ("hangar-1", "hangar-2", "hangar-3"), "ace"
        )
        document["sides"][1]["ships"][0]["pilots"] = dict.fromkeys(
            ("hangar-1", "hangar-2", "hangar-3"), "average"
        )
        (row,) = attack_rows(
            sight(play_turns(document, turn(launch(), {N1: "to 60 30; face 12"}))), {}, {}
        )
        assert [tick.name for tick in row.ticks if tick.name.startswith("duel-")] == []


@pytest.mark.rule("pc.dogfights")
class TestRefusedDogfights:
    FIELD = f"leaves-{N1}"

    @pytest.mark.parametrize(
        ("language", "label", "line", "reason"),
        [
            (
                "en",
                "If fighters attack, fly on to x, y",
                "Aerie's fighters A fly, facing course 6",
                "Orel's fighters A cannot fire at fighters 1: their target is faster and flies on",
            ),
            (
                "de",
                "Bei Angriff durch Jäger weiterfliegen nach x, y",
                "Jäger A von Aerie fliegen, ausgerichtet auf Kurs 6",
                "Jäger A von Orel kommen nicht zum Schuss auf Jäger 1: "
                "Ihr Ziel ist schneller und fliegt weiter",
            ),
        ],
    )
    def test_log_line_of_a_secondary_move_has_its_field(
        self, language: str, label: str, line: str, reason: str
    ) -> None:
        battle = to_attack(start_battle(facing_groups("fast", "standard")))
        form_sight = sight(battle)
        (row,) = attack_rows(form_sight, {}, {})
        with translation.override(language):
            assert label in render_to_string("campaign/_fields.html", {"fields": row})
        post = post_rows((row,))
        post[self.FIELD] = "60 10"
        orders = {"attack": attack_payload(form_sight, post)}
        (row,) = attack_rows(form_sight, orders, {})
        assert [item.value for item in row.inputs if item.name == self.FIELD] == ["60 10"]
        foe = group(battle, N1).contact
        attack = {"attack": {E1: [{"weapon": "fighters", "target": foe}]}}
        _, phase = stops.resolve_documents(battle, {0: orders, 1: attack}, Dice("refused"))
        with translation.override(language):
            names = SideNames({"r1": "Aerie"})
            lines = [
                line_of(event, names)
                for event in read_events(side_log(phase.events, phase.before, 0))
            ]
            assert [in_language(item.words) for item in lines if item][-1] == line
            names = SideNames({"b1": "Orel"})
            lines = [
                line_of(event, names)
                for event in read_events(side_log(phase.events, phase.before, 1))
            ]
            assert reason in [in_language(item.words) for item in lines if item]

    def test_moved_group_has_no_field(self) -> None:
        flight_orders = {0: {"plot": {}, "fighters": {N1: "to 60 26; face 12"}}}
        battle = to_attack(start_battle(facing_groups("fast", "standard")), flight_orders)
        (row,) = attack_rows(sight(battle), {}, {})
        assert self.FIELD not in [field.name for field in row.inputs]
