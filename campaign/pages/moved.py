"""Old addresses of pages, and addresses as people type them, which redirect to the pages.

They do not look at the campaign: the new address decides who may see the page.
"""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path
from django.views.generic import RedirectView

# Old address: the new one.
MOVED = {
    "c/<str:war>/known-of-me/": "/c/%(war)s/visibility/",
    "campaigns/new/": "/campaigns/new",
    "battles/new/": "/battles/new",
    "tournaments/new/": "/tournaments/new",
}

urlpatterns: list[URLPattern | URLResolver] = [
    path(old, RedirectView.as_view(url=new, permanent=True, query_string=True), name=f"moved-{n}")
    for n, (old, new) in enumerate(MOVED.items(), 1)
]
