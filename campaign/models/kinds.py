"""What stages, stops, battles and sealed entries can be, each with what people call it.

Members are for choosing and for labels. What is stored, compared and hashed is their plain text, as in
`Source.PLAYER.value`: a value from a row and one from here look alike in every key.
"""

from __future__ import annotations

from django.db.models import TextChoices

from engine.asks.control import CONTROLS
from engine.asks.engage import ENGAGEMENTS
from engine.asks.flights import FLIGHTS
from engine.asks.plot import PLOTS


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


class StopKind(TextChoices):
    """A stage of a battle in which its players give orders online: a stop of the engine."""

    PLOT = PLOTS.key, PLOTS.title
    FIGHTERS = FLIGHTS.key, FLIGHTS.title
    ENGAGE = ENGAGEMENTS.key, ENGAGEMENTS.title
    CONTROL = CONTROLS.key, CONTROLS.title


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
