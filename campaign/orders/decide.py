"""Decide: fight, stand off or withdraw, toward one hostile faction at a hex."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campaign.kinds import StageKind
from campaign.orders.line import Line
from campaign.orders.order import SPARE_ORDERS, Order, OrderContext, Wording, tables
from campaign.rules.orders import Decision
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from engine.core.errors import Violation, fault_path
from engine.core.phrase import phrase
from engine.core.reason import reason

CHOICES = (
    ("fight", phrase("fight")),
    ("stand-off", phrase("stand off")),
    ("withdraw", phrase("withdraw")),
)
# A decision in words, with the place and the other faction
CHOICE_LINES = {
    "fight": phrase("At {}: fight {}"),
    "stand-off": phrase("At {}: stand off against {}"),
    "withdraw": phrase("At {}: withdraw from {}"),
}


class DecideOrder(Order):
    """The choices toward hostile factions.

    Factions in contact since an earlier week choose with the orders of the week, all others in the
    stage after it.
    """

    key = "decide"
    is_listed_separately = True
    value = Decision
    stages = (StageKind.ORDERS, StageKind.DECISIONS)
    lines = (
        Line(
            "decide",
            "decide HEX FACTION fight|stand-off|withdraw",
            ("hex", "toward", "choice"),
        ),
    )

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(items, key=lambda item: (item.hex, item.toward, item.choice)))

    def limit(self, view: View) -> int:
        return len(view.in_contact) + len(view.open_decisions) + SPARE_ORDERS

    def default(self, scenario: Scenario, view: View) -> tuple[Decision, ...]:
        """Return the standing orders; where there is none, a stand-off."""
        if view.stage != StageKind.DECISIONS:
            return ()
        decisions = []
        for item in view.open_decisions:
            if item.fixed is None:
                decisions.append(Decision(item.hex, item.toward, choice=item.default))
        return tuple(decisions)

    def judge(self, context: OrderContext) -> list[Violation]:
        if not self.items(context.orders):
            return []
        if context.view.stage == StageKind.DECISIONS:
            decisions = set()
            for item in context.view.open_decisions:
                if item.fixed is None:
                    decisions.add((item.hex, item.toward))
            words = reason(
                "you-no-decision-make",
                "you have no decision to make about '{toward}' in {hex}",
            )
            return self._choice_faults(context, decisions, words)
        return self._contact_faults(context)

    def _contact_faults(self, context: OrderContext) -> list[Violation]:
        """Return the faults of choices toward factions in contact, given with the week's orders."""
        in_contact = {(contact.hex, contact.toward) for contact in context.view.in_contact}
        words = reason("you-not-contact", "you are not in contact with '{toward}' in {hex}")
        faults = self._choice_faults(context, in_contact, words)
        departure_hexes = set()
        for move in context.orders.moves:
            fleet = context.fleets.get(move.fleet)
            if fleet is not None and not fleet.in_ftl:
                departure_hexes.add(fleet.hex)
        for n, item in enumerate(self.items(context.orders)):
            moves_out = item.hex in departure_hexes
            is_in_contact = (item.hex, item.toward) in in_contact
            if moves_out and is_in_contact and item.choice != "withdraw":
                words = reason(
                    "your-fleets-moves-out",
                    "one of your fleets moves out of {}: the choice must be withdraw, not '{}'",
                    item.hex,
                    item.choice,
                )
                faults.append(Violation(fault_path(self.key, n, "choice"), "moves-out", words))
        return faults

    def _choice_faults(
        self,
        context: OrderContext,
        allowed: set[tuple[str, str]],
        not_asked: str,
    ) -> list[Violation]:
        """Return the faults of choices that are not open, and of repeated ones.

        Args:
            allowed: (hex, faction) about which a decision is open.
            not_asked: The message for any other choice, with `toward` and `hex` to fill in.
        """
        faults: list[Violation] = []
        first_place: dict[tuple[str, str], int] = {}
        for n, item in enumerate(self.items(context.orders)):
            subject = (item.hex, item.toward)
            if subject not in allowed:
                words = not_asked.format(toward=item.toward, hex=item.hex)
                faults.append(Violation(fault_path(self.key, n), "not-asked", words))
            if subject in first_place:
                words = reason(
                    "already-decided-decide",
                    "this is already decided in decide[{}]",
                    first_place[subject],
                )
                faults.append(Violation(fault_path(self.key, n), "twice", words))
            first_place.setdefault(subject, n)
        return faults

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        lines = []
        for item in tables(items):
            faction = str(item.get("toward"))
            faction_name = wording.powers.get(faction, faction)
            choice = str(item.get("choice"))
            place_name = wording.place(item.get("hex"))
            if choice in CHOICE_LINES:
                lines.append(CHOICE_LINES[choice].format(place_name, faction_name))
            else:
                lines.append(phrase("At {}: {} ({})", place_name, choice, faction_name))
        return lines

    def anchor(self, item: object, number: int, rest: str) -> str:
        if isinstance(item, dict):
            return decide_anchor(item.get("hex"), item.get("toward"))
        return ""


def decide_anchor(hex_: object, toward: object) -> str:
    """Return the id of the page element for the choice toward a faction in a hex."""
    return f"decide-{hex_}-{toward}"


def choice_words(choice: str) -> str:
    """Return the text of a choice for people."""
    return dict(CHOICES).get(choice) or phrase(choice)


DECIDE = DecideOrder()
