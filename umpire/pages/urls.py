"""URL patterns of the umpire's, the host's and the public pages, and of scenario balance.

`c` is a campaign's public id.
"""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from umpire.pages import (
    acts,
    archive,
    balance,
    battle_replay,
    battle_result,
    battles,
    checklist,
    dashboard,
    forks,
    gallery,
    ledger,
    lists,
    luck,
    many_acts,
    notes,
    openings,
    rollback,
    rulings,
    stage_reports,
    tables,
    true_map,
    umpire_events,
    umpire_record,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("gallery/", gallery.gallery, name="gallery"),
    path("gallery/<uuid:war>/", gallery.gallery_war, name="gallery-war"),
    path(
        "gallery/<uuid:war>/battles/<uuid:public_id>/",
        gallery.gallery_battle,
        name="gallery-battle",
    ),
    path("balance/<uuid:scenario>/", balance.balance, name="balance"),
    path("umpire/", tables.tables, name="umpire-tables"),
    path("umpire/acts/<slug:verb>/", many_acts.many_act, name="umpire-many"),
    path("c/<uuid:c>/umpire/", dashboard.dashboard, name="umpire"),
    path("c/<uuid:c>/umpire/map/", true_map.true_map, name="umpire-map"),
    path("c/<uuid:c>/umpire/reports/", stage_reports.reports, name="umpire-reports"),
    path("c/<uuid:c>/umpire/stages/", stage_reports.stages, name="umpire-stages"),
    path("c/<uuid:c>/umpire/stages/<int:ordinal>/", stage_reports.stage, name="umpire-stage"),
    path("c/<uuid:c>/umpire/battles/", battles.battles, name="umpire-battles"),
    path("c/<uuid:c>/umpire/battles/<uuid:public_id>/", battles.battle, name="umpire-battle"),
    path(
        "c/<uuid:c>/umpire/battles/<uuid:public_id>/replay/",
        battle_replay.umpire_replay,
        name="umpire-replay",
    ),
    path(
        "c/<uuid:c>/umpire/battles/<uuid:public_id>/result/",
        battle_result.result,
        name="umpire-battle-result",
    ),
    path("c/<uuid:c>/umpire/factions/<slug:key>/", true_map.faction, name="umpire-faction"),
    path("c/<uuid:c>/umpire/fleets/", lists.fleets, name="umpire-fleets"),
    path("c/<uuid:c>/umpire/ships/", lists.ships, name="umpire-ships"),
    path("c/<uuid:c>/umpire/events/", umpire_events.events, name="umpire-events"),
    path("c/<uuid:c>/umpire/rulings/", rulings.rulings, name="umpire-rulings"),
    path("c/<uuid:c>/umpire/checklist/", checklist.checklist, name="umpire-checklist"),
    path("c/<uuid:c>/umpire/time-line/", checklist.time_line, name="umpire-time-line"),
    path("c/<uuid:c>/umpire/weeks/<int:week>.pdf", checklist.week_as_pdf, name="umpire-week-pdf"),
    path("c/<uuid:c>/umpire/opened/", openings.openings, name="umpire-opened"),
    path("c/<uuid:c>/umpire/notes/", notes.notes, name="umpire-notes"),
    path("c/<uuid:c>/umpire/ledger/", lists.ledger, name="umpire-ledger"),
    path("c/<uuid:c>/umpire/act/<slug:verb>/", acts.umpire_act, name="umpire-act"),
    path("c/<uuid:c>/rollback/", rollback.rollback, name="rollback"),
    path("c/<uuid:c>/fork/", forks.fork, name="fork"),
    path("c/<uuid:c>/host/", dashboard.host, name="host"),
    path("c/<uuid:c>/host/act/<slug:verb>/", acts.host_act, name="host-act"),
    path("c/<uuid:c>/public/", dashboard.public, name="public"),
    path("c/<uuid:c>/ledger/", ledger.ledger, name="ledger"),
    path("c/<uuid:c>/check/", ledger.check, name="check"),
    path("c/<uuid:c>/story/", stage_reports.story, name="story"),
    path("c/<uuid:c>/story/umpires/", umpire_record.umpire_record, name="story-umpires"),
    path("c/<uuid:c>/story/luck/", luck.luck, name="story-luck"),
    path("c/<uuid:c>/check/archive/", archive.own_archive_file, name="own-archive"),
    path("c/<uuid:c>/story/archive/", archive.archive, name="story-archive"),
    path(
        "c/<uuid:c>/story/battles/<uuid:public_id>/",
        stage_reports.story_battle,
        name="story-battle",
    ),
    path(
        "c/<uuid:c>/story/battles/<uuid:public_id>/replay/",
        battle_replay.story_replay,
        name="story-replay",
    ),
]
