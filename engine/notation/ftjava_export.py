"""Writes designs as ships of FTJava's XML. What FTJava cannot express is a fault, never omitted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from engine.continuum.edition import CONTINUUM
from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.kinds import FtlDrive, HullKind
from engine.core.phrase import phrase
from engine.design.loads import load_of, magazines
from engine.design.mass_pricing import mount_arcs, system_price_of
from engine.design.value import Design, Fitting
from engine.notation.ftjava_names import (
    ALL_ARCS,
    CUSTOM,
    GROUPS,
    HOLD,
    HOLDS,
    LAUNCHER,
    MAGAZINE,
    SALVOES,
    SYSTEMS,
)
from engine.notation.reading import prefix_places
from engine.ruleset import RuleSet

STEP, ACROSS = 40, 6  # layout of symbols on its sheet: step, symbols in a row
FIRST_ID = 101  # of magazines
NAMES = {(type_, model): (name, group) for name, (type_, model, group) in SYSTEMS.items()}
HOLD_NAMES = {type_: name for name, type_ in reversed(HOLDS.items())}
SALVO_NAMES = {kind: name for name, kind in SALVOES.items()}

Attributes = Sequence[tuple[str, object]]


def to_ftjava(designs: Sequence[Design], rules: RuleSet) -> str:
    """Return the designs as one document: a ship, or a game with a player's ships.

    Raises:
        RuleViolations: With all faults.
    """
    faults: list[Violation] = []
    ships: list[list[str]] = []
    for number, design in enumerate(designs):
        where = fault_path(number) if len(designs) > 1 else ""
        ship_faults = list(prefix_places(where, unwritable_faults(design, rules)))
        faults += ship_faults
        if not ship_faults:
            ships.append(list(_ship(design, rules)))
    if faults:
        raise RuleViolations(faults)
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes" ?>'
    if len(ships) == 1:
        return "\n".join((head, *ships[0], ""))
    lines = []
    for ship in ships:
        for line in ship:
            lines.append(f"    {line}")
    game = ('<GameEngine id="1" name="Designs" turn="0">', '  <Player id="1" name="Designs">')
    return "\n".join((head, *game, *lines, "  </Player>", "</GameEngine>", ""))


def unwritable_faults(design: Design, rules: RuleSet) -> Iterator[Violation]:
    """Yield a violation for everything in a design that FTJava cannot express."""
    if design.edition != CONTINUUM.edition:
        yield Violation(
            "edition", "unwritable", phrase("FTJava supports only {} ships", CONTINUUM.edition)
        )
        return
    is_used = {
        "ftl": design.ftl == FtlDrive.TUG,
        "streamlining": design.streamlining != "none",
        "flawed": design.flawed,
        "rams": design.rams,
        "orientation": design.beta,
        "total_mass": bool(design.total_mass),
        "section": bool(design.of),
        "civil": design.civil,
        "armour": any(regenerative for _, regenerative in design.armour),
    }
    for key, used in is_used.items():
        if used:
            yield Violation(key, "unwritable", phrase("FTJava does not support this {}", key))
    if design.kind == HullKind.INSTALLATION and (design.thrust or design.ftl != FtlDrive.NONE):
        yield Violation(
            "kind", "unwritable", phrase("FTJava does not support installations with drives")
        )
    for number, fitting in enumerate(design.systems):
        yield from _unwritable_system(fault_path("systems", number), fitting, design, rules)


def _unwritable_system(
    where: str, fitting: Fitting, design: Design, rules: RuleSet
) -> Iterator[Violation]:
    """Yield a violation for everything about a system that FTJava cannot express."""
    is_known = (fitting.type, fitting.variant) in NAMES or fitting.type in HOLD_NAMES
    if not is_known or system_price_of(fitting, rules) is None:
        yield Violation(
            where,
            "unwritable",
            phrase("FTJava does not support {} {}", fitting.type, fitting.variant).rstrip(),
        )
        return
    if fitting.turret or fitting.flags or fitting.mods:
        yield Violation(
            where,
            "unwritable",
            phrase("FTJava does not support turrets, upgrades and modifications"),
        )
    if fitting.type != SYSTEMS[MAGAZINE][0]:
        if fitting.load:
            yield Violation(
                f"{where}.load", "unwritable", phrase("FTJava does not support these contents")
            )
    elif any(kind not in SALVO_NAMES for kind, _ in load_of(fitting, design)):
        yield Violation(
            f"{where}.load",
            "unwritable",
            phrase("magazines in FTJava hold only {} salvoes", " and ".join(SALVO_NAMES)),
        )


def _ship(design: Design, rules: RuleSet) -> Iterator[str]:
    """Yield the lines of a ship's element."""
    yield "<Ship>"
    points = rules.yard.figures(design, rules).points
    for name, value in (("ClassName", design.cls), ("Mass", design.mass), ("PointValue", points)):
        yield f"    <{name}>{escape(str(value))}</{name}>"
    yield from _frame(design)
    groups: dict[str, list[str]] = {group: [] for group in GROUPS}
    for group, lines in _systems(design, rules):
        groups[group] += lines
    for group, lines in groups.items():
        yield f"    <{group}>"
        for line in lines:
            yield f"        {line}"
        yield f"    </{group}>"
    yield "</Ship>"


