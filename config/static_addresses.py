"""Static files whose addresses are computed once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.contrib.staticfiles.storage import StaticFilesStorage


class KeepsAddresses:
    """A storage that keeps the addresses of files: each page asks for those of eight or more."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.address = lru_cache(maxsize=1024)(self._address)

    def url(self, name: str | None) -> str:
        """Return the address of a file."""
        return self.address(name)

    def _address(self, name: str | None) -> str:
        return str(super().url(name))  # type: ignore[misc]


class PlainFiles(KeepsAddresses, StaticFilesStorage):
    """Static files under their own names."""
