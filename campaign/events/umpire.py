"""Events of an umpire: reports and rumours, reported contacts, bulletins, press items, rulings.

A rumour is stored like a report. No faction learns whether the umpire knows it to be true.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from campaign.events.contacts import ForceCounted
from campaign.events.event import Open, Umpire, WeekEvent


@dataclass(frozen=True, slots=True)
class Intelligence(WeekEvent):
    """A report that the umpire wrote to some factions.

    Attributes:
        unconfirmed: 1 if the umpire tells the readers that it may be wrong, else 0.
        truth: What the umpire noted about it (`report` or `rumour`).
    """

    code: ClassVar[str] = "intelligence"
    text: Open[str]
    unconfirmed: Open[int] = 0
    truth: Umpire[str] = ""


@dataclass(frozen=True, slots=True)
class ContactReported(ForceCounted):
    """Contacts of a faction in a hex, as the umpire reports them: in full, in part or wrongly."""

    code: ClassVar[str] = "contact-reported"


@dataclass(frozen=True, slots=True)
class Bulletin(WeekEvent):
    """An announcement of the umpire to all factions."""

    code: ClassVar[str] = "bulletin"
    of_a_war: ClassVar[bool] = True
    text: Open[str]


@dataclass(frozen=True, slots=True)
class PressItem(WeekEvent):
    """A paragraph that the umpire wrote for the newspaper."""

    code: ClassVar[str] = "press-item"
    of_a_war: ClassVar[bool] = True
    headline: Open[str]
    text: Open[str]


@dataclass(frozen=True, slots=True)
class UmpireRuled(WeekEvent):
    """A ruling of the umpire that concerns the reader."""

    code: ClassVar[str] = "ruled"
    of_a_war: ClassVar[bool] = True
    reason: Open[str]


@dataclass(frozen=True, slots=True)
class RecordCorrected(WeekEvent):
    """A correction by a ruling, as it appears in the reader's view.

    Attributes:
        what: The kind of thing (`umpire.adjudication.corrections`); likewise `field`.
        name: Its name, or the key of a system or faction.
        before: A number, name, key or hex, or several; empty: none.
    """

    code: ClassVar[str] = "corrected"
    of_a_war: ClassVar[bool] = True
    what: Open[str]
    name: Open[str]
    field: Open[str]
    before: Open[str]
    after: Open[str]
