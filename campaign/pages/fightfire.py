"""The form of a battle's fire: of every weapon whom it aims at, in order of preference, and in which order ships fire.

A part of `campaign.pages.fightform`. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from campaign.pages.fields import number, text
from campaign.pages.fightform import CHOICES, GROUP_WEAPON, Option, Pick, Row, Sight, Written, anchor, weapons_of
from campaign.pages.fightwords import asks_point, asks_system, fire_details, modes_of, point_text, system_text
from engine.core.sheet import Sheet
from engine.core.ship import FIGHTING
from engine.english import system_words
from engine.notation.fire import CRAFT
from engine.weapons.weapon import Trait, Weapon

ORDINALS = ("", "2nd target", "3rd target")  # of a weapon: whom it fires at if the one before cannot be hit


def fire_rows(seen: Sight, payload: Mapping[str, Any], faults: Mapping[str, tuple[str, ...]]) -> tuple[Row, ...]:
    """A row for every ship and group that may fire, in the order in which they fire."""
    said = fire_said(payload)
    ships = {ship.id: ship for ship in seen.ships}
    rows = []
    for key in _able(seen):
        fires = {str(one.get("weapon")): one for one in said.get(key, ()) if isinstance(one, Mapping)}
        place = str(list(said).index(key) + 1) if key in said else ""
        picks: list[Pick] = []
        kept: list[Option] = []
        written = [Written(f"order-{key}", "Firing order", place, "1")]
        for weapon, kind in _as_named(_weapons(seen, key), list(fires)):
            fire = fires.get(weapon, {})
            if not kind.targeted:
                chosen = "on" if weapon in fires else ""
                options: tuple[Option, ...] = (("", "hold fire"), ("on", "fire"))
                picks.append(Pick(f"fire-{key}-{weapon}", system_words(weapon), options, (chosen,)))
                continue
            targets = fire.get("target", [])
            wanted = targets if isinstance(targets, list) else [targets]
            label = "fighters" if weapon == GROUP_WEAPON else _weapon_words(ships[key].sheet, weapon)
            for n in range(CHOICES):
                value = str(wanted[n]) if n < len(wanted) else ""
                name = f"fire-{key}-{weapon}-{n}"
                picks.append(Pick(name, label if n == 0 else ORDINALS[n], _targets(seen, kind), (value,)))
            if further := " ".join(map(str, wanted[CHOICES:])):
                kept.append((f"further-{key}-{weapon}", further))
            if key in ships:
                details, more = _details(f"{key}-{weapon}", label, kind, fire)
                picks += details
                written += more
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


def _weapon_words(sheet: Sheet, weapon: str) -> str:
    """What a weapon is called in the form: its number, and its class or model where it has one."""
    fit = next((fit for fit in sheet.fits if fit.id == weapon), None)
    if fit is None or not (fit.size or fit.variant):
        return system_words(weapon)
    kind = " ".join([*([f"class {fit.size}"] if fit.size else []), *([fit.variant] if fit.variant else [])])
    return f"{system_words(weapon)} ({kind})"


def _details(name: str, label: str, kind: Weapon, fire: Mapping[str, Any]) -> tuple[list[Pick], list[Written]]:
    """The fields of a weapon beside its targets: the way it fires, the systems and the point it is aimed at."""
    picks, written = [], []
    if modes := modes_of(kind):
        options = tuple((mode, mode.replace("-", " ") or "normal") for mode in modes)
        picks.append(Pick(f"mode-{name}", f"{label}: mode", options, (str(fire.get("mode", "")),)))
    if asks_system(kind):
        written.append(Written(f"system-{name}", f"{label}: system aimed at", system_text(fire), "firecon-1"))
    if asks_point(kind):
        written.append(Written(f"at-{name}", f"{label}: aim point x, y", point_text(fire), "24 30"))
    return picks, written


def fire_said(payload: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The fire of a payload by ship, in its order, whichever of its two forms it has."""
    given = payload.get("engage")
    rows = list(given.items()) if isinstance(given, Mapping) else given if isinstance(given, list) else []
    pairs = [row for row in rows if isinstance(row, list | tuple) and len(row) == 2 and isinstance(row[1], list)]
    return {str(name): fires for name, fires in pairs}


