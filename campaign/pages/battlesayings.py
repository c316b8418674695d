"""The words of every kind of event in a battle's log: `SAYINGS` has an entry for each that does not say it itself.

The kinds: engine.events and engine.pieces. `SILENT` kinds say nothing that another line does not say.
"""

from __future__ import annotations

from dataclasses import dataclass

from campaign.pages.battlephrases import (
    DOCKS,
    EDGES,
    SWEEPS,
    Called,
    Event,
    Saying,
    arrived,
    between,
    craft_lost,
    die,
    disengaged,
    drifted,
    dummy_found,
    entered,
    far,
    fighters_fired,
    ftl_exit,
    hits_words,
    initiative,
    launched,
    left_table,
    needle,
    of_ship,
    place,
    point_defence,
    ram,
    revealed,
    saying_of,
    shot,
    table_moved,
    threshold,
    thrown,
    torpedo,
)
from campaign.pages.hullphrases import HULL_SAYINGS
from engine.english import counted_noun, system_words

SILENT = ("turn-ended", "cleared", "placed", "group-placed")
COLOURED = ("torpedo", "pack", "fighters-fired", "point-defence", "mine-fired", "rock-shot", "shot", "fire")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log. `kind` colours it; `detail`: the dice."""

    kind: str
    words: str
    detail: str = ""


def line_of(event: Event, names: Called) -> Line | None:
    """A log line in words; None for what says nothing to a reader, or for a kind nobody knows."""
    kind = str(event["event"])
    say = SAYINGS.get(kind) or saying_of(kind)
    if say is None:
        return None
    words, detail = say(event, names)
    if not words:
        return None
    if kind in COLOURED:
        return Line("hit" if event["hits"] else "miss", words, detail)
    return Line(kind, words, detail)


SAYINGS: dict[str, Saying] = {
    "moved": of_ship("moves to course {course}, velocity {velocity}"),
    "shot": shot,
    "damaged": of_ship("takes {points:point} of damage ({total} in all)"),
    "threshold": threshold,
    "revealed": revealed,
    "dummy-found": dummy_found,
    "left-table": left_table,
    "returned": of_ship("returns"),
    "gave-up": of_ship("does not return"),
    "ftl-warming": of_ship("warms up its FTL drive"),
    "ftl-exit": ftl_exit,
    "initiative": initiative,
    "order-refused": of_ship("cannot carry out {order}: {why}"),
    "shot-refused": lambda event, names: (
        f"{names.of(event['ship'])} holds fire with {system_words(event['weapon'])}: {event['why']}",
        "",
    ),
    "arc": lambda event, names: (
        f"{names.of(event['ship'])} treats {names.of(event['target'])} as in arc {event['arc']}",
        die(event),
    ),
    "battle-over": lambda event, _: (f"The battle is over: {event['why']}", ""),
    # fighters
    "launched": launched,
    "flight-refused": of_ship("cannot carry out {order}: {why}"),
    "flown": of_ship("fly, facing course {course}"),
    "dogfight": between("close with", "target"),
    "broke-off": of_ship("break off"),
    "fighters-fired": fighters_fired,
    "point-defence": point_defence,
    "craft-lost": craft_lost,
    "recovered": between("recovers {craft:craft} of", "group"),
    # ordnance, needles, nova cannon
    "torpedo": torpedo,
    "needle": needle,
    "system-lost": lambda event, names: (f"{names.of(event['ship'])} loses {system_words(event['system'])}", ""),
    "pack": shot,
    "nova-armed": of_ship("puts all power into its nova cannon"),
    # mines, scans, Q ships
    "mine-laid": lambda event, names: (f"{names.of(event['ship'])} lays a mine {place(event)}", ""),
    "sweeping": of_ship("sweeps for mines"),
    "mine-swept": lambda event, names: (
        f"{names.of(event['ship'])} {SWEEPS.get(event['outcome'], event['outcome'])} {place(event)}",
        die(event),
    ),
    "mine-detonated": lambda event, names: (f"A mine goes off {place(event)}, near {names.of(event['near'])}", ""),
    "mine-fired": lambda event, names: (
        f"The mine strikes {names.of(event['ship'])} and {hits_words(event)}",
        thrown(event) + (f", screens {event['screens']}" if event["screens"] else ""),
    ),
    "scanning": of_ship("uses active sensors: everybody notices"),
    "scan-failed": lambda event, names: (
        f"{names.of(event['ship'])} does not scan {names.of(event['target'])}: {event['why']}",
        "",
    ),
    "uncovered": of_ship("is revealed as a {cls}: it {why}"),
    # the table
    "drifted": drifted,
    "avoided": of_ship("avoids asteroid {rock}", die),
    "crashed": of_ship("hits asteroid {rock}", die),
    "rock-shot": lambda event, names: (
        f"{names.of(event['ship'])} fires {system_words(event['weapon'])} at asteroid {event['rock']} "
        f"and {hits_words(event)}",
        far(event),
    ),
    "rock-damaged": lambda event, _: (
        f"Asteroid {event['rock']} takes {counted_noun(event['points'], 'point')} of damage",
        f"{event['total']} in all",
    ),
    "rock-broken": lambda event, _: (
        f"Asteroid {event['rock']} breaks into {counted_noun(len(event['chunks']), 'piece')}",
        "",
    ),
    "ram": ram,
    "arrived": arrived,
    "escaped": lambda event, names: (
        f"{names.of(event['ship'])} crosses the {EDGES.get(event['edge'], event['edge'])} edge and jumps away",
        "",
    ),
    "docking": lambda event, names: (
        f"{names.of(event['ship'])} {DOCKS.get(event['step'], event['step'])} {names.of(event['near'])}",
        "",
    ),
    "docking-missed": of_ship("does not come alongside: {why}"),
    "table-moved": table_moved,
    "disengaged": disengaged,
    "left-behind": of_ship("does not take part in the pursuit"),
    # a result that was entered
    "entered": entered,
    **HULL_SAYINGS,
}
