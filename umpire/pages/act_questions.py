"""The questions that hosts and umpires are asked before an action, by its verb."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.models.ledger import (
    EXCUSE,
    EXTEND,
    GRACE,
    HOLD,
    NO_BEACON,
    PASSWORD_LINK,
    PAUSE,
    REBUILD,
    RELEASE,
    REMEDY,
    RESOLVE,
    RESUME,
    RULES,
    TO_COMPUTER,
)
from engine.core.phrase import phrase

REMIND = "remind"  # changes nothing in the campaign, so it is not logged


@dataclass(frozen=True, slots=True)
class Question:
    """The question before an action."""

    title: str
    words: str
    button: str
    is_final: bool = False  # it cannot be undone


QUESTIONS: dict[str, Question] = {
    REBUILD: Question(
        phrase("Compute damaged records again"),
        phrase(
            "The server computes the damaged results again from the sealed orders. It replaces "
            "them only if everything is what the ledger covers."
        ),
        phrase("Compute again"),
    ),
    EXTEND: Question(
        phrase("Extend the deadline"),
        phrase("The deadline of this stage moves to a later time for everybody."),
        phrase("Extend"),
    ),
    PAUSE: Question(
        phrase("Pause the clock"),
        phrase(
            "No stage closes until the clock is resumed. Orders can still be written and sealed."
        ),
        phrase("Pause"),
    ),
    RESUME: Question(
        phrase("Resume the clock"),
        phrase("The stage has as much time left as when the clock was paused."),
        phrase("Resume"),
    ),
    RESOLVE: Question(
        phrase("Close stage now"),
        phrase(
            "The stage closes at once. Computer admirals or standing orders decide for "
            "factions that have not sealed. This cannot be undone."
        ),
        phrase("Close the stage"),
        is_final=True,
    ),
    EXCUSE: Question(
        phrase("Skip a player"),
        phrase(
            "Until the end of this week, the deployment or a single battle, stages close without "
            "waiting for this faction. If it does not seal, standing orders are used."
        ),
        phrase("Skip this player"),
    ),
    TO_COMPUTER: Question(
        phrase("Hand over a faction to the computer"),
        phrase(
            "Its players lose their seats and are notified of the reason. From now on a "
            "computer admiral commands the faction. If another player is to take over instead, "
            "go to the list of players in the war room and choose “Offer this seat to another "
            "player”, or for your own faction “Hand over your seat to another player”."
        ),
        phrase("Hand over"),
        is_final=True,
    ),
    RULES: Question(
        phrase("Switch to another version of the rules"),
        phrase(
            "A war keeps the rules it began with until its host switches to other ones. The "
            "switch applies to everybody from the start of the next week and is written into the "
            "public record. After that, the war cannot go back to an older version."
        ),
        phrase("Switch the rules"),
        is_final=True,
    ),
    REMEDY: Question(
        phrase("The server cannot compute this stage"),
        phrase(
            "It has failed several times. All orders are kept. Choose how the stage is computed; "
            "your choice is written into the public record."
        ),
        phrase("Compute the stage"),
        is_final=True,
    ),
    REMIND: Question(
        phrase("Remind players who have not sealed"),
        phrase(
            "Everybody in a faction that is still awaited gets a message, at most one per hour."
        ),
        phrase("Remind"),
    ),
    GRACE: Question(
        phrase("Accept late orders"),
        phrase(
            "Orders are accepted for some hours after the deadline of this stage. Everybody sees "
            "until when."
        ),
        phrase("Accept late orders"),
    ),
    HOLD: Question(
        phrase("Hold the next stage"),
        phrase(
            "This stage closes as usual, but the next one does not open until an umpire releases "
            "it. Everybody sees that you hold it back."
        ),
        phrase("Hold"),
    ),
    NO_BEACON: Question(
        phrase("Go on without public dice"),
        phrase(
            "The site has tried for hours to get the public random value of this stage. Without "
            "it, the dice follow from the sealed orders, and administrators of this server can "
            "know them before the players. Everybody sees that this stage has no public dice. If "
            "an administrator plays in this war, the other sides vote first."
        ),
        phrase("Go on without them"),
        is_final=True,
    ),
    RELEASE: Question(
        phrase("Release the next stage"),
        phrase("The next stage opens as soon as this one is closed and computed."),
        phrase("Release"),
    ),
    PASSWORD_LINK: Question(
        phrase("Password reset link"),
        phrase(
            "Anybody who opens the link can set a new password for this account. It works once "
            "and is shown only now: send it to the person yourself."
        ),
        phrase("Create link"),
        is_final=True,
    ),
}
