"""`manage.py second_factor_off NAME`: the password alone logs in again, for somebody who lost phone and codes."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from config.second_factor import second_factor_end


class Command(BaseCommand):
    """Turns it off, and says so."""

    help = "Turn off the second factor of a user who lost phone and recovery codes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")

    def handle(self, *_args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["name"]).first()
        if user is None:
            raise CommandError(f"there is no user called {options['name']}")
        if not second_factor_end(user):
            raise CommandError(f"{user.username} has no second factor")
        self.stdout.write(f"{user.username} logs in by password alone")
