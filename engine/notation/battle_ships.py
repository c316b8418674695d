"""Reads the ships of a battle file: place, sheet, damage, stock, settings and notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.combat.q_ships import cover_faults, ordinary_cover
from engine.combat.unidentified import decoy_design, decoy_drives
from engine.continuum.cores import noted_system
from engine.core.edition import Edition
from engine.core.errors import RuleViolations
from engine.core.facts import facts_of
from engine.core.geometry import initial_drift
from engine.core.ids import ShipId
from engine.core.kinds import HullKind
from engine.core.phrase import phrase
from engine.core.sheet import Fit, Sheet
from engine.core.ship import ShipState
from engine.core.ship_facts import ShipRecord
from engine.core.terms import CORE_SYSTEMS, MIXED_MOVEMENT, NO_DECOYS, VECTOR
from engine.craft.registry import craft_type
from engine.craft.roles import roles_of
from engine.design.restrictions import NO_RESTRICTIONS, Restrictions
from engine.design.value import Design
from engine.english import counted_noun
from engine.notation import start_words
from engine.notation.battle_file import SHIP_KEYS
from engine.notation.designs import sheet_of, sheet_once
from engine.notation.extra_marines import CREW, CREW_KEYS, MAX_MARINES, with_extra_marines
from engine.notation.reading import Reader, prefix_places
from engine.ruleset import rules_of
from engine.ship_profiles import craft_type_of_bay, full_stock, new_ship
from engine.systems.sensors import signature
from engine.weapons.registry import weapon_of

SCARRED = "scarred"

TURRET = "turret"
DECOY_LABEL = "escort"  # the signature of every decoy
MOVEMENTS = ("cinematic", VECTOR)
LABELS = ("escort", "cruiser", "capital", "merchant", "installation")


def read_notes(
    reader: Reader,
    item: Mapping[object, object],
    where: str,
    sheet: Sheet | None,
    lost_ids: Sequence[str],
    options: Sequence[str],
) -> dict[str, int]:
    """Return the notes of a ship: numbers that rules keep on its record sheet.

    Faults go to the reader.

    Args:
        lost_ids: The systems that the ship has lost.
    """
    entries = item.get("notes", {})
    spot = f"{where}.notes"
    if not isinstance(entries, Mapping):
        reader.fault(
            spot,
            "not-a-mapping",
            phrase("expected a number for each note, for example reactor: 5"),
        )
        return {}
    if sheet is None:
        return {}
    notes: dict[str, int] = {}
    for name, value in entries.items():
        fault = _note_fault(str(name), value, sheet, lost_ids, options=options)
        if fault:
            reader.fault(f"{spot}.{name}", "note", fault)
        elif isinstance(value, int):
            notes[str(name)] = value
    return notes


def _note_fault(
    name: str, value: object, sheet: Sheet, lost_ids: Sequence[str], options: Sequence[str]
) -> str:
    """Return the reason why a ship cannot begin with a note, "" if it can.

    Args:
        name: The kind of note and, after a colon, the system or armour layer it is about.
    """
    kind, _, subject = name.partition(":")
    fact = facts_of(ShipRecord).get(kind)
    if fact is None or not fact.carries_over:
        carried_over = [key for key, row in facts_of(ShipRecord).items() if row.carries_over]
        return phrase(
            "a battle cannot start with this note; choose from {}", ", ".join(carried_over)
        )
    most = _scars(sheet, subject) if kind == SCARRED else fact.most
    if not is_whole_number(value, least=1, most=most):
        if most:
            return phrase("expected a number from 1 to {}", most)
        return phrase("{} has no such armour", sheet.cls)
    if fact.core_system and (CORE_SYSTEMS not in options or subject):
        return phrase(
            "core systems can be lost only with the optional rule '{}', and a ship has one of each",
            CORE_SYSTEMS,
        )
    return _subject_fault(name, sheet, lost_ids)


def _subject_fault(name: str, sheet: Sheet, lost_ids: Sequence[str]) -> str:
    """Return the reason why a note cannot be about its system, "" if it can.

    Pilots are those of any bay; most other notes are about a system that is lost.
    """
    kind, _, subject = name.partition(":")
    if kind == "pilots":
        if subject in [fit.id for fit in sheet.fits]:
            return ""
        return phrase("{} has no '{}'", sheet.cls, subject)
    system = noted_system(name)
    if kind != SCARRED and system not in lost_ids:
        return phrase("'{}' is not lost", system)
    return ""


def is_whole_number(value: object, *, least: int, most: int) -> bool:
    """Return whether a value of a document is a whole number within limits."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _scars(sheet: Sheet, layer: str) -> int:
    """Return how many regenerative boxes an armour layer has, 0 if there is no such layer.

    Args:
        layer: The layer's number as text; the innermost is 0.
    """
    if layer.isdecimal() and int(layer) < len(sheet.armour):
        return sheet.armour[int(layer)][1]
    return 0


