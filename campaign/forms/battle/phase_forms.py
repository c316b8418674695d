"""The forms of the battle phases: fire, fighters and damage control, and the form of each phase.

Pure. Ordnance and point defence are in `campaign.forms.battle.ordnance_form`, Continuum's craft in
`campaign.forms.battle.craft_form`. Fire has each weapon's targets in order of preference, and the
firing order of ships. Fighters have a destination, dogfights and landings. Damage control assigns
parties to lost systems, and decides about a power core out of control. A phase without its own form
has a line of text for each ship and group.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.boarding import (
    aboard_picks,
    board_payload,
    board_rows,
    boarders_payload,
    hostiles_aboard,
    people_words,
    repel_payload,
    repel_picks,
)
from campaign.forms.battle.craft_attack_form import attack_payload, attack_rows, secondary_payload
from campaign.forms.battle.craft_form import (
    flight_payload,
    flight_rows,
    plot_and_flight_payload,
    plot_and_flight_rows,
)
from campaign.forms.battle.fight_form import (
    AIM_POINT,
    CHOICES,
    MODE,
    ORDER_TEXT,
    SYSTEM,
    FormSight,
    OrderRow,
    anchor,
    can_aim_at_system,
    can_fire_at_point,
    fire_details,
    modes_of,
    point_text,
    system_text,
    weapons_of,
)
from campaign.forms.battle.ordnance_form import defence_payload, defence_rows
from campaign.forms.battle.plot_form import plot_payload
from campaign.forms.field import (
    ChoiceField,
    HiddenField,
    Input,
    NumberField,
    Option,
    Select,
    number,
)
from campaign.words.fire_text import fires_text, parse_fires
from engine.captains.common.range_tables import mounts_of
from engine.captains.continuum.expected_fire import is_predictable
from engine.continuum.damage_control import (
    MOST_PARTIES,
    has_control,
    has_foreign_boarders,
    repair_fault,
    repairable_systems,
)
from engine.core.edition import Edition
from engine.core.facts import FOREVER
from engine.core.kinds import FIGHTING
from engine.core.phrase import join_phrases, phrase
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.core.state import CONTROL, ENGAGE, FIGHTERS, PLOT
from engine.core.terms import BOARDING, NO_REPAIRS
from engine.english import counted_noun, system_words
from engine.notation.fire import CRAFT
from engine.order_requests.attack import ATTACK
from engine.order_requests.defend import DEFEND
from engine.systems.outfit import parties_of
from engine.weapons.weapon import Trait, Weapon

FIRING_ORDER = NumberField("order")
FIRE_TARGET = ChoiceField("fire")
FURTHER_TARGETS = HiddenField("further")
FIRE_TEXT = HiddenField("fires")
PARTIES = ChoiceField("parties")
CORE = ChoiceField("core")

# Targets of a weapon if it cannot hit the one before
ORDINALS = ("", phrase("2nd target"), phrase("3rd target"))

NOBODY: Option = ("0", phrase("none"))
CORE_ORDERS: tuple[Option, ...] = (
    ("", phrase("hold it")),
    ("dump", phrase("dump it and drift")),
    ("abandon", phrase("abandon ship")),
)

Faults = Mapping[str, tuple[str, ...]]


def fire_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Mapping[str, tuple[str, ...]]
) -> tuple[OrderRow, ...]:
    """Return a row for each ship and group that may fire, in firing order."""
    fires_by_ship = fire_by_ship(payload)
    firing_order = list(fires_by_ship)
    ships: dict[str, ShipState] = {ship.id: ship for ship in sight.ships}
    rows: list[tuple[float, OrderRow]] = []
    for key in units_able_to_fire(sight):
        fires = {
            str(item.get("weapon")): item
            for item in fires_by_ship.get(key, ())
            if isinstance(item, Mapping)
        }
        place = firing_order.index(key) + 1 if key in fires_by_ship else None
        row = _fire_row(sight, key, ships.get(key), fires, place, faults.get(key, ()))
        if row is not None:
            rows.append((math.inf if place is None else place, row))
    return tuple(row for _, row in sorted(rows, key=lambda item: item[0]))


def _fire_row(
    sight: FormSight,
    key: str,
    ship: ShipState | None,
    fires: Mapping[str, Mapping[str, Any]],
    place: int | None,
    faults: tuple[str, ...],
) -> OrderRow | None:
    """Return the row of a ship or group, or None if it has no weapon to fire.

    Args:
        ship: None for a group.
        place: Its place in the firing order, from 1.
    """
    out_of_reach = {} if ship is None else _out_of_reach(sight, ship)
    picks: list[Select] = []
    hidden_fields: list[Option] = []
    inputs = [FIRING_ORDER.draw(key, label=phrase("Firing order"), value=place or "", hint="1")]
    for weapon, kind in _in_order_of_orders(_weapons(sight, key), list(fires)):
        fire = fires.get(weapon, {})
        if not kind.is_targeted:
            picks.append(_untargeted_pick(key, weapon, is_fired=weapon in fires))
            continue
        target_ids = _target_ids(fire)
        if ship is None:
            label = weapon
        else:
            label = _weapon_words(ship.sheet, weapon)
        away = out_of_reach.get(weapon, frozenset())
        target_options = tuple(
            option
            for option in _targets(sight, kind)
            if option[0] not in away or option[0] in target_ids
        )
        has_target = len(target_options) > 1 or bool(target_ids)
        if not has_target and not can_fire_at_point(kind):
            continue
        picks += _target_picks(key, weapon, label, target_options, target_ids)
        if further := " ".join(map(str, target_ids[CHOICES:])):
            hidden_fields.append((FURTHER_TARGETS.name(key, weapon), further))
        if ship is not None:
            name = f"{key}-{weapon}"
            details, detail_inputs = _details(name, label, kind, fire)
            picks += details
            inputs += detail_inputs
            if sends_people(sight, kind):
                picks += aboard_picks(ship, name, label, fire)
    if not picks:
        return None
    row = OrderRow(
        key=key,
        id=anchor(key),
        name=sight.names.get(key, key),
        state="",
        picks=tuple(picks),
        ticks=(),
        inputs=tuple(inputs),
        raw=None,
        faults=faults,
        hidden_fields=tuple(hidden_fields),
    )
    is_open = ship is None or sight.opened_ids is None or key in sight.opened_ids
    if is_open:
        return row
    return _folded_row(row, fires.values())


def _target_ids(fire: Mapping[str, Any]) -> list[Any]:
    targets = fire.get("target", [])
    if isinstance(targets, list):
        return targets
    return [targets]


def _untargeted_pick(key: str, weapon: str, *, is_fired: bool) -> Select:
    """Return the field of a weapon that fires without a target."""
    options: tuple[Option, ...] = (("", phrase("hold fire")), ("on", phrase("fire")))
    return FIRE_TARGET.draw(
        key,
        weapon,
        label=system_words(weapon),
        options=options,
        chosen="on" if is_fired else "",
    )


def _target_picks(
    key: str,
    weapon: str,
    label: str,
    options: tuple[Option, ...],
    target_ids: Sequence[Any],
) -> Iterator[Select]:
    """Yield a field for each target in order of preference; the next appears once one is set."""
    for n in range(min(CHOICES, len(target_ids) + 1)):
        if n < len(target_ids):
            value = str(target_ids[n])
        else:
            value = ""
        name = FIRE_TARGET.name(key, weapon, n)
        yield Select(name, label if n == 0 else ORDINALS[n], options, (value,))


def _folded_row(row: OrderRow, fires: Iterable[Mapping[str, Any]]) -> OrderRow:
    """Return a row without weapon fields; they load on demand.

    Its present fire is kept as text in a hidden field, together with the other details.
    """
    field_values = []
    for pick in row.picks:
        if FIRE_TARGET.name_suffix(pick.name) is None and pick.chosen[0]:
            field_values.append((pick.name, pick.chosen[0]))
    field_values += [
        (field.name, field.value)
        for field in row.inputs
        if field.value or field.name == FIRING_ORDER.name(row.key)
    ]
    return replace(
        row,
        picks=(),
        inputs=(),
        hidden_fields=((FIRE_TEXT.name(row.key), fires_text(fires)), *field_values),
        more_controls=None,
    )


def _out_of_reach(sight: FormSight, ship: ShipState) -> dict[str, frozenset[str]]:
    """Return for each weapon the known ships out of its range or arcs this turn.

    Ships that the side has not identified yet are never included.
    """
    bears: dict[str, set[str]] = {}
    for item in sight.prospects(ship):
        bears.setdefault(item.weapon, set()).add(item.target)
    predictable_weapons = []
    for mount in mounts_of(ship.profile, ship.sheet):
        if is_predictable(mount):
            predictable_weapons.append(ship.sheet.fits[mount.place].id)
    names = frozenset(item.id for item in sight.identified_ships())
    return {weapon: names - bears.get(weapon, set()) for weapon in predictable_weapons}


def _weapon_words(sheet: Sheet, weapon: str) -> str:
    """Return a weapon's name in the form: its number, and its class or model if it has one."""
    fit = next((fit for fit in sheet.fits if fit.id == weapon), None)
    if fit is None or not (fit.size or fit.variant):
        return system_words(weapon)
    kind = join_phrases(
        " ",
        [
            *([phrase("class {}", fit.size)] if fit.size else []),
            *([phrase(fit.variant)] if fit.variant else []),
        ],
    )
    return phrase("{} ({})", system_words(weapon), kind)


