"""Prepared queries return what the ORM returns, separately for each caller."""

from __future__ import annotations

import sys
import uuid
from importlib import import_module
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import FieldDoesNotExist
from django.db import connection, models
from django.forms.models import model_to_dict
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.access import MEMBERSHIPS
from campaign.models import Campaign, Faction, Membership, Submission
from campaign.models.knowledge import BATTLE_REPORT, Report
from campaign.models.stage import Stage
from campaign.selectors import clock, envelopes, next_action
from campaign.selectors.due import FACTS
from campaign.services.campaigns import membership_add
from campaign.sight import reports
from campaign.store.prepared import PLACEHOLDERS, PLANS, PreparedRows, PreparedValues
from tests.sealing import orders_save, orders_seal, orders_unseal
from tests.umpire.services.wars import (
    ATTACK,
    campaign_of,
    play_until,
    resolve_stage,
    start_campaign,
)
from umpire.services.wars import campaign_start

pytestmark = pytest.mark.django_db


@pytest.fixture
def seated() -> tuple[Campaign, User]:
    campaign, user = campaign_of(), User.objects.create_user("vera")
    membership_add(campaign=campaign, user=user, role="host")
    membership_add(
        campaign=campaign, user=user, role="player", faction=campaign.factions.get(key="ember")
    )
    return campaign, user


def test_objects_equal_those_of_the_orm(
    seated: tuple[Campaign, User],
) -> None:
    campaign, user = seated
    MEMBERSHIPS.rows(uuid.uuid4(), 0, timezone.now())  # planned for others
    with CaptureQueriesContext(connection) as queries:
        rows = MEMBERSHIPS.rows(campaign.public_id, user.pk, timezone.now())
        facts = [
            (
                row.role,
                row.campaign.name,
                row.campaign.scenario.slug,
                row.faction and row.faction.key,
            )
            for row in rows
        ]
        assert {row.campaign.head_branch.number for row in rows if row.campaign.head_branch} == {1}
    assert len(queries) == 1
    assert sorted(rows, key=lambda row: row.pk) == list(Membership.objects.order_by("pk"))
    assert sorted(facts) == [
        ("host", campaign.name, "first-steps", None),
        ("player", campaign.name, "first-steps", "ember"),
    ]
    assert rows[0].campaign is rows[1].campaign  # created once in an answer
    assert rows[0].campaign.scenario.get_deferred_fields() == {"body"}
    assert rows[0].campaign.timetable == campaign.timetable  # JSON is decoded


def test_callers_get_separate_objects(seated: tuple[Campaign, User]) -> None:
    campaign, user = seated
    assert MEMBERSHIPS.rows(campaign.public_id, user.pk, timezone.now())
    assert MEMBERSHIPS.rows(campaign.public_id, user.pk + 1, timezone.now()) == []
    assert MEMBERSHIPS.rows(uuid.uuid4(), user.pk, timezone.now()) == []
    assert MEMBERSHIPS.first(uuid.uuid4(), user.pk, timezone.now()) is None


def test_changed_rows_are_read_again() -> None:
    stage = play_until("orders", start_campaign()[1])
    ember, frost = Faction.objects.order_by("key")
    assert (
        envelopes.DRAFT_OF_STAGE.first(stage.pk, ember.pk),
        envelopes.SEALED_ENTRY.first(stage.pk, ember.pk, timezone.now()),
    ) == (
        None,
        None,
    )
    orders_save(stage=stage, faction=ember, payload={"schema": 1}, version=0)
    orders_seal(stage=stage, faction=ember, payload={"schema": 1})
    draft, sealed = (
        envelopes.DRAFT_OF_STAGE.first(stage.pk, ember.pk),
        envelopes.SEALED_ENTRY.first(stage.pk, ember.pk, timezone.now()),
    )
    assert draft is not None
    assert sealed == Submission.objects.get(stage=stage)
    assert (draft.payload, draft.version) == ({"schema": 1}, 1)
    assert envelopes.SEALED_ENTRY.first(stage.pk, frost.pk, timezone.now()) is None
    orders_unseal(stage=stage, faction=ember)
    assert envelopes.SEALED_ENTRY.first(stage.pk, ember.pk, timezone.now()) is None


def test_unused_query_argument_is_refused() -> None:
    careless: PreparedRows[Faction] = PreparedRows(
        lambda campaign: Faction.objects.all(), parameters=(models.BigIntegerField(),)
    )
    with pytest.raises(ValueError, match="is missing in its SQL"):
        careless.rows(1)


def test_unconverted_field_is_refused() -> None:
    unknown = PreparedValues(
        lambda pk: Faction.objects.filter(pk=pk).values_list("pk"),
        parameters=(models.BigIntegerField(),),
        columns=(models.DurationField(),),
    )
    with pytest.raises(TypeError, match="DurationField"):
        unknown.tuples(1)


