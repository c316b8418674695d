"""The texts that reasons had when the battery was frozen: its hashes contain them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.reason_texts import REASON_TEXTS

# Texts by code, of the reasons reworded since; gone once the hashes are of codes.
TEXTS_THEN: dict[str, str] = json.loads(
    (Path(__file__).parent / "reason_texts.json").read_text(encoding="utf-8")
)


@pytest.fixture(autouse=True)
def _reason_texts_then(monkeypatch: pytest.MonkeyPatch) -> None:
    for code, text in TEXTS_THEN.items():
        monkeypatch.setitem(REASON_TEXTS, code, text)
