"""Record sheets as PDF: the same bytes for the same ships, tagged, on either paper; and whom they
are sent to.
"""

from __future__ import annotations

import re
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from django.http import QueryDict
from django.utils import translation

from campaign.models.printed import PrintedPaper
from campaign.sight.views import sight
from campaign.web.paper import PLACES, Choice, OnPaper, pdf_of
from campaign.web.pdf_answers import ACCEPTED, chosen
from engine.core.phrase import phrase
from jobs.models import INTERACTIVE, Job
from tests.campaign.pages.war import paper_picture
from tests.campaign.pages.war.browsing import Player, at, player
from tests.campaign.pages.war.paper_picture import PICTURE, pages, pixels, ships
from tests.umpire.services.at_table import War
from tests.working import worked

# Of 255: how much a byte of the picture may differ on the whole, for another machine's roundings
ALIKE = 3.0
STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
SIZES = {"a4": (595, 842), "letter": (612, 792)}  # points


def unpacked(pdf: bytes) -> bytes:
    """All that stands in a PDF, its packed parts too."""
    found = pdf
    for match in STREAM.finditer(pdf):
        try:
            found += zlib.decompress(match[1])
        except zlib.error:  # a picture or a font that is packed in another way
            continue
    return found


def says(found: bytes, text: str) -> bool:
    """Whether a text stands among the strings of an unpacked PDF, which write ASCII as it is and
    else UTF-16.
    """
    return text.encode() in found or text.encode("utf-16-be").hex().upper().encode() in found


def test_the_same_ships_give_the_same_bytes_and_hurt_ones_give_others() -> None:
    first = pdf_of("Sheets", ships(), Choice(counters=True))
    assert first == pdf_of("Sheets", ships(), Choice(counters=True))
    hurt = replace(ships()[1], condition=replace(ships()[1].condition, damage=1))
    assert first != pdf_of("Sheets", (ships()[0], hurt, *ships()[2:]), Choice(counters=True))
    assert b"CreationDate" not in unpacked(first)
    assert b"ModDate" not in unpacked(first)


def test_many_threads_make_pdfs_at_once() -> None:
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: pdf_of("Sheets", ships(), Choice()), range(8)))
    assert len(set(made)) == 1


def test_every_sheet_and_counter_says_itself() -> None:
    found = unpacked(pdf_of("Sheets", ships(), Choice(counters=True)))
    assert found.count(b"/Alt") >= 2 * len(ships())
    assert b"/StructTreeRoot" in found
    assert b"pdfuaid" in found
    for number in range(4):
        assert says(found, f"Ship {number}, ")
        assert says(found, f"Counter of Ship {number}")
    assert says(found, "Hull ")


def test_sheets_on_paper_speak_the_readers_language() -> None:
    with translation.override("de"):
        found = unpacked(
            pdf_of(phrase("Record sheets: {}", "X"), ships()[:1], Choice(counters=True))
        )
    assert says(found, "Schiffsbögen: X") or says(found, "Schiffsb\\366gen: X")
    assert b"/Lang(de)" in found
    assert not says(found, "Hull ")
    assert says(found, "Rumpf")


@pytest.mark.parametrize("name", ["艦 Yamato", "Wasp 😀", "Bell \x08\ufffe"])
def test_letters_that_no_font_has_spoil_no_sheet(name: str) -> None:
    one = ships()[0]
    pdf = pdf_of("Sheets", (replace(one, condition=replace(one.condition, name=name)),), Choice())
    assert pdf.startswith(b"%PDF")


