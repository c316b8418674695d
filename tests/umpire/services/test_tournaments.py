"""Tournaments on the site: rounds, results, byes, players who drop out, closed rounds."""

from __future__ import annotations

from datetime import timedelta

import pytest

from campaign.errors import NotAllowed, NotFound
from campaign.models import Campaign, Notification, Stage, Submission, Tournament, TournamentMatch
from campaign.selectors.due import STAGE_RESOLVE
from campaign.selectors.tournaments import (
    link_token,
    match_campaigns_of,
    tournament_of,
    tournament_of_link,
    tournament_sheet,
    tournaments_of,
)
from campaign.services.tournaments import (
    link_renew,
    match_settle,
    player_remove,
    round_close,
    round_extend,
    round_open,
    tournament_finish,
    tournament_join,
    tournament_leave,
)
from engine.core.errors import RuleViolations
from jobs.models import Job
from tests.umpire.services.mustered_battle import FLEET, deployment, scenario_file, seal
from tests.umpire.services.tournament_site import (
    NOW,
    fight_all,
    open_tournament,
    user_named,
)
from umpire.services.tournaments import battles_end, results_store

pytestmark = [pytest.mark.django_db, pytest.mark.rule("camp.tournament")]


def begin(tournament: Tournament, hours: int = 0) -> None:
    """Open the next round as the organiser."""
    moment = NOW + timedelta(hours=hours)
    round_open(user=user_named("olga"), public_id=tournament.public_id, now=moment)


def pairs(tournament: Tournament) -> list[tuple[str, str]]:
    """Return the names of the pairs of the newest round; "" for no opponent."""
    newest = tournament_sheet(tournament).newest_round
    assert newest is not None
    result = []
    for match in newest.matches:
        result.append((match.first.name, match.second.name if match.second else ""))
    return result


def settle_all(tournament: Tournament) -> None:
    """Enter a draw for all battles of the newest round, as the organiser."""
    for number, (_, second) in enumerate(pairs(tournament), start=1):
        if second:
            match_settle(
                user=user_named("olga"),
                public_id=tournament.public_id,
                number=number,
                winner="draw",
                scored=(0, 0),
                now=NOW,
            )


def bodies(name: str) -> list[str]:
    rows = Notification.objects.filter(user__username=name, body__startswith="Friday Cup:")
    return list(rows.order_by("pk").values_list("body", flat=True))


def test_a_tournament_is_played_from_the_first_round_to_the_final_table() -> None:
    tournament = open_tournament("ann", "bob", "cat", rounds=2)
    begin(tournament)
    assert pairs(tournament) == [("ann", "bob"), ("cat", "")]
    fight_all(tournament)
    sheet = tournament_sheet(tournament)
    assert sheet.coming is not None
    assert sheet.coming.number == 2
    by_name = {line.player.name: line.row for line in sheet.table}
    assert by_name["cat"].points == 3
    scored = by_name["ann"].scored
    assert by_name["bob"].lost == scored
    assert sum(row.points for row in by_name.values()) in (5, 6)
    assert bodies("olga") == ["Friday Cup: round 1 is over. You can open the next round."]
    assert bodies("cat") == [
        "Friday Cup: you have no opponent in round 1. The round counts as a win."
    ]
    begin(tournament, hours=2)
    assert ("cat", "") not in pairs(tournament)
    fight_all(tournament, hours=3)
    tournament.refresh_from_db()
    assert tournament.ended_at == NOW + timedelta(hours=3)
    assert bodies("ann")[-1] == "Friday Cup: the tournament is over."
    with pytest.raises(NotAllowed):
        begin(tournament, hours=4)


