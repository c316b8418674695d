"""The list of all routes, with what a player asks there.

`tests.access.reach` says how; every route has a line here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.access.asking import Ask
from tests.access.papers import CAMPAIGN, THEIRS
from tests.access.reach import ANY_MATCH, NOT_THERE, Guesses, Reach, message_ids
from tests.access.reached_battles import (
    record_asks,
    record_asks_api,
    record_form,
    result_asks,
    stop_asks,
    stop_form,
    stop_panels,
    table_asks,
)
from tests.access.reached_designs import (
    bench_forms,
    bench_queries,
    class_forms,
    compared_queries,
    design_asks,
    design_texts,
    kept_designs,
    set_against,
    shelf_forms,
)
from tests.access.reached_odds import meeting_asks, odds_queries
from tests.access.reached_scenarios import (
    editor_form,
    scenario_forms,
    scenario_put,
    scenario_texts,
    war_buttons,
)

C, API = "c/<uuid:c>/", "api/campaigns/<str:campaign>/"
NEEDS_A_LINE = "a new address needs a line in tests/access/reached.py"


def _weeks(known: Guesses) -> Sequence[str]:
    """The past as it was seen then, and what was never."""
    past = known.history.moments[max(len(known.history.moments) - 2, 0)]
    return (
        f"week={past.week}&stage={past.stage}",
        "week=99&stage=orders",
        "week=1",
        "week=x&stage=y",
    )


def _fleets(known: Guesses) -> Sequence[str]:
    return [f"fleet={key}" for key in known.fleets]


def _map(known: Guesses) -> Sequence[str]:
    return [*_weeks(known), *_fleets(known), *(f"hex={label}" for label in known.hexes)]


def _arrivals(known: Guesses) -> Sequence[str]:
    """Those of what leaves any hex it knows of or guesses at, by every way or by gates alone."""
    return [
        "&".join(f"of={one}.0{gates}" for one in known.hexes[:32] for gates in ("", "g")),
        "of=x",
    ]


def _guide(_: Guesses, path: str) -> Sequence[Ask]:
    """Steps of guided wars, and what is none."""
    steps = ("first-steps/deploy/seal", "all", "again", "x")
    return [Ask("post", path, {"step": step, "back": "/help/"}) for step in steps]


def _orders(known: Guesses) -> list[dict[str, Any]]:
    """Sets of orders, lawful or not: about own things, things of others and things that are not
    there.
    """
    goal = known.hexes[0]
    return [
        known.history.orders[-1],
        {"moves": [{"fleet": key, "to": hex_} for key in known.fleets for hex_ in known.hexes]},
        {
            "dock": [{"ship": key, "repair": ["drive"]} for key in known.ships],
            "weasels": list(known.ships),
            "detach": [{"ships": list(known.ships[-2:]), "into": known.fleets[0]}],
            "settings": [{"fleet": key, "name": "Renamed", "decoys_on": 1} for key in known.fleets],
            "decide": [
                {"hex": goal, "toward": key, "choice": "fight"} for key in known.history.others
            ],
        },
    ]


def _put(known: Guesses, path: str) -> Sequence[Ask]:
    tagged = [Ask("put", path, orders, True, ANY_MATCH) for orders in _orders(known)]
    return [
        *tagged,
        Ask("put", path, {}, True),
        Ask("put", path, {}, True, (("If-Match", '"1-0-0-0"'),)),
    ]


def _check(known: Guesses, path: str) -> Sequence[Ask]:
    return [Ask("post", path, orders, True) for orders in _orders(known)]


def _seal(known: Guesses, path: str) -> Sequence[Ask]:
    return [
        Ask("post", path, {"orders": orders, "nonce": "0f" * 16}, True) for orders in _orders(known)
    ]


def _form(known: Guesses, path: str) -> Sequence[Ask]:
    """The forms of a stage's entry: about own fleets and those of others."""
    stage = {
        "stage": str(len(known.history.moments) - 1),
        "version": "3" if known.history.drafted else "0",
    }
    fields = {f"move-{key}": hex_ for key in known.fleets for hex_ in known.hexes[-1:]}
    fields |= {f"to-{key}": known.fleets[-2] for key in known.ships if len(known.fleets) > 1}
    fields |= {
        f"decide-{hex_}-{key}": "fight" for hex_ in known.hexes for key in known.history.others
    }
    fields |= {f"standing-{key}": "fight" for key in known.fleets}
    fields |= {
        f"answer-{part}-{key}-0": word
        for key in known.fleets
        for part, word in (("choice", "fight"), ("least", "2"))
    }
    plans = {f"plan-{key}": " ".join(known.hexes[:2]) for key in known.fleets}
    actions = [
        Ask("post", path, {**stage, "action": action})
        for action in ("save", "seal", "unseal", "default", "x")
    ]
    return [
        *actions,
        *(Ask("post", path, {**stage, **fields, "action": action}) for action in ("save", "seal")),
        Ask("post", path, {**stage, "stage": "99", "action": "seal"}),
        Ask("post", path, {**stage, **fields, **plans}, headers=(("X-Draft", "1"),)),
        Ask(
            "post",
            path,
            {**stage, f"plan-{known.fleets[0]}": "nowhere"},
            headers=(("X-Draft", "1"),),
        ),
    ]


