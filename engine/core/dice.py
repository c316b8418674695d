"""Dice with one interface and three sources: seeded, keyed and scripted.

No other module imports `random`.

Every roll names its purpose (the kind of die: `beam`, `threshold`, ...) and its subject (a stable
key of whatever the die is rolled for).
"""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from engine.core.canonical import canonical_json
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

KEY_VERSION = 1
BLOCK = 64  # bytes; the block size of SHA-256, to which HMAC pads its key
# Tables that combine each byte of a key with the inner or outer pad of HMAC (RFC 2104).
INNER_PAD = bytes(byte ^ 0x36 for byte in range(256))
OUTER_PAD = bytes(byte ^ 0x5C for byte in range(256))


class Roll(NamedTuple):
    """A die that was rolled.

    Attributes:
        number: How many dice with the same place, purpose and subject were rolled before.
    """

    place: str
    purpose: str
    subject: str
    number: int
    sides: int
    value: int


class Dice:
    """Dice from a seed, and the interface of all dice.

    The sequence is the same on every machine because it uses only `random.Random.random()`.

    Attributes:
        used: The number of dice rolled so far for each purpose.
    """

    __slots__ = ("_random", "used")

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(str(seed)).random
        self.used: dict[str, int] = {}

    def roll(self, purpose: str, subject: str, sides: int = 6) -> int:
        """Roll one die, 1 to `sides`."""
        self.used[purpose] = self.used.get(purpose, 0) + 1
        return int(self._random() * sides) + 1

    def at(self, place: str) -> Dice:
        """Return these dice for a place, such as a battle or a turn.

        Keyed dice add the place to their key; other dice ignore it.
        """
        return self

    def memory(self, place: str) -> Any:
        """Return the JSON that `recall` needs to continue from here.

        Args:
            place: Where the next die is rolled.
        """
        return dict(self.used)

    def recall(self, memory: Any) -> None:
        """Continue where other dice with the same seed stopped."""
        self.used = dict(memory)
        for _ in range(sum(self.used.values())):
            self._random()


class KeyedDice(Dice):
    """Dice that anyone can verify once the seed is published.

    Each die is an HMAC of its purpose, so no die depends on the order of rolls. The message of a
    die is the canonical JSON of [KEY_VERSION, *context, place, purpose, subject, count], where
    `count` is the number of earlier dice with the same place, purpose and subject. `context` is the
    beginning of the key: campaign, branch, week, stage, digest root. If a key serves one context
    only (rules of dice 2), `context` is None and the message is [place, purpose, subject, count].

    The part of the message that all dice of a place share is hashed once. The two hashes of HMAC
    are combined here because the `hmac` module takes four times as long.
    """

    __slots__ = ("_context", "_counts", "_hashes", "_place", "_seed")

    def __init__(self, seed: bytes, context: Sequence[str | int] | None = None) -> None:
        self._seed = seed
        self._context = None if context is None else tuple(context)
        self._place = ""
        self._hashes: tuple[hashlib._Hash, hashlib._Hash] | None = None
        self._counts: dict[tuple[str, str, str], int] = {}
        self.used = {}

    def roll(self, purpose: str, subject: str, sides: int = 6) -> int:
        self.used[purpose] = self.used.get(purpose, 0) + 1
        counter_key = (self._place, purpose, subject)
        count = self._counts.get(counter_key, 0)
        self._counts[counter_key] = count + 1
        if self._hashes is None:
            beginning = canonical_json([*_message_start(self._context), self._place])[:-1]
            inner, outer = _hmac_start(self._seed)
            inner = inner.copy()
            inner.update(beginning)
            self._hashes = inner, outer
        base, outer = self._hashes
        inner = base.copy()
        outer = outer.copy()
        inner.update(b",%b,%b,%d]" % (_cached_json(purpose), _cached_json(subject), count))
        outer.update(inner.digest())
        return die_from(self._seed, outer.digest(), sides)

    def at(self, place: str) -> KeyedDice:
        other = KeyedDice(self._seed, self._context)
        other._place = f"{self._place}/{place}" if self._place else place
        other._counts = self._counts
        other.used = self.used
        return other

    def memory(self, place: str) -> Any:
        """Return the number of dice rolled at a place inside this one, by purpose and subject."""
        full_place = f"{self._place}/{place}" if self._place else place
        result = []
        for (dice_place, purpose, subject), count in self._counts.items():
            if dice_place == full_place or dice_place.startswith(f"{full_place}/"):
                result.append([dice_place, purpose, subject, count])
        return result

    def recall(self, memory: Any) -> None:
        for dice_place, purpose, subject, count in memory:
            self._counts[dice_place, purpose, subject] = count


