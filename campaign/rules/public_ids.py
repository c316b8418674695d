"""Public ids that reveal neither an order nor a number."""

from __future__ import annotations

import uuid

from engine.core import fair


def outside_id(id_secret: str, kind: str, key: str, viewer: str = "") -> uuid.UUID:
    """Return the public id of an object for a viewer.

    Args:
        id_secret: 32 bytes in hexadecimal. It is not the seed and is never published.
        viewer: A faction's key; empty: everyone.
    """
    return uuid.UUID(bytes=fair.keyed(id_secret, kind, key, viewer)[:16])
