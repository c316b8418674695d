"""A scripted player: a program that knows of the war only what the API shows it.

It reads its view, writes orders with the same public rules that anybody's program would use, saves,
seals, and keeps the receipt. A seed determines its decisions.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import TypeAdapter

from campaign.orders.codec import canonical_orders, orders_payload, parse_orders
from campaign.rules.orders import Move, Orders
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import star_map
from campaign.rules.view import View
from engine.core.canonical import canonical_json
from engine.core.dice import Dice
from tests.site.running import Site, SiteAnswer
from umpire.admirals import orders_for

PATIENCE = 90.0  # seconds for a stage to resolve
PAUSE = 0.4  # seconds until the next request
VIEW: TypeAdapter[View] = TypeAdapter(View)
SCENARIO: TypeAdapter[Scenario] = TypeAdapter(Scenario)


@dataclass
class Script:
    """One player.

    Attributes:
        spared: Hexes to which it never sends a fleet.
        leaves: It leaves online battles under FTL where possible.
        receipts: Its receipts by stage.
        seen: Its views by stage.
    """

    site: Site
    name: str
    campaign: str
    character: str = "steady"
    spared: tuple[str, ...] = ()
    leaves: bool = True
    receipts: dict[int, Any] = field(default_factory=dict)
    views_by_stage: dict[int, Any] = field(default_factory=dict)
    battle_receipts: list[Any] = field(default_factory=list)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> SiteAnswer:
        return self.site.call(
            self.name, method, f"campaigns/{self.campaign}/{path}", body, **headers
        )

    def get(self, path: str) -> Any:
        """Return what is at an address, which must exist."""
        answered = self.call("GET", path)
        assert answered.status == 200, (path, answered)
        return answered.json

    def scenario(self) -> Scenario:
        answered = self.site.call(self.name, "GET", f"scenarios/{self.get('')['scenario']}/")
        return SCENARIO.validate_python(answered.json["scenario"])

    def play(self, scenario: Scenario) -> int:
        """Answer the open stage: draft, save, seal; return its ordinal."""
        sheet = self.call("GET", "orders/")
        assert sheet.status == 200, sheet
        ordinal = int(sheet.json["stage"]["ordinal"])
        response = self.get("view/")
        view = VIEW.validate_python(response["view"])
        assert (view.week, view.stage) == (sheet.json["stage"]["week"], sheet.json["stage"]["kind"])
        orders = orders_for(scenario, view, self.character, Dice(f"{self.name} {ordinal}"))
        orders = self.revise_orders(orders)
        if spared := {move.fleet for move in orders.moves if _goal(move) in self.spared}:
            moves_kept = [move for move in orders.moves if move.fleet not in spared]
            orders = replace(
                orders, moves=(*moves_kept, *_replacement_moves(scenario, view, orders, spared))
            )
        payload = orders_payload(orders)
        saved = self.call("PUT", "orders/", payload, If_Match=sheet.headers["ETag"])
        assert saved.status == 200, saved
        conflict = self.call("PUT", "orders/", payload, If_Match=sheet.headers["ETag"])
        assert conflict.status == 412, conflict
        nonce = hashlib.sha256(f"{self.name} {ordinal}".encode()).hexdigest()[:32]
        once = {"Idempotency_Key": f"{self.name}-{ordinal}"}
        sealed = self.call("POST", "orders/seal/", {"nonce": nonce}, **once)
        assert sealed.status == 201, sealed
        again = self.call("POST", "orders/seal/", {"nonce": nonce}, **once)
        assert (again.status, again.json) == (201, sealed.json)
        receipt = sealed.json
        assert receipt["orders"] == payload
        assert (
            receipt["digest"]
            == hashlib.sha256(canonical_json(payload) + bytes.fromhex(nonce)).hexdigest()
        )
        assert parse_orders(receipt["orders"]) == (canonical_orders(orders), ())
        self.receipts[ordinal], self.views_by_stage[ordinal] = receipt, response
        return ordinal

    def revise_orders(self, orders: Orders) -> Orders:
        """Change orders that are about to be saved."""
        return orders

    def wait(self, ordinal: int) -> Any:
        """Return the campaign's sheet once the stage is over."""
        deadline = time.monotonic() + PATIENCE
        while True:
            sheet = self.get("")
            if sheet["state"] == "over" or sheet["stage"]["ordinal"] > ordinal:
                return sheet
            assert time.monotonic() < deadline, (
                f"stage {ordinal} takes too long\n{self.site.last_lines()}"
            )
            time.sleep(PAUSE)

    def fight(self) -> int:
        """Answer every phase of an online battle that waits for this player; return how many.

        It checks whether it can leave under FTL, otherwise seals its captain's advice, and keeps
        the receipt.
        """
        waiting = [fight for fight in self.get("fights/")["fights"] if fight["state"] == "open"]
        for line in waiting:
            path = f"fights/{line['id']}/"
            sheet = self.get(path)
            orders = self.get(path + "orders/default/")["orders"]
            away = {"plot": dict.fromkeys(sheet["mine"], "ftl")}
            checked = self.call("POST", path + "orders/check/", away)
            assert checked.status in (200, 409), checked
            if self.leaves and checked.status == 200 and not checked.json["violations"]:
                orders = away
            number = line["phase"]["number"]
            nonce = hashlib.sha256(f"{self.name} {line['id']} {number}".encode()).hexdigest()[:32]
            sealed = self.call("POST", path + "orders/seal/", {"orders": orders, "nonce": nonce})
            assert sealed.status in (201, 409), sealed  # 409: the phase has closed meanwhile
            if sealed.status == 201:
                receipt = sealed.json
                bound = canonical_json(receipt["orders"]) + bytes.fromhex(nonce)
                assert receipt["digest"] == hashlib.sha256(bound).hexdigest()
                self.battle_receipts.append(receipt)
        return len(waiting)

    def fight_on(self, others: list[Script], ordinal: int) -> Any:
        """Fight with the others until the stage is over; return the campaign's sheet."""
        deadline = time.monotonic() + 2 * PATIENCE
        while True:
            sheet = self.get("")
            if sheet["state"] == "over" or sheet["stage"]["ordinal"] > ordinal:
                return sheet
            assert time.monotonic() < deadline, (
                f"stage {ordinal} takes too long\n{self.site.last_lines()}"
            )
            if not sum(script.fight() for script in (self, *others)):
                time.sleep(PAUSE)


