"""Who decides on a rollback of a war: the host's choice when it was opened, shown to everybody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.kinds import RollbackConsent, RollbackPower, words_of
from engine.core.errors import Violation
from engine.core.phrase import phrase

POWER_RULE, CONSENT_RULE = "rollback", "rollback_consent"  # keys of the ruleset
POWERS = words_of(RollbackPower)
CONSENTS = words_of(RollbackConsent)


@dataclass(frozen=True, slots=True)
class RollbackRules:
    """Who decides on a rollback.

    Attributes:
        power: Whether an umpire decides alone, or also needs the consent of the sides. Without an
            umpire the sides always vote.
        consent: How many of the sides with players must agree in a vote.
    """

    power: str = RollbackPower.UMPIRE
    consent: str = RollbackConsent.ALL

    @property
    def umpire_needs_vote(self) -> bool:
        """Return whether an umpire also needs the consent of the sides."""
        return self.power == RollbackPower.VOTE

    @property
    def needs_all(self) -> bool:
        """Return whether every side with players must agree."""
        return self.consent == RollbackConsent.ALL

    def is_accepted(self, agreed: int, sides: int) -> bool:
        """Return whether enough of the sides with players have agreed."""
        if self.needs_all:
            return agreed >= sides
        return 3 * agreed >= 2 * sides

    def ruleset_entries(self) -> dict[str, str]:
        """Return the entries for the campaign's ruleset, without those that are the default."""
        entries = {}
        if self.umpire_needs_vote:
            entries[POWER_RULE] = str(self.power)
        if not self.needs_all:
            entries[CONSENT_RULE] = str(self.consent)
        return entries

    def violations(self) -> list[Violation]:
        """Return every fault of the choice."""
        violations = []
        if self.power not in POWERS:
            words = phrase("must be one of {}", ", ".join(POWERS))
            violations.append(Violation(POWER_RULE, "unknown-power", words))
        if self.consent not in CONSENTS:
            words = phrase("must be one of {}", ", ".join(CONSENTS))
            violations.append(Violation(CONSENT_RULE, "unknown-consent", words))
        return violations


DEFAULT_ROLLBACKS = RollbackRules()


def rollback_rules_of(ruleset: Mapping[str, Any]) -> RollbackRules:
    """Return who decides on rollbacks by the ruleset of a war."""
    return RollbackRules(
        ruleset.get(POWER_RULE, RollbackPower.UMPIRE),
        ruleset.get(CONSENT_RULE, RollbackConsent.ALL),
    )
