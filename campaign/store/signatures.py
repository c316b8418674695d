"""The site's signatures of ledger heads and receipts: Ed25519 in the form of signed notes.

The key follows from SIGNING_KEY. Its public half is at `/.well-known/blindjump-key`.
"""

from __future__ import annotations

import hashlib
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

from engine.core.signed_notes import NoteKey, signed_note


def site_name() -> str:
    """Return the name under which the site signs: host and port of its address."""
    return urlsplit(settings.SITE_URL).netloc.rpartition("@")[2] or "localhost"


def site_key(secret: str | None = None) -> NoteKey:
    """Return the site's public key.

    Args:
        secret: Another secret than SIGNING_KEY.
    """
    return NoteKey(site_name(), _private_key(secret).public_key().public_bytes_raw())


def sign_text(text: str) -> str:
    """Return a text of whole lines as a note that the site has signed."""
    return signed_note(text, site_key(), _private_key().sign)


def _private_key(secret: str | None = None) -> Ed25519PrivateKey:
    """Derive the private key from the site's secret, or from another one."""
    key = settings.SIGNING_KEY if secret is None else secret
    digest = hashlib.sha256(f"ledger signatures {key}".encode()).digest()
    return Ed25519PrivateKey.from_private_bytes(digest)
