"""The list of all routes, with a player's requests there.

`tests.access.site_routes` explains it; every route has a line here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.access.battle_requests import (
    moment_calls,
    moment_forms,
    phase_form,
    phase_panels,
    phase_requests,
    record_api_requests,
    record_form,
    record_requests,
    result_requests,
    table_requests,
)
from tests.access.client_requests import Request
from tests.access.design_requests import (
    class_forms,
    comparison_queries,
    comparison_requests,
    design_requests,
    design_texts,
    editor_forms,
    editor_queries,
    library_designs,
    library_forms,
)
from tests.access.odds_requests import meeting_requests, odds_queries
from tests.access.private_rows import CAMPAIGN, OTHER_SCENARIO
from tests.access.scenario_requests import (
    builder_form,
    editor_form,
    scenario_forms,
    scenario_put,
    scenario_texts,
    tournament_acts,
    tournament_call,
    tournament_forms,
    war_buttons,
)
from tests.access.site_routes import ANY_MATCH, NOT_THERE, Guesses, RouteRequests, message_ids
from tests.access.timeline_requests import answer_calls, forks, rollback_calls, rollbacks

C, API = "c/<uuid:c>/", "api/campaigns/<str:campaign>/"
NEEDS_A_LINE = "a new address needs a line in tests/access/route_requests.py"


def _weeks(guesses: Guesses) -> Sequence[str]:
    """Return past weeks as they were known then, and impossible ones."""
    past = guesses.history.moments[max(len(guesses.history.moments) - 2, 0)]
    return (
        f"week={past.week}&stage={past.stage}",
        "week=99&stage=orders",
        "week=1",
        "week=x&stage=y",
    )


def _fleets(guesses: Guesses) -> Sequence[str]:
    return [f"fleet={key}" for key in guesses.fleets]


def _map(guesses: Guesses) -> Sequence[str]:
    return [*_weeks(guesses), *_fleets(guesses), *(f"hex={label}" for label in guesses.hexes)]


def _arrivals(guesses: Guesses) -> Sequence[str]:
    """Return arrivals from known and guessed hexes, by all ways or gates only."""
    return [
        "&".join(f"of={label}.0{gates}" for label in guesses.hexes[:32] for gates in ("", "g")),
        "of=x",
    ]


def _guide(_: Guesses, path: str) -> Sequence[Request]:
    """Return steps of guided wars, and invalid ones."""
    steps = ("first-steps/deploy/seal", "all", "again", "x")
    return [Request("post", path, {"step": step, "back": "/help/"}) for step in steps]


def _orders(guesses: Guesses) -> list[dict[str, Any]]:
    """Return sets of orders, legal or not: about own, foreign and missing things."""
    goal = guesses.hexes[0]
    return [
        guesses.history.orders[-1],
        {"moves": [{"fleet": key, "to": hex_} for key in guesses.fleets for hex_ in guesses.hexes]},
        {
            "dock": [{"ship": key, "repair": ["drive"]} for key in guesses.ships],
            "weasels": list(guesses.ships),
            "detach": [{"ships": list(guesses.ships[-2:]), "into": guesses.fleets[0]}],
            "settings": [
                {"fleet": key, "name": "Renamed", "decoys_on": 1} for key in guesses.fleets
            ],
            "decide": [
                {"hex": goal, "toward": key, "choice": "fight"} for key in guesses.history.others
            ],
        },
    ]


def _put_orders(guesses: Guesses, path: str) -> Sequence[Request]:
    tagged = [Request("put", path, orders, True, ANY_MATCH) for orders in _orders(guesses)]
    return [
        *tagged,
        Request("put", path, {}, True),
        Request("put", path, {}, True, (("If-Match", '"1-0-0-0"'),)),
    ]


def _check(guesses: Guesses, path: str) -> Sequence[Request]:
    return [Request("post", path, orders, True) for orders in _orders(guesses)]


def _seal(guesses: Guesses, path: str) -> Sequence[Request]:
    return [
        Request("post", path, {"orders": orders, "nonce": "0f" * 16}, True)
        for orders in _orders(guesses)
    ]


def _form(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return forms of a stage's entry, about own and foreign fleets."""
    stage = {
        "stage": str(len(guesses.history.moments) - 1),
        "version": "3" if guesses.history.drafted else "0",
    }
    fields = {f"move-{key}": hex_ for key in guesses.fleets for hex_ in guesses.hexes[-1:]}
    fields |= {f"to-{key}": guesses.fleets[-2] for key in guesses.ships if len(guesses.fleets) > 1}
    fields |= {
        f"decide-{hex_}-{key}": "fight" for hex_ in guesses.hexes for key in guesses.history.others
    }
    fields |= {f"standing-{key}": "fight" for key in guesses.fleets}
    fields |= {
        f"answer-{part}-{key}-0": word
        for key in guesses.fleets
        for part, word in (("choice", "fight"), ("least", "2"))
    }
    plans = {f"plan-{key}": " ".join(guesses.hexes[:2]) for key in guesses.fleets}
    actions = [
        Request("post", path, {**stage, "action": action})
        for action in ("save", "seal", "unseal", "default", "x")
    ]
    return [
        *actions,
        *(
            Request("post", path, {**stage, **fields, "action": action})
            for action in ("save", "seal")
        ),
        Request("post", path, {**stage, "stage": "99", "action": "seal"}),
        Request("post", path, {**stage, **fields, **plans}, headers=(("X-Draft", "1"),)),
        Request(
            "post",
            path,
            {**stage, f"plan-{guesses.fleets[0]}": "nowhere"},
            headers=(("X-Draft", "1"),),
        ),
    ]


