"""Addresses of the API. `<c>`: a campaign's public id. For umpires: `umpire.api.urls`.

GET             /api/health/                        whether the server works (no login needed)
GET             /api/schema/  /api/docs/            OpenAPI 3.1, and the same to read and try
                                                    (Swagger UI)
POST DELETE     /api/token/                         make a token by name and password; delete the
                                                    token of this call
GET             /api/tokens/                        the caller's tokens: names, permissions
DELETE          /api/tokens/<id>/                   delete one of them
GET PUT         /api/me/                            user name and seats in campaigns; {bot}: mark as
                                                    a bot
GET             /api/scenarios/                     the newest version of each scenario
GET             /api/scenarios/<slug>/              one in full: map, factions, budgets, ship
                                                    classes, victory
GET POST        /api/own-scenarios/                 the caller's scenarios; save one {text or
                                                    copy_of}
GET PUT DELETE  /api/own-scenarios/<id>/            one of them: its YAML and faults; replace,
                                                    delete
POST            /api/own-scenarios/check/           all faults of a scenario file {text}; stores
                                                    nothing
POST            /api/own-scenarios/<id>/store/      store it to open campaigns
GET POST DELETE /api/own-scenarios/<id>/balance/    figures of test wars by computer admirals; play
                                                    {wars}; stop
GET POST        /api/own-scenarios/<id>/handicap/   a handicap that balances it; search for one;
                                                    apply/, undo/
GET POST        /api/designs/                       the caller's design library; save one {design,
                                                    notes}
GET PUT DELETE  /api/designs/<id>/                  one of them; replace, delete
POST            /api/designs/import/                save the designs of a text {text, source}, all
                                                    or none
GET             /api/designs/export/                the library as a text, ?form=json, yaml,
                                                    ftlibship, ftjava
POST            /api/designs/check/                 price and faults of a design {design}; stores
                                                    nothing
POST            /api/designs/compare/               two classes {first, second, war?}: figures and
                                                    fire
POST            /api/designs/odds/                  the same {..., battles}: simulate battles of
                                                    equal points
GET DELETE      /api/designs/odds/<id>/             their progress; stop them
GET POST        /api/tournaments/                   the caller's; open one {name, scenario, rounds,
                                                    pairing, ...}
GET             /api/tournaments/<id>/              one: table and rounds
POST            /api/tournaments/<id>/join/         take part {token}; leave/: drop out
POST            /api/tournaments/<id>/rounds/       organiser: open a round {number}; deadline/
                                                    {hours}; result/ {match, winner, scored};
                                                    remove/ {number}; link/; finish/
GET POST        /api/daily/                         the battle of the day and its table; play it
GET             /api/daily/<day>/                   the same of an earlier day, as 2026-12-01
GET POST        /api/campaigns/                     the caller's; open one {scenario, name,
                                                    timetable, play, umpire, ...}

Below /api/campaigns/<c>/:

GET                                             settings, clock, the present stage, the caller's
                                                seat
GET             seats/                          factions and who plays them
POST            seats/send-away/                end the seat of a guest or staff of the faction
                                                {name}
POST            join/                           accept an invitation {token}
GET POST        invites/                        open invitations; a new one {role, faction}
DELETE          invites/<id>/                   revoke an invitation
POST            start/                          host: begin the war
GET             stages/                         all stages so far: week, kind, when it closes
GET             ledger/                         the public ledger
GET             ledger/head/                    its signed head: one hash over all rows
GET             ledger/<row>/proofs/            proofs that a row covers what the caller knows
GET             rules/                          the version of the rules, and what newer ones would
                                                change
GET PUT         gallery/                        how late the war is shown; the caller's consent
                                                {may_be_shown, may_be_named}
POST            gallery/weeks/                  host: how late, before the war {weeks}
GET             map/                            the public map
GET             objectives/                     the faction's own objectives with its progress, and
                                                those of others without secret ones
GET             reach/?fleet=                   where one of the faction's fleets may move this week
POST            odds/                           odds of a meeting {hex, toward, fleets, ...}, by the
                                                faction's view
GET DELETE      odds/<id>/                      progress of its battles; stop them
GET             view/                           all that the faction knows, ?week=&stage= at an
                                                earlier stage
GET             fleets/  ships/  mines/  contacts/  parts of it, likewise
GET             reports/                        reports to the faction, ?week=
GET             reports/<id>/                   one report
GET             gazette/<week>/                 the newspaper of a week, ?for= own, allies or public
GET             battles/                        the faction's battles
GET             battles/<id>/                   one: its phases, as the faction's side saw them
GET             tables/                         the faction's battles at a table
GET PUT         tables/<id>/                    one: sheets, the result (a draft), differences of
                                                results
GET POST        tables/<id>/record/             the damage record; add {entries}
POST            tables/<id>/record/result/      replace the draft of the result by the record
POST            tables/<id>/check/              all faults of a result; stores nothing
GET             tables/<id>/receipts/           results sealed by or for the faction
POST            tables/<id>/seal/  unseal/      seal it {nonce?, share?, result?}; withdraw it
GET             fights/                         the faction's online battles
GET             fights/<id>/                    one: the present phase, what the side sees and knows
GET             fights/<id>/phases/<n>/         a resolved phase: the views before and after it, its
                                                log
GET PUT         fights/<id>/orders/             orders in the present phase: ETag, If-Match
GET             fights/<id>/orders/default/     the captain's orders, which apply if nothing is
                                                sealed
POST            fights/<id>/orders/check/       all faults of orders; stores nothing
POST            fights/<id>/orders/seal/  unseal/  seal {nonce?, share?, orders?}; withdraw them
POST            fights/<id>/captain/            leave all further phases to the captain {finishes}
GET             fights/<id>/receipts/           orders sealed there by or for the faction
GET PUT         orders/                         orders of the present stage (decisions too): ETag,
                                                If-Match
GET             orders/default/                 the orders that apply if nothing is sealed
POST            orders/check/                   all faults of orders; stores nothing
POST            orders/seal/                    seal them {nonce?, share?, orders?}: a receipt
POST            orders/unseal/                  withdraw them while the stage is open
GET             receipts/                       the faction's sealed entries
GET             receipts/<n>/                   the receipt of stage n, with orders and nonce
GET POST        messages/                       messages of the caller's seat; write one {text, to,
                                                umpire}
POST            messages/read/                  mark these as read {ids}
GET             memos/                          the faction's memos for later weeks
PUT             memos/<week>/                   a memo for a week {text}; an empty text deletes it
GET             umpire/messages/                umpire: those between factions, if the war allows it
GET POST        classes/                        the faction's ship classes; save a design {design}
POST            classes/check/                  figures and all faults of a design; stores nothing
POST            classes/import/                 save the designs of a text {text, source}, all or
                                                none
GET             classes/export/                 the faction's designs as a text, ?form=json, yaml,
                                                ftlibship
GET DELETE      classes/<id>/                   one of its own designs; delete it
GET             tech-base/                      what the faction's yards can build
GET             umpire/...                      for umpires: `umpire.api.urls`
"""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from campaign.api import (
    accounts,
    campaigns,
    classes,
    contests,
    daily,
    designs,
    fights,
    gallery,
    gazette,
    knowledge,
    meetings,
    memos,
    messages,
    objectives,
    orders,
    own_scenarios,
    seats,
    table_record,
    tables,
    tournaments,
)

