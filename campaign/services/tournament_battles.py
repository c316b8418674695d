"""The battles of a tournament's pairs: opened as campaigns of their own, with both players seated.

The organiser hosts them without a seat, and sees nothing that is hidden. Which player gets which
side is decided by the battle's secret seed.
"""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser

from campaign.access import viewer_of
from campaign.kinds import Role, Source, StageKind
from campaign.models.campaign import Campaign, Faction
from campaign.models.stage import Stage, Submission
from campaign.models.tournament import Tournament, TournamentMatch, TournamentPlayer
from campaign.orders.codec import parse_orders
from campaign.orders.validation import order_violations
from campaign.selectors.due import war_start
from campaign.services.campaigns import campaign_create, membership_add
from campaign.services.orders import submission_write
from campaign.services.seats import COMPUTER, seat_give, seat_leave
from campaign.sight.views import sight_at_stage
from campaign.store.documents import scenario_of
from engine.core import fair
from engine.core.names import LONGEST_NAME


def match_battle_open(
    *, tournament: Tournament, match: TournamentMatch, number: int, now: datetime
) -> Campaign:
    """Open and begin the battle of a pair.

    Args:
        match: The pair, without a battle so far.
        number: The number of the round.
    """
    second = match.second
    if second is None:
        raise ValueError("a pair has two players")
    campaign = campaign_create(
        scenario=tournament.scenario,
        name=_battle_name(tournament, match.first, second, number),
        timetable=tournament.timetable,
        battles=tournament.battles,
        bots=tournament.bots,
    )
    organiser = tournament.organiser
    if organiser is not None:
        Campaign.objects.filter(pk=campaign.pk).update(created_by=organiser.pk)
        membership_add(campaign=campaign, user=organiser, role=Role.HOST)
    factions = list(campaign.factions.order_by("key"))
    if fair.sides_are_swapped(campaign.seed, campaign.dice_key):
        factions.reverse()
    for player, faction in zip((match.first, second), factions, strict=True):
        _seat_player(campaign, player, faction, now)
    match.campaign = campaign
    match.first_faction = factions[0].key
    match.save()
    stage = war_start(campaign=campaign, now=now)
    if tournament.keeps_forces:
        for player, faction in zip((match.first, second), factions, strict=True):
            _seal_earlier_force(tournament, player, faction, stage, now)
    return campaign


def _battle_name(
    tournament: Tournament, first: TournamentPlayer, second: TournamentPlayer, number: int
) -> str:
    """Return the name of a battle; it is a name, and the same in all languages."""
    pair = f" {number}: {first.name} – {second.name}"
    return (tournament.name[: max(LONGEST_NAME - len(pair), 1)] + pair)[:LONGEST_NAME].strip()


def _seat_player(
    campaign: Campaign, player: TournamentPlayer, faction: Faction, now: datetime
) -> None:
    """Give a player the seat, or the computer, which also plays for accounts that are gone."""
    if player.user is None:
        Faction.objects.filter(pk=faction.pk).update(admiral=COMPUTER)
    else:
        seat_give(campaign=campaign, user=player.user, role=Role.PLAYER, faction=faction, now=now)


def _seal_earlier_force(
    tournament: Tournament,
    player: TournamentPlayer,
    faction: Faction,
    stage: Stage,
    now: datetime,
) -> None:
    """Seal the list of ships of the player's first battle again, if it is valid for this side."""
    if stage.kind != StageKind.DEPLOY or player.user_id is None:
        return
    earlier = _first_force(tournament, player.user_id)
    if earlier is None:
        return
    orders, faults = parse_orders(earlier.payload)
    if orders is None or faults:
        return
    view = sight_at_stage(stage, faction).view
    if not order_violations(scenario_of(stage.branch.campaign), view, orders):
        submission_write(
            stage=stage, faction=faction, orders=orders, source=Source.STANDING, now=now
        )


def _first_force(tournament: Tournament, user: int) -> Submission | None:
    """Return the list of ships that a user sealed in the first battle of the tournament."""
    sealed = Submission.objects.filter(
        stage__kind=StageKind.DEPLOY,
        stage__battle__isnull=True,
        stage__branch__campaign__tournament_match__round__tournament=tournament,
        faction__memberships__user_id=user,
        withdrawn_at__isnull=True,
        source=Source.PLAYER,
    )
    return sealed.order_by("pk").first()


def match_player_leave(*, match: TournamentMatch, user: AbstractBaseUser, now: datetime) -> None:
    """Let the computer play on for a player who drops out of an unfinished battle."""
    campaign = match.campaign
    if campaign is None or match.ended_at is not None:
        return
    viewer = viewer_of(user, campaign.public_id)
    if viewer.roles - {Role.HOST}:
        seat_leave(viewer=viewer, now=now)
