"""The keys of a war's dice and of all that is chosen at random, by the rules of its dice.

The formulas are in `engine.core.fair`. Dice 1: all dice have the seed as their key, and each states
its context. Dice 2, for wars begun since release 1.2: each week, battle, phase and table has a key
of its own, so that each key can be shown without the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.core import fair
from engine.core.dice import KeyedDice
from engine.core.fair import FIRST, KEY_TREE, DiceContext

RULE = "dice"  # key of the ruleset
WEEK, BATTLE, SET_UP = "week", "battle", "setup"
BEGINNING, DECISIONS = "start", "decisions"  # what led to a world in which battles are to be fought


def dice_rules(ruleset: Mapping[str, Any]) -> int:
    """Return the rules of a war's dice, 1 or 2."""
    return int(ruleset.get(RULE, FIRST))


class DiceSpot(NamedTuple):
    """Where dice are rolled: a context, and a place within it.

    Attributes:
        place: Empty if the context is of these dice only.
    """

    context: DiceContext
    place: str

    @property
    def stored(self) -> DiceContext:
        """Return the spot as it is stored with a battle or phase."""
        return [*self.context, self.place] if self.place else self.context


@dataclass(frozen=True, slots=True)
class Moment:
    """A closed stage of the week.

    Attributes:
        digests: Of what was sealed, in faction order.
        entropy: The entropy chain up to and with this stage.
    """

    week: int
    kind: str
    ordinal: int
    digests: Sequence[str]
    entropy: str


@dataclass(frozen=True, slots=True)
class WarDice:
    """The keys of a war's dice.

    Attributes:
        rules: 1 or 2.
        branch: The number of the branch in the keys of dice.
    """

    rules: int
    seed: str
    dice_key: str
    branch: int

    @property
    def is_tree(self) -> bool:
        """Return whether each week and battle has a key of its own."""
        return self.rules >= KEY_TREE

    def week(self, moment: Moment) -> DiceSpot:
        """Return the spot of the dice of a week: catches, repairs, markers."""
        if self.is_tree:
            return _at(self._stage(moment), [WEEK])
        return DiceSpot(self._flat(moment.week, moment.kind, moment.digests), "")

    def battle(self, moment: Moment, key: str) -> DiceSpot:
        """Return the spot of the dice of a battle that captains fight or end."""
        if self.is_tree:
            return _at(self._stage(moment), [BATTLE, key])
        context = self._flat(moment.week, moment.kind, moment.digests)
        return DiceSpot(context, fair.battle_place(key))

    def phase(
        self, week: int, battle: str, phase: tuple[str, int], digests: Sequence[str], entropy: str
    ) -> DiceSpot:
        """Return the spot of the dice of a phase that players ordered.

        Args:
            phase: Its kind and number.
            entropy: The chain up to and with this phase.
        """
        kind, number = phase
        if self.is_tree:
            names = fair.phase_names(self.dice_key, week, battle, number, entropy)
            return _at(names)
        return DiceSpot(self._flat(week, kind, digests), fair.phase_place(battle, number))

    def table(self, week: int, battle: str, entropy: str) -> DiceSpot:
        """Return the spot of the dice that the site rolls for a battle at a table.

        Args:
            battle: Its key, which begins with its hex.
            entropy: The chain before the battles.
        """
        if self.is_tree:
            return _at(fair.table_names(self.dice_key, week, battle, entropy))
        hex_ = battle.partition("/")[0]
        return DiceSpot(fair.table_context(self.dice_key, self.branch, week, hex_), "")

    def admirals(self, week: int, kind: str, ordinal: int) -> DiceSpot:
        """Return the spot of the admirals' own random stream, separate from all dice."""
        if self.is_tree:
            names = fair.choice_names(self.dice_key, self.branch, ordinal)
            return _at(names, [fair.ADMIRAL_STREAM])
        return DiceSpot(fair.admiral_context(self.dice_key, self.branch, week, kind), "")

    def captain_seed(self, week: int, battle: str) -> str:
        """Return the seed of the captains' random stream in a battle, separate from all dice."""
        if self.is_tree:
            names = fair.choice_names(self.dice_key, self.branch, battle)
            return fair.key_of(self.seed, [names, [fair.CAPTAIN_STREAM]]).hex()
        return fair.captain_seed(self.seed, self.dice_key, self.branch, week, battle)

    def set_up_salt(self, seq: int, battle: str, entropy: str) -> bytes:
        """Return the salt of a battle's contact codes and of all that is rolled before it begins.

        Args:
            seq: The number of the snapshot from which it is fought.
            entropy: The chain before the battles.
        """
        if not self.is_tree:
            return fair.contact_salt(self.seed, self.dice_key, self.branch)
        kind = DECISIONS if seq else BEGINNING
        names = fair.stage_names(self.dice_key, seq - 1, kind, entropy)
        return fair.key_of(self.seed, [names, [SET_UP, battle]])

    def nonce(self, place: int | str, faction: str, revision: int) -> str:
        """Return the nonce of orders whose client made none.

        Args:
            place: See `engine.core.fair.stage_place`.
        """
        formula = fair.filled_nonce if self.is_tree else fair.server_nonce
        return formula(self.seed, self.dice_key, self.branch, place, faction, revision)

    def share(self, place: int | str, faction: str) -> str:
        """Return the share of a faction that sent none. For `place` see `nonce`."""
        return fair.server_share(self.seed, self.dice_key, self.branch, place, faction)

    def battle_commitment(self, moment: Moment, key: str) -> str:
        """Return the SHA-256 of a battle's key; empty by rules of dice 1."""
        if not self.is_tree:
            return ""
        path = fair.path_of(self.battle(moment, key).context)
        assert path is not None
        return fair.commitment(fair.key_of(self.seed, path).hex())

    def dice(self, spot: DiceSpot) -> KeyedDice:
        """Return the dice of a spot."""
        dice = fair.dice_of(self.seed, spot.context)
        return dice.at(spot.place) if spot.place else dice

    def _stage(self, moment: Moment) -> fair.Names:
        """Return the names of a stage's key."""
        return fair.stage_names(self.dice_key, moment.ordinal, moment.kind, moment.entropy)

    def _flat(self, week: int, kind: str, digests: Sequence[str]) -> DiceContext:
        """Return a context by rules of dice 1."""
        return fair.stage_context(self.dice_key, self.branch, week, kind, digests)


def _at(*path: fair.Names) -> DiceSpot:
    """Return the spot of dice whose key is at the end of a path of names."""
    return DiceSpot(list(path), "")
