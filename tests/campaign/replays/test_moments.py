"""A replay's moments as a reader sees them: lines, effects, and positions."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from django.template.loader import render_to_string

from campaign.replays.moments import FIRE, MOVES, OVER, Moment
from campaign.replays.picture import picture_of, states_at
from campaign.replays.replay import Replay, document_of
from campaign.replays.sentences import sentence_text
from campaign.replays.units import GROUPS, OUT_OF_SIGHT, Units, units_in_view
from campaign.web.replays import replay_context
from engine.core.kinds import ShipStatus
from engine.view.event_reader import read_event
from tests.campaign.replays.battles import (
    body_of,
    build_replay,
    contact,
    phase,
    phases_of_case,
    report,
    ship,
)

FOE, OTHER = "0123456789", "abcdef0123"
# One or two battles of every kind in the battery: by captains and by random orders, with every kind
# of piece on tables.
BATTLES = (
    "second-edition/first-battle-2", "second-edition/captains-7", "second-edition/orders-130", "space/orders-30",
    "continuum/captains-5", "continuum/orders-150", "second-edition/orders-201", "planets/captains-2",
    "boats/captains-1", "shuttles/captains-2", "mines/orders-20", "large/captains-4", "stands/captains-1",
    "shapes/orders-8", "carriers/captains-3", "gates/captains-1", "gates/orders-7",
    "riders/captains-1", "riders/orders-5",
)  # fmt: skip


def texts_of(moment: Moment) -> list[str]:
    return [sentence_text(sentence) for sentence in moment.sentences]


def ends(moment: Moment) -> list[str]:
    return [sentence_text(sentence) for sentence, _ in moment.consequences]


def shot(
    shooter: str, at: str, hits: int, weapon: str = "battery-1", **extra: Any
) -> dict[str, Any]:
    usual = {"range": 11.4, "arc": "F", "screens": 0, "dice": [4], "turn": 1}
    return {
        "event": "shot",
        "ship": shooter,
        "target": at,
        "weapon": weapon,
        "hits": hits,
        **usual,
        **extra,
    }


def hurt(target: str, by: str, points: int, total: int) -> dict[str, Any]:
    return {
        "event": "damaged",
        "ship": target,
        "cause": f"fire:{by}",
        "points": points,
        "total": total,
        "die": 0,
    }


TWO: dict[str, Any] = {
    "own": {"n1": ship(10, 10), "n2": ship(12, 10)},
    "contacts": [contact(FOE, 30, 30), contact(OTHER, 34, 30)],
}


def test_many_identifications_share_a_line() -> None:
    codes = [f"{n:010x}" for n in range(30)]
    log = [
        {
            "event": "contact-identified",
            "ship": code,
            "contact": code,
            "cls": "Destroyer",
            "by": "n1",
            "turn": 1,
        }
        for code in codes
    ]
    contacts = [contact(code, n, 9) for n, code in enumerate(codes)]
    replay = build_replay(report(phase(*log, own=TWO["own"], contacts=contacts)))
    (line,) = replay.moments[1:]
    assert texts_of(line) == ["30 contacts are identified: 30 Destroyers."]
    assert all(f"Destroyer {code[:4]}" in "".join(line.details) for code in codes)
    (moment,) = build_replay(report(phase(log[0], own=TWO["own"], contacts=contacts[:1]))).moments[
        1:
    ]
    assert texts_of(moment) == [f"Bogey {codes[0][:4]} is identified: Destroyer {codes[0][:4]}."]


def test_fire_and_its_results_are_one_moment() -> None:
    log = [
        shot("n1", FOE, 2, dice=[5, 6]),
        shot("n1", FOE, 0, "battery-2", dice=[1]),
        shot("n1", OTHER, 1, "pulse-torpedo-1", range=20.0),
        hurt(FOE, "n1", 2, 2),
        {
            "event": "threshold",
            "ship": FOE,
            "row": 1,
            "loses_on": 6,
            "rolls": [["drive", 6]],
            "lost": ["drive"],
        },
        {"event": "destroyed", "ship": OTHER, "cause": "fire:n1"},
        shot("n2", OTHER, 0),
    ]
    first, second = build_replay(report(phase(*log, **TWO))).moments[1:]
    assert texts_of(first) == [
        "N1 fires at Bogey 0123 at 11 MU with 2 batteries: 2 hits; at Bogey abcd at 20 MU with 1 pulse torpedo: 1 hit."
    ]
    assert ends(first) == ["Bogey 0123 takes 2 and loses main drive.", "Bogey abcd is destroyed."]
    assert [dead for _, dead in first.consequences] == [False, True]
    assert (first.kind, first.shooter, first.shots) == (FIRE, "n1", {FOE: 2, OTHER: 1})
    assert first.details[0] == "At Bogey 0123, 11 MU, arc F: battery 1 (5 6); battery 2 (1)"
    assert first.changes[FOE]["d"] == 2
    assert first.changes[OTHER]["out"] == ShipStatus.DESTROYED.label
    assert texts_of(second) == ["N2 fires at Bogey abcd at 11 MU with 1 battery: no hit."]


def test_needle_beam_names_its_system() -> None:
    needle = {
        "event": "needle",
        "ship": "n1",
        "target": FOE,
        "weapon": "needle-beam-1",
        "system": "drive",
        "die": 6,
    }
    lost = {"event": "system-lost", "ship": FOE, "system": "drive", "cause": "fire:n1"}
    (fire,) = build_replay(report(phase({**needle, "range": 9.0}, lost, **TWO))).moments[1:]
    assert texts_of(fire) == ["N1 fires at Bogey 0123 at 9 MU with 1 needle beam: no hit."]
    assert ends(fire) == ["Bogey 0123 loses main drive."]


def test_arc_die_belongs_to_the_fire() -> None:
    arc = {"event": "arc", "ship": "n1", "target": FOE, "arc": "S", "die": 3, "turn": 1}
    (fire,) = build_replay(report(phase(arc, shot("n1", FOE, 1), **TWO))).moments[1:]
    assert texts_of(fire) == ["N1 fires at Bogey 0123 at 11 MU with 1 battery: 1 hit."]
    assert fire.consequences == []
    assert "n1 counts Bogey 0123 as being in arc S: die 3" in fire.details
    (alone,) = build_replay(report(phase(arc, **TWO))).moments[1:]
    assert texts_of(alone) == ["N1 counts Bogey 0123 as being in arc S."]


def test_large_battle_fits_its_page() -> None:
    """33 ships, twelve turns, every ship fires twice a turn and is hit: 16 KB on the wire."""
    own = {f"n{n}": ship(n, 10) for n in range(16)}
    others = [contact(f"{n:010x}", n, 40, **{"class": "Destroyer", "damage": 0}) for n in range(17)]
    places = {key: unit["at"] for key, unit in own.items()} | {
        unit["id"]: unit["at"] for unit in others
    }
    names = list(places)
    phases = []
    for turn in range(1, 13):
        moves = [
            {
                "event": "moved",
                "ship": name,
                "path": [[3.37, 9.2], list(at)],
                "course": 12 - turn % 2,
                "velocity": 6 + turn,
            }
            for name, at in places.items()
        ]
        fire = [
            event
            for n, name in enumerate(names)
            for event in (
                shot(name, names[-n - 1], 2, f"battery-{turn % 3 + 1}"),
                shot(name, names[-n - 1], 0, "battery-4"),
                hurt(names[-n - 1], name, 2, turn * 2),
            )
        ]
        phases += [phase(*moves, turn=turn, kind="plot", own=own, contacts=others)]
        phases += [phase(*fire, turn=turn, own=own, contacts=others)]
    replay = build_replay(report(*phases))
    assert len(replay.units) == 33
    page = render_to_string(
        "replays/replay.html",
        {"replay": replay_context(replay, "6"), "battle_name": "Battle", "query": ""},
    )
    assert len(gzip.compress(page.encode())) < 16_000


def test_moves_are_one_moment_and_damage_another() -> None:
    move_events = [
        {"event": "moved", "ship": name, "path": [[10, 10], [10, 16]], "course": 12, "velocity": 6}
        for name in ("n1", "n2")
    ]
    over = {"event": "battle-over", "winner": "red", "reason": "no hostile sides are left in play"}
    body = report(
        phase(
            *move_events, {"event": "turn-ended"}, hurt(FOE, "e7", 4, 4), over, **TWO, kind="plot"
        )
    )
    moves, checks, end = build_replay(body).moments[1:]
    assert (moves.kind, texts_of(moves), set(moves.paths)) == (
        MOVES,
        ["2 ships move."],
        {"n1", "n2"},
    )
    assert moves.changes["n1"] == {"y": 16}  # everything else is unchanged
    assert (texts_of(checks), ends(checks)) == ([], ["Bogey 0123 takes 4."])
    assert end.kind == OVER


def test_equal_statements_share_a_sentence() -> None:
    log = [{"event": "scanning", "ship": name, "turn": 1} for name in ("n1", "n2")]
    (line,) = build_replay(report(phase(*log, **TWO))).moments[1:]
    assert texts_of(line) == ["N1 and n2 use active sensors, which everybody notices."]


def test_unseen_ship_disappears_and_bogey_becomes_its_ship() -> None:
    identified = contact(FOE, 30, 24, **{"class": "Destroyer", "damage": 1, "lost": []})
    body = report(
        phase(**TWO, kind="plot"),
        phase(own=TWO["own"], contacts=[identified]),
        phase(own=TWO["own"], contacts=[], turn=2),
    )
    replay = build_replay(body)
    document = document_of(replay)
    foe = next(unit for unit in document["units"] if unit.get("bogey"))
    assert (foe["name"], foe["bogey"], foe["cls"]) == ("Destroyer 0123", "Bogey 0123", "Destroyer")
    _, now = states_at(replay, 2)
    assert now[FOE]["out"] == now[OTHER]["out"] == OUT_OF_SIGHT
    assert "class" not in str(document)


def test_craft_move_and_pieces_are_drawn() -> None:
    launched = {
        "event": "launched",
        "ship": "n1",
        "group": "n1/hangar-1",
        "contact": "f1",
        "at": [11, 11],
        "course": 3,
        "craft": 6,
    }
    flight = {
        "event": "group-moved",
        "group": "n1/hangar-1",
        "path": [[11, 11], [22, 11]],
        "course": 3,
    }
    craft_lost = {
        "event": "craft-lost",
        "group": "n1/hangar-1",
        "cause": f"fire:{FOE}",
        "craft": 6,
        "remaining": 0,
        "die": 0,
    }
    mine = {"id": "mine-1", "side": 0, "x": 20, "y": 20, "laid": 1}
    body = report(
        phase(
            launched,
            flight,
            craft_lost,
            **TWO,
            mines=[mine],
            rocks=[{"id": "rock-1", "x": 40, "y": 20, "radius": 2}],
        )
    )
    replay = build_replay(body)
    (moment, *_) = replay.moments[1:]
    assert moment.paths == {"n1/hangar-1": ((11, 11), (22, 11))}
    document = document_of(replay)
    assert [unit["name"] for unit in document["units"] if unit["size"] == "fighter"] == [
        "n1's fighters A"
    ]
    assert {(piece["kind"], piece.get("s"), piece.get("r")) for piece in document["pieces"][0]} == {
        ("mine", 0, None),
        ("rock", None, 2),
    }
    picture = picture_of(replay, 1)
    assert [piece.words for piece in picture.ground] == ["Asteroid rock-1"]
    _, now = states_at(replay, 1)
    assert now["n1/hangar-1"]["out"] == "shot down"


def test_table_entries_are_shown() -> None:
    entered = {
        "event": "entered",
        "ship": "n1",
        "status": "left",
        "damage": 3,
        "lost": ["drive"],
        "captor": "",
    }
    replay = build_replay(report(phase(entered, **TWO, kind="table")))
    (line,) = replay.moments[1:]
    assert texts_of(line) == ["N1 left the table."]
    assert line.changes["n1"] == {"d": 3, "out": ShipStatus.LEFT_TABLE.label}


def states_after_moments(document: dict[str, Any]) -> list[dict[int, dict[str, Any]]]:
    """Return the table after every moment, as the script derives it from the document."""
    now: dict[int, dict[str, Any]] = {}
    states = []
    for moment in document["moments"]:
        now = {key: dict(state) for key, state in now.items()}
        for key, changes in moment.get("set", {}).items():
            now.setdefault(key, {}).update(changes)
        for act in moment.get("acts", ()):
            key = act["u"]
            if act["k"] == "move" and "x" not in moment.get("set", {}).get(key, {}):
                now.setdefault(key, {}).update(x=act["path"][-1][0], y=act["path"][-1][1])
        states.append(now)
    return states


@pytest.mark.parametrize("name", BATTLES)
def test_every_phase_is_shown_as_the_side_saw_it(name: str) -> None:
    """From the document alone, the table at every phase equals the side's view, whatever events
    say.
    """
    phases = phases_of_case(name)
    for side in range(len(phases[0].before.sides)):
        body = body_of(phases, side)
        replay = build_replay(body, side)
        document = document_of(replay)
        keys, states = list(replay.units), states_after_moments(document)
        for view, at in _last_moments(replay, body):
            states_by_key = {keys[n]: state for n, state in states[at].items()}
            for key, state in units_in_view(view, side, lambda number: number).items():
                assert {part: states_by_key[key].get(part) for part in state} == state, (
                    name,
                    side,
                    key,
                )
            visible_keys = {*view["own"], *(item["id"] for item in view["contacts"])}
            visible_keys |= {item["id"] for group in GROUPS for item in view.get(group, ())}
            assert all(
                state["out"] for key, state in states_by_key.items() if key not in visible_keys
            ), (
                name,
                side,
            )
        assert all(
            line.sentences or line.ends
            for turn in replay_context(replay, "all")["log"]
            for phase in turn.phases
            for line in phase.lines
        )


def _last_moments(replay: Replay, body: dict[str, Any]) -> list[tuple[dict[str, Any], int]]:
    """Yield every view but the first, with the index of the moment after which it is shown."""
    at, last_moments = 0, []
    for n, phase_view in enumerate(body["phases"]):
        part = build_replay({**body, "phases": body["phases"][: n + 1]}, replay.own_side)
        if n:
            last_moments.append((phase_view, at))
        at = len(part.moments) - 1
    return last_moments


def test_events_lead_from_view_to_view() -> None:
    """Where nothing is hidden and no table moves, the events of a phase lead to the next view."""
    phases = phases_of_case("second-edition/first-battle-2")
    body = body_of(phases, 0)
    units = Units()
    for phase_view in body["phases"]:
        units_visible = units_in_view(phase_view, 0, lambda number: number)
        changed = units.sync(units_visible) if units.now else {}
        assert not any(changes.keys() - {"out"} for changes in changed.values()), changed
        units.sync(units_visible)
        for event in phase_view["log"]:
            units.apply(read_event(event))
    assert len(units.now) > 2


def test_replay_begins_with_ships_where_they_were_set_up() -> None:
    """Before, a view has the reader's ships where the captain proposes."""
    set_up = {"to_place": ["n1", "n2"]}
    proposed = phase(
        turn=0, kind="set_up", own={"n1": ship(3, 9), "n2": ship(3, 12)}, set_up=set_up
    )
    placed = phase(kind="plot", **TWO)
    first, *_ = build_replay(report(proposed, placed)).moments
    assert (first.changes["n1"]["x"], first.changes[FOE]["x"]) == (10, 30)
    assert texts_of(first) == ["The battle begins: 2 ships of yours, 2 contacts."]
    (only,) = build_replay(report(proposed)).moments
    assert only.changes == {}
