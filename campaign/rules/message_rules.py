"""How messages are delivered in a war: the host's choice when it was opened, shown to everybody."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.kinds import MessageMode, words_of
from engine.core.errors import Violation
from engine.core.phrase import phrase

MODES = words_of(MessageMode)


@dataclass(frozen=True, slots=True)
class MessageRules:
    """When messages are delivered, and whether the umpire reads those between factions, too."""

    mode: str = MessageMode.OFF
    umpire_reads: bool = False

    @property
    def on(self) -> bool:
        """Return whether the war has messages at all."""
        return self.mode != MessageMode.OFF

    @property
    def words(self) -> str:
        """Return the mode as text."""
        return MODES[self.mode]

    def ruleset_entries(self) -> dict[str, str | bool]:
        """Return the entries for the campaign's ruleset, empty without messages."""
        if not self.on:
            return {}
        entries: dict[str, str | bool] = {"messages": str(self.mode)}
        if self.umpire_reads:
            entries["umpire_reads"] = True
        return entries

    def violations(self) -> list[Violation]:
        """Return every fault of the choice."""
        if self.mode not in MODES:
            words = phrase("must be one of {}", ", ".join(MODES))
            return [Violation("messages", "unknown-mode", words)]
        if self.umpire_reads and not self.on:
            words = phrase("the umpire can read messages only if messages are allowed")
            return [Violation("umpire_reads", "no-messages", words)]
        return []


NO_MESSAGES = MessageRules()
