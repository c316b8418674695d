"""Notes of an umpire about members of the campaign, and pencil marks on the true map.

Only their author reads them; no report, ledger or export contains them.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from campaign.models.campaign import Campaign


class UmpireNote(models.Model):
    """The note of one umpire (`author`) about one member (`about`).

    Overwriting or emptying it deletes the old text.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="umpire_notes")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="umpire_notes"
    )
    about = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.TextField()
    written_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("campaign", "author", "about"), name="umpire_note_one_a_person"
            ),
            models.CheckConstraint(condition=~Q(text=""), name="umpire_note_says_something"),
            models.CheckConstraint(
                condition=~Q(about=F("author")), name="umpire_note_is_about_another"
            ),
        )

    def __str__(self) -> str:
        return f"note of {self.author_id} about {self.about_id}"


class PencilMark(models.Model):
    """A mark that one umpire (`author`) made on the true map; an empty text deletes it."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="pencil_marks")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="pencil_marks"
    )
    hex = models.CharField(max_length=4)
    text = models.TextField()
    written_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("campaign", "author", "hex"), name="pencil_mark_one_a_hex"
            ),
            models.CheckConstraint(condition=~Q(text=""), name="pencil_mark_says_something"),
        )

    def __str__(self) -> str:
        return f"mark of {self.author_id} at {self.hex}"
