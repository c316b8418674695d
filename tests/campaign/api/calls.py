"""Callers of the API for tests: people with tokens, in a war of the small scenario."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from campaign.models import Campaign, Stage
from campaign.services.campaigns import membership_add
from campaign.services.tokens import token_make
from tests.row_cache import build_once
from tests.umpire.services.wars import campaign_at, campaign_of

PROBLEM = "application/problem+json"
NOT_THERE = b'{"type": "about:blank", "title": "Not found", "status": 404}'


@dataclass(frozen=True)
class Caller:
    """Somebody with a token; `at` is the campaign of their relative paths."""

    user: User
    token: str
    at: str

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Send a request.

        Args:
            path: From /api/ on if it begins with a slash, otherwise below the campaign.
        """
        address = path if path.startswith("/") else f"/api/campaigns/{self.at}/{path}"
        raw = (
            b""
            if body is None
            else (body if isinstance(body, bytes) else json.dumps(body).encode())
        )
        header_values = {name.replace("_", "-"): value for name, value in headers.items()}
        content_type = header_values.pop("Content-Type", "application/json" if raw else "")
        return Client(headers={"Authorization": f"Token {self.token}", **header_values}).generic(
            method, address, raw, content_type
        )

    def get(self, path: str, **headers: str) -> Any:
        return self.request("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.request("POST", path, {} if body is None else body, **headers)

    def put(self, path: str, body: Any, **headers: str) -> Any:
        return self.request("PUT", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self.request("DELETE", path, **headers)


@dataclass(frozen=True)
class War:
    """A war with a stage open, and everybody who may call about it."""

    campaign: Campaign
    stage: Stage
    ember: Caller
    frost: Caller
    host: Caller
    umpire: Caller
    observer: Caller
    stranger: Caller

    @property
    def callers(self) -> tuple[Caller, ...]:
        return self.ember, self.frost, self.host, self.umpire, self.observer, self.stranger


def caller(name: str, campaign: Campaign, role: str = "", faction: str = "") -> Caller:
    """Create somebody, seated in the campaign if they have a role."""
    user = User.objects.create_user(name)
    if role:
        faction_row = campaign.factions.get(key=faction) if faction else None
        membership_add(campaign=campaign, user=user, role=role, faction=faction_row)
    return Caller(user, token_make(user=user), str(campaign.public_id))


def war_with_everybody(campaign: Campaign, stage: Stage) -> War:
    """Return a war with every kind of person around it."""
    return War(
        campaign,
        stage,
        ember=caller("ember", campaign, "player", "ember"),
        frost=caller("frost", campaign, "player", "frost"),
        host=caller("host", campaign, "host"),
        umpire=caller("umpire", campaign, "umpire"),
        observer=caller("observer", campaign, "observer"),
        stranger=caller("stranger", campaign),
    )


def war_at(kind: str, admirals: dict[str, str] | None = None, **options: Any) -> War:
    """Return a war at its first stage of a kind.

    Args:
        options: Changed fields of the scenario: `war_at("orders", patrols=True)`.
    """
    differs = sorted({**(admirals or {}), **options}.items())
    return build_once(
        f"crew {kind} {differs}",
        lambda: war_with_everybody(*campaign_at(kind, admirals=admirals, **options)),
    )


def lobby() -> tuple[Campaign, Caller, Caller]:
    """Return a campaign that has not begun, its host and a stranger."""
    campaign = campaign_of()
    return campaign, caller("host", campaign, "host"), caller("stranger", campaign)


def json_of(response: Any, status: int = 200) -> Any:
    """Return the JSON of an answer, which must have this status."""
    assert response.status_code == status, response.content
    return json.loads(response.content) if response.content else None


def problem_of(response: Any, status: int, code: str = "") -> Any:
    """Return the problem of an answer, which must have this status."""
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == PROBLEM
    body = json.loads(response.content)
    assert body["status"] == status
    assert body.get("code", "") == code, body
    return body


def fault_places(response: Any) -> list[str]:
    """Return the places of the faults in an answer."""
    return [fault["where"] for fault in problem_of(response, 422, "violations")["violations"]]
