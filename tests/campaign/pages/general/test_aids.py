"""The page of play aids: for everybody, printed once by a worker, in the reader's language."""

from __future__ import annotations

import html
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from campaign.drawings.aids.catalogue import AIDS
from campaign.models.printed_document import PrintedDocument
from campaign.rules.help_texts import topic_words
from campaign.web.pdf_responses import ACCEPTED
from jobs.models import Job
from tests.campaign.pages.general.browser_pages import page
from tests.job_runner import run_waiting_jobs

pytestmark = pytest.mark.django_db


@pytest.mark.rule("aid.gauge")
def test_everybody_finds_all_aids_and_help_links_to_them() -> None:
    client = Client()
    text = page(client, reverse("aids")).text
    for aid in AIDS:
        assert aid.words in text
        assert client.get(reverse("aid-pdf", kwargs={"aid": aid.name})).status_code == ACCEPTED
    assert f'href="{reverse("aids")}"' in client.get(reverse("help")).content.decode()
    german = client.get(reverse("aids"), headers={"Accept-Language": "de"}).content.decode()
    assert "Spielhilfen" in german
    assert client.get("/aids/none.pdf").status_code == 404


@pytest.mark.rule("aid.templates")
def test_worker_prints_an_aid_once_for_all_readers_of_a_language() -> None:
    address = reverse("aid-pdf", kwargs={"aid": "templates"}) + "?paper=letter&unit=cm"
    first, second = Client(), Client()
    assert first.get(address).status_code == ACCEPTED
    assert second.get(address).status_code == ACCEPTED
    assert run_waiting_jobs() == 1
    printed = first.get(address)
    assert printed.content.startswith(b"%PDF")
    assert printed.headers["Content-Disposition"] == 'inline; filename="templates.pdf"'
    assert second.get(address).content == printed.content
    # Choices that do not change this aid need no other PDF
    assert second.get(f"{address}&edition=continuum&unknown=1").content == printed.content
    assert second.get(address, headers={"Accept-Language": "fr"}).status_code == ACCEPTED
    assert PrintedDocument.objects.filter(user=None).count() == 2
    assert Job.objects.count() == 2


@pytest.mark.rule("aid.quick-reference")
def test_quick_reference_opens_by_edition_and_options() -> None:
    client = Client()
    address = reverse("aid-reference")
    second_edition = page(client, address).text
    assert "Dice of a battery" in second_edition
    continuum = page(client, f"{address}?edition=continuum&option=vector&option=nonsense").text
    assert "Hits of a beam die" in continuum
    assert "Vector movement" in continuum
    assert "nonsense" not in continuum


@pytest.mark.rule("aid.quick-reference")
def test_quick_reference_of_a_phase_has_its_tables_first_and_only_weapons_present() -> None:
    client = Client()
    address = reverse("aid-reference")
    fire = page(client, f"{address}?phase=engage&system=battery&system=drive").text
    assert "Only the weapons of the ships on the table" in fire
    assert fire.index("Dice of a battery") < fire.index("The phases of a turn")
    for word in topic_words("battles"):
        assert word.means in html.unescape(fire)  # every term of a battle can be asked about
    for other in ("Submunition pack", "Pulse torpedo", "Nova cannon", "Leaving by FTL"):
        assert other not in fire
    assert "Pulse torpedo" in page(client, f"{address}?phase=engage&system=pulse-torpedo").text
    assert "Leaving by FTL" in page(client, f"{address}?phase=plot").text
    assert "Pulse torpedo" in page(client, f"{address}?phase=nonsense&system=battery").text


@pytest.mark.rule("aid.order-sheet")
def test_command_writes_a_file_for_each_aid(tmp_path: Path) -> None:
    call_command("aids", str(tmp_path / "out"), "--paper", "a4", "--language", "de")
    names = sorted(path.stem for path in (tmp_path / "out").iterdir())
    assert names == sorted(aid.name for aid in AIDS)
    for path in (tmp_path / "out").iterdir():
        assert path.read_bytes().startswith(b"%PDF")
