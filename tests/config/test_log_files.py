"""The log of a server that runs for a year stays short."""

from __future__ import annotations

from pathlib import Path

from config.log_files import LARGEST_LOG, MAX_OLD_LOGS, log_rotate, open_log


def test_long_log_is_rotated_and_few_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "log" / "serve.log"
    with open_log(path) as log:
        for number in range(MAX_OLD_LOGS + 3):
            log.write(f"{number}\n".encode() * 10)
            assert log_rotate(path, largest=10)
            assert not log_rotate(path, largest=10)
        log.write(b"now\n")
        assert path.read_bytes() == b"now\n"
    first_words = {
        file.name: file.read_text().split()[0] for file in path.parent.iterdir() if file != path
    }
    assert first_words == {
        f"serve.log.{n}": str(MAX_OLD_LOGS + 3 - n) for n in range(1, MAX_OLD_LOGS + 1)
    }
    assert all(file.stat().st_mode & 0o077 == 0 for file in path.parent.iterdir())


def test_log_that_is_already_long_is_rotated_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "serve.log"
    path.write_bytes(b"x" * (LARGEST_LOG + 1))
    open_log(path).close()
    assert path.stat().st_size == 0