def _open(known: Guesses, path: str) -> Sequence[Ask]:
    form = {
        "scenario": known.history.scenario.slug,
        "name": "Another war",
        "play": known.history.viewer,
    }
    theirs = {**form, "scenario": THEIRS}
    return [
        Ask("post", path, form),
        Ask("post", path, {**form, "play": "nobody"}),
        Ask("post", path, theirs),
    ]


def _profile(known: Guesses, path: str) -> Sequence[Ask]:
    acts = [
        Ask("post", path, {"action": action, "zone": "Nowhere"})
        for action in ("token", "calendar", "save", "x")
    ]
    device = {"endpoint": "https://web.push.apple.com/x", "p256dh": "x", "auth": "x"}
    pushes = [
        Ask("post", path, {"act": act, "device": "x", **device})
        for act in ("push", "push-end", "discord", "discord-end")
    ]
    return [*acts, *pushes, Ask("post", path, {"act": "bot", "bot": "yes"})]


def _pushed(_: Guesses, path: str) -> Sequence[Ask]:
    """Another address for a browser that is told, and for one that is not."""
    old = "https://web.push.apple.com/x"
    return [
        Ask("post", path, {"before": before, "endpoint": f"{old}y", "p256dh": "x", "auth": "x"})
        for before in ("", old)
    ]


def _seat(known: Guesses, path: str) -> Sequence[Ask]:
    keys = (known.history.viewer, *known.history.others, "nobody")
    return [Ask("post", path, {"faction": key, "role": "player", "number": "1"}) for key in keys]


def _invite(known: Guesses, path: str) -> Sequence[Ask]:
    parts = [("player", key) for key in (known.history.viewer, *known.history.others)] + [
        ("umpire", ""),
        ("host", ""),
    ]
    return [Ask("post", path, {"role": role, "faction": faction}, True) for role, faction in parts]


def _faction(known: Guesses, path: str) -> Sequence[Ask]:
    return [
        Ask("post", path, {"faction": key}, True)
        for key in (*known.history.others, known.history.viewer)
    ]


def _acts(known: Guesses, path: str) -> Sequence[Ask]:
    last = len(known.history.moments) - 1
    faction = known.history.others[0]
    return [
        Ask(
            "post",
            path,
            {"stage": last, "hours": 5, "reason": "late", "faction": faction, "week": 1},
            True,
        )
    ]


def _acts_in_wars(known: Guesses, path: str) -> Sequence[Ask]:
    """An act in several wars: in this one, and in one that does not exist."""
    stage = len(known.history.moments) - 1
    asks = []
    for wars in ([CAMPAIGN], [CAMPAIGN, NOT_THERE], [NOT_THERE], []):
        named = [{"id": str(war), "stage": stage} for war in wars]
        times = {"until": "2100-01-01T00:00Z"} if path.endswith("/pause/") else {"hours": 5}
        if path.endswith("/pause/"):
            named = [{"id": str(war)} for war in wars]
        body = {"wars": named} if path.endswith("/remind/") else {"wars": named, **times}
        asks.append(Ask("post", path, body, True))
    return asks


def _conditional(known: Guesses, path: str) -> Sequence[Ask]:
    return [Ask("get", path, headers=(("If-None-Match", "*"),)), Ask("delete", path)]


