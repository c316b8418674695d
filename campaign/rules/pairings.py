"""The pairings of the curve BLS12-381, from the optional package py_ecc.

Import py_ecc only from here. Its import raises the interpreter's recursion limit to 100,000. With
that limit a deeply nested JSON document overflows the stack and ends the process.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def _same_recursion_limit() -> Iterator[None]:
    """Set the recursion limit back to what it was."""
    limit = sys.getrecursionlimit()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


with _same_recursion_limit():
    from py_ecc.bls.hash_to_curve import hash_to_G1
    from py_ecc.bls.point_compression import compress_G1, compress_G2, decompress_G1, decompress_G2
    from py_ecc.optimized_bls12_381 import (
        G2,
        Z1,
        add,
        curve_order,
        final_exponentiate,
        is_inf,
        multiply,
        neg,
        pairing,
    )

__all__ = (
    "G2",
    "Z1",
    "add",
    "compress_G1",
    "compress_G2",
    "curve_order",
    "decompress_G1",
    "decompress_G2",
    "final_exponentiate",
    "hash_to_G1",
    "is_inf",
    "multiply",
    "neg",
    "pairing",
)