def read_pair(
    reader: Reader,
    data: Mapping[object, object],
    key: str,
    where: str,
    default: tuple[float, float] | None,
) -> tuple[float, float]:
    """Return two finite numbers, or the default if the key is absent."""
    spot = f"{where}.{key}" if where else key
    if key not in data and default is not None:
        return default
    value = data.get(key)
    if isinstance(value, (list, tuple)) and len(value) == 2 and all(map(_is_coordinate, value)):
        return float(value[0]), float(value[1])
    reader.fault(spot, "not-a-pair", start_words.TWO_NUMBERS)
    return (1.0, 1.0)


def _is_coordinate(value: object) -> bool:
    """Return whether a value of a document is a number that can be a coordinate in MU."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e6


def read_position(
    reader: Reader, data: Mapping[object, object], where: str, table: tuple[float, float]
) -> tuple[float, float]:
    """Return the `at` of an entry; it is a fault if that is not on the table."""
    at = read_pair(reader, data, key="at", where=where, default=None)
    check_on_table(reader, at, where, table)
    return at


def check_on_table(
    reader: Reader, at: tuple[float, float], where: str, table: tuple[float, float]
) -> None:
    """Report a fault if the position of an entry is not on the table."""
    if not (0 <= at[0] <= table[0] and 0 <= at[1] <= table[1]):
        reader.fault(f"{where}.at", "off-table", start_words.off_table(*at))


@dataclass(frozen=True, slots=True)
class Deployment:
    """The battle for which ships are read.

    Attributes:
        table: Width and height in MU.
        bogeys: Whether contacts start as bogeys.
        classes: The ship classes that a file may name.
        sheets: A cache of the record sheets read so far.
        restrictions: What no ship may carry or be.
        multi_role: The types that the players chose for multi-role fighters.
    """

    edition: str
    options: tuple[str, ...]
    table: tuple[float, float]
    bogeys: bool
    classes: Mapping[str, Design]
    sheets: dict[str, Sheet] = field(default_factory=dict)
    restrictions: Restrictions = NO_RESTRICTIONS
    multi_role: tuple[str, ...] = ()


def read_ship(
    reader: Reader, item: object, where: str, side: int, ground: Deployment
) -> ShipState | None:
    """Return a ship as it comes to the table, or None if its entry has any fault."""
    if not isinstance(item, Mapping):
        reader.fault(
            where, "not-a-mapping", phrase("a ship must be an object with keys and values")
        )
        return None
    faults_before = len(reader.faults)
    reader.keys(item, SHIP_KEYS, where)
    id_ = reader.text(item, "id", where)
    sheet = _sheet(reader, item, where, ground)
    if sheet is not None and CREW in item:
        sheet = _with_extra_marines(reader, item, where, sheet)
    at, course, velocity = read_place(reader, item, where, ground.table)
    facing, drift = _movement(reader, item, where, course, velocity=velocity, ground=ground)
    damage = reader.number(item, "damage", where, default=0)
    lost_ids = [str(name) for name in reader.items(item, "lost", where, default=())]
    label = _label(reader, item, where)
    contact = reader.text(item, "contact", where, default="")
    dummy = reader.flag(item, "dummy", where)
    if dummy:
        _check_decoy(reader, where, label, ground)
    if sheet is not None:
        _check_damage(reader, where, sheet, damage, lost_ids=lost_ids)
    stock = _stock(reader, item, where, sheet)
    settings = _settings(reader, item, where, sheet, ground=ground)
    notes = read_notes(reader, item, where, sheet, lost_ids=lost_ids, options=ground.options)
    cover = _cover(reader, item, where, sheet, ground=ground)
    if sheet is None or len(reader.faults) > faults_before:
        return None
    if not label:
        label = DECOY_LABEL if dummy else signature(sheet, tuple(lost_ids))
    return new_ship(
        ShipId(id_),
        owner=side,
        sheet=sheet,
        at=at,
        course=facing,
        velocity=velocity,
        damage=damage,
        lost=tuple(lost_ids),
        stock=stock,
        bogey=ground.bogeys,
        dummy=dummy,
        label=label,
        contact=contact,
        cover=cover,
        notes=settings | notes,
        drift=drift,
    )


def read_place(
    reader: Reader, item: Mapping[object, object], where: str, table: tuple[float, float]
) -> tuple[tuple[float, float], int, int]:
    """Return a ship's place on the table, its course and its velocity."""
    at = read_position(reader, item, where, table)
    course = reader.number(item, "course", where)
    if "course" in item and not 1 <= course <= 12:
        reader.fault(f"{where}.course", "course", start_words.COURSES)
    velocity = reader.number(item, "velocity", where)
    if velocity < 0:
        reader.fault(f"{where}.velocity", "velocity", start_words.LEAST_VELOCITY)
    return at, course, velocity


