"""Merkle trees and signed notes: the published test vectors."""

from __future__ import annotations

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.core.ed25519 import ORDER, is_signature
from engine.core.merkle import inclusion_proof, prefix_roots, root_from_proof, tree_root
from engine.core.signed_notes import (
    Checkpoint,
    NoteKey,
    read_checkpoint,
    read_note,
    read_verifier_key,
    signed_note,
)

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


def test_proofs_lead_to_the_root() -> None:
    leaves = [bytes.fromhex(leaf) for leaf in LEAVES]
    for size in range(1, len(leaves) + 1):
        root = tree_root(leaves[:size])
        for index in range(size):
            proof = inclusion_proof(leaves[:size], index)
            assert root_from_proof(leaves[index], index, size, proof) == root
            assert root_from_proof(b"other", index, size, proof) != root
            for wrong in ([*proof, root], proof[:-1]):
                if wrong != proof:
                    with pytest.raises(ValueError, match=r"too (long|short)"):
                        root_from_proof(leaves[index], index, size, wrong)
    # RFC 9162, section 2.1.5: in a tree of seven leaves, d0 is proven by b, h and l
    b = tree_root(leaves[1:2])
    assert inclusion_proof(leaves[:7], 0) == [b, tree_root(leaves[2:4]), tree_root(leaves[4:7])]
    with pytest.raises(IndexError):
        inclusion_proof(leaves, len(leaves))
    with pytest.raises(ValueError, match="no such leaf"):
        root_from_proof(b"", 1, 1, [])


def test_signatures_are_checked_without_other_packages() -> None:
    """The third vector of RFC 8032, section 7.1, and the published note."""
    public = bytes.fromhex("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025")
    signature = bytes.fromhex(
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    )
    message = bytes.fromhex("af82")
    assert is_signature(public, message, signature)
    assert not is_signature(public, message + b"x", signature)
    assert not is_signature(public, message, signature[:-1])
    assert not is_signature(public[1:] + public[:1], message, signature)
    s = int.from_bytes(signature[32:], "little")
    assert not is_signature(public, message, signature[:32] + (s + ORDER).to_bytes(32, "little")), (
        "the same number in another form"
    )
    key = read_verifier_key(VERIFIER)
    note = f"{TEXT}\n\u2014 PeterNeumann {SIGNATURE}\n"
    assert read_note(note).text == TEXT
    assert read_note(note).is_signed_by(key)
    for forged in (note.replace("don't", "do"), note.replace("x08go/", "x08gp/")):
        assert not read_note(forged).is_signed_by(key)
    with pytest.raises(ValueError, match=r"note|base64"):
        read_note(TEXT)
    for verifier in (VERIFIER.replace("c74f", "c74e"), "Peter", f"+{VERIFIER}"):
        with pytest.raises(ValueError, match=r"key|base64"):
            read_verifier_key(verifier)


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


def test_checkpoints_are_read_back() -> None:
    checkpoint = Checkpoint("games.example/war/x/1", 12, bytes(range(32)))
    assert read_checkpoint(checkpoint.text) == checkpoint
    changed = checkpoint.text.replace("12", "012")
    for text in (changed, checkpoint.text + "more\n", checkpoint.text[:-1], "\n1\n\n"):
        with pytest.raises(ValueError, match=r"head|base64|invalid"):
            read_checkpoint(text)
