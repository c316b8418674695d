"""What a campaign wants of somebody (`campaign.selectors.next_action`) as pages say it: one sentence, one button."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.urls import get_script_prefix, reverse

from campaign.access import Viewer
from campaign.envelopes import is_sealed
from campaign.kinds import FactionBattleState, StageKind
from campaign.models.campaign import Campaign
from campaign.models.stage import Stage
from campaign.pages.sayings import battle_words
from campaign.process_cache import ProcessCache
from campaign.rules.skirmish import is_skirmish
from campaign.selectors.next_action import FactionBattle, Member, NextAction, Task, next_action_of
from campaign.stored import scenario_of
from engine.english import counted_noun

# what is sealed at a stage -> (what to do, what the button says)
TASKS: dict[Task, tuple[str, str]] = {
    "deploy": ("Build your force and place it", "Deploy"),
    "orders": ("Write the orders of week {week}", "Write orders"),
    "decisions": ("Give your decisions of week {week}", "Decide"),
    "doctrine": ("Give doctrine for the battles of week {week}", "Give doctrine"),
}
SEALED = {
    "deploy": "Your deployment is sealed.",
    "orders": "Your orders are sealed.",
    "decisions": "Your decisions are sealed.",
    "battles": "Your doctrine is sealed.",
}
# The page that answers each kind of stage.
PAGES = {"deploy": "deploy", "orders": "orders", "decisions": "decisions", "battles": "orders"}
STEPS = (("orders", "Orders"), ("decisions", "Decisions"), ("battles", "Battles"))


@dataclass(frozen=True, slots=True)
class ActionWords:
    """The next thing to do. `due`: the campaign waits for this reader; else he waits. `closes`: until when.

    `entry`: the address that answers the open stage, `asks`: whether that is what is wanted; `battle`: the address of
    the battle that he fights, `calls`: whether that waits for him. Empty where there is none.
    """

    task: Task
    title: str
    why: str
    label: str
    href: str
    due: bool
    closes: datetime | None = None
    entry: str = ""
    battle: str = ""

    @property
    def waits(self) -> bool:
        """Whether he has nothing to do but to wait."""
        return self.task in ("wait", "resolving")

    @property
    def asks(self) -> bool:
        return self.due and self.task in TASKS

    @property
    def calls(self) -> bool:
        return self.due and self.task in ("fight", "table")


# Addresses take long to build; by all that the words are made of.
_said: ProcessCache[tuple[object, ...], ActionWords] = ProcessCache(1024)


def action_shown(viewer: Viewer, stage: Stage | None, sealed: bool | None = None) -> ActionWords:
    """The action that the viewer's campaign wants of him now. `stage`: the one that waits; `sealed`: where that is
    known.
    """
    campaign, faction = viewer.campaign, viewer.faction
    if sealed is None:
        sealed = stage is not None and faction is not None and is_sealed(stage, faction)
    said = action_words(campaign, stage, next_action_of(Member(campaign, viewer.roles, faction, stage, sealed)))
    if said.task == "watch" and viewer.guest_of is not None:
        seen = reverse("reports", kwargs=_c(campaign))
        return replace(said, why=f"You are a guest of {viewer.guest_of.name}.", label="Read the reports", href=seen)
    return said


def action_words(campaign: Campaign, stage: Stage | None, want: NextAction) -> ActionWords:
    """An action that is wanted, in words. `stage`: the one that waits."""
    war = campaign.public_id, campaign.scenario.sha256, campaign.paused_at is not None
    waits = None if stage is None else (stage.kind, stage.week)
    return _said.made((*war, waits, want, get_script_prefix()), lambda: _said_of(campaign, stage, want))


def _said_of(campaign: Campaign, stage: Stage | None, want: NextAction) -> ActionWords:
    title, why, label, href = _words(campaign, stage, want)
    plays = want.task in TASKS or want.task in ("fight", "table", "wait")
    entry = reverse(PAGES[stage.kind], kwargs=_c(campaign)) if plays and stage is not None else ""
    if want.battle is not None and not want.captains and want.battle.state == FactionBattleState.OVER:
        entry = ""
    battle = "" if want.battle is None else _at(campaign, want.battle)
    return ActionWords(want.task, title, why, label, href, want.due, want.closes, entry, battle)


def _words(campaign: Campaign, stage: Stage | None, want: NextAction) -> tuple[str, str, str, str]:
    """The sentence, its reason, and the button with its address."""
    lobby = reverse("lobby", kwargs=_c(campaign))
    if want.task == "begin":
        return "Fill the seats and begin", "Invite people, or leave seats to the computer.", "Open lobby", lobby
    if want.task == "unbegun":
        return "Waiting for the host to begin", "You have your seat; the war has not begun.", "Open lobby", lobby
    single = is_skirmish(scenario_of(campaign))
    if want.task == "over" or stage is None:
        return f"The {'battle' if single else 'war'} is over", "Read how it ended.", "See the result", lobby
    if want.task == "resolving":
        why = "The stage is closed and being resolved; it takes some seconds."
        return "The umpire is at work", why, "Look again", lobby
    if want.battle is not None:
        return _of_battle(campaign, want, want.battle, single)
    if want.task in TASKS:
        title, label = TASKS[want.task]
        paused = "The clock is paused. " if campaign.paused_at is not None else ""
        title, why, label = _told_better(want, title.format(week=stage.week), label)
        return title, f"{paused}{why}".strip(), label, reverse(PAGES[stage.kind], kwargs=_c(campaign))
    if want.quiet:
        why = "You have nothing to decide. Your empty sheet is sealed for you when the stage closes."
        return "Nothing to do now", why, "See the map", reverse("map", kwargs=_c(campaign))
    if want.task == "wait":
        why = f"{SEALED[stage.kind]} The others are awaited."
        if single:
            return "Nothing to do now", why, "See your receipts", reverse("receipts", kwargs=_c(campaign))
        return "Nothing to do now", why, "See the map", reverse("map", kwargs=_c(campaign))
    words = f"{scenario_of(campaign).name if single else stage_words(stage)}: the players are at it."
    if want.task == "umpire":
        return "See who has sealed", words, "Open desk", reverse("umpire", kwargs=_c(campaign))
    if want.task == "host":
        return "Keep the clock", words, "See the clock", reverse("host", kwargs=_c(campaign))
    return (
        "Look on",
        f"{words} What is public is here for you.",
        "Public record",
        reverse("public", kwargs=_c(campaign)),
    )


def _told_better(want: NextAction, title: str, label: str) -> tuple[str, str, str]:
    """A stage's task in the light of what the reader knows himself: whether there is anything to decide."""
    if want.task == "decisions" and want.met:
        why = "Fight, stand off or withdraw: read the scan, then choose."
        return f"Your fleets met somebody in {counted_noun(want.met, 'system')}: decide", why, label
    if want.task == "decisions":
        why = "Your fleets have nothing to decide. Seal anyway: every side does, every week."
        return "Nothing to decide this week: seal", why, "Seal"
    if want.task == "doctrine" and want.fights:
        return title, "There is a battle. Tell your captains what to aim at and when to break off.", label
    if want.task == "doctrine":
        return "No battle this week: seal", "You have no battle. Seal anyway: every side does, every week.", "Seal"
    return title, "", label


