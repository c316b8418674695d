"""The forms of a battle's stops besides its plots: fire, fighters, damage control; and which stop
has which. Pure.

Ordnance and point defence stand in `campaign.forms.battle.ordnance_form`, Continuum's craft in
`campaign.forms.battle.craft_form`.

Fire: of every weapon whom it aims at, in order of preference, and in which order ships fire.
Fighters: where every group flies, whom it closes with, where it lands. Damage control: how many
parties go to which lost system, and what is done about a power core out of control. A stop without
a form of its own has a line of text a ship and group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.boarding import (
    aboard_picks,
    aboard_sent,
    board_payload,
    board_rows,
    hostile_in,
    people,
    repel_picks,
    repelled,
)
from campaign.forms.battle.craft_form import (
    attack_payload,
    attack_rows,
    flight_payload,
    flight_rows,
    plot_and_flight_payload,
    plot_and_flight_rows,
    secondary_payload,
)
from campaign.forms.battle.fight_form import (
    AIM_POINT,
    CHOICES,
    MODE,
    RAW,
    SYSTEM,
    FormSight,
    OrderRow,
    anchor,
    asks_point,
    asks_system,
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
from campaign.words.fire_text import fires_read, fires_text
from engine.asks.attack import ATTACK
from engine.asks.defend import DEFEND
from engine.captains.common.range_tables import mounts_of
from engine.captains.continuum.prospects import foretold
from engine.continuum.aiming import played
from engine.continuum.damage_control import (
    MOST_PARTIES,
    beyond_repair,
    fixable,
    fought_over,
    has_control,
)
from engine.core.edition import Edition
from engine.core.facts import FOREVER
from engine.core.kinds import FIGHTING
from engine.core.phrase import joined_phrases, phrase
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.core.state import CONTROL, ENGAGE, FIGHTERS, PLOT
from engine.core.terms import BOARDING, NO_REPAIRS, Terms
from engine.english import counted_noun, system_words
from engine.notation.fire import CRAFT
from engine.systems.outfit import parties_of
from engine.weapons.weapon import Trait, Weapon

FIRING_ORDER = NumberField("order")
TARGET = ChoiceField("fire")
FURTHER = HiddenField("further")
FIRE_TEXT = HiddenField("fires")
PARTIES = ChoiceField("parties")
CORE = ChoiceField("core")

ORDINALS = (
    "",
    phrase("2nd target"),
    phrase("3rd target"),
)  # of a weapon: whom it fires at if the one before cannot be hit

NOBODY: Option = ("0", phrase("none"))
CORE_ORDERS: tuple[Option, ...] = (
    ("", phrase("hold it")),
    ("dump", phrase("dump it and drift")),
    ("abandon", phrase("abandon ship")),
)

Faults = Mapping[str, tuple[str, ...]]


def fire_rows(
    seen: FormSight, payload: Mapping[str, Any], faults: Mapping[str, tuple[str, ...]]
) -> tuple[OrderRow, ...]:
    """A row for every ship and group that may fire, in the order in which they fire."""
    said = fire_said(payload)
    ships: dict[str, ShipState] = {ship.id: ship for ship in seen.ships}
    rows: list[tuple[bool, int, OrderRow]] = []
    for key in able(seen):
        fires = {
            str(one.get("weapon")): one for one in said.get(key, ()) if isinstance(one, Mapping)
        }
        place = str(list(said).index(key) + 1) if key in said else ""
        picks: list[Select] = []
        kept: list[Option] = []
        written = [FIRING_ORDER.draw(key, label=phrase("Firing order"), value=place, hint="1")]
        out = _out_of_reach(seen, ships[key]) if key in ships else {}
        for weapon, kind in _as_named(_weapons(seen, key), list(fires)):
            fire, away = fires.get(weapon, {}), out.get(weapon, frozenset())
            if not kind.targeted:
                chosen = "on" if weapon in fires else ""
                options: tuple[Option, ...] = (("", phrase("hold fire")), ("on", phrase("fire")))
                picks.append(
                    TARGET.draw(
                        key, weapon, label=system_words(weapon), options=options, chosen=chosen
                    )
                )
                continue
            targets = fire.get("target", [])
            wanted = targets if isinstance(targets, list) else [targets]
            label = _weapon_words(ships[key].sheet, weapon) if key in ships else weapon
            shown = tuple(
                one for one in _targets(seen, kind) if one[0] not in away or one[0] in wanted
            )
            if len(shown) == 1 and not wanted and not asks_point(kind, seen.state.terms):
                continue  # nothing it could be fired at
            for n in range(
                min(CHOICES, len(wanted) + 1)
            ):  # the next one is asked for once this one is named
                value = str(wanted[n]) if n < len(wanted) else ""
                name = TARGET.name(key, weapon, n)
                picks.append(Select(name, label if n == 0 else ORDINALS[n], shown, (value,)))
            if further := " ".join(map(str, wanted[CHOICES:])):
                kept.append((FURTHER.name(key, weapon), further))
            if key in ships:
                details, more = _details(f"{key}-{weapon}", label, kind, fire, seen.state.terms)
                picks += details
                written += more
                if sends_people(seen, kind):
                    picks += aboard_picks(ships[key], f"{key}-{weapon}", label, fire)
        if picks:
            row = OrderRow(
                key=key,
                id=anchor(key),
                name=seen.names.get(key, key),
                state="",
                picks=tuple(picks),
                ticks=(),
                written=tuple(written),
                raw=None,
                faults=faults.get(key, ()),
                kept=tuple(kept),
            )
            shut = key in ships and seen.opened is not None and key not in seen.opened
            rows.append((place == "", int(place or 0), _shut(row, fires.values()) if shut else row))
    return tuple(row for _, _, row in sorted(rows, key=lambda one: one[:2]))


def _shut(row: OrderRow, fires: Iterable[Mapping[str, Any]]) -> OrderRow:
    """A row whose weapons are asked for by themselves: its fire goes along as a text, with what
    else is said of it.
    """
    said = [
        (pick.name, pick.chosen[0])
        for pick in row.picks
        if TARGET.rest(pick.name) is None and pick.chosen[0]
    ]
    said += [
        (field.name, field.value)
        for field in row.written
        if field.value or field.name == FIRING_ORDER.name(row.key)
    ]
    return replace(
        row,
        picks=(),
        written=(),
        kept=((FIRE_TEXT.name(row.key), fires_text(fires)), *said),
        more=None,
    )


def _out_of_reach(seen: FormSight, ship: ShipState) -> dict[str, frozenset[str]]:
    """The ships that each weapon of a ship cannot fire at this turn, out of its range or arcs as
    they are.

    Whom it does not know yet may show himself, and is not among them.
    """
    bears: dict[str, set[str]] = {}
    for one in seen.prospects(ship):
        bears.setdefault(one.weapon, set()).add(one.target)
    told = [
        ship.sheet.fits[mount.place].id
        for mount in mounts_of(ship.profile, ship.sheet)
        if foretold(mount)
    ]
    names = frozenset(one.id for one in seen.identified())
    return {weapon: names - bears.get(weapon, set()) for weapon in told}


def _weapon_words(sheet: Sheet, weapon: str) -> str:
    """What a weapon is called in the form: its number, and its class or model where it has one."""
    fit = next((fit for fit in sheet.fits if fit.id == weapon), None)
    if fit is None or not (fit.size or fit.variant):
        return system_words(weapon)
    kind = joined_phrases(
        " ",
        [
            *([phrase("class {}", fit.size)] if fit.size else []),
            *([phrase(fit.variant)] if fit.variant else []),
        ],
    )
    return phrase("{} ({})", system_words(weapon), kind)


def _details(
    name: str, label: str, kind: Weapon, fire: Mapping[str, Any], terms: Terms
) -> tuple[list[Select], list[Input]]:
    """The fields of a weapon beside its targets: the way it fires, the systems and the point it is
    aimed at.
    """
    picks, written = [], []
    if modes := modes_of(kind, terms):
        options = tuple((mode, phrase(mode.replace("-", " ") or "normal")) for mode in modes)
        picks.append(
            MODE.draw(
                name,
                label=phrase("{}: mode", label),
                options=options,
                chosen=str(fire.get("mode", "")),
            )
        )
    if asks_system(kind):
        written.append(
            SYSTEM.draw(
                name,
                label=phrase("{}: system aimed at", label),
                value=system_text(fire),
                hint=system_words("firecon-1"),
            )
        )
    if asks_point(kind, terms):
        written.append(
            AIM_POINT.draw(
                name,
                label=phrase("{}: aim point x, y", label),
                value=point_text(fire),
                hint="24 30",
            )
        )
    return picks, written


def fire_said(payload: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The fire of a payload by ship, in its order, whichever of its two forms it has."""
    given = payload.get("engage")
    rows = (
        list(given.items())
        if isinstance(given, Mapping)
        else given
        if isinstance(given, list)
        else []
    )
    pairs = [
        row
        for row in rows
        if isinstance(row, list | tuple) and len(row) == 2 and isinstance(row[1], list)
    ]
    return {str(name): fires for name, fires in pairs}


