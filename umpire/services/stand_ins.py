"""Entries for factions that have not sealed: default orders, computer admirals, empty sheets.

At first a faction's standing orders apply. If the timetable says so, a computer admiral takes over
after some weeks without orders, until the players seal again; excused weeks do not count.

Empty sheets are sealed for players who chose so: at once if no other member could notice, and
otherwise with all missing entries. An earlier time, and so an early closing of the stage, would
show others that the faction had nothing to decide. So with other members in the campaign, the
choice changes only what the faction's own players are asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, F, OuterRef, QuerySet

from campaign.kinds import Source, StageEnding, StageKind
from campaign.lineage import played_on_line
from campaign.models.campaign import FACTION_ROLES, Excuse, Faction, Membership
from campaign.models.stage import Stage, Submission
from campaign.orders.defaults import default_orders
from campaign.rules.orders import Orders
from campaign.rules.queries import with_known_designs
from campaign.rules.scenario import Scenario
from campaign.rules.stations import with_known_gates
from campaign.rules.view import View
from campaign.selectors.due import STAGE_RESOLVE, stage_due, task_enqueue
from campaign.selectors.next_action import is_empty
from campaign.services.orders import submission_write
from campaign.sight.views import sight_in_closed_stage
from campaign.store.documents import scenario_of
from campaign.store.war_dice import war_dice
from engine.core.dice import Dice, KeyedDice
from umpire.admirals import orders_for
from umpire.admirals.character import STEADY

# Takes scenario, view, character and the admiral's own dice, and returns orders.
Admiral = Callable[[Scenario, View, str, Dice], Orders]


def orders_missed() -> QuerySet[Submission]:
    """Return the orders made for factions since their players, or the umpire, last sealed some.

    Only the line of the head branch counts. Entries of excused weeks are left out.
    """
    submissions = Submission.objects.filter(stage__kind=StageKind.ORDERS, withdrawn_at__isnull=True)
    # A ruling closed the stage at once: nobody missed it. `how` is null while a stage is open.
    submissions = submissions.exclude(stage__how=StageEnding.RULED)
    on_head_line = played_on_line(
        submissions, F("faction__campaign__head_branch"), "stage__ordinal"
    )
    excuses = Excuse.objects.filter(faction=OuterRef("faction"), week=OuterRef("stage__week"))
    not_excused = on_head_line.filter(~Exists(played_on_line(excuses, OuterRef("stage__branch"))))
    own_orders = not_excused.filter(
        faction=OuterRef("faction"),
        stage__ordinal__gte=OuterRef("stage__ordinal"),
        source__in=(Source.PLAYER, Source.UMPIRE),
    )
    return not_excused.filter(~Exists(own_orders))


def is_absent(stage: Stage, faction: Faction) -> bool:
    """Return whether a computer admiral takes over for a faction that has not sealed a stage.

    This depends on the timetable's `admiral_after`. It is never so in a week for which the faction
    is excused.
    """
    after = stage.branch.campaign.timetable.get("admiral_after")
    excuses = Excuse.objects.filter(faction=faction, week=stage.week)
    if after is None or played_on_line(excuses, stage.branch_id).exists():
        return False
    missed = orders_missed().filter(faction=faction, stage__ordinal__lt=stage.ordinal)
    return missed.count() >= int(after)


def empty_sheet_seal(*, stage: Stage, now: datetime) -> bool:
    """Seal the empty sheet of a new stage for a player without opponents who chose so.

    Runs in the caller's transaction, and returns whether it sealed.
    """
    campaign = stage.branch.campaign
    parts = Membership.objects.filter(campaign=campaign).select_related("faction")
    players = {part.user_id: part.faction for part in parts if part.role in FACTION_ROLES}
    factions = {faction for faction in players.values() if faction is not None}
    if len(factions) != 1 or any(part.user_id not in players for part in parts):
        return False
    (faction,) = factions
    if not faction.seals_empty or not is_empty(
        stage.kind, (view := sight_in_closed_stage(stage, faction).view)
    ):
        return False
    orders = default_orders(with_known_designs(scenario_of(campaign), view), view)
    submission_write(stage=stage, faction=faction, orders=orders, source=Source.DEFAULT, now=now)
    if stage_due(stage=stage, now=now):
        task_enqueue(name=STAGE_RESOLVE, row=stage.pk)
    return True


@dataclass(frozen=True, slots=True)
class StandInEntry:
    """Orders for a faction that sealed none, and their source."""

    orders: Orders
    source: str


def entry_for(stage: Stage, faction: Faction, admiral: Admiral) -> StandInEntry:
    """Return the entry for a faction that sealed none.

    It is the same on each call, because the admiral's dice are keyed.
    """
    view = sight_in_closed_stage(stage, faction).view
    scenario = with_known_designs(scenario_of(stage.branch.campaign, faction.key), view)
    scenario = with_known_gates(scenario, view)
    character = faction.admiral or (STEADY.name if is_absent(stage, faction) else "")
    if not character:
        return StandInEntry(default_orders(scenario, view), Source.DEFAULT)
    dice = admiral_dice(stage).at(faction.key)
    return StandInEntry(admiral(scenario, view, character, dice), Source.ADMIRAL)


def admiral_dice(stage: Stage) -> KeyedDice:
    """Return the admirals' own random stream, separate from the stage's dice."""
    dice = war_dice(stage.branch)
    return dice.dice(dice.admirals(stage.week, stage.kind, stage.ordinal))


# The function that writes orders for factions with a computer admiral.
computer_admiral: Admiral = orders_for
