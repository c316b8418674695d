"""bin/serve with real processes: it serves, and after any end none of its processes is left."""

from __future__ import annotations

import errno
import gzip
import os
import re
import shutil
import signal
import urllib.request
from pathlib import Path

import brotli
import pytest
from django.db import OperationalError

from config import serve
from tests.site.serving import PATIENCE, ServeProcess, ignore_interrupts


def copy_var(prepared: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(prepared, tmp_path / "var"))


def compressed_style(port: int) -> list[str]:
    """Return how a page's style sheet, with a hash in its name, is sent for gzip, and for Brotli."""
    with urllib.request.urlopen(
        f"http://127.0.0.1:{port}/accounts/login/", timeout=PATIENCE
    ) as answer:
        match = re.search(r'href="(/static/css/site\.[0-9a-f]{12}\.css)"', answer.read().decode())
    assert match
    encodings = []
    for encoding, unpacked in (("gzip", gzip.decompress), ("gzip, br", brotli.decompress)):
        asking = urllib.request.Request(
            f"http://127.0.0.1:{port}{match[1]}", headers={"Accept-Encoding": encoding}
        )
        with urllib.request.urlopen(asking, timeout=PATIENCE) as answer:
            assert b"{" in unpacked(answer.read())
            encodings.append(answer.headers["Content-Encoding"])
    return encodings


def test_second_start_reuses_everything_and_interrupt_ends_it(
    prepared: Path, tmp_path: Path
) -> None:
    var = copy_var(prepared, tmp_path)
    done_once = (var / "static" / ".gathered", var / "scenarios.json")
    times = [path.stat().st_mtime_ns for path in done_once]
    server = ServeProcess(var, before=ignore_interrupts)
    try:
        server.wait_until_ready()
        assert [path.stat().st_mtime_ns for path in done_once] == times
        asking = urllib.request.Request(f"http://127.0.0.1:{server.port}/metrics")
        asking.add_header("Authorization", f"Bearer {(var / 'metrics_token').read_text()}")
        with urllib.request.urlopen(asking, timeout=PATIENCE) as answer:
            measures = answer.read().decode()
        assert "blindjump_job_age_seconds" in measures
        assert (
            'blindjump_request_seconds_count{method="GET",route="health/web/",status="200"}'
            in measures
        )
        assert compressed_style(server.port) == ["gzip", "br"]
        server.process.send_signal(signal.SIGINT)
        assert server.wait_until_ended() == 0
    finally:
        server.close()


def test_dead_parts_restart_and_end_with_the_supervisor(
    served: ServeProcess,
) -> None:
    dead = served.family
    for pid in dead:
        os.kill(pid, signal.SIGKILL)
    served.read_until(
        lambda: served.output.count("was killed by SIGKILL; it is started again") == len(dead)
    )
    served.wait_until_ready()
    assert not set(dead) & set(served.family)
    with urllib.request.urlopen(
        f"http://127.0.0.1:{served.port}/health/web/", timeout=PATIENCE
    ) as answer:
        assert answer.status == 200
    served.process.kill()
    assert served.wait_until_ended() == -signal.SIGKILL


def test_closed_terminal_ends_the_server(prepared: Path, tmp_path: Path) -> None:
    server = ServeProcess(copy_var(prepared, tmp_path), terminal=True)
    try:
        server.wait_until_ready()
        os.close(server.screen)
        assert server.wait_until_ended() == 0
    finally:
        server.close()


def test_folder_and_port_are_served_once(standing: ServeProcess, tmp_path: Path) -> None:
    for var, port, complaint in (
        (standing.var, 0, "another bin/serve already uses"),
        (tmp_path / "elsewhere", standing.port, f"port {standing.port} is not free"),
    ):
        second = ServeProcess(var, port=port)
        try:
            second.read_until(lambda: complaint in second.output)  # noqa: B023 called at once
            assert second.process.wait(PATIENCE) == 1
        finally:
            second.close()


def test_start_without_usable_files_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLINDJUMP_VAR", str(tmp_path / "not" / "made"))
    with (
        pytest.raises(serve.StartError, match=r"cannot be used \(disk I/O error\)"),
        serve.start_errors_reported(),
    ):
        raise OperationalError("disk I/O error")
    monkeypatch.setattr(serve, "MIN_DISK_BYTES", 1 << 62)
    full = OSError(errno.ENOSPC, "No space left on device")
    with (
        pytest.raises(serve.StartError, match="there is no room on the disk"),
        serve.start_errors_reported(),
    ):
        raise full
