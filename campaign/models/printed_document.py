"""PDFs that were printed in the background, kept for a while."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class PrintedDocument(models.Model):
    """A printed PDF. Old rows may be deleted.

    Attributes:
        user: Who asked for it; None for a public one, such as a play aid.
        key: The hash of all that the PDF depends on, including its reader if it has one.
        status: The HTTP status of the answer; 0 until there is one.
        body: The bytes of the answer.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="printed_documents",
        null=True,
    )
    key = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    content_type = models.CharField(max_length=100, blank=True)
    body = models.BinaryField(default=b"")
    asked_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "key"), name="printed_document_one_of_a_key"),
            models.UniqueConstraint(
                fields=("key",),
                condition=models.Q(user__isnull=True),
                name="printed_document_one_public_of_a_key",
            ),
        )

    def __str__(self) -> str:
        return f"{self.key[:8]} ({self.status})"
