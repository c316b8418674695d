"""What services refuse, besides faults of the input (`engine.core.errors`).

Texts name nothing hidden.
"""

from __future__ import annotations


class Refused(Exception):
    """The request cannot be met now; nothing was changed."""

    @property
    def words(self) -> str:
        """Why, as a text that can be told in any language: `str(error)` is plain English."""
        words: str = self.args[0] if self.args else ""
        return words


class NoViewer(Refused):
    """A faction's knowledge was asked for without a faction of that campaign, or before there is
    any.
    """


class InUse(Refused):
    """It cannot be done away with while something is made of it."""


class NotFound(Refused):
    """There is no such thing for this viewer: it does not exist, or it is hidden from him."""


class StageClosed(Refused):
    """The stage takes no more orders."""


class EditConflict(Refused):
    """Somebody else of the faction saved in between; saving now would lose that."""


class AlreadySealed(Refused):
    """The faction has sealed this stage; it must unseal first."""


class NothingSealed(Refused):
    """There is nothing to unseal."""


class AlreadyStarted(Refused):
    """The campaign has started."""


class HistoryChanged(Refused):
    """The stage is not at the head of its branch any more."""


class NotAllowed(Refused):
    """The viewer may see this, but it is not his to do."""


class NotStarted(Refused):
    """The campaign has not started."""


class AlreadyOver(Refused):
    """The war is over."""


class TooMuch(Refused):
    """More than one may ask for now. `wait`: seconds after which it may be tried again."""

    def __init__(self, words: str, wait: int) -> None:
        super().__init__(words)
        self.wait = wait


class TooOften(TooMuch):
    """An account has asked for too much in this minute."""


class Busy(TooMuch):
    """Others are being served just now."""
