"""Starbases and monster ships: sections fight like ships, take up space, and share drives."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import Battle, play_orders, start
from engine.combat.line_of_sight import is_blocked
from engine.core.dice import NO_DICE
from engine.core.errors import RuleViolations
from engine.core.kinds import DESTROYED, FTL
from engine.core.table import Table
from engine.design.mass_pricing import structure_bill
from engine.events.event import Event
from engine.notation.battles import read_battle
from engine.notation.designs import parse_design
from engine.pieces.section import Section
from engine.view.side_view import observe
from tests.engine.battle.continuum_hulls import fly, foe, hull, plot_fault_text, table
from tests.engine.battle.table import at, events_of, play, replays, scripted

pytestmark = pytest.mark.rule("pc.starbases")

BASE: dict[str, Any] = {"section": "hub", "kind": "installation", "thrust": 0, "ftl": "none"}
# An inner section with one on each side of it, in a row from west to east, and three more behind:
# the shape of figure 33.
ROW = {"s1": (198, 200), "s2": (200, 200), "s3": (202, 200)}


def starbase(**more: Any) -> list[dict[str, Any]]:
    return [
        hull(name, x, y, 12, 0, contact=f"code-{name}", **BASE, **more.get(name, {}))
        for name, (x, y) in ROW.items()
    ]


def monster(*, velocity: int = 8, **drives: Any) -> list[dict[str, Any]]:
    """Return three sections in line; the aft one has the drives of all."""
    aft = hull("m3", 200, 196, 12, velocity, section="m", mass=100, **{"thrust": 4, **drives})
    aft["design"]["total_mass"] = 220
    parts = [
        hull(f"m{n}", 200, 202 - 2 * n + 2, 12, velocity, section="m", thrust=0, ftl="none")
        for n in (2, 1)
    ]
    parts[0]["at"], parts[1]["at"] = [200, 198], [200, 200]
    return [*parts, aft]


def spot(battle: Battle, name: str) -> tuple[float, float]:
    ship = at(battle, name)
    return round(ship.x, 6), round(ship.y, 6)


def sight(battle: Battle, a: str, b: str) -> bool:
    first, second = at(battle, a), at(battle, b)
    return not is_blocked(battle.state.pieces, (first.x, first.y), (second.x, second.y))


def test_inner_section_is_hidden_until_an_outer_one_is_lost() -> None:
    document = table(*starbase(), blue=[hull("b1", 190, 200)])
    battle = start(document)
    assert (sight(battle, "b1", "s1"), sight(battle, "b1", "s2"), sight(battle, "s2", "b1")) == (
        True,
        False,
        False,
    )
    assert sight(battle, "s1", "s2"), "sections beside each other see each other"
    assert not sight(battle, "s1", "s3")
    battle.state.ship_by_name("s1").destroy()
    heard: list[Event] = []
    Section.drift(Table(battle.state, NO_DICE, heard.append), [])
    assert sight(battle, "b1", "s2")
    assert [event.kind for event in heard] == ["sections-shifted"]


def test_starbase_blocks_fire() -> None:
    document = table(*starbase(), hull("r1", 196, 200, 3), blue=[hull("b1", 206, 200, 9)])
    shots = [{"engage": {"r1": [{"weapon": "beam-1", "target": "b1"}]}}]
    battle = play(document, shots, beam=[6] * 9)
    assert events_of(battle, "shot-refused")
    assert not events_of(battle, "fire")


@pytest.mark.parametrize(("die", "lost"), [(4, False), (3, True)])
def test_ship_flying_into_a_starbase_evades_or_rams(die: int, lost: bool) -> None:
    runs = hull("r1", 190, 200, 3, 10)
    battle = fly(table(*starbase(), runs), {"r1": ""}, collision=[die], damage=[2])
    assert (at(battle, "r1").status == DESTROYED) is lost
    assert [event.die for event in events_of(battle, "base-struck" if lost else "base-passed")] == [
        die
    ]
    if lost:
        assert events_of(battle, "base-struck")[0].points == 2 * 20
        assert at(battle, "s1").status == DESTROYED
        assert [piece.ship for piece in battle.state.pieces_of(Section)] == ["s2", "s3"]


def test_section_fires_aft_like_any_arc() -> None:
    armed = [{"type": "firecon"}, {"type": "beam", "class": 2, "arcs": ["AS", "A", "AP"]}]
    parts = monster(systems=armed)
    document = table(*parts, blue=[hull("b1", 200, 188)])
    shots = [{"plot": {"m3": ""}, "engage": {"m3": [{"weapon": "beam-1", "target": "b1"}]}}]
    assert [event.ship for event in events_of(play(document, shots, beam=[1, 1]), "fire")] == ["m3"]


def test_sections_keep_their_places_around_the_drives() -> None:
    battle = fly(table(*monster()), {"m3": "S2+2"})
    assert at(battle, "m3").course == at(battle, "m1").course == 2
    assert at(battle, "m1").velocity == at(battle, "m3").velocity == 10
    ax, ay = spot(battle, "m3")
    bx, by = spot(battle, "m1")
    assert (bx - ax, by - ay) == pytest.approx((4 * 3**0.5 / 2, 2)), (
        "4 MU ahead of it, on course 2 now"
    )
    assert {(piece.ship, round(piece.x, 6)) for piece in battle.state.pieces_of(Section)} >= {
        ("m1", bx)
    }


def test_sections_drift_on_without_drives() -> None:
    document = table(*monster())
    battle = start(document)
    battle.state.ship_by_name("m3").destroy()
    after = play_orders(battle, scripted(), read_battle({**document, "turns": [{}]}, {}).turns)
    assert [spot(after, name) for name in ("m1", "m2")] == [(200, 208), (200, 206)]
    assert [piece.ship for piece in after.state.pieces_of(Section)] == ["m2", "m1"]


def test_monster_ship_jumps_whole() -> None:
    battle = fly(table(*monster(velocity=4)), {"m3": "ftl"}, {})
    assert [at(battle, name).status for name in ("m1", "m2", "m3")] == [FTL] * 3
    assert [event.ship for event in events_of(battle, "carried-off")] == ["m2", "m1"]
    assert not battle.state.pieces_of(Section)


def test_monster_ship_leaves_whole_and_does_not_return() -> None:
    parts = monster(velocity=12)
    for part in parts:
        part["at"][1] += 192
    battle = fly(table(*parts, options=("table-return",)), {"m3": "+2"})
    assert {at(battle, name).status for name in ("m1", "m2", "m3")} == {"left"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("roll", "cannot roll"),
        ("dock m1", "cannot dock"),
        ("squadron r1", "only ships that move freely"),
    ],
)
def test_section_cannot_do_what_needs_the_whole(text: str, words: str) -> None:
    assert words in plot_fault_text(table(*monster(), hull("r1", 201, 196, 12, 8)), "m3", text)


def test_exploding_core_hurts_adjacent_sections() -> None:
    base = starbase(
        s1={"boxes": 8, "lost": ["power-core"], "notes": {"reactor": 5}},
        s2={"boxes": 8},
        s3={"boxes": 40},
    )
    document = table(*base, options=("core-systems",))
    battle = fly(document, {}, reactor=[6], damage=[3, 3, 3, 2, 2, 2])
    assert [at(battle, name).status == DESTROYED for name in ROW] == [True, True, False]
    assert at(battle, "s3").damage == 6


def test_drive_mass_counts_the_whole_ship() -> None:
    design = monster()[2]["design"]
    lines = {line.title: line.mass for line in structure_bill(parse_design(design))}
    assert [int(lines[name]) for name in ("Main drive", "FTL drive")] == [44, 22]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"at": [204, 200]}, "within 3 MU of the next"),
        ({"at": [201, 200]}, "at least 2 MU apart"),
        ({"velocity": 3}, "the same course and velocity"),
        ({"design": hull("x", 0, 0)["design"]}, "all sections must be installations, or none"),
    ],
)
def test_sections_share_their_hull_type(change: dict[str, Any], words: str) -> None:
    base = starbase()
    base[2] |= change
    with pytest.raises(RuleViolations) as bad:
        start(table(*base))
    assert words in str(bad.value)


def test_drives_of_a_section_move_the_whole() -> None:
    parts = monster()
    del parts[2]["design"]["total_mass"]
    with pytest.raises(RuleViolations) as bad:
        start(table(*parts))
    assert "built for mass 100; all sections together have 220" in str(bad.value)


def test_sections_and_their_whole_are_public() -> None:
    """This holds even where contacts are bogeys, because sections are unmistakable.

    Other sides use its contact code.
    """
    document = table(*starbase(), hull("r1", 150, 150), bogeys=True)
    view = observe(start(document).state, 1).to_json()
    identified = [contact for contact in view["contacts"] if "class" in contact]
    assert [contact["notes"] for contact in identified] == [{"section": 1}] * 3
    codes = {contact["id"] for contact in identified}
    assert {section["ship"] for section in view["sections"]} == codes
    assert not codes & set(ROW)


def test_section_battle_replays_from_its_log() -> None:
    far = [{**part, "at": [part["at"][0] + 40, 200]} for part in starbase()]
    document = table(*monster(), *far, blue=[foe()])
    battle = play(document, [{"plot": {"m3": "P1"}}, {"plot": {"m3": "+1"}}])
    assert replays(start(document), battle)
