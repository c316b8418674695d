"""Queries whose SQL is planned once, for what every request asks.

The ORM takes ten times as long to plan a query of five tables as SQLite takes to answer it. So the
ORM plans each query of this kind once, and its SQL is run again with other arguments. Use it only
for queries of nearly every page, tick or stage; all others use the ORM directly
(docs/decisions/0122-optimisations-need-a-measurement.md).
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeAlias, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.utils.dateparse import parse_datetime
from typing_extensions import override

Row = TypeVar("Row", bound=models.Model)
Field: TypeAlias = "models.Field[Any, Any]"
Convert = Callable[[Any], Any]

# Placeholders for arguments while a query is planned, by the kind of field: each number makes a
# value that no query contains otherwise.
PLACEHOLDERS: dict[type[Field], Callable[[int], Any]] = {
    models.BigIntegerField: lambda number: -1_000_000 - number,
    models.PositiveIntegerField: lambda number: 2_000_000_000 + number,
    models.PositiveSmallIntegerField: lambda number: 32_000 + number,
    models.CharField: lambda number: f"argument {number} of a prepared query",
    models.UUIDField: lambda number: uuid.UUID(int=2**127 + number),
    models.DateTimeField: lambda number: datetime(1, 1, 1, microsecond=number, tzinfo=UTC),
}
# Fields whose values need no conversion with either database.
PLAIN_FIELDS = (models.IntegerField, models.CharField, models.TextField)


@dataclass(frozen=True, slots=True)
class _Plan:
    """A planned query.

    Attributes:
        slots: For each parameter the number of its argument, or None if `parameters` has the value.
        converters: Places in a row whose values need conversion, with the conversion.
    """

    sql: str
    parameters: tuple[Any, ...]
    slots: tuple[int | None, ...]
    converters: tuple[tuple[int, Convert], ...]


class _Prepared:
    """What both kinds of prepared query share.

    Args:
        make: Builds the query from its arguments.
        parameters: A field of the type of each argument.
    """

    def __init__(
        self, make: Callable[..., models.QuerySet[Any, Any]], parameters: Sequence[Field]
    ) -> None:
        self.make = make
        self.parameters = parameters

    def _answer(self, arguments: Sequence[Any]) -> Iterator[Sequence[Any]]:
        """Yield the rows for these arguments, with their values converted."""
        connection = connections[DEFAULT_DB_ALIAS]
        plan = PLANS.get(self)
        if plan is None:
            plan = PLANS[self] = self._make_plan(connection)
        prepared = _prepared_arguments(self.parameters, arguments, connection)
        values = list(plan.parameters)
        for place, slot in enumerate(plan.slots):
            if slot is not None:
                values[place] = prepared[slot]
        with connection.cursor() as cursor:
            cursor.execute(plan.sql, values)
            rows = cursor.fetchall()
        if not plan.converters:
            yield from rows
            return
        for row in rows:
            converted = list(row)
            for place, convert in plan.converters:
                converted[place] = convert(converted[place])
            yield converted

    def _make_plan(self, connection: Any) -> _Plan:
        """Let the ORM plan the query. Raises ValueError if an argument is missing in the SQL."""
        placeholders = []
        for number, field in enumerate(self.parameters):
            placeholders.append(PLACEHOLDERS[type(field)](number))
        sql, parameters = self._values(*placeholders).query.sql_with_params()
        prepared = _prepared_arguments(self.parameters, placeholders, connection)
        slots = tuple(prepared.index(value) if value in prepared else None for value in parameters)
        if set(slots) - {None} != set(range(len(placeholders))):
            raise ValueError("an argument of a prepared query is missing in its SQL")
        converters = []
        for place, field in enumerate(self._column_fields()):
            convert = _converter(field)
            if convert is not None:
                converters.append((place, convert))
        return _Plan(sql, tuple(parameters), slots, tuple(converters))

    def _values(self, *arguments: Any) -> models.QuerySet[Any, Any]:
        """Return the query as a `values_list`."""
        raise NotImplementedError

    def _column_fields(self) -> Sequence[Field]:
        """Return a field of the type of each value in a row."""
        raise NotImplementedError


PLANS: dict[_Prepared, _Plan] = {}


class PreparedValues(_Prepared):
    """A query of a `values_list`.

    Args:
        columns: A field of the type of each value in a row: a JSONField for a key into JSON, a
            TextField for `KT`.
    """

    def __init__(
        self,
        make: Callable[..., models.QuerySet[Any, Any]],
        parameters: Sequence[Field],
        columns: Sequence[Field],
    ) -> None:
        super().__init__(make, parameters)
        self.columns = columns

    def tuples(self, *arguments: Any) -> list[tuple[Any, ...]]:
        """Return the values for these arguments, as `make(*arguments)` would return them."""
        return [tuple(row) for row in self._answer(arguments)]

    @override
    def _values(self, *arguments: Any) -> models.QuerySet[Any, Any]:
        return self.make(*arguments)

    @override
    def _column_fields(self) -> Sequence[Field]:
        return self.columns


@dataclass(frozen=True, slots=True)
class _Part:
    """An object in a row: the row's own object, or a related one.

    Attributes:
        parent: The place of the part that leads to it.
        relation: The attribute of the parent that leads to it; "" for the row's own object.
        names: The fields that are read; their values begin at `first` and end before `last`.
        key: The place of its primary key in a row.
    """

    model: type[models.Model]
    parent: int
    relation: str
    names: tuple[str, ...]
    first: int
    last: int
    key: int


class PreparedRows(_Prepared, Generic[Row]):
    """A query of objects.

    Args:
        related: The relations to read with each object, each after the one that leads to it:
            `("campaign", "campaign__scenario")`.
        without: Paths of fields to defer: `"campaign__scenario__body"`.
    """

    def __init__(
        self,
        make: Callable[..., models.QuerySet[Row, Any]],
        parameters: Sequence[Field],
        related: Sequence[str] = (),
        without: Sequence[str] = (),
    ) -> None:
        super().__init__(make, parameters)
        self.related = related
        self.without = without
        self._columns: list[str] = []
        self._fields: list[Field] = []
        self._parts: list[_Part] = []

    def rows(self, *arguments: Any) -> list[Row]:
        """Return the objects for these arguments, as `make(*arguments)` would return them."""
        return [objects[0] for objects in self.rows_with_related(*arguments)]

    def first(self, *arguments: Any) -> Row | None:
        """Return the first of the objects."""
        return next(iter(self.rows(*arguments)), None)

    def rows_with_related(self, *arguments: Any) -> list[list[Any]]:
        """Return for each row its object and those of `related`, None where there is none.

        An object that several rows share is made once.
        """
        instances: dict[tuple[int, Any], models.Model] = {}
        return [self._objects(row, instances) for row in self._answer(arguments)]

    def _objects(
        self, row: Sequence[Any], instances: dict[tuple[int, Any], models.Model]
    ) -> list[Any]:
        """Return the objects of a row, each set as the attribute of the object it belongs to.

        Args:
            instances: The objects of earlier rows, by part and primary key.
        """
        objects: list[Any] = []
        new: list[bool] = []
        for number, part in enumerate(self._parts):
            primary_key = row[part.key]
            key = (number, primary_key)
            instance = instances.get(key)
            is_new = instance is None and primary_key is not None
            if is_new:
                instance = part.model.from_db(
                    DEFAULT_DB_ALIAS, part.names, row[part.first : part.last]
                )
                instances[key] = instance
            objects.append(instance)
            new.append(is_new)
            if part.relation and new[part.parent]:
                setattr(objects[part.parent], part.relation, instance)
        return objects

    @override
    def _values(self, *arguments: Any) -> models.QuerySet[Any, Any]:
        queryset = self.make(*arguments)
        self._list_parts(queryset.model)
        # Expressions get short names in SQL, which makes each call faster with SQLite.
        return queryset.values_list(*map(models.F, self._columns))

    @override
    def _column_fields(self) -> Sequence[Field]:
        return self._fields

    def _list_parts(self, model: type[models.Model]) -> None:
        """List the parts of a row and the columns of each."""
        paths = ["", *self.related]
        models_of = {"": model}
        columns: list[str] = []
        fields: list[Field] = []
        parts: list[_Part] = []
        for path in paths:
            leading, _, relation = path.rpartition("__")
            if path:
                related = models_of[leading]._meta.get_field(relation).related_model
                assert isinstance(related, type)
                models_of[path] = related
            part_fields = []
            for field in _columns_of(models_of[path]):
                if _path(path, field.name) not in self.without:
                    part_fields.append(field)
            is_primary_key = [field.primary_key for field in part_fields]
            first = len(columns)
            columns += [_path(path, field.attname) for field in part_fields]
            fields += part_fields
            part = _Part(
                model=models_of[path],
                parent=paths.index(leading),
                relation=relation,
                names=tuple(field.attname for field in part_fields),
                first=first,
                last=len(columns),
                key=first + is_primary_key.index(True),
            )
            parts.append(part)
        self._columns = columns
        self._fields = fields
        self._parts = parts


def _path(leading: str, name: str) -> str:
    """Return the path to a field of the object that `leading` leads to."""
    if leading:
        return f"{leading}__{name}"
    return name


def _columns_of(model: type[models.Model]) -> list[Any]:
    """Return the fields of a model that are columns of its table."""
    result: list[Any] = []
    for field in model._meta.get_fields():
        if field.concrete and not field.many_to_many:
            result.append(field)
    return result


def _prepared_arguments(
    fields: Sequence[Field], arguments: Sequence[Any], connection: Any
) -> list[Any]:
    """Return arguments as the database takes them. Raises ValueError for a wrong number."""
    pairs = zip(fields, arguments, strict=True)
    return [field.get_db_prep_value(value, connection) for field, value in pairs]


def _converter(field: Any) -> Convert | None:
    """Return the conversion from a database value to a field's value; None if none is needed.

    Raises:
        TypeError: The kind of field is unknown here.
    """
    if isinstance(field, models.ForeignKey):
        return _converter(field.target_field)
    if isinstance(field, models.JSONField):
        return _json_of
    if isinstance(field, models.DateTimeField):
        return _moment_of
    if isinstance(field, models.UUIDField):
        return _uuid_of
    if isinstance(field, models.BooleanField):
        return _truth_of
    if isinstance(field, PLAIN_FIELDS):
        return None
    raise TypeError(f"prepared queries cannot read a {type(field).__name__}")


def _json_of(value: Any) -> Any:
    """Convert a part of a JSON document: SQLite returns numbers, and text without quotes."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except json.JSONDecodeError:
        return value


def _moment_of(value: datetime | str | None) -> datetime | None:
    """Convert a moment; SQLite returns UTC without a time zone, and text for an expression."""
    if isinstance(value, str):
        moment = parse_datetime(value)
    else:
        moment = value
    if moment is None or moment.tzinfo is not None:
        return moment
    return moment.replace(tzinfo=UTC)


def _uuid_of(value: uuid.UUID | str | None) -> uuid.UUID | None:
    """Convert a UUID, which SQLite returns as text."""
    if isinstance(value, str):
        return uuid.UUID(value)
    return value


def _truth_of(value: Any) -> bool | None:
    """Convert a boolean, which SQLite returns as a number for an expression."""
    if value is None:
        return None
    return bool(value)
