"""Canonical JSON for digests and keyed dice: each value has one text on every machine.

The text is UTF-8 in NFC, with sorted keys and no spaces. Floats are refused. Where a record must
hold them (positions in a battle, target points of ordnance), `encode_floats` first replaces each
one by its exact hexadecimal text, and `decode_floats` reads them back.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from math import isfinite
from typing import Any

ENCODED_FLOAT = re.compile(r"-?0x[01]\.[0-9a-f]{1,13}p[+-][0-9]+")

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def canonical_json(value: Any) -> bytes:
    """Return the canonical bytes of a JSON value.

    Raises:
        TypeError: The value contains a float, a key that is not a string, or a type that JSON does
            not have.
    """
    return _encode(_canonical(value)).encode()


def encode_floats(value: Any) -> Any:
    """Return the JSON value with every float replaced by its exact hexadecimal text.

    Raises:
        ValueError: A float is infinite or not a number.
    """
    if isinstance(value, float):
        if not isfinite(value):
            raise ValueError("canonical JSON has only finite numbers")
        return value.hex()
    if isinstance(value, dict):
        return {key: encode_floats(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode_floats(item) for item in value]
    return value


def decode_floats(value: Any) -> Any:
    """Return the JSON value that `encode_floats` encoded.

    It is exact only if no text of the value looks like an encoded float; names must not
    (`engine.core.names`).
    """
    if isinstance(value, str):
        return float.fromhex(value) if is_encoded_float(value) else value
    if isinstance(value, dict):
        return {key: decode_floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [decode_floats(item) for item in value]
    return value


def is_encoded_float(text: str) -> bool:
    """Return whether a text is one that `encode_floats` writes for a float."""
    return ENCODED_FLOAT.fullmatch(text) is not None


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
