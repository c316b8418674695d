"""A weapon's type is written only in its family's file; everything else reads its row."""

from __future__ import annotations

import pytest

from engine.weapons.registry import all_weapons
from tests.sources import source_trees, texts_in

TYPES = tuple(dict.fromkeys(weapon.type for weapon in all_weapons()))

# The same word with another meaning, by module. Names of technologies, loads of fighters and
# gunboats, and the ship builder's names are tables of such words.
OTHERWISE: dict[str, dict[str, str]] = {
    "engine/design/technologies.py": dict.fromkeys(TYPES, "the id of a technology"),
    "engine/craft/fighters.py": dict.fromkeys(TYPES, "what fighters carry"),
    "engine/craft/gunboats.py": dict.fromkeys(TYPES, "what gunboats carry"),
    "engine/notation/ftlibship_export.py": dict.fromkeys(TYPES, "the ship builder's names"),
    "engine/notation/ftjava_names.py": dict.fromkeys(TYPES, "what FTJava calls it"),
    "engine/core/rolls.py": {"beam": "the purpose of a die"},
    "engine/notation/battles.py": {"beam": "the purpose of a die"},
    "engine/weapons/phasers.py": {"needle": "a way of firing"},
    "engine/events/fire.py": {"needle": "the kind of an event"},
    "campaign/drawings/symbols.py": dict.fromkeys(
        ("beam", "battery", "graser", "heavy-graser", "phaser"), "a symbol"
    ),
    "engine/captains/continuum/carriers.py": dict.fromkeys(
        ("graser", "mkp"), "a type of multi-role fighters"
    ),
    "engine/craft/roles.py": dict.fromkeys(("graser", "mkp"), "a type of multi-role fighters"),
    "engine/weapons/registry.py": dict.fromkeys(("beam", "pds"), "how fire looks in films"),
    "engine/continuum/checks.py": {"emp": "the cause of a check"},
}


def words() -> dict[str, frozenset[str]]:
    """Return every separate text of a module, by its path."""
    return {name: texts_in(tree) for name, tree in source_trees().items()}


@pytest.mark.parametrize("type_", TYPES)
def test_type_is_named_by_its_own_file_only(type_: str) -> None:
    files = [
        path
        for path, names in words().items()
        if type_ in names and type_ not in OTHERWISE.get(path, ())
    ]
    assert len(files) == 1, files
    assert files[0].startswith("engine/weapons/")


def test_other_meanings_of_the_word_still_occur() -> None:
    """An exception that is no longer needed must be removed."""
    for path, types in OTHERWISE.items():
        assert any(type_ in words()[path] for type_ in types), path


def test_no_module_checks_type_prefixes() -> None:
    """Names such as `pdaf-` and cut parts of plots would hide a type from the count."""
    beginnings = {f"{type_}-" for type_ in TYPES}
    hidden = [path for path, file_words in words().items() if file_words & beginnings]
    assert hidden == []