@pytest.mark.parametrize("paper", list(SIZES))
@pytest.mark.parametrize("per", list(PLACES))
def test_as_many_stand_on_a_page_of_the_paper_as_were_asked_for(paper: str, per: int) -> None:
    found = pages(Choice(paper, per), ships(), dots=18)
    assert len(found) == -(-len(ships()) // per)
    wide, high = SIZES[paper] if per != 2 else SIZES[paper][::-1]
    columns, rows = struct.unpack(">II", found[0][16:24])
    assert abs(columns - wide / 4) < 1
    assert abs(rows - high / 4) < 1


def test_counters_follow_on_a_page_of_their_own() -> None:
    assert len(pages(Choice(counters=True), ships(), dots=18)) == 2


def test_a_page_looks_as_it_did() -> None:
    """`python -m tests.campaign.pages.war.paper_picture` draws the stored picture again."""
    wide, high, now = pixels(pages(Choice(), ships())[0])
    *size, then = pixels(PICTURE.read_bytes())
    assert [wide, high] == size
    assert sum(abs(one - other) for one, other in zip(now, then, strict=True)) / len(then) < ALIKE
    blank = pixels(pages(Choice(), ships()[:1])[0])[2]
    assert sum(abs(one - other) for one, other in zip(now, blank, strict=True)) / len(then) > ALIKE


@pytest.mark.parametrize(
    ("query", "choice"),
    [
        ("", Choice()),
        ("paper=letter&per=2&counters=on", Choice("letter", 2, counters=True)),
        ("paper=foolscap&per=3&counters=1", Choice()),
    ],
)
def test_what_is_asked_for_wrongly_is_as_usual(query: str, choice: Choice) -> None:
    assert chosen(QueryDict(query)) == choice


def pdf(found: Player, path: str, **headers: str) -> Any:
    """The answer, once a worker has printed it where that takes more than a moment."""
    answer = found.client.get(found.url(path), headers=headers)
    if answer.status_code == ACCEPTED:
        assert worked(1) == 1
        answer = found.client.get(found.url(path), headers=headers)
    return answer


@pytest.mark.django_db
class TestAnswers:
    def test_the_sheets_of_ones_ships_are_a_pdf_that_is_not_sent_twice(self) -> None:
        found = at("orders")
        mine, theirs = (
            sight(found.campaign, one).view for one in found.campaign.factions.order_by("key")
        )
        answer = pdf(found, "ships/sheets.pdf?counters=on")
        assert answer["Content-Type"] == "application/pdf"
        assert answer["Content-Disposition"] == 'inline; filename="record-sheets.pdf"'
        assert "private" in answer["Cache-Control"]
        text = unpacked(answer.content)
        assert all(says(text, ship.name) for ship in mine.ships)
        assert not any(says(text, ship.name) for ship in theirs.ships)
        assert (
            pdf(found, "ships/sheets.pdf?counters=on", if_none_match=answer["ETag"]).status_code
            == 304
        )
        assert pdf(found, "ships/sheets.pdf", if_none_match=answer["ETag"]).status_code == 200
        assert pdf(found, f"ships/sheets.pdf?fleet={theirs.fleets[0].key}").status_code == 404
        rival = player(found.campaign, "frost")
        assert (
            pdf(rival, "ships/sheets.pdf?counters=on", if_none_match=answer["ETag"]).status_code
            == 200
        )

    def test_the_classes_of_a_navy_come_as_empty_sheets(self) -> None:
        found = at("orders")
        assert found.url("classes/sheets/") in found.get("classes/").links
        shown = found.client.get(found.url("classes/sheets/")).content.decode()
        assert found.url("classes/sheets.pdf") in shown
        assert shown.count('class="ssd"') > 3
        assert 'class="cross"' not in shown
        text = unpacked(pdf(found, "classes/sheets.pdf").content)
        assert says(text, "Heavy Cruiser")
        assert not says(text, "lost")

    def test_a_table_has_the_sheets_of_ones_own_side_alone(self) -> None:
        war = War()
        ember, frost = (player(war.campaign, key) for key in ("ember", "frost"))
        where = f"battles/{war.table('ember').id}/sheets.pdf"
        text = unpacked(pdf(ember, where).content)
        names = {ship.key: ship.name for ship in sight(war.campaign, ember.faction).view.ships}
        own = next(side["ships"] for side in war.battle.start["sides"] if side["name"] == "ember")
        assert all(says(text, names[ship["id"]]) for ship in own)
        assert pdf(frost, where).status_code == 404

    def test_many_sheets_are_printed_by_a_worker_once_for_whoever_asked(self) -> None:
        found, where = at("orders"), "ships/sheets.pdf"
        waiting = found.client.get(found.url(where))
        assert (waiting.status_code, waiting["Refresh"]) == (ACCEPTED, "1")
        assert "no-store" in waiting["Cache-Control"]
        assert "ETag" not in waiting
        assert "Your record sheets are being printed" in waiting.content.decode()
        assert found.client.get(found.url(where)).status_code == ACCEPTED
        job = Job.objects.get()
        assert (job.lane, job.account) == (INTERACTIVE, f"page/{found.user.pk}")
        worked()
        printed = found.client.get(found.url(where))
        assert printed["Content-Type"] == "application/pdf"
        assert found.client.get(found.url(where)).content == printed.content
        assert Job.objects.count() == PrintedPaper.objects.count() == 1  # its result was kept

    def test_a_pdf_of_too_many_sheets_is_refused_in_words(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("campaign.web.pdf_answers.SHEETS", 2)
        answer = pdf(at("orders"), "ships/sheets.pdf")
        assert answer.status_code == 413
        assert "A PDF has at most 2 sheets: choose a fleet." in answer.content.decode()

    def test_to_make_one_is_a_heavy_act_and_to_be_told_that_it_is_the_same_is_none(
        self, settings: Any
    ) -> None:
        settings.HEAVY_RATE = 1
        found = at("orders")
        answer = pdf(found, "ships/sheets.pdf")
        assert pdf(found, "ships/sheets.pdf", if_none_match=answer["ETag"]).status_code == 304
        assert pdf(found, "ships/sheets.pdf?per=1").status_code == 429


def test_the_picture_is_of_both_editions() -> None:
    assert {ship.sheet.edition.value for ship in paper_picture.ships()} == {
        "second-edition",
        "continuum",
    }
    assert all(isinstance(ship, OnPaper) for ship in paper_picture.ships())
