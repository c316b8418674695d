"""The forms of ordnance: what ships launch, beside their plots, and what their point defence fires
at. Pure.

A launcher without a point of aim is not used. A ship for whose point defence nothing is chosen
spreads its own over what attacks it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.boat_guard_form import MEET, boat_payload, boat_rows
from campaign.forms.battle.fight_form import (
    PREY,
    FormSight,
    OrderRow,
    anchor,
    point_of,
    point_text,
    shapers,
)
from campaign.forms.battle.plot_form import plot_rows
from campaign.forms.field import ChoiceField, Option, Select, TextField, TickField
from engine.asks.defend import DEFEND, FIRE
from engine.asks.launch import LAUNCH
from engine.continuum.craft.level_runs import free_screens
from engine.continuum.craft.scramble import scramblers
from engine.continuum.defence_level import attacked, by_level
from engine.continuum.defence_plans import comes_at, defends, guard_of, in_flight, met_now, open_to
from engine.continuum.fire_control import working
from engine.continuum.launching import STAGE_ORDER, STAGES
from engine.core.kinds import FIGHTING
from engine.core.orders import SCRAMBLE, SCREENS
from engine.core.phrase import capital, joined_phrases, phrase
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.core.terms import FLAK, SHAPED_BOLTS
from engine.core.versions import ORDNANCE
from engine.english import counted_noun, system_words
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.ship_profiles import left_in
from engine.weapons.guard import AREA, SPLIT, Guard
from engine.weapons.ordnance import OPEN

LOAD = ChoiceField("load")
FUSE = TickField("fuse")
AIM = TextField("aim")
SCRAMBLED = ChoiceField("scramble")
BY_SCREENS = TickField("screens")
HOLDS = TickField("holds")
WAY = ChoiceField("way")
SECOND_DIE = ChoiceField("second")

POINT_HINT = "24 30"
SPREADS = phrase("where nothing is chosen, it spreads its point defence over what attacks it")
OWN_LEVEL = phrase("where nothing is chosen, its PDS and ADS guard it")
FIRST: Option = ("", phrase("whichever is left first"))
WAYS: tuple[Option, ...] = (("", "normal"), (AREA, phrase("as area defence")))

Faults = Mapping[str, tuple[str, ...]]
# A weapon as point defence, none where it meets boats with its own dice; and the ids of what it may
# fire at.
Gun = tuple[Fit, Guard | None, tuple[str, ...]]


def launch_rows(
    seen: FormSight, payload: Mapping[str, Any], faults: Faults
) -> tuple[OrderRow, ...]:
    """The rows of the plots, with what their ships launch, and a row for all ordnance that has a
    further stage.
    """
    return launched(seen, plot_rows(seen, payload, faults), payload, faults)


def launched(
    seen: FormSight, rows: Iterable[OrderRow], payload: Mapping[str, Any], faults: Faults
) -> tuple[OrderRow, ...]:
    """These rows of ships with what they launch, and a row for all ordnance that has a further
    stage.
    """
    said = orders_in(payload.get(LAUNCH))
    ships: dict[str, ShipState] = {ship.id: ship for ship in seen.ships}
    own = [_with_launches(row, ships[row.key], said.get(row.key, ()), seen) for row in rows]
    return (
        *own,
        *(_stage_row(seen, marker, said.get(marker.id, ()), faults) for marker in staged(seen)),
    )


def launch_payload(seen: FormSight, posted: QueryDict) -> dict[str, Any]:
    """Launches by ship, and further stages by marker, as the form says them; nothing where there
    are none.
    """
    found: dict[str, Any] = {}
    for ship in seen.ships:
        launches: list[dict[str, Any]] = []
        for fit, grades in launchers(seen, ship):
            if target := PREY.text(posted, ship.id, fit.id):
                launches.append({"weapon": fit.id, "target": target})
                continue
            load = LOAD.text(posted, ship.id, fit.id) if len(grades) > 1 else ""
            fuse = {"fuse": OPEN} if FUSE.text(posted, ship.id, fit.id) else {}
            if at := AIM.text(posted, ship.id, fit.id):
                launches.append(
                    {"weapon": fit.id, "at": point_of(at)} | ({"load": load} if load else {}) | fuse
                )
        if launches:
            found[ship.id] = launches
    for marker in staged(seen):
        if at := AIM.text(posted, marker.id):
            found[marker.id] = [{"weapon": STAGE_ORDER, "at": point_of(at)}]
    return {LAUNCH: found} if found else {}


def _with_launches(
    row: OrderRow, ship: ShipState, orders: Iterable[Mapping[str, Any]], seen: FormSight
) -> OrderRow:
    said = {str(one.get("weapon")): one for one in orders}
    picks, ticks, written = list(row.picks), list(row.ticks), list(row.written)
    for fit, grades in launchers(seen, ship):
        one, label = said.get(fit.id, {}), system_words(fit.id)
        if left := joined_phrases(
            ", ", (phrase("{} {}", number, grade) for grade, number in grades.items())
        ):
            label += phrase(" ({})", left)
        if _at_ships(ship, fit):
            preys = (("", "none"), *seen.others(), *boats_seen(seen))
            picks.append(
                PREY.draw(
                    ship.id,
                    fit.id,
                    label=phrase("{}: fire at", label),
                    options=preys,
                    chosen=str(one.get("target", "")),
                )
            )
            continue
        if SHAPED_BOLTS in seen.state.terms.options and fit.id in shapers(ship):
            preys = (("", "none"), *seen.others())
            aimed = str(one.get("target", ""))
            picks.append(
                PREY.draw(
                    ship.id,
                    fit.id,
                    label=phrase("{}: fire a shaped bolt at", label),
                    options=preys,
                    chosen=aimed,
                )
            )
        point = point_text(one)
        words = phrase("burst flak") if FLAK in fit.flags else "launch"
        written.append(
            AIM.draw(
                ship.id,
                fit.id,
                label=phrase("{}: {} at x, y", label, words),
                value=point,
                hint=POINT_HINT,
            )
        )
        if _fused(ship, fit):
            set_open = one.get("fuse") == OPEN
            ticks.append(
                FUSE.draw(
                    ship.id, fit.id, label=phrase("{}: goes off at that point", label), on=set_open
                )
            )
        if len(grades) > 1:
            options = (FIRST, *((grade, grade) for grade in grades))
            picks.append(
                LOAD.draw(
                    ship.id,
                    fit.id,
                    label=phrase("{}: load", label),
                    options=options,
                    chosen=str(one.get("load", "")),
                )
            )
    shown = replace(row, picks=tuple(picks), ticks=tuple(ticks), written=tuple(written))
    return replace(shown, beside=shown.names - row.names)


def launchers(seen: FormSight, ship: ShipState) -> list[tuple[Fit, dict[str, int]]]:
    """The systems of a ship that have something to launch, each with what is left of which grade
    where it is fed; and its guns with flak.
    """
    if not seen.state.terms.follows(ORDNANCE) or ship.status != FIGHTING or ship.dummy:
        return []
    found: list[tuple[Fit, dict[str, int]]] = []
    for place, (fit, weapon) in enumerate(zip(ship.sheet.fits, ship.profile.weapons, strict=True)):
        if FLAK in fit.flags and ship.alive[place]:
            found.append((fit, {}))
        if weapon.ordnance is None or not ship.alive[place]:
            continue
        if weapon.ordnance.endless:
            found.append((fit, {}))
        elif weapon.once:
            found += [(fit, {})] if ship.stock[place] else []
        elif fit.magazine:
            left = left_in(ship, ship.profile.index_of[fit.magazine])
            grades = {name.partition("/")[2]: number for name, number in left.items() if number}
            found += [(fit, grades)] if grades else []
    return found


def _at_ships(ship: ShipState, fit: Fit) -> bool:
    """Whether a launcher names a ship and not a point."""
    row = ship.profile.weapons[ship.profile.index_of[fit.id]].ordnance
    return row is not None and bool(row.needs)


def boats_seen(seen: FormSight) -> list[Option]:
    """The gunboats of other sides, at which rockets may be fired."""
    return [one for one in seen.flyers() if seen.state.piece(Group, one[0]).row.berth]


def _fused(ship: ShipState, fit: Fit) -> bool:
    """Whether what a launcher sends may be fused to go off where it is aimed."""
    row = ship.profile.weapons[ship.profile.index_of[fit.id]].ordnance
    return row is not None and row.bursts is not None and not row.by_itself


def staged(seen: FormSight) -> list[Marker]:
    """The faction's ordnance on the table that has a further stage."""
    return [
        marker
        for marker in seen.state.of(Marker)
        if marker.id in seen.mine
        and marker.side == seen.side
        and marker.stage < STAGES.get(marker.grade, 1)
    ]


