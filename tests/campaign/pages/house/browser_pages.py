"""People with browsers and campaigns of theirs, for the tests of the pages around the war."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from campaign.models import Campaign
from tests.campaign.pages.war.browsing import Page
from tests.campaign.seats.people import open_campaign


def browser(name: str) -> Client:
    """The browser of somebody who has an account."""
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


def page(client: Client, path: str, status: int = 200) -> Page:
    """A page as a browser without JavaScript reads it; nothing inline, one heading above all."""
    answer = client.get(path)
    assert answer.status_code == status, (path, answer.status_code)
    return read_page(answer)


def read_page(answer: Any) -> Page:
    text = answer.content.decode()
    result = Page(text)
    assert result.inline == []
    assert text.count("<h1") == 1
    assert len(result.ids) == len(set(result.ids))
    assert 'href="#main"' in text
    return result


def lobby(slug: str = "first-steps", **settings: Any) -> tuple[Campaign, Client, str]:
    """A campaign in its lobby, its host's browser, and its address."""
    campaign, _ = open_campaign(slug, **settings)
    return campaign, browser("hope"), f"/c/{campaign.public_id}/"


def act(client: Client, where: str, verb: str, **fields: str) -> Any:
    """One of the lobby's forms."""
    return client.post(f"{where}seats/{verb}/", fields)


def begin(client: Client, where: str) -> Any:
    """The host starts the war of First Steps, with whatever seats are empty."""
    return client.post(f"{where}seats/begin/", {"computers": ["ember", "frost"]})
