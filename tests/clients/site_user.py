"""A user of the command line for a site in this process: output, files and exit status."""

from __future__ import annotations

import io
import json
import logging
from pathlib import Path
from typing import Any

import httpx
import pytest
from blindjump import accounts, cli
from blindjump.api import Api
from django.core.handlers.wsgi import WSGIHandler

SITE = "http://127.0.0.1:1"


class CommandLineUser:
    """A user who types commands.

    Attributes:
        lost: What happens to the next requests instead of an answer.
    """

    def __init__(
        self,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
        config_folder: Path,
    ) -> None:
        self.capsys, self.monkeypatch = capsys, monkeypatch
        self.responses: list[httpx.Response | Exception | None] = []
        self.slept: list[float] = []
        self._site = httpx.WSGITransport(app=WSGIHandler())
        monkeypatch.setenv("BLINDJUMP_CONFIG", str(config_folder))
        for name in ("BLINDJUMP_URL", "BLINDJUMP_TOKEN", "BLINDJUMP_WAR"):
            monkeypatch.delenv(name, raising=False)
        for module in (accounts, cli):
            monkeypatch.setattr(module, "Api", self._api)

    def _api(self, address: str, token: str = "", *, timeout: float) -> Api:
        return Api(
            address,
            token,
            timeout=timeout,
            transport=httpx.MockTransport(self._answer),
            sleep=self.slept.append,
        )

    def _answer(self, request: httpx.Request) -> httpx.Response:
        act = self.responses.pop(0) if self.responses else None
        if isinstance(act, Exception):
            raise act
        return act or self._site.handle_request(request)

    def log_in_as(self, token: str) -> None:
        """Use this token from now on."""
        self.monkeypatch.setenv("BLINDJUMP_URL", SITE)
        self.monkeypatch.setenv("BLINDJUMP_TOKEN", token)

    def log_out(self) -> None:
        """Use no token until the next log-in."""
        self.monkeypatch.delenv("BLINDJUMP_URL")
        self.monkeypatch.delenv("BLINDJUMP_TOKEN")

    def run(self, *words: str, status: int = 0, piped: str = "") -> str:
        """Return a command's output and exit status."""
        self.monkeypatch.setattr("sys.stdin", io.StringIO(piped))
        self.capsys.readouterr()
        logging.disable(logging.CRITICAL)  # the site's own log lines are not the command's
        try:
            status_found = cli.main(words)
        finally:
            logging.disable(logging.NOTSET)
        output = self.capsys.readouterr()
        assert status_found == status, (words, status_found, output)
        assert not (output.out and output.err), output
        return output.out + output.err

    def json(self, *words: str, status: int = 0, piped: str = "") -> Any:
        """Return the output for programs."""
        return json.loads(self.run(*words, "--json", status=status, piped=piped))


@pytest.fixture
def typist(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> CommandLineUser:
    """Return a user at a terminal."""
    return CommandLineUser(capsys, monkeypatch, tmp_path / "kept")
