"""Signed notes and checkpoints: texts with signatures that other programs can check.

Formats: https://c2sp.org/signed-note and https://c2sp.org/tlog-checkpoint. Only Ed25519 is used.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass

from engine.core.ed25519 import KEY_BYTES, is_signature

ED25519 = b"\x01"  # the type of a key in key ids and verifier keys
KEY_ID_BYTES = 4
CHECKPOINT_LINES = 3
# Size and 48 bits of a root. Sizes of more digits do not exist.
SHORT_NAME = re.compile(
    r"(?<!\d)(\d{1,9})\s*[·|-]\s*((?:[0-9A-F]{4}-){2}[0-9A-F]{4})(?![0-9A-F-])",
    re.ASCII | re.IGNORECASE,
)
SIGNATURE_MARK = "\u2014"  # an em dash begins each line of a signature


@dataclass(frozen=True, slots=True)
class NoteKey:
    """A public key and the name of its owner.

    Attributes:
        name: Without spaces and plus signs.
        public: 32 bytes.
    """

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """Return the 4 bytes that name the key in signatures."""
        text = self.name.encode() + b"\n" + ED25519 + self.public
        return hashlib.sha256(text).digest()[:KEY_ID_BYTES]

    @property
    def verifier(self) -> str:
        """Return the key as one line of text (a `vkey`)."""
        encoded = base64.b64encode(ED25519 + self.public).decode()
        return f"{self.name}+{self.id.hex()}+{encoded}"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a list that only grows: how many entries it has, and the root over them.

    Attributes:
        origin: The name of the list.
        root: 32 bytes.
    """

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """Return the text that is signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"

    @property
    def short_name(self) -> str:
        """Return size and 48 bits of the root, which people can compare: 12 · 4F7A-91C2-0B3E."""
        digits = self.root[:6].hex().upper()
        return f"{self.size} · {digits[:4]}-{digits[4:8]}-{digits[8:]}"


def find_short_name(text: str) -> str | None:
    """Return the first short name of a checkpoint in a text, as `Checkpoint.short_name` writes it.

    People may write a dash or a bar for the dot.
    """
    match = SHORT_NAME.search(text)
    return None if match is None else f"{int(match[1])} · {match[2].upper()}"


def signed_note(text: str, key: NoteKey, sign: Callable[[bytes], bytes]) -> str:
    """Return a note: the text, an empty line, and the line of the signature.

    Args:
        text: One or more lines, each of which ends with a line break.
        sign: Returns the Ed25519 signature of a message.

    Raises:
        ValueError: The text is not made of whole lines.
    """
    if not text.endswith("\n"):
        raise ValueError("a note ends with a line break")
    signature = base64.b64encode(key.id + sign(text.encode())).decode()
    return f"{text}\n{SIGNATURE_MARK} {key.name} {signature}\n"


@dataclass(frozen=True, slots=True)
class SignedNote:
    """A note with its signatures, which are not checked yet.

    Attributes:
        text: What is signed.
        signatures: The name of each signer, and its key id and signature in one.
    """

    text: str
    signatures: tuple[tuple[str, bytes], ...]

    def is_signed_by(self, key: NoteKey) -> bool:
        """Return whether the owner of a key has signed it."""
        for name, signature in self.signatures:
            if name == key.name and signature[:KEY_ID_BYTES] == key.id:
                return is_signature(key.public, self.text.encode(), signature[KEY_ID_BYTES:])
        return False


def read_note(note: str) -> SignedNote:
    """Return a note from its text.

    Raises:
        ValueError: It is not a signed note.
    """
    text, separator, lines = note.rpartition(f"\n\n{SIGNATURE_MARK} ")
    signatures = []
    for line in lines.rstrip("\n").split(f"\n{SIGNATURE_MARK} "):
        name, _, encoded = line.partition(" ")
        signatures.append((name, base64.b64decode(encoded, validate=True)))
    if not separator or not text:
        raise ValueError("this is not a signed note")
    return SignedNote(f"{text}\n", tuple(signatures))


def read_verifier_key(line: str) -> NoteKey:
    """Return the key of a `vkey`.

    Raises:
        ValueError: It is not an Ed25519 key, or its id is wrong.
    """
    name, _, rest = line.strip().partition("+")
    key_id, _, encoded = rest.partition("+")
    key = base64.b64decode(encoded, validate=True)
    found = NoteKey(name, key[1:])
    is_ed25519 = key[:1] == ED25519 and len(found.public) == KEY_BYTES
    if not is_ed25519 or found.id.hex() != key_id:
        raise ValueError("this is not the public key of a site")
    return found


def read_checkpoint(text: str) -> Checkpoint:
    """Return the checkpoint that a note signs.

    Raises:
        ValueError: It is none.
    """
    lines = text.split("\n")
    if len(lines) != CHECKPOINT_LINES + 1 or lines[-1]:
        raise ValueError("this is not the head of a ledger")
    checkpoint = Checkpoint(lines[0], int(lines[1]), base64.b64decode(lines[2], validate=True))
    # The text would differ for a number in another form, for example with a zero before it.
    if not lines[0] or checkpoint.text != text:
        raise ValueError("this is not the head of a ledger")
    return checkpoint
