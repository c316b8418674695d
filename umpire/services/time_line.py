"""Messages, sealed orders and actions of a week in the order of their times, for its umpires."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from campaign.access import Viewer, require
from campaign.lineage import played_on_line
from campaign.models.campaign import Branch
from campaign.models.ledger import Act
from campaign.models.stage import IS_LATE, Submission
from campaign.selectors.clock import acts_of
from campaign.selectors.messages import list_faction_messages, list_messages, message_rules_of
from campaign.selectors.truth import stages_of

MESSAGE, ORDERS, ACTION = "message", "orders", "action"  # kinds of entries
SEALED, SEALED_LATE, TAKEN_BACK = "sealed", "sealed-late", "taken-back"  # what happens to orders


@dataclass(frozen=True, slots=True)
class TimeLineEntry:
    """A message, a sealing or an action.

    Attributes:
        faction: Whose message or orders they are; empty for umpires and actions.
        user: Who sealed or acted, if that is known.
        what: `sealed`, `sealed-late` or `taken-back`, the verb of an action, or empty for a
            message.
        to: The faction that gets a message; empty for the umpire.
        text: Of a message, or the reason of an action.
        ordinal: The stage whose orders were sealed; None for other entries.
        act: The action.
    """

    at: datetime
    kind: str
    faction: str = ""
    user: str = ""
    what: str = ""
    to: str = ""
    text: str = ""
    ordinal: int | None = None
    act: Act | None = None


def time_line_of(viewer: Viewer, week: int) -> list[TimeLineEntry]:
    """Return the time line of a week, oldest first.

    Messages between factions are there only if the war lets its umpire read them.

    Raises:
        NotFound: The viewer is not an umpire.
    """
    branch = require(viewer, umpire=True).campaign.head_branch
    if branch is None:
        return []
    entries = [
        *_order_entries(branch, week),
        *_act_entries(viewer, branch, week),
        *_message_entries(viewer, week),
    ]
    return sorted(entries, key=lambda entry: entry.at)


def _order_entries(branch: Branch, week: int) -> Iterator[TimeLineEntry]:
    """Yield when factions sealed orders in the stages of a week, and took them back."""
    stages = {row.pk: row for row in stages_of(branch=branch) if row.week == week}
    rows = Submission.objects.filter(stage__in=stages).select_related("faction", "author")
    for row in rows.annotate(is_late=IS_LATE):
        moments = [(SEALED_LATE if row.is_late else SEALED, row.sealed_at)]
        if row.withdrawn_at is not None:
            moments.append((TAKEN_BACK, row.withdrawn_at))
        for what, at in moments:
            yield TimeLineEntry(
                at,
                ORDERS,
                faction=row.faction.key,
                user="" if row.author is None else row.author.get_username(),
                what=what,
                ordinal=stages[row.stage_id].ordinal,
            )


def _act_entries(viewer: Viewer, branch: Branch, week: int) -> Iterator[TimeLineEntry]:
    """Yield the actions of a week on the line of a branch."""
    acts = acts_of(campaign=viewer.campaign, umpire=True).filter(stage__week=week)
    for act in played_on_line(acts, branch.pk, "stage__ordinal"):
        yield TimeLineEntry(
            act.at,
            ACTION,
            user=str(act.body["actor"]),
            what=act.verb,
            text=str(act.body["reason"]),
            act=act,
        )


def _message_entries(viewer: Viewer, week: int) -> Iterator[TimeLineEntry]:
    """Yield the delivered messages of a week that the umpire may read."""
    rules = message_rules_of(viewer.campaign)
    if not rules.on:
        return
    messages = list_messages(viewer)
    if rules.umpire_reads:
        messages += list_faction_messages(viewer)
    for message in messages:
        if message.week == week and message.at is not None:
            yield TimeLineEntry(
                message.at,
                MESSAGE,
                faction=message.sender or "",
                to=message.receiver or "",
                text=message.text,
            )
