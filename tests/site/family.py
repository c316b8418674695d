"""The site like bin/serve, as one family of processes.

`python -m tests.site.family HOST:PORT TETHER [collected]`: the parent loads the site once, and
forks web processes and worker. `collected` collects static files first.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main(address: str, tether: str, collected: str = "") -> None:
    """Serve until told to end, or until the other end of the tether is closed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.conf import settings

    from config import web, worker
    from config.children import Children, end_with_pipe
    from config.static import collect

    if collected:
        collect(Path(settings.STATIC_ROOT))
    host, _, port = address.rpartition(":")
    listening = web.listening_at(host, int(port))
    application = web.load_site()
    children = Children(report=lambda line: print(line, file=sys.stderr, flush=True))
    try:
        web.start(children, lambda part: web.serve(application, listening, part), web.PROCESSES)
        worker.start(children, listening.close)
        end_with_pipe(int(tether))
        children.watch()
    finally:
        children.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
