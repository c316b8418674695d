"""Blank forms to fill in by hand: orders, craft, the week of a war, decisions.

Rules: 2E "Movement orders" [aid.order-sheet]; Continuum "Orders" 3.5, "Fighter groups" 8.13
[aid.order-sheet]
"""

from __future__ import annotations

from campaign.drawings.aids.sheets import AidPage, AidTable
from engine.core.phrase import phrase

SHIPS = 10
TURNS = 12
GROUPS = 20
FLEETS = 12
DECISIONS = 8
ROW = 15.0  # mm, for an order and the velocity below it
NARROW_ROW = 10.0


def order_sheet() -> AidPage:
    """Return a form for the orders of 10 ships in 12 turns, with a column for the set-up."""
    turns = tuple(str(turn) for turn in range(1, TURNS + 1))
    table = AidTable(
        title="",
        columns=(phrase("Ship"), phrase("Set-up"), *turns),
        rows=(("",) * (2 + TURNS),) * SHIPS,
        widths=(2.4, 2.0, *(1.0,) * TURNS),
        row_height=ROW,
        note=phrase(
            "Set-up: place, course and velocity. Each turn: the order, such as P2+4, and below it "
            "the new velocity."
        ),
    )
    return AidPage(phrase("Movement orders"), (table,), is_landscape=True)


def craft_roster() -> AidPage:
    """Return a form for groups of fighters and gunboats."""
    columns = (
        phrase("Group"),
        phrase("Type"),
        phrase("Craft"),
        phrase("Endurance"),
        phrase("Pilot"),
        phrase("Loads"),
    )
    table = AidTable(
        title="",
        columns=columns,
        rows=(("",) * len(columns),) * GROUPS,
        widths=(1.2, 2.2, 1.4, 2.0, 1.6, 2.4),
        row_height=NARROW_ROW,
        note=phrase("Cross off craft as they are lost, and endurance as it is used."),
    )
    return AidPage(phrase("Fighter roster"), (table,))


def week_sheet() -> AidPage:
    """Return a form for a week of a war on paper: what each fleet does."""
    columns = (
        phrase("Fleet"),
        phrase("Hex"),
        phrase("Moves to"),
        phrase("Docks, repairs"),
        phrase("If it meets an enemy"),
        phrase("Notes"),
    )
    table = AidTable(
        title="",
        columns=columns,
        rows=(("",) * len(columns),) * FLEETS,
        widths=(2.0, 1.0, 1.4, 2.0, 2.2, 2.6),
        row_height=NARROW_ROW,
    )
    return AidPage(phrase("Orders of a week"), (table,), is_landscape=True)


def decision_note() -> AidPage:
    """Return a form for decisions, to be given to the umpire."""
    columns = (
        phrase("Faction"),
        phrase("Week"),
        phrase("Hex"),
        phrase("Toward"),
        phrase("Fight, stand off or withdraw"),
    )
    table = AidTable(
        title="",
        columns=columns,
        rows=(("",) * len(columns),) * DECISIONS,
        widths=(2.0, 1.0, 1.0, 2.0, 3.0),
        row_height=ROW,
        note=phrase("Cut along the lines and give the umpire one note for each meeting."),
    )
    return AidPage(phrase("Decisions"), (table,))
