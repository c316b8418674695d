"""What happened in a scripted war, as JSON."""

from __future__ import annotations

from typing import Any

from campaign.events.event import json_value
from campaign.rules.objectives import points_for, score_of, wanted
from campaign.rules.perception import notices_by_faction
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.system_mines import place_in_mu
from campaign.rules.world import Cargo, Engagement, Fleet, Loss, Ship, World
from umpire.adjudication.battles import battle_doctrines, battle_situation, side_name
from umpire.rehearsal import PlayedStage


class WarRecord:
    """The battles, notices and refused orders of a war, collected stage by stage."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._alliances = {
            faction.id: faction.alliance or faction.id for faction in scenario.factions
        }
        self._battles: list[dict[str, Any]] = []
        self._refused: dict[str, dict[str, dict[str, list[dict[str, str]]]]] = {}
        self._notices: dict[str, list[dict[str, Any]]] = {
            faction.id: [] for faction in scenario.factions
        }

    def refuse(self, world: World, faction: str, faults: list[dict[str, str]]) -> None:
        """Record the faults of a faction's orders for the current stage of a world."""
        stages = self._refused.setdefault(str(world.week), {})
        stages.setdefault(world.stage, {})[faction] = faults

    def add(self, played: PlayedStage) -> None:
        """Record the battles and notices of a stage."""
        world = played.before
        for engagement in world.engagements if played.setups else ():
            self._battles.append(self._battle(played, engagement))
        notices = notices_by_faction(played.outcome.week_events, world.week, world.stage)
        for faction, items in notices.items():
            for notice in items:
                facts = {key: json_value(value) for key, value in notice.facts}
                self._notices[faction].append(
                    {
                        "week": notice.week,
                        "stage": notice.stage,
                        "code": notice.code,
                        "hex": notice.hex,
                        "facts": facts,
                    }
                )

    def to_json(self, world: World) -> dict[str, Any]:
        """Return the record of a war whose present state is a world."""
        result = None
        if world.result is not None:
            result = {"result": world.result, "winner": world.winner, "week": world.week}
        holdings = {}
        for holding in world.holdings:
            holdings[holding.system] = {
                "holder": holding.holder,
                "superior": holding.superior,
                "state": holding.state,
                "since": holding.since,
            }
        return {
            "week": world.week,
            "stage": world.stage,
            "result": result,
            "scores": self._scores(world),
            "holdings": holdings,
            "ships": _ships(world),
            "losses": [_loss(loss) for loss in world.losses],
            "mines": _mines(world),
            "goods": _goods(world),
            "battles": self._battles,
            "refused": self._refused,
            "told": self._notices,
        }

    def _scores(self, world: World) -> dict[str, dict[str, Any]]:
        """Return the points of every faction, of all its objectives and of each."""
        if not self._scenario.objectives:
            return {}
        reached = {state.key: state.reached for state in world.objectives}
        scores: dict[str, dict[str, Any]] = {}
        for faction in self._alliances:
            score = score_of(self._scenario, world.objectives, (faction,))
            objectives = {}
            for objective in self._scenario.objectives:
                if objective.faction == faction:
                    number = reached.get(objective.key, 0)
                    objectives[objective.id] = {
                        "reached": number,
                        "wanted": wanted(objective),
                        "points": points_for(objective, number),
                    }
            scores[faction] = {
                "points": score.points,
                "of": score.of,
                "share": score.share,
                "objectives": objectives,
            }
        return scores

    def _battle(self, played: PlayedStage, engagement: Engagement) -> dict[str, Any]:
        result = played.results[engagement.key]
        file = played.setups[engagement.key]
        deployment = file.get("deployment")
        situation = None
        if not is_skirmish(self._scenario):
            situation = battle_situation(self._scenario, played.before, engagement).kind
        return {
            "week": played.before.week,
            "at": engagement.hex,
            "sides": [list(side) for side in engagement.sides],
            "situation": situation,
            "zones": deployment.get("zones", {}) if isinstance(deployment, dict) else {},
            "file": self._file(played, engagement),
            "winner": self._winner(engagement, result.winner),
            "turns": result.turns,
        }

    def _file(self, played: PlayedStage, engagement: Engagement) -> dict[str, Any]:
        """Return the battle file of an engagement, with the doctrine of each side."""
        file = played.setups[engagement.key]
        doctrines = battle_doctrines(self._scenario, played.before, engagement, dict(played.orders))
        sides = [{**side, "doctrine": doctrines[side["name"]]} for side in file["sides"]]
        return {**file, "sides": sides}

    def _winner(self, engagement: Engagement, name: str | None) -> str | None:
        """Return the faction that won a battle, or its alliance if allies fought together."""
        for side in engagement.sides:
            if side_name(side) == name:
                return side[0] if len(side) == 1 else self._alliances[side[0]]
        return None


def _mines(world: World) -> dict[str, list[dict[str, Any]]]:
    """Return the mines in each system that has any, with places in MU from the table's middle."""
    result: dict[str, list[dict[str, Any]]] = {}
    for mine in world.mines:
        entry = {"faction": mine.faction, "at": place_in_mu(mine)}
        result.setdefault(mine.system, []).append(entry)
    return result


def _goods(world: World) -> dict[str, dict[str, int]]:
    """Return the amount of each kind of goods in each system that has any."""
    result: dict[str, dict[str, int]] = {}
    for stock in world.goods:
        if stock.amount:
            result.setdefault(stock.system, {})[stock.what] = stock.amount
    return result


def _ships(world: World) -> dict[str, dict[str, Any]]:
    """Return every ship of a world by id, the lost ones too, sorted by id."""
    fleets = {fleet.key: fleet for fleet in world.fleets}
    result: dict[str, dict[str, Any]] = {}
    for loss in world.losses:
        result[loss.ship.key] = _ship(loss.ship, loss.hex, loss.cause)
    for ship in world.ships:
        fleet = fleets[ship.fleet]
        result[ship.key] = _ship(ship, fleet.hex, _status(ship, fleet))
    return dict(sorted(result.items()))


def _status(ship: Ship, fleet: Fleet) -> str:
    if ship.laid_up:
        return "laid-up"
    if fleet.in_ftl:
        return "in-ftl"
    return "active"


def _ship(ship: Ship, hex_: str, status: str) -> dict[str, Any]:
    return {
        "faction": ship.faction,
        "class": ship.cls,
        "at": hex_,
        "status": status,
        "damage": ship.damage,
        "lost": list(ship.lost),
        "stock": dict(ship.stock),
        "cargo": _cargo(ship.cargo),
        "docked": ship.docked,
    }


def _cargo(cargo: Cargo | None) -> dict[str, Any] | None:
    if cargo is None:
        return None
    return {"what": cargo.what, "amount": cargo.amount, "remaining": cargo.remaining}


def _loss(loss: Loss) -> dict[str, Any]:
    return {
        "ship": loss.ship.key,
        "faction": loss.ship.faction,
        "class": loss.ship.cls,
        "week": loss.week,
        "at": loss.hex,
        "how": loss.cause,
    }
