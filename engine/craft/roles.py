"""What groups of a multi-role type are fitted out as: the weapons of another type, in a bay of
their own price.

The id of a group so fitted is that of its type, and behind it the role:
`multi-role-fighter+heavy=attack`. No yard sells such a type; a ship's bay is set to it as a weapon
is set.
Rules: Continuum "Multi-role fighters" 8.15 [pc.fighter-types]
"""

from __future__ import annotations

from collections.abc import Collection

from engine.core.ship import ShipState
from engine.core.terms import MULTI_ROLE
from engine.craft.craft_type import ROLE, CraftType
from engine.craft.registry import craft_type


def roles_of(row: CraftType, options: Collection[str]) -> tuple[str, ...]:
    """What groups of a type may be fitted out as, the usual first; none where they always fly as
    what they are.
    """
    return (*row.roles, *row.roles_agreed) if MULTI_ROLE in options else row.roles


def role_of(ship: ShipState, index: int) -> str:
    """What the group of a ship's bay (its place in `fits`) is fitted out as, "" where it is what it
    always is.
    """
    type_ = ship.profile.craft[index]
    place = ship.record.setting.get(ship.sheet.fits[index].id, 0) if type_ else 0
    row = craft_type(type_) if place else None
    return (*row.roles, *row.roles_agreed)[place] if row is not None else ""


def row_for_role(type_: str, role: str) -> CraftType:
    """The row of a group by the id of its type and its role, "" for the usual one."""
    return craft_type(f"{type_}{ROLE}{role}" if role else type_)


def row_in(ship: ShipState, index: int) -> CraftType:
    """The row of the group that flies from a ship's bay (its place in `fits`), as it is fitted
    out.
    """
    return row_for_role(ship.profile.craft[index], role_of(ship, index))
