"""Asteroids as targets, where the players agreed that they can be broken: fire at them, and the chunks they leave.

Rules: 2E "Movement of asteroids" [2e.asteroids]
"""

from __future__ import annotations

from engine.combat.lines import blocked
from engine.core.geometry import arcs_of
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import ASTEROID_DESTRUCTION
from engine.events.asteroids import RockBroken, RockDamaged, RockShot
from engine.pieces.asteroid import Rock
from engine.systems.defences import beam_points
from engine.weapons.beams import BANDS, volley
from engine.weapons.weapon import Trait

MOST_CHUNKS = 12


def rock_aimed_at(state: BattleState, ship: ShipState, index: int, name: str) -> Rock | None:
    """The asteroid of that name where a battery of a ship may fire at it: agreed, whole, in range, arc and sight.

    An asteroid on the line between two arcs is in both. Rules: 2E "Movement of asteroids" [2e.asteroids]
    """
    if ASTEROID_DESTRUCTION not in state.terms.options or not _breaks(ship, index):
        return None
    rock = _named(state, name)
    if rock is None or not _dice_at(ship, index, rock):
        return None
    if not ship.rig.bears[index] & arcs_of(rock.x - ship.x, rock.y - ship.y, ship.course):
        return None
    others = [other for other in state.of(Rock) if other is not rock]
    return None if blocked(others, (ship.x, ship.y), (rock.x, rock.y)) else rock


def _breaks(ship: ShipState, index: int) -> bool:
    return Trait.BREAKS_ROCKS in ship.rig.weapons[index].traits


def _named(state: BattleState, name: str) -> Rock | None:
    """The asteroid of that name, if it is there and can be broken."""
    return next((rock for rock in state.of(Rock) if rock.id == name and rock.boxes), None)


def _distance(ship: ShipState, rock: Rock) -> float:
    return float(((rock.x - ship.x) ** 2 + (rock.y - ship.y) ** 2) ** 0.5)


def _dice_at(ship: ShipState, index: int, rock: Rock) -> int:
    distance = _distance(ship, rock)
    numbers = ship.rig.weapons[index].beam_dice[ship.sheet.fits[index].variant]
    return next((dice for limit, dice in zip(BANDS, numbers, strict=True) if distance <= limit), 0)


def shoot_rock(table: Table, ship: ShipState, index: int, name: str) -> int:
    """A battery's fire at an asteroid, which has no screens: the damage points it makes.

    Rules: 2E "Movement of asteroids" [2e.asteroids]
    """
    rock = _named(table.state, name)
    assert rock is not None
    weapon = ship.sheet.fits[index].id
    thrown, points = volley(_dice_at(ship, index, rock), beam_points(0), table.dice, f"{ship.id}/{weapon}")
    if table.listens:
        table.tell(RockShot, ship.id, weapon, rock.id, _distance(ship, rock), thrown, points)
    return points


def damage_rock(table: Table, name: str, points: int, cause: str) -> None:
    """Mark damage off an asteroid that has boxes; at zero it falls into 1D12 chunks with random course and speed.

    Chunks are half as wide and nothing breaks them. Rules: 2E "Movement of asteroids" [2e.asteroids]
    """
    state = table.state
    rock = _named(state, name)
    if points <= 0 or rock is None:
        return
    rock.damage = min(rock.damage + points, rock.boxes)
    table.tell(RockDamaged, rock.id, cause, points, rock.damage)
    if rock.damage < rock.boxes:
        return
    chunks = []
    for number in range(1, table.dice.roll("asteroid", rock.id, MOST_CHUNKS) + 1):
        chunk = f"{rock.id}.{number}"
        chunks.append(
            (chunk, rock.radius / 2, table.dice.roll("direction", chunk, 12), table.dice.roll("distance", chunk))
        )
    if table.listens:
        table.tell(RockBroken, rock.id, tuple(chunks))
    rock.break_up(state, tuple(chunks))
