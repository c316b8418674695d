"""The controls of what plots of every rulebook say: moves, words that stand alone, scans, launches,
mines, docking; and of a second turn, burns and what is flown instead, where the grammar has them.
Pure.
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
    first,
)
from campaign.words.plot_text import MOVE, Part, bay_ids
from engine.asks.plot_words import offered, sayable
from engine.continuum.drives import UseEmergencyThrust
from engine.core.kinds import RETURNING, HullKind
from engine.core.orders import AT_END, HOLD, Plot
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.terms import ADVANCED_SENSORS, ORBITAL_TABLE
from engine.craft.roles import row_in
from engine.english import capital, counted_noun, system_words
from engine.movement.docking import is_base
from engine.notation.orders import ELSE, parse_plot
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
    ("", phrase("none")), ("MD", phrase("main drive")),
    ("TP", phrase("turn to port")), ("TS", phrase("turn to starboard")),
    ("PP", phrase("push to port")), ("PS", phrase("push to starboard")), ("PR", phrase("push in reverse")),
)  # fmt: skip
BURNS_SHOWN = 5  # a rotation, a push, and the main drive before, between and after them
MOST_POINTS = 99
# Words that stand alone, as the form says them; one that is not here stands as it is written.
FLAGS = {
    "ftl": phrase("Warm up the FTL drive"), "stay": phrase("Does not return"), "sweep": phrase("Sweep for mines"),
    "nova": phrase("All power to the nova cannon"), "undock": phrase("Undock"),
    "leave": phrase("May leave over the table edge"),
}  # fmt: skip
COURSES: tuple[Option, ...] = tuple((str(n), str(n)) for n in range(1, 13))
FARTHEST = 999  # MU, of a number that a form takes


def usual_controls(
    seen: FormSight, ship: ShipState, flown: ShipState, said: dict[str, Part]
) -> Iterable[Control]:
    """What most plots say. `flown`: the ship as it flies, from aboard another where it detaches."""
    if ship.status == RETURNING:
        yield _entry(ship, said)
    if ship.status != RETURNING or ORBITAL_TABLE in seen.state.terms.options or MOVE in said:
        yield from _move(seen, ship, flown, said)
    launches = _launches(ship, said)
    if launches.fields.any:
        yield launches
    for flag in rules_of(ship.sheet.edition).grammar.flags:
        plot, _ = parse_plot(flag, "", ship.sheet.edition)
        if flag in said or (plot is not None and sayable(seen.state, ship, plot)):
            yield _flag(ship, flag, on=flag in said)


def seldom_controls(
    seen: FormSight, ship: ShipState, flown: ShipState, said: dict[str, Part]
) -> Iterable[Control]:
    """What few plots say."""
    move = said.get(MOVE)
    plot = HOLD if move is None or move.plot is None else move.plot
    turning, _ = limits(seen, flown)
    if plot.second or (
        rules_of(ship.sheet.edition).grammar.double_turn and flown.drift is None and turning > 1
    ):
        yield _second(ship, turning, plot)
    if ELSE in said or _may_fail(seen, ship):
        yield _otherwise(seen, ship, flown, said)
    yield from _scans(seen, ship, said)
    yield from _one_contact(seen, ship, said)
    yield from _mines(seen, ship, said)


def limits(seen: FormSight, ship: ShipState) -> tuple[int, int]:
    """The points of turn and of thrust that a form offers."""
    return rules_of(ship.sheet.edition).limits(seen.state, ship)


def _made(
    ship: ShipState,
    key: str,
    label: str,
    reads: Callable[[Values], str],
    *,
    picks: Sequence[Select] = (),
    ticks: Sequence[Checkbox] = (),
    written: Sequence[Input] = (),
    tells: str = "",
) -> Control:
    fields = Fields(tuple(picks), tuple(ticks), tuple(written))
    return Control(key, id_of(ship, key), label, fields, reads, tells)


def _flag(ship: ShipState, flag: str, *, on: bool) -> Control:
    name, label = WORD.name(ship.id), FLAGS.get(flag, capital(flag))
    return _made(
        ship, flag, label, lambda values: flag if flag in values.get(name, ()) else "",
        ticks=(Checkbox(name, flag, label, on),),
    )  # fmt: skip


def _move(
    seen: FormSight, ship: ShipState, flown: ShipState, said: dict[str, Part]
) -> Iterable[Control]:
    """Turn and speed, or burns; the second of two turns stands among what is seldom said, and
    belongs to it.
    """
    part = said.get(MOVE)
    plot = HOLD if part is None or part.plot is None else part.plot
    if flown.drift is not None:
        yield from _vector(ship, plot)
        return
    turning, main = limits(seen, flown)
    turn, thrust, second = TURN.name(ship.id), THRUST.name(ship.id), name_of(ship, "second")

    def reads(values: Values) -> str:
        points = [first(values, name) or "0" for name in (turn, second, thrust)]
        numbers = [_whole(one) for one in points]
        if any(one is None for one in numbers):
            return " ".join(points)
        return Plot(turn=numbers[0] or 0, second=numbers[1] or 0, thrust=numbers[2] or 0).words()

    picks = (
        Select(turn, phrase("Turn"), _turns(turning, plot.turn), (str(plot.turn),)),
        Select(thrust, phrase("Speed"), _thrusts(flown, main, plot.thrust), (str(plot.thrust),)),
    )
    yield _made(ship, MOVE, phrase("Move"), reads, picks=picks)


def _vector(ship: ShipState, plot: Plot) -> Iterable[Control]:
    """Burns in their order: of each what it is, and its points.

    There is a place for every burn that can do anything of its own, and one more where a plot has
    more. The first says them all.
    """
    names = [
        (BURN.name(ship.id, place), POINTS.name(ship.id, place))
        for place in range(max(BURNS_SHOWN, len(plot.burns) + 1))
    ]

    def reads(values: Values) -> str:
        pairs = [(first(values, kind), first(values, points)) for kind, points in names]
        return " ".join(f"{kind}{points or 1}" for kind, points in pairs if kind)

    for place, (kind, points) in enumerate(names):
        burn, much = plot.burns[place] if place < len(plot.burns) else ("", "")
        pick = Select(kind, phrase("Burn {}", place + 1), BURN_OPTIONS, (burn,))
        written = Input(
            points, phrase("Points of burn {}", place + 1), str(much), "1", (1, MOST_POINTS)
        )
        says = reads if place == 0 else _nothing
        key, label = ("", phrase("Then")) if place else (MOVE, phrase("Burns, in order"))
        yield _made(ship, key, label, says, picks=(pick,), written=(written,))


def _nothing(_values: Values) -> str:
    """What a control says whose fields another one reads."""
    return ""


def _burns(plot: Plot) -> str:
    return " ".join(f"{burn}{points}" for burn, points in plot.burns)


def _whole(written: str) -> int | None:
    digits = written.removeprefix("-").removeprefix("+")
    return int(written) if digits.isdecimal() and len(digits) < 4 else None


def _turns(most: int, said: int) -> tuple[Option, ...]:
    points = [*range(-most, most + 1), *([said] if abs(said) > most else [])]
    return tuple(
        (
            str(n),
            phrase("port {}" if n < 0 else "starboard {}", abs(n))
            if n
            else phrase("straight ahead"),
        )
        for n in points
    )


def _thrusts(ship: ShipState, most: int, said: int) -> tuple[Option, ...]:
    least = -min(most, ship.velocity)
    changes = [*range(most, least - 1, -1), *([said] if not least <= said <= most else [])]
    return tuple(
        (str(n), phrase("{:+d}, to {}", n, ship.velocity + n) if n else phrase("unchanged"))
        for n in changes
    )


def _second(ship: ShipState, most: int, plot: Plot) -> Control:
    """The second of two turns; the move says it."""
    name = name_of(ship, "second")
    pick = Select(name, phrase("Second turn"), _turns(most, plot.second), (str(plot.second),))
    tells = phrase("the first is made at the start of the move, this one at its mid-point")
    return _made(ship, "", phrase("Second turn"), _nothing, picks=(pick,), tells=tells)


def _may_fail(seen: FormSight, ship: ShipState) -> bool:
    """Whether a ship may fly by emergency thrust, which may fail."""
    grammar = rules_of(ship.sheet.edition).grammar
    return grammar.otherwise and offered(seen.state, ship, UseEmergencyThrust) is not None


def _otherwise(
    seen: FormSight, ship: ShipState, flown: ShipState, said: dict[str, Part]
) -> Control:
    """What is flown where emergency thrust fails."""
    part = said.get(ELSE)
    plot = (
        HOLD
        if part is None or part.plot is None or part.plot.otherwise is None
        else part.plot.otherwise
    )
    label, tells = (
        phrase("If emergency thrust fails"),
        phrase("the ship flies this move instead; without one it holds course and speed"),
    )
    names = [name_of(ship, ELSE, place) for place in range(2)]
    if flown.drift is not None:
        written = Input(names[0], label, _burns(plot), BURNS_HINT)

        def burns(values: Values) -> str:
            text = first(values, names[0])
            return f"{ELSE} {text}" if text else ""

        return _made(ship, ELSE, label, burns, written=(written,), tells=tells)
    turning, main = limits(seen, flown)

    def reads(values: Values) -> str:
        turn, thrust = (_whole(first(values, name) or "0") for name in names)
        words = Plot(turn=turn or 0, thrust=thrust or 0).words()
        return f"{ELSE} {words}" if words else ""

    picks = (
        Select(names[0], phrase("Turn"), _turns(turning, plot.turn), (str(plot.turn),)),
        Select(names[1], phrase("Speed"), _thrusts(flown, main, plot.thrust), (str(plot.thrust),)),
    )
    return _made(ship, ELSE, label, reads, picks=picks, tells=tells)


def _entry(ship: ShipState, said: dict[str, Part]) -> Control:
    """Where a ship that left comes back, and on which course."""
    part = said.get("enter")
    at = None if part is None or part.plot is None else part.plot.enter
    names = [ENTER.name(ship.id, place) for place in range(3)]

    def reads(values: Values) -> str:
        points = [first(values, name) for name in names]
        return f"enter {' '.join(points)}" if any(points[:2]) else ""

    written = [
        Input(name, label, "" if at is None else f"{value:g}", hint, (-FARTHEST, FARTHEST))
        for name, label, value, hint in zip(
            names, (phrase("Return at x"), phrase("at y")), at or (0, 0), ("12", "48"), strict=False
        )
    ]
    course = Select(names[2], phrase("on course"), COURSES, ("1" if at is None else str(at[2]),))
    return _made(ship, "enter", phrase("Return"), reads, picks=(course,), written=written)


def _launches(ship: ShipState, said: dict[str, Part]) -> Control:
    """Return a tick for every bay that can launch its craft, or that the plot names."""
    part = said.get("launch")
    wanted = () if part is None or part.plot is None else bay_ids(ship, part.plot.launch)
    name, ticks = LAUNCHED_BAYS.name(ship.id), []
    for bay in ship.profile.bays:
        fit = ship.sheet.fits[bay]
        if ship.alive[bay] and ship.stock[bay]:
            craft = (row_in(ship, bay).word or "fighters").removesuffix("s")
            words = phrase(
                "Launch {} from {}", counted_noun(ship.stock[bay], craft), system_words(fit.id)
            )
            ticks.append(Checkbox(name, fit.id, words, fit.id in wanted))
    others = dict.fromkeys(wanted).keys() - {tick.value for tick in ticks}
    ticks += [
        Checkbox(name, bay, phrase("Launch from {}", system_words(bay)), on=True)
        for bay in sorted(others)
    ]
    return _made(ship, "launch", phrase("Launch"), _several("launch", name, wanted), ticks=ticks)


def _several(word: str, name: str, wanted: Sequence[str]) -> Callable[[Values], str]:
    """A word with some names, first those that the plot says, in its order."""

    def reads(values: Values) -> str:
        chosen = values.get(name, ())
        every = [
            *(one for one in wanted if one in chosen),
            *(one for one in chosen if one not in wanted),
        ]
        return f"{word} {' '.join(every)}" if every else ""

    return reads


def _scans(seen: FormSight, ship: ShipState, said: dict[str, Part]) -> Iterable[Control]:
    """Whom a ship scans actively, in turn: as many as it can."""
    part = said.get("scan")
    wanted = () if part is None or part.plot is None else part.plot.scan
    others = (
        seen.others() if seen.state.bogeys or ADVANCED_SENSORS in seen.state.terms.options else []
    )
    able = bool(others) and sayable(seen.state, ship, Plot(scan=(others[0][0],)))
    if not able and part is None:
        return
    most = max(
        rules_of(ship.sheet.edition).active_scans(seen.state, ship) if able else 0, len(wanted), 1
    )
    names = [
        name_of(ship, "scan", place) for place in range(min(most, max(len(others), len(wanted), 1)))
    ]
    picks = [
        Select(
            name,
            phrase("Active scan of") if not place else phrase("then of"),
            _with(seen, others, wanted),
            (one,),
        )
        for place, (name, one) in enumerate(zip(names, (*wanted, *[""] * len(names)), strict=False))
    ]

    def reads(values: Values) -> str:
        chosen = [one for name in names if (one := first(values, name))]
        return f"scan {' '.join(chosen)}" if chosen else ""

    yield _made(
        ship,
        "scan",
        phrase("Active scan"),
        reads,
        picks=picks,
        tells=phrase("the ship shows itself by it"),
    )


def _with(seen: FormSight, options: Sequence[Option], wanted: Iterable[str]) -> tuple[Option, ...]:
    """A list with what the plot names beside it."""
    known = {value for value, _ in options}
    return (
        NONE,
        *options,
        *((one, seen.names.get(one, one)) for one in wanted if one and one not in known),
    )


def _one_contact(seen: FormSight, ship: ShipState, said: dict[str, Part]) -> Iterable[Control]:
    """Whom a ship tries to ram, and at what it docks."""
    others = seen.others() if ship.sheet.kind != HullKind.INSTALLATION else []
    bases = [
        (one.id, seen.names.get(one.id, one.id))
        for one in seen.state.ships
        if one.id != ship.id and is_base(seen.state, ship, one)
    ]
    able: dict[str, list[Option]] = {
        "ram": others if others and sayable(seen.state, ship, Plot(ram=others[0][0])) else [],
        "dock": [one for one in bases if sayable(seen.state, ship, Plot(dock=one[0]))],
    }
    for word, label, tells in (
        (
            "ram",
            phrase("Ram"),
            phrase("its move has to end close to that ship, and its crew has to dare it"),
        ),
        (
            "dock",
            phrase("Dock with"),
            phrase("its move has to end close to it, at its course and velocity or at rest"),
        ),
    ):
        part = said.get(word)
        if not able[word] and part is None:
            continue
        plot = HOLD if part is None or part.plot is None else part.plot
        wanted, name = plot.ram or plot.dock, name_of(ship, word)
        pick = Select(name, label, _with(seen, able[word], (wanted,)), (wanted,))
        yield _made(ship, word, label, _named(word, name), picks=(pick,), tells=tells)


def _named(word: str, name: str) -> Callable[[Values], str]:
    return lambda values: f"{word} {first(values, name)}" if first(values, name) else ""


def _mines(seen: FormSight, ship: ShipState, said: dict[str, Part]) -> Iterable[Control]:
    """Where a ship lays mines: where its move ends, or along its path."""
    part = said.get("mine")
    mines = () if part is None or part.plot is None else part.plot.mines
    racks = [place for place in ship.profile.having.get(Trait.LAYS_MINES, ()) if ship.alive[place]]
    able = any(ship.stock[place] for place in racks) and sayable(
        seen.state, ship, Plot(mines=(AT_END,))
    )
    if not able and part is None:
        return
    along = [f"{at:g}" for at in mines if at != AT_END]
    name, names = (
        name_of(ship, "mine"),
        [name_of(ship, "mine", n) for n in range(max(len(racks), len(along), 1))],
    )

    def reads(values: Values) -> str:
        places = [one for field in names if (one := first(values, field))]
        said = [f"mine {' '.join(places)}"] if places else []
        return "; ".join([*(["mine"] if first(values, name) else []), *said])

    written = [
        Input(
            one,
            phrase("or after so many MU") if not place else phrase("and after"),
            value,
            "3",
            (0, FARTHEST),
        )
        for place, (one, value) in enumerate(zip(names, (*along, *[""] * len(names)), strict=False))
    ]
    tick = Checkbox(name, "on", phrase("where the move ends"), on=bool(mines) and not along)
    yield _made(
        ship,
        "mine",
        phrase("Lay mines"),
        reads,
        ticks=(tick,),
        written=written,
        tells=phrase("one from each minelayer"),
    )
