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
from campaign.models.campaign import Campaign, Faction
from campaign.models.stage import Stage
from campaign.rules.beacon import round_after
from campaign.rules.skirmish import is_skirmish
from campaign.selectors.beacon import waits_since
from campaign.selectors.envelopes import is_sealed
from campaign.selectors.next_action import FactionBattle, Member, NextAction, Task, next_action_of
from campaign.selectors.stuck import is_stuck, is_waiting_for_release
from campaign.services.outbox import moment_in
from campaign.store.documents import scenario_of
from campaign.words.common import battle_words
from engine.core.cache import Cache
from engine.core.phrase import phrase
from engine.english import counted_noun

# task -> (what to do, the button's label)
TASKS: dict[Task, tuple[str, str]] = {
    "deploy": (phrase("Build and deploy your force"), phrase("Deploy")),
    "orders": (phrase("Write the orders for week {week}"), phrase("Write orders")),
    "decisions": (phrase("Make your decisions for week {week}"), phrase("Decide")),
    "doctrine": (phrase("Set the doctrine for the battles in week {week}"), phrase("Set doctrine")),
}
# The same where the war is a single battle.
TASKS_OF_SINGLE_BATTLES: dict[Task, tuple[str, str]] = {
    "deploy": (phrase("Choose your ships for the battle"), phrase("Choose your ships")),
    "doctrine": (phrase("Set the doctrine for the battle"), phrase("Set doctrine")),
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
    "orders": phrase(
        "If you seal nothing, your fleets stay where they are, except those that must leave."
    ),
    "decisions": phrase("If you seal nothing, your standing orders decide."),
    "doctrine": phrase("If you seal nothing, your captains follow their fleets' earlier doctrine."),
}
UNSEALED_SHIPS = phrase("If you seal nothing, the proposed ships fight.")
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
# The stages of a week with their names
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
        """Whether the reader has to seal something for a stage."""
        return self.is_due and self.task in TASKS

    @property
    def calls_to_battle(self) -> bool:
        """Whether the reader's battle waits for them."""
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
    next_action = next_action_of(
        Member(campaign=campaign, roles=viewer.roles, faction=faction, stage=stage, sealed=sealed)
    )
    action = action_words(campaign, stage, next_action)
    if action.task == "watch" and viewer.guest_of is not None:
        return replace(
            action,
            reason=phrase("You are a guest of {}.", viewer.guest_of.name),
            label=phrase("Read the reports"),
            href=reverse("reports", kwargs=_url_arguments(campaign)),
        )
    if faction is not None and action.asks_for_orders and _has_something_to_decide(next_action):
        consequence = _unsealed_words(campaign, faction, action.task)
        return replace(action, reason=phrase("{} {}", action.reason, consequence).strip())
    return action


def _unsealed_words(campaign: Campaign, faction: Faction, task: Task) -> str:
    """Return what happens if a faction's players seal nothing."""
    if faction.admiral:
        return UNSEALED_ADMIRAL
    if task == "deploy" and is_skirmish(scenario_of(campaign)):
        return UNSEALED_SHIPS
    return UNSEALED[task]


def _has_something_to_decide(next_action: NextAction) -> bool:
    """Return whether a stage that the reader has to seal leaves them a choice."""
    if next_action.task == "decisions":
        return bool(next_action.decision_count)
    if next_action.task == "doctrine":
        return bool(next_action.fights)
    return True


def action_words(campaign: Campaign, stage: Stage | None, next_action: NextAction) -> ActionWords:
    """Return an action in words.

    Args:
        stage: The waiting stage.
    """
    war_key = campaign.public_id, campaign.scenario.sha256, campaign.paused_at is not None
    stage_key = None if stage is None else (stage.kind, stage.week, stage.closes is None)
    return _action_cache.get_or_make(
        (*war_key, stage_key, next_action, get_script_prefix()),
        lambda: _action_words(campaign, stage, next_action),
    )


def _action_words(campaign: Campaign, stage: Stage | None, next_action: NextAction) -> ActionWords:
    texts = _texts(campaign, stage, next_action)
    battle = next_action.battle
    return ActionWords(
        task=next_action.task,
        title=texts.title,
        reason=texts.reason,
        label=texts.label,
        href=texts.href,
        is_due=next_action.due,
        closes=next_action.closes,
        entry=_stage_address(campaign, stage, next_action),
        battle="" if battle is None else _battle_address(campaign, battle),
        turn=0 if battle is None else battle.turn,
    )


