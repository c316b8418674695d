"""The command `fleet`: what a fleet costs, and what forbids it a battle by itself."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from engine.core.errors import faults_json
from engine.design.fleets import by_classification, fleet_violations
from engine.notation.files import classes_for, read_input
from engine.notation.fleets import read_fleet


def run(args: Namespace) -> Any:
    """The ships one by one, the points in all and by classification, and every fault. Raises RuleViolations.

    Rules: Continuum "Tournament fleets" 18.2 [pc.fleet-composition]
    """
    document = read_input(args.file)
    fleet = read_fleet(document, classes_for(document), tuple(args.option))
    faults = fleet_violations(fleet.ships, fleet.points, fleet.limits, without_ftl=fleet.without_ftl)
    return {
        "ships": [
            {"class": sheet.cls, "classification": sheet.classification, "points": sheet.points}
            for sheet in fleet.ships
        ],
        "points": sum(sheet.points for sheet in fleet.ships),
        "by_classification": by_classification(fleet.ships),
        "violations": faults_json(faults),
    }
