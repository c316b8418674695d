"""People with browsers and campaigns, for tests of the pages around a war."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from campaign.models import Campaign
from tests.campaign.pages.war.browsing import Page
from tests.campaign.seats.people import open_campaign


def browser(name: str) -> Client:
    """Return the browser of somebody with an account."""
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


def page(client: Client, path: str, status: int = 200) -> Page:
    """Return a page as a browser without JavaScript reads it: nothing inline, one main heading."""
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
    """Return a campaign in its lobby, its host's browser, and its address."""
    campaign, _ = open_campaign(slug, **settings)
    return campaign, browser("hope"), f"/c/{campaign.public_id}/"


def act(client: Client, where: str, verb: str, **fields: str) -> Any:
    """Send one of the lobby's forms."""
    return client.post(f"{where}seats/{verb}/", fields)


def begin(client: Client, where: str) -> Any:
    """Let the host start the war of First Steps, even with empty seats."""
    return client.post(f"{where}seats/begin/", {"computers": ["ember", "frost"]})
