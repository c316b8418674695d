"""The embedded web server: gunicorn's synchronous workers, ended with their supervisor.

Elsewhere `gunicorn config.wsgi` does the same under any settings of your own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from gunicorn.app.base import BaseApplication

from config.tether import hold

Options = dict[str, Any]


class Web(BaseApplication):  # type: ignore[misc]
    """gunicorn, told all by its arguments and nothing by files or the environment."""

    def __init__(self, options: Options) -> None:
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> Callable[..., Any]:
        from django.urls import get_resolver

        from config.wsgi import application

        _ = get_resolver().url_patterns  # pages and API load before the first request
        return application


def options_for(bind: str, workers: int, run: Path) -> Options:
    """What gunicorn is told. Access lines are written by the site itself, without addresses."""
    return {
        "bind": bind,
        "workers": workers,
        "worker_class": "sync",
        "preload_app": True,
        "timeout": 60,
        "graceful_timeout": 5,
        "loglevel": "warning",
        "control_socket_disable": True,
        "worker_tmp_dir": str(run),
        "child_exit": _forget_measures,
    }


def main(arguments: Sequence[str]) -> int:
    """Serve. `arguments`: the address to listen on, how many processes, and the supervisor's tether."""
    bind, workers, tether = arguments
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    hold(int(tether))
    run = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
    Web(options_for(bind, int(workers), run)).run()
    return 0


def _forget_measures(server: Any, worker: Any) -> None:  # noqa: ARG001 gunicorn's signature
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
