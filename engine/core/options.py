"""Options: what players may agree on. Those that both rulebooks have; each edition's row says which it has.

Rules: 2E and Continuum, wherever the books say "optional".
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.terms import FTL_SCATTER, MOVING_TABLE, NO_FTL, NO_RAMMING, RAM_ON


@dataclass(frozen=True, slots=True)
class Option:
    """An option by its name. `words`: what it changes. `source`: where the books have it.

    `of_designs`: it changes what ships may carry or cost, so it is settled with the ships. `needs`: an option it makes
    no sense without. `alone`: options of which only one can be in force.
    """

    name: str
    title: str
    words: str
    source: str
    of_designs: bool = False
    needs: str = ""
    alone: tuple[str, ...] = ()


RAMS = tuple(
    Option(name, f"Rams on {name[-1]}",
           f"Crews dare to ram on a die of {name[-1]} or more; of several the least counts.",
           "2E Ramming; Continuum 16.7", alone=(NO_RAMMING,))
    for name in RAM_ON
)  # fmt: skip
SHARED = (
    Option(MOVING_TABLE, "Moving table", "Where the whole battle drifts over an edge, the table goes with it.",
           "2E The moving table; Continuum 16.4"),
    Option(NO_FTL, "No FTL", "The battle is inside the hyper limit: no ship can enter or leave FTL.",
           "2E Convoy 990; Continuum 11.2"),
    Option(FTL_SCATTER, "Wild FTL entries", "A 6 for the distance by which an entry goes astray is multiplied.",
           "2E FTL entry; Continuum 11.5"),
    *RAMS,
)  # fmt: skip
