"""docs/reference/designs.md names every type, model, load and modification of designs."""

from __future__ import annotations

from pathlib import Path

from engine.continuum.edition import CONTINUUM
from engine.craft import fighters, gunboats
from engine.design.fleets import LIMITS
from engine.prices.continuum import LOADS

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "designs.md").read_text(
    encoding="utf-8"
)
ROWS = [price for prices in CONTINUUM.system_prices.values() for price in prices]
WORDS = [
    *CONTINUUM.system_prices,
    *dict.fromkeys(row.model for row in ROWS if row.model),
    *dict.fromkeys(flag for row in ROWS for flag in row.flags),
    *(kind for loads in LOADS.values() for kind in loads),
    *(row.type for family in (fighters, gunboats) for row in family.CONTINUUM.types),
    *(mod.name for mod in fighters.CONTINUUM.mods),
    *LIMITS,
    *(key for key in CONTINUUM.yard.notation.design_keys),
    *(key for key in CONTINUUM.yard.notation.system_keys),
]


def test_page_contains_every_word_of_the_notation() -> None:
    assert [word for word in WORDS if f"`{word}`" not in PAGE] == []
