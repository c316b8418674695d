"""Empty sheets sealed for who has chosen so: at once where nobody else could see it, else as all that are missing.

When a sheet is sealed, and so when a stage closes early, would tell others that its faction had nothing to decide. So
where anybody else is in the campaign the choice changes what its own players are asked, and nothing else.
"""

from __future__ import annotations

from datetime import datetime

from campaign import models
from campaign.models.campaign import OF_A_FACTION
from campaign.models.stage import DEFAULT
from campaign.rules.orders_default import default_orders
from campaign.rules.queries import in_sight
from campaign.selectors.next_action import is_empty
from campaign.services.due import STAGE_RESOLVE, stage_due, task_enqueue
from campaign.services.orders import submission_write
from campaign.sight import sight_closed
from campaign.stored import scenario_of


def empty_sheet_seal(*, stage: models.Stage, now: datetime) -> bool:
    """Seal the empty sheet of a stage that opens for who plays alone and has chosen so. In the caller's transaction."""
    campaign = stage.branch.campaign
    parts = models.Membership.objects.filter(campaign=campaign).select_related("faction")
    players = {part.user_id: part.faction for part in parts if part.role in OF_A_FACTION}
    factions = {faction for faction in players.values() if faction is not None}
    if len(factions) != 1 or any(part.user_id not in players for part in parts):
        return False
    (faction,) = factions
    if not faction.seals_empty or not is_empty(stage.kind, (view := sight_closed(stage, faction).view)):
        return False
    orders = default_orders(in_sight(scenario_of(campaign), view), view)
    submission_write(stage=stage, faction=faction, orders=orders, source=DEFAULT, now=now)
    if stage_due(stage=stage, now=now):
        task_enqueue(name=STAGE_RESOLVE, row=stage.pk)
    return True
