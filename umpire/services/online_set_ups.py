"""Set-ups that players sealed in an online battle which captains fight after all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from campaign.kinds import BattleMode, Source
from campaign.models.battle import Battle
from campaign.models.stage import Submission
from campaign.rules.orders import BattleSetUp, Orders
from engine.core.state import SET_UP


def with_online_set_ups(battle: Battle, orders: Mapping[str, Orders]) -> dict[str, Orders]:
    """Return the orders of a battles stage with what was sealed in the set-up of a battle.

    An umpire can hand an online battle to captains before its set-up has ended. Places that were
    sealed in the battle take precedence over those in the week's orders.
    """
    result = dict(orders)
    if battle.mode != BattleMode.CAPTAINS:
        return result
    hex_ = battle.key.partition("/")[0]
    entries = Submission.objects.filter(
        stage__battle=battle,
        stage__kind=SET_UP,
        source=Source.PLAYER,
        withdrawn_at__isnull=True,
    )
    for entry in entries.select_related("faction").order_by("stage__ordinal"):
        own = result.get(entry.faction.key, Orders())
        old = next((item for item in own.set_up if item.hex == hex_), BattleSetUp(hex_))
        item = replace(old, ships={**old.ships, **entry.payload[SET_UP]})
        others = tuple(other for other in own.set_up if other.hex != hex_)
        result[entry.faction.key] = replace(own, set_up=(*others, item))
    return result
