"""Which picture shows which page of the site, and why some pages have none.

`SHOWN` has the picture for each address name; `tools.screens` checks that this page is really
drawn, and axe judges it then. `NO_PAGE` lists addresses without a page. Addresses of the API answer
with JSON, except for its documentation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from django.urls import URLPattern, URLResolver, get_resolver, resolve

PICTURES: Mapping[str, str] = {
    "account_login": "account-login",
    "account_signup": "account-signup",
    "account_reset_password": "account-reset",
    "account_reset_password_done": "account-reset-done",
    "account_inactive": "account-inactive",
    "account_email": "account-email",
    "account_reauthenticate": "account-again",
    "account_change_password": "account-password",
    "account_logout": "account-logout",
    "account_reset_password_from_key": "account-new-password",
    "account_reset_password_from_key_done": "account-new-password-done",
    "mfa_index": "account-factors",
    "mfa_authenticate": "account-second",
    "mfa_reauthenticate": "account-second-again",
    "mfa_activate_totp": "account-second-on",
    "mfa_deactivate_totp": "account-second-off",
    "mfa_view_recovery_codes": "account-codes",
    "mfa_generate_recovery_codes": "account-codes-new",
    "home": "home",
    "mail-stop": "mail-stop",
    "campaign-new": "campaign-new",
    "battle-new": "battle-new",
    "tournament-new": "tournament-new",
    "tournament": "tournament",
    "scenarios": "scenarios",
    "scenario-edit": "scenario",
    "scenario-text": "scenario-text",
    "balance": "scenario-balance",
    "aids": "aids",
    "aid-reference": "aid-reference",
    "help": "help",
    "help-topic": "help-orders",
    "help-words": "help-words",
    "league": "league",
    "daily": "daily",
    "profile": "profile",
    "api-docs": "api",
    "designs": "designs",
    "design-new": "designer",
    "design": "design",
    "designs-compare": "designer-compared",
    "join": "join",
    "lobby": "lobby",
    "map": "starmap",
    "deploy": "deploy",
    "orders": "orders",
    "decisions": "decisions",
    "odds": "odds",
    "visibility": "visibility",
    "receipts": "receipts",
    "memos": "memos",
    "gazette-mail": "gazette-mail",
    "more": "more",
    "messages": "messages",
    "messages-to": "messages-thread",
    "messages-umpire": "messages-umpire",
    "messages-all": "messages-all",
    "battle-sheets": "table-sheets",
    "table-record": "table-record",
    "battle-table": "table-result",
    "battle-now": "battle-plot",
    "battle-so-far": "battle-so-far",
    "fight-sheets": "battle-sheets",
    "battle": "replay",
    "battle-result": "battle-card",
    "reports": "reports",
    "report": "report",
    "gazette": "gazette",
    "gazette-week": "gazette-week",
    "chronicle": "chronicle",
    "ships": "ships",
    "ship": "ship",
    "ship-sheets": "ship-sheets",
    "classes": "classes",
    "class-sheets": "class-sheets",
    "tech-base": "tech-base",
    "designer": "war-designer",
    "gallery": "gallery",
    "gallery-war": "gallery-war",
    "gallery-battle": "gallery-battle",
    "gallery-film": "gallery-film",
    "gallery-moment": "gallery-moment",
    "moments": "moments",
    "moment-new": "moment-new",
    "moment-play": "moment-play",
    "host": "host",
    "public": "public",
    "ledger": "ledger",
    "check": "check",
    "rollback": "rollback",
    "fork": "fork",
    "story": "story",
    "story-film": "story-film",
    "war-result": "war-result",
    "story-luck": "story-luck",
    "story-umpires": "story-umpires",
    "story-battle": "story-battle",
    "story-replay": "replay-story",
    "umpire-tables": "umpire-tables",
    "umpire-many": "umpire-many",
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
    "umpire-events": "umpire-events",
    "umpire-rulings": "umpire-rulings",
    "umpire-checklist": "umpire-checklist",
    "umpire-time-line": "umpire-time-line",
    "umpire-opened": "umpire-opened",
    "umpire-notes": "umpire-notes",
    "umpire-ledger": "umpire-ledger",
}
NO_PAGE: Mapping[str, str] = {
    "battle-edit": "the form of battle-new",
    "timeline": "reports as on their own page, after a rollback",
    "timeline-map": "the map as on its own page, after a rollback",
    "tournament-join": "the parts of join and tournament",
    "tournament-act": "takes a form, and sends on to another page",
    "health": "read by programs",
    "web-health": "read by programs",
    "metrics": "read by programs",
    "robots": "read by programs",
    "security-txt": "read by programs",
    "discord": "asked by Discord, and answers it alone",
    "feed": "a calendar",
    "aid-pdf": "a file",
    "umpire-week-pdf": "a file",
    "gazette-pdf": "a file",
    "pulse": "asked for by a waiting page",
    "map-past": "data for the script of the map",
    "map-arrivals": "data for the script of the desk",
    "orders-fleet": "a part of the page of orders, asked for by its script",
    **{f"moved-{number}": "an old address, which redirects" for number in range(1, 5)},
    "receipts-file": "a file",
    "signing-key": "read by programs",
    "welcome": "sends the first of all people on to the page for signing up",
    "mfa_download_recovery_codes": "a file",
    "scenario-file": "a file",
    "story-archive": "a file",
    "own-archive": "a file",
    "design-export": "a file",
    "classes-export": "a file",
    "battle-sheets-pdf": "a file",
    "fight-sheets-pdf": "a file",
    "ship-sheets-pdf": "a file",
    "class-sheets-pdf": "a file",
    "table-record-sync": "asked for by the table's script",
    "table-record-worker": "a script",
    "push-replaced": "asked by the worker of notifications",
    "guide": "takes a form, and sends on to another page",
    "gallery-moment-picture": "a picture",
    "gallery-newest": "data for the script of the front page",
    "daily-day": "the page of today for another day",
    "daily-start": "takes a form, and sends on to another page",
    "guest-start": "takes a form, and sends on to another page",
    "guest-keep": "only in the browser of a guest",
    "put-away": "takes a form, and sends on to another page",
    "bring-back": "takes a form, and sends on to another page",
    "seat-end-hide": "takes a form, and sends on to another page",
    "seat-act": "takes a form, and sends on to another page",
    "umpire-act": "takes a form, and sends on to another page",
    "host-act": "takes a form, and sends on to another page",
    "umpire-battle-result": "takes a form, and sends on to another page",
}


def names() -> Iterator[str]:
    """Return every named address that does not answer with the API's JSON."""
    for route, pattern in _addresses(get_resolver().url_patterns):
        if not _is_json(pattern):
            assert pattern.name, f"{route} has no name"
            yield pattern.name


def _addresses(
    patterns: Sequence[URLPattern | URLResolver], before: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _addresses(pattern.url_patterns, route)
        else:
            yield route, pattern


def _is_json(address: URLPattern) -> bool:
    """Return whether an address belongs to the API and always answers with JSON."""
    renderers = getattr(getattr(address.callback, "cls", None), "renderer_classes", ())
    return bool(renderers) and all(renderer.format == "json" for renderer in renderers)


def address_name(url: str) -> str | None:
    """Return the name of the address at which a picture was taken."""
    return resolve(urlsplit(url).path).url_name
