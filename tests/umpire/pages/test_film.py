"""The film of a finished war: what its page and its document contain."""

from __future__ import annotations

import gzip
import json
import re
from html import unescape
from typing import Any

import pytest

from campaign.models import Battle, Campaign, Snapshot
from campaign.rules.files import fixture_scenario
from campaign.selectors.truth import world_of
from campaign.sight.views import sight_in_snapshot
from campaign.store.documents import scenario_of
from tests.umpire.pages.staffed_war import StaffedWar, play_to_end
from umpire.pages.film import film_of_war
from umpire.pages.film_captions import caption
from umpire.pages.film_steps import FilmContact, FilmFleet, film_data, film_of, stacks_of
from umpire.pages.frame import branch_of
from umpire.pages.result_facts import result_of_war
from umpire.rehearsal import play

MAX_BYTES = 4_096  # of the document of a war of seven weeks, compressed
DATA = re.compile(r'<script id="film" type="application/json">(.*?)</script>', re.S)


@pytest.mark.django_db
class TestPage:
    def test_every_step_is_the_truth_and_the_views(self, desk: StaffedWar) -> None:
        play_to_end(desk)
        client = desk.client("player")
        page = client.get(desk.url("story-film")).content.decode()
        match = DATA.search(page)
        assert match is not None
        data: dict[str, Any] = json.loads(match[1])
        rows = Snapshot.objects.filter(branch__campaign=desk.campaign).exclude(stage="deploy")
        assert [step[0] for step in data["steps"]] == [row.seq for row in rows.order_by("seq")]
        fleets: list[int] = []
        factions = list(desk.campaign.factions.order_by("pk"))
        seats = {
            faction.id: n + 1 for n, faction in enumerate(fixture_scenario("first-steps").factions)
        }
        for row, step in zip(rows.order_by("seq"), data["steps"], strict=True):
            fleets = step[5] or fleets
            world = world_of(row)
            ships = {fleet.key: 0 for fleet in world.fleets}
            for ship in world.ships:
                ships[ship.fleet] += 1
            expected = sorted(
                (seats[fleet.faction], int(fleet.hex), ships[fleet.key])
                for fleet in world.fleets
                if ships[fleet.key]
            )
            drawn = zip(fleets[::3], fleets[1::3], fleets[2::3], strict=True)
            found = sorted((data["fleets"][n], hex_, abs(count)) for n, hex_, count in drawn)
            assert found == expected
            for faction in factions:
                view = sight_in_snapshot(row.pk, faction).view
                wrong = step[9][seats[faction.key] - 1][4]
                assert (
                    not set(wrong)
                    - {int(fleet.hex) for fleet in world.fleets}
                    - {int(item.hex) for item in view.sightings}
                )

    def test_page_of_a_step_needs_no_scripts(self, desk: StaffedWar) -> None:
        play_to_end(desk)
        client = desk.client("observer")
        battle = Battle.objects.filter(branch__campaign=desk.campaign).order_by("week")[0]
        row = Snapshot.objects.get(
            branch__campaign=desk.campaign, week=battle.week, stage="battles"
        )
        answer = client.get(desk.url("story-film"), {"seq": str(row.seq), "as": "frost"})
        page = unescape(answer.content.decode())
        assert "/umpire/" not in page[page.index("<main") :]
        assert f'<li data-seq="{row.seq}">' in page
        assert desk.url("story-replay", public_id=battle.public_id) in page
        for near in (row.seq - 1, row.seq + 1):
            assert f'href="?seq={near}&as=frost"' in page
        assert page.count("film-clash") == 2
        for odd in ("seq=99", "seq=x", "seq=0", "as=nobody"):
            assert client.get(f"{desk.url('story-film')}?{odd}").status_code == 404

    def test_running_war_has_no_film(self, desk: StaffedWar) -> None:
        for role in ("player", "umpire", "host", "observer"):
            for query in ("", "?seq=1", "?seq=1&as=ember"):
                answer = desk.client(role).get(desk.url("story-film") + query)
                assert answer.status_code == 404


def test_document_of_a_war_is_small_and_has_a_caption_a_step() -> None:
    scenario = fixture_scenario("lafayette")
    war = play(scenario, {}, 29, captains=False)
    moments = [(n, stage.before, stage.views) for n, stage in enumerate(war.history)]
    film = film_of(scenario, moments, [])
    text = json.dumps(film_data(film), separators=(",", ":"))
    assert len(gzip.compress(text.encode())) <= MAX_BYTES
    assert all(step.caption for step in film.steps)
    assert film.steps[-1].week == scenario.weeks
    assert len(film.chapters) > 1
    assert film.steps[0].caption == caption(scenario, None, moments[1][1], [])


@pytest.mark.django_db
def test_result_names_the_turning_point_and_all_losses(desk: StaffedWar) -> None:
    play_to_end(desk)
    page = desk.client("player").get(desk.url("war-result")).content.decode()
    scenario = scenario_of(desk.campaign)
    film = film_of_war(desk.campaign, branch_of(desk.campaign), scenario)
    end = world_of(Snapshot.objects.filter(branch__campaign=desk.campaign).latest("seq"))
    result = result_of_war(scenario, film, end, "frost")
    assert sum(side.lost for side in result.losses) == len(end.losses) > 0
    assert sum(side.left for side in result.losses) == len(end.ships)
    assert result.moment.left.name == "Frost Assembly"
    assert [line.week for line in result.weeks] == list(range(1, end.week + 1))
    (turning,) = [line for line in result.weeks if line.is_turning]
    assert result.turning_point is not None
    assert turning.week == result.turning_point.week
    assert f'href="{desk.url("story-film")}?seq={result.turning_point.seq}"' in page
    assert "Best ship" in page
    assert "Your dice did" in page
    player = desk.client("player")
    answer = player.post(desk.url("war-result"), {"act": "rematch"})
    new = Campaign.objects.latest("pk")
    assert answer.headers["Location"].startswith(f"/c/{new.public_id}/")
    assert new.scenario_id == desk.campaign.scenario_id
    assert new.ruleset["options"] == desk.campaign.ruleset["options"]
    assert new.seed != desk.campaign.seed
    count = Campaign.objects.count()
    player.post(desk.url("war-result"), {"act": "x"})
    desk.client("observer").post(desk.url("war-result"), {"act": "rematch"})
    assert Campaign.objects.count() == count


def test_fleets_of_a_faction_in_a_hex_are_one_mark() -> None:
    fleets = (
        FilmFleet("esu/f1", 1, "0101", 4, False),
        FilmFleet("esu/f2", 1, "0101", 3, True),
        FilmFleet("nac/f1", 2, "0202", 2, True),
    )
    contacts = (FilmContact(2, "0101", -1, 0), FilmContact(2, "0202", 9, 3))
    marks = [
        (stack.hex, stack.row, stack.label, stack.style) for stack in stacks_of(fleets, contacts)
    ]
    assert marks == [
        ("0101", 0, "7", ""),
        ("0101", 1, "?", "seen age-0"),
        ("0202", 0, "2", "in-ftl"),
        ("0202", 1, "9", "seen age-3"),
    ]
