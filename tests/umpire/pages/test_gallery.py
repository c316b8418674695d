"""The public gallery: a war is shown while all consent, with the host's delay, without later
events.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.test import Client

from campaign.access import viewer_of
from campaign.errors import AlreadyStarted, NotAllowed, NotFound
from campaign.lineage import branch_create
from campaign.models import Act, Battle, Campaign, GalleryConsent, Snapshot, Stage
from campaign.selectors.gallery import gallery_wars
from campaign.selectors.gallery_consent import consent_of, gallery_rule
from campaign.services.campaigns import membership_add
from campaign.services.gallery import consent_set, gallery_rule_set
from campaign.services.seats import seat_leave
from engine.core.errors import RuleViolations
from tests.access.client_requests import clear_caches, roll_back
from tests.campaign.pages.general.browser_pages import act, browser, page
from tests.campaign.seats.people import join_by_invitation, open_campaign, viewer
from tests.row_cache import build_once
from tests.rulesets import write_ruleset
from tests.umpire.services.wars import ATTACK, resolve_stage, start_campaign

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
WEEKS = 2
PUBLIC_ID = uuid.UUID(int=0x1234)


def play_to_orders(stage: Stage, week: int) -> Stage:
    """Return the orders stage of a week."""
    while (stage.week, stage.kind) != (week, "orders"):
        following = resolve_stage(stage).next
        assert following is not None
        stage = following
    return stage


def build(week: int, then: str = "") -> tuple[Campaign, Stage]:
    """Return a war at the orders of a week, in which Frost acts differently from the second week
    on.
    """
    campaign, stage = start_campaign(seed=3)
    stage = play_to_orders(stage, min(week, 2))
    campaign.factions.filter(key="frost").update(admiral=then)
    return campaign, play_to_orders(stage, week)


def build_with_battle(week: int) -> tuple[Campaign, Stage]:
    """Return a war at the orders of a week; Ember attacked in the first."""
    campaign, stage = start_campaign(seed=7, admirals={"ember": ATTACK})
    stage = play_to_orders(stage, 2)
    campaign.factions.filter(key="ember").update(admiral="")
    return campaign, play_to_orders(stage, week)


def shown_war(
    week: int = 3,
    rule: int = WEEKS,
    *names: str,
    build_war: Callable[[int], tuple[Campaign, Stage]] = build,
) -> Campaign:
    """Return a war that its host shows; `names` are players of Ember, who all consent."""
    campaign, _ = build_once(
        f"gallery {build_war is build_with_battle} {week}", lambda: build_war(week)
    )
    campaign.refresh_from_db()
    write_ruleset(campaign, {**campaign.ruleset, "gallery": rule})
    campaign.refresh_from_db()
    for name in names:
        user = User.objects.create_user(name)
        membership_add(
            campaign=campaign, user=user, role="player", faction=campaign.factions.get(key="ember")
        )
        consent_set(viewer=viewer_of(user, campaign.public_id), show_war=True)
    return campaign


def where(campaign: Campaign, query: str = "") -> str:
    return f"/gallery/{campaign.public_id}/{query}"


def read_gallery(campaign: Campaign, query: str = "", status: int = 200) -> Any:
    answer = Client().get(where(campaign, query))
    assert answer.status_code == status, query
    return answer


def test_war_is_published_with_its_delay() -> None:
    campaign = shown_war()
    text = read_gallery(campaign).text
    assert "Shown up to week 1" in text
    assert campaign.name in page(Client(), "/gallery/").text
    rows = Snapshot.objects.filter(branch=campaign.head_branch).order_by("seq")
    week_of = {row.seq: row.week for row in rows}
    assert set(week_of.values()) == {0, 1, 2, 3}
    for seq, week in week_of.items():
        for key in ("ember", "frost"):
            read_gallery(campaign, f"?seq={seq}&as={key}", 200 if week <= 1 else 404)
    moments = {
        int(n) for n in re.findall(r'<option value="(\d{1,3})"', text)
    }  # hexes have four digits
    assert moments == {n for n, week in week_of.items() if week <= 1}
    for query in ("?seq=99", "?seq=x", "?as=nobody"):
        read_gallery(campaign, query, 404)
    assert "umpire/" not in text[text.index("<main") : text.index("</main>")].replace(
        '"umpire/', ""
    )


def test_war_without_old_enough_weeks_is_hidden() -> None:
    read_gallery(shown_war(2), status=404)


def test_refused_or_withdrawn_consent_hides_the_war() -> None:
    campaign = shown_war(3, WEEKS, "ann", "bob")
    read_gallery(campaign)
    ann = viewer_of(User.objects.get(username="ann"), campaign.public_id)
    consent_set(viewer=ann, show_war=False)
    nothing = Client().get(f"/gallery/{PUBLIC_ID}/")
    after_refusal = read_gallery(campaign, status=404)
    assert after_refusal.content == nothing.content
    assert campaign.name not in page(Client(), "/gallery/").text
    consent_set(viewer=ann, show_war=True)
    response = read_gallery(campaign)
    assert {"no-store", "private", "max-age=0"} <= set(response["Cache-Control"].split(", "))
    assert "noindex" in response["X-Robots-Tag"]
    newcomer = User.objects.create_user("cid")
    membership_add(
        campaign=campaign, user=newcomer, role="staff", faction=campaign.factions.get(key="frost")
    )
    read_gallery(campaign, status=404)


def test_last_choice_of_a_departed_player_counts() -> None:
    campaign = shown_war(3, WEEKS, "ann", "bob")
    seat_leave(viewer=viewer_of(User.objects.get(username="ann"), campaign.public_id))
    read_gallery(campaign)
    bob = viewer_of(User.objects.get(username="bob"), campaign.public_id)
    consent_set(viewer=bob, show_war=False)
    seat_leave(viewer=bob)
    assert not GalleryConsent.objects.filter(user__username="bob").exists()
    assert Act.objects.filter(verb="leave").count() == 2
    read_gallery(campaign, status=404)


def test_unnamed_players_stay_unnamed() -> None:
    campaign = shown_war(3, WEEKS, "ann", "bob")
    text = read_gallery(campaign).text
    assert "ann" not in re.findall(r"\w+", text)
    assert "bob" not in re.findall(r"\w+", text)
    consent_set(
        viewer=viewer_of(User.objects.get(username="bob"), campaign.public_id),
        show_war=True,
        show_name=True,
    )
    words = re.findall(r"\w+", read_gallery(campaign).text)
    assert ("ann" in words, "bob" in words) == (False, True)


def test_later_events_change_no_byte_of_a_published_week() -> None:
    """Two wars are equal until the second week, and differ from then on."""
    answers_by_war, worlds = [], []
    for then in ("", ATTACK):
        clear_caches()
        with roll_back(), mock.patch("secrets.token_hex", return_value="5e" * 32):
            campaign, _ = build(3, then)
            write_ruleset(campaign, {**campaign.ruleset, "gallery": WEEKS})
            rows = Snapshot.objects.filter(branch=campaign.head_branch).order_by("seq")
            worlds.append([(row.week, row.sha256) for row in rows])
            queries = [
                "",
                *(f"?seq={row.seq}&as={key}" for row in rows for key in ("ember", "frost")),
            ]
            answers = [Client().get(where(campaign, query)) for query in queries]
            answers_by_war.append([(answer.status_code, answer.content) for answer in answers])
    assert answers_by_war[0] == answers_by_war[1]
    assert {status for status, _ in answers_by_war[0]} == {200, 404}
    early, late = (
        [[world_row for world_row in world if (world_row[0] <= 1) is past] for world in worlds]
        for past in (True, False)
    )
    assert early[0] == early[1]
    assert late[0] != late[1]


def test_war_published_at_its_end_is_hidden_before() -> None:
    campaign = shown_war(3, 0, build_war=build_with_battle)
    read_gallery(campaign, status=404)
    read_gallery(campaign, "film/", 404)
    stage: Stage | None = Stage.objects.filter(branch=campaign.head_branch).latest("ordinal")
    while stage is not None:
        stage = resolve_stage(stage).next
    assert "all of it is shown" in read_gallery(campaign).text
    for row in Snapshot.objects.filter(branch=campaign.head_branch):
        read_gallery(campaign, f"?seq={row.seq}")
    assert campaign.seed not in read_gallery(campaign).text
    film = read_gallery(campaign, "film/?as=frost").text
    assert campaign.seed not in film
    for odd in ("film/?seq=99", "film/?as=nobody"):
        read_gallery(campaign, odd, 404)
    battles = links_to_battles(campaign)
    assert battles
    assert {where(campaign, f"battles/{row.public_id}/") for row in Battle.objects.all()} == battles
    assert all(f'href="{link}"' in film for link in battles)
    for link in battles:
        answer = Client().get(link)
        assert answer.status_code == 200
        assert "noindex" in answer["X-Robots-Tag"]
        assert "no-store" in answer["Cache-Control"]
        text = answer.content.decode()
        assert campaign.seed not in text
        assert "Turn 1" in text
        assert Client().get(f"{link}?as=frost&turn=1").status_code == 200
        assert [
            Client().get(f"{link}?{odd}").status_code for odd in ("as=nobody", "turn=x", "turn=99")
        ] == [404] * 3
    newest = Client().get("/gallery/newest/")
    assert newest.json()["film"]["moments"]
    assert "no-store" in newest["Cache-Control"]
    assert campaign.seed not in newest.content.decode()
    other, _ = start_campaign(seed=5)
    for war in (other, Campaign(public_id=PUBLIC_ID)):
        assert (
            Client().get(where(war, f"battles/{Battle.objects.all()[0].public_id}/")).status_code
            == 404
        )


def test_battles_of_a_running_war_are_listed_but_closed() -> None:
    campaign = shown_war(build_war=build_with_battle)
    rows = list(Battle.objects.filter(branch=campaign.head_branch))
    visible_rows = [row for row in rows if row.week <= 1]
    assert visible_rows
    text = read_gallery(campaign).text
    assert text.count('<tr><th scope="row">') >= len(visible_rows)
    assert not links_to_battles(campaign)
    assert Client().get("/gallery/newest/").json() == {}
    read_gallery(campaign, "film/", 404)
    for row in rows:
        read_gallery(campaign, f"battles/{row.public_id}/", 404)
        assert str(row.public_id) not in text


def links_to_battles(campaign: Campaign) -> set[str]:
    """Return the addresses of battles on its page."""
    return set(
        re.findall(
            rf'href="({re.escape(where(campaign, "battles/"))}[^"]+)"', read_gallery(campaign).text
        )
    )


def test_api_lists_published_wars_and_sets_consent() -> None:
    campaign = shown_war(3, WEEKS, "ann")
    client, here = browser("ann"), f"/api/campaigns/{campaign.public_id}/gallery/"
    (war,) = client.get("/api/gallery/").json()["wars"]
    assert (war["id"], war["until"], war["over"], war["page"]) == (
        str(campaign.public_id),
        1,
        False,
        where(campaign),
    )
    assert client.get(here).json() == {
        "weeks": WEEKS,
        "mine": {"may_be_shown": True, "may_be_named": False},
    }
    refusal = client.put(here, {"may_be_shown": False}, content_type="application/json")
    assert refusal.json()["mine"] == {"may_be_shown": False, "may_be_named": False}
    assert client.get("/api/gallery/").json() == {"wars": []}
    assert (
        client.post(f"{here}weeks/", {"weeks": 2}, content_type="application/json").status_code
        == 404
    )
    other, _ = open_campaign()
    at = f"/api/campaigns/{other.public_id}/gallery/weeks/"
    answers = [
        browser("hope").post(at, {"weeks": n}, content_type="application/json")
        for n in (1, 3, None)
    ]
    assert [answer.status_code for answer in answers] == [422, 200, 200]
    assert [answer.json()["weeks"] for answer in answers[1:]] == [3, None]


def test_abandoned_branch_is_not_published() -> None:
    campaign = shown_war()
    other, _ = start_campaign(seed=4)
    Campaign.objects.filter(pk=other.pk).update(
        forked_from=Snapshot.objects.filter(branch=campaign.head_branch)[0]
    )
    read_gallery(campaign, status=404)
    Campaign.objects.filter(pk=other.pk).update(forked_from=None)
    read_gallery(campaign)
    branch_create(campaign=campaign, reason="rolled back")
    read_gallery(campaign, status=404)
    assert gallery_wars() == []


def test_host_publishes_before_the_war_and_withdraws_any_time() -> None:
    campaign, host = open_campaign(play="ember")
    for wrong in (1, 53, -1):
        with pytest.raises(RuleViolations):
            gallery_rule_set(viewer=host, weeks=wrong)
    with pytest.raises(NotAllowed):
        consent_set(viewer=host, show_war=True)
    at, client = f"/c/{campaign.public_id}/", browser("hope")
    assert act(client, at, "gallery-rule", weeks="x").status_code == 422
    assert act(client, at, "gallery-rule", weeks="4").status_code == 302
    assert act(client, at, "gallery", shown="yes", named="yes").status_code == 302
    host_page = page(client, at)
    assert "4 weeks late" in host_page.text
    flo = join_by_invitation(viewer(campaign, "hope"), "flo", faction="frost")
    with pytest.raises(NotFound):
        gallery_rule_set(viewer=flo, weeks=None)
    assert act(client, at, "begin").status_code == 302
    host = viewer(campaign, "hope")
    assert (
        gallery_rule(host.campaign),
        consent_of(host).may_be_named,
        consent_of(flo).may_be_shown,
    ) == (
        4,
        True,
        False,
    )
    with pytest.raises(AlreadyStarted):
        gallery_rule_set(viewer=host, weeks=2)
    assert "Show this war to the public 4 weeks late" in " ".join(
        page(browser("flo"), at).text.split()
    )
    assert act(client, at, "gallery-rule", weeks="").status_code == 302
    assert gallery_rule(viewer(campaign, "hope").campaign) is None
    with pytest.raises(AlreadyStarted):
        gallery_rule_set(viewer=viewer(campaign, "hope"), weeks=4)
    assert "Public gallery" not in page(browser("flo"), at).text
