"""People of a running site, made in its own environment by a process that stays: `python -m tests.site.people`.

Reads lines of names and answers each with a line of JSON: each name with the token of its programs. They all log in
with the same password.
"""

from __future__ import annotations

import json
import os
import sys

PASSWORD = "a word only for tests 7"  # of people who exist in tests alone


def main() -> None:
    """Load the scenarios; make the people of each line, print their tokens."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.contrib.auth.hashers import make_password
    from django.contrib.auth.models import User

    from campaign.rules.files import fixture_scenario, fixture_scenarios
    from campaign.services.scenarios import scenario_import
    from campaign.services.tokens import token_make

    password = make_password(PASSWORD)  # hashed once: that takes long on purpose
    for slug in fixture_scenarios():
        scenario_import(scenario=fixture_scenario(slug))
    for line in sys.stdin:
        tokens = {
            name: token_make(user=User.objects.create(username=name, email=f"{name}@example.org", password=password))
            for name in line.split()
        }
        print(json.dumps(tokens), flush=True)


if __name__ == "__main__":
    main()
