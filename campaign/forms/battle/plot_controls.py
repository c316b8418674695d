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
    item_at,
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
# The burns of vector movement, by their letters in plots
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
MAX_POINTS = 99
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
            yield _flag(ship, flag, is_on=flag in parts)


def rare_controls(
    sight: FormSight, ship: ShipState, moving_ship: ShipState, parts: dict[str, Part]
) -> Iterable[Control]:
    """Yield the controls that few plots use."""
    plot = _plot_of(parts, MOVE)
    most_turning, _ = limits(sight, moving_ship)
    has_double_turn = rules_of(ship.sheet.edition).grammar.double_turn
    can_turn_twice = has_double_turn and moving_ship.drift is None and most_turning > 1
    if plot.second or can_turn_twice:
        yield _second_turn(ship, most_turning, plot)
    if ELSE in parts or _may_fail(sight, ship):
        yield _otherwise(sight, ship, moving_ship, parts)
    yield from _scans(sight, ship, parts)
    yield from _ram_and_dock(sight, ship, parts)
    yield from _mines(sight, ship, parts)


def _plot_of(parts: dict[str, Part], key: str) -> Plot:
    """Return a part of the plot as parsed; without this part, the plot to hold course and speed."""
    part = parts.get(key)
    if part is None or part.plot is None:
        return HOLD
    return part.plot


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
    """Return a control of a ship's plot with these fields."""
    return Control(
        key=key,
        id=id_of(ship, key),
        label=label,
        fields=Fields(tuple(picks), tuple(ticks), tuple(inputs)),
        to_text=to_text,
        help_text=help_text,
    )


def _flag(ship: ShipState, flag: str, *, is_on: bool) -> Control:
    """Return the control of a single word, a tick."""
    name = WORD.name(ship.id)
    label = FLAGS.get(flag, capitalize_first(flag))

    def to_text(values: Values) -> str:
        return flag if flag in values.get(name, ()) else ""

    tick = Checkbox(name, flag, label, is_on)
    return _control(ship, flag, label, to_text, ticks=(tick,))


def _move(
    sight: FormSight, ship: ShipState, moving_ship: ShipState, parts: dict[str, Part]
) -> Iterable[Control]:
    """Yield the controls of turn and speed, or of burns.

    The second of two turns appears among the rare controls but belongs to this part.
    """
    plot = _plot_of(parts, MOVE)
    if moving_ship.drift is not None:
        yield from _burn_controls(ship, plot)
        return
    turn_name = TURN.name(ship.id)
    second_turn_name = name_of(ship, "second")
    thrust_name = THRUST.name(ship.id)

    def to_text(values: Values) -> str:
        texts = []
        for name in (turn_name, second_turn_name, thrust_name):
            texts.append(first_value(values, name) or "0")
        turn, second, thrust = map(_integer, texts)
        if turn is None or second is None or thrust is None:
            return " ".join(texts)
        return Plot(turn=turn, second=second, thrust=thrust).words()

    picks = _turn_and_speed(
        sight, moving_ship, plot=plot, turn_name=turn_name, thrust_name=thrust_name
    )
    yield _control(ship, MOVE, phrase("Move"), to_text, picks=picks)


def _turn_and_speed(
    sight: FormSight, moving_ship: ShipState, plot: Plot, turn_name: str, thrust_name: str
) -> tuple[Select, Select]:
    """Return the selects for a turn and for a change of speed."""
    most_turning, most_thrust = limits(sight, moving_ship)
    turn_options = _turn_options(most_turning, plot.turn)
    thrust_options = _thrust_options(moving_ship, most_thrust, plot.thrust)
    return (
        Select(turn_name, phrase("Turn"), turn_options, (str(plot.turn),)),
        Select(thrust_name, phrase("Speed"), thrust_options, (str(plot.thrust),)),
    )


