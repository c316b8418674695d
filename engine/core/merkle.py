"""Merkle trees of RFC 9162 (section 2.1): one hash over a growing list of entries."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

LEAF = b"\x00"  # before the data of a leaf, so that no leaf is taken for a node
NODE = b"\x01"

Peak = tuple[int, bytes]  # a complete tree: its number of leaves and its root


def tree_root(leaves: Iterable[bytes]) -> bytes:
    """Return the root over the data of all leaves."""
    peaks: list[Peak] = []
    for leaf in leaves:
        _add(peaks, leaf)
    return _root_of(peaks)


def prefix_roots(leaves: Iterable[bytes]) -> list[bytes]:
    """Return the root over the first n leaves for every n, from none to all of them."""
    peaks: list[Peak] = []
    roots = [_root_of(peaks)]
    for leaf in leaves:
        _add(peaks, leaf)
        roots.append(_root_of(peaks))
    return roots


def _add(peaks: list[Peak], leaf: bytes) -> None:
    """Add a leaf to complete trees that become smaller from left to right."""
    size = 1
    node = hashlib.sha256(LEAF + leaf).digest()
    while peaks and peaks[-1][0] == size:
        node = _join(peaks.pop()[1], node)
        size *= 2
    peaks.append((size, node))


def _root_of(peaks: list[Peak]) -> bytes:
    """Return the root over complete trees; without any it is the hash of nothing."""
    if not peaks:
        return hashlib.sha256().digest()
    root = peaks[-1][1]
    for _, peak in reversed(peaks[:-1]):
        root = _join(peak, root)
    return root


def _join(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node."""
    return hashlib.sha256(NODE + left + right).digest()
