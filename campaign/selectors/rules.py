"""The rules a war is played by, week by week: the version it began with, and what its hosts changed
over to.

All of it is public. A change-over is an act (`campaign.models.ledger.RULES`) with facts {from, to,
week}: it counts from the beginning of that week on. Of several for a week the last counts.
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
    """A war goes over to another version of the rules as `week` begins.

    `by`: who had it so, empty: the site.
    """

    week: int
    before: str
    after: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class RulesRecord:
    """The rules of a war: `begun` is the version it began with, `turns` what changed since, in the
    order of the acts.

    Versions are those of the record; `at` says by which the release at hand plays.
    """

    first_version: str
    edition: str
    options: tuple[str, ...]
    change_overs: tuple[ChangeOver, ...]

    def recorded_version(self, week: int) -> str:
        """The version that the record names for a week."""
        return next(
            (turn.after for turn in reversed(self._counting()) if turn.week <= week),
            self.first_version,
        )

    def at(self, week: int) -> str:
        """The version by which a week is played: one that is not played any more goes on by the
        next that is.

        Raises UnknownRules, where a later release wrote the record.
        """
        return playable_version(self.recorded_version(week))

    def next_after(self, week: int) -> ChangeOver | None:
        """The change-over that is still to come in a week."""
        change = next((turn for turn in self._counting() if turn.week > week), None)
        return None if change is None or change.after == self.recorded_version(week) else change

    def past(self, week: int) -> tuple[ChangeOver, ...]:
        """The change-overs that have taken effect by a week, the earliest first."""
        changes, version = [], self.first_version
        for turn in self._counting():
            if turn.week <= week and turn.after != version:
                changes.append(turn)
                version = turn.after
        return tuple(changes)

    def would_change(self, old: str, new: str) -> tuple[Change, ...]:
        """The changes of rules in this war where it goes over from one version to another."""
        return changes_between(old, new, self.edition, self.options)

    def newest_changes(self, week: int) -> tuple[Change, ...]:
        """The changes that the newest rules would make in this war from a week on."""
        return self.would_change(self.at(week), NEWEST)

    def changes_in_every_war(self) -> tuple[Version, ...]:
        """The versions since the one it began with that changed something in every war, this one
        too.
        """
        return everywhere_since(self.first_version)

    def is_outdated(self, week: int) -> bool:
        """Whether there are newer rules than those of a week."""
        return is_newer(NEWEST, self.at(week))

    def _counting(self) -> list[ChangeOver]:
        """The last act for every week, by week."""
        last = {turn.week: turn for turn in self.change_overs}
        return [last[week] for week in sorted(last)]


def rules_of(campaign: Campaign) -> RulesRecord:
    """The record of a war's rules."""
    ruleset = campaign.ruleset
    turns = [
        ChangeOver(
            week=act.body["facts"]["week"],
            before=act.body["facts"]["from"],
            after=act.body["facts"]["to"],
            by=act.actor.get_username() if act.actor else "",
            at=act.at,
        )
        for act in CHANGED.rows(campaign.pk)
    ]
    return RulesRecord(
        ruleset["rules_version"], ruleset["edition"], tuple(ruleset["options"]), tuple(turns)
    )
