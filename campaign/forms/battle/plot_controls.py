"""The controls of plots that all rulebooks share. Pure.

Moves, single words, scans, launches, mines and docking; also second turns, burns and emergency
alternatives, if the rulebook's order grammar has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from campaign.forms.battle.fight_form import Control, FormSight
from campaign.forms.battle.plot_words import NONE, WORD, id_of, name_of
from campaign.forms.field import (
    Checkbox,
    ChoiceField,
    Fields,
    Input,
    NumberField,
    Option,
    Select,
    TextField,
    TickField,
    Values,
    first_value,
)
from campaign.words.plot_text import MOVE, Part, bay_ids
from engine.continuum.drives import UseEmergencyThrust
from engine.core.kinds import RETURNING, HullKind
from engine.core.orders import AT_END, HOLD, Plot
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.terms import ADVANCED_SENSORS, ORBITAL_TABLE
from engine.craft.roles import row_in
from engine.english import capitalize_first, counted_noun, system_words
from engine.movement.docking import is_base
from engine.notation.orders import ELSE, parse_plot
from engine.order_requests.plot_choices import can_plot, possible_slots
from engine.ruleset import rules_of
from engine.weapons.weapon import Trait

TURN = ChoiceField("turn")
THRUST = ChoiceField("thrust")
BURN = ChoiceField("burn")
POINTS = NumberField("points")
ENTER = TextField("enter")
LAUNCHED_BAYS = TickField("launch")

BURNS_HINT = "MD4 TS2"
BURN_OPTIONS: tuple[Option, ...] = (
    ("", phrase("none")),
    ("MD", phrase("main drive")),
    ("TP", phrase("turn to port")),
    ("TS", phrase("turn to starboard")),
    ("PP", phrase("push to port")),
    ("PS", phrase("push to starboard")),
    ("PR", phrase("push backwards")),
)
FEWEST_BURN_FIELDS = 5  # a rotation, a push, and the main drive before, between and after them
MOST_POINTS = 99
# Labels of single words; a word that is not here is its own label.
FLAGS = {
    "ftl": phrase("Warm up the FTL drive"),
    "stay": phrase("Does not return"),
    "sweep": phrase("Sweep for mines"),
    "nova": phrase("All power to the nova cannon"),
    "undock": phrase("Undock"),
    "leave": phrase("May leave over the table edge"),
}
COURSES: tuple[Option, ...] = tuple((str(n), str(n)) for n in range(1, 13))
FARTHEST = 999  # MU; the largest number a form accepts


def usual_controls(
    sight: FormSight, ship: ShipState, moving_ship: ShipState, parts: dict[str, Part]
) -> Iterable[Control]:
    """Yield the controls that most plots use.

    Args:
        moving_ship: The ship as it moves. It differs from `ship` if the ship detaches from a
            carrier.
    """
    if ship.status == RETURNING:
        yield _entry(ship, parts)
    if ship.status != RETURNING or ORBITAL_TABLE in sight.state.terms.options or MOVE in parts:
        yield from _move(sight, ship, moving_ship, parts)
    launches = _launches(ship, parts)
    if launches.fields.has_fields:
        yield launches
    for flag in rules_of(ship.sheet.edition).grammar.flags:
        plot, _ = parse_plot(flag, "", ship.sheet.edition)
        if flag in parts or (plot is not None and can_plot(sight.state, ship, plot)):
            yield _flag(ship, flag, on=flag in parts)


def rare_controls(
    sight: FormSight, ship: ShipState, moving_ship: ShipState, parts: dict[str, Part]
) -> Iterable[Control]:
    """Yield the controls that few plots use."""
    move = parts.get(MOVE)
    if move is None or move.plot is None:
        plot = HOLD
    else:
        plot = move.plot
    turning, _ = limits(sight, moving_ship)
    if plot.second or (
        rules_of(ship.sheet.edition).grammar.double_turn
        and moving_ship.drift is None
        and turning > 1
    ):
        yield _second(ship, turning, plot)
    if ELSE in parts or _may_fail(sight, ship):
        yield _otherwise(sight, ship, moving_ship, parts)
    yield from _scans(sight, ship, parts)
    yield from _ram_and_dock(sight, ship, parts)
    yield from _mines(sight, ship, parts)


def limits(sight: FormSight, ship: ShipState) -> tuple[int, int]:
    """Return the most turn points and thrust points that a form offers."""
    return rules_of(ship.sheet.edition).limits(sight.state, ship)


def _control(
    ship: ShipState,
    key: str,
    label: str,
    to_text: Callable[[Values], str],
    *,
    picks: Sequence[Select] = (),
    ticks: Sequence[Checkbox] = (),
    inputs: Sequence[Input] = (),
    help_text: str = "",
) -> Control:
    fields = Fields(tuple(picks), tuple(ticks), tuple(inputs))
    return Control(key, id_of(ship, key), label, fields, to_text, help_text)


def _flag(ship: ShipState, flag: str, *, on: bool) -> Control:
    name = WORD.name(ship.id)
    label = FLAGS.get(flag, capitalize_first(flag))
    return _control(
        ship, flag, label, lambda values: flag if flag in values.get(name, ()) else "",
        ticks=(Checkbox(name, flag, label, on),),
    )  # fmt: skip


def _move(
    sight: FormSight, ship: ShipState, moving_ship: ShipState, parts: dict[str, Part]
) -> Iterable[Control]:
    """Yield the controls of turn and speed, or of burns.

    The second of two turns appears among the rare controls but belongs to this part.
    """
    part = parts.get(MOVE)
    if part is None or part.plot is None:
        plot = HOLD
    else:
        plot = part.plot
    if moving_ship.drift is not None:
        yield from _vector(ship, plot)
        return
    turning, main = limits(sight, moving_ship)
    turn = TURN.name(ship.id)
    thrust = THRUST.name(ship.id)
    second = name_of(ship, "second")

    def to_text(values: Values) -> str:
        points = [first_value(values, name) or "0" for name in (turn, second, thrust)]
        numbers = [_integer(number_text) for number_text in points]
        if any(number_text is None for number_text in numbers):
            return " ".join(points)
        return Plot(turn=numbers[0] or 0, second=numbers[1] or 0, thrust=numbers[2] or 0).words()

    picks = (
        Select(turn, phrase("Turn"), _turns(turning, plot.turn), (str(plot.turn),)),
        Select(
            thrust, phrase("Speed"), _thrusts(moving_ship, main, plot.thrust), (str(plot.thrust),)
        ),
    )
    yield _control(ship, MOVE, phrase("Move"), to_text, picks=picks)


def _vector(ship: ShipState, plot: Plot) -> Iterable[Control]:
    """Yield the controls of burns in order, each with its type and points.

    There is one for each burn that can have an effect, and one more if the plot has more. The first
    control reads the fields of all.
    """
    names = []
    for place in range(max(FEWEST_BURN_FIELDS, len(plot.burns) + 1)):
        names.append((BURN.name(ship.id, place), POINTS.name(ship.id, place)))

    def to_text(values: Values) -> str:
        pairs = []
        for kind, points in names:
            pairs.append((first_value(values, kind), first_value(values, points)))
        return " ".join(f"{kind}{points or 1}" for kind, points in pairs if kind)

    for place, (kind, points) in enumerate(names):
        burn, burn_points = plot.burns[place] if place < len(plot.burns) else ("", "")
        pick = Select(kind, phrase("Burn {}", place + 1), BURN_OPTIONS, (burn,))
        points_input = Input(
            points, phrase("Points for burn {}", place + 1), str(burn_points), "1", (1, MOST_POINTS)
        )
        reader = to_text if place == 0 else _no_text
        key, label = ("", phrase("Then")) if place else (MOVE, phrase("Burns, in order"))
        yield _control(ship, key, label, reader, picks=(pick,), inputs=(points_input,))


def _no_text(_values: Values) -> str:
    """Return nothing, for a control whose fields another control reads."""
    return ""


def _burns(plot: Plot) -> str:
    return " ".join(f"{burn}{points}" for burn, points in plot.burns)


def _integer(text: str) -> int | None:
    digits = text.removeprefix("-").removeprefix("+")
    if digits.isdecimal() and len(digits) < 4:
        return int(text)
    return None


def _turns(most: int, chosen: int) -> tuple[Option, ...]:
    points = [*range(-most, most + 1), *([chosen] if abs(chosen) > most else [])]
    turns: list[Option] = []
    for n in points:
        turns.append(
            (
                str(n),
                phrase("port {}" if n < 0 else "starboard {}", abs(n))
                if n
                else phrase("straight ahead"),
            )
        )
    return tuple(turns)


def _thrusts(ship: ShipState, most: int, chosen: int) -> tuple[Option, ...]:
    least = -min(most, ship.velocity)
    changes = [*range(most, least - 1, -1), *([chosen] if not least <= chosen <= most else [])]
    thrusts: list[Option] = []
    for n in changes:
        thrusts.append(
            (str(n), phrase("{:+d}, to {}", n, ship.velocity + n) if n else phrase("unchanged"))
        )
    return tuple(thrusts)


def _second(ship: ShipState, most: int, plot: Plot) -> Control:
    """Return the control of the second turn; the move control reads it."""
    name = name_of(ship, "second")
    pick = Select(name, phrase("Second turn"), _turns(most, plot.second), (str(plot.second),))
    help_text = phrase("the first turn is made at the start of the move, this one at its mid-point")
    return _control(ship, "", phrase("Second turn"), _no_text, picks=(pick,), help_text=help_text)


def _may_fail(sight: FormSight, ship: ShipState) -> bool:
    """Return whether a ship can use emergency thrust, which may fail."""
    grammar = rules_of(ship.sheet.edition).grammar
    return grammar.otherwise and possible_slots(sight.state, ship, UseEmergencyThrust) is not None


def _otherwise(
    sight: FormSight, ship: ShipState, moving_ship: ShipState, parts: dict[str, Part]
) -> Control:
    """Return the control of the move if emergency thrust fails."""
    part = parts.get(ELSE)
    if part is None or part.plot is None or part.plot.otherwise is None:
        plot = HOLD
    else:
        plot = part.plot.otherwise
    label = phrase("If emergency thrust fails")
    help_text = phrase("the ship makes this move instead; if empty, it keeps course and velocity")
    names = [name_of(ship, ELSE, place) for place in range(2)]
    if moving_ship.drift is not None:
        burns_input = Input(names[0], label, _burns(plot), BURNS_HINT)

        def burns(values: Values) -> str:
            text = first_value(values, names[0])
            if text:
                return f"{ELSE} {text}"
            return ""

        return _control(ship, ELSE, label, burns, inputs=(burns_input,), help_text=help_text)
    turning, main = limits(sight, moving_ship)

    def to_text(values: Values) -> str:
        turn, thrust = (_integer(first_value(values, name) or "0") for name in names)
        words = Plot(turn=turn or 0, thrust=thrust or 0).words()
        if words:
            return f"{ELSE} {words}"
        return ""

    picks = (
        Select(names[0], phrase("Turn"), _turns(turning, plot.turn), (str(plot.turn),)),
        Select(
            names[1], phrase("Speed"), _thrusts(moving_ship, main, plot.thrust), (str(plot.thrust),)
        ),
    )
    return _control(ship, ELSE, label, to_text, picks=picks, help_text=help_text)


def _entry(ship: ShipState, parts: dict[str, Part]) -> Control:
    """Return the control for where and on which course a ship returns to the table."""
    part = parts.get("enter")
    at = None if part is None or part.plot is None else part.plot.enter
    names = [ENTER.name(ship.id, place) for place in range(3)]

    def to_text(values: Values) -> str:
        points = [first_value(values, name) for name in names]
        if any(points[:2]):
            return f"enter {' '.join(points)}"
        return ""

    inputs = []
    for name, label, value, hint in zip(
        names, (phrase("Return at x"), phrase("at y")), at or (0, 0), ("12", "48"), strict=False
    ):
        inputs.append(
            Input(name, label, "" if at is None else f"{value:g}", hint, (-FARTHEST, FARTHEST))
        )
    course = Select(names[2], phrase("on course"), COURSES, ("1" if at is None else str(at[2]),))
    return _control(ship, "enter", phrase("Return"), to_text, picks=(course,), inputs=inputs)


def _launches(ship: ShipState, parts: dict[str, Part]) -> Control:
    """Return a tick for each bay that can launch its craft or that the plot names."""
    part = parts.get("launch")
    bays_planned = () if part is None or part.plot is None else bay_ids(ship, part.plot.launch)
    name = LAUNCHED_BAYS.name(ship.id)
    ticks = []
    for bay in ship.profile.bays:
        fit = ship.sheet.fits[bay]
        if ship.alive[bay] and ship.stock[bay]:
            craft = (row_in(ship, bay).word or "fighters").removesuffix("s")
            words = phrase(
                "Launch {} from {}", counted_noun(ship.stock[bay], craft), system_words(fit.id)
            )
            ticks.append(Checkbox(name, fit.id, words, fit.id in bays_planned))
    other_bays = dict.fromkeys(bays_planned).keys() - {tick.value for tick in ticks}
    ticks += [
        Checkbox(name, bay, phrase("Launch from {}", system_words(bay)), is_on=True)
        for bay in sorted(other_bays)
    ]
    return _control(
        ship,
        "launch",
        phrase("Launch"),
        _word_with_choices("launch", name, bays_planned),
        ticks=ticks,
    )


def _word_with_choices(word: str, name: str, planned: Sequence[str]) -> Callable[[Values], str]:
    """Return a reader for a word with several names; those in the plot come first, in its order."""

    def to_text(values: Values) -> str:
        chosen = values.get(name, ())
        every = [
            *(choice for choice in planned if choice in chosen),
            *(choice for choice in chosen if choice not in planned),
        ]
        if every:
            return f"{word} {' '.join(every)}"
        return ""

    return to_text


def _scans(sight: FormSight, ship: ShipState, parts: dict[str, Part]) -> Iterable[Control]:
    """Yield the controls of a ship's active scans, one for each scan it can make."""
    part = parts.get("scan")
    planned = () if part is None or part.plot is None else part.plot.scan
    other_ships = (
        sight.other_ships()
        if sight.state.bogeys or ADVANCED_SENSORS in sight.state.terms.options
        else []
    )
    able = bool(other_ships) and can_plot(sight.state, ship, Plot(scan=(other_ships[0][0],)))
    if not able and part is None:
        return
    most = max(rules_of(ship.sheet.edition).active_scans(ship) if able else 0, len(planned), 1)
    names = []
    for place in range(min(most, max(len(other_ships), len(planned), 1))):
        names.append(name_of(ship, "scan", place))
    picks = [
        Select(
            name,
            phrase("Active scan of") if not place else phrase("then of"),
            _with_planned(sight, other_ships, planned),
            (target,),
        )
        for place, (name, target) in enumerate(
            zip(names, (*planned, *[""] * len(names)), strict=False)
        )
    ]

    def to_text(values: Values) -> str:
        chosen = [target for name in names if (target := first_value(values, name))]
        if chosen:
            return f"scan {' '.join(chosen)}"
        return ""

    yield _control(
        ship,
        "scan",
        phrase("Active scan"),
        to_text,
        picks=picks,
        help_text=phrase("this reveals the ship"),
    )


