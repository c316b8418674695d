"""Point defence: which weapons fire at which ordnance.

An entry looks like `{"defend": {"e1": [{"weapon": "pds-1", "target": "marker-1"}]}}`. A ship
without an entry spreads its own fire.

Where point defence is by level, the target is a ship to guard (without one, the ship's own), and
`{"weapon": "screens"}` stands for the craft that screen the ship.

A carrier that fighters attack may scramble others: `{"defend": {"e1": {"scramble": ["hangar-1"],
"fire": []}}}`. Without `fire` its weapons choose their own targets.

Gunboats that guard others fire only when ordered: `{"defend": {"n1/gunboat-rack-1": [{"weapon":
"boats", "target": "marker-1", "count": 2}]}}`.

Rules: Continuum "Point defense" 8.8 [pc.point-defence]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from engine.continuum.blasts import pending_blasts, ships_in_blast
from engine.continuum.craft.guard_boats import (
    NO_GUARDS,
    NO_PREY,
    boat_violations,
    guards_of,
    in_blast,
    may_guard,
)
from engine.continuum.craft.scramble import bays_of, scramble_violations
from engine.continuum.craft.targets import is_engaged
from engine.continuum.defence_level import LevelPlan, is_by_level
from engine.continuum.defence_plans import (
    NO_MARKER,
    ShotPlan,
    attackers,
    defence_weapons,
    distance_to,
    fire_orders,
    in_flight,
    plan_violations,
)
from engine.continuum.fire_at_gunboats import guns_at_boats
from engine.continuum.launching import is_marker
from engine.core.errors import Violation
from engine.core.geometry import NEAR
from engine.core.kinds import FIGHTING, IN_PLAY
from engine.core.orders import BY_ITSELF, SCRAMBLE, SCREENS, Defence
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import POINT_DEFENCE_LEVEL
from engine.craft.gunboats import BOATS
from engine.craft.roles import row_in
from engine.notation.fire import FireNames
from engine.notation.reading import Reader
from engine.order_requests.auto_point_defence import is_defence_automatic
from engine.order_requests.base import UnitOrderRequest
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.pieces.point_defence_targets import IncomingUnit
from engine.weapons.guard import AREA_REACH

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView

DEFEND = "defend"
FIRE = "fire"
DEFENCE_KEYS = ("weapon", "target", "mode")
BOAT_KEYS = ("weapon", "target", "count")
# Systems that let a ship fire at units that attack no ship.
WATCHES = ("adfc", "advanced-adfc", "advanced-firecon")


class PointDefenceRequest(UnitOrderRequest[tuple[Defence, ...]]):
    """Point defence by ship.

    It is asked of the sides whose ships ordnance attacks, which all sides can see.
    """

    key = DEFEND
    title = phrase("point defence")
    task = phrase("Choose what your point defence fires at")

    @override
    def units_asked(self, state: BattleState) -> Sequence[ShipState | Group]:
        """Return the ships of every side under attack, and boats that might guard them."""
        return units_asked_to_defend(state)

    @override
    def is_automatic(self, state: BattleState, unit: ShipState | Group, /) -> bool:
        """Return whether the computer directs a ship's point defence, or that of its boats."""
        return is_defence_automatic(state, unit)

    @override
    def parse(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> dict[str, tuple[Defence, ...]]:
        """Parse the entry `defend`; all faults go to the reader.

        It has lists of {weapon, target, mode} by ship, and of {weapon, target, count} by squadron.
        """
        data, where = self.parse_entries(
            reader,
            document,
            where,
            reason(
                "point-defence-list-ship",
                "point defence must be a list of {weapon, target} by ship",
            ),
        )
        orders: dict[str, tuple[Defence, ...]] = {}
        for name, entries in data.items():
            spot = f"{where}.{name}"
            if name in names.groups:
                orders[str(name)] = _of_boats(
                    reader, data=entries, where=spot, name=str(name), names=names
                )
            elif name not in names.ships:
                reader.fault(
                    spot,
                    "unknown-ship",
                    reason("unknown-ship-named", "no ship has the id '{}'", name),
                )
            elif isinstance(entries, Mapping):
                reader.keys(entries, (SCRAMBLE, FIRE), spot)
                orders[str(name)] = _with_scramble(
                    reader, data=entries, where=spot, ship=names.ships[name], names=names
                )
            else:
                orders[str(name)] = _defences(
                    reader, data=entries, where=spot, ship=names.ships[name], names=names
                )
        return orders

    @override
    def find_violations(
        self, state: BattleState, orders: dict[str, tuple[Defence, ...]], where: str, *, sound: bool
    ) -> list[Violation]:
        """Return every fault of the plan, by level or by shots; none if the document is faulty."""
        plan_of = LevelPlan if is_by_level(state) else ShotPlan
        if not sound:
            return []
        where = f"{where}{self.key}"
        groups = [group.id for group in state.pieces_of(Group)]
        ships = {name: defences for name, defences in orders.items() if name not in groups}
        return [
            *plan_violations(state, ships, where, plan_of),
            *boat_violations(state, orders, where),
            *scramble_violations(state, ships, where),
        ]

    @override
    def with_ids(
        self, orders: dict[str, tuple[Defence, ...]], ids: Mapping[str, str]
    ) -> dict[str, tuple[Defence, ...]]:
        """Return the same orders with ids for ships and targets."""
        if not ids:
            return orders
        result: dict[str, tuple[Defence, ...]] = {}
        for name, defences in orders.items():
            result[ids.get(name, name)] = tuple(
                _with_target_ids(defence, ids) for defence in defences
            )
        return result

    @override
    def to_entry(self, defences: tuple[Defence, ...]) -> Any:
        """Return a ship's point defence as a JSON list, or a mapping if it scrambles craft."""
        fire = fire_orders(defences)
        fire_rows = [defence.to_json() for defence in fire or ()]
        if all(defence.weapon != SCRAMBLE for defence in defences):
            return fire_rows
        return {SCRAMBLE: list(bays_of(defences))} | ({} if fire is None else {FIRE: fire_rows})

    @override
    def suggest(self, captain: Captain, view: SideView) -> dict[str, tuple[Defence, ...]]:
        """Return the captain's point defence by ship."""
        return captain.defences(view)


def _with_target_ids(defence: Defence, ids: Mapping[str, str]) -> Defence:
    """Return point defence with the ids of its targets in place of their other names."""
    targets = tuple(ids.get(target, target) for target in defence.targets)
    return replace(defence, targets=targets)


def _defences(
    reader: Reader, data: object, where: str, ship: ShipState, names: FireNames
) -> tuple[Defence, ...]:
    """Parse the fire of a ship's point defence weapons: each with its targets and mode."""
    weapons = []
    for index in sorted({*defence_weapons(ship), *guns_at_boats(ship)}):
        weapons.append(ship.sheet.fits[index].id)
    defences = []
    for item, spot in reader.rows(
        data,
        DEFENCE_KEYS,
        where,
        (
            reason("point-defence-list", "point defence must be a list of {weapon, target}"),
            reason("point-defence", "write point defence as {weapon, target}"),
        ),
    ):
        weapon = reader.text(item, "weapon", spot)
        if weapon and weapon not in (*weapons, SCREENS):
            words = reason(
                "no-point-defence",
                "{} has no point defence '{}'; it has {}",
                ship.id,
                weapon,
                ", ".join(weapons) or phrase("none"),
            )
            reader.fault(f"{spot}.weapon", "not-point-defence", words)
            continue
        targets = _targets(reader, item=item, spot=spot, names=names, words=NO_MARKER)
        mode = reader.text(item, "mode", spot, default="")
        if weapon and targets is not None:
            defences.append(Defence(weapon, targets, mode))
    return tuple(defences)


def _of_boats(
    reader: Reader, data: object, where: str, name: str, names: FireNames
) -> tuple[Defence, ...]:
    """Parse what a squadron's boats fire at: targets, each with the number of boats that fire."""
    ship = names.groups[name]
    index = ship.profile.index_of[name.rpartition("/")[2]]
    if not ship.profile.craft[index] or not guards_of(row_in(ship, index)):
        reader.fault(where, "not-point-defence", reason("named", "{}: {}", name, NO_GUARDS))
        return ()
    defences = []
    for item, spot in reader.rows(
        data,
        BOAT_KEYS,
        where,
        (
            reason(
                "boats-meet-list", "the fire of boats must be a list of {weapon, target, count}"
            ),
            reason("boats-entry", "write an entry as {weapon, target, count}"),
        ),
    ):
        weapon = reader.text(item, "weapon", spot)
        if weapon and weapon != BOATS:
            reader.fault(
                f"{spot}.weapon",
                "not-point-defence",
                reason(
                    "what-boats-carry-called",
                    "write the weapon of the boats of {} as {}",
                    name,
                    BOATS,
                ),
            )
            continue
        targets = _targets(reader, item=item, spot=spot, names=names, words=NO_PREY)
        count = _boat_count(reader, item, spot)
        if targets is not None and not targets:
            reader.fault(f"{spot}.target", "unknown-target", NO_PREY)
        elif weapon and targets:
            defences.append(Defence(weapon, targets, count=count))
    return tuple(defences)


def _boat_count(reader: Reader, item: Mapping[Any, Any], spot: str) -> int:
    """Parse how many boats fire; 0: all that can."""
    faults_before = len(reader.faults)
    count = reader.number(item, "count", spot, default=0)
    if "count" in item and count < 1 and len(reader.faults) == faults_before:
        reader.fault(
            f"{spot}.count",
            "defence",
            reason("1-boat-more-needed", "expected 1 boat or more; if you leave it out, all fire"),
        )
    return count


def _targets(
    reader: Reader, item: Mapping[Any, Any], spot: str, names: FireNames, words: str
) -> tuple[str, ...] | None:
    """Return an entry's targets by id; None, with `words` as the fault, if any is unknown."""
    target = item.get("target", [])
    if isinstance(target, list):
        targets = tuple(target)
    else:
        targets = (target,)
    if any(not isinstance(name, str) or not _is_known_target(name, names) for name in targets):
        reader.fault(f"{spot}.target", "unknown-target", words)
        return None
    return tuple(names.targets.get(name, name) for name in targets)


def _with_scramble(
    reader: Reader, data: Mapping[Any, Any], where: str, ship: ShipState, names: FireNames
) -> tuple[Defence, ...]:
    """Parse the bays whose groups a ship scrambles, and its fire, which may be left out."""
    bays = data.get(SCRAMBLE, [])
    system_index = ship.profile.index_of
    if not isinstance(bays, list) or any(
        not isinstance(bay, str) or bay not in system_index for bay in bays
    ):
        reader.fault(
            f"{where}.{SCRAMBLE}",
            SCRAMBLE,
            reason("list-bays-needed", "expected a list of bays of {}", ship.id),
        )
        return ()
    if FIRE not in data:
        return (Defence(SCRAMBLE, tuple(bays), BY_ITSELF),)
    fire = _defences(reader, data=data[FIRE], where=f"{where}.{FIRE}", ship=ship, names=names)
    return (Defence(SCRAMBLE, tuple(bays)), *fire)


def _is_known_target(name: str, names: FireNames) -> bool:
    """Return whether a target is ordnance or a ship that orders may name."""
    return is_marker(name) or name in names.ships or name in names.targets


POINT_DEFENCE_REQUEST = PointDefenceRequest()


def units_asked_to_defend(state: BattleState) -> list[ShipState | Group]:
    """Return the units that the point defence phase asks for orders.

    A side is asked if ordnance or craft attack one of its ships, if an enemy warhead explodes among
    its ships or its guarding boats, or if it has an ADFC or guarding boats near something that
    attacks no ship. All of its ships in play are asked, wherever they are, and the boats that might
    guard them.

    Rules: Continuum "Point Defense fire phase" 2.6 [pc.sequence]
    """
    if not state.pieces:
        return []
    guards = [group for group in state.pieces_of(Group) if may_guard(state, group)]
    sides = _sides_under_attack(state) | _sides_in_blasts(state, guards)
    sides |= {unit.commander for unit in watching_units(state, guards)}
    ships = []
    for ship in state.ships:
        if ship.commander in sides and ship.status in IN_PLAY and not ship.dummy:
            ships.append(ship)
    return [*ships, *(group for group in guards if group.commander in sides)]


def _sides_under_attack(state: BattleState) -> set[int]:
    """Return the sides with ships that ordnance or craft attack."""
    sides = {state.ship(marker.target).commander for marker in attackers(state)}
    for group in state.pieces_of(Group):
        targets = group.this_turn.targets
        sides |= {ship.commander for ship in state.ships if ship.id in targets}
    return sides


def _sides_in_blasts(state: BattleState, guards: list[Group]) -> set[int]:
    """Return the sides among whose ships or guarding boats an enemy's warhead explodes."""
    sides: set[int] = set()
    for marker in pending_blasts(state):
        for ship in ships_in_blast(state, marker):
            if state.hostile[ship.commander] >> marker.side & 1:
                sides.add(ship.commander)
        for group in guards:
            if _bursts_at(state, marker, group):
                sides.add(group.commander)
    return sides


def _bursts_at(state: BattleState, marker: Marker, group: Group) -> bool:
    """Return whether an enemy's warhead explodes among boats."""
    return bool(state.hostile[group.commander] >> marker.side & 1) and in_blast(
        state, group, marker
    )


def watching_units(state: BattleState, guards: list[Group]) -> list[ShipState | Group]:
    """Return the units that might fire at craft or ordnance near them that attack no ship.

    Ships count by their designs and boats by their types. Bogeys do not count. What a ship has lost
    and which packs are spent is ignored, because the phase must reveal neither.

    Args:
        guards: The boats that might guard ships.

    Rules: Continuum "ADFC" 7.10, "Point defense" 8.8 [pc.adfc]; Continuum "Multi-stage missiles"
    6.6 [pc.multi-stage]; Continuum "Gunboat types" 9.2 [pc.gunboats]
    """
    prey = _units_attacking_no_ship(state)
    if not prey or POINT_DEFENCE_LEVEL in state.terms.options:
        return []
    watchers: list[tuple[ShipState | Group, float]] = []
    for ship in state.ships:
        if ship.status == FIGHTING and not ship.bogey and _is_built_to_watch(ship):
            watchers.append((ship, AREA_REACH))
    for group in guards:
        watchers.append((group, max(guns.reach for guns in guards_of(group.row))))
    units: list[ShipState | Group] = []
    for watcher, reach in watchers:
        if any(_is_enemy_within(state, watcher, piece, reach) for piece in prey):
            units.append(watcher)
    return units


def _units_attacking_no_ship(state: BattleState) -> list[IncomingUnit]:
    """Return the ordnance and craft in flight that attack no ship."""
    units: list[IncomingUnit] = [*in_flight(state)]
    for group in state.pieces_of(Group):
        if not is_engaged(state, group):
            units.append(group)
    return units


def _is_built_to_watch(ship: ShipState) -> bool:
    """Return whether a ship was built with a system that guards against units attacking no ship."""
    return any(type_ in ship.profile.indexes_by_type for type_ in WATCHES)


def _is_enemy_within(
    state: BattleState, watcher: ShipState | Group, piece: IncomingUnit, reach: float
) -> bool:
    """Return whether a piece is hostile to a unit and within its reach in MU."""
    if not state.hostile[watcher.commander] >> piece.side & 1:
        return False
    return distance_to(watcher, piece) <= reach + NEAR
