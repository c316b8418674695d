"""The umpire's page of rulings: search, correct, read what each faction reads, make, undo."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from campaign.models import Act, Stage
from campaign.services.campaigns import membership_add
from tests.campaign.seats.people import person
from tests.umpire.services.test_rulings import open_stage, rule, umpired_war
from tests.umpire.services.wars import ATTACK
from umpire.adjudication.ship_patches import ShipDamage
from umpire.pages.rulings import ruling_rows
from umpire.services.rulings import ruling_make, rulings_of, undoing

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def hidden(html: str, name: str) -> str:
    """Return the value of a hidden field of the first form that has it."""
    found = re.search(rf'name="{name}" value="([^"]*)"', html)
    assert found is not None
    return found[1].replace("&quot;", '"')


def test_damage_is_corrected_step_by_step_and_undone(client: Client) -> None:
    umpire, stage = umpired_war()
    client.force_login(umpire.user)  # type: ignore[arg-type]
    url = f"/c/{umpire.campaign.public_id}/umpire/rulings/"
    ship = next(s for s in stage.from_snapshot.world["body"]["ships"] if s["faction"] == "ember")
    html = client.post(url, {"act": "search", "q": ship["name"]}).content.decode()
    assert f'value="ship:{ship["key"]}"' in html
    chosen = {"choose": f"ship:{ship['key']}", "kind": "ship-damage"}
    assert 'name="damage"' in client.post(url, chosen).content.decode()
    refused = client.post(url, {**chosen, "act": "check", "damage": "999"})
    assert refused.status_code == 422
    html = client.post(url, {**chosen, "act": "check", "damage": "1"}).content.decode()
    assert "damage points: none" not in html
    assert "damage points: 0 → 1" in html
    patches = hidden(html, "patches")
    form = {"act": "rule", "patches": patches, "stage": str(stage.ordinal), "when": "now"}
    assert client.post(url, form).status_code == 422
    assert client.post(url, {**form, "reason": "A die was misread"}).status_code == 302
    (row,) = rulings_of(stage.branch)
    assert (row.audience, row.patch["patches"][0]["damage"]) == (["ember"], 1)
    html = client.get(url).content.decode()
    assert "A die was misread" in html
    html = client.post(url, {"act": "undo", "undoes": "1"}).content.decode()
    assert "damage points: 1 → 0" in html
    undo = {"act": "rule", "undoes": "1", "reason": "It was right", "when": "hold"}
    assert client.post(url, {**undo, "stage": str(stage.ordinal + 1)}).status_code == 302
    html = client.get(url).content.decode()
    assert "Waiting for the next stage" in html
    held = Act.objects.get(verb="ruling-held")
    assert client.post(url, {"act": "drop", "held": held.sha256}).status_code == 302
    assert "Waiting for the next stage" not in client.get(url).content.decode()


@pytest.mark.parametrize(
    "choose",
    ["ship", "fleet", "system", "war"],
)
def test_every_kind_of_correction_has_a_form(client: Client, choose: str) -> None:
    umpire, stage = umpired_war()
    client.force_login(umpire.user)  # type: ignore[arg-type]
    url = f"/c/{umpire.campaign.public_id}/umpire/rulings/"
    body = stage.from_snapshot.world["body"]
    keys = {
        "ship": body["ships"][0]["key"],
        "fleet": body["fleets"][0]["key"],
        "system": body["holdings"][0]["system"],
        "war": "",
    }
    first = client.post(url, {"choose": f"{choose}:{keys[choose]}"}).content.decode()
    kinds = re.findall(
        r'<option value="([a-z-]+)"[^>]*>',
        first.partition('name="kind"')[2].partition("</select>")[0],
    )
    assert kinds
    for kind in kinds:
        response = client.post(url, {"choose": f"{choose}:{keys[choose]}", "kind": kind})
        assert response.status_code == 200
        assert f'name="kind" value="{kind}"' in response.content.decode()


def test_new_fleet_waits_for_its_ships_and_unknown_things_are_refused(client: Client) -> None:
    umpire, stage = umpired_war()
    client.force_login(umpire.user)  # type: ignore[arg-type]
    url = f"/c/{umpire.campaign.public_id}/umpire/rulings/"
    fleet = {"faction": "ember", "name": "Lost squadron", "hex": "0101"}
    form = {"act": "check", "choose": "war:", "kind": "fleet-add", **fleet}
    answer = client.post(url, form)
    assert "Lost squadron needs a ship" in answer.content.decode()
    patches = hidden(answer.content.decode(), "patches")
    found = client.post(url, {"act": "search", "q": "lost squadron", "patches": patches})
    key = re.search(r'value="(fleet:[^"]+)"', found.content.decode())
    assert key is not None
    cls = stage.from_snapshot.world["body"]["ships"][0]["cls"]
    add = {"act": "check", "choose": key[1], "kind": "ship-add", "cls": cls, "name": "Straggler"}
    html = client.post(url, {**add, "patches": patches}).content.decode()
    assert "The ship Straggler was added." in html
    for choose in ("ship:nobody", "system:nowhere", "dragon:1"):
        assert client.post(url, {"choose": choose}).status_code == 200
    assert (
        client.post(url, {"act": "check", "choose": "ship:x", "kind": "rename"}).status_code == 422
    )
    assert open_stage(umpire.campaign) == Stage.objects.get(pk=stage.pk)


def test_ruling_that_is_not_possible_in_the_open_stage_can_be_held(client: Client) -> None:
    umpire, stage = umpired_war("battles")
    client.force_login(umpire.user)  # type: ignore[arg-type]
    url = f"/c/{umpire.campaign.public_id}/umpire/rulings/"
    ship = stage.from_snapshot.world["body"]["ships"][0]
    chosen = {"choose": f"ship:{ship['key']}", "kind": "ship-damage", "damage": "1"}
    html = client.post(url, {**chosen, "act": "check"}).content.decode()
    assert "This ruling is not possible in the open stage." in html
    form = {"act": "rule", "patches": hidden(html, "patches"), "reason": "A die was misread"}
    assert client.post(url, {**form, "when": "now"}).status_code == 422
    assert hidden(html, "when") == "hold"
    assert client.post(url, {**form, "when": "hold"}).status_code == 302
    assert Act.objects.get(verb="ruling-held").body["facts"]["patches"][0]["damage"] == 1


def test_refused_ruling_without_a_correction_keeps_its_form(client: Client) -> None:
    umpire, stage = umpired_war()
    client.force_login(umpire.user)  # type: ignore[arg-type]
    url = f"/c/{umpire.campaign.public_id}/umpire/rulings/"
    form = {"act": "rule", "patches": "[]", "stage": str(stage.ordinal), "when": "now"}
    refused = client.post(url, {**form, "reason": " ", "public_note": "All is well."})
    assert refused.status_code == 422
    assert "All is well.</textarea>" in refused.content.decode()


def test_ruling_whose_undoing_was_undone_counts_again(client: Client) -> None:
    umpire, stage = umpired_war()
    key = stage.from_snapshot.world["body"]["ships"][0]["key"]
    rule(umpire, ShipDamage(key, 1))
    for number in (1, 2):
        undo = undoing(viewer=umpire, number=number, reason="It was right")
        ruling_make(viewer=umpire, ruling=undo, hold=False)
    rows = ruling_rows(umpire.campaign)
    assert [(row.number, row.is_undone) for row in rows] == [(3, False), (2, True), (1, False)]


@pytest.mark.parametrize("faction", ["ember", "frost"])
def test_war_room_still_has_the_report_before_a_ruling(client: Client, faction: str) -> None:
    umpire, stage = umpired_war("decisions", {"ember": ATTACK})
    campaign = umpire.campaign
    user = person("pia")
    membership_add(
        campaign=campaign, user=user, role="player", faction=campaign.factions.get(key=faction)
    )
    client.force_login(user)
    url = f"/c/{campaign.public_id}/"
    report = latest_report(client, url)
    assert "<li" in report
    ships = stage.from_snapshot.world["body"]["ships"]
    key = next(ship["key"] for ship in ships if ship["faction"] == "ember")
    for damage in (1, 2):
        rule(umpire, ShipDamage(key, damage))
    with_rulings = latest_report(client, url)
    assert with_rulings.endswith(report.removeprefix('<ul class="report">').strip())
    assert with_rulings.count("Ruling of the umpire") == (2 if faction == "ember" else 0)


def latest_report(client: Client, url: str) -> str:
    """Return the reports' lines in the war room."""
    html = client.get(url).content.decode()
    section = html.partition('id="latest-title"')[2].partition("</section>")[0]
    return section.partition("</div>")[2].strip()
