"""A week's orders as people type them: read as the API takes them, and written back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from blindjump import notation
from blindjump.errors import UsageError
from blindjump.files import orders_file
from blindjump.lines import LINES

from campaign.orders.codec import parse_orders
from tools.order_lines import PAGE, page

ORDERS = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "orders.md").read_text(
    encoding="utf-8"
)
EXAMPLES = [
    json.loads(text)
    for text in re.findall(r"^```json orders\n(.*?)^```$", ORDERS, re.MULTILINE | re.DOTALL)
]
TYPED = """
move esu/f1 0604 0705      # a path
move esu/f9 0809
detach esu/s4 esu/s5 into esu/f9 name "Red Raiders" decoys 1
dock esu/s2 repair drive battery-1 replenish
dock esu/s3 scuttle
refit esu/s6 pulser-1 short
refit esu/s6 pulser-2
tow esu/s7 esu/s8
weasel esu/s3
decide 0504 nac withdraw
standing esu/f1 withdraw
answer esu/f1 fight most 2
answer esu/f1 stand-off of cruiser least 1 most 3
answer esu/f2 none
name esu/f1 "Home Fleet"
decoys esu/f1 1
doctrine esu/f2 range 18 targets weakest break-off 50 flee
build 0304 "Light Cruiser" Ural
convert 0304 "Light Cruiser" esu/s7
cancel esu/w2
dummy esu/d1 remove
dummy esu/d4 0604
"""


def test_every_line_equals_the_api_document() -> None:
    orders, _ = notation.parse_orders(TYPED)
    assert parse_orders(orders)[1] == ()
    assert orders["moves"] == [
        {"fleet": "esu/f1", "path": ["0604", "0705"]},
        {"fleet": "esu/f9", "to": "0809"},
    ]
    assert orders["settings"] == [
        {
            "fleet": "esu/f1",
            "standing": "withdraw",
            "answers": [
                {"choice": "fight", "most": 2},
                {"choice": "stand-off", "of": "cruiser", "least": 1, "most": 3},
            ],
            "name": "Home Fleet",
            "decoys_on": 1,
        },
        {
            "fleet": "esu/f2",
            "answers": [],
            "doctrine": {"range": 18, "targets": "weakest", "break_off": 50, "flee": True},
        },
    ]
    assert orders["dock"][0] == {
        "ship": "esu/s2",
        "repair": ["drive", "battery-1"],
        "replenish": True,
    }
    typed = {verb for line in TYPED.split("\n") if (verb := line.partition(" ")[0])}
    assert set(notation.VERBS) - typed <= {
        line.verb for line in LINES
    }  # tests of kinds of orders type these


def test_client_lines_match_the_order_kinds() -> None:
    is_written = PAGE.read_text(encoding="utf-8") == page()
    assert is_written, "run .venv/bin/python -m tools.order_lines, and commit what it writes"


def test_written_orders_are_read_back() -> None:
    orders, _ = notation.parse_orders(TYPED)
    lines = notation.format_orders(orders)
    assert lines is not None
    assert notation.parse_orders(lines)[0] == orders


@pytest.mark.parametrize("orders", EXAMPLES)
def test_documented_orders_are_written_as_lines(
    orders: dict[str, object],
) -> None:
    lines = notation.format_orders(orders)
    assert (lines is None) == bool({"deploy", "designs"} & set(orders))
    if lines is not None:
        assert parse_orders(notation.parse_orders(lines)[0]) == parse_orders(orders)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("mve ember/f1 0303", "no order begins with 'mve'"),
        ("move ember/f1", "write `move FLEET HEX"),
        ("detach ember/s1 ember/f9", "write `detach"),
        ("detach ember/s1 into ember/f9 decoys two", "'two' is not a whole number"),
        ("decide 0403 frost", "write `decide"),
        ("dock ember/s1 drive", "write `dock"),
        ("doctrine ember/f1 pace 3", "write `doctrine"),
        ("decoys ember/f1 1\ndecoys ember/f1 2", "line 2: the same entry is given twice"),
        ('name ember/f1 "Half', "No closing quotation"),
    ],
)
def test_wrong_line_is_named(line: str, words: str) -> None:
    with pytest.raises(UsageError, match=re.escape(words)):
        notation.parse_orders(line)


def test_all_wrong_lines_are_named_at_once() -> None:
    with pytest.raises(UsageError) as error:
        notation.parse_orders("jump ember/f1\nmove ember/f1 0303\nweasel")
    assert [line.partition(":")[0] for line in str(error.value).splitlines()] == [
        "line 1",
        "line 3",
    ]


def test_files_are_recognised_by_content(tmp_path: Path) -> None:
    expected = {"schema": 1, "moves": [{"fleet": "ember/f2", "to": "0303"}]}
    files = {
        "a.json": json.dumps(expected),
        "a.yaml": 'schema: 1\nmoves: [{fleet: ember/f2, to: "0303"}]',
        "a.txt": "move ember/f2 0303",
        "b.txt": json.dumps(expected),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        assert orders_file(str(tmp_path / name)).orders == expected


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.json", "{", "is not JSON"),
        ("a.json", "[]", "must contain an object"),
        ("a.yaml", "a: [", "is not YAML"),
        ("a.txt", "jump", "a.txt:\nline 1"),
    ],
)
def test_unreadable_files_say_why(tmp_path: Path, name: str, text: str, words: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UsageError, match=re.escape(words)):
        orders_file(str(tmp_path / name))
    with pytest.raises(UsageError, match="cannot read"):
        orders_file(str(tmp_path / "none"))


def test_line_costs_the_same_at_any_position() -> None:
    many = 20_000
    lines = [
        line
        for n in range(many)
        for line in (f"standing a/f{n} fight", f"move a/f{n} 0101", f"name a/f{n} N{n}")
    ]
    orders, first_lines = notation.parse_orders("\n".join(lines))
    assert orders["settings"][-1] == {
        "fleet": f"a/f{many - 1}",
        "standing": "fight",
        "name": f"N{many - 1}",
    }
    assert (first_lines["settings[0]"], first_lines[f"settings[{many - 1}]"]) == (1, 3 * many - 2)
    assert first_lines[f"moves[{many - 1}]"] == 3 * many - 1
    assert len(first_lines) == 2 * many
