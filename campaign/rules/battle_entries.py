"""The options of a battle file, and the entries of the campaign's ships in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from campaign.rules.faction_settings import add_dogfight_figures, add_movement
from campaign.rules.pilots import average_pilots
from campaign.rules.rearming import loaded_design, weapon_settings
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import Ship
from engine.combat.unidentified import decoy_design
from engine.core.kinds import INSTALLATION
from engine.core.phrase import phrase
from engine.core.terms import FIXED_TABLE, MOVING_TABLE, ORBITAL_TABLE, TABLE_SENSORS
from engine.core.versions import SENSOR_PRICES, follows
from engine.notation.battle_file import ShipEntry

Classes = Mapping[str, ShipClass]

VELOCITY = 8  # MU a turn, of every ship that moves
DECOY_LABEL = "escort"  # the classification that a decoy drone shows to scans
DECOY_CLASS = phrase("Scout Ship")  # the class whose thrust decoys have


def battle_options(options: Sequence[str], rules: str) -> list[str]:
    """Return the options of a war's battles: the war's own, and a table that moves.

    Options that keep the table where it is exclude a moving one. The option for
    the earlier price of sensors is left out under rules that have no other price.

    Args:
        rules: The version of the rules.

    Rules: 2E "The moving table and disengaging from battle" [2e.agreed-rules]
    """
    has_table_prices = follows(rules, SENSOR_PRICES)
    result = [option for option in options if option != TABLE_SENSORS or has_table_prices]
    if any(option in result for option in (MOVING_TABLE, FIXED_TABLE, ORBITAL_TABLE)):
        return result
    return [*result, MOVING_TABLE]


def sensor_label(classes: Classes, ship: Ship) -> str:
    """Return a ship's classification on long range scans: its working weasel's, else its own.

    Rules: 2E "Dummy bogeys and weasel boats" [camp.decoys]
    """
    cls = classes[ship.cls]
    is_weasel_lost = any(id_.startswith("weasel") for id_ in ship.lost)
    if ship.weasel_on and cls.weasel and not is_weasel_lost:
        return cls.weasel
    return cls.classification


def ship_entry(scenario: Scenario, classes: Classes, ship: Ship) -> ShipEntry:
    """Return a ship's entry, without its position."""
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
    if notes := average_pilots(scenario, classes.get(ship.cls), dict(ship.notes)):
        entry["notes"] = notes
    add_movement(scenario, entry, ship.faction, ship.cls)
    add_dogfight_figures(scenario, entry, ship.faction)
    return entry


def decoy_entry(
    scenario: Scenario, classes: Classes, id_: str, faction: str, thrust: int = 0
) -> ShipEntry:
    """Return the entry of a decoy drone.

    It flies like the catalogue's scout ship, or else with the rulebook's MASS and thrust.

    Args:
        faction: The faction to which it belongs.
        thrust: The thrust that its owner chose; 0: none chosen.
    """
    entry: ShipEntry = {"id": id_, "label": DECOY_LABEL, "dummy": True, "velocity": VELOCITY}
    if thrust:
        entry["design"] = decoy_design(scenario.edition, DECOY_CLASS, thrust=thrust)
    elif DECOY_CLASS in classes:
        _name_design(entry, classes, DECOY_CLASS)
    else:
        entry["design"] = decoy_design(scenario.edition, DECOY_CLASS)
    add_movement(scenario, entry, faction)
    return entry


def _start_velocity(classes: Classes, ship: Ship) -> int:
    """Return a ship's velocity at the start of a battle in MU; installations do not move."""
    cls = classes.get(ship.cls)
    if cls is not None and cls.classification == INSTALLATION:
        return 0
    return VELOCITY


def _name_design(entry: ShipEntry, classes: Classes, name: str, ship: Ship | None = None) -> None:
    """Add a ship's design with its present loads; without a known design, add its class."""
    cls = classes.get(name)
    if cls is None or not cls.design:
        entry["class"] = name
    elif ship is None:
        entry["design"] = cls.design
    else:
        entry["design"] = loaded_design(cls, ship)
