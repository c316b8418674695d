"""The form of the plots: per ship, controls for each word, and the order in notation. Pure.

Controls and notation both express the whole order. `campaign.words.plot_text` merges what was sent.
Faults of one part appear at its control.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.fight_form import (
    ORDER_TEXT,
    SECTIONS_SENT,
    SHIP_TARGET,
    Control,
    FormSight,
    OrderRow,
    shapeable_launchers,
)
from campaign.forms.battle.plot_controls import rare_controls, usual_controls
from campaign.forms.battle.plot_words import MORE_SENT, word_controls
from campaign.forms.field import Fields, HiddenField, Values, as_mapping, displayed_values
from campaign.words.design_faults import with_names
from campaign.words.plot_text import MOVE, Part, merge_plot, plot_parts, with_bay_ids
from engine.continuum.cores import no_command_reason
from engine.continuum.riders import as_detached
from engine.continuum.weapon_orders import ShapeBolt
from engine.core.kinds import CARRIED, CLOAKED, FIGHTING, RETURNING
from engine.core.phrase import join_phrases, phrase
from engine.core.ship import ShipState
from engine.core.state import PLOT
from engine.english import system_words
from engine.notation.orders import parse_plot

ORDER_BEFORE = HiddenField("was")

MOVING = (FIGHTING, RETURNING, CLOAKED, CARRIED)  # ships that take a plot
# Names of form sections
USUAL_SECTION = "usual"
MORE_SECTION = "more"


def plot_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Mapping[str, tuple[str, ...]]
) -> tuple[OrderRow, ...]:
    """Return a row for each ship that can move or return."""
    orders = as_mapping(payload.get(PLOT))
    result: list[OrderRow] = []
    for ship in sight.ships:
        if ship.status in MOVING:
            result.append(_plot_row(sight, ship, orders.get(ship.id, ""), faults.get(ship.id, ())))
    return tuple(result)


def plot_row(sight: FormSight, ship: ShipState, words: str, faults: tuple[str, ...]) -> OrderRow:
    """Return the row of a ship with all its controls."""
    return _plot_row(replace(sight, opened_ids=None), ship, words, faults)


def panel_row(sight: FormSight, ship: ShipState, words: str, faults: tuple[str, ...]) -> OrderRow:
    """Return the row of a ship for the panel beside the plotting table.

    The table itself plots the move, so the usual controls except the move are put among the rare
    ones. A ship with vector movement keeps its burns there too, because their order matters.
    """
    parts = plot_parts(words, ship.sheet.edition)
    row = plot_row(sight, ship, words, faults)
    controls = []
    for control in _usual_controls(sight, ship, parts):
        if control.key != MOVE or ship.drift is not None:
            controls.append(control)
    with_faults = _with_faults(controls, _faults_by_part(sight, ship, words, parts))
    return replace(row, more_controls=(*with_faults, *(row.more_controls or ())))


def _plot_row(
    sight: FormSight, ship: ShipState, order: object, faults: tuple[str, ...]
) -> OrderRow:
    """Return the row of a ship, filled from its order; its rare controls may load on demand."""
    words = order if isinstance(order, str) else ""
    parts = plot_parts(words, ship.sheet.edition)
    faults_by_part = _faults_by_part(sight, ship, words, parts)
    usual_controls = _with_faults(_usual_controls(sight, ship, parts), faults_by_part)
    is_open = sight.opened_ids is None or ship.id in sight.opened_ids or bool(faults)
    more_controls = None
    if is_open:
        more_controls = _with_faults(_more_controls(sight, ship, parts), faults_by_part)
    fields = Fields()
    if is_open or sight.shows_lists:
        fields = sum((control.fields for control in usual_controls), start=fields)
    return OrderRow(
        key=ship.id,
        name=sight.display_name(ship.id),
        state=_state_words(sight, ship),
        picks=fields.picks,
        ticks=fields.ticks,
        inputs=fields.inputs,
        raw=ORDER_TEXT.draw(
            ship.id, label=phrase("Written order"), value=words, hint=phrase("P2+4; ftl")
        ),
        faults=_faults_without_control(ship, faults, (*usual_controls, *(more_controls or ()))),
        hidden_fields=((ORDER_BEFORE.name(ship.id), words),),
        more_controls=more_controls,
    )


def _faults_without_control(
    ship: ShipState, faults: Iterable[str], controls: Iterable[Control]
) -> tuple[str, ...]:
    """Return those faults of a ship's order that none of its controls shows."""
    faults_shown: set[str] = set()
    for control in controls:
        faults_shown.update(control.faults)
    return tuple(
        fault for fault in faults if fault.removeprefix(f"{ship.id}: ") not in faults_shown
    )


