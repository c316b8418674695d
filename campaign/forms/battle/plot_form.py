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
    anchor,
    shapeable_launchers,
)
from campaign.forms.battle.plot_controls import rare_controls, usual_controls
from campaign.forms.battle.plot_words import MORE_SENT, word_controls
from campaign.forms.field import HiddenField, displayed_values
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
USUAL_SECTION, MORE_SECTION = "usual", "more"  # names of form sections


def plot_rows(
    sight: FormSight, payload: Mapping[str, Any], faults: Mapping[str, tuple[str, ...]]
) -> tuple[OrderRow, ...]:
    """Return a row for each ship that can move or return."""
    plots = payload.get(PLOT)
    orders = plots if isinstance(plots, Mapping) else {}
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
    usual = (
        control
        for control in _usual_controls(sight, ship, parts)
        if control.key != MOVE or ship.drift is not None
    )
    return replace(
        row,
        more_controls=(
            *_with_faults(usual, _faults_by_part(sight, ship, words, parts)),
            *(row.more_controls or ()),
        ),
    )


def _plot_row(
    sight: FormSight, ship: ShipState, order: object, faults: tuple[str, ...]
) -> OrderRow:
    words = order if isinstance(order, str) else ""
    parts = plot_parts(words, ship.sheet.edition)
    wrong = _faults_by_part(sight, ship, words, parts)
    usual = _with_faults(_usual_controls(sight, ship, parts), wrong)
    opened = sight.opened_ids is None or ship.id in sight.opened_ids or bool(faults)
    more_controls = _with_faults(_more_controls(sight, ship, parts), wrong) if opened else None
    faults_shown = set()
    for control in (*usual, *(more_controls or ())):
        for fault_text in control.faults:
            faults_shown.add(fault_text)
    key = ship.id
    controls_listed = usual if opened or sight.shows_lists else ()
    picks = []
    for control in controls_listed:
        for pick in control.fields.picks:
            picks.append(pick)
    return OrderRow(
        key=key,
        id=anchor(key),
        name=sight.names.get(key, key),
        state=_state_words(sight, ship),
        picks=tuple(picks),
        ticks=tuple(tick for control in controls_listed for tick in control.fields.ticks),
        inputs=tuple(
            text_input for control in controls_listed for text_input in control.fields.inputs
        ),
        raw=ORDER_TEXT.draw(
            key, label=phrase("Written order"), value=words, hint=phrase("P2+4; ftl")
        ),
        faults=tuple(
            fault_text
            for fault_text in faults
            if fault_text.removeprefix(f"{key}: ") not in faults_shown
        ),
        hidden_fields=((ORDER_BEFORE.name(key), words),),
        more_controls=more_controls,
    )


def _usual_controls(sight: FormSight, ship: ShipState, parts: dict[str, Part]) -> list[Control]:
    moving_ship = as_detached(sight.state, ship)
    return [
        *usual_controls(sight, ship, moving_ship, parts),
        *word_controls(sight, ship, parts, usual=True),
    ]


def _more_controls(sight: FormSight, ship: ShipState, parts: dict[str, Part]) -> list[Control]:
    """Return the rare controls, single words first."""
    moving_ship = as_detached(sight.state, ship)
    controls = [
        *rare_controls(sight, ship, moving_ship, parts),
        *word_controls(sight, ship, parts, usual=False),
    ]
    return sorted(controls, key=lambda control: not control.fields.ticks or control.is_grouped)


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
    if ship.dock and not moving_ship.dock:
        dock = sight.names.get(ship.dock, ship.dock)
        state = phrase("{}; aboard {}: it moves only with the order 'detach'", state, dock)
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
    plots = {}
    for ship in sight.ships:
        if ship.status in MOVING:
            plots[ship.id] = plot_from_form(sight, ship, post)
    return {key: words for key, words in plots.items() if words}


def plot_from_form(sight: FormSight, ship: ShipState, post: QueryDict) -> str:
    """Return a ship's plot, merged from its fields and its text."""
    was = ORDER_BEFORE.text(post, ship.id)
    line = ORDER_TEXT.text(post, ship.id)
    edition = ship.sheet.edition
    parts = plot_parts(was, edition)
    sections_sent = set(post.getlist(SECTIONS_SENT.name(ship.id)))
    values_shown: dict[str, list[str]] = {}
    values: dict[str, list[str]] = {}
    controls: list[Control] = []
    for part, build_controls in ((USUAL_SECTION, _usual_controls), (MORE_SECTION, _more_controls)):
        if (
            part == MORE_SECTION
            and part not in sections_sent
            and not MORE_SENT.name_suffixes(post, ship.id)
        ):
            continue
        section_controls = build_controls(sight, ship, parts)
        controls += section_controls
        section_values = displayed_values(control.fields for control in section_controls)
        values_shown |= section_values
        ticks = set()
        for control in section_controls:
            for tick in control.fields.ticks:
                ticks.add(tick.name)
        # Unticked boxes are not sent
        for name, shown_value in section_values.items():
            is_unticked = part in sections_sent and name in ticks
            if name in post or is_unticked:
                values[name] = post.getlist(name)
            else:
                values[name] = shown_value
    now = {item.key: item.to_text(values) for item in controls if item.key}
    before = {item.key: item.to_text(values_shown) for item in controls if item.key}
    words = line
    if now != before:
        words = merge_plot(with_bay_ids(ship, was), with_bay_ids(ship, line), before, now, edition)
    return _with_shaped_bolts(ship, was, words.strip(), post)


def _with_shaped_bolts(ship: ShipState, was: str, words: str, post: QueryDict) -> str:
    """Return an order with the bolts shaped by the fields beside it.

    If the player changed the text's own bolts, the text wins.
    """
    able = shapeable_launchers(ship)
    if not any(SHIP_TARGET.name(ship.id, fit) in post for fit in able):
        return words
    word = ShapeBolt.word()
    edition = ship.sheet.edition
    before = plot_parts(was, edition)
    parts = plot_parts(words, edition)
    if (before[word].text if word in before else "") != (parts[word].text if word in parts else ""):
        return words
    shaped = [fit for fit in able if SHIP_TARGET.text(post, ship.id, fit)]
    texts = {key: part.text for key, part in parts.items() if key != word}
    if shaped:
        texts[word] = ShapeBolt(tuple(shaped)).words()
    if texts.get(word) != (parts[word].text if word in parts else None):
        return "; ".join(texts.values())
    return words
