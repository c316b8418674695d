"""Tournaments: their players, rounds, and the single battle of each pair.

Only the organiser and the players read them. The rows contain results of ended battles alone, so
they reveal nothing about a running one.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from campaign.kinds import MAX_ROUNDS, PAIRINGS, BattleMode
from campaign.models.campaign import Campaign
from campaign.models.constraints import one_of
from campaign.models.scenario import Scenario


class Tournament(models.Model):
    """A tournament of single battles in one scenario with two sides.

    Attributes:
        battles: How its battles are fought: captains, online or table.
        timetable: The timetable of each battle; see `campaign.rules.timetable`.
        rounds: The number of rounds of a Swiss tournament. In a round robin it is ignored.
        win: The points for a win, and for a round without an opponent.
        draw: The points for a draw.
        round_hours: The hours after which a round closes. Null: the organiser closes it.
        keeps_forces: Whether each player's list of ships of the first battle counts for all.
        fills_up: Whether the computer plays if the number of players is odd.
        bots: Whether bots may take part.
        link_number: Counts the invitation links; only the newest is valid.
        started_at: When the first round opened; from then on no player can join.
    """

    public_id = models.UUIDField(unique=True)
    name = models.CharField(max_length=120)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="tournaments"
    )
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, related_name="tournaments")
    battles = models.CharField(max_length=16)
    timetable = models.JSONField()
    pairing = models.CharField(max_length=16)
    rounds = models.PositiveSmallIntegerField()
    win = models.PositiveSmallIntegerField()
    draw = models.PositiveSmallIntegerField()
    round_hours = models.PositiveSmallIntegerField(null=True)
    keeps_forces = models.BooleanField(default=False)
    fills_up = models.BooleanField(default=False)
    bots = models.BooleanField(default=False)
    link_number = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            one_of("tournament", "battles", tuple(BattleMode)),
            one_of("tournament", "pairing", PAIRINGS),
            models.CheckConstraint(
                condition=Q(rounds__gte=1, rounds__lte=MAX_ROUNDS), name="tournament_has_rounds"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(started_at__isnull=False),
                name="tournament_ends_after_its_start",
            ),
        )

    def __str__(self) -> str:
        return self.name


class TournamentPlayer(models.Model):
    """A player of a tournament.

    Attributes:
        user: Null for the computer, and after the account was deleted.
        number: The place in the list of players, from 1; of equal players the earlier comes first.
        dropped_at: When the player dropped out of the running tournament.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="players")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="tournament_seats",
    )
    name = models.CharField(max_length=150)
    number = models.PositiveSmallIntegerField()
    is_computer = models.BooleanField(default=False)
    dropped_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "user"), name="tournament_player_once_a_user"
            ),
            models.UniqueConstraint(
                fields=("tournament", "number"), name="tournament_player_one_of_a_number"
            ),
            models.CheckConstraint(
                condition=Q(is_computer=False) | Q(user__isnull=True),
                name="tournament_player_is_computer_or_user",
            ),
        )

    def __str__(self) -> str:
        return self.name


class TournamentRound(models.Model):
    """A round of a tournament.

    Attributes:
        closes: From then on captains fight its unfinished battles to their end; null: not set.
        ended_at: When its last battle ended.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="round_rows")
    number = models.PositiveSmallIntegerField()
    opened_at = models.DateTimeField()
    closes = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "number"), name="tournament_round_one_of_a_number"
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1), name="tournament_round_number_from_one"
            ),
        )

    def __str__(self) -> str:
        return f"round {self.number} of {self.tournament}"


class TournamentMatch(models.Model):
    """A pair of players in a round and the result of their battle, or a player without an opponent.

    Attributes:
        second: Null: the first player has no opponent in this round.
        first_faction: The key of the faction that the first player has in the battle.
        winner: Null for a draw, and while the battle is not over.
        first_scored: The points that the first player scored in the battle.
        by_organiser: The organiser entered the result.
    """

    round = models.ForeignKey(TournamentRound, on_delete=models.CASCADE, related_name="matches")
    first = models.ForeignKey(TournamentPlayer, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(
        TournamentPlayer, on_delete=models.CASCADE, null=True, related_name="+"
    )
    campaign = models.OneToOneField(
        Campaign, on_delete=models.SET_NULL, null=True, related_name="tournament_match"
    )
    first_faction = models.CharField(max_length=80, blank=True)
    ended_at = models.DateTimeField(null=True)
    winner = models.ForeignKey(
        TournamentPlayer, on_delete=models.CASCADE, null=True, related_name="+"
    )
    first_scored = models.PositiveIntegerField(default=0)
    second_scored = models.PositiveIntegerField(default=0)
    by_organiser = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("round", "first"), name="tournament_match_once_a_round_first"
            ),
            models.UniqueConstraint(
                fields=("round", "second"), name="tournament_match_once_a_round_second"
            ),
            models.CheckConstraint(
                condition=Q(second__isnull=True) | ~Q(second=F("first")),
                name="tournament_match_is_of_two_players",
            ),
            models.CheckConstraint(
                condition=Q(winner__isnull=True) | Q(winner=F("first")) | Q(winner=F("second")),
                name="tournament_match_winner_plays",
            ),
            models.CheckConstraint(
                condition=Q(winner__isnull=True) | Q(ended_at__isnull=False),
                name="tournament_match_winner_when_over",
            ),
        )

    def __str__(self) -> str:
        return f"{self.first} in {self.round}"

    @property
    def players(self) -> tuple[TournamentPlayer, ...]:
        """Return the players of the pair, one or two."""
        return (self.first,) if self.second is None else (self.first, self.second)

    def has_player(self, user_id: int) -> bool:
        """Return whether a user is one of the players."""
        return any(player.user_id == user_id for player in self.players)
