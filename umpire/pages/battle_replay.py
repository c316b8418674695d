"""Replays of battles with the truth of all sides or one side's view, for umpires and the story."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from campaign.access import Viewer
from campaign.errors import NotFound
from campaign.models.battle import Battle, BattlePhase
from campaign.models.campaign import Campaign
from campaign.replays.replay import Class, Replay, document_of, replay_of
from campaign.rules.queries import ship_classes, short_class_name, with_all_designs
from campaign.rules.scenario import Scenario
from campaign.rules.world import World
from campaign.selectors.families import may_be_public
from campaign.selectors.truth import (
    battle_of,
    phases_of,
    snapshot_before_battles,
    upgraded_phases,
    world_of,
)
from campaign.store.documents import scenario_of
from campaign.web.guests import is_guest
from campaign.web.replays import replay_context, replay_sides
from campaign.web.seat_marks import power_names
from campaign.words.battle.log import SideNames, names_of
from engine.core.phrase import phrase
from engine.pieces.registry import kinds
from umpire.pages.battles import true_names
from umpire.pages.frame import battle_row, branch_of, page
from umpire.pages.stage_reports import story_campaign


@page(umpire=True)
def umpire_replay(request: HttpRequest, viewer: Viewer, public_id: uuid.UUID) -> HttpResponse:
    """Show the replay of a battle as far as it was fought.

    `?as=` selects one side's view, `?turn=` a turn without scripts.
    """
    return _replay_page(request, viewer, public_id, "umpire-battle")


@page()
def story_replay(request: HttpRequest, viewer: Viewer, public_id: uuid.UUID) -> HttpResponse:
    """Show the replay of a battle of the story, with all sides revealed."""
    story_campaign(viewer.campaign)
    return _replay_page(request, viewer, public_id, "story-battle")


def _replay_page(
    request: HttpRequest, viewer: Viewer, public_id: uuid.UUID, door: str
) -> HttpResponse:
    """Show the replay of a battle; `door` is the URL name of the battle's page."""
    campaign = viewer.campaign
    back = reverse(door, kwargs={"c": campaign.public_id, "public_id": public_id})
    publish = ""
    if viewer.plays and may_be_public(campaign=campaign) and not is_guest(request):
        publish = reverse("moment-new", args=(campaign.public_id, public_id))
    return replay_page(request, campaign, public_id, back, publish)


def replay_page(
    request: HttpRequest, campaign: Campaign, public_id: uuid.UUID, back: str, publish: str = ""
) -> HttpResponse:
    """Show the replay of a battle to readers who may see the truth.

    Args:
        back: Where the back arrow leads.
        publish: Where the reader can publish a turn; empty if they cannot.

    Raises:
        NotFound: If the battle or its side does not exist.
    """
    scenario = scenario_of(campaign)
    row = battle_of(branch=branch_of(campaign), public_id=public_id)
    sides = [str(part["name"]) for part in row.start["sides"]]
    side = request.GET.get("as", "")
    if side and side not in sides:
        raise NotFound(phrase("the battle has no such side"))
    phases = upgraded_phases(phases_of(battle=row))
    if not phases:
        raise NotFound(phrase("the battle has not been fought yet"))
    world = world_of(snapshot_before_battles(battle=row))
    replay = true_replay(scenario, world, row, phases, side)
    side_rows, _, _ = replay_sides(scenario, sides, side)
    context = {
        "battle": row,
        "battle_name": battle_row(scenario, row)["battle_name"],
        "back": back,
        "publish": publish,
        "views": [(key, item.name) for key, item in zip(sides, side_rows, strict=True)],
        "side": side,
        "query": f"as={quote(side)}&" if side else "",
        "replay": replay_context(replay, request.GET.get("turn")),
    }
    return render(request, "umpire/replay.html", context)


