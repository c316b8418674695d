"""The command `tournament`: the table of a tournament and the pairs of its next round."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from campaign.rules.tournament import next_round, table_of
from campaign.rules.tournament_file import read_tournament
from engine.notation.files import read_input


def run(args: Namespace) -> dict[str, Any]:
    """Return the table and the next round of a tournament.

    Raises:
        RuleViolations: With every fault of the file.
    """
    tournament = read_tournament(read_input(args.file))
    coming = next_round(tournament)
    answer: dict[str, Any] = {
        "table": [row.to_json() for row in table_of(tournament)],
        "round": coming.number,
        "pairs": [list(pair) for pair in coming.pairs],
        "bye": coming.byes[0] if coming.byes else None,
        "over": coming.is_over,
    }
    if tournament.dropped:
        answer["byes"] = list(coming.byes)
    return answer