def fire_payload(seen: FormSight, posted: QueryDict) -> list[list[Any]]:
    """Fire as the form says it: [ship, fires] in the order in which they fire; who does not fire is
    left out.
    """
    rows: list[tuple[int, list[Any]]] = []
    ships = {ship.id: ship for ship in seen.ships}
    for key in able(seen):
        fires: list[dict[str, Any]] = []
        brief = fires_read(FIRE_TEXT.text(posted, key))
        weapons = (
            _as_named(_weapons(seen, key), list(brief))
            if brief
            else _as_posted(_weapons(seen, key), key, posted)
        )
        for weapon, kind in weapons:
            if not kind.targeted:
                fires += (
                    [{"weapon": weapon}]
                    if TARGET.text(posted, key, weapon) or weapon in brief
                    else []
                )
                continue
            targets = brief.get(weapon, []) or [
                TARGET.text(posted, key, weapon, n) for n in range(CHOICES)
            ]
            if any(targets):  # who aims at nobody first aims at nobody
                targets += FURTHER.text(posted, key, weapon).split()
            targets = list(dict.fromkeys(target for target in targets if target))
            details = (
                fire_details(posted, kind, f"{key}-{weapon}", seen.state.terms)
                if key in ships
                else {}
            )
            if key in ships and sends_people(seen, kind):
                details |= aboard_sent(seen.state.named(key), f"{key}-{weapon}", posted)
            if targets or "at" in details:
                aimed = {"target": targets[0] if len(targets) == 1 else targets} if targets else {}
                fires.append({"weapon": weapon} | aimed | details)
        if fires:
            place = number(FIRING_ORDER.text(posted, key) or "999")
            rows.append((place if isinstance(place, int) else 999, [key, fires]))
    return [row for _, row in sorted(rows, key=lambda item: item[0])]


