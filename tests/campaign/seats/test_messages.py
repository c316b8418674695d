"""Messages: who gets them and when, who is notified, and what is refused."""

from __future__ import annotations

from datetime import timedelta
from unittest import mock

import pytest
import pytest_django
from django.db import IntegrityError, transaction

from campaign.access import Viewer
from campaign.errors import NotFound
from campaign.models import Campaign, Message, Notification, Stage
from campaign.rules.message_rules import MessageRules
from campaign.selectors.messages import (
    list_faction_messages,
    list_messages,
    message_rules_of,
    receivers_of,
    unread_count,
)
from campaign.services.campaigns import campaign_create
from campaign.services.messages import LONGEST, MAX_PER_HOUR, message_write, messages_mark_read
from campaign.services.preferences import preference_save
from campaign.services.seats import campaign_begin
from engine.core.errors import RuleViolations
from tests.campaign.seats.people import DAILY, MONDAY, join_by_invitation, open_campaign, viewer
from umpire.services.stages import stage_close, stage_resolve
from umpire.services.ticks import instants_restate

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("on_a_grid")]
SLUG = "three-powers"


@pytest.fixture
def on_a_grid(settings: pytest_django.Settings) -> None:
    """Let outcomes be published some time after they are stored."""
    settings.PUBLICATION_GRID = settings.PUBLICATION_ALLOWANCE = 300


def table(
    mode: str, umpire_reads: bool = False, begin: bool = True
) -> tuple[Campaign, list[Viewer]]:
    """Return a war of three with its players in faction order, then its umpire."""
    rules = MessageRules(mode, umpire_reads)
    campaign, host = open_campaign(SLUG, timetable=DAILY, messages=rules)
    keys = list(campaign.factions.order_by("key").values_list("key", flat=True))
    people = [join_by_invitation(host, f"of-{key}", faction=key) for key in keys]
    people.append(join_by_invitation(host, "vera", role="umpire"))
    if begin:
        campaign_begin(viewer=host, now=MONDAY)
    return campaign, [viewer(campaign, member.user.get_username()) for member in people]


def texts(reader: Viewer, at: object = MONDAY) -> list[str]:
    return [message.text for message in list_messages(reader, now=at) if message.at is not None]  # type: ignore[arg-type]


def key_of(reader: Viewer) -> str:
    assert reader.faction is not None
    return reader.faction.key


def told_users() -> list[str]:
    rows = Notification.objects.filter(dedupe_key__startswith="message/").order_by("pk")
    return [row.user.get_username() for row in rows.select_related("user") if row.user is not None]


@pytest.mark.any_database
def test_message_is_read_by_sender_and_recipient_only() -> None:
    _, (ada, bea, cyn, vera) = table("at-once", umpire_reads=False)
    message_write(
        viewer=ada, to=[key_of(bea)], text="  Shall we share the Rim?\r\nI go east.  ", now=MONDAY
    )
    assert texts(ada) == texts(bea) == ["Shall we share the Rim?\nI go east."]
    assert texts(cyn) == texts(vera) == []
    (mine,), (theirs,) = list_messages(ada, now=MONDAY), list_messages(bea, now=MONDAY)
    assert (mine.author, mine.mine, mine.unread) == (ada.user.get_username(), True, False)
    assert (theirs.author, theirs.mine, theirs.unread) == ("", False, True)
    with pytest.raises(NotFound):
        list_faction_messages(vera)


def test_umpire_reads_delivered_messages_only_if_announced() -> None:
    _, (ada, bea, _, vera) = table("sealed", umpire_reads=True)
    message_write(viewer=ada, to=[key_of(bea)], text="Quietly now", now=MONDAY)
    message_write(viewer=ada, to=[None], text="A question of rules", now=MONDAY)
    assert texts(vera) == ["A question of rules"], "it waits for the stage"
    assert list_faction_messages(vera, now=MONDAY) == []
    Message.objects.update(delivered_at=MONDAY)
    assert [message.text for message in list_faction_messages(vera, now=MONDAY)] == ["Quietly now"]
    assert texts(vera) == ["A question of rules"]
    for player in (ada, bea):
        with pytest.raises(NotFound):
            list_faction_messages(player)


