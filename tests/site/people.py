"""People of a running site, created in its environment by a process that stays.

`python -m tests.site.people` reads lines of names and answers each with a line of JSON: each name
with an API token and the session of a browser, as after a log-in. All have the same password. `run
MODULE ARGUMENTS` runs a module's `main` and answers with its output: starting a process for that
takes longer than most of them run.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import sys
import time
from contextlib import redirect_stdout

RUN = "run"  # nobody has this name
PASSWORD = "a word only for tests 7"  # for people who exist only in tests


def main() -> None:
    """Load the scenarios; create the people of each line, and print their tokens and sessions."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
    from django.contrib.auth.hashers import make_password
    from django.contrib.auth.models import User
    from django.test import Client

    from campaign.rules.files import fixture_scenario, fixture_scenarios
    from campaign.services.scenarios import scenario_import
    from campaign.services.tokens import token_make

    password = make_password(PASSWORD)  # hashed once, because hashing is slow on purpose
    for slug in fixture_scenarios():
        scenario_import(scenario=fixture_scenario(slug))

    def make_person(name: str) -> tuple[str, str]:
        user = User.objects.create(username=name, email=f"{name}@example.org", password=password)
        browser = Client()
        browser.force_login(user)
        session = browser.session
        session[AUTHENTICATION_METHODS_SESSION_KEY] = [
            {"method": "password", "at": time.time(), "username": name}
        ]
        session.save()
        return token_make(user=user), str(session.session_key)

    def printed(module: str, *arguments: str) -> str:
        with redirect_stdout(io.StringIO()) as words:
            importlib.import_module(module).main(*arguments)
        return words.getvalue()

    for line in sys.stdin:
        first, *others = names = line.split()
        answer = printed(*others) if first == RUN else {name: make_person(name) for name in names}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