@pytest.mark.any_database
def test_both_players_have_a_seat_and_the_organiser_sees_nothing_hidden() -> None:
    tournament = open_tournament("ann", "bob")
    begin(tournament)
    campaign = Campaign.objects.get()
    assert campaign.name == "Friday Cup 1: ann – bob"
    roles = set(campaign.memberships.values_list("user__username", "role"))
    assert roles == {("olga", "host"), ("ann", "player"), ("bob", "player")}
    match = TournamentMatch.objects.get()
    seat = campaign.memberships.get(user__username="ann")
    assert seat.faction is not None
    assert seat.faction.key == match.first_faction
    assert match_campaigns_of(user_named("olga")) == {campaign.pk}


def test_only_members_read_it_and_only_the_newest_link_lets_in() -> None:
    tournament = open_tournament("ann")
    with pytest.raises(NotFound):
        tournament_of(user_named("eve"), tournament.public_id)
    with pytest.raises(NotFound):
        tournament_of(user_named("ann"), tournament.public_id, organises=True)
    old = link_token(tournament)
    link_renew(user=user_named("olga"), public_id=tournament.public_id)
    with pytest.raises(NotFound):
        tournament_of_link(tournament.public_id, old)
    tournament.refresh_from_db()
    token = link_token(tournament)
    tournament_join(user=user_named("bob"), public_id=tournament.public_id, token=token)
    tournament_join(user=user_named("bob"), public_id=tournament.public_id, token=token)
    assert [player.name for player in tournament_sheet(tournament).players] == ["ann", "bob"]
    begin(tournament)
    with pytest.raises(NotAllowed):
        tournament_join(user=user_named("eve"), public_id=tournament.public_id, token=token)


def test_a_round_opens_once_and_the_next_only_after_its_battles() -> None:
    tournament = open_tournament("ann")
    with pytest.raises(NotAllowed, match="at least 2 players"):
        begin(tournament)
    token = link_token(tournament)
    tournament_join(user=user_named("bob"), public_id=tournament.public_id, token=token)
    for _ in range(2):
        round_open(user=user_named("olga"), public_id=tournament.public_id, number=1, now=NOW)
    assert Campaign.objects.count() == 1
    with pytest.raises(NotAllowed, match="not over"):
        begin(tournament)
    with pytest.raises(NotAllowed, match="not over"):
        tournament_finish(user=user_named("olga"), public_id=tournament.public_id, now=NOW)


@pytest.mark.any_database
def test_a_player_who_drops_out_stays_in_the_table_and_the_computer_plays_on() -> None:
    tournament = open_tournament("ann", "bob", "cat", "dan")
    begin(tournament)
    tournament_leave(user=user_named("ann"), public_id=tournament.public_id, now=NOW)
    match = TournamentMatch.objects.get(first__name="ann")
    assert match.campaign is not None
    faction = match.campaign.factions.get(key=match.first_faction)
    assert (faction.admiral, faction.memberships.count()) == ("steady", 0)
    settle_all(tournament)
    assert len(tournament_sheet(tournament).table) == 4
    begin(tournament, hours=2)
    assert sorted(name for pair in pairs(tournament) for name in pair) == ["", "bob", "cat", "dan"]


def test_a_tournament_ends_when_fewer_than_two_players_are_left() -> None:
    tournament = open_tournament("ann", "bob")
    begin(tournament)
    settle_all(tournament)
    player_remove(user=user_named("olga"), public_id=tournament.public_id, number=2, now=NOW)
    tournament.refresh_from_db()
    assert tournament.ended_at == NOW


@pytest.mark.any_database
def test_the_computer_fills_up_an_odd_number() -> None:
    tournament = open_tournament("ann", "bob", "cat", fills_up=True)
    begin(tournament)
    assert pairs(tournament) == [("ann", "bob"), ("cat", "Computer")]
    match = TournamentMatch.objects.get(first__name="cat")
    assert match.campaign is not None
    assert match.campaign.factions.exclude(key=match.first_faction).get().admiral == "steady"