def _burn_controls(ship: ShipState, plot: Plot) -> Iterable[Control]:
    """Yield the controls of burns in order, each with its type and points.

    There is one for each burn that can have an effect, and one more if the plot has more. The first
    control reads the fields of all.
    """
    field_names = []
    for place in range(max(FEWEST_BURN_FIELDS, len(plot.burns) + 1)):
        field_names.append((BURN.name(ship.id, place), POINTS.name(ship.id, place)))

    def to_text(values: Values) -> str:
        words = []
        for burn_name, points_name in field_names:
            if burn := first_value(values, burn_name):
                words.append(f"{burn}{first_value(values, points_name) or 1}")
        return " ".join(words)

    for place, (burn_name, points_name) in enumerate(field_names):
        burn, points = plot.burns[place] if place < len(plot.burns) else ("", "")
        pick = Select(burn_name, phrase("Burn {}", place + 1), BURN_OPTIONS, (burn,))
        points_input = Input(
            points_name,
            phrase("Points for burn {}", place + 1),
            str(points),
            hint="1",
            bounds=(1, MAX_POINTS),
        )
        yield _control(
            ship,
            key="" if place else MOVE,
            label=phrase("Then") if place else phrase("Burns, in order"),
            to_text=_no_text if place else to_text,
            picks=(pick,),
            inputs=(points_input,),
        )


def _no_text(_values: Values) -> str:
    """Return nothing, for a control whose fields another control reads."""
    return ""


def _burns_text(plot: Plot) -> str:
    """Return the burns of a plot as text, like `MD4 TS2`."""
    return " ".join(f"{burn}{points}" for burn, points in plot.burns)


def _integer(text: str) -> int | None:
    """Return a number of up to three digits, or None for any other text."""
    digits = text.removeprefix("-").removeprefix("+")
    if digits.isdecimal() and len(digits) < 4:
        return int(text)
    return None


def _turn_options(most: int, ordered: int) -> tuple[Option, ...]:
    """Return the possible turns in points, from port to starboard, and the ordered one."""
    turns = [*range(-most, most + 1)]
    if abs(ordered) > most:
        turns.append(ordered)
    return tuple((str(turn), _turn_label(turn)) for turn in turns)


def _turn_label(turn: int) -> str:
    if turn == 0:
        return phrase("straight ahead")
    return phrase("port {}" if turn < 0 else "starboard {}", abs(turn))


def _thrust_options(ship: ShipState, most: int, ordered: int) -> tuple[Option, ...]:
    """Return the possible changes of speed, from the highest to a stop, and the ordered one."""
    least = -min(most, ship.velocity)
    changes = [*range(most, least - 1, -1)]
    if not least <= ordered <= most:
        changes.append(ordered)
    options: list[Option] = []
    for change in changes:
        label = phrase("{:+d}, to {}", change, ship.velocity + change)
        options.append((str(change), label if change else phrase("unchanged")))
    return tuple(options)


def _second_turn(ship: ShipState, most: int, plot: Plot) -> Control:
    """Return the control of the second turn; the move control reads it."""
    name = name_of(ship, "second")
    options = _turn_options(most, plot.second)
    pick = Select(name, phrase("Second turn"), options, (str(plot.second),))
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
    plot = _plot_of(parts, ELSE).otherwise or HOLD
    label = phrase("If emergency thrust fails")
    help_text = phrase("the ship makes this move instead; if empty, it keeps course and velocity")
    first_name = name_of(ship, ELSE, 0)
    second_name = name_of(ship, ELSE, 1)

    def burns_text(values: Values) -> str:
        text = first_value(values, first_name)
        return f"{ELSE} {text}" if text else ""

    def turn_and_speed_text(values: Values) -> str:
        turn = _integer(first_value(values, first_name) or "0")
        thrust = _integer(first_value(values, second_name) or "0")
        text = Plot(turn=turn or 0, thrust=thrust or 0).words()
        return f"{ELSE} {text}" if text else ""

    if moving_ship.drift is not None:
        burns_input = Input(first_name, label, _burns_text(plot), BURNS_HINT)
        return _control(ship, ELSE, label, burns_text, inputs=(burns_input,), help_text=help_text)
    picks = _turn_and_speed(
        sight, moving_ship, plot=plot, turn_name=first_name, thrust_name=second_name
    )
    return _control(ship, ELSE, label, turn_and_speed_text, picks=picks, help_text=help_text)


