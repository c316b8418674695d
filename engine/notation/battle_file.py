"""A battle file by its entries: what people write, and a campaign's umpire, before a battle begins.

`engine.notation.battles.read_battle` reads one, with every fault; the keys it knows are those
declared here. The contract of the command line (`python -m engine battle`) says what each entry is,
the modules that read them the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

# A ship of a battle file. `class` names a design that is known, `design` is one whole; a drone
# (`dummy`) may have neither. `at`: x and y in MU; `course`, `facing`: 1 to 12; `lost`: systems, by
# id; `stock`: what is left of them; `thrust`: of a drone.
ShipEntry = TypedDict(
    "ShipEntry",
    {
        "id": str,
        "class": NotRequired[str],
        "design": NotRequired[Mapping[str, Any]],
        "at": NotRequired[list[float]],
        "course": NotRequired[int],
        "velocity": NotRequired[int],
        "movement": NotRequired[str],
        "facing": NotRequired[int],
        "damage": NotRequired[int],
        "lost": NotRequired[list[str]],
        "stock": NotRequired[dict[str, int]],
        "settings": NotRequired[dict[str, str]],
        "notes": NotRequired[dict[str, int]],
        "label": NotRequired[str],
        "contact": NotRequired[str],
        "dummy": NotRequired[bool],
        "thrust": NotRequired[int],
        "cover": NotRequired[str | Mapping[str, Any] | None],
        "ftl_entry": NotRequired[int],
        "gate": NotRequired[str],
        "carried": NotRequired[str],
        "berths": NotRequired[list[int]],
        "docked": NotRequired[str],
        "boarders": NotRequired[dict[str, dict[str, int]]],
        "crew": NotRequired[dict[str, int]],
        "section": NotRequired[str],
        "groups": NotRequired[dict[str, dict[str, Any]]],
        "pilots": NotRequired[dict[str, str]],
        "squadrons": NotRequired[dict[str, dict[str, Any]]],
        "stand": NotRequired[str],
        "orbit": NotRequired[str],
    },
)


class SideEntry(TypedDict):
    """A side of a battle file.

    `doctrine`: its captain's (`engine.captains.common.doctrine`); `ram_on`: the die its crews ram
    on; `withdraws_at`: the per cent of its mass that its commander loses before he withdraws;
    `navy`: whose yards built its ships; `officers`: true where all of its ships, or a list of those
    that leave point defence to their officers.
    """

    name: str
    ships: list[ShipEntry]
    doctrine: NotRequired[dict[str, Any]]
    ram_on: NotRequired[int]
    withdraws_at: NotRequired[int]
    navy: NotRequired[str]
    officers: NotRequired[bool | list[str]]


class ConditionEntry(TypedDict):
    """A condition of victory (`engine.core.terms.VictoryCondition`); without a winner it is a
    draw.
    """

    winner: NotRequired[str]
    ships: list[str]
    fate: str
    least: NotRequired[int]
    at_end: NotRequired[bool]
    why: NotRequired[str]


class BattleFileDocument(TypedDict):
    """A battle file.

    `table`: width and height in MU; `hostile`: pairs of sides, by name; `turns`: the orders of
    each, by ask; `dice`: the rolls, by purpose, or `seed`, what they begin with; `max_turns`: the
    turn after which captains end it. `engine.notation.terms` says what `victory` and what follows
    it are.
    """

    edition: str
    options: NotRequired[list[str]]
    table: NotRequired[list[float]]
    sides: list[SideEntry]
    hostile: NotRequired[list[list[str]]]
    bogeys: NotRequired[bool]
    turns: NotRequired[list[dict[str, Any]]]
    dice: NotRequired[dict[str, list[int]]]
    seed: NotRequired[int]
    captains: NotRequired[bool]
    max_turns: NotRequired[int]
    deployment: NotRequired[str]
    victory: NotRequired[list[ConditionEntry]]
    jump_edge: NotRequired[dict[str, str]]
    no_quarter: NotRequired[list[list[str]]]
    asteroids: NotRequired[list[dict[str, Any]] | dict[str, Any]]
    drift: NotRequired[dict[str, int] | str]
    terrain: NotRequired[list[dict[str, Any]]]
    flares: NotRequired[list[int]]
    mines: NotRequired[list[dict[str, Any]]]
    ground: NotRequired[list[dict[str, Any]]]
    gates: NotRequired[list[dict[str, Any]]]
    scoring: NotRequired[str]
    rules: NotRequired[str]


def keys_of(entry: Any) -> tuple[str, ...]:
    """The keys a declared entry may have, in the order in which they are declared."""
    return tuple(entry.__annotations__)


FILE_KEYS, SIDE_KEYS = keys_of(BattleFileDocument), keys_of(SideEntry)
SHIP_KEYS, CONDITION_KEYS = keys_of(ShipEntry), keys_of(ConditionEntry)
