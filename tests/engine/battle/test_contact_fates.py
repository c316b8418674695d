"""The fates of contacts as one side saw them, from its own views and log."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import ResolvedStop, fight, start
from engine.core.dice import Dice
from engine.view.contact_fates import FateKind, contact_fates, fates_by_events, visible_contacts
from tests.engine.battle.table import classes, gunship, setup

SIDES = ("red", "blue")
RED, BLUE = 0, 1


def contact(id_: str, status: str = "fighting", **more: Any) -> Any:
    base = {"id": id_, "side": BLUE, "classification": "escort", "status": status}
    return base | {"at": [0.0, 0.0], "course": 12, "velocity": 6} | more


def line(event: str, **facts: Any) -> dict[str, Any]:
    return {"event": event, "turn": 3, "ship": "c1", **facts}


def fate(log: list[dict[str, Any]], status: str = "") -> FateKind:
    """Return the fate of one contact by a log, and by its status in the last view, if visible."""
    ended = [contact("c1", status)] if status else []
    (result,) = contact_fates(SIDES, [contact("c1")], log, ended)
    assert (result.side, result.label) == (BLUE, "escort")
    return result.fate


@pytest.mark.parametrize(
    ("log", "status", "expected"),
    [
        ([], "fighting", FateKind.PRESENT),
        ([line("destroyed", cause="fire:r1")], "", FateKind.GONE),
        ([line("dummy-identified", contact="c1", by="r1")], "", FateKind.GONE),
        ([line("ftl-exit", at=[0.0, 0.0], near=[], die=0, outcome="safe")], "", FateKind.GONE),
        (
            [line("ftl-exit", at=[0.0, 0.0], near=[], die=0, outcome="failed")],
            "fighting",
            FateKind.PRESENT,
        ),
        ([line("escaped", at=[0.0, 0.0], edge="top")], "", FateKind.GONE),
        ([line("carried-off", by="c2", at=[0.0, 0.0], exploded=False)], "", FateKind.GONE),
        ([line("left-table", edge="top", die=2, due=0)], "", FateKind.PRESENT),
        ([line("cloaked", cloak="field")], "", FateKind.PRESENT),
        ([line("taken-aboard", near="c2")], "", FateKind.PRESENT),
        ([line("taken-over", side="red", cls="Frigate", cause="boarded")], "", FateKind.GONE),
        (
            [
                line("taken-over", side="red", cls="Frigate", cause="boarded"),
                line("taken-over", side="blue", cls="Frigate", cause="recaptured"),
            ],
            "fighting",
            FateKind.PRESENT,
        ),
        ([], "hulk", FateKind.DERELICT),
        ([line("colours-struck")], "struck", FateKind.DERELICT),
        ([], "landed", FateKind.LANDED),
    ],
)
def test_contact_is_gone_only_by_the_log(
    log: list[dict[str, Any]], status: str, expected: FateKind
) -> None:
    assert fate(log, status) == expected


def test_class_of_a_contact_is_known_after_identification() -> None:
    log = [line("contact-identified", contact="c1", cls="Weasel Scout", by="r1")]
    (contact_fate,) = contact_fates(
        SIDES, [contact("c1", **{"classification": "capital"})], log, []
    )
    assert (contact_fate.label, contact_fate.cls) == ("capital", "Weasel Scout")
    (bogey,) = contact_fates(SIDES, [contact("c1")], [], [contact("c1")])
    assert bogey.cls == ""


@pytest.mark.parametrize("seed", [1, 2])
def test_fates_in_memory_equal_those_of_stored_views(seed: int) -> None:
    red = [gunship(f"r{n}", 10 + 6 * n, 10, "AAB") for n in range(4)]
    blue = [gunship(f"b{n}", 10 + 6 * n, 40, "AAB", course=6) for n in range(4)]
    battle = start(setup(red, blue), classes())
    stops: list[ResolvedStop] = []
    ended = fight(battle, {}, Dice(seed), "captains", on_stop=stops.append)
    assert any(event.kind == "destroyed" for event in ended.events)
    for side in (RED, BLUE):
        views = [stop.view(side) for stop in stops]
        log = [entry for view in views for entry in view["log"]]
        stored = contact_fates(
            SIDES, views[0]["contacts"], log, visible_contacts(ended.state, side)
        )
        assert stored == fates_by_events(battle.state, ended.events, ended.state, side)
        assert len(stored) == 4
