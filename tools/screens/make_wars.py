"""Create wars and people for pictures, in the environment of a site.

`python -m tools.screens.make_wars PLAYER UMPIRE [LANGUAGE]` prints what it created as JSON, by
name:

- `deciding`: Lafayette, where fleets of both sides have met. Its people write messages, it is in
  the gallery, a seat is offered (`invited`, the path of the link), and its host does nothing else.
- `told`: a finished war, in the gallery. `moment`: a public moment of it.
- `technology`: a war with tech bases.
- `waiting`: a war of three that has not begun: one seat taken, one offered, one with a computer.
- `twice`: the session of an account with a second factor, whose secret is `FACTOR`.
- `reset`: the path of a link in an e-mail for a new password.
- `mail_stop`: the path of the link in every e-mail that turns e-mails off.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from campaign.models import Campaign

HOST, ENEMY, FACTOR = "screens-host", "screens-vega", "screens-twice"
SEED = 7
DECIDES_IN = 4  # the week; the gallery is two weeks behind
APP = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"  # the secret of the second factor
MESSAGES = (  # sender, recipient (None: the umpire), text
    (
        ENEMY,
        ("nac",),
        "You have lost Kakisa already. Leave Baffin by week five and nobody fires on your transports.",
    ),
    ("PLAYER", ("esu",), "Nobody leaves Baffin.\nBut let us talk of prisoners, ours and yours."),
    (
        ENEMY,
        ("nac",),
        "Then of prisoners. Two cutters under a white light, at the Rock, in the week after next.",
    ),
    (
        "PLAYER",
        (None,),
        "Do two scouts that were docked when they met something scan as one contact or as two?",
    ),
    ("UMPIRE", ("nac",), "As two: docking hides nobody from sensors."),
)


def main(player: str, umpire: str, language: str = "") -> None:
    """Create them, and print where they are.

    Args:
        language: The language of all accounts.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.contrib.auth.models import User

    from campaign.services.preferences import preference_save
    from tests.site.people import PASSWORD

    users = {name: User.objects.get(username=name) for name in (player, umpire)}
    new = {
        name: User.objects.create_user(name, password=PASSWORD, email=f"{name}@example.org")
        for name in (HOST, ENEMY, FACTOR)
    }
    for user in User.objects.all() if language else ():
        preference_save(user=user, language=language)
    people = {**new, "PLAYER": users[player], "UMPIRE": users[umpire]}
    print(
        json.dumps(
            {
                **_deciding(people),
                **_technology(people),
                **_waiting(people),
                **_twice(people[FACTOR]),
                **_finished_war(people),
            }
        )
    )


def _deciding(people: dict[str, Any]) -> dict[str, str]:
    from django.urls import reverse

    from campaign.access import viewer_of
    from campaign.rules.files import fixture_scenario
    from campaign.rules.message_rules import MessageRules
    from campaign.services.campaigns import campaign_create, membership_add
    from campaign.services.gallery import consent_set, gallery_rule_set
    from campaign.services.invites import invite_create
    from campaign.services.messages import message_write
    from campaign.services.scenarios import scenario_import
    from umpire.services.stages import stage_resolve
    from umpire.services.wars import campaign_start, seed_from

    campaign = campaign_create(
        scenario=scenario_import(scenario=fixture_scenario("lafayette")),
        name="Thursday's war",
        admirals={"nac": "bold", "esu": "bold"},
        messages=MessageRules("at-once", umpire_reads=True),
        seed=seed_from(SEED),
        dice_key="lafayette",
    )
    membership_add(campaign=campaign, user=people[HOST], role="host")
    host = viewer_of(people[HOST], campaign.public_id)
    gallery_rule_set(viewer=host, weeks=2)
    stage = campaign_start(campaign=campaign)
    while stage.week < DECIDES_IN or stage.kind != "decisions":
        resolution = stage_resolve(stage=stage.pk, force=True)
        assert resolution is not None
        assert resolution.next is not None, "the war was over before that"
        stage = resolution.next
    membership_add(campaign=campaign, user=people["UMPIRE"], role="umpire")
    for name, key in (("PLAYER", "nac"), (ENEMY, "esu")):
        membership_add(
            campaign=campaign,
            user=people[name],
            role="player",
            faction=campaign.factions.get(key=key),
        )
        consent_set(
            viewer=viewer_of(people[name], campaign.public_id), show_war=True, show_name=True
        )
    for name, to, text in MESSAGES:
        message_write(viewer=viewer_of(people[name], campaign.public_id), to=to, text=text)
    invited = invite_create(viewer=host, role="observer")
    path = reverse("join", args=[campaign.public_id, invited.token])
    return {"deciding": str(campaign.public_id), "invited": path}


