"""A message broker for one machine that stores each message as a file and needs no server.

kombu's own file transport writes a message while another process may already be reading it, and a
half-read message ends a worker. Here a message is written under a temporary name and renamed when
it is complete; a worker claims it by renaming it again. A message claimed by a worker that was
killed is lost, and the sweep sends it again (jobs/services.py).

A missing folder is created with the next message. While the folder cannot be read or written, no
messages are delivered: this is logged, and workers keep trying.

Transport options: `folder`, and `polling_interval` in seconds.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import structlog
from kombu.transport import virtual
from kombu.utils.json import dumps, loads

ALIAS = ("files", "jobs.files:Transport")  # URL scheme, transport class
MESSAGE_SUFFIX, DRAFT_SUFFIX, TAKEN_SUFFIX = ".message", ".draft", ".taken"
COMPLAINS_EVERY = 60.0  # seconds between two warnings
log = structlog.get_logger(__name__)


class Channel(virtual.Channel):
    """A channel whose queues are prefixes of file names."""

    supports_fanout = False
    _quiet_until = 0.0  # time.monotonic

    def _put(self, queue: str, message: dict[str, Any], **_options: Any) -> None:
        """Write a message and rename it when it is complete."""
        folder = self._folder
        name = f"{queue}.{time.time_ns():020d}.{uuid.uuid4().hex}"
        draft = folder / f"{name}{DRAFT_SUFFIX}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            draft.write_text(dumps(message), encoding="utf-8")
            os.replace(draft, folder / f"{name}{MESSAGE_SUFFIX}")
        except OSError:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)
            raise

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:  # noqa: ARG002 kombu's signature
        """Take the oldest message of a queue.

        Raises:
            Empty: There is no message, or the folder cannot be used.
        """
        for path in self._waiting(queue):
            claimed = path.with_suffix(TAKEN_SUFFIX)
            try:
                os.replace(path, claimed)
                text = claimed.read_text(encoding="utf-8")
                claimed.unlink()
            except FileNotFoundError:  # another worker claimed it first
                continue
            except OSError as error:
                self._complain(error)
                raise Empty from error
            try:
                message: dict[str, Any] = loads(text)
            except ValueError:
                # Not written by this site; the sweep sends the job again
                log.warning("message-damaged")
                continue
            return message
        raise Empty

    def _size(self, queue: str) -> int:
        return sum(1 for _ in self._waiting(queue))

    def _purge(self, queue: str) -> int:
        count = 0
        for path in self._waiting(queue):
            path.unlink(missing_ok=True)
            count += 1
        return count

    def _has_queue(self, queue: str, **_options: Any) -> bool:  # noqa: ARG002 kombu's signature
        return True

    def _waiting(self, queue: str) -> Iterator[Path]:
        """Return the messages of a queue, oldest first."""
        try:
            names = sorted(
                name for name in os.listdir(self._folder) if name.endswith(MESSAGE_SUFFIX)
            )
        except OSError as error:
            self._complain(error)
            names = []
        return (self._folder / name for name in names if name.startswith(f"{queue}."))

    def _complain(self, error: OSError) -> None:
        """Log at intervals that the folder cannot be used."""
        now = time.monotonic()
        if now >= self._quiet_until:
            self._quiet_until = now + COMPLAINS_EVERY
            log.warning("broker-folder-unusable", reason=errno.errorcode.get(error.errno or 0, ""))

    @property
    def _folder(self) -> Path:
        client: Any = self.connection.client
        return Path(client.transport_options["folder"])


class Transport(virtual.Transport):
    """The transport for file-based queues."""

    Channel = Channel
    implements = virtual.Transport.implements.extend(
        asynchronous=False, exchange_type=frozenset({"direct", "topic"})
    )
    default_port = 0
    driver_type = driver_name = "files"
    declared = (
        virtual.BrokerState()
    )  # the declared queues, shared by all connections of this process

    def __init__(self, client: Any, **options: Any) -> None:
        super().__init__(client, **options)
        self.state = self.declared

    def driver_version(self) -> str:
        """Return the driver version, which kombu asks of every transport."""
        return "1"