def _details(
    name: str, label: str, kind: Weapon, fire: Mapping[str, Any]
) -> tuple[list[Select], list[Input]]:
    """Return a weapon's fields except its targets: mode, systems and target point."""
    picks, inputs = [], []
    if modes := modes_of(kind):
        options = tuple((mode, phrase(mode.replace("-", " ") or "normal")) for mode in modes)
        picks.append(
            MODE.draw(
                name,
                label=phrase("{}: mode", label),
                options=options,
                chosen=str(fire.get("mode", "")),
            )
        )
    if can_aim_at_system(kind):
        inputs.append(
            SYSTEM.draw(
                name,
                label=phrase("{}: system aimed at", label),
                value=system_text(fire),
                hint=system_words("firecon-1"),
            )
        )
    if can_fire_at_point(kind):
        inputs.append(
            AIM_POINT.draw(
                name,
                label=phrase("{}: aim point x, y", label),
                value=point_text(fire),
                hint="24 30",
            )
        )
    return picks, inputs


def fire_by_ship(payload: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return a payload's fire by ship in firing order, from either of its two formats."""
    entry = payload.get("engage")
    rows: list[Any]
    if isinstance(entry, list):
        rows = entry
    else:
        rows = []
    if isinstance(entry, Mapping):
        rows = list(entry.items())
    pairs = []
    for row in rows:
        if isinstance(row, list | tuple) and len(row) == 2 and isinstance(row[1], list):
            pairs.append(row)
    return {str(name): fires for name, fires in pairs}


def fire_payload(sight: FormSight, post: QueryDict) -> list[list[Any]]:
    """Return the form's fire as [ship, fires] in firing order, without ships that do not fire."""
    rows: list[tuple[int, list[Any]]] = []
    ships = {ship.id: ship for ship in sight.ships}
    for key in units_able_to_fire(sight):
        fires: list[dict[str, Any]] = []
        brief = parse_fires(FIRE_TEXT.text(post, key))
        if brief:
            weapons = _in_order_of_orders(_weapons(sight, key), list(brief))
        else:
            weapons = _in_order_of_fields(_weapons(sight, key), key, post)
        for weapon, kind in weapons:
            if not kind.is_targeted:
                fires += (
                    [{"weapon": weapon}]
                    if FIRE_TARGET.text(post, key, weapon) or weapon in brief
                    else []
                )
                continue
            targets = brief.get(weapon, []) or [
                FIRE_TARGET.text(post, key, weapon, n) for n in range(CHOICES)
            ]
            if any(targets):  # without a first target, further targets do not count
                targets += FURTHER_TARGETS.text(post, key, weapon).split()
            targets = list(dict.fromkeys(target for target in targets if target))
            details = (
                fire_details(post, kind, f"{key}-{weapon}", sight.state.terms)
                if key in ships
                else {}
            )
            if key in ships and sends_people(sight, kind):
                details |= boarders_payload(sight.state.ship_by_name(key), f"{key}-{weapon}", post)
            if targets or "at" in details:
                aimed = {"target": targets[0] if len(targets) == 1 else targets} if targets else {}
                fires.append({"weapon": weapon} | aimed | details)
        if fires:
            place = number(FIRING_ORDER.text(post, key) or "999")
            rows.append((place if isinstance(place, int) else 999, [key, fires]))
    return [row for _, row in sorted(rows, key=lambda item: item[0])]


def units_able_to_fire(sight: FormSight) -> list[str]:
    """Return the ships and groups that may fire."""
    ships = []
    for ship in sight.ships:
        if ship.status == FIGHTING and not ship.dummy:
            ships.append(ship.id)
    # Under Continuum they have attacked already
    return [*ships, *(group.id for group in sight.groups if not group.row.endurance)]


def _weapons(sight: FormSight, key: str) -> list[tuple[str, Weapon]]:
    """Return the weapons of a ship or group with their types."""
    ship = next((ship for ship in sight.ships if ship.id == key), None)
    if ship is None:
        group = next(group for group in sight.groups if group.id == key)
        weapons: list[tuple[str, Weapon]] = []
        for armament in group.row.armaments:
            if not armament.rounds or group.rounds(armament):
                weapons.append((armament.name, CRAFT))
        return weapons
    flying = bool(sight.other_groups())
    result: list[tuple[str, Weapon]] = []
    for name, weapon in weapons_of(ship):
        if flying or not _is_against_fighters(weapon):
            result.append((name, weapon))
    return result


def _is_against_fighters(weapon: Weapon) -> bool:
    return Trait.ANTI_FIGHTER in weapon.traits


def _in_order_of_orders(
    weapons: list[tuple[str, Weapon]], ordered_weapons: list[str]
) -> list[tuple[str, Weapon]]:
    """Return weapons in sheet order, except that ordered ones come first if their order differs.

    The first ordered weapon gets the first FireCon.
    """
    on_sheet = [weapon for weapon, _ in weapons]
    first = [weapon for weapon in ordered_weapons if weapon in on_sheet]
    if first == [weapon for weapon in on_sheet if weapon in first]:
        return weapons
    types = dict(weapons)
    orders: list[tuple[str, Weapon]] = []
    for weapon in (*first, *(weapon_id for weapon_id in on_sheet if weapon_id not in first)):
        orders.append((weapon, types[weapon]))
    return orders


def _in_order_of_fields(
    weapons: list[tuple[str, Weapon]], key: str, post: QueryDict
) -> list[tuple[str, Weapon]]:
    """Return weapons in the order of the form's fields."""
    places = {name: place for place, name in enumerate(post)}
    last = len(places)

    def place(weapon: tuple[str, Weapon]) -> int:
        name = FIRE_TARGET.name(key, weapon[0])
        return min(places.get(name, last), places.get(f"{name}-0", last))

    return sorted(weapons, key=place)


def sends_people(sight: FormSight, kind: Weapon) -> bool:
    """Return whether a weapon can put people aboard another ship in this battle."""
    return Trait.CREWED_SHOTS in kind.traits and BOARDING in sight.state.terms.options


def _targets(sight: FormSight, kind: Weapon) -> tuple[Option, ...]:
    no_target: Option = ("", phrase("none"))
    if _is_against_fighters(kind):
        return (no_target, *sight.other_groups())
    if kind is CRAFT:
        return (no_target, *sight.other_ships(), *sight.other_groups())
    pieces = []
    for piece in sight.state.pieces:
        if piece.has_boxes:
            pieces.append((piece.id, phrase("{} {}", phrase(piece.word), piece.id)))
    own_ships = (
        [(ship.id, sight.names.get(ship.id, ship.id)) for ship in sight.ships]
        if sends_people(sight, kind)
        else []
    )
    at_craft = (
        sight.state.terms.edition == Edition.CONTINUUM and Trait.SHIPS_ALONE not in kind.traits
    )
    craft = sight.other_groups() if at_craft else []
    return (no_target, *sight.other_ships(), *own_ships, *craft, *pieces)


def control_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Mapping[str, tuple[str, ...]]
) -> tuple[OrderRow, ...]:
    """Return a row for each ship whose crew has something to decide."""
    entry = payload.get("control")
    orders = entry if isinstance(entry, Mapping) else {}
    own_rows = tuple(
        _row(sight, ship, orders.get(ship.id), faults.get(ship.id, ()))
        for ship in _ships_with_control(sight)
    )
    return own_rows + board_rows(sight, payload, faults)