def _entry(ship: ShipState, parts: dict[str, Part]) -> Control:
    """Return the control for where and on which course a ship returns to the table."""
    entry = _plot_of(parts, "enter").enter  # (x, y, course) or None
    x, y, course = ("", "", "1")
    if entry is not None:
        x, y, course = f"{entry[0]:g}", f"{entry[1]:g}", str(entry[2])
    x_name, y_name, course_name = (ENTER.name(ship.id, place) for place in range(3))

    def to_text(values: Values) -> str:
        x_text = first_value(values, x_name)
        y_text = first_value(values, y_name)
        if x_text or y_text:
            return f"enter {x_text} {y_text} {first_value(values, course_name)}"
        return ""

    bounds = (-FARTHEST, FARTHEST)
    inputs = (
        Input(x_name, phrase("Return at x"), x, hint="12", bounds=bounds),
        Input(y_name, phrase("at y"), y, hint="48", bounds=bounds),
    )
    course_pick = Select(course_name, phrase("on course"), COURSES, (course,))
    return _control(ship, "enter", phrase("Return"), to_text, picks=(course_pick,), inputs=inputs)


def _launches(ship: ShipState, parts: dict[str, Part]) -> Control:
    """Return a tick for each bay that can launch its craft or that the plot names."""
    bays_planned = bay_ids(ship, _plot_of(parts, "launch").launch)
    name = LAUNCHED_BAYS.name(ship.id)
    ticks = []
    for index in ship.profile.bays:
        if ship.alive[index] and ship.stock[index]:
            bay = ship.sheet.fits[index].id
            craft_word = (row_in(ship, index).word or "fighters").removesuffix("s")
            craft = counted_noun(ship.stock[index], craft_word)
            label = phrase("Launch {} from {}", craft, system_words(bay))
            ticks.append(Checkbox(name, bay, label, bay in bays_planned))
    for bay in sorted(set(bays_planned) - {tick.value for tick in ticks}):
        ticks.append(Checkbox(name, bay, phrase("Launch from {}", system_words(bay)), is_on=True))
    to_text = _reader_of_names("launch", name, bays_planned)
    return _control(ship, "launch", phrase("Launch"), to_text, ticks=ticks)


def _reader_of_names(word: str, name: str, planned: Sequence[str]) -> Callable[[Values], str]:
    """Return a reader for a word with several names; those in the plot come first, in its order."""

    def to_text(values: Values) -> str:
        submitted = values.get(name, ())
        names = [choice for choice in planned if choice in submitted]
        names += [choice for choice in submitted if choice not in planned]
        if names:
            return f"{word} {' '.join(names)}"
        return ""

    return to_text


def _scans(sight: FormSight, ship: ShipState, parts: dict[str, Part]) -> Iterable[Control]:
    """Yield the controls of a ship's active scans, one for each scan it can make."""
    planned = _plot_of(parts, "scan").scan
    scannable_ships = _scannable_ships(sight)
    is_able = bool(scannable_ships) and can_plot(
        sight.state, ship, Plot(scan=(scannable_ships[0][0],))
    )
    if not is_able and "scan" not in parts:
        return
    most_scans = rules_of(ship.sheet.edition).active_scans(ship) if is_able else 0
    field_count = min(
        max(most_scans, len(planned), 1),
        max(len(scannable_ships), len(planned), 1),
    )
    names = [name_of(ship, "scan", place) for place in range(field_count)]
    options = _with_planned(sight, scannable_ships, planned)
    picks = []
    for place, name in enumerate(names):
        target = item_at(planned, place, "")
        label = phrase("then of") if place else phrase("Active scan of")
        picks.append(Select(name, label, options, (target,)))

    def to_text(values: Values) -> str:
        names_chosen = [target for name in names if (target := first_value(values, name))]
        if names_chosen:
            return f"scan {' '.join(names_chosen)}"
        return ""

    yield _control(
        ship,
        "scan",
        phrase("Active scan"),
        to_text,
        picks=picks,
        help_text=phrase("this reveals the ship"),
    )


def _scannable_ships(sight: FormSight) -> list[Option]:
    """Return the foreign ships if scans have a use: to identify contacts, or by option."""
    has_option = ADVANCED_SENSORS in sight.state.terms.options
    if sight.state.bogeys or has_option:
        return sight.other_ships()
    return []


def _with_planned(
    sight: FormSight, options: Sequence[Option], planned: Iterable[str]
) -> tuple[Option, ...]:
    """Return none and the options, with targets of the plot added if missing."""
    result = [NONE, *options]
    for target in planned:
        if target and target not in [value for value, _ in options]:
            result.append((target, sight.display_name(target)))
    return tuple(result)