def _replacement_moves(
    scenario: Scenario, view: View, orders: Orders, spared: set[str]
) -> list[Move]:
    """Return other moves for the fleets that would have gone to a spared hex.

    A fleet that must leave goes one hex back, as by default; all others stay. A fleet formed by
    these orders must leave if the fleet of its ships must, even where that fleet itself cannot
    move because one of the ships it keeps has no drive.
    """
    fleets = {fleet.key: fleet for fleet in view.fleets}
    fleet_of_ship = {ship.key: ship.fleet for ship in view.ships}
    for part in orders.detach:
        if part.ships and part.into not in fleets:
            fleets[part.into] = fleets[fleet_of_ship[part.ships[0]]]
    chart = star_map(scenario)
    moves = []
    for key in sorted(spared & set(fleets)):
        fleet = fleets[key]
        aside = fleet.back or chart.step_aside(fleet.hex)
        if fleet.must_leave and aside:
            moves.append(Move(key, path=(aside,)))
    return moves


def _goal(move: Move) -> str:
    return move.path[-1] if move.path else move.to


def start_war(
    site: Site, slug: str, players: dict[str, str], timetable: Any = "solo", **more: Any
) -> str:
    """Open a campaign, fill its seats by invitation, and start it; return its id.

    Args:
        players: The players' names by faction.
        more: Further settings of the campaign.
    """
    host = f"host-of-{next(iter(players.values()))}"  # names are unique on a site
    site.people(host, *players.values())
    opened = site.call(
        host, "POST", "campaigns/", {"scenario": slug, "timetable": timetable, **more}
    )
    assert opened.status == 201, opened
    campaign = str(opened.json["id"])
    for faction, name in players.items():
        offered = site.call(
            host, "POST", f"campaigns/{campaign}/invites/", {"role": "player", "faction": faction}
        )
        assert offered.status == 201, offered
        joined = site.call(
            name, "POST", f"campaigns/{campaign}/join/", {"token": offered.json["token"]}
        )
        assert joined.status in (200, 201), joined
    response = site.call(host, "POST", f"campaigns/{campaign}/start/", {})
    assert response.status == 201, response
    return campaign
