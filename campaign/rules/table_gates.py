"""Gates of a star system on the battle table, clear of the terrain in the middle.

Rules: Continuum "Jump gates and portals" 11.9 [pc.gates]
"""

from __future__ import annotations

from typing import Any

from campaign.rules.scenario import Link, Scenario

ABOVE = 7 / 8  # of the table's depth: where the first gate is
ASIDE = 6  # MU between gates on one side


def gates_on(
    scenario: Scenario, hex_: str, table: tuple[float, float], holder: str
) -> list[dict[str, Any]]:
    """Return the gates of a hex for a battle file, one for each link, in the order of links.

    The first is above the middle of the table, the next below it, further ones beside these. They
    belong to a network open to all, and are closed until a ship activates them.

    Args:
        holder: The side that holds the system and so controls gates of limited mass; "" if no side
            on the table does.
    """
    gates: list[dict[str, Any]] = []
    for link in scenario.links:
        if hex_ not in (link.a, link.b):
            continue
        number = len(gates)
        is_above = number % 2 == 0
        step = number // 2  # gates above and below alternate, those on one side go left and right
        direction = -1 if step % 2 else 1
        aside = ASIDE * ((step + 1) // 2) * direction
        at = [table[0] / 2 + aside, table[1] * (ABOVE if is_above else 1 - ABOVE)]
        gate: dict[str, Any] = {"id": _gate_id(link, hex_), "at": at, "kind": link.kind}
        if any(entry["id"] == gate["id"] for entry in gates):
            gate["id"] = f"{gate['id']}-{number + 1}"
        if link.mass is not None:
            gate["mass"] = link.mass
            if holder:
                gate["side"] = holder
        gates.append(gate)
    return gates


def gate_ids(scenario: Scenario, hex_: str, far_end: str) -> list[str]:
    """Return the ids of the gates on the table of a hex that lead to another hex."""
    ids = []
    for link in scenario.links:
        if {link.a, link.b} == {hex_, far_end}:
            ids.append(_gate_id(link, hex_))
    return ids


def _gate_id(link: Link, hex_: str) -> str:
    """Return the id of a link's gate on the table of a hex, from where it leads."""
    far_end = link.b if link.a == hex_ else link.a
    return f"{link.kind}-{far_end}"
