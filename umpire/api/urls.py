"""Addresses of the umpire's API.

`<c>`: a campaign's public id. Other users can only use the gallery and their own scenarios.

GET             /api/gallery/                       the wars that are public now
GET POST DELETE /api/own-scenarios/<id>/balance/    test wars of the caller's scenario {wars}
GET POST        /api/own-scenarios/<id>/handicap/   a handicap that balances it; search for one
POST            /api/own-scenarios/<id>/handicap/apply/  undo/  add it to the scenario; remove it
GET             /api/umpire/troubles/               troubles in all wars of the caller
POST            /api/umpire/remind/                 remind in several wars {wars: [{id, stage}]}
POST            /api/umpire/extend/                 host too: more time {wars: [{id, stage}], hours
                                                    or until, reason}
POST            /api/umpire/pause/                  host too: stop clocks {wars: [{id}], until,
                                                    reason}

Below /api/campaigns/<c>/:

GET             archive/                        the archive of a finished war, gzipped
GET             archive/own/                    what the caller's side can prove now
GET POST        timelines/                      timelines of the war; roll it back, or propose it
                                                {to, head, reason, dice}
POST            timelines/answer/               answer a proposal {proposal, answer}
POST            reveal/                         propose to publish a finished war's story now
GET             luck/                           the luck account of a finished war
GET POST        forks/                          weeks with which a fork can begin; create one
                                                {week, name, play, admirals}
GET POST        moments/                        public moments of battles; publish one {battle,
                                                turn, title, named}
DELETE          moments/<id>/                   take one back
POST            moments/<id>/agree/             agree to one that another player published
GET             umpire/world/                   the whole truth (?seq= an earlier snapshot)
GET             umpire/fleets/  ships/  systems/  repairs/
                                                lists: ?search= ?condition= ?hex= ?faction=
                                                ?ordering= ?page=
GET             umpire/stages/                  all stages, and which factions have sealed
GET             umpire/submissions/             the sealed entries of a stage with their orders
                                                (?stage=n)
GET             umpire/battles/                 battles with their results (?week=)
GET             umpire/battles/<id>/            one, with all phases
POST            umpire/battles/<id>/mode/       how it is fought, before it begins {mode, reason}
GET POST        umpire/battles/<id>/result/     the sides' claims about a battle at a table; its
                                                result {turns, ships, reason, round}
GET             umpire/factions/<key>/view/     what a faction knows (?week=&stage=)
GET             umpire/acts/                    acts of hosts and umpires
GET POST        umpire/events/                  events that umpires wrote; write one {kind,
                                                factions, week, at, text, ...}
GET POST        umpire/rulings/                 rulings; make, hold, undo, preview or withdraw one
                                                {patches, reason, public_note, also, hold, ...}
GET             umpire/checklist/               what is due, and what waits
GET             umpire/time-line/               messages, orders and actions (?week=)
GET             umpire/opened/                  what umpires opened
GET POST        umpire/marks/                   your pencil marks; write one {hex, text}
POST            umpire/resolve/                 host too: close the stage now {stage, reason}
POST            umpire/extend/                  host too: more time {stage, hours or until, reason}
POST            umpire/pause/                   host too: stop the clock, maybe until a time {until,
                                                reason}
POST            umpire/resume/                  host too: restart the clock {reason}
POST            umpire/grace/                   accept late orders {stage, hours, reason}
POST            umpire/hold/                    hold the next stage, or release it {stage,
                                                held, reason}
POST            umpire/no-beacon/               host too: let a closed stage go on without public
                                                dice {stage, reason}
POST            umpire/remind/                  remind players who have not sealed {stage}
POST            umpire/excuse/                  host too: do not wait for a faction {faction, week,
                                                reason}
POST            umpire/rules/                   host too: rules from next week on {version, stage,
                                                reason}
POST            umpire/rebuild/                 compute damaged records again {reason}
POST            umpire/remedy/                  host too: a stage that cannot be computed {stage,
                                                way, reason}
POST            umpire/password-link/           a player's lost password {username, reason}

All other addresses under /api/ are 404.
"""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path, re_path

from campaign.api.resource import NowhereResource
from umpire.api import (
    acts,
    archive,
    balances,
    events,
    forks,
    gallery,
    levers,
    lists,
    luck,
    many_wars,
    moments,
    rulings,
    timelines,
    truth,
)

OWN_SCENARIO = "own-scenarios/<str:scenario>/"
UMPIRE = "campaigns/<str:campaign>/umpire/"

