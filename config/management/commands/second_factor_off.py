"""`manage.py second_factor_off NAME`: turn off the second factor of a user who lost phone and
codes.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from config.management.of_a_user import UserCommand
from config.second_factor import second_factor_end


class Command(UserCommand):
    """Turns off the second factor and prints a confirmation."""

    help = "Turn off the second factor of a user who lost phone and recovery codes."

    def run_for_user(self, user: User) -> str:
        if not second_factor_end(user):
            raise CommandError(f"{user.username} has no second factor")
        return f"{user.username} now logs in with the password alone"
