"""A site as the release with the rules 0.4 left it, before wars kept their rules and documents
their numbers.

`site-0.4.jsonl.gz` is a backup by that release's own `manage.py backup`: a war whose battle is
fought online, at its fifth stop with one side's orders sealed; one at a table, whose results
differed once; one whose captains are to fight; and a single battle of Continuum, online, at its
fourth stop. `site-0.4.after.json.gz` is what came of them there: the orders given, what happened
and was seen at every stop, the results. Neither is ever written anew.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from django.apps import apps
from django.contrib.contenttypes.models import ContentType

from campaign import models
from config.backup import Row, counters_set, empty_database, rows_insert

HERE = Path(__file__).parent
MIGRATED = (
    "contenttypes.",
    "auth.permission",
    "auth.group_permissions",
)  # which the migrations of today have made


# What migrations wrote into columns that came since, where that is not the default of the column;
# by model.
MIGRATED_VALUES: dict[str, Row] = {"campaign.battlestop": {"schema": 1}}


@cache
def expected_results() -> dict[str, Any]:
    """What came of the site's wars under the release that wrote it, by their names."""
    document: dict[str, Any] = json.loads(
        gzip.decompress((HERE / "site-0.4.after.json.gz").read_bytes())
    )
    return document


@cache
def lines() -> tuple[Row, ...]:
    text = gzip.decompress((HERE / "site-0.4.jsonl.gz").read_bytes()).decode()
    return tuple(json.loads(line) for line in text.splitlines())


def restore_site() -> None:
    """Put the site's rows into the empty tables of today; columns that came since have what their
    migration writes.
    """
    empty_database()
    rows = [_row_of_today(line) for line in lines() if "model" in line]
    for label, group in groupby(rows, key=lambda line: str(line["model"])):
        rows_insert(label, iter(list(group)))
    counters_set(next(line["counters"] for line in lines() if "counters" in line))
    ContentType.objects.clear_cache()


def _row_of_today(line: Row) -> Row:
    """Return a stored row with the columns that came since."""
    label = str(line["model"])
    fields = apps.get_model(label)._meta.local_concrete_fields
    new = {
        field.attname: field.get_default() for field in fields if field.attname not in line["row"]
    }
    return {**line, "row": {**line["row"], **new, **MIGRATED_VALUES.get(label, {})}}


def war(name: str) -> models.Campaign:
    """A war of the site by its name."""
    return models.Campaign.objects.select_related("head_branch", "scenario").get(name=name)
