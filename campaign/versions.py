"""Versions of what is stored: the release whose rules made a row, and the shape of bodies that are no documents.

Worlds, views, scenarios and orders carry their own version (`campaign.rules.codec`).
"""

from __future__ import annotations

RULES_VERSION = "0.4"

REPORT_SCHEMA = 1
BATTLE_SCHEMA = 1
LEDGER_SCHEMA = 1
CLASS_SCHEMA = 1
