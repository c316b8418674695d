"""The result card of a battle after its war: luck, and battles that begin with its positions."""

from __future__ import annotations

import pytest

from campaign.access import viewer_of
from campaign.models import Battle, Campaign
from campaign.sight.reports import list_battles
from engine.core.kinds import FIGHTING
from engine.core.ship import ShipState
from tests.umpire.pages.staffed_war import StaffedWar, play_to_end
from umpire.services.positions import position_of, position_turns
from umpire.services.records import battle_of


def said(ship: ShipState) -> tuple[object, ...]:
    """Return what a position says of a ship."""
    place = (round(ship.x), round(ship.y), ship.course, ship.velocity)
    return (ship.owner, place, ship.damage, ship.lost_systems(), tuple(ship.stock))


@pytest.mark.django_db
@pytest.mark.any_database
def test_card_tells_luck_and_begins_battles_with_positions(desk: StaffedWar) -> None:
    client = desk.client("player")
    play_to_end(desk)
    user = desk.people["player"]
    viewer = viewer_of(user, desk.campaign.public_id)
    assert viewer.faction is not None
    summary = list_battles(desk.campaign, viewer.faction)[0]
    address = desk.url("battle-result", battle=summary.id)
    page = client.get(address).content.decode()
    assert "Your dice did" in page
    assert "Play on from turn" in page
    row = Battle.objects.get(public_id=desk.battle)
    turns = position_turns(row)
    assert turns[0] == 1
    last = turns[-1]
    fields = {"act": "play-on", "turn": f"{last}", "side": viewer.faction.key}
    answer = client.post(address, fields)
    new = Campaign.objects.latest("pk")
    assert answer.headers["Location"].startswith(f"/c/{new.public_id}/")
    assert new.scenario.private.user == user
    begun = battle_of(Battle.objects.get(branch__campaign=new)).state
    position = position_of(row, last)
    there = [said(ship) for ship in position.ships if ship.status == FIGHTING and not ship.dummy]
    assert sorted(there, key=str) == sorted(map(said, begun.ships), key=str)
    assert {ship.id for ship in begun.ships}.isdisjoint(ship.id for ship in position.ships)
    count = Campaign.objects.count()
    for changes in ({"turn": "99"}, {"turn": "x"}, {"side": "nobody"}, {"act": "swap-all"}):
        assert client.post(address, fields | changes).status_code == 302
    assert Campaign.objects.count() == count
