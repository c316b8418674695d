"""The forms of craft.

Pure. By the second edition where groups fly, at a stop of theirs; by Continuum where they fly,
beside the plots, and what they attack once all have moved.

A group of Continuum that is still aboard flies as it is told where its ship launches it this turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.dogfight_form import fight_fields, with_actions
from campaign.forms.battle.fight_form import (
    PREY,
    RAW,
    SYSTEM,
    FormSight,
    OrderRow,
    anchor,
    point_of,
    point_text,
    system_text,
)
from campaign.forms.battle.ordnance_form import (
    AIM,
    POINT_HINT,
    Faults,
    boats_seen,
    launch_payload,
    launch_rows,
    orders_in,
)
from campaign.forms.field import ChoiceField, Input, Option, Select, TextField, TickField, number
from campaign.words.system_names import system_id
from engine.asks.attack import ATTACK
from engine.asks.craft_flights import SECONDARY
from engine.asks.flights import parse_flight
from engine.asks.launch import LAUNCH
from engine.continuum.craft.decks import launch_fault
from engine.continuum.craft.loads import launching
from engine.continuum.craft.moves import is_robot
from engine.continuum.craft.pilots import BY_HIMSELF
from engine.continuum.craft.targets import helps_others
from engine.continuum.defence_level import by_level
from engine.core.kinds import ACE, FIGHTING, TURKEY, Pilots
from engine.core.orders import STAY, Flight, Plot
from engine.core.phrase import joined_phrases, phrase
from engine.core.state import FIGHTERS
from engine.craft.craft_type import CraftType
from engine.craft.roles import row_in
from engine.english import kind_words, system_words
from engine.pieces.group import Group, groups_from
from engine.pieces.marker import Marker

ROUNDS = TextField("rounds")
FLY_TO = TextField("to")
SCREEN = ChoiceField("screen")
PURSUE = ChoiceField("pursue")
LAND = ChoiceField("land")
AT_ONCE = TickField("at_once")
FACE = ChoiceField("face")
EVADES = TextField("evades")
AGAIN = TextField("again")
AGAIN_FACE = ChoiceField("again-face")
CARRIED = TextField("carry")
ATTACK_TARGET = ChoiceField("target")
SPLIT_TARGET = ChoiceField("split")
PRESS = TickField("press")
ACE_SYSTEM = TextField("ace")
ACE_DUEL = TickField("duel")
ASSIST = ChoiceField("assist")
ROUND_COUNT = TextField("count")
EVADE = TickField("evade")
DOGFIGHT = ChoiceField("dogfight")

ORDER_HINT = f"to {POINT_HINT}; face 3"
NOBODY: Option = ("", phrase("none"))
COURSES: tuple[Option, ...] = (
    ("0", phrase("as it flies")),
    *((str(n), str(n)) for n in range(1, 13)),
)


def plot_and_flight_rows(
    seen: FormSight, payload: Mapping[str, Any], faults: Faults
) -> tuple[OrderRow, ...]:
    """The rows of the plots with what ships launch, and one for every group in flight or ready to
    be launched.
    """
    return (*launch_rows(seen, payload, faults), *craft_rows(seen, payload, faults))


def craft_rows(seen: FormSight, payload: Mapping[str, Any], faults: Faults) -> tuple[OrderRow, ...]:
    """The rows of groups beside the plots: where they fly, and what they launch."""
    flights, again = _texts(payload, FIGHTERS), _texts(payload, SECONDARY)
    own = [
        _flight_row(
            seen, key, row, state, flights.get(key, ""), again.get(key, ""), faults.get(key, ())
        )
        for key, row, state in _flyers(seen)
    ]
    said = orders_in(payload.get(LAUNCH))
    loaded = [
        _load_row(seen, group, said.get(group.id, ()))
        for group in seen.groups
        if any(launching(group))
    ]
    return (*own, *loaded)


def plot_and_flight_payload(seen: FormSight, posted: QueryDict) -> dict[str, Any]:
    """What is asked beside the plots, as the form says it: launches, flights, and robots' second
    moves.
    """
    flights = {key: words for key, _, _ in _flyers(seen) if (words := _words(key, posted))}
    again = {
        key: words
        for key, row, _ in _flyers(seen)
        if is_robot(row) and (words := _again(key, posted))
    }
    entries = {FIGHTERS: flights, SECONDARY: again}
    launched = launch_payload(seen, posted).get(LAUNCH, {}) | _loads_payload(seen, posted)
    beside = {LAUNCH: launched} if launched else {}
    return beside | {key: orders for key, orders in entries.items() if orders}


def _load_row(seen: FormSight, group: Group, orders: Iterable[Mapping[str, Any]]) -> OrderRow:
    """What a group in flight launches before anything moves: several points for a spread, or a
    ship. What is wrong with it stands in the group's other row.
    """
    said = list(orders)
    picks: list[Select] = []
    written: list[Input] = []
    for load in launching(group):
        mine = [one for one in said if one.get("weapon") == load.name]
        key, left = f"{group.id}-{load.name}", group.rounds(load)
        label = phrase("{} ({} left)", system_words(load.name).capitalize(), left)
        if load.at_target:
            preys = (NOBODY, *seen.others(), *boats_seen(seen))
            picks.append(
                PREY.draw(
                    key,
                    label=phrase("{}: fire at", label),
                    options=preys,
                    chosen=str(mine[0].get("target", "")) if mine else "",
                )
            )
        if load.dropped or load.at_target:
            count = str(mine[0].get("count") or (left if load.dropped else "")) if mine else ""
            words = (
                phrase("{}: drop so many", label)
                if load.dropped
                else phrase("{}: so many of them", label)
            )
            written.append(ROUNDS.draw(key, label=words, value=count, hint="1"))
        else:
            points = "; ".join(
                f"{point_text(one)} {one.get('count') or ''}".strip() for one in mine
            )
            words = phrase("{}: launch at x, y, and how many there", label)
            written.append(
                AIM.draw(key, label=words, value=points, hint=f"{POINT_HINT} 3; 26 32 3")
            )
    name = phrase("{}: launch", _name(seen, group.id, group.row))
    state = phrase("before anything moves, with a hostile ship within 12 MU")
    return OrderRow(
        f"{group.id}/load",
        anchor(f"{group.id}-load"),
        name,
        state,
        tuple(picks),
        (),
        tuple(written),
        None,
        (),
    )


def _loads_payload(seen: FormSight, posted: QueryDict) -> dict[str, Any]:
    """Launches of groups, as the form says them."""
    found: dict[str, Any] = {}
    for group in seen.groups:
        orders: list[dict[str, Any]] = []
        for load in launching(group):
            key = f"{group.id}-{load.name}"
            rounds = ROUNDS.text(posted, key)
            aimed = (PREY if load.at_target else AIM).text(posted, key)
            counted = {"count": number(rounds)} if rounds else {}
            if load.dropped:
                orders += [{"weapon": load.name} | counted] if rounds else []
            elif load.at_target:
                orders += [{"weapon": load.name, "target": aimed} | counted] if aimed else []
            else:
                orders += [
                    {"weapon": load.name} | _aimed(one) for one in aimed.split(";") if one.strip()
                ]
        if orders:
            found[group.id] = orders
    return found


def _aimed(words: str) -> dict[str, Any]:
    """Where missiles are launched to, and how many of them, from `24 30 3`; what is no number stays
    as it is.
    """
    parts = words.replace(",", " ").split()
    count = parts.pop() if len(parts) == 3 else ""
    said: dict[str, Any] = {"count": number(count)} if count else {}
    return {"at": point_of(" ".join(parts))} | said


def _texts(payload: Mapping[str, Any], entry: str) -> Mapping[str, Any]:
    given = payload.get(entry)
    return given if isinstance(given, Mapping) else {}


def _read(words: object) -> tuple[Flight, str]:
    """A group's orders from their text, and the text itself where they cannot be read."""
    flight, wrong = parse_flight(words if isinstance(words, str) else "", "")
    return flight or STAY, str(words) if flight is None or wrong else ""