def _stage_address(campaign: Campaign, stage: Stage | None, next_action: NextAction) -> str:
    """Return the address of the open stage's page, or "" if it has nothing for the reader."""
    is_player = next_action.task in TASKS or next_action.task in ("fight", "table", "wait")
    if stage is None or not is_player:
        return ""
    battle = next_action.battle
    is_battle_over = battle is not None and battle.state == FactionBattleState.OVER
    if is_battle_over and not next_action.captains:
        return ""
    return reverse(PAGES[stage.kind], kwargs=_url_arguments(campaign))


def _texts(campaign: Campaign, stage: Stage | None, next_action: NextAction) -> _Texts:
    """Return the sentence, its reason, and the button's label and address."""
    is_single_battle = is_skirmish(scenario_of(campaign))
    if next_action.task in ("begin", "unbegun", "over", "resolving") or stage is None:
        return _lobby_words(campaign, stage, next_action, is_single_battle)
    if next_action.battle is not None:
        return _battle_words(campaign, next_action, next_action.battle, is_single_battle)
    if next_action.task in TASKS:
        tasks = {**TASKS, **TASKS_OF_SINGLE_BATTLES} if is_single_battle else TASKS
        task_title, task_label = tasks[next_action.task]
        title, reason, label = _task_words(
            next_action, task_title.format(week=stage.week), task_label
        )
        reason = phrase("{}{}", _pause_words(campaign), reason).strip()
        href = reverse(PAGES[stage.kind], kwargs=_url_arguments(campaign))
        return _Texts(title, reason, label, href)
    if next_action.quiet:
        return _nothing_to_do(
            campaign,
            reason=phrase(
                "You have nothing to decide. Empty orders are sealed for you when the stage closes."
            ),
        )
    if next_action.task == "wait":
        reason = phrase("{} {}", SEALED[stage.kind], closing_words(campaign, stage, next_action))
        if is_single_battle:
            receipts = reverse("receipts", kwargs=_url_arguments(campaign))
            return _Texts(
                phrase("Nothing to do now"), reason, phrase("See your receipts"), receipts
            )
        return _nothing_to_do(campaign, reason)
    return _watch_words(campaign, stage, next_action, is_single_battle)


def _nothing_to_do(campaign: Campaign, reason: str) -> _Texts:
    """Return the words for a player who can only look at the map."""
    href = reverse("map", kwargs=_url_arguments(campaign))
    return _Texts(phrase("Nothing to do now"), reason, phrase("See the map"), href)


def _pause_words(campaign: Campaign) -> str:
    """Return that the clock is paused, as the start of a reason; "" if it runs."""
    if campaign.paused_at is None:
        return ""
    return phrase("The clock is paused. ")


