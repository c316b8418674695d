"""Data of an account: preferences, hashed secrets, stored API answers, use of the server, messages.

Secrets identify a user to the site where a program cannot log in, such as a calendar (`FeedToken`)
or an API client (`ApiToken`); only hashes are stored. An API call that repeats an Idempotency-Key
gets the answer of the first call. Notifications are written together with what they announce and
sent later. The count of heavy use contains nothing about a war.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models.constraints import one_of, sha_check

AUTO, LIGHT, DARK = "auto", "light", "dark"
THEMES = (AUTO, LIGHT, DARK)


class Preference(models.Model):
    """The settings of a user's account.

    Attributes:
        zone: An IANA time zone; empty: the site's.
        apprise_urls: The user's own notification channels, as secret as passwords.
        language: A language code; empty: the browser's.
        seen_language: The browser's at the last login; empty: not known.
        bot: A program uses the account; everybody in its wars sees that.
        messages: Whether the user is notified of messages, too.
        sealed_mail: Whether the user gets a mail with the signed receipt of each seal.
        single_keys: Whether single keys are shortcuts on pages (WCAG 2.1.4).
        completed_guide_steps: Ids of the steps of guided wars that the user has taken.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="preference"
    )
    zone = models.CharField(max_length=64, blank=True)
    email = models.BooleanField(default=True)
    apprise_urls = models.JSONField(default=list)
    theme = models.CharField(max_length=8, default=AUTO)
    language = models.CharField(max_length=8, blank=True)
    seen_language = models.CharField(max_length=8, blank=True, default="")
    bot = models.BooleanField(default=False)
    messages = models.BooleanField(default=True)
    sealed_mail = models.BooleanField(default=False)
    single_keys = models.BooleanField(default=True)
    completed_guide_steps = models.JSONField(default=list)

    class Meta:
        constraints = (one_of("preference", "theme", THEMES),)

    def __str__(self) -> str:
        return f"preferences of {self.user_id}"

    @property
    def message_language(self) -> str:
        """Return the language of what is sent to the user, when no browser says which."""
        known = dict(settings.LANGUAGES)
        choices = (self.language, self.seen_language)
        return next((code for code in choices if code in known), settings.LANGUAGE_CODE)


class ApiToken(models.Model):
    """A token with which a program calls the API in its user's name.

    A change of the password ends it.

    Attributes:
        key: The first 160 bits of the token's SHA-256, in hex.
        name: The user's own name for the program.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens"
    )
    public_id = models.UUIDField(unique=True)
    key = models.CharField(max_length=40, unique=True)
    name = models.CharField(max_length=60, blank=True)
    read_only = models.BooleanField()
    password_sha256 = models.CharField(max_length=64)  # of the stored password hash
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            sha_check("api_token", "password_sha256"),
            models.CheckConstraint(condition=Q(key__length=40), name="api_token_key_is_whole"),
        )

    def __str__(self) -> str:
        return f"token {self.name!r} of {self.user_id}"


class GuestAccount(models.Model):
    """An account without a name or a password, which a stranger plays with in one browser.

    Choosing a name deletes the row, and the account stays. Otherwise the account is deleted.

    Attributes:
        until: From then on the account is deleted.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="guest_account"
    )
    until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"guest {self.user_id}"


class FeedToken(models.Model):
    """The single calendar address of a user; a new one replaces it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="feed_token"
    )
    sha256 = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = (sha_check("feed_token", "sha256"),)

    def __str__(self) -> str:
        return f"calendar of {self.user_id}"


class HeavyUse(models.Model):
    """The number of heavy acts of an account in one minute.

    Attributes:
        minute: Minutes since 1970; the count of an older minute is void.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="heavy_use"
    )
    minute = models.BigIntegerField()
    count = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.count} in minute {self.minute}"


class IdempotentCall(models.Model):
    """An API call with an Idempotency-Key, and its answer.

    `status` and the response are empty while the call is being answered. Old rows may be deleted.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="idempotent_calls"
    )
    key = models.CharField(max_length=255)
    method = models.CharField(max_length=8)
    path = models.CharField(max_length=500)
    request_sha256 = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    content_type = models.CharField(max_length=100, blank=True)
    headers = models.JSONField(default=dict)
    body = models.TextField(blank=True)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "key"), name="idempotent_call_once_a_key"),
            models.CheckConstraint(condition=~Q(key=""), name="idempotent_call_has_a_key"),
            models.CheckConstraint(
                condition=Q(status__isnull=True) | Q(status__gte=100, status__lte=599),
                name="idempotent_call_status_is_http",
            ),
            sha_check("idempotent_call", "request_sha256"),
        )

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


class PushDevice(models.Model):
    """A browser that receives a user's notifications.

    All of it is as secret as a password. A change of the password ends it.

    Attributes:
        endpoint: The browser's address at its vendor's push service.
        p256dh: The browser's public key; with `auth` it encrypts notifications on the way.
        auth: The browser's authentication secret.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_devices"
    )
    endpoint = models.CharField(max_length=600)
    endpoint_sha256 = models.CharField(max_length=64, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    password_sha256 = models.CharField(max_length=64)  # of the stored password hash
    created_at = models.DateTimeField()

    class Meta:
        constraints = (sha_check("push_device", "endpoint_sha256", "password_sha256"),)

    def __str__(self) -> str:
        return f"device of {self.user_id}"


class DiscordAccount(models.Model):
    """The Discord account from which a user gives commands.

    Attributes:
        discord_id: Null until the user has sent the code of the profile page.
        code_sha256: The hash of that code, kept until `code_ends`.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="discord"
    )
    discord_id = models.CharField(max_length=32, null=True, unique=True)
    code_sha256 = models.CharField(max_length=64, null=True, unique=True)
    code_ends = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(code_sha256__isnull=True, code_ends__isnull=True)
                | Q(code_sha256__length=64, code_ends__isnull=False),
                name="discord_account_code_ends",
            ),
        )

    def __str__(self) -> str:
        return f"discord of {self.user_id}"


class Notification(models.Model):
    """A message to one user, or, without a user, to the site's own channels.

    It ends as sent or as abandoned.

    Attributes:
        dedupe_key: Prevents that the same notification is written twice.
        body: Plain text that reveals nothing hidden.
        path: The page that it is about.
        signed_head: The head of the war's ledger, signed; for mails.
        delivered_channels: The channels that have it.
        failed_channels: The channels that refused it at the last attempt.
        attempts: The number of attempts to send it.
        due_at: Not to be sent before this time.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="notifications"
    )
    dedupe_key = models.CharField(max_length=200, unique=True)
    body = models.CharField(max_length=400)
    path = models.CharField(max_length=200, blank=True)
    signed_head = models.TextField(blank=True, default="")
    delivered_channels = models.JSONField(default=list)
    failed_channels = models.JSONField(default=list)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    abandoned_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=~Q(body=""), name="notification_says_something"),
            models.CheckConstraint(
                condition=Q(sent_at__isnull=True) | Q(abandoned_at__isnull=True),
                name="notification_ends_one_way",
            ),
        )
        indexes = (
            models.Index(
                fields=("id",),
                condition=Q(sent_at__isnull=True, abandoned_at__isnull=True),
                name="notification_waiting",
            ),
        )

    def __str__(self) -> str:
        return self.dedupe_key
