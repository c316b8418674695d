"""The requests' histogram: processes count, one answer has the sum, and a new process continues it."""

from __future__ import annotations

import os

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from config import observe
from config.observe import Tally


@pytest.fixture
def counted() -> Tally:
    return Tally("asked_seconds", "Time.", ("method", "route"), (0.1, 1.0))


def sample_values(tally: Tally) -> dict[str, float]:
    registry = CollectorRegistry()
    registry.register(tally)
    lines = generate_latest(registry).decode().splitlines()
    return {
        name: float(value)
        for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")
    }


def observe_in_child(tally: Tally, part: int, *values: float) -> None:
    pid = os.fork()
    if not pid:
        try:
            tally.join(part)
            for value in values:
                tally.observe(("GET", "home/"), value)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)


def test_metrics_add_up_over_processes_and_restarts(counted: Tally) -> None:
    counted.share(2)
    observe_in_child(counted, 0, 0.05, 0.1, 0.5)
    observe_in_child(counted, 1, 7.0)
    observe_in_child(counted, 1, 0.5)
    counted.observe(("POST", "home/"), 0.25)
    values = sample_values(counted)
    get = 'method="GET",route="home/"'
    assert values[f'asked_seconds_bucket{{le="0.1",{get}}}'] == 2
    assert values[f'asked_seconds_bucket{{le="1.0",{get}}}'] == 4
    assert (
        values[f'asked_seconds_bucket{{le="+Inf",{get}}}']
        == values[f"asked_seconds_count{{{get}}}"]
        == 5
    )
    assert values[f"asked_seconds_sum{{{get}}}"] == pytest.approx(8.15)
    assert values['asked_seconds_count{method="POST",route="home/"}'] == 1


def test_unlisted_values_are_counted_as_other(
    counted: Tally, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observe, "MAX_RECORDS", 3)
    counted.share(1)
    for route in ("a/", "b/", "c/", "d/", "a/"):
        counted.observe(("GET", route), 0.0)
    counted.observe(("GET", "e" * observe.LABEL_BYTES), 0.0)
    counts = {name: value for name, value in sample_values(counted).items() if "_count" in name}
    assert counts == {
        'asked_seconds_count{method="GET",route="a/"}': 2,
        'asked_seconds_count{method="GET",route="b/"}': 1,
        'asked_seconds_count{method="(other)",route="(other)"}': 3,
    }


def test_only_created_metrics_exist(counted: Tally) -> None:
    with pytest.raises(ValueError, match="numbered 0 to 0, not 1"):
        counted.join(1)
