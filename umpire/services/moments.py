"""Public moments: a turn of a finished battle that its players show to everybody with its address.

A moment needs the consent of all who play or have played in the war: to this moment, or to showing
the war in the gallery. Whoever plays alone consents by publishing. Any player can take a moment
back at any time.
"""

from __future__ import annotations

import uuid
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from campaign.access import Viewer, require
from campaign.errors import NotAllowed, NotFound
from campaign.models.battle import Battle, BattlePhase
from campaign.models.campaign import Campaign
from campaign.models.gallery import MomentConsent, PublicMoment
from campaign.selectors.clock import war_is_over
from campaign.selectors.families import may_be_public
from campaign.selectors.gallery_consent import gallery_rule, people_of, people_who_show
from campaign.selectors.truth import battle_of, battles_of, phases_of, upgraded_phases
from campaign.services.seats import lock_campaign
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from umpire.services.tables import battle_id

LONGEST_TITLE = 80
MOST = 20  # of a war
NO_MOMENT = phrase("there is no such moment")
NOT_PUBLIC = phrase("moments can be published once the war, and all its forks, are over")


def moment_publish(
    *,
    viewer: Viewer,
    battle: uuid.UUID,
    turn: int,
    title: str,
    is_named: bool = False,
    now: datetime | None = None,
) -> PublicMoment:
    """Publish a turn of a battle, or change the title of the one that the player published.

    It becomes public once all players have agreed. With another title they have to agree again.

    Args:
        battle: Its id, or that by which the viewer's faction knows it.

    Raises:
        NotFound: The viewer is not a player of the war, or there is no such battle.
        NotAllowed: The war is not over, or has too many moments.
        RuleViolations: The turn or the title is not possible.
    """
    campaign = require(viewer, play=True).campaign
    if not may_be_public(campaign=campaign):
        raise NotAllowed(NOT_PUBLIC)
    row = battle_known_as(viewer, battle)
    words = title.strip()
    faults = []
    if not 0 < len(words) <= LONGEST_TITLE:
        message = phrase("must have from 1 to {} characters", LONGEST_TITLE)
        faults.append(Violation("title", "length", message))
    if not phases_of(battle=row).filter(inputs__turn=turn).exists():
        faults.append(Violation("turn", "no-such-turn", phrase("the battle has no such turn")))
    if faults:
        raise RuleViolations(faults)
    with transaction.atomic():
        lock_campaign(campaign)
        own = PublicMoment.objects.filter(battle=row, turn=turn, by_id=viewer.user.pk)
        MomentConsent.objects.filter(moment__in=own).exclude(moment__title=words).delete()
        if not own.exists() and campaign.public_moments.count() >= MOST:
            raise NotAllowed(phrase("a war can have at most {} public moments", MOST))
        moment, _ = PublicMoment.objects.update_or_create(
            battle=row,
            turn=turn,
            by_id=viewer.user.pk,
            defaults={"title": words, "is_named": is_named},
            create_defaults={
                "public_id": uuid.uuid4(),
                "campaign": campaign,
                "title": words,
                "is_named": is_named,
                "created_at": now or timezone.now(),
            },
        )
        MomentConsent.objects.get_or_create(moment=moment, user_id=viewer.user.pk)
    return moment


def moment_agree(*, viewer: Viewer, moment: PublicMoment) -> None:
    """Consent to a moment of the viewer's war. Raises NotFound if the viewer does not play."""
    _require_player(viewer, moment)
    MomentConsent.objects.get_or_create(moment=moment, user_id=viewer.user.pk)


def moment_take_back(*, viewer: Viewer, moment: PublicMoment) -> None:
    """Delete a moment of the viewer's war. Raises NotFound if the viewer does not play."""
    _require_player(viewer, moment)
    moment.delete()


def _require_player(viewer: Viewer, moment: PublicMoment) -> None:
    """Raise NotFound unless the viewer plays in the moment's war."""
    if require(viewer, play=True).campaign.pk != moment.campaign_id:
        raise NotFound(NO_MOMENT)


def moments_of(campaign: Campaign) -> list[PublicMoment]:
    """Return the moments of a war, newest first, public or not; none while it goes on."""
    if not war_is_over(campaign=campaign):
        return []
    rows = campaign.public_moments.select_related("battle", "by")
    return list(rows.order_by("-created_at", "-pk"))


def moment_of(campaign: Campaign, public_id: uuid.UUID) -> PublicMoment:
    """Return a moment of a war, public or not. Raises NotFound."""
    moment = campaign.public_moments.filter(public_id=public_id).first()
    if moment is None:
        raise NotFound(NO_MOMENT)
    return moment


def awaited_people(moment: PublicMoment) -> set[int]:
    """Return the users who have not agreed to a moment."""
    campaign = moment.campaign
    agreed = set(moment.consents.values_list("user_id", flat=True))
    if gallery_rule(campaign) is not None:
        agreed |= people_who_show(campaign)
    return people_of(campaign) - agreed


def is_public(moment: PublicMoment) -> bool:
    """Return whether everybody may see a moment now."""
    return may_be_public(campaign=moment.campaign) and not awaited_people(moment)


def find_public_moment(public_id: uuid.UUID) -> PublicMoment:
    """Return a public moment. Raises NotFound alike for one that is not public and for none."""
    rows = PublicMoment.objects.select_related("campaign__scenario", "campaign__head_branch", "by")
    moment = rows.filter(public_id=public_id).first()
    if moment is None or not is_public(moment):
        raise NotFound(NO_MOMENT)
    return moment


def battle_of_moment(moment: PublicMoment) -> Battle:
    """Return the battle of a moment. Raises NotFound if the war was rolled back behind it."""
    branch = moment.campaign.head_branch
    if branch is None:
        raise NotFound(NO_MOMENT)
    return battle_of(branch=branch, public_id=moment.battle.public_id)


def phases_of_turn(battle: Battle, turn: int) -> tuple[BattlePhase, ...]:
    """Return the phases of a turn, and nothing else. Raises NotFound if there are none."""
    phases = upgraded_phases(phases_of(battle=battle).filter(inputs__turn=turn))
    if not phases:
        raise NotFound(NO_MOMENT)
    return phases


def battle_known_as(viewer: Viewer, id_: uuid.UUID) -> Battle:
    """Return the battle of a war whose story is public, by its id or the id in a player's reports.

    Raises:
        NotFound: There is no such battle.
    """
    branch = viewer.campaign.head_branch
    if branch is None:
        raise NotFound(NO_MOMENT)
    for row in battles_of(branch=branch):
        known_as = battle_id(branch, row, viewer.faction.key) if viewer.faction else ""
        if str(id_) in (str(row.public_id), known_as):
            return battle_of(branch=branch, public_id=row.public_id)
    raise NotFound(NO_MOMENT)
