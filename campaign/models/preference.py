"""What a user likes: his time zone, how he is told, how the pages look."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from campaign.models.constraints import one_of

AUTO, LIGHT, DARK = "auto", "light", "dark"
THEMES = (AUTO, LIGHT, DARK)


class Preference(models.Model):
    """`zone`: an IANA time zone, empty: the site's. `apprise_urls`: his own channels, as secret as passwords."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="preference")
    zone = models.CharField(max_length=64, blank=True)
    email = models.BooleanField(default=True)
    apprise_urls = models.JSONField(default=list)
    theme = models.CharField(max_length=8, default=AUTO)

    class Meta:
        constraints = (one_of("preference", "theme", THEMES),)

    def __str__(self) -> str:
        return f"preferences of {self.user_id}"
