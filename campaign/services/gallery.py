"""The public gallery: how late a war is shown, as its host says before it begins, and who of its
players consents.

    gallery_rule(campaign) -> int | None                how many weeks late; 0: after the end alone; None: never
    gallery_rule_set(viewer, weeks) -> None             its host, before the war; None: at any time
    consent_of(viewer) -> Consent                       a player's own
    consent_set(viewer, shown, named) -> None           a player, at any time
    all_consent(campaign) -> bool                       everybody who plays or has played it in this war

A faction that a computer admiral leads consents by the host's rule. A consent stands when its
player has left his seat: what he ordered stays in the war. Whoever left without one keeps the war
out of the gallery.
"""

from __future__ import annotations

from django.db import transaction

from campaign.access import Viewer, require
from campaign.errors import AlreadyStarted, NotAllowed
from campaign.models.gallery import GalleryConsent
from campaign.selectors.gallery_consent import AT_THE_END, RULE, gallery_rule
from campaign.services.seats import lock_campaign
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

LEAST, MOST = 2, 52  # weeks


def gallery_rule_set(*, viewer: Viewer, weeks: int | None) -> None:
    """The host says how late his war is shown, before it begins; that it is not shown, at any time.

    Raises NotThere for other than hosts, AlreadyStarted, RuleViolations.
    """
    require(viewer, host=True)
    if weeks is not None and weeks != AT_THE_END and not LEAST <= weeks <= MOST:
        words = phrase("must be from {} to {} weeks, or 0 for after the end", LEAST, MOST)
        raise RuleViolations([Violation("weeks", "out-of-range", words)])
    with transaction.atomic():
        locked_campaign = lock_campaign(viewer.campaign)
        if weeks is not None and locked_campaign.ruleset.get("single"):
            raise RuleViolations(
                [
                    Violation(
                        "weeks",
                        "single-battle",
                        phrase("a single battle is not shown in the gallery"),
                    )
                ]
            )
        if (
            weeks is not None
            and locked_campaign.started_at is not None
            and weeks != gallery_rule(locked_campaign)
        ):
            raise AlreadyStarted(phrase("this campaign has started"))
        ruleset = {key: value for key, value in locked_campaign.ruleset.items() if key != RULE}
        locked_campaign.ruleset = ruleset if weeks is None else ruleset | {RULE: weeks}
        locked_campaign.save(update_fields=["ruleset"])


def consent_set(*, viewer: Viewer, show_war: bool, show_name: bool = False) -> None:
    """A player lets his war be shown, or takes that back: at once.

    Raises NotThere, NotAllowed without a rule.
    """
    campaign = require(viewer, play=True).campaign
    if not show_war:
        GalleryConsent.objects.filter(campaign=campaign, user_id=viewer.user.pk).delete()
        return
    if gallery_rule(campaign) is None:
        raise NotAllowed(phrase("the host of this campaign does not show it in the gallery"))
    GalleryConsent.objects.update_or_create(
        campaign=campaign, user_id=viewer.user.pk, defaults={"named": show_name}
    )
