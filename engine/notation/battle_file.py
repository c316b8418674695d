"""The entries of a battle file, which people and a campaign's umpire write before a battle.

`engine.notation.battles.read_battle` reads such a file, with every fault, and accepts the keys
declared here. `docs/reference/battles.md` explains them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

# A ship of a battle file. `class` names a known design and `design` is a whole one; a decoy
# (`dummy`) needs neither. `at` is x and y in MU, `course` and `facing` are 1 to 12, `lost` lists
# systems by id, `stock` is what is left of them, `thrust` is for decoys only, and the side cannot
# place a ship that is `fixed`. An installation with `apart` is placed like a body. `gates` lists
# the gates out of which its side may let it come.
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
        "gates": NotRequired[list[str]],
        "carried": NotRequired[str],
        "berths": NotRequired[list[int]],
        "apart": NotRequired[float],
        "docked": NotRequired[str],
        "fixed": NotRequired[bool],
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

    Attributes:
        doctrine: The captain's doctrine (`engine.captains.common.doctrine`).
        ram_on: The lowest die with which a crew rams.
        withdraws_at: The percentage of its mass after whose loss its commander withdraws.
        navy: The navy that built its ships.
        officers: Automatic point defence: true for all ships, or a list of ship ids.
        based: Fighter groups from bases off the table (`engine.notation.based`).
        muster: Instead of ships: an empty object, if the side chooses them before the battle.
    """

    name: str
    ships: list[ShipEntry]
    doctrine: NotRequired[dict[str, Any]]
    ram_on: NotRequired[int]
    withdraws_at: NotRequired[int]
    navy: NotRequired[str]
    officers: NotRequired[bool | list[str]]
    based: NotRequired[list[dict[str, Any]]]
    muster: NotRequired[dict[str, Any]]


class ConditionEntry(TypedDict):
    """A victory condition (`engine.core.terms.VictoryCondition`); without a winner it is a draw."""

    winner: NotRequired[str]
    ships: list[str]
    fate: str
    least: NotRequired[int]
    at_end: NotRequired[bool]
    reason: NotRequired[str]


class BattleFileDocument(TypedDict):
    """A battle file.

    `engine.notation.terms` explains `victory` and the keys after it, and
    `engine.notation.fleet_limits` those from `points` to `identical`.

    Attributes:
        table: Width and height in MU.
        hostile: Pairs of side names.
        turns: The orders of each turn, by order request.
        dice: Scripted rolls, by purpose.
        seed: The seed of the dice where no rolls are scripted.
        max_turns: The turn after which captains end the battle.
        multi_role: The three types as which multi-role fighters can be fitted out.
        barred: Systems and kinds of ships that nobody may bring; `allowed` lists the only ones.
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
    deployment: NotRequired[str | dict[str, Any]]
    set_up: NotRequired[dict[str, dict[str, Any]] | list[list[Any]]]
    victory: NotRequired[list[ConditionEntry]]
    jump_edge: NotRequired[dict[str, str]]
    no_quarter: NotRequired[list[list[str]]]
    asteroids: NotRequired[list[dict[str, Any]] | dict[str, Any]]
    drift: NotRequired[dict[str, int] | str]
    terrain: NotRequired[list[dict[str, Any]]]
    flares: NotRequired[list[int]]
    multi_role: NotRequired[list[str]]
    mines: NotRequired[list[dict[str, Any]]]
    ground: NotRequired[list[dict[str, Any]]]
    gates: NotRequired[list[dict[str, Any]]]
    scoring: NotRequired[str]
    rules: NotRequired[str]
    points: NotRequired[int]
    value: NotRequired[str]
    limits: NotRequired[list[str]]
    without_ftl: NotRequired[bool]
    identical: NotRequired[bool]
    barred: NotRequired[list[str]]
    allowed: NotRequired[list[str]]


def keys_of(entry: Any) -> tuple[str, ...]:
    """Return the keys of a declared entry, in the order of declaration."""
    return tuple(entry.__annotations__)


FILE_KEYS = keys_of(BattleFileDocument)
SIDE_KEYS = keys_of(SideEntry)
SHIP_KEYS = keys_of(ShipEntry)
CONDITION_KEYS = keys_of(ConditionEntry)
