"""Record sheets as PDF: reproducible, tagged, on both paper sizes, and sent only to their owners."""

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

from campaign.models.printed_document import PrintedDocument
from campaign.sight.views import current_sight
from campaign.web.pdf_responses import ACCEPTED, paper_choice
from campaign.web.sheet_pdf import SHEET_GRIDS, PaperChoice, PaperSheet, pdf_of
from engine.core.phrase import phrase
from jobs.models import INTERACTIVE, Job
from tests.campaign.pages.war import paper_picture
from tests.campaign.pages.war.browsing import Player, at, player
from tests.campaign.pages.war.paper_picture import PICTURE, pages, pixels, ships
from tests.job_runner import run_waiting_jobs
from tests.umpire.services.table_war import TableWar

# Of 255: allowed mean difference of a byte, for another machine's rounding
MAX_PIXEL_DIFFERENCE = 3.0
STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
ASCII_STRING = re.compile(rb"\((?:\\.|[^\\()]|\((?:\\.|[^\\()])*\))*+\)", re.DOTALL)
UTF_16_STRING = re.compile(rb"<FEFF[0-9A-F\s]*>")
SIZES = {"a4": (595, 842), "letter": (612, 792)}  # points


def unpack(pdf: bytes) -> bytes:
    """Return all contents of a PDF, also of its compressed parts."""
    content = pdf
    for match in STREAM.finditer(pdf):
        try:
            content += zlib.decompress(match[1])
        except zlib.error:  # a picture or font with another compression
            continue
    return content


def contains_text(content: bytes, text: str) -> bool:
    """Return whether the strings of an unpacked PDF, in ASCII or UTF-16, contain a text.

    Numbers of drawings are no strings: "0131" may be part of a coordinate.
    """
    in_utf_16 = text.encode("utf-16-be").hex().upper().encode()
    return any(text.encode() in string for string in ASCII_STRING.findall(content)) or any(
        in_utf_16 in string for string in UTF_16_STRING.findall(content)
    )


def test_pdf_bytes_depend_only_on_the_ships() -> None:
    first = pdf_of("Sheets", ships(), PaperChoice(has_counters=True))
    assert first == pdf_of("Sheets", ships(), PaperChoice(has_counters=True))
    hurt = replace(ships()[1], condition=replace(ships()[1].condition, damage=1))
    assert first != pdf_of(
        "Sheets", (ships()[0], hurt, *ships()[2:]), PaperChoice(has_counters=True)
    )
    assert b"CreationDate" not in unpack(first)
    assert b"ModDate" not in unpack(first)


def test_pdfs_are_made_in_parallel_threads() -> None:
    with ThreadPoolExecutor(4) as pool:
        documents = list(pool.map(lambda _: pdf_of("Sheets", ships(), PaperChoice()), range(8)))
    assert len(set(documents)) == 1


def test_sheets_and_counters_have_texts() -> None:
    content = unpack(pdf_of("Sheets", ships(), PaperChoice(has_counters=True)))
    assert content.count(b"/Alt") >= 2 * len(ships())
    assert b"/StructTreeRoot" in content
    assert b"pdfuaid" in content
    for number in range(4):
        assert contains_text(content, f"Ship {number}, ")
        assert contains_text(content, f"Counter of Ship {number}")
    assert contains_text(content, "Hull: ")


def test_printed_sheets_are_in_the_reader_language() -> None:
    with translation.override("de"):
        content = unpack(
            pdf_of(phrase("Record sheets: {}", "X"), ships()[:1], PaperChoice(has_counters=True))
        )
    assert contains_text(content, "Schiffsbögen: X") or contains_text(
        content, "Schiffsb\\366gen: X"
    )
    assert b"/Lang(de)" in content
    assert not contains_text(content, "Hull: ")
    assert contains_text(content, "Rumpf")


@pytest.mark.parametrize("name", ["艦 Yamato", "Wasp 😀", "Bell \x08\ufffe"])
def test_unprintable_characters_do_not_break_a_sheet(name: str) -> None:
    paper_ship = ships()[0]
    pdf = pdf_of(
        "Sheets",
        (replace(paper_ship, condition=replace(paper_ship.condition, name=name)),),
        PaperChoice(),
    )
    assert pdf.startswith(b"%PDF")


