"""Reads the types as which multi-role fighters can be fitted out, of a battle or of a war."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.edition import Edition
from engine.core.errors import fault_path
from engine.core.phrase import phrase
from engine.craft.roles import CHOICES, CHOSEN_TYPES
from engine.notation.reading import Reader

MULTI_ROLE_KEY = "multi_role"


def read_multi_role(
    reader: Reader, document: Mapping[object, object], edition: str
) -> tuple[str, ...]:
    """Return the types that the players chose for multi-role fighters; faults go to the reader.

    The entry is `multi_role: [torpedo, attack, graser]`.

    Rules: Continuum "Multi-role fighters" 8.15 [pc.multi-role-choice]
    """
    if MULTI_ROLE_KEY not in document:
        return ()
    types = [str(item) for item in reader.items(document, MULTI_ROLE_KEY)]
    if edition == Edition.SECOND_EDITION:
        words = phrase("{} has no multi-role fighters", edition)
        reader.fault(MULTI_ROLE_KEY, "no-multi-role", words)
        return CHOICES
    are_known = True
    for number, type_ in enumerate(types):
        where = fault_path(MULTI_ROLE_KEY, number)
        if type_ not in CHOICES:
            words = phrase("expected one of {}", ", ".join(CHOICES))
            reader.fault(where, "unknown-craft", words)
            are_known = False
        elif type_ in types[:number]:
            reader.fault(where, "twice", phrase("'{}' is listed twice", type_))
            are_known = False
    if len(types) != CHOSEN_TYPES:
        words = phrase("choose exactly {} types of fighters", CHOSEN_TYPES)
        reader.fault(MULTI_ROLE_KEY, "multi-role", words)
        are_known = False
    if not are_known:
        return CHOICES  # so that the settings of bays have no faults of their own
    return tuple(types)