def _ram_and_dock(sight: FormSight, ship: ShipState, parts: dict[str, Part]) -> Iterable[Control]:
    """Yield the controls for a ramming target and for docking."""
    ram_targets = _ram_targets(sight, ship)
    if ram_targets or "ram" in parts:
        yield _target_control(
            ship,
            "ram",
            phrase("Ram"),
            _with_planned(sight, ram_targets, (_plot_of(parts, "ram").ram,)),
            target=_plot_of(parts, "ram").ram,
            help_text=phrase(
                "the move must end close to that ship, and the crew must pass a crew check"
            ),
        )
    dock_targets = _dock_targets(sight, ship)
    if dock_targets or "dock" in parts:
        yield _target_control(
            ship,
            "dock",
            phrase("Dock with"),
            _with_planned(sight, dock_targets, (_plot_of(parts, "dock").dock,)),
            target=_plot_of(parts, "dock").dock,
            help_text=phrase(
                "the move must end close to that ship, at the same course and velocity or at rest"
            ),
        )


def _ram_targets(sight: FormSight, ship: ShipState) -> list[Option]:
    """Return the ships that a ship can plot to ram; installations cannot."""
    if ship.sheet.kind == HullKind.INSTALLATION:
        return []
    targets = sight.other_ships()
    if targets and can_plot(sight.state, ship, Plot(ram=targets[0][0])):
        return targets
    return []


def _dock_targets(sight: FormSight, ship: ShipState) -> list[Option]:
    """Return the bases that a ship can plot to dock with."""
    targets: list[Option] = []
    for base in sight.state.ships:
        if base.id == ship.id or not is_base(sight.state, ship, base):
            continue
        if can_plot(sight.state, ship, Plot(dock=base.id)):
            targets.append((base.id, sight.display_name(base.id)))
    return targets


def _target_control(
    ship: ShipState,
    word: str,
    label: str,
    options: tuple[Option, ...],
    *,
    target: str,
    help_text: str,
) -> Control:
    """Return the control of a word with one ship as its target."""
    name = name_of(ship, word)

    def to_text(values: Values) -> str:
        new_target = first_value(values, name)
        return f"{word} {new_target}" if new_target else ""

    pick = Select(name, label, options, (target,))
    return _control(ship, word, label, to_text, picks=(pick,), help_text=help_text)


def _mines(sight: FormSight, ship: ShipState, parts: dict[str, Part]) -> Iterable[Control]:
    """Yield the control for laying mines, at the end of the move or along the path."""
    working_layers = []
    for place in ship.profile.having.get(Trait.LAYS_MINES, ()):
        if ship.alive[place]:
            working_layers.append(place)
    has_mines = any(ship.stock[place] for place in working_layers)
    is_able = has_mines and can_plot(sight.state, ship, Plot(mines=(AT_END,)))
    if is_able or "mine" in parts:
        mines = _plot_of(parts, "mine").mines
        yield _mine_control(ship, mines, layer_count=len(working_layers))


def _mine_control(ship: ShipState, mines: Sequence[float], *, layer_count: int) -> Control:
    """Return the control for laying mines, with a field for each minelayer.

    Args:
        mines: Where the plot lays a mine each, in MU along its path or `AT_END`.
    """
    distances = [f"{mu:g}" for mu in mines if mu != AT_END]
    end_name = name_of(ship, "mine")
    distance_names = []
    for place in range(max(layer_count, len(distances), 1)):
        distance_names.append(name_of(ship, "mine", place))

    def to_text(values: Values) -> str:
        words = []
        if first_value(values, end_name):
            words.append("mine")
        submitted = [first_value(values, name) for name in distance_names]
        if distance_texts := [text for text in submitted if text]:
            words.append(f"mine {' '.join(distance_texts)}")
        return "; ".join(words)

    is_at_end = bool(mines) and not distances
    end_tick = Checkbox(end_name, "on", phrase("where the move ends"), is_on=is_at_end)
    inputs = []
    for place, name in enumerate(distance_names):
        label = phrase("and after") if place else phrase("or after so many MU")
        distance = item_at(distances, place, "")
        inputs.append(Input(name, label, distance, hint="3", bounds=(0, FARTHEST)))
    return _control(
        ship,
        "mine",
        phrase("Lay mines"),
        to_text,
        ticks=(end_tick,),
        inputs=inputs,
        help_text=phrase("each minelayer lays one"),
    )