def _stage_row(
    seen: FormSight, marker: Marker, orders: Iterable[Mapping[str, Any]], faults: Faults
) -> OrderRow:
    key, one = marker.id, next(iter(orders), {})
    state = phrase(
        "at {:.0f}, {:.0f}, facing course {}; without a point it flies straight on",
        marker.x,
        marker.y,
        marker.course,
    )
    name = phrase("{} of {}", system_words(key), seen.names.get(marker.ship, marker.ship))
    aim = AIM.draw(
        key, label=phrase("Further stage: fly to x, y"), value=point_text(one), hint=POINT_HINT
    )
    return OrderRow(
        key, anchor(key), capital(name), state, (), (), (aim,), None, faults.get(key, ())
    )


def defence_rows(
    seen: FormSight, payload: Mapping[str, Any], faults: Faults
) -> tuple[OrderRow, ...]:
    """A row for every ship whose point defence may fire, and for every squadron of gunboats that
    may guard others.
    """
    given = payload.get(DEFEND)
    named = given if isinstance(given, Mapping) else {}
    fire = {name: one.get(FIRE) if isinstance(one, Mapping) else one for name, one in named.items()}
    said = orders_in(fire)
    rows = []
    for ship, guns in _defending(seen):
        held = fire.get(ship.id) == []
        row = _defence_row(
            seen, ship, guns, said.get(ship.id, ()), faults.get(ship.id, ()), holds=held
        )
        rows.append(
            replace(row, picks=(*row.picks, *_scramble_picks(seen, ship, named.get(ship.id))))
        )
    return (*rows, *boat_rows(seen, said, _foes_to_meet(seen), faults))


