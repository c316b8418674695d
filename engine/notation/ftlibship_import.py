"""Reads ships of the ftLibShip ship builder as designs, with the place of every fault.

The reader ignores silhouettes, notes and the setting of a pulser. Anything else that designs here
do not have is a fault, such as fighters already in flight.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from engine.continuum.edition import CONTINUUM
from engine.core.errors import RuleViolations, fault_path
from engine.core.kinds import FtlDrive, HullKind
from engine.core.phrase import phrase
from engine.core.terms import HANGAR_CRITICALS
from engine.design.mass_pricing import round_half_up
from engine.notation.ftlibship_names import (
    BAY_RATIOS,
    GROUPS,
    MAGAZINES,
    builder_names,
    craft_family,
    craft_names,
    mod_names,
    model_fields,
)
from engine.notation.reading import NUMBERS_TO, Reader, prefix_places
from engine.prices.continuum import LOADS

Entry = Mapping[object, object]

# The keys that a ship of the builder may have; some of them are ignored.
SHIP_KEYS = (
    "class",
    "name",
    "mass",
    "points",
    "cpv",
    "civilian",
    "orientation",
    "flawed",
    "hull",
    "armour",
    *GROUPS,
    "extras",
    "fighters",
    "gunboatSquadrons",
    "uuid",
    "notes",
    "silhouette",
    "hashseed",
)


# Fields of a design that are left out if they have these values.
FRAME_DEFAULTS: dict[str, Any] = {
    "armour": [],
    "orientation": "alpha",
    "streamlining": "none",
    "flawed": False,
    "stealth": 0,
}
STEALTH = ("0", "1", "2")
RING = CONTINUUM.arcs
ALL_ARCS = len(RING)


def from_ftlibship(data: object, where: str = "") -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return a design as JSON of this project, and the options by which it is priced.

    The design is not yet checked by the rules. Equal neighbouring systems become one with a count,
    and the ship's name and class become one class, `NAME (CLASS)`.

    Raises:
        RuleViolations: With every fault.
    """
    reader = Reader()
    if not isinstance(data, Mapping):
        reader.fault("", "not-a-mapping", phrase("a ship must be an object with keys and values"))
        raise RuleViolations(prefix_places(where, reader.faults))
    reader.keys(data, SHIP_KEYS, "")
    entries = _entries(data, reader)
    design = _frame(data, reader) | _drives(entries, reader)
    fitted = _SystemsReader(entries, data, reader)
    design["systems"] = merge_equal(fitted.systems)
    if reader.faults:
        raise RuleViolations(prefix_places(where, reader.faults))
    return design, (HANGAR_CRITICALS,) if fitted.cheap_hangars else ()


def _entries(data: Entry, reader: Reader) -> list[tuple[str, Entry]]:
    """Return every system with its place, in the order systems, weapons, ordnance."""
    entries: list[tuple[str, Entry]] = []
    for group in GROUPS:
        for number, item in enumerate(reader.items(data, group, default=())):
            if isinstance(item, Mapping):
                entries.append((fault_path(group, number), item))
            else:
                reader.fault(
                    fault_path(group, number),
                    "not-a-mapping",
                    phrase("a system must be an object with a name"),
                )
    return entries


def _frame(data: Entry, reader: Reader) -> dict[str, Any]:
    """Return the fields of a design that are about the ship as a whole, without its drives."""
    name = reader.text(data, "name", default="")
    cls = reader.text(data, "class", default="")
    if not name and not cls:
        reader.fault("name", "missing", phrase("a ship needs a name or a class"))
    hull = data.get("hull")
    if not isinstance(hull, Mapping):
        reader.fault(
            "hull",
            "not-a-mapping",
            phrase("a hull must be an object with points, rows, stealth and streamlining"),
        )
        hull = {}
    stealth = str(hull.get("stealth", "0"))
    if stealth not in STEALTH:
        reader.fault(
            "hull.stealth", "stealth-level", phrase("the stealth of a hull must be 0, 1 or 2")
        )
        stealth = "0"
    frame: dict[str, Any] = {
        "class": f"{name} ({cls})" if name and cls else name or cls,
        "edition": CONTINUUM.edition,
        "kind": HullKind.MERCHANT if reader.flag(data, "civilian") else HullKind.WARSHIP,
        "mass": reader.number(data, "mass"),
        "hull": {
            "boxes": reader.number(hull, "points", "hull"),
            "rows": reader.number(hull, "rows", "hull", default=4),
        },
        "armour": list(reader.items(data, "armour", default=())),
        "orientation": reader.text(data, "orientation", default="alpha"),
        "streamlining": reader.text(hull, "streamlining", "hull", default="none"),
        "flawed": reader.flag(data, "flawed"),
        "stealth": int(stealth),
    }
    for key, value in FRAME_DEFAULTS.items():
        if frame[key] == value:
            del frame[key]
    return frame


