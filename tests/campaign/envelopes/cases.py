"""Three wars, each with another kind of document, and devices on which players write it."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from copy import deepcopy
from functools import cached_property
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from campaign.models import Campaign, Draft, Faction, Stage, Submission
from campaign.selectors.envelopes import Document
from campaign.services.orders import WeekOrders
from campaign.services.phases import PhaseOrders, fights_of
from campaign.services.tables import TableResult, tables_of
from campaign.services.tokens import token_make
from tests.campaign.api.calls import Caller
from tests.campaign.pages.war import browsing
from tests.umpire.services import online_war, table_war

LANCE = "ember/f2"
GOOD, OTHER, FAULTY = "good", "other", "faulty"  # possible contents


class EnvelopeCase(ABC):
    """A document that Ember's player writes: with a form on its page, over the API as JSON."""

    campaign: Campaign
    user: User
    page: str  # below /c/<campaign>/
    api: str  # below /api/campaigns/<campaign>/
    under: str  # the addresses of check, seal and unseal, below the same
    noun = "orders"

    @property
    def faction(self) -> Faction:
        return self.campaign.factions.get(key="ember")

    @cached_property
    def token(self) -> str:
        return token_make(user=self.user)

    @abstractmethod
    def document(self) -> Document:
        """Return the document as the services know it."""

    @abstractmethod
    def fields(self, choice: str) -> dict[str, str]:
        """Return the changed fields of the form."""

    @abstractmethod
    def body(self, choice: str) -> dict[str, Any]:
        """Return the same as JSON."""

    @abstractmethod
    def choice_of(self, payload: dict[str, Any]) -> str:
        """Return which of the three a stored document is."""

    @property
    def stage(self) -> Stage:
        return self.document().stage

    def draft(self) -> str:
        row = Draft.objects.filter(stage=self.stage, faction=self.faction).first()
        return "" if row is None else self.choice_of(row.payload)

    def sealed(self) -> list[str]:
        rows = Submission.objects.filter(
            stage=self.stage, faction=self.faction, withdrawn_at__isnull=True
        )
        return [self.choice_of(row.payload) for row in rows]

    def close(self) -> None:
        """Close the stage."""
        stage = self.stage
        Stage.objects.filter(pk=stage.pk).update(status="closed", closed_at=stage.opens)


class WeekCase(EnvelopeCase):
    TO = {GOOD: "0404", OTHER: "0305", FAULTY: "9999"}

    def __init__(self) -> None:
        player = browsing.at("orders")
        self.campaign, self.user, self.open = player.campaign, player.user, player.stage()
        self.page, self.api, self.under = "orders/", "orders/", "orders/"

    def document(self) -> Document:
        return WeekOrders(Stage.objects.get(pk=self.open.pk), self.faction)

    def fields(self, choice: str) -> dict[str, str]:
        return {f"move-{LANCE}": self.TO[choice]}

    def body(self, choice: str) -> dict[str, Any]:
        return {"schema": 1, "moves": [{"fleet": LANCE, "to": self.TO[choice]}]}

    def choice_of(self, payload: dict[str, Any]) -> str:
        to = [move["to"] for move in payload.get("moves", ())]
        return next((choice for choice, hex_ in self.TO.items() if to == [hex_]), "")


class BattleCase(EnvelopeCase):
    PLOT = {GOOD: "+1", OTHER: "+2", FAULTY: "sideways"}

    def __init__(self) -> None:
        self.war = online_war.OnlineWar(players=("ember", "frost"))
        self.campaign, self.user = self.war.campaign, self.war.users["ember"]
        id_ = self.war.fight("ember").id
        self.page, self.api = f"battles/{id_}/now/", f"fights/{id_}/orders/"
        self.under = self.api
        self.ship = sorted(self.war.sheet("ember")["mine"])[0]

    def document(self) -> Document:
        (fight,) = fights_of(self.campaign, self.faction)
        return PhaseOrders(fight, self.faction)

    def fields(self, choice: str) -> dict[str, str]:
        return {f"raw-{self.ship}": self.PLOT[choice]}

    def body(self, choice: str) -> dict[str, Any]:
        return {"plot": {self.ship: self.PLOT[choice]}}

    def choice_of(self, payload: dict[str, Any]) -> str:
        plot = payload["plot"].get(self.ship)
        return next((choice for choice, text in self.PLOT.items() if text == plot), "")