def able(seen: FormSight) -> list[str]:
    """The ships and groups that may fire."""
    ships = [ship.id for ship in seen.ships if ship.status == FIGHTING and not ship.dummy]
    return [
        *ships,
        *(group.id for group in seen.groups if not group.row.endurance),
    ]  # by Continuum they have attacked


def _weapons(seen: FormSight, key: str) -> list[tuple[str, Weapon]]:
    """The weapons of a ship or group with their rows."""
    ship = next((ship for ship in seen.ships if ship.id == key), None)
    if ship is None:
        group = next(group for group in seen.groups if group.id == key)
        return [
            (one.name, CRAFT) for one in group.row.armaments if not one.rounds or group.rounds(one)
        ]
    flying = bool(seen.flyers())
    able = [(name, weapon) for name, weapon in weapons_of(ship) if played(seen.state, weapon)]
    return [(name, weapon) for name, weapon in able if flying or not _at_fighters(weapon)]


def _at_fighters(weapon: Weapon) -> bool:
    return Trait.ANTI_FIGHTER in weapon.traits


def _as_named(weapons: list[tuple[str, Weapon]], named: list[str]) -> list[tuple[str, Weapon]]:
    """Weapons in their order on the sheet, but first in the order of the orders where that is
    another: who is named first takes the first FireCon.
    """
    on_sheet = [weapon for weapon, _ in weapons]
    first = [weapon for weapon in named if weapon in on_sheet]
    if first == [weapon for weapon in on_sheet if weapon in first]:
        return weapons
    types = dict(weapons)
    return [
        (weapon, types[weapon])
        for weapon in (*first, *(one for one in on_sheet if one not in first))
    ]


