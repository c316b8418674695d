"""The rulebooks (editions) with their names in documents and their titles.

`engine.ruleset` defines what each edition plays by.
"""

from __future__ import annotations

from enum import StrEnum

from engine.core.phrase import phrase


class Edition(StrEnum):
    """A rulebook that battles are fought by."""

    SECOND_EDITION = "second-edition"
    CONTINUUM = "continuum"

    __hash__ = str.__hash__  # the hash of an enumeration is many times slower

    @property
    def package(self) -> str:
        """The package of the rules that only this edition has."""
        return f"engine.{self.name.lower()}"

    @property
    def label(self) -> str:
        """The title of the edition for readers."""
        return _LABELS[self]


_LABELS = {Edition.SECOND_EDITION: phrase("Second edition"), Edition.CONTINUUM: "Continuum"}
EDITIONS = tuple(Edition)
