"""Checks a moved site: every document is read, every chain is verified."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.management import call_command
from django.db import connection
from django.db.models import QuerySet

from campaign.models.battle import Battle, BattlePhase
from campaign.models.campaign import Branch, Campaign
from campaign.models.knowledge import BATTLE_REPORT, PHASE_SHEET, Report, View
from campaign.models.scenario import Scenario
from campaign.models.stage import Draft, Submission
from campaign.models.truth import Snapshot
from campaign.orders.codec import parse_orders
from campaign.rules import codec, view
from campaign.rules import scenario as scenarios
from campaign.rules.upgrades import PHASE_ORDERS
from campaign.selectors.rules import rules_now
from campaign.selectors.truth import upgraded_phases, world_of
from campaign.store.documents import report_body
from engine.view.event_reader import read_events
from tools.prerelease.documents import kind_of_orders
from tools.prerelease.tables import CannotMove
from umpire.services.ledger_checks import ledger_faults
from umpire.services.records import battle_of, result_of, start_of, week_events_of

CHUNK = 200  # rows in memory at a time


def check_site() -> None:
    """Check the whole site.

    Raises:
        CannotMove: A chain is broken.
        Exception: A document cannot be read.
    """
    connection.check_constraints()
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
    _read_world()
    _read_battles()
    _read_reports()
    _read_orders(Draft.objects.select_related("stage"))
    _read_orders(Submission.objects.select_related("stage"))
    for campaign in _rows(Campaign.objects.all()):
        rules_now(campaign).version_in(0)
    for branch in _rows(Branch.objects.select_related("campaign")):
        if faults := ledger_faults(branch=branch):
            raise CannotMove(f"the ledger of branch {branch.pk} is broken: {faults[0]}")


def _read_world() -> None:
    for row in _rows(Scenario.objects.all()):
        codec.from_document(scenarios.Scenario, row.body)
    for row in _rows(Snapshot.objects.select_related("branch__campaign")):
        world_of(row)
        week_events_of(row)
    for row in _rows(View.objects.all()):
        codec.from_document(view.View, row.body)


def _read_battles() -> None:
    for row in _rows(Battle.objects.select_related("branch__campaign")):
        start_of(row)
        if row.state is not None:
            battle_of(row)
        if row.result is not None:
            result_of(row)
        for stop in upgraded_phases(BattlePhase.objects.filter(battle=row)):
            read_events(stop.events)
            for stop_view in stop.views.values():
                read_events(stop_view["log"])


def _read_reports() -> None:
    for row in _rows(Report.objects.all()):
        body = report_body(row.kind, row.schema, row.body)
        if row.kind == BATTLE_REPORT:
            for stop in body["phases"]:
                read_events(stop["log"] if stop else ())
        if row.kind == PHASE_SHEET:
            read_events(body["log"])


def _read_orders(query: QuerySet[Any]) -> None:
    for row in _rows(query):
        kind = kind_of_orders(row.stage.kind, row.stage.battle_id)
        if kind == "orders":
            parse_orders(row.payload)
        elif kind == "stop-orders":
            PHASE_ORDERS.upgrade(row.payload)


def _rows(query: QuerySet[Any]) -> Iterable[Any]:
    last = 0
    while rows := list(query.filter(pk__gt=last).order_by("pk")[:CHUNK]):
        yield from rows
        last = rows[-1].pk
