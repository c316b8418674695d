"""A cache in the memory of a process: the same key gives the same value, so nothing in it grows stale.

A key names everything the value depends on. What one faction may know has its view's hash and the faction in its key.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Generic, TypeVar

from django.utils.translation import get_language
from typing_extensions import override

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class ProcessCache(dict[Key, Value], Generic[Key, Value]):
    """Values by key, none of them None, `most` of them; when they are too many all are forgotten. For many threads."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def made(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value of a key; the first time it is made."""
        try:
            return self[key]
        except KeyError:
            return self.keep(key, make())

    def known(self, keys: Iterable[Key]) -> dict[Key, Value]:
        """Of these keys the kept values, whatever other threads forget meanwhile."""
        found = ((key, self.get(key)) for key in keys)
        return {key: value for key, value in found if value is not None}

    def keep(self, key: Key, value: Value) -> Value:
        """The value, kept from now on."""
        if len(self) >= self.most:
            self.clear()
        self[key] = value
        return value


class SpokenCache(ProcessCache[Any, Value], Generic[Key, Value]):
    """The same for what is written in the language of the reader of the moment: each language has its own."""

    @override
    def made(self, key: Key, make: Callable[[], Value]) -> Value:
        return super().made((get_language(), key), make)