def _label(reader: Reader, item: Mapping[object, object], where: str) -> str:
    """Return the classification that a ship shows as a bogey, "" if the file gives none."""
    label = reader.text(item, "label", where, default="")
    if label and label not in LABELS:
        reader.fault(
            f"{where}.label",
            "unknown-label",
            phrase("no classification '{}'; choose from {}", label, ", ".join(LABELS)),
        )
    return label


def _check_decoy(reader: Reader, where: str, label: str, ground: Deployment) -> None:
    """Check that this battle has decoys, and that a decoy's label is that of an escort."""
    if not ground.bogeys:
        reader.fault(
            f"{where}.dummy",
            "dummy-without-bogeys",
            phrase('decoys need a battle with "bogeys": true'),
        )
    if NO_DECOYS in ground.options:
        reader.fault(
            f"{where}.dummy",
            "no-decoys",
            phrase("the optional rule '{}' does not allow decoys", NO_DECOYS),
        )
    if label not in ("", DECOY_LABEL):
        reader.fault(
            f"{where}.label",
            "dummy-label",
            phrase("a decoy must have the signature of an {}", DECOY_LABEL),
        )


def _check_damage(
    reader: Reader, where: str, sheet: Sheet, damage: int, lost_ids: Sequence[str]
) -> None:
    """Check that a ship can have this damage and have lost these systems."""
    if not 0 <= damage < sheet.boxes:
        reader.fault(
            f"{where}.damage",
            "damage",
            phrase("{} can start with 0 to {} damage points", sheet.cls, sheet.boxes - 1),
        )
    hits_to_lose = {fit.id: 2 if fit.type == "drive" else 1 for fit in sheet.fits}
    for name, times in Counter(lost_ids).items():
        if times > hits_to_lose.get(name, 0):
            if name in hits_to_lose:
                words = phrase("is marked as having lost it too often")
            else:
                words = phrase("has no '{}'; it has {}", name, ", ".join(hits_to_lose))
            reader.fault(f"{where}.lost", "lost-system", f"{sheet.cls} {words}")


def _movement(
    reader: Reader,
    item: Mapping[object, object],
    where: str,
    course: int,
    velocity: int,
    ground: Deployment,
) -> tuple[int, tuple[float, float] | None]:
    """Return a ship's facing, and its drift if it moves by vectors.

    The `course` of such a ship is the direction of its drift, and its facing too unless `facing` is
    given.

    Rules: Continuum "Vector movement system" 12.12 [pc.vector] [pc.mixed-movement]
    """
    by_vectors = _moves_by_vectors(reader, item, where, ground)
    drift = None
    if by_vectors and 1 <= course <= 12:
        drift = initial_drift(course, velocity)
    if "facing" not in item:
        return course, drift
    if not by_vectors:
        reader.fault(
            f"{where}.facing",
            "facing",
            phrase("only a ship in vector movement can face away from its course"),
        )
        return course, drift
    facing = reader.number(item, "facing", where)
    if not 1 <= facing <= 12:
        reader.fault(f"{where}.facing", "facing", start_words.COURSES)
    return facing, drift


