"""A design on a designer's bench: a new one, and what an act changes. Pure.

It is read from its form by `campaign.forms.ships.bench_form`, and laid out by `bench_sheet`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from engine.core.kinds import FtlDrive, HullKind
from engine.core.phrase import phrase
from engine.design.offers import Offer, first_fitted
from engine.design.tonnage import ARMOUR_RATES
from engine.notation.designs import MOST_FITTINGS, STANDARD_ROWS, fitting_json
from engine.ruleset import RuleSet

Fields = Mapping[str, Sequence[str]]
Document = dict[str, Any]
LAYERS = len(ARMOUR_RATES)
FIRST_MASS, FIRST_THRUST, FIRST_BOXES = 40, 4, 12  # of a new ship
WHOLE = re.compile(r"-?[0-9]{1,9}")
SHOW = "show"


@dataclass(frozen=True, slots=True)
class Bench:
    """A design as JSON, lawful or not, and the row of systems that is open, None: none is."""

    document: Document
    at: int | None = None


def blank(rules: RuleSet) -> Bench:
    """A new ship: a hull with its drives, and nothing in it."""
    document: Document = {
        "class": phrase("New class"),
        "edition": rules.edition.value,
        "kind": HullKind.WARSHIP.value,
        "mass": FIRST_MASS,
        "thrust": FIRST_THRUST,
        "ftl": FtlDrive.STANDARD.value,
    }
    if by_mass(rules):
        document["hull"] = {"boxes": FIRST_BOXES, "rows": STANDARD_ROWS}
    return Bench(document | {"systems": []})


def by_mass(rules: RuleSet) -> bool:
    """Whether designers of the edition choose hull boxes, armour and drives."""
    return "hull" in rules.yard.notation.design_keys


def acted(bench: Bench, act: str, rules: RuleSet, offers: Sequence[Offer]) -> Bench:
    """The bench after an act: `add:beam`, `edit:2`, `copy:2`, `remove:2`, `up:2`, `down:2`,
    `close`; others change nothing.
    """
    verb, _, rest = act.partition(":")
    if verb == "add":
        return _added(bench, rest, rules, offers)
    if verb == "close":
        return Bench(bench.document)
    doing = ACTS.get(verb)
    if doing is None or not rest.isdecimal() or int(rest) >= len(bench.document["systems"]):
        return bench
    document = deepcopy(bench.document)
    return doing(document, int(rest), bench.at)


def _added(bench: Bench, type_: str, rules: RuleSet, offers: Sequence[Offer]) -> Bench:
    offer = next((one for one in offers if one.type == type_), None)
    systems = bench.document["systems"]
    if offer is None or len(systems) >= MOST_FITTINGS:
        return bench
    fitting = first_fitted(offer, offer.models[0], rules)
    document = deepcopy(bench.document)
    document["systems"].append(fitting_json(fitting, rules.yard.notation))
    return Bench(document, len(systems))


def _edit(document: Document, n: int, _at: int | None) -> Bench:
    return Bench(document, n)


def _copy(document: Document, n: int, _at: int | None) -> Bench:
    if len(document["systems"]) < MOST_FITTINGS:
        document["systems"].insert(n + 1, deepcopy(document["systems"][n]))
    return Bench(document, n + 1)


def _remove(document: Document, n: int, at: int | None) -> Bench:
    del document["systems"][n]
    return Bench(document, None if at is None or at == n else at - (at > n))


def _moved(by: int) -> Callable[[Document, int, int | None], Bench]:
    def move(document: Document, n: int, at: int | None) -> Bench:
        systems, to = document["systems"], n + by
        if not 0 <= to < len(systems):
            return Bench(document, at)
        systems[n], systems[to] = systems[to], systems[n]
        return Bench(document, {n: to, to: n}.get(at, at) if at is not None else None)

    return move


ACTS: dict[str, Callable[[Document, int, int | None], Bench]] = {
    "edit": _edit,
    "copy": _copy,
    "remove": _remove,
    "up": _moved(-1),
    "down": _moved(1),
}
