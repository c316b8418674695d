"""Commitments and outside ids: hashes over what people sealed, and names that say nothing.

Seeds and secrets are hexadecimal text of 32 bytes, nonces of 16.
"""

from __future__ import annotations

import hashlib
import hmac
import uuid
from collections.abc import Sequence
from typing import Any

from engine.core.canonical import canonical_json, encode_floats

SECRET_BYTES = 32
NONCE_BYTES = 16


def commitment(secret: str) -> str:
    """The SHA-256 of a secret's bytes: published before it is used."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def keyed(secret: str, *key: str | int) -> bytes:
    """HMAC-SHA256 of a canonical key."""
    return hmac.digest(bytes.fromhex(secret), canonical_json(list(key)), hashlib.sha256)


def server_nonce(
    seed: str, dice_key: str, branch: int, stage: int | str, faction: str, revision: int
) -> str:
    """The nonce of orders whose client made none: it follows from the seed, so the server cannot
    choose it.
    """
    return keyed(seed, "nonce", dice_key, branch, stage, faction, revision)[:NONCE_BYTES].hex()


def orders_digest(payload: dict[str, Any], nonce: str) -> str:
    """The digest a receipt shows: SHA-256 of the canonical JSON of the orders, followed by the
    nonce's bytes.

    A number with a fraction (a point that ordnance is aimed at) stands in it as the text that names
    exactly it.
    """
    return hashlib.sha256(canonical_json(encode_floats(payload)) + bytes.fromhex(nonce)).hexdigest()


def digest_root(digests: Sequence[str]) -> str:
    """One hash over the digests of all factions, in faction order."""
    return hashlib.sha256(canonical_json(list(digests))).hexdigest()


def outside_id(id_secret: str, kind: str, key: str, viewer: str = "") -> uuid.UUID:
    """The id by which `viewer` (a faction's key; empty: everyone) knows a thing: it counts nothing
    and says nothing.
    """
    return uuid.UUID(bytes=keyed(id_secret, kind, key, viewer)[:16])
