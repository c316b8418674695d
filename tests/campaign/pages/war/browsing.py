"""A browser without JavaScript, which reads pages and sends forms as browsers do."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from campaign import models
from campaign.kinds import Role
from campaign.services.campaigns import membership_add
from tests.umpire.services.wars import campaign_at, resolve_stage

Fields = dict[str, list[str]]
_numbers = itertools.count(1)


class Page(HTMLParser):
    """The contents of a page: text, ids, links, data for scripts, and successful controls of its
    forms.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.forms: list[Fields] = []
        self.buttons: list[list[tuple[str, str]]] = []
        self.options: dict[str, list[str]] = {}
        self.inline: list[str] = []
        self._select = ""
        self._chosen = ""
        self._raw = ""
        self._data = False
        self.data: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if "id" in attributes:
            self.ids.append(attributes["id"])
        self.inline += [name for name in attributes if name == "style" or name.startswith("on")]
        self._raw = tag if tag in ("script", "style") else ""
        self._data = (
            tag == "script" and attributes.get("type") == "application/json"
        )  # data for scripts, never run
        if tag == "script" and "src" not in attributes and not self._data:
            self.inline.append("script")
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        if tag == "form":
            self.forms.append({})
            self.buttons.append([])
        elif tag == "select" and "name" in attributes:
            self._select, self._chosen = attributes["name"], ""
            self.options[self._select] = []
        elif tag == "option" and self._select:
            self.options[self._select].append(attributes["value"])
            if "selected" in attributes or len(self.options[self._select]) == 1:
                self._chosen = attributes["value"]
        elif tag in ("input", "button") and attributes.get("name") and self.forms:
            self._control(tag, attributes)

    def _control(self, tag: str, attributes: dict[str, str]) -> None:
        kind = attributes.get("type", "text")
        if tag == "button":
            self.buttons[-1].append((attributes["name"], attributes.get("value", "")))
        elif kind not in ("checkbox", "radio") or "checked" in attributes:
            self.forms[-1].setdefault(attributes["name"], []).append(
                attributes.get("value", "on" if kind == "checkbox" else "")
            )

    def handle_endtag(self, tag: str) -> None:
        if tag == "select" and self._select:
            if self.forms:
                self.forms[-1].setdefault(self._select, []).append(self._chosen)
            self._select = ""
        self._raw, self._data = "", False

    def handle_data(self, data: str) -> None:
        if self._data:
            self.data.append(data)
        if not self._raw and data.strip():
            self.words.append(" ".join(data.split()))

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass
class Player:
    """A player of a faction in a war."""

    campaign: models.Campaign
    faction: models.Faction
    user: User
    client: Client = field(default_factory=Client)

    def url(self, name: str) -> str:
        return f"/c/{self.campaign.public_id}/{name}"

    def get(self, name: str, status: int = 200) -> Page:
        """Return a page of the war."""
        answer = self.client.get(self.url(name))
        assert answer.status_code == status, (name, answer.status_code)
        return Page(answer.content.decode())

    def send(self, name: str, fields: Fields, action: str) -> Any:
        """Send a form unchanged by one of its buttons."""
        return self.client.post(self.url(name), {**fields, "action": action})

    def fill(self, name: str, action: str = "save", **changes: str) -> Any:
        """Change some fields of the page's form, and send it by one of its buttons."""
        fields = self.form(name) | {key: [value] for key, value in changes.items()}
        return self.send(name, fields, action)

    def form(self, name: str) -> Fields:
        """Return the fields of the page's form of an entry."""
        return next(form for form in self.get(name).forms if "version" in form)

    def draft(self) -> dict[str, Any]:
        """Return this faction's stored draft."""
        payload: dict[str, Any] = (
            models.Draft.objects.filter(faction=self.faction).latest("pk").payload
        )
        return payload

    def stage(self) -> models.Stage:
        return models.Stage.objects.filter(branch=self.campaign.head_branch).latest("ordinal")


def player(campaign: models.Campaign, key: str) -> Player:
    """Return a new player of a faction, logged in."""
    campaign.refresh_from_db()
    user = User.objects.create_user(f"player-{next(_numbers)}")
    faction = campaign.factions.get(key=key)
    membership_add(campaign=campaign, user=user, role=Role.PLAYER, faction=faction)
    result = Player(campaign, faction, user)
    result.client.force_login(user)
    return result


def at(
    kind: str, slug: str = "first-steps", key: str = "ember", seed: int = 7, **admirals: str
) -> Player:
    """Return a player of a faction in a war at a stage of this kind."""
    campaign, _ = campaign_at(kind, slug, seed, admirals=admirals)
    return player(campaign, key)


def online_battle(seed: int = 7) -> tuple[Player, str]:
    """Return a player whose ships have fought, and the battle's id in their reports."""
    ember = at("battles", seed=seed, ember="attack")
    resolve_stage(ember.stage())
    report = models.Report.objects.get(faction=ember.faction, kind="battle")
    return ember, report.body["battle"]
