"""A field names, reads, draws, checks and describes itself, and scripts derive the same names."""

from __future__ import annotations

import json
import re

from django.http import QueryDict
from django.utils import translation

from campaign.forms.field import ChoiceField, Field, NumberField, TextField, TickField, for_scripts
from tests.sources import ROOT

SPEED = NumberField("speed", least=0, most=20)
TARGET = ChoiceField("target", options=(("", "none"), ("b1", "Bogey 1")))


def test_field_name_has_its_key_and_subject() -> None:
    assert SPEED.name() == "speed"
    assert TARGET.name("ember/f2", "beam-1", 0) == "target-ember/f2-beam-1-0"


def test_value_is_read_as_in_orders_and_nothing_is_lost() -> None:
    post = QueryDict("speed-a=8&speed-b=fast&target-a=b1&press-a=on&note-a=+hold+")
    assert SPEED.read(post, "a") == 8
    assert SPEED.read(post, "b") == "fast"
    assert SPEED.read(post, "c") == ""
    assert TARGET.read(post, "a") == "b1"
    assert TickField("press").read(post, "a") is True
    assert TickField("press").read(post, "b") is False
    assert TextField("note").read(post, "a") == "hold"
    assert SPEED.is_sent(post, "b")
    assert not SPEED.is_sent(post, "c")


def test_only_the_field_parses_its_names() -> None:
    names = [
        "target-s1-2",
        "target-s1-10",
        "target-s1-x",
        "target-s2-0",
        "targets-s1-3",
        "target-s1",
    ]
    assert TARGET.places(names, "s1") == [2, 10]
    assert TARGET.name_suffixes(names, "s1") == ["2", "10", "x"]
    assert TARGET.name_suffix("target-s2-0") == "s2-0"
    assert TARGET.name_suffix("speed-s2") is None


def test_drawn_values_are_read_back() -> None:
    control = SPEED.draw("a", label="Speed", value=8)
    assert (control.name, control.value, control.bounds) == ("speed-a", "8", (0, 20))
    assert SPEED.read(QueryDict(f"{control.name}={control.value}"), "a") == 8
    chosen = TARGET.draw("a", label="Target", chosen="b1")
    assert (chosen.options, chosen.chosen) == (TARGET.options, ("b1",))
    ticked = TickField("press").draw("a", label="Press on", on=True)
    assert TickField("press").read(QueryDict(f"{ticked.name}={ticked.value}"), "a") is True


def test_fault_has_its_place_and_is_translated() -> None:
    post = QueryDict("speed-a=21&speed-b=fast&speed-c=20&target-a=z9")
    fault = SPEED.check(post, "a")
    assert fault is not None
    assert (fault.where, fault.code) == ("speed-a", "max_value")
    assert SPEED.check(post, "c") is None
    assert TARGET.check(post, "a") is not None
    with translation.override("de"):
        german = SPEED.check(post, "b")
    assert german is not None
    assert german.message == "Bitte eine ganze Zahl eingeben."


def test_choice_is_checked_against_its_drawn_options() -> None:
    fleets = (("f1", "First Fleet"), ("f2", "Second Fleet"))
    fleet = ChoiceField("fleet")
    assert fleet.draw("a", label="Fleet", options=fleets).options == fleets
    assert fleet.check(QueryDict("fleet-a=f2"), "a", options=fleets) is None
    fault = fleet.check(QueryDict("fleet-a=f3"), "a", options=fleets)
    assert fault is not None
    assert (fault.where, fault.code) == ("fleet-a", "invalid_choice")


def test_script_gets_name_kind_and_limits() -> None:
    assert SPEED.for_script() == {"name": "speed", "kind": "number", "least": 0, "most": 20}
    assert TARGET.for_script() == {"name": "target", "kind": "choice", "options": ["", "b1"]}
    assert for_scripts(aim=Field("at")) == {"aim": {"name": "at", "kind": "text"}}
    json.dumps(for_scripts(speed=SPEED, target=TARGET))


def test_scripts_build_names_like_the_server() -> None:
    script = (ROOT / "static/js/field.js").read_text()
    joined = re.search(
        r'nameOf = \(field, \.\.\.about\) => \[field\.name, \.\.\.about\]\.join\("(.)"\)', script
    )
    assert joined is not None
    assert joined[1].join(("target", "s1", "0")) == TARGET.name("s1", 0)
