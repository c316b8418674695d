"""The offline page that checks an archive, opened from the disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from proof.html_page import html_page
from tests.proof.archived import EVACUATION, changed, kept_lines, whole

pytestmark = pytest.mark.browser


def _change_die(body: dict[str, object]) -> None:
    dice = body["dice"]
    assert isinstance(dice, list)
    dice[0][4] = dice[0][4] % dice[0][3] + 1


def test_page_checks_an_archive_without_a_server(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "war.html"
    file.write_text(html_page(EVACUATION.read_bytes()), encoding="utf-8")
    forged = tmp_path / "forged.jsonl"
    lines, number = changed("throws", _change_die, 1)
    forged.write_bytes(whole(lines))
    context = browser.new_context(locale="de", viewport={"width": 390, "height": 844})
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text))
    page.goto(file.as_uri())
    page.wait_for_selector("[data-verdict=proven]")
    assert "sind bewiesen" in page.inner_text("#status")
    assert "(Registerzeilen: " in page.inner_text("main")  # reads well for one row, too
    assert Axe().run(page).response["violations"] == []
    assert page.locator("#luck-lines li").count() == 6
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    note = json.loads(kept_lines()[-1])["note"]
    page.fill("#kept", f"Liebe Anna,\n\n{note}")
    page.click("#compare")
    page.wait_for_selector("#findings li")
    assert "✓ Das Register hatte den Stand 19" in page.inner_text("#findings")
    page.select_option("#language", "fr")
    assert "sont prouvés" in page.inner_text("#status")
    assert "✓ Le registre avait l’état 19" in page.inner_text("#findings")
    mail = tmp_path / "mail.txt"
    mail.write_text(note, encoding="utf-8")
    page.set_input_files("#kept-files", [mail, EVACUATION])  # the mail waits for the archive
    expect(page.locator("#findings")).to_contain_text("✓ Le registre avait l’état 19")
    page.set_input_files("#file", forged)
    page.wait_for_selector("[data-verdict=differs]")
    assert f"ligne {number}," in page.inner_text("#status")
    assert "un dé de" in page.inner_text("#status")
    assert faults == []
    context.close()
