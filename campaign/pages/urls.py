"""URL patterns of the player pages."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

from campaign.pages import moved
from campaign.pages.battle import battle_replay, compare, fight_sheets, fights
from campaign.pages.map import starmap
from campaign.pages.people import (
    aids,
    daily,
    discord,
    help_pages,
    home,
    lobby,
    mail_stop,
    memos,
    messages,
    more,
    profile,
    seat_ended,
    seats,
    tournaments,
)
from campaign.pages.ships import (
    battle_builder,
    classes,
    designer,
    league,
    scenarios,
    ship_sheets,
    ships,
)
from campaign.pages.table import table_record, tables
from campaign.pages.week import (
    chronicle,
    deploy,
    gazette,
    gazette_mail,
    odds,
    orders,
    receipt,
    reports,
    timeline,
    visibility,
)
from campaign.web import guide, push_browser

urlpatterns: list[URLPattern | URLResolver] = [
    *home.urlpatterns,
    *scenarios.urlpatterns,
    *battle_builder.urlpatterns,
    *tournaments.urlpatterns,
    *guide.urlpatterns,
    *help_pages.urlpatterns,
    *aids.urlpatterns,
    *league.urlpatterns,
    *daily.urlpatterns,
    *lobby.urlpatterns,
    *seat_ended.urlpatterns,
    *seats.urlpatterns,
    *profile.urlpatterns,
    *mail_stop.urlpatterns,
    *push_browser.urlpatterns,
    *discord.urlpatterns,
    *starmap.urlpatterns,
    *deploy.urlpatterns,
    *orders.urlpatterns,
    *odds.urlpatterns,
    *visibility.urlpatterns,
    *receipt.urlpatterns,
    *memos.urlpatterns,
    *messages.urlpatterns,
    *more.urlpatterns,
    *tables.urlpatterns,
    *table_record.urlpatterns,
    *fights.urlpatterns,
    *fight_sheets.urlpatterns,
    *reports.urlpatterns,
    *timeline.urlpatterns,
    *chronicle.urlpatterns,
    *gazette.urlpatterns,
    *gazette_mail.urlpatterns,
    *battle_replay.urlpatterns,
    *ship_sheets.urlpatterns,
    *ships.urlpatterns,
    *classes.urlpatterns,
    *designer.urlpatterns,
    *compare.urlpatterns,
    *moved.urlpatterns,
]
