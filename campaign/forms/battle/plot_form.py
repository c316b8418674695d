"""The form of the plots: a row for every ship, with controls for each word it may say and its order
in notation. Pure.

Both say the whole order. What is sent is put together from them (`campaign.words.plot_text`); what
is wrong with a part stands at its control.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.fight_form import (
    HAS,
    PREY,
    RAW,
    Control,
    FormSight,
    OrderRow,
    anchor,
    shapers,
)
from campaign.forms.battle.plot_controls import seldom_controls, usual_controls
from campaign.forms.battle.plot_words import MORE_OF, word_controls
from campaign.forms.field import HiddenField, shown_values
from campaign.words.design_faults import with_names
from campaign.words.plot_text import MOVE, Part, merged, parts_of, with_bay_ids
from engine.continuum.cores import uncommanded
from engine.continuum.riders import detached
from engine.continuum.weapon_orders import ShapeBolt
from engine.core.kinds import CARRIED, FIGHTING, RETURNING, UNSEEN
from engine.core.phrase import joined_phrases, phrase
from engine.core.ship import ShipState
from engine.core.state import PLOT
from engine.english import system_words
from engine.notation.orders import parse_plot

WAS = HiddenField("was")

MOVING = (FIGHTING, RETURNING, UNSEEN, CARRIED)  # ships that take a plot
USUAL, MORE = "usual", "more"  # what a form says it has sent all fields of


def plot_rows(
    seen: FormSight, payload: Mapping[str, Any], faults: Mapping[str, tuple[str, ...]]
) -> tuple[OrderRow, ...]:
    """A row for every ship that can move or come back."""
    plots = payload.get(PLOT)
    said = plots if isinstance(plots, Mapping) else {}
    return tuple(
        _plot_row(seen, ship, said.get(ship.id, ""), faults.get(ship.id, ()))
        for ship in seen.ships
        if ship.status in MOVING
    )


def plot_row(seen: FormSight, ship: ShipState, words: str, faults: tuple[str, ...]) -> OrderRow:
    """The row of one ship with all its controls."""
    return _plot_row(replace(seen, opened=None), ship, words, faults)


def words_row(seen: FormSight, ship: ShipState, words: str, faults: tuple[str, ...]) -> OrderRow:
    """The row of one ship for the helm beside the table, where moves are plotted: what is usual but
    for the move stands among what is seldom said; of a ship that moves by vectors its burns too,
    whose order the helm's steppers leave.
    """
    said = parts_of(words, ship.sheet.edition)
    row = plot_row(seen, ship, words, faults)
    usual = (one for one in _usual(seen, ship, said) if one.key != MOVE or ship.drift is not None)
    return replace(row, more=(*_judged(usual, _wrong(seen, ship, words, said)), *(row.more or ())))


def _plot_row(seen: FormSight, ship: ShipState, given: object, faults: tuple[str, ...]) -> OrderRow:
    words = given if isinstance(given, str) else ""
    said = parts_of(words, ship.sheet.edition)
    wrong = _wrong(seen, ship, words, said)
    usual = _judged(_usual(seen, ship, said), wrong)
    opened = seen.opened is None or ship.id in seen.opened or bool(faults)
    more = _judged(_more(seen, ship, said), wrong) if opened else None
    told = {why for control in (*usual, *(more or ())) for why in control.faults}
    key, listed = ship.id, usual if opened or seen.lists else ()
    return OrderRow(
        key=key,
        id=anchor(key),
        name=seen.names.get(key, key),
        state=_state(seen, ship),
        picks=tuple(pick for control in listed for pick in control.fields.picks),
        ticks=tuple(tick for control in listed for tick in control.fields.ticks),
        written=tuple(written for control in listed for written in control.fields.written),
        raw=RAW.draw(key, label=phrase("Written order"), value=words, hint=phrase("P2+4; ftl")),
        faults=tuple(why for why in faults if why.removeprefix(f"{key}: ") not in told),
        kept=((WAS.name(key), words),),
        more=more,
    )


def _usual(seen: FormSight, ship: ShipState, said: dict[str, Part]) -> list[Control]:
    flown = detached(seen.state, ship)
    return [*usual_controls(seen, ship, flown, said), *word_controls(seen, ship, said, usual=True)]


def _more(seen: FormSight, ship: ShipState, said: dict[str, Part]) -> list[Control]:
    """What is seldom said, words that stand alone before the others."""
    flown = detached(seen.state, ship)
    found = [
        *seldom_controls(seen, ship, flown, said),
        *word_controls(seen, ship, said, usual=False),
    ]
    return sorted(found, key=lambda one: not one.fields.ticks or one.grouped)


def _state(seen: FormSight, ship: ShipState) -> str:
    """What a ship can do now, in words."""
    if ship.status == RETURNING:
        return phrase("off the table, may return in turn {}", ship.due)
    flown = detached(seen.state, ship)
    state = phrase("course {}, velocity {}, thrust {}", flown.course, flown.velocity, flown.thrust)
    if ship.damage:
        state = phrase("{}, {} of {} damage", state, ship.damage, ship.sheet.boxes)
    if why := uncommanded(ship):
        state = joined_phrases("; ", (state, why))
    if ship.dock and not flown.dock:
        dock = seen.names.get(ship.dock, ship.dock)
        state = phrase("{}; aboard {}: moves once it says detach", state, dock)
    return state


def _wrong(
    seen: FormSight, ship: ShipState, words: str, said: dict[str, Part]
) -> dict[str, tuple[str, ...]]:
    """What is wrong with each part of a plot, by its key: the text of it, or what it would do."""
    plot, _ = parse_plot(words, "", ship.sheet.edition)
    names = {fit.id: system_words(fit.id) for fit in ship.sheet.fits} | {**seen.names}
    found: dict[str, tuple[str, ...]] = {}
    for key, part in said.items():
        why = part.fault
        if not why and plot is not None and part.order is not None:
            why = part.order.wrong(seen.state, ship, plot)
        if why:
            found[key] = (with_names(why, names),)
    return found


def _judged(
    controls: Iterable[Control], wrong: Mapping[str, tuple[str, ...]]
) -> tuple[Control, ...]:
    return tuple(replace(one, faults=wrong.get(one.key, ())) for one in controls)


def plot_payload(seen: FormSight, posted: QueryDict) -> dict[str, str]:
    """Plots by ship, as the form says them; ships that hold course and speed are left out."""
    found = {ship.id: plot_sent(seen, ship, posted) for ship in seen.ships if ship.status in MOVING}
    return {key: words for key, words in found.items() if words}


def plot_sent(seen: FormSight, ship: ShipState, posted: QueryDict) -> str:
    """The plot of a ship as its fields and its text say it together."""
    was, line = WAS.text(posted, ship.id), RAW.text(posted, ship.id)
    edition = ship.sheet.edition
    said = parts_of(was, edition)
    sent = set(posted.getlist(HAS.name(ship.id)))
    shown: dict[str, list[str]] = {}
    values: dict[str, list[str]] = {}
    controls: list[Control] = []
    for part, made in ((USUAL, _usual), (MORE, _more)):
        if part == MORE and part not in sent and not MORE_OF.rests(posted, ship.id):
            continue
        some = made(seen, ship, said)
        controls += some
        there = shown_values(control.fields for control in some)
        shown |= there
        ticks = {tick.name for control in some for tick in control.fields.ticks}
        for name, held in there.items():  # of ticks that are not set nothing is sent
            gone = part in sent and name in ticks
            values[name] = posted.getlist(name) if name in posted or gone else held
    now = {one.key: one.reads(values) for one in controls if one.key}
    before = {one.key: one.reads(shown) for one in controls if one.key}
    words = line
    if now != before:
        words = merged(with_bay_ids(ship, was), with_bay_ids(ship, line), before, now, edition)
    return _shaped(ship, was, words.strip(), posted)


def _shaped(ship: ShipState, was: str, words: str, posted: QueryDict) -> str:
    """An order with the bolts that the fields beside it shape, unless its text now says
    otherwise.
    """
    able = shapers(ship)
    if not any(PREY.name(ship.id, fit) in posted for fit in able):
        return words
    word, edition = ShapeBolt.word(), ship.sheet.edition
    before, parts = parts_of(was, edition), parts_of(words, edition)
    if (before[word].text if word in before else "") != (parts[word].text if word in parts else ""):
        return words
    shaped = [fit for fit in able if PREY.text(posted, ship.id, fit)]
    texts = {key: part.text for key, part in parts.items() if key != word}
    if shaped:
        texts[word] = ShapeBolt(tuple(shaped)).words()
    return (
        "; ".join(texts.values())
        if texts.get(word) != (parts[word].text if word in parts else None)
        else words
    )
