"""The base class of commands that act on one user."""

from __future__ import annotations

from abc import abstractmethod
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError


class UserCommand(BaseCommand):
    """A command that takes a user name. Raises CommandError if there is no such user."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")

    def handle(self, *_args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["name"]).first()
        if user is None:
            raise CommandError(f"there is no user called {options['name']}")
        self.stdout.write(self.run_for_user(user))

    @abstractmethod
    def run_for_user(self, user: User) -> str:
        """Run the command and return its output. Raises CommandError if it is not possible."""
