"""The form of fire, and the form of each battle phase.

Pure. Ordnance and point defence are in `campaign.forms.battle.ordnance_form`, Continuum's craft in
`campaign.forms.battle.craft_form`, damage control in `campaign.forms.battle.control_form`. Fire has
each weapon's targets in order of preference, and the firing order of ships, or the ship that fires
next. A phase without its own form has a line of text for each ship and group.
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
    boarders_payload,
)
from campaign.forms.battle.control_form import control_payload, control_rows
from campaign.forms.battle.craft_attack_form import attack_payload, attack_rows, secondary_payload
from campaign.forms.battle.craft_form import (
    flight_payload,
    flight_rows,
    launch_and_flight_payload,
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
    can_aim_at_system,
    can_fire_at_point,
    fire_details,
    modes_of,
    point_text,
    system_hint,
    system_text,
    weapons_of,
)
from campaign.forms.battle.ordnance_form import defence_payload, defence_rows
from campaign.forms.battle.plot_form import plot_payload
from campaign.forms.battle.set_up_form import set_up_payload, set_up_rows
from campaign.forms.field import (
    ChoiceField,
    Fields,
    HiddenField,
    Input,
    NumberField,
    Option,
    Select,
    as_mapping,
    item_at,
    number,
    one_or_more,
)
from campaign.words.fire_text import fires_text, parse_fires
from engine.captains.common.range_tables import mounts_of
from engine.captains.continuum.expected_fire import is_predictable
from engine.core.edition import Edition
from engine.core.geometry import NEAR
from engine.core.kinds import FIGHTING
from engine.core.phrase import join_phrases, phrase
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.core.state import CONTROL, ENGAGE, FIGHTERS, PLOT, SET_UP
from engine.core.terms import BOARDING
from engine.english import system_words
from engine.notation.fire import CRAFT
from engine.order_requests.attack import ATTACK
from engine.order_requests.defend import DEFEND
from engine.order_requests.out_of_reach import longest_reach
from engine.weapons.weapon import Trait, Weapon

FIRING_ORDER = NumberField("order")
FIRING_SHIP = ChoiceField("firing-ship")
FIRE_TARGET = ChoiceField("fire")
FURTHER_TARGETS = HiddenField("further")
FIRE_TEXT = HiddenField("fires")

# Labels of a weapon's targets if it cannot hit the one before; the first has the weapon's label
ORDINALS = ("", phrase("2nd target"), phrase("3rd target"))

LAST_RANK = 999  # in the firing order, of ships without a number
Faults = Mapping[str, tuple[str, ...]]  # messages by ship or group


def fire_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Mapping[str, tuple[str, ...]]
) -> tuple[OrderRow, ...]:
    """Return a row for each ship and group that may fire, in firing order."""
    fires_by_unit = fire_by_ship(payload)
    firing_order = list(fires_by_unit)
    ships: dict[str, ShipState] = {ship.id: ship for ship in sight.ships}
    ranked_rows: list[tuple[float, OrderRow]] = []
    for key in units_able_to_fire(sight):
        fires = {}
        for fire in fires_by_unit.get(key, ()):
            if isinstance(fire, Mapping):
                fires[str(fire.get("weapon"))] = fire
        rank = firing_order.index(key) + 1 if key in fires_by_unit else None
        row = _fire_row(sight, key, ship=ships.get(key), fires=fires, rank=rank)
        if row is not None:
            rank_or_last = math.inf if rank is None else rank
            ranked_rows.append((rank_or_last, replace(row, faults=faults.get(key, ()))))
    return tuple(row for _, row in sorted(ranked_rows, key=lambda ranked: ranked[0]))


def _fire_row(
    sight: FormSight,
    key: str,
    ship: ShipState | None,
    fires: Mapping[str, Mapping[str, Any]],
    rank: int | None,
) -> OrderRow | None:
    """Return the row of a ship or group, or None if it has no weapon to fire.

    Args:
        ship: None for a group.
        fires: Its orders by weapon.
        rank: Its place in the firing order, from 1.
    """
    unreachable_ids = {} if ship is None else _out_of_reach(sight, ship)
    fields = Fields()
    hidden_fields: list[Option] = []
    for weapon, kind in _in_order_of_orders(_weapons(sight, key), list(fires)):
        if not kind.is_targeted:
            fields += Fields(picks=(_untargeted_pick(key, weapon, is_fired=weapon in fires),))
            continue
        fire = fires.get(weapon, {})
        target_ids = _target_ids(fire)
        out_of_reach = unreachable_ids.get(weapon, frozenset()) - set(map(str, target_ids))
        options = [option for option in _targets(sight, kind) if option[0] not in out_of_reach]
        has_target = len(options) > 1 or bool(target_ids)
        if has_target or can_fire_at_point(kind):
            fields += _weapon_fields(
                sight, key, ship, weapon=weapon, kind=kind, fire=fire, targets=options
            )
            if further := " ".join(map(str, target_ids[CHOICES:])):
                hidden_fields.append((FURTHER_TARGETS.name(key, weapon), further))
    if not fields.picks:
        return None
    order_inputs: tuple[Input, ...] = ()
    if sight.state.firing is None:
        order_label = phrase("Firing order")
        order_inputs = (FIRING_ORDER.draw(key, label=order_label, value=rank or "", hint="1"),)
    row = OrderRow(
        key=key,
        name=sight.display_name(key),
        picks=fields.picks,
        inputs=(*order_inputs, *fields.inputs),
        hidden_fields=tuple(hidden_fields),
    )
    if ship is None or sight.opened_ids is None or key in sight.opened_ids:
        return row
    return _folded_row(row, fires.values())


def firing_ship_field(
    sight: FormSight, rows: Iterable[OrderRow], payload: Mapping[str, Any]
) -> Select | None:
    """Return the field for the next ship to fire; None if sides do not fire ship by ship now."""
    if sight.state.firing is None or sight.state.firing.side is None:
        return None
    options: list[Option] = [("", phrase("none: fire no more this turn"))]
    options += [(row.key, row.name) for row in rows]
    chosen = next(iter(fire_by_ship(payload)), "")
    label = phrase("Ship that fires now")
    return FIRING_SHIP.draw(label=label, options=tuple(options), chosen=chosen)


def _weapon_fields(
    sight: FormSight,
    key: str,
    ship: ShipState | None,
    *,
    weapon: str,
    kind: Weapon,
    fire: Mapping[str, Any],
    targets: Iterable[Option],
) -> Fields:
    """Return the fields of a weapon that is aimed: its targets, and the details of a ship's fire.

    Args:
        fire: The weapon's order.
        targets: What it can be aimed at, as options.
    """
    label = weapon if ship is None else _weapon_words(ship.sheet, weapon)
    target_picks = _target_picks(
        key, weapon, label=label, options=tuple(targets), target_ids=_target_ids(fire)
    )
    fields = Fields(picks=tuple(target_picks))
    if ship is not None:
        fields += _detail_fields(sight, ship, weapon=weapon, kind=kind, fire=fire)
    return fields


def _target_ids(fire: Mapping[str, Any]) -> list[Any]:
    """Return the targets of a fire order, which may have one or a list of them."""
    return one_or_more(fire.get("target", []))


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
    for place in range(min(CHOICES, len(target_ids) + 1)):
        target = str(item_at(target_ids, place, ""))
        place_label = ORDINALS[place] or label
        yield FIRE_TARGET.draw(
            key, weapon, place, label=place_label, options=options, chosen=target
        )


def _folded_row(row: OrderRow, fires: Iterable[Mapping[str, Any]]) -> OrderRow:
    """Return a row without weapon fields; they load on demand.

    Its present fire is kept as text in a hidden field, together with the other details.
    """
    field_values = []
    for pick in row.picks:
        is_target = FIRE_TARGET.name_suffix(pick.name) is not None
        if not is_target and pick.chosen[0]:
            field_values.append((pick.name, pick.chosen[0]))
    for field in row.inputs:
        if field.value or field.name == FIRING_ORDER.name(row.key):
            field_values.append((field.name, field.value))
    return replace(
        row,
        picks=(),
        inputs=(),
        hidden_fields=((FIRE_TEXT.name(row.key), fires_text(fires)), *field_values),
        more_controls=None,
    )


def _out_of_reach(sight: FormSight, ship: ShipState) -> dict[str, frozenset[str]]:
    """Return for each weapon the known ships out of its range or arcs this turn.

    Of ships that the side has not identified yet only the distance counts. Weapons whose shots
    cannot be predicted are left out.
    """
    targets_in_reach: dict[str, set[str]] = {}
    for shot in sight.prospects(ship):
        targets_in_reach.setdefault(shot.weapon, set()).add(shot.target)
    identified_ids: frozenset[str] = frozenset(other.id for other in sight.identified_ships())
    result = {}
    for mount in mounts_of(ship.profile, ship.sheet):
        if is_predictable(mount):
            fit = ship.sheet.fits[mount.place]
            too_far = _bogeys_beyond(sight, ship, longest_reach(fit, mount.kind))
            result[fit.id] = too_far | (identified_ids - targets_in_reach.get(fit.id, set()))
    return result


def _bogeys_beyond(sight: FormSight, ship: ShipState, reach: float) -> frozenset[str]:
    """Return the ids of unidentified ships that are farther from a ship than a reach in MU."""
    far = set()
    for other in sight.state.ships:
        if other.bogey and math.dist((other.x, other.y), (ship.x, ship.y)) > reach + NEAR:
            far.add(other.id)
    return frozenset(far)


def _weapon_words(sheet: Sheet, weapon: str) -> str:
    """Return a weapon's name in the form: its number, and its class or model if it has one."""
    fit = next((fit for fit in sheet.fits if fit.id == weapon), None)
    if fit is None or not (fit.size or fit.variant):
        return system_words(weapon)
    parts = []
    if fit.size:
        parts.append(phrase("class {}", fit.size))
    if fit.variant:
        parts.append(phrase(fit.variant))
    return phrase("{} ({})", system_words(weapon), join_phrases(" ", parts))


