"""Select options of the destinations a fleet can reach from a hex."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from campaign.rules.scenario import Scenario
from campaign.rules.starmap import star_map
from engine.core.phrase import localize, phrase
from engine.english import counted_noun


def reach_options(scenario: Scenario, start: str, brief: bool = False) -> str:
    """Return the options for all destinations on the public map, as HTML.

    Args:
        brief: Whether to leave out hexes without a system.
    """
    near = star_map(scenario).reach(start, scenario.hexes_per_week)
    return destinations(
        scenario, [(there, steps) for there, steps in near if there != start], brief
    )


def destinations(scenario: Scenario, near: Sequence[tuple[str, int]], brief: bool = False) -> str:
    """Return the options for the given (hex, steps) as HTML, systems first."""
    names = {system.hex: system.name for system in scenario.systems}
    stars = sorted((steps, names[there], there) for there, steps in near if there in names)
    far = {}
    for steps in dict.fromkeys(steps for _, steps in near):
        far[steps] = escape(localize(counted_noun(steps, "hex")))
    parts = []
    if stars:
        parts.append(f'<optgroup label="{escape(localize(phrase("Systems")))}">')
        parts += [
            _option(there, steps, f"{escape(name)} ({there})", far) for steps, name, there in stars
        ]
        parts.append("</optgroup>")
    if brief:
        return "".join(parts)
    parts.append(f'<optgroup label="{escape(localize(phrase("Between the stars")))}">')
    parts += [_option(there, steps, there, far) for there, steps in near if there not in names]
    parts.append("</optgroup>")
    return "".join(parts)


def _option(there: str, steps: int, words: str, far: Mapping[int, str]) -> str:
    return f'<option value="{there}">{words}, {far[steps]}</option>'
