"""The parts of a world that a ruling can change, as rows with keys: compared and put back. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from campaign.rules.world import (
    Contact,
    Fleet,
    Holding,
    Loss,
    ObjectiveState,
    Ship,
    Work,
    World,
)

SINGLE_ROW = ""  # the key of a table whose values count only as a whole, because of their order


@dataclass(frozen=True, slots=True)
class WorldTable:
    """A field of the world with several values.

    Attributes:
        adapter: Reads and writes one value as JSON.
        key_of: Returns the key of a value; None: the whole field is one row.
        sort_key: What sorts the values; None: they keep their order.
    """

    field: str
    adapter: TypeAdapter[Any]
    key_of: Callable[[Any], str] | None = None
    sort_key: Callable[[Any], Any] | None = None

    def rows(self, world: World) -> dict[str, Any]:
        """Return the values by key."""
        values = getattr(world, self.field)
        if self.key_of is None:
            return {SINGLE_ROW: values}
        return {self.key_of(value): value for value in values}

    def with_rows(self, world: World, rows: Mapping[str, Any]) -> World:
        """Return the world with these values."""
        if self.key_of is None:
            whole: dict[str, Any] = {self.field: rows[SINGLE_ROW]}
            return replace(world, **whole)
        values = list(rows.values())
        if self.sort_key is not None:
            values.sort(key=self.sort_key)
        fields: dict[str, Any] = {self.field: tuple(values)}
        return replace(world, **fields)

    def to_json(self, value: Any) -> Any:
        """Return a value as JSON; None stands for no value."""
        return None if value is None else self.adapter.dump_python(value, mode="json")


def _contact_key(contact: Contact) -> str:
    return f"{contact.hex}/{contact.a}/{contact.b}"


def _loss_key(loss: Loss) -> str:
    return loss.ship.key


def _loss_order(loss: Loss) -> tuple[int, str]:
    return loss.week, loss.ship.key


def _key(value: Any) -> str:
    return str(value.key)


def _system(holding: Holding) -> str:
    return holding.system


def _owner(funds: tuple[str, int]) -> str:
    return funds[0]


TABLES = {
    table.field: table
    for table in (
        WorldTable("fleets", TypeAdapter(Fleet), _key, _key),
        WorldTable("ships", TypeAdapter(Ship), _key, _key),
        WorldTable("holdings", TypeAdapter(Holding), _system, _system),
        WorldTable("contacts", TypeAdapter(Contact), _contact_key, _contact_key),
        WorldTable("losses", TypeAdapter(Loss), _loss_key, _loss_order),
        WorldTable("works", TypeAdapter(tuple[Work, ...])),
        WorldTable("funds", TypeAdapter(tuple[str, int]), _owner),
        WorldTable("objectives", TypeAdapter(ObjectiveState), _key),
    )
}


@dataclass(frozen=True, slots=True)
class RowChange:
    """A row of a world that is to be put back.

    Attributes:
        table: The field of the world.
        now: The value that it must still have, as JSON; None: there is no such row.
        then: The value that it gets; None: the row is removed.
    """

    table: str
    key: str
    now: Any
    then: Any


def changes_back(now: World, then: World) -> tuple[RowChange, ...]:
    """Return what makes one world of another: the rows in which they differ."""
    changes = []
    for name, table in TABLES.items():
        rows_now = table.rows(now)
        rows_then = table.rows(then)
        for key in sorted({*rows_now, *rows_then}):
            value_now = table.to_json(rows_now.get(key))
            value_then = table.to_json(rows_then.get(key))
            if value_now != value_then:
                changes.append(RowChange(name, key, value_now, value_then))
    return tuple(changes)


def has_changed(world: World, change: RowChange) -> bool:
    """Return whether a row is no longer what a change expects."""
    table = TABLES[change.table]
    stands: Any = table.to_json(table.rows(world).get(change.key))
    return bool(stands != change.now)


def put_back(world: World, change: RowChange) -> World:
    """Return the world with one row put back."""
    table = TABLES[change.table]
    rows = table.rows(world)
    if change.then is None:
        del rows[change.key]
    else:
        rows[change.key] = table.adapter.validate_python(change.then)
    return table.with_rows(world, rows)


def with_row(world: World, table: str, value: Any) -> World:
    """Return the world with a value in place of the one with its key, or added."""
    world_table = TABLES[table]
    assert world_table.key_of is not None
    rows = world_table.rows(world)
    rows[world_table.key_of(value)] = value
    return world_table.with_rows(world, rows)


def without_row(world: World, table: str, key: str) -> World:
    """Return the world without the value with a key, if it has one."""
    rows = TABLES[table].rows(world)
    rows.pop(key, None)
    return TABLES[table].with_rows(world, rows)
