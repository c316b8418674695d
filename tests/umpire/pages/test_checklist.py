"""The checklist, the time line and the PDF of a week."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from campaign.access import viewer_of
from campaign.kinds import MessageMode
from campaign.models import ViewOpening
from campaign.services.messages import message_write
from tests.rulesets import write_ruleset
from tests.umpire.pages.staffed_war import StaffedWar
from umpire.adjudication.umpire_events import UmpireEvent
from umpire.services.umpire_events import umpire_event_write

pytestmark = pytest.mark.django_db


def test_checklist_says_who_has_not_sealed_or_opened(desk: StaffedWar) -> None:
    client = desk.client("umpire")
    page = client.get(desk.url("umpire-checklist")).content.decode()
    assert page.count("has not sealed yet") == 2
    assert page.count("has not opened the newest report yet") == 2
    desk.client("host who plays").get(desk.url("reports"))
    desk.client("observer").get(desk.url("public"))
    assert [row.faction.key for row in ViewOpening.objects.all()] == ["ember"]
    page = client.get(desk.url("umpire-checklist")).content.decode()
    assert page.count("has not opened the newest report yet") == 1
    items = client.get(f"/api/campaigns/{desk.campaign.public_id}/umpire/checklist/").json()[
        "items"
    ]
    done = {(item["kind"], item["faction"]): item["done"] for item in items}
    assert done["opened", "ember"]
    assert not done["opened", "frost"]


def test_time_line_has_messages_orders_and_actions(desk: StaffedWar) -> None:
    write_ruleset(desk.campaign, {**desk.campaign.ruleset, "messages": MessageMode.AT_ONCE})
    player = desk.people["player"]
    umpire = desk.people["umpire"]
    assert isinstance(player, User)
    assert isinstance(umpire, User)
    war = desk.campaign.public_id
    message_write(viewer=viewer_of(player, war), text="When is tea?", to=[None])
    message_write(viewer=viewer_of(player, war), text="A truce?", to=["ember"])
    event = UmpireEvent("report", ("ember",), 2, "decisions", text="Smoke <there>")
    umpire_event_write(viewer=viewer_of(umpire, war), event=event)
    client = desk.client("umpire")
    page = client.get(desk.url("umpire-time-line")).content.decode()
    assert "When is tea?" in page
    assert "Smoke &lt;there&gt;" in page
    assert "A truce?" not in page  # this war does not let its umpire read it
    desk.campaign.refresh_from_db()
    write_ruleset(desk.campaign, {**desk.campaign.ruleset, "umpire_reads": True})
    assert "A truce?" in client.get(desk.url("umpire-time-line")).content.decode()
    past = client.get(desk.url("umpire-time-line") + "?week=1").content.decode()
    assert "sealed: Week 1, orders" in past
    entries = client.get(f"/api/campaigns/{war}/umpire/time-line/?week=2").json()["entries"]
    assert {entry["kind"] for entry in entries} >= {"message", "action"}


def test_week_is_printed_for_umpire_and_factions(desk: StaffedWar) -> None:
    client = desk.client("umpire")
    pdf = client.get(desk.url("umpire-week-pdf", week=1))
    assert pdf.content.startswith(b"%PDF")
    assert pdf.content == client.get(desk.url("umpire-week-pdf", week=1)).content
    assert client.get(desk.url("umpire-week-pdf", week=9)).status_code == 404
    german = {"Accept-Language": "de"}
    assert client.get(desk.url("umpire-week-pdf", week=2), headers=german).status_code == 200