def _finished_war(people: dict[str, Any]) -> dict[str, str]:
    """Finish a war, and show it in the gallery with the consent of all its players."""
    from campaign.models import Campaign, GalleryConsent
    from campaign.models.campaign import FACTION_ROLES
    from campaign.selectors.families import may_be_public

    rows = [
        row
        for row in Campaign.objects.filter(scenario__slug="lafayette")
        if may_be_public(campaign=row)
    ]
    campaign = max(rows, key=lambda row: row.pk)
    # A war that has begun keeps its ruleset: this one appears as if it had begun with the rule.
    wars = Campaign.objects.filter(pk=campaign.pk)
    wars.update(started_at=None)
    wars.update(ruleset={**campaign.ruleset, "gallery": 0}, started_at=campaign.started_at)
    for member in campaign.memberships.filter(role__in=FACTION_ROLES):
        GalleryConsent.objects.get_or_create(campaign=campaign, user=member.user)
    return {"told": str(campaign.public_id), "moment": _moment_of(campaign, people)}


def _moment_of(campaign: Campaign, people: dict[str, Any]) -> str:
    """Publish the third turn of the longest battle of a war; return the id of the moment."""
    from campaign.access import viewer_of
    from campaign.models import Battle, BattlePhase
    from umpire.services.moments import moment_publish

    viewer = viewer_of(people["PLAYER"], campaign.public_id)
    battles = Battle.objects.filter(branch=campaign.head_branch)
    longest = max(battles, key=lambda row: BattlePhase.objects.filter(battle=row).count())
    moment = moment_publish(
        viewer=viewer,
        battle=longest.public_id,
        turn=3,
        title="The escorts break through",
        is_named=True,
    )
    return str(moment.public_id)


def _technology(people: dict[str, Any]) -> dict[str, str]:
    from campaign.rules.files import fixture_scenario
    from campaign.services.campaigns import campaign_create, membership_add
    from campaign.services.scenarios import scenario_import
    from umpire.services.wars import campaign_start, seed_from

    scenario = scenario_import(scenario=fixture_scenario("lafayette-continuum"))
    campaign = campaign_create(scenario=scenario, seed=seed_from(SEED), dice_key="technology")
    membership_add(
        campaign=campaign,
        user=people["PLAYER"],
        role="player",
        faction=campaign.factions.get(key="nac"),
    )
    campaign_start(campaign=campaign)
    return {"technology": str(campaign.public_id)}


def _waiting(people: dict[str, Any]) -> dict[str, str]:
    from campaign.access import viewer_of
    from campaign.rules.files import fixture_scenario
    from campaign.services.campaigns import campaign_create, membership_add
    from campaign.services.invites import invite_create
    from campaign.services.scenarios import scenario_import

    value = fixture_scenario("three-powers")
    first, second, third = (faction.id for faction in value.factions)
    campaign = campaign_create(
        scenario=scenario_import(scenario=value), name="Club night", admirals={third: "cautious"}
    )
    membership_add(campaign=campaign, user=people[HOST], role="host")
    membership_add(
        campaign=campaign,
        user=people["PLAYER"],
        role="player",
        faction=campaign.factions.get(key=first),
    )
    invite_create(viewer=viewer_of(people[HOST], campaign.public_id), faction=second)
    return {"waiting": str(campaign.public_id)}


def _twice(user: Any) -> dict[str, str]:
    from importlib import import_module

    from allauth.account.forms import default_token_generator
    from allauth.account.internal.flows.login import record_authentication
    from allauth.account.utils import user_pk_to_url_str
    from allauth.mfa.models import Authenticator
    from allauth.mfa.totp.internal.auth import TOTP
    from django.conf import settings
    from django.contrib.auth import login
    from django.http import HttpRequest
    from django.urls import reverse

    from campaign.services.mails import mail_stop_path

    TOTP.activate(user, APP)
    codes = {"seed": APP, "used_mask": 0}
    Authenticator.objects.create(user=user, type=Authenticator.Type.RECOVERY_CODES, data=codes)
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore()
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[-1])
    record_authentication(request, user, method="password", reauthenticated=True)
    request.session.save()
    link = {"uidb36": user_pk_to_url_str(user), "key": default_token_generator.make_token(user)}
    return {
        "twice": str(request.session.session_key),
        "reset": reverse("account_reset_password_from_key", kwargs=link),
        "mail_stop": mail_stop_path(user),
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
