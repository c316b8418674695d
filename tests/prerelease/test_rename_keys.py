"""Patterns find the keys that they describe, and no others."""

from __future__ import annotations

from typing import Any

import pytest

from tools.prerelease import rename_keys, renames

DOCUMENT: dict[str, Any] = {
    "asked": 1,
    "why": 2,
    "ships": {"read": {"notes": {"read:0": 3, "reading": 4}, "asked": 5}},
    "log": [{"event": "shot-refused", "why": 6}, {"event": "moved", "why": 7}],
    "pieces": [{"kind": "group", "spent": 8}, {"kind": "gate", "spent": [{"spent": 9}]}],
}


@pytest.fixture
def set_names(monkeypatch: pytest.MonkeyPatch) -> Any:
    def with_names(
        keys: dict[str, str], anywhere: dict[str, str], values: dict[str, dict[str, str]]
    ) -> Any:
        monkeypatch.setattr(renames, "KEYS", {"sample": keys})
        monkeypatch.setattr(renames, "ANYWHERE", anywhere)
        monkeypatch.setattr(renames, "DOCUMENT_VALUES", {"sample": values})
        rename_keys._rules_of.cache_clear()
        return rename_keys.rename_document("sample", DOCUMENT)

    yield with_names
    rename_keys._rules_of.cache_clear()


def test_no_pattern_changes_nothing(set_names: Any) -> None:
    assert set_names({}, {}, {}) == DOCUMENT


def test_root_pattern_leaves_deeper_keys_alone(set_names: Any) -> None:
    renamed = set_names({".asked": "needs_orders"}, {}, {})
    assert renamed["needs_orders"] == 1
    assert renamed["ships"]["read"]["asked"] == 5
    assert list(renamed) == ["needs_orders", *list(DOCUMENT)[1:]]


def test_text_after_a_colon_stays(set_names: Any) -> None:
    renamed = set_names({}, {"ships.*.notes.read": "scan_levels"}, {})
    assert renamed["ships"]["read"]["notes"] == {"scan_levels:0": 3, "reading": 4}


def test_longest_pattern_wins(set_names: Any) -> None:
    anywhere = {"why": "cause", "event:*.why": "reason", "event:moved.why": "remark"}
    renamed = set_names({}, anywhere, {})
    assert renamed["cause"] == 2
    assert renamed["log"] == [
        {"event": "shot-refused", "reason": 6},
        {"event": "moved", "remark": 7},
    ]


def test_condition_sees_old_values(set_names: Any) -> None:
    renamed = set_names(
        {"kind:group.spent": "used_endurance", "kind:gate.spent": "used_mass"},
        {},
        {"pieces.kind": {"group": "fighters"}},
    )
    assert renamed["pieces"] == [
        {"kind": "fighters", "used_endurance": 8},
        {"kind": "gate", "used_mass": [{"spent": 9}]},
    ]


def test_two_keys_with_one_new_name_are_refused(set_names: Any) -> None:
    with pytest.raises(rename_keys.NameCollision):
        set_names({".asked": "why"}, {}, {})


def test_week_event_facts_are_renamed_by_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renames, "WEEK_EVENT_FACTS", {"ship-lost": {"how": "cause"}})
    events = [{"code": code, "facts": [["how", "x"]]} for code in ("ship-lost", "moved")]
    lost, moved = rename_keys.rename_week_events(events)
    assert lost["facts"] == [["cause", "x"]]
    assert moved == events[1]
