"""A fixture battle by captains as text: orders, events, views and reports of each phase.

`.venv/bin/python -m tests.golden.playthrough` writes the pinned texts anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from engine.battle import ResolvedStop, begin, fight
from engine.cli.battle import battle_file
from engine.pieces.asteroid import Asteroid
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.frozen.fighting import with_reason_text

HERE = Path(__file__).resolve().parent
BATTLES = HERE.parents[1] / "fixtures" / "battles"
NAMES = ("first-battle", "convoy-990", "con-am-12")


def playthrough(name: str) -> str:
    """Return the whole battle as text, the same on every machine."""
    file = battle_file(yaml.safe_load((BATTLES / f"{name}.yaml").read_text(encoding="utf-8")))
    dice = file.dice()
    battle = begin(file, dice)
    lines = [
        f"{name}: {' against '.join(battle.state.sides)}, table {battle.state.table[0]:g} by {battle.state.table[1]:g}"
    ]
    lines += [
        f"rock {rock.id} at {_point((rock.x, rock.y))} radius {rock.radius:g}"
        for rock in battle.state.pieces_of(Asteroid)
    ]

    def collect_stop(stop: ResolvedStop) -> None:
        lines.extend(_stop(stop))

    ended = fight(
        battle, file.doctrines, dice, f"{file.seed}/captains", file.max_turns, collect_stop
    )
    outcome = ended.to_json()["outcome"]
    assert outcome is not None
    lines.append("")
    lines.append(
        f"== over in turn {ended.turn}: {outcome['winner'] or 'drawn'}, {outcome['reason']}"
    )
    lines.extend(
        f"  {ship.id} {ship.status}, damage {ship.damage}/{ship.sheet.boxes}"
        for ship in ended.state.ships
    )
    lines.append(
        f"  dice {', '.join(f'{purpose} {count}' for purpose, count in sorted(dice.used.items()))}"
    )
    return "\n".join(lines) + "\n"


def _stop(stop: ResolvedStop) -> list[str]:
    lines = ["", f"== turn {stop.turn}, {stop.kind}"]
    for side, name in enumerate(stop.before.sides):
        view: Mapping[str, Any] = observe(stop.before, side).to_json()
        lines += [
            f"  {name} has  {_ship(key, ship)}"
            for key, ship in view["own"].items()
            if ship["status"] != "destroyed"
        ]
        lines += [f"  {name} sees {_ship(ship['id'], ship)}" for ship in view["contacts"]]
        for key, verb in (
            ("groups", "flies"),
            ("flyers", "sees"),
            ("mines", "knows"),
            ("novas", "sees"),
        ):
            lines += [f"  {name} {verb} {_words(item)}" for item in view[key]]
    lines += _orders(stop)
    events_all = [with_reason_text(event.to_json()) for event in stop.events]
    lines += [f"  > {_words(event)}" for event in events_all]
    for side, name in enumerate(stop.before.sides):
        visible_events = [
            with_reason_text(line) for line in side_log(stop.events, stop.before, side)
        ]
        lines += [
            f"  {name} does not read: {_words(event)}"
            for event in events_all
            if event not in visible_events
        ]
        lines += [
            f"  {name} reads instead: {_words(event)}"
            for event in visible_events
            if event not in events_all
        ]
    return lines


def _orders(stop: ResolvedStop) -> list[str]:
    if stop.kind != "engage":
        return [f"  {key}: {words}" for key, words in stop.inputs.items() if words]
    return [
        f"  {key} fires {', '.join(_aim(fire) for fire in fires)}"
        for orders_of_side in stop.inputs.values()
        for key, fires in orders_of_side
        if fires
    ]


def _aim(fire: dict[str, Any]) -> str:
    target = fire.get("target", "")
    at = "/".join(target) if isinstance(target, list) else target
    return " ".join(
        word for word in (fire["weapon"], fire.get("system", ""), "at " + at if at else "") if word
    )


def _ship(name: str, ship: Mapping[str, Any]) -> str:
    class_name = ship.get("class", ship.get("classification", ""))
    lost_text = f" without {' '.join(ship['lost'])}" if ship.get("lost") else ""
    status = "" if ship["status"] == "fighting" else f" {ship['status']}"
    damage = f" damage {ship['damage']}" if ship.get("damage") else ""
    words = f"{name} {class_name}".strip()
    return f"{words} at {_point(ship['at'])} course {ship['course']} velocity {ship['velocity']}{damage}{lost_text}{status}"


def _words(event: dict[str, Any]) -> str:
    """Return an event or a piece in one line: its name, then its fields."""
    rest = [
        f"{key} {_value(value)}" for key, value in event.items() if key not in ("event", "turn")
    ]
    return " | ".join([str(event["event"]), *rest] if "event" in event else rest)


def _value(value: Any) -> str:
    if isinstance(value, float):
        return f"{round(value, 2) + 0.0:g}"
    if isinstance(value, list):
        if len(value) == 2 and all(isinstance(item, float) for item in value):
            return _point(value)
        return "[" + " ".join(_value(item) for item in value) + "]"
    return str(value)


def _point(point: Any) -> str:
    return f"({point[0]:.2f}, {point[1]:.2f})".replace("(-0.00", "(0.00").replace(" -0.00", " 0.00")


def renew() -> None:
    """Write the pinned texts anew."""
    for name in NAMES:
        (HERE / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")


if __name__ == "__main__":
    renew()
