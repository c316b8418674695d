"""Commands sent from Discord: link an account, and carry out commands for its user.

Answers are visible only to the sender. They pass through Discord's servers, so they name campaigns,
stages and deadlines, but no place, fleet or battle.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from campaign.errors import Refused
from campaign.kinds import StageStatus
from campaign.models.account import DiscordAccount, Notification
from campaign.models.campaign import FACTION_ROLES, Campaign
from campaign.models.stage import Stage
from campaign.selectors.envelopes import envelope_of
from campaign.selectors.heads import head_at
from campaign.selectors.next_action import OwnCampaign, campaigns_of
from campaign.services.envelopes import envelope_seal
from campaign.services.orders import WeekOrders
from campaign.services.outbox import moment_in, stage_name, with_head
from campaign.services.user_texts import texts_for_users
from campaign.words.languages import in_language
from engine.core.errors import RuleViolations
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun

CODE_BYTES = 8
CODE_LIFETIME = timedelta(minutes=15)
MAX_HOURS = 72  # before the stage closes, for a reminder
UNLINKED = phrase(
    "This Discord account is not linked. Create a code on your profile page, then enter /link "
    "and the code."
)
REMINDER = phrase("{campaign}: {stage} closes {closes}.")
Options = Mapping[str, Any]


def code_make(*, user: AbstractBaseUser, now: datetime | None = None) -> str:
    """Make a code, valid once for 15 minutes, that links a Discord account to the user.

    It replaces an earlier code. An existing link stays until the code is used.
    """
    code = secrets.token_hex(CODE_BYTES)
    code_ends = (now or timezone.now()) + CODE_LIFETIME
    DiscordAccount.objects.update_or_create(
        user_id=user.pk, defaults={"code_sha256": _code_hash(code), "code_ends": code_ends}
    )
    return code


@transaction.atomic
def code_redeem(*, code: str, discord_id: str, now: datetime) -> str:
    """Link the Discord account that sent a code, use up the code, and return the answer."""
    row = (
        DiscordAccount.objects.select_for_update()
        .filter(code_sha256=_code_hash(code), user__is_active=True)
        .first()
    )
    if row is None or row.code_ends is None or row.code_ends <= now:
        return phrase("This code is wrong or too old. Create a new one on your profile page.")
    row.code_sha256 = None
    row.code_ends = None
    if DiscordAccount.objects.filter(discord_id=discord_id).exclude(pk=row.pk).exists():
        row.save()
        return phrase(
            "This Discord account is linked to another player, "
            "who can unlink it on the profile page."
        )
    row.discord_id = discord_id
    row.save()
    return phrase("Linked. /status shows your campaigns.")


def is_linked(*, user: AbstractBaseUser) -> bool:
    """Return whether a Discord account is linked to the user."""
    return DiscordAccount.objects.filter(user_id=user.pk, discord_id__isnull=False).exists()


def account_unlink(*, user: AbstractBaseUser) -> None:
    """Unlink the user's Discord account and delete any open code."""
    DiscordAccount.objects.filter(user_id=user.pk).delete()


def user_linked(*, discord_id: str) -> AbstractBaseUser | None:
    """Return the user linked to a Discord account, or None."""
    rows = DiscordAccount.objects.filter(
        discord_id=discord_id, user__is_active=True
    ).select_related("user")
    return next((row.user for row in rows), None)


def command_run(*, user: AbstractBaseUser, name: str, options: Options, now: datetime) -> str:
    """Carry out a command and return the answer in the current language."""
    command = COMMANDS.get(name)
    if command is None:
        answer = phrase("There is no such command.")
    else:
        answer = command(user, options, now)
    return in_language(answer)


def _status(user: AbstractBaseUser, _: Options, __: datetime) -> str:
    """Describe the user's campaigns that are under way, one on each line."""
    running = [mine for mine in campaigns_of(user) if mine.stage is not None]
    if not running:
        return phrase("None of your campaigns is running.")
    return join_phrases("\n", (_campaign_status(mine) for mine in running))


def _campaign_status(mine: OwnCampaign) -> str:
    """Describe the state of a campaign: what is public, and whether the user's side has sealed."""
    stage = mine.stage
    if stage is None:
        return phrase("{}: over.", mine.campaign.name)
    if stage.status != StageStatus.OPEN:
        return phrase("{}: {} is closed and being resolved.", mine.campaign.name, stage_name(stage))
    status = _stage_status(mine.campaign, stage)
    if not _plays(mine):
        return status
    if mine.sealed:
        sealed = phrase("Your side has sealed.")
    else:
        sealed = phrase("Your side has not sealed.")
    return join_phrases(" ", (status, sealed))