def _act_forms(known: Guesses, path: str) -> Sequence[Ask]:
    last = str(len(known.history.moments) - 1)
    return [
        Ask(
            "post",
            path,
            {"stage": last, "hours": "5", "reason": "late", "faction": key, "week": "1"},
        )
        for key in (*known.history.others[:1], known.history.viewer)
    ]


def _letters(known: Guesses, path: str) -> Sequence[Ask]:
    """Messages by the forms: to one, to several, to nobody that is there, too long, and read
    ones.
    """
    keys = (*known.history.others, known.history.viewer, "nobody")
    named = [[f"faction/{key}"] for key in keys] + [
        [f"faction/{key}" for key in keys[:-1]],
        ["umpire"],
        [],
    ]
    forms = [Ask("post", path, {"message": "Well met.", "to": to}) for to in named]
    return [
        *forms,
        Ask("post", path, {"message": ""}),
        Ask("post", path, {"act": "read", "id": message_ids(known)}),
    ]


def _memo_texts(known: Guesses, path: str) -> Sequence[Ask]:
    """Memos of a week that the war has or has not; empty, and too long ones."""
    return [Ask("put", path, {"text": text}, True) for text in ("Hold Ember.", "", "x" * 2001)]


def _memo_forms(known: Guesses, path: str) -> Sequence[Ask]:
    weeks = (("2", "Hold Ember."), ("2", ""), ("999", "x"), ("x", "x"))
    return [Ask("post", path, {"week": week, "text": text}) for week, text in weeks]


def _messages(known: Guesses, path: str) -> Sequence[Ask]:
    keys = [*known.history.others, known.history.viewer]
    texts = [{"text": "Well met.", "to": [key]} for key in (*keys, "nobody")]
    return [
        Ask("post", path, form, True)
        for form in (*texts, {"text": "x" * 4001, "to": keys, "umpire": True})
    ]


HOST = Reach(writes=_acts)  # the player of that pair hosts
UMPIRE = Reach(404, queries=lambda _: ("search=a", "page=2", "stage=1"))
UMPIRE_ACT = Reach(405, writes=_acts)
HOST_ACT = Reach(404, writes=_act_forms)

