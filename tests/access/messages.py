"""Messages of a stored pair: equal for the viewer's seat, random for others."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from itertools import product

from django.contrib.auth.models import User

from campaign import models
from campaign.kinds import MessageMode
from campaign.rules.message_rules import MessageRules
from campaign.rules.public_ids import outside_id
from tests.access.histories import History
from tests.access.private_rows import BEGAN, ID_SECRET, NOW


def message_settings(history: History) -> MessageRules:
    """Return how messages are sent in a pair: at once or by stage; sometimes the umpire reads all."""
    mode = MessageMode.SEALED if history.seed % 2 else MessageMode.AT_ONCE
    return MessageRules(mode, umpire_reads=history.seed % 3 == 1)


def message_id(sender: str, receiver: str, number: int) -> str:
    """Return the id of a stored message; "" means the umpire."""
    return str(outside_id(ID_SECRET, "message", f"{sender}/{receiver}/{number}"))


def _written_order(row: tuple[str, str, int, datetime | None]) -> tuple[int, str]:
    return row[2], row[1]


def write_messages(
    dice: random.Random,
    history: History,
    campaign: models.Campaign,
    factions: dict[str, models.Faction],
    people: dict[str, User],
) -> None:
    """Write the viewer's messages: a read and an unread one from everybody, and an unsent one.

    Messages between others, to the umpire, and unsent ones to the viewer are hidden from the
    viewer.
    """
    keys = sorted(factions)
    pairs = [*product(keys, keys), *((key, "") for key in keys), *(("", key) for key in keys)]
    rows: list[tuple[str, str, int, datetime | None]] = []
    for sender, receiver in pairs:
        mine = history.viewer in (sender, receiver)
        many = 2 if mine else dice.randint(0, 3)
        rows += [
            (sender, receiver, number, BEGAN + timedelta(hours=number)) for number in range(many)
        ]
        if sender == history.viewer:
            rows.append((sender, receiver, 5, None))
        elif mine:
            waits = [
                dice.choice((None, NOW + timedelta(hours=1))) for _ in range(dice.randint(0, 2))
            ]
            rows += [(sender, receiver, 6 + n, at) for n, at in enumerate(waits)]
    # rows of different senders are in random order, those of one sender in the order of writing
    turns = dice.sample([sender for sender, *_ in rows], len(rows))
    queues = {
        sender: iter(sorted((row for row in rows if row[0] == sender), key=_written_order))
        for sender in turns
    }
    for sender, receiver, number, at in (next(queues[sender]) for sender in turns):
        is_visible = history.viewer == sender or (history.viewer == receiver and number < 2)
        author = (
            "viewer" if sender == history.viewer else f"player-{sender}" if sender else "umpire"
        )
        message = models.Message.objects.create(
            public_id=message_id(sender, receiver, number),
            campaign=campaign,
            sender=factions.get(sender),
            receiver=factions.get(receiver),
            author=people[author],
            text=f"{number} from {sender} to {receiver}"
            + ("" if is_visible else f" {dice.random()}"),
            week=1,
            stage="orders",
            ordinal=1,
            written_at=BEGAN if is_visible else BEGAN + timedelta(minutes=dice.randint(0, 500)),
            delivered_at=at,
        )
        readers = (
            [people["viewer"]] if is_visible and number == 0 and receiver == history.viewer else []
        )
        if not is_visible:
            readers = [user for user in (people["staff"], people["umpire"]) if dice.random() < 0.5]
        for user in readers:
            models.MessageRead.objects.create(message=message, user=user)