def _moves_by_vectors(
    reader: Reader, item: Mapping[object, object], where: str, ground: Deployment
) -> bool:
    """Return whether a ship moves by vectors.

    One option makes all ships move so, another only those with `movement: vector`.
    """
    if "movement" not in item:
        return VECTOR in ground.options
    if MIXED_MOVEMENT not in ground.options:
        words = phrase(
            "ships can differ in movement only with the optional rule '{}'", MIXED_MOVEMENT
        )
        reader.fault(f"{where}.movement", "movement", words)
    return reader.choice(item, "movement", MOVEMENTS, where) == VECTOR


def check_decoys(reader: Reader, where: str, side: str, ships: list[ShipState]) -> None:
    """Check that a side has no more decoys than real ships.

    Rules: 2E "Dummy bogeys and weasel boats" [2e.dummies]
    """
    decoys = sum(ship.dummy for ship in ships)
    real = len(ships) - decoys
    if decoys > real:
        words = phrase(
            "{} has {} decoys for {}; it may have one for each",
            side,
            decoys,
            counted_noun(real, "ship"),
        )
        reader.fault(where, "too-many-drones", words)


def check_contact_codes(reader: Reader, spots: Sequence[str], ships: Sequence[ShipState]) -> None:
    """Report every contact code that is also the code or the id of another ship.

    Orders could not tell such ships apart.

    Args:
        spots: The ships' places in the file.
    """
    ids = {ship.id: number for number, ship in enumerate(ships)}
    codes: dict[str, int] = {}
    for number, (spot, ship) in enumerate(zip(spots, ships, strict=True)):
        if ship.contact == ship.id:
            continue
        other = codes.setdefault(ship.contact, number)
        if other != number:
            words = phrase(
                "'{}' is already the contact name of '{}'", ship.contact, ships[other].id
            )
            reader.fault(f"{spot}.contact", "contact-twice", words)
        elif ship.contact in ids:
            reader.fault(
                f"{spot}.contact",
                "contact-twice",
                phrase("'{}' is the id of another ship", ship.contact),
            )


def _stock(
    reader: Reader, item: Mapping[object, object], where: str, sheet: Sheet | None
) -> dict[str, int]:
    """Return what a ship has left of craft, packs and mines, by system."""
    entries = item.get("stock", {})
    if not isinstance(entries, Mapping):
        reader.fault(
            f"{where}.stock",
            "not-a-mapping",
            phrase("expected what is left of each bay, pack and minelayer"),
        )
        return {}
    if sheet is None:
        return {}
    full = full_stock(sheet)
    result: dict[str, int] = {}
    for name, amount in _flat(entries).items():
        spot = f"{where}.stock.{name}"
        if name not in full:
            words = phrase(
                "{} has no contents in '{}'; it has {}",
                sheet.cls,
                name,
                ", ".join(full) or "no such system",
            )
            reader.fault(spot, "no-stock", words)
            continue
        most = full[str(name)]
        if not is_whole_number(amount, least=0, most=most):
            reader.fault(spot, "stock", phrase("expected a number from 0 to {}", most))
        if isinstance(amount, int):
            result[str(name)] = amount
    return result


def _possible_settings(sheet: Sheet, fit: Fit, ground: Deployment) -> tuple[str, ...]:
    """Return the settings that a system can have, if any.

    A turret is set to one of its arcs, and a bay to a role of its craft.
    """
    if craft := craft_type_of_bay(sheet.edition, rules_of(sheet.edition).profile.bays, fit):
        return roles_of(craft_type(craft), ground.options, ground.multi_role)
    if fit.type == TURRET:
        return fit.arcs
    return weapon_of(sheet.edition, fit.type).settings.get(fit.variant, ())