def _open(guesses: Guesses, path: str) -> Sequence[Request]:
    form = {
        "scenario": guesses.history.scenario.slug,
        "name": "Another war",
        "play": guesses.history.viewer,
    }
    other_form = {**form, "scenario": OTHER_SCENARIO}
    return [
        Request("post", path, form),
        Request("post", path, {**form, "play": "nobody"}),
        Request("post", path, other_form),
    ]


def _profile(guesses: Guesses, path: str) -> Sequence[Request]:
    acts = [
        Request("post", path, {"action": action, "zone": "Nowhere"})
        for action in ("token", "calendar", "save", "x")
    ]
    device = {"endpoint": "https://web.push.apple.com/x", "p256dh": "x", "auth": "x"}
    pushes = [
        Request("post", path, {"act": act, "device": "x", **device})
        for act in ("push", "push-end", "discord", "discord-end")
    ]
    return [*acts, *pushes, Request("post", path, {"act": "bot", "bot": "yes"})]


def _push_addresses(_: Guesses, path: str) -> Sequence[Request]:
    """Return new addresses for a browser with notifications, and for one without."""
    old = "https://web.push.apple.com/x"
    return [
        Request("post", path, {"before": before, "endpoint": f"{old}y", "p256dh": "x", "auth": "x"})
        for before in ("", old)
    ]


def _seat(guesses: Guesses, path: str) -> Sequence[Request]:
    keys = (guesses.history.viewer, *guesses.history.others, "nobody")
    return [
        Request("post", path, {"faction": key, "role": "player", "number": "1"}) for key in keys
    ]


def _invite(guesses: Guesses, path: str) -> Sequence[Request]:
    parts = [("player", key) for key in (guesses.history.viewer, *guesses.history.others)] + [
        ("umpire", ""),
        ("host", ""),
    ]
    return [
        Request("post", path, {"role": role, "faction": faction}, True) for role, faction in parts
    ]


def _faction(guesses: Guesses, path: str) -> Sequence[Request]:
    return [
        Request("post", path, {"faction": key}, True)
        for key in (*guesses.history.others, guesses.history.viewer)
    ]


def _acts(guesses: Guesses, path: str) -> Sequence[Request]:
    last = len(guesses.history.moments) - 1
    faction = guesses.history.others[0]
    return [
        Request(
            "post",
            path,
            {"stage": last, "hours": 5, "reason": "late", "faction": faction, "week": 1},
            True,
        )
    ]


