"""Merkle trees and signed notes: the published test vectors."""

from __future__ import annotations

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.core.merkle import prefix_roots, tree_root
from engine.core.signed_notes import Checkpoint, NoteKey, signed_note

# Leaves and roots of the test vectors of certificate-transparency-go.
LEAVES = (
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
)
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
# Key and note of golang.org/x/mod/sumdb/note.
SECRET = "AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
VERIFIER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
SIGNATURE = (
    "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
)


def test_roots_are_those_of_rfc_9162() -> None:
    leaves = [bytes.fromhex(leaf) for leaf in LEAVES]
    assert [root.hex() for root in prefix_roots(leaves)] == list(ROOTS)
    assert tree_root(leaves).hex() == ROOTS[-1]


def test_notes_are_signed_as_the_format_says() -> None:
    private = Ed25519PrivateKey.from_private_bytes(base64.b64decode(SECRET)[1:])
    key = NoteKey("PeterNeumann", private.public_key().public_bytes_raw())
    assert key.verifier == VERIFIER
    assert signed_note(TEXT, key, private.sign) == f"{TEXT}\n\u2014 PeterNeumann {SIGNATURE}\n"
    with pytest.raises(ValueError, match="line break"):
        signed_note("no whole line", key, private.sign)


def test_checkpoint_names_its_size_and_root() -> None:
    checkpoint = Checkpoint("games.example/war/1/1", 8, bytes.fromhex(ROOTS[-1]))
    assert checkpoint.text.split("\n") == [
        "games.example/war/1/1",
        "8",
        base64.b64encode(bytes.fromhex(ROOTS[-1])).decode(),
        "",
    ]
    assert checkpoint.short_name == "8 · 5DC9-DA79-A706"
