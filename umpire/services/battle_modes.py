"""The umpire sets how one battle is fought, while nobody has fought in it.

The act says that there is a battle, so it stands under its stage's ledger row like every act and is shown to umpires
alone.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from campaign import models
from campaign.access import Viewer, need
from campaign.errors import NotAllowed, NotThere
from campaign.models.battle import CAPTAINS, ONLINE, TABLE, WAITING
from campaign.models.ledger import BATTLE_MODE
from campaign.models.stage import RESOLVED
from campaign.services.acts import act_write, stage_needed
from campaign.services.campaigns import MODES
from campaign.services.due import BATTLES
from campaign.services.seats import due_announce
from engine.core.errors import RuleViolations, Violation
from umpire.services.battle_stops import battle_begin
from umpire.services.tables import tables_open


def battle_mode_set(
    *, viewer: Viewer, battle: models.Battle, mode: str, reason: str = "", now: datetime | None = None
) -> models.Battle:
    """Have a battle fought by captains, online or at a table. Again the same: nothing happens.

    What players were handed before is withdrawn with its stages; a battle is handed out once. Raises NotThere for other
    than umpires, RuleViolations, NotAllowed where it has begun or been handed out, StageIsClosed.
    """
    need(viewer, umpire=True)
    moment = now or timezone.now()
    if battle.branch.campaign_id != viewer.campaign.pk:
        raise NotThere("there is no such battle")
    if mode not in MODES:
        raise RuleViolations([Violation("mode", "unknown-mode", f"must be one of {', '.join(MODES)}")])
    with transaction.atomic():
        weekly = stage_needed(viewer.campaign)
        held = models.Battle.objects.select_for_update().get(pk=battle.pk)
        if held.mode == mode:
            return held
        if held.status != WAITING or weekly.kind != BATTLES or held.stops.exists():
            raise NotAllowed("this battle has already begun or is over")
        if mode != CAPTAINS and held.stages.exists():
            raise NotAllowed("this battle was handed out before")
        facts = {"battle": held.key, "from": held.mode, "to": mode}
        act_write(
            campaign=viewer.campaign,
            stage=weekly,
            actor=viewer.user,
            verb=BATTLE_MODE,
            facts=facts,
            reason=reason,
            now=moment,
        )
        held.stages.exclude(status=RESOLVED).update(status=RESOLVED)
        models.Battle.objects.filter(pk=held.pk).update(mode=mode, state=None)
        held = models.Battle.objects.select_related("branch__campaign__scenario").get(pk=battle.pk)
        if mode == ONLINE:
            battle_begin(held, weekly.from_snapshot, moment)
        elif mode == TABLE:
            tables_open(branch=held.branch, snapshot=weekly.from_snapshot, now=moment)
        else:
            due_announce(weekly, moment)
    return held