def _frame(design: Design) -> Iterator[str]:
    """Yield the lines of the drives, the armour and the hull."""
    if design.kind != HullKind.INSTALLATION:
        drive = "Advanced" if design.drive == "advanced" else "Standard"
        yield f"    {_element('MainDrive', (('type', drive), ('initialThrust', design.thrust)))}"
    if design.ftl != FtlDrive.NONE:
        advanced = (("type", "Advanced"),) if design.ftl == FtlDrive.ADVANCED else ()
        yield f"    {_element('FTLDrive', advanced)}"
    layers = ",".join(str(standard) for standard, _ in design.armour) or "0"
    yield f"    {_element('Armor', (('totalArmor', layers),))}"
    hull = (
        ("value", design.mass),
        ("type", CUSTOM),
        ("class", "Merchant" if design.kind == HullKind.MERCHANT else "Military"),
        ("stealth", design.stealth),
        ("rows", design.hull_rows),
        ("totalHullBoxes", design.boxes),
    )
    yield f"    {_element('Hull', hull)}"


def _systems(design: Design, rules: RuleSet) -> Iterator[tuple[str, list[str]]]:
    """Yield every system as XML lines, with the group to which it belongs."""
    magazine_ids = {}
    for number, (name, _) in enumerate(magazines(design)):
        magazine_ids[name] = FIRST_ID + number
    unused_ids = iter(magazine_ids.values())
    symbol_count = 0
    for fitting in design.systems:
        for _ in range(fitting.count):
            attributes: list[tuple[str, object]] = [
                ("xSSD", 25 + symbol_count % ACROSS * STEP),
                ("ySSD", 25 + symbol_count // ACROSS * STEP),
            ]
            symbol_count += 1
            if fitting.type in HOLD_NAMES:
                attributes += [("type", HOLD_NAMES[fitting.type]), ("totalSize", fitting.mass)]
                yield "Holds", [_element(HOLD, attributes)]
                continue
            name, group = NAMES[fitting.type, fitting.variant]
            attributes += _system_attributes(fitting, design, rules)
            if name == LAUNCHER and magazine_ids:
                attributes.append(("smmId", magazine_ids.get(fitting.magazine, FIRST_ID)))
            if name == MAGAZINE:
                attributes += [("id", next(unused_ids)), ("capacity", fitting.mass)]
                yield group, [*_nested_element(name, attributes, _salvoes(fitting, design))]
            else:
                yield group, [_element(name, attributes)]


def _system_attributes(
    fitting: Fitting, design: Design, rules: RuleSet
) -> list[tuple[str, object]]:
    """Return the class and arcs of a system as attributes."""
    system_price = system_price_of(fitting, rules)
    assert system_price is not None  # unwritable_faults() reports others
    attributes: list[tuple[str, object]] = []
    if fitting.size:
        attributes.append(("rating", fitting.size))
    if system_price.mounts:
        attributes.append(("arcs", _arcs(mount_arcs(fitting, system_price, design, rules))))
    return attributes


def _salvoes(fitting: Fitting, design: Design) -> list[tuple[str, Attributes]]:
    """Return an element for each salvo in a magazine."""
    salvoes: list[tuple[str, Attributes]] = []
    for kind, number in load_of(fitting, design):
        salvo = ("Salvo", (("type", SALVO_NAMES[kind]), ("status", "Available")))
        salvoes += [salvo] * number
    return salvoes


def _arcs(arcs: Sequence[str]) -> str:
    """Return arcs in brackets, clockwise, beginning after a gap."""
    ring = CONTINUUM.arcs
    if len(arcs) == len(ring):
        return f"({ALL_ARCS})"
    first = 0
    for index, arc in enumerate(ring):
        if arc in arcs and ring[index - 1] not in arcs:
            first = index
            break
    ordered = [arc for arc in (*ring[first:], *ring[:first]) if arc in arcs]
    return f"({'/'.join(ordered)})"


def _element(name: str, attributes: Attributes) -> str:
    """Return an element without children."""
    return f"<{name}{_attribute_text(attributes)}/>"


def _nested_element(
    name: str, attributes: Attributes, children: Iterable[tuple[str, Attributes]]
) -> Iterator[str]:
    """Yield the lines of an element with children."""
    yield f"<{name}{_attribute_text(attributes)}>"
    for child_name, child_attributes in children:
        yield f"    {_element(child_name, child_attributes)}"
    yield f"</{name}>"


def _attribute_text(attributes: Attributes) -> str:
    """Return attributes as they are written in a tag, each after a space."""
    return "".join(f" {name}={quoteattr(str(value))}" for name, value in attributes)
