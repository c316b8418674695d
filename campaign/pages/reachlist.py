"""The destinations a fleet may be sent to, as the options of a list: made once for each hex of a scenario."""

from __future__ import annotations

from html import escape

from campaign.rules.scenario import Scenario
from campaign.rules.starmap import star_map
from engine.english import counted_noun

KEPT = 2048
_made: dict[tuple[str, str], str] = {}


def reach_options(scenario: Scenario, sha256: str, start: str) -> str:
    """The options, as HTML: systems first, then the hexes between the stars, each with its steps.

    What a fleet reaches depends on the public map alone. `sha256` is that of the scenario's content.
    """
    known = _made.get((sha256, start))
    if known is None:
        if len(_made) >= KEPT:
            _made.clear()
        known = _made[sha256, start] = _options(scenario, start)
    return known


def _options(scenario: Scenario, start: str) -> str:
    near = [
        (there, steps) for there, steps in star_map(scenario).reach(start, scenario.hexes_per_week) if there != start
    ]
    names = {system.hex: system.name for system in scenario.systems}
    stars = sorted((steps, names[there], there) for there, steps in near if there in names)
    parts = []
    if stars:
        parts.append('<optgroup label="Systems">')
        parts += [_option(there, steps, f"{escape(name)} ({there})") for steps, name, there in stars]
        parts.append("</optgroup>")
    parts.append('<optgroup label="Between the stars">')
    parts += [_option(there, steps, there) for there, steps in near if there not in names]
    parts.append("</optgroup>")
    return "".join(parts)


def _option(there: str, steps: int, words: str) -> str:
    return f'<option value="{there}" data-steps="{steps}">{words}, {counted_noun(steps, "hex")}</option>'
