"""Tech bases as JSON: name and technologies, read with the place of every fault."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from engine.core.errors import RuleViolations, Violation, fault_path
from engine.design.techbase import RECOMMENDED, TechBase, base_violations
from engine.notation.reading import Reader, prefix_places

KEYS = ("name", "technologies")


def read_base(
    data: object, where: str = "", limit: int = RECOMMENDED, options: Collection[str] = ()
) -> tuple[TechBase, tuple[Violation, ...]]:
    """Return a tech base as far as it is readable, and every fault of form and of choice.

    Args:
        options: The options in force in the campaign.
    """
    reader = Reader()
    document: Mapping[object, object]
    if isinstance(data, Mapping):
        document = data
    else:
        document = {"technologies": data}
    reader.keys(document, KEYS, "")
    name = reader.text(document, "name", default="")
    rows = reader.items(document, "technologies")
    ids = tuple(
        reader.text_value(item, fault_path("technologies", number))
        for number, item in enumerate(rows)
    )
    base = TechBase(name, ids)
    return base, prefix_places(where, reader.faults or base_violations(base, limit, options))


def parse_base(
    data: object, where: str = "", limit: int = RECOMMENDED, options: Collection[str] = ()
) -> TechBase:
    """Return the tech base of a document.

    Raises:
        RuleViolations: With every fault and its place.
    """
    base, faults = read_base(data, where, limit, options)
    if faults:
        raise RuleViolations(faults)
    return base


def base_json(base: TechBase) -> dict[str, Any]:
    """Return the document of a tech base, so that `parse_base(base_json(b)) == b`."""
    return {**({"name": base.name} if base.name else {}), "technologies": list(base.technologies)}
