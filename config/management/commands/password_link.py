"""`manage.py password_link NAME`: print a link for a user who forgot the password."""

from __future__ import annotations

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse

from config.management.of_a_user import UserCommand


class Command(UserCommand):
    """Prints the link."""

    help = "Print a password reset link for a user; it works once."

    def run_for_user(self, user: User) -> str:
        link_parts = {
            "uidb36": user_pk_to_url_str(user),
            "key": default_token_generator.make_token(user),
        }
        return f"{settings.SITE_URL}{reverse('account_reset_password_from_key', kwargs=link_parts)}"
