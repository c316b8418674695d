"""A command that does something for one user, who is named: what such commands share."""

from __future__ import annotations

from abc import abstractmethod
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError


class UserCommand(BaseCommand):
    """Finds the user. Raises CommandError where nobody is called so."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")

    def handle(self, *_args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["name"]).first()
        if user is None:
            raise CommandError(f"there is no user called {options['name']}")
        self.stdout.write(self.run_for_user(user))

    @abstractmethod
    def run_for_user(self, user: User) -> str:
        """Do it; what is to be said of it. Raises CommandError."""