HERE = "campaigns/<str:campaign>/"
OWN = "own-scenarios/<str:scenario>/"
CUP = "tournaments/<str:tournament>/"
FIGHT = HERE + "fights/<str:fight>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("health/", accounts.HealthResource.as_view(), name="api-health"),
    path("schema/", accounts.SchemaResource.as_view(), name="api-schema"),
    path("docs/", accounts.DocsPage.as_view(), name="api-docs"),
    path("token/", accounts.TokenResource.as_view(), name="api-token"),
    path("tokens/", accounts.TokenListResource.as_view(), name="api-tokens"),
    path("tokens/<str:token>/", accounts.TokenOneResource.as_view(), name="api-token-one"),
    path("me/", accounts.MeResource.as_view(), name="api-me"),
    path("designs/", designs.LibraryResource.as_view(), name="api-designs"),
    path("designs/check/", designs.DesignCheckResource.as_view(), name="api-designs-check"),
    path("designs/import/", designs.LibraryImportResource.as_view(), name="api-designs-import"),
    path("designs/export/", designs.LibraryExportResource.as_view(), name="api-designs-export"),
    path("designs/compare/", contests.CompareResource.as_view(), name="api-designs-compare"),
    path("designs/odds/", contests.OddsResource.as_view(), name="api-designs-odds"),
    path(
        "designs/odds/<str:odds>/",
        contests.OddsAskedResource.as_view(),
        name="api-designs-odds-asked",
    ),
    path("designs/<str:design>/", designs.LibraryDesignResource.as_view(), name="api-design"),
    path("scenarios/", campaigns.ScenarioListResource.as_view(), name="api-scenarios"),
    path("scenarios/<str:slug>/", campaigns.ScenarioResource.as_view(), name="api-scenario"),
    path(
        "own-scenarios/", own_scenarios.OwnScenarioListResource.as_view(), name="api-own-scenarios"
    ),
    path(
        "own-scenarios/check/",
        own_scenarios.OwnScenarioCheckResource.as_view(),
        name="api-own-scenarios-check",
    ),
    path(OWN, own_scenarios.OwnScenarioResource.as_view(), name="api-own-scenario"),
    path(
        OWN + "store/",
        own_scenarios.OwnScenarioStoreResource.as_view(),
        name="api-own-scenario-store",
    ),
    path("daily/", daily.DailyResource.as_view(), name="api-daily"),
    path("daily/<str:day>/", daily.DailyDayResource.as_view(), name="api-daily-day"),
    path("tournaments/", tournaments.TournamentListResource.as_view(), name="api-tournaments"),
    path(CUP, tournaments.TournamentResource.as_view(), name="api-tournament"),
    path(CUP + "join/", tournaments.TournamentJoinResource.as_view(), name="api-tournament-join"),
    path(
        CUP + "leave/", tournaments.TournamentLeaveResource.as_view(), name="api-tournament-leave"
    ),
    path(
        CUP + "rounds/",
        tournaments.TournamentRoundsResource.as_view(),
        name="api-tournament-rounds",
    ),
    path(
        CUP + "deadline/",
        tournaments.TournamentDeadlineResource.as_view(),
        name="api-tournament-deadline",
    ),
    path(
        CUP + "result/",
        tournaments.TournamentResultResource.as_view(),
        name="api-tournament-result",
    ),
    path(
        CUP + "remove/",
        tournaments.TournamentRemoveResource.as_view(),
        name="api-tournament-remove",
    ),
    path(CUP + "link/", tournaments.TournamentLinkResource.as_view(), name="api-tournament-link"),
    path(
        CUP + "finish/",
        tournaments.TournamentFinishResource.as_view(),
        name="api-tournament-finish",
    ),
    path("campaigns/", campaigns.CampaignListResource.as_view(), name="api-campaigns"),
    path(HERE, campaigns.CampaignResource.as_view(), name="api-campaign"),
    path(HERE + "start/", campaigns.StartResource.as_view(), name="api-start"),
    path(HERE + "stages/", campaigns.StageListResource.as_view(), name="api-stages"),
    path(HERE + "ledger/", campaigns.LedgerResource.as_view(), name="api-ledger"),
    path(HERE + "ledger/head/", campaigns.LedgerHeadResource.as_view(), name="api-ledger-head"),
    path(
        HERE + "ledger/<int:number>/proofs/",
        campaigns.LedgerProofsResource.as_view(),
        name="api-ledger-proofs",
    ),
    path(HERE + "rules/", campaigns.RulesResource.as_view(), name="api-rules"),
    path(HERE + "seats/", seats.SeatListResource.as_view(), name="api-seats"),
    path(HERE + "seats/take/", seats.TakeResource.as_view(), name="api-seat-take"),
    path(HERE + "seats/leave/", seats.LeaveResource.as_view(), name="api-seat-leave"),
    path(HERE + "seats/computer/", seats.ToComputerResource.as_view(), name="api-seat-computer"),
    path(HERE + "seats/send-away/", seats.SendAwayResource.as_view(), name="api-seat-send-away"),
    path(HERE + "join/", seats.JoinResource.as_view(), name="api-join"),
    path(HERE + "invites/", seats.InviteListResource.as_view(), name="api-invites"),
    path(HERE + "invites/<str:invite>/", seats.InviteResource.as_view(), name="api-invite"),
    path(HERE + "gallery/", gallery.GalleryResource.as_view(), name="api-gallery"),
    path(HERE + "gallery/weeks/", gallery.GalleryWeeksResource.as_view(), name="api-gallery-weeks"),
    path(HERE + "map/", knowledge.MapResource.as_view(), name="api-map"),
    path(
        HERE + "objectives/",
        objectives.ObjectiveListResource.as_view(),
        name="api-objectives",
    ),
    path(HERE + "reach/", knowledge.ReachResource.as_view(), name="api-reach"),
    path(HERE + "odds/", meetings.MeetingOddsResource.as_view(), name="api-odds"),
    path(
        HERE + "odds/<str:meeting>/",
        meetings.MeetingOddsAskedResource.as_view(),
        name="api-odds-asked",
    ),
    path(HERE + "view/", knowledge.ViewResource.as_view(), name="api-view"),
    path(HERE + "fleets/", knowledge.FleetListResource.as_view(), name="api-fleets"),
    path(HERE + "ships/", knowledge.ShipListResource.as_view(), name="api-ships"),
    path(HERE + "mines/", knowledge.MineListResource.as_view(), name="api-mines"),
    path(HERE + "contacts/", knowledge.ContactResource.as_view(), name="api-contacts"),
    path(HERE + "reports/", knowledge.ReportListResource.as_view(), name="api-reports"),
    path(HERE + "reports/<str:report>/", knowledge.ReportResource.as_view(), name="api-report"),
    path(HERE + "gazette/<int:week>/", gazette.GazetteResource.as_view(), name="api-gazette"),
    path(HERE + "battles/", knowledge.BattleListResource.as_view(), name="api-battles"),
    path(HERE + "battles/<str:battle>/", knowledge.BattleResource.as_view(), name="api-battle"),
    path(HERE + "tables/", tables.TableListResource.as_view(), name="api-tables"),
    path(HERE + "tables/<str:battle>/", tables.TableResource.as_view(), name="api-table"),
    path(
        HERE + "tables/<str:battle>/check/",
        tables.TableCheckResource.as_view(),
        name="api-table-check",
    ),
    path(
        HERE + "tables/<str:battle>/record/",
        table_record.TableRecordResource.as_view(),
        name="api-table-record",
    ),
    path(
        HERE + "tables/<str:battle>/record/result/",
        table_record.TableProposalResource.as_view(),
        name="api-table-record-result",
    ),
    path(
        HERE + "tables/<str:battle>/receipts/",
        tables.TableReceiptListResource.as_view(),
        name="api-table-receipts",
    ),
    path(
        HERE + "tables/<str:battle>/seal/",
        tables.TableSealResource.as_view(),
        name="api-table-seal",
    ),
    path(
        HERE + "tables/<str:battle>/unseal/",
        tables.TableUnsealResource.as_view(),
        name="api-table-unseal",
    ),
    path(HERE + "fights/", fights.FightListResource.as_view(), name="api-fights"),
    path(FIGHT, fights.FightResource.as_view(), name="api-fight"),
    path(
        FIGHT + "phases/<int:number>/", fights.FightPhaseResource.as_view(), name="api-fight-phase"
    ),
    path(FIGHT + "orders/", fights.FightOrdersResource.as_view(), name="api-fight-orders"),
    path(
        FIGHT + "orders/default/", fights.FightDefaultResource.as_view(), name="api-fight-default"
    ),
    path(FIGHT + "orders/check/", fights.FightCheckResource.as_view(), name="api-fight-check"),
    path(FIGHT + "orders/seal/", fights.FightSealResource.as_view(), name="api-fight-seal"),
    path(FIGHT + "orders/unseal/", fights.FightUnsealResource.as_view(), name="api-fight-unseal"),
    path(FIGHT + "captain/", fights.FightCaptainResource.as_view(), name="api-fight-captain"),
    path(FIGHT + "receipts/", fights.FightReceiptListResource.as_view(), name="api-fight-receipts"),
    path(HERE + "messages/", messages.MessageListResource.as_view(), name="api-messages"),
    path(
        HERE + "messages/read/", messages.MessagesReadResource.as_view(), name="api-messages-read"
    ),
    path(HERE + "memos/", memos.MemoListResource.as_view(), name="api-memos"),
    path(HERE + "memos/<int:week>/", memos.MemoResource.as_view(), name="api-memo"),
    path(
        HERE + "umpire/messages/", messages.MessagesAllResource.as_view(), name="api-messages-all"
    ),
    path(HERE + "classes/", classes.ClassListResource.as_view(), name="api-classes"),
    path(HERE + "classes/check/", classes.ClassCheckResource.as_view(), name="api-classes-check"),
    path(
        HERE + "classes/import/", classes.ClassImportResource.as_view(), name="api-classes-import"
    ),
    path(
        HERE + "classes/export/", classes.ClassExportResource.as_view(), name="api-classes-export"
    ),
    path(HERE + "classes/<str:drawing>/", classes.ClassResource.as_view(), name="api-class"),
    path(HERE + "tech-base/", classes.TechBaseResource.as_view(), name="api-tech-base"),
    path(HERE + "orders/", orders.OrdersResource.as_view(), name="api-orders"),
    path(
        HERE + "orders/default/", orders.DefaultOrdersResource.as_view(), name="api-orders-default"
    ),
    path(HERE + "orders/check/", orders.CheckResource.as_view(), name="api-orders-check"),
    path(HERE + "orders/seal/", orders.SealResource.as_view(), name="api-orders-seal"),
    path(HERE + "orders/unseal/", orders.UnsealResource.as_view(), name="api-orders-unseal"),
    path(HERE + "receipts/", orders.ReceiptListResource.as_view(), name="api-receipts"),
    path(HERE + "receipts/<int:ordinal>/", orders.ReceiptResource.as_view(), name="api-receipt"),
]
