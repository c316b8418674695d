"""Canonical JSON for digests and keyed dice: each value has one text on every machine.

The text is UTF-8 in NFC, with sorted keys and no spaces. Floats are refused. Where a record must
hold them (positions in a battle, target points of ordnance), `encode_floats` first replaces each
one by its exact hexadecimal text.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from typing import Any

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def canonical_json(value: Any) -> bytes:
    """Return the canonical bytes of a JSON value.

    Raises:
        TypeError: The value contains a float, a key that is not a string, or a type that JSON does
            not have.
    """
    return _encode(_canonical(value)).encode()


def encode_floats(value: Any) -> Any:
    """Return the JSON value with every float replaced by its exact hexadecimal text."""
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, dict):
        return {key: encode_floats(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode_floats(item) for item in value]
    return value


def digest(value: Any) -> str:
    """Return the SHA-256 of the canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def _canonical(value: Any) -> Any:
    """Return a value with all texts in NFC, which refuses what canonical JSON does not have."""
    kind = type(value)
    if kind is str:
        if value.isascii():
            return value
        return unicodedata.normalize("NFC", value)
    if kind is dict:
        return {_key(key): _canonical(item) for key, item in value.items()}
    if kind is list or kind is tuple:
        return [_canonical(item) for item in value]
    return _canonical_other(value)


def _key(key: Any) -> str:
    """Return the key of an object in NFC."""
    if not isinstance(key, str):
        raise TypeError("canonical JSON has only text keys")
    if key.isascii():
        return key
    return unicodedata.normalize("NFC", key)


def _canonical_other(value: Any) -> Any:
    """Handle numbers, booleans, None, and subclasses of str, list and dict."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, (list, tuple)):
        return [_canonical(item) for item in value]
    if isinstance(value, dict):
        return {_key(key): _canonical(item) for key, item in value.items()}
    raise TypeError(f"canonical JSON has no {type(value).__name__}")
