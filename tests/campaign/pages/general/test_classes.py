"""The pages of ship classes and tech bases, in a browser without JavaScript."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from campaign.models import Campaign, ShipClass
from campaign.services.campaigns import membership_add
from tests.campaign.pages.general.browser_pages import browser, lobby, page, read_page
from tests.campaign.rules.yards import design
from tests.umpire.services.wars import campaign_of, start_campaign

pytestmark = [pytest.mark.django_db, pytest.mark.rule("camp.tech-base")]
SLUG = "lafayette-continuum"
HUNTER = design(
    "Hunter", {"type": "graser", "class": 1, "arcs": ["FP", "F", "FS"]}, {"type": "pds", "count": 2}
)
GHOST = design("Ghost", {"type": "cloaking-field"}, {"type": "pulser", "arcs": ["F"]})


def seat_player(campaign: Campaign, faction: str = "nac") -> tuple[Client, str]:
    user = User.objects.create_user(faction)
    membership_add(
        campaign=campaign, user=user, role="player", faction=campaign.factions.get(key=faction)
    )
    return browser(faction), f"/c/{campaign.public_id}/"


def save(client: Client, where: str, *designs: dict[str, object], act: str = "save") -> object:
    return client.post(
        f"{where}classes/", {"act": act, "text": json.dumps(list(designs)), "source": "design"}
    )


def test_design_is_checked_saved_shown_and_deleted() -> None:
    client, where = seat_player(campaign_of(SLUG))  # in the lobby, before the war
    empty = page(client, f"{where}classes/")
    assert "None yet" in empty.text
    assert "Sovereign Battleship" in empty.text
    checked = read_page(save(client, where, HUNTER, act="check"))
    assert "not saved yet" in checked.text
    assert "None yet" in checked.text
    assert save(client, where, HUNTER).status_code == 302  # type: ignore[attr-defined]
    text = page(client, f"{where}classes/").text
    for words in (
        "Saved: Hunter",
        "12 boxes in 4 rows",
        "crew factor",
        "2 × PDS",
        "graser 1 (FP F FS)",
        "thrust 4, FTL drive",
    ):
        assert words in text
    row = ShipClass.objects.get(campaign__isnull=False)
    client.post(f"{where}classes/", {"act": "strike", "id": str(row.public_id)})
    assert "None yet" in page(client, f"{where}classes/").text


def test_inactive_systems_are_mentioned_beside_the_class() -> None:
    client, where = seat_player(campaign_of("lafayette-continuum"))
    carrier = design("Lugger", {"type": "shroud"})
    words = (
        "Please note: shroud: has no effect in a battle, because the rulebook has no rule for it."
    )
    assert words in read_page(save(client, where, carrier, act="check")).text
    assert words not in page(client, f"{where}classes/").text
    assert save(client, where, carrier).status_code == 302  # type: ignore[attr-defined]
    assert words in page(client, f"{where}classes/").text


def test_faults_are_beside_their_fields_and_input_is_kept() -> None:
    client, where = seat_player(campaign_of(SLUG))
    answer = save(client, where, GHOST)
    assert answer.status_code == 422  # type: ignore[attr-defined]
    text = read_page(answer).text
    assert (
        "Design 1, system 2: needs the technology Cloaking field, which New Anglian "
        "Confederation does not have" in text
    )
    assert "Design 1, system 3: needs the technology Pulsers" in text
    assert "cloaking-field" in text
    assert not ShipClass.objects.filter(campaign__isnull=False).exists()
    checked = read_page(save(client, where, HUNTER, GHOST, act="check")).text  # each on its own
    assert "not saved yet" in checked
    assert "Left out: 1 design" in checked
    form = {"act": "save", "text": json.dumps([HUNTER, GHOST]), "source": "design", "partial": "1"}
    assert client.post(f"{where}classes/", form).status_code == 302
    after_saving = page(client, f"{where}classes/").text
    assert "Saved: Hunter." in after_saving
    assert "Left out: 1 design" in after_saving
    assert "System 2: needs the technology Cloaking field" in after_saving
    assert "Left out" not in page(client, f"{where}classes/").text


def test_uploaded_file_counts_and_exports_are_files() -> None:
    client, where = seat_player(campaign_of(SLUG))
    upload = SimpleUploadedFile("hunter.json", json.dumps(HUNTER).encode())
    answer = client.post(
        f"{where}classes/", {"act": "save", "text": "", "source": "design", "file": upload}
    )
    assert answer.status_code == 302
    for form, name in (
        ("json", "nac-classes.json"),
        ("yaml", "nac-classes.yaml"),
        ("ftlibship", "nac-classes-ftlibship.json"),
    ):
        download = client.get(f"{where}classes/export/{form}/")
        assert download.status_code == 200
        assert name in download.headers["Content-Disposition"]
        assert b"Hunter" in download.content
    assert client.get(f"{where}classes/export/doc/").status_code == 404
    assert client.post(f"{where}classes/", {"act": "burn"}).status_code == 404


def test_deployment_offers_and_seals_own_designs() -> None:
    campaign, _ = start_campaign(SLUG)
    client, where = seat_player(campaign)
    save(client, where, HUNTER)
    budget = "nac/mobile"
    form = {"stage": "0", "version": "0", "action": "save", "fleets": "1", "name-0": "Pack", "budget-0": budget,
            "hex-0": "1408", "class-0-0": "nac/Hunter", "count-0-0": "2", "names-0-0": ""}  # fmt: skip
    offered = page(client, f"{where}deploy/")
    assert "nac/Hunter" in {
        value
        for name, values in offered.options.items()
        if name.startswith("class-")
        for value in values
    }
    assert client.post(f"{where}deploy/", form).status_code == 302
    assert b">Hunter 1, Hunter 2<" in client.get(f"{where}deploy/").content
    assert (
        client.post(f"{where}deploy/", {**form, "version": "1", "action": "seal"}).status_code
        == 302
    )
    assert "Hunter is your own design" in page(client, f"{where}deploy/").text


def test_tech_base_shows_chosen_free_and_missing_technologies() -> None:
    client, where = seat_player(campaign_of(SLUG))
    text = page(client, f"{where}tech-base/").text
    for words in ("It uses 12 of the 12 choices", "Advanced screens", "2 choices", "Technologies without a note are free",
                  "with Salvo missile launchers", "Layered armour", "needs Armour"):  # fmt: skip
        assert words in text


def test_war_without_tech_bases_says_so() -> None:
    _, client, where = lobby(play="ember")
    assert "no tech bases" in page(client, f"{where}tech-base/").text
    assert "Fleet" in page(client, where).text  # the tab, which opens the classes
    _, other, elsewhere = lobby("first-steps", host="guest")
    assert other.get(f"{elsewhere}classes/").status_code == 404
    assert client.get(f"{elsewhere}classes/").status_code == 404
