"""Links of new invitations, kept in the session until the lobby shows them once."""

from __future__ import annotations

import uuid

from django.http import HttpRequest

LINKS = "links"  # in the session: invitations whose links have not been shown yet


def keep_link(request: HttpRequest, invite: uuid.UUID, token: str) -> None:
    """Keep the link of an invitation for the next page, which shows it once."""
    request.session[LINKS] = {**request.session.get(LINKS, {}), str(invite): token}
