"""The next action a campaign wants of a member (`campaign.selectors.next_action`), in words.

Each page shows it as one sentence and one button.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from django.urls import get_script_prefix, reverse

from campaign.access import Viewer
from campaign.kinds import ClosingRule, FactionBattleState, StageKind
from campaign.models.campaign import Campaign
from campaign.models.stage import Stage
from campaign.rules.skirmish import is_skirmish
from campaign.selectors.envelopes import is_sealed
from campaign.selectors.next_action import FactionBattle, Member, NextAction, Task, next_action_of
from campaign.selectors.stuck import is_stuck
from campaign.store.documents import scenario_of
from campaign.words.common import battle_words
from engine.core.cache import Cache
from engine.core.phrase import phrase
from engine.english import counted_noun

# task -> (what to do, the button's label)
TASKS: dict[Task, tuple[str, str]] = {
    "deploy": (phrase("Build and deploy your force"), phrase("Deploy")),
    "orders": (phrase("Write the orders of week {week}"), phrase("Write orders")),
    "decisions": (phrase("Give your decisions of week {week}"), phrase("Decide")),
    "doctrine": (phrase("Give doctrine for the battles of week {week}"), phrase("Give doctrine")),
}
SEALED = {
    "deploy": phrase("Your deployment is sealed."),
    "orders": phrase("Your orders are sealed."),
    "decisions": phrase("Your decisions are sealed."),
    "battles": phrase("Your doctrine is sealed."),
}
# What happens if a faction's players seal nothing (`campaign.orders.defaults`) and it has no
# computer admiral.
UNSEALED: dict[Task, str] = {
    "deploy": phrase("If you seal nothing, the scenario's own force is deployed."),
    "orders": phrase("If you seal nothing, your fleets stay where they are."),
    "decisions": phrase("If you seal nothing, your standing orders decide."),
    "doctrine": phrase("If you seal nothing, your captains follow their fleets' earlier doctrine."),
}
UNSEALED_ADMIRAL = phrase("If you seal nothing, your computer admiral decides.")
# What an umpire can watch during each stage.
WATCHED = {
    "deploy": phrase("See who has deployed"),
    "orders": phrase("See who has sealed orders"),
    "decisions": phrase("See who has decided"),
    "battles": phrase("See the battles"),
}
# The page for each kind of stage.
PAGES = {"deploy": "deploy", "orders": "orders", "decisions": "decisions", "battles": "orders"}
STEPS = (
    ("orders", phrase("Orders")),
    ("decisions", phrase("Decisions")),
    ("battles", phrase("Battles")),
)


@dataclass(frozen=True, slots=True)
class ActionWords:
    """The next thing to do."""

    task: Task
    title: str
    reason: str
    label: str
    href: str
    is_due: bool  # the campaign waits for this reader
    closes: datetime | None = None  # until when
    entry: str = ""  # address of the open stage's page, or empty
    battle: str = ""  # address of the reader's battle, or empty
    turn: int = 0  # of that battle

    @property
    def is_waiting(self) -> bool:
        """Whether the reader can only wait."""
        return self.task in ("wait", "resolving")

    @property
    def asks_for_orders(self) -> bool:
        return self.is_due and self.task in TASKS

    @property
    def calls_to_battle(self) -> bool:
        return self.is_due and self.task in ("fight", "table")


class _Texts(NamedTuple):
    """An action's sentence and its reason, and the button's label and address."""

    title: str
    reason: str
    label: str
    href: str


# By everything the words depend on. Building addresses takes 5% of the map page and of the ship
# list.
_action_cache: Cache[tuple[object, ...], ActionWords] = Cache(1024)


def current_action(viewer: Viewer, stage: Stage | None, sealed: bool | None = None) -> ActionWords:
    """Return the action that the viewer's campaign wants now.

    Args:
        stage: The waiting stage.
        sealed: Whether the viewer's faction has sealed it, if known.
    """
    campaign, faction = viewer.campaign, viewer.faction
    if sealed is None:
        sealed = stage is not None and faction is not None and is_sealed(stage, faction)
    next_action = next_action_of(Member(campaign, viewer.roles, faction, stage, sealed))
    action = action_words(campaign, stage, next_action)
    if action.task == "watch" and viewer.guest_of is not None:
        reports_address = reverse("reports", kwargs=_c(campaign))
        return replace(
            action,
            reason=phrase("You are a guest of {}.", viewer.guest_of.name),
            label=phrase("Read the reports"),
            href=reports_address,
        )
    is_idle = (next_action.task == "decisions" and not next_action.decision_count) or (
        next_action.task == "doctrine" and not next_action.fights
    )
    if action.asks_for_orders and faction is not None and not is_idle:
        if faction.admiral:
            otherwise = UNSEALED_ADMIRAL
        else:
            otherwise = UNSEALED[action.task]
        return replace(action, reason=phrase("{} {}", action.reason, otherwise).strip())
    return action


def action_words(campaign: Campaign, stage: Stage | None, next_action: NextAction) -> ActionWords:
    """Return an action in words.

    Args:
        stage: The waiting stage.
    """
    war = campaign.public_id, campaign.scenario.sha256, campaign.paused_at is not None
    waits = None if stage is None else (stage.kind, stage.week, stage.closes is None)
    return _action_cache.get_or_make(
        (*war, waits, next_action, get_script_prefix()),
        lambda: _action_words(campaign, stage, next_action),
    )


def _action_words(campaign: Campaign, stage: Stage | None, next_action: NextAction) -> ActionWords:
    title, reason, label, href = _words(campaign, stage, next_action)
    plays = next_action.task in TASKS or next_action.task in ("fight", "table", "wait")
    if plays and stage is not None:
        entry = reverse(PAGES[stage.kind], kwargs=_c(campaign))
    else:
        entry = ""
    if (
        next_action.battle is not None
        and not next_action.captains
        and next_action.battle.state == FactionBattleState.OVER
    ):
        entry = ""
    if next_action.battle is None:
        battle = ""
    else:
        battle = _battle_address(campaign, next_action.battle)
    turn = 0 if next_action.battle is None else next_action.battle.turn
    return ActionWords(
        next_action.task,
        title,
        reason,
        label,
        href,
        next_action.due,
        next_action.closes,
        entry,
        battle,
        turn,
    )


def _words(campaign: Campaign, stage: Stage | None, next_action: NextAction) -> _Texts:
    """Return the sentence, its reason, and the button's label and address."""
    single = is_skirmish(scenario_of(campaign))
    if next_action.task in ("begin", "unbegun", "over", "resolving") or stage is None:
        return _lobby_words(campaign, stage, next_action, single)
    if next_action.battle is not None:
        return _battle_words(campaign, next_action, next_action.battle, single)
    if next_action.task in TASKS:
        title, label = TASKS[next_action.task]
        if campaign.paused_at is not None:
            paused = phrase("The clock is paused. ")
        else:
            paused = ""
        title, reason, label = _task_words(next_action, title.format(week=stage.week), label)
        return _Texts(
            title,
            phrase("{}{}", paused, reason).strip(),
            label,
            reverse(PAGES[stage.kind], kwargs=_c(campaign)),
        )
    if next_action.quiet:
        reason = phrase(
            "You have nothing to decide. Empty orders are sealed for you when the stage closes."
        )
        return _Texts(
            phrase("Nothing to do now"),
            reason,
            phrase("See the map"),
            reverse("map", kwargs=_c(campaign)),
        )
    if next_action.task == "wait":
        reason = phrase("{} {}", SEALED[stage.kind], closing_words(campaign, stage, next_action))
        if single:
            return _Texts(
                phrase("Nothing to do now"),
                reason,
                phrase("See your receipts"),
                reverse("receipts", kwargs=_c(campaign)),
            )
        return _Texts(
            phrase("Nothing to do now"),
            reason,
            phrase("See the map"),
            reverse("map", kwargs=_c(campaign)),
        )
    return _watch_words(campaign, stage, next_action, single)


