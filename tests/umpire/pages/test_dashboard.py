"""The umpire's pages are true, complete, and say what to do next."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.db.models import F
from django.utils import timezone
from django.utils.html import escape

from campaign.kinds import StageStatus
from campaign.models import (
    Campaign,
    Fleet,
    LedgerRow,
    Membership,
    Ship,
    Snapshot,
    Stage,
    Submission,
)
from campaign.models.ledger import VERBS
from campaign.orders.codec import orders_payload
from campaign.orders.defaults import default_orders
from campaign.selectors.heads import head_of
from campaign.services.campaigns import membership_add
from campaign.sight.views import sight_at_stage
from campaign.store.documents import scenario_of
from tests.sealing import orders_seal
from tests.tampering import disarm
from tests.umpire.pages.staffed_war import StaffedWar, play_to_end
from tests.umpire.services.wars import campaign_of
from umpire.journal import report_of
from umpire.pages.act_rows import WORDS
from umpire.services.records import step_of

pytestmark = pytest.mark.django_db


def text(desk: StaffedWar, name: str, query: str = "", role: str = "umpire", **more: object) -> str:
    answer = desk.client(role).get(desk.url(name, **more) + query)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def seal(desk: StaffedWar, key: str) -> None:
    faction = desk.campaign.factions.get(key=key)
    stage = Stage.objects.select_related("branch__campaign__scenario").get(pk=desk.stage.pk)
    orders = default_orders(scenario_of(stage.branch.campaign), sight_at_stage(stage, faction).view)
    orders_seal(stage=stage, faction=faction, payload=orders_payload(orders))


def test_dashboard_shows_the_stage_and_the_next_action(desk: StaffedWar) -> None:
    page = text(desk, "umpire")
    assert "Week 2 <small>of 3</small>" in page
    assert "Waiting for Ember Cooperative and Frost Assembly. The stage closes by itself" in page
    Stage.objects.filter(pk=desk.stage.pk).update(closes=timezone.now() + timedelta(hours=3))
    page_text = text(desk, "umpire")
    assert "Extend the deadline" in page_text
    assert "</b> left, closes" in page_text
    assert 'data-hex="0804">Frost (0804)</a>' in page
    assert "Week 1, battles, as Ember Cooperative sees it" in page
    seal(desk, "ember")
    seal(desk, "frost")
    page = text(desk, "umpire")
    assert "Everybody has sealed." in page
    assert page.count(">✓ sealed<") == 2
    now = timezone.now()
    Stage.objects.filter(pk=desk.stage.pk).update(status=StageStatus.CLOSED, closed_at=now)
    page = text(desk, "umpire")
    assert "Closed and being resolved." in page
    assert "left, closes" not in page, "of a stage that is closed nothing is left"
    Membership.objects.filter(campaign=desk.campaign, role="player").update(
        role="staff", until=now + timedelta(days=9)
    )
    assert ", substitute until " in text(desk, "umpire")


def test_dashboard_leads_to_the_lobby_before_the_war(desk: StaffedWar) -> None:
    fresh = campaign_of()
    umpire = desk.people["umpire"]
    assert isinstance(umpire, User)
    membership_add(campaign=fresh, user=umpire, role="umpire")
    for path in (
        "umpire/",
        "umpire/stages/",
        "umpire/reports/",
        "umpire/fleets/",
        "umpire/battles/",
        "umpire/ledger/",
    ):
        page = desk.client("umpire").get(f"/c/{fresh.public_id}/{path}")
        assert page.status_code == 200, path
    assert (
        "Start the war in the lobby."
        in desk.client("umpire").get(f"/c/{fresh.public_id}/umpire/").content.decode()
    )
    for path in ("umpire/map/", "umpire/factions/ember/", "story/"):
        assert desk.client("umpire").get(f"/c/{fresh.public_id}/{path}").status_code == 404


def test_resuming_is_the_next_action_while_paused(desk: StaffedWar) -> None:
    Campaign.objects.filter(pk=desk.campaign.pk).update(paused_at=desk.stage.opens)
    page = text(desk, "umpire")
    assert "The clock is paused." in page
    assert "Resume the clock" in page


def test_true_map_shows_every_fleet_and_the_past(desk: StaffedWar) -> None:
    page = text(desk, "umpire-map")
    names = set(Fleet.objects.filter(branch__campaign=desk.campaign).values_list("name", flat=True))
    assert names
    assert all(name in page for name in names)
    first = (
        Snapshot.objects.filter(branch__campaign=desk.campaign, stage="orders")
        .order_by("seq")
        .first()
    )
    assert first is not None
    past = text(desk, "umpire-map", f"?seq={first.seq}")
    assert "not as it is now" in past
    rows = {ship["name"] for ship in first.world["body"]["fleets"]}
    assert all(name in past for name in rows)


def test_hex_is_listed_without_scripts_in_truth_and_as_known(
    desk: StaffedWar,
) -> None:
    fleet = Fleet.objects.filter(branch__campaign=desk.campaign, faction="frost").order_by("key")[0]
    page = text(desk, "umpire-map", f"?as=ember&hex={fleet.hex}")
    true, _, known_part = (
        page.partition('id="place"')[2].partition("</section>")[0].partition("knows it")
    )
    assert fleet.name in true
    assert fleet.name not in known_part
    assert 'name="as" value="ember"' in page
    ember = Fleet.objects.filter(branch__campaign=desk.campaign, faction="ember").order_by("key")[0]
    faction_page = text(desk, "umpire-faction", f"?hex={ember.hex}", key="ember")
    assert ember.name in faction_page.partition('id="place"')[2].partition("</section>")[0]
    for path in ("umpire/map/", "umpire/factions/ember/", "umpire/"):
        response = desk.client("umpire").get(f"/c/{desk.campaign.public_id}/{path}?hex=9999")
        assert response.status_code == 404, path


def test_faction_view_is_its_own(desk: StaffedWar) -> None:
    ember, frost = (
        set(
            Fleet.objects.filter(branch__campaign=desk.campaign, faction=key).values_list(
                "name", flat=True
            )
        )
        for key in ("ember", "frost")
    )
    page = text(desk, "umpire-faction", key="ember")
    assert "shows exactly what this faction sees" in page
    assert all(name in page for name in ember)
    assert not any(name in page for name in frost)


def without_tags(page: str) -> str:
    """Return the text of a page without the emblems of factions."""
    return " ".join(re.sub(r"<[^>]*>", "", page).split())


def test_stage_shows_submissions_and_results(desk: StaffedWar) -> None:
    stage = Stage.objects.get(branch__campaign=desk.campaign, week=1, kind="orders")
    page = text(desk, "umpire-stage", ordinal=stage.ordinal)
    assert "Lance moves to Frost (0804)" in page
    assert "Computer admiral" in page
    for line in report_of(scenario_of(desk.campaign), step_of(stage)):
        assert line in without_tags(page)
    row = LedgerRow.objects.get(stage=stage)
    assert row.hash in page
    for entry in Submission.objects.filter(stage=stage):
        assert entry.digest in page


def test_weekly_report_is_complete(desk: StaffedWar) -> None:
    page = text(desk, "umpire-reports", "?week=1")
    stages = Stage.objects.filter(branch__campaign=desk.campaign, week=1)
    assert stages.count() == 3
    for stage in stages:
        for line in report_of(scenario_of(desk.campaign), step_of(stage)):
            assert line in without_tags(page)
    assert text(desk, "umpire-reports") == page  # the newest if none is asked for


def test_lists_are_searched_and_filtered(desk: StaffedWar) -> None:
    ships = Ship.objects.filter(branch__campaign=desk.campaign)
    damaged = [ship for ship in ships if ship.damage or ship.lost]
    page = text(desk, "umpire-ships", "?condition=damaged")
    assert damaged
    assert f"{len(damaged)} ship" in page
    assert all(ship.name in page for ship in damaged)
    frost_ship = ships.filter(faction="frost").first()
    assert frost_ship is not None
    page = text(desk, "umpire-ships", f"?q={frost_ship.name.upper()}&faction=frost")
    assert frost_ship.name in page
    assert not [ship.name for ship in ships.filter(faction="ember") if f"{ship.name} " in page]
    assert f"{frost_ship.faction}/s" not in page, "keys are nobody's words"
    assert "0 ships" in text(desk, "umpire-ships", "?condition=nonsense")
    not_found = text(desk, "umpire-fleets", "?q=no+such+fleet")
    assert ("0 fleets" in not_found, "No fleet found" in not_found) == (True, True)
    assert "Lance" in text(desk, "umpire-fleets", "?q=lan&faction=ember")
    fleet = Fleet.objects.filter(branch__campaign=desk.campaign, name="Lance").get()
    ship_keys = set(ships.filter(fleet=fleet.key).values_list("key", flat=True))
    page = text(desk, "umpire-ships", f"?fleet={fleet.key}")
    assert f"{len(ship_keys)} ship" in page


def test_search_text_is_escaped(desk: StaffedWar) -> None:
    answer = desk.client("umpire").get(desk.url("umpire-ships") + '?q="><script>alert(1)</script>')
    assert b"<script>alert" not in answer.content
    assert escape('"><script>alert(1)</script>').encode() in answer.content


def test_battle_is_replayed_completely_and_per_side(desk: StaffedWar) -> None:
    assert "As Frost Assembly saw it" in text(desk, "umpire-battle", public_id=desk.battle)
    page = text(desk, "umpire-replay", "?turn=all", public_id=desk.battle)
    assert "Battle at Frost (0804)" in page
    assert re.search(r"\d+ ships move", page)
    assert not re.search(r"Bogey \w+", page)  # everything under its true name
    brought = Ship.objects.filter(branch__campaign=desk.campaign, faction="frost").values_list(
        "name", flat=True
    )
    assert any(f">{name}<" in page for name in brought)
    page_text = text(desk, "umpire-replay", "?turn=1&as=ember", public_id=desk.battle)
    assert re.search(r"as Ember[\w ]* saw it", page_text)
    assert "Bogey" in page_text
    assert not any(f"{name}" in page_text for name in brought)


def test_host_sees_seals_and_nothing_hidden(desk: StaffedWar) -> None:
    seal(desk, "ember")
    page = text(desk, "host", role="host")
    assert page.count(">✓ sealed<") == 1
    assert "Waiting for Frost Assembly." in page
    hidden = [
        *Fleet.objects.values_list("name", flat=True),
        *Ship.objects.values_list("name", flat=True),
    ]
    assert not any(f">{name}<" in page or f" {name} " in page for name in hidden)
    assert "0804" not in page
    assert "encounter" not in page.lower()


def test_public_page_is_independent_of_fleets(desk: StaffedWar) -> None:
    assert "Lance" not in text(desk, "public", role="observer")
    page = text(desk, "ledger", role="observer")
    assert desk.campaign.seed_sha256 in page
    assert desk.campaign.seed not in page
    assert "Lance" not in page
    for row in LedgerRow.objects.filter(branch__campaign=desk.campaign):
        assert row.hash in page


def test_kept_head_is_compared_with_the_ledger(desk: StaffedWar) -> None:
    head = head_of(desk.campaign)
    assert head is not None
    client = desk.client("observer")

    def answer(text: str) -> str:
        return client.get(desk.url("check"), {"head": text}).content.decode()

    size, _, digits = head.short_name.partition(" · ")
    assert "This ledger had that head" in answer(f"Ledger: {size} - {digits.lower()}")
    assert head.short_name in text(desk, "ledger", role="observer")
    wrong = "1" if digits[0] == "0" else "0"
    assert "never had that head" in answer(f"{size} · {wrong}{digits[1:]}")
    assert "never had that head" in answer(f"{int(size) + 1} · {digits}")
    assert "A head looks like" in answer("<script>")


def test_story_is_complete_after_the_war(desk: StaffedWar) -> None:
    play_to_end(desk)
    page = text(desk, "story", role="player")
    assert desk.campaign.seed in page
    assert desk.campaign.id_secret not in page
    assert "Result: " in page
    for stage in Stage.objects.filter(branch__campaign=desk.campaign):
        for line in report_of(scenario_of(desk.campaign), step_of(stage)):
            assert line in without_tags(page)
    assert "The war is over" in text(desk, "umpire")


def test_abandoned_branch_has_no_story(desk: StaffedWar) -> None:
    play_to_end(desk)
    running = Campaign.objects.exclude(pk=desk.campaign.pk).get()
    snapshot = Snapshot.objects.filter(branch__campaign=desk.campaign).first()
    Campaign.objects.filter(pk=running.pk).update(forked_from=snapshot)
    assert desk.client("player").get(desk.url("story")).status_code == 404
    over = Snapshot.objects.filter(branch__campaign=running).first()
    disarm("campaign_stage")
    Stage.objects.filter(branch__campaign=running).update(
        status="resolved", to_snapshot=over, closed_at=F("opens"), publishes_at=F("opens")
    )
    assert desk.client("player").get(desk.url("story")).status_code == 200


def test_every_act_has_words() -> None:
    assert set(WORDS) == set(VERBS)


def test_pages_need_no_script_or_inline_style(desk: StaffedWar) -> None:
    for name, more in (
        ("umpire", {}),
        ("umpire-map", {}),
        ("umpire-faction", {"key": "ember"}),
        ("umpire-battle", {"public_id": desk.battle}),
        ("umpire-replay", {"public_id": desk.battle}),
        ("umpire-ships", {}),
        ("umpire-stage", {"ordinal": 1}),
    ):
        page = desk.client("umpire").get(desk.url(name, **more)).content.decode()
        assert " style=" not in page
        assert "<style" not in page
        assert " onclick=" not in page
        assert page.count("<h1") == 1
        tags = [part.split(">")[0] for part in page.split("<script")[1:]]
        assert not [
            tag for tag in tags if "src=" not in tag and 'type="application/json"' not in tag
        ]
