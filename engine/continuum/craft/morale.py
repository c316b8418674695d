"""Fighter morale, an option: a group that has lost craft may break off its attack.

Rules: Continuum "Fighter morale" 8.17 [pc.fighter-morale]
"""

from __future__ import annotations

from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import FIGHTER_MORALE
from engine.craft.craft_type import CraftTrait, CraftType
from engine.pieces.group import Group
from engine.pieces.pilot_events import CraftMoraleChecked

DIE_SIDES = 6


def is_piloted(row: CraftType) -> bool:
    """Return whether craft of a type are fighters with pilots; gunboats and robot fighters are not.

    Rules: Continuum "Fighter morale" 8.17, "Fighter pilot quality" 8.18 [pc.fighter-morale]
    """
    return is_limited_by_endurance(row) and CraftTrait.ROBOT not in row.traits


def is_limited_by_endurance(row: CraftType) -> bool:
    """Return whether craft of a type are fighters with limited endurance; gunboats are not.

    Their dogfights may be fought by actions.

    Rules: Dogfight actions [dog.actions]
    """
    return row.endurance > 0 and not row.berth


def full_strength(state: BattleState, group: Group) -> int:
    """Return the craft a group's bay was bought with; for an unknown ship, those of a full bay."""
    home = group.carrier(state)
    if home is None or group.bay not in home.profile.index_of:
        return group.row.full
    return home.profile.full[home.profile.index_of[group.bay]]


def needs_morale_roll(state: BattleState, group: Group) -> bool:
    """Return whether a group must roll for morale before it attacks, because it has lost craft.

    Rules: Continuum "Fighter morale" 8.17 [pc.fighter-morale]
    """
    if FIGHTER_MORALE not in state.terms.options or not is_piloted(group.row):
        return False
    return group.craft < full_strength(state, group)


def attack_chance(state: BattleState, group: Group) -> float:
    """Return the probability that a group carries out its attack, for computer captains.

    Rules: Continuum "Fighter morale" 8.17 [pc.fighter-morale]
    """
    if needs_morale_roll(state, group):
        return min(group.craft / DIE_SIDES, 1.0)
    return 1.0


def rolls_to_attack(table: Table, group: Group) -> bool:
    """Roll for a group's morale if needed and return whether it carries out its attack.

    A group that breaks off uses up no endurance or rounds.

    Rules: Continuum "Fighter morale" 8.17 [pc.fighter-morale]
    """
    if not needs_morale_roll(table.state, group):
        return True
    die = table.dice.roll("morale", group.id)
    table.carry_out(
        CraftMoraleChecked(
            table.turn, group.id, die=die, craft=group.craft, holds=die <= group.craft
        )
    )
    return die <= group.craft
