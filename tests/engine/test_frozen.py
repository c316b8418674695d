"""Frozen values that are quick to make are frozen dataclasses in everything else."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, replace
from typing import Any

import pytest

from campaign.rules.world import Pair
from engine.core.frozen import quick


@dataclass(frozen=True, slots=True)
class Usual:
    key: str
    hex: str
    caught: tuple[str, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Quick:
    key: str
    hex: str
    caught: tuple[str, ...] = ()


def test_it_is_made_compared_changed_and_kept_like_any_frozen_value() -> None:
    one = Quick("red/f1", hex="0101")
    assert (one.key, one.hex, one.caught) == ("red/f1", "0101", ())
    assert repr(one) == repr(Usual("red/f1", "0101")).replace("Usual", "Quick")
    assert type(one) is Quick
    assert one == Quick("red/f1", "0101", ())
    assert hash(one) == hash(Usual("red/f1", "0101"))
    assert replace(one, caught=("blue",)) == Quick("red/f1", "0101", ("blue",))
    assert copy.deepcopy(one) == one
    assert asdict(one) == asdict(Usual("red/f1", "0101"))
    pair = Pair("0101", "blue", "red")
    assert pickle.loads(pickle.dumps(pair)) == pair


@pytest.mark.parametrize("name", ["key", "caught", "another"])
def test_nothing_of_it_can_be_set_afterwards(name: str) -> None:
    with pytest.raises((FrozenInstanceError, TypeError)):
        setattr(Quick("red/f1", "0101"), name, "x")
    with pytest.raises((FrozenInstanceError, TypeError)):
        setattr(Usual("red/f1", "0101"), name, "x")


@pytest.mark.parametrize("given", [(), ("red/f1",), ("red/f1", "0101", (), 4)])
def test_what_is_missing_or_too_much_is_refused_as_ever(given: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError):
        Quick(*given)


def test_a_class_that_is_made_otherwise_is_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Listed:
        of: list[str] = field(default_factory=list)

    @dataclass(frozen=True, slots=True)
    class Judged:
        n: int

        def __post_init__(self) -> None:
            assert self.n

    @dataclass(frozen=True)
    class Slotless:
        n: int

    for cls in (Listed, Judged, Slotless):
        with pytest.raises(TypeError, match="not made by setting its fields alone"):
            quick(cls)
