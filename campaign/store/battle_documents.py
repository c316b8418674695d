"""Documents of battles that a faction fights itself, as reports store them.

`campaign.rules.upgrades.REPORTS` numbers their shapes. A view is a
`engine.view.side_view.SideView.to_json`, a log an `engine.view.side_log`, a battle an
`engine.battle.Battle.to_json`.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from engine.core.errors import StoredFault
from engine.core.fair import DiceContext
from engine.core.orders import OrdersDocument
from engine.documents import BattleDocument
from engine.notation.battle_file import ShipEntry
from engine.table_results.ends import ResultDocument
from engine.view.documents import ContactDocument, LogLine, PieceDocument, ViewDocument

Document = dict[str, Any]


class PhaseSheet(TypedDict):
    """A phase of an online battle as it opens; see `campaign.services.phases` for each entry."""

    battle: str
    week: int
    hex: str
    side: str
    at: int
    sides: list[str]
    table: list[float]
    number: int
    turn: int
    kind: str
    winner: str | None
    chain: str
    view: ViewDocument
    log: list[LogLine]
    mine: list[str]
    needs_orders: bool
    battle_document: NotRequired[BattleDocument]
    advice: NotRequired[OrdersDocument]


class PhaseEntry(TypedDict):
    """Whose orders counted in a phase.

    Attributes:
        source: Who sealed them (`campaign.kinds.Source`).
    """

    faction: str
    source: str
    digest: str


class PhaseInputs(TypedDict):
    """The orders of a phase as they are stored.

    Attributes:
        by: Who gave them: captains, players or the umpire.
        orders: By ship, group or side, as the engine carried them out.
        pursue: The sides that pursued one that disengaged; null in phases of releases that did not
            record it.
        refused: By side, the faults of orders that could not be carried out; those ships held.
        entries: Whose orders counted.
        dice: The beginning of the keys of the dice, or the path to their key.
        entered: For a battle at a table, the result that each faction entered; there are no orders.
    """

    turn: int
    phase: str
    by: str
    orders: NotRequired[dict[str, Any]]
    pursue: NotRequired[list[str] | None]
    entries: NotRequired[list[PhaseEntry]]
    refused: NotRequired[dict[str, list[StoredFault]]]
    dice: NotRequired[DiceContext]
    entered: NotRequired[dict[str, ResultDocument]]


class SideSheet(TypedDict):
    """The sheet that a side gets before a battle at a table.

    Attributes:
        rules: The version of the rules.
        own: The side's ships, as in a battle file.
        contacts: The contacts of the side's view.
        seen: Other pieces of the side's view.
        set_up: The zones, terrain and gates of the battle file, if the sides set up in zones.
    """

    edition: str
    rules: str
    options: list[str]
    table: list[float]
    bogeys: bool
    side: str
    sides: list[str]
    hostile: list[list[str]]
    own: list[ShipEntry]
    contacts: list[ContactDocument]
    seen: dict[str, list[PieceDocument]]
    set_up: NotRequired[dict[str, Any]]


class TableSheet(SideSheet):
    """The same sheet for a faction of that side, with the faction's own id of the battle."""

    battle: str
    hex: str


class ResultDifference(TypedDict):
    """A difference between the results that the factions entered.

    Attributes:
        ship: The ship; "": the battle itself.
        part: Which part of the result differs.
        claims: The entered value by faction.
    """

    ship: str
    part: str
    claims: dict[str, Any]


class TableCheck(TypedDict):
    """The check of the entered results: differences and faults, in the names that the faction uses.

    Attributes:
        ruling: The umpire's reason for entering the result instead; this settles all differences.
    """

    battle: str
    round: int
    differences: list[ResultDifference]
    faults: list[StoredFault]
    ruling: NotRequired[str]
