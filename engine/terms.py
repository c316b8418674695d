"""What the players of a battle have agreed on before it begins; no turn changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Terms:
    """The agreed terms of a battle.

    `options`: the edition's options in force, by name.
    """

    options: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """The terms that `dataclasses.asdict` wrote. Raises KeyError for a document of another kind."""
        return cls(options=tuple(document["options"]))


PLAIN = Terms()
