"""The public gallery: the host's rule for showing a war, and the players' consent.

A faction led by a computer admiral consents through the host's rule. A consent stays valid after
its player has left the seat, because their orders remain in the war. A player who left without
consenting keeps the war out of the gallery.
"""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from campaign.access import Viewer, require
from campaign.errors import AlreadyStarted, NotAllowed
from campaign.models.campaign import Campaign
from campaign.models.gallery import GalleryConsent, MomentConsent
from campaign.selectors.gallery_consent import AT_THE_END, GALLERY_RULE, gallery_rule
from campaign.services.seats import lock_campaign
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

FEWEST_WEEKS, MAX_WEEKS = 2, 52  # that a war may be shown late


def gallery_rule_set(*, viewer: Viewer, weeks: int | None) -> None:
    """Set how many weeks late a war is shown in the gallery, as its host.

    Args:
        weeks: 0 shows it only after the end. None, which is allowed at any time, never shows it.

    Raises:
        NotFound: The viewer is not a host.
        AlreadyStarted: The war has begun and `weeks` is not None.
        RuleViolations: The number of weeks is not allowed, or the war is a single battle.
    """
    require(viewer, host=True)
    with transaction.atomic():
        locked_campaign = lock_campaign(viewer.campaign)
        if locked_campaign.started_at is not None and weeks is None:
            # The ledger begins with a hash of the ruleset, which therefore no longer changes.
            locked_campaign.hidden_at = locked_campaign.hidden_at or timezone.now()
            locked_campaign.save(update_fields=["hidden_at"])
            return
        ruleset = dict(locked_campaign.ruleset)
        ruleset.pop(GALLERY_RULE, None)
        if weeks is not None:
            _check_rule(locked_campaign, weeks)
            ruleset[GALLERY_RULE] = weeks
        locked_campaign.ruleset = ruleset
        locked_campaign.save(update_fields=["ruleset"])


def _check_rule(campaign: Campaign, weeks: int) -> None:
    """Raise an error if a war cannot be shown this many weeks late; see `gallery_rule_set`."""
    if weeks != AT_THE_END and not FEWEST_WEEKS <= weeks <= MAX_WEEKS:
        words = phrase(
            "must be from {} to {} weeks, or 0 for after the end", FEWEST_WEEKS, MAX_WEEKS
        )
        raise RuleViolations([Violation("weeks", "out-of-range", words)])
    if campaign.ruleset.get("single"):
        words = phrase("a single battle is not shown in the gallery")
        raise RuleViolations([Violation("weeks", "single-battle", words)])
    if campaign.started_at is not None and weeks != gallery_rule(campaign):
        raise AlreadyStarted(phrase("this campaign has started"))


def consent_set(*, viewer: Viewer, show_war: bool, show_name: bool = False) -> None:
    """Set whether a player lets their war be shown in the gallery; this takes effect at once.

    Withdrawing it withdraws the consent to all moments of the war, too.

    Raises:
        NotFound: The viewer is not a player.
        NotAllowed: The host does not show the war.
    """
    campaign = require(viewer, play=True).campaign
    if not show_war:
        GalleryConsent.objects.filter(campaign=campaign, user_id=viewer.user.pk).delete()
        MomentConsent.objects.filter(moment__campaign=campaign, user_id=viewer.user.pk).delete()
        return
    if gallery_rule(campaign) is None:
        raise NotAllowed(phrase("the host of this campaign does not show it in the gallery"))
    GalleryConsent.objects.update_or_create(
        campaign=campaign, user_id=viewer.user.pk, defaults={"may_be_named": show_name}
    )
