"""Count the work of a function in interpreter steps, which no busy machine changes.

A step is one bytecode instruction of Python code. What happens inside a single C call (sorting, copying) is one step.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

Result = TypeVar("Result")

MOST_GROWTH = 2.3  # times the work for n that the work for 2n may be


def count_steps(work: Callable[[], Result]) -> tuple[int, Result]:
    """Return the number of bytecode instructions that a call executes, and its result."""
    steps = 0

    def watch(frame: FrameType, event: str, _: object) -> Any:
        nonlocal steps
        if event == "call":
            frame.f_trace_lines = False
            frame.f_trace_opcodes = True
        elif event == "opcode":
            steps += 1
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        result = work()
    finally:
        sys.settrace(before)
    return steps, result
