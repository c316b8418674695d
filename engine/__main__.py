"""The command line of the engine: `python -m engine COMMAND FILE`, JSON or YAML in, JSON out."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from engine.cli.command_line import FILE, Command, run_command

PROGRAM = "python -m engine"
OPTION = (
    ("--option",),
    {
        "action": "append",
        "default": [],
        "metavar": "NAME",
        "help": "an optional rule to use; can be repeated",
    },
)
BARRED = (
    ("--barred",),
    {"metavar": "A,B", "help": "systems and kinds of ships that may not be used"},
)
ALLOWED = (
    ("--allowed",),
    {"metavar": "A,B", "help": "the only systems that may be used"},
)
COMMANDS = {
    "design": Command(
        "engine.cli.design:run",
        "price ship designs and list their faults",
        (
            FILE,
            OPTION,
            BARRED,
            ALLOWED,
            (
                ("--from",),
                {
                    "dest": "source",
                    "choices": ("ftlibship", "ftjava"),
                    "help": "read ships in the format of this program",
                },
            ),
            (
                ("--to",),
                {
                    "dest": "target",
                    "choices": ("ftlibship", "design"),
                    "help": "print the designs in this format instead of their prices",
                },
            ),
            (
                ("--partial",),
                {
                    "action": "store_true",
                    "help": "skip designs that cannot be read, and list their faults",
                },
            ),
            (
                ("--tech-base",),
                {
                    "metavar": "FILE",
                    "help": (
                        "a tech base; designs that need other technologies are listed with faults"
                    ),
                },
            ),
        ),
    ),
    "fleet": Command(
        "engine.cli.design:run_fleet",
        "price a fleet and list its faults",
        (FILE, OPTION, BARRED, ALLOWED),
    ),
    "battle": Command(
        "engine.cli.battle:run",
        "fight a battle with the orders in the file, or with computer captains",
        (
            FILE,
            (
                ("--captains",),
                {"action": "store_true", "help": "let computer captains give all missing orders"},
            ),
        ),
    ),
    "odds": Command(
        "engine.cli.odds:run",
        "fight a battle many times with computer captains",
        (
            FILE,
            (
                ("--runs",),
                {
                    "type": int,
                    "default": None,
                    "metavar": "N",
                    "help": "the most battles to fight (default: 1000)",
                },
            ),
            (
                ("--jobs",),
                {
                    "type": int,
                    "default": None,
                    "metavar": "N",
                    "help": "the number of processes (default: all cores)",
                },
            ),
            (
                ("--precision",),
                {
                    "type": float,
                    "default": None,
                    "metavar": "SHARE",
                    "help": (
                        "stop when the shares of each side's wins and of draws are known to "
                        "this precision (95%% confidence, Wilson interval); 0.05 takes about "
                        "400 battles"
                    ),
                },
            ),
            (
                ("--seconds",),
                {
                    "type": float,
                    "default": None,
                    "metavar": "S",
                    "help": "stop after this many seconds",
                },
            ),
        ),
    ),
}


def main(words: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    return run_command(PROGRAM, "Starship battles: designs, battles, odds.", COMMANDS, words)


if __name__ == "__main__":
    sys.exit(main())
