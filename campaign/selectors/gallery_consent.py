"""Whether a war is shown in the gallery, and who consents to it."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.access import Viewer
from campaign.models.campaign import FACTION_ROLES, Campaign, Membership
from campaign.models.gallery import GalleryConsent
from campaign.models.ledger import LEAVE, TO_COMPUTER, Act

RULE = "gallery"  # the entry of a ruleset


AT_THE_END = 0


@dataclass(frozen=True, slots=True)
class Consent:
    """What a player has said: whether his war may be shown, and he be named there."""

    may_be_shown: bool = False
    may_be_named: bool = False


def gallery_rule(campaign: Campaign) -> int | None:
    """How many weeks late the war is shown; 0: when it is over. None: it is not."""
    weeks: int | None = campaign.ruleset.get(RULE)
    return weeks


def consent_of(viewer: Viewer) -> Consent:
    """What a player has said so far."""
    row = GalleryConsent.objects.filter(campaign=viewer.campaign, user_id=viewer.user.pk).first()
    return Consent() if row is None else Consent(True, row.named)


def all_consent(campaign: Campaign) -> bool:
    """Whether everybody consents who plays or helps to play a faction, or did so in the running
    war.
    """
    people = set(
        Membership.objects.filter(campaign=campaign, role__in=FACTION_ROLES).values_list(
            "user_id", flat=True
        )
    )
    for act in Act.objects.filter(campaign=campaign, verb__in=(LEAVE, TO_COMPUTER)):
        if act.body["facts"]["role"] in FACTION_ROLES:
            people |= set(act.body["facts"]["people"])
    return people <= set(
        GalleryConsent.objects.filter(campaign=campaign).values_list("user_id", flat=True)
    )
