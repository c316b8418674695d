"""Documents of battles that a faction fights itself, as they are handed to it and stored in reports
of these kinds.

Their shapes have numbers: `campaign.rules.upgrades.REPORTS`. A view is
`engine.view.side_view.SideView.to_json`, a log `engine.view.side_log`, a battle
`engine.battle.Battle.to_json`.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from engine.core.errors import StoredFault
from engine.core.orders import OrdersDocument
from engine.documents import BattleDocument
from engine.notation.battle_file import ShipEntry
from engine.table_results.ends import ResultDocument
from engine.view.documents import ContactDocument, LogLine, PieceDocument, ViewDocument

Document = dict[str, Any]


class StopSheet(TypedDict):
    """A stop of a battle online, as it opens; `campaign.services.stops` says what each entry is."""

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
    asked: bool
    known: NotRequired[BattleDocument]
    advice: NotRequired[OrdersDocument]


class StopEntry(TypedDict):
    """Whose orders counted at a stop: by whom they were sealed (`campaign.kinds.Source`), and their
    digest.
    """

    faction: str
    source: str
    digest: str


class StopInputs(TypedDict):
    """The orders of a stop as they are kept. `by`: captains, players or the umpire.

    `orders`: by ship, group or side under ids, as the engine carried them out; `refused`: by side,
    what could not be, whose ships held; `entries`: whose they were; `dice`: the beginning of their
    keys. Of a battle at a table `entered` has what each faction says came of it, and there are no
    orders.
    """

    turn: int
    stop: str
    by: str
    orders: NotRequired[dict[str, Any]]
    entries: NotRequired[list[StopEntry]]
    refused: NotRequired[dict[str, list[StoredFault]]]
    dice: NotRequired[list[str | int]]
    entered: NotRequired[dict[str, ResultDocument]]


class SideSheet(TypedDict):
    """The sheet a side is handed before it sits down at a table: `own` are its ships as in a battle
    file, `contacts` and `seen` parts of its view, `rules` the version of the rules.
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


class TableSheet(SideSheet):
    """The same for a faction of that side, by its own id of the battle."""

    battle: str
    hex: str


class ResultDifference(TypedDict):
    """A difference between the results that were entered: of which ship ("": of the battle), which
    part, and who says what.
    """

    ship: str
    part: str
    said: dict[str, Any]


class TableCheck(TypedDict):
    """The check of the results that were entered: differences and faults, under the faction's own
    names.

    `ruling`: the umpire entered the result instead, for this reason; the differences are then over.
    """

    battle: str
    round: int
    differences: list[ResultDifference]
    faults: list[StoredFault]
    ruling: NotRequired[str]