def _usual_controls(sight: FormSight, ship: ShipState, parts: dict[str, Part]) -> list[Control]:
    """Return the controls that most plots use."""
    moving_ship = as_detached(sight.state, ship)
    return [
        *usual_controls(sight, ship, moving_ship, parts),
        *word_controls(sight, ship, parts, usual=True),
    ]


def _more_controls(sight: FormSight, ship: ShipState, parts: dict[str, Part]) -> list[Control]:
    """Return the rare controls; those with a single tick come first."""
    moving_ship = as_detached(sight.state, ship)
    controls = [
        *rare_controls(sight, ship, moving_ship, parts),
        *word_controls(sight, ship, parts, usual=False),
    ]
    single_ticks = [control for control in controls if _is_single_tick(control)]
    other_controls = [control for control in controls if not _is_single_tick(control)]
    return single_ticks + other_controls


def _is_single_tick(control: Control) -> bool:
    return bool(control.fields.ticks) and not control.is_grouped


def _state_words(sight: FormSight, ship: ShipState) -> str:
    """Return what a ship can do now, in words."""
    if ship.status == RETURNING:
        return phrase("off the table, may return in turn {}", ship.due)
    moving_ship = as_detached(sight.state, ship)
    state = phrase(
        "course {}, velocity {}, thrust {}",
        moving_ship.course,
        moving_ship.velocity,
        moving_ship.thrust,
    )
    if ship.damage:
        state = phrase("{}, {} of {} damage", state, ship.damage, ship.sheet.boxes)
    if reason := no_command_reason(ship):
        state = join_phrases("; ", (state, reason))
    is_docked_until_ordered = ship.dock and not moving_ship.dock
    if is_docked_until_ordered:
        carrier = sight.display_name(ship.dock)
        state = phrase("{}; aboard {}: it moves only with the order 'detach'", state, carrier)
    return state


def _faults_by_part(
    sight: FormSight, ship: ShipState, words: str, parts: dict[str, Part]
) -> dict[str, tuple[str, ...]]:
    """Return the faults of each part of a plot by key, in its text or in its effect."""
    plot, _ = parse_plot(words, "", ship.sheet.edition)
    names = {fit.id: system_words(fit.id) for fit in ship.sheet.fits} | {**sight.names}
    faults: dict[str, tuple[str, ...]] = {}
    for key, part in parts.items():
        fault = part.fault
        if not fault and plot is not None and part.order is not None:
            fault = part.order.fault(sight.state, ship, plot)
        if fault:
            faults[key] = (with_names(fault, names),)
    return faults


def _with_faults(
    controls: Iterable[Control], faults: Mapping[str, tuple[str, ...]]
) -> tuple[Control, ...]:
    result: list[Control] = []
    for control in controls:
        result.append(replace(control, faults=faults.get(control.key, ())))
    return tuple(result)


def plot_payload(sight: FormSight, post: QueryDict) -> dict[str, str]:
    """Return the plots in the form by ship; ships that hold course and speed are left out."""
    plots: dict[str, str] = {}
    for ship in sight.ships:
        if ship.status in MOVING and (words := plot_from_form(sight, ship, post)):
            plots[ship.id] = words
    return plots