def _with_planned(
    sight: FormSight, options: Sequence[Option], planned: Iterable[str]
) -> tuple[Option, ...]:
    """Return the options, with targets of the plot added if missing."""
    listed_values = {value for value, _ in options}
    return (
        NONE,
        *options,
        *(
            (target, sight.names.get(target, target))
            for target in planned
            if target and target not in listed_values
        ),
    )


def _ram_and_dock(sight: FormSight, ship: ShipState, parts: dict[str, Part]) -> Iterable[Control]:
    """Yield the controls for a ramming target and for docking."""
    other_ships = sight.other_ships() if ship.sheet.kind != HullKind.INSTALLATION else []
    bases = []
    for candidate in sight.state.ships:
        if candidate.id != ship.id and is_base(sight.state, ship, candidate):
            bases.append((candidate.id, sight.names.get(candidate.id, candidate.id)))
    able: dict[str, list[Option]] = {
        "ram": other_ships
        if other_ships and can_plot(sight.state, ship, Plot(ram=other_ships[0][0]))
        else [],
        "dock": [
            candidate for candidate in bases if can_plot(sight.state, ship, Plot(dock=candidate[0]))
        ],
    }
    for word, label, help_text in (
        (
            "ram",
            phrase("Ram"),
            phrase("the move must end close to that ship, and the crew must pass a crew check"),
        ),
        (
            "dock",
            phrase("Dock with"),
            phrase(
                "the move must end close to that ship, at the same course and velocity or at rest"
            ),
        ),
    ):
        part = parts.get(word)
        if not able[word] and part is None:
            continue
        if part is None or part.plot is None:
            plot = HOLD
        else:
            plot = part.plot
        planned = plot.ram or plot.dock
        name = name_of(ship, word)
        pick = Select(name, label, _with_planned(sight, able[word], (planned,)), (planned,))
        yield _control(
            ship, word, label, _word_with_name(word, name), picks=(pick,), help_text=help_text
        )


