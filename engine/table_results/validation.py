"""Checks whether a result that people enter is possible in a battle fought at a real table.

A result is `{"schema": 1, "turns": n, "ships": {name: end}}`. The end of a ship has `status` (one
of ENDS), the total `damage` points, the `lost` systems, its remaining `stock` (craft, packs, mines
by system; absent means unchanged), and a `captor` (a side) if it was taken. `cause` says what
destroyed a ship that had boxes left. `ground` is the damage of ground targets by name; targets that
are not named are unchanged.

The whole result names all ships by id (`result_faults`). A result that one side enters names its
own ships by id and other ships by contact code (`side_faults`), and its faults reveal nothing about
other sides' ships.

The record sheets of such a battle use the same limits: `most_stock`, `least_lost` and
`fate_faults`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from engine.core.errors import Violation
from engine.core.kinds import (
    DESTROYED,
    FIGHTING,
    FTL,
    HULK,
    LANDED,
    SCANNED_AWAY,
    SHIP_SURRENDERED,
    DestroyedBy,
)
from engine.core.phrase import join_phrases, phrase
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import CORE_SYSTEMS, EMERGENCY_THRUST, NO_REPAIRS, STRIKING
from engine.design.offers import system_types
from engine.design.value import Design
from engine.english import system_words
from engine.notation.battle_file import BattleFileDocument
from engine.notation.battles import read_battle
from engine.notation.reading import Reader
from engine.pieces.planet import Planet
from engine.pieces.site import Site
from engine.ship_profiles import PLATES, stock_now
from engine.table_results.ends import (
    ENDS_OF_DUMMIES,
    TAKEN_STATUSES,
    End,
    read_ends,
)
from engine.weapons.weapon import Trait

CodeAndMessage = tuple[str, str]


def result_faults(
    start: BattleFileDocument, result: object, classes: Mapping[str, Design] | None = None
) -> tuple[Violation, ...]:
    """Return everything that is impossible in the whole result of a battle.

    Damage is at least what the ship came with and at most its boxes. A ship without boxes is
    destroyed. A ship destroyed with boxes left needs a `cause`, such as its own FTL drive or an
    asteroid, and its damage then means nothing. Lost systems must be fitted, or lost before.
    More can be lost only if a hull row was crossed or an enemy had needle beams. Only regenerative
    armour gains stock. A lost bay holds nothing, and a working bay of a ship still on the table
    misses craft only if something there kills fighters. A ship leaves under FTL only with a working
    drive, and only an enemy who was there can take it. Decoys are only scanned away, or leave.

    Args:
        start: The battle file.

    Rules: 2E "Threshold points" [2e.thresholds]; 2E "Needle beams" [2e.needle-beams]; 2E "Fighters"
    [2e.fighters]
    """
    reader = Reader()
    ends = read_ends(reader, result)
    state = read_battle(start, classes or {}).state
    ships: dict[str, ShipState] = {ship.id: ship for ship in state.ships}
    valid_ends = {id_: end for id_, end in ends.items() if end is not None}
    for id_ in ships:
        if id_ not in ends:
            reader.fault(
                f"ships.{id_}",
                "missing",
                reason("end-ship-missing", "say what happened to this ship"),
            )
    for id_, end in ends.items():
        if id_ not in ships:
            reader.fault(
                f"ships.{id_}",
                "unknown-ship",
                reason(
                    "no-such-ship-there", "no such ship was there; choose from {}", ", ".join(ships)
                ),
            )
        elif end is not None:
            _check_ship(reader, ships[id_], end, state)
            _check_against_others(reader, state=state, ship=ships[id_], end=end, ends=valid_ends)
    _check_ground(
        reader, result, {site.id: (site.damage, site.boxes) for site in state.pieces_of(Site)}
    )
    return tuple(reader.faults)


def side_faults(
    sheet: Mapping[str, Any], result: object, classes: Mapping[str, Design] | None = None
) -> tuple[Violation, ...]:
    """Return the faults of a side's result that its own record sheet can show.

    Checks that need other sides' sheets are done when all sides have entered their results.

    Args:
        sheet: {edition, rules, options, table, bogeys, side, sides, own (the ships of its battle
            file), contacts ([{id, ...}])}.
    """
    reader = Reader()
    ends = read_ends(reader, result)
    state = own_state(sheet, classes)
    ships: dict[str, ShipState] = {ship.id: ship for ship in state.ships}
    contacts = [str(contact["id"]) for contact in sheet["contacts"]]
    for id_ in ships:
        if id_ not in ends:
            reader.fault(
                f"ships.{id_}",
                "missing",
                reason("end-ship-missing", "say what happened to this ship"),
            )
    for id_, end in ends.items():
        if id_ not in ships and id_ not in contacts:
            reader.fault(
                f"ships.{id_}",
                "unknown-ship",
                reason(
                    "no-such-ship-known",
                    "no such ship; choose from {}",
                    ", ".join((*ships, *contacts)),
                ),
            )
        elif end is not None and id_ in ships:
            _check_ship(reader, ships[id_], end, state)
        elif end is not None:
            _check_contact(reader, end, sheet, f"ships.{id_}")
    sites = sheet.get("seen", {}).get("sites", ())
    _check_ground(reader, result, {site["id"]: (site["damage"], site["boxes"]) for site in sites})
    return tuple(reader.faults)


def _check_contact(reader: Reader, end: End, sheet: Mapping[str, Any], where: str) -> None:
    """Check the end of a foreign ship, of which the side's own record sheet shows only the code."""
    if end.captor and end.captor not in sheet["sides"]:
        words = reason(
            "no-side-name",
            "there is no side with this name; choose from {}",
            ", ".join(sheet["sides"]),
        )
        reader.fault(f"{where}.captor", "unknown-side", words)
        return
    _check_system_names(reader, end, sheet["edition"], f"{where}.lost")


