"""Which form a stop of a battle online has; one without a form of its own has a line of text a ship and group."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from campaign.pages.fields import text
from campaign.pages.fightcontrol import control_payload, control_rows
from campaign.pages.fightfire import fire_payload, fire_rows
from campaign.pages.fightflights import flight_payload, flight_rows
from campaign.pages.fightform import Row, Sight, Written, anchor, plot_payload, plot_rows
from engine.core.state import CONTROL, ENGAGE, FIGHTERS, PLOT

Faults = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Form:
    """A stop's form: its rows from a payload and the faults found by ship, and its entry from what is posted."""

    rows: Callable[[Sight, Mapping[str, Any], Faults], tuple[Row, ...]]
    payload: Callable[[Sight, QueryDict], Any]


FORMS = {
    PLOT: Form(plot_rows, plot_payload),
    FIGHTERS: Form(flight_rows, flight_payload),
    ENGAGE: Form(fire_rows, fire_payload),
    CONTROL: Form(control_rows, control_payload),
}


def form_of(stop: str) -> Form:
    """The form of a stop, whichever it is."""
    return FORMS.get(stop) or _lines_of_text(stop)


def _lines_of_text(stop: str) -> Form:
    """The form of orders that are a text for each ship and group."""

    def rows(seen: Sight, payload: Mapping[str, Any], faults: Faults) -> tuple[Row, ...]:
        given = payload.get(stop)
        said = given if isinstance(given, Mapping) else {}
        return tuple(
            Row(
                key=key,
                id=anchor(key),
                name=seen.names.get(key, key),
                state="",
                picks=(),
                ticks=(),
                written=(Written(f"raw-{key}", "Orders", str(said.get(key, ""))),),
                raw=None,
                faults=faults.get(key, ()),
            )
            for key in sorted(seen.mine)
        )

    def payload(seen: Sight, posted: QueryDict) -> dict[str, str]:
        written = {key: text(posted, f"raw-{key}") for key in sorted(seen.mine)}
        return {key: words for key, words in written.items() if words}

    return Form(rows, payload)