def _flyers(seen: FormSight) -> list[tuple[str, CraftType, str]]:
    """The groups that may be told where to fly: their names, types, and where they are in words.

    By Continuum alone.
    """
    flown = (group for group in seen.groups if group.row.endurance)
    found: list[tuple[str, CraftType, str]] = [
        (group.id, group.row, _state(group)) for group in flown
    ]
    flying = {group.id for group in seen.state.of(Group)}
    for ship in seen.ships:
        for name, index in groups_from(ship):
            bay, row = ship.sheet.fits[index].id, row_in(ship, index)
            if (
                row.endurance
                and name not in flying
                and not launch_fault(seen.state, ship, Plot(launch=(bay,)))
            ):
                words = phrase(
                    "{} craft aboard: it flies if its ship launches it, half as far",
                    ship.stock[index],
                )
                found.append((name, row, words))
    return found


def _state(group: Group) -> str:
    left = group.endurance - group.spent
    where = phrase(
        "{} craft at {:.0f}, {:.0f}, facing course {}", group.craft, group.x, group.y, group.course
    )
    words = phrase(
        "{}, endurance {} of {}, up to {:g} MU", where, left, group.endurance, group.row.speed
    )
    return (
        joined_phrases(", ", (words, Pilots.words(group.pilots)))
        if group.pilots in (ACE, TURKEY)
        else words
    )


