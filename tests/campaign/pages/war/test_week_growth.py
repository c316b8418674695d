"""The orders page with many fleets: rows and one form, and twice the work for twice the fleets."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

import pytest

from campaign.forms.week.order_form import SLOTS
from campaign.pages.week import orders
from campaign.sight import views
from tests.campaign.pages.war.browsing import Player, at
from tests.growth import check_growth, work_of

pytestmark = pytest.mark.django_db
TAG = re.compile(r"<[a-z]")
WITHOUT_SCRIPTS = re.compile(r"(?s)<noscript>.*?</noscript>")
ROW = 7  # elements of a fleet that is not chosen, with its hex
REST = 250  # elements of the page around
CONTROL = re.compile(r"<(?:select|input|textarea)[^>]* name=\"([^\"]*)\"")


@pytest.fixture
def ember() -> Iterator[Player]:
    yield at("orders")
    views._view_cache.clear()
    orders._form_html.clear()


def crowd_view(player: Player, count: int) -> None:
    """Give the player's view so many fleets, each with copies of a fleet's ships."""
    now = views.current_sight(player.campaign, player.faction)
    like = max(now.view.fleets, key=lambda fleet: fleet.name.startswith("Lance"))
    model_ships = [ship for ship in now.view.ships if ship.fleet == like.key]
    fleets, ships = [], []
    for n in range(1, count + 1):
        key = f"ember/f{n}"
        hex_ = f"{1 + n % 10:02}{1 + n % 8:02}"
        fleets.append(dataclasses.replace(like, key=key, name=f"Fleet {n}", hex=hex_))
        for i, ship in enumerate(model_ships):
            ships.append(dataclasses.replace(ship, key=f"ember/s{n * 10 + i}", fleet=key))
    view = dataclasses.replace(now.view, fleets=tuple(fleets), ships=tuple(ships))
    views._view_cache.keep(now.etag, view)
    orders._form_html.clear()


def page(player: Player, address: str) -> str:
    return WITHOUT_SCRIPTS.sub("", player.client.get(player.url(address)).content.decode())


def test_other_fleets_are_rows_without_controls(ember: Player) -> None:
    crowd_view(ember, 60)
    names = CONTROL.findall(page(ember, "orders/"))
    assert not [name for name in names if "ember/" in name]
    chosen = CONTROL.findall(page(ember, "orders/?fleet=ember/f7"))
    moves = [name for name in chosen if name.startswith("move-")]
    assert moves[0] == "move-ember/f7"
    assert len(moves) == 1 + SLOTS, "fleets that may be formed beside it"


def test_page_and_work_grow_linearly_with_fleets(ember: Player) -> None:
    elements, work = [], []
    for count in (60, 120):
        crowd_view(ember, count)
        page(ember, "orders/")  # fills the caches of the process
        orders._form_html.clear()
        work.append(work_of(lambda: page(ember, "orders/")))
        elements.append(len(TAG.findall(work[-1].answer)))
    check_growth("orders/", *work)
    assert elements[1] < elements[0] * 2
    assert elements[1] < 120 * ROW + REST
