"""Write docs/reference/battle-homes.md from the tables of `campaign.rules.battle_homes`.

bin/reference runs it through `tools.generate`.
"""

from __future__ import annotations

from pathlib import Path

from campaign.rules.battle_homes import KIND_WORDS, TABLES, BattleHome, HomeKind

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "battle-homes.md"


def page() -> str:
    """Return the text of docs/reference/battle-homes.md."""
    lines = [
        "# What a battle file can say in a war",
        "",
        "A [battle file](battles.md) can say more than a battle of a war needs. This page lists every",
        "key of battle files and who decides it in a war. `bin/reference` writes it from",
        "[battle_homes.py](../../campaign/rules/battle_homes.py).",
    ]
    for title, rows in TABLES.items():
        lines += ["", f"## {title}", "", "| key | decided by | how |", "|---|---|---|"]
        for row in rows:
            lines.append(f"| `{row.key}` | {KIND_WORDS[row.kind]} | {_how(row)} |")
    return "\n".join(lines) + "\n"


def _how(row: BattleHome) -> str:
    """Return the last cell of a row: a key in code, or words."""
    if row.kind in (HomeKind.SCENARIO, HomeKind.ORDERS, HomeKind.SET_UP):
        return f"`{row.words}`"
    return row.words
