"""A broker of files, for one machine: a message is a file in a folder, and nothing has to be
installed.

kombu's own writes a message while another process may already read it, and a half-read message ends
a worker. Here a message is written under another name and appears whole by a rename, and whoever
renames it away has it. What a killed worker had taken is gone; the rows know (jobs/services.py).

A folder that has gone is made again by the next message. Where it cannot be read or written there
are no messages for as long as that lasts: the log says so, and workers go on looking.

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

ALIAS = ("files", "jobs.files:Transport")  # scheme of the address, and who speaks it
MESSAGE_SUFFIX, DRAFT_SUFFIX, TAKEN_SUFFIX = ".message", ".draft", ".taken"
COMPLAINS_EVERY = 60.0  # seconds
log = structlog.get_logger(__name__)


class Channel(virtual.Channel):
    """Queues as beginnings of file names."""

    supports_fanout = False
    _quiet_until = 0.0  # time.monotonic

    def _put(self, queue: str, message: dict[str, Any], **_options: Any) -> None:
        """Let a message appear, whole."""
        name, folder = f"{queue}.{time.time_ns():020d}.{uuid.uuid4().hex}", self._folder
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
        """Take the oldest message of a queue. Raises Empty."""
        for path in self._waiting(queue):
            claimed = path.with_suffix(TAKEN_SUFFIX)
            try:
                os.replace(path, claimed)
                text = claimed.read_text(encoding="utf-8")
                claimed.unlink()
            except FileNotFoundError:  # another worker was quicker
                continue
            except OSError as error:
                self._complain(error)
                raise Empty from error
            try:
                message: dict[str, Any] = loads(text)
            except ValueError:
                log.warning("message-damaged")  # by nobody of ours; the row is sent again
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
        """The messages of a queue, oldest first."""
        try:
            names = sorted(
                name for name in os.listdir(self._folder) if name.endswith(MESSAGE_SUFFIX)
            )
        except OSError as error:
            self._complain(error)
            names = []
        return (self._folder / name for name in names if name.startswith(f"{queue}."))

    def _complain(self, error: OSError) -> None:
        """Tell the log, once in a while, that the folder cannot be used."""
        now = time.monotonic()
        if now >= self._quiet_until:
            self._quiet_until = now + COMPLAINS_EVERY
            log.warning("broker-folder-unusable", reason=errno.errorcode.get(error.errno or 0, ""))

    @property
    def _folder(self) -> Path:
        client: Any = self.connection.client
        return Path(client.transport_options["folder"])


class Transport(virtual.Transport):
    """The broker of files."""

    Channel = Channel
    implements = virtual.Transport.implements.extend(
        asynchronous=False, exchange_type=frozenset({"direct", "topic"})
    )
    default_port = 0
    driver_type = driver_name = "files"
    declared = (
        virtual.BrokerState()
    )  # which queues there are: the same for every connection of this process

    def __init__(self, client: Any, **options: Any) -> None:
        super().__init__(client, **options)
        self.state = self.declared

    def driver_version(self) -> str:
        """The version of the driver, for kombu, which asks every transport for one."""
        return "1"
