"""Whether a war is shown in the gallery, and which players consent."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.access import Viewer
from campaign.models.campaign import FACTION_ROLES, Campaign, Membership
from campaign.models.gallery import GalleryConsent
from campaign.models.ledger import LEAVE, TO_COMPUTER, Act

GALLERY_RULE = "gallery"  # key of the ruleset
AT_THE_END = 0  # value of the rule: the war is shown only after its end


@dataclass(frozen=True, slots=True)
class Consent:
    """A player's consent: whether their war may be shown, and their name with it."""

    may_be_shown: bool = False
    may_be_named: bool = False


def gallery_rule(campaign: Campaign) -> int | None:
    """Return how many weeks late the war is shown, 0 for only after its end, None for never."""
    if campaign.hidden_at is not None:
        return None
    weeks: int | None = campaign.ruleset.get(GALLERY_RULE)
    return weeks


def consent_of(viewer: Viewer) -> Consent:
    """Return a player's consent so far."""
    row = GalleryConsent.objects.filter(campaign=viewer.campaign, user_id=viewer.user.pk).first()
    if row is None:
        return Consent()
    return Consent(may_be_shown=True, may_be_named=row.may_be_named)


def all_consent(campaign: Campaign) -> bool:
    """Return whether all present and former players and staff of the war's factions consent."""
    return people_of(campaign) <= people_who_show(campaign)


def people_of(campaign: Campaign) -> set[int]:
    """Return all present and former players and staff of the war's factions."""
    members = Membership.objects.filter(campaign=campaign, role__in=FACTION_ROLES)
    people = set(members.values_list("user_id", flat=True))
    for act in Act.objects.filter(campaign=campaign, verb__in=(LEAVE, TO_COMPUTER)):
        if act.body["facts"]["role"] in FACTION_ROLES:
            people |= set(act.body["facts"]["people"])
    return people


def people_who_show(campaign: Campaign) -> set[int]:
    """Return those who consent to showing the whole war."""
    consents = GalleryConsent.objects.filter(campaign=campaign)
    return set(consents.values_list("user_id", flat=True))
