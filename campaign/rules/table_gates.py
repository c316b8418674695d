"""The gates of a star system, as battles there have them on the table: clear of the middle, where
bodies lie.

Rules: Continuum "Jump gates and portals" 11.9 [pc.gates]
"""

from __future__ import annotations

from typing import Any

from campaign.rules.scenario import Scenario

ABOVE, ASIDE = (
    7 / 8,
    6,
)  # of the table's depth, where the first one lies; MU between those on one side


def gates_on(
    scenario: Scenario, hex_: str, table: tuple[float, float], holder: str
) -> list[dict[str, Any]]:
    """The entries of a battle file for the gates of a hex, one for each of its links in their
    order: the first lies above the middle of the table, the next below it, further ones beside
    these.

    `holder`: the side of who holds the system, "" where nobody on the table does: it controls those
    that take only so much. They are part of a network open to all, and shut until somebody
    activates them.
    """
    gates: list[dict[str, Any]] = []
    for link in scenario.links:
        if hex_ not in (link.a, link.b):
            continue
        number = len(gates)
        far_end = link.b if link.a == hex_ else link.a
        up, step = number % 2 == 0, number // 2
        aside = ASIDE * ((step + 1) // 2) * (-1 if step % 2 else 1)
        at = [table[0] / 2 + aside, table[1] * (ABOVE if up else 1 - ABOVE)]
        gate: dict[str, Any] = {"id": f"{link.kind}-{far_end}", "at": at, "kind": link.kind}
        if any(entry["id"] == gate["id"] for entry in gates):
            gate["id"] = f"{gate['id']}-{number + 1}"
        if link.mass is not None:
            gate["mass"] = link.mass
            gate |= {"side": holder} if holder else {}
        gates.append(gate)
    return gates
