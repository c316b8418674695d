"""The broker of files: a message is seen completely or not at all, and by one reader."""

from __future__ import annotations

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection

from jobs.files import DRAFT_SUFFIX, Channel


@pytest.fixture
def channel(tmp_path: Path) -> Any:
    with Connection("files://", transport_options={"folder": str(tmp_path)}) as connection:
        yield connection.channel()


def all_of(channel: Channel, queue: str = "celery") -> list[int]:
    numbers = []
    while True:
        try:
            numbers.append(channel._get(queue)["n"])
        except Empty:
            return numbers


def test_messages_are_delivered_once_in_order(channel: Channel, tmp_path: Path) -> None:
    for n in range(5):
        channel._put("celery", {"n": n})
    channel._put("another", {"n": 9})
    assert channel._size("celery") == 5
    assert all_of(channel) == [0, 1, 2, 3, 4]
    assert all_of(channel, "another") == [9]
    assert list(tmp_path.iterdir()) == []


def test_unfinished_message_is_invisible(
    channel: Channel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[list[int]] = []
    rename = os.replace

    def late(source: Path, target: Path) -> None:
        if Path(source).suffix == DRAFT_SUFFIX:
            reads.append(all_of(channel))
        rename(source, target)

    monkeypatch.setattr(os, "replace", late)
    channel._put("celery", {"n": 1})
    assert reads == [[]]
    assert all_of(channel) == [1]


def test_concurrent_readers_get_each_message_once(channel: Channel) -> None:
    for n in range(200):
        channel._put("celery", {"n": n})
    with ThreadPoolExecutor(4) as readers:
        numbers = [n for part in readers.map(lambda _: all_of(channel), range(4)) for n in part]
    assert sorted(numbers) == list(range(200))


def test_damaged_file_is_skipped(channel: Channel, tmp_path: Path) -> None:
    (tmp_path / "celery.0.x.message").write_text('{"half')
    channel._put("celery", {"n": 1})
    assert all_of(channel) == [1]


def test_missing_folder_is_created_again(channel: Channel, tmp_path: Path) -> None:
    tmp_path.rmdir()
    assert all_of(channel) == []
    channel._put("celery", {"n": 1})
    assert all_of(channel) == [1]


def test_unusable_folder_holds_and_takes_no_messages(channel: Channel, tmp_path: Path) -> None:
    tmp_path.rmdir()
    tmp_path.write_text("a file where the folder was")
    assert all_of(channel) == []
    with pytest.raises(OSError, match="File exists"):
        channel._put("celery", {"n": 1})
    tmp_path.unlink()
    tmp_path.mkdir()


def test_failed_write_leaves_nothing_behind(
    channel: Channel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_path: Path, _text: str, **_options: Any) -> None:
        _path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        channel._put("celery", {"n": 1})
    assert list(tmp_path.iterdir()) == []


def test_queue_can_be_emptied(channel: Channel) -> None:
    channel._put("celery", {"n": 1})
    assert channel._purge("celery") == 1
    assert channel._size("celery") == 0