def plot_from_form(sight: FormSight, ship: ShipState, post: QueryDict) -> str:
    """Return a ship's plot, merged from its fields and its text."""
    shown_text = ORDER_BEFORE.text(post, ship.id)
    text = ORDER_TEXT.text(post, ship.id)
    parts = plot_parts(shown_text, ship.sheet.edition)
    controls = _usual_controls(sight, ship, parts)
    values_shown = _values_shown(controls)
    values = _submitted_values(ship, USUAL_SECTION, controls, post)
    if _is_more_section_sent(ship, post):
        more_controls = _more_controls(sight, ship, parts)
        controls += more_controls
        values_shown |= _values_shown(more_controls)
        values |= _submitted_values(ship, MORE_SECTION, more_controls, post)
    shown_parts = _part_texts(controls, values_shown)
    submitted_parts = _part_texts(controls, values)
    if submitted_parts != shown_parts:
        text = merge_plot(
            with_bay_ids(ship, shown_text),
            with_bay_ids(ship, text),
            shown_parts=shown_parts,
            parts=submitted_parts,
            edition=ship.sheet.edition,
        )
    return _with_shaped_bolts(ship, shown_text, text.strip(), post)


def _values_shown(controls: Iterable[Control]) -> dict[str, list[str]]:
    return displayed_values(control.fields for control in controls)


def _is_more_section_sent(ship: ShipState, post: QueryDict) -> bool:
    """Return whether the form has the rare controls of a ship, which load on demand."""
    sections_sent = post.getlist(SECTIONS_SENT.name(ship.id))
    return MORE_SECTION in sections_sent or bool(MORE_SENT.name_suffixes(post, ship.id))


def _submitted_values(
    ship: ShipState, section: str, controls: Iterable[Control], post: QueryDict
) -> dict[str, list[str]]:
    """Return the field values of a section: as submitted, or as first shown if missing.

    Browsers do not send unticked boxes. So a missing tick in a section that was sent in full means
    "not ticked".
    """
    controls = list(controls)
    is_section_sent = section in post.getlist(SECTIONS_SENT.name(ship.id))
    tick_names = {tick.name for control in controls for tick in control.fields.ticks}
    values: dict[str, list[str]] = {}
    for name, value_shown in _values_shown(controls).items():
        is_unticked = is_section_sent and name in tick_names
        values[name] = post.getlist(name) if name in post or is_unticked else value_shown
    return values


def _part_texts(controls: Iterable[Control], values: Values) -> dict[str, str]:
    """Return the text of each part of a plot that the fields express with these values."""
    return {control.key: control.to_text(values) for control in controls if control.key}


def _with_shaped_bolts(ship: ShipState, words_before: str, words: str, post: QueryDict) -> str:
    """Return an order with the bolts shaped by the fields beside it.

    If the player changed the text's own bolts, the text wins.
    """
    able_launchers = shapeable_launchers(ship)
    if not any(SHIP_TARGET.name(ship.id, launcher) in post for launcher in able_launchers):
        return words
    key = ShapeBolt.word()
    texts_before = _texts_by_key(ship, words_before)
    texts = _texts_by_key(ship, words)
    if texts_before.get(key) != texts.get(key):
        return words
    shaped = [launcher for launcher in able_launchers if SHIP_TARGET.text(post, ship.id, launcher)]
    bolts_text = ShapeBolt(tuple(shaped)).words() if shaped else None
    if bolts_text == texts.pop(key, None):
        return words
    if bolts_text is not None:
        texts[key] = bolts_text
    return "; ".join(texts.values())


def _texts_by_key(ship: ShipState, words: str) -> dict[str, str]:
    """Return the text of each part of a plot by its key."""
    return {key: part.text for key, part in plot_parts(words, ship.sheet.edition).items()}
