"""Values of scenario files that are a word or a list, as a choice of the form and its ticks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Row = dict[str, Any]

# Choices of the form that no file has.
LISTED = "list"  # the systems that are ticked beside it
NAMED = "named"  # the ships that are named beside it
SEVERAL = "several"  # a result that has several conditions
HEX = "hex"  # the hex in the field beside it
OWN_BASE = "own"  # a tech base whose technologies are ticked beside it
# Words of files for where fleets start.
OWN, ENTRY, ANY = "own", "entry", "any"


def split_choice(row: Row, key: str, words: tuple[str, ...], word_key: str, list_key: str) -> None:
    """Replace a value that is a word or a list by the form's choice and its ticks.

    Args:
        words: The words that the file allows.
        word_key: The field of the choice.
        list_key: The field of the ticks.
    """
    if key not in row:
        return
    value = row.pop(key)
    if isinstance(value, list):
        row[word_key] = LISTED
        row[list_key] = value
    elif value in words or value is None:
        row[word_key] = value
    else:
        row[word_key] = str(value)


def join_choice(row: Row, key: str, word_key: str, list_key: str) -> None:
    """Put the form's choice and its ticks back together; the reverse of `split_choice`."""
    word = row.pop(word_key, None)
    ticks = row.pop(list_key, None)
    if word == LISTED:
        row[key] = ticks or []
    elif word is not None:
        row[key] = word


def unused_key(table: Mapping[str, Any], key: str) -> str:
    """Return the key, with a suffix if the table has it, so that no row of the same key is lost."""
    while key in table:
        key += "-2"
    return key
