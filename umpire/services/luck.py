"""The luck account of a finished war, from the recorded phases of its battles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from campaign.kinds import TABLE
from campaign.lineage import played_on_line
from campaign.models.battle import Battle, BattlePhase
from campaign.models.campaign import Branch
from engine.luck import FoughtBattle, LuckAccount, luck_account


def luck_of(branch: Branch) -> LuckAccount:
    """Return the luck account of the battles on the line of a branch, whose keys are public ids.

    Battles at a table are not in it: their dice are not recorded.
    """
    battles = played_on_line(Battle.objects.all(), branch.pk, "seq").order_by("week", "key")
    return luck_account(_fought_battles(battles.only("pk", "public_id", "start")))


def luck_in_battle(battle: Battle) -> LuckAccount:
    """Return the luck account of one battle."""
    return luck_account(_fought_battles([battle]))


def _fought_battles(battles: Iterable[Battle]) -> Iterator[FoughtBattle]:
    """Yield those of the battles that have recorded phases, one at a time."""
    for battle in battles:
        phases = BattlePhase.objects.filter(battle=battle).order_by("seq")
        events = []
        for phase, lines in phases.values_list("inputs__phase", "events"):
            if phase != TABLE:
                events += lines
        if events:
            yield FoughtBattle(str(battle.public_id), battle.start, events)
