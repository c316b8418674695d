"""What cards of ordnance and boarders beside the plots are made of: for each launcher, load of
craft and missile in flight what it holds, how far and through which arcs it goes, at whom; what the
captain says of it. Pure.

    {launches: [launch], boarders: {ship: {name, marines, parties, targets: [id]}}}

Launch: {of, name, type, x, y, turn, loads: [[grade, left, least, most]], holds?, arcs?, why?,
targets?: [[id, name, MU]], many?: [at most, a launch at most], aim?, load?, fuse?, prey?, rounds?,
captain: {field: value}}.

`of`: the ship, group or marker; `holds`: the magazine that it may share with others; `turn`: the
hour its arcs are counted from; `why`: why it launches nothing now; `many`: so many rounds there are
to share. `aim` and what follows are the names of the form's fields that a card writes, which alone
are read; with `many`, `aim` holds several places. Who may launch, and at whom, is asked of the
engine by trying, of the battle as the side knows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import dist
from typing import Any

from campaign.forms.battle.craft_form import ROUNDS, craft_rows
from campaign.forms.battle.fight_form import PREY, FormSight, OrderRow
from campaign.forms.battle.ordnance_form import (
    AIM,
    FUSE,
    LOAD,
    boats_seen,
    launched,
    launchers,
    staged,
)
from campaign.forms.battle.task_data import fields_said
from campaign.forms.field import Field
from engine.asks.plot_words import offered
from engine.continuum.aiming import bearing
from engine.continuum.alongside import Board
from engine.continuum.craft.loads import FLIES, NOT_TRACKED, launching, load_fault
from engine.continuum.launching import NO_POINT, NO_SHIP_NAMED, arcs_of_launch, launch_fault
from engine.core.geometry import SIX_ARC_NAMES
from engine.core.orders import Launch
from engine.core.phrase import capital, phrase
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.core.slots import OneOf
from engine.core.terms import FLAK
from engine.craft.craft_type import Armament
from engine.english import system_words
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.systems.outfit import marines_of, parties_of
from engine.weapons.ordnance import STAGE, grade_of

Data = dict[str, Any]
NO_WHERE = (NO_POINT, NO_SHIP_NAMED)  # what alone is wrong with a launch that does not say where to
FIELDS: dict[str, Field] = {"aim": AIM, "load": LOAD, "fuse": FUSE, "prey": PREY}  # of a launcher
BEFORE, AHEAD = (
    ["F", "FS", "FP"],
    ["F"],
)  # where craft launch to, and where a missile's further stage goes
MIRRORED = str.maketrans("SP", "PS")  # the arcs of a ship upside down


def launch_data(seen: FormSight, advice: Mapping[str, Any]) -> Data:
    """The cards of a side at its plots. `advice`: what its captain proposes."""
    bare = [OrderRow(ship.id, "", "", "", (), (), (), None, ()) for ship in seen.ships]
    rows = (*launched(seen, bare, advice, {}), *craft_rows(seen, advice, {}))
    there = {name for row in rows for name in row.names}
    said = {name: value for row in rows for name, value in fields_said(row).items()}
    found: list[Data] = []
    for ship in seen.ships:
        found += [
            _launcher(seen, ship, fit, grades, there) for fit, grades in launchers(seen, ship)
        ]
    found += [_load(seen, group, load) for group in seen.groups for load in launching(group)]
    found += [_stage(seen, marker) for marker in staged(seen)]
    for card in found:
        named = {card[what] for what in (*FIELDS, "rounds") if what in card}
        card["captain"] = {name: value for name, value in said.items() if name in named}
    return {"launches": found, "boarders": _boarders(seen)}


def _launcher(
    seen: FormSight, ship: ShipState, fit: Fit, grades: dict[str, int], there: set[str]
) -> Data:
    """The card of a ship's launcher, or of a gun with flak."""
    index = ship.profile.index_of[fit.id]
    kind = ship.profile.weapons[index]
    card = _card(seen, ship, fit.id, fit.type) | {"turn": ship.course + bool(ship.sheet.beta)}
    card |= {
        what: name
        for what, field in FIELDS.items()
        if (name := field.name(ship.id, fit.id)) in there
    }
    why = launch_fault(seen.state, ship, Launch(fit.id, None, "", next(iter(grades), "")), [], {})
    card |= {"why": why} if why and why not in NO_WHERE else {}
    if kind.ordnance is None:
        card["loads"] = [["", 0, 0.0, kind.reach(fit, FLAK)]]
        bits = bearing(seen.state, ship, index, 0)
    else:
        left = grades or {grade_of(fit): int(kind.once)}
        card |= {"holds": f"{ship.id}/{fit.magazine}"} if grades else {}
        needs = (0.0, kind.ordnance.needs[-1][0]) if kind.ordnance.needs else (0.0, 0.0)
        reach = {
            grade: needs if any(needs) else kind.ordnance.reach.get(grade, needs) for grade in left
        }
        card["loads"] = [[grade, number, *reach[grade]] for grade, number in left.items()]
        bits = arcs_of_launch(seen.state, ship, index, 0)
    names = [name for bit, name in SIX_ARC_NAMES.items() if bits & bit]
    card["arcs"] = [name.translate(MIRRORED) if ship.record.rolled else name for name in names]
    if "prey" in card:
        hits = [
            name
            for name, _ in (*seen.others(), *boats_seen(seen))
            if not launch_fault(seen.state, ship, Launch(fit.id, None, name), [], {})
        ]
        card["targets"] = _targets(seen, ship, hits)
    return card


