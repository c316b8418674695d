"""Addresses."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

from campaign.pages import feed

urlpatterns: list[URLPattern | URLResolver] = [*feed.urlpatterns]
