"""Drafts, faults, seals and receipts on pages."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.access import Viewer
from campaign.models import Campaign, Draft, Stage, Submission
from campaign.pages.week import receipt
from campaign.web.war import War, war_of
from engine.core.canonical import canonical_json
from tests.campaign.pages.war.browsing import Player, at, player
from tests.sealing import orders_save
from tests.umpire.services.wars import resolve_stage

pytestmark = pytest.mark.django_db
NONCE = "00112233445566778899aabbccddeeff"
LANCE = "ember/f2"


@pytest.fixture
def ember() -> Player:
    return at("orders")


def test_all_faults_are_beside_their_fields(ember: Player) -> None:
    fields = ember.form("orders/")
    fields |= {
        f"move-{LANCE}": ["9999"],
        f"name-{LANCE}": [""],
        f"decoys-on-{LANCE}": ["many"],
        "path-ember/f3": ["0404 0104"],
    }
    answer = ember.send("orders/", fields, "seal")
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "must be a whole number" in text
    fields[f"decoys-on-{LANCE}"] = ["9"]
    fields["version"] = ["1"]
    answer = ember.send("orders/", fields, "seal")
    text, _, _ = answer.content.decode().partition('<script id="desk"')
    for words in (
        "no fleet can enter hex",
        "a name must not be empty",
        "there is no such path",
        "has 2 decoys aboard, not 9",
    ):
        assert len(re.findall(words, text)) == 2, words  # in the list, and beside the fleet
    anchors = set(re.findall(r'<li><a href="#([^"]+)">', text))
    assert anchors == {"fleet-ember-f2", "fleet-ember-f3"}
    assert all(f'id="{anchor}"' in text for anchor in anchors)
    assert not Submission.objects.filter(faction=ember.faction, stage=ember.stage()).exists()
    assert 'value="9999"' in text  # the input is still there


def test_draft_with_faults_is_kept_and_judged_again(ember: Player) -> None:
    assert ember.fill("orders/", **{f"move-{LANCE}": "1007"}).status_code == 302
    assert ember.draft()["moves"] == [{"fleet": LANCE, "to": "1007"}]
    assert "1 problem to fix" in ember.get("orders/").text


def test_lost_update_is_shown_and_nothing_is_lost(ember: Player) -> None:
    mate = player_of_same_side(ember)
    mine, theirs = ember.form("orders/"), mate.form("orders/")
    theirs[f"move-{LANCE}"] = ["0404"]
    assert mate.send("orders/", theirs, "save").status_code == 302
    mine[f"move-{LANCE}"] = ["0305"]
    answer = ember.send("orders/", mine, "seal")
    assert answer.status_code == 409
    text = answer.content.decode()
    assert "Lance moves to 0404" in text
    assert '<option value="0305" selected>' in text
    assert ember.draft()["moves"] == [{"fleet": LANCE, "to": "0404"}]
    assert not Submission.objects.filter(stage=ember.stage(), faction=ember.faction).exists()
    mine["version"] = re.findall(r'name="version" value="(\d+)"', text)
    assert ember.send("orders/", mine, "save").status_code == 302
    assert ember.draft()["moves"] == [{"fleet": LANCE, "to": "0305"}]


def player_of_same_side(mate: Player) -> Player:
    return player(mate.campaign, mate.faction.key)


@pytest.mark.parametrize("version", ["", "-1", "x", "99999999999999999999", "7"])
def test_invalid_version_overwrites_nothing(ember: Player, version: str) -> None:
    orders_save(
        stage=ember.stage(),
        faction=ember.faction,
        payload={"schema": 1, "weasels": ["kept"]},
        version=0,
    )
    fields = ember.form("orders/") | {"version": [version], f"move-{LANCE}": ["0404"]}
    assert ember.send("orders/", fields, "save").status_code == 409
    assert ember.draft()["weasels"] == ["kept"]


@pytest.mark.parametrize("action", ["save", "seal"])
def test_form_sent_twice_is_harmless(ember: Player, action: str) -> None:
    fields = ember.form("orders/") | {f"move-{LANCE}": ["0404"]}
    for _ in range(3):
        assert ember.send("orders/", fields, action).status_code == 302
    assert Draft.objects.filter(faction=ember.faction, stage=ember.stage()).count() == 1
    sealed = Submission.objects.filter(faction=ember.faction, stage=ember.stage())
    assert sealed.count() == (1 if action == "seal" else 0)


def test_other_orders_do_not_replace_sealed_ones(ember: Player) -> None:
    fields = ember.form("orders/")
    ember.send("orders/", fields, "seal")
    late = fields | {f"move-{LANCE}": ["0404"], "version": ["1"]}
    answer = ember.client.post(ember.url("orders/"), {**late, "action": "seal"}, follow=True)
    assert "Other orders are already sealed" in answer.content.decode()
    entry = Submission.objects.get(faction=ember.faction, stage=ember.stage())
    assert "moves" not in entry.payload
    assert ember.draft()["moves"]


def test_sealed_page_of_a_paused_war_has_no_closing_time(ember: Player) -> None:
    now = timezone.now()
    Stage.objects.filter(pk=ember.stage().pk).update(closes=now + timedelta(days=2))
    assert "then seal before" in ember.get("orders/").text
    ember.send("orders/", ember.form("orders/"), "seal")
    assert "The stage closes on" in ember.get("orders/").text
    Campaign.objects.filter(pk=ember.campaign.pk).update(paused_at=now)
    sealed_text = ember.get("orders/").text
    assert "The stage closes on" not in sealed_text
    assert "the stage does not close until the clock is resumed" in sealed_text
    ember.send("orders/", {"version": ["0"]}, "unseal")
    assert "then seal before" not in ember.get("orders/").text


def test_receipt_names_a_fleet_that_was_lost_since(
    ember: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    ember.send("orders/", ember.form("orders/") | {f"move-{LANCE}": ["0404"]}, "seal")
    assert "Lance moves to" in ember.get("receipts/").text

    def war_without_fleets(viewer: Viewer) -> War:
        war = war_of(viewer)
        view = replace(war.sight.view, fleets=(), ships=())
        return replace(war, sight=replace(war.sight, view=view))

    monkeypatch.setattr(receipt, "war_of", war_without_fleets)
    assert "Lance moves to" in ember.get("receipts/").text


def test_receipt_can_be_checked_by_hand(ember: Player) -> None:
    fields = ember.form("orders/") | {f"move-{LANCE}": ["0404"], "nonce": [NONCE]}
    ember.send("orders/", fields, "seal")
    digests = set()
    for name in ("orders/", "receipts/"):
        page = ember.client.get(ember.url(name)).content.decode()
        text = re.search(r"data-canonical>(.*?)</pre>", page)
        digest = re.search(r"data-digest>([0-9a-f]{64})<", page)
        assert text
        assert digest
        assert f"data-nonce-used>{NONCE}<" in page
        sealed = text[1].replace("&quot;", '"')
        assert hashlib.sha256(sealed.encode() + bytes.fromhex(NONCE)).hexdigest() == digest[1]
        digests.add(digest[1])
    assert {resolve_stage(ember.stage()).row.body["digests"][0]} == digests


def test_server_makes_the_nonce_without_scripts(ember: Player) -> None:
    ember.fill("orders/", action="seal")
    entry = Submission.objects.get(faction=ember.faction, stage=ember.stage())
    assert len(entry.nonce) == 32
    digest = hashlib.sha256(canonical_json(entry.payload) + bytes.fromhex(entry.nonce)).hexdigest()
    assert digest in ember.get("receipts/").text


def test_bad_nonce_is_a_fault(ember: Player) -> None:
    answer = ember.fill("orders/", action="seal", nonce="xyz")
    assert answer.status_code == 422
    assert "32 hexadecimal digits" in answer.content.decode()


def test_sealed_orders_are_shown_in_words_and_can_be_unsealed(ember: Player) -> None:
    ember.fill("orders/", action="seal", **{f"move-{LANCE}": "0804"})
    page = ember.get("orders/")
    assert "Lance moves to Frost (0804)" in page.text
    assert all("move-" not in name for form in page.forms for name in form)
    for _ in range(2):  # sending it twice does no harm
        assert ember.send("orders/", page.forms[-1], "unseal").status_code == 302
    assert (
        Submission.objects.get(faction=ember.faction, stage=ember.stage()).withdrawn_at is not None
    )
    assert ember.form("orders/")[f"move-{LANCE}"] == ["0804"]
    assert "unsealed" in ember.get("receipts/").text


def test_stage_that_has_closed_accepts_nothing(ember: Player) -> None:
    fields = ember.form("orders/")
    resolve_stage(ember.stage())
    answer = ember.client.post(ember.url("orders/"), {**fields, "action": "seal"}, follow=True)
    assert "That stage has closed in the meantime" in answer.content.decode()
    assert not Submission.objects.filter(stage=ember.stage()).exists()


def test_receipts_are_private(ember: Player) -> None:
    frost = player(ember.campaign, "frost")
    frost.fill("orders/", action="seal", nonce=NONCE)
    theirs = Submission.objects.get(faction=frost.faction, stage=ember.stage())
    page = ember.client.get(ember.url("receipts/")).content.decode()
    assert theirs.digest not in page
    assert NONCE not in page


def test_writing_orders_costs_few_queries(ember: Player) -> None:
    ember.fill("orders/")
    ember.get("orders/")
    with CaptureQueriesContext(connection) as queries:
        ember.get("orders/")
    assert len(queries) <= 12


def test_form_requires_its_token(ember: Player) -> None:
    ember.client.handler.enforce_csrf_checks = True
    fields = ember.form("orders/")
    fields.pop("csrfmiddlewaretoken")
    assert ember.send("orders/", fields, "save").status_code == 403
