"""Writes designs as ships of the ftLibShip ship builder.

What ftLibShip cannot express is a fault, never omitted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
    faults = _frame_faults(design)
    systems = _SystemsWriter(design, rules, faults)
    if faults:
        raise RuleViolations(faults)
    figures = rules.yard.figures(design, rules)
    ship: dict[str, Any] = {
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
    }
    if systems.squadrons:
        ship["gunboatSquadrons"] = systems.squadrons
    ship["orientation"] = "beta" if design.beta else "alpha"
    if design.kind == HullKind.MERCHANT:
        ship["civilian"] = True
    if design.flawed:
        ship["flawed"] = True
    ship |= {"points": figures.points, "cpv": figures.cpv, "mass": design.mass}
    name_and_class = NAME_AND_CLASS.fullmatch(design.cls)
    if name_and_class:
        ship |= {"class": name_and_class["cls"], "name": name_and_class["name"]}
    else:
        ship["class"] = design.cls
    return ship


def _frame_faults(design: Design) -> list[Violation]:
    """Return the faults of a ship as a whole: what the builder has no fields for."""
    faults = []
    if design.kind not in (HullKind.WARSHIP, HullKind.MERCHANT):
        words = phrase("ftLibShip supports only ships, not {}", design.kind)
        faults.append(Violation("kind", "not-in-ftlibship", words))
    if design.rams:
        words = phrase("ftLibShip does not support ships built to ram")
        faults.append(Violation("rams", "not-in-ftlibship", words))
    if design.total_mass:
        words = phrase("ftLibShip does not support sections of a larger ship")
        faults.append(Violation("total_mass", "not-in-ftlibship", words))
    return faults


def _capacity(bay: Fitting) -> int | float:
    """Return the capacity of a bay in units of what it holds."""
    kind = next(
        fields["type"]
        for (_, builder_name, fields), own_type in builder_names()
        if builder_name == "bay" and own_type[0] == bay.type
    )
    capacity = Fraction(bay.mass) / Fraction(BAY_RATIOS[kind])
    if capacity.denominator == 1:
        return capacity.numerator
    return round(float(capacity), 2)


def _split_mods(
    mods: tuple[str, ...], mods_of_types: list[tuple[str, ...]]
) -> tuple[tuple[str, ...], list[str]]:
    """Return the modifications that a type of the builder includes, and the others."""
    included: set[str] = set()
    for type_mods in mods_of_types:
        included.update(type_mods)
    return tuple(mod for mod in mods if mod in included), [
        mod for mod in mods if mod not in included
    ]


class _SystemsWriter:
    """Writes the systems by group, with ids of this project, and the craft they hold."""

    def __init__(self, design: Design, rules: RuleSet, faults: list[Violation]) -> None:
        self.design = design
        self.rules = rules
        self.faults = faults
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
        """Write the drives, which are systems of the builder."""
        design = self.design
        systems = self.groups["systems"]
        if design.thrust:
            advanced = design.drive == "advanced"
            systems.append(
                {"name": "drive", "thrust": design.thrust, "advanced": advanced, "id": "drive"}
            )
        if design.ftl != FtlDrive.NONE:
            advanced = design.ftl == FtlDrive.ADVANCED or design.advanced_tug
            ftl = {"name": "ftl", "advanced": advanced, "id": "ftl"}
            towed_mass = TOWED_PER_MASS * ceil(Fraction(design.tows, TOWED_PER_MASS))
            if towed_mass:
                ftl["transferMass"] = towed_mass
            systems.append(ftl)

    def _write(self, where: str, fitting: Fitting, id_: str) -> None:
        """Write one system of a row of the design, or report that the builder has none like it."""
        match = self._builder_name(fitting)
        unsupported_flags = [flag for flag in fitting.flags if flag != "catapult"]
        if match is None or unsupported_flags:
            words = phrase(
                "ftLibShip does not support {}",
                " ".join((*unsupported_flags, fitting.type, fitting.variant)).strip(),
            )
            self.faults.append(Violation(where, "not-in-ftlibship", words))
            return
        group, name, fields = match
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

    def _builder_name(self, fitting: Fitting) -> tuple[str, str, dict[str, Any]] | None:
        """Return the builder's group, name and fields of a system, None if it has none like it.

        Magazines have two names there: the second is for boarding torpedoes.
        """
        type_ = "combined-hangar" if fitting.type == "hangar" else fitting.type
        matches = []
        for builder_key, type_and_model in builder_names():
            if type_and_model == (type_, fitting.variant):
                matches.append(builder_key)
        if not matches:
            return None
        kinds = [kind for kind, _ in load_of(fitting, self.design)]
        if fitting.type == "magazine" and "boarding" in kinds:
            return matches[-1]
        return matches[0]

    def _arcs(self, where: str, fitting: Fitting, name: str) -> dict[str, Any]:
        """Return adjacent arcs as the leftmost one and their number, clockwise."""
        system_price = system_price_of(fitting, self.rules)
        if system_price is None or not system_price.mounts:
            return {}
        ring = self.rules.arcs
        arcs = mount_arcs(fitting, system_price, self.design, self.rules)
        leftmost_arcs = []
        for index, arc in enumerate(ring):
            if arc in arcs and ring[index - 1] not in arcs:
                leftmost_arcs.append(arc)
        if len(leftmost_arcs) > 1:
            words = phrase(
                "ftLibShip does not support arcs that are not adjacent: {}", ", ".join(arcs)
            )
            self.faults.append(Violation(f"{where}.arcs", "not-in-ftlibship", words))
        left_arc = leftmost_arcs[0] if leftmost_arcs else ring[0]
        if name == "mkp":
            return {"arc": left_arc}
        arc_count = system_price.mounts[0][0] if fitting.turret else len(arcs)
        return {"leftArc": left_arc, "numArcs": arc_count}

    def _contents(
        self, where: str, fitting: Fitting, name: str, id_: str
    ) -> Iterator[tuple[str, Any]]:
        """Yield the fields for what a system holds, its capacity and its magazine."""
        load = load_of(fitting, self.design)
        if name == "bay":
            yield "capacity", _capacity(fitting)
        elif name == "magazine":
            yield from self._magazine(where, load)
        elif name in ("boardingTorpedoMagazine", "mineLayer"):
            yield "capacity", sum(number for _, number in load)
        elif name in ("salvoLauncher", "boardingTorpedoLauncher"):
            yield "magazine", next(iter(feeding_magazines(fitting, self.design)), "")
        elif name == "hangar":
            yield "isRack", fitting.type == "fighter-rack"
            yield "critRules", HANGAR_CRITICALS in self.rules.options
            self._fighters(where, fitting, id_)
        elif name == "gunboatRack" and load:
            self._squadron(where, fitting, id_)

    def _magazine(self, where: str, load: Sequence[tuple[str, int]]) -> Iterator[tuple[str, Any]]:
        """Yield the fields for a magazine, which holds one kind of missile in the builder."""
        if len(load) > 1:
            words = phrase("a magazine in ftLibShip can hold only one kind of missile")
            self.faults.append(Violation(f"{where}.load", "not-in-ftlibship", words))
        builder_names_of = {kind: builder_name for builder_name, kind in MAGAZINES.items()}
        for kind, number in load[:1]:
            yield "capacity", number
            if builder_names_of[kind]:
                yield "modifier", builder_names_of[kind]

    def _fighters(self, where: str, fitting: Fitting, id_: str) -> None:
        """Write the fighters of a hangar, whose modifications are partly those of their type."""
        names = {own_type: name for name, own_type in craft_names("fighters").items()}
        builder_mods = {mod: name for name, mod in mod_names("fighters").items()}
        type_mods, other_mods = _split_mods(fitting.mods, [mods for _, mods in names])
        has_unknown_mod = any(mod not in builder_mods for mod in other_mods)
        family = craft_family("fighters")
        for kind, number in fitting.load:
            row = family.of(kind)
            if row is None or (kind, type_mods) not in names or has_unknown_mod:
                words = phrase(
                    "ftLibShip does not support {} fighters", " ".join((*fitting.mods, kind))
                )
                self.faults.append(Violation(f"{where}.load", "not-in-ftlibship", words))
                continue
            group: dict[str, Any] = {
                "name": "fighters",
                "type": names[kind, type_mods],
                "hangar": id_,
                "mods": [builder_mods[mod] for mod in other_mods],
            }
            if number != family.modified(row, type_mods).full:
                group["number"] = number
            self.fighters.append(group)

    def _squadron(self, where: str, fitting: Fitting, id_: str) -> None:
        """Write the gunboats of a rack."""
        names = {}
        for builder_name, (own_type, _) in craft_names("gunboats").items():
            names[own_type] = builder_name
        squadron: dict[str, Any] = {"rack": id_}
        for mod in fitting.mods:
            if mod.startswith(ECM):
                squadron["ecm"] = int(mod.removeprefix(ECM))
            elif mod == "heavy":
                squadron["protection"] = "heavy"
        boats: list[dict[str, str]] = []
        for kind, number in fitting.load:
            if kind not in names:
                words = phrase("ftLibShip does not support {} gunboats", kind)
                self.faults.append(Violation(f"{where}.load", "not-in-ftlibship", words))
                continue
            boats += [{"type": names[kind]} for _ in range(number)]
        squadron["boats"] = boats
        self.squadrons.append(squadron)
