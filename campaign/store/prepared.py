"""Queries that are planned once, for what every request asks: the ORM's SQL and objects without the ORM's planning.

The planning of a query of five tables takes the ORM ten times as long as SQLite takes to answer it. A plan belongs to a
connection and dies with it.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models.expressions import Col
from django.db.models.query import get_related_populators

from engine.core.phrase import phrase

Row = TypeVar("Row", bound=models.Model)
_Met = dict[tuple[Any, Any], models.Model]  # related objects of an answer, by how they are led to and by primary key

# What stands for an argument while its query is planned: a value that no query holds by itself.
MARKS: dict[type[models.Field[Any, Any]], Callable[[int], Any]] = {
    models.BigIntegerField: lambda n: -1_000_000 - n,
    models.PositiveIntegerField: lambda n: 2_000_000_000 + n,
    models.PositiveSmallIntegerField: lambda n: 32_000 + n,
    models.CharField: lambda n: phrase("argument {} of a prepared query", n),
    models.UUIDField: lambda n: uuid.UUID(int=2**127 + n),
    models.DateTimeField: lambda n: datetime(1, 1, 1, microsecond=n, tzinfo=UTC),
}


@dataclass(frozen=True, slots=True)
class _Plan:
    """A planned query. `slots`: for every parameter the number of the argument, or None for a constant."""

    sql: str
    parameters: tuple[Any, ...]
    slots: tuple[int | None, ...]
    compiler: Any
    converters: Any
    first: int
    last: int
    names: list[str]
    related: list[Any]


class Prepared(Generic[Row]):
    """A query of whole objects. `make` builds it from its arguments, whose types `fields` name.

    An object to which several rows of an answer lead is one object, made once.

    A query of `values_list` is asked by `tuples`.
    """

    def __init__(self, make: Callable[..., models.QuerySet[Row, Any]], *fields: models.Field[Any, Any]) -> None:
        self.make = make
        self.fields = fields

    def rows(self, *arguments: Any) -> list[Row]:
        """The objects for these arguments, as `make(*arguments)` would give them."""
        connection: Any = connections[DEFAULT_DB_ALIAS]
        plan, found = self._asked(connection, arguments)
        met: _Met = {}
        return [self._object(plan, connection.alias, row, met) for row in found]

    def tuples(self, *arguments: Any) -> list[tuple[Any, ...]]:
        """The values for these arguments, where `make` gives a `values_list`."""
        return [tuple(row) for row in self._asked(connections[DEFAULT_DB_ALIAS], arguments)[1]]

    def first(self, *arguments: Any) -> Row | None:
        """The first of the objects."""
        return next(iter(self.rows(*arguments)), None)

    def _asked(self, connection: Any, arguments: Sequence[Any]) -> tuple[_Plan, Any]:
        plans: dict[Prepared[Any], _Plan] = connection.__dict__.setdefault("prepared_plans", {})
        plan = plans.get(self)
        if plan is None:
            plan = plans[self] = self._planned(connection)
        given = [
            field.get_db_prep_value(value, connection) for field, value in zip(self.fields, arguments, strict=True)
        ]
        values = [
            known if slot is None else given[slot] for known, slot in zip(plan.parameters, plan.slots, strict=True)
        ]
        with connection.cursor() as cursor:
            cursor.execute(plan.sql, values)
            found: Any = cursor.fetchall()
        if plan.converters:
            found = plan.compiler.apply_converters(found, plan.converters)
        return plan, found

    def _object(self, plan: _Plan, alias: str, row: Sequence[Any], met: _Met) -> Row:
        model: Any = plan.compiler.klass_info["model"]
        made: Row = model.from_db(alias, plan.names, row[plan.first : plan.last])
        for populator in plan.related:
            _lead(made, populator, row, met)
        return made

    def _planned(self, connection: Any) -> _Plan:
        marks = [MARKS[type(field)](n) for n, field in enumerate(self.fields)]
        compiler: Any = self.make(*marks).query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        prepared = [field.get_db_prep_value(mark, connection) for field, mark in zip(self.fields, marks, strict=True)]
        slots = tuple(prepared.index(value) if value in prepared else None for value in parameters)
        if sorted(set(slots) - {None}) != list(range(len(marks))):  # type: ignore[type-var]
            raise ValueError("an argument of a prepared query does not stand in its SQL")
        select, told = compiler.select, compiler.klass_info
        first, last = (told["select_fields"][0], told["select_fields"][-1] + 1) if told else (0, 0)
        return _Plan(
            sql=sql,
            parameters=tuple(parameters),
            slots=slots,
            compiler=compiler,
            converters=compiler.get_converters([column[0] for column in select[: compiler.col_count]]),
            first=first,
            last=last,
            names=[column[0].target.attname for column in select[first:last] if isinstance(column[0], Col)],
            related=get_related_populators(told, select, connection.alias) if told else [],  # type: ignore[call-arg]
        )


def _lead(made: models.Model, populator: Any, row: Sequence[Any], met: _Met) -> None:
    """Lead an object to a related one of its row, by Django's own plan of it. `met`: those that rows led to before."""
    order = populator.reorder_for_init
    values = order(row) if order else row[populator.cols_start : populator.cols_end]
    key = populator, values[populator.pk_idx]
    found = met.get(key)
    if found is None and key[1] is not None:
        found = met[key] = populator.model_cls.from_db(populator.db, populator.init_list, values)
        for further in populator.related_populators:
            _lead(found, further, row, met)
    populator.local_setter(made, found)
    if found is not None:
        populator.remote_setter(found, made)