def _word_with_name(word: str, name: str) -> Callable[[Values], str]:
    return lambda values: f"{word} {first_value(values, name)}" if first_value(values, name) else ""


def _mines(sight: FormSight, ship: ShipState, parts: dict[str, Part]) -> Iterable[Control]:
    """Yield the controls for laying mines, at the end of the move or along the path."""
    part = parts.get("mine")
    mines = () if part is None or part.plot is None else part.plot.mines
    racks = []
    for place in ship.profile.having.get(Trait.LAYS_MINES, ()):
        if ship.alive[place]:
            racks.append(place)
    able = any(ship.stock[place] for place in racks) and can_plot(
        sight.state, ship, Plot(mines=(AT_END,))
    )
    if not able and part is None:
        return
    along = [f"{at:g}" for at in mines if at != AT_END]
    name = name_of(ship, "mine")
    names = [name_of(ship, "mine", n) for n in range(max(len(racks), len(along), 1))]

    def to_text(values: Values) -> str:
        places = [item for field in names if (item := first_value(values, field))]
        parts = [f"mine {' '.join(places)}"] if places else []
        return "; ".join([*(["mine"] if first_value(values, name) else []), *parts])

    inputs = [
        Input(
            item,
            phrase("or after so many MU") if not place else phrase("and after"),
            value,
            "3",
            (0, FARTHEST),
        )
        for place, (item, value) in enumerate(
            zip(names, (*along, *[""] * len(names)), strict=False)
        )
    ]
    tick = Checkbox(name, "on", phrase("where the move ends"), is_on=bool(mines) and not along)
    yield _control(
        ship,
        "mine",
        phrase("Lay mines"),
        to_text,
        ticks=(tick,),
        inputs=inputs,
        help_text=phrase("each minelayer lays one"),
    )