def _scramble_picks(seen: FormSight, ship: ShipState, given: object) -> list[Select]:
    """Which groups a ship that fighters attack scrambles, where it can: one or two."""
    bays = scramblers(seen.state, ship)
    named = given.get(SCRAMBLE) if isinstance(given, Mapping) else None
    said = [*map(str, named if isinstance(named, list) else ()), "", ""]
    options: tuple[Option, ...] = (("", "nobody"), *((bay, system_words(bay)) for bay in bays))
    words = (phrase("Scramble at once, before any fire"), phrase("And scramble"))
    return [
        SCRAMBLED.draw(place, ship.id, label=words[place], options=options, chosen=said[place])
        for place in range(min(len(bays), 2))
    ]


def defence_payload(seen: FormSight, posted: QueryDict) -> dict[str, Any]:
    """Point defence by ship, as the form says it; ships for which nothing is chosen are left
    out.
    """
    found: dict[str, Any] = {}
    level = by_level(seen.state)
    for ship, guns in _defending(seen):
        orders: list[dict[str, Any]] = []
        for fit, guard, _ in guns:
            name = f"{ship.id}-{fit.id}"
            if level:
                guarded = MEET.text(posted, name)
                if guarded and not (guarded == ship.id and BY_SCREENS.text(posted, ship.id)):
                    orders.append(
                        {"weapon": fit.id} | ({"target": guarded} if guarded != ship.id else {})
                    )
                continue
            first = MEET.text(posted, name)
            mode = WAY.text(posted, name) if _as_area(ship, guard) else ""
            area = guard is not None and guard.area
            second = SECOND_DIE.text(posted, name) if area or _as_area(ship, guard) else ""
            if first and second:
                orders.append(
                    {"weapon": fit.id, "target": [first, second], "mode": SPLIT if area else AREA}
                )
            elif first or second:
                orders.append(
                    {"weapon": fit.id, "target": first or second} | ({"mode": mode} if mode else {})
                )
        if level and BY_SCREENS.text(posted, ship.id):
            orders.append({"weapon": SCREENS})
        bays = [bay for place in range(2) if (bay := SCRAMBLED.text(posted, place, ship.id))]
        fires = bool(orders or HOLDS.text(posted, ship.id))
        if bays:
            found[ship.id] = {SCRAMBLE: bays} | ({FIRE: orders} if fires else {})
        elif fires:
            found[ship.id] = orders
    return found | boat_payload(seen, posted)


