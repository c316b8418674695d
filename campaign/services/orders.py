"""A faction's orders for a stage of the week, as the document of that stage's envelope."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from campaign.kinds import BattleSetting, StageKind
from campaign.models.campaign import Faction
from campaign.models.stage import Stage, Submission
from campaign.orders.codec import orders_payload, parse_orders
from campaign.orders.defaults import default_orders
from campaign.orders.registry import stored_items
from campaign.orders.take_command import CAPTAIN, TAKE_COMMAND
from campaign.orders.validation import limit_faults, order_violations
from campaign.rules.orders import Orders
from campaign.rules.view import View
from campaign.selectors.due import STAGE_RESOLVE, stage_due, task_enqueue
from campaign.selectors.envelopes import Document
from campaign.services.campaigns import battle_setting_of
from campaign.services.envelopes import envelope_write
from campaign.sight.views import sight_at_stage
from campaign.store.documents import scenario_of
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase


class WeekOrders(Document):
    """The orders of a stage of the week, of any kind.

    All factions seal them in every stage, even if they have nothing to order.
    """

    noun = "orders"

    def __init__(self, stage: Stage, faction: Faction, view: View | None = None) -> None:
        """Make the document, with the faction's view in this stage if it is already loaded."""
        super().__init__(faction)
        self._stage = stage
        self._loaded_view = view

    @property
    def stage(self) -> Stage:
        return self._stage

    @property
    def view(self) -> View:
        """Return the faction's view in this stage, by which its orders are checked."""
        if self._loaded_view is None:
            return sight_at_stage(self.stage, self.faction).view
        return self._loaded_view

    def faults(self, payload: object) -> tuple[Violation, ...]:
        orders, violations = parse_orders(payload)
        if orders is None:
            return violations
        return (
            *violations,
            *order_violations(scenario_of(self.stage.branch.campaign), self.view, orders),
            *self._command_faults(orders),
        )

    def _command_faults(self, orders: Orders) -> list[Violation]:
        """Return the fault of taking command in a war that does not offer it."""
        if not TAKE_COMMAND.items(orders) or self.offers_command:
            return []
        words = phrase("in this war players do not choose who commands a battle")
        return [Violation(TAKE_COMMAND.key, "not-offered", words)]

    @property
    def offers_command(self) -> bool:
        """Whether the faction chooses in this stage who commands its battles."""
        setting = battle_setting_of(self.stage.branch.campaign)
        return self.stage.kind == StageKind.DECISIONS and setting == BattleSetting.MIXED

    def last_command(self) -> str:
        """Return who was to command the last battle for which the faction chose, or the captain."""
        rows = Submission.objects.filter(
            faction=self.faction,
            stage__kind=StageKind.DECISIONS,
            stage__opens__lt=self.stage.opens,
            withdrawn_at__isnull=True,
            payload__has_key=TAKE_COMMAND.key,
        )
        newest = rows.order_by("-stage__opens").values_list("payload", flat=True).first()
        if newest is None:
            return CAPTAIN
        items = stored_items(newest, TAKE_COMMAND)
        return str(items[-1]["by"]) if items else CAPTAIN

    def canonical(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        orders, violations = parse_orders(payload)
        if orders is None:
            raise RuleViolations(violations)
        return orders_payload(orders)

    def default(self) -> dict[str, Any]:
        return orders_payload(default_orders(scenario_of(self.stage.branch.campaign), self.view))

    def size_faults(self, payload: Mapping[str, Any]) -> tuple[Violation, ...]:
        return tuple(limit_faults(self.view, payload))

    def after_seal(self, now: datetime) -> None:
        """Start resolving the stage if all sides have sealed and its clock allows it."""
        if stage_due(stage=self.stage, now=now):
            task_enqueue(name=STAGE_RESOLVE, row=self.stage.pk)


def submission_write(
    *,
    stage: Stage,
    faction: Faction,
    orders: Orders,
    source: str,
    nonce: str = "",
    author: AbstractBaseUser | None = None,
    now: datetime,
) -> Submission:
    """Store a sealed entry whose orders are already checked.

    The caller has locked the stage. Raises AlreadySealed.
    """
    payload = orders_payload(orders)
    return envelope_write(
        stage=stage,
        faction=faction,
        payload=payload,
        source=source,
        nonce=nonce,
        author=author,
        now=now,
    )
