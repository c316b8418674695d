"""Set-ups of battles that have not begun: what the week's orders and the online set-up say."""

from __future__ import annotations

from collections.abc import Mapping

from campaign.kinds import BY_PLAYERS, StageKind
from campaign.models.battle import Battle
from campaign.models.stage import Stage, Submission
from campaign.orders.codec import parse_orders
from campaign.rules.orders import Orders
from campaign.selectors.truth import snapshot_before_battles, world_of
from campaign.store.documents import true_scenario_of
from engine.core.state import SET_UP
from engine.notation.battle_file import BattleFileDocument
from umpire.adjudication.battles import battle_doctrines
from umpire.adjudication.set_ups import with_sealed_places, with_set_ups
from umpire.services.ledger import sealed_entries
from umpire.services.records import start_of


def with_online_set_ups(battle: Battle, orders: Mapping[str, Orders]) -> dict[str, Orders]:
    """Return the orders of a battles stage with what players sealed in the set-up of a battle.

    An umpire can hand an online battle to captains before its set-up has ended.
    """
    entries = Submission.objects.filter(
        stage__battle=battle,
        stage__kind=SET_UP,
        source__in=BY_PLAYERS,
        withdrawn_at__isnull=True,
    )
    sealed = []
    for entry in entries.select_related("faction").order_by("stage__ordinal"):
        sealed.append((entry.faction.key, entry.payload[SET_UP]))
    return with_sealed_places(orders, battle.key.partition("/")[0], sealed)


def planned_start(battle: Battle) -> BattleFileDocument:
    """Return the file of a battle that has not begun, with all ships where they would begin now.

    The places are those of the sealed orders, else those that captains propose.
    """
    campaign = battle.branch.campaign
    world = world_of(snapshot_before_battles(battle=battle))
    engagement = next(item for item in world.engagements if item.key == battle.key)
    weekly = Stage.objects.filter(
        branch=battle.branch, week=battle.week, kind=StageKind.BATTLES, battle__isnull=True
    ).first()
    orders: dict[str, Orders] = {}
    for entry in sealed_entries(weekly) if weekly is not None else ():
        sealed, _ = parse_orders(entry.payload)
        if sealed is not None:
            orders[entry.faction.key] = sealed
    doctrines = battle_doctrines(true_scenario_of(campaign), world, engagement, orders)
    set_ups = with_online_set_ups(battle, orders)
    return with_set_ups(start_of(battle), engagement, set_ups, doctrines)
