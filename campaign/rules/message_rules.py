"""How messages go in a war, as its host chose when it was opened and everybody in it is told."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.kinds import MessageMode, words_of
from engine.core.errors import Violation
from engine.core.phrase import phrase

MODES = words_of(MessageMode)


@dataclass(frozen=True, slots=True)
class MessageRules:
    """When messages go out, and whether the umpire reads those between factions, too."""

    mode: str = MessageMode.OFF
    umpire_reads: bool = False

    @property
    def on(self) -> bool:
        """Whether there are messages at all."""
        return self.mode != MessageMode.OFF

    @property
    def words(self) -> str:
        """The way in which messages go, in words."""
        return MODES[self.mode]

    def ruleset_entries(self) -> dict[str, str | bool]:
        """The entries of a ruleset about it: none where there are no messages."""
        if not self.on:
            return {}
        return {"messages": str(self.mode), **({"umpire_reads": True} if self.umpire_reads else {})}

    def violations(self) -> list[Violation]:
        """Every fault of what was chosen."""
        if self.mode not in MODES:
            return [
                Violation("messages", "unknown-mode", phrase("must be one of {}", ", ".join(MODES)))
            ]
        if self.umpire_reads and not self.on:
            return [
                Violation(
                    "umpire_reads",
                    "no-messages",
                    phrase("there are no messages that an umpire could read"),
                )
            ]
        return []


NO_MESSAGES = MessageRules()