def test_sealed_message_is_delivered_with_the_outcome() -> None:
    campaign, (ada, bea, _, _) = table("sealed")
    stage = Stage.objects.get()
    message_write(viewer=ada, to=[key_of(bea)], text="Before", now=MONDAY)
    assert texts(bea) == []
    assert unread_count(bea) == 0
    assert told_users() == []
    (mine,) = list_messages(ada, now=MONDAY)
    assert mine.at is None
    stage_close(stage=stage.pk, force=True, now=MONDAY)
    message_write(viewer=ada, to=[key_of(bea)], text="After it closed", now=MONDAY)
    for _ in range(3):  # however often it is called
        stage_resolve(stage=stage.pk, now=MONDAY)
    public = Stage.objects.get(pk=stage.pk).publishes_at
    assert public is not None
    assert public > MONDAY
    assert [row.delivered_at for row in Message.objects.order_by("pk")] == [public, None]
    # stored, not public: nobody can tell that it was computed, and a message written now waits for
    # the next stage
    before = public - timedelta(microseconds=1)
    message_write(viewer=ada, to=[key_of(bea)], text="While it is held back", now=before)
    assert texts(bea, before) == []
    assert list_messages(ada, now=before)[0].at is None
    assert texts(bea, public) == ["Before"]
    assert [row.ordinal for row in Message.objects.order_by("pk")] == [0, 1, 1]
    assert told_users() == [bea.user.get_username()]
    assert Notification.objects.get(dedupe_key__startswith="message/").due_at == public
    second = Stage.objects.get(ordinal=1)
    stage_resolve(stage=second.pk, force=True, now=public)
    later = Stage.objects.get(pk=second.pk).publishes_at
    assert texts(bea, later) == ["Before", "After it closed", "While it is held back"]
    assert campaign.messages.filter(delivered_at=None).count() == 0


def test_stage_seals_only_messages_between_factions() -> None:
    """Team-mates and the umpire may write while it is open, and recipients are notified at once."""
    _, (ada, bea, _, vera) = table("sealed")
    message_write(viewer=ada, to=[key_of(ada), key_of(bea), None], text="Wait for me", now=MONDAY)
    message_write(viewer=vera, to=[key_of(ada)], text="A day more", now=MONDAY)
    assert (texts(ada), texts(bea), texts(vera)) == (
        ["Wait for me", "Wait for me", "A day more"],
        [],
        ["A day more", "Wait for me"],
    )
    assert sorted(told_users()) == sorted(reader.user.get_username() for reader in (ada, vera))
    assert Message.objects.filter(delivered_at=None).get().receiver == bea.faction


def test_failed_resolution_delivers_nothing() -> None:
    _, (ada, bea, _, _) = table("sealed")
    stage = Stage.objects.get()
    message_write(viewer=ada, to=[key_of(bea)], text="Before", now=MONDAY)

    with (
        mock.patch("umpire.services.stages.stage_announce", side_effect=OSError("gone")),
        pytest.raises(OSError, match="gone"),
    ):
        stage_resolve(stage=stage.pk, force=True, now=MONDAY)
    assert Message.objects.get().delivered_at is None
    assert told_users() == []
    stage_resolve(stage=stage.pk, force=True, now=MONDAY)
    assert Message.objects.get().delivered_at is not None
    assert told_users() == [bea.user.get_username()]


def test_nothing_is_sealed_before_and_after_a_war() -> None:
    _, (ada, bea, _, _) = table("sealed", begin=False)
    message_write(viewer=ada, to=[key_of(bea)], text="See you Monday", now=MONDAY)
    assert texts(bea) == ["See you Monday"]
    assert list_messages(bea, now=MONDAY)[0].stage == ""


@pytest.mark.any_database
def test_message_delivered_by_a_fast_clock_counts_as_delivered() -> None:
    _, (ada, bea, _, _) = table("sealed")
    stage = Stage.objects.get()
    message_write(viewer=ada, to=[key_of(bea)], text="Before", now=MONDAY)
    stage_resolve(stage=stage.pk, force=True, now=MONDAY + timedelta(days=3))
    assert texts(bea, MONDAY + timedelta(days=1)) == []
    assert instants_restate(now=MONDAY + timedelta(hours=1)) == 1
    assert texts(bea, MONDAY + timedelta(hours=1)) == ["Before"]
    assert Notification.objects.get(dedupe_key__startswith="message/").due_at == MONDAY + timedelta(
        hours=1
    )


def test_unread_messages_are_notified_once_without_contents() -> None:
    campaign, (ada, bea, cyn, vera) = table("at-once")
    message_write(viewer=ada, to=[key_of(bea), None], text="My secret plan", now=MONDAY)
    message_write(viewer=cyn, to=[key_of(bea)], text="Mine, too", now=MONDAY)
    assert told_users() == [bea.user.get_username(), "vera"]
    row = Notification.objects.filter(dedupe_key__startswith="message/").order_by("pk")[0]
    assert (row.body, row.path) == (
        f"{campaign.name}: there is something new for you.",
        f"/c/{campaign.public_id}/",
    )
    ids = [message.id for message in list_messages(bea)]
    assert messages_mark_read(viewer=cyn, ids=ids) == 0
    assert messages_mark_read(viewer=bea, ids=[*ids, "x"]) == 2
    assert messages_mark_read(viewer=bea, ids=ids) == 0
    assert unread_count(bea) == 0
    message_write(viewer=cyn, to=[key_of(bea)], text="And again", now=MONDAY + timedelta(hours=1))
    assert told_users() == [bea.user.get_username(), "vera", bea.user.get_username()]
    assert unread_count(vera) == 1