def _stage_status(campaign: Campaign, stage: Stage) -> str:
    """Say until when a stage is open."""
    name = stage_name(stage)
    if campaign.paused_at is not None:
        return phrase("{}: {} is open, and the clock is paused.", campaign.name, name)
    if stage.closes is None:
        return phrase("{}: {} is open.", campaign.name, name)
    return phrase(
        "{}: {} is open until {}.", campaign.name, name, moment_in(campaign, stage.closes)
    )


def _seal(user: AbstractBaseUser, options: Options, now: datetime) -> str:
    """Seal the draft of the open stage of the week in the campaign that the command means."""
    mine = _find_campaign(user, options)
    if isinstance(mine, str):
        return mine
    if mine.stage is None or mine.faction is None or mine.stage.status != StageStatus.OPEN:
        return phrase("{}: nothing can be sealed now.", mine.campaign.name)
    mine.stage.branch.campaign = mine.campaign
    document = WeekOrders(mine.stage, mine.faction)
    envelope = envelope_of(document)
    subject = phrase("{}, {}", mine.campaign.name, stage_name(mine.stage))
    if envelope.sealed is not None:
        return phrase("{}: your side has already sealed.", subject)
    if envelope.draft is None:
        return phrase("{}: there is no draft to seal.", subject)
    try:
        envelope_seal(
            document=document,
            payload=envelope.draft.payload,
            author=user,
            version=envelope.version,
            now=now,
        )
    except RuleViolations as error:
        faults = counted_noun(len(error.violations), "fault")
        return phrase("{}: not sealed. Your draft has {}; see the orders page.", subject, faults)
    except Refused as error:
        return phrase("{}: not sealed, {}.", subject, error.args[0] if error.args else "")
    return phrase("{}: sealed. The receipt is on the page.", subject)


def _remind(user: AbstractBaseUser, options: Options, now: datetime) -> str:
    """Schedule a reminder, by the user's chosen channels, some hours before the stage closes."""
    mine = _find_campaign(user, options)
    if isinstance(mine, str):
        return mine
    stage = mine.stage
    hours = options.get("hours", 1)
    if type(hours) is not int or not 1 <= hours <= MAX_HOURS:
        return phrase("Choose from 1 to {} hours before the stage closes.", MAX_HOURS)
    if (
        stage is None
        or stage.status != StageStatus.OPEN
        or stage.closes is None
        or mine.campaign.paused_at
    ):
        return phrase("{}: no open stage has a deadline.", mine.campaign.name)
    due_at = stage.closes - timedelta(hours=hours)
    if due_at <= now:
        closing = moment_in(mine.campaign, stage.closes)
        return phrase("{}: the stage closes earlier than that, {}.", mine.campaign.name, closing)
    stage_key = f"{mine.campaign.public_id}/{stage.branch.number}/{stage.ordinal}"
    closes = stage.closes

    def words() -> str:
        return REMINDER.format(
            campaign=mine.campaign.name,
            stage=stage_name(stage),
            closes=moment_in(mine.campaign, closes),
        )

    head = head_at(mine.campaign, stage.branch, now)
    row = Notification(
        user_id=user.pk,
        dedupe_key=f"asked/{stage_key}/{hours}/{user.pk}",
        body=texts_for_users([user.pk], lambda: with_head(words(), head))[user.pk],
        path=f"/c/{mine.campaign.public_id}/",
        signed_head="" if head is None else head.note,
        due_at=due_at,
    )
    Notification.objects.bulk_create([row], ignore_conflicts=True)
    due_text = moment_in(mine.campaign, due_at)
    return phrase(
        "{}: you will be reminded {}, as set on your profile page.", mine.campaign.name, due_text
    )


def _find_campaign(user: AbstractBaseUser, options: Options) -> OwnCampaign | str:
    """Return the running campaign that a command means, or a message if that is not clear.

    The option `campaign` is the beginning of its name; without it the user's only one is meant.
    """
    prefix = str(options.get("campaign", "")).strip().casefold()
    running = []
    for mine in campaigns_of(user):
        if mine.stage is not None and _plays(mine):
            running.append(mine)
    matches = [mine for mine in running if mine.campaign.name.casefold().startswith(prefix)]
    if len(matches) == 1:
        return matches[0]
    if not running:
        return phrase("You are not playing in any running campaign.")
    names = "; ".join(mine.campaign.name for mine in matches or running)
    return phrase("Which campaign? Choose from: {}", names)


def _plays(mine: OwnCampaign) -> bool:
    """Return whether the user is a player or on the staff of a faction in the campaign."""
    return mine.faction is not None and not set(FACTION_ROLES).isdisjoint(mine.roles)


def _code_hash(code: str) -> str:
    """Return the stored hash of a code, whatever its case and surrounding spaces."""
    return hashlib.sha256(code.strip().lower().encode(errors="replace")).hexdigest()


COMMANDS: dict[str, Callable[[AbstractBaseUser, Options, datetime], str]] = {
    "status": _status,
    "seal": _seal,
    "remind": _remind,
}
