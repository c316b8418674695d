"""The public random values of drand's network "quicknet", which a war can mix into its dice.

A group of organisations publishes a value every three seconds. Each is the SHA-256 of a BLS
signature over the number of its round, so it cannot be chosen or known earlier.

Numbers: https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/info
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.util import find_spec
from typing import Any

RULE = "beacon"  # key of the ruleset
QUICKNET = {
    "source": "quicknet",
    "chain": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    "key": (
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"
        "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
        "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    ),
}
FIRST_ROUND = datetime(2023, 8, 23, 15, 9, 27, tzinfo=UTC)
PERIOD = timedelta(seconds=3)
WAIT = timedelta(seconds=30)  # from the closing of a stage to the earliest round that counts
# From the closing of a stage to the instant at which a worker has its value: the wait for its
# round, the publication, and a tick.
FETCHED_AFTER = timedelta(seconds=40)
SIGNATURE_DIGITS = 96  # hexadecimal, of a compressed point of G1
DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
WEIGHT_BYTES = 16  # of the random factors with which many signatures are checked at once
LIBRARY = "py_ecc"  # computes the pairings; an optional package


@dataclass(frozen=True, slots=True)
class SignedRound:
    """A round with its signature, in hexadecimal."""

    round: int
    signature: str

    @property
    def randomness(self) -> str:
        """Return the public random value, in hexadecimal."""
        return hashlib.sha256(bytes.fromhex(self.signature)).hexdigest()

    @property
    def for_row(self) -> dict[str, Any]:
        """Return the round as the rows of ledgers have it."""
        return {"number": self.round, "randomness": self.randomness}


def has_beacon(ruleset: Mapping[str, Any]) -> bool:
    """Return whether the dice of a war depend on public random values."""
    return RULE in ruleset


def round_after(closed_at: datetime) -> int:
    """Return the round of a stage: the first one at least 30 seconds after its closing."""
    elapsed = closed_at + WAIT - FIRST_ROUND
    return -(-elapsed // PERIOD) + 1


def round_instant(number: int) -> datetime:
    """Return when a round is published."""
    return FIRST_ROUND + (number - 1) * PERIOD


def is_signature(text: object) -> bool:
    """Return whether a value has the form of a signature: 96 lower-case hexadecimal digits."""
    if not isinstance(text, str) or len(text) != SIGNATURE_DIGITS:
        return False
    return all(digit in "0123456789abcdef" for digit in text)


@cache
def can_verify() -> bool:
    """Return whether the package that checks signatures is installed."""
    return find_spec(LIBRARY) is not None


def are_signed(rounds: Sequence[SignedRound]) -> bool:
    """Return whether the network has signed all of these rounds.

    Many signatures cost hardly more than one: the sums of signatures and of messages are compared,
    each weighted by a factor that could not be known when the signatures were made.

    Raises:
        ModuleNotFoundError: The optional package is not installed; ask `can_verify` first.
    """
    from campaign.rules.pairings import (
        G2,
        Z1,
        add,
        curve_order,
        decompress_G1,
        decompress_G2,
        final_exponentiate,
        hash_to_G1,
        is_inf,
        multiply,
        neg,
        pairing,
    )

    messages, signatures = Z1, Z1
    for signed, weight in zip(rounds, _weights(rounds), strict=True):
        if signed.round < 1 or not is_signature(signed.signature):
            return False
        message = hashlib.sha256(signed.round.to_bytes(8, "big")).digest()
        try:
            point = decompress_G1(int(signed.signature, 16))
        except ValueError:
            return False
        if is_inf(point) or not is_inf(multiply(point, curve_order)):
            return False
        signatures = add(signatures, multiply(point, weight))
        messages = add(messages, multiply(hash_to_G1(message, DOMAIN, hashlib.sha256), weight))
    key = bytes.fromhex(QUICKNET["key"])
    half = len(key) // 2
    key_point = decompress_G2((int.from_bytes(key[:half]), int.from_bytes(key[half:])))
    product = pairing(G2, signatures, final_exponentiate=False)
    product *= pairing(key_point, neg(messages), final_exponentiate=False)
    return bool(final_exponentiate(product) == type(product).one())


def unsigned_rounds(rounds: Sequence[SignedRound]) -> list[SignedRound]:
    """Return the rounds that the network has not signed."""
    if not rounds or are_signed(rounds):
        return []
    return [signed for signed in rounds if not are_signed([signed])]


def _weights(rounds: Sequence[SignedRound]) -> list[int]:
    """Return an odd factor for each round; all signatures together decide on it."""
    whole = hashlib.sha256()
    for signed in rounds:
        whole.update(f"{signed.round}:{signed.signature}\n".encode())
    weights = []
    for number in range(len(rounds)):
        block = hashlib.sha256(whole.digest() + number.to_bytes(8, "big")).digest()
        weights.append(int.from_bytes(block[:WEIGHT_BYTES]) | 1)
    return weights
