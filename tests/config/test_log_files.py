"""The log of a server that runs for a year stays short."""

from __future__ import annotations

from pathlib import Path

from config.log_files import LARGEST_LOG, OLDER, log_opened, log_rotate


def test_a_long_log_is_put_aside_while_it_is_written_to_and_few_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "log" / "serve.log"
    with log_opened(path) as log:
        for number in range(OLDER + 3):
            log.write(f"{number}\n".encode() * 10)
            assert log_rotate(path, largest=10)
            assert not log_rotate(path, largest=10)
        log.write(b"now\n")
        assert path.read_bytes() == b"now\n"
    kept = {one.name: one.read_text().split()[0] for one in path.parent.iterdir() if one != path}
    assert kept == {f"serve.log.{n}": str(OLDER + 3 - n) for n in range(1, OLDER + 1)}
    assert all(one.stat().st_mode & 0o077 == 0 for one in path.parent.iterdir())


def test_a_log_that_was_long_already_is_put_aside_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "serve.log"
    path.write_bytes(b"x" * (LARGEST_LOG + 1))
    log_opened(path).close()
    assert path.stat().st_size == 0
