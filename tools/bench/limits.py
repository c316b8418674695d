"""Measure far too large requests: the CPU time of each, and the delay of another visitor's page.

A player may send each of these requests: they have a valid session or token, and a body within the
site's limits or beyond them. The first part sends them in this process; the second sends six of
them again and again to a running bin/serve while another visitor reads pages.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

from tools.bench.temporary_site import temporary_site

AT_ONCE, SECONDS = 6, 20.0
PDS = {"type": "pds"}
HUNTER: dict[str, Any] = {
    "edition": "continuum",
    "kind": "warship",
    "class": "Hunter",
    "mass": 60,
    "hull": {"boxes": 12, "rows": 4},
    "thrust": 4,
    "ftl": "standard",
}


def main() -> None:
    with temporary_site(HEAVY_RATE="1000000"):
        alone()
    if "--alone" not in sys.argv:
        with tempfile.TemporaryDirectory(prefix="bj-bench-") as folder:
            beside_others(Path(folder))


def cases(war: str, fleet: str) -> dict[str, tuple[str, str, Any]]:
    """Return the requests by name: method, address, and JSON body or form."""
    import yaml

    at, pages = f"/api/campaigns/{war}/", f"/c/{war}/"
    designs = [
        {**HUNTER, "class": f"Hunter {n}", "systems": [dict(PDS) for _ in range(15)]}
        for n in range(600)
    ]
    long, shorter, design_count = "", "", 0
    while len(long) < 198_500:
        shorter = long if len(long) < 149_000 else shorter
        long, design_count = (
            long + yaml.safe_dump(designs[design_count : design_count + 1]),
            design_count + 1,
        )
    most = json.dumps([{**HUNTER, "class": f"Hunter {n}", "systems": _parts()} for n in range(100)])
    deep = "\n".join(f"{'  ' * n}a:" for n in range(157))
    dense = f"[{'{a: 1}, ' * (198_000 // 8)}]"
    moves = [{"fleet": fleet, "to": "9999"}] * 60_000
    return {
        "import 199 kB YAML": ("POST", f"{at}classes/import/", {"text": long}),
        "import 199 kB of tables": ("POST", f"{at}classes/import/", {"text": dense}),
        "import 149 kB of tables": (
            "POST",
            f"{at}classes/import/",
            {"text": f"{dense[:148_000]}]"},
        ),
        "import of the most that is read": ("POST", f"{at}classes/import/", {"text": most}),
        "import 25 kB nested YAML": ("POST", f"{at}classes/import/", {"text": deep}),
        "import 25 kB of [[[": ("POST", f"{at}classes/import/", {"text": "[" * 25_000}),
        "check 40,000 systems": (
            "POST",
            f"{at}classes/check/",
            {"design": {**HUNTER, "systems": [PDS] * 40_000}},
        ),
        "check 1,400 systems": (
            "POST",
            f"{at}classes/check/",
            {"design": {**HUNTER, "systems": [PDS] * 1400}},
        ),
        "PUT 60,000 moves": ("PUT", f"{at}orders/", {"schema": 1, "moves": moves}),
        "PUT 3,000 moves": ("PUT", f"{at}orders/", {"schema": 1, "moves": moves[:3000]}),
        "page: 199 kB YAML": ("FORM", f"{pages}classes/", {"act": "save", "text": long}),
        "page: 149 kB YAML": ("FORM", f"{pages}classes/", {"act": "save", "text": shorter}),
        "page: the most that is read": ("FORM", f"{pages}classes/", {"act": "save", "text": most}),
        "page: 2,900 fields of orders": (
            "FORM",
            f"{pages}orders/",
            {"stage": "1", **_fields(2900)},
        ),
    }


def _parts() -> list[dict[str, str]]:
    return [{"type": kind} for kind in ("magazine", "salvo-launcher", "turret", "beam", "pds")] * 3


def _fields(count: int) -> dict[str, str]:
    return {f"to-nac/f{n}": "0101" for n in range(count)}


def alone() -> None:
    """Send each request alone; print status, CPU time and length of the answer."""
    from django.test import Client, override_settings

    user, war, fleet = war_of_nac()
    token = token_of(user)
    print(f"{'':<34} {'status':>6} {'s CPU':>7} {'kB answered':>12}")
    with override_settings(ALLOWED_HOSTS=["testserver"]):
        client, program = (
            Client(raise_request_exception=False),
            Client(raise_request_exception=False),
        )
        # Loads what is loaded once
        program.get("/api/me/", headers={"Authorization": f"Token {token}"})
        client.force_login(user, backend="config.sessions.Backend")
        for name, (method, address, body) in cases(war, fleet).items():
            started = process_time()
            if method == "FORM":
                answer = client.post(address, body)
            else:
                headers = {"HTTP_AUTHORIZATION": f"Token {token}", "HTTP_IF_MATCH": "*"}
                text = json.dumps(body)
                answer = program.generic(method, address, text, "application/json", **headers)  # type: ignore[arg-type]
            cost = process_time() - started
            if "--words" in sys.argv:
                print(answer.content[:300])
            print(
                f"{name:<34} {answer.status_code:>6} {cost:>7.3f} {len(answer.content) / 1000:>12.1f}"
            )


def token_of(user: Any) -> str:
    from campaign.services.tokens import token_make

    return token_make(user=user)


def war_of_nac() -> tuple[Any, str, str]:
    """Return a Continuum war that needs orders: the NAC's player, the campaign's id, and a fleet."""
    from django.contrib.auth import get_user_model

    from campaign.services.campaigns import membership_add
    from tests.umpire.services.wars import play_until, start_campaign

    user = get_user_model().objects.create_user("admiral", password="a long pass phrase")
    campaign, deployment = start_campaign("lafayette-continuum")
    play_until("orders", deployment)
    membership_add(
        campaign=campaign, user=user, role="player", faction=campaign.factions.get(key="nac")
    )
    return user, str(campaign.public_id), "nac/f1"


def beside_others(var: Path) -> None:
    """Send six requests again and again; measure how long another visitor's pages take."""
    import urllib.error
    import urllib.request

    from tests.site.serving import ServeProcess

    os.environ["HEAVY_RATE"] = "1000000"
    os.environ.pop("DATABASE_URL", None)
    server = ServeProcess(var).wait_until_ready()
    try:
        token, war, fleet = _set_up(var)
        site = f"http://127.0.0.1:{server.port}"
        stop, answered = threading.Event(), list[int]()

        def ask(method: str, address: str, body: Any) -> None:
            raw = json.dumps(body).encode()
            headers = {
                "Authorization": f"Token {token}",
                "Content-Type": "application/json",
                "If-Match": "*",
            }
            while not stop.is_set():
                request = urllib.request.Request(site + address, raw, headers, method=method)
                try:
                    with urllib.request.urlopen(request, timeout=120) as answer:
                        answered.append(answer.status)
                except urllib.error.HTTPError as refused:
                    answered.append(refused.code)
                except OSError:
                    answered.append(0)

        heavy = [case for case in cases(war, fleet).values() if case[0] != "FORM"][:AT_ONCE]
        threads = [threading.Thread(target=ask, args=case, daemon=True) for case in heavy]
        quiet = list(_waits(f"{site}/accounts/login/", 5.0))
        for thread in threads:
            thread.start()
        time.sleep(1)
        waits = list(_waits(f"{site}/accounts/login/", SECONDS))
        stop.set()
        for name, waits_found in (
            ("nobody else", quiet),
            (f"{AT_ONCE} such requests at once", waits),
        ):
            print(
                f"another visitor's page beside {name}: median {statistics.median(waits_found) * 1000:.0f} ms, "
                f"longest {max(waits_found) * 1000:.0f} ms, of {len(waits_found)}"
            )
        counts = {status: answered.count(status) for status in sorted(set(answered))}
        print(f"the {AT_ONCE} were answered {len(answered)} times: {counts}")
    finally:
        server.close()


def _waits(address: str, seconds: float) -> Iterator[float]:
    import urllib.request

    until = time.monotonic() + seconds
    while time.monotonic() < until:
        started = time.monotonic()
        with urllib.request.urlopen(address, timeout=120) as answer:
            answer.read()
        yield time.monotonic() - started
        time.sleep(0.1)


def _set_up(var: Path) -> tuple[str, str, str]:
    """Create the war in the database of the running site, by a separate process."""
    import subprocess

    program = (
        "import django, json; django.setup()\n"
        "from tools.bench.limits import token_of, war_of_nac\n"
        "user, war, fleet = war_of_nac()\n"
        "print(json.dumps([token_of(user), war, fleet]))"
    )
    environment = {
        **os.environ,
        "BLINDJUMP_VAR": str(var),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    output = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    ).stdout
    token, war, fleet = json.loads(output.splitlines()[-1])
    return token, war, fleet


if __name__ == "__main__":
    main()
