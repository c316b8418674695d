"""Presets: sets of options and of allowed systems for a new war (fixtures/presets.yaml)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.edition import EDITIONS
from engine.core.errors import RuleViolations
from engine.core.phrase import phrase
from engine.design.restrictions import NO_RESTRICTIONS, Restrictions
from engine.notation.reading import Reader
from engine.notation.restrictions import RESTRICTION_KEYS, read_restrictions
from engine.ruleset import option_violations

KEYS = ("slug", "name", "words")
ROW_WORDS = (phrase("expected a list"), phrase("expected keys and values"))  # for wrong rows


@dataclass(frozen=True, slots=True)
class Preset:
    """A set of options and restrictions of one edition.

    Attributes:
        words: What it means, in a sentence.
    """

    slug: str
    name: str
    words: str
    options: tuple[str, ...]
    restrictions: Restrictions = NO_RESTRICTIONS


def read_presets(data: object, edition: str) -> tuple[Preset, ...]:
    """Return the presets of an edition, in the order of their file.

    Raises:
        RuleViolations: With every fault of the file.
    """
    reader = Reader()
    presets = []
    for row, where in reader.rows(data, (*KEYS, *EDITIONS), "", ROW_WORDS):
        choice = row.get(edition)
        if not isinstance(choice, Mapping):
            continue
        options, restrictions = _choice(reader, choice, edition)
        preset = Preset(
            slug=reader.text(row, "slug", where),
            name=phrase(reader.text(row, "name", where)),
            words=phrase(reader.text(row, "words", where)),
            options=options,
            restrictions=restrictions,
        )
        presets.append(preset)
    if reader.faults:
        raise RuleViolations(reader.faults)
    return tuple(presets)


def _choice(
    reader: Reader, choice: Mapping[Any, Any], edition: str
) -> tuple[tuple[str, ...], Restrictions]:
    """Return the options and restrictions of a preset for an edition."""
    reader.keys(choice, ("options", *RESTRICTION_KEYS), edition)
    options = tuple(str(name) for name in reader.items(choice, "options", edition, default=()))
    reader.faults.extend(option_violations(edition, options))
    return options, read_restrictions(reader, choice, edition)