@pytest.mark.parametrize("paper", list(SIZES))
@pytest.mark.parametrize("per", list(SHEET_GRIDS))
def test_page_has_the_requested_number_of_sheets(paper: str, per: int) -> None:
    images = pages(PaperChoice(paper, per), ships(), dots=18)
    assert len(images) == -(-len(ships()) // per)
    wide, high = SIZES[paper] if per != 2 else SIZES[paper][::-1]
    columns, rows = struct.unpack(">II", images[0][16:24])
    assert abs(columns - wide / 4) < 1
    assert abs(rows - high / 4) < 1


def test_counters_have_a_page_of_their_own() -> None:
    assert len(pages(PaperChoice(has_counters=True), ships(), dots=18)) == 2


def test_page_looks_unchanged() -> None:
    """`python -m tests.campaign.pages.war.paper_picture` draws the stored picture again."""
    wide, high, now = pixels(pages(PaperChoice(), ships())[0])
    *size, then = pixels(PICTURE.read_bytes())
    assert [wide, high] == size
    assert (
        sum(abs(byte - other_byte) for byte, other_byte in zip(now, then, strict=True)) / len(then)
        < MAX_PIXEL_DIFFERENCE
    )
    blank = pixels(pages(PaperChoice(), ships()[:1])[0])[2]
    assert (
        sum(abs(byte - other_byte) for byte, other_byte in zip(now, blank, strict=True)) / len(then)
        > MAX_PIXEL_DIFFERENCE
    )


@pytest.mark.parametrize(
    ("query", "choice"),
    [
        ("", PaperChoice()),
        ("paper=letter&per=2&counters=on", PaperChoice("letter", 2, has_counters=True)),
        ("paper=foolscap&per=3&counters=1", PaperChoice()),
    ],
)
def test_invalid_requests_fail_as_usual(query: str, choice: PaperChoice) -> None:
    assert paper_choice(QueryDict(query)) == choice


def pdf(owner: Player, path: str, **headers: str) -> Any:
    """Return the answer, after a worker has printed it if it takes more than a moment."""
    answer = owner.client.get(owner.url(path), headers=headers)
    if answer.status_code == ACCEPTED:
        assert run_waiting_jobs(1) == 1
        answer = owner.client.get(owner.url(path), headers=headers)
    return answer


@pytest.mark.django_db
class TestAnswers:
    def test_own_ships_pdf_is_not_sent_twice(self) -> None:
        ember = at("orders")
        mine, theirs = (
            current_sight(ember.campaign, faction).view
            for faction in ember.campaign.factions.order_by("key")
        )
        answer = pdf(ember, "ships/sheets.pdf?counters=on")
        assert answer["Content-Type"] == "application/pdf"
        assert answer["Content-Disposition"] == 'inline; filename="record-sheets.pdf"'
        assert "private" in answer["Cache-Control"]
        text = unpack(answer.content)
        assert all(contains_text(text, ship.name) for ship in mine.ships)
        assert not any(contains_text(text, ship.name) for ship in theirs.ships)
        assert (
            pdf(ember, "ships/sheets.pdf?counters=on", if_none_match=answer["ETag"]).status_code
            == 304
        )
        assert pdf(ember, "ships/sheets.pdf", if_none_match=answer["ETag"]).status_code == 200
        assert pdf(ember, f"ships/sheets.pdf?fleet={theirs.fleets[0].key}").status_code == 404
        rival = player(ember.campaign, "frost")
        assert (
            pdf(rival, "ships/sheets.pdf?counters=on", if_none_match=answer["ETag"]).status_code
            == 200
        )

    def test_navy_classes_are_printed_as_empty_sheets(self) -> None:
        ember = at("orders")
        assert ember.url("classes/sheets/") in ember.get("classes/").links
        html = ember.client.get(ember.url("classes/sheets/")).content.decode()
        assert ember.url("classes/sheets.pdf") in html
        assert html.count('class="ssd"') > 3
        assert 'class="cross"' not in html
        text = unpack(pdf(ember, "classes/sheets.pdf").content)
        assert contains_text(text, "Heavy Cruiser")
        assert not contains_text(text, "lost")

    def test_table_battle_prints_own_side_only(self) -> None:
        war = TableWar()
        ember, frost = (player(war.campaign, key) for key in ("ember", "frost"))
        where = f"battles/{war.table('ember').id}/sheets.pdf"
        text = unpack(pdf(ember, where).content)
        names = {
            ship.key: ship.name for ship in current_sight(war.campaign, ember.faction).view.ships
        }
        own = next(side["ships"] for side in war.battle.start["sides"] if side["name"] == "ember")
        assert all(contains_text(text, names[ship["id"]]) for ship in own)
        assert pdf(frost, where).status_code == 404

    def test_worker_prints_many_sheets_once_for_all(self) -> None:
        ember, where = at("orders"), "ships/sheets.pdf"
        waiting = ember.client.get(ember.url(where))
        assert (waiting.status_code, waiting["Refresh"]) == (ACCEPTED, "1")
        assert "no-store" in waiting["Cache-Control"]
        assert "ETag" not in waiting
        assert "Your PDF is being printed" in waiting.content.decode()
        assert ember.client.get(ember.url(where)).status_code == ACCEPTED
        job = Job.objects.get()
        assert (job.lane, job.account) == (INTERACTIVE, f"page/{ember.user.pk}")
        run_waiting_jobs()
        printed = ember.client.get(ember.url(where))
        assert printed["Content-Type"] == "application/pdf"
        assert ember.client.get(ember.url(where)).content == printed.content
        assert Job.objects.count() == PrintedDocument.objects.count() == 1  # its result was stored

    def test_pdf_of_too_many_sheets_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("campaign.web.pdf_responses.SHEETS", 2)
        answer = pdf(at("orders"), "ships/sheets.pdf")
        assert answer.status_code == 413
        assert "A PDF can have at most 2 sheets: choose a fleet." in answer.content.decode()

    def test_making_a_pdf_is_an_expensive_action_and_revalidating_is_not(
        self, settings: Any
    ) -> None:
        settings.HEAVY_RATE = 1
        ember = at("orders")
        answer = pdf(ember, "ships/sheets.pdf")
        assert pdf(ember, "ships/sheets.pdf", if_none_match=answer["ETag"]).status_code == 304
        assert pdf(ember, "ships/sheets.pdf?per=1").status_code == 429


def test_picture_shows_both_editions() -> None:
    assert {ship.sheet.edition.value for ship in paper_picture.ships()} == {
        "second-edition",
        "continuum",
    }
    assert all(isinstance(ship, PaperSheet) for ship in paper_picture.ships())