def _check_ground(reader: Reader, result: Any, sites: Mapping[str, tuple[int, int]]) -> None:
    """Report faults in a result's damage of ground targets.

    Args:
        sites: The initial damage and the boxes, by name.

    Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
    """
    damage_by_target = result.get("ground", {}) if isinstance(result, Mapping) else {}
    if not isinstance(damage_by_target, Mapping):
        reader.fault(
            "ground",
            "not-a-mapping",
            reason(
                "damage-ground-targets-needed",
                "expected the damage of ground targets, by name",
            ),
        )
        return
    for name in damage_by_target:
        if name not in sites:
            words = reason(
                "no-such-ground-target",
                "no such ground target; choose from {}",
                ", ".join(sites) or phrase("none"),
            )
            reader.fault(f"ground.{name}", "unknown-target", words)
            continue
        before, boxes = sites[name]
        if not before <= reader.number(damage_by_target, name, "ground") <= boxes:
            words = reason(
                "came-boxes-marked-off",
                "it started with {} of {} boxes marked off: its damage must lie between the two",
                before,
                boxes,
            )
            reader.fault(f"ground.{name}", "damage", words)


def own_state(sheet: Mapping[str, Any], classes: Mapping[str, Design] | None = None) -> BattleState:
    """Return a state with only a side's own ships, as they came, and the visible planets."""
    file = {key: sheet[key] for key in ("edition", "rules", "options", "table", "bogeys")}
    others = [name for name in sheet["sides"] if name != sheet["side"]]
    sides = [
        {"name": sheet["side"], "ships": sheet["own"]},
        *({"name": name, "ships": []} for name in others),
    ]
    state = read_battle({**file, "sides": sides}, classes or {}).state
    for key in Planet.view_keys:
        state.pieces += [
            Planet.from_json(document) for document in sheet.get("seen", {}).get(key, ())
        ]
    return state


def most_stock(ship: ShipState) -> dict[str, int]:
    """Return the most stock that a ship can have after a battle.

    That is its initial stock, and all boxes of regenerative armour that are not beyond repair,
    because they repair themselves.

    Rules: Continuum "Regenerative armour" 7.8 [pc.armour]
    """
    most = stock_now(ship)
    regenerative_plates = PLATES[1]
    for layer, (_, regenerative) in enumerate(ship.sheet.armour):
        if regenerative:
            beyond_repair = ship.record.scarred.get(layer, 0)
            most[f"{regenerative_plates}-{layer + 1}"] = regenerative - beyond_repair
    return most


def least_lost(ship: ShipState, options: Collection[str]) -> Counter[str]:
    """Return the systems that a ship must still lack after a battle, with their hits.

    Those are the systems lost before, unless a crew may have repaired them.

    Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]
    """
    if ship.sheet.crew and NO_REPAIRS not in options:
        return Counter()
    return Counter(ship.lost_systems())