class RecordingDice(KeyedDice):
    """Keyed dice that keep a list of what was rolled.

    Attributes:
        rolls: All dice of these dice and of those made with `at`, in the order of rolling.
    """

    __slots__ = ("rolls",)

    def __init__(self, seed: bytes, context: Sequence[str | int] | None = None) -> None:
        super().__init__(seed, context)
        self.rolls: list[Roll] = []

    def roll(self, purpose: str, subject: str, sides: int = 6) -> int:
        count = self._counts.get((self._place, purpose, subject), 0)
        value = super().roll(purpose, subject, sides)
        self.rolls.append(Roll(self._place, purpose, subject, count, sides, value))
        return value

    def at(self, place: str) -> RecordingDice:
        other = RecordingDice(self._seed, self._context)
        other._place = f"{self._place}/{place}" if self._place else place
        other._counts = self._counts
        other.used = self.used
        other.rolls = self.rolls
        return other


class ScriptedDice(Dice):
    """A queue of dice for each purpose, first in first out.

    Rolling for a purpose whose queue is empty raises an error that names the purpose.
    """

    __slots__ = ("_queues",)

    def __init__(self, queues: Mapping[str, Sequence[int]]) -> None:
        self._queues = {purpose: list(reversed(values)) for purpose, values in queues.items()}
        self.used = {}

    def roll(self, purpose: str, subject: str, sides: int = 6) -> int:
        queue = self._queues.get(purpose)
        if not queue:
            words = phrase(
                "there is no die left in the list for '{}' (needed for {})", purpose, subject
            )
            raise RuleViolations([Violation(f"dice.{purpose}", "dice-run-dry", words)])
        value = queue.pop()
        if not 1 <= value <= sides:
            words = phrase("{} is not on a D{} (list '{}', for {})", value, sides, purpose, subject)
            raise RuleViolations([Violation(f"dice.{purpose}", "die-out-of-range", words)])
        self.used[purpose] = self.used.get(purpose, 0) + 1
        return value


class LeadingDice(ScriptedDice):
    """Dice given for some purposes, which are rolled before those of another source.

    Each purpose has its queue; once it is empty, or for a purpose without one, the other source is
    rolled. The queues are shared by all dice made with `followed_by`.
    """

    __slots__ = ("_rest",)

    def __init__(self, queues: Mapping[str, Sequence[int]]) -> None:
        super().__init__(queues)
        self._rest: Dice = NO_DICE

    def followed_by(self, rest: Dice) -> LeadingDice:
        """Return the dice that remain in the queues, and after them those of `rest`."""
        other = LeadingDice({})
        other._queues = self._queues
        other._rest = rest
        other.used = rest.used
        return other

    def roll(self, purpose: str, subject: str, sides: int = 6) -> int:
        if self._queues.get(purpose):
            return super().roll(purpose, subject, sides)
        return self._rest.roll(purpose, subject, sides)

    def at(self, place: str) -> LeadingDice:
        return self.followed_by(self._rest.at(place))


# For places where no rule may roll: any roll is an error that names its purpose
NO_DICE = ScriptedDice({})


def _hmac_start(seed: bytes) -> tuple[hashlib._Hash, hashlib._Hash]:
    """Return the inner and outer hash of an HMAC-SHA256 by a key, before any message (RFC 2104)."""
    key = hashlib.sha256(seed).digest() if len(seed) > BLOCK else seed
    block = key.ljust(BLOCK, b"\0")
    return hashlib.sha256(block.translate(INNER_PAD)), hashlib.sha256(block.translate(OUTER_PAD))


@lru_cache(maxsize=4096)
def _cached_json(text: str) -> bytes:
    """Return the canonical JSON of a purpose or subject; few values, each used by many dice."""
    return canonical_json(text)


def _message_start(context: Sequence[str | int] | None) -> list[str | int]:
    """Return the beginning of the message of each die of a context."""
    return [] if context is None else [KEY_VERSION, *context]


def keyed_die(seed: bytes, context: Sequence[str | int] | None, roll: Roll) -> int:
    """Return the value that a die of a context must have; the roll's own value is not used."""
    names = [roll.place, roll.purpose, roll.subject, roll.number]
    key = [*_message_start(context), *names]
    return die_from(seed, hmac.digest(seed, canonical_json(key), hashlib.sha256), roll.sides)


def die_from(seed: bytes, block: bytes, sides: int) -> int:
    """Convert the HMAC-SHA256 of a message to a die.

    The die is taken from the first byte below the greatest multiple of `sides`. If every byte is
    above it, the HMAC of the block is used instead.
    """
    limit = 256 - 256 % sides
    while True:
        for byte in block:
            if byte < limit:
                return byte % sides + 1
        block = hmac.digest(seed, block, hashlib.sha256)
