"""Scans on the page of a battle: the form asks for them, log and drawing show the results."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.words.battle.log import SideNames, line_of
from campaign.words.battle.scans import facts_of_contact, sheet_facts_words
from engine import stops
from engine.battle import Battle, start
from engine.core.dice import ScriptedDice
from engine.core.kinds import ScanDetail
from engine.view.event_reader import read_event
from tests.campaign.pages.war.test_fight_later import orders_from_form
from tests.campaign.pages.war.test_fight_ordnance import rows

pytestmark = pytest.mark.rule("pc.sensors")


def meeting(*options: str) -> Battle:
    """Return two ships with superior sensors, 40 MU apart."""
    design = {
        "class": "Seeker", "edition": "continuum", "kind": "warship", "mass": 90, "hull": {"boxes": 20, "rows": 4},
        "thrust": 4, "ftl": "none", "systems": [{"type": "firecon"}, {"type": "screen"}, {"type": "superior-sensors"}],
    }  # fmt: skip
    sides = [
        {
            "name": name,
            "ships": [
                {"id": id_, "design": design, "at": [x, 20], "course": course, "velocity": 4}
            ],
        }
        for name, id_, x, course in (("red", "n1", 10, 3), ("blue", "e1", 50, 9))
    ]
    return start({"edition": "continuum", "table": [72, 48], "sides": sides, "options": [*options]})


def picks(battle: Battle) -> list[str]:
    return [control.label for control in rows(battle, 0, {})["n1"].more_controls or ()]


def test_identified_ship_with_closed_sheet_can_be_scanned() -> None:
    assert "Active scan" in picks(meeting("advanced-sensors"))
    assert "Active scan" not in picks(meeting())


def test_scan_survives_the_form() -> None:
    orders: dict[str, Any] = {"plot": {"n1": "S1; scan e1"}}
    assert orders_from_form(meeting("advanced-sensors"), orders) == orders


def test_scan_result_is_shown_to_both_sides_concerned() -> None:
    battle = meeting("advanced-sensors")
    dice = ScriptedDice({"sensor": [4]})
    battle, phase = stops.resolve_documents(battle, {0: {"plot": {"n1": "scan e1"}}}, dice)
    for side, names in (
        (0, {"n1": "Valiant", "e1": "Seeker e1"}),
        (1, {"n1": "Seeker n1", "e1": "Resolute"}),
    ):
        event = next(line for line in phase.view(side)["log"] if line["event"] == "sheet-scanned")
        line = line_of(read_event(event), SideNames(names))
        assert line is not None
        assert line.words.startswith(f"{names['n1']} scans {names['e1']} with its superior sensors")
        assert "mass 90, standard drive, thrust 4" in line.words
        assert line.detail == "die 4"


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        (ScanDetail.NOTHING, ""),
        (ScanDetail.MASS, "mass 90"),
        (ScanDetail.DRIVE, "mass 90, standard drive, thrust 4, no screens"),
    ],
)
def test_log_reports_no_more_than_was_scanned(reading: ScanDetail, words: str) -> None:
    assert (
        sheet_facts_words(
            facts_of_contact(
                {
                    "scan_detail": reading,
                    "mass": 90,
                    "thrust": 4,
                    "drive": "standard",
                    "systems": [],
                }
            )
        )
        == words
    )