def _drives(entries: list[tuple[str, Entry]], reader: Reader) -> dict[str, Any]:
    """Return the fields of a design that are about its drives."""
    drives: dict[str, Any] = {"thrust": 0, "ftl": FtlDrive.NONE}
    for where, entry in entries:
        advanced = entry.get("advanced") is True
        if entry.get("name") == "drive":
            drives["thrust"] = reader.number(entry, "thrust", where)
            if advanced:
                drives["drive"] = "advanced"
        elif entry.get("name") == "ftl":
            towed_mass = reader.number(entry, "transferMass", where, default=0)
            drives["ftl"] = FtlDrive.ADVANCED if advanced else FtlDrive.STANDARD
            if towed_mass:
                drives["ftl"] = {"tug": towed_mass}
                if advanced:
                    drives["ftl"]["advanced"] = True
    return drives


def _type_and_model(entry: Entry, name: str) -> tuple[str, str] | None:
    """Return the type and model here of a system of the builder, None if there is none."""
    model_values = _model_values(entry, name)
    for (_, builder_name, fields), type_and_model in builder_names():
        if (builder_name, fields) == (name, model_values):
            return type_and_model
    return None


def _model_values(entry: Entry, name: str) -> dict[str, Any]:
    """Return the fields of an entry that distinguish the models of a system."""
    values = {}
    for key in model_fields(name):
        if entry.get(key) not in (None, False, ""):
            values[key] = entry[key]
    return values


class Craft(NamedTuple):
    """The craft of a hangar or rack.

    Attributes:
        where: Their place in the document.
        load: How many there are, by type.
        mods: Their modifications.
    """

    where: str
    load: dict[str, int]
    mods: list[str]


