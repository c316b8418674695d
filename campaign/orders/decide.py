"""Decide: fight, stand off or withdraw, toward one hostile faction at a hex."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campaign.kinds import StageKind
from campaign.orders.order import SLACK, Judging, Line, Order, Wording, tables
from campaign.rules.orders import Decide
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from engine.core.errors import Violation, place
from engine.core.phrase import phrase
from engine.core.reason import reason

CHOICES = (
    ("fight", phrase("fight")),
    ("stand-off", phrase("stand off")),
    ("withdraw", phrase("withdraw")),
)


class DecideOrder(Order):
    """The choices of those in contact with the orders of the week, of all others in the stage after it."""

    key = "decide"
    is_apart = True
    value = Decide
    stages = (StageKind.ORDERS, StageKind.DECISIONS)
    lines = (Line("decide", "decide HEX FACTION fight|stand-off|withdraw", ("hex", "toward", "choice")),)

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(items, key=lambda item: (item.hex, item.toward, item.choice)))

    def limit(self, view: View) -> int:
        return len(view.in_contact) + len(view.asked) + SLACK

    def default(self, scenario: Scenario, view: View) -> tuple[Decide, ...]:
        """The standing order, else a stand-off."""
        if view.stage != StageKind.DECISIONS:
            return ()
        asked = (item for item in view.asked if item.fixed is None)
        return tuple(Decide(item.hex, item.toward, item.default) for item in asked)

    def judge(self, judging: Judging) -> list[Violation]:
        if judging.view.stage == StageKind.DECISIONS:
            asked = {(item.hex, item.toward) for item in judging.view.asked if item.fixed is None}
            return self._choices(
                judging, asked, reason("you-no-decision-make", "you have no decision to make about '{toward}' in {hex}")
            )
        return self._in_contact(judging)

    def _in_contact(self, judging: Judging) -> list[Violation]:
        touching = {(touch.hex, touch.toward) for touch in judging.view.in_contact}
        faults = self._choices(
            judging, touching, reason("you-not-contact", "you are not in contact with '{toward}' in {hex}")
        )
        fleets = judging.fleets
        going = (fleets[move.fleet] for move in judging.orders.moves if move.fleet in fleets)
        leaving = {fleet.hex for fleet in going if not fleet.in_ftl}
        for n, item in enumerate(self.items(judging.orders)):
            if item.choice != "withdraw" and item.hex in leaving and (item.hex, item.toward) in touching:
                words = reason(
                    "your-fleets-moves-out",
                    "one of your fleets moves out of {}: that means withdraw, not '{}'",
                    item.hex,
                    item.choice,
                )
                faults.append(Violation(place(self.key, n, "choice"), "moves-out", words))
        return faults

    def _choices(self, judging: Judging, allowed: set[tuple[str, str]], words: str) -> list[Violation]:
        faults: list[Violation] = []
        first_place: dict[tuple[str, str], int] = {}
        for n, item in enumerate(self.items(judging.orders)):
            about = (item.hex, item.toward)
            if about not in allowed:
                text = words.format(toward=item.toward, hex=item.hex)
                faults.append(Violation(place(self.key, n), "not-asked", text))
            if about in first_place:
                text = reason("already-decided-decide", "this is already decided in decide[{}]", first_place[about])
                faults.append(Violation(place(self.key, n), "twice", text))
            first_place.setdefault(about, n)
        return faults

    def words(self, about: Wording, items: Sequence[Any]) -> list[str]:
        lines = []
        for item in tables(items):
            toward = about.powers.get(str(item.get("toward")), str(item.get("toward")))
            choice = choice_words(str(item.get("choice")))
            lines.append(phrase("At {}: {} toward {}", about.place(item.get("hex")), choice, toward))
        return lines

    def anchor(self, item: object, number: int, rest: str) -> str:
        return decide_anchor(item.get("hex"), item.get("toward")) if isinstance(item, dict) else ""


def decide_anchor(hex_: object, toward: object) -> str:
    """Return where a page shows the choice toward a faction in a hex, and what is wrong with it."""
    return f"decide-{hex_}-{toward}"


def choice_words(choice: str) -> str:
    """Return a choice as people say it."""
    return dict(CHOICES).get(choice) or phrase(choice)


DECIDE = DecideOrder()