def _as_posted(
    weapons: list[tuple[str, Weapon]], key: str, posted: QueryDict
) -> list[tuple[str, Weapon]]:
    """Weapons in the order of the form's fields."""
    places = {name: place for place, name in enumerate(posted)}
    last = len(places)

    def place(weapon: tuple[str, Weapon]) -> int:
        name = TARGET.name(key, weapon[0])
        return min(places.get(name, last), places.get(f"{name}-0", last))

    return sorted(weapons, key=place)


def sends_people(seen: FormSight, kind: Weapon) -> bool:
    """Whether a weapon may put people aboard another ship in this battle."""
    return Trait.CREWED_SHOTS in kind.traits and BOARDING in seen.state.terms.options


def _targets(seen: FormSight, kind: Weapon) -> tuple[Option, ...]:
    nobody: Option = ("", phrase("none"))
    if _at_fighters(kind):
        return (nobody, *seen.flyers())
    if kind is CRAFT:
        return (nobody, *seen.others(), *seen.flyers())
    pieces = [
        (piece.id, phrase("{} {}", phrase(piece.word), piece.id))
        for piece in seen.state.pieces
        if piece.boxed
    ]
    own = (
        [(ship.id, seen.names.get(ship.id, ship.id)) for ship in seen.ships]
        if sends_people(seen, kind)
        else []
    )
    at_craft = (
        seen.state.terms.edition == Edition.CONTINUUM and Trait.SHIPS_ALONE not in kind.traits
    )
    craft = seen.flyers() if at_craft else []
    return (nobody, *seen.others(), *own, *craft, *pieces)


def control_rows(
    seen: FormSight, payload: Mapping[str, Any], faults: Mapping[str, tuple[str, ...]]
) -> tuple[OrderRow, ...]:
    """A row for every ship whose crew has anything to decide."""
    given = payload.get("control")
    said = given if isinstance(given, Mapping) else {}
    own = tuple(
        _row(seen, ship, said.get(ship.id), faults.get(ship.id, ())) for ship in _control_able(seen)
    )
    return own + board_rows(seen, payload, faults)


def control_payload(seen: FormSight, posted: QueryDict) -> dict[str, Any]:
    """Damage control by ship, as the form says it; ships without orders are left out."""
    found: dict[str, Any] = {}
    for ship in _control_able(seen):
        jobs = [
            (system, number(PARTIES.text(posted, ship.id, system) or "0"))
            for system in _offered(seen, ship)
        ]
        repairs = [{"system": system, "parties": parties} for system, parties in jobs if parties]
        core = CORE.text(posted, ship.id)
        repels = repelled(ship, posted) if fought_over(ship) else {}
        if repairs or core or repels:
            found[ship.id] = {"repairs": repairs} | ({core: True} if core else {}) | repels
    return found


def _control_able(seen: FormSight) -> list[ShipState]:
    return [ship for ship in seen.ships if has_control(ship, seen.state.terms.options)]


def _offered(seen: FormSight, ship: ShipState) -> tuple[str, ...]:
    """The systems that may be repaired in this battle."""
    return () if NO_REPAIRS in seen.state.terms.options else fixable(ship)


