"""What stages, stops, battles and sealed entries can be, each with what people call it.

Members are for choosing and for labels. What is stored, compared and hashed is their plain text, as in
`Source.PLAYER.value`: a value from a row and one from here look alike in every key.
"""

from __future__ import annotations

from django.db.models import TextChoices

from engine.sequences import asks

# A stage of a battle in which its players give orders online is a stop of the engine: by what it asks, each with its
# title. A stop that the engine learns is one of them; no table knows their names.
STOP_TITLES: dict[str, str] = {ask.key: ask.title for ask in asks()}
STOPS = tuple(STOP_TITLES)
TABLE = "table"  # the kind of a battle's stage in which its players enter what came of it at their table


class StageStatus(TextChoices):
    """How far a stage is."""

    OPEN = "open", "open"
    CLOSED = "closed", "closed"
    RESOLVED = "resolved", "resolved"


class StageKind(TextChoices):
    """A stage of the week, as in the world."""

    DEPLOY = "deploy", "deployment"
    ORDERS = "orders", "orders"
    DECISIONS = "decisions", "decisions"
    BATTLES = "battles", "battles"


class BattleMode(TextChoices):
    """By whom a battle is fought."""

    CAPTAINS = "captains", "computer captains"
    ONLINE = "online", "online"
    TABLE = "table", "at a table"


class BattleStatus(TextChoices):
    """How far a battle is."""

    WAITING = "waiting", "waiting"
    FOUGHT = "fought", "fought"


class Source(TextChoices):
    """Who sealed an entry."""

    PLAYER = "player", "sealed by your side"
    STANDING = "standing", "standing orders"
    DEFAULT = "default", "default orders, nothing was sealed"
    ADMIRAL = "admiral", "your computer admiral"
    UMPIRE = "umpire", "the umpire"


def words_of(kinds: type[TextChoices]) -> dict[str, str]:
    """What people call each, by what is stored."""
    return {str(member.value): str(member.label) for member in kinds}
