"""Launches of ordnance, written with the plots.

An entry looks like `{"launch": {"n1": [{"weapon": "salvo-launcher-1", "at": [30, 24], "load":
"extended"}]}}`; rockets are fired at a ship: `{"weapon": "rocket-pod-1", "target": "e1"}`.

Rules: Continuum "Launching missiles" 6.3 [pc.salvo-missiles]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from engine.continuum.craft.loads import load_violations
from engine.continuum.launching import STAGE_ORDER, is_marker, launch_violations
from engine.core.errors import Violation
from engine.core.orders import Launch
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import FLAK
from engine.craft.roles import row_in
from engine.notation.fire import FireNames, read_point
from engine.notation.reading import Reader
from engine.order_requests.base import OptionalOrderRequest
from engine.weapons.ordnance import OPEN

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView

LAUNCH = "launch"
LAUNCH_KEYS = ("weapon", "at", "target", "load", "fuse", "count")


class LaunchRequest(OptionalOrderRequest[tuple[Launch, ...]]):
    """Launches by ship and by group of craft, and further missile stages by marker.

    They are ordered with the plots; no side is asked for them alone.
    """

    key = LAUNCH
    title = "ordnance"
    task = phrase("Launch your ordnance")

    @override
    def parse(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> dict[str, tuple[Launch, ...]]:
        """Parse the entry `launch`: lists of {weapon, at} or {weapon, target}.

        They are listed by ship, by group, or by the marker of a missile with a further stage. All
        faults go to the reader.
        """
        data, where = self.parse_entries(
            reader,
            document,
            where,
            reason("launches-lists-ship", "launches must be lists of {weapon, at} by ship"),
        )
        orders: dict[str, tuple[Launch, ...]] = {}
        for name, entries in data.items():
            spot = f"{where}.{name}"
            if is_marker(str(name)):
                launchers: Sequence[str] = (STAGE_ORDER,)
            elif name in names.ships:
                launchers = launchers_of(names.ships[name])
            elif name in names.groups:
                launchers = loads_of(names.groups[name], str(name))
            else:
                reader.fault(
                    spot,
                    "unknown-ship",
                    reason("unknown-ship-named", "no ship has the id '{}'", name),
                )
                continue
            orders[str(name)] = _launches(
                reader, data=entries, where=spot, name=str(name), launchers=launchers, names=names
            )
        return orders

    @override
    def find_violations(
        self, state: BattleState, orders: dict[str, tuple[Launch, ...]], where: str, *, sound: bool
    ) -> list[Violation]:
        """Return every fault of the launches; none if the document is faulty."""
        if not sound:
            return []
        spot = f"{where}{self.key}"
        return [*launch_violations(state, orders, spot), *load_violations(state, orders, spot)]

    @override
    def with_ids(
        self, orders: dict[str, tuple[Launch, ...]], ids: Mapping[str, str]
    ) -> dict[str, tuple[Launch, ...]]:
        """Return the same launches with ids for ships and targets."""
        if not ids:
            return orders
        result: dict[str, tuple[Launch, ...]] = {}
        for name, launches in orders.items():
            result[ids.get(name, name)] = tuple(
                replace(launch, target=ids.get(launch.target, launch.target)) for launch in launches
            )
        return result

    @override
    def to_entry(self, launches: tuple[Launch, ...]) -> Any:
        """Return a ship's launches as a JSON list."""
        return [launch.to_json() for launch in launches]

    @override
    def suggest(self, captain: Captain, view: SideView) -> dict[str, tuple[Launch, ...]]:
        """Return the captain's launches by ship."""
        return captain.launches(view)


def loads_of(ship: ShipState, group: str) -> tuple[str, ...]:
    """Return what a group from a ship can launch, as named in orders."""
    row = row_in(ship, ship.profile.index_of[group.rpartition("/")[2]])
    return tuple(armament.name for armament in row.armaments if armament.launches)


def launchers_of(ship: ShipState) -> tuple[str, ...]:
    """Return the ids of a ship's systems that launch ordnance or fire flak."""
    rows = zip(ship.sheet.fits, ship.profile.weapons, strict=True)
    result: list[str] = []
    for fit, weapon in rows:
        if weapon.ordnance is not None or FLAK in weapon.at_point:
            result.append(fit.id)
    return tuple(result)


def _launches(
    reader: Reader, data: object, where: str, name: str, launchers: Sequence[str], names: FireNames
) -> tuple[Launch, ...]:
    """Parse the launches of the ship, group or marker `name`, without those with faults."""
    launches = []
    for item, spot in reader.rows(
        data,
        LAUNCH_KEYS,
        where,
        (
            reason("launches-list", "launches must be a list of {weapon, at}"),
            reason("launch-entry", "write a launch as {weapon, at}"),
        ),
    ):
        weapon = reader.text(item, "weapon", spot)
        if weapon and weapon not in launchers:
            words = reason(
                "cannot-launch-anything",
                "{} cannot launch anything from '{}'; it has {}",
                name,
                weapon,
                ", ".join(launchers) or phrase("no launcher"),
            )
            reader.fault(f"{spot}.weapon", "not-a-launcher", words)
            continue
        at = read_point(reader, item, "at", spot)
        target = reader.text(item, "target", spot, default="")
        if target and target not in names.targets:
            reader.fault(
                f"{spot}.target",
                "unknown-target",
                reason("nothing-sight-called", "nothing in sight is called '{}'", target),
            )
            continue
        if weapon:
            launches.append(
                Launch(
                    weapon,
                    at=at,
                    target=names.targets.get(target, ""),
                    load=reader.text(item, "load", spot, default=""),
                    fuse=_fuse(reader, item, spot),
                    count=_round_count(reader, item, spot, is_ship=name in names.ships),
                )
            )
    return tuple(launches)


def _fuse(reader: Reader, item: Mapping[Any, Any], spot: str) -> str:
    """Parse the fuse of a warhead, "" if none is given."""
    fuse = reader.text(item, "fuse", spot, default="")
    if fuse not in ("", OPEN):
        reader.fault(
            f"{spot}.fuse",
            "unknown-fuse",
            reason("unknown-fuse", "the fuse must be '{}' or be left out", OPEN),
        )
    return fuse


def _round_count(reader: Reader, item: Mapping[Any, Any], spot: str, *, is_ship: bool) -> int:
    """Parse how many rounds craft launch; 0: all. Ships give no count."""
    count = reader.number(item, "count", spot, default=0)
    if count < 0 or (count and is_ship):
        reader.fault(
            f"{spot}.count",
            "count",
            reason("only-craft-say-how", "only craft can give a count, 1 or more"),
        )
    return count


LAUNCH_REQUEST = LaunchRequest()