def is_lost_with_holder(ship: ShipState, store: str, lost_systems: Collection[str]) -> bool:
    """Return whether the contents of a store are lost with the system that holds them."""
    holder = store.partition("/")[0]
    return holder in lost_systems and ship.profile.index_of[holder] not in ship.profile.sturdy


def _check_ship(reader: Reader, ship: ShipState, end: End, state: BattleState) -> None:
    """Check a ship's end against its own sheet and the sides of the battle."""
    where = f"ships.{ship.id}"
    if ship.dummy:
        if end.status not in ENDS_OF_DUMMIES or end.damage or end.lost or end.stock:
            words = reason(
                "drone-undamaged",
                "a decoy must be undamaged and one of {}",
                ", ".join(ENDS_OF_DUMMIES),
            )
            reader.fault(where, "dummy", words)
        return
    _check_damage(reader, ship, end, where)
    _check_lost_systems(reader, state=state, ship=ship, end=end, where=where)
    _check_stock(reader, ship, end, where)
    _check_fate(reader, state=state, ship=ship, end=end, where=f"{where}.")


def fate_faults(state: BattleState, ship: ShipState, end: End) -> tuple[Violation, ...]:
    """Return why a ship cannot have this fate, ignoring damage and stock; places are in its end."""
    reader = Reader()
    _check_fate(reader, state=state, ship=ship, end=end, where="")
    return tuple(reader.faults)


def _check_fate(reader: Reader, state: BattleState, ship: ShipState, end: End, where: str) -> None:
    """Check a ship's status, the cause of its destruction and its captor.

    Args:
        where: The place of the end, with a trailing dot.
    """
    if fault := _status_fault(state, ship, end):
        reader.fault(f"{where}status", *fault)
    if fault := _cause_fault(state, ship, end):
        reader.fault(f"{where}cause", *fault)
    if fault := _captor_fault(state, ship, end):
        reader.fault(f"{where}captor", *fault)


def _status_fault(state: BattleState, ship: ShipState, end: End) -> CodeAndMessage | None:
    """Return why a ship cannot have ended with this status, or None."""
    options = state.terms.options
    if end.status == SCANNED_AWAY:
        return "not-a-dummy", reason("not-a-dummy", "only a decoy can be unmasked and removed")
    if end.status == FTL and not _drive_works(ship, end):
        words = reason(
            "no-working-ftl-drive-leave", "it has no working FTL drive, so it cannot leave by FTL"
        )
        return "no-ftl-drive", words
    if end.status == HULK and CORE_SYSTEMS not in options:
        words = reason(
            "no-core-systems",
            "a ship can be left adrift only with the optional rule for core systems",
        )
        return "no-core-systems", words
    if end.status == SHIP_SURRENDERED and STRIKING not in options:
        words = reason(
            "no-striking", "a ship can strike its colours only with the optional rule for that"
        )
        return "no-striking", words
    if end.status == LANDED and not any(planet.air for planet in state.pieces_of(Planet)):
        words = reason("nowhere-to-land", "no planet here has an atmosphere that it could enter")
        return "nowhere-to-land", words
    return None


def _cause_fault(state: BattleState, ship: ShipState, end: End) -> CodeAndMessage | None:
    """Return why this cannot have destroyed a ship, or None."""
    if end.cause == DestroyedBy.EXPLOSION and not _may_explode(state, ship):
        return "no-explosives", reason("no-explosives", "nothing aboard could blow it up")
    if end.cause == DestroyedBy.FTL and ship.profile.ftl < 0:
        words = reason("no-ftl-drive-torn", "it has no FTL drive that could tear it apart")
        return "no-ftl-drive", words
    if end.cause == DestroyedBy.PLANET and not state.pieces_of(Planet):
        return "no-planet", reason("no-planet", "there is no planet here that it could hit")
    return None


def _captor_fault(state: BattleState, ship: ShipState, end: End) -> CodeAndMessage | None:
    """Return why this side cannot have taken a ship, or None."""
    if end.status not in TAKEN_STATUSES:
        return None
    if end.captor not in state.sides:
        words = reason(
            "no-side-name",
            "there is no side with this name; choose from {}",
            ", ".join(state.sides),
        )
        return "unknown-side", words
    if not state.hostile[ship.commander] >> state.sides.index(end.captor) & 1:
        words = reason("captor-not-hostile", "{} did not fight it", end.captor)
        return "not-hostile", words
    return None


