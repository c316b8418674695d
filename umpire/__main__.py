"""The command line of the umpire: `python -m umpire COMMAND FILE`, JSON or YAML in, JSON out.

It needs no database and no settings of the site.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from engine.cli.command_line import FILE, Command, run_command

PROGRAM = "python -m umpire"
COMMANDS = {
    "scenario": Command("umpire.cli.scenario:run", "check a scenario and describe it", (FILE,)),
    "war": Command("umpire.cli.war:run", "play a war, or a part of one, as a script says", (FILE,)),
    "tournament": Command(
        "umpire.cli.tournament:run", "show a tournament's table and next pairs", (FILE,)
    ),
}


def main(words: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    return run_command(PROGRAM, "Scenarios, scripted wars and tournaments.", COMMANDS, words)


if __name__ == "__main__":
    sys.exit(main())
