"""Programs find the code and values of a reason, and its English text beside them."""

from __future__ import annotations

from typing import Any

from campaign.events.event import ReasonFact
from campaign.rules.files import fixture_scenario
from campaign.rules.forces import initial_world
from campaign.rules.perception import build_view
from campaign.rules.view import Notice
from campaign.words.reasons_in_english import (
    check_with_texts,
    inputs_with_texts,
    report_with_texts,
    view_with_texts,
    week_with_texts,
)
from engine.view.worded_log import worded_log

THRUST: dict[str, Any] = {"code": "uses-thrust", "args": [3, 2]}
TEXT = "uses 3 thrust; the limit is 2"
LINE = {"event": "order-refused", "turn": 1, "ship": "n1", "order": "P3", "reason": THRUST}
LINE_WITH_TEXT = {**LINE, "reason_text": TEXT}
MOVED = {"event": "moved", "turn": 1}


def test_log_lines_have_text_and_reason() -> None:
    assert worded_log([LINE, MOVED]) == [LINE_WITH_TEXT, MOVED]


def test_battle_report_has_texts_for_each_phase() -> None:
    body = {"battle": "x", "phases": [{"turn": 1, "log": [LINE]}, None]}
    assert report_with_texts(body)["phases"] == [
        {"turn": 1, "log": [LINE_WITH_TEXT]},
        None,
    ]


def test_notices_have_text_and_reason() -> None:
    facts = [["order", "moves[0]"], ["why", THRUST]]
    worded = [["order", "moves[0]"], ["why", THRUST], ["reason_text", TEXT]]
    (now,) = report_with_texts({"notices": [{"code": "order-dropped", "facts": facts}]})["notices"]
    assert now["facts"] == worded
    (then,) = week_with_texts([{"code": "order-dropped", "facts": facts}])
    assert then["facts"] == worded


def test_view_has_text_and_reason() -> None:
    scenario = fixture_scenario("first-steps")
    reason = ReasonFact(**THRUST)
    notice = Notice(1, "orders", "order-dropped", "", (("order", "moves[0]"), ("why", reason)))
    view = view_with_texts(build_view(scenario, initial_world(scenario), "ember", None, [notice]))
    assert view.notices[0].facts == (("order", "moves[0]"), ("why", reason), ("reason_text", TEXT))


def test_faults_have_text_and_reason() -> None:
    fault = {"code": "thrust", "where": "ships.n1", "reason": THRUST}
    check = check_with_texts({"round": 1, "faults": [fault]})
    assert check == {"round": 1, "faults": [{**fault, "message": TEXT}]}
    assert inputs_with_texts({"by": "players", "refused": {"red": [fault]}})["refused"] == {
        "red": [{**fault, "message": TEXT}]
    }
    assert inputs_with_texts({"by": "captains"}) == {"by": "captains"}
