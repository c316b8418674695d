"""The orders page of a small war, as the server would send it if its fleets were many."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Route

FORM = re.compile(
    r'(?s)<section class="fleet"( id="[^"]*" data-fleet="([^"]+)"[^>]*)>(.*?)</section>'
)
SHIP = re.compile(
    r'(?s)data-ship="([^"]+)" data-kind="(\w+)"( data-held="1")?.*?<strong>(.*?)</strong>'
)
WRITTEN = re.compile(r'<input name="([^"]+)" value="([^"]*)"')
LISTED = re.compile(r'(?s)<select name="([^"]+)"[^>]*>(.*?)</select>')


def folded(route: Route) -> None:
    """The page of the orders, as if there were so many fleets that their forms come when they are
    chosen.
    """
    if route.request.method != "GET":
        return route.continue_()
    answer = route.fetch()
    fleets = {}

    def row(form: re.Match[str]) -> str:
        marks, key, body = form.groups()
        texts = dict(WRITTEN.findall(body))
        for name, options in LISTED.findall(body):
            chosen = re.search(r'value="([^"]*)" selected', options)
            texts[name] = chosen[1] if chosen else ""
        crew = [
            {"key": ship, "kind": kind, "name": name} | ({"held": 1} if held else {})
            for ship, kind, held, name in SHIP.findall(body)
        ]
        fleets[key] = {"crew": crew, "texts": texts, "ticks": []}
        return f'<section class="fleet"{marks} data-folded><header></header><p></p></section>'

    body = FORM.sub(row, answer.text())
    body = re.sub(r'(?s)<details class="slots">.*?</details>(\s*</section>)', r"\1", body)
    before, data, after = re.split(
        r'(?s)(?<=<script id="desk" type="application/json">)(.*?)(?=</script>)', body
    )
    desk = json.loads(data)
    desk["form"] |= {"folds": True, "fleets": fleets}
    return route.fulfill(response=answer, body=before + json.dumps(desk) + after)
