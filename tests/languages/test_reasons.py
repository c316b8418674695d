"""Every reason has its own code, and a text with the same placeholders in every language."""

from __future__ import annotations

import ast
from typing import TypeGuard

import pytest
from django.utils import translation

from engine.core.reason import FREE_TEXT
from engine.core.reason_texts import REASON_TEXTS
from tests.sources import nodes_of, source_trees
from tools.reason_texts import declarations_in, places, reason_texts

# Modules whose faults are stored: of orders, designs, phases and table results.
STORING_MODULES = (
    *(
        "campaign/orders/",
        "campaign/rules/bases",
        "campaign/rules/designs",
        "campaign/rules/fleet_violations",
    ),
    *(
        "campaign/rules/forces",
        "campaign/rules/markers",
        "campaign/rules/movement",
        "campaign/rules/own_keys",
    ),
    *("campaign/rules/rearming", "campaign/rules/towing", "campaign/rules/yards"),
    *(
        "engine/order_requests/",
        "engine/combat/",
        "engine/continuum/",
        "engine/design/",
        "engine/fighters/",
        "engine/movement/",
    ),
    *(
        "engine/notation/fire",
        "engine/notation/flak",
        "engine/notation/orders",
        "engine/notation/reading",
    ),
    *("engine/pieces/", "engine/second_edition/", "engine/table_results/", "engine/weapons/"),
)


def test_table_has_the_text_of_each_code() -> None:
    declared = [
        reason for tree in source_trees().values() for reason in declarations_in(nodes_of(tree))
    ]
    texts, faults = reason_texts(declared, REASON_TEXTS)
    assert faults == []
    assert texts == REASON_TEXTS


@pytest.mark.parametrize("language", ["de", "fr"])
def test_translations_have_the_same_placeholders(language: str) -> None:
    with translation.override(language):
        translations = {code: translation.gettext(text) for code, text in REASON_TEXTS.items()}
    assert [
        code for code, text in REASON_TEXTS.items() if places(translations[code]) != places(text)
    ] == []


@pytest.mark.parametrize(
    ("declared", "stored_texts", "fault"),
    [
        ([("No-Hex", "no hex")], {}, "small letters"),
        ([("no-hex", "no hex"), ("no-hex", "no such hex")], {}, "two texts"),
        ([("no-hex", "no hex"), ("no-place", "no hex")], {}, "one text"),
        ([("no-hex", "no hex {}")], {"no-hex": "no hex"}, "other places"),
    ],
)
def test_wrong_declaration_is_named(
    declared: list[tuple[str, str]], stored_texts: dict[str, str], fault: str
) -> None:
    _, faults = reason_texts(declared, stored_texts)
    assert len(faults) == 1
    assert fault in faults[0]


def test_stored_faults_are_reasons() -> None:
    """A phrase would be stored without a code, and lose its translation when reworded."""
    faults = []
    for name, tree in source_trees().items():
        if name.startswith(STORING_MODULES):
            faults += [
                f"{name}:{node.lineno}" for node in nodes_of(tree) if _is_fault_without_code(node)
            ]
    assert faults == []


def _is_fault_without_code(node: ast.AST) -> TypeGuard[ast.Call]:
    if not isinstance(node, ast.Call) or len(node.args) < 3:
        return False
    function_name = (
        node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    )
    message = node.args[2]
    is_phrase = isinstance(message, ast.Call) and getattr(message.func, "id", "") == "phrase"
    return function_name in ("Violation", "fault") and is_phrase


def test_code_without_a_literal_text_is_refused() -> None:
    with pytest.raises(ValueError, match="a code and a text of its own"):
        list(declarations_in(ast.walk(ast.parse('reason("no-hex", words)'))))


def test_reworded_text_keeps_its_code_and_an_old_code_its_text() -> None:
    texts, faults = reason_texts(
        [("no-hex", "{1} is no hex of {0}")], {"no-hex": "{} has no {}", "gone": "it is gone"}
    )
    assert faults == []
    assert texts == {FREE_TEXT: "{}", "gone": "it is gone", "no-hex": "{1} is no hex of {0}"}
