"""Canonical JSON: one text for one value, on every machine, for digests and keyed dice.

UTF-8, NFC, sorted keys, no spaces. Floats are refused; where a record must hold them (positions in
a battle, points that ordnance is aimed at), `exact` first turns each into the hexadecimal text that
names exactly that number.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from typing import Any

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def canonical_json(value: Any) -> bytes:
    """The canonical bytes of a JSON value.

    Raises TypeError on floats, on keys that are no strings and on odd types.
    """
    return _encode(_canonical(value)).encode()


def encode_floats(value: Any) -> Any:
    """The same JSON value with every float replaced by its exact hexadecimal text."""
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, dict):
        return {key: encode_floats(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode_floats(item) for item in value]
    return value


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def _canonical(value: Any) -> Any:
    kind = type(value)
    if kind is str:
        return value if value.isascii() else unicodedata.normalize("NFC", value)
    if kind is dict:
        return {_key(key): _canonical(item) for key, item in value.items()}
    if kind is list or kind is tuple:
        return [_canonical(item) for item in value]
    return _canonical_other(value)


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError("canonical JSON has only text keys")
    return key if key.isascii() else unicodedata.normalize("NFC", key)


def _canonical_other(value: Any) -> Any:
    """Numbers, truth values and nothing; texts, lists and tables of types of their own."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, (list, tuple)):
        return [_canonical(item) for item in value]
    if isinstance(value, dict):
        return {_key(key): _canonical(item) for key, item in value.items()}
    raise TypeError(f"canonical JSON has no {type(value).__name__}")
