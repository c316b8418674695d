"""A source of public random values for tests: a key of its own, and a relay on this machine."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, HTTPServer

from campaign.rules.beacon import DOMAIN, SignedRound
from campaign.rules.pairings import G2, compress_G1, compress_G2, hash_to_G1, multiply

SECRET = 20261130


@cache
def public_key() -> str:
    """Return the key that belongs to the values of `sign`."""
    return "".join(f"{part:096x}" for part in compress_G2(multiply(G2, SECRET)))


@cache
def sign(number: int) -> SignedRound:
    """Return the value of a round."""
    message = hashlib.sha256(number.to_bytes(8, "big")).digest()
    point = multiply(hash_to_G1(message, DOMAIN, hashlib.sha256), SECRET)
    return SignedRound(number, f"{compress_G1(point):096x}")


class Relay:
    """A relay, which can be down or give other answers.

    Attributes:
        answer: Sent in place of the right answer.
        asked: The rounds it was asked for.
    """

    def __init__(self) -> None:
        self.is_up = True
        self.answer: bytes | None = None
        self.asked: list[int] = []
        self.address = ""

    def respond(self, path: str) -> bytes | None:
        number = int(path.rpartition("/")[2])
        self.asked.append(number)
        if not self.is_up:
            return None
        if self.answer is not None:
            return self.answer
        signed = sign(number)
        found = {"round": number, "signature": signed.signature, "randomness": signed.randomness}
        return json.dumps(found).encode()


@contextmanager
def serve_relay() -> Iterator[Relay]:
    """Run a relay while the block runs."""
    relay = Relay()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = relay.respond(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    relay.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield relay
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