def _lobby_words(
    campaign: Campaign, stage: Stage | None, next_action: NextAction, single: bool
) -> _Texts:
    """Return the words of an action in the lobby or war room."""
    lobby = reverse("lobby", kwargs=_c(campaign))
    if next_action.task == "begin":
        return _Texts(
            phrase("Fill the seats and begin"),
            phrase("Invite people, or leave seats to the computer."),
            phrase("Open lobby"),
            lobby,
        )
    if next_action.task == "unbegun":
        return _Texts(
            phrase("Waiting for the host to start"),
            phrase("You have your seat; the war has not begun."),
            phrase("Open lobby"),
            lobby,
        )
    if next_action.task == "over" or stage is None:
        return _Texts(
            phrase("The battle is over") if single else phrase("The war is over"),
            phrase("Read how it ended."),
            phrase("See the result"),
            lobby,
        )
    if is_stuck(stage):
        reason = phrase(
            "The server cannot compute this stage. Nothing is lost: the host or the umpire "
            "decides how the war goes on."
        )
        return _Texts(phrase("The stage cannot be computed"), reason, phrase("Reload"), lobby)
    reason = phrase("The stage is closed and being resolved; this takes a few seconds.")
    return _Texts(phrase("The stage is being resolved"), reason, phrase("Reload"), lobby)


def _watch_words(campaign: Campaign, stage: Stage, next_action: NextAction, single: bool) -> _Texts:
    """Return the words for umpires, hosts and observers while the players act."""
    words = phrase(
        "{}: it is the players' turn.", scenario_of(campaign).name if single else stage_words(stage)
    )
    if next_action.task == "umpire":
        return _Texts(
            WATCHED[stage.kind],
            words,
            phrase("Open umpire dashboard"),
            reverse("umpire", kwargs=_c(campaign)),
        )
    if next_action.task == "host":
        return _Texts(
            phrase("Watch the clock"),
            words,
            phrase("See the clock"),
            reverse("host", kwargs=_c(campaign)),
        )
    return _Texts(
        phrase("Watch the war"),
        phrase("{} You can see everything that is public.", words),
        phrase("Public record"),
        reverse("public", kwargs=_c(campaign)),
    )


