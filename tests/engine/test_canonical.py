"""One text for one value, on which digests and keyed dice depend."""

from __future__ import annotations

import hashlib
import hmac
import json
import unicodedata
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.canonical import canonical_json, digest, encode_floats
from engine.core.dice import KEY_VERSION, KeyedDice

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


class Colour(StrEnum):
    RED = "red"


def test_keys_are_sorted_without_spaces_or_escapes() -> None:
    assert (
        canonical_json({"b": [1, None, True, "ü"], "a": {}})
        == '{"a":{},"b":[1,null,true,"ü"]}'.encode()
    )


def test_unicode_forms_are_normalised() -> None:
    apart, joined = "e\u0301", "\u00e9"
    assert canonical_json({apart: [apart, {"x": apart}]}) == canonical_json(
        {joined: [joined, {"x": joined}]}
    )


def test_tuples_are_lists_and_text_subclasses_are_texts() -> None:
    assert canonical_json((1, (Colour.RED,))) == canonical_json([1, ["red"]]) == b'[1,["red"]]'
    assert canonical_json({Colour.RED: 1}) == b'{"red":1}'


@pytest.mark.parametrize(
    "value", [1.5, [0.0], {"a": {"b": 2.0}}, {1: "a"}, {"a": {None: 1}}, {"a"}, b"a", object()]
)
def test_values_without_canonical_text_are_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="canonical JSON has"):
        canonical_json(value)


def test_exact_names_each_float_uniquely() -> None:
    assert digest(encode_floats({"x": 0.1})) != digest(encode_floats({"x": 0.1 + 2**-56}))
    assert encode_floats([1, "a", (0.5,)]) == [1, "a", ["0x1.0000000000000p-1"]]


@given(VALUES)
def test_text_round_trips(value: Any) -> None:
    text = canonical_json(value)
    assert canonical_json(json.loads(text)) == text
    assert unicodedata.is_normalized("NFC", text.decode())


def stated(seed: bytes, key: list[Any], sides: int) -> int:
    """Return a keyed die as docs/reference/dice.md describes it."""
    block = hmac.digest(seed, canonical_json(key), hashlib.sha256)
    while True:
        for byte in block:
            if byte < 256 - 256 % sides:
                return byte % sides + 1
        block = hmac.digest(seed, block, hashlib.sha256)


@given(
    st.binary(max_size=80),
    st.lists(st.integers() | st.text(max_size=4), max_size=3),
    st.lists(st.text(min_size=1, max_size=4), max_size=3),
    st.lists(
        st.tuples(st.text(max_size=4), st.text(max_size=4), st.sampled_from([2, 6, 12, 200])),
        max_size=6,
    ),
)
def test_keyed_dice_can_be_verified(
    seed: bytes, context: list[str | int], places: list[str], rolls: list[tuple[str, str, int]]
) -> None:
    dice = KeyedDice(seed, context)
    counts: dict[tuple[str, str], int] = {}
    for place in places:
        dice = dice.at(place)
    for purpose, subject, sides in rolls:
        n = counts.get((purpose, subject), 0)
        counts[purpose, subject] = n + 1
        key = [KEY_VERSION, *context, "/".join(places), purpose, subject, n]
        assert dice.roll(purpose, subject, sides) == stated(seed, key, sides)
