"""Addresses of the API. `<c>`: a campaign's public id. The umpire's and the host's start are in `umpire.api.urls`.

    GET           /api/health/                            the server answers (nobody has to log in)
    GET           /api/schema/  /api/docs/                OpenAPI 3.1, and the same to read and try (Swagger UI)
    POST DELETE   /api/token/                             name and password for a token (replaces the one before); end it
    GET           /api/me/                                who I am, and my parts in campaigns
    GET           /api/scenarios/                         the newest version of each scenario
    GET           /api/scenarios/<slug>/                  all of one: map, factions, budgets, ship classes, victory
    GET  POST     /api/campaigns/                         mine; a new one {scenario, name, timetable, admirals}: I host it
    GET           /api/campaigns/<c>/                     settings, clock, the stage now, my part
    GET           /api/campaigns/<c>/seats/               factions and who plays them
    POST          /api/campaigns/<c>/join/                take the seat of an invitation {token}
    GET  POST     /api/campaigns/<c>/invites/             host: open invitations; a new one {role, faction}
    DELETE        /api/campaigns/<c>/invites/<id>/        host: take an invitation back
    POST          /api/campaigns/<c>/start/               host: the war begins
    GET           /api/campaigns/<c>/stages/              every stage so far: week, kind, when it closes
    GET           /api/campaigns/<c>/ledger/              the public ledger
    GET           /api/campaigns/<c>/map/                 the public map
    GET           /api/campaigns/<c>/reach/?fleet=        where a fleet of mine may move this week
    GET           /api/campaigns/<c>/view/                all my faction knows; ?week=&stage= as I saw it then
    GET           /api/campaigns/<c>/fleets/  ships/  contacts/      parts of it, likewise
    GET           /api/campaigns/<c>/reports/             what was reported to my faction, ?week=
    GET           /api/campaigns/<c>/reports/<id>/        one report
    GET           /api/campaigns/<c>/battles/             my faction's battles
    GET           /api/campaigns/<c>/battles/<id>/        one: its stops, as my side saw them
    GET  PUT      /api/campaigns/<c>/orders/              the orders of the stage now (decisions too): ETag, If-Match
    GET           /api/campaigns/<c>/orders/default/      what is done where nothing is sealed
    POST          /api/campaigns/<c>/orders/seal/         seal them {nonce?, orders?}: a receipt
    POST          /api/campaigns/<c>/orders/unseal/       take them back while the stage is open
    GET           /api/campaigns/<c>/receipts/            my faction's sealed entries
    GET           /api/campaigns/<c>/receipts/<n>/        the receipt of stage n, with orders and nonce
    GET           /api/campaigns/<c>/umpire/...           the umpire's desk: `umpire.api.urls`
"""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

urlpatterns: list[URLPattern | URLResolver] = []
