"""What a campaign puts into a battle file: the options, and its ships with their design, what they
have lost and what they look like.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from campaign.rules.rearming import loaded_design, weapon_settings
from campaign.rules.scenario import ShipClass
from campaign.rules.view import Ship
from engine.combat.unidentified import decoy_design
from engine.core.kinds import INSTALLATION
from engine.core.phrase import phrase
from engine.core.terms import MOVING_TABLE
from engine.notation.battle_file import ShipEntry

Classes = Mapping[str, ShipClass]

VELOCITY = 8  # MU, of every ship that moves
DECOY_LABEL = "escort"  # the signature a decoy drone emits
DRONE = phrase("Scout Ship")  # drones are as nimble as these


def battle_options(options: Sequence[str]) -> list[str]:
    """The options that a battle of a war with these is fought by: its table always moves with the
    ships.
    """
    return [*options, *(() if MOVING_TABLE in options else (MOVING_TABLE,))]


def sensor_label(classes: Classes, ship: Ship) -> str:
    """The classification a ship shows to long range sensors: its weasel's where one is on and
    works, else its own.

    Rules: 2E "Dummy bogeys and weasel boats" [camp.decoys]
    """
    cls = classes[ship.cls]
    if ship.weasel_on and cls.weasel and not any(id_.startswith("weasel") for id_ in ship.lost):
        return cls.weasel
    return cls.classification


def ship_entry(classes: Classes, ship: Ship) -> ShipEntry:
    """A ship's entry, without its place."""
    entry: ShipEntry = {
        "id": ship.key,
        "damage": ship.damage,
        "lost": list(ship.lost),
        "label": sensor_label(classes, ship),
        "velocity": _start_velocity(classes, ship),
    }
    _name_design(entry, classes, ship.cls, ship)
    if ship.stock:
        entry["stock"] = dict(ship.stock)
    if settings := weapon_settings(ship):
        entry["settings"] = settings
    if ship.notes:
        entry["notes"] = dict(ship.notes)
    return entry


def drone_entry(classes: Classes, edition: str, id_: str, thrust: int = 0) -> ShipEntry:
    """A decoy drone; it flies like a scout ship, of the catalogue or of the rulebook's MASS and
    thrust, but where its owner chose a thrust.
    """
    entry: ShipEntry = {"id": id_, "label": DECOY_LABEL, "dummy": True, "velocity": VELOCITY}
    if thrust:
        entry["design"] = decoy_design(edition, DRONE, thrust=thrust)
    elif DRONE in classes:
        _name_design(entry, classes, DRONE)
    else:
        entry["design"] = decoy_design(edition, DRONE)
    return entry


def _start_velocity(classes: Classes, ship: Ship) -> int:
    """The velocity with which a ship comes to a battle, in MU; stations lie still."""
    cls = classes.get(ship.cls)
    return 0 if cls is not None and cls.classification == INSTALLATION else VELOCITY


def _name_design(entry: ShipEntry, classes: Classes, name: str, ship: Ship | None = None) -> None:
    """Give an entry its ship's whole design, loaded as it is, where the catalogue has it, else its
    class.
    """
    cls = classes.get(name)
    if cls is None or not cls.design:
        entry["class"] = name
    else:
        entry["design"] = cls.design if ship is None else loaded_design(cls, ship)
