"""What occurs in the battery: event classes, systems, options, fire modes, words, pieces, terms.

All names in `wanted` except `EXCEPTIONS` must occur in the whole battery. The gate fights a tenth
of it that covers as much as a tenth can.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from engine.core.kinds import ShipStatus
from engine.documents import KINDS
from engine.ruleset import all_rules
from engine.weapons.registry import weapon_of
from tests.engine.frozen.fighting import BattleDigest, Case, document, fight_case

# What need not occur, and why.
EXCEPTIONS: dict[str, str] = {
    "event stores-scanned": "ships with closed record sheets have no stores in these battles",
    "event entered": "people enter it, of a battle at a table",
    "continuum option table-prices": "it changes mass and points, which no battle asks for",
    "continuum option table-sensors": "it changes mass and points, which no battle asks for",
    "status based": "bases off the table came with rules 1.1, after these battles were recorded",
}

WORDS = (
    "enter",
    "launch",
    "mine",
    "scan",
    "ram",
    "dock",
)  # that any rulebook's plots may say, beside the flags
REFUSED = ("shot-refused",)
PIECES = (
    "groups",
    "flyers",
    "mines",
    "rocks",
    "novas",
    "clouds",
    "debris",
    "stars",
    "sections",
    "planets",
    "sites",
    "gates",
    "markers",
    "flak",
    "contacts",
)


def expected_occurrences() -> set[str]:
    """Return everything that must occur in the battery, from the engine's own tables."""
    result = {f"event {kind}" for kind in KINDS} | {f"status {status}" for status in ShipStatus}
    result |= {f"piece {piece}" for piece in PIECES}
    for rules in all_rules():
        edition = rules.edition
        types = {*(spec.type for spec in rules.systems), *rules.system_prices}
        result |= {f"{edition} system {type_}" for type_ in types}
        result |= {
            f"{edition} fired {type_}" for type_ in types if weapon_of(edition, type_).is_aimed
        }
        result |= {f"{edition} option {option}" for option in rules.known_options}
        result |= {f"{edition} kind {row.kind}" for row in rules.hulls}
        grammar = rules.grammar
        result |= {f"{edition} word {word}" for word in (*grammar.flags, *grammar.words)}
    result |= {f"second-edition word {word}" for word in WORDS}
    result |= {f"continuum word {word}" for word in ("mine", "scan", "ram", "dock", "else")}
    result |= {f"flight {word}" for word in ("to", "dogfight", "land", "face", "evade")}
    return result


def fight_and_collect(case: Case) -> tuple[BattleDigest, set[str]]:
    """Fight a battle; return its result, and what occurred in it."""
    lines: list[tuple[str, str]] = []
    digest = fight_case(case, lambda name, line: lines.append((name, line)))
    occurrences = set(_of_file(case.edition, document(case)))
    for name, line in lines:
        value = json.loads(line)
        if name == "log":
            occurrences.update(_of_log(case.edition, value))
        elif name == "views" and isinstance(value[1], Mapping):
            occurrences.update(f"piece {piece}" for piece in PIECES if value[1].get(piece))
            ships = value[1].get("ships", value[1].get("own"))
            occurrences.update(f"status {ship['status']}" for ship in (ships or {}).values())
    return digest, occurrences


def _of_file(edition: str, document: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"{edition} option {option}" for option in document.get("options", ()))
    yield from (f"{edition} term {key}" for key in document if document[key] not in (False, [], {}))
    for side in document["sides"]:
        for ship in side["ships"]:
            yield from (f"{edition} ship {key}" for key in ship)
            for system in ship.get("design", {"systems": ()})["systems"]:
                yield f"{edition} system {system['type']}"
            if "design" in ship:
                yield f"{edition} kind {ship['design']['kind']}"


def _of_log(edition: str, value: Any) -> Iterator[str]:
    """Return what an event, or the head of a phase with its orders, shows."""
    if isinstance(value, Mapping) and "event" in value:
        yield f"event {value['event']}"
        if "weapon" in value and value["event"] not in REFUSED:
            yield f"{edition} fired {value['weapon'].rpartition('/')[2].rpartition('-')[0]}"
        if value.get("mode"):
            yield f"{edition} mode {value['mode']}"
        if value.get("outcome"):
            yield f"outcome {value['event']} {value['outcome']}"
    elif (
        isinstance(value, list) and value and isinstance(value[0], Mapping)
    ):  # events at the beginning of the battle
        yield from (f"event {event['event']}" for event in value)
    elif isinstance(value, list) and len(value) == 4 and isinstance(value[2], str):
        _, _, kind, inputs = value
        yield f"{edition} stop {kind}"
        inputs = (
            inputs[kind] if isinstance(inputs.get(kind), Mapping) else inputs
        )  # phases with several decisions
        for orders in inputs.values() if kind in ("plot", "fighters") else ():
            words = [part.split()[0] for part in orders.split("; ") if part]
            about = f"{edition} word" if kind == "plot" else "flight"
            yield from (f"{about} {word}" for word in words if word.islower() and word.isalpha())


def tenth(occurrences: Mapping[str, set[str]], costs: Mapping[str, int], many: int) -> list[str]:
    """Return so many battles that together cover as much as possible, cheap ones first among
    equals.
    """
    missing = set().union(*occurrences.values())
    chosen: list[str] = []
    while missing and len(chosen) < many:
        best = max(
            occurrences,
            key=lambda name: (len(occurrences[name] & missing) / (1 + costs[name]), name),
        )
        chosen.append(best)
        missing -= occurrences[best]
    rest = sorted(
        (name for name in occurrences if name not in chosen), key=lambda name: (costs[name], name)
    )
    return sorted(chosen + rest[: many - len(chosen)])
