"""Addresses."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

from campaign.pages import (
    battle_replay,
    classes,
    compare,
    deploy,
    designer,
    fight_sheets,
    fights,
    help_pages,
    home,
    known_of_me,
    league,
    lobby,
    odds,
    orders,
    profile,
    receipt,
    reports,
    scenarios,
    seats,
    ship_sheets,
    ships,
    starmap,
    table_record,
    tables,
)

urlpatterns: list[URLPattern | URLResolver] = [
    *home.urlpatterns,
    *scenarios.urlpatterns,
    *help_pages.urlpatterns,
    *league.urlpatterns,
    *lobby.urlpatterns,
    *seats.urlpatterns,
    *profile.urlpatterns,
    *starmap.urlpatterns,
    *deploy.urlpatterns,
    *orders.urlpatterns,
    *odds.urlpatterns,
    *known_of_me.urlpatterns,
    *receipt.urlpatterns,
    *tables.urlpatterns,
    *table_record.urlpatterns,
    *fights.urlpatterns,
    *fight_sheets.urlpatterns,
    *reports.urlpatterns,
    *battle_replay.urlpatterns,
    *ship_sheets.urlpatterns,
    *ships.urlpatterns,
    *classes.urlpatterns,
    *designer.urlpatterns,
    *compare.urlpatterns,
]
