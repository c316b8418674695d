"""Reads ships of the ftLibShip ship builder as designs, with the place of every fault.

The reader ignores silhouettes, notes and the setting of a pulser. Anything else that designs here
do not have is a fault, such as fighters already in flight.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

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

SHIP_KEYS = (
    *(
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
    ),
    *(*GROUPS, "extras", "fighters", "gunboatSquadrons", "uuid", "notes", "silhouette", "hashseed"),
)
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
        "stealth": int(stealth) if stealth in STEALTH else 0,
    }
    plain = {
        "armour": [],
        "orientation": "alpha",
        "streamlining": "none",
        "flawed": False,
        "stealth": 0,
    }
    result: dict[str, Any] = {}
    for key, value in frame.items():
        if key not in plain or plain[key] != value:
            result[key] = value
    return result


def _drives(entries: list[tuple[str, Entry]], reader: Reader) -> dict[str, Any]:
    drives: dict[str, Any] = {"thrust": 0, "ftl": FtlDrive.NONE}
    for where, entry in entries:
        advanced = entry.get("advanced") is True
        if entry.get("name") == "drive":
            drives["thrust"] = reader.number(entry, "thrust", where)
            if advanced:
                drives["drive"] = "advanced"
        elif entry.get("name") == "ftl":
            tows = reader.number(entry, "transferMass", where, default=0)
            if advanced:
                drives["ftl"] = FtlDrive.ADVANCED
            else:
                drives["ftl"] = FtlDrive.STANDARD
            if tows:
                drives["ftl"] = {"tug": tows} | ({"advanced": True} if advanced else {})
    return drives


class _SystemsReader:
    """Reads the systems of a ship one by one as JSON of this project.

    `cheap_hangars` is true if hangars are priced by the option for hangar criticals.
    """

    def __init__(self, entries: list[tuple[str, Entry]], data: Entry, reader: Reader) -> None:
        self.reader = reader
        self.systems: list[dict[str, Any]] = []
        self.cheap_hangars = any(entry.get("critRules") is True for _, entry in entries)
        self.tubes = any(entry.get("name") == "launchTube" for _, entry in entries)
        self.ids = {kind: _ids_by_builder_id(entries, kind) for kind in ("turret", "magazine")}
        self.turret_of = {
            str(weapon): f"turret-{number}"
            for number, (where, entry) in enumerate(
                ((w, e) for w, e in entries if e.get("name") == "turret"), 1
            )
            for weapon in reader.items(entry, "weapons", where, default=())
        }
        self.craft = _craft(data, reader)
        for where, entry in entries:
            if entry.get("name") not in ("drive", "ftl"):
                self._add_system(where, entry)
        for id_, (where, *_) in self.craft.items():
            words = phrase(
                "no hangar or rack {!r} holds these craft; craft in flight are not part of a "
                "design",
                id_,
            )
            reader.fault(where, "no-hangar", words)

    def _add_system(self, where: str, entry: Entry) -> None:
        name = self.reader.text(entry, "name", where)
        if not name:
            return
        model_values = {}
        for key in model_fields(name):
            if entry.get(key) not in (None, False, ""):
                model_values[key] = entry[key]
        type_and_model = next(
            (
                candidate
                for (_, builder_name, fields), candidate in builder_names()
                if (builder_name, fields) == (name, model_values)
            ),
            None,
        )
        if type_and_model is None:
            is_known = any(builder_name == name for (_, builder_name, _), _ in builder_names())
            if is_known:
                words = phrase("no {} with {}", name, model_values)
            else:
                words = phrase("no system {!r}", name)
            self.reader.fault(where, "unknown-system", phrase("Continuum has {}", words))
            return
        system: dict[str, Any] = {"type": type_and_model[0]} | (
            {"model": type_and_model[1]} if type_and_model[1] else {}
        )
        if system["type"] == "combined-hangar" and self.tubes:
            system["type"] = "hangar"
        if "class" in entry:
            system["class"] = self.reader.number(entry, "class", where)
        turret = self.turret_of.get(str(entry.get("id", "")))
        if turret and name != "turret":
            system["turret"] = turret
        else:
            system |= self._arcs(where, entry, system["type"])
        system |= self._contents(where, entry, name)
        level = self.reader.number(entry, "level", where, default=1)
        if level not in (1, 2):
            self.reader.fault(f"{where}.level", "level", phrase("a level must be 1 or 2"))
        self.systems += [system] * (2 if level == 2 else 1)

    def _arcs(self, where: str, entry: Entry, type_: str) -> dict[str, Any]:
        """Return arcs, clockwise from the left one; empty for a system sold with all arcs only."""
        mounts = CONTINUUM.system_prices[type_][0].mounts
        if not mounts:
            return {}
        left_arc = entry.get("leftArc", entry.get("arc", "FP"))
        number = entry.get("numArcs", 1 if "arc" in entry else 3)
        if left_arc not in RING or not isinstance(number, int) or not 1 <= number <= ALL_ARCS:
            words = phrase(
                "give arcs as the leftmost of {} and the number of arcs, 1 to 6", ", ".join(RING)
            )
            self.reader.fault(f"{where}.leftArc", "arcs", words)
            return {}
        sizes = []
        for w in CONTINUUM.system_prices[type_]:
            if w.size == entry.get("class", 0):
                sizes.append(w.mounts)
        if number == ALL_ARCS and sizes and all(len(mount) == 1 for mount in sizes):
            return {}
        first = RING.index(left_arc)
        return {"arcs": [RING[(first + step) % ALL_ARCS] for step in range(number)]}

    def _contents(self, where: str, entry: Entry, name: str) -> dict[str, Any]:
        """Return the fields for what a system holds, its mass and its magazine."""
        if name == "bay":
            kind = str(entry["type"])
            if "ratio" in entry:
                ratio = self._amount(where, entry, "ratio")
            else:
                ratio = Fraction(BAY_RATIOS[kind])
            return {"mass": round_half_up(self._amount(where, entry, "capacity") * ratio)}
        if name in ("magazine", "boardingTorpedoMagazine"):
            if name != "magazine":
                kind = "boarding"
            else:
                kind = MAGAZINES.get(str(entry.get("modifier", "")), "standard")
            number = self.reader.number(entry, "capacity", where, default=2)
            return {"mass": LOADS["magazine"][kind][0] * number, "load": {kind: number}}
        if name == "mineLayer":
            return {"load": {"mines": self.reader.number(entry, "capacity", where, default=2)}}
        if name in ("salvoLauncher", "boardingTorpedoLauncher"):
            magazine = self.ids["magazine"].get(str(entry.get("magazine", "")))
            if magazine:
                return {"magazine": magazine}
            return {}
        if name == "launchTube" and entry.get("catapult") is True:
            return {"catapult": True}
        if name in ("hangar", "gunboatRack"):
            _, load, mods = self.craft.pop(str(entry.get("id", "")), ("", {}, []))
            return ({"load": load} if load else {}) | ({"mods": mods} if mods else {})
        return {}

    def _amount(self, where: str, entry: Entry, key: str) -> Fraction:
        """Return a number exactly as written; it need not be whole."""
        value = entry.get(key)
        if (
            isinstance(value, (int, float))
            and not isinstance(value, bool)
            and abs(value) <= NUMBERS_TO
        ):
            return Fraction(str(value))
        self.reader.fault(
            f"{where}.{key}",
            "not-a-number",
            phrase("expected a number of at most {}", NUMBERS_TO),
        )
        return Fraction(0)


def _ids_by_builder_id(entries: list[tuple[str, Entry]], kind: str) -> dict[str, str]:
    """Map the builder's ids of turrets or magazines to those of this project.

    Both kinds of magazine share one numbering.
    """
    names = {"turret": ("turret",), "magazine": ("magazine", "boardingTorpedoMagazine")}[kind]
    holders = [entry for _, entry in entries if entry.get("name") in names]
    result: dict[str, str] = {}
    for number, entry in enumerate(holders, 1):
        result[str(entry.get("id", ""))] = f"{kind}-{number}"
    return result


def _craft(data: Entry, reader: Reader) -> dict[str, tuple[str, dict[str, int], list[str]]]:
    """Return the place, load and modifications of craft, by the id of their hangar or rack."""
    craft_by_holder: dict[str, tuple[str, dict[str, int], list[str]]] = {}
    fighters = craft_names("fighters")
    boats_of = craft_names("gunboats")
    family = craft_family("fighters")
    changes = mod_names("fighters")
    for number, item in enumerate(reader.items(data, "fighters", default=())):
        where = fault_path("fighters", number)
        if not isinstance(item, Mapping) or str(item.get("type")) not in fighters:
            reader.fault(
                where, "unknown-craft", phrase("fighters need a type: {}", ", ".join(fighters))
            )
            continue
        kind, mods = fighters[str(item["type"])]
        row = family.of(kind)
        assert row is not None
        most = family.modified(row, mods).full
        extra_mods = []
        for mod in reader.items(item, "mods", where, default=()):
            extra_mods.append(changes.get(str(mod), str(mod)))
        strong = reader.number(item, "number", where, default=most)
        craft_by_holder[str(item.get("hangar", ""))] = (where, {kind: strong}, [*mods, *extra_mods])
    for number, item in enumerate(reader.items(data, "gunboatSquadrons", default=())):
        where = fault_path("gunboatSquadrons", number)
        boats = item.get("boats") if isinstance(item, Mapping) else None
        boats = boats if isinstance(boats, list) else []
        types = []
        for boat in boats:
            types.append(str(boat.get("type")) if isinstance(boat, Mapping) else "")
        if (
            not isinstance(item, Mapping)
            or not types
            or any(type_ not in boats_of for type_ in types)
        ):
            reader.fault(
                where,
                "unknown-craft",
                phrase("a squadron needs a type of boats: {}", ", ".join(boats_of)),
            )
            continue
        load: dict[str, int] = {}
        for type_ in types:
            kind, _ = boats_of[type_]
            load[kind] = load.get(kind, 0) + 1
        ecm = reader.number(item, "ecm", where, default=0)
        mods = ("heavy",) if item.get("protection") else ()
        extra_mods = [str(mod) for mod in reader.items(item, "mods", where, default=())]
        craft_by_holder[str(item.get("rack", ""))] = (
            where,
            load,
            [*extra_mods, *mods, *([f"ecm-{ecm}"] if ecm else [])],
        )
    return craft_by_holder


def merge_equal(systems: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Merge equal neighbouring systems into one with a count."""
    merged: list[dict[str, Any]] = []
    for system in systems:
        last = (
            {key: value for key, value in merged[-1].items() if key != "count"} if merged else None
        )
        if last == system:
            merged[-1] = system | {"count": merged[-1].get("count", 1) + 1}
        else:
            merged.append(dict(system))
    return merged
