"""A fleet in FTL space has already withdrawn: its move says nothing of those still in contact."""

from __future__ import annotations

from dataclasses import replace

import pytest

from campaign.orders.validation import order_violations
from campaign.rules.orders import Decision, Move, Orders
from campaign.rules.view import HostileContact
from tests.campaign.rules.space import HOME, fleet, places_and_codes, scenario, ship, view


@pytest.mark.rule("camp.must-leave")
def test_fleet_leaving_ftl_space_does_not_withdraw_for_others() -> None:
    ftl_view = view(
        fleet("red/f1", HOME, in_ftl=True, must_leave=True),
        fleet("red/f2", HOME),
        ship("red/s1", "red/f1"),
        ship("red/s2", "red/f2"),
    )
    ftl_view = replace(ftl_view, in_contact=(HostileContact(HOME, "blue", "stand-off"),))
    fight = (Decision(HOME, "blue", "fight"),)
    assert (
        places_and_codes(
            order_violations(
                scenario(), ftl_view, Orders(decide=fight, moves=(Move("red/f1", to="0304"),))
            )
        )
        == []
    )
    both_moves = (Move("red/f1", to="0304"), Move("red/f2", to="0304"))
    assert places_and_codes(
        order_violations(scenario(), ftl_view, Orders(decide=fight, moves=both_moves))
    ) == [("decide[0].choice", "moves-out")]
