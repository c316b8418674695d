"""The wars in the public gallery, and up to which week each is shown.

A war that is not shown looks as if it did not exist. The last week depends only on what all members
see: the week of the newest public stage, and the rule its host set before the war. So nothing that
happened in a week changes when it appears.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from campaign.errors import NotFound
from campaign.kinds import StageStatus
from campaign.models.campaign import FACTION_ROLES, Campaign, Membership
from campaign.models.gallery import GalleryConsent
from campaign.selectors.envelopes import newest_stage_of
from campaign.selectors.families import may_be_public
from campaign.selectors.gallery_consent import AT_THE_END, GALLERY_RULE, all_consent, gallery_rule
from engine.core.phrase import phrase

NO_SUCH_WAR = phrase("there is no such war")


@dataclass(frozen=True, slots=True)
class GalleryWar:
    """A war in the gallery.

    Attributes:
        until: The last week that is shown.
        is_over: The whole war is shown.
        names: The players who consent to being named, by faction key.
    """

    campaign: Campaign
    until: int
    is_over: bool
    names: dict[str, tuple[str, ...]]


def gallery_wars() -> list[GalleryWar]:
    """Return all wars in the gallery, newest first."""
    rows = Campaign.objects.filter(ruleset__has_key=GALLERY_RULE, started_at__isnull=False)
    rows = rows.select_related("scenario", "head_branch").defer("scenario__body")
    wars = [_gallery_war(row) for row in rows.order_by("-started_at", "-pk")]
    return [war for war in wars if war is not None]


def find_gallery_war(public_id: uuid.UUID) -> GalleryWar:
    """Return a war in the gallery. Raises NotFound alike for hidden and nonexistent wars."""
    rows = Campaign.objects.filter(public_id=public_id).select_related("scenario", "head_branch")
    row = rows.defer("scenario__body").first()
    war = None if row is None else _gallery_war(row)
    if war is None:
        raise NotFound(NO_SUCH_WAR)
    return war


def _gallery_war(campaign: Campaign) -> GalleryWar | None:
    """Return a war as the gallery shows it, or None if it is not shown."""
    weeks_late = gallery_rule(campaign)
    newest_stage = newest_stage_of(campaign)
    if weeks_late is None or newest_stage is None or campaign.started_at is None:
        return None
    if not all_consent(campaign):
        return None
    is_over = newest_stage.status == StageStatus.RESOLVED
    if is_over:
        is_shown = may_be_public(campaign=campaign)
        until = newest_stage.week
    else:
        is_shown = weeks_late != AT_THE_END and not _has_common_history(campaign)
        until = newest_stage.week - weeks_late
    if is_shown and until >= 1:
        return GalleryWar(campaign, until, is_over, _names(campaign))
    return None


def _has_common_history(campaign: Campaign) -> bool:
    """Return whether another branch or war has the same weeks, where they may still be secret."""
    if campaign.forked_from_id is not None or campaign.branches.count() != 1:
        return True
    return Campaign.objects.filter(forked_from__branch__campaign=campaign).exists()


def _names(campaign: Campaign) -> dict[str, tuple[str, ...]]:
    """Return the players who consent to being named, by faction key."""
    consents = GalleryConsent.objects.filter(campaign=campaign, may_be_named=True)
    user_ids = set(consents.values_list("user_id", flat=True))
    seats = Membership.objects.filter(
        campaign=campaign, role__in=FACTION_ROLES, user_id__in=user_ids
    )
    names: dict[str, tuple[str, ...]] = {}
    for key, name in seats.order_by("user__username").values_list("faction__key", "user__username"):
        names[key] = (*names.get(key, ()), name)
    return names
