"""Reads ships of FTJava's XML as designs, with the line of every fault.

A document is one ship, or a game with players' ships. The reader ignores where a ship is on the
table, what happened to it, where symbols are on its sheet, and core systems, which all ships have.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from engine.continuum.edition import CONTINUUM
from engine.core.errors import RuleViolations, Violation
from engine.core.kinds import FtlDrive, HullKind
from engine.core.phrase import phrase
from engine.design.mass_pricing import round_half_up
from engine.notation.documents import Limits
from engine.notation.ftjava_names import (
    ALL_ARCS,
    CIVIL,
    CUSTOM,
    GROUPS,
    HANGAR,
    HOLD,
    HOLDS,
    HULLS,
    LAUNCHER,
    MAGAZINE,
    NO_SHIPS,
    SALVOES,
    SYSTEMS,
)
from engine.notation.ftlibship_import import merge_equal
from engine.notation.xml_documents import Element, read_xml
from engine.prices.system_price import SystemPrice

SHIP = "Ship"
WHOLE_NUMBER = re.compile(r"[0-9]{1,6}")
LONGEST_CLASS_NAME = 40  # characters; no war accepts longer names


def find_ships(text: str, limits: Limits) -> list[Element]:
    """Return the ships of a document, in its order.

    Raises:
        RuleViolations: If it cannot be read or has no ship.
    """
    root = read_xml(text, limits)
    ships: list[Element] = []
    stack = [root]
    while stack:
        element = stack.pop()
        if element.name == SHIP:
            ships.append(element)
        else:
            stack.extend(reversed(element.children))
    if not ships:
        raise RuleViolations(
            [
                Violation(
                    "", "no-ship", phrase("line {}: the element {} is missing", root.line, SHIP)
                )
            ]
        )
    return ships


def class_name_of(ship: Element, name: str = "") -> str:
    """Return the class name of a ship: its name and its kind, such as `Petrel (Frigate)`.

    Only the name if both together are too long. A `/` becomes `-`, because class names have none.

    Args:
        name: The name to use instead of that of the class.
    """
    name = name or ship.words("ClassName") or ship.words("Name")
    kind = ship.words("ShipClass")
    class_name = name or kind
    if name and kind and name != kind and len(f"{name} ({kind})") <= LONGEST_CLASS_NAME:
        class_name = f"{name} ({kind})"
    return class_name.replace("/", "-")


def from_ftjava(ship: Element) -> dict[str, Any]:
    """Return a ship's design as JSON of this project, not yet checked by the rules.

    Raises:
        RuleViolations: With every fault and its line.
    """
    reading = _ShipReader(ship)
    document = reading.frame()
    document["systems"] = reading.systems()
    if reading.faults:
        raise RuleViolations(reading.faults)
    return document


def _kind_of(hull: Element | None, *, can_move: bool) -> HullKind:
    """Return the kind of a ship: civil by its hull, an installation if it cannot move."""
    if hull is not None and hull.attributes.get("class", "") in CIVIL:
        return HullKind.MERCHANT
    return HullKind.WARSHIP if can_move else HullKind.INSTALLATION


class _ShipReader:
    """Reads one ship and collects its faults."""

    def __init__(self, ship: Element) -> None:
        self.ship = ship
        self.faults: list[Violation] = []
        self.magazines: dict[str, str] = {}  # ids here, by those of the document
        number = 0
        for group in GROUPS:
            for element in self.systems_in(group):
                if element.name == MAGAZINE:
                    number += 1
                    self.magazines[element.attributes.get("id", "")] = f"magazine-{number}"

    def systems_in(self, group: str) -> list[Element]:
        """Return the systems of a group."""
        group_element = self.ship.child(group)
        if group_element is None:
            return []
        return group_element.children

    def fault(self, at: Element, code: str, words: str) -> None:
        """Add a fault with the line of an element."""
        self.faults.append(
            Violation(at.name, code, phrase("line {}: {}: {}", at.line, at.name, words))
        )

    def number(self, at: Element | None, name: str = "", default: int | None = 0) -> int:
        """Return a whole number from an attribute, or from the element's text without a name.

        Args:
            default: The number if there is none; None makes that a fault.
        """
        if at is None:
            return default or 0
        text = (at.attributes.get(name, "") if name else at.text).strip()
        if WHOLE_NUMBER.fullmatch(text):
            return int(text)
        if text or default is None:
            self.fault(
                at,
                "not-a-number",
                phrase("{} must be a whole number, not {!r}", name or "it", text[:40]),
            )
        return default or 0

    def frame(self) -> dict[str, Any]:
        """Return the fields of a design that are about the ship as a whole."""
        ship = self.ship
        hull = ship.child("Hull")
        mass = self.number(ship.child("Mass"), default=None)
        name = class_name_of(ship)
        if not name:
            self.fault(ship, "missing", phrase("a ship needs a ClassName or a ShipClass"))
        if ship.child("Mass") is None or hull is None:
            self.fault(ship, "missing", phrase("a ship needs a Mass and a Hull"))
        if (cls := ship.words("ShipClass")) in NO_SHIPS:
            self.fault(ship, "no-ship", phrase("a {} is not a ship and has no design", cls))
        drive = ship.child("MainDrive")
        thrust = self.number(drive, "initialThrust")
        ftl = self._ftl(ship.child("FTLDrive"))
        design: dict[str, Any] = {
            "class": name,
            "edition": CONTINUUM.edition.value,
            "kind": _kind_of(hull, can_move=thrust > 0 or ftl != FtlDrive.NONE).value,
            "mass": mass,
            "thrust": thrust,
            "ftl": ftl.value,
            "hull": {"boxes": self._boxes(hull, mass), "rows": self.number(hull, "rows", 4)},
        }
        if drive is not None and drive.attributes.get("type") == "Advanced":
            design["drive"] = "advanced"
        if layers := self._armour(ship.child("Armor")):
            design["armour"] = layers
        if stealth := self.number(hull, "stealth"):
            design["stealth"] = stealth
        if points := self.number(ship.child("PointValue")):
            design["printed"] = {"points": points}
        return design

    def _ftl(self, ftl: Element | None) -> FtlDrive:
        """Return the kind of an FTL drive."""
        if ftl is None:
            return FtlDrive.NONE
        if ftl.attributes.get("type") == "Advanced":
            return FtlDrive.ADVANCED
        return FtlDrive.STANDARD

    def _boxes(self, hull: Element | None, mass: int) -> int:
        """Return the boxes of a hull: as given, or the percentage of the mass of its type."""
        if hull is None:
            return 0
        kind = hull.attributes.get("type", CUSTOM)
        if kind != CUSTOM and kind not in HULLS:
            self.fault(
                hull,
                "hull",
                phrase("a hull must be {} or {}, not {!r}", ", ".join(HULLS), CUSTOM, kind[:40]),
            )
            return 0
        if "totalHullBoxes" in hull.attributes:
            return self.number(hull, "totalHullBoxes")
        if kind == CUSTOM:
            self.fault(hull, "hull", phrase("a custom hull needs totalHullBoxes"))
            return 0
        return round_half_up(Fraction(mass * HULLS[kind], 100))

    def _armour(self, armour: Element | None) -> list[list[int]]:
        """Return the layers, the innermost first."""
        layers: list[list[int]] = []
        if armour is None:
            return layers
        text = armour.attributes.get("totalArmor", "")
        for part in text.split(",") if text.strip() else ():
            if not WHOLE_NUMBER.fullmatch(part.strip()):
                message = phrase(
                    "totalArmor must be numbers separated by commas, not {!r}", text[:40]
                )
                self.fault(armour, "armour", message)
                return []
            layers.append([int(part), 0])
        while layers and layers[-1] == [0, 0]:
            layers.pop()
        return layers

    def systems(self) -> list[dict[str, Any]]:
        """Return every system; equal neighbours become one with a count."""
        systems = []
        for group in GROUPS:
            for element in self.systems_in(group):
                system = self._system(element)
                if system is not None:
                    systems.append(system)
        return merge_equal(systems)

    def _system(self, element: Element) -> dict[str, Any] | None:
        """Return one system, None with a fault if Continuum has none like it."""
        if element.name == HOLD:
            return self._hold(element)
        if element.name == HANGAR:
            size = self.number(element, "size", None)
            return {"type": "boat-bay", "mass": round_half_up(Fraction(size * 3, 2))}
        entry = SYSTEMS.get(element.name)
        if entry is None:
            self.fault(
                element, "unknown-system", phrase("{} has no such system", CONTINUUM.edition.label)
            )
            return None
        type_, model, _ = entry
        rows = CONTINUUM.system_prices[type_]
        size = self.number(element, "rating", 1) if any(row.size for row in rows) else 0
        system: dict[str, Any] = {"type": type_}
        if size:
            system["class"] = size
        if model:
            system["model"] = model
        row = next((row for row in rows if (row.size, row.model) == (size, model)), rows[0])
        if arcs := self._arcs(element, row):
            system["arcs"] = arcs
        return system | self._magazine_fields(element)

    def _magazine_fields(self, element: Element) -> dict[str, Any]:
        """Return what a magazine holds, or the magazine of a launcher if the ship has several."""
        if element.name == MAGAZINE:
            return self._magazine(element)
        magazine = self.magazines.get(element.attributes.get("smmId", ""), "")
        if element.name == LAUNCHER and magazine and len(self.magazines) > 1:
            return {"magazine": magazine}
        return {}

    def _hold(self, element: Element) -> dict[str, Any] | None:
        """Return a hold, None with a fault if there is none of its type."""
        kind = element.attributes.get("type", "Cargo Hold")
        if kind not in HOLDS:
            self.fault(
                element,
                "unknown-hold",
                phrase("a hold must be {}, not {!r}", ", ".join(HOLDS), kind[:40]),
            )
            return None
        return {"type": HOLDS[kind], "mass": self.number(element, "totalSize", None)}

    def _magazine(self, element: Element) -> dict[str, Any]:
        """Return the mass and the load of a magazine."""
        load: dict[str, int] = {}
        for salvo in element.children:
            kind = SALVOES.get(salvo.attributes.get("type", ""))
            if salvo.name != "Salvo" or kind is None:
                self.fault(
                    salvo,
                    "unknown-load",
                    phrase("a magazine must hold Salvo elements: {}", ", ".join(SALVOES)),
                )
                continue
            load[kind] = load.get(kind, 0) + 1
        contents: dict[str, Any] = {"mass": self.number(element, "capacity", None)}
        if load:
            contents["load"] = load
        return contents

    def _arcs(self, element: Element, row: SystemPrice) -> list[str]:
        """Return the arcs written in brackets; empty if the system is sold with all arcs only."""
        text = element.attributes.get("arcs", "").strip().strip("()").strip()
        if not row.mounts or not text:
            return []
        arcs = [part.strip() for part in text.split("/")]
        if text.lower() == ALL_ARCS.lower():
            arcs = list(CONTINUUM.arcs)
        if any(arc not in CONTINUUM.arcs for arc in arcs):
            self.fault(
                element,
                "arcs",
                phrase(
                    "arcs must be {} or {}, not {!r}",
                    ", ".join(CONTINUUM.arcs),
                    ALL_ARCS,
                    text[:40],
                ),
            )
            return []
        has_all_arcs = len(set(arcs)) == len(CONTINUUM.arcs)
        if has_all_arcs and len(row.mounts) == 1:
            return []
        return [arc for arc in CONTINUUM.arcs if arc in arcs]
