"""Merkle trees of RFC 9162 (section 2.1): one hash over a growing list of entries."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

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


def inclusion_proof(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Return the hashes that show that a leaf is in the tree, from its neighbour to the top.

    Args:
        leaves: The data of all leaves.
        index: The place of the leaf.

    Raises:
        IndexError: There is no such leaf.
    """
    if not 0 <= index < len(leaves):
        raise IndexError("there is no such leaf")
    if len(leaves) == 1:
        return []
    split = _split(len(leaves))
    if index < split:
        return [*inclusion_proof(leaves[:split], index), tree_root(leaves[split:])]
    return [*inclusion_proof(leaves[split:], index - split), tree_root(leaves[:split])]


def root_from_proof(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes:
    """Return the root that follows from a leaf and its inclusion proof.

    Args:
        leaf: The data of the leaf.
        size: The number of leaves of the tree.

    Raises:
        ValueError: A proof of this length cannot belong to this place.
    """
    if not 0 <= index < size:
        raise ValueError("there is no such leaf")
    if size == 1:
        if proof:
            raise ValueError("the proof is too long")
        return hashlib.sha256(LEAF + leaf).digest()
    if not proof:
        raise ValueError("the proof is too short")
    split = _split(size)
    if index < split:
        return _join(root_from_proof(leaf, index, split, proof[:-1]), proof[-1])
    return _join(proof[-1], root_from_proof(leaf, index - split, size - split, proof[:-1]))


def _split(size: int) -> int:
    """Return how many leaves are on the left of the top node: the largest power of two below."""
    return 1 << ((size - 1).bit_length() - 1)


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
