"""Commands from Discord, signed by a key of this test: which are accepted, and what they do."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
import pytest_django
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from campaign.access import Viewer
from campaign.models import Campaign, DiscordAccount, Notification, Preference, Stage, Submission
from campaign.rules.message_rules import MessageRules
from campaign.services import discord
from campaign.services.discord import COMMANDS, account_unlink, code_make
from campaign.services.envelopes import draft_save
from campaign.services.messages import message_write
from campaign.services.orders import WeekOrders
from campaign.services.seats import campaign_begin
from tests.campaign.pages.general.browser_pages import browser
from tests.campaign.seats.people import DAILY, join_by_invitation, open_campaign, person, viewer
from tests.junk import JUNK, with_junk

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
KEY = Ed25519PrivateKey.generate()
WHERE, EPHEMERAL = "/discord/", 64


@pytest.fixture(autouse=True)
def application(settings: pytest_django.Settings) -> None:
    settings.DISCORD_PUBLIC_KEY = (
        KEY.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
    )


def post_interaction(
    body: dict[str, Any],
    *,
    key: Ed25519PrivateKey = KEY,
    at: datetime | None = None,
    signed: str = "",
) -> Any:
    """Send a request like Discord.

    Args:
        signed: Another body that was signed instead.
    """
    text, moment = json.dumps(body), str(int((at or timezone.now()).timestamp()))
    signature = key.sign(f"{moment}{signed or text}".encode()).hex()
    headers = {"X-Signature-Timestamp": moment, "X-Signature-Ed25519": signature}
    return Client(enforce_csrf_checks=True).post(WHERE, text, "application/json", headers=headers)


def command(name: str, by: str, number: str = "1", **options: Any) -> dict[str, Any]:
    option_rows = [{"name": key, "value": value} for key, value in options.items()]
    user = {"user": {"id": by}}
    return {"type": 2, "id": number, "member": user, "data": {"name": name, "options": option_rows}}


def text_of(answer: Any) -> str:
    """Return the words of an answer, which only the sender sees and which mentions nobody."""
    assert answer.status_code == 200, answer.content
    reply = answer.json()
    assert (reply["type"], reply["data"]["flags"]) == (4, EPHEMERAL)
    assert reply["data"]["allowed_mentions"] == {"parse": []}
    words: str = reply["data"]["content"]
    return words


def link_account(user: Any, discord_id: str) -> None:
    assert "Linked" in text_of(
        post_interaction(command("link", discord_id, code=code_make(user=user)))
    )


def war() -> tuple[Campaign, Viewer, Viewer]:
    campaign, host = open_campaign("first-steps", timetable=DAILY, messages=MessageRules("at-once"))
    people = [join_by_invitation(host, f"of-{key}", faction=key) for key in ("ember", "frost")]
    campaign_begin(viewer=host, now=timezone.now())
    return campaign, *(viewer(campaign, member.user.get_username()) for member in people)  # type: ignore[return-value]


def save_draft(sealing_viewer: Viewer, payload: dict[str, Any] | None = None) -> None:
    assert sealing_viewer.faction is not None
    document = WeekOrders(
        Stage.objects.select_related("branch__campaign__scenario").get(), sealing_viewer.faction
    )
    draft_save(
        document=document, payload=document.default() if payload is None else payload, version=0
    )


def test_discord_ping_is_answered() -> None:
    answer = post_interaction({"type": 1})
    assert (answer.status_code, answer.json()) == (200, {"type": 1})


def test_unsigned_and_old_requests_are_refused() -> None:
    other_key, now = Ed25519PrivateKey.generate(), timezone.now()
    ping = {"type": 1}
    assert post_interaction(ping, key=other_key).status_code == 401
    assert post_interaction(ping, signed='{"type": 2}').status_code == 401
    assert post_interaction(ping, at=now - timedelta(minutes=6)).status_code == 401
    assert post_interaction(ping, at=now + timedelta(minutes=6)).status_code == 401
    for headers in (
        {},
        {"X-Signature-Timestamp": "x", "X-Signature-Ed25519": "00"},
        {"X-Signature-Timestamp": str(int(now.timestamp())), "X-Signature-Ed25519": "zz"},
    ):
        assert Client().post(WHERE, "{}", "application/json", headers=headers).status_code == 401


def test_discord_is_off_without_a_key(settings: pytest_django.Settings) -> None:
    assert Client().get(WHERE).status_code == 405
    settings.DISCORD_PUBLIC_KEY = ""
    assert Client().get(WHERE).status_code == 404
    assert post_interaction({"type": 1}).status_code == 404


UNREADABLE: list[Any] = [
    [],
    "x",
    {"type": 2},
    {"type": 9, "id": "1", "data": {"name": "status"}, "user": {"id": "1"}},
    command("status", "11\ud8001"),  # half a surrogate pair, which no database stores
    command("status", "111", "1\x001"),
    command("link", "111", code="\udc00"),
]


@pytest.mark.parametrize("body", UNREADABLE)
def test_unreadable_request_is_reported(body: Any) -> None:
    assert post_interaction(body).status_code == 400


def test_malformed_command_is_answered_or_refused() -> None:
    link_account(person("vera"), "111")
    full_command = {**command("remind", "111", hours=3, campaign="x"), "locale": "fr"}
    for place, body in with_junk(full_command, JUNK[:-1]):
        assert post_interaction(body).status_code in (200, 400, 401), place


def test_replayed_seal_is_refused() -> None:
    _, ember, _ = war()
    link_account(ember.user, "111")
    save_draft(ember)
    order = command("seal", "111", number="77")
    assert "sealed. The receipt is on the page" in text_of(post_interaction(order))
    (row,) = Submission.objects.all()
    assert (row.faction, row.author_id) == (ember.faction, ember.user.pk)
    Submission.objects.update(withdrawn_at=timezone.now())
    assert post_interaction(order).status_code == 401
    assert not Submission.objects.filter(withdrawn_at=None).exists()


def test_unlinked_user_learns_and_does_nothing() -> None:
    _, ember, _ = war()
    save_draft(ember)
    for name in (*COMMANDS, "nothing"):
        assert text_of(post_interaction(command(name, "999"))) == discord.UNLINKED
    assert not Submission.objects.exists()


def test_users_act_for_themselves_and_link_codes_work_once() -> None:
    _, ember, frost = war()
    code = code_make(user=ember.user)
    assert "Linked" in text_of(post_interaction(command("link", "111", code=code)))
    assert "wrong or too old" in text_of(post_interaction(command("link", "222", code=code)))
    # a rival who enters their own code with another's account links nothing
    assert "another player" in text_of(
        post_interaction(command("link", "111", code=code_make(user=frost.user)))
    )
    assert DiscordAccount.objects.get(discord_id="111").user_id == ember.user.pk
    link_account(frost.user, "222")
    save_draft(ember)
    assert "there is no draft" in text_of(post_interaction(command("seal", "222", number="2")))
    assert not Submission.objects.exists()
    late = code_make(user=frost.user, now=timezone.now() - timedelta(minutes=16))
    assert "wrong or too old" in text_of(post_interaction(command("link", "333", code=late)))
    account_unlink(user=ember.user)
    assert text_of(post_interaction(command("status", "111", number="3"))) == discord.UNLINKED


def test_status_shows_stages_and_deadlines_only() -> None:
    campaign, ember, frost = war()
    link_account(ember.user, "111")
    message_write(viewer=frost, to=["ember"], text="a secret")
    save_draft(frost)
    words = text_of(post_interaction(command("status", "111", number="1")))
    assert words.startswith(f"{campaign.name}: the deployment is open until ")
    assert words.endswith("Your side has not sealed.")
    assert words.count("\n") == 0
    person("nobody")
    link_account(User.objects.get(username="nobody"), "333")
    assert (
        text_of(post_interaction(command("status", "333"))) == "None of your campaigns is running."
    )


def test_faulty_draft_is_not_sealed_and_faults_stay_hidden() -> None:
    _, ember, _ = war()
    link_account(ember.user, "111")
    save_draft(ember, {"schema": 1, "moves": [{"fleet": "frost/f1", "to": "0101"}]})
    words = text_of(post_interaction(command("seal", "111")))
    assert "not sealed" in words
    assert "frost/f1" not in words
    assert not Submission.objects.exists()


def test_reminder_precedes_the_deadline_on_the_chosen_channels() -> None:
    campaign, ember, _ = war()
    link_account(ember.user, "111")
    stage = Stage.objects.get()
    assert stage.closes is not None
    assert "you will be reminded" in text_of(
        post_interaction(command("remind", "111", number="1", hours=3))
    )
    assert "you will be reminded" in text_of(
        post_interaction(command("remind", "111", number="2", hours=3))
    )
    (row,) = Notification.objects.filter(dedupe_key__startswith="asked/")
    assert (row.user_id, row.due_at) == (ember.user.pk, stage.closes - timedelta(hours=3))
    assert row.body.startswith(f"{campaign.name}: the deployment closes ")
    assert "earlier than that" in text_of(
        post_interaction(command("remind", "111", number="3", hours=72))
    )
    for number, hours in enumerate((0, 73, "x", True), 4):
        assert "Choose from 1 to 72" in text_of(
            post_interaction(command("remind", "111", number=str(number), hours=hours))
        )


def test_player_of_several_campaigns_names_one() -> None:
    _, ember, _ = war()
    link_account(ember.user, "111")
    Campaign.objects.update(name="First")
    second_campaign, host = open_campaign(
        "first-steps", host="otto", name="Second", timetable=DAILY, play="frost"
    )
    second_campaign.memberships.create(
        user_id=ember.user.pk, role="player", faction=second_campaign.factions.get(key="ember")
    )
    campaign_begin(viewer=host, now=timezone.now())
    assert (
        text_of(post_interaction(command("seal", "111", number="1")))
        == "Which campaign? Choose from: Second; First"
    )
    assert "First, the deployment: there is no draft" in text_of(
        post_interaction(command("seal", "111", number="2", campaign="fi"))
    )


def test_accounts_are_linked_and_unlinked_on_the_profile() -> None:
    ada = person("ada")
    client = browser("ada")
    assert client.post("/me/", {"act": "discord"}).status_code == 302
    text = client.get("/me/").content.decode()
    code = (
        text.split('id="discord-code"')[1].split('value="')[1].split('"')[0]
        if 'id="discord-code"' in text
        else ""
    )
    assert "Linked" in text_of(post_interaction(command("link", "111", code=code)))
    assert code not in client.get("/me/").content.decode()
    assert client.post("/me/", {"act": "discord-end"}).status_code == 302
    assert not DiscordAccount.objects.filter(user=ada).exists()


def test_registered_commands_match_the_implementation() -> None:
    out = StringIO()
    call_command("discord_commands", stdout=out)
    commands_written = json.loads(out.getvalue())
    assert {entry["name"] for entry in commands_written} == {*COMMANDS, "link"}
    for entry in (
        *commands_written,
        *(option for command in commands_written for option in command.get("options", ())),
    ):
        descriptions = [entry["description"], *entry["description_localizations"].values()]
        assert set(entry["description_localizations"]) == {"de", "fr"}
        assert len(set(descriptions)) == len(descriptions)
        assert all(0 < len(words) <= 100 for words in descriptions), "Discord takes 100 characters"


def test_answer_language_is_profile_then_discord_then_english() -> None:
    campaign, ember, frost = war()
    link_account(ember.user, "11")
    link_account(frost.user, "12")
    Preference.objects.create(user_id=ember.user.pk, language="fr")
    answers = {}
    for n, (by, locale) in enumerate(
        (("11", "de"), ("12", "de"), ("12", "pt-BR"), ("13", "fr"), ("13", "xx\n"))
    ):
        answers[by, locale] = text_of(
            post_interaction(command("status", by, str(50 + n)) | {"locale": locale})
        )
    assert answers["11", "de"].startswith(f"{campaign.name}\N{NO-BREAK SPACE}:")
    assert "Deine Seite hat nicht" in answers["12", "de"]
    assert "Your side has not sealed." in answers["12", "pt-BR"]
    assert "n’est pas lié" in answers["13", "fr"]
    assert "is not linked" in answers["13", "xx\n"]
    assert "Quelle" not in answers["12", "pt-BR"]
    for number in (0, 80):
        answer = text_of(
            post_interaction(
                command("remind", "12", str(70 + number), hours=number) | {"locale": "de"}
            )
        )
        assert "Stunden" in answer
    odds: tuple[Any, ...] = (7, None, ["de"], {})
    for odd in odds:
        assert (
            post_interaction(command("status", "12", f"o{odd}"[:30]) | {"locale": odd}).status_code
            == 200
        )
