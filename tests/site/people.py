"""People of a running site, made in its own environment by a process that stays: `python -m
tests.site.people`.

Reads lines of names and answers each with a line of JSON: each name with the token of its programs
and the session of its browser, as if it had just logged in. They all log in with the same password.
`run MODULE ARGUMENTS` runs a module's `main` and answers with what it prints: to start a process of
its own for that takes longer than most of them run.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import sys
import time
from contextlib import redirect_stdout

RUN = "run"  # nobody is called so
PASSWORD = "a word only for tests 7"  # of people who exist in tests alone


def main() -> None:
    """Load the scenarios; make the people of each line, print their tokens and sessions."""
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

    password = make_password(PASSWORD)  # hashed once: that takes long on purpose
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