def _check_system_names(reader: Reader, end: End, edition: str, where: str) -> None:
    """Check that lost systems of an unknown ship are of types that the edition has."""
    types = system_types(edition)
    for name in dict.fromkeys(end.lost):
        type_, _, number = name.rpartition("-")
        if name not in types and not (type_ in types and number.isdecimal()):
            reader.fault(
                where,
                "unknown-system",
                reason("no-system-called", "no system is called '{}'", system_words(name)),
            )


def _check_damage(reader: Reader, ship: ShipState, end: End, where: str) -> None:
    """Check that a ship's damage fits its boxes, its damage before and its status."""
    boxes = ship.sheet.boxes
    if end.damage > boxes:
        words = reason("more-boxes", "{} is more than its {} boxes", end.damage, boxes)
        reader.fault(f"{where}.damage", "damage", words)
    elif end.damage < ship.damage:
        words = reason(
            "less-points-damage-came",
            "{} is less than the {} points of damage it started with",
            end.damage,
            ship.damage,
        )
        reader.fault(f"{where}.damage", "damage", words)
    elif end.damage == boxes and end.status != DESTROYED:
        reader.fault(
            f"{where}.status",
            "not-destroyed",
            reason("not-destroyed", "all its boxes are marked off: it must be destroyed"),
        )
    elif end.damage < boxes and end.status == DESTROYED and not end.cause:
        words = reason(
            "boxes-left-mark-them",
            "it has {} boxes left: mark off all of them, or give the cause of its destruction",
            boxes - end.damage,
        )
        reader.fault(f"{where}.damage", "boxes-left", words)


def _may_explode(state: BattleState, ship: ShipState) -> bool:
    """Return whether anything aboard can blow a ship up.

    Rules: Continuum "Core systems" 10.3 [pc.core-systems]
    """
    if CORE_SYSTEMS in state.terms.options or ship.sheet.flawed:
        return any(fit.type == "power-core" for fit in ship.sheet.fits) or ship.sheet.flawed
    return Trait.BLOWS_UP in ship.profile.having


def _check_lost_systems(
    reader: Reader, state: BattleState, ship: ShipState, end: End, where: str
) -> None:
    """Check that lost systems are aboard, and that those lost before are still lost."""
    fit_ids = [fit.id for fit in ship.sheet.fits]
    fitted = dict(zip(fit_ids, ship.profile.undamaged, strict=True))
    lost_counts = Counter(end.lost)
    for name in lost_counts:
        if lost_counts[name] > fitted.get(name, 0):
            if name in fitted:
                words = reason(
                    "lost-too-often", "{} is marked as lost too often", system_words(name)
                )
            else:
                words = reason(
                    "not-fitted",
                    "{} is not aboard; the ship has {}",
                    system_words(name),
                    _systems(fitted),
                )
            reader.fault(f"{where}.lost", "lost-system", words)
    for name, least in least_lost(ship, state.terms.options).items():
        if lost_counts[name] < least:
            words = reason(
                "lost-before-battle-nothing",
                "{} was lost before the battle: nothing repaired it",
                system_words(name),
            )
            reader.fault(f"{where}.lost", "lost-before", words)


def _check_stock(reader: Reader, ship: ShipState, end: End, where: str) -> None:
    """Check that a ship has what the stock counts, and no more than it can have."""
    most = most_stock(ship)
    for name, amount in end.stock:
        if name not in most:
            if most:
                words = reason(
                    "holds-nothing-counted",
                    "{} has no contents to count; the ship has {}",
                    system_words(name),
                    _systems(most),
                )
            else:
                words = reason(
                    "holds-nothing-counted-no",
                    "{} has no contents to count; the ship has no such system",
                    system_words(name),
                )
            reader.fault(f"{where}.stock.{name}", "no-stock", words)
        elif not 0 <= amount <= most[name]:
            reader.fault(
                f"{where}.stock.{name}",
                "stock",
                reason("stock-at-most", "it can have {} at most", most[name]),
            )
        elif amount and is_lost_with_holder(ship, name, end.lost):
            reader.fault(
                f"{where}.stock.{name}",
                "stock-lost",
                reason("stock-lost", "it is lost, with its contents"),
            )


def _systems(ids: Iterable[str]) -> str:
    """Return the names of systems, separated by commas."""
    return join_phrases(", ", map(system_words, ids))