def _flight_row(
    seen: FormSight,
    key: str,
    row: CraftType,
    state: str,
    words: object,
    again: object,
    faults: tuple[str, ...],
) -> OrderRow:
    flight, raw = _read(words)
    own = [
        (ship.id, seen.names.get(ship.id, ship.id))
        for ship in seen.ships
        if ship.status == FIGHTING
    ]
    groups = [
        (group.id, seen.names.get(group.id, group.id)) for group in seen.groups if group.id != key
    ]
    decks = [option for option in own if seen.state.named(option[0]).profile.bays]
    struck = next((group.struck for group in seen.groups if group.id == key), "")
    preys = [(struck, seen.names.get(struck, struck))] if struck else []
    picks = [
        FACE.draw(key, label=phrase("Then face"), options=COURSES, chosen=str(flight.face)),
        SCREEN.draw(
            key,
            label=phrase("Whom it screens"),
            options=(NOBODY, *own, *groups),
            chosen=flight.screen,
        ),
        LAND.draw(key, label=phrase("Land on"), options=(NOBODY, *decks), chosen=flight.land),
    ]
    if preys:
        picks.append(
            PURSUE.draw(
                key,
                label=phrase("Stay with the ship it attacked"),
                options=(NOBODY, *preys),
                chosen=flight.pursue,
            )
        )
    written = [
        FLY_TO.draw(key, label=phrase("Fly to x, y"), value=_point(flight), hint=POINT_HINT),
        EVADES.draw(
            key,
            label=phrase("Evade if one ship fires this many weapons at it"),
            value=str(flight.evades_at or ""),
            hint="4",
        ),
    ]
    if is_robot(row):
        second, _ = _read(again)
        written.append(
            AGAIN.draw(
                key, label=phrase("Second move, to x, y"), value=_point(second), hint=POINT_HINT
            )
        )
    return OrderRow(
        key=key,
        id=anchor(key),
        name=_name(seen, key, row),
        state=state,
        picks=tuple(picks),
        ticks=(
            AT_ONCE.draw(
                key,
                label=phrase("combat landing: at once, and it flies no more"),
                on=flight.at_once,
            ),
        ),
        written=tuple(written),
        raw=RAW.draw(
            key, label=phrase("Write the order as text instead"), value=raw, hint=ORDER_HINT
        ),
        faults=faults,
    )


def _name(seen: FormSight, key: str, row: CraftType) -> str:
    kind = joined_phrases(" ", map(kind_words, (*row.id.split("+")[1:], row.type)))
    ship, _, bay = key.partition("/")  # of a group that is still aboard
    called = seen.names.get(key) or phrase(
        "{}, {}", seen.names.get(ship, ship), system_words(bay).lower()
    )
    return phrase("{}, {}", called, kind)


def _point(flight: Flight) -> str:
    return "" if flight.to is None else f"{flight.to[0]:g} {flight.to[1]:g}"


def _words(key: str, posted: QueryDict) -> str:
    """A group's order as text, from what the form says."""
    if raw := RAW.text(posted, key):
        return raw
    named = (("to", FLY_TO), ("screen", SCREEN), ("pursue", PURSUE))
    parts = [f"{word} {said}" for word, field in named if (said := field.text(posted, key))]
    if ship := LAND.text(posted, key):
        parts.append(f"land {ship} at once" if AT_ONCE.text(posted, key) else f"land {ship}")
    if (face := FACE.text(posted, key)) not in ("", "0"):
        parts.append(f"face {face}")
    if evades := EVADES.text(posted, key):
        parts.append(f"evade {evades}")
    return "; ".join(parts)


def _again(key: str, posted: QueryDict) -> str:
    to, face = AGAIN.text(posted, key), AGAIN_FACE.text(posted, key)
    parts = [*([f"to {to}"] if to else []), *([f"face {face}"] if face not in ("", "0") else [])]
    return "; ".join(parts)


