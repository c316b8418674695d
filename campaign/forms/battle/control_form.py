"""The form of damage control: parties for lost systems, boarders, and a power core out of control.

Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.boarding import (
    board_rows,
    hostiles_aboard,
    people_words,
    repel_payload,
    repel_picks,
)
from campaign.forms.battle.fight_form import (
    FormSight,
    OrderRow,
)
from campaign.forms.field import (
    ChoiceField,
    Option,
    Select,
    as_mapping,
    number,
)
from campaign.rules.codec import as_list
from engine.continuum.damage_control import (
    MAX_PARTIES,
    has_control,
    has_foreign_boarders,
    repair_fault,
    repairable_systems,
)
from engine.core.facts import FOREVER
from engine.core.phrase import join_phrases, phrase
from engine.core.ship import ShipState
from engine.core.terms import NO_REPAIRS
from engine.english import counted_noun, system_words
from engine.systems.outfit import parties_of

PARTIES = ChoiceField("parties")
CORE = ChoiceField("core")

NOBODY: Option = ("0", phrase("none"))
CORE_ORDERS: tuple[Option, ...] = (
    ("", phrase("hold it")),
    ("dump", phrase("dump it and drift")),
    ("abandon", phrase("abandon ship")),
)

Faults = Mapping[str, tuple[str, ...]]  # messages by ship


def control_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Mapping[str, tuple[str, ...]]
) -> tuple[OrderRow, ...]:
    """Return a row for each ship whose crew has something to decide."""
    orders = as_mapping(payload.get("control"))
    own_rows = []
    for ship in _ships_with_control(sight):
        row = _control_row(sight, ship, orders.get(ship.id))
        own_rows.append(replace(row, faults=faults.get(ship.id, ())))
    return tuple(own_rows) + board_rows(sight, payload, faults)


def control_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return damage control by ship in the form; ships without orders are left out."""
    orders_by_ship: dict[str, Any] = {}
    for ship in _ships_with_control(sight):
        repairs = _submitted_repairs(sight, ship, post)
        further_orders: dict[str, Any] = {}
        if core := CORE.text(post, ship.id):
            further_orders[core] = True
        if has_foreign_boarders(ship):
            further_orders |= repel_payload(ship, post)
        if repairs or further_orders:
            orders_by_ship[ship.id] = {"repairs": repairs} | further_orders
    return orders_by_ship


def _submitted_repairs(
    sight: FormSight, ship: ShipState, post: QueryDict
) -> list[dict[str, int | str]]:
    """Return the form's repairs of a ship: systems and the number of parties for each."""
    repairs: list[dict[str, int | str]] = []
    for system in _repairable_systems(sight, ship):
        parties = number(PARTIES.text(post, ship.id, system) or "0")
        if parties:
            repairs.append({"system": system, "parties": parties})
    return repairs


def _ships_with_control(sight: FormSight) -> list[ShipState]:
    """Return the reader's ships whose crew has something to decide in damage control."""
    result: list[ShipState] = []
    for ship in sight.ships:
        if has_control(ship, sight.state.terms.options):
            result.append(ship)
    return result


def _repairable_systems(sight: FormSight, ship: ShipState) -> tuple[str, ...]:
    """Return the systems that can be repaired in this battle."""
    if NO_REPAIRS in sight.state.terms.options:
        return ()
    return repairable_systems(ship)


def _control_row(sight: FormSight, ship: ShipState, entry: object) -> OrderRow:
    """Return a ship's row of damage control, filled from its orders: repairs, boarders, core."""
    order = as_mapping(entry)
    party_count = parties_of(ship)
    picks = _repair_picks(sight, ship, order, party_count)
    if has_foreign_boarders(ship):
        picks += repel_picks(sight, ship, order)
    if ship.record.reactor:
        core_order = next((word for word, _ in CORE_ORDERS if word and order.get(word)), "")
        core_label = phrase("If the power core is still out of control")
        picks.append(CORE.draw(ship.id, label=core_label, options=CORE_ORDERS, chosen=core_order))
    state = _state_words(ship, party_count)
    marines, parties = hostiles_aboard(sight, ship)
    if marines or parties:
        state = phrase("{}; boarded by {}", state, people_words(marines, parties))
    return OrderRow(key=ship.id, name=sight.display_name(ship.id), state=state, picks=tuple(picks))


def _repair_picks(
    sight: FormSight, ship: ShipState, order: Mapping[str, Any], party_count: int
) -> list[Select]:
    """Return the field for the number of parties that repair each lost system."""
    parties_by_system = {}
    for repair in as_list(order.get("repairs")):
        if isinstance(repair, Mapping):
            parties_by_system[str(repair.get("system"))] = str(repair.get("parties"))
    options: list[Option] = [NOBODY]
    for count in range(1, min(party_count, MAX_PARTIES) + 1):
        options.append((str(count), phrase("{} of {}", count, party_count)))
    picks = []
    for system in _repairable_systems(sight, ship):
        parties = parties_by_system.get(system, "0")
        label = _repair_label(ship, system)
        picks.append(PARTIES.draw(ship.id, system, label=label, options=options, chosen=parties))
    return picks


def _repair_label(ship: ShipState, system: str) -> str:
    """Return a lost system's name, with a note if it still works by half."""
    is_halved = ship.alive[ship.profile.index_of[system]] > 0
    if is_halved:
        return phrase("{} (halved)", system_words(system))
    return system_words(system)


def _state_words(ship: ShipState, parties: int) -> str:
    """Return the state that a crew has to deal with, in words."""
    parts = [
        counted_noun(parties, "party"),
        phrase("{} of {} damage", ship.damage, ship.sheet.boxes),
    ]
    record = ship.record
    if record.reactor:
        parts.append(phrase("its power core explodes on {} or more", record.reactor))
    if record.air_fails:
        parts.append(phrase("air to the end of turn {}", record.air_fails))
    if record.out_of_control == FOREVER:
        parts.append(phrase("out of control"))
    elif record.out_of_control:
        parts.append(phrase("out of control to the end of turn {}", record.out_of_control))
    beyond_repair_names = []
    for index, fit in enumerate(ship.sheet.fits):
        is_damaged = ship.alive[index] < ship.profile.undamaged[index]
        if is_damaged and repair_fault(ship, index):
            beyond_repair_names.append(system_words(fit.id))
    words = join_phrases(", ", parts)
    if beyond_repair_names:
        return phrase("{}; beyond repair: {}", words, join_phrases(", ", beyond_repair_names))
    return words