urlpatterns: list[URLPattern | URLResolver] = [
    path(
        "campaigns/<str:campaign>/archive/own/",
        archive.OwnArchiveResource.as_view(),
        name="api-own-archive",
    ),
    path(
        "campaigns/<str:campaign>/archive/",
        archive.ArchiveResource.as_view(),
        name="api-archive",
    ),
    path("gallery/", gallery.GalleryListResource.as_view(), name="api-gallery-list"),
    path(
        OWN_SCENARIO + "balance/",
        balances.BalanceResource.as_view(),
        name="api-own-scenario-balance",
    ),
    path(
        OWN_SCENARIO + "handicap/",
        balances.HandicapResource.as_view(),
        name="api-own-scenario-handicap",
    ),
    path(
        OWN_SCENARIO + "handicap/apply/",
        balances.HandicapApplyResource.as_view(),
        name="api-own-scenario-handicap-apply",
    ),
    path(
        OWN_SCENARIO + "handicap/undo/",
        balances.HandicapUndoResource.as_view(),
        name="api-own-scenario-handicap-undo",
    ),
    path("umpire/troubles/", many_wars.TroubleListResource.as_view(), name="api-umpire-troubles"),
    path("umpire/remind/", many_wars.RemindWarsResource.as_view(), name="api-wars-remind"),
    path("umpire/extend/", many_wars.ExtendWarsResource.as_view(), name="api-wars-extend"),
    path("umpire/pause/", many_wars.PauseWarsResource.as_view(), name="api-wars-pause"),
    path(
        "campaigns/<str:campaign>/moments/",
        moments.MomentListResource.as_view(),
        name="api-moments",
    ),
    path(
        "campaigns/<str:campaign>/moments/<str:moment>/",
        moments.MomentResource.as_view(),
        name="api-moment",
    ),
    path(
        "campaigns/<str:campaign>/moments/<str:moment>/agree/",
        moments.MomentAgreeResource.as_view(),
        name="api-moment-agree",
    ),
    path(
        "campaigns/<str:campaign>/timelines/",
        timelines.TimelinesResource.as_view(),
        name="api-timelines",
    ),
    path(
        "campaigns/<str:campaign>/timelines/answer/",
        timelines.ProposalAnswerResource.as_view(),
        name="api-proposal-answer",
    ),
    path("campaigns/<str:campaign>/reveal/", timelines.RevealResource.as_view(), name="api-reveal"),
    path("campaigns/<str:campaign>/luck/", luck.LuckResource.as_view(), name="api-luck"),
    path("campaigns/<str:campaign>/forks/", forks.ForkListResource.as_view(), name="api-forks"),
    path(UMPIRE + "world/", truth.WorldResource.as_view(), name="api-umpire-world"),
    path(UMPIRE + "fleets/", lists.UmpireFleetListResource.as_view(), name="api-umpire-fleets"),
    path(UMPIRE + "ships/", lists.UmpireShipListResource.as_view(), name="api-umpire-ships"),
    path(UMPIRE + "systems/", lists.UmpireSystemListResource.as_view(), name="api-umpire-systems"),
    path(UMPIRE + "repairs/", lists.UmpireRepairListResource.as_view(), name="api-umpire-repairs"),
    path(UMPIRE + "stages/", truth.UmpireStageListResource.as_view(), name="api-umpire-stages"),
    path(UMPIRE + "submissions/", truth.EntryListResource.as_view(), name="api-umpire-submissions"),
    path(UMPIRE + "battles/", truth.UmpireBattleListResource.as_view(), name="api-umpire-battles"),
    path(
        UMPIRE + "battles/<str:battle>/",
        truth.UmpireBattleResource.as_view(),
        name="api-umpire-battle",
    ),
    path(
        UMPIRE + "battles/<str:battle>/mode/", acts.ModeResource.as_view(), name="api-umpire-mode"
    ),
    path(
        UMPIRE + "battles/<str:battle>/result/",
        acts.ResultResource.as_view(),
        name="api-umpire-result",
    ),
    path(
        UMPIRE + "factions/<str:faction>/view/",
        truth.FactionViewResource.as_view(),
        name="api-umpire-view",
    ),
    path(UMPIRE + "acts/", truth.ActListResource.as_view(), name="api-umpire-acts"),
    path(UMPIRE + "events/", events.UmpireEventResource.as_view(), name="api-umpire-events"),
    path(UMPIRE + "rulings/", rulings.RulingResource.as_view(), name="api-umpire-rulings"),
    path(UMPIRE + "opened/", levers.OpeningListResource.as_view(), name="api-umpire-opened"),
    path(UMPIRE + "checklist/", levers.ChecklistResource.as_view(), name="api-umpire-checklist"),
    path(UMPIRE + "time-line/", levers.TimeLineResource.as_view(), name="api-umpire-time-line"),
    path(UMPIRE + "marks/", levers.PencilMarkResource.as_view(), name="api-umpire-marks"),
    path(UMPIRE + "resolve/", acts.ResolveResource.as_view(), name="api-umpire-resolve"),
    path(UMPIRE + "extend/", acts.ExtendResource.as_view(), name="api-umpire-extend"),
    path(UMPIRE + "pause/", acts.PauseResource.as_view(), name="api-umpire-pause"),
    path(UMPIRE + "resume/", acts.ResumeResource.as_view(), name="api-umpire-resume"),
    path(UMPIRE + "grace/", acts.GraceResource.as_view(), name="api-umpire-grace"),
    path(UMPIRE + "hold/", acts.HoldResource.as_view(), name="api-umpire-hold"),
    path(UMPIRE + "no-beacon/", acts.NoBeaconResource.as_view(), name="api-umpire-no-beacon"),
    path(UMPIRE + "remind/", acts.RemindResource.as_view(), name="api-umpire-remind"),
    path(UMPIRE + "excuse/", acts.ExcuseResource.as_view(), name="api-umpire-excuse"),
    path(UMPIRE + "rules/", acts.RulesResource.as_view(), name="api-umpire-rules"),
    path(UMPIRE + "rebuild/", acts.RebuildResource.as_view(), name="api-umpire-rebuild"),
    path(UMPIRE + "remedy/", acts.RemedyResource.as_view(), name="api-umpire-remedy"),
    path(
        UMPIRE + "password-link/",
        acts.PasswordLinkResource.as_view(),
        name="api-umpire-password-link",
    ),
    re_path(r"^.*$", NowhereResource.as_view(), name="api-nowhere"),
]