def _load(seen: FormSight, group: Group, load: Armament) -> Data:
    """The card of what a group in flight launches."""
    key, left = f"{group.id}-{load.name}", group.rounds(load)
    card = _card(seen, group, load.name, load.launches) | {
        "turn": group.course,
        "many": [left, load.salvo or left],
    }
    if load.dropped:
        return card | {"loads": [["", left, 0.0, 0.0]], "rounds": ROUNDS.name(key)}
    if load.at_target:
        orders = (
            (name, Launch(load.name, None, name)) for name, _ in (*seen.others(), *boats_seen(seen))
        )
        hits = [name for name, order in orders if not load_fault(seen.state, group, order, {})]
        reach = [["", left, 0.0, load.reach]]
        fields = {"prey": PREY.name(key), "rounds": ROUNDS.name(key)}
        return card | {"loads": reach, "targets": _targets(seen, group, hits)} | fields
    why = load_fault(seen.state, group, Launch(load.name, (group.x, group.y)), {})
    card |= {"loads": [["", left, 0.0, FLIES]], "aim": AIM.name(key), "arcs": BEFORE}
    return card | ({"why": why} if why == NOT_TRACKED else {})


def _stage(seen: FormSight, marker: Marker) -> Data:
    """The card of a missile in flight that has a further stage."""
    card = _card(seen, marker, "", marker.type) | {
        "turn": marker.course,
        "aim": AIM.name(marker.id),
    }
    called = phrase("{} of {}", system_words(marker.id), _called(seen, marker.ship))
    return card | {"name": capital(called), "loads": [["", 0, *STAGE]], "arcs": AHEAD}


def _card(seen: FormSight, one: ShipState | Group | Marker, what: str, type_: str) -> Data:
    name = phrase("{}: {}", _called(seen, one.id), system_words(what).lower())
    return {"of": one.id, "name": name, "type": type_, "x": round(one.x, 2), "y": round(one.y, 2)}


def _called(seen: FormSight, name: str) -> str:
    return seen.names.get(name, name)


def _targets(seen: FormSight, one: ShipState | Group, names: Iterable[str]) -> list[list[Any]]:
    """Whom something may be launched at, the nearest first, with how far away they are."""
    pieces: Iterable[ShipState | Group] = (*seen.state.ships, *seen.state.of(Group))
    away: dict[str, float] = {
        piece.id: dist((one.x, one.y), (piece.x, piece.y)) for piece in pieces
    }
    return [
        [name, _called(seen, name), round(away[name], 1)]
        for name in sorted(names, key=lambda each: away[each])
    ]


def _boarders(seen: FormSight) -> Data:
    """The ships that may send people aboard others by moving alongside: how many there are, and
    aboard whom.
    """
    found: Data = {}
    for ship in seen.ships:
        slots = offered(seen.state, ship, Board)
        whom = slots[0] if slots else None
        if isinstance(whom, OneOf):
            foes = [
                name
                for name in whom.values
                if seen.state.hostile[seen.side] >> _side(seen, name) & 1
            ]
            found[ship.id] = {
                "name": phrase("{}: board by moving alongside", _called(seen, ship.id)),
                "marines": len(marines_of(ship)),
                "parties": parties_of(ship),
                "targets": foes,
            }
    return found


def _side(seen: FormSight, name: str) -> int:
    return seen.state.named(name).commander