def attack_rows(
    seen: FormSight, payload: Mapping[str, Any], faults: Faults
) -> tuple[OrderRow, ...]:
    """A row for every group: a second move, and what each of its weapons is fired at."""
    said, again = orders_in(payload.get(ATTACK)), _texts(payload, SECONDARY)
    rows = []
    for group in seen.groups:
        key = group.id
        orders = {str(one.get("weapon")): one for one in said.get(key, ()) if one.get("target")}
        targets = (NOBODY, *seen.others(), *seen.flyers(), *_markers(seen))
        picks = []
        for one in _armaments(group):
            named = orders.get(one, {}).get("target", "")
            first, second = (*map(str, named if isinstance(named, list) else [named]), "", "")[:2]
            words = system_words(one).capitalize()
            picks.append(
                ATTACK_TARGET.draw(
                    key, one, label=phrase("{} at", words), options=targets, chosen=first
                )
            )
            if one == group.row.guns.name:
                picks.append(
                    SPLIT_TARGET.draw(
                        key,
                        one,
                        label=phrase("Half of the hits at"),
                        options=targets,
                        chosen=second,
                    )
                )
        picks += _assist_pick(seen, group, orders.values())
        flight, _ = _read(again.get(key, ""))
        written: list[Input] = []
        if not is_robot(group.row):
            written.append(
                AGAIN.draw(
                    key,
                    label=phrase("First fly on to x, y (1 endurance)"),
                    value=_point(flight),
                    hint=POINT_HINT,
                )
            )
            picks.append(
                AGAIN_FACE.draw(
                    key, label=phrase("Then face"), options=COURSES, chosen=str(flight.face)
                )
            )
        written += _boats_written(group, orders)
        asked, leaves = fight_fields(seen, group, said.get(key, ()))
        picks, written = [*picks, *asked], [*written, *leaves]
        press = any(one.get("press") for one in orders.values())
        ticks = [PRESS.draw(key, label=phrase("press on though craft meet it"), on=bool(press))]
        if group.pilots == ACE:
            own = orders.get(BY_HIMSELF)
            system = "" if own is None else system_text(own)
            hint = system_words("drive")
            written.append(
                ACE_SYSTEM.draw(
                    key, label=phrase("Its ace aims at the ship's system"), value=system, hint=hint
                )
            )
            goes = own is not None and not system
            if not asked:
                ticks.append(
                    ACE_DUEL.draw(key, label=phrase("its ace looks for the other group's"), on=goes)
                )
        name = _name(seen, key, group.row)
        rows.append(
            OrderRow(
                key,
                anchor(key),
                name,
                _state(group),
                tuple(picks),
                tuple(ticks),
                tuple(written),
                None,
                faults.get(key, ()),
            )
        )
    return tuple(rows)


def _assist_pick(
    seen: FormSight, group: Group, orders: Iterable[Mapping[str, Any]]
) -> list[Select]:
    """Which other group of the side a group helps at its ship, where point defence goes by
    level.
    """
    others = [(one.id, _name(seen, one.id, one.row)) for one in seen.groups if one is not group]
    if not (by_level(seen.state) and others and helps_others(group)):
        return []
    helped = next((str(one["assist"]) for one in orders if one.get("assist")), "")
    return [
        ASSIST.draw(
            group.id,
            label=phrase("Do not fire there, but help"),
            options=(NOBODY, *others),
            chosen=helped,
        )
    ]


def _boats_written(group: Group, orders: Mapping[str, Mapping[str, Any]]) -> list[Input]:
    """What craft are asked beside their target: the system they snipe at, rounds of each, and whom
    they land.
    """
    found: list[Input] = []
    for one in group.row.armaments:
        said = orders.get(one.name, {})
        if one.snipes:
            found.append(
                SYSTEM.draw(
                    group.id,
                    one.name,
                    label=phrase("Aim at the system"),
                    value=system_text(said),
                    hint=system_words("drive"),
                )
            )
        for who in ("marines", "parties") if one.lands else ():
            value = str(said.get(who) or "")
            found.append(
                CARRIED.draw(
                    group.id,
                    one.name,
                    who,
                    label=phrase("Carry so many {}", phrase(who)),
                    value=value,
                    hint="3",
                )
            )
        if one.with_ships and one.rounds > 1:
            count = str(said.get("count") or "")
            found.append(
                ROUND_COUNT.draw(
                    group.id,
                    one.name,
                    label=phrase("Rounds of each boat (none said: all)"),
                    value=count,
                    hint="1",
                )
            )
    return found