class _SystemsReader:
    """Reads the systems of a ship one by one as JSON of this project.

    `cheap_hangars` is true if hangars are priced by the option for hangar criticals.
    """

    def __init__(self, entries: list[tuple[str, Entry]], data: Entry, reader: Reader) -> None:
        self.reader = reader
        self.systems: list[dict[str, Any]] = []
        self.cheap_hangars = any(entry.get("critRules") is True for _, entry in entries)
        self.has_tubes = any(entry.get("name") == "launchTube" for _, entry in entries)
        self.magazine_ids = _magazine_ids(entries)
        self.turret_of = _turret_by_weapon(entries, reader)
        self.craft = _craft(data, reader)
        for where, entry in entries:
            if entry.get("name") not in ("drive", "ftl"):
                self._add_system(where, entry)
        for id_, craft in self.craft.items():
            words = phrase(
                "no hangar or rack {!r} holds these craft; craft in flight are not part of a "
                "design",
                id_,
            )
            reader.fault(craft.where, "no-hangar", words)

    def _add_system(self, where: str, entry: Entry) -> None:
        """Add a system of the builder, twice if it has two levels."""
        name = self.reader.text(entry, "name", where)
        if not name:
            return
        type_and_model = _type_and_model(entry, name)
        if type_and_model is None:
            self._report_unknown(where, entry, name)
            return
        type_, model = type_and_model
        if type_ == "combined-hangar" and self.has_tubes:
            type_ = "hangar"
        system: dict[str, Any] = {"type": type_}
        if model:
            system["model"] = model
        if "class" in entry:
            system["class"] = self.reader.number(entry, "class", where)
        turret = self.turret_of.get(str(entry.get("id", "")))
        if turret and name != "turret":
            system["turret"] = turret
        else:
            system |= self._arcs(where, entry, type_)
        system |= self._contents(where, entry, name)
        level = self.reader.number(entry, "level", where, default=1)
        if level not in (1, 2):
            self.reader.fault(f"{where}.level", "level", phrase("a level must be 1 or 2"))
        self.systems += [system] * (2 if level == 2 else 1)

    def _report_unknown(self, where: str, entry: Entry, name: str) -> None:
        """Report a system, or a model of one, that Continuum does not have."""
        if any(builder_name == name for (_, builder_name, _), _ in builder_names()):
            words = phrase("no {} with {}", name, _model_values(entry, name))
        else:
            words = phrase("no system {!r}", name)
        self.reader.fault(where, "unknown-system", phrase("Continuum has {}", words))

    def _arcs(self, where: str, entry: Entry, type_: str) -> dict[str, Any]:
        """Return arcs, clockwise from the left one; empty for a system sold with all arcs only."""
        rows = CONTINUUM.system_prices[type_]
        if not rows[0].mounts:
            return {}
        left_arc = entry.get("leftArc", entry.get("arc", "FP"))
        number = entry.get("numArcs", 1 if "arc" in entry else 3)
        if left_arc not in RING or not isinstance(number, int) or not 1 <= number <= ALL_ARCS:
            words = phrase(
                "give arcs as the leftmost of {} and the number of arcs, 1 to 6", ", ".join(RING)
            )
            self.reader.fault(f"{where}.leftArc", "arcs", words)
            return {}
        mounts = [row.mounts for row in rows if row.size == entry.get("class", 0)]
        if number == ALL_ARCS and mounts and all(len(arc_counts) == 1 for arc_counts in mounts):
            return {}
        first = RING.index(left_arc)
        return {"arcs": [RING[(first + step) % ALL_ARCS] for step in range(number)]}

    def _contents(self, where: str, entry: Entry, name: str) -> dict[str, Any]:
        """Return the fields for what a system holds, its mass and its magazine."""
        if name == "bay":
            return self._bay(where, entry)
        if name in ("magazine", "boardingTorpedoMagazine"):
            kind = "boarding"
            if name == "magazine":
                kind = MAGAZINES.get(str(entry.get("modifier", "")), "standard")
            number = self.reader.number(entry, "capacity", where, default=2)
            return {"mass": LOADS["magazine"][kind][0] * number, "load": {kind: number}}
        if name == "mineLayer":
            return {"load": {"mines": self.reader.number(entry, "capacity", where, default=2)}}
        if name in ("salvoLauncher", "boardingTorpedoLauncher"):
            magazine = self.magazine_ids.get(str(entry.get("magazine", "")))
            return {"magazine": magazine} if magazine else {}
        if name == "launchTube" and entry.get("catapult") is True:
            return {"catapult": True}
        if name in ("hangar", "gunboatRack"):
            return self._load_and_mods(entry)
        return {}

    def _bay(self, where: str, entry: Entry) -> dict[str, Any]:
        """Return the mass of a bay, from its capacity and the mass of each unit in it."""
        if "ratio" in entry:
            ratio = self._amount(where, entry, "ratio")
        else:
            ratio = Fraction(BAY_RATIOS[str(entry["type"])])
        return {"mass": round_half_up(self._amount(where, entry, "capacity") * ratio)}

    def _load_and_mods(self, entry: Entry) -> dict[str, Any]:
        """Return the craft of a hangar or rack, which are then accounted for."""
        craft = self.craft.pop(str(entry.get("id", "")), None)
        contents: dict[str, Any] = {}
        if craft is not None and craft.load:
            contents["load"] = craft.load
        if craft is not None and craft.mods:
            contents["mods"] = craft.mods
        return contents

    def _amount(self, where: str, entry: Entry, key: str) -> Fraction:
        """Return a number exactly as written; it need not be whole."""
        value = entry.get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            value = None
        if value is not None and abs(value) <= NUMBERS_TO:
            return Fraction(str(value))
        self.reader.fault(
            f"{where}.{key}",
            "not-a-number",
            phrase("expected a number of at most {}", NUMBERS_TO),
        )
        return Fraction(0)


