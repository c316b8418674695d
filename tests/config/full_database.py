"""A database with a row in every table: a war in its second week, and rows that no war writes."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.apps import apps
from django.contrib.auth.models import Group, Permission, User
from django.db import connection, models

from tests.umpire.services.wars import play_until, start_campaign

MOMENT = datetime(2026, 5, 4, 12, 30, 15, 123457, tzinfo=UTC)  # not a whole number of milliseconds
WORDS = "Zoë 'Ö' \u2603"
DOCUMENT = {"b": [1, 2.5, None, True, {"z": WORDS}], "a": 10**15, "": []}
# columns whose values constraints restrict
VALID: dict[str, dict[str, Any]] = {
    "auth.User": {"is_active": True, "email": "ada@example.org"},
    "jobs.Job": {"status": "done", "owner": "", "send_at": None, "lane": "short"},
    "campaign.Act": {"verb": "extend"},
    "campaign.Battle": {"mode": "online", "status": "fought"},
    "campaign.DiscordAccount": {"discord_id": "1"},
    "campaign.IdempotentCall": {"status": 201},
    "campaign.Invite": {
        "role": "staff",
        "expires": MOMENT + timedelta(days=9),
        "revoked_at": None,
        "replaces": None,
    },
    "campaign.Link": {"a": "0101", "b": "0202"},
    "campaign.Membership": {"role": "staff"},
    "campaign.Notification": {"abandoned_at": None},
    "campaign.Preference": {"theme": "dark"},
    "campaign.Proposal": {"kind": "rollback", "state": "expired"},
    "campaign.Simulation": {"kind": "meeting", "ending": "long", "battles_wanted": 9},
    "campaign.ScenarioBalance": {"ending": "done", "handicap_ending": "stopped"},
    "campaign.SeatEnd": {"role": "staff", "cause": "replaced"},
    "campaign.ShipClass": {"supersedes": None},
    "campaign.Tournament": {"battles": "captains", "pairing": "swiss", "rounds": 3},
    "campaign.TournamentMatch": {"second": None},
    "campaign.TournamentPlayer": {"is_computer": False},
    "mfa.Authenticator": {"type": "totp"},
}
# Further rows of kinds of which a war has few, and which other tables depend on.
MORE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("campaign.Act", {"verb": "reveal"}),
    ("campaign.Proposal", {"kind": "fork", "state": "open"}),
)


def fill_tables() -> None:
    """Write at least one row of every model that Django knows, and those of `MORE`.

    It fails if a new model has none.
    """
    user = User(**_plain(User), **VALID["auth.User"])
    user.save()
    User.objects.create_user("somebody-else")  # an umpire's note is about somebody else
    play_until("decisions", start_campaign()[1])
    user.groups.add(Group.objects.create(name=WORDS))
    user.groups.get().permissions.add(Permission.objects.order_by("pk")[3])
    user.user_permissions.add(Permission.objects.order_by("pk")[5])
    waiting = [model for model in every_model() if not model._base_manager.exists()]
    while waiting:
        ready = [model for model in waiting if not _needs(model) & set(waiting)]
        for model in ready:
            _write(model)
        waiting = [model for model in waiting if model not in ready]
    for label, values in MORE:
        _write(apps.get_model(label), values)
    empty = [model._meta.label for model in every_model() if not model._base_manager.exists()]
    assert not empty, empty


def every_model() -> list[type[models.Model]]:
    """Return every model with its own table, also those between two others."""
    all_models = apps.get_models(include_auto_created=True)
    return [model for model in all_models if model._meta.managed and not model._meta.proxy]


def tables() -> dict[str, list[tuple[Any, ...]]]:
    """Return every table with all rows and columns as the database has them, in a fixed order."""
    rows_of = {}
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")
            rows_of[name] = sorted(cursor.fetchall(), key=repr)
    return rows_of


def _needs(model: type[models.Model]) -> set[Any]:
    return {field.related_model for field in model._meta.local_fields if field.is_relation} - {
        model
    }


def _write(model: type[models.Model], chosen: Mapping[str, Any] | None = None) -> None:
    values = _plain(model)
    for field in model._meta.local_fields:
        if field.is_relation:
            related: Any = field.related_model
            rows = related._base_manager.order_by("pk")
            values[field.name] = rows.last() if field.name in ("after", "about") else rows.first()
    row = model(**(values | VALID.get(model._meta.label, {}) | dict(chosen or {})))
    row.save_base(
        raw=True, force_insert=True
    )  # raw: columns that default to "now" keep the given time


def _plain(model: type[models.Model]) -> dict[str, Any]:
    """Return a value for a column that is no foreign key."""
    plain = [
        field
        for field in model._meta.local_fields
        if not (field.is_relation or field.get_internal_type() in IDS)
    ]
    chosen = VALID.get(model._meta.label, {})
    return {field.name: _value(model, field) for field in plain if field.name not in chosen}


def _value(model: type[models.Model], field: models.Field[Any, Any]) -> Any:
    if field.choices:
        return next(iter(field.choices))[0]
    return VALUES[field.get_internal_type()](
        f"{model._meta.label}.{field.name}", field.max_length or 10**6
    )


def _text(name: str, longest: int) -> str:
    sha256 = hashlib.sha256(name.encode()).hexdigest()
    return sha256[:longest] if longest in (40, 64) else f"{WORDS} {name}"[:longest]


IDS = ("AutoField", "BigAutoField")
VALUES: dict[str, Callable[[str, int], Any]] = {
    "BigIntegerField": lambda _name, _longest: -(2**53) - 1,
    "BinaryField": lambda name, _longest: b"\x00\xff" + name.encode(),
    "BooleanField": lambda _name, _longest: True,
    "CharField": _text,
    "DateTimeField": lambda _name, _longest: MOMENT,
    "DateField": lambda _name, _longest: MOMENT.date(),
    "GenericIPAddressField": lambda _name, _longest: "2001:db8::7",
    "IntegerField": lambda _name, _longest: -3,
    "JSONField": lambda _name, _longest: DOCUMENT,
    "PositiveBigIntegerField": lambda _name, _longest: 2**53 + 1,
    "PositiveIntegerField": lambda _name, _longest: 70_000,
    "PositiveSmallIntegerField": lambda _name, _longest: 7,
    "SmallIntegerField": lambda _name, _longest: -7,
    "TextField": _text,
    "UUIDField": lambda name, _longest: uuid.uuid5(uuid.NAMESPACE_URL, name),
}