def attack_payload(seen: FormSight, posted: QueryDict) -> dict[str, Any]:
    """Attacks by group, as the form says them; groups that attack nothing are left out."""
    found: dict[str, Any] = {}
    edition = seen.state.terms.edition
    for group in seen.groups:
        orders: list[dict[str, Any]] = []
        for one in _armaments(group):
            target = ATTACK_TARGET.text(posted, group.id, one)
            second = SPLIT_TARGET.text(posted, group.id, one)
            if not target:
                continue
            named: dict[str, Any] = (
                {"target": [target, second], "split": True} if second else {"target": target}
            )
            press = {"press": True} if PRESS.text(posted, group.id) else {}
            system = system_id(SYSTEM.text(posted, group.id, one), edition)
            rounds = ROUND_COUNT.text(posted, group.id, one)
            further: dict[str, Any] = {"system": system} if system else {}
            further |= {"count": number(rounds)} if rounds else {}
            for who in ("marines", "parties"):
                if many := CARRIED.text(posted, group.id, one, who):
                    further[who] = number(many)
            further |= {"assist": helped} if (helped := ASSIST.text(posted, group.id)) else {}
            orders.append({"weapon": one} | named | press | further)
            system = system_id(ACE_SYSTEM.text(posted, group.id), edition)
            if one == group.row.guns.name and (system or ACE_DUEL.text(posted, group.id)):
                orders.append(
                    {"weapon": BY_HIMSELF} | named | ({"system": system} if system else {})
                )
        if orders := with_actions(group, posted, orders):
            found[group.id] = orders
    return found


def secondary_payload(seen: FormSight, posted: QueryDict) -> dict[str, Any]:
    """The second moves of groups that pilots fly, as the form says them."""
    found = {group.id: words for group in seen.groups if (words := _again(group.id, posted))}
    return {SECONDARY: found} if found else {}


def _armaments(group: Group) -> list[str]:
    return [
        one.name
        for one in group.row.armaments
        if one.fires() and (not one.rounds or group.rounds(one))
    ]


def _markers(seen: FormSight) -> Iterable[Option]:
    for marker in seen.state.of(Marker):
        if seen.state.hostile[seen.side] >> marker.side & 1:
            yield (
                marker.id,
                phrase("{}, {}", system_words(marker.id), phrase(marker.row(seen.state).word)),
            )


def flight_rows(
    seen: FormSight, payload: Mapping[str, Any], faults: Mapping[str, tuple[str, ...]]
) -> tuple[OrderRow, ...]:
    """A row for every fighter group in flight."""
    said = _texts(payload, FIGHTERS)
    rows = []
    for group in seen.groups:
        key = group.id
        flight, raw = _read(said.get(key, ""))
        rows.append(
            OrderRow(
                key=key,
                id=anchor(key),
                name=seen.names.get(key, key),
                state=phrase(
                    "{} craft at {:.0f}, {:.0f}, facing course {}",
                    group.craft,
                    group.x,
                    group.y,
                    group.course,
                ),
                picks=_picks(seen, key, flight),
                ticks=(
                    EVADE.draw(key, label=phrase("evade instead of dogfighting"), on=flight.evade),
                ),
                written=(
                    FLY_TO.draw(
                        key, label=phrase("Fly to x, y"), value=_point(flight), hint=POINT_HINT
                    ),
                ),
                raw=RAW.draw(
                    key, label=phrase("Write the order as text instead"), value=raw, hint=ORDER_HINT
                ),
                faults=faults.get(key, ()),
            )
        )
    return tuple(rows)


def flight_payload(seen: FormSight, posted: QueryDict) -> dict[str, str]:
    """Fighters' orders by group, as the form says them; groups that stay are left out."""
    found: dict[str, str] = {}
    for group in seen.groups:
        words = RAW.text(posted, group.id) or _flown(group.id, posted)
        if words:
            found[group.id] = words
    return found


def _flown(key: str, posted: QueryDict) -> str:
    named = (("to", FLY_TO), ("dogfight", DOGFIGHT), ("land", LAND), ("face", FACE))
    told = [(word, field.text(posted, key)) for word, field in named]
    parts = [f"{word} {said}" for word, said in told if said not in ("", "0")]
    parts += ["evade"] if EVADE.text(posted, key) else []
    return "; ".join(parts)


def _picks(seen: FormSight, key: str, flight: Flight) -> tuple[Select, ...]:
    decks = [
        (ship.id, seen.names.get(ship.id, ship.id))
        for ship in seen.state.ships
        if ship.commander == seen.side and ship.status == FIGHTING and ship.profile.bays
    ]
    return (
        FACE.draw(key, label=phrase("Then face"), options=COURSES, chosen=str(flight.face)),
        DOGFIGHT.draw(
            key,
            label=phrase("Dogfight with"),
            options=(NOBODY, *seen.flyers()),
            chosen=flight.dogfight,
        ),
        LAND.draw(key, label=phrase("Land on"), options=(NOBODY, *decks), chosen=flight.land),
    )