def _magazine_ids(entries: list[tuple[str, Entry]]) -> dict[str, str]:
    """Map the builder's ids of magazines to those of this project.

    Both kinds of magazine share one numbering.
    """
    result: dict[str, str] = {}
    number = 0
    for _, entry in entries:
        if entry.get("name") in ("magazine", "boardingTorpedoMagazine"):
            number += 1
            result[str(entry.get("id", ""))] = f"magazine-{number}"
    return result


def _turret_by_weapon(entries: list[tuple[str, Entry]], reader: Reader) -> dict[str, str]:
    """Map the builder's ids of weapons in turrets to the turrets of this project."""
    result: dict[str, str] = {}
    number = 0
    for where, entry in entries:
        if entry.get("name") == "turret":
            number += 1
            for weapon in reader.items(entry, "weapons", where, default=()):
                result[str(weapon)] = f"turret-{number}"
    return result


def _craft(data: Entry, reader: Reader) -> dict[str, Craft]:
    """Return the craft of a ship by the id of their hangar or rack."""
    return _fighters(data, reader) | _gunboats(data, reader)


def _fighters(data: Entry, reader: Reader) -> dict[str, Craft]:
    """Return the fighters of a ship by the id of their hangar."""
    result: dict[str, Craft] = {}
    known_types = craft_names("fighters")
    family = craft_family("fighters")
    known_mods = mod_names("fighters")
    for number, item in enumerate(reader.items(data, "fighters", default=())):
        where = fault_path("fighters", number)
        if not isinstance(item, Mapping) or str(item.get("type")) not in known_types:
            words = phrase("fighters need a type: {}", ", ".join(known_types))
            reader.fault(where, "unknown-craft", words)
            continue
        kind, type_mods = known_types[str(item["type"])]
        row = family.of(kind)
        assert row is not None
        full_count = family.modified(row, type_mods).full
        mods = list(type_mods)
        for mod in reader.items(item, "mods", where, default=()):
            mods.append(known_mods.get(str(mod), str(mod)))
        count = reader.number(item, "number", where, default=full_count)
        result[str(item.get("hangar", ""))] = Craft(where, {kind: count}, mods)
    return result


def _gunboats(data: Entry, reader: Reader) -> dict[str, Craft]:
    """Return the gunboat squadrons of a ship by the id of their rack."""
    result: dict[str, Craft] = {}
    known_types = craft_names("gunboats")
    for number, item in enumerate(reader.items(data, "gunboatSquadrons", default=())):
        where = fault_path("gunboatSquadrons", number)
        types = _boat_types(item)
        is_known = bool(types) and all(type_ in known_types for type_ in types)
        if not isinstance(item, Mapping) or not is_known:
            words = phrase("a squadron needs a type of boats: {}", ", ".join(known_types))
            reader.fault(where, "unknown-craft", words)
            continue
        load: dict[str, int] = {}
        for type_ in types:
            kind, _ = known_types[type_]
            load[kind] = load.get(kind, 0) + 1
        ecm = reader.number(item, "ecm", where, default=0)
        mods = [str(mod) for mod in reader.items(item, "mods", where, default=())]
        if item.get("protection"):
            mods.append("heavy")
        if ecm:
            mods.append(f"ecm-{ecm}")
        result[str(item.get("rack", ""))] = Craft(where, load, mods)
    return result


def _boat_types(squadron: object) -> list[str]:
    """Return the builder's type of each boat of a squadron, "" for an entry that has none."""
    boats = squadron.get("boats") if isinstance(squadron, Mapping) else None
    types = []
    for boat in boats if isinstance(boats, list) else ():
        types.append(str(boat.get("type")) if isinstance(boat, Mapping) else "")
    return types


def merge_equal(systems: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Merge equal neighbouring systems into one with a count."""
    merged: list[dict[str, Any]] = []
    previous: dict[str, Any] | None = None
    for system in systems:
        if system == previous:
            merged[-1]["count"] = merged[-1].get("count", 1) + 1
        else:
            merged.append(dict(system))
        previous = system
    return merged