def _all_settings(sheet: Sheet, fit: Fit) -> tuple[str, ...]:
    """Return all roles that any players may agree on for the craft of a bay; none for others."""
    craft = craft_type_of_bay(sheet.edition, rules_of(sheet.edition).profile.bays, fit)
    return craft_type(craft).all_roles if craft else ()


def _flat(stock: Mapping[object, object]) -> dict[object, object]:
    """Return a stock with each load of a magazine under its own name.

    `{"magazine-1": {"standard": 3}}` becomes `{"magazine-1/standard": 3}`.
    """
    flat: dict[object, object] = {}
    for name, amount in stock.items():
        if isinstance(amount, Mapping):
            flat |= {f"{name}/{load}": number for load, number in amount.items()}
        else:
            flat[name] = amount
    return flat


def _settings(
    reader: Reader,
    item: Mapping[object, object],
    where: str,
    sheet: Sheet | None,
    ground: Deployment,
) -> dict[str, int]:
    """Return as notes how weapons are set, where turrets face and which roles groups have.

    The entry is `{"pulser-1": "short", "hangar-1": "attack"}`. Groups for which nothing is said
    have the first role that the players chose.

    Rules: Continuum "Pulsers" 5.21 [pc.pulsers]; Continuum "Fusion array" 5.19 [pc.fusion-array]
    """
    entries = item.get("settings", {})
    if not isinstance(entries, Mapping):
        reader.fault(
            f"{where}.settings",
            "not-a-mapping",
            phrase("expected the setting of each weapon that has settings"),
        )
        return {}
    if sheet is None:
        return {}
    notes: dict[str, int] = {}
    settings_by_id: dict[str, tuple[str, ...]] = {}
    all_settings: dict[str, tuple[str, ...]] = {}
    for fit in sheet.fits:
        possible = _possible_settings(sheet, fit, ground)
        if not possible:
            continue
        settings_by_id[fit.id] = possible
        all_settings[fit.id] = _all_settings(sheet, fit) or possible
        if default := all_settings[fit.id].index(possible[0]):
            notes[f"setting:{fit.id}"] = default
    turret_ids = [fit.id for fit in sheet.fits if fit.type == TURRET]
    for name, setting in entries.items():
        spot = f"{where}.settings.{name}"
        id_ = str(name)
        possible = settings_by_id.get(id_, ())
        if not possible:
            words = phrase(
                "{} has no '{}' that can be set; it has {}",
                sheet.cls,
                name,
                ", ".join(settings_by_id) or "no such system",
            )
            reader.fault(spot, "no-setting", words)
        elif setting not in possible:
            reader.fault(spot, "setting", phrase("expected one of {}", ", ".join(possible)))
        else:
            kind = "facing" if id_ in turret_ids else "setting"
            notes.pop(f"{kind}:{id_}", None)
            if number := all_settings[id_].index(setting):  # the first setting needs no note
                notes[f"{kind}:{id_}"] = number
    return notes


def _cover(
    reader: Reader,
    item: Mapping[object, object],
    where: str,
    sheet: Sheet | None,
    ground: Deployment,
) -> Sheet | None:
    """Return the sheet that a Q ship pretends to have, or None.

    `cover` names a class or holds a design; null means none. Without the key a Q ship passes for an
    ordinary freighter.
    """
    if sheet is None:
        return None
    if "cover" not in item:
        return ordinary_cover(sheet) if sheet.kind == HullKind.Q_SHIP else None
    entry = item["cover"]
    if entry is None:
        return None
    if isinstance(entry, Mapping):
        cover = _sheet(reader, {"design": entry}, f"{where}.cover", ground)
    else:
        reader.text(item, "cover", where)
        if not isinstance(entry, str):
            return None
        cover = _sheet(reader, {"class": entry}, f"{where}.cover", ground)
    if cover is not None:
        for fault in cover_faults(sheet, cover):
            reader.fault(f"{where}.cover", "cover", fault)
    return cover


