"""`manage.py password_link NAME`: a link to set a new password, for somebody who forgot his."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse


class Command(BaseCommand):
    """Prints the link."""

    help = "Print a password reset link for a user; it works once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")

    def handle(self, *_args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["name"]).first()
        if user is None:
            raise CommandError(f"there is no user called {options['name']}")
        given = {"uidb36": user_pk_to_url_str(user), "key": default_token_generator.make_token(user)}
        self.stdout.write(f"{settings.SITE_URL}{reverse('account_reset_password_from_key', kwargs=given)}")
