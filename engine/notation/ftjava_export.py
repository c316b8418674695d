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
    features = {
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
    for key, there in features.items():
        if there:
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
    kinds = [kind for kind, _ in load_of(fitting, design)]
    if fitting.type == SYSTEMS[MAGAZINE][0]:
        if any(kind not in SALVO_NAMES for kind in kinds):
            yield Violation(
                f"{where}.load",
                "unwritable",
                phrase("magazines in FTJava hold only {} salvoes", " and ".join(SALVO_NAMES)),
            )
    elif fitting.load:
        yield Violation(
            f"{where}.load", "unwritable", phrase("FTJava does not support these contents")
        )


def _ship(design: Design, rules: RuleSet) -> Iterator[str]:
    yield "<Ship>"
    points = rules.yard.figures(design, rules).points
    for name, value in (("ClassName", design.cls), ("Mass", design.mass), ("PointValue", points)):
        yield f"    <{name}>{escape(str(value))}</{name}>"
    if design.kind != HullKind.INSTALLATION:
        if design.drive == "advanced":
            drive = "Advanced"
        else:
            drive = "Standard"
        yield f"    {_element('MainDrive', (('type', drive), ('initialThrust', design.thrust)))}"
    if design.ftl != FtlDrive.NONE:
        advanced = (("type", "Advanced"),) if design.ftl == FtlDrive.ADVANCED else ()
        yield f"    {_element('FTLDrive', advanced)}"
    layers = ",".join(str(standard) for standard, _ in design.armour) or "0"
    yield f"    {_element('Armor', (('totalArmor', layers),))}"
    if design.kind == HullKind.MERCHANT:
        civil = "Merchant"
    else:
        civil = "Military"
    hull = (
        ("value", design.mass),
        ("type", CUSTOM),
        ("class", civil),
        ("stealth", design.stealth),
        ("rows", design.hull_rows),
        ("totalHullBoxes", design.boxes),
    )
    yield f"    {_element('Hull', hull)}"
    groups: dict[str, list[str]] = {group: [] for group in GROUPS}
    for group, lines in _systems(design, rules):
        groups[group] += lines
    for group, lines in groups.items():
        yield f"    <{group}>"
        for line in lines:
            yield f"        {line}"
        yield f"    </{group}>"
    yield "</Ship>"


def _systems(design: Design, rules: RuleSet) -> Iterator[tuple[str, list[str]]]:
    """Yield every system as XML lines, with the group to which it belongs."""
    ids = {name: FIRST_ID + n for n, (name, _) in enumerate(magazines(design))}
    free = iter(ids.values())
    symbol_count = 0
    for fitting in design.systems:
        system_price = system_price_of(fitting, rules)
        assert system_price is not None  # unwritable_faults() reports others
        for _ in range(fitting.count):
            spot: Attributes = (
                ("xSSD", 25 + symbol_count % ACROSS * STEP),
                ("ySSD", 25 + symbol_count // ACROSS * STEP),
            )
            symbol_count += 1
            if fitting.type in HOLD_NAMES:
                hold_attributes = (("type", HOLD_NAMES[fitting.type]), ("totalSize", fitting.mass))
                yield "Holds", [_element(HOLD, (*spot, *hold_attributes))]
                continue
            name, group = NAMES[fitting.type, fitting.variant]
            attributes: list[tuple[str, object]] = list(spot)
            if fitting.size:
                attributes.append(("rating", fitting.size))
            if system_price.mounts:
                attributes.append(("arcs", _arcs(mount_arcs(fitting, system_price, design, rules))))
            if name == LAUNCHER and ids:
                attributes.append(("smmId", ids.get(fitting.magazine, FIRST_ID)))
            if name == MAGAZINE:
                kinds = [kind for kind, number in load_of(fitting, design) for _ in range(number)]
                salvoes = [
                    ("Salvo", (("type", SALVO_NAMES[kind]), ("status", "Available")))
                    for kind in kinds
                ]
                yield (
                    group,
                    [
                        *_nested_element(
                            name,
                            (*attributes, ("id", next(free)), ("capacity", fitting.mass)),
                            salvoes,
                        )
                    ],
                )
                continue
            yield group, [_element(name, attributes)]


def _arcs(arcs: Sequence[str]) -> str:
    """Return arcs in brackets, clockwise, beginning after a gap."""
    ring = CONTINUUM.arcs
    if len(arcs) == len(ring):
        return f"({ALL_ARCS})"
    first = next((n for n, arc in enumerate(ring) if arc in arcs and ring[n - 1] not in arcs), 0)
    return f"({'/'.join(arc for arc in (*ring[first:], *ring[:first]) if arc in arcs)})"


def _element(name: str, attributes: Attributes) -> str:
    return f"<{name}{_attribute_text(attributes)}/>"


def _nested_element(
    name: str, attributes: Attributes, inner: Iterable[tuple[str, Attributes]]
) -> Iterator[str]:
    yield f"<{name}{_attribute_text(attributes)}>"
    for child in inner:
        yield f"    {_element(*child)}"
    yield f"</{name}>"


def _attribute_text(attributes: Attributes) -> str:
    return "".join(f" {name}={quoteattr(str(value))}" for name, value in attributes)
