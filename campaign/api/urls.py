"""Addresses of the API. `<c>`: a campaign's public id. The umpire's desk: `umpire.api.urls`.

GET           /api/health/                            the server answers (nobody has to log in)
GET           /api/schema/  /api/docs/                OpenAPI 3.1, and the same to read and try (Swagger UI)
POST DELETE   /api/token/                             name and password for a token; end the token of this call
GET           /api/tokens/                            my tokens: names, what they may do
DELETE        /api/tokens/<id>/                       end one of them
GET  PUT      /api/me/                                who I am, and my parts in campaigns; {bot}: a program
GET           /api/scenarios/                         the newest version of each scenario
GET           /api/scenarios/<slug>/                  all of one: map, factions, budgets, ship classes, victory
GET  POST     /api/own-scenarios/                     my own scenarios; keep one {text or copy_of}
GET PUT DELETE /api/own-scenarios/<id>/               one of them: its YAML and faults; another text in its place; away
POST          /api/own-scenarios/check/               every fault of a scenario file {text}, nothing kept
POST          /api/own-scenarios/<id>/store/          store it to open campaigns of
GET POST DELETE /api/own-scenarios/<id>/balance/      wars by computer admirals: figures; play them {wars}; stop
GET  POST     /api/own-scenarios/<id>/handicap/       what would even it out; search for it; apply/ it, undo/
GET  POST     /api/designs/                           my own shelf of ship designs; keep one {design, notes}
GET PUT DELETE /api/designs/<id>/                     one of them; keep another in its place; throw it away
POST          /api/designs/import/                    keep the designs of a text {text, source}, all or none
GET           /api/designs/export/                    my shelf as a text, ?form=json, yaml, ftlibship, ftjava
POST          /api/designs/check/                     price and faults of a design {design}, nothing kept
POST          /api/designs/compare/                   two classes {first, second, war?}: figures and fire
POST          /api/designs/odds/                      the same {..., battles}: have equal points of them fight
GET  DELETE   /api/designs/odds/<id>/                 how far they are; stop them
GET  POST     /api/campaigns/                         mine; open one {scenario, name, timetable, play, umpire, ...}
GET           /api/campaigns/<c>/                     settings, clock, the stage now, my part
GET           /api/campaigns/<c>/seats/               factions and who plays them
POST          /api/campaigns/<c>/seats/send-away/     end the seat of a guest, or of staff, of my faction {name}
POST          /api/campaigns/<c>/join/                take the seat of an invitation {token}
GET  POST     /api/campaigns/<c>/invites/             host: open invitations; a new one {role, faction}
DELETE        /api/campaigns/<c>/invites/<id>/        host: take an invitation back
POST          /api/campaigns/<c>/start/               host: the war begins
GET           /api/campaigns/<c>/stages/              every stage so far: week, kind, when it closes
GET           /api/campaigns/<c>/ledger/              the public ledger
GET           /api/campaigns/<c>/rules/               by which rules the war is played, what newer ones would change
GET  PUT      /api/campaigns/<c>/gallery/             how late the war is shown to all; my consent {shown, named}
POST          /api/campaigns/<c>/gallery/weeks/       host: how late, before the war {weeks}
GET           /api/campaigns/<c>/map/                 the public map
GET           /api/campaigns/<c>/reach/?fleet=        where a fleet of mine may move this week
POST          /api/campaigns/<c>/odds/                odds of a meeting of mine {hex, toward, fleets, ...}, by my View
GET  DELETE   /api/campaigns/<c>/odds/<id>/           how far its battles are; stop them
GET           /api/campaigns/<c>/view/                all my faction knows; ?week=&stage= as I saw it then
GET           /api/campaigns/<c>/fleets/  ships/  contacts/      parts of it, likewise
GET           /api/campaigns/<c>/reports/             what was reported to my faction, ?week=
GET           /api/campaigns/<c>/reports/<id>/        one report
GET           /api/campaigns/<c>/gazette/<week>/      the newspaper of a week, ?for= own, allies or public
GET           /api/campaigns/<c>/battles/             my faction's battles
GET           /api/campaigns/<c>/battles/<id>/        one: its stops, as my side saw them
GET           /api/campaigns/<c>/tables/              my faction's battles fought at a table
GET  PUT      /api/campaigns/<c>/tables/<id>/         one: sheets, my result (a draft), what did not fit
GET  POST     /api/campaigns/<c>/tables/<id>/record/              the record kept while it is fought; add {entries}
POST          /api/campaigns/<c>/tables/<id>/record/result/       take the record over into the draft of my result
POST          /api/campaigns/<c>/tables/<id>/check/               all that is wrong with a result, nothing kept
GET           /api/campaigns/<c>/tables/<id>/receipts/            what was sealed of it by or for my faction
POST          /api/campaigns/<c>/tables/<id>/seal/  unseal/      seal my result {nonce?, result?}; take it back
GET           /api/campaigns/<c>/fights/              my faction's battles fought online
GET           /api/campaigns/<c>/fights/<id>/         one as it stands: the stop now, what my side sees and knows
GET           /api/campaigns/<c>/fights/<id>/stops/<n>/          a resolved stop: my views before and after it, its log
GET  PUT      /api/campaigns/<c>/fights/<id>/orders/             my orders at the stop now: ETag, If-Match
GET           /api/campaigns/<c>/fights/<id>/orders/default/     what my captain advises, done where I seal nothing
POST          /api/campaigns/<c>/fights/<id>/orders/check/       all that is wrong with orders, nothing kept
POST          /api/campaigns/<c>/fights/<id>/orders/seal/  unseal/     seal {nonce?, orders?}; take them back
GET           /api/campaigns/<c>/fights/<id>/receipts/           what was sealed there by or for my faction
GET  PUT      /api/campaigns/<c>/orders/              the orders of the stage now (decisions too): ETag, If-Match
GET           /api/campaigns/<c>/orders/default/      what is done where nothing is sealed
POST          /api/campaigns/<c>/orders/check/        all that is wrong with orders, nothing kept
POST          /api/campaigns/<c>/orders/seal/         seal them {nonce?, orders?}: a receipt
POST          /api/campaigns/<c>/orders/unseal/       take them back while the stage is open
GET           /api/campaigns/<c>/receipts/            my faction's sealed entries
GET           /api/campaigns/<c>/receipts/<n>/        the receipt of stage n, with orders and nonce
GET  POST     /api/campaigns/<c>/messages/            messages to and from my seat; write one {text, to, umpire}
POST          /api/campaigns/<c>/messages/read/       I have read these {ids}
GET           /api/campaigns/<c>/memos/               what my faction reminds itself of in weeks to come
PUT           /api/campaigns/<c>/memos/<week>/        a memo for a week {text}; an empty text takes it away
GET           /api/campaigns/<c>/umpire/messages/     umpire: those between factions, where the war lets him
GET  POST     /api/campaigns/<c>/classes/             my ship classes; save a design {design}
POST          /api/campaigns/<c>/classes/check/       figures and all faults of a design, nothing kept
POST          /api/campaigns/<c>/classes/import/      save the designs of a text {text, source}, all or none
GET           /api/campaigns/<c>/classes/export/      my own designs as a text, ?form=json, yaml, ftlibship
GET  DELETE   /api/campaigns/<c>/classes/<id>/        one of my own designs; strike it off
GET           /api/campaigns/<c>/tech-base/           what my faction's yards can build
GET           /api/campaigns/<c>/umpire/...           the umpire's desk: `umpire.api.urls`
"""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from campaign.api import (
    accounts,
    campaigns,
    classes,
    contests,
    designs,
    fights,
    gallery,
    gazette,
    knowledge,
    meetings,
    memos,
    messages,
    orders,
    own_scenarios,
    seats,
    table_record,
    tables,
)

HERE = "campaigns/<str:campaign>/"
OWN = "own-scenarios/<str:scenario>/"
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
    path("campaigns/", campaigns.CampaignListResource.as_view(), name="api-campaigns"),
    path(HERE, campaigns.CampaignResource.as_view(), name="api-campaign"),
    path(HERE + "start/", campaigns.StartResource.as_view(), name="api-start"),
    path(HERE + "stages/", campaigns.StageListResource.as_view(), name="api-stages"),
    path(HERE + "ledger/", campaigns.LedgerResource.as_view(), name="api-ledger"),
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
    path(FIGHT + "stops/<int:number>/", fights.FightStopResource.as_view(), name="api-fight-stop"),
    path(FIGHT + "orders/", fights.FightOrdersResource.as_view(), name="api-fight-orders"),
    path(
        FIGHT + "orders/default/", fights.FightDefaultResource.as_view(), name="api-fight-default"
    ),
    path(FIGHT + "orders/check/", fights.FightCheckResource.as_view(), name="api-fight-check"),
    path(FIGHT + "orders/seal/", fights.FightSealResource.as_view(), name="api-fight-seal"),
    path(FIGHT + "orders/unseal/", fights.FightUnsealResource.as_view(), name="api-fight-unseal"),
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
