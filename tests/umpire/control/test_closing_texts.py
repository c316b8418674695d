"""Pages and e-mails say correctly when a stage closes, in wars of three factions."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.test import Client

from campaign.kinds import ClosingRule
from campaign.models import Notification, Stage
from campaign.selectors.truth import stages_to_resolve
from campaign.services.envelopes import envelope_ready, envelope_seal
from tests.access.client_requests import roll_back
from tests.campaign.seats.people import DAILY, join_by_invitation, open_campaign
from tests.umpire.control.test_ready import FACTIONS, HOLD, document, started_war
from umpire.services.stages import stage_resolve

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

KINDS = ("deploy", "orders", "decisions", "battles")
# What pages say of a stage, by what closes it. Each text appears only there.
CLOSING_TEXTS = {
    ClosingRule.SEALED: ("closes as soon as everybody", "or as soon as everybody has sealed"),
    ClosingRule.READY: (
        *(
            "every side is ready to go on",
            "as soon as every side is",
            "Nobody sees who is ready until all are",
        ),
        *("as soon as everybody is ready", "If every side ticks this"),
    ),
    ClosingRule.DEADLINE: (),
}
WAITED_FOR = re.compile(r"others (are|have not)|are missing|[Ww]aiting for")
TIMETABLE = re.compile(r">Timetable</h2>.*?</section>", re.DOTALL)


def what_closes(stage: Stage) -> ClosingRule:
    """Find out what closes a stage: seal for every side, then declare every side ready."""
    moment = stage.opens
    rule_found = ClosingRule.DEADLINE
    with roll_back():
        for faction in FACTIONS:
            envelope_seal(document=document(stage, faction), payload=HOLD, now=moment)
        if _is_due(stage):
            rule_found = ClosingRule.SEALED
        else:
            for faction in FACTIONS:
                envelope_ready(document=document(stage, faction), ready=True, now=moment)
            rule_found = ClosingRule.READY if _is_due(stage) else rule_found
    return rule_found


def _is_due(stage: Stage) -> bool:
    later = stage.opens.timestamp() + 600
    return stage.pk in {row.pk for row in stages_to_resolve(now=datetime.fromtimestamp(later, UTC))}


def rules_in_text(text: str) -> set[ClosingRule]:
    """Return what closes a stage besides its deadline, according to a text."""
    words = html.unescape(text)
    return {rule for rule, parts in CLOSING_TEXTS.items() if any(part in words for part in parts)}


def page_text(client: Client, stage: Stage, page: str) -> str:
    campaign = stage.branch.campaign.public_id
    answer = client.get(f"/c/{campaign}/{page}", follow=True)
    assert answer.status_code == 200
    return TIMETABLE.sub("", answer.content.decode())


@pytest.mark.parametrize("battles", ["captains", "online"])
@pytest.mark.parametrize("early", [None, True, False])
def test_text_about_three_factions_matches_the_closing_rule(
    battles: str, early: bool | None
) -> None:
    _, stage = started_war(battles=battles, timetable={**DAILY, "early_close": early})
    client = Client()
    for kind in KINDS:
        assert stage.kind == kind
        truth = what_closes(stage)
        expected = {truth} - {ClosingRule.DEADLINE}
        page = "orders/" if kind == "battles" else f"{kind}/"
        with mock.patch("django.utils.timezone.now", return_value=stage.opens):
            for name in ("hope", f"player-{FACTIONS[1]}"):
                client.force_login(User.objects.get(username=name))
                assert rules_in_text(page_text(client, stage, "")) <= expected, (kind, name)
                assert rules_in_text(page_text(client, stage, page)) <= expected, (kind, name)
            for faction in FACTIONS:
                envelope_seal(document=document(stage, faction), payload=HOLD, now=stage.opens)
            texts = [page_text(client, stage, ""), page_text(client, stage, page)]
        assert rules_in_text(texts[0]) == expected, (
            kind
        )  # after sealing, the war page says what happens
        assert [rules_in_text(text) <= expected for text in texts] == [True, True], kind
        assert not any(WAITED_FOR.search(text) for text in texts), "nobody is missing"
        bodies = Notification.objects.filter(path__contains=str(stage.branch.campaign.public_id))
        assert {
            rule for body in bodies.values_list("body", flat=True) for rule in rules_in_text(body)
        } == set()
        resolution = stage_resolve(stage=stage.pk, now=stage.closes)
        assert resolution is not None
        assert resolution.next is not None
        stage = resolution.next


@pytest.mark.parametrize("battles", ["captains", "online"])
@pytest.mark.parametrize("early", [None, True])
def test_timetable_mentions_deadlines_of_battles_fought_by_people(
    battles: str, early: bool | None
) -> None:
    campaign, host = open_campaign(
        "three-powers", timetable={**DAILY, "early_close": early}, battles=battles, play=FACTIONS[0]
    )
    for faction in FACTIONS[1:]:
        join_by_invitation(host, f"player-{faction}", faction=faction)
    client = Client()
    client.force_login(User.objects.get(username=f"player-{FACTIONS[1]}"))
    page = client.get(f"/c/{campaign.public_id}/").content.decode()
    last = "battles always last until their deadline"
    assert (last in page) == (battles == "online")
