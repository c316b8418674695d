"""What an account has asked for lately that costs the server much. One row an account; nothing of a war is in it."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class HeavyUse(models.Model):
    """How many heavy acts an account has done in a minute. `minute`: since 1970; an older one counts no more."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="heavy_use")
    minute = models.BigIntegerField()
    count = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.count} in minute {self.minute}"