def _of_battle(campaign: Campaign, want: NextAction, battle: FactionBattle, single: bool) -> tuple[str, str, str, str]:
    """The same where the reader fights the battle himself."""
    where, called = _at(campaign, battle), battle_words(scenario_of(campaign), battle.hex)
    paused = "The clock is paused. " if campaign.paused_at is not None else ""
    if want.task == "fight":
        why = f"{paused}Your orders are needed: movement, fighters or fire."
        return f"{called}: turn {battle.turn}", why, "Give orders", where
    if want.task == "table" and battle.again:
        why = "The two results do not agree: see what differs, correct yours and seal it again."
        return f"{called}: at your table", f"{paused}{why}", "To the table", where
    if want.task == "table":
        why = "Print your sheets and fight it at your table. Then both sides enter the result."
        return f"{called}: at your table", f"{paused}{why}", "To the table", where
    if battle.state == FactionBattleState.OVER:
        goes_on = "" if single else " The week goes on when the stage closes."
        return f"{called}: over", f"There is nothing more to seal.{goes_on}", "See the result", where
    if battle.at_table:
        why = f"{paused}Your result is sealed. The other side has not entered one yet."
        return f"{called}: at your table", why, "See your result", where
    own = "Your orders are sealed." if battle.state == FactionBattleState.SEALED else "You have no orders to give now."
    return f"{called}: turn {battle.turn}", f"{paused}{own} The others have not all sealed yet.", "Watch", where


def _at(campaign: Campaign, battle: FactionBattle) -> str:
    """The page of a battle that the reader fights."""
    if battle.at_table:
        return reverse("battle-table", kwargs={**_c(campaign), "battle": battle.id})
    return reverse("battle-now", kwargs={**_c(campaign), "fight": battle.id})


def _c(campaign: Campaign) -> dict[str, object]:
    return {"c": campaign.public_id}


def stage_words(stage: Stage) -> str:
    """A stage as people say it."""
    return "Deployment" if stage.kind == StageKind.DEPLOY else f"Week {stage.week}: {stage.kind}"
