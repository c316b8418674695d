"""What players find out about a war from their own documents: stores, prizes, foreign names.

A player's documents are their views in order and their battles, from the API or a page's data.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# Names of a watched player's fleets: `NAMED faction number`, so that leaks are found
FLEET_NAME_PREFIX = "Ensign of "
CRAFT = ("hangar", "fighter-rack", "gunboat-rack", "fighter-bay")
FULL = 1_000  # not below full
GOES_ON = ("fighting", "left", "ftl")  # ships that leave a battle as their owner's


@dataclass
class PlayerRecord:
    """The documents of one faction.

    Attributes:
        foreign: Names and keys of others found in answers, with the address.
    """

    faction: str
    views: list[Any] = field(default_factory=list)
    battles: list[Any] = field(default_factory=list)
    foreign: Counter[tuple[str, str]] = field(default_factory=Counter)

    def read_answer(self, address: str, text: str, others: Sequence[str]) -> None:
        """Search an answer for others' ships, fleets and names."""
        if not others:
            return
        one_of = "|".join(map(re.escape, others))
        for name in re.findall(
            rf"\b(?:{one_of})/[sfd]\d+|{FLEET_NAME_PREFIX}(?:{one_of}) \d+", text
        ):
            self.foreign[name, re.sub(r"[0-9a-f]{8}-?[0-9a-f-]{8,}|\d+", "N", address)] += 1


@dataclass
class WarFindings:
    """What was found in a war.

    Attributes:
        told: How often each thing was seen.
        faults: What should not be.
    """

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def check_records(records: Sequence[PlayerRecord]) -> WarFindings:
    """Return everything that the documents of a war's players show."""
    findings = WarFindings()
    for record in records:
        check_stores(record, findings)
        check_refills(record, findings)
        check_prizes(record, records, findings)
        findings.faults += [
            f"{record.faction} read {name} at {address}" for name, address in sorted(record.foreign)
        ]
    keys = Counter(ship["key"] for record in records for ship in record.views[-1]["ships"])
    findings.faults += [f"{key} has {count} owners" for key, count in keys.items() if count > 1]
    return findings


def check_stores(record: PlayerRecord, findings: WarFindings) -> None:
    """Check that what a battle used up is missing in the next week.

    A ship that fought was not docked, so nothing was refilled. The last phase shows a ship before
    its results: of stores there may be fewer since; of craft, which return, more.
    """
    for (week, key), after in _last_of_battles(record).items():
        now = next((view for view in record.views if view["week"] > week or view["result"]), None)
        ship = None if now is None else _by_key(now).get(key)
        if ship is None:
            continue
        stock_left, then = dict(map(tuple, ship["stock"])), after.get("stock", {})
        for name in sorted({*stock_left, *then}):
            kind = name.partition("/")[0].rpartition("-")[0]
            fewer, more = stock_left.get(name, FULL), then.get(name, FULL)
            if (fewer < more) if kind in CRAFT else (fewer > more):
                findings.faults.append(
                    f"week {week}: {key} came out with {then}, and has {stock_left}"
                )
            findings.counts[f"used up: {kind}"] += name in stock_left


def _last_of_battles(record: PlayerRecord) -> dict[tuple[int, str], Any]:
    """Return each own ship as it left its last battle of a week, if it still belongs to the
    faction.
    """
    after: dict[tuple[int, str], Any] = {}
    for battle in sorted(
        record.battles, key=lambda battle_record: (battle_record["week"], battle_record["seq"])
    ):
        for phase in battle["phases"]:
            for key, ship in phase["own"].items():
                after[battle["week"], key] = ship
    return {place: ship for place, ship in after.items() if ship["status"] in GOES_ON}


def check_refills(record: PlayerRecord, findings: WarFindings) -> None:
    """Check that a refilled ship has all its stores.

    Craft are excepted, because not every base has them, and the contents of lost systems.
    """
    for view in record.views:
        for notice in view["notices"]:
            facts: Mapping[str, Any] = dict(map(tuple, notice["facts"]))
            ship = next(
                (own_ship for own_ship in view["ships"] if own_ship["name"] == facts.get("ship")),
                None,
            )
            if notice["code"] != "replenished" or ship is None:
                continue
            holders = {name.partition("/")[0] for name, _ in ship["stock"]} - set(ship["lost"])
            short = sorted(name for name in holders if name.rpartition("-")[0] not in CRAFT)
            findings.counts["filled up at a base"] += 1
            if short:
                findings.faults.append(
                    f"week {notice['week']}: {ship['key']} was filled up and is short of {short}"
                )


def check_prizes(
    record: PlayerRecord, records: Sequence[PlayerRecord], findings: WarFindings
) -> None:
    """Check that a reported prize exists, laid up, with a new name, and that its old owner lost
    one.
    """
    for view in record.views:
        for notice in view["notices"]:
            facts: Mapping[str, Any] = dict(map(tuple, notice["facts"]))
            if notice["code"] not in ("prize", "taken-at-dock") or not facts.get("ship"):
                continue
            ship = next((entry for entry in view["ships"] if entry["name"] == facts["ship"]), None)
            if ship is None or not ship["laid_up"]:
                findings.faults.append(
                    f"week {notice['week']}: {record.faction} does not have its prize {facts['ship']}"
                )
                continue
            findings.counts["prizes"] += 1
            later = [
                _by_key(entry).get(ship["key"])
                for entry in record.views
                if entry["week"] > view["week"]
            ]
            findings.counts["prizes at work"] += any(
                entry is not None and not entry["laid_up"] for entry in later
            )
            for other in records:
                if other.faction == facts.get("owner"):
                    losses = {(entry["week"], entry["hex"]) for entry in other.views[-1]["losses"]}
                    if (notice["week"], notice["hex"]) not in losses:
                        findings.faults.append(
                            f"week {notice['week']}: {other.faction} has not lost {facts['ship']}"
                        )


def _by_key(view: Any) -> dict[str, Any]:
    return {ship["key"]: ship for ship in view["ships"]}