def film_of(campaign: Campaign, row: Battle) -> dict[str, Any]:
    """Return the document of a battle's replay with all sides revealed, to be played as a film.

    Raises:
        NotFound: If the battle has no phases.
    """
    phases = upgraded_phases(phases_of(battle=row))
    if not phases:
        raise NotFound(phrase("the battle has not been fought yet"))
    world = world_of(snapshot_before_battles(battle=row))
    return document_of(true_replay(scenario_of(campaign), world, row, phases))


def true_replay(
    scenario: Scenario,
    world: World,
    row: Battle,
    phases: Sequence[BattlePhase],
    side: str = "",
    *,
    is_excerpt: bool = False,
) -> Replay:
    """Return the replay of a battle's phases: one side's view, or the truth with true names.

    Args:
        is_excerpt: Name only the ships that these phases show, so that nothing tells of others.
    """
    truth = with_all_designs(scenario, world)
    class_of = ship_classes(truth)
    classes = {}
    for ship in world.ships:
        classes[ship.key] = (short_class_name(ship.cls), class_of[ship.cls].classification)
    shown = ships_in(phases) if is_excerpt else None
    names = replace(true_names(world, row, shown), powers=power_names(scenario))
    keys = [str(part["name"]) for part in row.start["sides"]]
    sides, mine, sided = replay_sides(scenario, keys, side)
    body: dict[str, Any] = {"table": row.start["table"]}
    if side:
        body["phases"] = [phase.views.get(side) for phase in phases]
        names = names_of(body, names.name_by_key, names.powers)
    else:
        body["phases"] = [true_phase(phase, keys, names, classes) for phase in phases]
    return replay_of(body, names, sides, mine, sided, classes)


def ships_in(phases: Iterable[BattlePhase]) -> set[str]:
    """Return the ids of the ships that any side has in these phases."""
    ids: set[str] = set()
    for phase in phases:
        for view in phase.views.values():
            ids |= set(view["own"])
    return ids


def true_phase(
    phase: BattlePhase, sides: Iterable[str], names: SideNames, classes: Mapping[str, Class]
) -> dict[str, Any]:
    """Return the truth of a phase: own ships and craft of all sides, each piece once, all events.

    Wrecks without a crew belong to nobody; the side that brought one sees it under its own name.
    """
    own: dict[str, Any] = {}
    contacts: dict[str, Any] = {}
    pieces: dict[str, dict[str, Any]] = {}
    for number, side in enumerate(sides):
        view = phase.views.get(side)
        if view is None:
            continue
        own |= {key: {**ship, "side": number} for key, ship in view["own"].items()}
        contacts |= _named_contacts(view, names, classes)
        for kind in kinds():
            key = kind.view_keys[0] if kind.view_keys else ""
            for piece in view.get(key, ()):
                pieces.setdefault(key, {})[_piece_key(piece)] = piece
    result: dict[str, Any] = {
        "turn": phase.inputs["turn"],
        "stop": phase.inputs["phase"],
        "own": own,
        "contacts": [contact for key, contact in sorted(contacts.items()) if key not in own],
    }
    for key, pieces_of_kind in pieces.items():
        result[key] = list(pieces_of_kind.values())
    result["log"] = phase.events
    return result


def _named_contacts(
    view: Mapping[str, Any], names: SideNames, classes: Mapping[str, Class]
) -> dict[str, Any]:
    """Return a side's contacts that are ships or decoys, with their true classes, by id."""
    contacts = {}
    for contact in view["contacts"]:
        id_ = contact["id"]
        if id_ in names.name_by_key:
            true_class, _ = classes.get(id_, ("", ""))
            contacts[id_] = {**contact, "class": contact.get("class") or true_class}
    return contacts


def _piece_key(piece: Mapping[str, Any]) -> str:
    """Return a key that identifies a piece among its kind, whoever sees it."""
    return json.dumps(
        [piece.get("side"), piece.get("x"), piece.get("y"), piece.get("at"), piece.get("strength")]
    )
