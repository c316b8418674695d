"""The orders page of a small war, as if it had many fleets."""

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
INPUTS = re.compile(r'<input name="([^"]+)" value="([^"]*)"')
SELECTS = re.compile(r'(?s)<select name="([^"]+)"[^>]*>(.*?)</select>')


def fold_fleets(route: Route) -> None:
    """Return the orders page as if there were so many fleets that forms are loaded on demand."""
    if route.request.method != "GET":
        return route.continue_()
    answer = route.fetch()
    fleets = {}

    def row(form: re.Match[str]) -> str:
        marks, key, body = form.groups()
        texts = dict(INPUTS.findall(body))
        for name, options in SELECTS.findall(body):
            chosen = re.search(r'value="([^"]*)" selected', options)
            texts[name] = chosen[1] if chosen else ""
        ships_of_fleet = [
            {"key": ship, "kind": kind, "name": name} | ({"held": 1} if is_held else {})
            for ship, kind, is_held, name in SHIP.findall(body)
        ]
        fleets[key] = {"crew": ships_of_fleet, "texts": texts, "ticks": []}
        return f'<section class="fleet"{marks} data-folded><header></header><p></p></section>'

    body = FORM.sub(row, answer.text())
    body = re.sub(r'(?s)<details class="slots">.*?</details>(\s*</section>)', r"\1", body)
    before, data, after = re.split(
        r'(?s)(?<=<script id="desk" type="application/json">)(.*?)(?=</script>)', body
    )
    orders_data = json.loads(data)
    orders_data["form"] |= {"folds": True, "fleets": fleets}
    return route.fulfill(response=answer, body=before + json.dumps(orders_data) + after)
