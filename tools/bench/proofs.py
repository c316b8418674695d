"""Measure what proofs, receipts and abandoned timelines cost: `python -m tools.bench.proofs`.

Each figure is a ratio of processor times in one run, with both variants in turn, so that load on the
machine does not matter much. Uses its own database in memory. Past results are in
tools/bench/results.md.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any
from unittest import mock

ROUNDS = 12
PAGES = ("", "orders/", "map/", "reports/", "ledger/", "receipts/")
PASSWORD = "a long enough pass phrase"


def main() -> None:
    """Print the ratios, with the processor milliseconds of the plain variant."""
    os.environ["DATABASE_URL"] = "sqlite:///:memory:"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    logging.disable(logging.CRITICAL)
    from django.conf import settings
    from django.core.management import call_command

    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0)
    war = War()
    report("resolution with proof", war.resolve_plainly, war.resolve)
    report("seal with receipt", war.seal_plainly, war.seal)
    pages = [(war.page(path), path) for path in PAGES]
    before = {path: median(measure(ask) for _ in range(ROUNDS)) for ask, path in pages}
    war.roll_back_twice()
    for ask, path in pages:
        after = median(measure(ask) for _ in range(ROUNDS))
        name = f"/{path} on a line of three branches"
        print(f"{name}: {after / before[path]:.2f} of {1000 * before[path]:.1f} ms")


def measure(work: Callable[[], object]) -> float:
    """Return the processor seconds of some work."""
    begin = process_time()
    work()
    return process_time() - begin


def report(name: str, plain: Callable[[], object], full: Callable[[], object]) -> None:
    """Measure two variants in turn, and print the ratio of their medians."""
    plain()
    full()
    plains = []
    fulls = []
    for _ in range(ROUNDS):
        plains.append(measure(plain))
        fulls.append(measure(full))
    ratio = median(fulls) / median(plains)
    print(f"{name}: {ratio:.2f} of {1000 * median(plains):.1f} ms")


class War:
    """A war in its second week, with a player and an umpire."""

    def __init__(self) -> None:
        """Create it."""
        from django.contrib.auth.models import User
        from django.test import Client

        from campaign.access import viewer_of
        from campaign.kinds import Role
        from campaign.models import Stage
        from campaign.rules.files import fixture_scenario
        from campaign.services.campaigns import campaign_create, membership_add
        from campaign.services.scenarios import scenario_import
        from umpire.services.wars import campaign_start, seed_from

        scenario = scenario_import(scenario=fixture_scenario("lafayette"))
        self.campaign = campaign_create(scenario=scenario, seed=seed_from(1), dice_key="bench")
        self.faction = self.campaign.factions.order_by("key")[0]
        pia = User.objects.create_user("pia", password=PASSWORD)
        uma = User.objects.create_user("uma", password=PASSWORD)
        campaign_start(campaign=self.campaign)
        membership_add(campaign=self.campaign, user=pia, role=Role.PLAYER, faction=self.faction)
        membership_add(campaign=self.campaign, user=uma, role=Role.UMPIRE)
        self.client = Client()
        self.client.force_login(pia)
        stages = Stage.objects.filter(battle__isnull=True, status="open")
        while (stage := stages.get()).week < 2 or stage.kind != "orders":
            self._resolve_for_good(stage.pk)
        self.stage = stage
        self.umpire = viewer_of(uma, self.campaign.public_id)

    def resolve(self) -> None:
        """Resolve the open stage, and undo it."""
        undone(lambda: self._resolve_for_good(self.stage.pk))

    def resolve_plainly(self) -> None:
        """Resolve it with a row that has no tree."""
        with mock.patch("umpire.services.ledger.outcome_of", return_value="0" * 64):
            self.resolve()

    def seal(self) -> None:
        """Seal orders and sign a receipt, and undo it."""
        from campaign.models import Submission
        from campaign.selectors.receipts import ReceiptSigner

        def work() -> None:
            self._seal_for_good()
            row = Submission.objects.select_related("stage", "faction").latest("pk")
            ReceiptSigner(self.campaign).receipt_of_row(row)

        undone(work)

    def seal_plainly(self) -> None:
        """Seal orders without a receipt."""
        from campaign.models import Submission

        def work() -> None:
            self._seal_for_good()
            Submission.objects.select_related("stage", "faction").latest("pk")

        undone(work)

    def page(self, path: str) -> Callable[[], object]:
        """Return a function that requests a page of the player."""
        return lambda: self._page(path)

    def roll_back_twice(self) -> None:
        """Roll the war back to its first orders and play on, twice."""
        from campaign.models import Stage
        from umpire.services.history import Place, head_place, history_take_back

        for _ in range(2):
            branch = self._fresh().head_branch
            assert branch is not None
            head = head_place(self._fresh())
            branch = history_take_back(
                viewer=self.umpire, to=Place(branch.number, 1), head=head, reason="a benchmark"
            )
            stages = Stage.objects.filter(branch=branch, battle__isnull=True, status="open")
            while (stage := stages.get()).week < 2 or stage.kind != "orders":
                self._resolve_for_good(stage.pk)

    def _fresh(self) -> Any:
        """Return the war as it is stored now."""
        self.campaign.refresh_from_db()
        return self.campaign

    def _page(self, path: str) -> None:
        """Request a page."""
        answer = self.client.get(f"/c/{self.campaign.public_id}/{path}")
        assert answer.status_code == 200, path

    def _seal_for_good(self) -> None:
        """Seal empty orders."""
        from campaign.services.envelopes import envelope_seal
        from campaign.services.orders import WeekOrders

        document = WeekOrders(self.stage, self.faction)
        envelope_seal(document=document, payload={"schema": 1})

    def _resolve_for_good(self, stage: int) -> None:
        """Resolve a stage."""
        from umpire.services.stages import stage_resolve

        stage_resolve(stage=stage, force=True)


class _Undo(Exception):
    """Raised to undo what was measured."""


def undone(work: Callable[[], object]) -> None:
    """Do something and undo it."""
    from django.db import transaction

    try:
        with transaction.atomic():
            work()
            raise _Undo
    except _Undo:
        return


if __name__ == "__main__":
    main()
