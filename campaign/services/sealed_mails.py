"""The mail that a player can choose to get for each seal, with the signed receipt."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser

from campaign.models.account import Notification, Preference
from campaign.models.stage import Submission
from campaign.selectors.envelopes import Document
from campaign.selectors.receipts import ReceiptSigner
from campaign.services.user_texts import texts_for_users
from engine.core.phrase import phrase

SEALED = "sealed/"  # how the keys of these rows of the outbox begin
BODY = phrase("{campaign}: your side's orders are sealed (revision {revision}).")


def sealed_mail_write(
    *, document: Document, entry: Submission, author: AbstractBaseUser, now: datetime
) -> None:
    """Write the mail about a seal to the player who sealed, if they have chosen to get it.

    Only a mail has it, no other channel: it is for keeping the receipt.
    """
    if not Preference.objects.filter(user_id=author.pk, sealed_mail=True).exists():
        return
    campaign = document.stage.branch.campaign
    note = ReceiptSigner(campaign).receipt_of_row(entry, document.battle_id).sealing

    def words() -> str:
        return BODY.format(campaign=campaign.name, revision=entry.revision)

    for user, body in texts_for_users([author.pk], words).items():
        Notification.objects.create(
            user_id=user,
            dedupe_key=f"{SEALED}{entry.pk}/{user}",
            body=body,
            path=f"/c/{campaign.public_id}/receipts/",
            signed_head=note,
            due_at=now,
        )


def is_sealed_mail(row: Notification) -> bool:
    """Return whether a row of the outbox is such a mail."""
    return row.dedupe_key.startswith(SEALED)
