"""Lines of orders that are a verb and a word for each entry; written by `tools.order_lines`."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """How an order is typed. Without `names` the order is the one word after the verb."""

    verb: str
    form: str
    part: str
    names: tuple[str, ...] = ()


LINES = (
    Line("weasel", "weasel SHIP", "weasels"),
    Line("decide", "decide HEX FACTION fight|stand-off|withdraw", "decide", ("hex", "toward", "choice")),
    Line("build", "build HEX CLASS NAME", "build", ("hex", "cls", "name")),
    Line("convert", "convert HEX CLASS SHIP", "build", ("hex", "cls", "ship")),
    Line("cancel", "cancel WORK", "cancel"),
    Line("patrol", "patrol FLEET", "patrol", ("fleet",)),
)
