"""The balance of a scenario: shares of decided wars with intervals, and the conclusions from them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from campaign.rules.files import fixture_scenario
from umpire.balance import Share, WarEnd, balance_of, sides_of
from umpire.rehearsal import play

LAFAYETTE = fixture_scenario("lafayette")


def ends(esu: int, nac: int, draws: int) -> list[WarEnd]:
    return [
        *[WarEnd("ESU total victory", "esu", 4)] * esu,
        *[WarEnd("NAC victory", "nac", LAFAYETTE.weeks)] * nac,
        *[WarEnd("draw", None, LAFAYETTE.weeks)] * draws,
    ]


def shares(esu: int, nac: int, draws: int = 0) -> dict[str, Share]:
    return {share.side: share for share in balance_of(LAFAYETTE, ends(esu, nac, draws)).shares}


def test_interval_of_sixty_percent_follows_wilson() -> None:
    share = shares(60, 40)["esu"]
    assert (share.low, share.high) == pytest.approx((0.5020, 0.6906), abs=5e-5)
    assert share.words == "Eurasian Solar Union wins 60% of decided wars (50 to 69)"


def test_shares_count_decided_wars_and_draws_separately() -> None:
    balance = balance_of(LAFAYETTE, ends(10, 30, 60))
    assert (balance.wars, balance.decided, balance.draws, balance.last_week) == (100, 40, 60, 90)
    assert {share.side: share.share for share in balance.shares} == {"esu": 0.25, "nac": 0.75}
    assert balance.results == (("draw", 60), ("NAC victory", 30), ("ESU total victory", 10))
    assert balance.weeks == LAFAYETTE.weeks


def test_more_wars_narrow_the_interval() -> None:
    few, many = balance_of(LAFAYETTE, ends(13, 12, 0)), balance_of(LAFAYETTE, ends(275, 225, 0))
    assert few.is_even
    assert few.verdict == "Even, based on 25 wars between computer admirals."
    assert not many.is_even
    assert many.verdict == (
        "Not even, based on 500 wars between computer admirals: Eurasian Solar Union ahead, "
        "New Anglian Confederation behind."
    )


def test_few_decided_wars_show_nothing_even() -> None:
    balance = balance_of(LAFAYETTE, ends(1, 2, 227))
    assert not balance.is_even
    assert not balance.is_uneven
    assert balance.verdict == (
        "These wars do not show who is stronger: only 3 of 230 were decided."
    )
    few = balance_of(LAFAYETTE, ends(5, 5, 0))
    assert few.verdict == "These wars do not show who is stronger: play more of them."


def test_side_that_never_wins_has_an_open_interval() -> None:
    share = shares(20, 0)["nac"]
    assert share.wins == 0
    assert share.low == pytest.approx(0)
    assert 0.1 < share.high < 0.2


def test_undecided_wars_give_no_verdict() -> None:
    balance = balance_of(LAFAYETTE, ends(0, 0, 20))
    assert balance.verdict == "None of 20 wars was decided, so they do not show who is stronger."
    assert {(share.low, share.high) for share in balance.shares} == {(0.0, 1.0)}
    assert balance_of(LAFAYETTE, []).wars == 0


def test_alliance_is_one_side() -> None:
    first, *others = LAFAYETTE.factions
    third = replace(first, id="fse", name="Federal Stats", alliance="League")
    three = replace(
        LAFAYETTE, factions=(third, replace(first, alliance="League"), *others), victory=()
    )
    assert dict(sides_of(three)) == {
        "League": "League",
        **{power.id: power.name for power in others},
    }


def test_war_ends_for_one_side_or_none() -> None:
    scenario = fixture_scenario("first-steps")
    end = WarEnd.of(play(scenario, {}, 1))
    balance = balance_of(scenario, [end])
    assert balance.results == ((end.result, 1),)
    assert sum(share.wins for share in balance.shares) == balance.decided
    assert 1 <= end.weeks <= scenario.weeks
    assert balance.last_week == (end.weeks == scenario.weeks)
