"""An umpire's notes about people: saved, replaced, deleted, and read by nobody else."""

from __future__ import annotations

from html import unescape

import pytest
from django.contrib.auth.models import User

from campaign.access import viewer_of
from campaign.errors import NotFound
from campaign.models import Act, UmpireNote
from campaign.services.campaigns import membership_add
from tests.umpire.pages.staffed_war import StaffedWar
from tests.umpire.services.wars import campaign_of
from umpire.services.notes import LONGEST_NOTE, note_write, notes_of

pytestmark = pytest.mark.django_db
SECRET = "seals late; & likes <Frost>\n\nask about the holiday"


def save_note(
    desk: StaffedWar, about: str = "player", text: str = SECRET, role: str = "umpire"
) -> int:
    return (
        desk.client(role).post(desk.url("umpire-notes"), {"about": about, "text": text}).status_code
    )


def test_note_is_saved_shown_overwritten_and_deleted(desk: StaffedWar) -> None:
    assert save_note(desk, text=f"  {SECRET}\r\n ".replace("\n\n", "\r\n\r\n")) == 302
    assert UmpireNote.objects.get().text == SECRET
    client = desk.client("umpire")
    raw = client.get(desk.url("umpire-notes")).content.decode()
    assert "<Frost>" not in raw
    assert SECRET in unescape(raw)
    french = client.get(
        desk.url("umpire-notes"), headers={"Accept-Language": "fr"}
    ).content.decode()
    assert "<small>joueur, " in french
    assert "seals late" in client.get(desk.url("umpire")).content.decode()
    assert save_note(desk, text="is back") == 302
    assert [row.text for row in UmpireNote.objects.all()] == ["is back"]
    assert save_note(desk, text=" \r\n ") == 302
    assert not UmpireNote.objects.exists()
    assert not Act.objects.exists()


def test_notes_are_private(desk: StaffedWar) -> None:
    save_note(desk)
    second = User.objects.create_user("second-umpire")
    membership_add(campaign=desk.campaign, user=second, role="umpire")
    desk.people["second umpire"] = second
    for role in ("player", "staff", "host", "observer", "superuser", "umpire elsewhere"):
        assert save_note(desk, text="spoilt", role=role) == 404, role
        with pytest.raises(NotFound):
            notes_of(viewer_of(desk.people[role], desk.campaign.public_id))
    other = desk.client("second umpire")
    for name in ("umpire", "umpire-notes"):
        assert "seals late" not in other.get(desk.url(name)).content.decode()
    for role in ("player", "host", "observer"):
        client = desk.client(role)
        for name in ("public", "lobby"):
            assert "seals late" not in client.get(desk.url(name)).content.decode(), (role, name)
    assert save_note(desk, text="of my own", role="second umpire") == 302
    assert sorted(row.text for row in UmpireNote.objects.all()) == sorted([SECRET, "of my own"])
    assert (
        notes_of(viewer_of(desk.people["umpire"], desk.campaign.public_id))["player"].text == SECRET
    )


def test_invalid_note_changes_nothing_and_says_why(desk: StaffedWar) -> None:
    save_note(desk)
    answer = desk.client("umpire").post(
        desk.url("umpire-notes"), {"about": "player", "text": "x" * (LONGEST_NOTE + 1)}
    )
    assert answer.status_code == 422
    assert f"can have at most {LONGEST_NOTE} characters" in answer.content.decode()
    assert "x" * (LONGEST_NOTE + 1) in answer.content.decode()  # the text entered is not lost
    assert save_note(desk, text="a\u202eb") == 422
    assert save_note(desk, about="umpire") == 404  # about themselves
    assert save_note(desk, about="umpire-elsewhere") == 404
    assert save_note(desk, about="nobody") == 404
    assert UmpireNote.objects.get().text == SECRET


def test_note_belongs_to_its_campaign(desk: StaffedWar) -> None:
    save_note(desk)
    umpire, player = desk.people["umpire"], desk.people["player"]
    assert isinstance(umpire, User)
    assert isinstance(player, User)
    other = campaign_of()
    membership_add(campaign=other, user=umpire, role="umpire")
    membership_add(
        campaign=other, user=player, role="player", faction=other.factions.get(key="ember")
    )
    viewer = viewer_of(umpire, other.public_id)
    assert notes_of(viewer) == {}
    note_write(viewer=viewer, about="player", text="elsewhere")
    assert (
        desk.client("umpire").get(desk.url("umpire-notes")).content.decode().count("elsewhere") == 0
    )
