"""Which picture shows which page of the site, and why some have none.

`SHOWN`: by the name of an address, the picture of its page; `docs.screens` makes sure that this page is drawn.
`NO_PAGE`: addresses that answer with no page of their own. `NOT_SHOWN`: pages that the wars made for the pictures do
not bring about, each with what it would take. Addresses of the API are told of in its own pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from django.urls import URLPattern, URLResolver, get_resolver, resolve

SHOWN: Mapping[str, str] = {
    "account_login": "account-login",
    "account_signup": "account-signup",
    "account_reset_password": "account-reset",
    "account_reset_password_done": "account-reset-done",
    "account_inactive": "account-inactive",
    "account_email": "account-email",
    "account_reauthenticate": "account-again",
    "account_change_password": "account-password",
    "account_logout": "account-logout",
    "mfa_index": "account-factors",
    "home": "home",
    "campaign-new": "campaign-new",
    "scenarios": "scenarios",
    "scenario-edit": "scenario",
    "scenario-text": "scenario-text",
    "balance": "scenario-balance",
    "help": "help",
    "help-topic": "help-orders",
    "help-words": "help-words",
    "league": "league",
    "profile": "profile",
    "designs": "designs",
    "design-new": "designer",
    "designs-compare": "designer-compared",
    "lobby": "lobby",
    "map": "starmap",
    "deploy": "deploy",
    "orders": "orders",
    "odds": "odds",
    "known-of-me": "known-of-me",
    "receipts": "receipts",
    "memos": "memos",
    "battle-sheets": "table-sheets",
    "table-record": "table-record",
    "battle-table": "table-result",
    "battle-now": "battle-plot",
    "fight-sheets": "battle-sheets",
    "battle": "replay",
    "reports": "reports",
    "report": "report",
    "gazette": "gazette",
    "chronicle": "chronicle",
    "ships": "ships",
    "ship": "ship",
    "ship-sheets": "ship-sheets",
    "classes": "classes",
    "class-sheets": "class-sheets",
    "designer": "war-designer",
    "gallery": "gallery",
    "public": "public",
    "story": "story",
    "story-battle": "story-battle",
    "umpire-tables": "umpire-tables",
    "umpire": "umpire",
    "umpire-map": "umpire-map",
    "umpire-reports": "umpire-reports",
    "umpire-stages": "umpire-stages",
    "umpire-stage": "umpire-stage",
    "umpire-battles": "umpire-battles",
    "umpire-battle": "umpire-battle",
    "umpire-replay": "replay-everything",
    "umpire-faction": "umpire-faction",
    "umpire-fleets": "umpire-fleets",
    "umpire-ships": "umpire-ships",
    "umpire-notes": "umpire-notes",
    "umpire-ledger": "umpire-ledger",
}
NO_PAGE: Mapping[str, str] = {
    "health": "read by programs",
    "metrics": "read by programs",
    "feed": "a calendar",
    "pulse": "asked for by a waiting page",
    "mfa_download_recovery_codes": "a file",
    "scenario-file": "a file",
    "design-export": "a file",
    "classes-export": "a file",
    "battle-sheets-pdf": "a file",
    "fight-sheets-pdf": "a file",
    "ship-sheets-pdf": "a file",
    "class-sheets-pdf": "a file",
    "table-record-sync": "asked for by the table's script",
    "table-record-worker": "a script",
    "seat-act": "takes a form, and sends on to another page",
    "umpire-act": "takes a form, and sends on to another page",
    "host-act": "takes a form, and sends on to another page",
    "umpire-battle-result": "takes a form, and sends on to another page",
}
NOT_SHOWN: Mapping[str, str] = {
    "welcome": "needs the link that a new account is sent",
    "account_reset_password_from_key": "needs the link of an e-mail",
    "account_reset_password_from_key_done": "needs a password set by such a link",
    "mfa_authenticate": "needs an account with a second factor",
    "mfa_reauthenticate": "needs an account with a second factor",
    "mfa_activate_totp": "shows a secret that is another at every look",
    "mfa_deactivate_totp": "needs an account with a second factor",
    "mfa_view_recovery_codes": "needs an account with a second factor",
    "mfa_generate_recovery_codes": "needs an account with a second factor",
    "join": "needs an invitation",
    "discord": "needs a site with a Discord bot",
    "map-arrivals": "data for the script of the desk",
    "map-past": "needs the week before on the player's map",
    "decisions": "needs a war at the stage of decisions",
    "messages": "needs a war with messages",
    "messages-umpire": "needs a war with messages",
    "messages-all": "needs a war with messages",
    "messages-to": "needs a war with messages",
    "battle-so-far": "needs a battle with a turn behind it",
    "gazette-week": "looks like the newest issue, which is shown",
    "tech-base": "needs a war whose scenario has tech bases",
    "design": "looks like a new design, which is shown",
    "gallery-war": "needs a war in the gallery",
    "host": "needs a host who is not the umpire",
    "story-replay": "looks like the umpire's replay, which is shown",
}


def names(patterns: Sequence[URLPattern | URLResolver] | None = None, before: str = "") -> Iterator[str]:
    """Every named address of the site, but for those of the API."""
    for one in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from names(one.url_patterns, route)
        elif not route.startswith("api/"):
            assert one.name, f"{route} has no name"
            yield one.name


def shown_at(url: str) -> str | None:
    """The name of the address that a picture was taken at."""
    return resolve(urlsplit(url).path).url_name
