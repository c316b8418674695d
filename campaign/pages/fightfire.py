"""The form of a battle's fire: of every weapon whom it aims at, in order of preference, and in which order ships fire.

A part of `campaign.pages.fightform`. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from campaign.pages.fields import number, text
from campaign.pages.fightform import AIMED, CHOICES, GROUP_WEAPON, Option, Pick, Row, Sight, Written, anchor, weapons_of
from campaign.pages.orderparts import system_words
from engine.state import FIGHTING

ANTI_FIGHTER = ("pdaf", "adaf")


def fire_rows(seen: Sight, payload: Mapping[str, Any], faults: Mapping[str, tuple[str, ...]]) -> tuple[Row, ...]:
    """A row for every ship and group that may fire, in the order in which they fire."""
    said = fire_said(payload)
    rows = []
    for key in _able(seen):
        fires = {str(one.get("weapon")): one for one in said.get(key, ()) if isinstance(one, Mapping)}
        place = str(list(said).index(key) + 1) if key in said else ""
        picks: list[Pick] = []
        kept: list[Option] = []
        written = [Written(f"order-{key}", "Fires as number", place, "1")]
        for weapon, kind in _weapons(seen, key):
            fire = fires.get(weapon, {})
            if kind == "nova-cannon":
                chosen = "on" if weapon in fires else ""
                options: tuple[Option, ...] = (("", "holds"), ("on", "fires"))
                picks.append(Pick(f"fire-{key}-{weapon}", system_words(weapon), options, (chosen,)))
                continue
            targets = fire.get("target", [])
            wanted = targets if isinstance(targets, list) else [targets]
            label = "fighters" if weapon == GROUP_WEAPON else system_words(weapon)
            for n in range(CHOICES):
                value = str(wanted[n]) if n < len(wanted) else ""
                name = f"fire-{key}-{weapon}-{n}"
                picks.append(Pick(name, label if n == 0 else "else", _targets(seen, kind), (value,)))
            if further := " ".join(map(str, wanted[CHOICES:])):
                kept.append((f"further-{key}-{weapon}", further))
            if kind == "needle":
                name = f"system-{key}-{weapon}"
                written.append(Written(name, f"{label}: aims at", str(fire.get("system", "")), "firecon-1"))
        if picks:
            rows.append(
                Row(
                    key=key,
                    id=anchor(key),
                    name=seen.names.get(key, key),
                    state="",
                    picks=tuple(picks),
                    ticks=(),
                    written=tuple(written),
                    raw=None,
                    faults=faults.get(key, ()),
                    kept=tuple(kept),
                )
            )
    return tuple(sorted(rows, key=lambda row: (row.written[0].value == "", int(row.written[0].value or 0))))


def fire_said(payload: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The fire of a payload by ship, in its order, whichever of its two forms it has."""
    given = payload.get("engage")
    rows = list(given.items()) if isinstance(given, Mapping) else given if isinstance(given, list) else []
    pairs = [row for row in rows if isinstance(row, list | tuple) and len(row) == 2 and isinstance(row[1], list)]
    return {str(name): fires for name, fires in pairs}


def fire_payload(seen: Sight, posted: QueryDict) -> list[list[Any]]:
    """Fire as the form says it: [ship, fires] in the order in which they fire; who does not fire is left out."""
    rows: list[tuple[int, list[Any]]] = []
    for key in _able(seen):
        fires: list[dict[str, Any]] = []
        for weapon, kind in _weapons(seen, key):
            if kind == "nova-cannon":
                fires += [{"weapon": weapon}] if text(posted, f"fire-{key}-{weapon}") else []
                continue
            targets = [text(posted, f"fire-{key}-{weapon}-{n}") for n in range(CHOICES)]
            if any(targets):  # who aims at nobody first aims at nobody
                targets += text(posted, f"further-{key}-{weapon}").split()
            targets = list(dict.fromkeys(target for target in targets if target))
            system = text(posted, f"system-{key}-{weapon}").lower().replace(" ", "-")
            if targets:
                aimed: dict[str, Any] = {"weapon": weapon, "target": targets[0] if len(targets) == 1 else targets}
                fires.append(aimed | ({"system": system} if system else {}))
        if fires:
            place = number(text(posted, f"order-{key}") or "999")
            rows.append((place if isinstance(place, int) else 999, [key, fires]))
    return [row for _, row in sorted(rows, key=lambda item: item[0])]


def _able(seen: Sight) -> list[str]:
    ships = [ship.id for ship in seen.ships if ship.status == FIGHTING and not ship.dummy]
    return [*ships, *(group.id for group in seen.groups)]


def _weapons(seen: Sight, key: str) -> list[tuple[str, str]]:
    """The weapons of a ship or group with their types."""
    ship = next((ship for ship in seen.ships if ship.id == key), None)
    if ship is None:
        return [(GROUP_WEAPON, GROUP_WEAPON)]
    types = {fit.id: fit.type for fit in ship.sheet.fits}
    flying = bool(seen.flyers())
    return [(name, types[name]) for name in weapons_of(ship) if types[name] not in ANTI_FIGHTER or flying]


def _targets(seen: Sight, kind: str) -> tuple[Option, ...]:
    nobody: Option = ("", "nobody")
    if kind in ANTI_FIGHTER:
        return (nobody, *seen.flyers())
    if kind == GROUP_WEAPON:
        return (nobody, *seen.others(), *seen.flyers())
    rocks = [(rock.id, f"asteroid {rock.id}") for rock in seen.state.rocks if rock.boxes]
    return (nobody, *seen.others(), *rocks)


__all__ = ["AIMED", "fire_payload", "fire_rows", "fire_said"]