def closing_words(campaign: Campaign, stage: Stage, next_action: NextAction) -> str:
    """Return when the stage closes that the reader has sealed.

    The text does not reveal whether others have sealed.
    """
    if campaign.paused_at is not None:
        return phrase("The clock is paused.")
    if next_action.closing == ClosingRule.SEALED and next_action.is_alone:
        return phrase("The stage will be resolved in a moment.")
    if next_action.closing == ClosingRule.SEALED and stage.closes is None:
        return phrase("The stage closes as soon as everybody has sealed.")
    if next_action.closing == ClosingRule.SEALED:
        return phrase("The stage closes at its deadline, or as soon as everybody has sealed.")
    if next_action.closing == ClosingRule.READY and next_action.ready:
        return phrase(
            "The stage closes at its deadline, or as soon as every side is ready to go on. You "
            "are ready."
        )
    if next_action.closing == ClosingRule.READY:
        return phrase(
            "The stage closes at its deadline, or as soon as every side is ready to go on. You "
            "are not marked ready."
        )
    return phrase("The stage closes at its deadline.")


def _task_words(next_action: NextAction, title: str, label: str) -> tuple[str, str, str]:
    """Return the words of a stage's task, given whether the reader has anything to decide."""
    if next_action.task == "decisions" and next_action.decision_count:
        reason = phrase("Fight, stand off or withdraw: read the scan, then choose.")
        return (
            phrase(
                "Your fleets made contact in {}: decide",
                counted_noun(next_action.decision_count, "system"),
            ),
            reason,
            label,
        )
    if next_action.task == "decisions":
        reason = phrase(
            "Your fleets have nothing to decide. Seal anyway: every side does this every week, "
            "so it gives nothing away."
        )
        return phrase("Nothing to decide this week: seal"), reason, phrase("Seal")
    if next_action.task == "doctrine" and next_action.fights:
        return (
            title,
            phrase("There is a battle. Tell your captains what to aim at and when to break off."),
            label,
        )
    if next_action.task == "doctrine":
        return (
            phrase("No battle this week: seal"),
            phrase(
                "You have no battle. Seal anyway: every side does this every week, so it gives "
                "nothing away."
            ),
            phrase("Seal"),
        )
    return title, "", label


def _battle_words(
    campaign: Campaign, next_action: NextAction, battle: FactionBattle, single: bool
) -> _Texts:
    """Return the same for a battle that the reader fights."""
    where = _battle_address(campaign, battle)
    battle_name = battle_words(scenario_of(campaign), battle.hex)
    if campaign.paused_at is not None:
        paused = phrase("The clock is paused. ")
    else:
        paused = ""
    if next_action.task == "fight":
        reason = phrase("{}Your orders are needed: movement, fighters or fire.", paused)
        title = phrase("{}: turn {}", battle_name, battle.turn)
        return _Texts(title, reason, phrase("Give orders"), where)
    if next_action.task == "table" and battle.is_repeat:
        reason = phrase(
            "The results do not agree. See what differs, correct yours and seal it again."
        )
        return _Texts(
            phrase("{}: at your table", battle_name),
            phrase("{}{}", paused, reason),
            phrase("Go to the table"),
            where,
        )
    if next_action.task == "table":
        reason = phrase(
            "Print your sheets and fight the battle at your table. Then every side enters the "
            "result."
        )
        return _Texts(
            phrase("{}: at your table", battle_name),
            phrase("{}{}", paused, reason),
            phrase("Go to the table"),
            where,
        )
    if battle.state == FactionBattleState.OVER:
        if single:
            goes_on = ""
        else:
            goes_on = phrase(" The week goes on when the stage closes.")
        return _Texts(
            phrase("{}: over", battle_name),
            phrase("Nothing more to seal.{}", goes_on),
            phrase("See the result"),
            where,
        )
    if battle.at_table:
        reason = phrase("{}Your result is sealed. Not every side has entered one yet.", paused)
        title = phrase("{}: at your table", battle_name)
        return _Texts(title, reason, phrase("See your result"), where)
    if battle.state == FactionBattleState.SEALED:
        sealed_text = phrase("Your orders are sealed.")
    else:
        sealed_text = phrase("You have no orders to give now.")
    return _Texts(
        phrase("{}: turn {}", battle_name, battle.turn),
        phrase("{}{} The others have not all sealed yet.", paused, sealed_text),
        phrase("Watch"),
        where,
    )


def _battle_address(campaign: Campaign, battle: FactionBattle) -> str:
    """Return the page of a battle that the reader fights."""
    if battle.at_table:
        return reverse("battle-table", kwargs={**_c(campaign), "battle": battle.id})
    return reverse("battle-now", kwargs={**_c(campaign), "fight": battle.id})


def _c(campaign: Campaign) -> dict[str, object]:
    return {"c": campaign.public_id}


def stage_words(stage: Stage) -> str:
    """Return the name of a stage."""
    if stage.kind == StageKind.DEPLOY:
        return phrase("Deployment")
    return phrase("Week {}: {}", stage.week, stage.kind)
