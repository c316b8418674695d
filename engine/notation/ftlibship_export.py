"""Writes designs as ships of the ftLibShip ship builder.

What ftLibShip cannot express is a fault, never omitted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import Any

from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.kinds import FtlDrive, HullKind
from engine.core.phrase import phrase
from engine.core.terms import HANGAR_CRITICALS
from engine.design.loads import feeding_magazines, load_of
from engine.design.mass_pricing import TOWED_PER_MASS, mount_arcs, system_price_of
from engine.design.value import Design, Fitting
from engine.notation.ftlibship_names import (
    BAY_RATIOS,
    GROUPS,
    MAGAZINES,
    builder_names,
    craft_family,
    craft_names,
    mod_names,
)
from engine.ruleset import RuleSet

NAME_AND_CLASS = re.compile(r"(?P<name>.+) \((?P<cls>[^()]+)\)")
STEALTH = ("0", "1", "2")
ECM = "ecm-"
PLAIN = {"screen": {"area": False, "advanced": False}}  # written by the builder even for defaults


def to_ftlibship(design: Design, rules: RuleSet) -> dict[str, Any]:
    """Return the ship as JSON of the builder, with its mass, points and CPV by these rules.

    Raises:
        RuleViolations: With everything that the builder cannot express.
    """
    faults: list[Violation] = []
    if design.kind not in (HullKind.WARSHIP, HullKind.MERCHANT):
        faults.append(
            Violation(
                "kind",
                "not-in-ftlibship",
                phrase("ftLibShip supports only ships, not {}", design.kind),
            )
        )
    if design.rams:
        faults.append(
            Violation(
                "rams", "not-in-ftlibship", phrase("ftLibShip does not support ships built to ram")
            )
        )
    if design.total_mass:
        faults.append(
            Violation(
                "total_mass",
                "not-in-ftlibship",
                phrase("ftLibShip does not support sections of a larger ship"),
            )
        )
    systems = _SystemsWriter(design, rules, faults)
    if faults:
        raise RuleViolations(faults)
    figures = rules.yard.figures(design, rules)
    name_match = NAME_AND_CLASS.fullmatch(design.cls)
    return {
        "hull": {
            "points": design.boxes,
            "rows": design.hull_rows,
            "stealth": STEALTH[design.stealth],
            "streamlining": design.streamlining,
        },
        "armour": [list(layer) for layer in design.armour],
        **systems.groups,
        "extras": [],
        "fighters": systems.fighters,
        **({"gunboatSquadrons": systems.squadrons} if systems.squadrons else {}),
        "orientation": "beta" if design.beta else "alpha",
        **({"civilian": True} if design.kind == HullKind.MERCHANT else {}),
        **({"flawed": True} if design.flawed else {}),
        "points": figures.points,
        "cpv": figures.cpv,
        "mass": design.mass,
        "class": name_match["cls"] if name_match else design.cls,
        **({"name": name_match["name"]} if name_match else {}),
    }


class _SystemsWriter:
    """Writes the systems by group, with ids of this project, and the craft they hold."""

    def __init__(self, design: Design, rules: RuleSet, faults: list[Violation]) -> None:
        self.design, self.rules, self.faults = design, rules, faults
        self.groups: dict[str, list[dict[str, Any]]] = {group: [] for group in GROUPS}
        self.fighters: list[dict[str, Any]] = []
        self.squadrons: list[dict[str, Any]] = []
        self.in_turret: dict[str, list[str]] = {}
        self._drives()
        numbers: dict[str, int] = {}
        for number, fitting in enumerate(design.systems):
            for _ in range(max(0, fitting.count)):
                numbers[fitting.type] = numbers.get(fitting.type, 0) + 1
                self._write(
                    fault_path("systems", number),
                    fitting,
                    f"{fitting.type}-{numbers[fitting.type]}",
                )
        for turret in self.groups["systems"]:
            if turret["name"] == "turret":
                turret["weapons"] = self.in_turret.get(turret["id"], [])

    def _drives(self) -> None:
        design = self.design
        systems = self.groups["systems"]
        if design.thrust:
            advanced = design.drive == "advanced"
            systems.append(
                {"name": "drive", "thrust": design.thrust, "advanced": advanced, "id": "drive"}
            )
        if design.ftl != FtlDrive.NONE:
            ftl = {
                "name": "ftl",
                "advanced": design.ftl == FtlDrive.ADVANCED or design.advanced_tug,
                "id": "ftl",
            }
            tows = TOWED_PER_MASS * ceil(Fraction(design.tows, TOWED_PER_MASS))
            systems.append(ftl | ({"transferMass": tows} if tows else {}))

    def _write(self, where: str, fitting: Fitting, id_: str) -> None:
        if fitting.type == "hangar":
            type_ = "combined-hangar"
        else:
            type_ = fitting.type
        load = load_of(fitting, self.design)
        boarding = fitting.type == "magazine" and any(kind == "boarding" for kind, _ in load)
        matches = []
        for builder_entry, own_type in builder_names():
            if own_type == (type_, fitting.variant):
                matches.append(builder_entry)
        unsaid = [flag for flag in fitting.flags if flag != "catapult"]
        if not matches or unsaid:
            words = phrase(
                "ftLibShip does not support {}",
                " ".join((*unsaid, fitting.type, fitting.variant)).strip(),
            )
            self.faults.append(Violation(where, "not-in-ftlibship", words))
            return
        group, name, fields = matches[-1] if boarding else matches[0]
        entry: dict[str, Any] = {"name": name, **PLAIN.get(name, {}), **fields}
        if fitting.size:
            entry["class"] = fitting.size
        entry |= self._arcs(where, fitting, name)
        entry |= dict(self._contents(where, fitting, name, id_))
        if "catapult" in fitting.flags:
            entry["catapult"] = True
        if fitting.turret:
            self.in_turret.setdefault(fitting.turret, []).append(id_)
        self.groups[group].append(entry | {"id": id_})

    def _arcs(self, where: str, fitting: Fitting, name: str) -> dict[str, Any]:
        """Return adjacent arcs as the leftmost one and their number, clockwise."""
        system_price = system_price_of(fitting, self.rules)
        if system_price is None or not system_price.mounts:
            return {}
        ring = self.rules.arcs
        arcs = mount_arcs(fitting, system_price, self.design, self.rules)
        first = []
        for at, arc in enumerate(ring):
            if arc in arcs and ring[at - 1] not in arcs:
                first.append(arc)
        if len(first) > 1:
            words = phrase(
                "ftLibShip does not support arcs that are not adjacent: {}", ", ".join(arcs)
            )
            self.faults.append(Violation(f"{where}.arcs", "not-in-ftlibship", words))
        left_arc = first[0] if first else ring[0]
        if name == "mkp":
            return {"arc": left_arc}
        return {
            "leftArc": left_arc,
            "numArcs": system_price.mounts[0][0] if fitting.turret else len(arcs),
        }

    def _contents(
        self, where: str, fitting: Fitting, name: str, id_: str
    ) -> Iterator[tuple[str, Any]]:
        """Yield the fields for what a system holds, its capacity and its magazine."""
        load = load_of(fitting, self.design)
        if name == "bay":
            kind = next(
                of["type"]
                for (_, builder_name, of), own_type in builder_names()
                if builder_name == name and own_type[0] == fitting.type
            )
            room = Fraction(fitting.mass) / Fraction(BAY_RATIOS[kind])
            yield "capacity", room.numerator if room.denominator == 1 else round(float(room), 2)
        elif name == "magazine":
            kinds = {own_type: builder_name for builder_name, own_type in MAGAZINES.items()}
            if len(load) > 1:
                words = phrase("a magazine in ftLibShip can hold only one kind of missile")
                self.faults.append(Violation(f"{where}.load", "not-in-ftlibship", words))
            for kind, number in load[:1]:
                yield "capacity", number
                if kinds[kind]:
                    yield "modifier", kinds[kind]
        elif name in ("boardingTorpedoMagazine", "mineLayer"):
            yield "capacity", sum(number for _, number in load)
        elif name in ("salvoLauncher", "boardingTorpedoLauncher"):
            yield "magazine", next(iter(feeding_magazines(fitting, self.design)), "")
        elif name == "hangar":
            yield "isRack", fitting.type == "fighter-rack"
            yield "critRules", HANGAR_CRITICALS in self.rules.options
            self._wing(where, fitting, id_)
        elif name == "gunboatRack" and load:
            self._squadron(fitting, id_)

    def _wing(self, where: str, fitting: Fitting, id_: str) -> None:
        names = {
            own_type: builder_name for builder_name, own_type in craft_names("fighters").items()
        }
        mods = {own_type: builder_name for builder_name, own_type in mod_names("fighters").items()}
        brought = {mod for _, with_ in names for mod in with_}
        with_type = tuple(mod for mod in fitting.mods if mod in brought)
        others = [mod for mod in fitting.mods if mod not in brought]
        family = craft_family("fighters")
        for kind, number in fitting.load:
            row = family.of(kind)
            if (
                row is None
                or (kind, with_type) not in names
                or any(mod not in mods for mod in others)
            ):
                words = phrase(
                    "ftLibShip does not support {} fighters", " ".join((*fitting.mods, kind))
                )
                self.faults.append(Violation(f"{where}.load", "not-in-ftlibship", words))
                continue
            group: dict[str, Any] = {
                "name": "fighters",
                "type": names[kind, with_type],
                "hangar": id_,
            }
            group["mods"] = [mods[mod] for mod in others]
            full = family.modified(row, with_type).full
            self.fighters.append(group | ({} if number == full else {"number": number}))

    def _squadron(self, fitting: Fitting, id_: str) -> None:
        names = {}
        for builder_name, (own_type, _) in craft_names("gunboats").items():
            names[own_type] = builder_name
        squadron: dict[str, Any] = {"rack": id_}
        for mod in fitting.mods:
            if mod.startswith(ECM):
                squadron["ecm"] = int(mod.removeprefix(ECM))
            elif mod == "heavy":
                squadron["protection"] = "heavy"
        squadron["boats"] = [
            {"type": names[kind]} for kind, number in fitting.load for _ in range(number)
        ]
        self.squadrons.append(squadron)
