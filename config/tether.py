"""The tether between the supervisor and its children: a pipe only the supervisor can hold open.

However the supervisor ends, even by `kill -9`, the pipe closes, and each child ends itself.
"""

from __future__ import annotations

import os
import signal
import threading
import time

GRACE = 10.0  # seconds from the polite signal to the end


def hold(reading_end: int) -> None:
    """End this process when the pipe closes: politely first, then at once."""
    os.set_inheritable(reading_end, False)

    def wait() -> None:
        os.read(reading_end, 1)  # nothing is ever written: this returns when the last writer is gone
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(GRACE)
        os._exit(1)

    threading.Thread(target=wait, name="tether", daemon=True).start()