def _row(seen: FormSight, ship: ShipState, given: object, faults: tuple[str, ...]) -> OrderRow:
    key, asked = ship.id, given if isinstance(given, Mapping) else {}
    jobs = asked.get("repairs")
    sent = {
        str(job.get("system")): str(job.get("parties"))
        for job in (jobs if isinstance(jobs, list) else ())
        if isinstance(job, Mapping)
    }
    there = parties_of(ship)
    counts = range(1, min(there, MOST_PARTIES) + 1)
    options: tuple[Option, ...] = (
        NOBODY,
        *((str(n), phrase("{} of {}", n, there)) for n in counts),
    )
    picks = [
        PARTIES.draw(
            key,
            system,
            label=_control_words(ship, system),
            options=options,
            chosen=sent.get(system, "0"),
        )
        for system in _offered(seen, ship)
    ]
    picks += repel_picks(seen, ship, asked) if fought_over(ship) else ()
    if ship.record.reactor:
        chosen = next((word for word, _ in CORE_ORDERS if word and asked.get(word)), "")
        picks.append(
            CORE.draw(
                key,
                label=phrase("If the power core is still out of control"),
                options=CORE_ORDERS,
                chosen=chosen,
            )
        )
    name = seen.names.get(key, key)
    state = _state(ship, there)
    if sum(aboard := hostile_in(seen, ship)):
        state = phrase("{}; boarded by {}", state, people(*aboard))
    return OrderRow(key, anchor(key), name, state, tuple(picks), (), (), None, faults)


def _control_words(ship: ShipState, system: str) -> str:
    halved = ship.alive[ship.profile.index_of[system]] > 0
    return phrase("{} (halved)", system_words(system)) if halved else system_words(system)


def _state(ship: ShipState, parties: int) -> str:
    """What the crew has to reckon with, in words."""
    told = [
        counted_noun(parties, "party"),
        phrase("{} of {} damage", ship.damage, ship.sheet.boxes),
    ]
    record = ship.record
    if record.reactor:
        told.append(phrase("its power core explodes on {} or more", record.reactor))
    if record.air_fails:
        told.append(phrase("air to the end of turn {}", record.air_fails))
    if record.out_of_control:
        until = record.out_of_control
        forever = until == FOREVER
        told.append(
            phrase("out of control")
            if forever
            else phrase("out of control to the end of turn {}", until)
        )
    gone = [
        system_words(fit.id)
        for index, fit in enumerate(ship.sheet.fits)
        if ship.alive[index] < ship.profile.whole[index] and beyond_repair(ship, index)
    ]
    words = joined_phrases(", ", told)
    return phrase("{}; beyond repair: {}", words, joined_phrases(", ", gone)) if gone else words


@dataclass(frozen=True, slots=True)
class StopForm:
    """A stop's form: its rows from a payload and the faults found by ship, and its entry from what
    is posted.

    `beside`: from what is posted, the entries of what is asked beside it, where anything of them is
    ordered.
    """

    rows: Callable[[FormSight, Mapping[str, Any], Faults], tuple[OrderRow, ...]]
    payload: Callable[[FormSight, QueryDict], Any]
    beside: Callable[[FormSight, QueryDict], dict[str, Any]] = lambda _seen, _posted: {}


FORMS = {
    PLOT: StopForm(plot_and_flight_rows, plot_payload, plot_and_flight_payload),
    ATTACK: StopForm(attack_rows, attack_payload, secondary_payload),
    FIGHTERS: StopForm(flight_rows, flight_payload),
    DEFEND: StopForm(defence_rows, defence_payload),
    ENGAGE: StopForm(fire_rows, fire_payload),
    CONTROL: StopForm(control_rows, control_payload, board_payload),
}


def form_of(stop: str) -> StopForm:
    """The form of a stop, whichever it is."""
    return FORMS.get(stop) or _lines_of_text(stop)


def _lines_of_text(stop: str) -> StopForm:
    """The form of orders that are a text for each ship and group."""

    def rows(seen: FormSight, payload: Mapping[str, Any], faults: Faults) -> tuple[OrderRow, ...]:
        given = payload.get(stop)
        said = given if isinstance(given, Mapping) else {}
        return tuple(
            OrderRow(
                key=key,
                id=anchor(key),
                name=seen.names.get(key, key),
                state="",
                picks=(),
                ticks=(),
                written=(RAW.draw(key, label=phrase("Orders"), value=str(said.get(key, ""))),),
                raw=None,
                faults=faults.get(key, ()),
            )
            for key in sorted(seen.mine)
        )

    def payload(seen: FormSight, posted: QueryDict) -> dict[str, str]:
        written = {key: RAW.text(posted, key) for key in sorted(seen.mine)}
        return {key: words for key, words in written.items() if words}

    return StopForm(rows, payload)
