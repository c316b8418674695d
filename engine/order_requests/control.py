"""Damage control: what each ship's parties repair, and what happens to a failing power core.

An entry looks like `{"control": {"n1": {"repairs": [{"system": "firecon-1", "parties": 2}], "dump":
true}}}`. For a boarded ship it also says who repels boarders: `"repel": [[3, "hull"]], "marines":
{"marines": 2, "hull": 0}`.

Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from engine.continuum.damage_control import control_decision_ships, control_violations
from engine.core.errors import Violation, fault_path
from engine.core.orders import AT_HULL, AT_MARINES, Control, Repair
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import CONTROL, BattleState
from engine.notation.fire import FireNames
from engine.notation.reading import Reader
from engine.order_requests.base import UnitOrderRequest
from engine.pieces.group import Group

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView

CONTROL_KEYS = ("repairs", "dump", "abandon", "repel", "marines")
REPAIR_KEYS = ("system", "parties")


def parse_control(
    reader: Reader, data: object, where: str, ships: Mapping[str, Any]
) -> dict[str, Control]:
    """Parse damage control by ship; all faults go to the reader.

    Args:
        ships: The ships that take orders, by id.
    """
    entries = entries_by_ship(
        reader,
        data=data,
        where=where,
        ships=ships,
        keys=CONTROL_KEYS,
        missing=reason(
            "damage-control-repairs-ship",
            'write damage control as {"repairs": [{system, parties}]} by ship',
        ),
        unknown=reason("unknown-ship-named", "no ship has the id '{}'"),
        malformed=reason(
            "ship-damage-control-repairs",
            "a ship's damage control can have repairs, and dump or abandon",
        ),
    )
    result: dict[str, Control] = {}
    for name, item, spot in entries:
        result[name] = Control(
            _repairs(reader, item, spot),
            dump=reader.flag(item, "dump", spot),
            abandon=reader.flag(item, "abandon", spot),
            repel=_repel(reader, item, spot),
            marines=_marines(reader, item, spot),
        )
    return result


def entries_by_ship(
    reader: Reader,
    data: object,
    where: str,
    ships: Mapping[str, Any],
    keys: Sequence[str],
    *,
    missing: str,
    unknown: str,
    malformed: str,
) -> Iterator[tuple[str, Mapping[object, object], str]]:
    """Yield each well-formed entry with its ship and its path; report the others to the reader.

    Args:
        missing: The fault if `data` is not a mapping.
        unknown: The fault for an unknown ship, with a place for its name.
        malformed: The fault for a ship's orders that are not a mapping.
    """
    if not isinstance(data, Mapping):
        reader.fault(where, "not-a-mapping", missing)
        return
    for name, item in data.items():
        spot = f"{where}.{name}"
        if name not in ships:
            reader.fault(spot, "unknown-ship", unknown.format(name))
        elif not isinstance(item, Mapping):
            reader.fault(spot, "not-a-mapping", malformed)
        else:
            reader.keys(item, keys, spot)
            yield name, item, spot


def _repel(
    reader: Reader, item: Mapping[object, object], where: str
) -> tuple[tuple[int, str], ...]:
    """Parse the teams of parties against boarders: how many, and what the boarder attacks."""
    teams: list[tuple[int, str]] = []
    for number, pair in enumerate(reader.items(item, "repel", where, default=())):
        match pair:
            case [int(parties), str(boarder_target)] if not isinstance(parties, bool):
                teams.append((parties, boarder_target))
            case _:
                spot = f"{where}.{fault_path('repel', number)}"
                reader.fault(
                    spot,
                    "not-a-pair",
                    reason(
                        "parties-what-boarder-needed",
                        "expected the number of parties and what the boarder attacks, for example "
                        '[3, "hull"]',
                    ),
                )
    return tuple(teams)


def _marines(reader: Reader, item: Mapping[object, object], where: str) -> tuple[int, int] | None:
    """Parse how many marines fire at marines and at the hull's attackers; None: all of them."""
    entry = item.get("marines")
    if entry is None:
        return None
    spot = f"{where}.marines"
    if not isinstance(entry, Mapping):
        reader.fault(
            spot,
            "not-a-mapping",
            reason(
                "how-many-marines-fire",
                "expected the numbers of its marines that fire at marines and at the hull",
            ),
        )
        return None
    reader.keys(entry, (AT_MARINES, AT_HULL), spot)
    at_marines = reader.number(entry, AT_MARINES, spot, default=0)
    at_hull = reader.number(entry, AT_HULL, spot, default=0)
    if min(at_marines, at_hull) < 0:
        reader.fault(
            spot, "marines", reason("numbers-0-more-needed", "expected numbers of 0 or more")
        )
    return at_marines, at_hull


def _repairs(reader: Reader, item: Mapping[object, object], where: str) -> tuple[Repair, ...]:
    """Parse the systems that parties repair, each with the number of parties."""
    repairs = []
    for number, job in enumerate(reader.items(item, "repairs", where, default=())):
        spot = f"{where}.{fault_path('repairs', number)}"
        if not isinstance(job, Mapping):
            reader.fault(
                spot, "not-a-mapping", reason("repair-entry", "write a repair as {system, parties}")
            )
            continue
        reader.keys(job, REPAIR_KEYS, spot)
        repairs.append(
            Repair(reader.text(job, "system", spot), reader.number(job, "parties", spot))
        )
    return tuple(repairs)


class DamageControlRequest(UnitOrderRequest[Control]):
    """Damage control by ship.

    It is asked of the sides with ships that need a decision, which all sides can see.
    """

    key = CONTROL
    title = phrase("damage control")
    task = phrase("Assign your damage control parties")

    @override
    def units_asked(self, state: BattleState) -> Sequence[ShipState | Group]:
        """Return the ships for which damage control needs a decision."""
        return list(control_decision_ships(state))

    @override
    def parse(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> dict[str, Control]:
        """Parse the entry `control` with `parse_control`."""
        return parse_control(reader, document.get(self.key, {}), f"{where}{self.key}", names.ships)

    @override
    def find_violations(
        self, state: BattleState, orders: dict[str, Control], where: str, *, sound: bool
    ) -> list[Violation]:
        """Return every fault of each ship's damage control, with the path of its entry."""
        violations: list[Violation] = []
        for name, control in orders.items():
            ship = state.ship_by_name(name)
            violations += control_violations(state, ship, control, f"{where}{self.key}.{name}")
        return violations

    @override
    def to_entry(self, control: Control) -> Any:
        """Return a ship's damage control as a JSON object."""
        return control.to_json()

    @override
    def suggest(self, captain: Captain, view: SideView) -> dict[str, Control]:
        """Return the captain's damage control by ship."""
        return captain.control(view)


CONTROL_REQUEST = DamageControlRequest()
