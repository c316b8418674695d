"""Addresses."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

from campaign.pages import battles, decisions, deploy, feed, orders, receipt, starmap

urlpatterns: list[URLPattern | URLResolver] = [
    *feed.urlpatterns,
    *starmap.urlpatterns,
    *deploy.urlpatterns,
    *orders.urlpatterns,
    *decisions.urlpatterns,
    *receipt.urlpatterns,
    *battles.urlpatterns,
]
