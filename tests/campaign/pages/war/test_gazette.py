"""The gazette's pages: the reader's edition, the public one, and nothing of unfinished weeks."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.mail import EmailMessage

from campaign.pages.week.gazette_mail import mail_issue
from campaign.sight.views import current_sight
from campaign.tasks import MAIL_ISSUE
from jobs.models import Job
from tests.campaign.pages.general.browser_pages import read_page
from tests.umpire.pages.staffed_war import StaffedWar, make_staffed_war, play_to_end

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> StaffedWar:
    return make_staffed_war()


def words(desk: StaffedWar, user: str, tail: str, status: int = 200) -> str:
    answer = desk.client(user).get(f"/c/{desk.campaign.public_id}/{tail}")
    assert answer.status_code == status, tail
    return read_page(answer).text if status == 200 else ""


def paper(desk: StaffedWar, user: str, tail: str) -> str:
    """Return the gazette itself, without the bars around it."""
    page = desk.client(user).get(f"/c/{desk.campaign.public_id}/{tail}").content.decode()
    return str(page[page.index("<article") : page.index("</article>")])


def test_player_reads_own_and_public_newspaper(desk: StaffedWar) -> None:
    mine, theirs = words(desk, "host who plays", "gazette/"), words(desk, "player", "gazette/1/")
    assert "The Ember Gazette" in mine
    assert "The Frost Gazette" in theirs
    assert "The Frost Gazette" not in mine
    assert "Who holds what" in mine
    papers = {
        paper(desk, user, "gazette/1/?for=public")
        for user in ("player", "host who plays", "umpire", "observer")
    }
    assert len(papers) == 1
    assert "The Public Gazette" in papers.pop()


def test_an_issue_is_a_pdf_for_those_who_read_it(desk: StaffedWar) -> None:
    address = f"/c/{desk.campaign.public_id}/gazette/1.pdf"
    player = desk.client("player")
    pdf = player.get(address)
    assert (pdf.status_code, pdf.content[:5]) == (200, b"%PDF-")
    assert player.get(address, headers={"If-None-Match": pdf.headers["ETag"]}).status_code == 304
    for user, edition in (("player", "allies"), ("observer", "own"), ("player elsewhere", "")):
        assert desk.client(user).get(f"{address}?for={edition}").status_code == 404


def test_an_issue_is_mailed_to_those_who_ask(
    desk: StaffedWar, mailoutbox: list[EmailMessage]
) -> None:
    address = f"/c/{desk.campaign.public_id}/gazette/1/mail/"
    player = desk.client("player")
    user = User.objects.get(pk=player.session["_auth_user_id"])
    user.email = ""
    user.save()
    assert "no e-mail address" in player.post(address).content.decode()
    user.email = "frost@example.org"
    user.save()
    assert player.post(address).status_code == 302
    args = {"user": user.pk, "campaign": str(desk.campaign.public_id), "edition": "own", "week": 1}
    assert Job.objects.filter(kind=MAIL_ISSUE).values_list("args", flat=True).get() == args
    assert mail_issue(args) == {"sent": 1}
    (mail,) = mailoutbox
    assert mail.to == ["frost@example.org"]
    assert "The Frost Gazette" in mail.subject
    assert mail.attachments[0][0] == "gazette-1.pdf"
    for other in ({"week": 2}, {"edition": "allies"}, {"campaign": str(uuid4())}):
        assert mail_issue({**args, **other}) == {"sent": 0}


def test_spectator_reads_only_the_public_newspaper(desk: StaffedWar) -> None:
    for user in ("umpire", "host", "observer"):
        assert "The Public Gazette" in words(desk, user, "gazette/")
        assert words(desk, user, "gazette/1/?for=own", 404) == ""
    for user in ("superuser", "player elsewhere"):
        assert words(desk, user, "gazette/", 404) == words(desk, user, "gazette/1/", 404) == ""


def test_no_issue_of_the_current_or_a_missing_week(desk: StaffedWar) -> None:
    for tail in (
        "gazette/2/",
        "gazette/0/",
        "gazette/99/",
        "gazette/1/?for=allies",
        "gazette/1/?for=x",
    ):
        assert words(desk, "player", tail, 404) == ""


def test_api_has_the_same_stories(desk: StaffedWar) -> None:
    client = desk.client("player")
    sheet = client.get(f"/api/campaigns/{desk.campaign.public_id}/gazette/1/").json()
    page = re.sub(
        r" (?=[.,;)])", "", words(desk, "player", "gazette/1/")
    )  # between a link and the text after it
    assert sheet["title"] == "The Frost Gazette"
    for story in sheet["stories"]:
        assert story["headline"] in page
        assert all(line in page for line in story["text"])
    assert client.get(f"/api/campaigns/{desk.campaign.public_id}/gazette/2/").status_code == 404
    assert (
        client.get(f"/api/campaigns/{desk.campaign.public_id}/gazette/1/?for=x").status_code == 422
    )


def test_chronicle_appears_only_after_the_war(
    desk: StaffedWar,
) -> None:
    for user in ("player", "umpire", "player elsewhere"):
        assert words(desk, user, "gazette/chronicle/", 404) == ""
    row = desk.campaign.factions.get(key="frost")
    then = current_sight(desk.campaign, row).view.ships
    play_to_end(desk)
    page = words(desk, "player", "gazette/chronicle/")
    assert "Chronicle of Frost Assembly" in page
    assert all(ship.name in page for ship in then)
    foreign = {
        ship.name
        for ship in current_sight(desk.campaign, desk.campaign.factions.get(key="ember")).view.ships
    }
    assert not [name for name in foreign if f"{name} " in page.split("The ships:")[1]]
    assert "Week 3: " in page
    for user in ("umpire", "observer", "player elsewhere"):
        assert words(desk, user, "gazette/chronicle/", 404) == ""
    assert "The chronicle of your war" in words(desk, "player", "gazette/")
