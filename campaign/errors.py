"""Errors with which services refuse a request, besides invalid input (`engine.core.errors`).

Their texts reveal nothing hidden.
"""

from __future__ import annotations


class Refused(Exception):
    """A request that cannot be met now; nothing was changed."""

    @property
    def words(self) -> str:
        """Return the reason as a translatable text; `str(error)` is plain English."""
        words: str = self.args[0] if self.args else ""
        return words


class NoViewer(Refused):
    """A request for knowledge without a faction of that campaign, or before there is any."""


class InUse(Refused):
    """An object that cannot be deleted while others use it."""


class NotFound(Refused):
    """An object that does not exist or is hidden from this viewer."""


class StageClosed(Refused):
    """A stage that takes no more orders."""


class EditConflict(Refused):
    """A save that would overwrite what another user of the faction saved in the meantime."""


class AlreadySealed(Refused):
    """A stage that the faction has sealed; it must unseal first."""


class NothingSealed(Refused):
    """A stage for which the faction has sealed nothing that it could unseal."""


class AlreadyStarted(Refused):
    """A campaign that has started."""


class HistoryChanged(Refused):
    """A stage that is no longer at the head of its branch."""


class NotAllowed(Refused):
    """An action on something that the viewer may see but not change."""


class NotStarted(Refused):
    """A campaign that has not started."""


class AlreadyOver(Refused):
    """A war that is over."""


class TooMuch(Refused):
    """A request above a limit; it may be repeated after `wait` seconds."""

    def __init__(self, words: str, wait: int) -> None:
        super().__init__(words)
        self.wait = wait


class TooOften(TooMuch):
    """Too many requests of one account in this minute."""


class Busy(TooMuch):
    """A request while the server is busy with those of other users."""