def _acts_in_wars(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return an action in several wars: in this one, and in a missing one."""
    stage = len(guesses.history.moments) - 1
    asks = []
    for wars in ([CAMPAIGN], [CAMPAIGN, NOT_THERE], [NOT_THERE], []):
        war_rows = [{"id": str(war), "stage": stage} for war in wars]
        times = {"until": "2100-01-01T00:00Z"} if path.endswith("/pause/") else {"hours": 5}
        if path.endswith("/pause/"):
            war_rows = [{"id": str(war)} for war in wars]
        body = {"wars": war_rows} if path.endswith("/remind/") else {"wars": war_rows, **times}
        asks.append(Request("post", path, body, True))
    return asks


def _conditional(guesses: Guesses, path: str) -> Sequence[Request]:
    return [Request("get", path, headers=(("If-None-Match", "*"),)), Request("delete", path)]


def _act_forms(guesses: Guesses, path: str) -> Sequence[Request]:
    last = str(len(guesses.history.moments) - 1)
    return [
        Request(
            "post",
            path,
            {"stage": last, "hours": "5", "reason": "late", "faction": key, "week": "1"},
        )
        for key in (*guesses.history.others[:1], guesses.history.viewer)
    ]


def _message_forms(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return message forms: to one, to several, to nobody, too long, and read marks."""
    keys = (*guesses.history.others, guesses.history.viewer, "nobody")
    recipient_lists = [[f"faction/{key}"] for key in keys] + [
        [f"faction/{key}" for key in keys[:-1]],
        ["umpire"],
        [],
    ]
    forms = [Request("post", path, {"message": "Well met.", "to": to}) for to in recipient_lists]
    return [
        *forms,
        Request("post", path, {"message": ""}),
        Request("post", path, {"act": "read", "id": message_ids(guesses)}),
    ]


def _memo_texts(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return memos for existing and missing weeks, empty and too long ones."""
    return [Request("put", path, {"text": text}, True) for text in ("Hold Ember.", "", "x" * 2001)]


def _memo_forms(guesses: Guesses, path: str) -> Sequence[Request]:
    weeks = (("2", "Hold Ember."), ("2", ""), ("999", "x"), ("x", "x"))
    return [Request("post", path, {"week": week, "text": text}) for week, text in weeks]


def _messages(guesses: Guesses, path: str) -> Sequence[Request]:
    keys = [*guesses.history.others, guesses.history.viewer]
    texts = [{"text": "Well met.", "to": [key]} for key in (*keys, "nobody")]
    return [
        Request("post", path, form, True)
        for form in (*texts, {"text": "x" * 4001, "to": keys, "umpire": True})
    ]


HOST = RouteRequests(writes=_acts)  # that pair's player is host
UMPIRE = RouteRequests(404, queries=lambda _: ("search=a", "page=2", "stage=1"))
UMPIRE_ACT = RouteRequests(405, writes=_acts)
HOST_ACT = RouteRequests(404, writes=_act_forms)

SITE = {
    **dict.fromkeys(("health/", "health/web/", "gallery/", "gallery/newest/"), RouteRequests()),
    "metrics": RouteRequests(404),
    "robots.txt": RouteRequests(),
    ".well-known/security.txt": RouteRequests(404),
    ".well-known/blindjump-key": RouteRequests(),
    "discord/": RouteRequests(404),
    "gallery/<uuid:war>/": RouteRequests(404, queries=lambda _: ("seq=0", "seq=99", "hex=0404")),
    "gallery/<uuid:war>/film/": RouteRequests(404, queries=lambda _: ("seq=1", "as=nobody")),
    "gallery/<uuid:war>/battles/<uuid:public_id>/": RouteRequests(
        404, queries=lambda _: ("turn=1", "as=nac")
    ),
    **dict.fromkeys(
        (f"gallery/moments/<uuid:moment>/{tail}" for tail in ("", "picture.png", "play/")),
        RouteRequests(404),
    ),
    "welcome/<str:token>/": RouteRequests(404),
    "mail/stop/<str:token>/": RouteRequests(404),
    "feed/<str:token>.ics": RouteRequests(),
}
ACCOUNTS = {
    "accounts/login/": RouteRequests(302),
    "accounts/logout/": RouteRequests(),
    "accounts/inactive/": RouteRequests(),
    "accounts/signup/": RouteRequests(302),
    "accounts/reauthenticate/": RouteRequests(),
    "accounts/email/": RouteRequests(302),
    "accounts/password/change/": RouteRequests(),
    "accounts/password/reset/": RouteRequests(),
    "accounts/password/reset/done/": RouteRequests(),
    "accounts/password/reset/key/done/": RouteRequests(),
    "accounts/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$": RouteRequests(),
    "accounts/2fa/": RouteRequests(),
    "accounts/2fa/authenticate/": RouteRequests(302),
    "accounts/2fa/reauthenticate/": RouteRequests(302),
    "accounts/2fa/totp/activate/": RouteRequests(302),
    "accounts/2fa/totp/deactivate/": RouteRequests(404),
    "accounts/2fa/recovery-codes/": RouteRequests(404),
    "accounts/2fa/recovery-codes/generate/": RouteRequests(302),
    "accounts/2fa/recovery-codes/download/": RouteRequests(404),
}
API_SITE = {
    "api/health/": RouteRequests(),
    "api/schema/": RouteRequests(),
    "api/docs/": RouteRequests(),
    "api/token/": RouteRequests(405, writes=_conditional),
    "api/umpire/troubles/": RouteRequests(404),
    "api/umpire/remind/": RouteRequests(405, writes=_acts_in_wars),
    "api/umpire/extend/": RouteRequests(405, writes=_acts_in_wars),
    "api/umpire/pause/": RouteRequests(405, writes=_acts_in_wars),
    "api/tokens/": RouteRequests(),
    "api/tokens/<str:token>/": RouteRequests(405, writes=lambda _, path: [Request("delete", path)]),
    "api/me/": RouteRequests(writes=lambda _, path: [Request("put", path, {"bot": True}, True)]),
    "api/scenarios/": RouteRequests(),
    "api/scenarios/<str:slug>/": RouteRequests(),
    "api/own-scenarios/": RouteRequests(writes=scenario_texts),
    "api/own-scenarios/check/": RouteRequests(405, writes=scenario_texts),
    "api/own-scenarios/<str:scenario>/": RouteRequests(writes=scenario_put),
    "api/own-scenarios/<str:scenario>/store/": RouteRequests(405),
    "api/own-scenarios/<str:scenario>/balance/": RouteRequests(
        writes=lambda _, path: [Request("post", path, {"wars": 20}, True), Request("delete", path)]
    ),
    "api/own-scenarios/<str:scenario>/handicap/": RouteRequests(),
    "api/own-scenarios/<str:scenario>/handicap/apply/": RouteRequests(405),
    "api/own-scenarios/<str:scenario>/handicap/undo/": RouteRequests(405),
    **dict.fromkeys(("api/daily/", "api/daily/<str:day>/"), RouteRequests(404)),
    "api/tournaments/": RouteRequests(writes=tournament_call),
    "api/tournaments/<str:tournament>/": RouteRequests(),
    **{
        f"api/tournaments/<str:tournament>/{act}/": RouteRequests(405, writes=tournament_call)
        for act in ("join", "leave", "rounds", "deadline", "result", "remove", "link", "finish")
    },
    "api/campaigns/": RouteRequests(),
    "api/designs/": RouteRequests(writes=library_designs),
    "api/designs/check/": RouteRequests(405, writes=library_designs),
    "api/designs/import/": RouteRequests(405, writes=design_texts),
    "api/designs/export/": RouteRequests(queries=lambda _: ("form=yaml", "form=x")),
    "guide/": RouteRequests(405, writes=_guide),
    "api/designs/compare/": RouteRequests(405, writes=comparison_requests),
    "api/designs/odds/": RouteRequests(405, writes=comparison_requests),
    "api/designs/odds/<str:odds>/": RouteRequests(
        404, writes=lambda _, path: [Request("delete", path)]
    ),
    "api/designs/<str:design>/": RouteRequests(
        writes=lambda known, path: [*library_designs(known, path, "put"), Request("delete", path)]
    ),
    "api/gallery/": RouteRequests(),
    "api/^.*$": RouteRequests(404),
}
API_PLAYER = {
    "": RouteRequests(),
    "start/": RouteRequests(405),
    "stages/": RouteRequests(),
    "ledger/": RouteRequests(),
    "moments/": RouteRequests(writes=moment_calls),
    "moments/<str:moment>/": RouteRequests(405, writes=_conditional),
    "moments/<str:moment>/agree/": RouteRequests(405, writes=_conditional),
    "timelines/": RouteRequests(writes=rollback_calls),
    "timelines/answer/": RouteRequests(405, writes=answer_calls),
    "forks/": RouteRequests(writes=forks),
    **dict.fromkeys(("archive/", "luck/"), RouteRequests(404, truth_at_end=True)),
    "reveal/": RouteRequests(405),
    "archive/own/": RouteRequests(),
    "ledger/head/": RouteRequests(),
    "ledger/<int:number>/proofs/": RouteRequests(),
    "rules/": RouteRequests(),
    "seats/": RouteRequests(),
    "seats/take/": RouteRequests(405, writes=_faction),
    "seats/leave/": RouteRequests(405),
    "seats/computer/": RouteRequests(405, writes=_faction),
    "seats/send-away/": RouteRequests(
        405, writes=lambda _, path: [Request("post", path, {"name": "guest"}, True)]
    ),
    "join/": RouteRequests(
        405, writes=lambda _, path: [Request("post", path, {"token": "x"}, True)]
    ),
    "invites/": RouteRequests(writes=_invite),
    "invites/<str:invite>/": RouteRequests(405, writes=_conditional),
    "gallery/": RouteRequests(
        writes=lambda _, path: [
            Request("put", path, {"may_be_shown": shown}, True) for shown in (True, False)
        ]
    ),
    "gallery/weeks/": RouteRequests(
        405, writes=lambda _, path: [Request("post", path, {"weeks": None}, True)]
    ),
    "map/": RouteRequests(writes=_conditional),
    "objectives/": RouteRequests(writes=_conditional),
    "reach/": RouteRequests(422, queries=_fleets),
    "odds/": RouteRequests(405, writes=meeting_requests),
    "odds/<str:meeting>/": RouteRequests(404, writes=lambda _, path: [Request("delete", path)]),
    "view/": RouteRequests(queries=_weeks, writes=_conditional),
    "fleets/": RouteRequests(queries=_weeks),
    "ships/": RouteRequests(queries=_weeks),
    "mines/": RouteRequests(queries=_weeks),
    "contacts/": RouteRequests(queries=_weeks),
    "reports/": RouteRequests(queries=lambda _: ("week=1", "week=x")),
    "reports/<str:report>/": RouteRequests(),
    "gazette/<int:week>/": RouteRequests(queries=lambda _: ("for=public", "for=allies", "for=x")),
    "battles/": RouteRequests(),
    "battles/<str:battle>/": RouteRequests(),
    "tables/": RouteRequests(),
    "tables/<str:battle>/": RouteRequests(writes=result_requests),
    "tables/<str:battle>/check/": RouteRequests(405, writes=result_requests),
    "tables/<str:battle>/record/": RouteRequests(writes=record_api_requests),
    "tables/<str:battle>/record/result/": RouteRequests(405),
    "tables/<str:battle>/receipts/": RouteRequests(),
    "tables/<str:battle>/seal/": RouteRequests(405, writes=result_requests),
    "tables/<str:battle>/unseal/": RouteRequests(405),
    "fights/": RouteRequests(),
    "fights/<str:fight>/": RouteRequests(writes=_conditional),
    "fights/<str:fight>/phases/<int:number>/": RouteRequests(),
    "fights/<str:fight>/orders/": RouteRequests(409, writes=phase_requests),
    "fights/<str:fight>/orders/default/": RouteRequests(409),
    "fights/<str:fight>/orders/check/": RouteRequests(405, writes=phase_requests),
    "fights/<str:fight>/orders/seal/": RouteRequests(405, writes=phase_requests),
    "fights/<str:fight>/orders/unseal/": RouteRequests(405),
    "fights/<str:fight>/captain/": RouteRequests(405),
    "fights/<str:fight>/receipts/": RouteRequests(),
    "memos/": RouteRequests(),
    "memos/<int:week>/": RouteRequests(405, writes=_memo_texts),
    "messages/": RouteRequests(writes=_messages),
    "messages/read/": RouteRequests(
        405, writes=lambda known, path: [Request("post", path, {"ids": message_ids(known)}, True)]
    ),
    "classes/": RouteRequests(writes=design_requests),
    "classes/check/": RouteRequests(405, writes=design_requests),
    "classes/import/": RouteRequests(405, writes=design_texts),
    "classes/export/": RouteRequests(queries=lambda _: ("form=yaml", "form=ftlibship", "form=x")),
    "classes/<str:drawing>/": RouteRequests(writes=lambda _, path: [Request("delete", path)]),
    "tech-base/": RouteRequests(),
    "orders/": RouteRequests(writes=_put_orders),
    "orders/default/": RouteRequests(),
    "orders/check/": RouteRequests(405, writes=_check),
    "orders/seal/": RouteRequests(405, writes=_seal),
    "orders/unseal/": RouteRequests(405),
    "receipts/": RouteRequests(),
    "receipts/<int:ordinal>/": RouteRequests(),
}
API_UMPIRE = {
    **dict.fromkeys(("resolve/", "extend/", "pause/", "resume/", "grace/", "hold/"), UMPIRE_ACT),
    **dict.fromkeys(("no-beacon/", "excuse/", "remind/", "rules/", "rebuild/"), UMPIRE_ACT),
    **dict.fromkeys(("remedy/", "password-link/"), UMPIRE_ACT),
    "world/": UMPIRE,
    "fleets/": UMPIRE,
    "ships/": UMPIRE,
    "systems/": UMPIRE,
    "repairs/": UMPIRE,
    "stages/": UMPIRE,
    "submissions/": UMPIRE,
    "battles/": UMPIRE,
    "battles/<str:battle>/": UMPIRE,
    "battles/<str:battle>/mode/": UMPIRE_ACT,
    "battles/<str:battle>/result/": RouteRequests(404, writes=_acts),
    "factions/<str:faction>/view/": UMPIRE,
    "messages/": UMPIRE,
    "acts/": UMPIRE,
    "events/": RouteRequests(404, writes=_acts),
    "rulings/": RouteRequests(404, writes=_acts),
    "checklist/": UMPIRE,
    "time-line/": UMPIRE,
    "opened/": UMPIRE,
    "marks/": RouteRequests(404, writes=_acts),
}
PAGES_PLAYER = {
    "": RouteRequests(),
    "guest/": RouteRequests(405),
    "guest/keep/": RouteRequests(404),
    "campaigns/new": RouteRequests(queries=lambda _: (f"scenario={OTHER_SCENARIO}",), writes=_open),
    "me/": RouteRequests(writes=_profile),
    "me/push/": RouteRequests(writes=_push_addresses),
    "me/seats/<uuid:war>/hide/": RouteRequests(405),
    **{f"me/wars/<uuid:war>/{act}/": RouteRequests(405) for act in ("put-away", "bring-back")},
    **dict.fromkeys(("league/", "aids/", "daily/", "help/", "help/<slug:topic>/"), RouteRequests()),
    "daily/start/": RouteRequests(405),
    "daily/<str:day>/": RouteRequests(404),
    "aids/reference/": RouteRequests(queries=lambda _: ("edition=continuum&option=vector", "x=1")),
    "aids/<slug:aid>.pdf": RouteRequests(404, queries=lambda _: ("paper=letter", "paper=x")),
    "help/words/": RouteRequests(queries=lambda _: ("q=fleet", "q=x")),
    "umpire/": RouteRequests(404, queries=lambda _: ("show=trouble",)),
    "umpire/acts/<slug:verb>/": RouteRequests(404),
    "designs/": RouteRequests(writes=library_forms, queries=lambda _: ("q=beam", "q=x")),
    "designs/new/<slug:edition>/": RouteRequests(writes=editor_forms),
    "designs/compare/": RouteRequests(queries=comparison_queries),
    "designs/<uuid:design>/": RouteRequests(writes=editor_forms),
    "designs/<uuid:design>/<slug:form>/": RouteRequests(),
    "balance/<uuid:scenario>/": RouteRequests(writes=war_buttons),
    "scenarios/": RouteRequests(writes=scenario_forms),
    "battles/new": RouteRequests(writes=builder_form),
    "battles/<uuid:scenario>/": RouteRequests(302, writes=builder_form),
    "tournaments/new": RouteRequests(
        queries=lambda _: ("scenario=first-battle", f"scenario={OTHER_SCENARIO}"),
        writes=tournament_forms,
    ),
    "tournaments/<uuid:tournament>/": RouteRequests(),
    "tournaments/<uuid:tournament>/join/<str:token>/": RouteRequests(404),
    "tournaments/<uuid:tournament>/<slug:verb>/": RouteRequests(405, writes=tournament_acts),
    "scenarios/<uuid:scenario>/text/": RouteRequests(
        writes=lambda _, path: [Request("post", path, {"text": "name: Small"})]
    ),
    "scenarios/<uuid:scenario>/scenario.yaml": RouteRequests(),
    "scenarios/<uuid:scenario>/<slug:section>/": RouteRequests(writes=editor_form),
    C + "designer/": RouteRequests(queries=editor_queries, writes=editor_forms),
    C: RouteRequests(),
    C + "seats/<slug:verb>/": RouteRequests(405, writes=_seat),
    C + "join/<str:token>/": RouteRequests(302),
    C + "memos/": RouteRequests(writes=_memo_forms),
    C + "more/": RouteRequests(),
    C + "messages/": RouteRequests(writes=_message_forms),
    C + "messages/umpire/": RouteRequests(writes=_message_forms),
    C + "messages/all/": RouteRequests(404),
    C + "messages/to/<slug:key>/": RouteRequests(
        queries=lambda _: ("older=1", "older=x", "older=999"), writes=_message_forms
    ),
    C + "reports/": RouteRequests(queries=_weeks),
    C + "reports/<int:seq>/": RouteRequests(),
    C + "timelines/<int:number>/": RouteRequests(404),
    C + "check/archive/": RouteRequests(),
    C + "timelines/<int:number>/map/": RouteRequests(404),
    C + "rollback/": RouteRequests(writes=rollbacks),
    C + "fork/": RouteRequests(writes=forks),
    C + "moments/": RouteRequests(writes=moment_forms),
    C + "battles/<uuid:battle>/moment/": RouteRequests(
        404, queries=lambda _: ("turn=1", "turn=x"), truth_at_end=True
    ),
    C + "gazette/": RouteRequests(queries=lambda _: ("for=public", "for=allies", "for=x")),
    C + "gazette/chronicle/": RouteRequests(404),
    C + "gazette/<int:week>.pdf": RouteRequests(queries=lambda _: ("for=public",)),
    C + "gazette/<int:week>/mail/": RouteRequests(writes=lambda _, at: [Request("post", at, {})]),
    C + "gazette/<int:week>/": RouteRequests(queries=lambda _: ("for=public", "for=allies")),
    C + "ships/": RouteRequests(queries=_map),
    C + "ships/sheets/": RouteRequests(queries=_fleets),
    C + "ships/sheets.pdf": RouteRequests(queries=lambda it: ("counters=on", *_fleets(it)[-2:])),
    C + "classes/sheets/": RouteRequests(),
    C + "classes/sheets.pdf": RouteRequests(queries=lambda _: ("paper=letter", "paper=x&per=9")),
    "c/<str:c>/ships/<path:ship>/": RouteRequests(),
    C + "classes/": RouteRequests(writes=class_forms),
    C + "classes/export/<slug:form>/": RouteRequests(),
    C + "tech-base/": RouteRequests(),
    "c/<str:c>/map/": RouteRequests(queries=_map),
    "c/<str:c>/map/past/": RouteRequests(),
    "c/<str:c>/map/arrivals/": RouteRequests(queries=_arrivals),
    "c/<str:c>/pulse/": RouteRequests(
        queries=lambda known: (f"at={len(known.history.moments) - 1}", "at=99")
    ),
    "c/<str:c>/deploy/": RouteRequests(302, writes=_form),
    "c/<str:c>/orders/": RouteRequests(queries=_fleets, writes=_form),
    "c/<str:c>/orders/fleet/": RouteRequests(404, queries=_fleets),
    "c/<str:c>/odds/": RouteRequests(queries=odds_queries),
    "c/<str:c>/visibility/": RouteRequests(),
    "c/<str:war>/known-of-me/": RouteRequests(301),
    "campaigns/new/": RouteRequests(301),
    "battles/new/": RouteRequests(301),
    "tournaments/new/": RouteRequests(301),
    "c/<str:c>/decisions/": RouteRequests(302, writes=_form),
    "c/<str:c>/receipts/": RouteRequests(),
    "c/<str:c>/receipts.txt": RouteRequests(),
    "c/<str:c>/battles/<uuid:battle>/": RouteRequests(
        queries=lambda _: ("turn=all", "turn=2", "turn=99")
    ),
    C + "battles/<uuid:battle>/result/": RouteRequests(
        writes=lambda _, at: [
            Request("post", at, {"act": act, "turn": "2", "side": "nac"})
            for act in ("rematch", "swap", "play-on", "x")
        ]
    ),
    "c/<str:c>/battles/<uuid:battle>/table/": RouteRequests(writes=table_requests),
    "c/<str:c>/battles/<uuid:battle>/table/record/": RouteRequests(writes=record_form),
    "c/<str:c>/battles/<uuid:battle>/table/record/worker.js": RouteRequests(),
    "c/<str:c>/battles/<uuid:battle>/table/record/sync/": RouteRequests(
        queries=lambda _: ("at=0",), writes=record_requests
    ),
    "c/<str:c>/battles/<uuid:battle>/sheets/": RouteRequests(),
    "c/<str:c>/battles/<uuid:battle>/sheets.pdf": RouteRequests(
        queries=lambda _: ("per=1&counters=on",)
    ),
    "c/<str:c>/battles/<uuid:fight>/now/": RouteRequests(queries=phase_panels, writes=phase_form),
    "c/<str:c>/battles/<uuid:fight>/now/sheets/": RouteRequests(),
    "c/<str:c>/battles/<uuid:fight>/now/sheets.pdf": RouteRequests(
        queries=lambda _: ("per=1&counters=on",)
    ),
    "c/<str:c>/battles/<uuid:fight>/so-far/": RouteRequests(
        queries=lambda _: ("turn=all", "turn=2", "turn=99")
    ),
}
PAGES_UMPIRE = {
    **dict.fromkeys(("umpire/fleets/", "umpire/ships/", "umpire/events/"), UMPIRE),
    **dict.fromkeys(("umpire/rulings/", "umpire/checklist/", "umpire/time-line/"), UMPIRE),
    **dict.fromkeys(("umpire/opened/", "umpire/notes/", "umpire/ledger/"), UMPIRE),
    "umpire/": UMPIRE,
    "umpire/map/": UMPIRE,
    "umpire/reports/": UMPIRE,
    "umpire/stages/": UMPIRE,
    "umpire/stages/<int:ordinal>/": UMPIRE,
    "umpire/battles/": UMPIRE,
    "umpire/battles/<uuid:public_id>/": UMPIRE,
    "umpire/battles/<uuid:public_id>/replay/": UMPIRE,
    "umpire/battles/<uuid:public_id>/result/": UMPIRE,
    "umpire/factions/<slug:key>/": UMPIRE,
    "umpire/weeks/<int:week>.pdf": UMPIRE,
    "umpire/act/<slug:verb>/": UMPIRE,
    "host/": HOST,
    "host/act/<slug:verb>/": HOST_ACT,
    "public/": RouteRequests(),
    "ledger/": RouteRequests(),
    "check/": RouteRequests(),
    "story/": RouteRequests(404, truth_at_end=True),
    "result/": RouteRequests(404, truth_at_end=True),
    "story/film/": RouteRequests(404, truth_at_end=True),
    "story/umpires/": RouteRequests(404, truth_at_end=True),
    "story/luck/": RouteRequests(404, truth_at_end=True),
    "story/archive/": RouteRequests(404, truth_at_end=True),
    "story/battles/<uuid:public_id>/": RouteRequests(404, truth_at_end=True),
    "story/battles/<uuid:public_id>/replay/": RouteRequests(404, truth_at_end=True),
}


class ReachOfRoutes(dict[str, RouteRequests]):
    """What is asked at each route."""

    def __missing__(self, route: str) -> RouteRequests:
        pytest.fail(f"{NEEDS_A_LINE}: {route}")


ROUTE_REQUESTS = ReachOfRoutes(
    {
        **SITE,
        **ACCOUNTS,
        **API_SITE,
        **{API + route: reach for route, reach in API_PLAYER.items()},
        **{f"{API}umpire/{route}": reach for route, reach in API_UMPIRE.items()},
        **PAGES_PLAYER,
        **{C + route: reach for route, reach in PAGES_UMPIRE.items()},
    }
)
