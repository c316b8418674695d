"""Plays a moved site on, in a process of its own: `python -m tests.prerelease.after_move [pages]`.

Prints as JSON how battles and weeks went on, and the pages that could not be shown, if they are
asked for.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any


def main(*asked: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    logging.disable(logging.CRITICAL)
    from campaign.services.scenarios import scenarios_load

    scenarios_load()
    print(
        json.dumps(
            {
                "pages": list(broken_pages()) if "pages" in asked else [],
                "acts": acts(),
                "results": results(),
            }
        )
    )


def acts() -> list[Any]:
    """Return the act that records the move in each public record."""
    from campaign.models.ledger import Act

    moved = Act.objects.filter(body__reason__startswith="This site was moved")
    return [
        [act.campaign.name, act.body["facts"]["from"], act.stage_id is not None]
        for act in moved
        if old_hash(act) in act.body["reason"]
    ]


def old_hash(act: Any) -> str:
    """Return the hash from before the move, as the public ledger names it."""
    from campaign.models.ledger import LedgerRow

    row = LedgerRow.objects.filter(branch=act.campaign.head_branch).latest("seq")
    return str(row.body["moved_from"])


def broken_pages() -> Iterator[str]:
    """Yield the pages and answers of the API that a player or umpire of a war does not get."""
    from django.contrib.auth.models import User

    from campaign.models.campaign import Membership

    seen = set()
    members = Membership.objects.filter(role__in=("player", "umpire"))
    for member in members.select_related("campaign", "user", "faction").order_by("pk"):
        if (member.campaign_id, member.role) not in seen:
            seen.add((member.campaign_id, member.role))
            yield from broken_of(member.user, pages_of(member))
    yield from broken_of(User.objects.get(username="ann"), ("/", "/me/", "/designs/", "/gallery/"))


def broken_of(user: Any, paths: Iterable[str]) -> Iterator[str]:
    from django.test import Client

    from campaign.services.tokens import token_make

    client = Client(HTTP_HOST="127.0.0.1")
    client.force_login(user, backend="config.sessions.Backend")
    token = {"Authorization": f"Token {token_make(user=user, name='after the move')}"}
    for path in paths:
        answer = client.get(path, follow=True, headers=token if path.startswith("/api/") else {})
        logged_out = any("/accounts/login/" in address for address, _ in answer.redirect_chain)
        if answer.status_code != 200 or logged_out:
            yield f"{answer.status_code} {user} {path}"


def pages_of(member: Any) -> Iterator[str]:
    """Yield the paths of a member's pages: record, reports, battles and their replays, API."""
    from campaign.services.phases import fights_of
    from campaign.services.tables import tables_of
    from campaign.sight.reports import list_battles

    campaign, faction = member.campaign, member.faction
    war = f"/c/{campaign.public_id}/"
    api = f"/api{war.replace('/c/', '/campaigns/')}"
    yield f"{war}public/"
    if faction is None:
        yield from (f"{war}umpire/{page}/" for page in ("battles", "stages", "ledger"))
        return
    yield from (f"{war}{page}" for page in ("", "reports/"))
    if not campaign.ruleset.get("single"):
        yield from (f"{war}{page}" for page in ("gazette/", "map/"))
    yield from (f"{api}{page}/" for page in ("view", "reports", "ledger"))
    for battle in list_battles(campaign, faction):
        yield f"{war}battles/{battle.id}/"
        yield f"{api}battles/{battle.id}/"
    for fight in fights_of(campaign, faction):
        yield f"{war}battles/{fight.id}/now/"
    for table in tables_of(campaign, faction):
        yield f"{war}battles/{table.id}/table/"


def results() -> dict[str, Any]:
    """Play on and return what came of it, in the form of `site/expected.json`."""
    from tests.umpire.services.wars import attack

    return {
        "Online at its seventh stop": played_on("Online at its seventh stop"),
        "Continuum online": played_on("Continuum online"),
        "Continuum war week": resolved("Continuum war", 3),
        "captains week": resolved("captains", 1, admiral=attack),
        "Online and over week": resolved("Online and over", 1, admiral=attack),
        "Online at its seventh stop week": resolved(
            "Online at its seventh stop", 1, admiral=attack
        ),
    }


def played_on(name: str) -> dict[str, Any]:
    """Play five stops of the online battle of a war by its captains' advice."""
    from campaign.models.battle import Battle
    from campaign.models.stage import Stage
    from campaign.services.phases import fights_of, newest_sheet
    from tests.sealing import stop_seal
    from umpire.services.battle_phases import phase_resolve
    from umpire.services.records import battle_of

    row = Battle.objects.select_related("branch__campaign").get(branch__campaign__name=name)
    campaign = row.branch.campaign
    for _ in range(5):
        stage = Stage.objects.get(battle=row, status="open")
        for faction in campaign.factions.order_by("key"):
            (fight,) = fights_of(campaign, faction)
            if fight.state == "open":
                advice = newest_sheet(campaign, faction, fight)["advice"]
                stop_seal(fight=fight, faction=faction, payload={**advice})
        assert phase_resolve(stage=stage.pk)
    row.refresh_from_db()
    state = battle_of(row).state
    ships = {
        ship.id: [ship.damage, str(ship.status), [round(ship.x, 6), round(ship.y, 6)]]
        for ship in state.ships
    }
    return {"turn": state.turn, "ships": ships}


def resolved(name: str, stages: int, **options: Any) -> dict[str, Any]:
    """Resolve the next stages of a war, and return its fleets and ships."""
    from campaign.models.campaign import Campaign
    from campaign.models.stage import Stage
    from campaign.models.truth import Snapshot
    from campaign.selectors.truth import world_of
    from umpire.services.ledger_checks import ledger_faults
    from umpire.services.stages import stage_resolve

    campaign = Campaign.objects.get(name=name)
    for _ in range(stages):
        stage = Stage.objects.get(branch__campaign=campaign, battle__isnull=True, status="open")
        assert stage_resolve(stage=stage.pk, force=True, **options)
    assert campaign.head_branch is not None
    assert ledger_faults(branch=campaign.head_branch) == ()
    world = world_of(Snapshot.objects.filter(branch__campaign=campaign).latest("seq"))
    return {
        "week": world.week,
        "stage": world.stage,
        "ships": {ship.key: [ship.fleet, ship.damage] for ship in world.ships},
        "fleets": {fleet.key: fleet.hex for fleet in world.fleets},
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