def _lobby_words(
    campaign: Campaign, stage: Stage | None, next_action: NextAction, is_single_battle: bool
) -> _Texts:
    """Return the words of an action that leads to the lobby or the war room."""
    lobby = reverse("lobby", kwargs=_url_arguments(campaign))
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
            _unbegun_words(is_single_battle=is_single_battle),
            phrase("Open lobby"),
            lobby,
        )
    if next_action.task == "over" or stage is None:
        return _Texts(
            phrase("The battle is over") if is_single_battle else phrase("The war is over"),
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
    if is_waiting_for_release(stage):
        reason = phrase("The stage is closed. The umpire holds the next one back for now.")
        return _Texts(phrase("The next stage is held back"), reason, phrase("Reload"), lobby)
    since = waits_since(campaign, stage)
    if since is not None:
        reason = phrase(
            "The stage is closed. It has waited for public dice (round {} of drand) since {}. It "
            "is resolved automatically when they arrive.",
            str(round_after(since)),  # as drand writes it, without separators
            moment_in(campaign, since),
        )
        return _Texts(phrase("Waiting for public dice"), reason, phrase("Reload"), lobby)
    reason = phrase("The stage is closed and being resolved; this takes a few seconds.")
    return _Texts(phrase("The stage is being resolved"), reason, phrase("Reload"), lobby)


def _unbegun_words(*, is_single_battle: bool) -> str:
    if is_single_battle:
        return phrase("You have your seat; the battle has not begun.")
    return phrase("You have your seat; the war has not begun.")


def _watch_words(
    campaign: Campaign, stage: Stage, next_action: NextAction, is_single_battle: bool
) -> _Texts:
    """Return the words for umpires, hosts and observers while the players act."""
    name = scenario_of(campaign).name if is_single_battle else stage_words(stage)
    words = phrase("{}: the stage is open.", name)
    if next_action.task == "umpire":
        return _Texts(
            WATCHED[stage.kind],
            words,
            phrase("Open umpire dashboard"),
            reverse("umpire", kwargs=_url_arguments(campaign)),
        )
    if next_action.task == "host":
        return _Texts(
            phrase("Watch the clock"),
            words,
            phrase("See the clock"),
            reverse("host", kwargs=_url_arguments(campaign)),
        )
    return _Texts(
        phrase("Watch the war"),
        phrase("{} You can see everything that is public.", words),
        phrase("Public record"),
        reverse("public", kwargs=_url_arguments(campaign)),
    )


def closing_words(campaign: Campaign, stage: Stage, next_action: NextAction) -> str:
    """Return when the stage closes that the reader has sealed.

    The text does not reveal whether others have sealed.
    """
    if campaign.paused_at is not None:
        return phrase("The clock is paused.")
    if next_action.closing == ClosingRule.SEALED:
        if next_action.is_alone:
            return phrase("The stage will be resolved in a moment.")
        if stage.closes is None:
            return phrase("The stage closes as soon as everybody has sealed.")
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
    campaign: Campaign, next_action: NextAction, battle: FactionBattle, is_single_battle: bool
) -> _Texts:
    """Return the words of an action about a battle that the reader fights."""
    address = _battle_address(campaign, battle)
    battle_name = battle_words(scenario_of(campaign), battle.hex)
    turn_title = phrase("{}: turn {}", battle_name, battle.turn)
    if not battle.turn:
        turn_title = phrase("{}: set-up", battle_name)
    table_title = phrase("{}: at your table", battle_name)
    pause = _pause_words(campaign)
    if next_action.task == "fight":
        if not battle.turn:
            reason = phrase("{}Place your ships for the battle.", pause)
            return _Texts(turn_title, reason, phrase("Place your ships"), address)
        reason = phrase("{}Your orders are needed: movement, fighters or fire.", pause)
        return _Texts(turn_title, reason, phrase("Give orders"), address)
    if next_action.task == "table":
        if battle.is_repeat:
            reason = phrase(
                "The results do not agree. See what differs, correct yours and seal it again."
            )
        else:
            reason = phrase(
                "Print your sheets and fight the battle at your table. Then every side enters the "
                "result."
            )
        reason = phrase("{}{}", pause, reason)
        return _Texts(table_title, reason, phrase("Go to the table"), address)
    if battle.state == FactionBattleState.OVER:
        week_words = "" if is_single_battle else phrase(" The week goes on when the stage closes.")
        return _Texts(
            phrase("{}: over", battle_name),
            phrase("Nothing more to seal.{}", week_words),
            phrase("See the result"),
            address,
        )
    if battle.at_table:
        reason = phrase("{}Your result is sealed. Not every side has entered one yet.", pause)
        return _Texts(table_title, reason, phrase("See your result"), address)
    if battle.state == FactionBattleState.SEALED:
        orders_text = phrase("Your orders are sealed.")
    else:
        orders_text = phrase("You have no orders to give now.")
    reason = phrase("{}{} The others have not all sealed yet.", pause, orders_text)
    return _Texts(turn_title, reason, phrase("Watch"), address)


def _battle_address(campaign: Campaign, battle: FactionBattle) -> str:
    """Return the page of a battle that the reader fights."""
    if battle.at_table:
        return reverse("battle-table", kwargs={**_url_arguments(campaign), "battle": battle.id})
    return reverse("battle-now", kwargs={**_url_arguments(campaign), "fight": battle.id})


def _url_arguments(campaign: Campaign) -> dict[str, object]:
    return {"c": campaign.public_id}


def stage_words(stage: Stage) -> str:
    """Return the name of a stage."""
    if stage.kind == StageKind.DEPLOY:
        return phrase("Deployment")
    return phrase("Week {}: {}", stage.week, stage.kind)
