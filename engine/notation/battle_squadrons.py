"""Reads the figures of craft groups for dogfights by actions.

A ship has `{"squadrons": {"hangar-1": {"weapons": [2, 2], "fire_control": 2, "fuel": 6, "skill": 3,
"damage": 4, "traits": ["fast"]}}}`. Omitted figures follow from the group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.continuum.craft.morale import is_limited_by_endurance
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.terms import DOGFIGHT_ACTIONS
from engine.craft.dogfight_figures import FIGURES, WEAPONS, SquadronTrait
from engine.craft.registry import craft_type
from engine.notation.battle_craft import entries_by_bay
from engine.notation.reading import Reader

SQUADRONS = "squadrons"
KEYS = ("weapons", *FIGURES, "traits")
MAX_FIGURE = 12  # dice of a weapon, and the limit of any other figure


def read_squadrons(
    reader: Reader,
    document: Mapping[object, object],
    ships: Sequence[ShipState],
    options: Sequence[str],
) -> None:
    """Record on the ships the figures a battle file gives groups; faults go to the reader.

    Rules: Dogfight actions [dog.actions]
    """
    for ship, bay, spot, entry in entries_by_bay(
        reader, document, ships, key=SQUADRONS, needed=phrase("values of groups by bay")
    ):
        index = ship.profile.index_of.get(bay, -1)
        if DOGFIGHT_ACTIONS not in options:
            reader.fault(
                spot,
                "no-squadrons",
                phrase("these values need the optional rule '{}'", DOGFIGHT_ACTIONS),
            )
        elif index not in ship.profile.bays or not is_limited_by_endurance(
            craft_type(ship.profile.craft[index])
        ):
            reader.fault(
                spot,
                "squadrons",
                phrase("{} has no '{}' with fighters that dogfight by actions", ship.id, bay),
            )
        elif not isinstance(entry, Mapping):
            reader.fault(spot, "not-a-mapping", phrase("expected values: {}", ", ".join(KEYS)))
        else:
            for name, number in read_figures(reader, entry, spot).items():
                ship.write_fact("craft-figures", number, f"{bay}/{name}")


def read_figures(reader: Reader, entry: Mapping[object, object], spot: str) -> dict[str, int]:
    """Return the figures of one group by name; faults go to the reader."""
    reader.keys(entry, KEYS, spot)
    figures: dict[str, int] = {}
    weapons = reader.items(entry, "weapons", spot, default=())
    if len(weapons) > WEAPONS:
        reader.fault(
            f"{spot}.weapons", "squadrons", phrase("a group can have at most {} weapons", WEAPONS)
        )
    for index, dice in enumerate(weapons[:WEAPONS]):
        where = f"{spot}.weapons[{index}]"
        _read_figure(reader, figures, name=f"weapon-{index + 1}", number=dice, where=where)
    for name in FIGURES:
        if name in entry:
            _read_figure(reader, figures, name, number=entry[name], where=f"{spot}.{name}")
    for index, trait in enumerate(reader.items(entry, "traits", spot, default=())):
        if trait in tuple(SquadronTrait):
            figures[str(trait)] = 1
        else:
            reader.fault(
                f"{spot}.traits[{index}]",
                "squadrons",
                phrase("expected one of {}", ", ".join(SquadronTrait)),
            )
    return figures


def _read_figure(
    reader: Reader, figures: dict[str, int], name: str, *, number: object, where: str
) -> None:
    """Add one figure to those of a group, or report a fault."""
    if isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= MAX_FIGURE:
        figures[name] = number
    else:
        reader.fault(where, "squadrons", phrase("expected a number from 1 to {}", MAX_FIGURE))
