"""The versions of the rules that are recorded for a war, week by week."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.core.versions import (
    NEWEST,
    Change,
    Version,
    changes_between,
    everywhere_since,
    is_newer,
    playable_version,
)

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class ChangeOver:
    """A war's change to another version of the rules at the beginning of `week`.

    Attributes:
        before: Version of the rules until then.
        after: Version of the rules from then on.
        by: User name of who ordered it; empty for the site.
        at: When it was ordered.
    """

    week: int
    before: str
    after: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class RulesRecord:
    """The versions of the rules recorded for a war.

    `version_in` says which version the installed release uses instead of a recorded one.

    Attributes:
        change_overs: In the order of the acts.
    """

    first_version: str
    edition: str
    options: tuple[str, ...]
    change_overs: tuple[ChangeOver, ...]

    def recorded_version(self, week: int) -> str:
        """Return the version recorded for a week."""
        version = self.first_version
        for change_over in self._last_of_each_week():
            if change_over.week <= week:
                version = change_over.after
        return version

    def version_in(self, week: int) -> str:
        """Return the version used in a week: the recorded one, or the next that is still supported.

        Raises:
            UnknownRules: A later release wrote the record.
        """
        return playable_version(self.recorded_version(week))

    def next_change_over(self, week: int) -> ChangeOver | None:
        """Return the change-over that is still to come after a week, or None."""
        later = [item for item in self._last_of_each_week() if item.week > week]
        if not later or later[0].after == self.recorded_version(week):
            return None
        return later[0]

    def past_change_overs(self, week: int) -> tuple[ChangeOver, ...]:
        """Return the change-overs that have taken effect by a week, earliest first."""
        changes = []
        version = self.first_version
        for change_over in self._last_of_each_week():
            if change_over.week <= week and change_over.after != version:
                changes.append(change_over)
                version = change_over.after
        return tuple(changes)

    def list_changes(self, old: str, new: str) -> tuple[Change, ...]:
        """Return what a change between two versions would change in this war."""
        return changes_between(old, new, self.edition, self.options)

    def newest_changes(self, week: int) -> tuple[Change, ...]:
        """Return what the newest rules would change in this war from a week on."""
        return self.list_changes(self.version_in(week), NEWEST)

    def changes_in_every_war(self) -> tuple[Version, ...]:
        """Return the versions since the first one that changed something in all wars."""
        return everywhere_since(self.first_version)

    def is_outdated(self, week: int) -> bool:
        """Return whether there are newer rules than those of a week."""
        return is_newer(NEWEST, self.version_in(week))

    def _last_of_each_week(self) -> list[ChangeOver]:
        """Return the last change-over for each week, by week."""
        last = {change_over.week: change_over for change_over in self.change_overs}
        return [last[week] for week in sorted(last)]


def rules_record(
    ruleset: Mapping[str, Any], change_overs: Iterable[ChangeOver] = ()
) -> RulesRecord:
    """Return the record of a war with a ruleset."""
    return RulesRecord(
        first_version=ruleset["rules_version"],
        edition=ruleset["edition"],
        options=tuple(ruleset["options"]),
        change_overs=tuple(change_overs),
    )
