"""Messages in a real browser: within a side, to others, to the umpire; at once or sealed; odd ones."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import PHONE, WIDER, Person, person, start_umpired_war, wait_for_stage
from tests.site.running import Site

pytestmark = pytest.mark.browser
LONG = "W" * 4000  # in one word
ODD = "<img src=x onerror=alert(1)> & شكرا جزيلا http://example.org/x"
PAGES = (
    "",
    "map/",
    "deploy/",
    "reports/",
    "ships/",
    "receipts/",
    "classes/",
    "messages/",
    "messages/umpire/",
    "public/",
)


def write(sender: Person, words: str, button: str = "Send") -> None:
    """Write on the page of a thread, with keys only."""
    sender.page.get_by_label("Message").focus()
    sender.page.keyboard.insert_text(words)
    sender.page.keyboard.press("Tab")
    expect(sender.page.get_by_role("button", name=button)).to_be_focused()
    with sender.page.expect_navigation():
        sender.page.keyboard.press("Enter")


def test_messages_between_sides_and_within_one(site: Site, browser: Browser) -> None:
    campaign, names = start_umpired_war(site, "letters", messages="at-once", umpire_reads=True)
    at = f"/c/{campaign}"
    site.people("letters-second")
    offered = site.call(
        names["ember"], "POST", f"campaigns{at[2:]}/invites/", {"role": "staff", "faction": "ember"}
    )
    joined = site.call(
        "letters-second", "POST", f"campaigns{at[2:]}/join/", {"token": offered.json["token"]}
    )
    assert joined.status in (200, 201), joined
    ember = person(site, browser, names["ember"])
    ember.go(f"{at}/messages/")
    with ember.page.expect_navigation():
        ember.page.get_by_role("link", name="Frost Assembly").press("Enter")
    for words in (LONG, ODD, "Two lines\nof one message."):
        write(ember, words)
        ember.check_page("a thread")
    frost = person(site, browser, names["frost"], PHONE, color_scheme="dark")
    for tail in PAGES:
        frost.go(f"{at}/{tail}")
        assert frost.page.evaluate(WIDER) <= 0, (
            f"{tail} is wider than a phone beside unread messages"
        )
        expect(frost.page.get_by_role("link", name="More 3 unread")).to_have_count(1)
    frost.go(f"{at}/messages/to/ember/")
    expect(frost.page.get_by_role("button", name="Mark as read")).to_have_count(0)
    frost.check_page("a thread with the longest word there is")
    assert frost.page.locator(".letters img").count() == 0
    assert frost.page.locator(".letters a").count() == 0
    frost.expect_text("<img src=x onerror=alert(1)> & ")
    frost.go(f"{at}/")
    expect(frost.page.get_by_role("link", name="unread")).to_have_count(0)
    frost.go(f"{at}/messages/umpire/")
    write(frost, "Is that allowed?")
    second = person(site, browser, "letters-second")
    second.go(f"{at}/messages/to/ember/")
    write(second, "Between the two of us.")
    ember.go(f"{at}/messages/")
    ember.expect_text("1 unread", "Between the two of us.")
    judge = person(site, browser, names["umpire"])
    judge.open_and_check(f"{at}/messages/")
    judge.expect_text("Is that allowed?")
    judge.open_and_check(f"{at}/messages/all/")
    judge.expect_text("Two lines")
    for side in (judge, frost):
        assert "Between the two of us" not in page_text(side, f"{at}/messages/")
    assert "Between the two of us" not in page_text(judge, f"{at}/messages/all/")
    for player in (ember, frost, second, judge):
        player.context.close()


def test_sealed_message_is_delivered_when_the_stage_is_resolved(
    site: Site, browser: Browser
) -> None:
    campaign, names = start_umpired_war(site, "envelope", messages="sealed")
    at = f"/c/{campaign}"
    ember, frost = (person(site, browser, names[key], PHONE) for key in ("ember", "frost"))
    ember.go(f"{at}/messages/to/frost/")
    write(ember, "We come in peace.", "Seal message")
    ember.expect_text("Sealed. The message is sent when the stage is resolved.")
    assert "We come in peace" not in page_text(frost, f"{at}/messages/to/ember/")
    for player in (ember, frost):
        player.go(f"{at}/deploy/")
        player.seal(last=player is frost)
    wait_for_stage(site, names["umpire"], campaign, (1, "orders"))
    frost.go(f"{at}/messages/")
    frost.expect_text("1 unread", "We come in peace.")
    for player in (ember, frost):
        player.context.close()


def page_text(reader: Person, path: str) -> str:
    """Return the whole text of a page for somebody."""
    reader.go(path)
    return reader.text()
