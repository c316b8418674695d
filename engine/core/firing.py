"""The fire phase of a battle whose sides choose their next ship after each ship's fire.

Rules: 2E "Sequence of play" [2e.fire-by-ship]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class FiringStage:
    """A fire phase while it lasts.

    Attributes:
        order: The numbers of the sides in the order in which they fire.
        side: The number of the side that names its next ship; None: the sides name the targets of
            their fighters first.
        fired: The ids of the ships that have taken their firing turns.
        passed: The numbers of the sides that fire no more in this phase.
        pursue: The numbers of the sides that pursue an enemy that disengages.
    """

    order: tuple[int, ...]
    side: int | None
    fired: tuple[str, ...] = ()
    passed: tuple[int, ...] = ()
    pursue: tuple[int, ...] = ()

    def is_asked(self, side: int) -> bool:
        """Return whether a side gives orders now."""
        return self.side is None or self.side == side

    def at_turn_of(self, side: int) -> FiringStage:
        """Return the phase at the turn of a side, by its number."""
        return replace(self, side=side)

    def with_fired(self, ship_id: str) -> FiringStage:
        """Return the phase after a ship has taken its firing turn."""
        return replace(self, fired=(*self.fired, ship_id))

    def with_passed(self, side: int) -> FiringStage:
        """Return the phase after a side has passed."""
        return replace(self, passed=(*self.passed, side))

    def with_pursuit(self, side: int, *, pursues: bool) -> FiringStage:
        """Return the phase after a side has said whether it pursues."""
        others = tuple(other for other in self.pursue if other != side)
        return replace(self, pursue=(*others, side) if pursues else others)

    def known_to(self, side: int, own_names: Mapping[str, str]) -> FiringStage:
        """Return the phase as a side knows it: with its own ships that have fired.

        Args:
            own_names: The side's names for its ships, by their ids.
        """
        return replace(
            self,
            fired=tuple(own_names[id_] for id_ in self.fired if id_ in own_names),
            pursue=tuple(other for other in self.pursue if other == side),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the phase as JSON; `firing_stage_from` is the inverse."""
        return {
            "order": list(self.order),
            "side": self.side,
            "fired": list(self.fired),
            "passed": list(self.passed),
            "pursue": list(self.pursue),
        }


def firing_stage_from(document: Mapping[str, Any]) -> FiringStage:
    """Return the phase that `FiringStage.to_json` wrote."""
    return FiringStage(
        tuple(document["order"]),
        document["side"],
        fired=tuple(document["fired"]),
        passed=tuple(document["passed"]),
        pursue=tuple(document["pursue"]),
    )
