"""Figures of groups in battle files, for dogfights by actions.

`{"squadrons": {"hangar-1": {"weapons": [2, 2], "fire_control": 2, "fuel": 6, "skill": 3, "damage":
4, "traits": ["fast"]}}}` of a ship; what is left unsaid follows from the group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.continuum.craft.morale import flown_by_endurance
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.terms import DOGFIGHT_ACTIONS
from engine.craft.registry import craft_type
from engine.craft.squadron import FIGURES, WEAPONS, SquadronTrait
from engine.notation.battle_craft import of_bays
from engine.notation.reading import Reader

SQUADRONS = "squadrons"
KEYS = ("weapons", *FIGURES, "traits")
MOST = 12  # of dice of a weapon, and of any other figure


def read_squadrons(
    reader: Reader,
    document: Mapping[object, object],
    ships: Sequence[ShipState],
    options: Sequence[str],
) -> None:
    """The figures that a battle file says of the ships' groups, noted on these; every fault goes to
    the reader.

    Rules: Dogfight actions [dog.actions]
    """
    for ship, bay, spot, given in of_bays(
        reader, document, ships, SQUADRONS, phrase("figures of groups by bay")
    ):
        index = ship.profile.index_of.get(bay, -1)
        if DOGFIGHT_ACTIONS not in options:
            reader.fault(
                spot,
                "no-squadrons",
                phrase("such figures count by the option '{}' alone", DOGFIGHT_ACTIONS),
            )
        elif index not in ship.profile.bays or not flown_by_endurance(
            craft_type(ship.profile.craft[index])
        ):
            reader.fault(
                spot,
                "squadrons",
                phrase("{} has no '{}' with fighters that dogfight by actions", ship.id, bay),
            )
        elif not isinstance(given, Mapping):
            reader.fault(
                spot, "not-a-mapping", phrase("figures are needed here: {}", ", ".join(KEYS))
            )
        else:
            for name, number in _figures(reader, given, spot).items():
                ship.note("craft-figures", number, f"{bay}/{name}")


def _figures(reader: Reader, given: Mapping[object, object], spot: str) -> dict[str, int]:
    """The figures of one group by their names."""
    reader.keys(given, KEYS, spot)
    found: dict[str, int] = {}
    weapons = reader.items(given, "weapons", spot, default=())
    if len(weapons) > WEAPONS:
        reader.fault(
            f"{spot}.weapons", "squadrons", phrase("a group has at most {} weapons", WEAPONS)
        )
    for n, dice in enumerate(weapons[:WEAPONS]):
        _note(reader, found, f"weapon-{n + 1}", dice, f"{spot}.weapons[{n}]")
    for name in FIGURES:
        if name in given:
            _note(reader, found, name, given[name], f"{spot}.{name}")
    for n, trait in enumerate(reader.items(given, "traits", spot, default=())):
        if trait in tuple(SquadronTrait):
            found[str(trait)] = 1
        else:
            reader.fault(
                f"{spot}.traits[{n}]",
                "squadrons",
                phrase("one of {} is needed here", ", ".join(SquadronTrait)),
            )
    return found


def _note(reader: Reader, found: dict[str, int], name: str, number: object, where: str) -> None:
    if isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= MOST:
        found[name] = number
    else:
        reader.fault(where, "squadrons", phrase("a number from 1 to {} is needed here", MOST))