@pytest.mark.any_database
def test_captains_end_the_battles_of_a_closed_round() -> None:
    tournament = open_tournament("ann", "bob", battles="online", round_hours=2)
    begin(tournament)
    assert battles_end(now=NOW + timedelta(hours=1)) == 0
    round_extend(user=user_named("olga"), public_id=tournament.public_id, hours=3, now=NOW)
    assert battles_end(now=NOW + timedelta(hours=2)) == 0
    with pytest.raises(RuleViolations):
        round_extend(user=user_named("olga"), public_id=tournament.public_id, hours=1, now=NOW)
    assert battles_end(now=NOW + timedelta(hours=3)) == 1
    assert Stage.objects.get(battle=None).status == "closed"
    assert Job.objects.filter(kind=STAGE_RESOLVE).count() == 1


@pytest.mark.any_database
def test_the_organiser_closes_a_round_but_not_the_own_battle() -> None:
    tournament = open_tournament("ann", "bob", "olga")
    begin(tournament)
    settle_all(tournament)
    begin(tournament, hours=2)
    assert "olga" in {name for pair in pairs(tournament) if pair[1] for name in pair}
    with pytest.raises(NotAllowed, match="your own battle"):
        round_close(user=user_named("olga"), public_id=tournament.public_id, now=NOW)
    numbers = [number for number, pair in enumerate(pairs(tournament), 1) if "olga" in pair]
    with pytest.raises(NotAllowed, match="your own battle"):
        match_settle(
            user=user_named("olga"),
            public_id=tournament.public_id,
            number=numbers[0],
            winner="first",
            scored=(9, 0),
        )


def test_the_organiser_enters_and_corrects_a_result() -> None:
    tournament = open_tournament("ann", "bob")
    begin(tournament)

    def settle(winner: str, *scored: int) -> None:
        match_settle(
            user=user_named("olga"),
            public_id=tournament.public_id,
            number=1,
            winner=winner,
            scored=(scored[0], scored[1]),
            now=NOW,
        )

    with pytest.raises(RuleViolations) as refused:
        settle("nobody", -1, 0)
    assert [fault.where for fault in refused.value.violations] == ["winner", "scored"]
    settle("draw", 10, 10)
    settle("second", 10, 40)
    (line, other) = tournament_sheet(tournament).table
    assert (line.player.name, line.row.points, line.row.scored) == ("bob", 3, 40)
    assert other.row.points == 0
    assert results_store(now=NOW) == 0
    assert TournamentMatch.objects.get().by_organiser


@pytest.mark.any_database
def test_one_force_for_all_rounds_is_sealed_again() -> None:
    document = scenario_file(max_turns=1)
    tournament = open_tournament("ann", "bob", document=document, keeps_forces=True)
    begin(tournament)
    campaign = Campaign.objects.get()
    for name, ships in (("ann", FLEET), ("bob", FLEET[1:])):
        seat = campaign.memberships.select_related("faction").get(user__username=name)
        assert seat.faction is not None
        seal(campaign, seat.faction.key, deployment(*ships))
    settle_all(tournament)
    begin(tournament, hours=2)
    second = Campaign.objects.order_by("pk").last()
    assert second is not None
    sealed = Submission.objects.filter(stage__branch__campaign=second, source="standing")
    by_player = {}
    for row in sealed:
        user = row.faction.memberships.get().user.get_username()
        by_player[user] = len(row.payload["deploy"][0]["ships"])
    assert by_player == {"ann": 3, "bob": 2}


def test_home_lists_tournaments_with_what_the_organiser_has_to_do() -> None:
    tournament = open_tournament("ann", "bob")
    (own,) = tournaments_of(user_named("olga"))
    assert (own.organises, own.players, own.round, own.needs_organiser) == (True, 2, 0, True)
    begin(tournament)
    (own,) = tournaments_of(user_named("ann"))
    assert (own.organises, own.round, own.needs_organiser) == (False, 1, False)
    assert tournaments_of(user_named("eve")) == []