def _drive_works(ship: ShipState, end: End) -> bool:
    """Return whether a ship has an FTL drive that was not lost."""
    return ship.profile.ftl >= 0 and "ftl" not in end.lost


def _check_against_others(
    reader: Reader, state: BattleState, ship: ShipState, end: End, ends: Mapping[str, End]
) -> None:
    """Check a ship's end against the ships of its enemies and against the table.

    Args:
        ends: The ends of all ships by id.
    """
    if ship.dummy:
        return
    where = f"ships.{ship.id}"
    enemies = _enemies_of(state, ship)
    newly_lost = Counter(name for name in end.lost if name in ship.profile.index_of)
    newly_lost -= Counter(ship.lost_systems())
    if newly_lost and not _may_lose_systems(
        state, ship, end, enemies=enemies, newly_lost=newly_lost
    ):
        words = reason(
            "no-row-track-crossed",
            "{} cannot be lost: no hull row ended, and no enemy had needle beams",
            _systems(sorted(newly_lost.elements())),
        )
        reader.fault(f"{where}.lost", "lost-by-nothing", words)
    if _is_captor_absent(state, ship, end, enemies):
        reader.fault(
            f"{where}.captor",
            "nobody-there",
            reason("nobody-there", "{} had no ship there that could capture it", end.captor),
        )
    if end.cause == DestroyedBy.ASTEROID and not any(piece.body for piece in state.pieces):
        reader.fault(
            f"{where}.cause",
            "no-asteroids",
            reason("no-asteroids", "there is no asteroid on this table"),
        )
    bay = _bay_missing_fighters(ship, end)
    if bay and end.status == FIGHTING and not _can_kill_fighters(state, enemies, ends):
        words = reason("nothing-there-could-shoot", "nothing there could shoot fighters down")
        reader.fault(f"{where}.stock.{bay}", "fighters-gone", words)


def _enemies_of(state: BattleState, ship: ShipState) -> list[ShipState]:
    """Return the real ships of the sides that are hostile to a ship."""
    enemies = []
    for other in state.ships:
        if state.hostile[ship.commander] >> other.commander & 1 and not other.dummy:
            enemies.append(other)
    return enemies


def _may_lose_systems(
    state: BattleState,
    ship: ShipState,
    end: End,
    enemies: list[ShipState],
    newly_lost: Collection[str],
) -> bool:
    """Return whether a ship can have lost these systems in the battle.

    Rules: 2E "Threshold points" [2e.thresholds]; 2E "Needle beams" [2e.needle-beams]; Continuum
    "Emergency thrust" 3.6 [pc.emergency-thrust]
    """
    if end.status == DESTROYED:
        return True
    if any(ship.damage < row <= end.damage for row, _ in ship.profile.row_ends):
        return True
    for enemy in enemies:
        if any(weapon.picks_systems for weapon in enemy.profile.weapons):
            return True
    only_drive = all(name == "drive" for name in newly_lost)
    return only_drive and EMERGENCY_THRUST in state.terms.options


def _is_captor_absent(
    state: BattleState, ship: ShipState, end: End, enemies: list[ShipState]
) -> bool:
    """Return whether the hostile side that took a ship had no ship in the battle."""
    if end.status not in TAKEN_STATUSES or end.captor not in state.sides:
        return False
    captor = state.sides.index(end.captor)
    if not state.hostile[ship.commander] >> captor & 1:
        return False
    return all(enemy.commander != captor for enemy in enemies)


def _bay_missing_fighters(ship: ShipState, end: End) -> str:
    """Return the first working fighter bay with fewer fighters than before, "" if there is none."""
    initial_stock = stock_now(ship)
    for name, amount in end.stock:
        is_working_bay = name.startswith("fighter-bay") and name not in end.lost
        if is_working_bay and amount < initial_stock.get(name, 0):
            return name
    return ""


def _can_kill_fighters(
    state: BattleState, enemies: list[ShipState], ends: Mapping[str, End]
) -> bool:
    """Return whether anything on the table kills fighters.

    That is a system of an enemy, a mine, a template, or the blast of an FTL jump.
    """
    if any(enemy.profile.bays or Trait.ANTI_FIGHTER in enemy.profile.having for enemy in enemies):
        return True
    if any(Trait.HURTS_ALL in ship.profile.having for ship in state.ships):
        return True
    return any(end.status == FTL or end.cause == DestroyedBy.FTL for end in ends.values())
