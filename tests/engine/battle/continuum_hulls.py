"""Ships of Continuum for tests of movement: plain hulls in one line of code, and plots turn by
turn.
"""

from __future__ import annotations

from typing import Any

from engine.battle import Battle, start
from engine.core.orders import Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.notation.orders import parse_plot
from engine.order_requests.plot import plot_faults
from tests.engine.battle.table import play, replays, setup

FAR_AWAY = {"table": [400, 400]}
CONTINUUM = "continuum"


def hull(
    id_: str, x: float, y: float, course: int = 12, velocity: int = 0, **more: Any
) -> dict[str, Any]:
    """Return a ship with four rows of five boxes and one beam; other keys on request."""
    design = {
        "class": f"Hull {id_}",
        "edition": CONTINUUM,
        "kind": more.pop("kind", "warship"),
        "mass": more.pop("mass", 60),
        "hull": {"boxes": more.pop("boxes", 20), "rows": 4},
        "thrust": more.pop("thrust", 6),
        "drive": more.pop("drive", "standard"),
        "ftl": more.pop("ftl", "standard"),
        "armour": more.pop("armour", []),
        "systems": more.pop("systems", [{"type": "firecon"}, {"type": "beam", "class": 1}]),
    }
    return {
        "id": id_,
        "design": design,
        "at": [x, y],
        "course": course,
        "velocity": velocity,
        **more,
    }


def foe(**more: Any) -> dict[str, Any]:
    """Return an enemy far off in the corner, without which there would be no battle."""
    return hull("b1", 395, 5, 12, 0, **more)


def table(*red: dict[str, Any], options: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """Return a table of 400 by 400 MU with these ships of one side, and another's far off."""
    blue = more.pop("blue", [foe()])
    return setup(
        list(red), blue, **{**FAR_AWAY, "edition": CONTINUUM, "options": list(options), **more}
    )


def fly(document: dict[str, Any], *plots: dict[str, str], **dice: list[int]) -> Battle:
    """Fly a battle by these plots, turn by turn; its log must replay it."""
    battle = play(document, [{"plot": plot} for plot in plots], **dice)
    assert replays(start(document), battle)
    return battle


def ship_with_notes(
    id_: str, document: dict[str, Any], **notes: int
) -> tuple[BattleState, ShipState]:
    """Return a ship before the first turn, with these facts on its sheet."""
    state = start(document).state.copy()
    ship = state.ship_by_name(id_)
    ship.record = ship.record.with_values(**notes)
    return state, ship


def plot(text: str) -> Plot:
    """Return a plot from its text."""
    parsed_plot, faults = parse_plot(text, "plot", CONTINUUM)
    assert parsed_plot is not None, faults
    return parsed_plot


def plot_fault_text(document: dict[str, Any], id_: str, text: str, **notes: int) -> str:
    """Return the faults of a ship's plot before the first turn, or ""."""
    return "; ".join(plot_faults(*ship_with_notes(id_, document, **notes), plot(text)))
