"""The shapes of stored bodies that are no documents and say no number of their own.

Worlds, views, scenarios and orders carry theirs (`campaign.rules.codec`), battles too (`engine.core.schemas`). Which
version of the rules a war is played by: `campaign.selectors.rules`.
"""

from __future__ import annotations

BATTLE_SCHEMA = 2
LEDGER_SCHEMA = 2
CLASS_SCHEMA = 1
