"""Select options of the destinations a fleet can reach from a hex."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    reachable = star_map(scenario).reach(start, scenario.hexes_per_week)
    others = [(label, steps) for label, steps in reachable if label != start]
    return destinations(scenario, others, brief)


def destinations(
    scenario: Scenario, reachable: Sequence[tuple[str, int]], brief: bool = False
) -> str:
    """Return the options for the given (hex, steps) as HTML, systems first.

    Args:
        brief: Whether to leave out hexes without a system.
    """
    names = {system.hex: system.name for system in scenario.systems}
    distance_words = {}
    for _, steps in reachable:
        distance_words[steps] = escape(localize(counted_noun(steps, "hex")))
    systems = sorted((steps, names[label], label) for label, steps in reachable if label in names)
    system_options = []
    for steps, name, label in systems:
        words = f"{escape(name)} ({label}), {distance_words[steps]}"
        system_options.append(_option(label, words))
    html = _option_group(phrase("Systems"), system_options) if systems else ""
    if brief:
        return html
    empty_hexes = [(label, steps) for label, steps in reachable if label not in names]
    hex_options = []
    for label, steps in empty_hexes:
        hex_options.append(_option(label, f"{label}, {distance_words[steps]}"))
    return html + _option_group(phrase("Between the stars"), hex_options)


def _option_group(label: str, options: Iterable[str]) -> str:
    return f'<optgroup label="{escape(localize(label))}">{"".join(options)}</optgroup>'


def _option(label: str, words: str) -> str:
    return f'<option value="{label}">{words}</option>'
