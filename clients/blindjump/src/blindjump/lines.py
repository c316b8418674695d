"""The lines in which orders are typed; written by `tools.order_lines`."""

from __future__ import annotations

from blindjump.line import Line, Word

LINES = (
    Line(
        verb="name",
        form="name FLEET NAME",
        part="settings",
        words=(
            Word(entry="fleet"),
            Word(entry="name"),
        ),
        is_merged=True,
    ),
    Line(
        verb="standing",
        form="standing FLEET fight|stand-off|withdraw",
        part="settings",
        words=(
            Word(entry="fleet"),
            Word(entry="standing"),
        ),
        is_merged=True,
    ),
    Line(
        verb="answer",
        form="answer FLEET none|CHOICE [of KIND] [least N] [most N]",
        part="settings",
        words=(
            Word(entry="fleet"),
            Word(entry="answers", kind="empty", keyword="none"),
        ),
        is_merged=True,
    ),
    Line(
        verb="answer",
        form="answer FLEET none|CHOICE [of KIND] [least N] [most N]",
        part="settings",
        words=(
            Word(entry="fleet"),
            Word(entry="choice"),
            Word(entry="of", keyword="of", is_optional=True),
            Word(entry="least", kind="number", keyword="least", is_optional=True),
            Word(entry="most", kind="number", keyword="most", is_optional=True),
        ),
        hint="a condition, in their order; `answer FLEET none` takes them back",
        is_merged=True,
        inside="answers",
        is_repeated=True,
    ),
    Line(
        verb="decoys",
        form="decoys FLEET N",
        part="settings",
        words=(
            Word(entry="fleet"),
            Word(entry="decoys_on", kind="number"),
        ),
        is_merged=True,
    ),
    Line(
        verb="decoy-thrust",
        form="decoy-thrust FLEET N",
        part="settings",
        words=(
            Word(entry="fleet"),
            Word(entry="decoy_thrust", kind="number"),
        ),
        hint="Continuum; 0: that of the fastest ship that looks like a decoy",
        is_merged=True,
    ),
    Line(
        verb="doctrine",
        form="doctrine FLEET [range MU] [targets WHICH] [break-off PERCENT] [flee] [formation WHICH] [speed MU] [reserve TURN]",
        part="settings",
        words=(
            Word(entry="fleet"),
            Word(entry="range", kind="number", keyword="range", is_optional=True),
            Word(entry="targets", keyword="targets", is_optional=True),
            Word(entry="break_off", kind="number", keyword="break-off", is_optional=True),
            Word(entry="flee", kind="flag", keyword="flee", is_optional=True),
            Word(entry="formation", keyword="formation", is_optional=True),
            Word(entry="speed", kind="number", keyword="speed", is_optional=True),
            Word(entry="reserve", kind="number", keyword="reserve", is_optional=True),
        ),
        hint="the targets are nearest, weakest, strongest or dangerous; the formation is ranks, line, column, wedge or screen",
        is_merged=True,
        inside="doctrine",
    ),
    Line(
        verb="detach",
        form="detach SHIP [SHIP ...] into FLEET [name NAME] [decoys N]",
        part="detach",
        words=(
            Word(entry="ships", kind="list"),
            Word(entry="into", keyword="into"),
            Word(entry="name", keyword="name", is_optional=True),
            Word(entry="decoys", kind="number", keyword="decoys", is_optional=True),
        ),
    ),
    Line(
        verb="dock",
        form="dock SHIP [repair SYSTEM ...] [replenish] [scuttle]",
        part="dock",
        words=(
            Word(entry="ship"),
            Word(entry="repair", kind="list", keyword="repair", is_optional=True),
            Word(entry="replenish", kind="flag", keyword="replenish", is_optional=True),
            Word(entry="scuttle", kind="flag", keyword="scuttle", is_optional=True),
        ),
    ),
    Line(
        verb="weasel",
        form="weasel SHIP",
        part="weasels",
        words=(Word(entry=""),),
    ),
    Line(
        verb="decide",
        form="decide HEX FACTION fight|stand-off|withdraw",
        part="decide",
        words=(
            Word(entry="hex"),
            Word(entry="toward"),
            Word(entry="choice"),
        ),
    ),
    Line(
        verb="move",
        form="move FLEET HEX [HEX ...]",
        part="moves",
        words=(
            Word(entry="fleet"),
            Word(entry="to"),
        ),
        hint="one hex: the umpire finds the route; more: the path, hex by hex",
    ),
    Line(
        verb="move",
        form="move FLEET HEX [HEX ...]",
        part="moves",
        words=(
            Word(entry="fleet"),
            Word(entry="path", kind="list", least=2),
        ),
    ),
    Line(
        verb="tow",
        form="tow TUG [SHIP ...]",
        part="tow",
        words=(
            Word(entry="tug"),
            Word(entry="ships", kind="list", least=0),
        ),
        hint="without a ship: the tug casts off",
    ),
    Line(
        verb="dummy",
        form="dummy KEY HEX|remove",
        part="dummies",
        words=(
            Word(entry="dummy"),
            Word(entry="remove", kind="flag", keyword="remove"),
        ),
    ),
    Line(
        verb="dummy",
        form="dummy KEY HEX|remove",
        part="dummies",
        words=(
            Word(entry="dummy"),
            Word(entry="hex"),
        ),
    ),
    Line(
        verb="refit",
        form="refit SHIP SYSTEM [SETTING]",
        part="refit",
        words=(
            Word(entry="ship"),
            Word(entry="system"),
            Word(entry="setting", is_optional=True),
        ),
        hint="without a setting: as in its class",
    ),
    Line(
        verb="build",
        form="build HEX CLASS NAME",
        part="build",
        words=(
            Word(entry="hex"),
            Word(entry="cls"),
            Word(entry="name"),
        ),
    ),
    Line(
        verb="convert",
        form="convert HEX CLASS SHIP",
        part="build",
        words=(
            Word(entry="hex"),
            Word(entry="cls"),
            Word(entry="ship"),
        ),
        hint="a docked ship is modified to that class",
    ),
    Line(
        verb="cancel",
        form="cancel WORK",
        part="cancel",
        words=(Word(entry=""),),
    ),
    Line(
        verb="patrol",
        form="patrol FLEET",
        part="patrol",
        words=(Word(entry="fleet"),),
    ),
    Line(
        verb="load",
        form="load SHIP GOODS [amount NUMBER]",
        part="load",
        words=(
            Word(entry="ship"),
            Word(entry="what"),
            Word(entry="amount", kind="number", keyword="amount", is_optional=True),
        ),
    ),
    Line(
        verb="land",
        form="land SHIP GOODS [amount NUMBER]",
        part="land",
        words=(
            Word(entry="ship"),
            Word(entry="what"),
            Word(entry="amount", kind="number", keyword="amount", is_optional=True),
        ),
    ),
    Line(
        verb="supply",
        form="supply SHIP SHIP",
        part="supply",
        words=(
            Word(entry="from"),
            Word(entry="to"),
        ),
        hint="who gives, who gets",
    ),
    Line(
        verb="lay",
        form="lay SHIP X,Y [X,Y ...]",
        part="lay",
        words=(
            Word(entry="ship"),
            Word(entry="at", kind="places"),
        ),
        hint="places in MU from the middle of the table, to the right and up",
    ),
    Line(
        verb="sweep",
        form="sweep SHIP",
        part="sweep",
        words=(Word(entry=""),),
    ),
    Line(
        verb="command",
        form="command HEX captain|player",
        part="take_command",
        words=(
            Word(entry="hex"),
            Word(entry="by"),
        ),
    ),
)
