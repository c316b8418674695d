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
from collections.abc import Iterable
from math import isfinite
from typing import Any, Final

ENCODED_FLOAT = re.compile(r"-?0x[01]\.[0-9a-f]{1,13}p[+-][0-9]+")

# Types without parts that canonical JSON has; most values of a document are of one of them.
SIMPLE: Final = frozenset((str, int, bool, type(None)))

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def canonical_json(value: Any) -> bytes:
    """Return the canonical bytes of a JSON value.

    Raises:
        TypeError: The value contains a float, a key that is not a string, or a type that JSON does
            not have.
    """
    _check(value)
    text = _encode(value)
    if not text.isascii():
        text = _encode(_normalised(value))
    return text.encode()


def encode_floats(value: Any) -> Any:
    """Return the JSON value with every float replaced by its exact hexadecimal text.

    Raises:
        ValueError: A float is infinite or not a number.
    """
    if isinstance(value, dict):
        return {
            key: item if type(item) in SIMPLE else encode_floats(item)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [item if type(item) in SIMPLE else encode_floats(item) for item in value]
    if isinstance(value, float):
        if not isfinite(value):
            raise ValueError("canonical JSON has only finite numbers")
        return value.hex()
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


def _check(value: Any) -> None:
    """Raise TypeError if a value contains what canonical JSON does not have."""
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise TypeError("canonical JSON has only text keys")
        items: Iterable[Any] = value.values()
    elif isinstance(value, (list, tuple)):
        items = value
    elif value is None or isinstance(value, (str, int)):
        return
    else:
        raise TypeError(f"canonical JSON has no {type(value).__name__}")
    for item in items:
        if type(item) not in SIMPLE:
            _check(item)


def _normalised(value: Any) -> Any:
    """Return a checked value with all texts in NFC."""
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, (list, tuple)):
        return [_normalised(item) for item in value]
    if isinstance(value, dict):
        return {_normalised(key): _normalised(item) for key, item in value.items()}
    return value
