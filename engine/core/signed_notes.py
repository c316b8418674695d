"""Signed notes and checkpoints: texts with signatures that other programs can check.

Formats: https://c2sp.org/signed-note and https://c2sp.org/tlog-checkpoint. Only Ed25519 is used.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from dataclasses import dataclass

ED25519 = b"\x01"  # the type of a key in key ids and verifier keys
KEY_ID_BYTES = 4
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
