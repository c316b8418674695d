"""Sites as each release left them, which later releases must read and play on.

`site-1.0.jsonl.gz` is a backup by release 1.0.0: a war whose battle is fought online, with one
side's orders sealed; one at a table, whose results differed once; one whose captains are to fight;
and a single battle of Continuum, online. `site-1.0.after.json` is what came of them under that
release. `python -m tests.umpire.stored.write` wrote both. They are never written again: a later
release adds files of its own.
"""

from __future__ import annotations

import gzip
import importlib
import json
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.db.models import IntegerField

from campaign.models.battle import Battle
from campaign.models.campaign import Campaign
from campaign.models.stage import Stage
from campaign.models.truth import Snapshot
from campaign.selectors.truth import world_of
from campaign.services.phases import fights_of, newest_sheet
from campaign.services.tables import tables_of
from config.backup import Row, counters_set, empty_database, rows_insert
from tests.sealing import stop_seal, table_seal
from tests.umpire.services.wars import attack
from umpire.services.battle_phases import phase_resolve
from umpire.services.ledger_checks import ledger_faults
from umpire.services.records import battle_of
from umpire.services.stages import stage_resolve
from umpire.services.tables import table_compare

HERE = Path(__file__).parent
BACKUP = "site-{}.jsonl.gz"
RESULTS = "site-{}.after.json"
ONLINE, TABLE, CAPTAINS, SINGLE = "online", "table", "captains", "single"  # the wars by their names


@cache
def lines(release: str) -> tuple[Row, ...]:
    """Return the lines of a release's backup."""
    text = gzip.decompress((HERE / BACKUP.format(release)).read_bytes()).decode()
    return tuple(json.loads(line) for line in text.splitlines())


def restore_site(release: str) -> None:
    """Put a release's rows into the empty tables of today.

    Columns that came since get their defaults; where a migration writes something else into them,
    add it here.
    """
    empty_database()
    rows = [_row_of_today(line) for line in lines(release) if "model" in line]
    for label, group in groupby(rows, key=lambda line: str(line["model"])):
        rows_insert(label, iter(list(group)))
    counters_set(next(line["counters"] for line in lines(release) if "counters" in line))
    importlib.import_module("campaign.migrations.0009_lineage").fill(apps, None)
    ContentType.objects.clear_cache()


def _row_of_today(line: Row) -> Row:
    fields = apps.get_model(str(line["model"]))._meta.local_concrete_fields
    stored = line["row"]
    new = {field.attname: _default(field) for field in fields if field.attname not in stored}
    return {**line, "row": {**stored, **new}}


def _default(field: Any) -> Any:
    """Return what a migration writes into a new column at first."""
    if field.null or field.has_default():
        return field.get_default()
    return 0 if isinstance(field, IntegerField) else ""


def results() -> dict[str, Any]:
    """Play all wars of the site on, and return what came of them."""
    return {
        ONLINE: play_battle(ONLINE),
        SINGLE: play_battle(SINGLE),
        TABLE: play_table(),
        f"{ONLINE} week": play_week(ONLINE),
        f"{CAPTAINS} week": play_week(CAPTAINS),
        f"{TABLE} week": play_week(TABLE),
    }


def play_battle(name: str, phases: int = 6) -> dict[str, Any]:
    """Play phases of an online battle by its captains' advice, except orders sealed before."""
    row = _battle(name)
    campaign = row.branch.campaign
    for _ in range(phases):
        stage = Stage.objects.get(battle=row, status="open")
        for faction in campaign.factions.order_by("key"):
            (fight,) = fights_of(campaign, faction)
            if fight.state == "open":
                advice = newest_sheet(campaign, faction, fight)["advice"]
                stop_seal(fight=fight, faction=faction, payload={**advice})
        assert phase_resolve(stage=stage.pk)
    state = battle_of(_battle(name)).state
    ships = {
        ship.id: [ship.damage, str(ship.status), round(ship.x, 6), round(ship.y, 6)]
        for ship in state.ships
    }
    return {"turn": state.turn, "ships": ships}


def play_table() -> str:
    """Enter the same result for both sides of the table; return the state of the comparison."""
    campaign = Campaign.objects.get(name=TABLE)
    codes = {
        ship["id"]: ship["contact"]
        for side in _battle(TABLE).start["sides"]
        for ship in side["ships"]
    }
    (ship,) = [name for name in sorted(codes) if name.startswith("frost/")][:1]
    stage = None
    for faction in campaign.factions.order_by("key"):
        (table,) = tables_of(campaign, faction)
        stage = table.stage
        payload = table.stage.drafts.get(faction=faction).payload
        entered = ship if faction.key == "frost" else codes[ship]
        payload["ships"][entered]["damage"] = 1
        table_seal(table=table, faction=faction, payload=payload)
    assert stage is not None
    return str(table_compare(stage=stage.pk))


def play_week(name: str) -> dict[str, Any]:
    """Resolve the open stage of a war, and return its fleets and ships."""
    campaign = Campaign.objects.get(name=name)
    stage = Stage.objects.get(branch__campaign=campaign, battle__isnull=True, status="open")
    assert stage_resolve(stage=stage.pk, force=True, admiral=attack)
    assert campaign.head_branch is not None
    assert ledger_faults(branch=campaign.head_branch) == ()
    world = world_of(Snapshot.objects.filter(branch__campaign=campaign).latest("seq"))
    return {
        "week": world.week,
        "stage": str(world.stage),
        "ships": {ship.key: [ship.fleet, ship.damage] for ship in world.ships},
        "fleets": {fleet.key: fleet.hex for fleet in world.fleets},
    }


def _battle(name: str) -> Battle:
    return Battle.objects.select_related("branch__campaign").get(branch__campaign__name=name)
