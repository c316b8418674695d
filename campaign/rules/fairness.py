"""Commitments to sealed entries, and public ids that reveal nothing.

Seeds and secrets are 32 bytes in hexadecimal, nonces are 16.
"""

from __future__ import annotations

import hashlib
import hmac
import uuid
from collections.abc import Sequence
from typing import Any

from engine.core.canonical import canonical_json, digest, encode_floats

SECRET_BYTES = 32
NONCE_BYTES = 16


def commitment(secret: str) -> str:
    """Return the SHA-256 of a secret's bytes, published before the secret is used."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def keyed(secret: str, *key: str | int) -> bytes:
    """Return the HMAC-SHA256 of a canonical key."""
    return hmac.digest(bytes.fromhex(secret), canonical_json(list(key)), hashlib.sha256)


def scenario_salt(seed: str, dice_key: str) -> str:
    """Return the salt of a war's commitment to its scenario.

    It is published after the war. It follows from the seed, so the server cannot choose it, and the
    seed cannot be computed from it.
    """
    return keyed(seed, "scenario-salt", dice_key).hex()


def scenario_commitment(sha256: str, salt: str) -> str:
    """Return the public commitment to a scenario, which hides its secret objectives.

    Without the salt, an outsider could try likely objectives until the hash of one matches.
    """
    return digest([salt, sha256])


def server_nonce(
    seed: str, dice_key: str, branch: int, stage: int | str, faction: str, revision: int
) -> str:
    """Return the nonce of orders whose client made none.

    It follows from the seed, so the server cannot choose it.
    """
    key = ("nonce", dice_key, branch, stage, faction, revision)
    return keyed(seed, *key)[:NONCE_BYTES].hex()


def orders_digest(payload: dict[str, Any], nonce: str) -> str:
    """Return the digest on a receipt: SHA-256 of the orders' canonical JSON and the nonce's bytes.

    A number with a fraction (a point at which ordnance is aimed) is encoded as a text that names it
    exactly.
    """
    text = canonical_json(encode_floats(payload))
    return hashlib.sha256(text + bytes.fromhex(nonce)).hexdigest()


def digest_root(digests: Sequence[str]) -> str:
    """Return one hash over the digests of all factions, in faction order."""
    return hashlib.sha256(canonical_json(list(digests))).hexdigest()


def outside_id(id_secret: str, kind: str, key: str, viewer: str = "") -> uuid.UUID:
    """Return the public id of an object for a viewer; it reveals neither order nor number.

    Args:
        viewer: A faction's key; empty: everyone.
    """
    return uuid.UUID(bytes=keyed(id_secret, kind, key, viewer)[:16])
