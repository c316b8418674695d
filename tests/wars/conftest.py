"""One site for all wars here, like a server: PostgreSQL, Redis protocol, two web processes, Celery."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests import real_postgres, real_redis
from tests.migrated_database import copy_on_postgres
from tests.site.running import Site, run_site


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with ExitStack() as stack:
        server = os.environ.get(real_postgres.STANDING) or stack.enter_context(
            real_postgres.run_postgres()
        )
        broker = stack.enter_context(real_redis.run_redis())
        database = copy_on_postgres(server, "wars")
        folder = tmp_path_factory.mktemp("site")
        yield stack.enter_context(
            run_site(folder, database, broker, with_own_worker=True, migrated=True)
        )
