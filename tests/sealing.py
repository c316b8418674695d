"""Saving, sealing and unsealing in one call each, as tests write them: by stage, by battle online,
by table.
"""

from __future__ import annotations

from typing import Any

from campaign import models
from campaign.selectors.envelopes import Receipt, receipt_of
from campaign.services.envelopes import draft_save, envelope_seal, envelope_unseal
from campaign.services.orders import WeekOrders
from campaign.services.phases import Fight, PhaseOrders
from campaign.services.tables import TableBattle, TableResult


def orders_save(
    *, stage: models.Stage, faction: models.Faction, payload: object, version: int
) -> models.Draft:
    """A draft of a week's orders."""
    return draft_save(document=WeekOrders(stage, faction), payload=payload, version=version)


def orders_seal(*, stage: models.Stage, faction: models.Faction, **options: Any) -> Receipt:
    """A week's orders sealed."""
    return receipt_of(envelope_seal(document=WeekOrders(stage, faction), **options).row)


def orders_unseal(*, stage: models.Stage, faction: models.Faction, **options: Any) -> None:
    """A week's orders taken back."""
    envelope_unseal(document=WeekOrders(stage, faction), **options)


def stop_seal(*, fight: Fight, faction: models.Faction, **options: Any) -> Receipt:
    """Orders at a stop sealed."""
    return receipt_of(envelope_seal(document=PhaseOrders(fight, faction), **options).row)


def stop_unseal(*, fight: Fight, faction: models.Faction, **options: Any) -> None:
    """Orders at a stop taken back."""
    envelope_unseal(document=PhaseOrders(fight, faction), **options)


def table_seal(*, table: TableBattle, faction: models.Faction, **options: Any) -> Receipt:
    """A table's result sealed."""
    return receipt_of(envelope_seal(document=TableResult(table, faction), **options).row)


def table_unseal(*, table: TableBattle, faction: models.Faction, **options: Any) -> None:
    """A table's result taken back."""
    envelope_unseal(document=TableResult(table, faction), **options)
