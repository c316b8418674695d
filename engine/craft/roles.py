"""Roles of multi-role fighters: the weapons of another type, in a bay with its own price.

The id of such a group is that of its type and the role: `multi-role-fighter+heavy=attack`. Such
types cannot be bought; a ship's bay is set to a role as a weapon is set to a mode.
Rules: Continuum "Multi-role fighters" 8.15 [pc.fighter-types]
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from engine.core.ship import ShipState
from engine.core.terms import MULTI_ROLE
from engine.craft.craft_type import CANNON, ROLE, CraftType
from engine.craft.registry import craft_type

# The types among which players may choose for the multi-role fighters of a war or battle.
CHOICES = (
    *("standard", "interceptor", "attack", "torpedo", "graser", "plasma", "mkp", "missile"),
    "assault-shuttle",
)
CHOSEN_TYPES = 3


def roles_of(
    row: CraftType, options: Collection[str], multi_role: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the roles that groups of a type may take, the default first; empty for most types.

    Args:
        multi_role: The types that the players chose for multi-role fighters; with each come its
            cannon, where multi-role fighters have them. Empty: those of the book.
    """
    if multi_role and row.roles:
        return tuple(_chosen_roles(row, multi_role))
    if MULTI_ROLE in options:
        return (*row.roles, *row.roles_agreed)
    return row.roles


def _chosen_roles(row: CraftType, multi_role: Sequence[str]) -> Iterator[str]:
    """Yield the roles of the types that the players chose."""
    for type_ in multi_role:
        yield type_
        with_cannon = CANNON if type_ == row.roles[0] else f"{type_}-{CANNON}"
        if with_cannon in row.roles:
            yield with_cannon


def role_of(ship: ShipState, index: int) -> str:
    """Return the role of the group in a ship's bay (its index in `fits`), or "" for the default."""
    type_ = ship.profile.craft[index]
    if not type_:
        return ""
    place = ship.record.setting.get(ship.sheet.fits[index].id, 0)
    if not place:
        return ""
    row = craft_type(type_)
    return row.all_roles[place]


def row_for_role(type_: str, role: str) -> CraftType:
    """Return the type of a group from the id of its type and its role, "" for the default."""
    return craft_type(f"{type_}{ROLE}{role}" if role else type_)


def row_in(ship: ShipState, index: int) -> CraftType:
    """Return the type of the group in a ship's bay (its index in `fits`), with its role."""
    return row_for_role(ship.profile.craft[index], role_of(ship, index))
