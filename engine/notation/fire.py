"""Reads fire orders of one ship: weapon, target or point, system and mode.

docs/reference/orders.md explains them to players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.core.orders import Fire
from engine.core.reason import reason
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.craft.craft_type import GUNS
from engine.craft.roles import row_in
from engine.notation.battle_ships import read_pair
from engine.notation.reading import Reader
from engine.weapons.registry import weapon_of
from engine.weapons.weapon import NO_WEAPON, Trait, Weapon

FIRE_KEYS = ("weapon", "target", "system", "mode", "at", "marines", "parties")
CRAFT = Weapon(GUNS)  # what a group of craft fires


@dataclass(frozen=True, slots=True)
class FireNames:
    """The names that orders may use.

    Attributes:
        ships: Ships that take orders.
        groups: Groups that take orders, with the ship they came from.
        targets: Ids of targets, by name.
        sheets: Known record sheets of targets, by id.
        ids: Ids of units that take orders under another name.
        bodies: Bodies that the side places now, before the first turn.
        closed_sheets: Whether record sheets may be closed to the side that orders, so that needle
            beams may name a type of weapon.
    """

    ships: Mapping[str, ShipState]
    groups: Mapping[str, ShipState]
    targets: Mapping[str, str]
    sheets: Mapping[str, Sheet]
    ids: Mapping[str, str] = field(default_factory=dict)
    bodies: tuple[str, ...] = ()
    closed_sheets: bool = False


def armament_names(ship: ShipState, group: str) -> tuple[str, ...]:
    """Return the armaments of a group as orders name them; empty if the ship has no such bay."""
    index = ship.profile.index_of.get(group.rpartition("/")[2], -1)
    if index < 0 or not ship.profile.craft[index]:
        return ()
    return tuple(armament.name for armament in row_in(ship, index).armaments)


def read_fires(
    reader: Reader,
    data: object,
    where: str,
    name: str,
    weapons: Mapping[str, Weapon],
    names: FireNames,
) -> tuple[Fire, ...]:
    """Return the fire of one ship or group from its `engage` list; faults go to the reader.

    Args:
        weapons: The weapons of the ship or group, by id.

    Rules: 2E "Fire control systems" [2e.fire-control]
    """
    fires: list[Fire] = []
    faults_of_shape = (
        reason("fire-list", "fire must be a list of {weapon, target}"),
        reason("fire-entry", "write fire as {weapon, target}"),
    )
    for item, spot in reader.rows(data, FIRE_KEYS, where, faults_of_shape):
        weapon = reader.text(item, "weapon", spot)
        row = weapons.get(weapon, NO_WEAPON)
        _check_weapon(reader, weapon, where=spot, name=name, weapons=weapons)
        system, spread = _systems(reader, item, spot, row)
        mode = _mode(reader, item, spot, row)
        at = _point(reader, item, where=spot, row=row, mode=mode)
        if not _asks_system(row, mode, system, spread):
            words = reason(
                "needle-beam-must-name",
                "a needle beam must name one system; other weapons must not",
            )
            reader.fault(f"{spot}.system", "needle-system", words)
        targets: tuple[str, ...] = ()
        if (row.is_targeted and at is None) or "target" in item:
            targets = _targets(reader, item, spot, names)
        for aimed in (system,) if system else spread:
            check_system(reader, system=aimed, targets=targets, where=spot, names=names)
        is_aimed = bool(targets) or at is not None or not row.is_targeted
        if weapon in weapons and is_aimed:
            boarders = _boarders(reader, item, where=spot, row=row, mode=mode)
            fires.append(
                Fire(weapon, targets, system, mode, at=at, spread=spread, boarders=boarders)
            )
    return tuple(fires)


def _check_weapon(
    reader: Reader, weapon: str, *, where: str, name: str, weapons: Mapping[str, Weapon]
) -> None:
    """Report a fault if a unit has no such weapon, or one that fires in another phase."""
    if not weapon:
        return
    if weapon not in weapons:
        words = reason(
            "unknown-weapon", "{} has no '{}'; it has {}", name, weapon, ", ".join(weapons)
        )
        reader.fault(f"{where}.weapon", "unknown-weapon", words)
    elif not weapons[weapon].is_aimed and weapons[weapon] is not CRAFT:
        aimed = [id_ for id_, row in weapons.items() if row.is_aimed]
        words = reason(
            "not-weapon-aimed-fire",
            "'{}' is not a weapon that fires in this phase; it has {}",
            weapon,
            ", ".join(aimed) or reason("none-at-all", "none"),
        )
        reader.fault(f"{where}.weapon", "not-a-weapon", words)


def _systems(
    reader: Reader, item: Mapping[object, object], where: str, row: Weapon
) -> tuple[str, tuple[str, ...]]:
    """Return the system that a weapon is aimed at, and those that its hits are spread over.

    At least one of them is empty.
    """
    value = item.get("system")
    if isinstance(value, list) and value:
        return "", tuple(str(name) for name in value)
    system = reader.text(item, "system", where, default="")
    if system and Trait.SPREADS in row.traits:
        return "", (system,)
    return system, ()


def _boarders(
    reader: Reader, item: Mapping[object, object], where: str, row: Weapon, mode: str
) -> tuple[int, int] | None:
    """Return how many marines and parties a shot sends aboard, None if it does not say.

    Rules: Continuum "Transporter beams" 5.9 [pc.transporters]
    """
    if "marines" not in item and "parties" not in item:
        return None
    if mode or Trait.CREWED_SHOTS not in row.traits:
        reader.fault(
            f"{where}.marines",
            "no-boarders",
            reason(
                "no-boarders",
                "only a transporter beam can send people aboard, and only outside a raid",
            ),
        )
    counts = []
    for key in ("marines", "parties"):
        counts.append(reader.number(item, key, where, default=0))
    if min(counts) < 0:
        reader.fault(
            f"{where}.marines",
            "boarders",
            reason("numbers-0-more-needed", "expected numbers of 0 or more"),
        )
    return counts[0], counts[1]


def _mode(reader: Reader, item: Mapping[object, object], where: str, row: Weapon) -> str:
    """Return the mode in which a weapon is ordered to fire."""
    mode = reader.text(item, "mode", where, default="")
    if mode and mode not in row.modes:
        modes = ", ".join(name for name in row.modes if name) or reason(
            "one-mode-only", "only its standard mode"
        )
        reader.fault(
            f"{where}.mode",
            "unknown-mode",
            reason("unknown-mode", "it has no mode '{}'; it has {}", mode, modes),
        )
    return mode


def _point(
    reader: Reader, item: Mapping[object, object], where: str, row: Weapon, mode: str
) -> tuple[float, float] | None:
    """Return the point of the table at which a weapon fires, if it may fire at one.

    Rules: Continuum "K-guns" 5.16 [pc.k-guns]; Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
    """
    at = read_point(reader, item, "at", where)
    if at is not None and mode not in row.at_point:
        reader.fault(
            f"{where}.at",
            "no-point",
            reason(
                "only-flak-spinal-mounts",
                "only flak and spinal mounts can be fired at a point on the table",
            ),
        )
    if at is None and mode and mode in row.at_point:
        reader.fault(
            f"{where}.at",
            "no-point",
            reason(
                "flak-must-aimed-point-table",
                "flak must be aimed at a point on the table, for example [10, 24]",
            ),
        )
    return at


def _asks_system(row: Weapon, mode: str, system: str, spread: tuple[str, ...]) -> bool:
    """Return whether the order names a system exactly when the weapon fires at one.

    Rules: 2E "Needle beams" [2e.needle-beams]; Continuum "Needle beams" 5.13 [pc.needle-beams]
    """
    if mode in row.at_system:
        return bool(system)
    if not spread:
        return not system
    return Trait.SPREADS in row.traits


def read_point(
    reader: Reader, item: Mapping[object, object], key: str, where: str
) -> tuple[float, float] | None:
    """Return a point of the table, None if none is given."""
    if item.get(key) is None:
        return None
    before = len(reader.faults)
    point = read_pair(reader, data=item, key=key, where=where, default=None)
    if len(reader.faults) == before:
        return point
    return None


def check_system(
    reader: Reader, system: str, targets: tuple[str, ...], where: str, names: FireNames
) -> None:
    """Report a fault if a target is known not to have the system at which a needle beam is aimed.

    Rules: 2E "Needle beams" [2e.needle-beams]
    """
    for target in targets:
        sheet = names.sheets.get(target)
        if sheet is None:
            continue
        if names.closed_sheets and weapon_of(sheet.edition, system) is not NO_WEAPON:
            continue
        if all(fit.id != system for fit in sheet.fits):
            words = reason(
                "target-has-no-system",
                "a {} has no '{}'; it has {}",
                sheet.cls,
                system,
                ", ".join(fit.id for fit in sheet.fits),
            )
            reader.fault(f"{where}.system", "unknown-system", words)


def _targets(
    reader: Reader, item: Mapping[object, object], where: str, names: FireNames
) -> tuple[str, ...]:
    """Return the ids of the targets of an entry, which has one name or a list."""
    value = item.get("target")
    targets = []
    for name in value if isinstance(value, list) else [value]:
        if isinstance(name, str) and name in names.targets:
            targets.append(names.targets[name])
        else:
            reader.fault(
                f"{where}.target",
                "unknown-target",
                reason("unknown-ship-id", "no ship has the id {!r}", name),
            )
    return tuple(targets)
