"""The luck account of a finished war, from the recorded phases of its battles."""

from __future__ import annotations

from collections.abc import Iterator

from campaign.kinds import TABLE
from campaign.lineage import played_on_line
from campaign.models.battle import Battle, BattlePhase
from campaign.models.campaign import Branch
from engine.luck import FoughtBattle, LuckAccount, luck_account


def luck_of(branch: Branch) -> LuckAccount:
    """Return the luck account of the battles on the line of a branch, whose keys are public ids.

    Battles at a table are not in it: their dice are not recorded.
    """
    return luck_account(_fought_battles(branch))


def _fought_battles(branch: Branch) -> Iterator[FoughtBattle]:
    """Yield the battles with recorded phases, one at a time."""
    battles = played_on_line(Battle.objects.all(), branch.pk, "seq").order_by("week", "key")
    for battle in battles.only("pk", "public_id", "start"):
        phases = BattlePhase.objects.filter(battle=battle).order_by("seq")
        events = []
        for phase, lines in phases.values_list("inputs__phase", "events"):
            if phase != TABLE:
                events += lines
        if events:
            yield FoughtBattle(str(battle.public_id), battle.start, events)