SITE = {
    "health/": Reach(),
    "health/web/": Reach(),
    "metrics": Reach(404),
    "robots.txt": Reach(),
    ".well-known/security.txt": Reach(404),
    "discord/": Reach(404),
    "gallery/": Reach(),
    "gallery/<uuid:war>/": Reach(404, queries=lambda _: ("seq=0", "seq=99", "hex=0404")),
    "gallery/<uuid:war>/battles/<uuid:public_id>/": Reach(
        404, queries=lambda _: ("turn=1", "as=nac")
    ),
    "welcome/<str:token>/": Reach(404),
    "mail/stop/<str:token>/": Reach(404),
    "feed/<str:token>.ics": Reach(),
}
ACCOUNTS = {
    "accounts/login/": Reach(302),
    "accounts/logout/": Reach(),
    "accounts/inactive/": Reach(),
    "accounts/signup/": Reach(302),
    "accounts/reauthenticate/": Reach(),
    "accounts/email/": Reach(302),
    "accounts/password/change/": Reach(),
    "accounts/password/reset/": Reach(),
    "accounts/password/reset/done/": Reach(),
    "accounts/password/reset/key/done/": Reach(),
    "accounts/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$": Reach(),
    "accounts/2fa/": Reach(),
    "accounts/2fa/authenticate/": Reach(302),
    "accounts/2fa/reauthenticate/": Reach(302),
    "accounts/2fa/totp/activate/": Reach(302),
    "accounts/2fa/totp/deactivate/": Reach(404),
    "accounts/2fa/recovery-codes/": Reach(404),
    "accounts/2fa/recovery-codes/generate/": Reach(302),
    "accounts/2fa/recovery-codes/download/": Reach(404),
}
API_SITE = {
    "api/health/": Reach(),
    "api/schema/": Reach(),
    "api/docs/": Reach(),
    "api/token/": Reach(405, writes=_conditional),
    "api/umpire/troubles/": Reach(404),
    "api/umpire/remind/": Reach(405, writes=_acts_in_wars),
    "api/umpire/extend/": Reach(405, writes=_acts_in_wars),
    "api/umpire/pause/": Reach(405, writes=_acts_in_wars),
    "api/tokens/": Reach(),
    "api/tokens/<str:token>/": Reach(405, writes=lambda _, path: [Ask("delete", path)]),
    "api/me/": Reach(writes=lambda _, path: [Ask("put", path, {"bot": True}, True)]),
    "api/scenarios/": Reach(),
    "api/scenarios/<str:slug>/": Reach(),
    "api/own-scenarios/": Reach(writes=scenario_texts),
    "api/own-scenarios/check/": Reach(405, writes=scenario_texts),
    "api/own-scenarios/<str:scenario>/": Reach(writes=scenario_put),
    "api/own-scenarios/<str:scenario>/store/": Reach(405),
    "api/own-scenarios/<str:scenario>/balance/": Reach(
        writes=lambda _, path: [Ask("post", path, {"wars": 20}, True), Ask("delete", path)]
    ),
    "api/own-scenarios/<str:scenario>/handicap/": Reach(),
    "api/own-scenarios/<str:scenario>/handicap/apply/": Reach(405),
    "api/own-scenarios/<str:scenario>/handicap/undo/": Reach(405),
    "api/campaigns/": Reach(),
    "api/designs/": Reach(writes=kept_designs),
    "api/designs/check/": Reach(405, writes=kept_designs),
    "api/designs/import/": Reach(405, writes=design_texts),
    "api/designs/export/": Reach(queries=lambda _: ("form=yaml", "form=x")),
    "guide/": Reach(405, writes=_guide),
    "api/designs/compare/": Reach(405, writes=set_against),
    "api/designs/odds/": Reach(405, writes=set_against),
    "api/designs/odds/<str:odds>/": Reach(404, writes=lambda _, path: [Ask("delete", path)]),
    "api/designs/<str:design>/": Reach(
        writes=lambda known, path: [*kept_designs(known, path, "put"), Ask("delete", path)]
    ),
    "api/gallery/": Reach(),
    "api/^.*$": Reach(404),
}
API_PLAYER = {
    "": Reach(),
    "start/": Reach(405),
    "stages/": Reach(),
    "ledger/": Reach(),
    "rules/": Reach(),
    "seats/": Reach(),
    "seats/take/": Reach(405, writes=_faction),
    "seats/leave/": Reach(405),
    "seats/computer/": Reach(405, writes=_faction),
    "seats/send-away/": Reach(
        405, writes=lambda _, path: [Ask("post", path, {"name": "guest"}, True)]
    ),
    "join/": Reach(405, writes=lambda _, path: [Ask("post", path, {"token": "x"}, True)]),
    "invites/": Reach(writes=_invite),
    "invites/<str:invite>/": Reach(405, writes=_conditional),
    "gallery/": Reach(
        writes=lambda _, path: [Ask("put", path, {"shown": shown}, True) for shown in (True, False)]
    ),
    "gallery/weeks/": Reach(405, writes=lambda _, path: [Ask("post", path, {"weeks": None}, True)]),
    "map/": Reach(writes=_conditional),
    "reach/": Reach(422, queries=_fleets),
    "odds/": Reach(405, writes=meeting_asks),
    "odds/<str:meeting>/": Reach(404, writes=lambda _, path: [Ask("delete", path)]),
    "view/": Reach(queries=_weeks, writes=_conditional),
    "fleets/": Reach(queries=_weeks),
    "ships/": Reach(queries=_weeks),
    "contacts/": Reach(queries=_weeks),
    "reports/": Reach(queries=lambda _: ("week=1", "week=x")),
    "reports/<str:report>/": Reach(),
    "gazette/<int:week>/": Reach(queries=lambda _: ("for=public", "for=allies", "for=x")),
    "battles/": Reach(),
    "battles/<str:battle>/": Reach(),
    "tables/": Reach(),
    "tables/<str:battle>/": Reach(writes=result_asks),
    "tables/<str:battle>/check/": Reach(405, writes=result_asks),
    "tables/<str:battle>/record/": Reach(writes=record_asks_api),
    "tables/<str:battle>/record/result/": Reach(405),
    "tables/<str:battle>/receipts/": Reach(),
    "tables/<str:battle>/seal/": Reach(405, writes=result_asks),
    "tables/<str:battle>/unseal/": Reach(405),
    "fights/": Reach(),
    "fights/<str:fight>/": Reach(writes=_conditional),
    "fights/<str:fight>/stops/<int:number>/": Reach(),
    "fights/<str:fight>/orders/": Reach(409, writes=stop_asks),
    "fights/<str:fight>/orders/default/": Reach(409),
    "fights/<str:fight>/orders/check/": Reach(405, writes=stop_asks),
    "fights/<str:fight>/orders/seal/": Reach(405, writes=stop_asks),
    "fights/<str:fight>/orders/unseal/": Reach(405),
    "fights/<str:fight>/receipts/": Reach(),
    "memos/": Reach(),
    "memos/<int:week>/": Reach(405, writes=_memo_texts),
    "messages/": Reach(writes=_messages),
    "messages/read/": Reach(
        405, writes=lambda known, path: [Ask("post", path, {"ids": message_ids(known)}, True)]
    ),
    "classes/": Reach(writes=design_asks),
    "classes/check/": Reach(405, writes=design_asks),
    "classes/import/": Reach(405, writes=design_texts),
    "classes/export/": Reach(queries=lambda _: ("form=yaml", "form=ftlibship", "form=x")),
    "classes/<str:drawing>/": Reach(writes=lambda _, path: [Ask("delete", path)]),
    "tech-base/": Reach(),
    "orders/": Reach(writes=_put),
    "orders/default/": Reach(),
    "orders/check/": Reach(405, writes=_check),
    "orders/seal/": Reach(405, writes=_seal),
    "orders/unseal/": Reach(405),
    "receipts/": Reach(),
    "receipts/<int:ordinal>/": Reach(),
}
API_UMPIRE = {
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
    "battles/<str:battle>/result/": Reach(404, writes=_acts),
    "factions/<str:faction>/view/": UMPIRE,
    "messages/": UMPIRE,
    "acts/": UMPIRE,
    "resolve/": UMPIRE_ACT,
    "extend/": UMPIRE_ACT,
    "pause/": UMPIRE_ACT,
    "resume/": UMPIRE_ACT,
    "excuse/": UMPIRE_ACT,
    "remind/": UMPIRE_ACT,
    "rules/": UMPIRE_ACT,
    "remedy/": UMPIRE_ACT,
    "password-link/": UMPIRE_ACT,
}
PAGES_PLAYER = {
    "": Reach(),
    "campaigns/new": Reach(queries=lambda _: (f"scenario={THEIRS}",), writes=_open),
    "me/": Reach(writes=_profile),
    "me/push/": Reach(writes=_pushed),
    "me/seats/<uuid:war>/hide/": Reach(405),
    "league/": Reach(),
    "help/": Reach(),
    "help/words/": Reach(queries=lambda _: ("q=fleet", "q=x")),
    "help/<slug:topic>/": Reach(),
    "umpire/": Reach(404, queries=lambda _: ("show=trouble",)),
    "umpire/acts/<slug:verb>/": Reach(404),
    "designs/": Reach(writes=shelf_forms, queries=lambda _: ("q=beam", "q=x")),
    "designs/new/<slug:edition>/": Reach(writes=bench_forms),
    "designs/compare/": Reach(queries=compared_queries),
    "designs/<uuid:design>/": Reach(writes=bench_forms),
    "designs/<uuid:design>/<slug:form>/": Reach(),
    "balance/<uuid:scenario>/": Reach(writes=war_buttons),
    "scenarios/": Reach(writes=scenario_forms),
    "scenarios/<uuid:scenario>/text/": Reach(
        writes=lambda _, path: [Ask("post", path, {"text": "name: Small"})]
    ),
    "scenarios/<uuid:scenario>/scenario.yaml": Reach(),
    "scenarios/<uuid:scenario>/<slug:section>/": Reach(writes=editor_form),
    C + "designer/": Reach(queries=bench_queries, writes=bench_forms),
    C: Reach(),
    C + "seats/<slug:verb>/": Reach(405, writes=_seat),
    C + "join/<str:token>/": Reach(302),
    C + "memos/": Reach(writes=_memo_forms),
    C + "messages/": Reach(writes=_letters),
    C + "messages/umpire/": Reach(writes=_letters),
    C + "messages/all/": Reach(404),
    C + "messages/to/<slug:key>/": Reach(
        queries=lambda _: ("older=1", "older=x", "older=999"), writes=_letters
    ),
    C + "reports/": Reach(queries=_weeks),
    C + "reports/<int:seq>/": Reach(),
    C + "gazette/": Reach(queries=lambda _: ("for=public", "for=allies", "for=x")),
    C + "gazette/chronicle/": Reach(404),
    C + "gazette/<int:week>/": Reach(queries=lambda _: ("for=public", "for=allies")),
    C + "ships/": Reach(queries=_map),
    C + "ships/sheets/": Reach(queries=_fleets),
    C + "ships/sheets.pdf": Reach(
        queries=lambda known: ("per=1&counters=on", *_fleets(known)[-2:])
    ),
    C + "classes/sheets/": Reach(),
    C + "classes/sheets.pdf": Reach(queries=lambda _: ("paper=letter&per=2", "paper=x&per=9")),
    "c/<str:c>/ships/<path:ship>/": Reach(),
    C + "classes/": Reach(writes=class_forms),
    C + "classes/export/<slug:form>/": Reach(),
    C + "tech-base/": Reach(),
    "c/<str:c>/map/": Reach(queries=_map),
    "c/<str:c>/map/past/": Reach(),
    "c/<str:c>/map/arrivals/": Reach(queries=_arrivals),
    "c/<str:c>/pulse/": Reach(
        queries=lambda known: (f"at={len(known.history.moments) - 1}", "at=99")
    ),
    "c/<str:c>/deploy/": Reach(302, writes=_form),
    "c/<str:c>/orders/": Reach(queries=_fleets, writes=_form),
    "c/<str:c>/orders/fleet/": Reach(404, queries=_fleets),
    "c/<str:c>/odds/": Reach(queries=odds_queries),
    "c/<str:c>/known-of-me/": Reach(),
    "c/<str:c>/decisions/": Reach(302, writes=_form),
    "c/<str:c>/receipts/": Reach(),
    "c/<str:c>/battles/<uuid:battle>/": Reach(queries=lambda _: ("turn=all", "turn=2", "turn=99")),
    "c/<str:c>/battles/<uuid:battle>/table/": Reach(writes=table_asks),
    "c/<str:c>/battles/<uuid:battle>/table/record/": Reach(writes=record_form),
    "c/<str:c>/battles/<uuid:battle>/table/record/worker.js": Reach(),
    "c/<str:c>/battles/<uuid:battle>/table/record/sync/": Reach(
        queries=lambda _: ("at=0",), writes=record_asks
    ),
    "c/<str:c>/battles/<uuid:battle>/sheets/": Reach(),
    "c/<str:c>/battles/<uuid:battle>/sheets.pdf": Reach(queries=lambda _: ("per=1&counters=on",)),
    "c/<str:c>/battles/<uuid:fight>/now/": Reach(queries=stop_panels, writes=stop_form),
    "c/<str:c>/battles/<uuid:fight>/now/sheets/": Reach(),
    "c/<str:c>/battles/<uuid:fight>/now/sheets.pdf": Reach(
        queries=lambda _: ("per=1&counters=on",)
    ),
    "c/<str:c>/battles/<uuid:fight>/so-far/": Reach(
        queries=lambda _: ("turn=all", "turn=2", "turn=99")
    ),
}
PAGES_UMPIRE = {
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
    "umpire/fleets/": UMPIRE,
    "umpire/ships/": UMPIRE,
    "umpire/notes/": UMPIRE,
    "umpire/ledger/": UMPIRE,
    "umpire/act/<slug:verb>/": UMPIRE,
    "host/": HOST,
    "host/act/<slug:verb>/": HOST_ACT,
    "public/": Reach(),
    "story/": Reach(404, told_in_the_end=True),
    "story/battles/<uuid:public_id>/": Reach(404, told_in_the_end=True),
    "story/battles/<uuid:public_id>/replay/": Reach(404, told_in_the_end=True),
}


class ReachOfRoutes(dict[str, Reach]):
    """What is asked at each route."""

    def __missing__(self, route: str) -> Reach:
        pytest.fail(f"{NEEDS_A_LINE}: {route}")


REACHED = ReachOfRoutes(
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