class TableCase(EnvelopeCase):
    TURNS = {GOOD: 2, OTHER: 3, FAULTY: 0}
    noun = "result"

    def __init__(self) -> None:
        self.war = table_war.TableWar()
        self.campaign, self.user = self.war.campaign, self.war.people["ember"]
        id_ = self.war.table("ember").id
        self.page, self.api, self.under = (
            f"battles/{id_}/table/",
            f"tables/{id_}/",
            f"tables/{id_}/",
        )
        self.first = self.war.draft("ember")

    def document(self) -> Document:
        (table,) = tables_of(self.campaign, self.faction)
        return TableResult(table, self.faction)

    def fields(self, choice: str) -> dict[str, str]:
        return {"turns": str(self.TURNS[choice])}

    def body(self, choice: str) -> dict[str, Any]:
        return {**deepcopy(self.first), "turns": self.TURNS[choice]}

    def choice_of(self, payload: dict[str, Any]) -> str:
        return next(
            (choice for choice, turns in self.TURNS.items() if payload["turns"] == turns), ""
        )


CASES: dict[str, type[EnvelopeCase]] = {"week": WeekCase, "phase": BattleCase, "table": TableCase}


class Device(ABC):
    """A device of a player. Each action is based on what the player last saw there.

    Every method returns the outcome: ok, lost, closed, faulty, or sealed (something else is
    sealed).
    """

    def __init__(self, case: EnvelopeCase) -> None:
        self.case = case

    @abstractmethod
    def look(self) -> None: ...

    @abstractmethod
    def save(self, choice: str) -> str: ...

    @abstractmethod
    def seal(self, choice: str) -> str: ...

    @abstractmethod
    def unseal(self) -> str: ...

    @abstractmethod
    def faults(self) -> int:
        """Return how many faults the draft has, as shown now."""

    @abstractmethod
    def stale(self) -> str:
        """Save what was written for another stage."""


class Browser(Device):
    """A browser at the document's page."""

    def __init__(self, case: EnvelopeCase) -> None:
        super().__init__(case)
        self.client = Client()
        self.client.force_login(case.user)
        self.url = f"/c/{case.campaign.public_id}/{case.page}"
        self.fields: dict[str, Any] = {}

    def look(self) -> None:
        forms = browsing.Page(self.client.get(self.url).content.decode()).forms
        self.fields = next(form for form in forms if "version" in form)

    def save(self, choice: str) -> str:
        return self.submit({**self.fields, **self.case.fields(choice), "action": "save"})

    def seal(self, choice: str) -> str:
        return self.submit({**self.fields, **self.case.fields(choice), "action": "seal"})

    def unseal(self) -> str:
        return self.submit({**self.fields, "action": "unseal"})

    def stale(self) -> str:
        return self.submit(
            {**self.fields, **self.case.fields(OTHER), "stage": "77", "action": "save"}
        )

    def faults(self) -> int:
        match = re.search(r"(\d+) problems? to fix", self.client.get(self.url).content.decode())
        return int(match[1]) if match else 0

    def submit(self, fields: dict[str, Any]) -> str:
        answer: Any = self.client.post(self.url, fields, follow=True)
        if answer.status_code != 200:
            return {409: "lost", 422: "faulty"}[answer.status_code]
        text = browsing.Page(answer.content.decode()).text
        if "That stage has closed in the meantime" in text:
            return "closed"
        return "sealed" if "already sealed" in text else "ok"


class Program(Device):
    """A program that uses the API and sends the revision it saw."""

    def __init__(self, case: EnvelopeCase) -> None:
        super().__init__(case)
        self.caller = Caller(case.user, case.token, str(case.campaign.public_id))
        self.tag = ""

    def look(self) -> None:
        self.tag = self.caller.get(self.case.api).headers["ETag"]

    def save(self, choice: str) -> str:
        answer = self.caller.put(self.case.api, self.case.body(choice), If_Match=self.tag)
        if answer.status_code == 200:
            self.tag = answer.headers["ETag"]
        return self._outcome_of(answer)

    def seal(self, choice: str) -> str:
        body = {self.case.noun: self.case.body(choice)}
        return self._outcome_of(
            self.caller.post(f"{self.case.under}seal/", body, If_Match=self.tag)
        )

    def unseal(self) -> str:
        return self._outcome_of(self.caller.post(f"{self.case.under}unseal/"))

    def stale(self) -> str:
        stale_tag = '"77-open' + self.tag[self.tag.index("-") :]
        return self._outcome_of(
            self.caller.put(self.case.api, self.case.body(OTHER), If_Match=stale_tag)
        )

    def faults(self) -> int:
        return len(self.caller.get(self.case.api).json()["violations"])

    def _outcome_of(self, answer: Any) -> str:
        if answer.status_code in (200, 201):
            return "ok"
        return {
            "lost-update": "lost",
            "violations": "faulty",
            "stage-closed": "closed",
            "already-sealed": "sealed",
        }[answer.json()["code"]]


DEVICES: dict[str, type[Device]] = {"page": Browser, "api": Program}