def test_wrong_number_of_arguments_is_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        MEMBERSHIPS.rows(uuid.uuid4())


def test_planning_costs_no_query() -> None:
    PLANS.clear()
    with CaptureQueriesContext(connection) as queries:
        MEMBERSHIPS.rows(uuid.uuid4(), 0, timezone.now())
    assert len(queries) == 1


def test_values_equal_those_of_the_orm(
    seated: tuple[Campaign, User],
) -> None:
    """JSON is decoded, booleans are booleans, and the order is that of the names."""
    campaign, _ = seated
    stage = campaign_start(campaign=campaign)
    FACTS.tuples(0)  # planned for others
    with CaptureQueriesContext(connection) as queries:
        (values,) = FACTS.tuples(stage.pk)
    assert len(queries) == 1
    assert [values] == list(FACTS.make(stage.pk))
    assert [type(value) for value in values] == [type(value) for value in FACTS.make(stage.pk)[0]]
    assert campaign.timetable in values
    assert {type(value) for value in values} >= {dict, bool, int, str}


def related_at(row: models.Model, path: str) -> Any:
    """Return the related object at the end of a path, or None if the path breaks off."""
    related: Any = row
    for relation in path.split("__"):
        related = getattr(related, relation, None)
    return related


def next_stage(stage: Stage) -> Stage:
    following = resolve_stage(stage).next
    assert following is not None
    return following


def test_page_queries_equal_those_of_the_orm() -> None:
    """The war has some weeks, with battles and reports."""
    campaign, stage = start_campaign(admirals={"ember": ATTACK, "frost": ATTACK})
    while not Report.objects.filter(kind=BATTLE_REPORT, faction__key="ember").exists():
        stage = next_stage(stage)
    user = User.objects.create_user("vera")
    faction = campaign.factions.get(key="ember")
    membership_add(campaign=campaign, user=user, role="player", faction=faction)
    campaign.refresh_from_db()
    branch, now = campaign.head_branch_id, timezone.now()
    report = Report.objects.filter(faction=faction).latest("pk")
    queries: list[tuple[PreparedRows[Any] | PreparedValues, tuple[Any, ...]]] = [
        (envelopes.NEWEST_STAGE, (branch, now)),
        (envelopes.STAGES_BEFORE, (branch, stage.ordinal)),
        (envelopes.STAGES_OF_BRANCH, (branch,)),
        (clock.WAITING, (campaign.pk, now)),
        (clock.PEOPLE, (campaign.pk,)),
        (clock.FACTIONS, (campaign.pk,)),
        (next_action.PARTS, (user.pk, now)),
        (next_action.STAGES, (user.pk, now)),
        (reports.REPORTS, (branch, faction.pk, 99, now)),
        (reports.REPORT, (faction.pk, report.public_id, now)),
        (reports.BATTLES, (branch, faction.pk, 99, now)),
    ]
    for query, arguments in queries:
        expected = list(query.make(*arguments))
        assert expected, arguments
        if isinstance(query, PreparedValues):
            assert query.tuples(*arguments) == expected
            continue
        rows = query.rows(*arguments)
        assert [model_to_dict(row) for row in rows] == [model_to_dict(row) for row in expected]
        for path in query.related:
            assert [related_at(row, path) for row in rows] == [
                related_at(row, path) for row in expected
            ]


def field_at(model: Any, path: str) -> Any:
    """Return the model field that a path of `values_list` names, or None if it is no column."""
    field = None
    for part in path.split("__"):
        if model is None:  # a key in JSON
            return None
        try:
            field = model._meta.pk if part == "pk" else model._meta.get_field(part)
        except FieldDoesNotExist:
            return None
        model = field.related_model
    return field


def test_values_are_declared_like_their_fields() -> None:
    """A text decoded as JSON becomes a number if it looks like one."""
    import_module("config.urls")  # this loads every page
    modules = [
        module for name, module in sys.modules.items() if name.startswith(("campaign.", "umpire."))
    ]
    queries = [
        query
        for module in modules
        for query in vars(module).values()
        if isinstance(query, PreparedValues)
    ]
    compared = 0
    for query in queries:
        marks = [PLACEHOLDERS[type(field)](number) for number, field in enumerate(query.parameters)]
        query_set = query.make(*marks)
        names: tuple[Any, ...] = getattr(query_set, "_fields", ())
        for name, declared in zip(names, query.columns, strict=True):
            field = field_at(query_set.model, name) if isinstance(name, str) else None
            if field is None:
                continue
            compared += 1
            for kind in (
                models.JSONField,
                models.UUIDField,
                models.DateTimeField,
                models.BooleanField,
            ):
                assert isinstance(declared, kind) == isinstance(field, kind), (
                    query_set.model,
                    name,
                )
    assert compared > 40
