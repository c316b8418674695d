"""The documents show what the program accepts: its code reads every example in them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from campaign.orders.codec import orders_payload, parse_orders
from engine.notation.orders import format_plot, parse_plot
from engine.order_requests.flights import format_flight, parse_flight
from engine.ruleset import rules_of

ROOT = Path(__file__).resolve().parent.parent
ORDERS = (ROOT / "docs" / "reference" / "orders.md").read_text(encoding="utf-8")


def examples_of(chapter: str) -> list[str]:
    """Return the orders in the table of a chapter."""
    text = ORDERS.partition(f"\n## {chapter}")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \| ", text, re.MULTILINE)


PLOTS, FLIGHTS = examples_of("Plots"), examples_of("Fighters")
CONTINUUM_PLOTS = examples_of("Plots of Continuum")


def examples(kind: str) -> list[str]:
    return re.findall(rf"^```json {kind}\n(.*?)^```$", ORDERS, re.MULTILINE | re.DOTALL)


def test_every_row_of_the_plot_table_is_shown() -> None:
    assert len(PLOTS) >= 12
    assert len(FLIGHTS) == 6


@pytest.mark.parametrize(
    ("text", "edition"),
    [
        *((text, edition) for text in PLOTS for edition in ("second-edition", "continuum")),
        *((text, "continuum") for text in CONTINUUM_PLOTS),
    ],
)
def test_every_documented_plot_round_trips(text: str, edition: str) -> None:
    plot, faults = parse_plot(text, "plot", edition)
    assert (plot is not None, faults) == (True, ())
    assert plot is not None
    assert parse_plot(format_plot(plot), "plot", edition) == (plot, ())


def test_every_additional_plot_word_is_documented() -> None:
    words = {part.split()[0] for text in CONTINUUM_PLOTS for part in text.split("; ")}
    assert set(rules_of("continuum").grammar.words) <= words


@pytest.mark.parametrize("text", FLIGHTS)
def test_every_documented_flight_round_trips(text: str) -> None:
    flight, faults = parse_flight(text, "fighters")
    assert (flight is not None, faults) == (True, ())
    assert flight is not None
    assert parse_flight(format_flight(flight), "fighters") == (flight, ())


@pytest.mark.parametrize("text", examples("orders"))
def test_every_documented_order_round_trips(text: str) -> None:
    orders, faults = parse_orders(json.loads(text))
    assert faults == ()
    assert orders is not None
    assert parse_orders(orders_payload(orders))[1] == ()


@pytest.mark.parametrize("text", examples("battle"))
def test_every_documented_battle_is_fought(
    text: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from engine.__main__ import main

    (tmp_path / "battle.json").write_text(text)
    assert main(["battle", str(tmp_path / "battle.json")]) == 0
    assert json.loads(capsys.readouterr().out)["turns"] == 1


QUOTED = re.compile(r"^<!-- code: (\S+) -->\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    "name", ["tutorials/first-bot", "tutorials/first-rule", "how-to/add-an-order"]
)
def test_documents_show_tested_code(name: str) -> None:
    document = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    quoted = QUOTED.findall(document)
    assert quoted
    for file, code in quoted:
        assert code in (ROOT / file).read_text(encoding="utf-8"), (
            f"{name}.md shows other code than {file} has"
        )


def test_every_die_purpose_is_in_the_table() -> None:
    """A purpose is the first text of a roll; docs/reference/dice.md has a row for each."""
    page = (ROOT / "docs" / "reference" / "dice.md").read_text(encoding="utf-8")
    table = "".join(re.findall(r"^\| (`.*?) \|", page, re.MULTILINE))
    modules = [
        path
        for folder in ("engine", "campaign", "umpire")
        for path in sorted((ROOT / folder).rglob("*.py"))
    ]
    rolled = {
        purpose
        for path in modules
        for purpose in re.findall(r"\.roll\(\s*\"([a-z-]+)\"", path.read_text(encoding="utf-8"))
    }
    assert rolled, "no roll was found: has the call changed its shape?"
    assert sorted(purpose for purpose in rolled if f"`{purpose}`" not in table) == []