def _foes_to_meet(seen: FormSight) -> list[Option]:
    """Whatever of its enemies' point defence may meet, each with its words."""
    craft = [
        one for one in seen.flyers() if seen.state.hostile[seen.side] >> _side_of(seen, one[0]) & 1
    ]
    return [*craft, *((marker.id, marker_words(seen, marker)) for marker in _attacking(seen))]


def _defence_row(
    seen: FormSight,
    ship: ShipState,
    guns: list[Gun],
    orders: Iterable[Mapping[str, Any]],
    faults: tuple[str, ...],
    *,
    holds: bool,
) -> OrderRow:
    said = {str(one.get("weapon")): one for one in orders}
    if by_level(seen.state):
        return _level_row(seen, ship, guns, said, faults, holds=holds)
    foes = _foes_to_meet(seen)
    key, picks = ship.id, []
    for fit, guard, at in guns:
        targets: tuple[Option, ...] = (("", "none"), *(one for one in foes if one[0] in at))
        one, label, name = said.get(fit.id, {}), system_words(fit.id), f"{ship.id}-{fit.id}"
        wanted = one.get("target", "")
        first, second = (*map(str, wanted if isinstance(wanted, list) else [wanted]), "", "")[:2]
        picks.append(MEET.draw(name, label=label, options=targets, chosen=first))
        if (guard is not None and guard.area) or _as_area(ship, guard):
            picks.append(
                SECOND_DIE.draw(
                    name,
                    label=phrase("{}: its second die at", label),
                    options=targets,
                    chosen=second,
                )
            )
        if _as_area(ship, guard):
            picks.append(
                WAY.draw(
                    name,
                    label=phrase("{}: mode", label),
                    options=WAYS,
                    chosen=str(one.get("mode", "")),
                )
            )
    at_it = [
        seen.names.get(one.id, one.id) if isinstance(one, Group) else system_words(one.id)
        for one in comes_at(seen.state, ship)
    ]
    state = phrase("attacked by {}; {}", joined_phrases(", ", at_it) or "nothing", SPREADS)
    ticks = (HOLDS.draw(key, label=phrase("fire no point defence at all"), on=holds),)
    return OrderRow(
        key, anchor(key), seen.names.get(key, key), state, tuple(picks), ticks, (), None, faults
    )


