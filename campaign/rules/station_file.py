"""Reading of the stations of a scenario file; `campaign.rules.station_checks` judges them."""

from __future__ import annotations

import re

from campaign.rules.fleet_violations import name_faults
from campaign.rules.scenario import Facility, Station
from campaign.rules.scenario_pieces import ScenarioParts, Table
from engine.core.phrase import phrase
from engine.notation.reading import join_place

STATION_KEYS = (
    *("id", "class", "faction", "name", "at", "base", "berths"),
    *("course", "velocity", "gate"),
)
LINK_OPEN = ("all", "holder")
MAX_BERTHS = 20  # of one station
MAX_VELOCITY = 24  # MU a turn
# The facility of a station that is a base, if the file says nothing about it.
STATION_BASE = Facility("station", repairs=True, replenishes=True)
_FORCE_KEY = re.compile(r"[fsd][0-9]+")  # the keys of fleets, ships and dummy counters


def read_stations(
    file: ScenarioParts, row: Table, table: tuple[int, int], where: str
) -> tuple[Station, ...]:
    """Return the stations of a system; faults go to the reader of the file.

    Args:
        row: The system.
        table: The size of battles in MU.
        where: The place of the system in the file.
    """
    stations = []
    for spot, item in file.rows("stations", STATION_KEYS, row, where):
        stations.append(_read_station(file, item, table, spot))
        file.draft.station_places.append(spot)
    return tuple(stations)


def _read_station(file: ScenarioParts, row: Table, table: tuple[int, int], where: str) -> Station:
    reader = file.reader
    id_ = file.ident(row, "id", where)
    if _FORCE_KEY.fullmatch(id_):
        words = phrase("'{}' is the key of a fleet or ship; choose another id", id_)
        reader.fault(join_place(where, "id"), "bad-id", words)
    cls = reader.text(row, "class", where)
    if cls:
        file.draft.class_refs.append((join_place(where, "class"), cls))
    name = reader.text(row, "name", where, default="")
    if name:
        reader.faults.extend(name_faults(name, join_place(where, "name")))
    return Station(
        id=id_,
        cls=cls,
        faction=file.power(row, "faction", where),
        name=name or cls,
        at=_position(file, row, table, where),
        base=reader.flag(row, "base", where),
        berths=_berths(file, row, where),
        course=file.number(row, "course", where, low=1, high=12, default=12),
        velocity=file.number(row, "velocity", where, low=0, high=MAX_VELOCITY, default=0),
        gate=reader.text(row, "gate", where, default=""),
    )


def _position(
    file: ScenarioParts, row: Table, table: tuple[int, int], where: str
) -> tuple[int, int]:
    """Return the place of a station in MU from the middle of the table; the middle by default."""
    if "at" not in row:
        return 0, 0
    spot = join_place(where, "at")
    values = file.reader.items(row, "at", where)
    if len(values) != 2:
        if isinstance(row["at"], list):
            file.reader.fault(spot, "not-a-position", phrase("expected two numbers of MU"))
        return 0, 0
    place = []
    for n, (value, length) in enumerate(zip(values, table, strict=True)):
        most = length // 2
        place.append(file.whole_number(value, f"{spot}[{n}]", low=-most, high=most))
    x, y = place
    return x, y


def _berths(file: ScenarioParts, row: Table, where: str) -> tuple[int, ...]:
    """Return the MASS that each internal bay of a station takes."""
    berths = []
    spot = join_place(where, "berths")
    for n, item in file.numbered_items(row, "berths", (), where):
        berths.append(file.whole_number(item, f"{spot}[{n}]", low=1, high=1000))
    if len(berths) > MAX_BERTHS:
        words = phrase("at most {} bays are possible", MAX_BERTHS)
        file.reader.fault(spot, "too-many", words)
    return tuple(berths[:MAX_BERTHS])


def with_station_base(facility: Facility | None, stations: tuple[Station, ...]) -> Facility | None:
    """Return the facility of a system: that of its base station if the file describes no other."""
    if facility is None and any(station.base for station in stations):
        return STATION_BASE
    return facility