def control_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return damage control by ship in the form; ships without orders are left out."""
    orders_by_ship: dict[str, Any] = {}
    for ship in _ships_with_control(sight):
        jobs = []
        for system in _repairable_systems(sight, ship):
            jobs.append((system, number(PARTIES.text(post, ship.id, system) or "0")))
        repairs = []
        for system, parties in jobs:
            if parties:
                repairs.append({"system": system, "parties": parties})
        core = CORE.text(post, ship.id)
        repels = repel_payload(ship, post) if has_foreign_boarders(ship) else {}
        if repairs or core or repels:
            orders_by_ship[ship.id] = {"repairs": repairs} | ({core: True} if core else {}) | repels
    return orders_by_ship


def _ships_with_control(sight: FormSight) -> list[ShipState]:
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


def _row(sight: FormSight, ship: ShipState, entry: object, faults: tuple[str, ...]) -> OrderRow:
    key = ship.id
    order = entry if isinstance(entry, Mapping) else {}
    jobs = order.get("repairs")
    parties_by_system = {}
    for job in jobs if isinstance(jobs, list) else ():
        if isinstance(job, Mapping):
            parties_by_system[str(job.get("system"))] = str(job.get("parties"))
    party_count = parties_of(ship)
    counts = range(1, min(party_count, MOST_PARTIES) + 1)
    options: tuple[Option, ...] = (
        NOBODY,
        *((str(n), phrase("{} of {}", n, party_count)) for n in counts),
    )
    picks = []
    for system in _repairable_systems(sight, ship):
        picks.append(
            PARTIES.draw(
                key,
                system,
                label=_control_words(ship, system),
                options=options,
                chosen=parties_by_system.get(system, "0"),
            )
        )
    picks += repel_picks(sight, ship, order) if has_foreign_boarders(ship) else ()
    if ship.record.reactor:
        chosen = next((word for word, _ in CORE_ORDERS if word and order.get(word)), "")
        picks.append(
            CORE.draw(
                key,
                label=phrase("If the power core is still out of control"),
                options=CORE_ORDERS,
                chosen=chosen,
            )
        )
    name = sight.names.get(key, key)
    state = _state_words(ship, party_count)
    if sum(aboard := hostiles_aboard(sight, ship)):
        state = phrase("{}; boarded by {}", state, people_words(*aboard))
    return OrderRow(key, anchor(key), name, state, tuple(picks), (), (), None, faults)


def _control_words(ship: ShipState, system: str) -> str:
    halved = ship.alive[ship.profile.index_of[system]] > 0
    if halved:
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
    if record.out_of_control:
        until = record.out_of_control
        forever = until == FOREVER
        parts.append(
            phrase("out of control")
            if forever
            else phrase("out of control to the end of turn {}", until)
        )
    beyond_repair_names = []
    for index, fit in enumerate(ship.sheet.fits):
        if ship.alive[index] < ship.profile.undamaged[index] and repair_fault(ship, index):
            beyond_repair_names.append(system_words(fit.id))
    words = join_phrases(", ", parts)
    if beyond_repair_names:
        return phrase("{}; beyond repair: {}", words, join_phrases(", ", beyond_repair_names))
    return words


@dataclass(frozen=True, slots=True)
class PhaseForm:
    """The form of one battle phase."""

    # Rows from a payload and its faults by ship
    rows: Callable[[FormSight, Mapping[str, Any], Faults], tuple[OrderRow, ...]]
    payload: Callable[[FormSight, QueryDict], Any]  # the phase's entry from the submitted form
    # Further entries from the submitted form, if it orders any
    extra_payload: Callable[[FormSight, QueryDict], dict[str, Any]] = lambda _seen, _posted: {}


FORMS = {
    PLOT: PhaseForm(plot_and_flight_rows, plot_payload, plot_and_flight_payload),
    ATTACK: PhaseForm(attack_rows, attack_payload, secondary_payload),
    FIGHTERS: PhaseForm(flight_rows, flight_payload),
    DEFEND: PhaseForm(defence_rows, defence_payload),
    ENGAGE: PhaseForm(fire_rows, fire_payload),
    CONTROL: PhaseForm(control_rows, control_payload, board_payload),
}


def form_of(phase: str) -> PhaseForm:
    """Return the form of a phase."""
    return FORMS.get(phase) or _text_form(phase)


def _text_form(phase: str) -> PhaseForm:
    """Return a form with one line of text for each ship and group."""

    def rows(sight: FormSight, payload: Mapping[str, Any], faults: Faults) -> tuple[OrderRow, ...]:
        entry = payload.get(phase)
        texts = entry if isinstance(entry, Mapping) else {}
        result: list[OrderRow] = []
        for key in sorted(sight.commanded):
            result.append(
                OrderRow(
                    key=key,
                    id=anchor(key),
                    name=sight.names.get(key, key),
                    state="",
                    picks=(),
                    ticks=(),
                    inputs=(
                        ORDER_TEXT.draw(key, label=phrase("Orders"), value=str(texts.get(key, ""))),
                    ),
                    raw=None,
                    faults=faults.get(key, ()),
                )
            )
        return tuple(result)

    def payload(sight: FormSight, post: QueryDict) -> dict[str, str]:
        texts_sent = {key: ORDER_TEXT.text(post, key) for key in sorted(sight.commanded)}
        return {key: words for key, words in texts_sent.items() if words}

    return PhaseForm(rows, payload)