def test_user_notified_of_stages_only_gets_no_message_notice() -> None:
    _, (ada, bea, cyn, _) = table("at-once", begin=False)
    preference_save(user=bea.user, messages=False)
    preference_save(user=cyn.user, zone="Europe/Berlin")
    message_write(viewer=ada, to=[key_of(bea), key_of(cyn)], text="To both", now=MONDAY)
    assert told_users() == [cyn.user.get_username()]


def test_recipients_are_equal_with_and_without_players() -> None:
    campaign, (ada, *_) = table("at-once")
    names = [(receiver.key, receiver.is_own) for receiver in receivers_of(ada)]
    assert sorted(str(key) for key, _ in names) == sorted(
        [*campaign.factions.values_list("key", flat=True), str(None)]
    )
    campaign.memberships.filter(role="player").exclude(user_id=ada.user.pk).delete()
    campaign.factions.update(admiral="bold")
    assert [(receiver.key, receiver.is_own) for receiver in receivers_of(ada)] == names
    message_write(viewer=ada, to=[names[1][0]], text="Is anybody there?", now=MONDAY)
    assert texts(ada) == ["Is anybody there?"]


@pytest.mark.parametrize(
    ("to", "text", "code"),
    [
        ([], "words", "nobody"),
        (["nowhere"], "words", "unknown-receiver"),
        (None, " \n ", "empty"),
        (None, "x" * (LONGEST + 1), "too-long"),
        (None, "look \u202e here", "bad-character"),
        (None, "a\x00b", "bad-character"),
    ],
)
@pytest.mark.any_database
def test_unsendable_message_is_refused_with_a_reason(
    to: list[str] | None, text: str, code: str
) -> None:
    _, (ada, bea, _, _) = table("at-once", begin=False)
    with pytest.raises(RuleViolations) as refused:
        message_write(viewer=ada, to=[key_of(bea)] if to is None else to, text=text)
    assert [fault.code for fault in refused.value.violations] == [code]
    assert not Message.objects.exists()


def test_messages_per_hour_are_limited_and_resends_ignored() -> None:
    _, (ada, bea, cyn, _) = table("at-once", begin=False)
    for number in range(MAX_PER_HOUR):
        message_write(viewer=ada, to=[key_of(bea)], text=f"number {number}", now=MONDAY)
        message_write(viewer=ada, to=[key_of(bea)], text=f"number {number}", now=MONDAY)
    assert Message.objects.count() == MAX_PER_HOUR
    with pytest.raises(RuleViolations, match="an hour"):
        message_write(viewer=ada, to=[key_of(cyn)], text="one more", now=MONDAY)
    message_write(viewer=cyn, to=[key_of(ada)], text="others may", now=MONDAY)
    message_write(viewer=ada, to=[key_of(cyn)], text="one more", now=MONDAY + timedelta(hours=1))


def test_war_without_messages_and_user_without_seat_have_none() -> None:
    campaign, host = open_campaign(SLUG)
    assert not message_rules_of(campaign).on
    quiet = join_by_invitation(host, "anna", faction=str(campaign.factions.order_by("key")[0].key))
    with pytest.raises(NotFound):
        message_write(viewer=quiet, to=[None], text="hello")
    with pytest.raises(NotFound):
        list_messages(quiet)
    other = campaign_create(scenario=campaign.scenario, messages=MessageRules("at-once"))
    assert message_rules_of(other).on
    with pytest.raises(RuleViolations, match="only if messages are allowed"):
        open_campaign(SLUG, host="otto", messages=MessageRules("off", umpire_reads=True))
    with pytest.raises(RuleViolations, match="must be one of"):
        open_campaign(SLUG, host="olga", messages=MessageRules("sometimes"))


def test_hosts_and_observers_cannot_write() -> None:
    campaign, host = open_campaign(SLUG, messages=MessageRules("at-once"))
    for writer in (host, join_by_invitation(host, "otto", role="observer")):
        with pytest.raises(NotFound):
            message_write(viewer=writer, to=[None], text="hello")
    assert campaign.messages.count() == 0


def test_message_text_never_changes() -> None:
    _, (ada, bea, _, _) = table("at-once", begin=False)
    (row,) = message_write(viewer=ada, to=[key_of(bea)], text="as it was")
    with pytest.raises(IntegrityError), transaction.atomic():
        Message.objects.filter(pk=row.pk).update(text="as it was not")
    Message.objects.filter(pk=row.pk).update(delivered_at=MONDAY)