def _detail_fields(
    sight: FormSight, ship: ShipState, weapon: str, kind: Weapon, fire: Mapping[str, Any]
) -> Fields:
    """Return a weapon's fields except its targets: mode, system, target point, people sent."""
    name = f"{ship.id}-{weapon}"
    label = _weapon_words(ship.sheet, weapon)
    picks = []
    inputs = []
    if modes := modes_of(kind):
        options = tuple((mode, phrase(mode.replace("-", " ") or "normal")) for mode in modes)
        mode_label = phrase("{}: mode", label)
        mode = str(fire.get("mode", ""))
        picks.append(MODE.draw(name, label=mode_label, options=options, chosen=mode))
    if can_aim_at_system(kind):
        inputs.append(
            SYSTEM.draw(
                name,
                label=phrase("{}: system aimed at", label),
                value=system_text(fire),
                hint=system_hint(sight.state.terms),
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
    if sends_people(sight, kind):
        picks += aboard_picks(ship, name, label, fire)
    return Fields(picks=tuple(picks), inputs=tuple(inputs))


def fire_by_ship(payload: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return a payload's fire by ship in firing order.

    The payload has either a list of [ship, fires] or a mapping of ships to fires. Anything else in
    it is skipped.
    """
    entry = payload.get("engage")
    rows: Iterable[Any] = ()
    if isinstance(entry, Mapping):
        rows = entry.items()
    elif isinstance(entry, list):
        rows = entry
    fires_by_ship = {}
    for row in rows:
        if isinstance(row, list | tuple) and len(row) == 2 and isinstance(row[1], list):
            fires_by_ship[str(row[0])] = row[1]
    return fires_by_ship


def fire_payload(sight: FormSight, post: QueryDict) -> list[list[Any]]:
    """Return the form's fire as [ship, fires] in firing order, without ships that do not fire.

    Ship by ship, it is only the chosen ship, which may hold its fire.
    """
    stage = sight.state.firing
    if stage is not None and stage.side is not None:
        chosen = FIRING_SHIP.text(post)
        able = units_able_to_fire(sight)
        return [[key, _submitted_fires(sight, key, post)] for key in able if key == chosen]
    ranked_entries: list[tuple[int, list[Any]]] = []
    for key in units_able_to_fire(sight):
        fires = _submitted_fires(sight, key, post)
        if fires:
            rank = number(FIRING_ORDER.text(post, key))
            ranked_entries.append((rank if isinstance(rank, int) else LAST_RANK, [key, fires]))
    return [entry for _, entry in sorted(ranked_entries, key=lambda ranked: ranked[0])]


def _submitted_fires(sight: FormSight, key: str, post: QueryDict) -> list[dict[str, Any]]:
    """Return the fire of a ship or group in the form.

    The form has either fields for each weapon or, as long as these are not loaded, the fire as
    text.
    """
    targets_in_text = parse_fires(FIRE_TEXT.text(post, key))
    weapons = _weapons(sight, key)
    if targets_in_text:
        weapons = _in_order_of_orders(weapons, list(targets_in_text))
    else:
        weapons = _in_order_of_fields(weapons, key, post)
    fires: list[dict[str, Any]] = []
    for weapon, kind in weapons:
        if kind.is_targeted:
            targets = _submitted_targets(key, weapon, targets_in_text.get(weapon, []), post)
            details = _submitted_details(sight, key, weapon=weapon, kind=kind, post=post)
            if targets or "at" in details:
                fires.append({"weapon": weapon} | _target_entry(targets) | details)
        elif FIRE_TARGET.text(post, key, weapon) or weapon in targets_in_text:
            fires.append({"weapon": weapon})
    return fires


def _submitted_targets(
    key: str, weapon: str, targets_in_text: list[str], post: QueryDict
) -> list[str]:
    """Return a weapon's targets in order of preference, each once."""
    targets = targets_in_text
    if not targets:
        targets = [FIRE_TARGET.text(post, key, weapon, place) for place in range(CHOICES)]
    if any(targets):  # without a first target, further targets do not count
        targets = targets + FURTHER_TARGETS.text(post, key, weapon).split()
    return [target for target in dict.fromkeys(targets) if target]


def _target_entry(targets: list[str]) -> dict[str, Any]:
    """Return the entry of a fire order for its targets: one, a list, or no entry."""
    if not targets:
        return {}
    return {"target": targets[0] if len(targets) == 1 else targets}


def _submitted_details(
    sight: FormSight, key: str, weapon: str, kind: Weapon, post: QueryDict
) -> dict[str, Any]:
    """Return the form's entries about a ship's fire except its targets; none for a group."""
    ship = next((ship for ship in sight.ships if ship.id == key), None)
    if ship is None:
        return {}
    name = f"{key}-{weapon}"
    details = fire_details(post, kind, name, sight.state.terms)
    if sends_people(sight, kind):
        details |= boarders_payload(ship, name, post)
    return details


def units_able_to_fire(sight: FormSight) -> list[str]:
    """Return the ids of the ships and groups that may fire.

    Ship by ship, fighters choose their targets first, and each ship fires once.
    """
    ids: list[str] = []
    stage = sight.state.firing
    if stage is None or stage.side is not None:
        fired = () if stage is None else stage.fired
        for ship in sight.ships:
            if ship.status == FIGHTING and not ship.dummy and ship.id not in fired:
                ids.append(ship.id)
    if stage is not None and stage.side is not None:
        return ids
    for group in sight.groups:
        # Groups under Continuum, which have endurance, have attacked already
        if not group.row.endurance:
            ids.append(group.id)
    return ids


def _weapons(sight: FormSight, key: str) -> list[tuple[str, Weapon]]:
    """Return the weapons of a ship or group with their types, without those that have no use now.

    Weapons against fighters are left out if there are no foreign fighters.
    """
    weapons: list[tuple[str, Weapon]] = []
    ship = next((ship for ship in sight.ships if ship.id == key), None)
    if ship is None:
        group = next(group for group in sight.groups if group.id == key)
        for armament in group.row.armaments:
            if not armament.rounds or group.rounds(armament):
                weapons.append((armament.name, CRAFT))
        return weapons
    has_foreign_groups = bool(sight.other_groups())
    for name, weapon in weapons_of(ship):
        if has_foreign_groups or not _is_against_fighters(weapon):
            weapons.append((name, weapon))
    return weapons


def _is_against_fighters(weapon: Weapon) -> bool:
    return Trait.ANTI_FIGHTER in weapon.traits


def _in_order_of_orders(
    weapons: list[tuple[str, Weapon]], ordered_weapons: list[str]
) -> list[tuple[str, Weapon]]:
    """Return weapons in sheet order, except that ordered ones come first if their order differs.

    The first ordered weapon gets the first FireCon.
    """
    sheet_order = [weapon for weapon, _ in weapons]
    ordered_first = [weapon for weapon in ordered_weapons if weapon in sheet_order]
    if ordered_first == [weapon for weapon in sheet_order if weapon in ordered_first]:
        return weapons
    others = [weapon for weapon in sheet_order if weapon not in ordered_first]
    types = dict(weapons)
    return [(weapon, types[weapon]) for weapon in (*ordered_first, *others)]


def _in_order_of_fields(
    weapons: list[tuple[str, Weapon]], key: str, post: QueryDict
) -> list[tuple[str, Weapon]]:
    """Return weapons in the order of the form's fields."""
    places = {name: place for place, name in enumerate(post)}
    last = len(places)

    def place_of(weapon: tuple[str, Weapon]) -> int:
        untargeted_name = FIRE_TARGET.name(key, weapon[0])
        first_target_name = FIRE_TARGET.name(key, weapon[0], 0)
        return min(places.get(untargeted_name, last), places.get(first_target_name, last))

    return sorted(weapons, key=place_of)


def sends_people(sight: FormSight, kind: Weapon) -> bool:
    """Return whether a weapon can put people aboard another ship in this battle."""
    return Trait.CREWED_SHOTS in kind.traits and BOARDING in sight.state.terms.options


def _targets(sight: FormSight, kind: Weapon) -> tuple[Option, ...]:
    """Return everything that a type of weapon can fire at, as options that begin with none."""
    no_target: Option = ("", phrase("none"))
    if _is_against_fighters(kind):
        return (no_target, *sight.other_groups())
    if kind is CRAFT:
        return (no_target, *sight.other_ships(), *sight.other_groups())
    options: list[Option] = [no_target, *sight.other_ships()]
    if sends_people(sight, kind):
        # Marines can be sent back aboard the side's own boarded ships
        options += [(ship.id, sight.display_name(ship.id)) for ship in sight.ships]
    is_continuum = sight.state.terms.edition == Edition.CONTINUUM
    if is_continuum and Trait.SHIPS_ALONE not in kind.traits:
        options += sight.other_groups()
    for piece in sight.state.pieces:
        if piece.has_boxes:
            options.append((piece.id, phrase("{} {}", phrase(piece.word), piece.id)))
    return tuple(options)


@dataclass(frozen=True, slots=True)
class PhaseForm:
    """The form of one battle phase."""

    # Returns its rows, filled from a payload, with its faults by ship
    rows: Callable[[FormSight, Mapping[str, Any], Faults], tuple[OrderRow, ...]]
    # Returns the phase's entry of the payload from the submitted form
    payload: Callable[[FormSight, QueryDict], Any]
    # Returns further entries of the payload from the submitted form, if it orders any
    extra_payload: Callable[[FormSight, QueryDict], dict[str, Any]] = lambda _sight, _post: {}


FORMS = {
    SET_UP: PhaseForm(set_up_rows, set_up_payload),
    PLOT: PhaseForm(plot_and_flight_rows, plot_payload, launch_and_flight_payload),
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
        texts = as_mapping(payload.get(phase))
        result: list[OrderRow] = []
        for key in sorted(sight.commanded):
            text = str(texts.get(key, ""))
            result.append(
                OrderRow(
                    key=key,
                    name=sight.display_name(key),
                    inputs=(ORDER_TEXT.draw(key, label=phrase("Orders"), value=text),),
                    faults=faults.get(key, ()),
                )
            )
        return tuple(result)

    def payload(sight: FormSight, post: QueryDict) -> dict[str, str]:
        texts = {key: ORDER_TEXT.text(post, key) for key in sorted(sight.commanded)}
        return {key: text for key, text in texts.items() if text}

    return PhaseForm(rows, payload)
