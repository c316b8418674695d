"""Faults in templates that the W3C's checker (Nu) finds most: attributes, times, empty labels."""

from __future__ import annotations

import re
from datetime import datetime

from campaign.templatetags.moments import machine_time
from tests.sources import ROOT

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
TIME = re.compile(r'datetime="([^"]*)"')
MACHINE = re.compile(r"\|machine_time|date:'Y-m-d'")
LABELLED = re.compile(
    r"<(?:div|span|p|li|dd|dt|small)\b(?=[^>]*\saria-label=)(?![^>]*\srole=)[^>]*>"
)


def faults(text: str) -> list[str]:
    """Return the attributes of a template that HTML does not know or forbids there."""
    faults_found: list[str] = re.findall(r"[^-\w](hx-[a-z-]+)=", text)
    faults_found += [element for element in TIME.findall(text) if not MACHINE.search(element)]
    return faults_found + LABELLED.findall(text)


def test_templates_have_only_known_attributes() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in TEMPLATES}
    assert {name: faults(text) for name, text in texts.items() if faults(text)} == {}
    bad = "<div aria-label='x'><a hx-get='/'><time datetime=\"{{ at|date:'c' }}\">"
    assert len(faults(bad.replace("'x'", '"x"'))) == 3


def test_machine_readable_times_have_no_fractions() -> None:
    assert (
        machine_time(datetime.fromisoformat("2026-11-02T12:30:45.123456+01:00"))
        == "2026-11-02T12:30:45+01:00"
    )
