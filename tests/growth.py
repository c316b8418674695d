"""How the work of a call grows: its steps and queries for so many things and for twice as many.

A step is a line of Python, counted at each pass of a loop or a comprehension, so load on the
machine does not matter. Work inside C code (sorting, copying, searching a list) is part of its line
and not seen.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from django.db import connection

MAX_GROWTH = 2.3  # largest ratio of the work for 2n to that for n
SMALL_SHARE = 0.003  # share of all work below which a function may grow freely
NOISE = 0.03  # share of all work by which equal calls differ
MAX_NAMED = 5  # functions that a failure names
CALLERS = 3  # callers of each, the nearest first
ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("engine", "campaign", "umpire", "jobs", "config")
PROGRAM = tuple(f"{ROOT / folder}/" for folder in ROOMS)
VALUES = re.compile(r"\(%s(?:, %s)*\)")  # a list of values, which gets longer in a batch


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a call.

    Attributes:
        steps: Lines by function.
        calls: Calls by function and caller.
        queries: By the program's function and the SQL.
        answer: What the call returned.
    """

    steps: Counter[CodeType]
    calls: Counter[tuple[CodeType, CodeType | None]]
    queries: Counter[str]
    answer: Any


def work_of(call: Callable[[], Any]) -> Work:
    """Return the work of a call."""
    steps: Counter[CodeType] = Counter()
    calls: Counter[tuple[CodeType, CodeType | None]] = Counter()
    queries: Counter[str] = Counter()

    def watch(frame: FrameType, event: str, _: object) -> Any:
        if event == "line":
            steps[frame.f_code] += 1
        elif event == "call":
            caller = frame.f_back
            calls[frame.f_code, caller.f_code if caller is not None else None] += 1
        return watch

    def ask(execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        queries[f"{_asker(sys._getframe())}: {VALUES.sub('(...)', sql)}"] += 1
        return execute(sql, *more)

    before = sys.gettrace()
    with connection.execute_wrapper(ask):
        sys.settrace(watch)
        try:
            answer = call()
        finally:
            sys.settrace(before)
    return Work(steps, calls, queries, answer)


def uncounted(call: Callable[[], Any]) -> Work:
    """Only call, to load modules and templates, which takes a tenth of the time of counting."""
    return Work(Counter(), Counter(), Counter(), call())


def check_growth(
    call_name: str, few: Work, many: Work, none: Work | None = None, *, asks_for_each: bool = False
) -> None:
    """Fail if the work for twice as many things grows faster than they do.

    The number of queries must stay the same, or grow no faster than the things. All steps together,
    and those of each function with more than a small share of them, may grow `MAX_GROWTH` times.

    Args:
        what: The call, for the message.
        few: Its work for so many things.
        many: Its work for twice as many.
        none: Its work for none of them, which is subtracted.
        asks_for_each: Whether it may send queries for each thing.
    """
    query_count, more_asked = few.queries.total(), many.queries.total()
    most = MAX_GROWTH * query_count if asks_for_each else query_count
    if more_asked > most:
        where = _grown_queries(few, many)
        pytest.fail(
            f"{call_name}: {query_count} -> {more_asked} queries for twice as many.\n{where}"
        )
    floor = none.steps if none is not None else Counter[CodeType]()
    small = many.steps.total() * SMALL_SHARE
    first = max(0, few.steps.total() - floor.total())
    second = many.steps.total() - floor.total()
    fast = [
        code
        for code, steps in many.steps.items()
        if steps - floor[code] > MAX_GROWTH * max(0, few.steps[code] - floor[code]) + small
    ]
    if fast or second > MAX_GROWTH * first + many.steps.total() * NOISE:
        where = _grown_steps(few, many, floor)
        pytest.fail(f"{call_name}: {first:,} -> {second:,} steps for twice as many.\n{where}")


def _grown_steps(few: Work, many: Work, floor: Counter[CodeType]) -> str:
    """Name the functions whose steps grew most beyond double, and their callers."""

    def beyond(code: CodeType) -> int:
        return (many.steps[code] - floor[code]) - 2 * (few.steps[code] - floor[code])

    worst = sorted(many.steps, key=beyond, reverse=True)[:MAX_NAMED]
    lines = []
    for code in worst:
        if beyond(code) > 0:
            steps = f"{few.steps[code]:,} -> {many.steps[code]:,} steps"
            lines.append(f"  {_place(code)}: {steps}{_describe_calls(code, few, many)}")
    return "\n".join(lines)


def _describe_calls(code: CodeType, few: Work, many: Work) -> str:
    """Describe who calls a function most, how often for so many and for twice as many, and their
    callers.
    """
    words = ""
    for _ in range(CALLERS):
        callers = [caller for callee, caller in many.calls if callee is code]
        caller = max(callers, key=lambda calling_code: many.calls[code, calling_code], default=None)
        if caller is None:
            break
        calls, more_calls = few.calls[code, caller], many.calls[code, caller]
        words += f",\n    called {calls:,} -> {more_calls:,} times by {_place(caller)}"
        code = caller
    return words


def _grown_queries(few: Work, many: Work) -> str:
    """Name the queries that are sent more often."""
    return "\n".join(
        f"  {few.queries[query]} -> {times} times by {query}"
        for query, times in many.queries.most_common()
        if times > few.queries[query]
    )


def _asker(frame: FrameType | None) -> str:
    """Return the program's function that sends a query: the innermost outside `store`."""
    for code in _stack(frame):
        if code.co_filename.startswith(PROGRAM) and "/store/" not in code.co_filename:
            return _place(code)
    return "the test"


def _stack(frame: FrameType | None) -> Iterator[CodeType]:
    while frame is not None:
        yield frame.f_code
        frame = frame.f_back


def _place(code: CodeType) -> str:
    return f"{code.co_filename.removeprefix(f'{ROOT}/')} {code.co_qualname}"