def fire_payload(seen: Sight, posted: QueryDict) -> list[list[Any]]:
    """Fire as the form says it: [ship, fires] in the order in which they fire; who does not fire is left out."""
    rows: list[tuple[int, list[Any]]] = []
    ships = {ship.id: ship for ship in seen.ships}
    for key in _able(seen):
        fires: list[dict[str, Any]] = []
        for weapon, kind in _as_posted(_weapons(seen, key), key, posted):
            if not kind.targeted:
                fires += [{"weapon": weapon}] if text(posted, f"fire-{key}-{weapon}") else []
                continue
            targets = [text(posted, f"fire-{key}-{weapon}-{n}") for n in range(CHOICES)]
            if any(targets):  # who aims at nobody first aims at nobody
                targets += text(posted, f"further-{key}-{weapon}").split()
            targets = list(dict.fromkeys(target for target in targets if target))
            details = fire_details(posted, kind, f"{key}-{weapon}") if key in ships else {}
            if targets or "at" in details:
                aimed = {"target": targets[0] if len(targets) == 1 else targets} if targets else {}
                fires.append({"weapon": weapon} | aimed | details)
        if fires:
            place = number(text(posted, f"order-{key}") or "999")
            rows.append((place if isinstance(place, int) else 999, [key, fires]))
    return [row for _, row in sorted(rows, key=lambda item: item[0])]


def _able(seen: Sight) -> list[str]:
    ships = [ship.id for ship in seen.ships if ship.status == FIGHTING and not ship.dummy]
    return [*ships, *(group.id for group in seen.groups)]


def _weapons(seen: Sight, key: str) -> list[tuple[str, Weapon]]:
    """The weapons of a ship or group with their rows."""
    ship = next((ship for ship in seen.ships if ship.id == key), None)
    if ship is None:
        return [(GROUP_WEAPON, CRAFT)]
    flying = bool(seen.flyers())
    return [(name, weapon) for name, weapon in weapons_of(ship) if flying or not _at_fighters(weapon)]


def _at_fighters(weapon: Weapon) -> bool:
    return Trait.ANTI_FIGHTER in weapon.traits


def _as_named(weapons: list[tuple[str, Weapon]], named: list[str]) -> list[tuple[str, Weapon]]:
    """Weapons in their order on the sheet, but first in the order of the orders where that is another: who is named
    first takes the first FireCon.
    """
    on_sheet = [weapon for weapon, _ in weapons]
    first = [weapon for weapon in named if weapon in on_sheet]
    if first == [weapon for weapon in on_sheet if weapon in first]:
        return weapons
    types = dict(weapons)
    return [(weapon, types[weapon]) for weapon in (*first, *(one for one in on_sheet if one not in first))]


def _as_posted(weapons: list[tuple[str, Weapon]], key: str, posted: QueryDict) -> list[tuple[str, Weapon]]:
    """Weapons in the order of the form's fields."""
    places = {name: place for place, name in enumerate(posted)}
    last = len(places)

    def place(weapon: tuple[str, Weapon]) -> int:
        name = f"fire-{key}-{weapon[0]}"
        return min(places.get(name, last), places.get(f"{name}-0", last))

    return sorted(weapons, key=place)


def _targets(seen: Sight, kind: Weapon) -> tuple[Option, ...]:
    nobody: Option = ("", "none")
    if _at_fighters(kind):
        return (nobody, *seen.flyers())
    if kind is CRAFT:
        return (nobody, *seen.others(), *seen.flyers())
    pieces = [(piece.id, f"{piece.word} {piece.id}") for piece in seen.state.pieces if piece.boxed]
    return (nobody, *seen.others(), *pieces)


__all__ = ["fire_payload", "fire_rows", "fire_said"]
