"""The editions there are, by the names they have in documents, and what people call them.

What an edition plays by is a row: `engine.ruleset`.
"""

from __future__ import annotations

from enum import StrEnum

from engine.core.phrase import phrase


class Edition(StrEnum):
    """A rulebook that battles are fought by."""

    SECOND_EDITION = "second-edition"
    CONTINUUM = "continuum"

    __hash__ = str.__hash__  # the enumeration's own is many times slower

    @property
    def package(self) -> str:
        """The package in which its own rules stand."""
        return f"engine.{self.name.lower()}"

    @property
    def label(self) -> str:
        """What people call it."""
        return _LABELS[self]


_LABELS = {Edition.SECOND_EDITION: phrase("Second edition"), Edition.CONTINUUM: "Continuum"}
EDITIONS = tuple(Edition)