def _with_extra_marines(
    reader: Reader, item: Mapping[object, object], where: str, sheet: Sheet
) -> Sheet:
    """Return a ship's sheet with the marines it carries in addition to its design.

    Rules: Continuum "Marines" 12.7 [pc.boarding]
    """
    entry, spot = item[CREW], f"{where}.{CREW}"
    if not isinstance(entry, Mapping):
        reader.fault(
            spot,
            "not-a-mapping",
            phrase('expected the marines beyond those of the design: {"marines": 4}'),
        )
        return sheet
    reader.keys(entry, CREW_KEYS, spot)
    marines = reader.number(entry, "marines", spot)
    if not 1 <= marines <= MAX_MARINES:
        reader.fault(
            f"{spot}.marines",
            "marines",
            phrase("expected a number from 1 to {}", MAX_MARINES),
        )
        return sheet
    if sheet.edition != Edition.CONTINUUM:
        reader.fault(spot, "marines", phrase("only {} ships can carry marines", Edition.CONTINUUM))
        return sheet
    return with_extra_marines(sheet, marines)


def _decoy_thrust(reader: Reader, item: Mapping[object, object], where: str, edition: str) -> int:
    """Return the thrust that a file gives a decoy, or 0.

    Rules: Continuum "Dummy bogeys" 12.3 [pc.sensors]
    """
    if "thrust" not in item:
        return 0
    thrust = reader.number(item, "thrust", where)
    most = decoy_drives(edition)
    if 1 <= thrust <= most:
        return thrust
    if most:
        words = phrase("expected a thrust from 1 to {}", most)
    else:
        words = phrase("all decoys of this edition have the same thrust")
    reader.fault(f"{where}.thrust", "thrust", words)
    return 0


def _sheet(
    reader: Reader, item: Mapping[object, object], where: str, ground: Deployment
) -> Sheet | None:
    """Return a ship's sheet, from its class or from its design.

    The same design is read only once. A decoy needs neither class nor design.
    """
    if item.get("dummy") is True and "class" not in item and "design" not in item:
        thrust = _decoy_thrust(reader, item, where, ground.edition)
        item = {"design": decoy_design(ground.edition, thrust=thrust)}
    elif "thrust" in item:
        words = phrase(
            "thrust is only for decoys without a class or design; a ship's thrust is on its "
            "record sheet"
        )
        reader.fault(f"{where}.thrust", "thrust", words)
    if ("class" in item) == ("design" in item):
        reader.fault(where, "class-or-design", phrase("a ship needs either a class or a design"))
        return None
    key = repr(item.get("class", item.get("design")))
    if key in ground.sheets:
        return ground.sheets[key]
    try:
        if "design" in item:
            sheet = _sheet_of_design(reader, item["design"], key, where, ground=ground)
        else:
            sheet = _sheet_of_class(reader, item["class"], where, ground)
    except RuleViolations as bad:
        reader.faults.extend(prefix_places(f"{where}.design", bad.violations))
        return None
    if sheet is not None:
        ground.sheets[key] = sheet
    return sheet


def _sheet_of_design(
    reader: Reader, design: object, key: str, where: str, ground: Deployment
) -> Sheet | None:
    """Return the sheet of a design in the file, or None if it is of another edition.

    Args:
        key: What distinguishes the design from others in the file.

    Raises:
        RuleViolations: The design has faults.
    """
    sheet = sheet_once(key, design, ground.options)
    if ground.edition and sheet.edition != ground.edition:
        reader.fault(
            f"{where}.design.edition",
            "other-edition",
            phrase("this battle uses {}", ground.edition),
        )
        return None
    return sheet


def _sheet_of_class(reader: Reader, name: object, where: str, ground: Deployment) -> Sheet | None:
    """Return the sheet of a class that the file may name, or None if there is no such class.

    Raises:
        RuleViolations: The options forbid the class.
    """
    if not isinstance(name, str) or name not in ground.classes:
        reader.fault(
            f"{where}.class",
            "unknown-class",
            phrase("no class {!r}; choose from {}", name, ", ".join(ground.classes)),
        )
        return None
    design = ground.classes[name]
    options = ground.options if design.edition == ground.edition else ()
    return sheet_of(design, options)
