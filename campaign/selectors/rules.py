"""The version of the rules that a war uses in each week, and changes of it.

All of it is public. A change-over is an act (`campaign.models.ledger.RULES`) with facts {from, to,
week}, and takes effect at the beginning of that week. Of several for one week the last counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import BigIntegerField

from campaign.models.campaign import Campaign
from campaign.models.ledger import RULES, Act
from campaign.store.prepared import PreparedRows
from engine.core.versions import (
    NEWEST,
    Change,
    Version,
    changes_between,
    everywhere_since,
    is_newer,
    playable_version,
)

CHANGED = PreparedRows(
    lambda campaign: Act.objects.filter(campaign_id=campaign, verb=RULES).order_by("pk"),
    parameters=(BigIntegerField(),),
    related=("actor",),
)


@dataclass(frozen=True, slots=True)
class ChangeOver:
    """A war's change to another version of the rules at the beginning of `week`.

    Attributes:
        by: User name of who ordered it; empty for the site.
    """

    week: int
    before: str
    after: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class RulesRecord:
    """The versions of the rules recorded for a war.

    `at` says which version the installed release uses instead of a recorded one.

    Attributes:
        change_overs: In the order of the acts.
    """

    first_version: str
    edition: str
    options: tuple[str, ...]
    change_overs: tuple[ChangeOver, ...]

    def recorded_version(self, week: int) -> str:
        """Return the version recorded for a week."""
        return next(
            (turn.after for turn in reversed(self._counting()) if turn.week <= week),
            self.first_version,
        )

    def at(self, week: int) -> str:
        """Return the version used in a week: the recorded one, or the next that is still supported.

        Raises:
            UnknownRules: A later release wrote the record.
        """
        return playable_version(self.recorded_version(week))

    def next_after(self, week: int) -> ChangeOver | None:
        """Return the change-over that is still to come after a week, or None."""
        change = next((turn for turn in self._counting() if turn.week > week), None)
        if change is None or change.after == self.recorded_version(week):
            return None
        return change

    def past(self, week: int) -> tuple[ChangeOver, ...]:
        """Return the change-overs that have taken effect by a week, earliest first."""
        changes = []
        version = self.first_version
        for turn in self._counting():
            if turn.week <= week and turn.after != version:
                changes.append(turn)
                version = turn.after
        return tuple(changes)

    def would_change(self, old: str, new: str) -> tuple[Change, ...]:
        """Return what a change between two versions would change in this war."""
        return changes_between(old, new, self.edition, self.options)

    def newest_changes(self, week: int) -> tuple[Change, ...]:
        """Return what the newest rules would change in this war from a week on."""
        return self.would_change(self.at(week), NEWEST)

    def changes_in_every_war(self) -> tuple[Version, ...]:
        """Return the versions since the first one that changed something in all wars."""
        return everywhere_since(self.first_version)

    def is_outdated(self, week: int) -> bool:
        """Return whether there are newer rules than those of a week."""
        return is_newer(NEWEST, self.at(week))

    def _counting(self) -> list[ChangeOver]:
        """Return the last change-over for each week, by week."""
        last = {turn.week: turn for turn in self.change_overs}
        return [last[week] for week in sorted(last)]


def rules_of(campaign: Campaign) -> RulesRecord:
    """Return the recorded rules of a war."""
    ruleset = campaign.ruleset
    turns = []
    for act in CHANGED.rows(campaign.pk):
        turns.append(
            ChangeOver(
                week=act.body["facts"]["week"],
                before=act.body["facts"]["from"],
                after=act.body["facts"]["to"],
                by=act.actor.get_username() if act.actor else "",
                at=act.at,
            )
        )
    return RulesRecord(
        ruleset["rules_version"], ruleset["edition"], tuple(ruleset["options"]), tuple(turns)
    )