def _level_row(
    seen: FormSight,
    ship: ShipState,
    guns: list[Gun],
    said: Mapping[str, Mapping[str, Any]],
    faults: tuple[str, ...],
    *,
    holds: bool,
) -> OrderRow:
    """The row of a ship where point defence goes by level: which ship each weapon counts for."""
    key = ship.id
    friends = [
        name
        for name in attacked(seen.state)
        if not seen.state.hostile[seen.side] >> seen.state.ship(name).commander & 1
    ]
    guarded: tuple[Option, ...] = (
        ("", "nobody"),
        *((name, seen.names.get(name, name)) for name in friends),
    )
    picks = []
    for fit, _, _ in guns:
        one = said.get(fit.id)
        chosen = "" if one is None else str(one.get("target", key))
        picks.append(
            MEET.draw(
                key,
                fit.id,
                label=phrase("{}: guards", system_words(fit.id)),
                options=guarded,
                chosen=chosen,
            )
        )
    markers = sum(marker.target == key for marker in _attacking(seen))
    groups = sum(isinstance(one, Group) for one in comes_at(seen.state, ship))
    counts = ((markers, "marker"), (groups, "group"))
    at_it = joined_phrases(
        " and ", (counted_noun(number, noun) for number, noun in counts if number)
    )
    state = phrase("attacked by {}; {}", at_it or "nothing", OWN_LEVEL)
    ticks = [HOLDS.draw(key, label=phrase("fire no point defence at all"), on=holds)]
    if free_screens(seen.state, ship):
        words = phrase("the craft beside it defend it in the place of its weapons")
        ticks.append(BY_SCREENS.draw(key, label=words, on=SCREENS in said))
    return OrderRow(
        key,
        anchor(key),
        seen.names.get(key, key),
        state,
        tuple(picks),
        tuple(ticks),
        (),
        None,
        faults,
    )


def _defending(seen: FormSight) -> list[tuple[ShipState, list[Gun]]]:
    """The ships that may fire as point defence, each with its weapons that may, or scramble
    groups.
    """
    ready = ((ship, [] if defends(ship) else _guns(seen, ship)) for ship in seen.ships)
    return [
        (ship, guns)
        for ship, guns in ready
        if guns or scramblers(seen.state, ship) or _screened(seen, ship)
    ]


def _screened(seen: FormSight, ship: ShipState) -> bool:
    """Whether craft beside a ship may make its level."""
    return by_level(seen.state) and bool(free_screens(seen.state, ship))


def _guns(seen: FormSight, ship: ShipState) -> list[Gun]:
    """The weapons of a ship that can fire as point defence now, and have a target; by level all
    that can.
    """
    found: list[Gun] = []
    at = None if by_level(seen.state) else open_to(seen.state, ship)
    for place, (fit, weapon) in enumerate(zip(ship.sheet.fits, ship.profile.weapons, strict=True)):
        guard = guard_of(ship, place)
        ready = ship.alive[place] and not (weapon.once and not ship.stock[place])
        if ready and (guard is not None if at is None else fit.id in at):
            found.append((fit, guard, () if at is None else at[fit.id]))
    return found


def _as_area(ship: ShipState, guard: Guard | None) -> bool:
    """Whether a weapon may be told to fire as area defence."""
    return guard is not None and guard.as_area and working(ship, "advanced-firecon") > 0


def _attacking(seen: FormSight) -> list[Marker]:
    """The ordnance of its enemies that attacks ships now, or goes off among them."""
    return [
        marker for marker in met_now(seen.state) if seen.state.hostile[seen.side] >> marker.side & 1
    ]


def _side_of(seen: FormSight, name: str) -> int:
    return seen.state.piece(Group, name).side


def marker_words(seen: FormSight, marker: Marker) -> str:
    """What a marker is called in the form: what it is, and whom it attacks."""
    called, what = system_words(marker.id), phrase(marker.row(seen.state).word)
    if whom := marker.target or marker.prey:
        return phrase("{}, {} at {}", called, what, seen.names.get(whom, whom))
    if marker in in_flight(seen.state):
        return phrase("{}, {}, flies on", called, what)
    return phrase("{}, {}, about to go off", called, what)


def orders_in(given: object) -> dict[str, list[Mapping[str, Any]]]:
    """What a payload says by ship, as far as it has the shape of orders."""
    named = given.items() if isinstance(given, Mapping) else ()
    return {
        str(name): [one for one in listed if isinstance(one, Mapping)]
        for name, listed in named
        if isinstance(listed, list)
    }
